"""Base phrases: the smallest phrases of a sentence, found by a chunker that learns from raw text.

Ponvert, Baldridge and Erk, "Simple Unsupervised Grammar Induction from Raw Text with Cascaded Finite State Models",
ACL 2011. A chunker gives every word a tag: it begins a phrase (B), is inside one (I), or is outside of all (O).
Sentences are cut at punctuation, and a segment of words w_1 … w_n with tags t_1 … t_n, between t_0 = START and
t_{n+1} = STOP, has the probability of a right-linear grammar,

    p(t_1 | START) · Π_i p(t_{i+1} | t_i) · p(w_i | t_i, t_{i+1})

B is followed by I, so a phrase has two words at least, and I follows only B or I. EM starts where all allowed next tags
are equally probable, and all words: what makes tags different is where segments begin and end, and what may follow
what. Words that often end segments come to end phrases; words that seldom do, such as prepositions and conjunctions,
come to stand outside.

Two things differ from the paper. A phrase does not follow another one immediately; otherwise EM takes *of the* for a
phrase. And there is one level, not a cascade: what the levels above find is worse than branching in one direction.

Glossary
    P [T + 1, T + 1]     P[i, j]: the probability that words i … j − 1 are a base phrase
    events [B, n, X]     the probability of each pair of a tag and the next one, `PAIRS`, at each word
    B segments of n words, M word types, X pairs
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np

from synparse import compiled
from synparse.trees.lengths import stacked
from synparse.trees.span_chart import Array
from synparse.trees.spans import LEFT, RIGHT

B, I, O, EDGE = range(4)  # noqa: E741  (the names of the paper)
"""The tags; `EDGE` is START before a segment, and STOP after it."""

PAIRS = ((B, I), (I, I), (I, O), (I, EDGE), (O, B), (O, O), (O, EDGE))
"""The pairs of a tag and the next one at a word; a segment begins with B or O."""

FIRST, NEXT = (np.array(side) for side in zip(*PAIRS, strict=True))

SMOOTHING = 0.1
"""Added to the expected count of every word."""

LEAST_PROBABILITY = 1e-12
"""Of a first tag and of a next tag, so that no segment is impossible, whatever the text has."""

LEAST_CHANGE = 1e-5
"""EM stops when the log-likelihood changes by a smaller part of itself."""

WORDS_AT_ONCE = 100_000

OFTEN = 1.5
"""So many times as often as the average word."""


class Chunker(NamedTuple):
    """start [2]: p(B), p(O) at the beginning of a segment; steps [X]: p(next tag | tag); emission [M, X]: p(word | tag,
    next tag)."""

    start: Array
    steps: Array
    emission: Array


def learn_chunker(
    segments: Sequence[Array], words: int, passes: int, step: Callable[[float], object]
) -> tuple[Chunker, list[float]]:
    """The chunker of segments of word numbers below ``words``, and the log-likelihood in nats before each pass of EM.

    ``step`` is told the fraction that is done. Time O(words in the text) a pass.
    """
    batches = [batch for _, batch in stacked(segments, WORDS_AT_ONCE)]
    places = [(batch[:, :, None] * len(PAIRS) + np.arange(len(PAIRS))).ravel() for batch in batches]
    ways = np.bincount(FIRST, minlength=3)
    chunker = Chunker(np.full(2, 0.5), 1 / ways[FIRST], np.full((words, len(PAIRS)), 1 / max(1, words)))
    likelihoods: list[float] = []
    for number in range(passes):
        step(number / passes)
        starts, pairs = np.zeros(2), np.zeros_like(chunker.emission)
        likelihood = 0.0
        for batch, place in zip(batches, places, strict=True):
            events, log_likelihood = _posterior(chunker, batch)
            likelihood += log_likelihood
            starts += [events[:, 0, tag == FIRST].sum() for tag in (B, O)]
            pairs += np.bincount(place, events.ravel(), pairs.size).reshape(pairs.shape)
        has_converged = bool(likelihoods) and likelihood - likelihoods[-1] < LEAST_CHANGE * abs(likelihood)
        likelihoods.append(likelihood)
        if has_converged:
            break
        totals, smoothed = pairs.sum(0), pairs + SMOOTHING
        first_totals = np.bincount(FIRST, totals, 3)[FIRST]
        following = np.divide(totals, first_totals, out=np.zeros_like(totals), where=first_totals > 0)
        chunker = Chunker(
            np.maximum(starts / starts.sum(), LEAST_PROBABILITY),
            np.maximum(following, LEAST_PROBABILITY),
            smoothed / smoothed.sum(0),
        )
    return chunker, likelihoods


def phrase_probabilities(chunker: Chunker, segments: Sequence[Array]) -> list[Array]:
    """P [n + 1, n + 1] of each segment of word numbers.

    Given the words, tags are a Markov chain: a phrase is B at its first word, then I at each one, up to an I with
    another tag behind it.
    """
    phrases: list[Array] = [np.zeros((1, 1))] * len(segments)
    for numbers, batch in stacked(segments, WORDS_AT_ONCE):
        n = batch.shape[1]
        events, _ = _posterior(chunker, batch)
        begins, goes_on = events[:, :, 0], events[:, :, 1]
        inside = events[:, :, FIRST == I].sum(2)
        goes_on = np.divide(goes_on, inside, out=np.zeros_like(goes_on), where=inside > 0)
        probabilities = np.zeros((len(batch), n + 1, n + 1))
        in_a_row, reached = probabilities.reshape(len(batch), -1), begins[:, : n - 1]
        for width in range(2, n + 1):
            ends = goes_on[:, width - 1 :]
            # Spans of one width are on a diagonal: n + 2 numbers apart.
            in_a_row[:, width : (n + 1 - width) * (n + 2) : n + 2] = reached * (1 - ends)
            reached = (reached * ends)[:, :-1]
        for number, segment_phrases in zip(numbers, probabilities, strict=True):
            phrases[number] = segment_phrases
    return phrases


def _posterior(chunker: Chunker, words: Array) -> tuple[Array, float]:
    """words [B, n], n ≥ 1 → events [B, n, X], and the log-likelihood of all segments in nats."""
    count, n = words.shape
    if compiled.CHARTS is not None:  # synparse/compiled/base_phrases.h
        parameters = (np.ascontiguousarray(part, np.float64) for part in chunker)
        events, total = np.empty((count, n, len(PAIRS))), np.empty(())
        compiled.CHARTS.base_phrases(*parameters, np.ascontiguousarray(words, np.int64), events, total)
        return events, float(total)
    weights = chunker.steps * chunker.emission[words]
    weights[:, :-1, NEXT == EDGE] = 0
    weights[:, -1, NEXT != EDGE] = 0
    forward, backward = np.zeros((count, n, 3)), np.zeros((count, n, 4))
    forward[:, 0, B], forward[:, 0, O] = chunker.start
    log_likelihood = 0.0
    for t in range(n):
        arrived = _added(forward[:, t, FIRST] * weights[:, t], NEXT, 4)
        scale = arrived.sum(1, keepdims=True)
        weights[:, t] /= scale
        log_likelihood += float(np.log(scale).sum())
        if t + 1 < n:
            forward[:, t + 1] = arrived[:, :3] / scale
    backward[:, -1, EDGE] = 1
    for t in range(n - 1, 0, -1):
        backward[:, t - 1, :3] = _added(weights[:, t] * backward[:, t, NEXT], FIRST, 3)
    return forward[:, :, FIRST] * weights * backward[:, :, NEXT], log_likelihood


def _added(values: Array, tags: Array, count: int) -> Array:
    """values [B, X] → [B, count]: the sums over pairs of each tag."""
    sums: Array = values @ (tags[:, None] == np.arange(count)).astype(values.dtype)
    return sums


def adpositions(chunker: Chunker, branching: str) -> Array:
    """Which words are like adpositions among function words, [M].

    A preposition is mostly outside of base phrases, and there at least as often before one as before another word
    outside. Where phrases branch to the ``left``, a postposition belongs to what it follows, and mostly stands at the
    border of two phrases: it is the last word of the first one, or the word between them. What an outside word follows,
    a chunker does not know word by word, as words depend on the next tag; so the rule for prepositions is no mirror
    image of this one. It holds for any other ``branching``: in languages with postpositions, it misses some, but what
    it takes for one is one.
    """
    events = expected_events(chunker)
    at_border = events[:, (FIRST == I) & (NEXT == O)].sum(1) + events[:, (FIRST == O) & (NEXT == B)].sum(1)
    half = events.sum(1) / 2
    if branching == LEFT:
        return np.asarray(at_border > half)
    outside, before, apart = (events[:, (FIRST == O) & allowed].sum(1) for allowed in (True, NEXT == B, NEXT == O))
    return np.asarray((outside > half) & (before >= apart))


def ends_phrases(chunker: Chunker) -> Array:
    """Which words are mostly the last ones of base phrases, and end segments `OFTEN` times as often as an average
    word, [M].

    Where phrases branch to the right, no function word does both: an auxiliary may end what is taken for a phrase, but
    no segment; a pronoun may end a segment, but is mostly a phrase by itself.
    """
    events = expected_events(chunker)
    ending = events[:, NEXT == EDGE].sum(1)
    is_last = events[:, (FIRST == I) & (NEXT != I)].sum(1) > events.sum(1) / 2
    return np.asarray(is_last & (ending * events.sum() > OFTEN * ending.sum() * events.sum(1)))


def expected_events(chunker: Chunker) -> Array:
    """How often each word is expected with a tag and the next one, in a segment that the chunker generates, [M, X]."""
    steps = np.zeros((3, 4))
    steps[FIRST, NEXT] = chunker.steps
    start = np.zeros(3)
    start[[B, O]] = chunker.start
    visits = np.linalg.lstsq(np.eye(3) - steps[:, :3].T, start)[0]  # of each tag; in a damaged model, singular
    events: Array = visits[FIRST] * chunker.steps * chunker.emission
    return events


def phrase_scores(probabilities: Sequence[Sequence[Array]], branching: str, weight: float) -> Array:
    """The scores of spans of B sentences of T words by base phrases, in nats, [B, T + 1, T + 1]; entries that are not
    spans mean nothing.

    probabilities: P of the segments of each sentence. Each span gets its probability of being a base phrase, and loses
    the expected number of base phrases that it crosses. ``branching``, ``right`` or ``left``: the spans of a tree that
    branches so between base phrases get ``weight`` as well. To the right, these are spans from a position inside of no
    base phrase (times the probability of that) to the end of its segment or of the sentence. To the left, it is the
    mirror image. Any other value: none.
    """
    of_sentences, all_bounds = zip(*map(_of_sentence, probabilities), strict=True)
    scores = np.stack(of_sentences)
    B, T = len(scores), scores.shape[1] - 1
    sums = np.zeros((B, T + 2, T + 2))  # [i, j]: over all spans that start before i and end before j
    np.cumsum(scores.cumsum(1), 2, out=sums[:, 1:, 1:])
    up_to = sums.diagonal(1, 1, 2)
    # As base phrases do not overlap, the probability that one has words on both sides of a position.
    around = sums[:, :-1, -1] - up_to
    # Those [a, b) that a span [i, j) crosses: i < a < j < b, or a < i < b < j.
    scores -= sums[:, 1:, 1:] + sums[:, :-1, :-1]
    scores -= around[:, None]
    scores += (sums[:, 1:, -1] + up_to)[:, :, None]
    for spans, edges, bounds in zip(scores, weight * (1 - around), all_bounds, strict=True):
        if branching == RIGHT:
            for start, end in (*pairwise(bounds[:-1]), (0, T)):
                spans[start : end + 1, end] += edges[start : end + 1]
        elif branching == LEFT:
            for start, end in (*pairwise(bounds[1:]), (0, T)):
                spans[start, start : end + 1] += edges[start : end + 1]
    return scores


def inside_phrases(probabilities: Sequence[Array]) -> Array:
    """The expected number of base phrases that each span of a sentence of T words is in, itself not counted,
    [T + 1, T + 1]: as base phrases do not overlap, the probability that it is in one. probabilities: P of its
    segments."""
    phrases, _ = _of_sentence(probabilities)
    around: Array = phrases.cumsum(0)[:, ::-1].cumsum(1)[:, ::-1]
    return around - phrases


def _of_sentence(probabilities: Sequence[Array]) -> tuple[Array, list[int]]:
    """P of a sentence from those of its segments; and their bounds, from 0 to T."""
    bounds = [0, *accumulate(len(segment) - 1 for segment in probabilities)]
    phrases = np.zeros((bounds[-1] + 1, bounds[-1] + 1))
    for (start, end), segment_phrases in zip(pairwise(bounds), probabilities, strict=True):
        phrases[start : end + 1, start : end + 1] = segment_phrases
    return phrases, bounds
