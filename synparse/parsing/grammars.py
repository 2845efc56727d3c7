"""How grammars combine the scores of models: posterior probabilities of arcs, and from these, of spans.

A network's head scores show which words are linked better than which of the two is the head. So the weight of an arc is
that of the undirected link, u_ij = log (p_ij + p_ji) with p the network's head probabilities, and the dependency model
decides on directions: M is its posterior probability of each arc. The score of a span is a sum of terms, in nats:

    ω = boundary scores + base phrases + [it is in the tree of distances]
        − ½ · arcs it lacks under p − arcs it lacks under M
        − c · words outside it that depend, under M, on words in it that are not its head

with c as of `OutsideCost`; and the class grammars, under span weights e^ω, give the probability of each constituent.
Heads are those of the phrases of the best tree, under the mean of log p and log M.

If heads were given, a model learned from them corrects this mean (`synparse.inducers.head_choice`), and M in the scores
of spans are the corrected probabilities.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from synparse.inducers import class_grammar, dependency_boundary
from synparse.inducers.base_phrases import inside_phrases, phrase_probabilities
from synparse.inducers.class_grammar import ClassGrammars
from synparse.inducers.class_tagger import class_probabilities
from synparse.inducers.dependency_boundary import DependencyModel
from synparse.inducers.head_choice import trusted
from synparse.parsing.options import Term
from synparse.parsing.scorers import Scores
from synparse.store.grammars import Grammars
from synparse.trees.averaging import normalized_scores
from synparse.trees.distances import spans_split_at
from synparse.trees.function_words import LearnedConvention
from synparse.trees.lengths import equal_lengths
from synparse.trees.phrase_boundaries import missing_of_probabilities, outside_dependents, unbroken_phrase_scores
from synparse.trees.punctuation_cues import Cues
from synparse.trees.span_chart import Array
from synparse.trees.span_probabilities import scored_span_probabilities

LEAST_LINK = 3e-4
"""Least probability of a link: a network that is wrong must not rule out what the grammar finds."""

LEAF_PENALTY = 8.0
"""Cost in nats of a function word as a head, where function words are leaves."""

LEAST_SPAN = -40.0
"""Span scores count as at least this, in nats."""

SPAN_STRENGTH = 0.5
"""Power of span scores in parsing. Grammars have learned from these, so they have half the weight."""

LEAST_ARC = 1e-4
"""Added to posterior probabilities of arcs before their logarithm is taken."""

CLASS_POWER, LEAST_SHARE = 0.5, 0.02
"""Of the classes that a word may have in its sentence: the power of their probabilities in the dependency model, as a
hidden Markov model is too sure of them; and the least share that counts there."""

LONGEST = 200
"""In words. Charts take time and memory that grow with the third power of a sentence's length, so a longer sentence is
parsed in chunks of this length; see `synparse.parsing.parser.LONGEST`."""

LINK_STRENGTH = 2.0
"""The power of the links in parsing. Trees hardly depend on it, and the mean over powers of 1, 2 and 4 makes none that
are clearly better."""

NETWORK_ARCS = 0.5
"""Cost of a span for each arc that it lacks under the networks' head probabilities, in nats."""


class OutsideCost(NamedTuple):
    """Cost in nats, of spans of so many words and more, for each word outside a span that depends on a word in it which
    is not its head. In a chain, where each word depends on the next, the first and the second word are a phrase, but
    the second and the third are none."""

    nats: float
    fewest_words: int


OUTSIDE_OF_ALL = OutsideCost(3.0, 2)
"""Where endings mark relations: few words tell there where phrases are, and heads tell more."""

OUTSIDE_OF_LONG = OutsideCost(1.0, 8)
"""Elsewhere, in parsing with networks: class grammars, which learn from short sentences, know less of long spans than
of short ones. Grammars that learn under this cost are worse, and without networks heads are not known well enough."""

TREE_VOTE = 1.0
"""Score of a span in the tree of a model with syntactic distances, in nats."""

FLAT_FROM = 0.7
"""The probability of being inside a base phrase from which on a span is left out, where trees are flat."""

BRANCHING = 0.7
"""Score of a span that a tree has which branches in one direction between base phrases, in nats."""

MOST_AT_ONCE, SPANS_AT_ONCE = 64, 20_000
"""Sentences of one length whose charts are computed side by side, at most, and their spans: as many as fit the caches
of a processor."""


class GrammarInput(NamedTuple):
    """The input of grammars for a sentence of T words.

    classes [T]: of its words, the most probable ones. links [T, T]: log-probabilities of heads (row = dependent,
    diagonal = root) under the networks, None without any. arc_costs [T, T]: of punctuation cues, where there are no
    links. spans [T + 1, T + 1]: ω without arcs and dependents. is_function [T]: which words are function words, where
    these are leaves. given_arcs [T, T], given_spans [T + 1, T + 1]: the term of what is given, if anything is
    (`synparse.trees.given`). choice [T, T]: the score of each arc that was learned from given trees, None without
    these. plain [T]: the classes of the words out of context, which a focused grammar reads. candidates, shares [T, K]:
    the classes that each word may have, and the share of each in the dependency model; None where each has one.
    """

    classes: Array
    links: Array | None
    arc_costs: Array | None
    spans: Array
    is_function: Sequence[bool] | None = None
    given_arcs: Array | None = None
    given_spans: Array | None = None
    choice: Array | None = None
    plain: Array | None = None
    candidates: Array | None = None
    shares: Array | None = None


class ClassesInContext(NamedTuple):
    """`GrammarInput.classes`, ``candidates`` and ``shares`` of a sentence."""

    classes: Array
    candidates: Array | None = None
    shares: Array | None = None


@dataclass
class GrammarInputSum:
    """Sums of the scores of a sentence over the models of a directory, and how many models contributed to each."""

    links: Any = 0.0
    boundaries: Any = 0.0
    trees: Any = 0.0
    with_links: int = 0
    with_boundaries: int = 0
    with_trees: int = 0

    def add(self, scores: Scores) -> None:
        """Add the scores of a model, to which punctuation cues have been applied, if they are used."""
        if scores.head_scores is not None:
            self.links = self.links + normalized_scores(scores.head_scores.astype(np.float64))
            self.with_links += 1
        if scores.boundaries is not None:
            levels = scores.cues and scores.cues.levels
            self.boundaries = self.boundaries + unbroken_phrase_scores(scores.boundaries, levels)
            self.with_boundaries += 1
        if scores.distances is not None:
            self.trees = self.trees + _votes(scores.distances)
            self.with_trees += 1

    def mean(
        self, T: int, with_links: bool, phrases: Array | None, span_costs: Array | None
    ) -> tuple[Array | None, Array]:
        """The links and spans of a `GrammarInput` of T words: means over models, to which scores by base phrases are
        added, and costs of punctuation cues, where there are any. with_links: whether the networks' head scores
        count."""
        links = self.links if with_links and self.with_links else None
        if self.with_links > 1 and links is not None:
            links = normalized_scores(links / self.with_links)
        spans = np.zeros((T + 1, T + 1))
        if self.with_boundaries:
            spans += self.boundaries / self.with_boundaries
        if self.with_trees:
            spans += TREE_VOTE * self.trees / self.with_trees
        if phrases is not None:
            spans += phrases
        if span_costs is not None:
            spans -= span_costs
        return links, spans


def leaving_out(grammars: Grammars, terms: Sequence[Term]) -> Grammars:
    """The same without some of the terms of their scores."""
    if "class-grammars" in terms:
        grammars = replace(grammars, constituents=None, focused=None)
    if "focused-grammars" in terms:
        grammars = replace(grammars, focused=None)
    if "base-phrases" in terms:
        grammars = replace(grammars, chunker=None)
    if "network-heads" in terms:
        grammars = replace(grammars, config=replace(grammars.config, link_strength=0.0))
    return grammars


def _votes(distances: Sequence[float]) -> Array:
    """1 at the spans of the tree of T − 1 distances, [T + 1, T + 1]."""
    votes = np.zeros((len(distances) + 2, len(distances) + 2))
    votes[spans_split_at(distances)] = 1
    return votes


def numbers_of(grammars: Grammars, sentences: Sequence[Sequence[str]]) -> list[Array]:
    """The numbers of the normalized words of some sentences, as the grammars know them."""
    return [np.array(grammars.classes.numbers_of(words), np.int64) for words in sentences]


def classes_in_context(grammars: Grammars, sentences: Sequence[Array]) -> list[ClassesInContext]:
    """The classes of the words of sentences of word numbers, in context where there is a tagger."""
    if grammars.tagger is None:
        return [ClassesInContext(grammars.classes.class_of[words]) for words in sentences]
    candidates, probabilities = class_probabilities(grammars.tagger, sentences)
    shares = probabilities**CLASS_POWER
    shares *= shares > LEAST_SHARE * shares.sum(1, keepdims=True)
    shares /= np.maximum(shares.sum(1, keepdims=True), np.finfo(float).tiny)
    bounds = itertools.pairwise(itertools.accumulate(map(len, sentences), initial=0))
    return [ClassesInContext(candidates[a:b, 0], candidates[a:b], shares[a:b]) for a, b in bounds]


def base_phrases_of(
    grammars: Grammars, sentences: Sequence[Array], cues: Sequence[Cues | None]
) -> list[list[Array]] | None:
    """For each sentence of word numbers the P of its segments (`phrase_probabilities`), None without a chunker. Base
    phrases do not cross punctuation, where there are ``cues``."""
    if grammars.chunker is None:
        return None
    segments = words_between_punctuation(sentences, cues)
    probabilities = iter(phrase_probabilities(grammars.chunker, list(itertools.chain.from_iterable(segments))))
    return [[next(probabilities) for _ in sentence] for sentence in segments]


def left_out_where_flat(grammars: Grammars, numbers: Array, phrases: Sequence[Array]) -> Array:
    """How probably each span of a sentence of T words is no constituent of a flat tree, [T + 1, T + 1]: it is inside a
    base phrase, or it begins or ends with a conjunction and is not the whole sentence. numbers [T]: of the words;
    phrases: the P of its segments."""
    left_out = inside_phrases(phrases)
    if grammars.conjunctions is not None:
        joins, whole = grammars.conjunctions[numbers], left_out[0, -1]
        left_out[:-1][joins] = left_out[:, 1:][:, joins] = 1
        left_out[0, -1] = whole
    return left_out


def words_between_punctuation(sentences: Sequence[Array], cues: Sequence[Cues | None]) -> list[list[Array]]:
    """The segments of each sentence of word numbers; one where there are no cues."""
    return [
        [words] if sentence_cues is None else _cut(words, sentence_cues.levels)
        for words, sentence_cues in zip(sentences, cues, strict=True)
    ]


def _cut(words: Array, levels: Sequence[int]) -> list[Array]:
    """The words between the gaps with punctuation."""
    bounds = [0, *(gap for gap, level in enumerate(levels, 1) if level), len(words)]
    return [words[start:end] for start, end in itertools.pairwise(bounds)]


def arc_weights(evidence: GrammarInput, strength: float) -> Array:
    """The log-weights of arcs for `dependency_boundary.posterior`, [..., T, T]; 0 where nothing is known."""
    shape = *evidence.classes.shape, evidence.classes.shape[-1]
    weights: Array = np.zeros(shape)
    if evidence.links is not None:
        probabilities = np.exp(evidence.links)
        weights = np.log(np.maximum(probabilities + probabilities.swapaxes(-1, -2), LEAST_LINK))
        weights *= 1 - np.eye(shape[-1])
    elif evidence.arc_costs is not None:
        weights = weights - evidence.arc_costs
    weights = strength * weights
    if evidence.given_arcs is not None:
        weights = weights + evidence.given_arcs
    if evidence.is_function is not None:
        weights = weights - LEAF_PENALTY * np.asarray(evidence.is_function)[..., None, :]
    return weights


def at_once(length: int) -> int:
    """How many sentences of a length are computed side by side."""
    return min(MOST_AT_ONCE, SPANS_AT_ONCE // (length + 1) ** 2)


def _batches(sentences: Sequence[GrammarInput]) -> Iterator[tuple[list[int], GrammarInput]]:
    """The numbers of sentences of one length of which the same is known, and this in arrays with an axis [B] before
    the others."""
    for batch in equal_lengths([len(sentence.classes) for sentence in sentences], at_once):
        kinds: dict[tuple[bool, ...], list[int]] = {}
        for number in batch:
            kinds.setdefault(tuple(part is None for part in sentences[number]), []).append(number)
        for numbers in kinds.values():
            parts = zip(*(sentences[number] for number in numbers), strict=True)
            stacked: list[Any] = [None if values[0] is None else np.array(values) for values in parts]
            yield numbers, GrammarInput(*stacked)


def arc_posteriors(model: DependencyModel, sentences: Sequence[GrammarInput]) -> list[Array]:
    """The probability of each arc, [T, T] for each sentence, by links of `LINK_STRENGTH`."""
    posteriors: list[Array] = [np.zeros((0, 0))] * len(sentences)
    for numbers, evidence in _batches(sentences):
        for number, arcs in zip(numbers, _arc_posteriors(model, evidence), strict=True):
            posteriors[number] = arcs
    return posteriors


def _arc_posteriors(model: DependencyModel, evidence: GrammarInput) -> Array:
    """The same of B sentences of one length, [B, T, T]."""
    weights = arc_weights(evidence, LINK_STRENGTH)
    classes = evidence.classes if evidence.candidates is None else evidence.candidates
    return dependency_boundary.posterior(model, classes, weights, dtype=np.float32, shares=evidence.shares).arcs


def span_scores(evidence: GrammarInput, arcs: Array, cost: OutsideCost | None = None) -> Array:
    """ω of each span, [T + 1, T + 1], with the arcs that it lacks, under the networks and under posterior
    probabilities ``arcs`` [T, T], and the ``cost`` of its `outside_dependents` under these. Of B sentences, if all have
    an axis [B] before the others."""
    if evidence.links is None:
        missing = missing_of_probabilities(arcs)
    else:
        both = arcs + NETWORK_ARCS * np.exp(evidence.links)
        missing = (1 + NETWORK_ARCS) * missing_of_probabilities(both / (1 + NETWORK_ARCS))
    scores = evidence.spans - missing
    if cost is not None:
        positions = np.arange(scores.shape[-1])
        has_cost = positions - positions[:, None] >= cost.fewest_words
        scores -= cost.nats * has_cost * outside_dependents(arcs)
    scores = np.maximum(scores, LEAST_SPAN)
    return scores if evidence.given_spans is None else scores + evidence.given_spans


class GrammarScores(NamedTuple):
    """The scores of grammars for a sentence of T words. heads [T, T]: log-scores, the mean of the networks'
    log-probabilities and the grammar's, corrected by the model learned from given trees; spans [T + 1, T + 1]: the
    posterior probabilities of constituents, under class grammars, or without these under all binary trees by their ω;
    with a focused grammar, the mean of these and of those under it."""

    heads: Array
    spans: Array


def grammar_scores(
    grammars: Grammars, sentences: Sequence[GrammarInput], convention: LearnedConvention, focused: float | None = None
) -> list[GrammarScores]:
    """Of each sentence, by the dependency model of this convention. focused: the weight of the focused grammar, beside
    1 of the others; None where no set of grammars that parses has one."""
    results = [GrammarScores(np.zeros((0, 0)), sentence.spans) for sentence in sentences]
    for numbers, evidence in _batches(sentences):
        arcs = _arc_posteriors(grammars.dependencies[convention], evidence)
        heads = mixed(evidence.links, arcs)
        if evidence.choice is not None:
            # What is given of the trees is no matter of trust.
            known = evidence.choice if evidence.given_arcs is None else evidence.choice + evidence.given_arcs
            heads = normalized_scores(trusted(normalized_scores(heads)) + known)
            arcs = np.exp(heads)
        cost = None if evidence.links is None else OUTSIDE_OF_LONG
        scores = span_scores(evidence, arcs, OUTSIDE_OF_ALL if grammars.marked_by_endings else cost)
        has_spans = evidence.classes.shape[1] > 1
        if grammars.constituents is None:
            spans = np.stack(list(map(scored_span_probabilities, scores)))
        elif has_spans:
            spans = class_grammar.posterior(grammars.constituents, evidence.classes, SPAN_STRENGTH * scores).spans
        else:
            spans = scores
        if focused is not None and has_spans:
            spans = (spans + focused * _spans_of_focused(grammars.focused, evidence)) / 2
        for number, of_sentence in zip(numbers, zip(heads, spans, strict=True), strict=True):
            results[number] = GrammarScores(*of_sentence)
    return results


def _spans_of_focused(grammar: ClassGrammars | None, evidence: GrammarInput) -> Array | float:
    """The posterior probabilities of the spans of B sentences, [B, T + 1, T + 1]; 0 without a grammar."""
    if grammar is None or evidence.plain is None:
        return 0.0
    return class_grammar.posterior(grammar, evidence.plain, evidence.given_spans).spans


def weight_of_focused(sets: Sequence[Grammars]) -> float | None:
    """The weight of the focused grammars of sets that parse together: however many have one, these count as much as all
    the others. None if none has one."""
    having = sum(grammars.focused is not None for grammars in sets)
    return len(sets) / having if having else None


def mixed(links: Array | None, arcs: Array) -> Array:
    """The mean of the log-probabilities of heads, [..., T, T]."""
    log_arcs = np.log(arcs + LEAST_ARC)
    return log_arcs if links is None else (links + log_arcs) / 2
