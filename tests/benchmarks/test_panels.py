import re
from xml.etree import ElementTree

import pytest

from benchmarks.panels import COLOURS, HEIGHT, WIDTH, CurvePoint, Panel, Series, curves_svg

SVG = "{http://www.w3.org/2000/svg}"

LINE = Series("ours <a>", [CurvePoint(0, 0.0, 0.1), CurvePoint(500_000, 0.5, 0.25), CurvePoint(1_000_000, 1.0, 0.5)])
OTHER = Series("theirs", [CurvePoint(0, 0.2), CurvePoint(1_000_000, 0.2)])


def drawn(*panels):
    return ElementTree.fromstring(curves_svg("curves & bands", panels))


def paths(root, kind):
    return [path.get("d") for path in root.iter(f"{SVG}path") if kind in path.get("class").split()]


def places(path):
    return [tuple(map(float, place.split())) for place in re.findall(r"[\d.-]+ [\d.-]+", path)]


def test_a_line_goes_through_its_means_and_a_band_around_them_stays_on_the_axes():
    root = drawn(Panel("one", "steps", "return", [LINE], (0, 1)))
    assert places(paths(root, "line")[0]) == [(0, HEIGHT), (WIDTH / 2, HEIGHT / 2), (WIDTH, 0)]
    [band] = paths(root, "band")
    assert places(band) == [
        *((0, 0.9 * HEIGHT), (WIDTH / 2, 0.25 * HEIGHT), (WIDTH, 0)),
        *((WIDTH, 0.5 * HEIGHT), (WIDTH / 2, 0.75 * HEIGHT), (0, HEIGHT)),
    ]
    assert [element.text for element in root.iter(f"{SVG}text")] == [
        *("one", "return", "steps", "0", "0.5", "1", "0", "500k", "1M", "ours <a>")
    ]


def test_a_series_has_one_colour_in_all_panels_and_one_line_in_the_key():
    root = drawn(Panel("", "", "", [OTHER, LINE]), Panel("", "", "", [LINE]))
    assert [(group.get("class"), group[0].text) for group in root.iter(f"{SVG}g") if group.get("class")] == [
        *(("series-0", "theirs"), ("series-1", "ours <a>"), ("series-1", "ours <a>"))
    ]
    assert len(paths(root, "line")) == 3 + 2
    assert root.find(f"{SVG}title").text == "curves & bands"


def test_single_values_have_no_band_and_a_single_point_is_a_dot():
    root = drawn(Panel("", "", "", [OTHER, Series("dot", [CurvePoint(5, 5)]), Series("none", [])]))
    assert paths(root, "band") == []
    assert len(list(root.iter(f"{SVG}circle"))) == 1
    assert len(paths(root, "line")) == 1 + 3


def test_panels_stand_in_rows_and_long_keys_too():
    panel = Panel("", "", "", [Series(f"a name that is long {number}", []) for number in range(6)])
    narrow, wide = drawn(panel), drawn(*[panel] * 4)
    assert float(wide.get("width")) == 3 * float(narrow.get("width"))
    for root in (narrow, wide):
        in_key = [text for text in root.iter(f"{SVG}text") if (text.text or "").startswith("a name")]
        assert len(in_key) == 6
        assert all(float(text.get("x")) + 7 * len(text.text) < float(root.get("width")) for text in in_key)
        below = [group for group in root.iter(f"{SVG}g") if group.get("transform", "").startswith("translate(0 ")]
        top = float(below[0].get("transform").split()[1].rstrip(")"))
        assert all(top + float(text.get("y")) < float(root.get("height")) for text in in_key)


def test_colours_are_never_shared():
    series = [Series(str(number), []) for number in range(len(COLOURS) + 1)]
    with pytest.raises(ValueError, match="7 series, and colours for 6"):
        curves_svg("", [Panel("", "", "", series)])


def test_nothing_is_a_picture_too():
    assert drawn().find(f"{SVG}title") is not None
    assert len(paths(drawn(Panel("", "", "", [])), "axes")) > 0


def test_a_logarithmic_axis_shows_the_numbers_of_its_points():
    series = Series("ours", [CurvePoint(2, 0.0), CurvePoint(4, 1.0), CurvePoint(32, 1.0)])
    root = drawn(Panel("", "minutes", "", [series], (0, 1), is_logarithmic=True))
    assert places(paths(root, "line")[0]) == [(0, HEIGHT), (WIDTH / 4, 0), (WIDTH, 0)]
    assert [element.text for element in root.iter(f"{SVG}text")][-4:] == ["2", "4", "32", "ours"]
    alone = drawn(Panel("", "", "", [Series("dot", [CurvePoint(2, 1.0)])], is_logarithmic=True))
    assert len(list(alone.iter(f"{SVG}circle"))) == 1
