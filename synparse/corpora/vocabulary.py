"""The words a model knows, each with its index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from synparse.trees.errors import DataError

PADDING = "<pad>"
UNKNOWN = "<unk>"
MASK = "<mask>"
END = "<eos>"
SPECIAL = (PADDING, UNKNOWN, MASK, END)
LONGEST_WORD = 1000
"""Characters. Longer tokens are no words of any language, and unknown to every model."""

PADDING_INDEX, UNKNOWN_INDEX, MASK_INDEX, END_INDEX = range(len(SPECIAL))


class Vocabulary:
    """Index ↔ word, the special entries first. As a file: one word per line, the line is the index (from 0)."""

    def __init__(self, words: Sequence[str]) -> None:
        if tuple(words[: len(SPECIAL)]) != SPECIAL:
            raise ValueError(f"a vocabulary begins with {' '.join(SPECIAL)}")
        if not all(0 < len(word) <= LONGEST_WORD for word in words):
            raise ValueError(f"a word of a vocabulary has 1 to {LONGEST_WORD} characters")
        self.words = tuple(words)
        # A corpus may hold "<mask>" as text: such a word is unknown to the model, never its own mask.
        self._index = {word: index for index, word in enumerate(words) if index >= len(SPECIAL)}
        if len({*SPECIAL, *self._index}) != len(self.words):
            raise ValueError("a word stands twice in the vocabulary")

    def __len__(self) -> int:
        return len(self.words)

    def index(self, word: str) -> int:
        """The index of a normalised word, `UNKNOWN_INDEX` where the model does not know it."""
        return self._index.get(word, UNKNOWN_INDEX)

    def indices(self, words: Iterable[str]) -> list[int]:
        return [self._index.get(word, UNKNOWN_INDEX) for word in words]

    def write(self, path: Path) -> None:
        path.write_text("".join(f"{word}\n" for word in self.words), encoding="utf-8", newline="")

    @classmethod
    def read(cls, path: Path, most: int) -> Vocabulary:
        """The vocabulary of a file, of at most that many words.

        Raises DataError(file:line) where the file is missing, larger, cut off, not UTF-8, or no vocabulary.
        """
        try:
            if path.stat().st_size > most * (4 * LONGEST_WORD + 1):  # a character takes up to four bytes
                raise DataError(f"larger than {most} words can be, for which the model has weights", str(path))
            content = path.read_bytes()
        except OSError as error:
            raise DataError(f"no readable vocabulary: {error.strerror or error}", str(path)) from None
        if content.count(b"\n") > most:
            raise DataError(f"more words than the {most} for which the model has weights", str(path))
        try:
            *words, rest = content.decode("utf-8").split("\n")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise DataError("not UTF-8; fetch the model again", str(path), line) from None
        if rest:
            raise DataError("the last line is cut off; fetch the model again", str(path), len(words) + 1)
        try:
            return cls(words)
        except ValueError as error:
            raise DataError(str(error), str(path)) from None
