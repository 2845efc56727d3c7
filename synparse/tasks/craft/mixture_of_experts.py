"""A mixture of experts: an Option-Controller Network whose options are done after each step.

It is the baseline of the thesis (section 5.3; after OptionGAN, Henderson et al., 2018): e_t = 1 in (5.2.17), so the
controller chooses anew at each step, and options remember nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import torch
from msgspec import Meta
from torch import Tensor, nn

from synparse.inducers.configurations import Size
from synparse.tasks.craft.option_controller import LEAST_PROBABILITY, TASK_START, Cells, mixed, stacked
from synparse.tasks.craft.policy_output import PolicyOutput
from synparse.tasks.craft.subtasks import ACTIONS


@dataclass(frozen=True)
class MixtureOfExpertsConfig:
    """Sizes as those of an Option-Controller Network; temperature: of the controller's choice."""

    options: Size = 3
    hidden_size: Size = 128
    temperature: Annotated[float, Meta(gt=0)] = 1.0


class MixtureOfExperts(nn.Module):
    """K options and one controller, which has an initial state for each task of the demonstrations."""

    def __init__(self, observation_size: int, tasks: int, config: MixtureOfExpertsConfig) -> None:
        super().__init__()
        self.config = config
        self.options = Cells(config.options, observation_size, config.hidden_size, len(ACTIONS))
        self.controller = Cells(1, observation_size, config.hidden_size, config.options)
        self.task_start = nn.Parameter(TASK_START * torch.randn(tasks, config.hidden_size))  # h^c_0

    def forward(self, observations: Tensor, lengths: Sequence[int], tasks: Tensor) -> PolicyOutput:
        """observations [T, B, D]; lengths, the longest first; tasks [B]: the task of each → `PolicyOutput`, where a
        subtask begins as far as another option is chosen than at the step before: Σ_i |p^c_{t,i} − p^c_{t−1,i}| / 2."""
        T, B, D = observations.shape
        flat = observations.reshape(T * B, D)
        began = self.options.step(flat, self.options.starts(T * B))
        acting = began.logits.softmax(2).view(-1, T, B, len(ACTIONS)).unbind(1)
        seen = self.controller.seen(flat).view(1, T, B, -1).unbind(1)
        above = self.task_start[tasks][None]
        actions, choices = [], []
        for t in range(T):
            n = sum(length > t for length in lengths)
            cell = self.controller.advance(seen[t][:, :n], above[:, :n])
            above = cell.hidden
            choices.append((cell.logits[0] / self.config.temperature).softmax(1))
            actions.append(mixed(choices[-1], acting[t][:, :n]))
        options = stacked(choices, B)
        changed = (options[1:] - options[:-1]).abs().sum(2) / 2
        boundary = torch.cat([options.new_ones(1, B), changed])
        return PolicyOutput(stacked(actions, B).clamp(min=LEAST_PROBABILITY).log(), boundary, options)
