"""The pixels of pictures that are files of their own, drawn by a program that reads no style sheets' variables."""

import io
import re
from pathlib import Path

import pytest

from benchmarks.panels import COLOURS, CurvePoint, Panel, Series, curves_svg
from synparse.drawing.canvas import ACCENT, LINE, MARK, PAPER, STYLE
from synparse.drawing.channels import COLOURS as COLOURS_OF_CELLS
from synparse.drawing.channels import heat_maps_svg
from synparse.drawing.craft import COLOURS as COLOURS_OF_THINGS
from synparse.drawing.craft import Episode, EpisodeSegmentation, Frame, grid_svg
from synparse.drawing.craft_episode import episodes_svg
from synparse.drawing.layout import Bars, HeadMap
from synparse.drawing.plot import Plot, Scatter, plot_svg, scatters_svg
from synparse.drawing.reliability import reliability_svg
from synparse.drawing.svg import sheet_svg, tree_svg
from synparse.trees.constituency import induced_tree
from synparse.trees.dependency import DependencyTree
from tests.pictures import cairosvg_or_skip

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
NEEDS_STYLE = re.compile(r"var\(|<style|style=|currentColor")
WORDS = ("the", "dog", "barked")
TREE = induced_tree(WORDS, [(0, 3), (0, 2)])
ARCS = DependencyTree(WORDS, (2, 3, 0), ("det", "nsubj", "root"))
GRID = Frame(("#####", "#>.A#", "#####"), (0, 0, 0, 0))
CELLS = {
    **{"model": "m", "kind": "udgn", "layers": 1, "channels": 2, "arcs": 9},
    "relations": [{"relation": "det", "layer": 1, "channel": 2}],
    "matrix": {"det": [[1.0, -1.0]]},
}
GROUPS = [{"number": 1, "probability": 0.5, "right": 0.25}, {"number": 1, "probability": 1.0, "right": 0.75}]

PICTURES = {
    "sheet": (sheet_svg([("first", [TREE, ARCS, Bars("heights", WORDS, (1.0, 2.0, 3.0))])]), [LINE, ACCENT]),
    "marked": (tree_svg(TREE, "tree", {(0, 2)}), [LINE, MARK, ACCENT]),
    "heads": (sheet_svg([("", [HeadMap(("a",), ((1.0, 0.0),))])]), [ACCENT]),
    "grid": (grid_svg(GRID), [LINE, MARK, COLOURS_OF_THINGS["A"]]),
    "episode": (
        episodes_svg([Episode("e", "r", [GRID, GRID], [EpisodeSegmentation("subtasks", [1], "B")])]),
        [LINE, COLOURS_OF_THINGS["A"], COLOURS_OF_THINGS["B"]],
    ),
    "channels": (heat_maps_svg([CELLS]), [*COLOURS_OF_CELLS.values()]),
    "plot": (plot_svg(Plot("", "x", "y", [("a", 1.0)])), [ACCENT]),
    "scatter": (scatters_svg("", [Scatter("", "", "", [("a", 1.0, 1.0)])]), [ACCENT]),
    "curves": (
        curves_svg("", [Panel("", "", "", [Series("a", [CurvePoint(1, 1), CurvePoint(2, 1)])])]),
        [COLOURS[0][0], LINE],
    ),
    "reliability": (reliability_svg({"raw": GROUPS, "fitted": GROUPS}, ""), [ACCENT]),
}


def rendered(svg, scale=1):
    """The picture as an image of Pillow's, on white."""
    cairosvg = cairosvg_or_skip()
    from PIL import Image

    return Image.open(io.BytesIO(cairosvg.svg2png(svg.encode(), scale=scale, background_color=PAPER))).convert("RGB")


def rgb(colour):
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


@pytest.mark.parametrize("name", PICTURES)
def test_every_colour_of_a_picture_is_seen(name):
    svg, colours = PICTURES[name]
    pixels = {colour for _, colour in rendered(svg, 4).getcolors(1 << 24)}
    assert {rgb(colour) for colour in colours} <= pixels


@pytest.mark.parametrize("name", PICTURES)
def test_no_picture_needs_a_style_sheet(name):
    svg, _ = PICTURES[name]
    assert not NEEDS_STYLE.search(svg)


@pytest.mark.parametrize("path", sorted(IMAGES.glob("*.svg")), ids=lambda path: path.stem)
def test_no_picture_of_the_pages_needs_a_style_sheet(path):
    assert not NEEDS_STYLE.search(path.read_text(encoding="utf-8"))


def ends(path):
    """The begin of a path and its end, of those that fall to the end."""
    numbers = [float(number) for number in re.findall(r"[0-9.]+", path)]
    return [(numbers[0], numbers[1]), (numbers[-3], numbers[-1])]


def is_line_at(image, x, y, scale):
    """Whether the colour of lines is within two pixels of the picture."""
    nearby = [
        image.getpixel((min(max(0, round(scale * x) + right), image.width - 1), round(scale * y) + down))
        for right in range(-2 * scale, 2 * scale + 1)
        for down in range(-2 * scale, 2 * scale + 1)
    ]
    return rgb(LINE) in nearby


def test_branches_are_drawn_where_they_must_be():
    svg = tree_svg(TREE, "tree")
    image = rendered(svg, 4)
    paths = re.findall(r'<g class="branch"><path [^>]* d="([^"]*)"/>', svg)
    assert len(paths) == 4
    assert all(is_line_at(image, x, y, 4) for path in paths for x, y in ends(path))
    assert not is_line_at(image, 5, 5, 4)


def test_arcs_are_drawn_over_their_words():
    svg = tree_svg(ARCS, "arcs")
    image = rendered(svg, 4)
    points = re.findall(r'<path class="head" [^>]*d="M([0-9.]+) ([0-9.]+)h8l-4 8z"/>', svg)
    assert len(points) == 3
    for x, y in points:
        assert image.getpixel((round(4 * (float(x) + 4)), round(4 * (float(y) + 3)))) == rgb(LINE)
    tops = re.findall(r"V[0-9.]+Q[0-9.]+ [0-9.]+ ([0-9.]+) ([0-9.]+)H([0-9.]+)Q", svg)
    assert len(tops) == 2
    assert all(is_line_at(image, (float(left) + float(right)) / 2, float(y), 4) for left, y, right in tops)


def test_words_are_drawn_at_their_places():
    svg = tree_svg(TREE, "tree")
    image = rendered(svg, 4)
    for x, y in re.findall(r'<text class="word" x="([0-9.]+)" y="([0-9.]+)"', svg):
        middle, floor = 4 * float(x), 4 * float(y)
        box = image.crop((round(middle - 40), round(floor - 20), round(middle + 40), round(floor + 20)))
        assert min(sum(colour) for _, colour in box.getcolors(1 << 24)) < 150  # ink
    assert image.getpixel((2, 2)) == (255, 255, 255)


def test_a_page_turns_every_colour_dark():
    """A rule for fill and for stroke of each colour that a dark page has another for."""
    dark = STYLE.split("prefers-color-scheme: dark")[1].split("}")[0]
    names = dict(re.findall(r"--(\w+): (#\w+);", STYLE.split("@media")[0]))
    assert set(names) == set(re.findall(r"--(\w+):", dark))
    for name, colour in names.items():
        for paint in ("fill", "stroke"):
            assert f'svg [{paint}="{colour}"] {{ {paint}: var(--{name}); }}' in STYLE
