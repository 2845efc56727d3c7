"""Behaviour cloning: a model that learns to do what demonstrations do, and the batches that it reads (thesis 5.2.18).

Glossary
    B demonstrations of up to T steps, D numbers of an observation, S steps of all demonstrations, K options
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from synparse.inducers.batch import IGNORED, Loss, predictions_of
from synparse.inducers.protocol import Learner
from synparse.inducers.uncompiled import uncompiled
from synparse.tasks.craft.demonstrations import Demonstration, Steps, replay
from synparse.tasks.craft.kinds import kind_of
from synparse.tasks.craft.option_controller import Cells
from synparse.tasks.craft.policy_output import PolicyOutput
from synparse.tasks.craft.recipe import CraftRecipe
from synparse.tasks.craft.worlds import View


class DemonstrationBatch(NamedTuple):
    """B demonstrations, the longest first.

    observations [B, T, D] uint8, anything at padding; lengths [B]; tasks [B]: the number of each one's task; targets
    [B, T]: actions, `IGNORED` at padding; end_costs [B]: what it costs that an option is done, in nats per step. state:
    that of a stream, which demonstrations are not.
    """

    observations: Tensor
    lengths: Tensor
    tasks: Tensor
    targets: Tensor
    end_costs: Tensor
    state: None = None

    @property
    def words(self) -> Tensor:
        """What training counts: a step for each action [B, T]."""
        return self.targets


class CodedDemonstrations(NamedTuple):
    """Demonstrations as arrays: what was seen and done at each step, and the number of each one's task [N]."""

    steps: Steps
    tasks: NDArray[np.int64]

    def batch(self, chosen: Sequence[int], end_cost: float = 0.0) -> DemonstrationBatch:
        """These demonstrations, the longest first; ``end_cost``: what it costs that an option is done."""
        which = np.asarray(chosen)
        which = which[np.argsort(-self.steps.lengths[which], kind="stable")]
        lengths = self.steps.lengths[which]
        at = np.arange(lengths[0])
        steps = self.steps.offsets[which][:, None] + np.minimum(at, lengths[:, None] - 1)
        targets = np.where(at < lengths[:, None], self.steps.actions[steps], IGNORED)
        return DemonstrationBatch(
            torch.from_numpy(self.steps.observations[steps]),
            torch.from_numpy(lengths),
            torch.from_numpy(self.tasks[which]),
            torch.from_numpy(targets),
            torch.full((len(which),), end_cost),
        )


def coded(given: Sequence[Demonstration], tasks: Sequence[str], view: View) -> CodedDemonstrations:
    """Demonstrations as a model sees them that has been trained on these tasks. Raises ValueError for another task."""
    return CodedDemonstrations(
        replay(given, view), np.array([tasks.index(demonstration.task) for demonstration in given])
    )


class Imitator(Learner):
    """A model with its loss. policy: `OptionController`, `MixtureOfExperts` or `OrderedMemoryPolicy`."""

    def __init__(self, recipe: CraftRecipe, tasks: Sequence[str]) -> None:
        super().__init__()
        self.kind = kind_of(recipe.model)
        self.settings = recipe.training
        self.policy = self.kind.build(recipe.view.size, len(tasks), recipe.architecture)

    @property
    def options(self) -> Cells:
        """The options of a model that has some."""
        return cast(Cells, self.policy.options)

    def read(self, batch: DemonstrationBatch) -> PolicyOutput:
        """The reading of a batch, whose numbers become floats here."""
        observations = batch.observations.transpose(0, 1).to(next(self.parameters()).dtype)
        reading: PolicyOutput = self.policy(observations, batch.lengths.tolist(), batch.tasks)
        return reading

    @uncompiled
    def loss(self, batch: DemonstrationBatch) -> Loss:
        """−Σ log p^a (5.2.18); its penalty is the imbalance of the options, and what their ends cost."""
        reading, targets = self.read(batch), batch.targets.t()
        outputs = reading.action_log_probabilities.flatten(0, 1)
        total = functional.nll_loss(outputs, targets.flatten(), ignore_index=IGNORED, reduction="sum")
        penalty: Tensor | float = 0.0
        present = torch.arange(len(targets), device=targets.device)[:, None] < batch.lengths
        if self.settings.balance and reading.options is not None:
            penalty = penalty + self.settings.balance * imbalance(reading.options, present)
        if self.settings.end_cost and self.kind.options_end:
            penalty = penalty + mean_end(batch.end_costs * reading.boundary, present)
        return Loss(total, predictions_of(batch), penalty)

    def matrix_parameters(self) -> int:
        """All parameters: of each matrix, the step of a demonstration passes nearly all rows."""
        return sum(parameter.numel() for parameter in self.parameters() if parameter.ndim > 1)


def imbalance(options: Tensor, present: Tensor) -> Tensor:
    """KL(mean of p^c ‖ uniform) in nats: options [T, B, K], the mean being over the steps that are present [T, B]."""
    mean = options[present].mean(0)
    return torch.xlogy(mean, mean * len(mean)).sum()


def mean_end(boundary: Tensor, present: Tensor) -> Tensor:
    """The mean probability that an option is done: boundary [T, B], over the steps but the first of each demonstration
    that are present [T, B]; 0 where there are none."""
    ends = boundary[1:][present[1:]]
    return ends.sum() / max(1, len(ends))
