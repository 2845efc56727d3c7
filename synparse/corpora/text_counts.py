"""What is counted in a text before a model learns from it: its words, which are its vocabulary, and its size.

The parts of a text are counted apart, wherever that is done; joined in their order, the counts are those of the text.
"""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from synparse.corpora.normalization import TextConfig, normalized
from synparse.corpora.sentences import Sentence
from synparse.corpora.tree_targets import NOWHERE, tree_rows
from synparse.corpora.unknown_words import choose_classes
from synparse.corpora.vocabulary import CLASS, SPECIAL, Vocabulary
from synparse.trees.errors import DataError
from synparse.trees.limits import LONGEST_WORD

HELD_OUT_FRACTION = 50
"""One of so many sentences (2 %) is held out for validation, chosen by a hash of its words."""

MAX_TYPES = 1 << 21
"""Types counted at a time. If there are more, the rarest are dropped (they become <unk>), as in word2vec."""

CLASS_COUNTS = 10
"""A class of unknown words needs text.min_count times this many occurrences: one vector serves many words."""

Part = Literal["training", "held_out"]
PARTS: tuple[Part, Part] = ("training", "held_out")
TRAINING, HELD_OUT = PARTS


@dataclass
class TextCounts:
    """Counts of a text, or of a part of it.

    - words: how often each word of the training part occurs.
    - size: the sentences and words of the training part and the held-out one, as ``training_sentences`` and so on; of
      trees that are targets, the known heads and splits of constituents of the training part.
    - digests: the SHA-256 of the sentences of each part, and of their trees.
    """

    words: Counter[str] = field(default_factory=Counter)
    size: Counter[str] = field(default_factory=Counter)
    digests: list[bytes] = field(default_factory=list)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the text; of one in several parts, that of their digests."""
        return (self.digests[0] if len(self.digests) == 1 else hashlib.sha256(b"".join(self.digests)).digest()).hex()

    @property
    def sentences(self) -> int:
        return sum(self.size[f"{part}_sentences"] for part in PARTS)

    def join(self, later: TextCounts) -> None:
        """Add the counts of a later part."""
        self.words.update(later.words)
        self._drop_rare()
        self.size.update(later.size)
        self.digests += later.digests

    def count(self, words: Sequence[str], part: Part) -> None:
        """Count a sentence of these words, which is in the ``part`` of training or the one held out."""
        self.size[f"{part}_sentences"] += 1
        self.size[f"{part}_words"] += len(words)
        if part == TRAINING:
            self.words.update(words)
            self._drop_rare()

    def _drop_rare(self) -> None:
        if len(self.words) > MAX_TYPES:
            self.words = Counter(dict(self.words.most_common(MAX_TYPES // 2)))


def part_of(sentence: Sentence) -> Part:
    """The part of a sentence of a text without a held-out text of its own: equal sentences are in the same part."""
    return TRAINING if zlib.crc32(" ".join(sentence.tokens).encode()) % HELD_OUT_FRACTION else HELD_OUT


def count_text(
    sentences: Iterable[Sentence], config: TextConfig, part: Part | None = None, with_trees: bool = False
) -> TextCounts:
    """The counts of one part of a text. ``part``: `TRAINING` or `HELD_OUT`; None: some sentences are held out.

    Sentences without words (blank, punctuation only) are in the fingerprint alone. Raises DataError for malformed
    trees.
    """
    counts, digest = TextCounts(), hashlib.sha256()
    for sentence in sentences:
        digest.update(f"{' '.join(sentence.tokens)}\n".encode())
        forms = normalized(sentence.tokens, config)
        words = [form for form in forms if form is not None]
        if not words:
            continue
        chosen = part or part_of(sentence)
        counts.count(words, chosen)
        if with_trees:
            rows = tree_rows(sentence, [form is not None for form in forms])
            digest.update(rows.tobytes())
            if chosen == TRAINING:
                heads, splits, _ = (rows != NOWHERE).sum(0).tolist()
                counts.size.update(heads=heads, splits=splits)
    counts.digests.append(digest.digest())
    return counts


def vocabulary_of(counts: TextCounts, config: TextConfig, known: Vocabulary | None = None) -> Vocabulary:
    """The most frequent words (ties: alphabetical), and classes of all others; or the vocabulary that is ``known``.

    Raises DataError if a text of these counts has nothing to learn from.
    """
    if not counts.size["training_words"]:
        if counts.size["held_out_words"]:
            raise DataError("all of the corpus is held out, as its sentences are too few or all the same; give it more")
        raise DataError("the corpus holds no words (it is empty, blank, or only punctuation)")
    if "heads" in counts.size and not (counts.size["heads"] or counts.size["splits"]):
        raise DataError("the trees of the corpus have nothing to learn: no heads, and no constituent of two words")
    vocabulary = known or _chosen(counts, config)
    if vocabulary.first_class < len(SPECIAL) + 2:
        few = "one word" if vocabulary.first_class > len(SPECIAL) else "no word"
        problem, advice = f"the corpus has {few}", "give it more text"
        if config.min_count > 1:
            problem = f"{few} of the corpus occurs {config.min_count} times or more"
            advice += ", or lower this number: --set text.min_count=1" * (len(counts.words) > 1)
        raise DataError(f"{problem}, so there is nothing to predict; {advice}")
    return vocabulary


def _chosen(counts: TextCounts, config: TextConfig) -> Vocabulary:
    frequent = [
        (-count, word)
        for word, count in counts.words.items()
        if count >= config.min_count
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
    unknown = ((word, count) for word, count in counts.words.items() if word not in known)
    classes = choose_classes(unknown, config.unknown_classes, CLASS_COUNTS * config.min_count)
    return Vocabulary([*words, *(CLASS + ending for ending in classes)])
