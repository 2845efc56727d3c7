"""Ordered Memory: a stack of slots that attention pushes and pops softly, so that it composes as it parses.

Shen, Tan, Hosseini, Lin, Sordoni, Courville: Ordered Memory. NeurIPS 2019, whose equation numbers stand below.

Each slot i = 1 … N of the memory M holds a constituent that waits for its right sibling; slot N is the bottom of the
stack. The candidates M̂ⁱ are the constituents that end in the last word read: the word itself, combined with the first
occupied slot, the result with the next, and so on. A new word chooses which of them is complete (p_t): that one goes
into its slot, everything deeper stays as it is, everything above is free.

`ordered_memory_step` is the paper's Algorithm 1, equation by equation; so the first word is composed with an empty
slot, where the authors' code begins with the word in all slots. (In the text, equation 7 has 1 − π⃗ⁱ⁺¹ for 1 − π⃗ⁱ.)
What runs is `kernels.open_slots`, which computes the same without the slots that are empty, with `kernels.composition`
for equations 6, 7, 12 and 13; a test holds the two equal.

In the language model, words are predicted from the last candidate, which combines all that was read. It reads a stream
of sentences and starts with an empty memory at each sentence: so a sentence has the same trees in training and in
parsing, and the slots, of which there are few, never fill up with what was read before. A sentence may have any length:
where the slots are full, a word has to complete something.

Glossary
    x̃_t [B, D]       word: the word as the memory reads it
    M, M̂ [N, B, D]   memory, candidates
    p_t [N, B]       which candidate the word completes: the head of the stack
    π⃗, π⃖ [N, B]      occupied, written: cumulative sums of p from the top and from the bottom
    B sentences (or streams), T words, D size of a slot, N slots
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional

from synparse.inducers.batch import SENTENCE_START, Batch
from synparse.inducers.configurations import OrderedMemoryConfig
from synparse.inducers.induction import Induction, entropies
from synparse.inducers.kernels.composition import composed_candidates
from synparse.inducers.kernels.open_slots import Memory, MemoryOutput, read_open_slots
from synparse.inducers.protocol import Contextual, LanguageModel
from synparse.inducers.uncompiled import uncompiled


class MemoryAttention(nn.Module):
    """How well a word goes with a candidate: αⁱ = wᵀ ReLU(LN(W_q x̃) + LN(W_k M̂ⁱ))/√D, as in the authors' code; or as
    published, αⁱ = wᵀ tanh(W_k M̂ⁱ + W_q x̃ + b)/√D (8), where the paper writes N for D: its W₁ is N × 2N.

    Dropout is before the product with w; the authors' code has it before W_q and W_k, too. The paper has no noise.
    Without it the attention stays soft, so that every candidate is a mixture of several stacks; with noise, only logits
    that are far apart still tell slots from each other, so choices become nearly discrete.
    """

    def __init__(self, config: OrderedMemoryConfig) -> None:
        super().__init__()
        size = config.hidden_size
        self.is_published = config.attention == "published"
        self.scale = size**-0.5
        self.query = nn.Linear(size, size)
        self.key = nn.Linear(size, size, bias=not self.is_published)
        if not self.is_published:
            self.query_norm = nn.LayerNorm(size)
            self.key_norm = nn.LayerNorm(size)
        self.score = nn.Parameter(torch.empty(size))
        nn.init.uniform_(self.score, -(size**-0.5), size**-0.5)
        self.dropout = nn.Dropout(config.attention_dropout)
        self.noise = config.attention_noise

    def queries(self, words: Tensor) -> Tensor:
        """LN(W_q x̃), or W_q x̃ + b, of the same shape."""
        out: Tensor = self.query(words)
        return out if self.is_published else self.query_norm(out)

    def forward(self, query: Tensor, candidates: Tensor) -> Tensor:
        """query [B, D], candidates [K, B, D] → α [K, B]."""
        keys = self.key(candidates)
        both = torch.tanh(query + keys) if self.is_published else torch.relu(query + self.key_norm(keys))
        out: Tensor = self.dropout(both) @ self.score * self.scale
        return out + self.noise * torch.randn_like(out) if self.training and self.noise else out


class GatedCell(nn.Module):
    """The gated recursive cell, which composes two constituents.

    Its layer norm ``norm`` is that of (1), so it is not a part of the cell. Dropout is after ReLU; the authors' code
    has it before W₁, too.
    """

    def __init__(self, size: int, dropout: float) -> None:
        super().__init__()
        self.of_memory = nn.Linear(size, 4 * size)  # W₁ = [of_candidate, of_memory], b₁
        self.of_candidate = nn.Linear(size, 4 * size, bias=False)
        self.gates = nn.Linear(4 * size, 4 * size)  # W₂, b₂
        self.dropout = nn.Dropout(dropout)

    def forward(self, memory: Tensor, candidate: Tensor, norm: nn.LayerNorm) -> Tensor:
        """memory Mⁱ [B, D], the left constituent, and candidate M̂ⁱ⁻¹ [B, D], the right one → oⁱ [B, D]."""
        inner = self.dropout(torch.relu(self.of_candidate(candidate) + self.of_memory(memory)))  # [B, 4D]
        vertical, horizontal, cell, new = self.gates(inner).chunk(4, -1)  # (12) v, h, c, u: [B, D] each
        vertical, horizontal, cell = torch.sigmoid(vertical), torch.sigmoid(horizontal), torch.sigmoid(cell)
        out: Tensor = norm(vertical * candidate + horizontal * memory + cell * new)  # (13)
        return out

    def candidates(self, word: Tensor, memory: Tensor, occupied: Tensor, norm: nn.LayerNorm) -> Tensor:
        """x̃ [B, D], M of K slots [K, B, D] and π⃗ [K, B] → M̂ [K, B, D] (6, 7), by the kernel."""
        weights = self.of_memory, self.of_candidate, self.gates, norm
        return composed_candidates(word, memory, occupied, *weights, self.dropout)

    def compose(self, left: Tensor, right: Tensor, norm: nn.LayerNorm) -> Tensor:
        """`forward` by the kernel: left and right [M, D] → [M, D]."""
        return self.candidates(right, left[None], left.new_ones(1, len(left)), norm)[0]


class RnnCell(nn.Module):
    """The cell of a recursive network, TreeRNN, in place of the gated one (the ablation of table 1 and figure 3)."""

    def __init__(self, size: int, dropout: float) -> None:
        super().__init__()
        self.both = nn.Linear(2 * size, size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, memory: Tensor, candidate: Tensor, norm: nn.LayerNorm | None = None) -> Tensor:  # noqa: ARG002
        """tanh(W [left; right] + b): memory, the left constituent, and candidate, the right one, [M, D] → [M, D]."""
        out: Tensor = self.dropout(torch.tanh(self.both(torch.cat([memory, candidate], -1))))
        return out

    def candidates(self, word: Tensor, memory: Tensor, occupied: Tensor, norm: nn.LayerNorm) -> Tensor:
        """As of `GatedCell`."""
        return composed_by_slot(self, word, memory, occupied, norm)


def composed_by_slot(
    cell: GatedCell | RnnCell, word: Tensor, memory: Tensor, occupied: Tensor, norm: nn.LayerNorm
) -> Tensor:
    """x̃ [B, D], M of K slots [K, B, D] and π⃗ [K, B] → M̂ [K, B, D] (6, 7), slot by slot."""
    candidate, candidates = word, []  # M̂⁰ = x̃
    for left, weight in zip(memory, occupied[..., None], strict=True):
        candidate = word * (1 - weight) + cell(left, candidate, norm) * weight  # (6, 7) M̂ⁱ
        candidates.append(candidate)
    return torch.stack(candidates)


class OrderedMemory(nn.Module):
    """The recurrence: vectors of words → a vector of all that was read, and the head of the stack, at each word."""

    def __init__(self, input_size: int, config: OrderedMemoryConfig) -> None:
        super().__init__()
        self.slots = config.slots
        self.word = nn.Linear(input_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size)  # of (1) and of the cell
        self.attention = MemoryAttention(config)
        cell = GatedCell if config.cell == "gated" else RnnCell
        self.cell = cell(config.hidden_size, config.cell_dropout)

    @uncompiled  # its loop would be compiled anew for every length
    def forward(
        self,
        inputs: Tensor,
        memory: Memory | None = None,
        begins: Tensor | None = None,
        lengths: Sequence[int] | None = None,
    ) -> MemoryOutput:
        """inputs [T, B, D_in] and the memory before them (None: empty) → `MemoryOutput`; see `read_open_slots`."""
        # A recurrence adds up what it rounds, so mixed precision stops here.
        with torch.autocast(inputs.device.type, enabled=False):
            words: Tensor = self.norm(self.word(inputs))  # (1)
            if memory is None:
                memory = Memory.empty(words.shape[1], words.shape[2], self.word.weight)
            queries = self.attention.queries(words)
            compose = partial(self.cell.candidates, norm=self.norm)
            return read_open_slots(words, queries, memory, self.slots, self.attention, compose, begins, lengths)


def ordered_memory_step(
    model: OrderedMemory, inputs: Tensor, memory: Tensor, candidates: Tensor, occupied: Tensor
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """One word of Algorithm 1, in all N slots: inputs x_t [B, D_in]; memory M_{t−1} and candidates M̂_{t−1} [N, B, D];
    occupied π⃗_{t−1} [N, B] → M_t, M̂_t, π⃗_t and p_t [N, B]; all zero before the first word. The output is M̂_tᴺ."""
    word = model.norm(model.word(inputs))  # (1) x̃ [B, D]
    # p = Att(x̃, M̂, π⃗) (2)
    alpha = model.attention(model.attention.queries(word), candidates)  # (8) [N, B]
    beta = torch.exp(alpha - alpha.amax(0))  # (9)
    beta = beta * torch.cat([occupied[1:], torch.ones_like(occupied[:1])])  # (10), where π⃗ᴺ⁺¹ = 1
    p = beta / beta.sum(0)  # (11)
    occupied = p.cumsum(0)  # (3) π⃗
    written = p.flip(0).cumsum(0).flip(0)[..., None]  # (4) π⃖
    memory = memory * (1 - written) + candidates * written  # (5)
    return memory, composed_by_slot(model.cell, word, memory, occupied, model.norm), occupied, p  # (6, 7)


LONGEST = 1024
"""Words of a sentence up to which its distances do not depend on the other sentences of a batch."""


def action_distances(attended: Tensor, slots: int) -> Tensor:
    """attended [T, B]: the slot with the largest p_t at each word → syntactic distances [B, T − 1] (Algorithm 2).

    A shift–reduce parser reads the words: from one word to the next, the head of the stack rises a slot when the word
    is shifted, and falls a slot for each reduction before that. The distance of a split point is the slot that the head
    has reached there; of equal slots, the later one counts as larger, because its reductions come later. Where no
    reduction is left (the bottom of the stack), the head stays; where attention skips slots above it, nothing is
    reduced. Distances are whole numbers, exact in float32 while slots · T < 2²⁴, and up to `LONGEST` words those of a
    sentence do not depend on T, the longest of its batch.
    """
    T = len(attended)
    change = attended.diff(dim=0).clamp(min=-1)
    levels = [attended[0]]
    for step in change:
        levels.append((levels[-1] + step).clamp(max=slots))
    later = torch.arange(T, device=attended.device)[:, None]
    return (torch.stack(levels) * max(T, LONGEST) + later)[1:].t().float()


class OrderedMemoryInducer(LanguageModel):
    """Next-word language model over a stream of sentences, each preceded by <eos>."""

    PARSER = ("embedding", "memory")

    def __init__(self, vocabulary_size: int, config: OrderedMemoryConfig) -> None:
        super().__init__()
        D = config.hidden_size
        self.config = config
        self.embedding = nn.Embedding(vocabulary_size, D)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        self.memory = OrderedMemory(D, config)
        self.dropout = nn.Dropout(config.dropout)
        self.output_dropout = nn.Dropout(config.output_dropout)
        self.output_bias = nn.Parameter(torch.zeros(vocabulary_size))  # the output matrix is the embedding

    @property
    def last_layer(self) -> nn.Module:
        return self.output_dropout

    def contextual(self, batch: Batch) -> Contextual:
        """The outputs of the memory. ``batch.state`` is the memory after the previous BPTT segment of the same streams
        (`Memory.carried`), empty where it is None."""
        words = batch.words.t()
        before = None if batch.state is None else Memory.from_carried(batch.state)
        out = self.memory(self.dropout(self.embedding(words)), before, words == SENTENCE_START)
        return Contextual(out.outputs.transpose(0, 1), out.memory.carried(self.config.slots))

    def structure_entropies(self, batch: Batch) -> dict[str, Tensor]:
        """Of p_t, which candidate a word completes, from the second word on."""
        words, N = batch.words.t(), self.config.slots
        empty = self.embedding.weight.new_zeros(N, len(batch.words), self.config.hidden_size)
        state = [empty, empty, empty[:, :, 0]]
        all_attended = []
        for word in words:
            goes_on = (word != SENTENCE_START).to(empty)
            state = [goes_on[:, None] * state[0], goes_on[:, None] * state[1], goes_on * state[2]]
            *state, p = ordered_memory_step(self.memory, self.embedding(word), *state)
            all_attended.append(p.t())
        chosen = torch.stack(all_attended)[1:][batch.present.t()[1:]]
        return {"slots": entropies(chosen, N)}

    def induce(self, batch: Batch, heads: bool = True) -> Induction:  # noqa: ARG002 - it has none
        """Distances that give the tree of the shift–reduce actions, each sentence read after <eos>."""
        words = functional.pad(batch.words.t(), (0, 0, 1, 0), value=SENTENCE_START)
        distances = action_distances(self.memory(self.embedding(words)).attended, self.config.slots)
        return Induction(distances=distances[:, 1:], first_distance=distances[:, 0])
