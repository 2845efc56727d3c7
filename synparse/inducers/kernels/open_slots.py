"""The recurrence of Ordered Memory over the slots that can hold something.

It computes what `synparse.inducers.ordered_memory.ordered_memory_step` computes for every word, which is the paper
equation by equation, without the work on empty slots. A slot is open where its π⃗ exceeds `CLOSED` in some sentence of
the batch. Open slots are always the last K; the candidate of a closed slot is the word itself, and its memory is never
read. So nothing of the closed slots is computed or kept, and tensors over slots are [K, B, …], from the top of the
stack to its bottom; K ≤ t at word t. Sentences that are over are left out of the batch as well.

Glossary
    B sentences (or streams), T words, D size of a slot, N slots, K of them open
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias, cast

import torch
from torch import Tensor
from torch.nn import functional

from synparse.inducers.batch import State

CLOSED = 1e-7
"""Largest π⃗ of a slot that counts as closed: what float32 cannot tell from 0 beside 1."""

TINY = 1e-37
"""In place of a zero factor of a probability, so that its logarithm is finite."""

Attention: TypeAlias = Callable[[Tensor, Tensor], Tensor]
"""query [B, D], candidates [K, B, D] → logits [K, B]."""

Composition: TypeAlias = Callable[[Tensor, Tensor, Tensor], Tensor]
"""word x̃ [B, D], memory M [K, B, D], occupied π⃗ [K, B] → candidates M̂ [K, B, D]."""


class Memory(NamedTuple):
    """The memory after a word.

    leaf [B, D]: the word, x̃; memory and candidates [K, B, D]: M and M̂ of the open slots; occupied [K, B]: π⃗.
    """

    leaf: Tensor
    memory: Tensor
    candidates: Tensor
    occupied: Tensor

    @classmethod
    def empty(cls, B: int, D: int, like: Tensor) -> Memory:
        """The memory before the first word: no slot is open."""
        nothing = like.new_zeros(0, B, D)
        return cls(like.new_zeros(B, D), nothing, nothing, like.new_zeros(0, B))

    def carried(self, slots: int) -> tuple[Tensor, ...]:
        """The memory without gradient as tensors of N slots whatever is open, a row for each sentence: leaf [B, D],
        memory and candidates [B, N, D], occupied [B, N]."""
        closed = slots - len(self.occupied)
        memory = functional.pad(self.memory, (0, 0, 0, 0, closed, 0))
        candidates = torch.cat([self.leaf.expand(closed, *self.leaf.shape), self.candidates])
        occupied = functional.pad(self.occupied, (0, 0, closed, 0))
        rows = (tensor.detach().transpose(0, 1) for tensor in (memory, candidates, occupied))
        return self.leaf.detach(), *rows

    @classmethod
    def from_carried(cls, state: State) -> Memory:
        """The inverse of `carried`; all N slots count as open."""
        leaf, *rows = cast("tuple[Tensor, ...]", state)
        return cls(leaf, *(tensor.transpose(0, 1) for tensor in rows))

    def first_rows(self, rows: int) -> Memory:
        """Of the first sentences alone."""
        return Memory(self.leaf[:rows], *(tensor[:, :rows] for tensor in self[1:]))

    def emptied(self, begins: Tensor) -> Memory:
        """The memory with nothing in it for some sentences. begins [B], boolean."""
        leaf, slots, candidates = (state.masked_fill(begins[:, None], 0.0) for state in self[:3])
        return Memory(leaf, slots, candidates, self.occupied.masked_fill(begins, 0.0))


class MemoryOutput(NamedTuple):
    """What the memory makes of a sequence.

    outputs [T, B, D]: the last candidate at each word; attended [T, B]: the slot with the largest p_t, from 1;
    memory: after the last word. Zeros and N stand where a sentence is over.
    """

    outputs: Tensor
    attended: Tensor
    memory: Memory


def read_open_slots(
    words: Tensor,
    queries: Tensor,
    memory: Memory,
    slots: int,
    attention: Attention,
    compose: Composition,
    begins: Tensor | None = None,
    lengths: Sequence[int] | None = None,
) -> MemoryOutput:
    """Read T words x̃ and their queries, both [T, B, D], into a memory of N slots.

    begins [T, B], boolean: words that are read with an empty memory. lengths: of the sentences, the longest first;
    what stands after them is not read, and the memory at the end is that of the longest alone. O(T · K) products of
    [B, 4D] by [4D, 4D].
    """
    T, B, _ = words.shape
    outputs, attended = [], []
    for t in range(T):
        if begins is not None:
            memory = memory.emptied(begins[t])
        rows = B if lengths is None else sum(length > t for length in lengths)
        memory = memory.first_rows(rows)
        p, candidates = _attended(queries[t, :rows], memory, slots, attention)
        attended.append(functional.pad(slots - len(p) + 1 + p.argmax(0), (0, B - rows), value=slots))
        memory = _after(words[t, :rows], p, candidates, memory.memory, compose)
        outputs.append(functional.pad(memory.candidates[-1], (0, 0, 0, B - rows)))
    return MemoryOutput(torch.stack(outputs), torch.stack(attended), memory)


def _attended(query: Tensor, before: Memory, slots: int, attention: Attention) -> tuple[Tensor, Tensor]:
    """p_t [K', B] over the slots that may be attended, and their candidates [K', B, D] (2, 8–11).

    These are the open slots and, while one is left, the first closed one, whose candidate is the word before.
    """
    candidates = torch.cat([before.leaf[None], before.candidates])
    occupied = torch.cat([before.occupied, torch.ones_like(before.leaf[None, :, 0])])  # π⃗^{N+1} = 1
    candidates, occupied = candidates[-slots:], occupied[-slots:]
    logits = attention(query, candidates) + occupied.clamp(min=TINY).log()
    return torch.softmax(logits, 0), candidates


def _after(word: Tensor, p: Tensor, candidates: Tensor, memory: Tensor, compose: Composition) -> Memory:
    """The memory after a word x̃ [B, D] (3–7)."""
    occupied = p.cumsum(0)
    written = 1 - occupied + p  # π⃖
    # A slot that was closed so far is written by every sentence that attends to it.
    memory = torch.cat([torch.zeros_like(candidates[: len(candidates) - len(memory)]), memory])
    memory = torch.lerp(memory, candidates, written[..., None])  # (5)
    closed = min(int((occupied.detach().amax(1) <= CLOSED).sum()), len(p) - 1)
    memory, occupied = memory[closed:], occupied[closed:]
    return Memory(word, memory, compose(word, memory, occupied), occupied)
