import xml.etree.ElementTree as ET

from rich.console import Console

from synparse.drawing.channels import heat_map_text, heat_maps_page, heat_maps_svg
from synparse.scoring.tables import Table

MODEL = {
    **{"model": "a & b", "kind": "udgn", "layers": 2, "channels": 2, "arcs": 9},
    "relations": [{"relation": "det", "layer": 1, "channel": 2}, {"relation": "nsubj", "layer": None, "channel": None}],
    "matrix": {"det": [[0.1, 0.95], [-0.45, 0.2]], "nsubj": [[None, 0.0], [0.61, -0.1]]},
}
SVG = "{http://www.w3.org/2000/svg}"


def test_text_has_hundredths_in_colours_for_as_many_layers_as_fit():
    title, layer, numbers, *rows = "".join(heat_map_text(MODEL, Console(width=40, no_color=True))).strip().splitlines()
    assert title == "a & b: correlations of channels, in hundredths"
    assert (layer, numbers) == ("layer    1       2", "channel    1  2    1  2")
    assert rows == ["det       10 95  -45 20", "nsubj      -  0   61-10"]
    narrow = "".join(heat_map_text(MODEL, Console(width=20, no_color=True))).strip().splitlines()
    assert narrow[1:5] == ["layer    1", "channel    1  2", "det       10 95", "nsubj      -  0"]
    assert narrow[5:] == ["layer    2", "channel    1  2", "det      -45 20", "nsubj     61-10"]
    terminal = Console(width=40, force_terminal=True, color_system="truecolor", no_color=False)
    coloured = "".join(heat_map_text(MODEL, terminal))
    assert "\x1b[37;48;2;243;20;30m 95\x1b[0m" in coloured
    assert "\x1b[37;48;2;20;40;173m-45\x1b[0m" in coloured


def test_svg_has_a_cell_for_each_value_and_marks_the_best():
    drawing = ET.fromstring(heat_maps_svg([MODEL, MODEL]))
    key, first, _ = drawing.findall(f"{SVG}g")
    assert [text.text for text in key.iter(f"{SVG}text") if text.get("class") == "cell"] == [
        "-100",
        "-50",
        "0",
        "50",
        "100",
    ]
    cells = [cell for cell in first.iter(f"{SVG}rect") if cell.get("class") != "best"]
    assert [(cell.get("class"), cell.get("fill-opacity")) for cell in cells] == [
        *(("warm", "0.10"), ("warm", "0.95"), ("cold", "0.45"), ("warm", "0.20")),
        *(("warm", "0.00"), ("warm", "0.61"), ("cold", "0.10")),
    ]
    [best] = [cell for cell in first.iter(f"{SVG}rect") if cell.get("class") == "best"]
    assert (best.get("x"), best.get("y")) == (cells[1].get("x"), cells[1].get("y"))
    texts = [text.text for text in first.iter(f"{SVG}text")]
    assert texts[0] == "a & b (udgn), 9 arcs"
    assert {"95", "-45", "layer 2", "nsubj"} <= set(texts)
    width = float(drawing.get("width"))
    assert all(float(cell.get("x")) + float(cell.get("width")) <= width for cell in cells)


def test_the_page_has_tables_and_maps():
    table = Table("correlations", ("relation", "correlation"), [("det", "0.95"), ("<x>", "0.61")])
    page = heat_maps_page("/some/where/gold", "a rule & more", [table], [MODEL])
    assert "<p>Protocol: a rule &amp; more.</p>" in page
    assert '<tr><th scope="row">&lt;x&gt;</th><td>0.61</td></tr>' in page
    assert page.count("<svg") == 2  # the key and the map
    assert "<title>Channels and relations of gold</title>" in page


def test_zero_has_no_sign():
    nearly = MODEL | {"matrix": {"det": [[-0.004, 0.0], [0.004, -0.006]], "nsubj": [[None, None], [None, None]]}}
    cells = [
        text.text for text in ET.fromstring(heat_maps_svg([nearly])).iter(f"{SVG}text") if text.get("class") == "cell"
    ]
    assert cells[5:] == ["0", "0", "0", "-1"]
