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
PADDING_INDEX, UNKNOWN_INDEX, MASK_INDEX, END_INDEX = range(len(SPECIAL))


class Vocabulary:
    """Index ↔ word, the special entries first. As a file: one word per line, the line is the index (from 0)."""

    def __init__(self, words: Sequence[str]) -> None:
        if tuple(words[: len(SPECIAL)]) != SPECIAL:
            raise ValueError(f"a vocabulary begins with {' '.join(SPECIAL)}")
        self.words = tuple(words)
        # A corpus may hold "<mask>" as text: such a word is unknown to the model, never its own mask.
        self._index = {word: index for index, word in enumerate(words) if index >= len(SPECIAL)}
        if len(self._index) + len(SPECIAL) != len(self.words):
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
    def read(cls, path: Path) -> Vocabulary:
        """Raises DataError where the file is missing or no vocabulary."""
        try:
            text = path.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(
                f"no readable vocabulary ({error.__class__.__name__}); train the model again", str(path)
            ) from None
        try:
            return cls(text.split("\n")[:-1])
        except ValueError as error:
            raise DataError(str(error), str(path)) from None
