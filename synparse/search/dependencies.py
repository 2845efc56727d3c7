"""Patterns of words and arcs, the core of Grew's requests (Guillaume, 2021):

    pattern { V [upos=VERB]; N [upos=NOUN|PROPN]; V -[nsubj|obj]-> N; N << V } without { V -[expl]-> E }

Different names are different words. Matching is backtracking over the words: each next name is looked for where an arc
or the order leads, and no sentence takes more than `MOST_STEPS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import regex

from synparse.search.tokens import Tokens, TooManyMatches, compiled, composed, unquoted
from synparse.trees.conllu import UNKNOWN
from synparse.trees.limits import MOST_MATCHES, MOST_STEPS

MOST_NAMES = 20
"""Names of words in a pattern."""

# The name of a feature may have a layer: Number[psor].
_TOKEN = re.compile(
    r're"(?:\\.|[^"\\])*"|"(?:\\.|[^"\\])*"|\]->|-\[|->|<>|<<|>>|[\[\]{}<>=;,|!^]'
    r"|(?:(?<=[\[,!])|(?<=, )|[^\W\d]\w*\.)[^\W\d]\w*\[[a-z0-9]+\]"
    r'|(?:(?!->|-\[|\]->)[^\s\[\]{}<>=;,|!^"])+'
)
_NAME = regex.compile(r"[^\W\d]\w*\Z")
_EXPRESSION = re.compile(r"/[^/]+/\w*\Z")
_FEATURE_OF_WORD = regex.compile(r"[^\W\d]\w*\..")

COLUMNS = {"form": 1, "lemma": 2, "upos": 3, "xpos": 4, "relation": 7, "deprel": 7}
_FEATURES, _MISC = 5, 9


class Words:
    """The words of a sentence, counted from 0: their columns, heads (−1: the root; None: unknown), dependents."""

    def __init__(self, rows: Sequence[Sequence[str]], heads: Sequence[int | None]) -> None:
        self.rows = rows
        self.heads = [None if head is None else head - 1 for head in heads]
        self.steps = 0
        self.dependents: list[list[int]] = [[] for _ in rows]
        self._features: dict[int, dict[str, str]] = {}
        for word, head in enumerate(self.heads):
            if head is not None and head >= 0:
                self.dependents[head].append(word)

    def __len__(self) -> int:
        return len(self.rows)

    def value(self, word: int, name: str) -> str | None:
        """A column by name, or a feature of FEATS or MISC; None where the word has none."""
        if column := COLUMNS.get(name):
            value = composed(self.rows[word][column])
            return None if value == UNKNOWN and name != "form" else value
        if word not in self._features:
            parts = f"{self.rows[word][_MISC]}|{self.rows[word][_FEATURES]}".split("|")
            pairs = (composed(part).partition("=") for part in parts)
            self._features[word] = {key: value for key, equals, value in pairs if equals}
        return self._features[word].get(name)

    def have(self, name: str) -> bool:
        """Whether any of the words has this column or feature."""
        return any(self.value(word, name) is not None for word in range(len(self)))


Others: TypeAlias = Callable[[Words, int], Iterable[int]]


class Condition(NamedTuple):
    """What must hold of one word, or of two, by their names. Of two, an arc or the order leads from each to those that
    come into question for the other (``seconds`` from the first, ``firsts`` from the second). ``features``: the columns
    and features that are asked for."""

    names: tuple[str, ...]
    holds: Callable[..., bool]
    seconds: Others | None = None
    firsts: Others | None = None
    features: tuple[str, ...] = ()


class _Step(NamedTuple):
    """Look for one word: everywhere, or where a condition leads from another one; what must hold of it and of those
    before."""

    name: str
    origin: str | None
    others: Others
    conditions: tuple[Condition, ...]


class _Plan(NamedTuple):
    """What must hold of the words that are there before, and the words to look for."""

    conditions: tuple[Condition, ...]
    steps: tuple[_Step, ...]


class DependencyPattern(NamedTuple):
    """A pattern that was read: the names of its words, in their order, the columns and features that it asks for, what
    is looked for, and what must not be."""

    names: tuple[str, ...]
    features: frozenset[str]
    wanted: _Plan
    absent: tuple[_Plan, ...]

    def matches(self, words: Words) -> list[dict[str, int]]:
        """The matches in a sentence, each a word by name, sorted by the words of the first name, the second and so on.
        Raises TooManyMatches for more than its words and `MOST_MATCHES`, or if more than `MOST_STEPS` are needed."""
        matches = []
        for match in _matches(self.wanted, words, {}):
            if any(any(True for _ in _matches(plan, words, match)) for plan in self.absent):
                continue
            matches.append({name: match[name] for name in self.names})
            if len(matches) > max(MOST_MATCHES, len(words)):
                raise TooManyMatches(f"more than {MOST_MATCHES} matches: say more of the words, or link them")
        return sorted(matches, key=lambda match: [*match.values()])


def _matches(plan: _Plan, words: Words, given: Mapping[str, int]) -> Iterator[Mapping[str, int]]:
    return _placed(plan.steps, words, given) if _hold(plan.conditions, words, given) else iter(())


def _placed(steps: Sequence[_Step], words: Words, placed: Mapping[str, int]) -> Iterator[Mapping[str, int]]:
    """The ways to place the words of the steps beside those that are placed already."""
    if not steps:
        yield placed
        return
    name, origin, others, conditions = steps[0]
    for word in others(words, 0 if origin is None else placed[origin]):
        words.steps += 1
        if words.steps > MOST_STEPS:
            raise TooManyMatches(f"it takes more than {MOST_STEPS} steps: say more of the words, or link them")
        further = {**placed, name: word}
        if word not in placed.values() and _hold(conditions, words, further):
            yield from _placed(steps[1:], words, further)


def _hold(conditions: Iterable[Condition], words: Words, placed: Mapping[str, int]) -> bool:
    return all(condition.holds(words, *[placed[name] for name in condition.names]) for condition in conditions)


def read_pattern(text: str) -> DependencyPattern:
    """A pattern. Raises SettingError with the column of what is wrong.

    >>> rows = [(str(number), form, *"________") for number, form in enumerate(("the", "dog", "barks"), 1)]
    >>> read_pattern("H -> D; D < H").matches(Words(rows, (2, 3, 0)))
    [{'H': 1, 'D': 0}, {'H': 2, 'D': 1}]
    """
    tokens = Tokens(text, _TOKEN, "words and arcs")
    wanted: list[Condition] = []
    absent: list[list[Condition]] = []
    while tokens.next():
        if tokens.next() in ("pattern", "without") and tokens.next(1) == "{":
            block = wanted
            if tokens.take() == "without":
                block = []
                absent.append(block)
            tokens.take()
            while tokens.next() not in ("}", ""):
                block += _clause(tokens)
            tokens.expect("}")
            tokens.take_if(";")
        else:
            wanted += _clause(tokens)
    names = _names(wanted)
    if not names:
        raise tokens.expected("a word, such as V [upos=VERB]")
    if all(condition.seconds in _BY_ORDER for condition in wanted):
        raise tokens.fault("only the order of words is said: add an arc (V -> N) or a word (V [upos=VERB])")
    if len({*names}.union(*map(_names, absent))) > MOST_NAMES:
        raise tokens.fault(f"more than {MOST_NAMES} names of words")
    features = frozenset(name for block in (wanted, *absent) for condition in block for name in condition.features)
    return DependencyPattern(names, features, _planned(wanted, ()), tuple(_planned(block, names) for block in absent))


def _names(conditions: Iterable[Condition]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for condition in conditions for name in condition.names))


def _planned(conditions: Sequence[Condition], given: Sequence[str]) -> _Plan:
    """In which order to look for words: first where the fewest come into question."""
    placed, steps = list(given), []
    left = [name for name in _names(conditions) if name not in given]
    while left:
        steps.append(min((_step(name, conditions, placed) for name in left), key=_width))
        placed.append(steps[-1].name)
        left.remove(steps[-1].name)
    return _Plan(tuple(condition for condition in conditions if set(condition.names) <= set(given)), tuple(steps))


def _step(name: str, conditions: Sequence[Condition], placed: Sequence[str]) -> _Step:
    known = {name, *placed}
    holding = tuple(each for each in conditions if name in each.names and known.issuperset(each.names))
    ways: list[tuple[str | None, Others]] = [(None, _everywhere)]
    for condition in holding:
        if condition.seconds is not None and condition.firsts is not None:
            first, second = condition.names
            ways.append((first, condition.seconds) if second == name else (second, condition.firsts))
    origin, others = min(ways, key=lambda way: _LEADS.index(way[1]))
    return _Step(name, origin, others, holding)


def _width(step: _Step) -> tuple[int, int]:
    """How many words come into question, roughly: by where the step leads, then by the number of its conditions."""
    return _LEADS.index(step.others), -len(step.conditions)


def _head(words: Words, word: int) -> Iterable[int]:
    head = words.heads[word]
    return () if head is None or head < 0 else (head,)


def _dependents(words: Words, word: int) -> Iterable[int]:
    return words.dependents[word]


def _next(words: Words, word: int) -> Iterable[int]:
    return range(word + 1, min(word + 2, len(words)))


def _previous(words: Words, word: int) -> Iterable[int]:  # noqa: ARG001
    return range(max(word - 1, 0), word)


def _after(words: Words, word: int) -> Iterable[int]:
    return range(word + 1, len(words))


def _before(words: Words, word: int) -> Iterable[int]:  # noqa: ARG001
    return range(word)


def _everywhere(words: Words, word: int) -> Iterable[int]:  # noqa: ARG001
    return range(len(words))


_LEADS: tuple[Others, ...] = (_head, _next, _previous, _dependents, _before, _after, _everywhere)
"""To few words first."""

_ORDERS: dict[str, tuple[Callable[[int, int], bool], Others, Others]] = {
    "<": (lambda first, second: first + 1 == second, _next, _previous),
    ">": (lambda first, second: first == second + 1, _previous, _next),
    "<<": (lambda first, second: first < second, _after, _before),
    ">>": (lambda first, second: first > second, _before, _after),
}


_BY_ORDER = [seconds for _, seconds, _ in _ORDERS.values()]


def _clause(tokens: Tokens) -> list[Condition]:
    """``V [upos=VERB, lemma]``, ``V -[obj]-> N``, ``V << N``, ``V.Number = N.Number``, and the ``;`` after it."""
    if _FEATURE_OF_WORD.match(tokens.next()):
        conditions = [_same(tokens)]
    else:
        first = _name(tokens)
        sign = tokens.next()
        if sign == "[":
            conditions = _described(tokens, first)
        elif sign in ("->", "-["):
            tokens.take()
            is_wanted = _labels(tokens) if sign == "-[" else None
            conditions = [_arc(first, _name(tokens, first), is_wanted)]
        elif sign in _ORDERS:
            tokens.take()
            compare, seconds, firsts = _ORDERS[sign]
            names = (first, _name(tokens, first))
            conditions = [Condition(names, lambda words, a, b: compare(a, b), seconds, firsts)]  # noqa: ARG005
        else:
            raise tokens.expected("[ or an arrow or an order (V [upos=VERB], V -[obj]-> N, V << N)")
    if tokens.next() not in ("}", "", "pattern", "without"):
        tokens.expect(";")
        while tokens.take_if(";"):
            pass
    return conditions


def _name(tokens: Tokens, other: str = "") -> str:
    """The name of a word, which is not the ``other`` one."""
    if not _NAME.match(tokens.next()):
        raise tokens.expected("the name of a word, of letters, digits and _")
    if tokens.next() == other:
        raise tokens.fault(f"{other} would be a word of itself")
    return tokens.take()


def _described(tokens: Tokens, name: str) -> list[Condition]:
    """``[upos=NOUN|PROPN, form<>"x", Number, !Case]``; without anything in it, any word."""
    tokens.take()
    conditions = [Condition((name,), lambda words, word: True)]  # noqa: ARG005
    while not tokens.take_if("]"):
        conditions.append(_feature(tokens, name))
        if tokens.next() != "]":
            tokens.expect(",")
    return conditions


def _feature(tokens: Tokens, of: str) -> Condition:
    is_absent = tokens.take_if("!")
    name = _word(tokens, "a feature")
    sign = "" if is_absent else tokens.take_if(("=", "<>"))
    is_wanted = _values(tokens) if sign else None

    def holds(words: Words, word: int) -> bool:
        value = words.value(word, name)
        if value is None or is_wanted is None:
            return (value is None) == bool(is_absent)
        return is_wanted(value) == (sign == "=")

    return Condition((of,), holds, features=(name,))


def _values(tokens: Tokens) -> Callable[[str], bool]:
    """``NOUN|PROPN``, ``"a word"``, ``re"a.*"``: whether a value is one of these, an expression its whole."""
    exact, expressions = set(), []
    while True:
        token = tokens.next()
        if token.startswith('re"'):
            expressions.append(compiled(token[3:-1], tokens))
            tokens.take()
        elif _EXPRESSION.match(token):
            raise tokens.fault('a regular expression is written re"a.*", and re"(?i)a.*" in any case; a word in quotes')
        else:
            exact.add(_word(tokens, "a value"))
        if not tokens.take_if("|"):
            break
    return lambda value: value in exact or any(expression.fullmatch(value) for expression in expressions)


def _word(tokens: Tokens, what: str) -> str:
    token = tokens.next()
    if token.startswith('"'):
        return unquoted(tokens.take())
    if not token or token[0] in "[]{}<>=;,|!^-" or token.startswith('re"'):
        raise tokens.expected(what)
    return tokens.take()


def _labels(tokens: Tokens) -> Callable[[str], bool]:
    """``nsubj|obj]->``, or none of these: ``^nsubj|obj]->``."""
    negated = bool(tokens.take_if("^"))
    is_wanted = _values(tokens)
    tokens.expect("]->")
    return lambda relation: is_wanted(relation) != negated


def _arc(head: str, dependent: str, is_wanted: Callable[[str], bool] | None) -> Condition:
    def holds(words: Words, first: int, second: int) -> bool:
        if words.heads[second] != first:
            return False
        return is_wanted is None or is_wanted(words.value(second, "relation") or "")

    return Condition((head, dependent), holds, _dependents, _head)


def _same(tokens: Tokens) -> Condition:
    """``V.Number = N.Number``: both have the feature, with the same value; or with another one, ``<>``."""
    first_name, _, feature = tokens.take().partition(".")
    sign = tokens.take_if(("=", "<>"))
    if not sign:
        raise tokens.expected("= or <>")
    if not _FEATURE_OF_WORD.match(tokens.next()):
        raise tokens.expected("a feature of a word, such as V.lemma")
    second_name, _, other_feature = tokens.take().partition(".")

    def holds(words: Words, first: int, second: int) -> bool:
        values = words.value(first, feature), words.value(second, other_feature)
        return None not in values and (values[0] == values[1]) == (sign == "=")

    return Condition((first_name, second_name), holds, features=(feature, other_feature))
