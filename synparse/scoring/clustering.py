"""Induced classes against gold classes: many-to-one accuracy and V-measure.

The names of induced classes mean nothing, so a score may depend only on which items are in the same class. Many-to-one
accuracy maps each induced class to the gold class that it most often coincides with; several may be mapped to one. It
rises with the number of classes, and is 1 if each item has its own class. V-measure penalises this: it is the harmonic
mean (beta = 1) of homogeneity, which falls where a class mixes gold classes, and completeness, which falls where a gold
class is spread over several (Rosenberg and Hirschberg, EMNLP-CoNLL 2007). Hand-worked, four items of gold classes N N V
V; a and b hold N N V, and c holds V:

    >>> pairs = {("a", "N"): 1, ("b", "N"): 1, ("b", "V"): 1, ("c", "V"): 1}
    >>> many_to_one(pairs)
    {'a': 'N', 'b': 'N', 'c': 'V'}
    >>> scores = clustering_scores(pairs)  # in bits, H(C) = 1, H(C | K) = 1/2, H(K) = 3/2, H(K | C) = 1
    >>> {name: round(score, 3) for name, score in scores.items()}
    {'many_to_one': 0.75, 'v_measure': 0.4, 'homogeneity': 0.5, 'completeness': 0.333}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import fsum, log
from typing import TypeAlias

from synparse.scoring.counts import ratio

Pairs: TypeAlias = Mapping[tuple[str, str], int]
"""How often an induced class (the first of each pair) coincides with a gold class (the second), once or more."""


def many_to_one(pairs: Pairs) -> dict[str, str]:
    """The gold class that each induced class most often coincides with.

    Of several, the one that is most frequent in all, then the first in the alphabet.
    """
    totals = _totals((gold, count) for (_, gold), count in pairs.items())
    best: dict[str, tuple[int, int, str]] = {}
    for (induced, gold), count in pairs.items():
        rank = (-count, -totals[gold], gold)
        best[induced] = min(rank, best.get(induced, rank))
    return {induced: gold for induced, (_, _, gold) in best.items()}


def clustering_scores(pairs: Pairs) -> dict[str, float | None]:
    """Many-to-one accuracy, V-measure, homogeneity and completeness, 0 … 1; None where there are no pairs.

    With C the gold and K the induced classes, homogeneity is 1 − H(C | K) / H(C), and completeness 1 − H(K | C) / H(K);
    each is 1 where its denominator is 0. O(pairs); sums are exact, so neither names nor their order matter.
    """
    if not pairs:
        return dict.fromkeys(("many_to_one", "v_measure", "homogeneity", "completeness"))
    induced = _totals((cluster, count) for (cluster, _), count in pairs.items())
    gold = _totals((label, count) for (_, label), count in pairs.items())
    mapping, size = many_to_one(pairs), sum(pairs.values())
    homogeneity = _explained(
        [(count, induced[cluster]) for (cluster, _), count in pairs.items()], [(count, size) for count in gold.values()]
    )
    completeness = _explained(
        [(count, gold[label]) for (_, label), count in pairs.items()], [(count, size) for count in induced.values()]
    )
    return {
        "many_to_one": ratio(sum(pairs[cluster, label] for cluster, label in mapping.items()), size),
        "v_measure": ratio(2 * homogeneity * completeness, homogeneity + completeness) or 0.0,
        "homogeneity": homogeneity,
        "completeness": completeness,
    }


def _totals(counts: Iterable[tuple[str, int]]) -> Counter[str]:
    totals = Counter[str]()
    for name, count in counts:
        totals[name] += count
    return totals


def _explained(conditional: Iterable[tuple[int, int]], whole: Iterable[tuple[int, int]]) -> float:
    """The fraction of an entropy that a condition takes away; both as counts, each with what it is a part of."""
    rest, entropy = (fsum(count * log(total / count) for count, total in parts) for parts in (conditional, whole))
    return max(0.0, 1 - rest / entropy) if entropy else 1.0
