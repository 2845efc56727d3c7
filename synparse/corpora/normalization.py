"""Normalization of words. It belongs to the model: training and parsing use the same settings."""

from __future__ import annotations

import re
from dataclasses import dataclass

from synparse.corpora.tokenization import check_tokenizer
from synparse.trees.errors import SettingError
from synparse.trees.punctuation import is_punctuation

# The placeholder for numbers becomes part of words, and re.sub would read a backslash as a reference.
_PLACEHOLDER = re.compile(r"[^\s\\]{0,20}")

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")


@dataclass(frozen=True)
class TextConfig:
    """How text becomes vocabulary words. Written to the model's config.

    tokenizer: ``whitespace``, ``treebank`` (NLTK's word tokenizer) or ``stanza:LANG``.
    lowercase: whether words are lower-cased.
    digits: what every number in a word is replaced with ("1,990-year" → "N-year"); "" keeps digits.
    punctuation: ``drop`` leaves punctuation out of what the model reads (it stays in the output); ``keep`` does not.
    min_count: words seen fewer times than this in training are unknown.
    max_vocabulary: at most this many words (the most frequent); bounds the model's size on large corpora.
    unknown_classes: at most this many classes of unknown words, by their endings; all others become <unk>.
    phrase_boundaries: whether it is learned, from the marks between words, which words phrases begin and end with.
    """

    tokenizer: str = "whitespace"
    lowercase: bool = True
    digits: str = "N"
    punctuation: str = "drop"
    min_count: int = 5
    max_vocabulary: int = 50_000
    unknown_classes: int = 0
    phrase_boundaries: bool = False

    def __post_init__(self) -> None:
        check_tokenizer(self.tokenizer)
        if not _PLACEHOLDER.fullmatch(self.digits):
            raise SettingError(f"digits must be one short word, without backslashes, or empty, not {self.digits!r}")
        if self.punctuation not in ("drop", "keep"):
            raise SettingError(f"punctuation must be drop or keep, not {self.punctuation!r}")
        if self.min_count < 1 or self.max_vocabulary < 1:
            raise SettingError("min_count and max_vocabulary must be at least 1")
        if self.unknown_classes < 0:
            raise SettingError("unknown_classes must be at least 0")


def normalize(token: str, config: TextConfig) -> str | None:
    """The vocabulary form of a token; None if the model does not read it."""
    if config.punctuation == "drop" and is_punctuation(token):
        return None
    if config.digits:
        # Lower case first, so that the placeholder cannot collide with a word.
        return _NUMBER.sub(config.digits, token.lower() if config.lowercase else token)
    return token.lower() if config.lowercase else token
