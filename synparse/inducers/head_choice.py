"""Which word of a sentence is the head of which, learned from few given trees: a log-linear choice among the words.

    p(h | d) ∝ exp (TRUST · log q(h | d) + Σ_f W[f])

over the features f of an arc, with q the probabilities of grammars and networks, which have learned from text. W
corrects q; for features that the given trees do not have, it is 0, and the order of the heads is that of q, to which
the penalty ½ `PENALTY` |W|² keeps it near (Berger, Della Pietra & Della Pietra, 1996, "A Maximum Entropy Approach to
Natural Language Processing"). Features are those of McDonald, Crammer & Pereira (2005), "Online Large-Margin Training
of Dependency Parsers", without tags: function words are represented by their forms, other words by their classes,
learned from text; further features are endings, and what is beside and between the two words.

A feature is a hash of its parts, the row of W, as in `log_linear`; all arcs of a sentence are hashed at once.
"""

from __future__ import annotations

import zlib
from collections.abc import Container, Sequence
from typing import NamedTuple

import numpy as np

from synparse.trees.punctuation_cues import Cues
from synparse.trees.span_chart import Array

ROWS = 1 << 16
"""Of W."""

TRUST = 0.4
"""Power of q: grammars and networks are surer of heads than they are right."""

LEAST = -12.0
"""Log-probabilities under q count as at least this: what given trees have is not impossible."""

PENALTY, STEPS, RATE = 1.0, 50, 0.3
"""Of ½ |W|², and steps and rate of AdaGrad, each of which reads all arcs."""

MOST_ARCS = 400_000
"""Arcs to learn from, those of the given heads and of all others that could be; sentences after these are left out."""

OUTSIDE, ROOT = -1, -2
"""In place of a word before the first or after the last one, and of the head of the root."""

DISTANCES = np.array([0, 1, 2, 3, 4, 5, 5, 5, 8])
"""The distances 0, 1, 2 … as features have them, where some count as the same; greater ones are the last."""


class ChoiceWords(NamedTuple):
    """The T words of a sentence as features see them, as numbers [T]: forms; tokens, of function words their forms, of
    others their classes; classes; the last two and three characters; and levels [T − 1] of punctuation between them."""

    forms: Array
    tokens: Array
    classes: Array
    two: Array
    three: Array
    levels: Array


class ChosenHeads(NamedTuple):
    """What is learned from N words of a sentence: the rows of the features of their arcs [N, T, F], the scores of these
    without W [N, T], and the heads [N], from 0, the word itself if it is the root."""

    rows: Array
    scores: Array
    heads: Array


def choice_words(
    words: Sequence[str], classes: Array, function_words: Container[str], cues: Cues | None
) -> ChoiceWords:
    """The normalized words of a sentence, their classes, and the punctuation cues, None where none is seen."""
    forms = _numbers(words)
    is_function = np.array([word in function_words for word in words], bool)
    return ChoiceWords(
        forms,
        np.where(is_function, forms, classes),
        np.asarray(classes),
        _numbers([word[-2:] for word in words]),
        _numbers([word[-3:] for word in words]),
        np.array([0] * (len(words) - 1) if cues is None else cues.levels, np.int64),
    )


def _numbers(texts: Sequence[str]) -> Array:
    """Not those of classes, which are small."""
    return np.array([zlib.crc32(text.encode()) << 16 for text in texts], np.int64)


def arc_rows(words: ChoiceWords) -> Array:
    """The rows of W of the features of each arc, [T, T, F]: dependent, head, the root on the diagonal."""
    T = len(words.forms)
    position = np.arange(T)
    is_root = position[:, None] == position
    last = len(DISTANCES) - 1

    def of_head(values: Array) -> Array:
        return np.where(is_root, ROOT, values)

    side = np.sign(position - position[:, None])
    far = DISTANCES[np.minimum(np.abs(position - position[:, None]), last)]
    to_end = DISTANCES[np.minimum(T - 1 - position, last)]
    near = np.where(is_root, 100 + to_end, 10 * side + far)
    token, word_class = words.tokens, words.classes
    before, after = np.append(OUTSIDE, token[:-1]), np.append(token[1:], OUTSIDE)
    d, dc, db, da = (values[:, None] for values in (token, word_class, before, after))
    h, hc, hb, ha = map(of_head, (token, word_class, before, after))
    mark = _marks_between(words.levels, T)
    same = _has_between(token)
    features = [
        (near,),
        (side, mark),
        (side, d),
        (side, h),
        (side, d, h),
        (near, d),
        (near, h),
        (side, dc, hc),
        (near, dc, hc),
        (side, dc, da, hc),
        (side, da, ha),
        (near, dc, da),
        (near, hc, ha),
        (side, dc, hc, ha),
        (side, dc, hc, db),
        (side, dc, hc, hb),
        (side, words.two[:, None], of_head(words.two)),
        (side, words.two[:, None]),
        (side, of_head(words.two)),
        (side, words.three[:, None]),
        (side, of_head(words.three)),
        (side, words.forms[:, None]),
        (side, of_head(words.forms)),
        (side, mark, d),
        (side, mark, h),
        (side, same, d),
        (side, same, h),
        (side, same, mark, d, h),
        (side, same, da, h),
        (far, side, da, h),
    ]
    rows = np.empty((T, T, len(features)), np.int32)
    for number, parts in enumerate(features):
        rows[..., number] = _hashed(number, parts)
    return rows


def _hashed(number: int, parts: Sequence[Array]) -> Array:
    value = np.uint64(number + 1)
    for part in parts:
        value = (value ^ part.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        value = value ^ (value >> np.uint64(29))
    return np.asarray(value % np.uint64(ROWS))


def _marks_between(levels: Array, T: int) -> Array:
    """The strongest punctuation between two words, [T, T]."""
    marks = np.zeros((T, T), np.int64)
    for word in range(T - 1):
        marks[word, word + 1 :] = np.maximum.accumulate(levels[word:])
    return np.asarray(np.maximum(marks, marks.T))


def _has_between(tokens: Array) -> Array:
    """Whether a word like the head stands between the dependent and it, [T, T]."""
    like = tokens[:, None] == tokens
    before = np.cumsum(like, 0) - like  # [word, head]: how many there are before the word
    own = np.diagonal(before)
    is_before = np.tri(len(tokens), k=-1, dtype=bool)
    return np.asarray(np.where(is_before, before - own > 1, own - before - like > 0), np.int64)


def chosen_heads(words: ChoiceWords, scores: Array, heads: Sequence[int | None]) -> ChosenHeads:
    """What a sentence teaches. scores [T, T]: log q; heads: from 1, 0 = root, None: not known."""
    known = [(word, word if head == 0 else head - 1) for word, head in enumerate(heads) if head is not None]
    numbers = [word for word, _ in known]
    chosen = np.array([head for _, head in known], np.int64)
    return ChosenHeads(arc_rows(words)[numbers], trusted(scores)[numbers], chosen)


def trusted(scores: Array) -> Array:
    """TRUST · log q."""
    return TRUST * np.maximum(scores, LEAST)


def scores_of(weights: Array, words: ChoiceWords) -> Array:
    """Σ W[f] of each arc, [T, T]."""
    return np.asarray(weights[arc_rows(words)].sum(-1))


def learned_choice(sentences: Sequence[ChosenHeads]) -> Array:
    """W [ROWS], float32. The same sentences in the same order give the same weights."""
    sizes = np.cumsum([sentence.scores.size for sentence in sentences])
    read = sentences[: int(np.searchsorted(sizes, MOST_ARCS)) + 1]
    rows = np.concatenate([sentence.rows.reshape(-1, sentence.rows.shape[-1]) for sentence in read])
    base = np.concatenate([sentence.scores.ravel() for sentence in read])
    counts = np.concatenate([np.full(len(sentence.heads), sentence.scores.shape[1]) for sentence in read])
    starts = np.cumsum(counts) - counts
    gold = starts + np.concatenate([sentence.heads for sentence in read])
    touched, places = np.unique(rows, return_inverse=True)
    places = places.reshape(rows.shape)
    weights, squares = np.zeros(len(touched)), np.full(len(touched), 1e-8)
    for _ in range(STEPS):
        scores = base + weights[places].sum(1)
        probabilities = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), counts))
        errors = probabilities / np.repeat(np.add.reduceat(probabilities, starts), counts)
        errors[gold] -= 1
        gradient = PENALTY * weights
        for column in places.T:
            gradient += np.bincount(column, errors, len(touched))
        squares += gradient**2
        weights -= RATE * gradient / np.sqrt(squares)
    learned = np.zeros(ROWS, np.float32)
    learned[touched] = weights
    return learned
