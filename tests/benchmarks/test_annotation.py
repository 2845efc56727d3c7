"""The annotator that gold trees stand in for, by hand."""

import pytest

from benchmarks.annotation import changes
from synparse.trees.conllu import read_conllu


def sentences(*heads_of_each):
    lines = []
    for heads in heads_of_each:
        lines += [f"{n}\tw{n}\t_\tX\t_\t_\t{head}\tdep\t_\t_\n" for n, head in enumerate(heads, 1)] + ["\n"]
    return list(read_conllu(lines, "gold"))


def test_right_drafts_are_not_changed():
    """The chain: each word's head is the next one."""
    gold = sentences((2, 3, 0), (2, 0))
    assert changes("chain", gold, False) == changes("chain", gold, True) == 0


@pytest.mark.parametrize(("heads", "wrong"), [((3, 3, 0), 1), ((0, 1, 2), 3), ((2, 0, 2), 2)])
def test_without_parsing_again_every_wrong_head_is_changed(heads, wrong):
    assert changes("chain", sentences(heads, (2, 0)), False) == wrong / 5


def test_what_is_checked_is_kept_and_the_rest_follows():
    """With the first word as the root of "w1 w2", the second one has no other head."""
    assert changes("chain", sentences((0, 1)), False) == 1
    assert changes("chain", sentences((0, 1)), True) == 1 / 2
