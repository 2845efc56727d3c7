"""What the models of a parser say of a chunk, added up: on scores that are written down here."""

import numpy as np
import pytest

from synparse.corpora.normalization import TextConfig
from synparse.parsing.score_sums import Task, adds_heads, summed_scores, task_of
from synparse.parsing.scorers import Member, Scores
from synparse.trees.averaging import normalized_scores
from synparse.trees.distances import unbiased_spans
from synparse.trees.phrase_boundaries import BoundaryScores, phrase_scores, unbroken_phrase_scores
from synparse.trees.punctuation_cues import arc_costs, broken_costs, cues_of, distances_with_cues
from synparse.trees.span_probabilities import unbiased_span_probabilities

WORDS = ["the", "dog", "sees", "it"]
CUES = cues_of(["the", "dog", ",", "sees", "it"], [True, True, False, True, True])
HEADS = np.log(np.random.default_rng(1).dirichlet(np.ones(4), 4))
BOUNDARIES = BoundaryScores(*np.log(np.random.default_rng(2).uniform(size=(2, 4))))
BY_DISTANCES = Scores([0.5, 2.0, 1.0], head_scores=HEADS)
BY_BOUNDARIES = Scores(head_scores=HEADS[::-1].copy(), boundaries=BOUNDARIES)


def member(scores, **changes):
    """A model that says this of each sentence."""

    def score(sentences, with_heads):
        return [scores if with_heads else scores._replace(head_scores=None) for _ in sentences]

    kind = {
        "gives_distances": scores.distances is not None,
        "has_boundaries": scores.boundaries is not None,
        "gives_heights": False,
    }
    return Member(TextConfig(), "student", score, **{**kind, **changes})


def total_of(members, tree_decoder, head_decoder, cues=None, one_tree=False):
    tasks = [task_of(one, tree_decoder, head_decoder) for one in members]
    chunks = [[WORDS]] * len(members)
    [total] = summed_scores(tasks, [], chunks, cues and [cues], head_decoder, one_tree)
    return total


def test_a_model_is_asked_for_what_it_has():
    student, udgn = member(BY_DISTANCES), member(BY_BOUNDARIES)
    assert task_of(student, "splits", "mst") == Task(student, "splits", with_heads=True)
    assert task_of(student, "grammar", "grammar") == Task(student, "splits", with_heads=True, with_splits=True)
    assert task_of(student, "boundaries", "boundaries") == Task(student, "unbiased", with_heads=True)
    assert task_of(udgn, "splits", "boundaries") == Task(udgn, "boundaries", with_heads=True, with_boundaries=True)
    assert task_of(udgn, "grammar", "grammar") == Task(udgn, "boundaries", with_heads=True)
    assert task_of(student, None, None) == Task(student, None, with_heads=False)
    # Phrases for heads come only from models with heads, and grammars speak for the models that taught them.
    assert not task_of(student._replace(for_heads=False), "grammar", "grammar").with_splits
    assert not task_of(student._replace(has_dependencies=True), "grammar", "grammar").with_splits
    assert not task_of(student._replace(model="balanced"), "grammar", "grammar").with_splits


def test_heads_count_once():
    student = member(BY_DISTANCES)
    assert adds_heads(Task(student, None, with_heads=True), "grammar")
    assert not adds_heads(Task(student, None, with_heads=True, taught=0), "grammar")  # as evidence
    assert adds_heads(Task(student, None, with_heads=True, taught=0), "phrases")
    assert not adds_heads(Task(student, None, with_heads=True), "dbm")
    assert not adds_heads(Task(student, None, with_heads=False), "mst")


def test_splits_and_boundaries_are_added_up_each_by_themselves():
    members = [member(BY_DISTANCES), member(BY_BOUNDARIES), member(BY_DISTANCES)]
    total = total_of(members, "splits", "phrases")
    assert total.trees == ["grammar", "boundaries", "grammar"]
    assert set(total.span_scores) == {"grammar", "boundaries"}
    probabilities = unbiased_span_probabilities(BY_DISTANCES.distances)
    np.testing.assert_allclose(total.span_scores["grammar"], 2 * probabilities)
    expected = phrase_scores(BOUNDARIES, None, BY_BOUNDARIES.head_scores)
    np.testing.assert_allclose(total.span_scores["boundaries"], expected)
    logs = [normalized_scores(one.head_scores) for one in (BY_DISTANCES, BY_BOUNDARIES, BY_DISTANCES)]
    np.testing.assert_allclose(total.head_scores, sum(logs))
    assert total_of(members, "unbiased", None).trees == [
        list(unbiased_spans(BY_DISTANCES.distances)),
        "boundaries",
        list(unbiased_spans(BY_DISTANCES.distances)),
    ]


@pytest.mark.parametrize("cues", [None, CUES])
def test_phrases_of_heads_are_added_up_where_they_are_not_those_of_the_brackets(cues):
    members = [member(BY_DISTANCES), member(BY_BOUNDARIES)]
    distances, costs, arcs = BY_DISTANCES.distances, 0.0, 0.0
    if cues is not None:
        distances, costs, arcs = distances_with_cues(distances, cues), broken_costs(cues), arc_costs(cues, 4)
    probabilities = unbiased_span_probabilities(distances)
    for tree_decoder in (None, "splits"):
        by_splits = total_of(members, tree_decoder, "grammar", cues)
        np.testing.assert_allclose(by_splits.head_span_scores, probabilities)
        by_boundaries = total_of(members, tree_decoder, "boundaries", cues)
        expected = unbroken_phrase_scores(BOUNDARIES, cues, BY_BOUNDARIES.head_scores - arcs) - costs
        np.testing.assert_allclose(by_boundaries.head_span_scores, expected)
    shared = total_of(members, "grammar", "grammar", cues, one_tree=True)
    assert shared.head_span_scores == 0.0
    np.testing.assert_allclose(shared.span_scores["grammar"], probabilities)


def test_a_model_without_anything_to_add_is_not_run():
    def refuse(*_):
        raise AssertionError

    silent = member(BY_DISTANCES)._replace(score=refuse, for_heads=False, for_brackets=False)
    total = total_of([silent, member(BY_DISTANCES)], "splits", "mst")
    assert total.trees == ["grammar"]
    assert total.distances == BY_DISTANCES.distances
