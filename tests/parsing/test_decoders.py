"""Every decoder against all trees of up to five words, on scores of every kind, alone and by the way of a `Parser`."""

import itertools
import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.inducers.kernels.lstm_parser import parser_scores
from synparse.parsing.decoders import head_decoders, tree_decoders
from synparse.parsing.parser import Parser
from synparse.trees.dependency import is_projective
from synparse.trees.distances import published_spans
from synparse.trees.heads import argmax_heads
from synparse.trees.phrase_boundaries import BoundaryScores
from synparse.trees.span_chart import best_trees
from synparse.trees.span_probabilities import unbiased_span_probabilities
from synparse.trees.spans import subtree_spans
from synparse.trees.trivial import TRIVIAL_PARSERS
from tests.trees.binary_trees import all_binary_sets, boundary_spans
from tests.trees.dependency_trees import all_heads, is_tree, one_head_each, score_of
from tests.trees.test_distances import literal_unbiased
from tests.trees.test_heads import literal_joint
from tests.untrained import loaded


@cache
def projective(count):
    return [heads for heads in all_heads(count) if is_projective(heads)]


def middle_of(spans, start, end):
    """Where a span of a binary tree splits."""
    [middle] = [
        split
        for split in range(start + 1, end)
        if all(part in spans or part[1] - part[0] == 1 for part in ((start, split), (split, end)))
    ]
    return middle


def phrase_score(heads, spans, scores):
    """Of the heads of a binary tree's phrases: beside the arcs, log of the length of each part that depends."""
    total = score_of(heads, scores)
    for start, end in spans:
        if end - start > 1:
            inside = range(start + 1, end + 1)
            [head] = [word for word in inside if heads[word - 1] not in inside]
            middle = middle_of(spans, start, end)
            total += math.log(end - middle if head <= middle else middle - start)
    return total


KINDS = {
    "any": lambda random, shape: random.normal(size=shape),
    "ties": lambda random, shape: random.integers(-2, 1, shape).astype(np.float64),
    "all the same": lambda _, shape: np.full(shape, -1.5),
    "large": lambda random, shape: 1e4 * random.normal(size=shape),
    "single precision": lambda random, shape: random.normal(size=shape).astype(np.float32),
    "sure": lambda random, shape: np.log(random.dirichlet(np.full(shape[-1], 0.05), shape[:-1]) + 1e-30),
}

every_kind = pytest.mark.parametrize("kind", KINDS)
small = given(count=st.integers(1, 5), seed=st.integers(0, 9999))


@every_kind
@small
def test_the_best_head_of_each_word_is_taken_wherever_that_is_a_tree(kind, count, seed):
    scores = KINDS[kind](np.random.default_rng(seed), (count, count))
    heads = argmax_heads(scores)
    assert is_tree(heads)
    root = int(scores.diagonal().argmax())
    off_diagonal = np.where(np.eye(count, dtype=bool), -np.inf, scores)
    best = [0 if word == root else int(off_diagonal[word].argmax()) + 1 for word in range(count)]
    assert heads[root] == 0
    if is_tree(best):
        assert list(heads) == best
    else:  # from each cycle one word was moved, to the root
        assert all(head in (due, root + 1) for head, due in zip(heads, best, strict=True))


@every_kind
@given(count=st.integers(2, 5), seed=st.integers(0, 9999), with_heads=st.booleans())
def test_no_binary_tree_has_better_boundaries(kind, count, seed, with_heads):
    random = np.random.default_rng(seed)
    starts, ends = KINDS[kind](random, (2, count))
    head_scores = np.log(random.dirichlet(np.ones(count), count)) if with_heads else None
    spans = boundary_spans(BoundaryScores(starts, ends), head_scores=head_scores)

    def score(tree):
        total = 0.0
        for start, end in tree:
            total += starts[start] if start else 0.0  # a sentence surely begins at its first word
            total += ends[end - 1] if end < count else 0.0
            if with_heads:
                inside = range(start, end)
                arcs = sum(math.exp(head_scores[a, b]) for a in inside for b in inside if a != b)
                total -= end - start - 1 - arcs
        return total

    assert frozenset(spans) in all_binary_sets(count)
    assert score(spans) == pytest.approx(max(map(score, all_binary_sets(count))), abs=1e-4)


def check_distances_and_heights(spans, heads, distances, heights):
    assert spans == literal_unbiased(list(distances))
    arcs, root = literal_joint(list(distances), heights)
    due = [0] * len(heights)
    for dependent, head in arcs:
        due[dependent] = head + 1
    assert list(heads) == due
    assert due[root] == 0


WORDS = "the a dog old she sees it in park and zyx".split()
SENTENCES = [
    list(words)
    for count in (2, 3, 4, 5)
    for words in itertools.islice(itertools.permutations(WORDS, count), 3, 4000, 811)
]


@pytest.fixture(scope="module")
def scored(tiny_udgns):
    """Of each sentence, the head scores of a UDGN and how its phrases begin and end, by no decoder's code."""
    model = loaded(tiny_udgns[0], without_torch=True)
    sentence_scores = []
    for words in SENTENCES:
        indices = model.vocabulary.indices(words)
        scores = parser_scores(model.inducer, np.array([indices]), np.array([len(words)]))
        is_function = np.array(model.vocabulary.is_frequent(indices, 50))
        sentence_scores.append((scores.head_scores[0], model.boundaries.scores(indices), is_function))
    return sentence_scores


@pytest.mark.parametrize("function_words", ["free", "leaves"])
@pytest.mark.parametrize("head_decoder", ["mst", "projective", "argmax", "boundaries"])
@pytest.mark.parametrize("tree_decoder", ["boundaries", "projective", None])
def test_a_udgn_is_decoded_as_its_scores_say(tiny_udgns, scored, tree_decoder, head_decoder, function_words):
    parser = Parser.load(tiny_udgns[0], device="cpu", function_words=function_words)
    parses = parser.parse(SENTENCES, brackets=tree_decoder, heads=head_decoder)
    for words, parse, (scores, boundaries, is_function) in zip(SENTENCES, parses, scored, strict=True):
        count = len(words)
        penalized = scores - 20.0 * is_function if function_words == "leaves" else scores
        phrases = boundary_spans(boundaries, head_scores=scores)
        total = score_of(parse.heads, penalized)
        if head_decoder == "argmax":
            assert parse.heads == argmax_heads(penalized)
        elif head_decoder == "boundaries":
            assert one_head_each(parse.heads, phrases)
            best = max(
                phrase_score(candidate, phrases, penalized)
                for candidate in projective(count)
                if one_head_each(candidate, phrases)
            )
            assert phrase_score(parse.heads, phrases, penalized) == pytest.approx(best, abs=1e-3)
        else:
            candidates = projective(count) if head_decoder == "projective" else all_heads(count)
            assert parse.heads in candidates
            assert total == pytest.approx(max(score_of(candidate, penalized) for candidate in candidates), abs=1e-3)
        if tree_decoder is None:
            assert parse.tree is None
            continue
        spans = [(start, end) for _, start, end in parse.tree.constituents]
        assert words == list(parse.tree.words)
        if tree_decoder == "boundaries":
            assert spans == phrases
        elif head_decoder == "projective":
            assert spans == subtree_spans(parse.heads)
        else:
            assert spans == subtree_spans(max(projective(count), key=lambda candidate: score_of(candidate, scores)))


@pytest.mark.parametrize("name", TRIVIAL_PARSERS)
def test_trivial_parsers_are_decoded_as_their_distances_and_heights_say(name):
    for parse in Parser.load(name).parse(SENTENCES, brackets="unbiased", heads="joint"):
        spans = [(start, end) for _, start, end in parse.tree.constituents]
        check_distances_and_heights(spans, parse.heads, parse.distances, parse.heights)
    for parse in Parser.load(name).parse(SENTENCES, brackets="published", heads=None):
        assert [(start, end) for _, start, end in parse.tree.constituents] == published_spans(parse.distances)


def test_a_models_own_distances_are_decoded(tiny_model, tiny_student):
    for directory in (tiny_model, tiny_student):
        parser = Parser.load(directory, device="cpu")
        for parse in parser.parse(SENTENCES, brackets="unbiased", heads=None):
            assert [span[1:] for span in parse.tree.constituents] == literal_unbiased(list(parse.distances))
    for parse in Parser.load(tiny_model, device="cpu").parse(SENTENCES, brackets="unbiased", heads="joint"):
        spans = [(start, end) for _, start, end in parse.tree.constituents]
        check_distances_and_heights(spans, parse.heads, parse.distances, parse.heights)


def test_splits_make_the_tree_with_the_most_probable_constituents(tiny_model, tiny_on_lstm, tiny_student):
    for directory in (tiny_model, tiny_on_lstm, tiny_student):
        parser = Parser.load(directory, device="cpu")
        for words, parse in zip(SENTENCES, parser.parse(SENTENCES, brackets="splits", heads=None), strict=True):
            probabilities = unbiased_span_probabilities(parse.distances)
            spans = frozenset((start, end) for _, start, end in parse.tree.constituents)
            best = max(math.fsum(probabilities[span] for span in tree) for tree in all_binary_sets(len(words)))
            assert spans in all_binary_sets(len(words))
            assert math.fsum(probabilities[span] for span in spans) == pytest.approx(best)
            assert [[span[1:] for span in parse.tree.constituents]] == best_trees([probabilities])


@pytest.mark.parametrize(
    ("names", "trees", "heads"),
    [
        (["tiny_model"], "unbiased", "mst"),
        (["tiny_on_lstm"], "unbiased", None),
        (["tiny_udgn"], "projective", "projective"),
        (["tiny_student"], "unbiased", "phrases"),
        (["tiny_student", "tiny_student"], "unbiased", "phrases"),
        (["tiny_student", "tiny_udgn"], "unbiased", "mst"),
        (["tiny_student", "tiny_on_lstm"], "unbiased", "mst"),
        (["tiny_student", "chain"], "unbiased", "mst"),
        (["tiny_student", "tiny_taught"], "grammar", "grammar"),
        (["tiny_taught"], "grammar", "grammar"),
        (["tiny_grammar"], "grammar", "grammar"),
        (["chain"], "unbiased", "mst"),
    ],
)
def test_each_kind_of_model_has_its_defaults(names, trees, heads, request):
    parser = Parser.load([name if name == "chain" else request.getfixturevalue(name) for name in names], device="cpu")
    assert parser.tree_decoders[0] == trees
    assert next(iter(parser.head_decoders), None) == heads


def test_what_needs_brackets_or_probabilities_is_offered_with_them(tiny_student):
    [student] = Parser.load(tiny_student, device="cpu").members
    assert {"unbiased", "splits"} <= set(tree_decoders(student))
    assert "phrases" in head_decoders([student])
    for_heads = student._replace(for_brackets=False)
    assert tree_decoders(for_heads) == ()
    assert head_decoders([for_heads]) == ("mst", "argmax", "projective")
    # The distances of a baseline are no probabilities.
    assert "splits" not in Parser.load("balanced").tree_decoders
