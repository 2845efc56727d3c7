from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.trees.dependency import is_projective
from synparse.trees.distances import unbiased_spans
from synparse.trees.heads import joint_heads
from synparse.trees.trivial import TRIVIAL_PARSERS


def parse(name, count, seed=0):
    return parse_words(name, [False] * count, seed)


def parse_words(name, is_function, seed=0):
    scores = TRIVIAL_PARSERS[name](is_function, Random(seed))
    spans = unbiased_spans(scores.distances)
    return spans, joint_heads(spans, scores.heights)


def test_right_branching():
    assert parse("right-branching", 4) == ([(0, 4), (1, 4), (2, 4)], (0, 1, 2, 3))


@pytest.mark.parametrize("name", ["left-branching", "chain"])
def test_left_branching_and_the_chain_of_next_words(name):
    assert parse(name, 4) == ([(0, 4), (0, 3), (0, 2)], (2, 3, 4, 0))


def test_balanced_puts_the_odd_word_on_the_left():
    assert parse("balanced", 5)[0] == [(0, 5), (0, 3), (0, 2), (3, 5)]


def words(pattern):
    """c: a content word, f: a function word."""
    return [word == "f" for word in pattern]


@pytest.mark.parametrize(
    ("pattern", "heads"),
    [
        ("ccc", (2, 3, 0)),
        ("fcfcc", (2, 4, 4, 5, 0)),  # the dog will bark loudly
        ("ffcfffc", (3, 3, 7, 7, 7, 7, 0)),
        ("cfcff", (3, 3, 0, 3, 3)),  # function words at the end depend on the last content word
        ("cff", (0, 1, 1)),
        ("ffc", (3, 3, 0)),
        ("c", (0,)),
        ("f", (0,)),
        ("fff", (2, 3, 0)),  # no content word: the chain
    ],
)
def test_the_chain_of_content_words_and_back(pattern, heads):
    assert parse_words("content-chain", words(pattern))[1] == heads
    count = len(pattern)
    mirrored = tuple(count + 1 - head if head else 0 for head in reversed(heads))
    assert parse_words("content-chain-back", words(pattern[::-1]))[1] == mirrored


def test_brackets_of_the_chain_of_content_words():
    # ((((the dog) (will bark)) loudly) too)
    assert set(parse_words("content-chain", words("fcfccf"))[0]) == {(0, 6), (0, 5), (0, 4), (0, 2), (2, 4)}
    # (first (the (dog barked))) reads from right to left
    assert set(parse_words("content-chain-back", words("fcfc"))[0]) == {(0, 4), (1, 4), (1, 3)}


@given(st.lists(st.booleans(), min_size=1, max_size=30))
def test_content_chains_are_what_they_say(is_function):
    content = [place for place, function in enumerate(is_function, 1) if not function]
    content = content or list(range(1, len(is_function) + 1))
    _, heads = parse_words("content-chain", is_function)
    for place, head in enumerate(heads, 1):
        following = [other for other in content if other > place]
        assert head == (following[0] if following else 0 if place == content[-1] else content[-1])


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
