from random import Random

import pytest

from synparse.trees.dependency import is_projective
from synparse.trees.distances import unbiased_spans
from synparse.trees.heads import joint_heads
from synparse.trees.trivial import TRIVIAL_PARSERS


def parse(name, count, seed=0):
    scores = TRIVIAL_PARSERS[name](count, Random(seed))
    spans = unbiased_spans(scores.distances)
    return spans, joint_heads(spans, scores.heights)


def test_right_branching():
    assert parse("right-branching", 4) == ([(0, 4), (1, 4), (2, 4)], (0, 1, 2, 3))


@pytest.mark.parametrize("name", ["left-branching", "chain"])
def test_left_branching_and_the_chain_of_next_words(name):
    assert parse(name, 4) == ([(0, 4), (0, 3), (0, 2)], (2, 3, 4, 0))


def test_balanced_puts_the_odd_word_on_the_left():
    assert parse("balanced", 5)[0] == [(0, 5), (0, 3), (0, 2), (3, 5)]


def test_random_is_seeded():
    assert parse("random", 20, 1) == parse("random", 20, 1)
    assert parse("random", 20, 1) != parse("random", 20, 2)


@pytest.mark.parametrize("name", list(TRIVIAL_PARSERS))
@pytest.mark.parametrize("count", [1, 2, 3, 50])
def test_every_length_gives_a_projective_tree(name, count):
    spans, heads = parse(name, count)
    assert len(spans) == max(1, count - 1)
    assert len(heads) == count
    assert is_projective(heads)
