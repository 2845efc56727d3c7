"""How words are normalised for a model. The settings are part of the model: training and parsing share them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from synparse.corpora.languages import language_of
from synparse.corpora.tokenization import check_tokenizer
from synparse.trees.errors import SettingError
from synparse.trees.punctuation import is_punctuation

# The replacement of a number becomes part of words, and re.sub would take a backslash for a reference.
_PLACEHOLDER = re.compile(r"[^\s\\]{0,20}")

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")


@dataclass(frozen=True)
class TextConfig:
    """How text becomes vocabulary words. Written to the model's config.

    tokenizer: ``whitespace``, ``treebank`` (NLTK's, for English), ``rules:LANG``, ``characters``, ``fugashi``,
        ``jieba`` or ``stanza:LANG``.
    language: the language of the text, by its ISO 639 code, such as ``fi``; "" if it is not said. It decides how
        running text is split.
    lowercase: whether words are lower-cased.
    digits: what replaces every number in a word ("1,990-year" → "N-year"); "" keeps digits.
    punctuation: ``drop`` leaves punctuation out of what the model reads (it stays in the output); ``keep`` does not.
    min_count: words seen fewer times than this in training are unknown.
    max_vocabulary: at most this many words (the most frequent); bounds the model's size on large corpora.
    unknown_classes: at most this many classes of unknown words, by their endings; all others become <unk>.
    phrase_boundaries: whether training also learns, from punctuation marks, which words phrases begin and end with.
    """

    tokenizer: str = "whitespace"
    language: str = ""
    lowercase: bool = True
    digits: str = "N"
    punctuation: Literal["drop", "keep"] = "drop"
    min_count: Annotated[int, Meta(ge=1)] = 5
    max_vocabulary: Annotated[int, Meta(ge=1)] = 50_000
    unknown_classes: Annotated[int, Meta(ge=0)] = 0
    phrase_boundaries: bool = False

    def __post_init__(self) -> None:
        check_tokenizer(self.tokenizer)
        if self.language:
            language_of(self.language)
        if not _PLACEHOLDER.fullmatch(self.digits):
            raise SettingError(f"digits must be one short word, without backslashes, or empty, not {self.digits!r}")


def normalize(token: str, config: TextConfig) -> str | None:
    """The vocabulary form of a token; None if the model does not read it."""
    if config.punctuation == "drop" and is_punctuation(token):
        return None
    if config.lowercase:  # before digits, so that their placeholder cannot collide with a word
        token = token.lower()
    return _NUMBER.sub(config.digits, token) if config.digits else token
