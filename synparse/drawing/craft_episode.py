"""An episode of Craft as a moving picture: SVG that plays by itself in a browser, over and over, without a script.

Below the grid are the episode's actions, one column for each, and its segmentations; a frame marks the action that was
done last. The agent has the colour of that action's segment. All that moves are attributes with a list of values, each
shown from its time on (SMIL's discrete animations), so the picture's clock says which step is seen: step s from
s · `SECONDS` on, and the last one for `REST` steps more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from synparse.drawing import craft
from synparse.drawing.canvas import FAINT, INK, PAPER, svg, svg_file
from synparse.drawing.cells import width_of
from synparse.drawing.craft import Episode
from synparse.drawing.markup import escaped

SECONDS, REST = 0.4, 4
"""Of each step, and for how many steps the end is seen."""

STEP, ROW, TITLE, CHARACTER = 16, 22, 28, 7.3
"""Pixels: the width of a step, the height of a row of segments and of a title, the width of a character at 12 px."""


def episodes_svg(episodes: Iterable[Episode]) -> str:
    """One file: episodes below each other, each with its title."""
    pictures = []
    width = height = 0
    for episode in episodes:
        pictures.append(f'<text x="{craft.GAP}" y="{height + 2 * craft.GAP}">{escaped(episode.title)}</text>\n')
        pictures.append(f'<g class="episode" transform="translate(0 {height + TITLE})">\n{_picture(episode)}</g>\n')
        own_width, own_height = size_of_episode(episode)
        title_width = round(CHARACTER * width_of(episode.title)) + 2 * craft.GAP
        width, height = max(width, own_width, title_width), height + TITLE + own_height
    return svg_file("craft", width, height, "episodes", pictures)


def episode_svg(episode: Episode) -> str:
    """An episode as an element of a page."""
    return svg("craft", *size_of_episode(episode), episode.title, [_picture(episode)])


def _picture(episode: Episode) -> str:
    shift = f"translate({_left(episode)} {craft.size_of_grid(episode.frames[0])[1]})"
    strip = f'<g class="strip" text-anchor="middle" transform="{shift}">\n{"".join(_strip(episode))}</g>\n'
    return "".join([*_grid(episode), strip])


def size_of_episode(episode: Episode) -> tuple[int, int]:
    """The width and height of its picture, in pixels."""
    width, height = craft.size_of_grid(episode.frames[0])
    strip = _left(episode) + STEP * len(episode.actions) + craft.GAP
    return max(width, strip), height + ROW * (len(episode.segmentations) + 2) + craft.GAP


def _left(episode: Episode) -> int:
    """What stands left of the first action: names, and a column for the start."""
    names = ["actions", *(segmentation.name for segmentation in episode.segmentations)]
    return round(CHARACTER * max(width_of(name) for name in names)) + 2 * craft.GAP + STEP


def _grid(episode: Episode) -> Iterator[str]:
    """The grid at the start, with what moves in it."""
    first = episode.frames[0]
    yield from craft.walls(first)
    for row, column, letter in craft.things(first):
        shown = ["visible" if frame.rows[row][column] == letter else "hidden" for frame in episode.frames]
        yield craft.thing(row, column, letter, animated("visibility", shown))
    agents = [craft.agent(frame) for frame in episode.frames]
    places = [craft.centre(row, column) for row, column, _ in agents]
    turns = [str(turn) for _, _, turn in agents]
    colours = _colours(episode)
    coloured = craft.triangle(colours[0], animated("fill", colours)) if colours else craft.triangle()
    turned = f'<g transform="rotate({turns[0]})">{animated("rotate", turns)}{coloured}</g>'
    yield f'<g transform="translate({places[0]})">{animated("translate", places)}{turned}</g>\n'
    for number in range(len(craft.THINGS)):
        yield craft.legend(first, number)
        yield from _counts(episode, number)


def _colours(episode: Episode) -> list[str]:
    """The agent's colour in each frame: that of the segment of the action done last; at the start, of the first one."""
    if not episode.segmentations or not episode.actions:
        return []
    labels = [craft.label_in_charge(episode.segmentations[-1], step) for step in range(len(episode.actions))]
    return [craft.colour_of(label) for label in [labels[0], *labels]]


def _counts(episode: Episode, number: int) -> Iterator[str]:
    """How many of a thing the agent has: a text for each count that there is, one of which is seen."""
    counts = [frame.inventory[number] for frame in episode.frames]
    for count in sorted(set(counts)):
        shown = ["visible" if other == count else "hidden" for other in counts]
        yield craft.taken(episode.frames[0], number, count, shown[0], animated("visibility", shown))


def _strip(episode: Episode) -> Iterator[str]:
    """Actions and segments, from x = 0 and y = 0 on, and the frame around the action done last."""
    for step, action in enumerate(episode.actions.translate(craft.ARROWS)):
        if (step + 1) % 5 == 0:
            axis = f'class="axis" font-size="10" fill="{FAINT}" x="{STEP * step + STEP // 2}" y="{ROW - 8}"'
            yield f"<text {axis}>{step + 1}</text>"
        yield f'<text x="{STEP * step + STEP // 2}" y="{ROW * 1.5:.0f}" dy="0.35em">{action}</text>\n'
    name = f'class="name" text-anchor="end" x="{-STEP - craft.GAP // 2}" dy="0.35em"'
    yield f'<text {name} y="{ROW * 1.5:.0f}">actions</text>\n'
    for row, segmentation in enumerate(episode.segmentations, 2):
        y = ROW * row
        yield f'<text {name} y="{y + ROW // 2}">{escaped(segmentation.name)}</text>\n'
        for start, end, label in craft.segments(segmentation):
            box = f'x="{STEP * start}" y="{y}" width="{STEP * (end - start)}" height="{ROW}"'
            middle = f'x="{STEP * (start + end) // 2}" y="{y + ROW // 2}" dy="0.35em"'
            yield f'<rect class="segment" stroke="{PAPER}" stroke-width="2" {box} fill="{craft.colour_of(label)}"/>'
            yield f'<text {middle} fill="{craft.ink_of(label)}">{escaped(label)}</text>\n'
    places = [str(STEP * (step - 1)) for step in range(len(episode.frames))]
    height = ROW * (1 + len(episode.segmentations))
    frame = f'x="{-STEP}" y="{ROW}" width="{STEP}" height="{height}" fill="none" stroke="{INK}" stroke-width="2"'
    yield f'<rect class="now" {frame}>{animated("x", places)}</rect>\n'


def animated(attribute: str, values: Sequence[str]) -> str:
    """The markup that gives an attribute (or transformation) one value a frame, again and again; none for one value.

    >>> print(animated("x", ["0", "0", "16", "16"]))
    <animate attributeName="x" values="0;16" keyTimes="0;0.25" calcMode="discrete" dur="3.2s" repeatCount="indefinite"/>
    """
    if len(set(values)) < 2:
        return ""
    frames = len(values) + REST
    runs = [next(run) for _, run in groupby(enumerate(values), key=itemgetter(1))]
    times = ";".join(f"{step / frames:.6g}" for step, _ in runs)
    kind = (
        f'animateTransform attributeName="transform" type="{attribute}"'
        if attribute in ("translate", "rotate")
        else f'animate attributeName="{attribute}"'
    )
    return (
        f'<{kind} values="{";".join(value for _, value in runs)}" keyTimes="{times}" calcMode="discrete" '
        f'dur="{SECONDS * frames:.6g}s" repeatCount="indefinite"/>'
    )
