"""What to say where a prediction does not line up with its gold file."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest

from synparse.trees.errors import DataError


def ends_early(sentence: int, prediction_ended: bool, predicted_name: str, gold_name: str) -> DataError:
    """One of two files is at its end where the other has its ``sentence``-th sentence, counted from 1."""
    short, long = (predicted_name, gold_name) if prediction_ended else (gold_name, predicted_name)
    return DataError(f"ends after {sentence - 1} sentences, but {long} goes on", short)


def other_words(
    sentence: int, ours: Iterable[str], theirs: Iterable[str], predicted_name: str, line: int, gold_name: str
) -> DataError:
    """The words of a predicted sentence are not those of the gold one; names the first that differ."""
    pairs = zip_longest(ours, theirs)
    one, other = next((pair for pair in pairs if pair[0] != pair[1]), (None, None))
    found, due = (repr(word) if word is not None else "the end of the sentence" for word in (one, other))
    return DataError(f"sentence {sentence} has {found} where {gold_name} has {due}", predicted_name, line)
