"""The output of `synparse parse --format json` as structures to draw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import Any

from synparse.drawing.layout import Bars, HeadMap, Structure
from synparse.trees.constituency import INDUCED_LABEL, induced_tree
from synparse.trees.dependency import DependencyTree
from synparse.trees.json_lines import read_objects, sent_id_of, trees_of_object


def read_parses(lines: Iterable[str], source: str) -> Iterator[tuple[list[Structure], str, str]]:
    """Distances and heights as bars, the constituency and the dependency tree of each line, and the distributions of
    heads as a heat map; what is null is left out. Constituents have their labels, words their tags, and arcs their
    relations, where the line has any; probabilities stand beside the labels and relations. Then the ``sent_id`` and the
    text, "" for none.

    A line without tokens has nothing. Raises DataError(source:line) for what `parse` does not write.
    """
    return read_objects(lines, source, lambda value: (structures_of(value), sent_id_of(value), value.get("text") or ""))


def structures_of(value: dict[str, Any]) -> list[Structure]:
    """The structures to draw of one parse.

    Distances and heights belong to the tokens that were read, to all where the line does not say. A distance belongs to
    the token before its split.

    >>> parse = {"tokens": ["a", ",", "b"], "read": [True, False, True], "distances": [2.5], "heights": None,
    ...          "constituents": None, "heads": [0, 1, 1]}
    >>> for structure in structures_of(parse):
    ...     print(structure)
    Bars(title='distances', words=('a', ',', 'b'), values=(2.5, None, None), between=True)
    DependencyTree(words=('a', ',', 'b'), heads=(0, 1, 1), relations=None)

    Raises ValueError, TypeError or OverflowError where it is none.
    """
    words, tree, heads, *_ = trees_of_object(value)
    read = tuple(map(bool, value.get("read") or words))
    if len(read) != len(words):
        raise ValueError(f"{len(words)} tokens but read has {len(read)}")
    if not words:
        return []
    positions = list(compress(range(len(words)), read))
    structures: list[Structure] = [
        Bars(title, words, _spread(title, value[title], at, len(words)), title == "distances")
        for title, at in (("distances", positions[:-1]), ("heights", positions))
        if value.get(title) is not None
    ]
    if tree is not None:
        labels = beside(
            value.get("labels") or [INDUCED_LABEL] * len(tree.constituents), value.get("span_probabilities")
        )
        spans = [(start, end) for start, end in value["constituents"]]
        structures.append(induced_tree(words, spans, tree.tags, labels))
    if heads is not None:
        if None in heads:
            raise ValueError(f"word {heads.index(None) + 1} has no head; synparse parse --keep heads fills such gaps")
        known = tuple(head for head in heads if head is not None)
        relations = beside(value.get("relations") or [""] * len(words), value.get("head_probabilities"))
        structures.append(DependencyTree(words, known, relations if any(relations) else None))
    if value.get("head_distributions") is not None:
        rows = value["head_distributions"]
        structures.append(HeadMap(words, tuple(None if row is None else tuple(map(float, row)) for row in rows)))
    return structures


def beside(labels: Sequence[str], probabilities: Sequence[float | None] | None) -> tuple[str, ...]:
    """Labels, each with its probability where it has one.

    >>> beside(["nsubj", "", "punct"], [0.876, 1, None])
    ('nsubj 0.88', '1.00', 'punct')

    Raises ValueError where there are not as many probabilities as labels.
    """
    if probabilities is None:
        return tuple(labels)
    pairs = zip(labels, probabilities, strict=True)
    return tuple(label if value is None else f"{label} {value:.2f}".strip() for label, value in pairs)


def _spread(title: str, values: Sequence[Any], positions: Sequence[int], count: int) -> tuple[float | None, ...]:
    """The values, which may be None, at their positions among ``count`` tokens, None at the others."""
    if len(values) != len(positions):
        raise ValueError(f"{len(values)} {title} where {len(positions)} are needed")
    spread: list[float | None] = [None] * count
    for position, value in zip(positions, values, strict=True):
        spread[position] = None if value is None else float(value)
    return tuple(spread)
