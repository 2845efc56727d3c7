from collections import Counter

import pytest

from synparse.scoring.dependencies import TreePair
from synparse.scoring.relations import Arc, RelationTally, cluster_scores, frequency_classes, trivial_relations

WORDS = ("the", "old", "dog", "saw", "it")
HEADS = (3, 3, 4, 0, 4)
GOLD = ("det", "amod", "nsubj:outer", "root", "obj")


def tally_of(heads, predicted, names="full", gold=GOLD, root="word", keeps_arcs=False):
    tally = RelationTally(names, root, keeps_arcs)
    tally.add(WORDS, TreePair(HEADS, heads, gold, predicted))
    return tally


def test_relations_count_where_the_head_is_right_and_roots_where_they_are_found():
    # The head of "it" is wrong; a stands for det (first in the alphabet: amod), b for nsubj.
    scores = tally_of((3, 3, 4, 0, 3), ("a", "a", "b", "root", "b")).scores()
    assert scores["relation_many_to_one"] == pytest.approx(2 / 3)
    assert scores["relation_completeness"] == 1
    assert scores["relation_las"] == pytest.approx(3 / 5)  # one of det and amod, nsubj, the root
    scores = tally_of((3, 3, 0, 3, 4), ("a", "a", "b", "c", "b")).scores()
    assert scores["relation_las"] == pytest.approx(2 / 5)  # the root is not found; b stands for obj


@pytest.mark.parametrize(("root", "las"), [("word", 1), ("omit", 1), ("wrong", 4 / 5)])
def test_the_root_counts_as_in_other_attachment_scores(root, las):
    assert tally_of(HEADS, ("a", "b", "c", "root", "d"), root=root).scores()["relation_las"] == las


def test_all_right_and_nothing_to_score():
    scores = tally_of(HEADS, ("a", "b", "c", "root", "d")).scores()
    assert set(scores.values()) == {1}
    assert set(tally_of(HEADS, GOLD, gold=("_",) * 5).scores().values()) == {None}
    assert tally_of((2, 0, 2, 3, 2), GOLD).scores()["relation_las"] == 0


def test_subtypes_are_kept_or_cut():
    gold = ("det", "det", "nsubj", "root", "nsubj:pass")
    full = tally_of(HEADS, ("a", "a", "b", "root", "b"), gold=gold).scores()
    universal = tally_of(HEADS, ("a", "a", "b", "root", "b"), "universal", gold=gold).scores()
    assert (full["relation_many_to_one"], universal["relation_many_to_one"]) == (0.75, 1)


def test_trivial_relations_stand_beside_the_induced_ones():
    table = tally_of(HEADS, ("a", "a", "b", "root", "b"), keeps_arcs=True).table()
    assert list(table.rows) == [
        "induced", "random", "direction", "frequency", "frequencies", "direction and frequency"
    ]  # fmt: skip
    # Two clusters for all: left of the head are det, amod and nsubj, right of it is obj.
    assert table.rows["induced"]["clusters"] == 2
    by_hand = Counter({("l", "det"): 1, ("l", "amod"): 1, ("l", "nsubj:outer"): 1, ("r", "obj"): 1})
    assert table.rows["direction"] == pytest.approx(cluster_scores(by_hand))


def test_trivial_relations_have_as_many_clusters_as_are_asked_for():
    arcs = [Arc(f"d{n % 40}", f"h{n % 25}", n % 19 - 9 or 10) for n in range(2000)]
    relations = trivial_relations(arcs, 12)
    assert {name: len(set(clusters)) for name, clusters in relations.items()} == dict.fromkeys(relations, 12)
    assert relations == trivial_relations(arcs, 12)
    assert relations["random"] != trivial_relations(arcs, 12, seed=2)["random"]
    assert relations["direction"][:2] == ["right 6", "right 6"]
    assert all(len(set(clusters)) == 1 for clusters in trivial_relations(arcs, 1).values())
    assert set(map(tuple, trivial_relations([], 4).values())) == {()}


def test_frequency_classes_have_about_as_many_occurrences_each():
    forms = [f"w{number}" for number in range(1, 101) for _ in range(number)]
    sizes = Counter(frequency_classes(forms, 5))
    assert sorted(sizes) == [0, 1, 2, 3, 4]
    assert all(abs(size - len(forms) / 5) <= 100 for size in sizes.values())
    assert frequency_classes(forms, 5)[-1] == 0  # the most frequent form
