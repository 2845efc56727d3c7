"""Ordered Memory: a stack of slots that attention pushes and pops softly, so that it composes as it parses.

Shen, Tan, Hosseini, Lin, Sordoni, Courville: Ordered Memory. NeurIPS 2019, whose equation numbers stand below.

Each slot i = 1 … N of the memory M holds a constituent that waits for its right sibling; slot N is the bottom of the
stack. The candidates M̂ⁱ are the constituents that end in the last word read: the word itself, combined with the first
occupied slot, the result with the next, and so on. A new word chooses which of them is complete (p_t); that one goes
into its slot, everything deeper stays as it is, everything above is free.

In the language model, words are predicted from the last candidate, which combines all that was read. It reads a stream
of sentences and starts with an empty memory at each sentence: so a sentence has the same trees in training and in
parsing, and the slots, of which there are few, never fill up with what was read before. A sentence may have any length:
where the slots are full, a word cannot but complete something.

Glossary
    p_t [B, N]       which candidate the word completes (2), its head of the stack
    π⃗, π⃖             cumulative sums of p from above and from below (3, 4): slot occupied, slot written
    B sentences (or streams), T words, D size of a slot, N slots, K of them open

A slot is open where its π⃗ exceeds `CLOSED` in some sentence of the batch. Open slots are always the last K; in a closed
one the candidate is the word, and its memory is never read. So nothing of the closed slots is computed or kept, and
tensors over slots are [K, B, …], from the top of the stack to its bottom. K ≤ t at word t.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from synparse.inducers.batch import IGNORED, SENTENCE_START, Batch, Loss
from synparse.inducers.configurations import OrderedMemoryConfig
from synparse.inducers.induction import Induction
from synparse.inducers.kernels.composition import GatedCell
from synparse.inducers.kernels.dropout import Dropout
from synparse.inducers.kernels.products import Linear
from synparse.inducers.output_layer import cross_entropy
from synparse.inducers.protocol import NeuralInducer
from synparse.inducers.uncompiled import uncompiled

CLOSED = 1e-7
"""Most π⃗ of a slot that counts as closed: what float32 cannot tell from 0 beside 1."""

IMPOSSIBLE = 1e-37
"""In place of a zero factor of a probability, so that its logarithm is finite."""


class Memory(NamedTuple):
    """The memory after a word.

    leaf [B, D]: the word, x̃; memory and candidates [K, B, D]: M and M̂ of the open slots; occupied [K, B]: π⃗.
    """

    leaf: Tensor
    memory: Tensor
    candidates: Tensor
    occupied: Tensor

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
    def from_carried(cls, state: tuple[Tensor, ...]) -> Memory:
        leaf, *rows = state
        return cls(leaf, *(tensor.transpose(0, 1) for tensor in rows))


class Reading(NamedTuple):
    """What the memory makes of a sequence.

    outputs [T, B, D]: the last candidate at each word; attended [T, B]: the slot with the largest p_t, from 1;
    memory: after the last word; open_slots: K at each word. Zeros and N stand where a sentence is over.
    """

    outputs: Tensor
    attended: Tensor
    memory: Memory
    open_slots: tuple[int, ...]


class MemoryAttention(nn.Module):
    """How well a word goes with a candidate: w ᵀ ReLU(LN(W_q x̃) + LN(W_k M̂ⁱ))/√D, in place of (8).

    The paper has no noise. Without it the attention stays soft, so that every candidate is a mixture of several stacks;
    noise is survived by logits that are far apart, and so by choices that are nearly discrete.
    """

    def __init__(self, size: int, dropout: float, noise: float) -> None:
        super().__init__()
        self.query = Linear(size, size)
        self.query_norm = nn.LayerNorm(size)
        self.key = Linear(size, size)
        self.key_norm = nn.LayerNorm(size)
        self.score = nn.Parameter(torch.empty(size))
        nn.init.uniform_(self.score, -(size**-0.5), size**-0.5)
        self.dropout = Dropout(dropout)
        self.noise = noise

    def queries(self, words: Tensor) -> Tensor:
        out: Tensor = self.query_norm(self.query(words))
        return out

    def forward(self, query: Tensor, candidates: Tensor) -> Tensor:
        """query [B, D], candidates [K, B, D] → [K, B]."""
        matched = self.dropout(torch.relu(query + self.key_norm(self.key(candidates))))
        out: Tensor = matched @ self.score * len(self.score) ** -0.5
        return out + self.noise * torch.randn_like(out) if self.training and self.noise else out


class OrderedMemory(nn.Module):
    """The recurrence: vectors of words → a vector of all that was read, and the stack's head, at each word."""

    def __init__(self, input_size: int, config: OrderedMemoryConfig) -> None:
        super().__init__()
        self.slots = config.slots
        self.word = Linear(input_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size)  # of (1) and of the cell
        self.attention = MemoryAttention(config.hidden_size, config.attention_dropout, config.attention_noise)
        self.cell = GatedCell(config.hidden_size, config.cell_dropout)

    def empty(self, B: int) -> Memory:
        """The memory before the first word."""
        weight = self.word.weight
        D = len(weight)
        nothing = weight.new_zeros(0, B, D)
        return Memory(weight.new_zeros(B, D), nothing, nothing, weight.new_zeros(0, B))

    @uncompiled  # its loop would be compiled anew for every length
    def forward(
        self,
        inputs: Tensor,
        memory: Memory | None = None,
        begins: Tensor | None = None,
        lengths: Sequence[int] | None = None,
    ) -> Reading:
        """inputs [T, B, D_in] and the memory before them (None: empty) → `Reading`.

        begins [T, B], boolean: words that are read with an empty memory. lengths: of the sentences, the longest first;
        what stands after them is not read, and the memory at the end is of the longest alone. O(T · K) products of
        [B, 4D] by [4D, 4D].
        """
        # A recurrence adds up what it rounds, so mixed precision stops here.
        with torch.autocast(inputs.device.type, enabled=False):
            return self._read(inputs, self.empty(inputs.shape[1]) if memory is None else memory, begins, lengths)

    def _read(self, inputs: Tensor, memory: Memory, begins: Tensor | None, lengths: Sequence[int] | None) -> Reading:
        T, B, _ = inputs.shape
        words: Tensor = self.norm(self.word(inputs))  # (1)
        queries = self.attention.queries(words)
        outputs, attended, open_slots = [], [], []
        for t in range(T):
            if begins is not None:
                memory = _emptied(memory, begins[t])
            rows = B if lengths is None else sum(length > t for length in lengths)
            memory = _first_rows(memory, rows)
            p, candidates = self._attend(queries[t, :rows], memory)
            attended.append(functional.pad(self.slots - len(p) + 1 + p.argmax(0), (0, B - rows), value=self.slots))
            memory = self._step(words[t, :rows], p, candidates, memory.memory)
            outputs.append(functional.pad(memory.candidates[-1], (0, 0, 0, B - rows)))
            open_slots.append(len(memory.occupied))
        return Reading(torch.stack(outputs), torch.stack(attended), memory, tuple(open_slots))

    def _attend(self, query: Tensor, before: Memory) -> tuple[Tensor, Tensor]:
        """p_t [K', B] over the slots that may be attended, and their candidates [K', B, D] (2, 9–12).

        These are the open ones and, while one is left, the first closed one, whose candidate is the word before.
        """
        candidates = torch.cat([before.leaf[None], before.candidates])
        occupied = torch.cat([before.occupied, torch.ones_like(before.leaf[None, :, 0])])  # π⃗^{N+1} = 1
        candidates, occupied = candidates[-self.slots :], occupied[-self.slots :]
        logits = self.attention(query, candidates) + occupied.clamp(min=IMPOSSIBLE).log()
        return torch.softmax(logits, 0), candidates

    def _step(self, word: Tensor, p: Tensor, candidates: Tensor, memory: Tensor) -> Memory:
        """The memory after a word x̃ [B, D] (3–7)."""
        occupied = p.cumsum(0)
        written = 1 - occupied + p  # π⃖
        # A slot that was closed so far is written by all that attend to it.
        memory = torch.cat([torch.zeros_like(candidates[: len(candidates) - len(memory)]), memory])
        memory = torch.lerp(memory, candidates, written[..., None])  # (5)
        closed = min(int((occupied.detach().amax(1) <= CLOSED).sum()), len(p) - 1)
        memory, occupied = memory[closed:], occupied[closed:]
        return Memory(word, memory, self.cell.candidates(word, memory, occupied, self.norm), occupied)


def _first_rows(memory: Memory, rows: int) -> Memory:
    leaf, slots, candidates, occupied = memory
    return Memory(leaf[:rows], slots[:, :rows], candidates[:, :rows], occupied[:, :rows])


def _emptied(memory: Memory, begins: Tensor) -> Memory:
    """The memory with nothing in it for some sentences. begins [B], boolean."""
    leaf, slots, candidates = (state.masked_fill(begins[:, None], 0.0) for state in memory[:3])
    return Memory(leaf, slots, candidates, memory.occupied.masked_fill(begins, 0.0))


def action_distances(attended: Tensor, slots: int) -> Tensor:
    """attended [T, B]: the slot with the largest p_t at each word → syntactic distances [B, T − 1] (Algorithm 2).

    A shift–reduce parser reads the words: from one to the next, the head of the stack rises a slot by shifting the
    word, and falls a slot for each reduction that comes before. As a distance, a split point has the slot that the head
    has then reached; a later one of equal slots is larger, because its reductions come later. Where no reduction is
    left (the bottom of the stack), the head stays; where attention skips slots above it, nothing is reduced. Distances
    are whole numbers, exact in float32 while slots · T < 2²⁴.
    """
    T = len(attended)
    change = attended.diff(dim=0).clamp(min=-1)
    levels = [attended[0]]
    for step in change:
        levels.append((levels[-1] + step).clamp(max=slots))
    later = torch.arange(T, device=attended.device)[:, None]
    return (torch.stack(levels) * T + later)[1:].t().float()


class OrderedMemoryInducer(NeuralInducer):
    """Next-word language model over a stream of sentences, each preceded by <eos>."""

    PARSER = ("embedding", "memory")

    def __init__(self, vocabulary_size: int, config: OrderedMemoryConfig) -> None:
        super().__init__()
        D = config.hidden_size
        self.config = config
        self.embedding = nn.Embedding(vocabulary_size, D)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        self.memory = OrderedMemory(D, config)
        self.dropout = Dropout(config.dropout)
        self.output_dropout = Dropout(config.output_dropout)
        self.output_bias = nn.Parameter(torch.zeros(vocabulary_size))  # the output matrix is the embedding

    def loss(self, batch: Batch) -> Loss:
        """Cross-entropy of the next words.

        ``batch.state`` is the memory that an earlier stretch of the same streams ended in (`Memory.carried`), empty
        where it is None; the loss carries the one after this stretch. Raises ValueError where the batch has no targets.
        """
        if batch.targets is None:
            raise ValueError("a batch without targets has no loss")
        words, targets = batch.words.t(), batch.targets.t()
        before = None if batch.state is None else Memory.from_carried(batch.state)
        out = self.memory(self.dropout(self.embedding(words)), before, words == SENTENCE_START)
        predicted = targets != IGNORED
        states, targets = self.output_dropout(out.outputs[predicted]), targets[predicted]
        total = cross_entropy(states, targets, self.embedding.weight, self.output_bias, batch.candidates)
        return Loss(total, len(targets), state=out.memory.carried(self.config.slots))

    def induce(self, batch: Batch, heads: bool = True) -> Induction:  # noqa: ARG002 - it has none
        """Distances that give the tree of the shift–reduce actions, each sentence read after <eos>."""
        words = functional.pad(batch.words.t(), (0, 0, 1, 0), value=SENTENCE_START)
        distances = action_distances(self.memory(self.embedding(words)).attended, self.config.slots)
        return Induction(distances=distances[:, 1:], first_distance=distances[:, 0])
