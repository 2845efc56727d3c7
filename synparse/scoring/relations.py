"""Induced relations of dependents to their heads, against gold relations, by `synparse.scoring.clustering`.

The names of induced relations mean nothing, so each is mapped to the gold relation that it most often coincides with.
Clusters are scored over the words whose predicted head is the gold one, without roots, whose relation is known from the
head. The labelled attachment score after the mapping is over all scored words: a word counts where its head is right
and its relation is mapped to the gold one; a root counts if it is predicted.

Trivial relations are baselines for these scores. Each has as many clusters as the induced relations, as far as the arcs
differ:

- ``random``: drawn with equal probability;
- ``direction``: the side of the head on which the dependent is, and their distance, with long distances in one cluster;
- ``frequency``: of the dependent's form among these arcs, in classes of about as many arcs each;
- ``frequencies``: that of the dependent, and that of the head;
- ``direction and frequency``: the side of the head, and the frequency of the dependent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isqrt
from random import Random
from typing import NamedTuple

from synparse.scoring.clustering import clustering_scores, many_to_one
from synparse.scoring.comparison import BreakdownTable, RelationNames, Scores
from synparse.scoring.counts import ratio
from synparse.scoring.dependencies import RootRule, TreePair

RELATION_RULE = (
    "; relations of the words whose head is right, without roots, each mapped to the {names} gold relation it most "
    "often coincides with; labelled attachment after this mapping over all scored words"
)

NO_RELATION = "_"


class Arc(NamedTuple):
    """A word and its head: their forms, and how far the head is to the right of the word; negative if it is to the
    left."""

    dependent: str
    head: str
    distance: int


def shown_relation(relation: str, names: RelationNames) -> str:
    """A gold relation as it is scored.

    >>> shown_relation("nsubj:pass", "universal"), shown_relation("nsubj:pass", "full")
    ('nsubj', 'nsubj:pass')
    """
    return relation.partition(":")[0] if names == "universal" else relation


class RelationTally:
    """The running counts of one prediction's relations, against gold relations with these ``names``, the gold ``root``
    treated by one of `synparse.scoring.dependencies.ROOT_RULES`. keeps_arcs: whether the trivial relations are wanted,
    which need all arcs in memory."""

    def __init__(self, names: RelationNames, root: RootRule = "word", keeps_arcs: bool = False) -> None:
        self._names, self._root = names, root
        self._pairs = Counter[tuple[str, str]]()
        self._words = self._roots = 0
        self._arcs: list[tuple[Arc, str]] | None = [] if keeps_arcs else None

    def add(self, words: Sequence[str], pair: TreePair) -> None:
        """Count the scored words of a sentence, given their forms. A word whose gold relation is ``_`` is left out."""
        rows = zip(pair.gold, pair.predicted, pair.gold_relations, pair.predicted_relations, strict=True)
        for position, (gold_head, head, relation, name) in enumerate(rows):
            if relation == NO_RELATION or (not gold_head and self._root == "omit"):
                continue
            self._words += 1
            if not gold_head:
                self._roots += not head and self._root == "word"
            if not gold_head or gold_head != head:
                continue
            relation = shown_relation(relation, self._names)
            self._pairs[name, relation] += 1
            if self._arcs is not None:
                self._arcs.append((Arc(words[position], words[gold_head - 1], gold_head - position - 1), relation))

    def scores(self) -> Scores:
        """Those of the clustering, the number of clusters, and the labelled attachment score after the mapping, 0 … 1;
        None where there is nothing to score."""
        mapping = many_to_one(self._pairs)
        right = sum(self._pairs[pair] for pair in mapping.items())
        return {
            **{f"relation_{name}": value for name, value in clustering_scores(self._pairs).items()},
            "relation_las": ratio(right + self._roots, self._words),
        }

    def table(self) -> BreakdownTable:
        """The induced relations beside the trivial ones, all of the words whose head is right."""
        assert self._arcs is not None
        arcs, gold = [arc for arc, _ in self._arcs], [relation for _, relation in self._arcs]
        rows = {"induced": cluster_scores(self._pairs)}
        for name, clusters in trivial_relations(arcs, max(1, len({name for name, _ in self._pairs}))).items():
            rows[name] = cluster_scores(Counter(zip(clusters, gold, strict=True)))
        return BreakdownTable("relations", "relations", rows)


def cluster_scores(pairs: Mapping[tuple[str, str], int]) -> Scores:
    """The number of clusters, and the scores of `clustering_scores`."""
    return {"clusters": len({name for name, _ in pairs}), **clustering_scores(pairs)}


def trivial_relations(arcs: Sequence[Arc], clusters: int, seed: int = 1) -> dict[str, list[str]]:
    """The relations of all arcs by each rule, ``clusters`` of them at most. O(arcs log arcs)."""
    source = Random(seed)
    several = max(1, clusters // 2)  # on either side
    dependents, heads = [arc.dependent for arc in arcs], [arc.head for arc in arcs]
    rows = isqrt(clusters)
    sides = ["" if clusters < 2 else "right" if arc.distance < 0 else "left" for arc in arcs]
    dependent_classes, head_classes = frequency_classes(dependents, clusters // rows), frequency_classes(heads, rows)
    halves = frequency_classes(dependents, several)
    return {
        "random": [str(source.randrange(clusters)) for _ in arcs],
        "direction": [f"{side} {min(abs(arc.distance), several)}" for side, arc in zip(sides, arcs, strict=True)],
        "frequency": [str(cluster) for cluster in frequency_classes(dependents, clusters)],
        "frequencies": [f"{dependent} {head}" for dependent, head in zip(dependent_classes, head_classes, strict=True)],
        "direction and frequency": [f"{side} {cluster}" for side, cluster in zip(sides, halves, strict=True)],
    }


def frequency_classes(forms: Sequence[str], classes: int) -> list[int]:
    """The class of each form by its frequency among ``forms``: 0 for the most frequent ones. Each class has about as
    many occurrences, but all those of a form are in one. Upper and lower case are one.

    >>> frequency_classes(["a", "a", "A", "a", "b", "b", "c", "d"], 2)
    [0, 0, 0, 0, 1, 1, 1, 1]
    """
    counts = Counter(form.lower() for form in forms)
    class_of, before = {}, 0
    for form, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        class_of[form] = int(classes * (before + count / 2) / len(forms))
        before += count
    return [class_of[form.lower()] for form in forms]
