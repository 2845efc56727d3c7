"""Ordered Memory Policy Network (OMPN): a policy whose memory is a stack of subtasks, the more general ones above.

Lu, Shen, Zhou, Courville, Tenenbaum, Gan: Learning Task Decomposition with Ordered Memory Policy Network. ICLR 2021.

Slot N of the memory holds the task, slot 1 what to do now, those between them subtasks of the slot above. At each step
a slot is chosen to be expanded. Slots above it stay as they are; it is updated by what has been seen and done below it
(bottom-up recurrence); slots below it are rewritten from it (top-down recurrence). So a slot changes only when all that
is below it is over, and a subtask starts where a high slot is expanded. The choice is soft, to be learned by gradient.

    c_t = [x_t; u]                                                   the observation and the task
    M̂ⁱ = F_i(M̂ⁱ⁻¹, Mⁱ_{t−1}, c_t), M̂⁰ = x_t                         (a) bottom-up, i = 1 … N
    βⁱ = σ(wᵀ LeakyReLU(W [c_t; Mⁱ_{t−1}; M̂ⁱ] + b) + b′), βᴺ = 1      (b) slot i is expanded if none below it is
    πⁱ = βⁱ Π_{j<i} (1 − βʲ)                                         (c) stick-breaking from below
    π⃗ⁱ = Σ_{j≤i} πʲ,  π⃖ⁱ = Σ_{j≥i} πʲ                               (d) at i or below it, at i or above it
    M̃ⁱ = G_i(π⃗ⁱ⁺¹ M̂ⁱ⁺¹ + (1 − π⃗ⁱ⁺¹) M̃ⁱ⁺¹, c_t), M̃ᴺ = 0              (e) top-down, i = N − 1 … 1
    Mⁱ_t = (1 − π⃖ⁱ) Mⁱ_{t−1} + πⁱ M̂ⁱ + (1 − π⃗ⁱ) M̃ⁱ                  (f)
    p^a_t = softmax(W_a [M¹_t; u; x_t] + b_a)                        (g)

Before the first step, slot N is LN(u) and the others are 0; the first step expands slot N as it is: πᴺ = 1 and M̂ = M.
F and G are gated recursive cells as in Ordered Memory (Shen et al., NeurIPS 2019, equations 12 and 13; here they also
read c_t, and each slot has its own):

    [v; h; c; n] = W₂ ReLU(W₁ [M̂ⁱ⁻¹; Mⁱ; c_t] + b₁) + b₂,  F_i = LN(σ(v) M̂ⁱ⁻¹ + σ(h) Mⁱ + σ(c) n)
    [p; c; n] = W₂ ReLU(W₁ [parent; c_t] + b₁) + b₂,        G_i = LN(σ(p) parent + σ(c) n)

Three things differ from the authors' code. There, (b) holds for slot N too, and what is left is the probability of an
action `done` after the last step; here an episode ends with its last action, so slot N takes what is left. There, gates
go through a layer norm. And there, M̂ is written over Mⁱ_{t−1} before (f) reads it, so that slots above change as well.

Glossary
    x_t, u [B, D]          observation, task
    M, M̂, M̃ [N][B, D]      memory, candidates, expansions: lists from the lowest slot
    β, π [N][B]            open, position
    B demonstrations, T steps, S steps of all demonstrations, D size of a slot, N slots
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import torch
from msgspec import Meta
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from synparse.inducers.configurations import Probability, Size
from synparse.tasks.craft.policy_output import PolicyOutput
from synparse.tasks.craft.subtasks import ACTIONS
from synparse.trees.limits import MOST_SLOTS


@dataclass(frozen=True)
class OrderedMemoryPolicyConfig:
    """Sizes of OMPN, the paper's; dropout: of the inner layers of the cells and of (b)."""

    hidden_size: Size = 128
    slots: Annotated[int, Meta(ge=2, le=MOST_SLOTS)] = 3
    dropout: Probability = 0.0


class SlotCell(nn.Module):
    """F (of two states: the slot below and the slot) or G (of one: the parent) of one slot."""

    def __init__(self, states: int, size: int, dropout: float) -> None:
        super().__init__()
        self.of_states = nn.Linear(states * size, 4 * size, bias=False)  # the rest of W₁ is in the policy's `condition`
        self.gates = nn.Linear(4 * size, (states + 2) * size)  # W₂, b₂
        self.norm = nn.LayerNorm(size, elementwise_affine=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, condition: Tensor, *states: Tensor) -> Tensor:
        """What W₁ and b₁ make of c_t [B, 4D], and each state [B, D] → [B, D]."""
        inner = self.dropout(torch.relu(condition + self.of_states(torch.cat(states, 1))))
        *gates, new = self.gates(inner).chunk(len(states) + 2, 1)
        gated = [torch.sigmoid(gate) * value for gate, value in zip(gates, (*states, new), strict=True)]
        out: Tensor = self.norm(torch.stack(gated).sum(0))
        return out


class Expansion(nn.Module):
    """(b): whether a slot is expanded, if none below it is."""

    def __init__(self, size: int, dropout: float) -> None:
        super().__init__()
        self.of_slot = nn.Linear(2 * size, size, bias=False)  # the rest of W is in the policy's `condition`
        self.score = nn.Linear(size, 1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, condition: Tensor, memory: list[Tensor], candidates: list[Tensor]) -> Tensor:
        """What W and b make of c_t [B, D], and M_{t−1} and M̂ of K slots [K][B, D] → β [K, B]."""
        slots = torch.cat([torch.stack(memory), torch.stack(candidates)], 2)
        inner = self.dropout(functional.leaky_relu(condition + self.of_slot(slots)))
        return torch.sigmoid(self.score(inner)[..., 0])


class OrderedMemoryPolicy(nn.Module):
    """A policy for several tasks, each with an embedding."""

    def __init__(self, observation_size: int, tasks: int, config: OrderedMemoryPolicyConfig) -> None:
        super().__init__()
        D, N = config.hidden_size, config.slots
        self.slots = N
        self.observation = nn.Linear(observation_size, D)
        self.task = nn.Embedding(tasks, D)
        self.norm = nn.LayerNorm(D, elementwise_affine=False)
        # Of c_t, in one product: that of F_1 … F_N, of (b), and of G_1 … G_{N−1}.
        self.condition_sizes = [4 * D] * N + [D] + [4 * D] * (N - 1)
        self.condition = nn.Linear(2 * D, sum(self.condition_sizes))
        self.bottom_up = nn.ModuleList(SlotCell(2, D, config.dropout) for _ in range(N))
        self.expansion = Expansion(D, config.dropout)
        self.top_down = nn.ModuleList(SlotCell(1, D, config.dropout) for _ in range(N - 1))
        self.action = nn.Linear(3 * D, len(ACTIONS))

    def forward(self, observations: Tensor, lengths: Sequence[int], tasks: Tensor) -> PolicyOutput:
        """observations [T, B, D_in], anything at padding; lengths, the longest first; tasks [B]: the task of each →
        `PolicyOutput` without options, its boundary the expected position Σ i πⁱ, scaled from 1 … N to 0 … 1.
        O(S N D²).

        Raises RuntimeError where the longest are not first.
        """
        packed = pack_padded_sequence(observations, torch.tensor(lengths))  # from here on, there is no padding
        sizes: list[int] = packed.batch_sizes.tolist()  # demonstrations at each step
        rows = torch.cat([torch.arange(size) for size in sizes]).to(tasks.device)  # the demonstration of each x_t
        x, u = self.observation(packed.data), self.task(tasks)  # [S, D], [B, D]
        conditions = self.condition(torch.cat([x, u[rows]], 1))
        lowest, positions = [], []
        memory = [*[torch.zeros_like(u)] * (self.slots - 1), self.norm(u)]
        candidates, position = memory, stick_breaking(u.new_zeros(self.slots - 1, len(u)))  # of the first step: πᴺ = 1
        for step, (observation, condition) in enumerate(zip(x.split(sizes), conditions.split(sizes), strict=True)):
            parts = condition.split(self.condition_sizes, 1)
            if step:
                memory = [slot[: len(observation)] for slot in memory]  # other demonstrations are over
                candidates = self.candidates(observation, parts[: self.slots], memory)
                position = stick_breaking(self.expansion(parts[self.slots], memory[:-1], candidates[:-1]))
            memory = self.expanded(parts[self.slots + 1 :], memory, candidates, position)
            lowest.append(memory[0])
            positions.append(position)
        logits = self.action(torch.cat([torch.cat(lowest), u[rows], x], 1))  # (g)
        boundary = torch.linspace(0, 1, self.slots).to(x) @ torch.cat(positions, 1)

        def padded(values: Tensor) -> Tensor:
            return pad_packed_sequence(PackedSequence(values, packed.batch_sizes), total_length=len(observations))[0]

        return PolicyOutput(padded(logits.log_softmax(1)), padded(boundary))

    def candidates(self, observation: Tensor, conditions: Sequence[Tensor], memory: Sequence[Tensor]) -> list[Tensor]:
        """(a): x_t [B, D], what the cells make of c_t [N][B, 4D], and M_{t−1} → M̂ [N][B, D]."""
        candidates, below = [], observation
        for cell, condition, slot in zip(self.bottom_up, conditions, memory, strict=True):
            below = cell(condition, below, slot)
            candidates.append(below)
        return candidates

    def expanded(
        self, conditions: Sequence[Tensor], memory: Sequence[Tensor], candidates: Sequence[Tensor], position: Tensor
    ) -> list[Tensor]:
        """(d–f): what the cells make of c_t [N − 1][B, 4D], M_{t−1}, M̂ and π [N, B] → M_t [N][B, D]."""
        position = position[..., None]
        at_or_below, at_or_above = position.cumsum(0), position.flip(0).cumsum(0).flip(0)
        new, expansion = [], torch.zeros_like(candidates[-1])
        for i in reversed(range(self.slots)):
            kept, above = 1 - at_or_above[i], 1 - at_or_below[i]  # expanded below i, above i
            new.append(kept * memory[i] + position[i] * candidates[i] + above * expansion)
            if i:
                parent = at_or_below[i] * candidates[i] + above * expansion
                expansion = self.top_down[i - 1](conditions[i - 1], parent)
        return new[::-1]


def stick_breaking(opened: Tensor) -> Tensor:
    """(c): β of all slots but the last [N − 1, B] → π [N, B]; the last slot takes what is left."""
    passed = torch.cat([torch.ones_like(opened[:1]), (1 - opened).cumprod(0)])
    return passed * torch.cat([opened, torch.ones_like(opened[:1])])
