"""A corpus as vocabulary indices in memory-mapped files, so that memory does not grow with the text.

One pass over the text (it may come from a pipe) writes the index of each word's type, in order of first sight. The
vocabulary is known at the end of that pass; a second pass over the file, in place, turns types into vocabulary
indices.
"""

from __future__ import annotations

import array
import hashlib
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.unknown_words import choose_classes
from synparse.corpora.vocabulary import CLASS, LONGEST_WORD, NO_CLASS, SPECIAL, UNKNOWN_INDEX, Vocabulary
from synparse.trees.errors import DataError

HELD_OUT_SHARE = 50
"""One sentence in so many (2 %) is held out for validation, chosen by a hash of its words."""

MAX_TYPES = 1 << 21
"""Types counted at a time. When there are more, the rarest are dropped (they become <unk>), as word2vec does."""

CLASS_COUNTS = 10
"""A class of unknown words has so many times text.min_count occurrences: its vector stands for many words."""

MAX_REMEMBERED_TOKENS = 1 << 20
_CHUNK = 1 << 22
_DROPPED = -1


@dataclass(frozen=True)
class TokenCache:
    """Sentences as indices: sentence i is ``tokens[offsets[i]:offsets[i + 1]]``.

    Indices from ``first_class`` on are classes of unknown words, which are read and never predicted.
    """

    tokens: NDArray[np.int32]
    offsets: NDArray[np.int64]
    first_class: int = NO_CLASS

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
    for start in range(0, len(cache.tokens), _CHUNK):  # what is counted is widened, so not all at once
        counts += np.bincount(cache.tokens[start : start + _CHUNK], minlength=vocabulary_size)
    return counts


@dataclass(frozen=True)
class Corpus:
    """A corpus ready for training. ``fingerprint`` is the SHA-256 of its normalised text, held-out part included."""

    train: TokenCache
    valid: TokenCache
    vocabulary: Vocabulary
    fingerprint: str


class _CacheWriter:
    """Appends sentences of type indices to two files."""

    def __init__(self, folder: Path, name: str) -> None:
        self.token_path = folder / f"{name}.tokens"
        self.offset_path = folder / f"{name}.offsets"
        self._tokens = self.token_path.open("wb")
        self._offsets = self.offset_path.open("wb")
        self._end = 0
        np.zeros(1, np.int64).tofile(self._offsets)

    def __enter__(self) -> _CacheWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tokens.close()
        self._offsets.close()

    def append(self, sentence: array.array[int]) -> None:
        self._end += len(sentence)
        self._tokens.write(sentence)
        array.array("q", [self._end]).tofile(self._offsets)

    def __len__(self) -> int:
        return self._end


class _TypeTable(dict[str, int]):
    """Raw token → type index (`_DROPPED` for what the model does not read), learned as tokens are seen."""

    def __init__(self, config: TextConfig) -> None:
        super().__init__()
        self.config = config
        self.types: dict[str, int] = {}
        self.counts = array.array("q")

    def __missing__(self, token: str) -> int:
        word = normalize(token, self.config)
        if word is None:
            index = _DROPPED
        else:
            index = self.types.setdefault(word, len(self.counts))
            if index == len(self.counts):
                self.counts.append(0)
        if len(self) >= MAX_REMEMBERED_TOKENS:
            self.clear()
        self[token] = index
        return index

    def drop_rare(self) -> None:
        """Forget the rarest types, so that at most half of `MAX_TYPES` stay."""
        by_count = sorted(self.types.values(), key=self.counts.__getitem__)
        dropped = set(by_count[: len(by_count) - MAX_TYPES // 2])
        self.types = {word: index for word, index in self.types.items() if index not in dropped}
        self.clear()


def build_corpus(
    sentences: Iterable[Sequence[str]],
    config: TextConfig,
    folder: Path,
    valid: Iterable[Sequence[str]] | None = None,
    vocabulary: Vocabulary | None = None,
) -> Corpus:
    """Read all sentences once, choose the vocabulary and lay both out in ``folder``.

    Without ``valid``, sentences whose words hash to 0 modulo `HELD_OUT_SHARE` are held out, so the same sentence is
    always on the same side. Sentences with nothing to read (blank, punctuation only) are left out. Only the training
    part is counted for the vocabulary, unless one is given.

    Raises DataError where there is nothing to learn from.
    """
    table = _TypeTable(config)
    digest = hashlib.sha256()
    with _CacheWriter(folder, "train") as train, _CacheWriter(folder, "valid") as held_out:
        for tokens in sentences:
            text = " ".join(tokens).encode()
            digest.update(text + b"\n")
            is_held_out = valid is None and zlib.crc32(text) % HELD_OUT_SHARE == 0
            _append(tokens, table, held_out if is_held_out else train, counted=not is_held_out)
        for tokens in valid or ():
            digest.update(" ".join(tokens).encode() + b"\n")
            _append(tokens, table, held_out, counted=False)
    if vocabulary is None:
        vocabulary = _choose_vocabulary(table, config)
    index_of_type = np.full(len(table.counts), UNKNOWN_INDEX, np.int32)
    index_of_type[list(table.types.values())] = vocabulary.indices(table.types)
    for writer in (train, held_out):
        _translate(writer.token_path, index_of_type)
    if not len(train):
        raise DataError("the corpus holds no words (it is empty, blank, or nothing but punctuation)")
    train_cache, valid_cache = _open(train, vocabulary), _open(held_out, vocabulary)
    if vocabulary.first_class < len(SPECIAL) + 2:
        known = "one word" if vocabulary.first_class > len(SPECIAL) else "no word"
        raise DataError(
            f"{known} of the corpus occurs {config.min_count} times or more, so there is nothing to predict; "
            "give it more text or a lower text.min_count"
        )
    if not len(valid_cache):
        if valid is not None:
            raise DataError("the validation text holds no words")
        valid_cache = train_cache  # too small a corpus for its hash to choose a sentence
    return Corpus(train_cache, valid_cache, vocabulary, digest.hexdigest())


def _append(tokens: Sequence[str], table: _TypeTable, writer: _CacheWriter, counted: bool) -> None:
    types = array.array("i", [index for index in [table[token] for token in tokens] if index != _DROPPED])
    if not types:
        return
    if counted:
        counts = table.counts
        for index in types:
            counts[index] += 1
    writer.append(types)
    if len(table.types) > MAX_TYPES:
        table.drop_rare()


def _choose_vocabulary(table: _TypeTable, config: TextConfig) -> Vocabulary:
    """The most frequent words (ties in alphabetical order), and classes of the others."""
    counts = table.counts
    frequent = [
        (-counts[index], word)
        for word, index in table.types.items()
        if counts[index] >= config.min_count
        and word not in SPECIAL
        and not word.startswith(CLASS)
        and len(word) <= LONGEST_WORD
    ]
    frequent.sort()
    del frequent[config.max_vocabulary :]
    words = [*SPECIAL, *(word for _, word in frequent)]
    if not config.unknown_classes:
        return Vocabulary(words)
    known = set(words)
    unknown = ((word, counts[index]) for word, index in table.types.items() if word not in known)
    classes = choose_classes(unknown, config.unknown_classes, CLASS_COUNTS * config.min_count)
    return Vocabulary([*words, *(CLASS + ending for ending in classes)])


def _translate(path: Path, index_of_type: NDArray[np.int32]) -> None:
    """Replace types by vocabulary indices, in place."""
    with path.open("r+b") as stream:
        while True:
            position = stream.tell()
            types = np.fromfile(stream, np.int32, _CHUNK)
            if not len(types):
                return
            stream.seek(position)
            index_of_type[types].tofile(stream)
            stream.flush()


def _open(writer: _CacheWriter, vocabulary: Vocabulary) -> TokenCache:
    if not len(writer):
        return TokenCache(np.zeros(0, np.int32), np.zeros(1, np.int64), vocabulary.first_class)
    return TokenCache(
        np.memmap(writer.token_path, np.int32, "r"),
        np.memmap(writer.offset_path, np.int64, "r"),
        vocabulary.first_class,
    )
