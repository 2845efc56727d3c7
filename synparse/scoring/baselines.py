"""Baselines, trees that use no knowledge, and ceilings, the best score that a tree of the predicted kind can reach.

The trivial trees are those of `synparse.trees.trivial`, over the words that are scored. The ceilings: a binary tree
with all gold spans in it (no binary tree has a higher F1, for all of a sentence's have as many spans), and the
projective tree with the most gold heads (no other has a higher UAS where the root is scored; its UUAS or NED may be
lower than another's). Chains of content words are parsers alone (``synparse parse --model content-chain``), because the
function words of a text are known at its end only. Hand-worked; over five words, (0, 2) is in both, and the rest leans
right:

    >>> sorted(binary_ceiling(5, {(0, 2), (2, 5)}))
    [(0, 2), (0, 5), (2, 5), (3, 5)]
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from random import Random

from synparse.trees.constituency import pre_order
from synparse.trees.dependency import columns_of, is_projective
from synparse.trees.distances import binary_spans, unbiased_spans
from synparse.trees.trivial import RANDOM, TRIVIAL_PARSERS

Spans = frozenset[tuple[int, int]]

SPAN_BASELINES = ("left-branching", "right-branching", "balanced")
HEAD_BASELINES = ("previous word", "next word")
RANDOM_SEEDS = (1, 2, 3, 4, 5)
CEILING = "ceiling"

LONGEST_FOR_CEILING = 500
"""Words of a sentence whose projective ceiling is computed, in a second and a half. Treebanks have few longer ones."""


def random_sources() -> list[Random]:
    """A source of random trees for each of `RANDOM_SEEDS`."""
    return list(map(Random, RANDOM_SEEDS))


def span_baselines(gold: Spans, count: int, sources: Sequence[Random]) -> Iterator[tuple[str, Spans]]:
    """The name and the spans of each baseline of a sentence of ``count`` words; nothing without words."""
    if count:
        yield from ((name, trivial_spans(name, count)) for name in SPAN_BASELINES)
        for seed, source in zip(RANDOM_SEEDS, sources, strict=True):
            yield f"{RANDOM} {seed}", random_spans(count, source)
        yield CEILING, binary_ceiling(count, gold)


def head_baselines(gold: Sequence[int], sources: Sequence[Random]) -> Iterator[tuple[str, Sequence[int]]]:
    """The name and the heads of each baseline of a sentence with these gold heads; nothing without words."""
    if gold:
        yield from ((name, trivial_heads(name, len(gold))) for name in HEAD_BASELINES)
        for seed, source in zip(RANDOM_SEEDS, sources, strict=True):
            yield f"{RANDOM} {seed}", random_heads(len(gold), source)
        yield CEILING, projective_ceiling(gold)


@lru_cache(maxsize=1024)
def trivial_spans(name: str, count: int) -> Spans:
    """The spans of one of `SPAN_BASELINES` over ``count`` words, the whole sentence among them."""
    return frozenset(unbiased_spans(TRIVIAL_PARSERS[name]([False] * count, Random(0)).distances))


def random_spans(count: int, source: Random) -> Spans:
    """The spans of a random binary tree: every split point of a constituent is as likely as the others."""
    return frozenset(unbiased_spans(TRIVIAL_PARSERS[RANDOM]([False] * count, source).distances))


def binary_ceiling(count: int, gold: Collection[tuple[int, int]]) -> Spans:
    """The spans of a binary tree over ``count`` words that holds all of ``gold``, which do not cross. O(T log T).

    A constituent of more than two parts is split after its first part, and the rest likewise.
    """
    return frozenset(binary_spans(pre_order({*gold, (0, count)}), ()) if count else ())


def trivial_heads(name: str, count: int) -> tuple[int, ...]:
    """Each word's head is the word before it (the first is the root), or the word after it (the last is the root)."""
    return tuple(range(count)) if name == "previous word" else (*range(2, count + 1), 0)


def random_heads(count: int, source: Random) -> tuple[int, ...]:
    """A random projective tree: a random binary tree with a random word as the head of each constituent."""
    from synparse.trees.heads import joint_heads  # imports NumPy, which brackets do not need

    scores = TRIVIAL_PARSERS[RANDOM]([False] * count, source)
    return joint_heads(unbiased_spans(scores.distances), scores.heights)


def projective_ceiling(gold: Sequence[int]) -> tuple[int, ...]:
    """The projective heads that agree with gold in most words: gold itself where it is projective. Else O(T³), and
    gold itself above `LONGEST_FOR_CEILING` words, which bounds the score all the same."""
    if len(gold) > LONGEST_FOR_CEILING or is_projective(gold):
        return tuple(gold)
    import numpy as np

    from synparse.trees.projective import projective_heads

    scores = np.zeros((len(gold), len(gold)))
    scores[range(len(gold)), columns_of(gold)] = 1.0
    return projective_heads(scores)
