"""Pages of episodes: the pictures, their controls, and what the script needs."""

import json
import shutil
import subprocess

import pytest

from synparse.drawing.craft import COLOURS, PALETTE, Episode, EpisodeSegmentation, Frame
from synparse.drawing.craft_page import SCRIPT, episodes_page
from tests.drawing.outline import Outline
from tests.processes import HANG

FRAMES = [Frame(("####", "#>A#", "####"), (0, 0, 0, 0)), Frame(("####", "#>.#", "####"), (1, 0, 0, 0))]
EPISODES = [
    Episode(
        "first <", "x", FRAMES, [EpisodeSegmentation("subtasks", [1], "A"), EpisodeSegmentation("options", [1], ["2"])]
    ),
    Episode("second", "x", FRAMES, [EpisodeSegmentation("found", [1], [""])]),
]


@pytest.fixture(scope="module")
def outline():
    return Outline(episodes_page("R&D", EPISODES))


def test_each_episode_has_a_picture_a_button_and_a_slider_over_its_steps(outline):
    assert outline.inside("h1") == ["R&D"]
    assert outline.inside("h3") == ["first <", "second"]
    assert len(outline.all("svg")) == len(outline.all("button")) == len(outline.all("article")) == 2
    assert [(slider["min"], slider["max"]) for slider in outline.all("input")] == [("0", "1")] * 2


def test_the_script_is_told_actions_and_segments(outline):
    told = [json.loads(article["data-episode"]) for article in outline.all("article")]
    assert told[0] == {
        "actions": "x",
        "segmentations": [
            ["subtasks", [[1, "A (wood)", COLOURS["A"], "#ffffff"]]],
            ["options", [[1, "2", PALETTE[1], "#000"]]],
        ],
    }
    assert told[1]["segmentations"] == [["found", [[1, "–", "#d9d9e0", "#000"]]]]


def test_nothing_is_from_elsewhere(outline):
    names = {name for _, attributes in outline.elements for name in attributes}
    assert not names & {"src", "href"}
    assert outline.inside("script") == ["\n" + SCRIPT]


def test_the_script_is_javascript(tmp_path):
    if not shutil.which("node"):
        pytest.skip("no node here to read the script")
    path = tmp_path / "script.js"
    path.write_text(SCRIPT, encoding="utf-8")
    subprocess.run(["node", "--check", path], check=True, timeout=HANG)
