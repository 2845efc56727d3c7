"""What the models of a parser say of a chunk, added up: on scores that are written down here."""

import numpy as np
import pytest

from synparse.corpora.normalization import TextConfig
from synparse.parsing.chunks import Chunk
from synparse.parsing.options import Request
from synparse.parsing.score_sums import ParserGrammars, Role, planned, summed_scores
from synparse.parsing.scorers import BOUNDARIES, DEPENDENCIES, DISTANCES, HEAD_SCORES, SPLITS, Member, Scores
from synparse.trees.averaging import normalized_scores
from synparse.trees.distances import unbiased_spans
from synparse.trees.phrase_boundaries import BoundaryScores, unbroken_phrase_scores
from synparse.trees.punctuation_cues import arc_costs, broken_costs, cues_of, distances_with_cues
from synparse.trees.span_probabilities import unbiased_span_probabilities

WORDS = ["the", "dog", "sees", "it"]
CUES = cues_of(["the", "dog", ",", "sees", "it"], [True, True, False, True, True])
HEADS = np.log(np.random.default_rng(1).dirichlet(np.ones(4), 4))
OF_BOUNDARIES = BoundaryScores(*np.log(np.random.default_rng(2).uniform(size=(2, 4))))
BY_DISTANCES = Scores([0.5, 2.0, 1.0], head_scores=HEADS)
BY_BOUNDARIES = Scores(head_scores=HEADS[::-1].copy(), boundaries=OF_BOUNDARIES)


def member(scores, model="student"):
    """A model that says this of each sentence."""

    def score(sentences, with_heads):
        return [scores if with_heads else scores._replace(head_scores=None) for _ in sentences]

    kinds = {DISTANCES, SPLITS} if scores.distances is not None else set()
    kinds |= {BOUNDARIES} if scores.boundaries is not None else set()
    return Member(TextConfig(), model, score, frozenset(kinds | {HEAD_SCORES}))


STUDENT, UDGN = member(BY_DISTANCES), member(BY_BOUNDARIES)
BALANCED = STUDENT._replace(model="balanced", gives=frozenset((DISTANCES, HEAD_SCORES)))
WITH_GRAMMARS = UDGN._replace(gives=UDGN.gives | {DEPENDENCIES})
SET = ParserGrammars(None, (0,))


def role_of(model, brackets, heads):
    plan = planned([model], [], Request(brackets, heads))
    return plan.members[0]


def total_of(members, brackets, heads, cues=None):
    plan = planned(members, [], Request(brackets, heads))
    [total] = summed_scores(members, [], plan, [Chunk({TextConfig(): WORDS}, cues)])
    return total


def names(total):
    return [vote.chart_name or vote.spans for vote in total.votes]


def test_a_model_is_asked_for_what_it_has():
    assert role_of(STUDENT, "splits", "mst") == Role("splits", heads=True)
    assert role_of(STUDENT, "grammar", "grammar") == Role("splits", heads=True, phrases="splits")
    assert role_of(STUDENT, "boundaries", "boundaries") == Role("unbiased", heads=True)
    assert role_of(UDGN, "splits", "boundaries") == Role("boundaries", heads=True, phrases="boundaries")
    assert role_of(UDGN, "grammar", "grammar") == Role("boundaries", heads=True)
    assert role_of(STUDENT, None, None) == Role(None, heads=False)
    # Phrases for heads come only from models with heads, and of baselines, whose distances say nothing, from none.
    assert role_of(STUDENT._replace(for_heads=False), "grammar", "grammar").phrases is None
    assert role_of(BALANCED, "grammar", "grammar").phrases is None


def test_grammars_speak_for_the_models_that_they_learned_from():
    for request, model, of_set in (
        (Request("grammar", "grammar"), Role(None, heads=False), Role("grammar", heads=True, phrases="grammar")),
        (Request("grammar", "mst"), Role(None, heads=True), Role("grammar", heads=False)),
        (Request("boundaries", "grammar"), Role("boundaries", heads=False), Role(None, True, "grammar")),
        (Request("boundaries", "mst"), Role("boundaries", heads=True), Role(None, heads=False)),
    ):
        plan = planned([WITH_GRAMMARS], [SET], request)
        assert (plan.members, plan.sets) == ((model,), (of_set,))
        assert plan.used_sets == ((0,) if "grammar" in (request.brackets, request.heads) else ())
    assert planned([WITH_GRAMMARS], [SET], Request("boundaries", "mst", labels=True)).used_sets == (0,)
    together = planned([WITH_GRAMMARS, STUDENT], [SET], Request("grammar", "grammar"))
    assert [role.heads for role in together.roles] == [False, True, True]


def test_heads_are_those_of_the_brackets_where_both_are_made_alike():
    for members, brackets, heads, is_one_tree in (
        ([UDGN], "boundaries", "boundaries", True),
        ([UDGN], None, "boundaries", False),
        ([UDGN, STUDENT], "boundaries", "boundaries", False),  # the student votes for another tree
        ([STUDENT, STUDENT], "splits", "phrases", True),
        ([STUDENT], "splits", "mst", False),
    ):
        assert planned(members, [], Request(brackets, heads)).is_one_tree == is_one_tree
    assert planned([WITH_GRAMMARS, STUDENT], [SET], Request("grammar", "grammar")).is_one_tree
    assert not planned([WITH_GRAMMARS, UDGN], [SET], Request("grammar", "grammar")).is_one_tree
    assert not planned([WITH_GRAMMARS, BALANCED], [SET], Request("grammar", "grammar")).is_one_tree


def test_splits_and_boundaries_are_added_up_each_by_themselves():
    members = [STUDENT, UDGN, STUDENT]
    total = total_of(members, "splits", "phrases")
    assert names(total) == ["grammar", "boundaries", "grammar"]
    assert set(total.charts) == {"grammar", "boundaries"}
    probabilities = unbiased_span_probabilities(BY_DISTANCES.distances)
    np.testing.assert_allclose(total.charts["grammar"], 2 * probabilities)
    expected = unbroken_phrase_scores(OF_BOUNDARIES, None, BY_BOUNDARIES.head_scores)
    np.testing.assert_allclose(total.charts["boundaries"], expected)
    logs = [normalized_scores(scores.head_scores) for scores in (BY_DISTANCES, BY_BOUNDARIES, BY_DISTANCES)]
    np.testing.assert_allclose(total.arcs, sum(logs))
    own = list(unbiased_spans(BY_DISTANCES.distances))
    assert names(total_of(members, "unbiased", None)) == [own, "boundaries", own]


@pytest.mark.parametrize("cues", [None, CUES])
def test_phrases_of_heads_are_added_up_where_they_are_not_those_of_the_brackets(cues):
    members = [STUDENT, UDGN]
    distances, arcs = BY_DISTANCES.distances, 0.0
    if cues is not None:
        distances, arcs = distances_with_cues(distances, cues), arc_costs(cues, 4)
    probabilities = unbiased_span_probabilities(distances)
    for brackets in (None, "splits"):
        np.testing.assert_allclose(total_of(members, brackets, "grammar", cues).phrases, probabilities)
        by_boundaries = total_of(members, brackets, "boundaries", cues)
        expected = unbroken_phrase_scores(OF_BOUNDARIES, cues and cues.levels, BY_BOUNDARIES.head_scores - arcs)
        expected -= 0 if cues is None else broken_costs(cues)
        np.testing.assert_allclose(by_boundaries.phrases, expected)
    shared = total_of([STUDENT], "grammar", "grammar", cues)
    assert shared.phrases == 0.0
    np.testing.assert_allclose(shared.charts["grammar"], probabilities)


def test_a_model_alone_scores_as_beside_its_equal():
    """Head scores are probabilities, and a mean over models is that of one model where all say the same."""
    unscaled = member(BY_BOUNDARIES._replace(head_scores=BY_BOUNDARIES.head_scores + np.arange(4)[:, None]))
    for heads in ("mst", "argmax", "boundaries"):
        alone, twice = (
            total_of([unscaled], "boundaries", heads, CUES),
            total_of([unscaled] * 2, "boundaries", heads, CUES),
        )
        np.testing.assert_allclose(twice.arcs / 2, alone.arcs)
        np.testing.assert_allclose(twice.charts["boundaries"] / 2, alone.charts["boundaries"])


def test_a_model_without_anything_to_add_is_not_run():
    def refuse(*_):
        raise AssertionError

    silent = STUDENT._replace(score=refuse, for_heads=False, for_brackets=False)
    total = total_of([silent, STUDENT], "splits", "mst")
    assert names(total) == ["grammar"]
    assert total.distances == BY_DISTANCES.distances
