"""A corpus as vocabulary indices in memory-mapped files, so that memory does not grow with the text.

One pass over the text (it may come from a pipe) writes the index of each word's type, in order of first occurrence. At
the end of this pass the vocabulary is known; a second pass over the file replaces types by vocabulary indices. Tree
targets, if a model learns from trees, are in a file beside the words.
"""

from __future__ import annotations

import array
import contextlib
import functools
import hashlib
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.phrase_boundaries import PhraseBoundaries
from synparse.corpora.sentences import Sentence
from synparse.corpora.tree_targets import COLUMNS, NOWHERE, tree_rows
from synparse.corpora.unknown_words import choose_classes
from synparse.corpora.vocabulary import CLASS, NO_CLASS, SPECIAL, UNKNOWN_INDEX, Vocabulary
from synparse.trees.errors import DataError
from synparse.trees.limits import LONGEST_WORD

HELD_OUT_FRACTION = 50
"""One of so many sentences (2 %) is held out for validation, chosen by a hash of its words."""

MAX_TYPES = 1 << 21
"""Types counted at a time. If there are more, the rarest are dropped (they become <unk>), as in word2vec."""

CLASS_COUNTS = 10
"""A class of unknown words needs text.min_count times this many occurrences: one vector serves many words."""

MAX_REMEMBERED_TOKENS = 1 << 20
_CHUNK = 1 << 22
_DROPPED = -1


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

    @functools.cached_property
    def target_counts(self) -> dict[str, int]:
        """The number of known heads and of known splits of constituents; empty without trees."""
        if self.trees is None:
            return {}
        heads, splits, _ = (self.trees != NOWHERE).sum(0).tolist()
        return {"heads": heads, "splits": splits}


def word_counts(cache: TokenCache, vocabulary_size: int) -> NDArray[np.int64]:
    """How often each word of the vocabulary occurs."""
    counts = np.zeros(vocabulary_size, np.int64)
    for start in range(0, len(cache.tokens), _CHUNK):  # bincount widens its input, so not all at once
        counts += np.bincount(cache.tokens[start : start + _CHUNK], minlength=vocabulary_size)
    return counts


@dataclass(frozen=True)
class Corpus:
    """A corpus ready for training.

    fingerprint: the SHA-256 of its text and trees, held-out part included. boundaries: phrase boundaries, if the text's
    config asks for them.
    """

    train: TokenCache
    valid: TokenCache
    vocabulary: Vocabulary
    fingerprint: str
    boundaries: PhraseBoundaries | None = None


class _CacheWriter:
    """Appends sentences of type indices to two files, and tree targets, if there are trees, to a third."""

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


class _TypeTable(dict[str, int]):
    """Raw token → type index (`_DROPPED` if the model does not read it); types are numbered as tokens come."""

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
        """Drop the rarest types, so that at most half of `MAX_TYPES` stay."""
        by_count = sorted(self.types.values(), key=self.counts.__getitem__)
        dropped = set(by_count[: len(by_count) - MAX_TYPES // 2])
        self.types = {word: index for word, index in self.types.items() if index not in dropped}
        self.clear()


def build_corpus(
    sentences: Iterable[Sentence],
    config: TextConfig,
    folder: Path,
    valid: Iterable[Sentence] | None = None,
    vocabulary: Vocabulary | None = None,
    with_trees: bool = False,
) -> Corpus:
    """Read all sentences once, choose the vocabulary, and write the training and validation parts to ``folder``.

    Without ``valid``, sentences whose words hash to 0 modulo `HELD_OUT_FRACTION` are held out, so that equal sentences
    are always in the same part. Sentences without words (blank, punctuation only) are left out. The vocabulary is
    counted on the training part, unless one is given. ``with_trees``: the sentences' trees are targets.

    Raises DataError if there is nothing to learn from, and for malformed trees.
    """
    table = _TypeTable(config)
    digest = hashlib.sha256()
    with (
        contextlib.closing(_CacheWriter(folder, "train", with_trees)) as train,
        contextlib.closing(_CacheWriter(folder, "valid", with_trees)) as held_out,
    ):
        for sentence in sentences:
            text = " ".join(sentence.tokens).encode()
            digest.update(text + b"\n")
            is_held_out = valid is None and zlib.crc32(text) % HELD_OUT_FRACTION == 0
            writer = held_out if is_held_out else train
            digest.update(_append(sentence, table, writer, not is_held_out))
        for sentence in valid or ():
            digest.update(" ".join(sentence.tokens).encode() + b"\n")
            digest.update(_append(sentence, table, held_out, False))
    if vocabulary is None:
        vocabulary = _choose_vocabulary(table, config)
    index_of_type = np.full(len(table.counts), UNKNOWN_INDEX, np.int32)
    index_of_type[list(table.types.values())] = vocabulary.indices(table.types)
    for writer in (train, held_out):
        _translate(writer.paths["tokens"], index_of_type)
    if not len(train):
        raise DataError("the corpus holds no words (it is empty, blank, or only punctuation)")
    train_cache, valid_cache = _open(train, vocabulary), _open(held_out, vocabulary)
    if with_trees and not any(train_cache.target_counts.values()):
        raise DataError("the trees of the corpus have nothing to learn: no heads, and no constituent of two words")
    if vocabulary.first_class < len(SPECIAL) + 2:
        known = "one word" if vocabulary.first_class > len(SPECIAL) else "no word"
        raise DataError(
            f"{known} of the corpus occurs {config.min_count} times or more, so there is nothing to predict; "
            "give it more text or a lower text.min_count"
        )
    if not len(valid_cache):
        if valid is not None:
            raise DataError("the validation text holds no words")
        valid_cache = train_cache  # the corpus is so small that no sentence was held out
    return Corpus(train_cache, valid_cache, vocabulary, digest.hexdigest())


def _append(sentence: Sentence, table: _TypeTable, writer: _CacheWriter, counted: bool) -> bytes:
    """Write a sentence's words and tree targets. Returns the targets as bytes; b"" without words or trees."""
    indices = [table[token] for token in sentence.tokens]
    types = array.array("i", [index for index in indices if index != _DROPPED])
    if not types:
        return b""
    if counted:
        counts = table.counts
        for index in types:
            counts[index] += 1
    trees = tree_rows(sentence, [index != _DROPPED for index in indices]).tobytes() if "trees" in writer.paths else b""
    writer.append(types, trees)
    if len(table.types) > MAX_TYPES:
        table.drop_rare()
    return trees


def _choose_vocabulary(table: _TypeTable, config: TextConfig) -> Vocabulary:
    """The most frequent words (ties: alphabetical), and classes of all other words."""
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
    trees = writer.paths.get("trees")
    if not len(writer):
        no_trees = None if trees is None else np.zeros((0, COLUMNS), np.int32)
        return TokenCache(np.zeros(0, np.int32), np.zeros(1, np.int64), vocabulary.first_class, no_trees)
    return TokenCache(
        np.memmap(writer.paths["tokens"], np.int32, "r"),
        np.memmap(writer.paths["offsets"], np.int64, "r"),
        vocabulary.first_class,
        None if trees is None else np.memmap(trees, np.int32, "r").reshape(-1, COLUMNS),
    )
