"""The trees that follow from the scores of one model or several: heads of the phrases of their brackets, and groups."""

import itertools

import numpy as np
import pytest

from synparse.parsing import decoding
from synparse.parsing.chunks import Chunk
from synparse.parsing.decoding import DecodedChunk, decoded_chunks
from synparse.parsing.options import Request
from synparse.parsing.parser import Parser
from synparse.parsing.scorers import DISTANCES, Scores
from synparse.trees.averaging import averaged_spans, normalized_scores
from synparse.trees.dependency import is_projective
from synparse.trees.distances import binary_spans, unbiased_spans
from synparse.trees.function_words import penalized_heads
from synparse.trees.heads import phrase_heads
from synparse.trees.span_chart import best_trees
from synparse.trees.span_probabilities import unbiased_span_probabilities
from synparse.trees.spans import subtree_spans
from tests.parsing.test_decoders import projective
from tests.trees.dependency_trees import is_tree, one_head_each, score_of

SENTENCES = [line.split() for line in ("the old dog sees a cat", "a cat barks", "dog cat", "dog", "the dog of a cat")]


@pytest.fixture(scope="module")
def student(tiny_student):
    return Parser.load(tiny_student, device="cpu").members[0]


@pytest.fixture(scope="module")
def udgn(tiny_udgn):
    return Parser.load(tiny_udgn, device="cpu").members[0]


def with_random_scores(member, seed):
    """The member with other scores, the same for the same words."""

    def score(sentences, with_heads):
        scores = []
        for words in sentences:
            random, T = np.random.default_rng([seed, len(words)]), len(words)
            distances = random.normal(size=T - 1).tolist() if DISTANCES in member.gives else None
            scores.append(Scores(distances, head_scores=random.normal(size=(T, T)) if with_heads else None))
        return scores

    return member._replace(score=score)


def spans_of(parse):
    return [span[1:] for span in parse.tree.constituents]


def sum_of_heads(members, sentence):
    [scores] = zip(*(member.score([sentence], True) for member in members), strict=True)
    if len(members) == 1:
        return scores[0].head_scores
    return sum(normalized_scores(member_scores.head_scores) for member_scores in scores)


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("tree_decoder", ["unbiased", "splits", "published"])
def test_heads_are_the_best_of_the_phrases_of_the_brackets(student, count, tree_decoder):
    members = [with_random_scores(student, seed) for seed in range(count)]
    parser = Parser(members)
    for sentence, parse in zip(SENTENCES, parser.parse(SENTENCES, brackets=tree_decoder), strict=True):
        spans, scores = spans_of(parse), sum_of_heads(members, sentence)
        assert one_head_each(parse.heads, spans)
        possible = [heads for heads in projective(len(sentence)) if one_head_each(heads, spans)]
        assert score_of(parse.heads, scores) == pytest.approx(max(score_of(heads, scores) for heads in possible))


def test_several_students_make_one_tree_by_their_splits(student):
    members = [with_random_scores(student, seed) for seed in range(3)]
    for sentence in SENTENCES:
        distances = [member.score([sentence], False)[0].distances for member in members]
        [summed] = best_trees([sum(map(unbiased_span_probabilities, distances))])
        assert spans_of(Parser(members).parse([sentence], brackets="splits")[0]) == summed
        trees = [list(unbiased_spans(member_distances)) for member_distances in distances]
        assert spans_of(Parser(members).parse([sentence])[0]) == binary_spans(averaged_spans(trees), trees)


def test_heads_alone_are_those_beside_the_default_brackets(student, udgn, tiny_taught, sample_text):
    taught = Parser.load(tiny_taught)
    others = [with_random_scores(udgn, 1), with_random_scores(student, 2)]
    for parser in (
        Parser([student]),
        Parser([with_random_scores(student, 1), *others]),
        Parser(others[:1]),
        Parser([*others, *taught.members], sets=[taught.sets[0]._replace(members=(2,))]),
    ):
        both = parser.parse(sample_text[:20], heads="phrases")
        alone = parser.parse(sample_text[:20], brackets=None, heads="phrases")
        assert [parse.heads for parse in alone] == [parse.heads for parse in both]
        assert all(parse.tree is None for parse in alone)
        for parse in both:
            assert is_tree(parse.heads)
            assert is_projective(parse.heads)


def test_a_model_without_distances_adds_to_the_heads_of_the_phrases(student, udgn):
    members = [with_random_scores(student, 1), with_random_scores(udgn, 2)]
    for sentence, parse in zip(SENTENCES, Parser(members).parse(SENTENCES, Request("splits", "phrases")), strict=True):
        assert parse.heads == phrase_heads(sum_of_heads(members, sentence), spans_of(parse), with_prior=False)


def test_phrases_of_more_than_two_parts_are_split_further(udgn):
    member = with_random_scores(udgn, 3)
    flat = 0
    for sentence, parse in zip(
        SENTENCES, Parser([member]).parse(SENTENCES, Request("projective", "phrases")), strict=True
    ):
        spans = spans_of(parse)
        flat += len(sentence) > 1 and len(spans) < len(sentence) - 1
        assert one_head_each(parse.heads, spans)
        # The phrases are the subtrees of another tree of heads, which stay whole.
        assert spans == subtree_spans(Parser([member]).parse([sentence], brackets=None, heads="projective")[0].heads)
    assert flat > 0


def test_function_words_are_leaves_where_a_phrase_has_other_words(student):
    scorer = with_random_scores(student, 4).score
    are_function = [[number % 2 == 0 for number, _ in enumerate(sentence)] for sentence in SENTENCES]

    def score(sentences, with_heads):
        known = {tuple(words): flags for words, flags in zip(SENTENCES, are_function, strict=True)}
        scored = scorer(sentences, with_heads)
        return [
            scores._replace(is_function=known[tuple(words)]) for words, scores in zip(sentences, scored, strict=True)
        ]

    parses = Parser([student._replace(score=score)]).parse(SENTENCES, brackets="splits")
    for sentence, is_function, parse in zip(SENTENCES, are_function, parses, strict=True):
        penalized = penalized_heads(sum_of_heads([student._replace(score=scorer)], sentence), is_function)
        assert parse.heads == phrase_heads(penalized, spans_of(parse), with_prior=False)
        for start, end in spans_of(parse):
            [head] = [word for word in range(start + 1, end + 1) if not start < parse.heads[word - 1] <= end]
            assert not is_function[head - 1] or all(is_function[start:end])


def test_groups_change_nothing(student, udgn, monkeypatch):
    parser = Parser([with_random_scores(student, 1), with_random_scores(udgn, 2)])
    for decoders in itertools.product(parser.tree_decoders, parser.head_decoders):
        confidence = "none" if decoders[0] == "projective" else "raw"
        together = parser.parse(SENTENCES, Request(*decoders), confidence=confidence)
        with monkeypatch.context() as changed:
            changed.setattr(decoding, "AT_ONCE", 1)
            assert parser.parse(SENTENCES, Request(*decoders), confidence=confidence) == together


def test_a_tree_that_is_not_wanted_is_not_there(student):
    chunks = [Chunk({student.text: words}) for words in SENTENCES[:2]]
    assert list(decoded_chunks([student], [], chunks, Request(None, None))) == [DecodedChunk([], ())] * 2
    for decoded, words in zip(decoded_chunks([student], [], chunks, Request("splits", None)), SENTENCES, strict=False):
        assert (len(decoded.spans), decoded.heads) == (len(words) - 1, ())
    only_heads = decoded_chunks([student], [], chunks, Request(None, "mst"))
    for decoded, words in zip(only_heads, SENTENCES, strict=False):
        assert (decoded.spans, len(decoded.heads)) == ([], len(words))
