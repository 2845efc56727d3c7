"""Demonstrations as pictures: what is drawn is what happens."""

import pytest

from synparse.drawing.craft import EpisodeSegmentation
from synparse.drawing.craft_episode import episodes_svg
from synparse.drawing.craft_page import episodes_page
from synparse.tasks.craft.demonstrations import Demonstration, demonstrations, generated_lines
from synparse.tasks.craft.pictures import (
    draw_demonstrations,
    episode_of,
    frames_of,
    true_segmentation,
    with_segmentations,
)

ONE = Demonstration("AC", "urux", ("#####", "#.AC#", "#..D#", "#>.B#", "#####"))


def test_frames_are_before_the_first_action_and_after_each():
    frames = frames_of(ONE)
    assert [frame.rows[1:4] for frame in frames] == [
        ("#.AC#", "#..D#", "#>.B#"),
        ("#.AC#", "#^.D#", "#..B#"),
        ("#.AC#", "#.>D#", "#..B#"),
        ("#.AC#", "#.^D#", "#..B#"),
        ("#..C#", "#.^D#", "#..B#"),
    ]
    assert [frame.inventory for frame in frames] == [[0, 0, 0, 0]] * 4 + [[1, 0, 0, 0]]


def test_true_segments_end_where_a_thing_is_taken():
    for demonstration, ends in demonstrations("DCA", 5, 8, 1, 2, seed=3):
        frames = frames_of(demonstration)
        segmentation = true_segmentation(demonstration, ends)
        for label, end in zip(segmentation.labels, segmentation.ends, strict=True):
            number = "ABCD".index(label)
            assert frames[end].inventory[number] == frames[end - 1].inventory[number] + 1


def test_the_files_beside_demonstrations_are_their_segmentations(tmp_path):
    lines = list(generated_lines(["AC", "D"], 2, 8, 1, 2, seed=3))
    for name, part in (("demos", 0), ("ends", 1), ("model.tsv", 1)):
        (tmp_path / name).write_text("".join(line[part] for line in lines))
    segmented = with_segmentations(str(tmp_path / "demos"), str(tmp_path / "ends"), [str(tmp_path / "model.tsv")])
    assert [demonstration.task for demonstration, _ in segmented] == ["AC", "AC", "D", "D"]
    for demonstration, (true, predicted) in segmented:
        assert (true.name, predicted.name) == ("subtasks", "model")
        assert tuple(true.ends) == tuple(predicted.ends)
        assert true.ends[-1] == len(demonstration.actions)
    assert all(not drawn for _, drawn in with_segmentations(str(tmp_path / "demos"), None, []))


def test_the_formats():
    drawn = [EpisodeSegmentation("subtasks", [4], "A"), EpisodeSegmentation("options", [2, 4], "21")]
    given = [(ONE, drawn), (ONE, [])]
    episodes = [episode_of(1, ONE, drawn), episode_of(2, ONE)]
    assert "".join(draw_demonstrations(given, "N", picture="svg")) == episodes_svg(episodes)
    assert "".join(draw_demonstrations(given, "N", picture="html")) == episodes_page("N", episodes)
    text = "".join(draw_demonstrations(given, "N"))
    assert text.count("demonstration ") == 2
    assert "\n\ndemonstration 2: task AC, 4 steps\nstart" in text
    assert "subtasks  A---\noptions   2-1-\n" in text


def test_text_is_drawn_as_it_is_read():
    def endless():
        while True:
            yield ONE, []

    assert next(draw_demonstrations(endless(), "N")) == "demonstration 1: task AC, 4 steps\n"


@pytest.mark.parametrize("ends", [[], [3], [5]])
def test_a_segmentation_ends_with_its_demonstration(ends):
    with pytest.raises(ValueError, match="found: the last segment does not end with the 4 steps"):
        episode_of(1, ONE, [EpisodeSegmentation("found", ends, ["A"] * len(ends))])


def test_a_demonstration_without_actions_can_be_drawn():
    still = ONE._replace(actions="")
    assert episode_of(1, still, [EpisodeSegmentation("found", [], [])]).frames == frames_of(ONE)[:1]
    for picture in ("text", "svg", "html"):
        assert "task AC, 0 steps" in "".join(draw_demonstrations([(still, [])], "N", picture=picture))
