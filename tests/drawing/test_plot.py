from xml.etree import ElementTree

import pytest

from synparse.drawing.plot import LENGTH, SIDE, Plot, Scatter, plot_svg, round_ends, scatters_svg

SVG = "{http://www.w3.org/2000/svg}"


def test_bars_are_as_long_as_their_values_and_say_them():
    root = ElementTree.fromstring(plot_svg(Plot("F1 <by> label", "label", "F1", [("NP", 80.0), ("VP & co", 20.04)])))
    assert root.find(f"{SVG}title").text == "F1 <by> label"
    assert [float(bar.get("width")) for bar in root.iter(f"{SVG}rect")] == [LENGTH, LENGTH * 0.25 + 0.2]
    assert [element.text for element in root.iter(f"{SVG}text")] == ["label", "F1", "NP", "80.0", "VP & co", "20.0"]


def test_bars_stand_below_each_other():
    root = ElementTree.fromstring(plot_svg(Plot("", "x", "y", [(str(number), 1.0) for number in range(40)])))
    tops = [float(bar.get("y")) for bar in root.iter(f"{SVG}rect")]
    assert len(set(tops)) == 40
    assert max(tops) < float(root.get("height"))


def test_nothing_and_zeros_are_drawn_too():
    assert list(ElementTree.fromstring(plot_svg(Plot("", "x", "y", []))).iter(f"{SVG}rect")) == []
    [bar] = ElementTree.fromstring(plot_svg(Plot("", "x", "y", [("a", 0.0)]))).iter(f"{SVG}rect")
    assert float(bar.get("width")) == 0


def test_points_lie_where_their_numbers_say():
    scatter = Scatter("<a> & b", "right", "up", [("one", 0.0, 10.0), ("two", 10.0, 0.0), ("three", 5.0, 5.0)])
    root = ElementTree.fromstring(scatters_svg("signs", [scatter]))
    places = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in root.iter(f"{SVG}circle")]
    ends = round_ends([0.0, 10.0])
    middle = SIDE * 5 / ends[1]
    assert places == [(0, SIDE - 2 * middle), (2 * middle, SIDE), (middle, SIDE - middle)]
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert texts[:3] == ["<a> & b", "up", "right"]
    assert texts[-3:] == ["one", "two", "three"]


def test_squares_stand_in_rows():
    root = ElementTree.fromstring(scatters_svg("", [Scatter("", "", "", [("a", 1.0, 1.0)])] * 5, columns=2))
    assert len({group.get("transform") for group in root.iter(f"{SVG}g")}) == 5
    assert float(root.get("height")) == float(root.get("width")) * 1.5
    assert list(ElementTree.fromstring(scatters_svg("", [])).iter(f"{SVG}g")) == []


@pytest.mark.parametrize("values", [[], [0.0], [-3.0, -3.0], [0.1, 1e6], [99.97, 99.98]])
def test_axes_have_ends_around_all_values(values):
    first, last = round_ends(values)
    assert first < last
    assert all(first <= value <= last for value in values)
