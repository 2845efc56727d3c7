"""Pictures of demonstrations: their actions are done again, and what is there after each is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from synparse.drawing.craft import Episode, Frame, Segmentation, episode_text
from synparse.drawing.craft_episode import episodes_svg
from synparse.drawing.craft_page import episodes_page
from synparse.drawing.show import PictureFormat
from synparse.tasks.craft.demonstrations import Demonstration, grids_of, worlds_of
from synparse.tasks.craft.subtasks import ACTIONS
from synparse.tasks.craft.worlds import Worlds, step


def draw_demonstrations(
    given: Iterable[tuple[Demonstration, Sequence[Segmentation]]],
    name: str,
    *,
    picture: PictureFormat = "text",
    width: int = 0,
) -> Iterator[str]:
    """Draw demonstrations, each with its segmentations: the true one (`true_segmentation`), those of models
    (`synparse.drawing.craft.segmentation_by_step`), or none.

    name: the page's title. width: text is folded at this many characters; 0 never. Text is drawn as it is read; SVG and
    HTML come as one string, and play. Raises ValueError for a segmentation that ends elsewhere than its demonstration.

    >>> one = Demonstration("AC", "urux", ("#####", "#.AC#", "#..D#", "#>.B#", "#####"))
    >>> print(*draw_demonstrations([(one, [Segmentation("options", [2, 4], ["2", "1"])])], "example"), sep="", end="")
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
    episodes = (episode_of(number, one, drawn) for number, (one, drawn) in enumerate(given, 1))
    if picture == "svg":
        yield episodes_svg(episodes)
    elif picture == "html":
        yield episodes_page(name, episodes)
    else:
        for number, episode in enumerate(episodes):
            if number:
                yield "\n"
            yield from (f"{line}\n" for line in episode_text(episode, width))


def episode_of(number: int, one: Demonstration, segmentations: Sequence[Segmentation] = ()) -> Episode:
    """A demonstration as it is drawn. Raises ValueError for a segmentation that ends elsewhere."""
    steps = len(one.actions)
    for segmentation in segmentations:
        if tuple(segmentation.ends[-1:]) != (steps,)[: min(steps, 1)]:
            raise ValueError(f"{segmentation.name}: the last segment does not end with the {steps} steps")
    title = f"demonstration {number}: task {one.task}, {steps} step{'s' * (steps != 1)}"
    return Episode(title, one.actions, frames_of(one), segmentations)


def true_segmentation(one: Demonstration, ends: Sequence[int]) -> Segmentation:
    """The segmentation by the true ends of a demonstration's subtasks."""
    return Segmentation("subtasks", ends, one.task)


def frames_of(one: Demonstration) -> list[Frame]:
    """What is there before the first action of a demonstration, and after each."""
    worlds = worlds_of([one.grid])
    frames = [frame_of(worlds, 0)]
    for letter in one.actions:
        step(worlds, np.array([ACTIONS.index(letter)]))
        frames.append(frame_of(worlds, 0))
    return frames


def frame_of(worlds: Worlds, index: int) -> Frame:
    """What is in one of several worlds."""
    [grid] = grids_of(worlds.chosen(np.array([index])))
    return Frame(grid, worlds.inventory[index].tolist())
