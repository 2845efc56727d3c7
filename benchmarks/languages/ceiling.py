"""A supervised ceiling: what a small parser reaches that learns from trees of the development part itself.

Five folds: sentence k is in fold k mod 5, and the student that parses a fold has learned from the other four. Its heads
in all folds are scored together. It begins with random weights, and with word embeddings from the cooccurrence counts
of these few sentences; it reads neither the training text nor tags. So this is what a small parser learns from 130
(Yoruba) to 1,400 (Basque) trees, and not the best that is possible.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from synparse.trees.conllu import ConlluSentence

FOLDS = 5

BATCH_WORDS, UPDATES = 512, 2000
"""About a minute of one core for a fold of any size. Tried on one fold of German: UAS 61.3 with these, 56.2 with 800
updates, 59.7 with batches of 256 words, 60.9 with twice the dropout, 58.2 with all words in the vocabulary."""

STUDENT = (
    *("--model", "student", "--set", "text.min_count=2", "--set", "training.word_dropout=0.2"),
    *("--set", f"training.batch_tokens={BATCH_WORDS}", "--set", "training.validate_every=100"),
)
"""Beside the recipe: more unknown words, of which so few sentences have many."""


PARSING = ("--punctuation", "ignore", "--function-words", "free")
"""The options of `synparse parse`: a student has learned from its trees how function words are treated."""


def student_options(words: int) -> list[str]:
    """The options of `synparse train` for a student of trees with so many words: so many epochs that there are
    `UPDATES`; 1,000 words, for example, are seen 1,024 times."""
    return [*STUDENT, "--epochs", str(math.ceil(UPDATES * BATCH_WORDS / words))]


def parts_of_fold(
    sentences: Sequence[ConlluSentence], number: int
) -> tuple[list[ConlluSentence], list[ConlluSentence]]:
    """The sentences to learn from, and those to parse, of a fold (from 0)."""
    return (
        [sentence for place, sentence in enumerate(sentences) if place % FOLDS != number],
        [sentence for place, sentence in enumerate(sentences) if place % FOLDS == number],
    )


def pooled(folds: Sequence[Sequence[ConlluSentence]]) -> Iterator[ConlluSentence]:
    """The sentences of all folds in the order of the file that they come from."""
    total = sum(map(len, folds))
    return (folds[place % FOLDS][place // FOLDS] for place in range(total))
