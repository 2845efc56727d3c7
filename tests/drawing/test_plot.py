from xml.etree import ElementTree

from synparse.drawing.plot import LENGTH, Plot, plot_svg

SVG = "{http://www.w3.org/2000/svg}"


def test_bars_are_as_long_as_their_values_and_say_them():
    root = ElementTree.fromstring(plot_svg(Plot("F1 <by> label", "label", "F1", [("NP", 80.0), ("VP & co", 20.04)])))
    assert root.find(f"{SVG}title").text == "F1 <by> label"
    assert [float(bar.get("width")) for bar in root.iter(f"{SVG}rect")] == [LENGTH, LENGTH * 0.25 + 0.2]
    assert [one.text for one in root.iter(f"{SVG}text")] == ["label", "F1", "NP", "80.0", "VP & co", "20.0"]


def test_bars_stand_below_each_other():
    root = ElementTree.fromstring(plot_svg(Plot("", "x", "y", [(str(number), 1.0) for number in range(40)])))
    tops = [float(bar.get("y")) for bar in root.iter(f"{SVG}rect")]
    assert len(set(tops)) == 40
    assert max(tops) < float(root.get("height"))


def test_nothing_and_zeros_are_drawn_too():
    assert list(ElementTree.fromstring(plot_svg(Plot("", "x", "y", []))).iter(f"{SVG}rect")) == []
    [bar] = ElementTree.fromstring(plot_svg(Plot("", "x", "y", [("a", 0.0)]))).iter(f"{SVG}rect")
    assert float(bar.get("width")) == 0
