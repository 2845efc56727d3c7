"""The segments that a trained model cuts demonstrations into."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Literal, TypeAlias

import torch

from synparse.inducers.batch import on_device
from synparse.inducers.devices import pick_device
from synparse.scoring.segmentation import Segmented, boundaries_by_number, boundaries_by_threshold
from synparse.tasks.craft.demonstrations import PART, Demonstration, read_demonstrations
from synparse.tasks.craft.directory import TrainedImitator, load_imitator
from synparse.tasks.craft.imitator import CodedDemonstrations, Imitator, coded
from synparse.tasks.craft.segments import Segmentation
from synparse.tasks.craft.subtasks import parse_task
from synparse.training.example_batches import batches_in_order
from synparse.trees.errors import DataError, SettingError

Boundaries: TypeAlias = Literal["threshold", "known"]
"""How boundaries are chosen: where the model gives more than half of the probability, or as many as are known."""

BATCH = 256
"""Demonstrations that are read at once."""


def boundaries_of(model: Imitator, wanted: Boundaries | None) -> Boundaries:
    """How the boundaries of a model are chosen: as wanted, or else by the threshold where it has probabilities.

    Raises SettingError where the model cannot tell how many there are.
    """
    if wanted is None:
        return "threshold" if model.kind.finds_number else "known"
    if wanted == "threshold" and not model.kind.finds_number:
        raise SettingError("the scores of an ompn are no probabilities; use --boundaries known")
    return wanted


@torch.no_grad()
def segmentations(
    model: Imitator, given: Sequence[Demonstration], data: CodedDemonstrations, boundaries: Boundaries | None = None
) -> list[Segmentation]:
    """The segmentation of each demonstration. ``data``: the same ones, as the model sees them. The model should be in
    evaluation mode. Raises SettingError as `boundaries_of`."""
    chosen = boundaries_of(model, boundaries)
    out: dict[int, Segmentation] = {}
    for batch in batches_in_order(-data.steps.lengths, BATCH):
        for number, segmentation in zip(batch, _read(model, data, batch), strict=True):
            scores, segments = segmentation.scores, len(given[number].task)
            by_threshold = chosen == "threshold"
            positions = boundaries_by_threshold(scores) if by_threshold else boundaries_by_number(scores, segments)
            out[number] = segmentation._replace(boundaries=positions)
    return [out[number] for number in range(len(given))]


def _read(model: Imitator, data: CodedDemonstrations, batch: Sequence[int]) -> Iterator[Segmentation]:
    """Of each demonstration of a batch, without its boundaries."""
    device = next(model.parameters()).device
    seen = on_device(data.batch(batch), device)
    reading, actions, lengths = model.read(seen), seen.targets.t(), seen.lengths.tolist()
    likelihoods = reading.log_likelihoods(actions, lengths).tolist()
    right = (reading.action_log_probabilities.argmax(2) == actions).sum(0).tolist()
    scores = reading.boundary.t().tolist()
    options = None if reading.options is None else reading.options.argmax(2).t().tolist()
    for b, length in enumerate(lengths):
        step_options = None if options is None else tuple(options[b][:length])
        yield Segmentation(tuple(scores[b][:length]), (), step_options, likelihoods[b], right[b])


def compared(demonstration: Demonstration, segmentation: Segmentation, ends: Sequence[int]) -> Segmented:
    """A segmentation beside the true ends of the subtasks, to be scored."""
    return Segmented(
        len(demonstration.actions),
        parse_task(demonstration.task),
        tuple(ends[:-1]),
        segmentation.boundaries,
        segmentation.options,
    )


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
    trained: TrainedImitator, given: Sequence[Demonstration], boundaries: Boundaries | None = None
) -> list[Segmentation]:
    """The segmentation of each demonstration. Raises DataError for a task that the model does not know."""
    if unknown := sorted({demonstration.task for demonstration in given} - set(trained.tasks)):
        raise DataError(f"the model knows the tasks {', '.join(trained.tasks)}, not {unknown[0]}")
    data = coded(given, trained.tasks, trained.recipe.view)
    return segmentations(trained.model, given, data, boundaries)
