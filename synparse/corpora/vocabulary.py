"""The words that a model knows, each with its index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from synparse.corpora.unknown_words import endings, known_spelling
from synparse.trees.errors import DataError
from synparse.trees.limits import LONGEST_WORD

PADDING = "<pad>"
UNKNOWN = "<unk>"
MASK = "<mask>"
END = "<eos>"
SPECIAL = (PADDING, UNKNOWN, MASK, END)
CLASS = "\t"
"""Stands before the ending of a class of unknown words. No word has a tab: tokenizers and CoNLL-U split at it."""

NO_CLASS = 2**31 - 1
"""The first class if there are none: larger than every index."""

_LONGEST_LINE = 4 * LONGEST_WORD + 1
"""Bytes: a character takes up to four."""

PADDING_INDEX, UNKNOWN_INDEX, MASK_INDEX, END_INDEX = range(len(SPECIAL))


class Vocabulary:
    """Index ↔ word: the special entries first, classes of unknown words last (see `synparse.corpora.unknown_words`).

    As a file: one word per line; the index is the line number, from 0. first_class: the index of the first class, or
    the number of words if there are no classes. Raises ValueError if the words are not such a list.
    """

    def __init__(self, words: Sequence[str]) -> None:
        if tuple(words[: len(SPECIAL)]) != SPECIAL:
            raise ValueError(f"a vocabulary begins with {' '.join(SPECIAL)}")
        if not all(0 < len(word) <= LONGEST_WORD for word in words):
            raise ValueError(f"a word of a vocabulary has 1 to {LONGEST_WORD} characters")
        self.words = tuple(words)
        if len(set(words)) != len(words):
            raise ValueError("a word is twice in the vocabulary")
        self.first_class = len(words) - sum(word.startswith(CLASS) for word in words)
        classes = words[self.first_class :]
        if not all(word.startswith(CLASS) for word in classes):
            raise ValueError("the classes of unknown words, which begin with a tab, stand at the end of a vocabulary")
        self._class = {word[len(CLASS) :]: index for index, word in enumerate(classes, self.first_class)}
        self._index = {word: index for index, word in enumerate(words[: self.first_class])}
        # A corpus may have "<mask>" as text: the model reads it as an unknown word, not as its own mask.
        self._index |= dict.fromkeys(SPECIAL, UNKNOWN_INDEX)

    def __len__(self) -> int:
        return len(self.words)

    def indices(self, words: Iterable[str]) -> list[int]:
        """The index of each normalized word, or of another spelling of it; if it is unknown, that of its class, or
        `UNKNOWN_INDEX`."""
        known = self._index.get  # never 0, which is padding
        return [known(word) or self._index_of_unknown(word) for word in words]

    def is_frequent(self, indices: Iterable[int], most: int) -> list[bool]:
        """Whether each index is one of the ``most`` frequent words of the training text, which come first."""
        last = min(len(SPECIAL) + most, self.first_class)
        return [len(SPECIAL) <= index < last for index in indices]

    def knows(self, word: str) -> bool:
        """Whether a normalized word, or another spelling of it, has an index of its own."""
        has_index = len(SPECIAL) <= self._index.get(word, UNKNOWN_INDEX)
        return has_index or known_spelling(word, self._index) is not None

    def _index_of_unknown(self, word: str) -> int:
        if (spelling := known_spelling(word, self._index)) is not None:
            return self._index[spelling]
        return next((self._class[ending] for ending in endings(word) if ending in self._class), UNKNOWN_INDEX)

    def write(self, path: Path) -> None:
        path.write_text("".join(f"{word}\n" for word in self.words), encoding="utf-8", newline="")

    @classmethod
    def read(cls, path: Path, most: int) -> Vocabulary:
        """The vocabulary of a file, of at most ``most`` words.

        Raises DataError(file:line) if the file is missing, larger, cut off, not UTF-8, or not a vocabulary.
        """
        try:
            return cls(read_lines_of_words(path, "vocabulary", most, "for which the model has weights", _LONGEST_LINE))
        except ValueError as error:
            raise DataError(str(error), str(path)) from None


def read_lines_of_words(path: Path, kind: str, most: int, limit: str, longest: int) -> list[str]:
    """The lines of a file of this ``kind`` in a model, one for each word, of at most ``longest`` bytes. ``limit`` says
    why there are at most so many. Raises DataError(file:line) if the file is missing, larger, cut off, or not UTF-8."""
    try:
        if path.stat().st_size > most * longest:
            raise DataError(f"larger than the {most} words {limit} can be", str(path))
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"no readable {kind}: {error.strerror or error}", str(path)) from None
    if content.count(b"\n") > most:
        raise DataError(f"more words than the {most} {limit}", str(path))
    try:
        *lines, rest = content.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError("not UTF-8; fetch the model again", str(path), line) from None
    if rest:
        raise DataError("the last line is cut off; fetch the model again", str(path), len(lines) + 1)
    return lines
