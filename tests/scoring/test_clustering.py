from collections import Counter
from math import log2

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from synparse.scoring.clustering import clustering_scores, many_to_one


def scored(induced, gold):
    """The scores of the classes of things, given in the same order."""
    return clustering_scores(Counter(zip(induced, gold, strict=True)))


def test_hand_worked_scores():
    # Gold N N N V V V D D; class a holds N N N V, b holds V V, c holds D D: 3 + 2 + 2 of 8 are right.
    scores = scored("aaaabbcc", "NNNVVVDD")
    gold = -(3 / 8 * log2(3 / 8) * 2 + 2 / 8 * log2(2 / 8))
    gold_in_classes = 4 / 8 * -(3 / 4 * log2(3 / 4) + 1 / 4 * log2(1 / 4))
    classes = 4 / 8 * 1 + 2 / 8 * 2 * 2
    classes_in_gold = 3 / 8 * -(1 / 3 * log2(1 / 3) + 2 / 3 * log2(2 / 3))
    homogeneity, completeness = 1 - gold_in_classes / gold, 1 - classes_in_gold / classes
    assert scores == pytest.approx(
        {
            "many_to_one": 7 / 8,
            "v_measure": 2 * homogeneity * completeness / (homogeneity + completeness),
            "homogeneity": homogeneity,
            "completeness": completeness,
        }
    )


def test_a_class_of_its_own_for_everything_one_for_all_and_nothing():
    assert scored("abcd", "NNVV") == {
        "many_to_one": 1, "v_measure": pytest.approx(2 / 3), "homogeneity": 1, "completeness": 0.5,
    }  # fmt: skip
    assert scored("aaaa", "NNNV") == {"many_to_one": 0.75, "v_measure": 0, "homogeneity": 0, "completeness": 1}
    assert scored("aaaa", "NNNN") == {"many_to_one": 1, "v_measure": 1, "homogeneity": 1, "completeness": 1}
    assert set(scored("", "").values()) == {None}


def test_of_equal_gold_classes_the_frequent_one_then_the_first_is_taken():
    pairs = Counter(zip("aabbcc", "VNVDNN", strict=True))  # a: V N, b: V D, c: N N; N is thrice there, V twice, D once
    assert many_to_one(pairs) == {"a": "N", "b": "V", "c": "N"}
    assert many_to_one({("a", "V"): 1, ("a", "D"): 1}) == {"a": "D"}


things = st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from("NVDP")), min_size=1, max_size=30)


@given(things)
def test_entropies_are_those_of_scipy(pairs):
    counts = Counter(pairs)
    scores = clustering_scores(counts)
    for key, this, other in (("homogeneity", 1, 0), ("completeness", 0, 1)):
        whole = scipy.stats.entropy(list(Counter(pair[this] for pair in pairs).values()))
        condition = scipy.stats.entropy(list(Counter(pair[other] for pair in pairs).values()))
        given_condition = scipy.stats.entropy(list(counts.values())) - condition
        assert scores[key] == pytest.approx(1 - given_condition / whole if whole else 1, abs=1e-9)


@given(things, st.permutations("abcde"), st.randoms())
def test_names_and_order_do_not_matter(pairs, names, source):
    renamed = [(names["abcde".index(induced)], gold) for induced, gold in pairs]
    source.shuffle(renamed)
    assert clustering_scores(Counter(renamed)) == clustering_scores(Counter(pairs))
    mapping = many_to_one(Counter(pairs))
    assert many_to_one(Counter(renamed)) == {names["abcde".index(cluster)]: gold for cluster, gold in mapping.items()}


@given(things)
def test_the_mapping_is_the_best_that_there_is(pairs):
    counts = Counter(pairs)
    right = sum(max(counts[induced, gold] for gold in "NVDP") for induced in "abcde")
    assert clustering_scores(counts)["many_to_one"] == right / len(pairs)
