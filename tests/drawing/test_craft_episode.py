"""Moving pictures of episodes: every change at its time, in SVG that is well formed."""

import xml.etree.ElementTree as ET

from synparse.drawing.craft import COLOURS, PALETTE, Episode, EpisodeSegmentation, Frame
from synparse.drawing.craft_episode import REST, SECONDS, STEP, animated, episode_svg, episodes_svg

SVG = "{http://www.w3.org/2000/svg}"
FRAMES = [
    Frame(("#####", "#>.A#", "#####"), (0, 0, 0, 0)),
    Frame(("#####", "#.>A#", "#####"), (0, 0, 0, 0)),
    Frame(("#####", "#.>.#", "#####"), (1, 0, 0, 0)),
    Frame(("#####", "#.^.#", "#####"), (1, 0, 0, 0)),
]
EPISODE = Episode(
    "a & b",
    "rxu",
    FRAMES,
    [EpisodeSegmentation("subtasks", [2, 3], "AB"), EpisodeSegmentation("options", [1, 3], "31")],
)


def animations(root):
    """The attribute or kind of each animation, with its values by frame."""
    frames = len(FRAMES) + REST
    for animation in [*root.iter(f"{SVG}animate"), *root.iter(f"{SVG}animateTransform")]:
        assert animation.get("calcMode") == "discrete"
        assert animation.get("repeatCount") == "indefinite"
        assert float(animation.get("dur").rstrip("s")) == SECONDS * frames
        at = [round(float(time) * frames) for time in animation.get("keyTimes").split(";")]
        values = animation.get("values").split(";")
        assert len(at) == len(values)
        assert at[0] == 0
        yield animation.get("type") or animation.get("attributeName"), dict(zip(at, values, strict=True))


def test_what_moves():
    changes = list(animations(ET.fromstring(episodes_svg([EPISODE]))))
    assert sorted(name for name, _ in changes) == [
        "fill",
        "rotate",
        "translate",
        "visibility",
        "visibility",
        "visibility",
        "x",
    ]
    moves = dict(changes)
    assert moves["translate"] == {0: "46 46", 1: "70 46"}
    assert moves["rotate"] == {0: "90", 3: "0"}
    assert moves["fill"] == {0: PALETTE[2], 2: PALETTE[0]}
    assert moves["x"] == {step: str(STEP * (step - 1)) for step in range(4)}
    shown = [values for name, values in changes if name == "visibility"]
    assert shown.count({0: "visible", 2: "hidden"}) == 2  # the thing, and that none is taken
    assert shown.count({0: "hidden", 2: "visible"}) == 1  # that one is taken


def test_what_does_not_move_has_no_animation():
    assert animated("x", ["1", "1"]) == animated("x", ["1"]) == animated("x", []) == ""
    still = Episode("still", "", FRAMES[:1])
    root = ET.fromstring(episodes_svg([still]))
    assert not list(animations(root))


def test_the_strip_has_the_actions_and_segments_in_their_columns():
    root = ET.fromstring(episode_svg(EPISODE))
    strip = next(element for element in root.iter(f"{SVG}g") if element.get("class") == "strip")
    texts = [element.text for element in strip.findall(f"{SVG}text")]
    assert texts == ["→", "x", "↑", "actions", "subtasks", "A", "B", "options", "3", "1"]
    boxes = [
        (int(element.get("x")) // STEP, int(element.get("width")) // STEP, element.get("fill"))
        for element in strip.findall(f"{SVG}rect")
        if element.get("class") == "segment"
    ]
    assert boxes == [(0, 2, COLOURS["A"]), (2, 1, COLOURS["B"]), (0, 1, PALETTE[2]), (1, 2, PALETTE[0])]


def test_several_episodes_are_below_each_other():
    root = ET.fromstring(episodes_svg([EPISODE, EPISODE._replace(title="second")]))
    tops = [
        int(element.get("transform").removeprefix("translate(0 ").removesuffix(")"))
        for element in root.findall(f"{SVG}g")
        if element.get("class") == "episode"
    ]
    height = int(ET.fromstring(episode_svg(EPISODE)).get("height"))
    assert len(tops) == 2
    assert tops[1] >= tops[0] + height
    assert int(root.get("height")) >= tops[1] + height
    assert [element.text for element in root.findall(f"{SVG}text")] == ["a & b", "second"]
