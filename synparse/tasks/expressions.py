"""Expressions of a formal language, with the binary tree that determines their meaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from synparse.files.streams import read_lines
from synparse.trees.distances import unbiased_spans
from synparse.trees.errors import DataError, SettingError

REPEATS = 20_000
"""After this many draws in a row without a new value, there is assumed to be none."""


class Expression(NamedTuple):
    """Words as an encoder reads them, and the tree over those that are its leaves.

    leaves: the positions of these words; the parentheses that a formula is read with are not among them. heights: for
    each point between two leaves, the height of the node that is split there; a leaf has height 0, a node one more than
    its higher child. The greatest one splits first, so heights are also syntactic distances. depth: operators within
    operators; operators: how many there are.
    """

    words: tuple[str, ...]
    leaves: tuple[int, ...]
    heights: tuple[int, ...]
    depth: int
    operators: int

    def spans(self) -> list[tuple[int, int]]:
        """The tree's spans (start, end) of leaves, in pre-order."""
        return unbiased_spans(self.heights)

    def induced_spans(self, distances: Sequence[float]) -> list[tuple[int, int]]:
        """The spans of leaves in a tree over all words, given by its distances, that the other words are taken out of:
        two leaves part where the first split between them is."""
        return unbiased_spans([max(distances[start:end]) for start, end in pairwise(self.leaves)])


class Example(NamedTuple):
    """One expression, or two, and the index of the right answer."""

    expressions: tuple[Expression, ...]
    label: int


class Task(NamedTuple):
    """A formal language, or the sentences of a treebank, as a question.

    words: its vocabulary; labels: the possible answers; sentences: expressions of an example; example: the fields of a
    line → an Example, which raises ValueError saying what is wrong; None where the data are a treebank
    (`synparse.tasks.sentiment`).
    """

    name: str
    words: tuple[str, ...]
    labels: tuple[str, ...]
    sentences: int
    example: Callable[[Sequence[str]], Example] | None = None


def read_examples(task: Task, paths: Iterable[str], most_slots: int | None = None) -> Iterator[Example]:
    """The examples of tab-separated files: the answer, then the expressions. Blank lines mean nothing. Streams.

    Raises DataError (file:line) for a line that is no example of the task, and for an expression that a stack of
    ``most_slots`` cannot parse; for files without examples.
    """
    assert task.example is not None
    for path in paths:
        count = 0
        for number, line in enumerate(read_lines(path), 1):
            if not line.strip():
                continue
            count += 1
            try:
                example = task.example(line.rstrip("\r\n").split("\t"))
                if most_slots is not None:
                    _check_slots(example, most_slots)
            except ValueError as error:
                raise DataError(str(error), path, number) from None
            yield example
        if not count:
            raise DataError("there are no examples", path)


def text_of(example: Example) -> tuple[str, ...]:
    """The words of an example's expressions."""
    return tuple(" ".join(expression.words) for expression in example.expressions)


def distinct(
    draw: Callable[[], Example | None], count: int, name: str, without: Iterable[Example] = ()
) -> Iterator[Example]:
    """So many examples that ``draw`` gives, None being none, no two of the same words, nor with those of ``without``.

    Raises SettingError where `REPEATS` draws in a row bring nothing new; ``name`` says what the examples are.
    """
    seen = set(map(text_of, without))
    number = repeats = 0
    while number < count:
        example = draw()
        if example is not None and (text := text_of(example)) not in seen:
            repeats = 0
            number += 1
            seen.add(text)
            yield example
        elif (repeats := repeats + 1) > REPEATS:
            raise SettingError(f"only {number:,} {name} were found within these limits; widen them")


def _check_slots(example: Example, most: int) -> None:
    needed = max(slots_needed(expression) for expression in example.expressions)
    if needed > most:
        raise ValueError(f"an expression needs {needed} slots, but the model has {most}; raise architecture.slots")


def slots_needed(expression: Expression) -> int:
    """The constituents that wait for their right sibling at once: the slots of the stack that a shift–reduce parser of
    this tree needs, at least 1. O(T)."""
    waiting: list[int] = []
    most = 1
    for height in expression.heights:
        while waiting and waiting[-1] < height:
            waiting.pop()
        waiting.append(height)
        most = max(most, len(waiting))
    return most


def parenthesised(expression: Expression) -> str:
    """The leaves with a pair of parentheses for each node of their tree: ``( a ( and b ) )``."""
    spans = expression.spans() if expression.heights else []
    opening = Counter(start for start, _ in spans)
    closing = Counter(end for _, end in spans)
    return " ".join(
        "( " * opening[n] + expression.words[position] + " )" * closing[n + 1]
        for n, position in enumerate(expression.leaves)
    )


def format_example(task: Task, example: Example) -> str:
    """The example as a line of a file, as `read_examples` reads it."""
    return "\t".join([task.labels[example.label], *map(parenthesised, example.expressions)]) + "\n"
