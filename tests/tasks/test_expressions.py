import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from synparse.tasks import TASKS
from synparse.tasks.expressions import Expression, format_example, parenthesised, read_examples, slots_needed
from synparse.tasks.listops import Limits, generate
from synparse.trees.errors import DataError


def heights_of(tree):
    """Heights of the split points of a nested pair, the slow way, and the tree's own height."""
    if isinstance(tree, str):
        return [], 0
    (left, left_height), (right, right_height) = map(heights_of, tree)
    height = 1 + max(left_height, right_height)
    return [*left, height, *right], height


def words_of(tree):
    return [tree] if isinstance(tree, str) else [*words_of(tree[0]), *words_of(tree[1])]


def written(tree):
    return tree if isinstance(tree, str) else f"( {written(tree[0])} {written(tree[1])} )"


def needed(tree):
    """A right child is read while its left sibling waits."""
    return 0 if isinstance(tree, str) else max(needed(tree[0]), 1 + needed(tree[1]))


trees = st.recursive(st.sampled_from("abc"), lambda child: st.tuples(child, child), max_leaves=20)


def expression_of(tree):
    words = words_of(tree)
    return Expression(tuple(words), tuple(range(len(words))), tuple(heights_of(tree)[0]), 0, 0)


@given(trees)
def test_heights_are_the_tree(tree):
    assert parenthesised(expression_of(tree)) == written(tree)


def spans_of(tree, start=0):
    """Where a nested pair ends, the places of its leaves, which are the words but c, and its spans of two leaves or
    more as sets of these."""
    if isinstance(tree, str):
        return start + 1, set() if tree == "c" else {start}, set()
    middle, left, within_left = spans_of(tree[0], start)
    end, right, within_right = spans_of(tree[1], middle)
    both = left | right
    return end, both, within_left | within_right | ({frozenset(both)} if len(both) > 1 else set())


@given(trees)
def test_spans_of_leaves_are_what_is_left_of_a_tree_over_all_words(tree):
    _, positions, expected = spans_of(tree)
    assume(positions)
    leaves = tuple(sorted(positions))
    expression = Expression(tuple(words_of(tree)), leaves, (0,) * (len(leaves) - 1), 0, 0)
    induced = expression.induced_spans(heights_of(tree)[0])
    assert induced[0] == (0, len(leaves))
    if len(leaves) > 1:
        assert {frozenset(leaves[start:end]) for start, end in induced} == expected


@given(trees)
def test_the_slots_that_are_needed_are_the_left_siblings_that_wait(tree):
    assert slots_needed(expression_of(tree)) == max(1, needed(tree))


def test_slots_of_extreme_trees():
    left, right = "x", "x"
    for _ in range(9):
        left, right = (left, "x"), ("x", right)
    assert [slots_needed(expression_of(tree)) for tree in ("x", left, right)] == [1, 1, 9]


def test_what_is_written_is_read(file):
    listops = TASKS["listops"]
    examples = list(generate(Limits(max_length=40), 200, seed=1))
    path = file("".join(format_example(listops, example) for example in examples))
    assert list(read_examples(listops, [path])) == examples


@pytest.mark.parametrize(
    ("task", "text", "message"),
    [
        ("listops", "9\t[MAX 2 9 ]\n3\t[MAXX 1 3 ]\n", "data:2: unknown operator '[MAXX'; there are [MAX, [MED"),
        ("listops", "9\t[MAX 2 9\n", "data:1: the list [MAX is never closed"),
        ("listops", "\n9\t[MAX 2 9 ] ]\n", "data:2: the expression ended before ']'"),
        ("listops", "9\t]\n", "a list is closed that was not opened"),
        ("listops", "9\t[MAX ]\n", "a list without arguments: [MAX ]"),
        ("listops", "9\tnine\n", "unknown word 'nine'"),
        ("listops", "8\t[MAX 2 9 ]\n", "the value is 9, not '8'"),
        ("listops", "8\t\n", "there is no expression"),
        ("listops", "8\n", "1 columns where ListOps has 2"),
        ("listops", "\n", "data: there are no examples"),
        ("logic", "#\ta\tb\n#\ta\tg\n", "data:2: unknown word 'g'"),
        ("logic", "<\ta\tb\n", "the relation is #, not '<'"),
        ("logic", "#\ta\t( not ( not b )\n", "a bracket is never closed"),
        ("logic", "#\ta\tnot b )\n", "a bracket is closed that was not opened"),
        ("logic", "#\ta\t( a b )\n", "a bracket holds neither"),
        ("logic", "#\ta\t( not ( and b ) )\n", "a bracket holds neither"),
        ("logic", "#\ta\t( a ( not b ) )\n", "a bracket holds neither"),
        ("logic", "#\ta\t( not )\n", "a bracket holds neither"),
        ("logic", "#\ta\ta b\n", "not one formula"),
        ("logic", "#\ta\t( and b )\n", "not one formula"),
        ("logic", "#\ta\t\n", "not one formula: ''"),
        ("logic", "#\ta\n", "2 columns where logic has 3"),
        ("logic", "#\ta\t( b ( and ( not b ) ) )\n", "always true or always false"),
    ],
)
def test_a_bad_line_is_told_in_one(file, task, text, message):
    with pytest.raises(DataError) as caught:
        list(read_examples(TASKS[task], [file(text)]))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_expression_that_the_slots_cannot_hold_is_told(file):
    path = file("1\t[MAX 1 0 ]\n1\t[MAX 0 [MIN 1 [MED 2 1 ] ] ]\n")
    assert len(list(read_examples(TASKS["listops"], [path], most_slots=3))) == 2
    with pytest.raises(DataError, match=r"data:2: an expression needs 3 slots, but the model has 2"):
        list(read_examples(TASKS["listops"], [path], most_slots=2))


def test_examples_come_one_by_one(file):
    path = file("1\t[MAX 1 0 ]\nbroken\n")
    assert len(list(itertools.islice(read_examples(TASKS["listops"], [path]), 1))) == 1
