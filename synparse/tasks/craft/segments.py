"""The segments of demonstrations as lines: trees in brackets, the ends of segments, or JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from synparse.tasks.craft.demonstrations import NUMBER, Demonstration, format_ends, lines_beside, parse_ends
from synparse.tasks.craft.subtasks import ACTIONS
from synparse.trees.errors import DataError

WORDS = dict(zip(ACTIONS, ("up", "down", "left", "right", "use"), strict=True))
"""The name of each action."""


class Segmentation(NamedTuple):
    """What a model makes of a demonstration of T steps.

    scores [T]: probability, or another score in 0 … 1, that a subtask begins at a step, 1 at the first; boundaries: the
    steps, from 0, at which a new segment starts, without the first; options [T]: the most probable one at each step,
    None where the model has none; log_likelihood: of the actions, in nats; right: how many of them the model finds most
    probable.
    """

    scores: tuple[float, ...]
    boundaries: tuple[int, ...]
    options: tuple[int, ...] | None
    log_likelihood: float
    right: int


def segments_of(demonstration: Demonstration, segmentation: Segmentation) -> Iterator[tuple[str, int | None]]:
    """The actions of each segment, and the option that did most of them, the first such one; None without options."""
    for start, end in pairwise((0, *segmentation.boundaries, len(demonstration.actions))):
        option = None if segmentation.options is None else Counter(segmentation.options[start:end]).most_common(1)[0][0]
        yield demonstration.actions[start:end], option


def format_brackets(demonstration: Demonstration, segmentation: Segmentation) -> str:
    """A tree: the task over its segments over their actions. Options count from 1."""
    segments = " ".join(
        f"({'segment' if option is None else f'option-{option + 1}'} {' '.join(f'(_ {WORDS[a]})' for a in actions)})"
        for actions, option in segments_of(demonstration, segmentation)
    )
    return f"({demonstration.task} {segments})\n"


def format_tsv(demonstration: Demonstration, segmentation: Segmentation) -> str:
    """The task, the numbers of steps at which each segment ends, and, where there are options, that of each segment,
    counted from 1."""
    options = [option + 1 for _, option in segments_of(demonstration, segmentation) if option is not None]
    return format_segments(demonstration.task, (*segmentation.boundaries, len(demonstration.actions)), options)


def format_segments(task: str, ends: Sequence[int], options: Sequence[int]) -> str:
    """The line of the ends of segments and of their options, if there are any."""
    line = format_ends(task, ends)
    return f"{line.rstrip()}\t{' '.join(map(str, options))}\n" if options else line


def format_json(demonstration: Demonstration, segmentation: Segmentation) -> str:
    """An object: also the score of each step, its option, and the log-likelihood of the actions."""
    values = {
        "task": demonstration.task,
        "actions": demonstration.actions,
        "ends": [*segmentation.boundaries, len(demonstration.actions)],
        "scores": [round(score, 4) for score in segmentation.scores],
        "options": None if segmentation.options is None else [option + 1 for option in segmentation.options],
        "action_accuracy": round(segmentation.right / len(demonstration.actions), 4),
        "log_likelihood": round(segmentation.log_likelihood, 4),
    }
    return json.dumps(values) + "\n"


FORMATS: Mapping[str, Callable[[Demonstration, Segmentation], str]] = {
    "brackets": format_brackets,
    "tsv": format_tsv,
    "json": format_json,
}


def read_segments(path: str, given: Sequence[Demonstration]) -> list[tuple[tuple[int, ...], tuple[str, ...]]]:
    """The ends of the segments of these demonstrations, and the option of each, from a file of `format_tsv`; empty
    options where it has none.

    Raises DataError (file:line) for a line that does not fit its demonstration, and for another number of lines.
    """
    out = []
    for number, demonstration, fields in lines_beside(path, given):
        ends = parse_ends(fields[1], demonstration, path, number)
        options = tuple(fields[2].split()) if len(fields) > 2 else ("",) * len(ends)
        if len(options) != len(ends) or not all(option == "" or NUMBER.match(option) for option in options):
            raise DataError(f"not the numbers of {len(ends)} options, one for each segment", path, number)
        out.append((ends, options))
    return out
