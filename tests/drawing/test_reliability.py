import re
from xml.etree import ElementTree

from synparse.drawing.reliability import MARGIN, SIZE, reliability_page, reliability_svg, reliability_text

RAW = [{"number": 2, "probability": 0.25, "right": 0.5}, {"number": 2, "probability": 0.95, "right": 1.0}]
FITTED = [{"number": 2, "probability": 0.4, "right": 0.5}, {"number": 2, "probability": 1.0, "right": 1.0}]
SCORES = {
    "gold": ["dev <1>.conllu"],
    "number": 4,
    "precision": 0.75,
    "precision_of_half": 1.0,
    "raw_error": 0.15,
    "fitted_error": 0.05,
    "raw": RAW,
    "fitted": FITTED,
}
SVG = "{http://www.w3.org/2000/svg}"


def test_text_has_a_bar_for_each_group():
    assert "".join(reliability_text({"model": "m", "arcs": SCORES})) == (
        "probabilities of m, supervised: fitted on odd sentences, measured on even ones\n"
        "\n"
        "arcs of dev <1>.conllu: 4\n"
        "right, all                          75.00\n"
        "right, most confident half         100.00\n"
        "expected calibration error, raw     15.00\n"
        "expected calibration error, fitted   5.00\n"
        "\n"
        "  number     raw   right  fitted   right\n"
        "       2   25.00   50.00   40.00   50.00  ████████████│██\n"
        "       2   95.00  100.00  100.00  100.00  ██████████████████████████████│\n"
    )


def test_a_probability_near_1_of_which_nothing_is_right_is_at_the_end_of_an_empty_bar():
    group = {"number": 1, "probability": 0.99, "right": 0.0}
    *_, line = reliability_text({"model": "m", "arcs": SCORES | {"raw": [group], "fitted": [group]}})
    assert line == "       1   99.00    0.00   99.00    0.00  " + " " * 30 + "│\n"


def test_points_lie_where_their_probabilities_are():
    root = ElementTree.fromstring(reliability_svg(SCORES, "arcs"))
    raw, fitted = (line.get("points") for line in root.iter(f"{SVG}polyline"))
    assert raw == f"{MARGIN + SIZE / 4:.1f},{MARGIN + SIZE / 2:.1f} {MARGIN + SIZE * 0.95:.1f},{MARGIN:.1f}"
    assert fitted.endswith(f"{MARGIN + SIZE:.1f},{MARGIN:.1f}")  # on the diagonal


def test_the_page_is_well_formed_and_has_both_parts():
    markup = reliability_page({"model": "<m>", "arcs": SCORES, "spans": SCORES})
    root = ElementTree.fromstring(re.sub("<meta [^>]*>", "", markup.removeprefix("<!DOCTYPE html>\n")))
    assert [heading.text for heading in root.iter("h2")] == ["Arcs", "Spans"]
    assert "Probabilities of <m>" in [heading.text for heading in root.iter("h1")]
    assert "4 arcs of dev &lt;1&gt;.conllu" in markup
