"""Induced labels and tags against gold ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.scoring.brackets import KeptTree
from synparse.scoring.categories import LabelTally, TagTally, category_rules, kept_tags, topmost_labels
from synparse.scoring.comparison import Wanted
from synparse.trees.brackets import read_brackets
from synparse.trees.constituency import ConstituencyTree, Constituent, pre_order
from synparse.trees.distances import unbiased_spans
from synparse.trees.scored_words import kept_leaves
from synparse.trees.spans import sentence_spans


def tree(brackets):
    [(_, parsed)] = read_brackets([brackets], "text")
    return KeptTree(parsed, kept_leaves(parsed))


def tallied(*pairs):
    tally = LabelTally()
    for gold, predicted in pairs:
        tally.add(gold, predicted)
    return tally


def test_the_topmost_label_of_a_span_over_the_scored_words():
    sentence = tree("(ROOT (S (S (NP-SBJ (DT the) (NN dog) (, ,)) (VP (VP (VBD ran) (ADVP (RB home))))) (. .)))")
    assert topmost_labels(sentence) == {(0, 2): "NP-SBJ", (2, 4): "VP"}
    assert topmost_labels(tree("(S (NN a) ( (VP (NN b) (NN c))))")) == {(1, 3): "VP"}
    assert topmost_labels(tree("(S (NP (NN a)) (NN b))")) == {}


def test_hand_worked_labels():
    # Six gold constituents: NP NP NP VP VP PP. Predicted are eight, five of them gold: as 1, NP NP VP; as 2, VP PP.
    gold = {(0, 2): "NP-SBJ", (2, 4): "NP", (4, 6): "NP=2", (6, 9): "VP", (9, 12): "VP", (12, 15): "PP-LOC-1"}
    predicted = {(0, 2): "1", (2, 4): "1", (6, 9): "1", (9, 12): "2", (12, 15): "2", **dict.fromkeys([(0, 3)], "1")}
    predicted |= {(5, 8): "2", (4, 7): "3"}
    scores = tallied((gold, predicted)).scores()
    # 1 stands for NP, 2 for VP (as frequent as PP there, but more frequent in all): 3 of 5 are right.
    assert scores["label_many_to_one"] == pytest.approx(3 / 5)
    assert scores["labelled_f1"] == pytest.approx(2 * 3 / (6 + 8))
    table = tallied((gold, predicted)).table()
    assert (table.name, table.key) == ("topmost_label", "topmost gold label")
    assert table.rows == {
        "NP": {"gold": 3, "matched": 2, "recall": 2 / 3, "labelled": 2, "labelled_recall": 2 / 3},
        "VP": {"gold": 2, "matched": 2, "recall": 1, "labelled": 1, "labelled_recall": 1 / 2},
        "PP": {"gold": 1, "matched": 1, "recall": 1, "labelled": 0, "labelled_recall": 0},
    }


def test_nothing_to_score_is_none_and_not_zero():
    assert set(LabelTally().scores().values()) == set(TagTally().scores().values()) == {None}
    assert LabelTally().table().rows == {}
    scores = tallied(({(0, 2): "NP"}, {(1, 3): "1"})).scores()
    assert (scores["label_many_to_one"], scores["label_v_measure"], scores["labelled_f1"]) == (None, None, 0)


def test_tags_of_the_scored_words():
    gold, predicted = tree("(S (DT the) (NN dog) (VBD ran) (, ,) (_ on) (. .))"), tree("(X the dog ran , on .)")
    assert list(kept_tags(gold)) == ["DT", "NN", "VBD", ""]
    tally = TagTally()
    tally.add(kept_tags(gold), ["C1", "C2", "C1", "C3"])  # "on" has no gold tag
    assert tally.scores()["tag_many_to_one"] == pytest.approx(2 / 3)
    untagged = TagTally()
    untagged.add(kept_tags(gold), kept_tags(KeptTree(predicted.tree, gold.kept)))
    assert untagged.scores() == {
        "tag_many_to_one": pytest.approx(1 / 3), "tag_v_measure": 0, "tag_homogeneity": 0, "tag_completeness": 1,
    }  # fmt: skip


def test_what_is_scored_is_said():
    assert category_rules(Wanted()) == ""
    assert "topmost" not in category_rules(Wanted(tags="upos"))
    assert category_rules(Wanted(labels=True, tags="upos")).count("Rosenberg and Hirschberg") == 1


@st.composite
def trees(draw):
    """A binary tree over words of which some are not scored, some constituents with two labels."""
    distances = draw(st.lists(st.floats(0, 1), min_size=1, max_size=8))
    names = st.lists(st.sampled_from(["NP", "VP-X", "PP", ""]), min_size=1, max_size=2)
    brackets = [
        Constituent(label, start, end)
        for start, end in pre_order(unbiased_spans(distances))
        for label in draw(names)  #
    ]
    count = len(distances) + 1
    kept = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    return KeptTree(ConstituencyTree(("w",) * count, ("",) * count, tuple(brackets)), kept)


@given(trees())
def test_spans_are_those_of_uf1(tree):
    assert topmost_labels(tree).keys() == sentence_spans(*tree)


@given(st.lists(st.tuples(trees(), trees()), max_size=4), st.permutations(["NP", "VP-X", "PP", ""]))
def test_labelled_f1_is_f1_times_many_to_one_and_names_do_not_matter(pairs, names):
    labels = [(topmost_labels(gold), topmost_labels(predicted)) for gold, predicted in pairs]
    tally = tallied(*labels)
    matched = sum(len(gold.keys() & predicted.keys()) for gold, predicted in labels)
    count = sum(len(gold) + len(predicted) for gold, predicted in labels)
    scores, rows = tally.scores(), tally.table().rows.values()
    assert scores["labelled_f1"] == (
        pytest.approx(2 * matched / count * (scores["label_many_to_one"] or 0)) if count else None
    )
    assert sum(row["matched"] for row in rows) == matched
    assert sum(2 * row["labelled"] for row in rows) == pytest.approx((scores["labelled_f1"] or 0) * count)
    others = dict(zip(["NP", "VP-X", "PP", ""], names, strict=True))
    renamed = tallied(
        *((gold, {span: others[label] for span, label in predicted.items()}) for gold, predicted in labels)
    )
    assert (renamed.scores(), renamed.table()) == (scores, tally.table())
