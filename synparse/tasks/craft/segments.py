"""The segments of demonstrations as lines: trees in brackets, the ends of segments, or JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from pathlib import Path

from synparse.inducers.devices import pick_device
from synparse.tasks.craft.demonstrations import Demonstration, format_ends, read_demonstrations
from synparse.tasks.craft.directory import Trained, load_imitator
from synparse.tasks.craft.imitator import coded
from synparse.tasks.craft.segmentation import Boundaries, Segmentation, segmentations
from synparse.tasks.craft.subtasks import ACTIONS
from synparse.trees.errors import DataError

PART = 2000
"""Demonstrations that are read at once."""

WORDS = dict(zip(ACTIONS, ("up", "down", "left", "right", "use"), strict=True))
"""The name of each action."""


def segment_files(
    model: str, data: Sequence[str], boundaries: Boundaries | None = None, device: str = "auto"
) -> Iterator[tuple[Demonstration, Segmentation]]:
    """The demonstrations of files with the segmentations of the model in a directory. Streams.

    Raises DataError for a damaged model, bad files, and demonstrations of a task that the model does not know.
    """
    trained = load_imitator(Path(model), pick_device(device))
    given = read_demonstrations(data)
    while part := list(islice(given, PART)):
        yield from zip(part, segmented(trained, part, boundaries), strict=True)


def segmented(
    trained: Trained, given: Sequence[Demonstration], boundaries: Boundaries | None = None
) -> list[Segmentation]:
    """The segmentation of each demonstration. Raises DataError for a task that the model does not know."""
    if unknown := sorted({one.task for one in given} - set(trained.tasks)):
        raise DataError(f"the model knows the tasks {', '.join(trained.tasks)}, not {unknown[0]}")
    data = coded(given, trained.tasks, trained.recipe.view.view)
    return segmentations(trained.model, given, data, boundaries)


def segments_of(one: Demonstration, found: Segmentation) -> Iterator[tuple[str, int | None]]:
    """The actions of each segment, and the option that did most of them, the first such one; None without options."""
    for start, end in pairwise((0, *found.boundaries, len(one.actions))):
        option = None if found.options is None else Counter(found.options[start:end]).most_common(1)[0][0]
        yield one.actions[start:end], option


def format_brackets(one: Demonstration, found: Segmentation) -> str:
    """A tree: the task over its segments over their actions. Options count from 1."""
    segments = " ".join(
        f"({'segment' if option is None else f'option-{option + 1}'} {' '.join(f'(_ {WORDS[a]})' for a in actions)})"
        for actions, option in segments_of(one, found)
    )
    return f"({one.task} {segments})\n"


def format_tsv(one: Demonstration, found: Segmentation) -> str:
    """The task, the numbers of steps at which each segment ends, and, where there are options, that of each segment,
    counted from 1."""
    ends = format_ends(one.task, (*found.boundaries, len(one.actions)))
    if found.options is None:
        return ends
    options = " ".join(str(option + 1) for _, option in segments_of(one, found) if option is not None)
    return f"{ends.rstrip()}\t{options}\n"


def format_json(one: Demonstration, found: Segmentation) -> str:
    """An object: also the score of each step, its option, and the log-likelihood of the actions."""
    values = {
        "task": one.task,
        "actions": one.actions,
        "ends": [*found.boundaries, len(one.actions)],
        "scores": [round(score, 4) for score in found.scores],
        "options": None if found.options is None else [option + 1 for option in found.options],
        "action_accuracy": round(found.right / len(one.actions), 4),
        "log_likelihood": round(found.log_likelihood, 4),
    }
    return json.dumps(values) + "\n"


FORMATS: Mapping[str, Callable[[Demonstration, Segmentation], str]] = {
    "brackets": format_brackets,
    "tsv": format_tsv,
    "json": format_json,
}
