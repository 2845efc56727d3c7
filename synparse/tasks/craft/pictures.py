"""Pictures of demonstrations: their actions are done again, and what is there after each is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from synparse.drawing.craft import Episode, EpisodeSegmentation, Frame, episode_text
from synparse.drawing.craft_episode import episodes_svg
from synparse.drawing.craft_page import episodes_page
from synparse.drawing.show import PictureFormat
from synparse.tasks.craft.demonstrations import Demonstration, grids_of, read_demonstrations, read_ends, worlds_of
from synparse.tasks.craft.segments import read_segments
from synparse.tasks.craft.subtasks import ACTIONS
from synparse.tasks.craft.worlds import Worlds, step
from synparse.trees.printable import printable


def draw_demonstrations(
    given: Iterable[tuple[Demonstration, Sequence[EpisodeSegmentation]]],
    name: str,
    *,
    picture: PictureFormat = "text",
) -> Iterator[str]:
    """Draw demonstrations, each with its segmentations: the true one (`true_segmentation`), those of models, or none.

    name: of the file, for the page's title. Text is drawn as it is read; SVG and HTML come as one string, and play.
    Raises ValueError for a segmentation that ends elsewhere than its demonstration.

    >>> demonstration = Demonstration("AC", "urux", ("#####", "#.AC#", "#..D#", "#>.B#", "#####"))
    >>> options = EpisodeSegmentation("options", [2, 4], ["2", "1"])
    >>> print(*draw_demonstrations([(demonstration, [options])], "example"), sep="", end="")
    demonstration 1: task AC, 4 steps
    start             2, after 2 steps  1, after 4 steps
    #####             #####             #####
    #.AC#             #.AC#             #..C#
    #..D#             #.>D#             #.^D#
    #>.B#             #..B#             #..B#
    #####             #####             #####
    nothing taken     nothing taken     wood 1
    <BLANKLINE>
    actions  urux
    options  2-1-
    """
    episodes = (episode_of(number, demonstration, drawn) for number, (demonstration, drawn) in enumerate(given, 1))
    if picture == "svg":
        yield episodes_svg(episodes)
    elif picture == "html":
        yield episodes_page(Path(name).name, episodes)
    else:
        for number, episode in enumerate(episodes):
            if number:
                yield "\n"
            yield from (f"{printable(line)}\n" for line in episode_text(episode))


def episode_of(number: int, demonstration: Demonstration, segmentations: Sequence[EpisodeSegmentation] = ()) -> Episode:
    """A demonstration as it is drawn. Raises ValueError for a segmentation that ends elsewhere."""
    steps = len(demonstration.actions)
    for segmentation in segmentations:
        if tuple(segmentation.ends[-1:]) != (steps,)[: min(steps, 1)]:
            raise ValueError(f"{segmentation.name}: the last segment does not end with the {steps} steps")
    title = f"demonstration {number}: task {demonstration.task}, {steps} step{'s' * (steps != 1)}"
    return Episode(title, demonstration.actions, frames_of(demonstration), segmentations)


def with_segmentations(
    data: str, ends: str | None, segments: Sequence[str]
) -> list[tuple[Demonstration, list[EpisodeSegmentation]]]:
    """The demonstrations of a file with the segmentations to draw: by a file of true ends, and by files of segments,
    which give them their names. Raises DataError where files do not fit."""
    given = list(read_demonstrations([data]))
    drawn: list[list[EpisodeSegmentation]] = [[] for _ in given]
    if ends is not None:
        for demonstration, true_ends, segmentations in zip(given, read_ends(ends, given), drawn, strict=True):
            segmentations.append(true_segmentation(demonstration, true_ends))
    for path in segments:
        for (segment_ends, options), segmentations in zip(read_segments(path, given), drawn, strict=True):
            segmentations.append(EpisodeSegmentation(Path(path).stem, segment_ends, options))
    return list(zip(given, drawn, strict=True))


def true_segmentation(demonstration: Demonstration, ends: Sequence[int]) -> EpisodeSegmentation:
    """The segmentation by the true ends of a demonstration's subtasks."""
    return EpisodeSegmentation("subtasks", ends, demonstration.task)


def frames_of(demonstration: Demonstration) -> list[Frame]:
    """What is there before the first action of a demonstration, and after each."""
    worlds = worlds_of([demonstration.grid])
    frames = [frame_of(worlds, 0)]
    for letter in demonstration.actions:
        step(worlds, np.array([ACTIONS.index(letter)]))
        frames.append(frame_of(worlds, 0))
    return frames


def frame_of(worlds: Worlds, index: int) -> Frame:
    """What is in one of several worlds."""
    [grid] = grids_of(worlds.chosen(np.array([index])))
    return Frame(grid, worlds.inventory[index].tolist())
