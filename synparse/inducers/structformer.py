"""StructFormer: distances and heights of a sentence, learned by predicting masked words.

Shen, Tay, Zheng, Bahri, Metzler, Courville: StructFormer: Joint Unsupervised Induction of Dependency and
Constituency Structure from Masked Language Modeling. ACL 2021. Equation numbers below are the paper's.

A convolutional parser gives each split point a syntactic distance and each word a syntactic height. From both
follows, differentiably, which word is the head of which; the encoder attends along these dependencies only, so
predicting masked words teaches the parser.

As in the authors' code, each tanh of (1–3) is behind a layer norm without parameters, and (2) has a bias inside, like
(3). Unlike there, nothing is dropped between the last norm and the output layer, and matrices begin as those of PyTorch
do (there: Xavier).

Glossary
    τ  distances [B, T]        τ_t = the split point after word t; +∞ (1e9) after the last word
    δ  heights [B, T]
    C(x_i)                     the smallest constituent around word i that is not headed by it
    p_L, p_R [B, T, T]         p_L[i, l]: C(x_i) starts at l;  p_R[i, r]: C(x_i) ends at r
    P_D parents [B, T, T]      P_D[i, j]: word j is the head of word i (row = dependent, column = head)
    B sentences, T words, D hidden size, H attention heads
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from synparse.inducers.batch import Batch
from synparse.inducers.configurations import StructFormerConfig
from synparse.inducers.induction import Induction
from synparse.inducers.kernels.convolution import SentenceConvolution
from synparse.inducers.kernels.lstm_parser import LEAST_PROBABILITY
from synparse.inducers.kernels.positions import with_positions
from synparse.inducers.protocol import ChannelAttention, ChannelLayer, ChannelModel

POSITIONS = 500
"""Learned positions, as many as the authors' code has; all later words have the last one."""

INFINITE = 1e9
"""Distance at the ends of a sentence: no word reaches beyond them."""

LARGEST_HEIGHT_GAP = 40.0
"""Heights further below the highest one than this (in units of μ₂) count as exactly this far: as a probability,
exp(−40) = 4e-18 is as good as 0, while 1/exp(−40) and its square are still finite in float32."""


class ParsingNetwork(nn.Module):
    """Words → distances τ and heights δ (eq. 1–3). All that parsing needs."""

    def __init__(self, config: StructFormerConfig) -> None:
        super().__init__()
        D = config.hidden_size
        self.convolutions = nn.ModuleList(
            SentenceConvolution(D, config.convolution_width) for _ in range(config.parser_layers)
        )
        self.dropout = nn.Dropout(config.dropout)
        self.pair = nn.Linear(2 * D, D)
        self.distance = nn.Linear(D, 1, bias=False)
        self.single = nn.Linear(D, D)
        self.height = nn.Linear(D, 1)

    def forward(self, embedded: Tensor, present: Tensor) -> tuple[Tensor, Tensor]:
        """embedded [B, T, D], present [B, T] → distances [B, T], heights [B, T]; not calibrated."""
        absent = ~present[..., None]
        states = embedded  # [B, T, D]
        for convolution in self.convolutions:  # eq. 1
            states = torch.tanh(_layer_norm(convolution(states.masked_fill(absent, 0.0))))
            states = self.dropout(states)
        following = functional.pad(states[:, 1:], (0, 0, 0, 1))
        pairs = torch.cat([states, following], dim=-1)  # [s_t ; s_{t+1}], [B, T, 2 D]
        distances = self.distance(torch.tanh(_layer_norm(self.pair(pairs)))).squeeze(-1)  # eq. 2
        heights = self.height(torch.tanh(_layer_norm(self.single(states)))).squeeze(-1)  # eq. 3
        inside = functional.pad(present[:, 1:], (0, 1))  # split points between two words
        return distances.masked_fill(~inside, INFINITE), heights.masked_fill(~present, -INFINITE)


def _layer_norm(states: Tensor) -> Tensor:
    return functional.layer_norm(states, states.shape[-1:])


def calibrate(distances: Tensor, heights: Tensor) -> Tensor:
    """Distances lowered, sentence by sentence, until no constituent is cut off from the rest (appendix A.2).

    A constituent [l, r] short of the whole sentence is cut off where its largest height stays under both its
    boundary distances τ_{l−1} and τ_r; the largest such margin is subtracted from every distance (19–21). A word alone
    counts, as in the authors' code; (19) has l < r. (That code takes the largest margin of a batch.) distances [B, T],
    `INFINITE` after the last word and on padding; heights [B, T], −`INFINITE` on padding. The trees of the distances
    do not change. Time and memory O(B T²).
    """
    T = heights.shape[1]
    highest = _running_maximum(heights)  # [B, l, r]: max(δ_l … δ_r) for l ≤ r
    left = functional.pad(distances[:, :-1], (1, 0), value=INFINITE)  # [B, l]: τ_{l−1}
    boundary = torch.minimum(left[:, :, None], distances[:, None, :])
    # Both ends infinite: the whole sentence, or padding.
    spans = torch.ones(T, T, dtype=torch.bool, device=heights.device).triu() & (boundary < INFINITE / 2)
    margins = torch.relu(boundary - highest).masked_fill(~spans, 0.0)
    return distances - margins.flatten(1).amax(1, keepdim=True)


def _running_maximum(values: Tensor) -> Tensor:
    """values [B, T] → [B, T, T]: at [l, r] the largest of values l … r for l ≤ r, −`INFINITE` for r < l."""
    B, T = values.shape
    lower = torch.ones(T, T, dtype=torch.bool, device=values.device).tril(-1)
    table = values[:, None, :].expand(B, T, T).masked_fill(lower, -INFINITE)
    return table.cummax(dim=2).values


def parent_distribution(
    distances: Tensor, heights: Tensor, boundary_scale: Tensor, head_scale: Tensor
) -> tuple[Tensor, Tensor]:
    """P_D of eq. 12 in closed form: which word is the head of which.

    distances, heights [B, T] as `ParsingNetwork` and `calibrate` leave them; boundary_scale is 1/μ₁, head_scale 1/μ₂.
    Returns P_D [B, T, T] (row = dependent, column = head, diagonal 0, rows sum to at most 1; nothing meaningful on
    padding) and the mass [B, T] that eq. 12 leaves out of each row: that the word heads its own C(x_i), which makes
    it the root.

    Eq. 12 sums over all spans [l, r]. With e_j = exp(δ_j/μ₂) and R[l, r] = Σ_{l≤k≤r} e_k, the head of span [l, r] is j
    with probability e_j/R[l, r]. So e_j can be taken out of the sum; for j left of i, the only bound is l ≤ j, and the
    sum over r is a matrix product (for j right of i likewise). O(T²) memory and two products in place of O(T⁴).
    """
    T = heights.shape[1]
    # inside[i, j]: word j is in C(x_i), eq. 7: σ((δ_i − max of the τ between them)/μ₁)
    reach = _running_maximum(distances)  # [l, r]: max(τ_l … τ_r)
    right = functional.pad(reach[:, :, :-1], (1, 0), value=-INFINITE)  # [i, j], j > i: max(τ_i … τ_{j−1})
    between = torch.maximum(right, right.transpose(1, 2))
    inside = torch.sigmoid((heights[:, :, None] - between) * boundary_scale)
    upper = torch.ones(T, T, dtype=torch.bool, device=heights.device).triu()
    # eq. 8 and 9, p_L and p_R: C(x_i) ends where the next word is no longer inside
    ends = (inside - functional.pad(inside[:, :, 1:], (0, 1))) * upper
    starts = (inside - functional.pad(inside[:, :, :-1], (1, 0))) * upper.T
    # eq. 11, the softmax of heights over a span: e_j/R[l, r]
    gaps = (heights - heights.amax(1, keepdim=True)) * head_scale
    e = torch.exp(gaps.clamp(min=-LARGEST_HEIGHT_GAP))
    weight = (e[:, None, :] * upper).cumsum(2)  # R[l, r] for l ≤ r
    inverse = torch.where(upper, 1.0 / torch.where(upper, weight, 1.0), 0.0)  # M
    starting = starts * (ends @ inverse.transpose(1, 2))  # A[i, l]: mass of all spans of i that start at l
    ending = ends * (starts @ inverse)  # Z[i, r]: mass of all spans of i that end at r
    before = starting.cumsum(2) * upper.T.tril(-1)  # for j < i: Σ_{l ≤ j} A[i, l]
    after = ending.flip(2).cumsum(2).flip(2) * upper.triu(1)  # for j > i: Σ_{r ≥ j} Z[i, r]
    return e[:, None, :] * (before + after), e * starting.sum(2)  # eq. 12


class DependencyAttentionLayer(ChannelLayer):
    """Pre-norm transformer layer whose attention follows the dependencies (eq. 13–17); ReLU, as in the Transformer of
    Vaswani et al. (2017), where the authors' code has a leaky one."""

    def __init__(self, config: StructFormerConfig) -> None:
        super().__init__()
        D = config.hidden_size
        self.attention_heads = config.attention_heads
        self.attention_norm = nn.LayerNorm(D)
        self.query_key_value = nn.Linear(D, 3 * D)
        self.attention_out = nn.Linear(D, D)
        self.relations = config.relations
        if config.relations == "both":  # w_parent, w_dep of each head
            self.relation = nn.Parameter(torch.randn(config.attention_heads, 2).mul_(0.1))
        self.feed_forward_norm = nn.LayerNorm(D)
        self.feed_forward_in = nn.Linear(D, config.feed_forward_size)
        self.feed_forward_out = nn.Linear(config.feed_forward_size, D)
        self.dropout = nn.Dropout(config.dropout)

    def attend(self, states: Tensor, mask: Tensor) -> ChannelAttention:
        """The weights of the heads before the dependencies (q, eq. 16) and with them (p · q, eq. 17); mask: P_D
        [B, T, T], zero on padding; value [B, H, T, D/H]."""
        B, T, D = states.shape
        H = self.attention_heads
        projected = self.query_key_value(self.attention_norm(states))
        query, key, value = projected.view(B, T, 3, H, D // H).permute(2, 0, 3, 1, 4)
        p_parent, p_dependent = self.fractions()
        p = p_parent * mask[:, None] + p_dependent * mask.transpose(1, 2)[:, None]  # eq. 15, [B, H, T, T]
        q = torch.sigmoid(query @ key.transpose(2, 3) / math.sqrt(D // H))  # eq. 16, [B, H, T, T]
        return ChannelAttention(q, p * q, value)

    def fractions(self) -> tuple[Tensor | float, Tensor | float]:
        """p_parent and p_dep of each head, [H, 1, 1] (eq. 13, 14), or 1 and 0 where only one of them is attended to."""
        if self.relations != "both":
            return float(self.relations == "parent"), float(self.relations == "dependent")
        fraction = torch.softmax(self.relation, dim=1)
        return fraction[:, 0, None, None], fraction[:, 1, None, None]

    def mixed(self, attention: ChannelAttention) -> Tensor:
        """The output of all heads [B, T, D] (eq. 17)."""
        mixed = attention.weights @ attention.value  # [B, H, T, D/H]
        out: Tensor = self.attention_out(mixed.transpose(1, 2).flatten(2))
        return out

    def transform(self, states: Tensor, attention: ChannelAttention) -> Tensor:
        states = states + self.dropout(self.mixed(attention))
        inner = torch.relu(self.feed_forward_in(self.feed_forward_norm(states)))
        out: Tensor = states + self.dropout(self.feed_forward_out(self.dropout(inner)))
        return out


class StructFormer(ChannelModel):
    """Masked language model whose attention is bound to an induced dependency structure."""

    PARSER = ("embedding", "parser", "log_scales")
    ADDED = ("parser.height.bias",)
    NOT_MULTIPLIED = ("embedding", "position")

    def __init__(self, vocabulary_size: int, config: StructFormerConfig) -> None:
        super().__init__()
        D = config.hidden_size
        self.config = config
        self.embedding = nn.Embedding(vocabulary_size, D)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        if config.position == "learned":
            self.position = nn.Embedding(POSITIONS, D)
            nn.init.uniform_(self.position.weight, -0.1, 0.1)
        self.parser = ParsingNetwork(config)
        self.log_scales = nn.Parameter(torch.zeros(2))  # log 1/μ₁, log 1/μ₂
        self.dropout = nn.Dropout(config.dropout)
        self.layers = nn.ModuleList(DependencyAttentionLayer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(D)
        self.output_bias = nn.Parameter(torch.zeros(vocabulary_size))  # the output matrix is the embedding

    def parse(self, embedded: Tensor, present: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Calibrated distances [B, T], heights [B, T], P_D [B, T, T] and root mass [B, T]; runs no encoder layer."""
        distances, heights = self.calibrated(embedded, present)
        # Mixed precision stops here: a probability is a difference of sums.
        with torch.autocast(embedded.device.type, enabled=False):
            boundary_scale, head_scale = self.log_scales.exp()
            parents, root = parent_distribution(distances, heights, boundary_scale, head_scale)
        both = present[:, :, None] & present[:, None, :]
        return distances, heights, parents.masked_fill(~both, 0.0), root

    def calibrated(self, embedded: Tensor, present: Tensor) -> tuple[Tensor, Tensor]:
        """Calibrated distances [B, T] and heights [B, T], in the precision of the embeddings."""
        distances, heights = (part.to(embedded.dtype) for part in self.parser(embedded, present))
        return calibrate(distances, heights), heights

    def layer_input(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The states and P_D."""
        embedded = self.dropout(self.embedding(batch.words))
        *_, parents, _ = self.parse(embedded, batch.present)
        return self.encoder_input(embedded), parents

    def parent_shares(self) -> list[list[float]]:
        """p_parent of each head of each layer (eq. 14; figure 4): how much it attends to a word's parent, and not to
        its dependents."""
        heads = self.config.attention_heads
        with torch.no_grad():
            return [
                torch.as_tensor(layer.fractions()[0]).flatten().expand(heads).tolist()
                for layer in self.layers
                if isinstance(layer, DependencyAttentionLayer)
            ]

    def encoder_input(self, embedded: Tensor) -> Tensor:
        """The input of the encoder [B, T, D]; the parser reads no positions."""
        if self.config.position == "none":
            return embedded
        if self.config.position == "sinusoid":
            return with_positions(embedded)
        positions = torch.arange(embedded.shape[1], device=embedded.device).clamp(max=POSITIONS - 1)
        states: Tensor = embedded + self.dropout(self.position(positions))
        return states

    def induce(self, batch: Batch, heads: bool = True) -> Induction:
        """Calibrated distances, and heights; with ``heads`` log P_D, with the log root mass on the diagonal."""
        embedded, present = self.embedding(batch.words), batch.present
        if not heads:
            distances, heights = self.calibrated(embedded, present)
            return Induction(distances[:, :-1], heights=heights)
        distances, heights, parents, root = self.parse(embedded, present)
        scores = (parents + torch.diag_embed(root)).clamp(min=LEAST_PROBABILITY).log()
        return Induction(distances[:, :-1], heights=heights, head_scores=scores)
