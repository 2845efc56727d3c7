"""Encoders that are given the gold trees: each composes the vectors of constituents from the leaves to the root.

They show what can be reached where the tree is known (Ordered Memory, tables 1 and 3): with Ordered Memory's own cell,
with that of a recursive network, TreeRNN (Bowman, Manning and Potts: Tree-structured composition in neural networks
without tree-structured architectures, 2015), and with that of a TreeLSTM (Tai, Socher and Manning: Improved semantic
representations from tree-structured long short-term memory networks, ACL 2015, section 3.2, with two children).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from synparse.inducers.configurations import Probability, Size
from synparse.inducers.ordered_memory import GatedCell, RnnCell
from synparse.tasks.encoding import Encoding, Rows


@dataclass(frozen=True)
class TreeEncoderConfig:
    """Sizes of an encoder on gold trees; dropout: of words; cell_dropout: of the inner layer of a gated cell, of the
    composed vectors of others."""

    hidden_size: Size = 128
    dropout: Probability = 0.1
    cell_dropout: Probability = 0.1


class TreeCellEncoder(nn.Module):
    """Ordered Memory's cell."""

    def __init__(self, config: TreeEncoderConfig) -> None:
        super().__init__()
        self.word = nn.Linear(config.hidden_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size)
        self.cell = GatedCell(config.hidden_size, config.cell_dropout)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, embedded: Tensor, rows: Rows) -> Encoding:
        leaves = self.norm(self.word(self.dropout(embedded)))
        return Encoding(composed(leaves, rows, lambda left, right: self.cell.compose(left, right, self.norm)))


class TreeRnnEncoder(nn.Module):
    """A parent is tanh(W [left; right] + b)."""

    def __init__(self, config: TreeEncoderConfig) -> None:
        super().__init__()
        self.word = nn.Linear(config.hidden_size, config.hidden_size)
        self.cell = RnnCell(config.hidden_size, config.cell_dropout)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, embedded: Tensor, rows: Rows) -> Encoding:
        leaves = torch.tanh(self.word(self.dropout(embedded)))
        return Encoding(composed(leaves, rows, self.cell))


class TreeLstmEncoder(nn.Module):
    """Each node has a state h and a memory cell c; a leaf reads a word, a parent its two children."""

    def __init__(self, config: TreeEncoderConfig) -> None:
        super().__init__()
        D = config.hidden_size
        self.leaf = nn.Linear(D, 3 * D)  # i, o, u
        self.gates = nn.Linear(2 * D, 5 * D)  # i, o, u, and the forget gates of the left and of the right child
        self.dropout = nn.Dropout(config.dropout)
        self.cell_dropout = nn.Dropout(config.cell_dropout)

    def forward(self, embedded: Tensor, rows: Rows) -> Encoding:
        i, o, u = self.leaf(self.dropout(embedded)).chunk(3, -1)
        leaves = _state(o, torch.sigmoid(i) * torch.tanh(u))
        return Encoding(composed(leaves, rows, self.compose).chunk(2, -1)[0])

    def compose(self, left: Tensor, right: Tensor) -> Tensor:
        """[h; c] of the left and of the right child, [M, 2 D] each → of their parent (Tai et al., equations 9–14)."""
        (left_h, left_c), (right_h, right_c) = left.chunk(2, -1), right.chunk(2, -1)
        i, o, u, left_f, right_f = self.gates(torch.cat([left_h, right_h], -1)).chunk(5, -1)
        new = torch.sigmoid(i) * self.cell_dropout(torch.tanh(u))
        return _state(o, new + torch.sigmoid(left_f) * left_c + torch.sigmoid(right_f) * right_c)


def _state(o: Tensor, c: Tensor) -> Tensor:
    """The logits of the output gate and the memory cell → [h; c]."""
    return torch.cat([torch.sigmoid(o) * torch.tanh(c), c], -1)


def composed(leaves: Tensor, rows: Rows, compose: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
    """The vectors of the roots [R, D] of the gold trees over leaves [R, T, D], all nodes of one height at once."""
    levels, roots = tree_schedule(rows.leaves, rows.heights, leaves.shape[1])
    nodes = leaves.flatten(0, 1)
    for left, right in levels:
        nodes = torch.cat([nodes, compose(nodes[left], nodes[right])])
    return nodes[roots]


def tree_schedule(
    leaves: Sequence[Sequence[int]], heights: Sequence[Sequence[int]], T: int
) -> tuple[list[tuple[list[int], list[int]]], list[int]]:
    """Gold trees as products to do: for each height from 1 the positions of the left and the right children, and
    the position of each tree's root.

    Positions are those in a list that begins with T words of each row; the nodes of each height follow. O(R T).
    """
    levels: list[list[tuple[int, int]]] = [[] for _ in range(max((max(row, default=0) for row in heights), default=0))]
    children: list[tuple[list[int], list[int]]] = []  # of each row: for each split point that node's two children
    for row in heights:
        left, right = [-1] * len(row), [-1] * len(row)  # −1: a leaf
        path: list[int] = []  # from the root to the rightmost node so far
        for k, height in enumerate(row):
            while path and row[path[-1]] < height:
                left[k] = path.pop()
            if path:
                right[path[-1]] = k
            path.append(k)
            levels[height - 1].append((len(children), k))
        children.append((left, right))
    position: dict[tuple[int, int], int] = {}
    following = len(heights) * T
    schedule = []
    for level in levels:
        lefts = [position.get((row, children[row][0][k]), row * T + leaves[row][k]) for row, k in level]
        rights = [position.get((row, children[row][1][k]), row * T + leaves[row][k + 1]) for row, k in level]
        schedule.append((lefts, rights))
        for node in level:
            position[node] = following
            following += 1
    roots = [
        position[number, row.index(max(row))] if row else number * T + leaves[number][0]
        for number, row in enumerate(heights)
    ]
    return schedule, roots
