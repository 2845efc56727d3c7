"""Predictions read beside their gold file, sentence by sentence; and the message if words differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest
from typing import NamedTuple, TypeVar
from unicodedata import normalize

from synparse.trees.constituency import escaped, unescaped
from synparse.trees.errors import DataError
from synparse.trees.scored_words import TREES_LOOKED_AT

Sentence = TypeVar("Sentence")


class NamedLines(NamedTuple):
    """The lines of a file, and its name in messages."""

    name: str
    lines: Iterable[str]


def looked_at(file: NamedLines, read: Callable[[NamedLines], Iterable[Sentence]]) -> tuple[list[Sentence], NamedLines]:
    """The first `TREES_LOOKED_AT` sentences of a file, and the file again, from its first line. Raises what ``read``
    raises."""
    lines = iter(file.lines)
    seen: list[str] = []  # not a tee, of which another tee would keep every line

    def noted() -> Iterator[str]:
        for line in lines:
            seen.append(line)
            yield line

    first = list(islice(read(NamedLines(file.name, noted())), TREES_LOOKED_AT))
    return first, NamedLines(file.name, chain(seen, lines))


def in_step(
    runs: Sequence[NamedLines], gold: NamedLines, read: Callable[[NamedLines], Iterable[Sentence]], what: str
) -> Iterator[tuple[int, Sentence, list[Sentence]]]:
    """The number of each sentence, from 1, the gold one and the predicted ones, whatever their words.

    Raises DataError where a file ends before another, where gold holds nothing (``what``: sentences or trees), and what
    ``read`` raises.
    """
    number = 0
    for number, (reference, *predicted) in enumerate(zip_longest(*map(read, (gold, *runs))), 1):
        for run, sentence in zip(runs, predicted, strict=True):
            if (sentence is None) != (reference is None):
                short, long = (run, gold) if sentence is None else (gold, run)
                sentences = "1 sentence" if number == 2 else f"{number - 1} sentences"
                raise DataError(f"ends after {sentences}, but {long.name} continues", short.name)
        yield number, reference, predicted
    if not number:
        raise DataError(f"holds no {what}", gold.name)


def other_words(
    sentence: int, ours: Iterable[str], theirs: Iterable[str], predicted_name: str, line: int | None, gold_name: str
) -> DataError:
    """The error for a predicted sentence whose words differ from the gold one; names the first difference, and
    what to do."""
    difference = next((pair for pair in zip_longest(ours, theirs) if pair[0] != pair[1]), (None, None))
    word, gold_word = (word or "" for word in difference)
    advice = f"to have the same words, parse {gold_name} itself"
    if normalize("NFC", word) == normalize("NFC", gold_word):
        advice = f"they look the same, but are encoded in different ways (NFC, NFD); {advice}"
    elif unescaped(word) == unescaped(gold_word):
        advice = f"one has an escape of Penn files, which convert --unescape removes; or parse {gold_name} itself"
    elif escaped(word) == escaped(gold_word):
        advice = "white space in a word is _ in brackets; leave out the step that writes them"
    shown, gold_shown = map(_quoted, difference)
    message = f"sentence {sentence} has {shown} where {gold_name} has {gold_shown}; {advice}"
    return DataError(message, predicted_name, line)


def _quoted(word: str | None) -> str:
    if word is None:
        return "the end of the sentence"
    return f"'{word}'" if word.isprintable() else repr(word)
