"""The contents of a model's grammars as plain values: word classes, dependencies, and the rules of constituents.

Everything is computed from the stored probabilities; no text is read. Classes and nonterminals have the same names as
in parses (`synparse.store.grammars`).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from synparse.corpora.word_classes import ClassMember, WordClasses
from synparse.inducers.class_grammar import ClassGrammars
from synparse.inducers.dependency_boundary import ADJACENT, LATER, LEFT, RIGHT, DependencyModel
from synparse.store.grammars import class_name, find_grammars, nonterminal_name, who_has_grammars
from synparse.store.models import open_model
from synparse.trees.errors import SettingError
from synparse.trees.function_words import FunctionWords, learned_convention
from synparse.trees.span_chart import Array
from synparse.trees.trivial import TRIVIAL_PARSERS

SIDES = {LEFT: "left", RIGHT: "right"}

MOST_RULES = 100
"""Default number of rules of a nonterminal; all pairs of symbols would be tens of thousands."""

DIGITS = 6
"""Probabilities are rounded to this many digits; those that are then 0 are left out."""

HIGHEST = 8
"""The maximal height of the example trees of nonterminals."""

_ROUNDS = 1000
"""Maximal number of rounds of the iteration for outermost words, which ends when they hardly change."""

_LEAST = 1e-9


def grammar_report(
    model: str | Path, grammar: int = 1, function_words: FunctionWords | None = None, most: int | None = None
) -> dict[str, Any]:
    """The grammars of a model directory, or of a shipped model, as values for JSON.

    grammar: which of the class grammars, from 1. function_words: the convention of the dependency model, by default the
    one that the model parses with; ``adpositions`` takes that of ``free``. most: classes, nonterminals, and entries
    of each list, at most; None: all (of rules, `MOST_RULES`). Of several sets of grammars, the first.

    - ``commonest``: the commonest word of each class, a group of words only where the class has no others.
    - ``classes``: name, ``share`` of the tokens of the text, ``count``, and ``words`` with their counts.
    - ``adpositions``, ``conjunctions``: which function words are some, where that is known.
    - ``dependencies``: of each class that is read: ``root``, the probability to be the root; for ``left`` and
      ``right``, the probability of no dependent (``none``), the expected number of dependents (``number``), and the
      probabilities of classes as the ``first`` (nearest) and as ``later`` ones; ``heads``: which classes head it, on
      which side of them it stands, and the share of this among all its heads (`expected_arcs`).
    - ``constituents``: of each nonterminal: ``root``, ``uses`` in a sentence (`expected_uses`), the probabilities of
      its ``left`` and ``right`` parts, its most probable ``rules``, and an ``example`` (`short_examples`).

    The most frequent come first. Raises SettingError for a model without grammars, and for a grammar that it does not
    have; DataError if there is no such model, or it is damaged.
    """
    opened = None if model in TRIVIAL_PARSERS else open_model(model)
    sets = find_grammars(opened) if opened else []
    if not opened or not sets:
        raise SettingError(f"{model} has no grammars; {who_has_grammars()}")
    grammars, text, _ = sets[0]
    classes = grammars.classes
    names = [class_name(number, classes.size) for number in range(classes.size)]
    members = _members(classes)
    words = [_commonest(class_members, name) for class_members, name in zip(members, names, strict=True)]
    commonest = dict(zip(names, words, strict=True))
    report: dict[str, Any] = {"model": str(model), "commonest": commonest, "classes": _classes(names, members, most)}
    if grammars.dependencies:
        convention = learned_convention(function_words or opened.parsing.function_words)
        frequencies = np.array([sum(word.occurrences for word in class_members) for class_members in members], float)
        read = classes.size - (text.punctuation == "drop")
        frequencies[read:] = 0
        dependencies = _dependencies(names, grammars.dependencies[convention], frequencies, read, most)
        by_frequency = sorted(classes.members, key=lambda member: -member.occurrences)
        adpositions = [member.name for member in by_frequency if member.type in grammars.adpositions]
        joining = grammars.conjunction_words
        conjunctions = [member.name for member in by_frequency if member.type in joining]
        report |= {"function_words": convention, "adpositions": adpositions[:most]}
        report |= {"conjunctions": conjunctions[:most], "dependencies": dependencies}
    if grammars.constituents is not None:
        count = len(grammars.constituents.root)
        if not 1 <= grammar <= count:
            raise SettingError(f"--grammar must be 1 to {count}, the number of class grammars, not {grammar}")
        constituents = _constituents(grammars.constituents, grammar - 1, names, words, most)
        report |= {"grammar": grammar, "of": count, "constituents": constituents}
    return report


def _members(classes: WordClasses) -> list[list[ClassMember]]:
    """The words of each class, the most frequent first."""
    ordered = sorted(classes.members, key=attrgetter("word_class"))
    by_class = {number: list(group) for number, group in itertools.groupby(ordered, attrgetter("word_class"))}
    return [by_class.get(number, []) for number in range(classes.size)]


def _commonest(members: Sequence[ClassMember], name: str) -> str:
    """The commonest word of a class, else its commonest group, else its own name."""
    words = (member for member in members if not member.is_group)
    commonest = next(words, members[0] if members else None)
    return name if commonest is None else commonest.name


def _classes(names: Sequence[str], members: Sequence[Sequence[ClassMember]], most: int | None) -> list[dict[str, Any]]:
    counts = [sum(word.occurrences for word in class_members) for class_members in members]
    total = max(1, sum(counts))
    return [
        {
            "name": name,
            "share": round(count / total, DIGITS),
            "count": count,
            "words": [{"word": word.name, "count": word.occurrences} for word in class_members[:most]],
        }
        for name, count, class_members in itertools.islice(zip(names, counts, members, strict=True), most)
    ]


def _dependencies(
    names: Sequence[str], model: DependencyModel, frequencies: Array, read: int, most: int | None
) -> list[dict[str, Any]]:
    numbers = {side: expected_numbers(model, side) for side in SIDES}
    arcs = expected_arcs(model, frequencies)
    places = [(name, side) for name in names for side in SIDES.values()]
    rules = []
    for number in range(read if most is None else min(read, most)):
        row: dict[str, Any] = {"class": names[number], "root": round(float(model.root[number]), DIGITS)}
        for side, key in SIDES.items():
            none = float(model.stop[number, side, ADJACENT])
            row[key] = {
                "none": round(none, DIGITS),
                "number": round((1 - none) * (1 + float(numbers[side][number])), DIGITS),
                "first": _probable(model.attach[number, side, ADJACENT], names, most),
                "later": _probable(model.attach[number, side, LATER], names, most),
            }
        head_counts = arcs[:, :, number].ravel()
        shares = head_counts / max(head_counts.sum(), _LEAST)
        row["heads"] = [
            {"class": name, "side": side, "share": share} for (name, side), share in _ranked(shares, places, most)
        ]
        rules.append(row)
    return rules


def expected_numbers(model: DependencyModel, side: int) -> Array:
    """How many more dependents each class [C] is expected to have on a side where it has one.

    Whether a head goes on depends on the outermost word so far, the far end of the last dependent's half tree. The
    distribution of these words, by class of the head, is the fixed point of what a half tree is made of; see
    `synparse.inducers.dependency_boundary`.
    """
    none, stop = model.stop[:, side, ADJACENT], model.stop[:, side, LATER]
    if model.stops_by_head:
        more: Array = (1 - stop) / np.maximum(stop, _LEAST)
        return more
    first, later = model.attach[:, side, ADJACENT], model.attach[:, side, LATER]
    outermost = np.eye(model.classes)
    for _ in range(_ROUNDS):
        after_first, after_later = first @ outermost, later @ outermost
        more = after_first @ (1 - stop) / np.maximum(1 - after_later @ (1 - stop), _LEAST)
        ends = (after_first + more[:, None] * after_later) * stop
        before, outermost = outermost, np.diag(none) + (1 - none)[:, None] * ends
        if np.abs(outermost - before).max() < _LEAST:
            break
    return more


def expected_arcs(model: DependencyModel, frequencies: Array) -> Array:
    """How often a class has another as a dependent, [head, side, dependent], if heads are as frequent as in the text,
    [C]."""
    number = np.stack([expected_numbers(model, side) for side in SIDES], 1)
    dependents = model.attach[:, :, ADJACENT] + number[:, :, None] * model.attach[:, :, LATER]
    arcs: Array = frequencies[:, None, None] * (1 - model.stop[:, :, ADJACENT, None]) * dependents
    return arcs


def _constituents(
    grammars: ClassGrammars, number: int, names: Sequence[str], words: Sequence[str], most: int | None
) -> list[dict[str, Any]]:
    N = grammars.nonterminals
    root, left, right = (part[number] for part in grammars)
    uses = expected_uses(root, left[:, :N] + right[:, :N])
    symbols = [*map(nonterminal_name, range(N)), *names]
    examples = short_examples(left, right, words)
    pairs = list(itertools.product(range(len(symbols)), repeat=2))
    order = np.argsort(-(root if uses is None else uses), kind="stable")[:most]
    return [
        {
            "name": symbols[symbol],
            "root": round(float(root[symbol]), DIGITS),
            "uses": None if uses is None else round(float(uses[symbol]), DIGITS),
            "example": examples[symbol],
            "rules": [
                {
                    "left": symbols[left_part],
                    "right": symbols[right_part],
                    "probability": probability,
                    "example": [examples[left_part], examples[right_part]],
                }
                for (left_part, right_part), probability in _ranked(
                    np.outer(left[symbol], right[symbol]).ravel(), pairs, most or MOST_RULES
                )
            ],
            "left": _probable(left[symbol], symbols, most),
            "right": _probable(right[symbol], symbols, most),
        }
        for symbol in order.tolist()
    ]


def expected_uses(root: Array, parts: Array) -> Array | None:
    """How often each nonterminal [N] is expected in a tree: n = root + n · parts, where parts [A, B] is the expected
    number of B among the two parts of an A. None where trees have no finite expected size."""
    if np.abs(np.linalg.eigvals(parts)).max() > 1 - _LEAST:
        return None
    uses: Array = np.linalg.solve(np.eye(len(root)) - parts.T, root)
    return uses


def short_examples(left: Array, right: Array, words: Sequence[str]) -> list[str]:
    """A string of words for each symbol, nonterminals [N] before classes [C]: the words of the most probable tree up to
    `HIGHEST` levels high, in which the most frequent word stands for each class. "" where there is no such tree."""
    N = len(left)
    best = np.concatenate([np.zeros(N), np.ones(len(words))])
    examples = [""] * N + list(words)
    for _ in range(HIGHEST):
        left_rules, right_rules = left * best, right * best
        parts = zip(left_rules.argmax(1).tolist(), right_rules.argmax(1).tolist(), strict=True)
        probability = left_rules.max(1) * right_rules.max(1)
        is_better = probability > best[:N]
        if not is_better.any():
            break
        joined = [f"{examples[first]} {examples[second]}" for first, second in parts]
        examples[:N] = [new if better else old for new, old, better in zip(joined, examples, is_better, strict=False)]
        best[:N] = np.maximum(best[:N], probability)
    return examples


def _probable(probabilities: Array, names: Sequence[str], most: int | None) -> dict[str, float]:
    return dict(_ranked(probabilities, names, most))


def _ranked(values: Array, names: Sequence[Any], most: int | None) -> list[tuple[Any, float]]:
    """The names with the highest values and these values, rounded, without zeros."""
    order = np.argsort(-values, kind="stable")[:most].tolist()
    return [(names[number], value) for number in order if (value := round(float(values[number]), DIGITS)) > 0]
