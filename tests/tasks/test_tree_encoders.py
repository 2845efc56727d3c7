"""Encoders on gold trees against a recursion over nested trees."""

import pytest
import torch

from synparse.tasks.encoding import Rows
from synparse.tasks.listops import read_expression
from synparse.tasks.logic import read_formula
from synparse.tasks.tree_encoders import (
    TreeCellEncoder,
    TreeEncoderConfig,
    TreeLstmEncoder,
    TreeRnnEncoder,
    tree_schedule,
)


def tree_cell(model, left, right):
    cell, D = model.cell, len(left)
    weight = torch.cat([cell.of_candidate.weight, cell.of_memory.weight], 1)
    inner = torch.relu(weight @ torch.cat([right, left]) + cell.of_memory.bias)
    v, r, c, u = (cell.gates.weight @ inner + cell.gates.bias).view(4, D)
    return model.norm(torch.sigmoid(v) * right + torch.sigmoid(r) * left + torch.sigmoid(c) * u)


def tree_rnn(model, left, right):
    return torch.tanh(model.cell.both.weight @ torch.cat([left, right]) + model.cell.both.bias)


def tree_lstm(model, left, right):
    """Tai et al., equations 9 to 14 with N = 2, where the node itself has no word."""
    (h1, c1), (h2, c2) = left.chunk(2), right.chunk(2)
    D = len(h1)
    U, b = model.gates.weight, model.gates.bias
    i, o, u, f1, f2 = (U[k * D : (k + 1) * D] @ torch.cat([h1, h2]) + b[k * D : (k + 1) * D] for k in range(5))
    c = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(f1) * c1 + torch.sigmoid(f2) * c2
    return torch.cat([torch.sigmoid(o) * torch.tanh(c), c])


def lstm_leaf(model, vector):
    i, o, u = model.leaf(vector).chunk(3)
    c = torch.sigmoid(i) * torch.tanh(u)
    return torch.cat([torch.sigmoid(o) * torch.tanh(c), c])


KINDS = {
    "tree-cell": (TreeCellEncoder, tree_cell, lambda model, vector: model.norm(model.word(vector))),
    "tree-rnn": (TreeRnnEncoder, tree_rnn, lambda model, vector: torch.tanh(model.word(vector))),
    "tree-lstm": (TreeLstmEncoder, tree_lstm, lstm_leaf),
}


def recursion(model, compose, leaf, vectors, heights):
    """An encoder by its definition."""
    if not heights:
        return leaf(model, vectors[0])
    k = heights.index(max(heights))
    left = recursion(model, compose, leaf, vectors[: k + 1], heights[:k])
    return compose(model, left, recursion(model, compose, leaf, vectors[k + 1 :], heights[k + 1 :]))


@pytest.mark.parametrize("kind", KINDS)
def test_an_encoder_is_the_recursion_over_the_gold_tree(kind):
    torch.manual_seed(0)
    encoder, compose, leaf = KINDS[kind]
    model = encoder(TreeEncoderConfig(hidden_size=6)).eval()
    texts = ["[MAX 2 [MIN 4 7 ] 0 ]", "5", "[SM [MED 1 ] [MAX [MIN 3 2 ] 1 ] ]", "[MAX 1 2 ]"]
    formula = read_formula("( ( not a ) ( and ( b ( or c ) ) ) )").expression  # its parentheses are no leaves
    expressions = [*(read_expression(text.split())[0] for text in texts), formula]
    lengths = [len(expression.words) for expression in expressions]
    embedded = torch.randn(5, max(lengths), 6)
    leaves, heights = zip(*((expression.leaves, expression.heights) for expression in expressions), strict=True)
    rows = Rows(torch.zeros(5, max(lengths)), torch.tensor(lengths), leaves, heights)
    with torch.no_grad():
        vectors = model(embedded, rows).vectors
        for number, expression in enumerate(expressions):
            of_leaves = embedded[number, list(expression.leaves)]
            expected = recursion(model, compose, leaf, of_leaves, list(expression.heights))[:6]
            torch.testing.assert_close(vectors[number], expected, atol=1e-6, rtol=1e-5)


def test_a_schedule_by_hand():
    levels, roots = tree_schedule([(0, 1, 2), (0,), (0, 1)], [(1, 2), (), (1,)], T=3)
    assert levels == [([0, 6], [1, 7]), ([9], [2])]
    assert roots == [11, 3, 10]
