"""The student's loss is the negative log-likelihood of trees: by hand, and over all trees of a sentence."""

import math
from dataclasses import replace

import pytest
import torch

from synparse.inducers.batch import IGNORED, Batch
from synparse.inducers.student import Student, StudentConfig, bracket_loss
from synparse.inducers.udgn import head_losses
from tests.inducers.claims import check_noise_in_training_alone
from tests.untrained import perturbed

VOCABULARY = 20
SMALL = StudentConfig(hidden_size=12, layers=2, dropout=0.0)
NONE = (IGNORED, IGNORED)


def made(**changes):
    torch.manual_seed(0)
    return perturbed(Student(VOCABULARY, replace(SMALL, **changes)))


def binary_trees(start, end):
    """Every binary tree over words ``start … end − 1``, as the constituent that is split at each of its gaps."""
    if end - start == 1:
        return [{}]
    return [
        {middle - 1: (start, end), **left, **right}
        for middle in range(start + 1, end)
        for left in binary_trees(start, middle)
        for right in binary_trees(middle, end)
    ]


def targets_of(*trees, T):
    """[B, T − 1, 2] of trees as `binary_trees` gives them."""
    return torch.tensor([[tree.get(gap, NONE) for gap in range(T - 1)] for tree in trees]).view(len(trees), T - 1, 2)


def batch_of():
    """((a b) (c d)) with b the root, and (e (f g)) with f the root and a head that is not known."""
    words = torch.tensor([[4, 5, 6, 7], [8, 9, 10, 0]])
    heads = torch.tensor([[1, 1, 3, 1], [1, 1, IGNORED, IGNORED]])
    brackets = targets_of({0: (0, 2), 1: (0, 4), 2: (2, 4)}, {0: (0, 3), 1: (1, 3)}, T=4)
    return Batch(words, torch.tensor([4, 3]), heads, brackets=brackets)


def test_a_tree_of_four_words_by_hand():
    distances = torch.tensor([[0.5, 2.0, -1.0]])
    tree = targets_of({0: (0, 4), 1: (1, 4), 2: (2, 4)}, T=4)
    first = math.log(math.exp(0.5) + math.exp(2.0) + math.exp(-1.0)) - 0.5
    second = math.log(math.exp(2.0) + math.exp(-1.0)) - 2.0
    assert float(bracket_loss(distances, tree)) == pytest.approx(first + second)


@pytest.mark.parametrize("T", [1, 2, 3, 4, 5])
def test_the_probabilities_of_all_binary_trees_sum_to_one(T):
    trees = binary_trees(0, T)
    assert len(trees) == [1, 1, 2, 5, 14][T - 1]
    distances = torch.randn(T - 1, generator=torch.Generator().manual_seed(T), dtype=torch.float64)
    losses = [bracket_loss(distances[None], targets_of(tree, T=T)) for tree in trees]
    assert float(torch.stack(losses).neg().exp().sum()) == pytest.approx(1)
    assert float(bracket_loss(distances.expand(len(trees), -1), targets_of(*trees, T=T))) == pytest.approx(
        float(sum(losses))
    )


def test_a_constituent_of_several_parts_is_split_at_each_of_them():
    """(a (b c) d): best where the two outer gaps share the probability."""
    flat = targets_of({0: (0, 4), 1: (1, 3), 2: (0, 4)}, T=4)
    distances = torch.tensor([[3.0, -20.0, 3.0]], requires_grad=True)
    loss = bracket_loss(distances, flat)
    assert float(loss.detach()) == pytest.approx(2 * math.log(2))
    loss.backward()
    torch.testing.assert_close(distances.grad, torch.zeros(1, 3))
    assert bracket_loss(torch.tensor([[3.0, -20.0, 2.0]]), flat) > loss


def test_what_is_not_known_is_left_out():
    distances, log_heads = torch.randn(1, 3), torch.randn(1, 4, 4)
    inner = targets_of({1: (1, 4), 2: (2, 4)}, T=4)
    assert float(bracket_loss(distances, inner)) == pytest.approx(
        float(bracket_loss(distances[:, 1:], targets_of({0: (0, 3), 1: (1, 3)}, T=3)))
    )
    assert bracket_loss(distances, targets_of({}, T=4)) == 0
    losses = head_losses(log_heads, torch.tensor([[IGNORED, 0, IGNORED, 3]]))
    assert losses.tolist() == [[0.0, -float(log_heads[0, 1, 0]), 0.0, -float(log_heads[0, 3, 3])]]


def test_the_gradient_is_that_of_the_formula():
    brackets = targets_of(binary_trees(0, 5)[3], {0: (0, 5), 1: (0, 5), 3: (2, 5)}, T=5)
    distances = torch.randn(2, 4, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda d: bracket_loss(d, brackets), distances)


def test_the_loss_is_that_of_what_is_induced():
    model, batch = made(), batch_of()
    loss, induction = model.loss(batch), model.induce(batch)
    assert loss.predictions == 4 + 2 + 3 + 2
    expected = head_losses(induction.head_scores, batch.targets).sum() + bracket_loss(
        induction.distances, batch.brackets
    )
    torch.testing.assert_close(loss.total, expected)
    torch.testing.assert_close(model.induce(batch, heads=False).distances, induction.distances)


@pytest.mark.parametrize("left_out", ["targets", "brackets"])
def test_heads_or_brackets_alone_teach_their_part(left_out):
    model, batch = made(), batch_of()
    part = batch._replace(**{left_out: torch.full_like(getattr(batch, left_out), IGNORED)})
    loss = model.loss(part)
    loss.total.backward()
    assert loss.predictions == (5 if left_out == "targets" else 6)
    heads, distances = model.parser.parent_child.weight.grad, model.distance[0].weight.grad
    assert (heads.abs().sum() > 0) == (left_out == "brackets")
    assert (distances.abs().sum() > 0) == (left_out == "targets")
    assert all(p.grad.isfinite().all() for p in model.parameters())


@torch.no_grad()
def test_padding_changes_nothing():
    model, batch = made(), batch_of()
    both = model.induce(batch)
    alone = model.induce(Batch(batch.words[1:, :3], batch.lengths[1:]))
    torch.testing.assert_close(both.distances[1:, :2], alone.distances)
    torch.testing.assert_close(both.head_scores[1:, :3, :3], alone.head_scores)


def test_a_word_alone_has_a_root_and_no_distance():
    model = made()
    batch = Batch(torch.tensor([[5]]), torch.tensor([1]), torch.tensor([[0]]), brackets=targets_of({}, T=1))
    assert model.induce(batch).distances.shape == (1, 0)
    assert float(model.loss(batch).total.detach()) == 0  # no other word could be its head
    assert model.loss(batch).predictions == 1


def test_dropout_acts_in_training_alone():
    check_noise_in_training_alone(made(dropout=0.5), batch_of())
