"""Groups of sentences of one length, whose charts and lattices are computed side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Item = TypeVar("Item")


def equal_lengths(lengths: Sequence[int], at_once: Callable[[int], int]) -> Iterator[list[int]]:
    """The numbers of sentences of one length, short ones first; sentences of no words are left out.

    at_once: how many sentences of a length to put together; one at least.

    >>> list(equal_lengths([2, 1, 0, 2, 2], lambda length: 4 // length))
    [[1], [0, 3], [4]]
    """
    numbers_of_length: dict[int, list[int]] = {}
    for number, length in enumerate(lengths):
        numbers_of_length.setdefault(length, []).append(number)
    for length in sorted(numbers_of_length.keys() - {0}):
        numbers, count = numbers_of_length[length], max(1, at_once(length))
        for start in range(0, len(numbers), count):
            yield numbers[start : start + count]


def side_by_side(
    function: Callable[[list[Item]], Iterable[Any]],
    items: Sequence[Item],
    lengths: Sequence[int],
    at_once: Callable[[int], int],
) -> list[Any]:
    """The value of each item, from a function of several items of one length, an empty array for those of length 0;
    at_once: as of `equal_lengths`.

    >>> rows = side_by_side(np.array, [[1, 2], [3], [4, 5]], [2, 1, 2], lambda length: 9)
    >>> [row.tolist() for row in rows]
    [[1, 2], [3], [4, 5]]
    """
    values: list[Any] = [np.zeros(0)] * len(items)
    for numbers in equal_lengths(lengths, at_once):
        for number, value in zip(numbers, function([items[number] for number in numbers]), strict=True):
            values[number] = value
    return values


def stacked(sentences: Sequence[NDArray[Any]], most_words: int) -> Iterator[tuple[list[int], NDArray[Any]]]:
    """Groups of sentences of one length T, given by an array of T words each: their numbers, and their words [B, T].

    most_words: of a group, unless one sentence has more.

    >>> [(numbers, words.tolist()) for numbers, words in stacked([np.array([3, 4]), np.array([5, 6])], 4)]
    [([0, 1], [[3, 4], [5, 6]])]
    """
    for numbers in equal_lengths([len(words) for words in sentences], lambda length: most_words // length):
        yield numbers, np.array([sentences[number] for number in numbers])
