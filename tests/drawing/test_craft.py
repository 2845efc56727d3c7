"""Grids of Craft as text, SVG and pixels; episodes as text."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from synparse.drawing.craft import (
    COLOURS,
    PALETTE,
    Episode,
    EpisodeSegmentation,
    Frame,
    colour_of,
    episode_text,
    grid_pixels,
    grid_svg,
    grid_text,
    ink_of,
    label_in_charge,
    segments,
)
from synparse.tasks.craft.subtasks import NAMES, SUBTASKS

SVG = "{http://www.w3.org/2000/svg}"
GRID = Frame(("#####", "#A.B#", "#.<.#", "#CD##", "#####"), (0, 0, 2, 1))
WAY = [
    Frame(("####", "#>A#", "####"), (0, 0, 0, 0)),
    Frame(("####", "#>.#", "####"), (1, 0, 0, 0)),
    Frame(("####", "#.>#", "####"), (1, 0, 0, 0)),
    Frame(("####", "#.^#", "####"), (1, 0, 0, 0)),
]


def test_letters_and_names_are_those_of_the_subtasks():
    assert grid_text(Frame(("^",), (1, 1, 1, 1))) == "^\n" + ", ".join(f"{name} 1" for name in NAMES) + "\n"
    assert "".join(COLOURS) == SUBTASKS


def test_text():
    assert grid_text(GRID) == "#####\n#A.B#\n#.<.#\n#CD##\n#####\niron 2, grass 1\n"
    assert grid_text(WAY[0]).endswith("####\nnothing taken\n")


def test_each_step_is_in_a_segment():
    segmentation = EpisodeSegmentation("options", [2, 3, 4], ["2", "10", "2"])
    assert segments(segmentation) == [(0, 2, "2"), (2, 3, "10"), (3, 4, "2")]
    assert [label_in_charge(segmentation, step) for step in range(4)] == ["2", "2", "10", "2"]


def test_an_episode_as_text_shows_segments_without_a_label():
    given = Episode(
        "E", "xru", WAY, [EpisodeSegmentation("true", [1, 3], "AB"), EpisodeSegmentation("found", [2, 3], ["", "12"])]
    )
    assert list(episode_text(given)) == [
        "E",
        "start             A, after 1 step   B, after 3 steps",
        "####              ####              ####",
        "#>A#              #>.#              #.^#",
        "####              ####              ####",
        "nothing taken     wood 1            wood 1",
        "",
        "actions  xru",
        "true     AB-",
        "found    |-1",
    ]


def test_svg_has_every_thing_in_its_place_and_the_agent_turned():
    root = ET.fromstring(grid_svg(GRID))
    assert root.findtext(f"{SVG}title") == "Craft"
    blocks = [element for element in root.iter(f"{SVG}g") if element.get("class") == "thing"]
    assert ["".join(element.itertext()) for element in blocks] == [*"ABCD", *"ABCD"]  # the grid's, the legend's
    assert blocks[2].get("transform") == f"translate({10 + 24 + 12} {10 + 3 * 24 + 12})"
    agent = next(element for element in root.iter(f"{SVG}g") if "rotate" in element.get("transform", ""))
    assert agent.get("transform") == f"translate({10 + 2 * 24 + 12} {10 + 2 * 24 + 12}) rotate(270)"
    texts = [element.text for element in root.findall(f"{SVG}text")]
    assert texts == ["wood", "0", "gold", "0", "iron", "2", "grass", "1"]
    walls = next(element for element in root.iter(f"{SVG}path") if element.get("class") == "wall")
    assert walls.get("d").count("M") == 17


def test_a_grid_has_an_agent():
    with pytest.raises(ValueError, match="without an agent"):
        grid_svg(Frame(("###",), (0, 0, 0, 0)))


def test_pixels():
    pixels = grid_pixels(GRID, 8)
    assert pixels.shape == (40, 40, 3)
    assert pixels.dtype == np.uint8
    gold = [int(COLOURS["B"][at : at + 2], 16) for at in (1, 3, 5)]
    assert (pixels[8:16, 24:32] == gold).all()
    assert (pixels[8:16, 16:24] == 255).all()
    assert (pixels[:8] == pixels[0, 0]).all()


def test_the_agent_points_where_it_faces_in_pixels():
    inked = {turned: (grid_pixels(Frame((turned,), (0, 0, 0, 0)), 16) != 255).any(2) for turned in "^>v<"}
    up = inked["^"].sum(1)
    assert (np.diff(up) >= 0).all()
    assert up[0] < up[-1]
    for turns, turned in enumerate("^>v<"):
        assert (inked[turned] == np.rot90(inked["^"], -turns)).all()


def test_colours_of_options_come_again_and_labels_can_be_read():
    assert [colour_of(str(number)) for number in range(1, 10)] == [*PALETTE, PALETTE[0]]
    assert colour_of("") == "#d9d9e0"
    assert ink_of("3") == "#000"
    for label in "ABCD":
        assert contrast(colour_of(label), ink_of(label)) > 4.5
    for number in range(1, 9):
        assert contrast(colour_of(str(number)), "#000") > 4.5


def contrast(first, second):
    """The ratio of two colours' luminances, WCAG 2.1."""

    def luminance(colour):
        digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
        parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted([luminance(first), luminance(second)])
    return (light + 0.05) / (dark + 0.05)
