"""The Option-Controller Network: options that act, and a controller that chooses an option whenever one is done.

Zhou, Shen, Lu, Courville, Tenenbaum, Gan: Inducing Reusable Skills From Demonstrations with Option-Controller Network,
2021; Shen: Learning with Syntactic Inductive Biases, thesis, 2022, section 5.2, whose equation numbers stand below.

Each option and the controller are a cell of the same form. The controller's state and choice change only as far as the
active option reports that its subtask is done: ordered neurons of two levels. Everything is a weighted sum of both
cases, done and not done, so the likelihood of a demonstration has a gradient, and that is all that teaches where
subtasks end.

`OptionController.forward` computes at once, over all steps, what does not recur: what the cells make of the
observations, and the first step of each option at every step of the demonstration, where it would begin there (5.2.15).

Glossary
    x_t [B, D]         what the agent sees
    p^c [B, K]         the controller's choice: the probability of each option
    p^o, h^o [K, B, ·] of each option: the probabilities of actions, the hidden state
    e [B]              the probability that the subtask is done
    B demonstrations of up to T steps, D numbers of an observation, K options, A actions, H hidden size
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import torch
from msgspec import Meta
from torch import Tensor, nn

from synparse.inducers.configurations import Size
from synparse.tasks.craft.policy_output import PolicyOutput
from synparse.tasks.craft.subtasks import ACTIONS

TASK_START = 3.0
"""Standard deviation of the controller's initial states, before training. So, for it, tasks differ more than what is
seen does: its choice depends on the task before it depends on anything else."""

LEAST_PROBABILITY = 1e-9
"""Of an action: its logarithm stays finite."""


@dataclass(frozen=True)
class OptionControllerConfig:
    """Sizes of an Option-Controller Network.

    temperature: T of (5.2.7), of the controller's choice. end_bias: what a bias, which the paper does not have, adds to
    w_endᵀ ĥ (5.2.6) before training changes it. A negative one lets options go on at first, σ(−3) = 0.05: so they
    become different by what they do for some time, not by single actions.
    """

    options: Size = 3
    hidden_size: Size = 128
    temperature: Annotated[float, Meta(gt=0)] = 10.0
    end_bias: float = 0.0


class CellStep(NamedTuple):
    """What C cells make of N observations.

    logits [C, N, outputs]; hidden [C, N, H]: their next states; done [C, N]: e; features [C, N, H]: ĥ.
    """

    logits: Tensor
    hidden: Tensor
    done: Tensor
    features: Tensor


class Cells(nn.Module):
    """C cells of (5.2.3) to (5.2.6), each with weights of its own, computed together."""

    def __init__(self, count: int, inputs: int, hidden: int, outputs: int, end_bias: float = 0.0) -> None:
        super().__init__()
        self.start = nn.Parameter(torch.zeros(count, hidden))  # h_0
        self.of_input = nn.Parameter(torch.empty(count, inputs, hidden))  # of the MLP's first layer, [x; h]
        self.of_hidden = nn.Parameter(torch.empty(count, hidden, hidden))
        self.first_bias = nn.Parameter(torch.zeros(count, 1, hidden))
        self.second = nn.Parameter(torch.empty(count, hidden, hidden))
        self.second_bias = nn.Parameter(torch.zeros(count, 1, hidden))
        self.outputs = outputs
        self.last = nn.Parameter(torch.empty(count, hidden, outputs + 1 + hidden))  # [W_act, w_end, W_hid]
        self.end_bias = nn.Parameter(torch.full((count, 1), end_bias))
        bound = (inputs + hidden) ** -0.5
        for weight in (self.of_input, self.of_hidden):
            nn.init.uniform_(weight, -bound, bound)
        for weight in (self.second, self.last):
            nn.init.uniform_(weight, -(hidden**-0.5), hidden**-0.5)

    def seen(self, observations: Tensor) -> Tensor:
        """observations [N, D] → what they add to the first layer [C, N, H]."""
        return observations @ self.of_input + self.first_bias

    def advance(self, seen: Tensor, hidden: Tensor) -> CellStep:
        """The rest of a step: seen, hidden [C, N, H]."""
        inner = torch.tanh(seen + hidden @ self.of_hidden)
        features = torch.tanh(torch.baddbmm(self.second_bias, inner, self.second))  # (5.2.3) ĥ
        out = features @ self.last
        logits, end, hide = out[..., : self.outputs], out[..., self.outputs], out[..., self.outputs + 1 :]
        return CellStep(logits, torch.tanh(hide), torch.sigmoid(end + self.end_bias), features)  # (5.2.4) to (5.2.6)

    def step(self, observations: Tensor, hidden: Tensor) -> CellStep:
        """observations [N, D], hidden [C, N, H]."""
        return self.advance(self.seen(observations), hidden)

    def starts(self, count: int) -> Tensor:
        """h_0 for so many observations [C, N, H]."""
        return self.start[:, None].expand(-1, count, -1)


class OptionController(nn.Module):
    """K options and one controller, which has an initial state for each task of the demonstrations."""

    def __init__(self, observation_size: int, tasks: int, config: OptionControllerConfig) -> None:
        super().__init__()
        self.config = config
        self.options = Cells(config.options, observation_size, config.hidden_size, len(ACTIONS), config.end_bias)
        self.controller = Cells(1, observation_size, config.hidden_size, config.options)
        self.task_start = nn.Parameter(TASK_START * torch.randn(tasks, config.hidden_size))  # h^c_0

    def forward(self, observations: Tensor, lengths: Sequence[int], tasks: Tensor) -> PolicyOutput:
        """observations [T, B, D]; lengths, the longest first; tasks [B]: the task of each → `PolicyOutput`."""
        T, B, D = observations.shape
        H, A = self.config.hidden_size, len(ACTIONS)
        active = [sum(length > step for length in lengths) for step in range(T)]
        flat = observations.reshape(T * B, D)
        flat_seen = self.options.seen(flat)
        began = self.options.advance(flat_seen, self.options.starts(T * B))  # (5.2.15) each option, begun at each step
        began_act = began.logits.softmax(2).view(-1, T, B, A).unbind(1)  # p'^o [K, B, A] of each step
        began_hidden = began.hidden.view(-1, T, B, H).unbind(1)
        seen = flat_seen.view(-1, T, B, H).unbind(1)
        seen_above = self.controller.seen(flat).view(-1, T, B, H).unbind(1)

        first = self.controller.advance(seen_above[0], self.task_start[tasks][None])  # (5.2.8)
        choice, above = self.chosen(first), first.hidden[0]
        hidden = began_hidden[0]
        actions = [mixed(choice, began_act[0])]  # (5.2.9), (5.2.10)
        ends, choices = [torch.ones_like(choice[:, 0])], [choice]
        for t in range(1, T):
            n = active[t]
            choice, above, hidden = choice[:n], above[:n], hidden[:, :n]
            on = self.options.advance(seen[t][:, :n], hidden)  # (5.2.11)
            end = (choice * on.done.t()).sum(1)  # (5.2.12) e_t
            going = mixed(choice, on.logits.softmax(2))  # (5.2.13) p̂^a
            anew = self.controller.advance(seen_above[t][:, :n], above[None])  # (5.2.14)
            new_choice = self.chosen(anew)
            new_actions = mixed(new_choice, began_act[t][:, :n])  # (5.2.16) p'^a
            e = end[:, None]
            actions.append(going + e * (new_actions - going))  # (5.2.17), here and below
            choice = choice + e * (new_choice - choice)
            above = above + e * (anew.hidden[0] - above)
            hidden = on.hidden + e * (began_hidden[t][:, :n] - on.hidden)
            ends.append(end)
            choices.append(choice)
        return PolicyOutput(
            stacked(actions, B).clamp(min=LEAST_PROBABILITY).log(), stacked(ends, B), stacked(choices, B)
        )

    def chosen(self, step: CellStep) -> Tensor:
        """p^c [B, K] (5.2.7)."""
        return (step.logits[0] / self.config.temperature).softmax(1)


def mixed(choice: Tensor, actions: Tensor) -> Tensor:
    """choice [B, K] and each option's probabilities [K, B, A] → Σ_i p^c_i p^o_i [B, A]."""
    return torch.einsum("bk,kba->ba", choice, actions)


def stacked(rows: Sequence[Tensor], size: int) -> Tensor:
    """Values of each step, of ever fewer demonstrations → [T, B, …]."""
    return torch.stack([torch.cat([row, row.new_zeros(size - len(row), *row.shape[1:])]) for row in rows])
