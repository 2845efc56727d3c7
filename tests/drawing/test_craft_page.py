"""Pages of episodes: the pictures, their controls, and what the script needs."""

import json
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from synparse.drawing.craft import COLOURS, PALETTE, Episode, EpisodeSegmentation, Frame
from synparse.drawing.craft_page import SCRIPT, episodes_page
from tests.processes import HANG

FRAMES = [Frame(("####", "#>A#", "####"), (0, 0, 0, 0)), Frame(("####", "#>.#", "####"), (1, 0, 0, 0))]
EPISODES = [
    Episode(
        "first <", "x", FRAMES, [EpisodeSegmentation("subtasks", [1], "A"), EpisodeSegmentation("options", [1], ["2"])]
    ),
    Episode("second", "x", FRAMES, [EpisodeSegmentation("found", [1], [""])]),
]


class Outline(HTMLParser):
    """The elements of a page with their attributes; fails where they are not closed in order."""

    def __init__(self, markup):
        super().__init__()
        self.open, self.elements, self.texts = [], [], {}
        self.feed(markup)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in {"meta", "input"}:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(scope="module")
def outline():
    return Outline(episodes_page("R&D", EPISODES))


def test_each_episode_has_a_picture_a_button_and_a_slider_over_its_steps(outline):
    assert outline.texts["h1"] == ["R&D"]
    assert outline.texts["h3"] == ["first <", "second"]
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
    assert outline.texts["script"] == ["\n" + SCRIPT]


def test_the_script_is_javascript(tmp_path):
    if not shutil.which("node"):
        pytest.skip("no node here to read the script")
    path = tmp_path / "script.js"
    path.write_text(SCRIPT, encoding="utf-8")
    subprocess.run(["node", "--check", path], check=True, timeout=HANG)
