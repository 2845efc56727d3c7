"""What grammars make of the scores of models: by hand, one sentence at a time, and by way of a `Parser`."""

import shutil
from dataclasses import replace

import numpy as np
import pytest

from synparse.config.grammar import GrammarConfig
from synparse.corpora.word_classes import PUNCTUATION, UNKNOWN, ClassMember, WordClasses
from synparse.files.folders import save_together
from synparse.inducers import class_grammar, dependency_boundary
from synparse.inducers.base_phrases import PAIRS, Chunker, phrase_probabilities
from synparse.inducers.class_grammar import random_grammars
from synparse.inducers.class_tagger import ClassTagger, class_probabilities
from synparse.inducers.dependency_boundary import estimated, no_counts
from synparse.inducers.head_choice import LEAST, TRUST
from synparse.parsing.grammars import (
    LEAF_PENALTY,
    LEAST_ARC,
    LEAST_LINK,
    LEAST_SHARE,
    LEAST_SPAN,
    LINK_STRENGTH,
    MOST_AT_ONCE,
    NETWORK_ARCS,
    OUTSIDE_OF_ALL,
    OUTSIDE_OF_LONG,
    SPAN_STRENGTH,
    TREE_VOTE,
    GrammarInput,
    GrammarInputSum,
    OutsideCost,
    arc_posteriors,
    arc_weights,
    at_once,
    base_phrases_of,
    classes_in_context,
    grammar_scores,
    numbers_of,
    span_scores,
    weight_of_focused,
    words_between_punctuation,
)
from synparse.parsing.parser import Parser
from synparse.parsing.scorers import Scores
from synparse.store.grammars import Grammars, find_grammars, grammar_files
from synparse.store.models import open_model
from synparse.trees.averaging import normalized_scores
from synparse.trees.function_words import FREE, LEAVES
from synparse.trees.lengths import equal_lengths
from synparse.trees.phrase_boundaries import BoundaryScores, unbroken_phrase_scores
from synparse.trees.punctuation_cues import STRONG, WEAK, Cues
from synparse.trees.span_probabilities import scored_span_probabilities

CLASSES = 4


def model(seed=1):
    counts, source = no_counts(CLASSES), np.random.default_rng(seed)
    return estimated(type(counts)(*(part + 3 * source.random(part.shape) for part in counts)))


def evidence(T, seed=0, with_links=True, is_function=None):
    source = np.random.default_rng([seed, T])
    links = np.log(source.dirichlet(np.ones(T), T)) if with_links else None
    spans = source.normal(size=(T + 1, T + 1))
    return GrammarInput(source.integers(0, CLASSES, T), links, None, spans, is_function)


def known(T=3, links=None, arc_costs=None, is_function=None):
    return GrammarInput(np.zeros(T, np.int64), links, arc_costs, np.zeros((T + 1, T + 1)), is_function)


def test_an_arc_has_the_weight_of_the_link_either_way():
    links = np.log([[0.5, 0.5, 1e-9], [0.2, 0.3, 0.5], [1e-9, 1e-9, 1.0]])
    expected = np.log([[1, 0.7, LEAST_LINK], [0.7, 1, 0.5], [LEAST_LINK, 0.5, 1]])
    np.testing.assert_allclose(arc_weights(known(links=links), 1.0), expected, rtol=1e-6)
    np.testing.assert_allclose(arc_weights(known(links=links), 2.0), 2 * expected, rtol=1e-6)


def test_without_links_arcs_cost_what_punctuation_says():
    costs = np.array([[0, 1, 4], [1, 0, 3], [4, 3, 0]])
    assert not arc_weights(known(), 2.0).any()
    np.testing.assert_array_equal(arc_weights(known(arc_costs=costs), 2.0), -2.0 * costs)
    links = np.full((3, 3), -np.log(3))
    with_both, with_links = (arc_weights(known(links=links, arc_costs=arc_costs), 1.0) for arc_costs in (costs, None))
    np.testing.assert_array_equal(with_both, with_links)  # the links have these costs already


def test_function_words_are_no_heads_and_no_roots():
    weights = arc_weights(known(is_function=[False, True, False]), 1.0)
    np.testing.assert_array_equal(weights, np.tile([0, -LEAF_PENALTY, 0], (3, 1)))
    arcs = arc_posteriors(model(), [known(5, is_function=[True, False, True, True, False])])[0]
    assert arcs[:, [0, 2, 3]].max() < 0.02 < arcs[:, [1, 4]].sum(0).min()


def test_of_one_directory_the_models_are_averaged():
    links = [np.log(np.random.default_rng(seed).dirichlet(np.ones(3), 3)) for seed in (1, 2)]
    boundaries = BoundaryScores(np.array([-1.0, -2.0, -3.0]), np.array([-3.0, -1.0, -0.5]))
    input_sum = GrammarInputSum()
    input_sum.add(Scores(head_scores=links[0], boundaries=boundaries))
    input_sum.add(Scores(head_scores=links[1] + 5, distances=[2.0, 1.0]))  # heads are normalized
    costs = np.arange(16.0).reshape(4, 4)
    of_networks, spans = input_sum.mean(3, True, None, costs)
    mean = (links[0] + links[1]) / 2
    np.testing.assert_allclose(of_networks, mean - np.log(np.exp(mean).sum(1, keepdims=True)))
    boundary = unbroken_phrase_scores(boundaries, None)
    assert spans[0, 2] == pytest.approx(boundary[0, 2] - costs[0, 2])  # the tree is ((0) (1 2))
    assert spans[1, 3] == pytest.approx(boundary[1, 3] + TREE_VOTE - costs[1, 3])
    others = BoundaryScores(boundaries.starts - 2, boundaries.ends - 1)
    input_sum.add(Scores(boundaries=others, distances=[1.0, 2.0]))
    _, spans = input_sum.mean(3, True, None, None)
    boundary = (boundary + unbroken_phrase_scores(others, None)) / 2
    assert spans[0, 2] == pytest.approx(boundary[0, 2] + TREE_VOTE / 2)
    assert spans[1, 3] == pytest.approx(boundary[1, 3] + TREE_VOTE / 2)


def test_base_phrases_add_to_span_scores():
    phrases = np.arange(9.0).reshape(3, 3)
    np.testing.assert_array_equal(GrammarInputSum().mean(2, True, phrases, None)[1], phrases)
    costs = np.ones((3, 3))
    np.testing.assert_array_equal(GrammarInputSum().mean(2, True, phrases, costs)[1], phrases - costs)


def word_classes():
    """*the* is word 1, *dog* word 0, and so on; words that are not here are the one before the last."""
    words = (("dog", 0), ("the", 0), ("sees", 1), (UNKNOWN, 1), (PUNCTUATION, 2))
    return WordClasses(tuple(ClassMember(word, word_class, 1) for word, word_class in words), "N")


def in_context(tagger=None, chunker=None, **settings):
    return Grammars(GrammarConfig(**settings), word_classes(), tagger, chunker)


def random_tagger(seed=1):
    source = np.random.default_rng(seed)
    candidates = np.array([[0, 1], [1, 0], [1, 0], [0, 1], [2, 0]])
    return ClassTagger(source.dirichlet(np.ones(4), 4), candidates, source.random((5, 2)))


def random_chunker(seed=1):
    source = np.random.default_rng(seed)
    steps, emission = source.random(len(PAIRS)), source.random((5, len(PAIRS)))
    return Chunker(source.dirichlet(np.ones(2)), steps, emission)


WORDS = [["the", "dog", "sees"], [], ["sees", "the", "cat"], ["dog"]]
NUMBERS = [np.array(numbers, int) for numbers in ([1, 0, 2], [], [2, 1, 3], [0])]


def test_without_a_tagger_a_word_has_the_same_class_everywhere():
    classes = classes_in_context(in_context(), numbers_of(in_context(), WORDS))
    assert [of_sentence.classes.tolist() for of_sentence in classes] == [[0, 0, 1], [], [1, 0, 1], [0]]
    assert {of_sentence.shares for of_sentence in classes} == {None}


def test_with_a_tagger_a_word_has_shares_of_its_classes_in_context():
    in_contexts = classes_in_context(in_context(random_tagger()), NUMBERS)
    assert in_contexts[0].classes.tolist() != [0, 0, 1]
    assert classes_in_context(in_context(random_tagger()), []) == []
    for words, (classes, candidates, shares) in zip(NUMBERS, in_contexts, strict=True):
        expected, probabilities = class_probabilities(random_tagger(), [words])
        np.testing.assert_array_equal(candidates, expected)
        np.testing.assert_array_equal(classes, expected[:, 0])
        assert shares.sum(1) == pytest.approx(1)
        for of_word, of_classes in zip(shares, probabilities, strict=True):
            roots = np.sqrt(of_classes)
            counting = roots >= LEAST_SHARE * roots.sum()
            assert of_word == pytest.approx(np.where(counting, roots, 0) / roots[counting].sum())


def test_base_phrases_stay_between_punctuation():
    cues = [Cues((0, WEAK), ()), Cues((), ()), Cues((STRONG, WEAK), ((0, 2),)), Cues((), ())]
    grammars = in_context(chunker=random_chunker())
    for seen, segments in (
        ([None] * 4, [[numbers] for numbers in NUMBERS]),
        (cues, [[[1, 0], [2]], [[]], [[2], [1], [3]], [[0]]]),
    ):
        for probabilities, of_sentence in zip(base_phrases_of(grammars, NUMBERS, seen), segments, strict=True):
            expected = phrase_probabilities(random_chunker(), [np.array(segment, int) for segment in of_sentence])
            for of_segment, alone in zip(probabilities, expected, strict=True):
                np.testing.assert_array_equal(of_segment, alone)
    assert base_phrases_of(in_context(), NUMBERS, cues) is None


def test_quotes_do_not_cut_a_sentence():
    [segments] = words_between_punctuation([np.arange(4)], [Cues((0, 0, STRONG), ((1, 3),))])
    assert [segment.tolist() for segment in segments] == [[0, 1, 2], [3]]
    [segments] = words_between_punctuation([np.arange(4)], [None])
    assert [segment.tolist() for segment in segments] == [[0, 1, 2, 3]]


def test_links_of_networks_that_know_nothing_are_left_out():
    input_sum = GrammarInputSum()
    input_sum.add(Scores(head_scores=np.zeros((2, 2))))
    links, spans = input_sum.mean(2, False, None, None)
    assert links is None
    assert not spans.any()


def test_span_scores_lack_arcs_and_have_a_floor():
    spans = np.zeros((4, 4))
    spans[0, 2], spans[0, 3] = 2.0, -1000.0
    arcs = np.array([[0.1, 0.6, 0.3], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8]])
    scores = span_scores(known()._replace(spans=spans), arcs)
    assert scores[0, 2] == pytest.approx(2 - (1 - 0.6 - 0.2))
    assert scores[1, 3] == pytest.approx(-(1 - 0.1 - 0.1))
    assert scores[0, 3] == LEAST_SPAN
    assert scores[1, 2] == 0  # a word lacks nothing
    links = np.log([[0.8, 0.1, 0.1], [0.3, 0.2, 0.5], [0.6, 0.3, 0.1]])
    with_links = span_scores(known(links=links)._replace(spans=spans), arcs)
    assert with_links[0, 2] == pytest.approx(scores[0, 2] - NETWORK_ARCS * (1 - 0.1 - 0.3))
    assert with_links[1, 3] == pytest.approx(scores[1, 3] - NETWORK_ARCS * (1 - 0.5 - 0.3))


def test_span_scores_lack_the_outside_dependents_of_spans_that_are_long_enough():
    arcs = np.array([[0.1, 0.6, 0.3], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8]])
    plain, of_all, of_long = (
        span_scores(known(), arcs, cost) for cost in (None, OutsideCost(3.0, 2), OutsideCost(3.0, 3))
    )
    # Of words 2 and 3: word 1 depends on word 2 where word 3 is its head, or the other way round.
    assert plain[1, 3] - of_all[1, 3] == pytest.approx(3 * (0.6 * 0.1 + 0.3 * 0.1))
    assert plain[0, 3] == of_all[0, 3]
    np.testing.assert_array_equal(of_long, plain)


def test_long_spans_alone_lack_their_outside_dependents():
    T = OUTSIDE_OF_LONG.fewest_words + 1
    chain = np.eye(T, k=1)  # each word depends on the next, so all but the last ones of a span have one from outside
    chain[-1, -1] = 1
    lacking = span_scores(known(T), chain) - span_scores(known(T), chain, OUTSIDE_OF_LONG)
    assert {span: lacking[span] for span in zip(*np.nonzero(lacking), strict=True)} == {(1, T): OUTSIDE_OF_LONG.nats}


def test_the_cost_of_outside_dependents_is_that_of_the_language_and_needs_networks(monkeypatch):
    T = OUTSIDE_OF_LONG.fewest_words + 2
    for marked_by_endings, with_links, cost in (
        (False, True, OUTSIDE_OF_LONG),
        (False, False, None),
        (True, True, OUTSIDE_OF_ALL),
        (True, False, OUTSIDE_OF_ALL),
    ):
        sentence = evidence(T, with_links=with_links)
        [arcs] = arc_posteriors(model(1), [sentence])
        monkeypatch.setattr(Grammars, "marked_by_endings", marked_by_endings)
        [scores] = grammar_scores(parts(with_constituents=False), [sentence], FREE)
        expected = scored_span_probabilities(span_scores(sentence, arcs, cost))
        np.testing.assert_array_equal(scores.spans, expected)


def test_of_short_sentences_some_are_computed_at_once_and_a_long_one_alone():
    assert max(map(at_once, range(1, 300))) == MOST_AT_ONCE
    assert list(equal_lengths([200] * 3, at_once)) == [[0], [1], [2]]


LENGTHS = [3, 1, 5, 3, 2, 1, 8, 3]


def test_posteriors_of_many_are_those_of_each():
    sentences = [evidence(T, number, with_links=number % 2 == 0) for number, T in enumerate(LENGTHS)]
    together = arc_posteriors(model(), sentences)
    for sentence, arcs in zip(sentences, together, strict=True):
        weights = arc_weights(sentence, LINK_STRENGTH)
        expected = dependency_boundary.posterior(model(), sentence.classes[None], weights[None]).arcs[0]
        np.testing.assert_allclose(arcs, expected, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(arcs.sum(1), 1, rtol=1e-5)


def parts(with_constituents=True):
    models = {FREE: model(1), LEAVES: model(2)}
    trained = random_grammars(2, 3, CLASSES, 1) if with_constituents else None
    return Grammars(GrammarConfig(), None, dependencies=models, constituents=trained)


def test_what_grammars_say_follows_from_the_parts():
    sentences = [evidence(T, with_links=number % 2 == 0) for number, T in enumerate(LENGTHS)]
    arcs = arc_posteriors(model(1), sentences)
    scores = [span_scores(sentence, sentence_arcs) for sentence, sentence_arcs in zip(sentences, arcs, strict=True)]
    for number, sentence_scores in enumerate(grammar_scores(parts(), sentences, FREE)):
        words, weights = sentences[number].classes[None], SPAN_STRENGTH * scores[number][None]
        if words.size == 1:
            np.testing.assert_array_equal(sentence_scores.spans, scores[number])  # nothing to find out
        else:
            spans = class_grammar.posterior(parts().constituents, words, weights).spans[0]
            np.testing.assert_allclose(sentence_scores.spans, spans, rtol=1e-4, atol=1e-6)
            assert spans[0, -1] == pytest.approx(1, rel=1e-5)
        log = np.log(arcs[number] + LEAST_ARC)
        links = sentences[number].links
        np.testing.assert_allclose(sentence_scores.heads, log if links is None else (links + log) / 2)
    without = grammar_scores(parts(with_constituents=False), sentences, FREE)
    for sentence_scores, score in zip(without, scores, strict=True):
        np.testing.assert_array_equal(sentence_scores.spans, scored_span_probabilities(score))
    assert grammar_scores(parts(), [], FREE) == []


def test_what_given_trees_taught_corrects_heads_and_the_arcs_of_span_scores():
    source = np.random.default_rng(1)
    sentences = [evidence(T)._replace(choice=source.normal(size=(T, T))) for T in LENGTHS if T > 1]
    arcs = arc_posteriors(model(1), sentences)
    for sentence, sentence_arcs, scores in zip(
        sentences, arcs, grammar_scores(parts(with_constituents=False), sentences, FREE), strict=True
    ):
        before = normalized_scores((sentence.links + np.log(sentence_arcs + LEAST_ARC)) / 2)
        corrected = normalized_scores(TRUST * np.maximum(before, LEAST) + sentence.choice)
        np.testing.assert_allclose(scores.heads, corrected, atol=1e-6)
        spans = scored_span_probabilities(span_scores(sentence, np.exp(corrected)))
        np.testing.assert_allclose(scores.spans, spans, rtol=1e-4, atol=1e-6)


def test_each_convention_of_function_words_has_its_model():
    sentence = evidence(4)
    for convention, seed in ((FREE, 1), (LEAVES, 2)):
        [scores] = grammar_scores(parts(), [sentence], convention)
        log = np.log(arc_posteriors(model(seed), [sentence])[0] + LEAST_ARC)
        np.testing.assert_allclose(scores.heads, (sentence.links + log) / 2)


def with_focused(*seeds):
    """Sets of grammars over the same classes; a focused grammar of each seed, none for None."""
    several = []
    for seed in seeds:
        focused = None if seed is None else random_grammars(1, 3, CLASSES, seed)
        others = random_grammars(2, 3, CLASSES, 7)
        several.append(Grammars(GrammarConfig(), None, None, None, None, {LEAVES: model()}, others, focused))
    return several


def test_of_sets_with_and_without_focused_grammars_these_count_as_much_as_the_others():
    sets, plain = with_focused(1, None, 2, None), np.array([2, 3, 0, 3, 1])
    sets[3] = replace(sets[3], constituents=None)  # under all binary trees by their ω
    sentence = evidence(5)._replace(plain=plain)
    weight = weight_of_focused(sets)
    assert (weight, weight_of_focused(sets[1:2]), weight_of_focused([])) == (2, None, None)
    together = [grammar_scores(grammars, [sentence], LEAVES, weight)[0].spans for grammars in sets]
    others = [grammar_scores(grammars, [sentence], LEAVES)[0].spans for grammars in sets]
    focused = [class_grammar.posterior(sets[number].focused, plain[None]).spans[0] for number in (0, 2)]
    np.testing.assert_allclose(sum(together) / 4, sum(others) / 8 + sum(focused) / 4, atol=1e-6)


def test_given_spans_are_given_to_focused_grammars_too():
    [grammars], given = with_focused(1), np.zeros((6, 6))
    given[1, 3] = -50
    sentence = evidence(5)._replace(plain=np.array([2, 3, 0, 3, 1]), given_spans=given)
    assert grammar_scores(grammars, [sentence], LEAVES, 1.0)[0].spans[1, 3] < 1e-6
    assert grammar_scores(grammars, [sentence._replace(given_spans=None)], LEAVES, 1.0)[0].spans[1, 3] > 0.01


def test_the_focused_grammar_of_a_directory_is_used_unless_it_is_left_out(tiny_grammar, tmp_path, sample_text):
    model = shutil.copytree(tiny_grammar, tmp_path / "model")
    [found] = find_grammars(open_model(model))
    focused = random_grammars(1, found.grammars.config.focused_nonterminals, found.grammars.classes.size, 3)
    save_together(model / "grammars-1", grammar_files(replace(found.grammars, focused=focused)))

    def trees(name, **options):
        return [parse.tree for parse in Parser.load(name, **options).parse([line.split() for line in sample_text[:40]])]

    assert trees(model) != trees(tiny_grammar)
    assert trees(model, without=("focused-grammars",)) == trees(tiny_grammar)
