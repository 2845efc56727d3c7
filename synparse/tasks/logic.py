"""Propositional inference: two formulas, and which of seven relations holds between them.

Bowman, Manning, Potts: Tree-Structured Composition in Neural Networks without Tree-Structured Architectures. 2015. Data
are lines of the relation, a tab, one formula, a tab, the other: ``<``, ``( a ( and b ) )``, ``( not ( not a ) )``. A
formula's set is the set of assignments to the six variables that make it true. The relations are of these sets: = the
same, < inside, > around, ^ complements, | disjoint, v together everything (cover), # none of these.

The parentheses are words, which an encoder reads: without them ``a or b and c`` has two meanings. They are no leaves of
the gold trees, and are taken out of induced ones before these are scored (the code of Shen et al., 2019, does both).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Literal, NamedTuple, TypeAlias

from synparse.tasks.expressions import Example, Expression, Task, distinct, parenthesised
from synparse.trees.errors import SettingError

VARIABLES = tuple("abcdef")
NOT, AND, OR = "not", "and", "or"
RELATIONS = ("=", "<", ">", "^", "|", "v", "#")
MOST_VARIABLES = 4
"""Of a pair of formulas, as published."""

EVERYTHING = (1 << (1 << len(VARIABLES))) - 1
"""A set of assignments is a bit mask: bit n stands for the assignment in which variable k is bit k of n."""

SETS = {name: sum(1 << n for n in range(1 << len(VARIABLES)) if n >> k & 1) for k, name in enumerate(VARIABLES)}

Split: TypeAlias = Literal["A", "B", "C"]

SPLITS: dict[Split, re.Pattern[str]] = {
    "A": re.compile(r"\( and \( not a \) \)"),
    "B": re.compile(r"\( and \( not "),
    "C": re.compile(r"\( (?:and|or) \( not "),
}
"""The systematic splits of Shen et al. (2019, table 2): pairs in which one of these occurs are kept for the test."""


def relation(first: int, second: int) -> str:
    """The relation between two sets, neither of them empty or everything. Exact: a proof by truth table."""
    disjoint, covering = not first & second, first | second == EVERYTHING
    if first == second:
        return "="
    if disjoint and covering:
        return "^"
    if not first & ~second:
        return "<"
    if not second & ~first:
        return ">"
    return "|" if disjoint else "v" if covering else "#"


class Formula(NamedTuple):
    """A formula with its set."""

    expression: Expression
    truth: int


class _Part(NamedTuple):
    """A formula, an operator, or an operator with its right formula, while formulas are read.

    operator: "" for a formula; truth: None for an operator that still waits.
    """

    operator: str
    truth: int | None
    start: int
    height: int
    depth: int


def read_formula(text: str) -> Formula:
    """``( not f )``, ``( f ( and g ) )``, ``( f ( or g ) )`` and variables, fully parenthesised.

    Raises ValueError for unknown words, brackets that do not match, and anything else. O(T).
    """
    words = text.split()
    leaves: list[int] = []
    heights: list[int] = []
    stack: list[_Part | None] = []  # None: an open bracket
    for position, token in enumerate(words):
        if token == "(":
            stack.append(None)
        elif token == ")":
            joined = _join(stack)
            heights[joined[1].start] = joined[0].height
            stack.append(joined[0])
        elif token in SETS or token in (NOT, AND, OR):
            is_variable = token in SETS
            stack.append(_Part("" if is_variable else token, SETS.get(token), len(leaves), 0, 0))
            leaves.append(position)
            heights.append(0)
        else:
            raise ValueError(f"unknown word {token!r}; there are {', '.join((*VARIABLES, NOT, AND, OR))}, ( and )")
    if None in stack:
        raise ValueError("a bracket is never closed")
    if len(stack) != 1 or stack[0] is None or stack[0].operator or stack[0].truth is None:
        raise ValueError(f"not one formula: {text.strip()!r}")
    operators = sum(word in (NOT, AND, OR) for word in words)
    expression = Expression(tuple(words), tuple(leaves), tuple(heights[1:]), stack[0].depth, operators)
    return Formula(expression, stack[0].truth)


def _join(stack: list[_Part | None]) -> tuple[_Part, _Part]:
    """Take the last bracket with its two parts off the stack; returns the node they make, and the right part."""
    if None not in stack:
        raise ValueError("a bracket is closed that was not opened")
    parts: list[_Part] = []
    while (part := stack.pop()) is not None:
        parts.append(part)
    if len(parts) == 2:
        right, left = parts
        position = left.start, max(left.height, right.height) + 1
        if left.operator and left.truth is None and not right.operator and right.truth is not None:
            if left.operator == NOT:
                return _Part("", EVERYTHING & ~right.truth, *position, right.depth + 1), right
            return _Part(left.operator, right.truth, *position, right.depth), right
        if not left.operator and left.truth is not None and right.operator and right.truth is not None:
            truth = left.truth & right.truth if right.operator == AND else left.truth | right.truth
            return _Part("", truth, *position, max(left.depth, right.depth) + 1), right
    raise ValueError("a bracket holds neither (not f) nor (f (and g)) nor (f (or g))")


def draw(random: Random, operators: int, variables: Sequence[str]) -> str:
    """A random formula with this many operators; all operators are equally likely, and all ways to divide the rest."""
    tokens: list[str] = []
    waiting: list[str | int] = [operators]  # words, and formulas by their number of operators
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            tokens.append(item)
        elif not item:
            tokens.append(random.choice(variables))
        elif (operator := random.choice((NOT, AND, OR))) == NOT:
            waiting += [")", item - 1, NOT, "("]
        else:
            left = random.randint(0, item - 1)
            waiting += [")", ")", item - 1 - left, operator, "(", left, "("]
    return " ".join(tokens)


def generate(
    min_operators: int, max_operators: int, count: int, seed: int, without: Iterable[Example] = ()
) -> Iterator[Example]:
    """Distinct pairs whose longer formula has ``min_operators`` to ``max_operators`` operators, as likely each, none of
    them ``without``.

    As published, a pair has at most four variables, and no formula is always true or always false. Raises SettingError
    if there are fewer such pairs.
    """
    if not 0 <= min_operators <= max_operators:
        raise SettingError("the fewest operators cannot be more than the most, nor less than 0")
    random = Random(seed)

    def draw_pair() -> Example | None:
        longer = random.randint(min_operators, max_operators)
        counts = [longer, random.randint(0, longer)]
        random.shuffle(counts)
        variables = random.sample(VARIABLES, MOST_VARIABLES)
        first, second = [read_formula(draw(random, operators, variables)) for operators in counts]
        return None if {first.truth, second.truth} & {0, EVERYTHING} else _pair(first, second)

    return distinct(draw_pair, count, "pairs", without)


def is_held_out(example: Example, split: Split) -> bool:
    """Whether a systematic split keeps this pair for the test."""
    return any(SPLITS[split].search(parenthesised(expression)) for expression in example.expressions)


def _pair(first: Formula, second: Formula) -> Example:
    label = RELATIONS.index(relation(first.truth, second.truth))
    return Example((first.expression, second.expression), label)


def _example(fields: Sequence[str]) -> Example:
    if len(fields) != 3:
        raise ValueError(f"{len(fields)} columns where logic has 3: the relation, a formula, another formula")
    formulas = read_formula(fields[1]), read_formula(fields[2])
    if any(formula.truth in (0, EVERYTHING) for formula in formulas):
        raise ValueError("a formula is always true or always false, so more than one relation holds")
    example = _pair(*formulas)
    if fields[0] != RELATIONS[example.label]:
        raise ValueError(f"the relation is {RELATIONS[example.label]}, not {fields[0]!r}")
    return example


LOGIC = Task("logic", (*VARIABLES, NOT, AND, OR, "(", ")"), RELATIONS, 2, _example)
