from hypothesis import given
from hypothesis import strategies as st

from synparse.drawing.differences import other_heads, other_spans
from synparse.trees.constituency import induced_tree
from synparse.trees.dependency import DependencyTree
from tests.trees.written import tree

GOLD = tree("(ROOT (S (NP (DT the) (NN dog)) (, ,) (VP (VBD saw) (NP (PRP it))) (. .)))")


def test_spans_that_the_other_does_not_have():
    predicted = tree("(X (X the (X dog (X , saw))) it .)")
    assert other_spans(predicted, GOLD) == {(0, 4), (1, 4)}
    assert other_spans(GOLD, predicted) == {(0, 2), (3, 5)}


def test_a_span_with_punctuation_more_is_the_same():
    assert other_spans(tree("(X (X (X the dog) ,) (X saw it) .)"), GOLD) == frozenset()


def test_punctuation_may_be_missing_on_either_side():
    predicted = tree("(X the (X dog (X saw it)))")
    assert other_spans(predicted, GOLD) == {(1, 4)}
    assert other_spans(GOLD, predicted) == {(0, 2)}


def test_other_words_are_not_compared():
    assert other_spans(tree("(X (X a b) c)"), GOLD) == frozenset()
    assert other_heads(DependencyTree(("a", "b"), (0, 1)), DependencyTree(("a",), (0,))) == frozenset()


def test_heads_that_the_other_does_not_have():
    words = ("the", "dog", ",", "saw", "it")
    gold = DependencyTree(words, (2, 4, 4, 0, 4))
    assert other_heads(gold, DependencyTree(words, (2, 4, 2, 0, 4))) == frozenset()
    # "it" depends on the comma, which depends on "dog"; so does "the", rightly
    assert other_heads(DependencyTree(words, (3, 4, 2, 0, 3)), gold) == {5}
    # without the comma the words count 1 to 4, and what is marked is counted in the tree that is drawn
    assert other_heads(gold, DependencyTree(("the", "dog", "saw", "it"), (2, 3, 0, 2))) == {5}


@given(st.lists(st.sampled_from(["a", ",", "b"]), min_size=1, max_size=8), st.randoms())
def test_nothing_differs_from_itself(words, source):
    heads = [0] + [source.randint(1, position) for position in range(1, len(words))]
    tree = DependencyTree(tuple(words), tuple(heads))
    assert other_heads(tree, tree) == frozenset()
    spans = {(0, len(words)), (0, source.randint(1, len(words)))}
    constituents = induced_tree(words, spans)
    assert other_spans(constituents, constituents) == frozenset()
