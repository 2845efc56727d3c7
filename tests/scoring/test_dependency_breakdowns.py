from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.scoring.dependencies import (
    ROOT_RULES,
    DependencyCounts,
    TreePair,
    count_outcomes,
    score_tree,
    word_outcomes,
)
from synparse.scoring.dependency_breakdowns import (
    BREAKDOWNS,
    add_to_tallies,
    depths,
    directions,
    lengths,
    new_tallies,
    rows_of_tallies,
)


def rows(pairs, root="word"):
    tallies = new_tallies()
    for pair in pairs:
        add_to_tallies(tallies, pair, word_outcomes(pair, root))
    return rows_of_tallies(tallies)


def test_the_keys_of_a_hand_worked_sentence():
    heads = (2, 9, 2, 3, 3, 9, 9, 9, 0, 1)
    assert lengths(heads) == ["1", "7+", "1", "1", "2", "3", "2", "1", "root", "7+"]
    assert directions(heads) == [
        *("head right", "head right", "head left", "head left", "head left"),
        *("head right", "head right", "head right", "root", "head left"),
    ]
    assert depths(heads) == ["2", "1", "2", "3", "3", "1", "1", "1", "0", "3"]


def test_a_chain_reaches_every_bucket():
    chain = tuple(range(9))
    assert depths(chain) == ["0", "1", "2", "3", "4-6", "4-6", "4-6", "7+", "7+"]
    star = (0, *[1] * 9)
    assert lengths(star) == ["root", "1", "2", "3", "4-6", "4-6", "4-6", "7+", "7+", "7+"]


def test_a_tree_of_any_depth():
    assert depths(range(50_000))[-1] == "7+"


# the ← dog ← barked (root) → loudly; predicted: dog → the, loudly wrong, the root found
PAIR = TreePair(
    gold=(2, 3, 0, 3),
    predicted=(2, 1, 0, 2),
    gold_relations=("det", "nsubj", "root", "advmod"),
    predicted_relations=("det", "nsubj", "root", "obl"),
    tags=("DET", "NOUN", "VERB", "ADV"),
)
RIGHT = DependencyCounts(words=1, attached=1, connected=1, neutral=1, labelled=1)
WRONG = DependencyCounts(words=1, attached=0, connected=0, neutral=0, labelled=0)
CHILD = DependencyCounts(words=1, attached=0, connected=0, neutral=1, labelled=0)  # its head is its gold child


def test_every_breakdown_of_a_hand_worked_sentence():
    assert rows([PAIR]) == {
        "relation": {"advmod": WRONG, "det": RIGHT, "nsubj": CHILD, "root": RIGHT},
        "part_of_speech": {"ADV": WRONG, "DET": RIGHT, "NOUN": CHILD, "VERB": RIGHT},
        "length": {"root": RIGHT, "1": RIGHT + CHILD + WRONG},
        "predicted_length": {"root": RIGHT, "1": RIGHT + CHILD, "2": WRONG},
        "direction": {"root": RIGHT, "head left": WRONG, "head right": RIGHT + CHILD},
        "predicted_direction": {"root": RIGHT, "head left": CHILD + WRONG, "head right": RIGHT},
        "distance_to_root": {"0": RIGHT, "1": CHILD + WRONG, "2": RIGHT},
        "sentence_length": {"1-10": RIGHT + CHILD + WRONG + RIGHT},
    }


def test_rows_stand_in_order():
    pairs = [TreePair(heads, heads, ["x"] * len(heads)) for heads in [tuple(range(45)), tuple(range(12)), (0,)]]
    result = rows([*pairs, TreePair((0,), (0,), ["a"]), TreePair((0,), (0,), ["b"])])
    assert list(result["relation"]) == ["x", "a", "b"]  # by frequency, then by name
    assert list(result["distance_to_root"]) == ["0", "1", "2", "3", "4-6", "7+"]
    assert list(result["sentence_length"]) == ["1-10", "11-20", "41+"]


def test_a_column_that_gold_leaves_empty_has_no_breakdown():
    assert rows([PAIR._replace(tags=())]).keys() == BREAKDOWNS.keys() - {"part_of_speech"}
    assert "relation" not in rows([PAIR._replace(gold_relations=("_",) * 4)])


@st.composite
def pairs(draw):
    """A gold tree and any heads over as many words, an arg-max's cycles included."""
    count = draw(st.integers(1, 12))
    order = draw(st.permutations(range(1, count + 1)))
    gold = [0] * count
    for rank, word in enumerate(order):
        gold[word - 1] = order[draw(st.integers(0, rank - 1))] if rank else 0
    predicted = draw(st.lists(st.integers(0, count), min_size=count, max_size=count))
    labels = st.lists(st.sampled_from(["nsubj", "obj", "det"]), min_size=count, max_size=count)
    return TreePair(gold, predicted, draw(labels), draw(labels), draw(labels))


@pytest.mark.parametrize("root", ROOT_RULES)
@given(pairs=st.lists(pairs(), min_size=1, max_size=4))
def test_the_rows_of_every_breakdown_add_up_to_the_whole(root, pairs):
    whole = sum((count_outcomes(Counter(word_outcomes(pair, root))) for pair in pairs), DependencyCounts())
    for table in rows(pairs, root).values():
        assert sum(table.values(), DependencyCounts()) == whole


@given(st.lists(pairs(), min_size=1, max_size=4))
def test_root_accuracy_is_the_row_of_the_root(pairs):
    trees = [score_tree(pair, word_outcomes(pair)) for pair in pairs]
    row = rows(pairs)["length"]["root"]
    assert (row.words, row.attached) == (sum(tree.roots for tree in trees), sum(tree.right_roots for tree in trees))
    assert row == rows(pairs)["direction"]["root"] == rows(pairs)["distance_to_root"]["0"]
