"""ListOps: nested operations on lists of digits, ``[MAX 2 9 [MIN 4 7 ] 0 ]`` = 9.

Nangia, Bowman: ListOps: A Diagnostic Dataset for Latent Tree Learning. NAACL student workshop 2018. Data are lines of
the value, a tab and the expression, with or without parentheses for the tree: as published, it is left-branching within
each list, ``( ( ( [MAX 2 ) 9 ) ] )``, from the operator to the bracket that closes the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median

from synparse.tasks.expressions import Example, Expression, Task, distinct
from synparse.trees.errors import SettingError

CLOSE = "]"
DIGITS = tuple("0123456789")

LONGEST = 100_000
"""Words of an expression. Where most arguments are lists, these would else grow without bound: published expressions
have some thousand words at most."""

OPERATIONS: dict[str, Callable[[Sequence[int]], int]] = {
    "[MAX": max,
    "[MED": lambda values: int(median(values)),  # of an even number, the mean of the two middle ones, rounded down
    "[MIN": min,
    "[SM": lambda values: sum(values) % 10,
}


@dataclass(frozen=True)
class Limits:
    """The distribution of expressions; by default the published one, which cuts no lengths.

    value_probability: that an argument is a digit, not a list, where lists may still be nested.
    min_depth, max_depth: lists within lists; a digit has depth 0. Nineteen lists and the digits in them are the
    published depth of 20. min_arguments, max_arguments: of each list, uniformly; min_length, max_length: words, with
    operators and closing brackets.
    """

    value_probability: float = 0.75
    min_depth: int = 0
    max_depth: int = 19
    min_arguments: int = 2
    max_arguments: int = 5
    min_length: int = 1
    max_length: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.value_probability <= 1:
            raise SettingError(f"--value-probability must lie between 0 and 1, not {self.value_probability}")
        if not 0 <= self.min_depth <= self.max_depth:
            raise SettingError("the least depth cannot be above the greatest, nor below 0")
        if not 1 <= self.min_arguments <= self.max_arguments:
            raise SettingError("the fewest arguments cannot be more than the most, nor less than 1")
        if self.max_length is not None and not self.min_length <= self.max_length:
            raise SettingError("the least length cannot be above the greatest")


def generate(limits: Limits, count: int, seed: int, without: Iterable[Example] = ()) -> Iterator[Example]:
    """Distinct expressions with their values, none of those ``without``; the same seed gives the same ones.

    Raises SettingError if there are fewer within the limits, or one of them has more than `LONGEST` words.
    """
    random = Random(seed)

    def draw_one() -> Example | None:
        words = draw(random, limits)
        if words is None:
            return None
        expression, value = read_expression(words)
        return Example((expression,), value)

    return distinct(draw_one, count, "expressions", without)


def draw(random: Random, limits: Limits) -> tuple[str, ...] | None:
    """The words of one expression; None where its length or depth lies outside of the limits. Raises as `generate`."""
    words: list[str] = []
    missing = [1]  # arguments that each open list still lacks
    depth = 0
    while missing:
        if limits.max_length is not None and len(words) + len(missing) - 1 > limits.max_length:
            return None
        if len(words) > LONGEST:
            raise SettingError(f"expressions have more than {LONGEST:,} words; limit them: --max-length or --max-depth")
        if not missing[-1]:
            missing.pop()
            if missing:
                words.append(CLOSE)
            continue
        missing[-1] -= 1
        if len(missing) > limits.max_depth or random.random() < limits.value_probability:
            words.append(random.choice(DIGITS))
            continue
        depth = max(depth, len(missing))
        missing.append(random.randint(limits.min_arguments, limits.max_arguments))
        words.append(random.choice(tuple(OPERATIONS)))
    return tuple(words) if len(words) >= limits.min_length and depth >= limits.min_depth else None


class _OpenList:
    """A list while it is read: the position of its operator, its arguments, and the height of its tree so far."""

    def __init__(self, operator: str, start: int) -> None:
        self.operator = operator
        self.start = start
        self.values: list[int] = []
        self.height = 0

    def hang(self, height: int) -> int:
        """Add a right child; returns the height of the node that joins it to the tree so far."""
        self.height = max(self.height, height) + 1
        return self.height


def read_expression(words: Sequence[str]) -> tuple[Expression, int]:
    """The words of an expression, parentheses left out, → its tree and its value. O(T).

    Raises ValueError for unknown words, lists without arguments and brackets that do not match.
    """
    stack: list[_OpenList] = []
    heights: list[int] = []  # of the point before each word but the first
    depth = operators = 0
    value: int | None = None
    for position, word in enumerate(words):
        if value is not None:
            raise ValueError(f"the expression ended before {word!r}")
        heights.append(0)
        if word in OPERATIONS:
            stack.append(_OpenList(word, position))
            depth, operators = max(depth, len(stack)), operators + 1
            continue
        start, height = position, 0
        if word in DIGITS:
            result = int(word)
        elif word == CLOSE:
            closed = _closed(stack)
            heights[position] = closed.hang(0)
            result, start, height = OPERATIONS[closed.operator](closed.values), closed.start, closed.height
        else:
            kind = "operator" if word.startswith("[") else "word"
            raise ValueError(f"unknown {kind} {word!r}; there are {', '.join(OPERATIONS)}, the digits and {CLOSE}")
        if stack:
            heights[start] = stack[-1].hang(height)
            stack[-1].values.append(result)
        else:
            value = result
    if stack:
        raise ValueError(f"the list {stack[-1].operator} is never closed")
    if value is None:
        raise ValueError("there is no expression")
    return Expression(tuple(words), tuple(range(len(words))), tuple(heights[1:]), depth, operators), value


def _closed(stack: list[_OpenList]) -> _OpenList:
    if not stack:
        raise ValueError("a list is closed that was not opened")
    if not stack[-1].values:
        raise ValueError(f"a list without arguments: {stack[-1].operator} {CLOSE}")
    return stack.pop()


def _example(fields: Sequence[str]) -> Example:
    if len(fields) != 2:
        raise ValueError(f"{len(fields)} columns where ListOps has 2: the value, a tab, the expression")
    expression, value = read_expression([word for word in fields[1].split() if word not in ("(", ")")])
    if fields[0].strip() != str(value):
        raise ValueError(f"the value is {value}, not {fields[0].strip()!r}")
    return Example((expression,), value)


LISTOPS = Task("listops", (*OPERATIONS, *DIGITS, CLOSE), DIGITS, 1, _example)
