"""How well trained models cut demonstrations into their subtasks, and how well they predict their actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from synparse.inducers.devices import pick_device
from synparse.scoring.segmentation import SegmentationScores, score_segmentations
from synparse.tasks.craft.agent_directory import GridConfig
from synparse.tasks.craft.demonstrations import Demonstration, all_subtask_ends, read_demonstrations, read_ends
from synparse.tasks.craft.directory import TrainedImitator, load_imitator
from synparse.tasks.craft.option_success import Correspondence, Success, correspondence, option_success
from synparse.tasks.craft.segmentation import Boundaries, boundaries_of, compared, segmented
from synparse.tasks.craft.subtasks import parse_task
from synparse.tasks.craft.worlds import generate
from synparse.trees.arguments import named_once, refuse_repeated
from synparse.trees.errors import SettingError

MEASURES = {
    "alignment_accuracy": "alignment accuracy",
    "precision": "boundary precision",
    "recall": "boundary recall",
    "f1": "boundary F1",
    "nmi": "NMI",
    "action_accuracy": "action accuracy",
}
"""The scores of an `ImitatorEvaluation` with their titles; fractions."""


class Trials(NamedTuple):
    """The random worlds in which options are tried: how many, and what they are like."""

    worlds: int
    grid: GridConfig


class OptionTable(NamedTuple):
    """What the options of a model do, and the best assignment of them to the subtasks of its tasks."""

    success: Success
    correspondence: Correspondence


class ImitatorEvaluation(NamedTuple):
    """Scores of a model. boundaries: how they were chosen; nats: per action; options: None where there are none, or
    where they were not tried."""

    boundaries: Boundaries
    scores: SegmentationScores
    action_accuracy: float
    nats: float
    options: OptionTable | None

    def value(self, measure: str) -> float | None:
        """The score of this name, one of `MEASURES`."""
        score = self.action_accuracy if measure == "action_accuracy" else getattr(self.scores, measure)
        return None if score is None else float(score)


Evaluations: TypeAlias = Mapping[str, Sequence[tuple[str, ImitatorEvaluation]]]
"""Of each kind's models, with their directories."""


def evaluate_models(
    models: Sequence[str],
    data: Sequence[str],
    *,
    ends: str | None = None,
    boundaries: Boundaries | None = None,
    trials: Trials | None = None,
    seed: int = 1,
    device: str = "auto",
) -> Evaluations:
    """Evaluate models on files of demonstrations; a model that is named twice counts once. ``ends``: the file of the
    true ends of their subtasks; otherwise they are found by doing the actions again. ``trials``: try the options, too.

    Raises DataError for damaged models and bad files, SettingError where boundaries cannot be chosen so, where no model
    has options to try, and for a file that is named twice.
    """
    refuse_repeated(data)
    trained = {directory: load_imitator(Path(directory), pick_device(device)) for directory in named_once(models)}
    if trials is not None and not any(imitator.model.kind.options_end for imitator in trained.values()):
        raise SettingError("--success: none of these models has options that end")
    given = list(read_demonstrations(data))
    gold = all_subtask_ends(given) if ends is None else read_ends(ends, given)
    out: dict[str, list[tuple[str, ImitatorEvaluation]]] = {}
    for directory, imitator in trained.items():
        evaluation = evaluate(imitator, given, gold, boundaries, trials, seed)
        out.setdefault(imitator.recipe.model, []).append((directory, evaluation))
    return out


def evaluate(
    trained: TrainedImitator,
    given: Sequence[Demonstration],
    ends: Sequence[Sequence[int]],
    boundaries: Boundaries | None = None,
    trials: Trials | None = None,
    seed: int = 1,
) -> ImitatorEvaluation:
    """The scores of a model on demonstrations with the true ends of their subtasks."""
    segmentations = segmented(trained, given, boundaries)
    steps = sum(len(demonstration.actions) for demonstration in given)
    return ImitatorEvaluation(
        boundaries_of(trained.model, boundaries),
        score_segmentations(map(compared, given, segmentations, ends)),
        sum(segmentation.right for segmentation in segmentations) / steps,
        -sum(segmentation.log_likelihood for segmentation in segmentations) / steps,
        option_table(trained, trials, seed) if trials and trained.model.kind.options_end else None,
    )


def option_table(trained: TrainedImitator, trials: Trials, seed: int) -> OptionTable:
    """Try the options of a model in random worlds."""
    grid = trials.grid
    drawn = generate(trials.worlds, grid.size, grid.things, grid.walls, np.random.default_rng(seed))
    view = trained.recipe.view
    success = option_success(trained.model.options, drawn, grid.limit, seed, view)
    known = sorted({code - 1 for task in trained.tasks for code in parse_task(task)})
    return OptionTable(success, correspondence(success.rates, known))
