"""Breakdowns of attachment scores: by relation, part of speech, length, direction and depth.

Every breakdown counts each scored word once, under one key, so its rows add up to the whole. All of them see a sentence
over its scored words alone: a length is the distance from word to head in scored words. Rows by gold length or
direction are recall; by predicted length or direction, precision (McDonald & Nivre, EMNLP-CoNLL 2007). Hand-worked,
with the gold tree "the ← dog ← barked (root) → loudly" and a prediction of next-word heads:

    >>> from synparse.scoring.dependencies import word_outcomes
    >>> pair = TreePair(gold=(2, 3, 0, 3), predicted=(2, 3, 4, 0))
    >>> BREAKDOWNS["direction"].keys_of(pair)
    ['head right', 'head right', 'root', 'head left']
    >>> tallies = new_tallies()
    >>> add_to_tallies(tallies, pair, word_outcomes(pair))
    >>> {key: counts.uas for key, counts in rows_of_tallies(tallies)["direction"].items()}
    {'root': 0.0, 'head left': 0.0, 'head right': 1.0}
    >>> {key: counts.uas for key, counts in rows_of_tallies(tallies)["predicted_direction"].items()}
    {'root': 0.0, 'head right': 0.6666666666666666}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from synparse.scoring.comparison import SENTENCE_LENGTHS, Buckets, bucket_of
from synparse.scoring.dependencies import DependencyCounts, TreePair, WordOutcome, count_outcomes
from synparse.trees.dependency import depths_of

Tallies = dict[str, "Counter[tuple[str, WordOutcome | None]]"]
"""By breakdown: how many words of each key had each outcome. Small, however long the file."""

ROOT, HEAD_LEFT, HEAD_RIGHT = "root", "head left", "head right"

LENGTHS: Buckets = {"1": 1, "2": 2, "3": 3, "4-6": 6, "7+": None}
DEPTHS: Buckets = {"0": 0, "1": 1, "2": 2, "3": 3, "4-6": 6, "7+": None}


class Breakdown(NamedTuple):
    """The title of a breakdown, the key of each word in it, and the order of its rows (else most frequent first)."""

    title: str
    keys_of: Callable[[TreePair], Sequence[str]]
    order: Sequence[str] = ()


def lengths(heads: Sequence[int]) -> list[str]:
    """The bucket of each word's distance to its head, ``root`` for the root's."""
    return [bucket_of(abs(head - word), LENGTHS) if head else ROOT for word, head in enumerate(heads, 1)]


def directions(heads: Sequence[int]) -> list[str]:
    """On which side of each word its head is: ``head left``, ``head right`` or ``root``."""
    return [(HEAD_LEFT if head < word else HEAD_RIGHT) if head else ROOT for word, head in enumerate(heads, 1)]


def depths(heads: Sequence[int]) -> list[str]:
    """The bucket of each word's distance to the root of its tree, in dependencies: 0 for the root itself. O(T)."""
    return [bucket_of(depth - 1, DEPTHS) for depth in depths_of(heads)[1:]]


_LENGTHS, _SIDES = (ROOT, *LENGTHS), (ROOT, HEAD_LEFT, HEAD_RIGHT)

BREAKDOWNS: dict[str, Breakdown] = {
    "relation": Breakdown("gold relation", lambda pair: pair.gold_relations),
    "part_of_speech": Breakdown("gold part of speech", lambda pair: pair.tags),
    "length": Breakdown("words to the gold head", lambda pair: lengths(pair.gold), _LENGTHS),
    "predicted_length": Breakdown("words to the predicted head", lambda pair: lengths(pair.predicted), _LENGTHS),
    "direction": Breakdown("side of the gold head", lambda pair: directions(pair.gold), _SIDES),
    "predicted_direction": Breakdown("side of the predicted head", lambda pair: directions(pair.predicted), _SIDES),
    "distance_to_root": Breakdown("dependencies up to the gold root", lambda pair: depths(pair.gold), tuple(DEPTHS)),
    "sentence_length": Breakdown(
        "scored words of the sentence",
        lambda pair: [bucket_of(len(pair.gold), SENTENCE_LENGTHS)] * len(pair.gold),
        tuple(SENTENCE_LENGTHS),
    ),
}


def new_tallies() -> Tallies:
    return {name: Counter() for name in BREAKDOWNS}


def add_to_tallies(tallies: Tallies, pair: TreePair, outcomes: Iterable[WordOutcome | None]) -> None:
    """Count the words of one sentence, given `word_outcomes`; without relations or tags, nothing is counted by them."""
    outcomes = list(outcomes)
    for name, breakdown in BREAKDOWNS.items():
        tallies[name].update(zip(breakdown.keys_of(pair), outcomes, strict=False))


def rows_of_tallies(tallies: Tallies) -> dict[str, dict[str, DependencyCounts]]:
    """The counts of each breakdown's rows; without the breakdowns whose column is empty in gold."""
    result = {}
    for name, tally in tallies.items():
        by_key: dict[str, Counter[WordOutcome | None]] = {}
        for (key, outcome), times in tally.items():
            by_key.setdefault(key, Counter())[outcome] += times
        rows = {key: count_outcomes(outcomes) for key, outcomes in by_key.items()}
        if rows.keys() - {"_"}:
            ranks = {key: rank for rank, key in enumerate(BREAKDOWNS[name].order)}
            in_order = sorted(rows, key=lambda key: (ranks.get(key, len(ranks)), -rows[key].words, key))
            result[name] = {key: rows[key] for key in in_order if rows[key].words}
    return result
