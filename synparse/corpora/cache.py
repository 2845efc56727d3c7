"""A corpus as vocabulary indices in memory-mapped files, so that memory does not grow with the text. Tree targets, if a
model learns from trees, are in a file beside the words."""

from __future__ import annotations

import array
import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from synparse.corpora.normalization import TextConfig, normalized
from synparse.corpora.phrase_boundaries import PhraseBoundaries
from synparse.corpora.sentences import Sentence
from synparse.corpora.text_counts import HELD_OUT, Part, part_of
from synparse.corpora.tree_targets import COLUMNS, tree_rows
from synparse.corpora.vocabulary import NO_CLASS, Vocabulary

_CHUNK = 1 << 22


@dataclass(frozen=True)
class TokenCache:
    """Sentences as indices: sentence i is ``tokens[offsets[i]:offsets[i + 1]]``.

    Indices from ``first_class`` on are classes of unknown words, which are read but never predicted.
    trees [words, 3]: the targets of each word (`synparse.corpora.tree_targets`); None without trees.
    """

    tokens: NDArray[np.int32]
    offsets: NDArray[np.int64]
    first_class: int = NO_CLASS
    trees: NDArray[np.int32] | None = None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, i: int) -> NDArray[np.int32]:
        return self.tokens[self.offsets[i] : self.offsets[i + 1]]

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)

    @property
    def words(self) -> int:
        return int(self.offsets[-1])


def word_counts(cache: TokenCache, vocabulary_size: int) -> NDArray[np.int64]:
    """How often each word of the vocabulary occurs."""
    counts = np.zeros(vocabulary_size, np.int64)
    for start in range(0, len(cache.tokens), _CHUNK):  # bincount widens its input, so not all at once
        counts += np.bincount(cache.tokens[start : start + _CHUNK], minlength=vocabulary_size)
    return counts


@dataclass(frozen=True)
class Corpus:
    """A corpus ready for training. boundaries: phrase boundaries, if the text's config asks for them."""

    train: TokenCache
    valid: TokenCache
    vocabulary: Vocabulary
    boundaries: PhraseBoundaries | None = None


class _CacheWriter:
    """Appends sentences of vocabulary indices to two files, and tree targets, if there are trees, to a third."""

    def __init__(self, folder: Path, name: str, with_trees: bool) -> None:
        kinds = ("tokens", "offsets", "trees") if with_trees else ("tokens", "offsets")
        self.paths = {kind: folder / f"{name}.{kind}" for kind in kinds}
        self._files = {kind: path.open("wb") for kind, path in self.paths.items()}
        self._end = 0
        np.zeros(1, np.int64).tofile(self._files["offsets"])

    def close(self) -> None:
        for file in self._files.values():
            file.close()

    def append(self, sentence: array.array[int], trees: bytes) -> None:
        self._end += len(sentence)
        self._files["tokens"].write(sentence)
        if trees:
            self._files["trees"].write(trees)
        array.array("q", [self._end]).tofile(self._files["offsets"])

    def __len__(self) -> int:
        return self._end


def write_corpus(
    sentences: Iterable[tuple[Sentence, Part | None]],
    config: TextConfig,
    folder: Path,
    vocabulary: Vocabulary,
    with_trees: bool,
) -> tuple[TokenCache, TokenCache]:
    """Write the words of sentences, each with the part that it is in (see `count_text`), into files of ``folder``; with
    ``with_trees`` also their trees. Returns the parts of training and held out; where nothing is held out, because
    the text is so short, both are the same. Raises DataError for malformed trees."""
    with (
        contextlib.closing(_CacheWriter(folder, "train", with_trees)) as train,
        contextlib.closing(_CacheWriter(folder, "valid", with_trees)) as held_out,
    ):
        for sentence, part in sentences:
            forms = normalized(sentence.tokens, config)
            words = array.array("i", vocabulary.indices(form for form in forms if form is not None))
            if words:
                kept = [form is not None for form in forms]
                trees = tree_rows(sentence, kept).tobytes() if with_trees else b""
                writer = held_out if (part or part_of(sentence)) == HELD_OUT else train
                writer.append(words, trees)
    training = _open(train, vocabulary)
    return training, _open(held_out, vocabulary) if len(held_out) else training


def _open(writer: _CacheWriter, vocabulary: Vocabulary) -> TokenCache:
    trees = writer.paths.get("trees")
    return TokenCache(
        np.memmap(writer.paths["tokens"], np.int32, "r"),
        np.memmap(writer.paths["offsets"], np.int64, "r"),
        vocabulary.first_class,
        None if trees is None else np.memmap(trees, np.int32, "r").reshape(-1, COLUMNS),
    )
