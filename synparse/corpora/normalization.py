"""How words are normalised for a model. The settings are part of the model: training and parsing share them.

A word that Unicode can write in several ways has one form: composed (NFC), and without characters that are not spelling
(soft hyphens, marks of writing direction, byte order marks, emoji styles). Joiners and non-joiners are spelling, in
Persian and in the Indic scripts, so they stay.

Lower case is Unicode's, for no language in particular: Greek final sigma is ς, and Turkish İ becomes i, but Turkish I
becomes i, not ı.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from synparse.corpora.languages import language_of
from synparse.corpora.tokenization import check_tokenizer
from synparse.trees.constituency import ESCAPED, unescaped
from synparse.trees.errors import SettingError
from synparse.trees.limits import LONGEST_WORD
from synparse.trees.punctuation import is_punctuation

# The replacement of a number becomes part of words, and re.sub would take a backslash for a reference.
_PLACEHOLDER = re.compile(r"[^\s\\]{0,20}")

# Digits of any script; between them Unicode's common separators (bidirectional class CS), and the Arabic signs of
# decimals and of thousands.
_NUMBER = re.compile(r"\d+(?:[.,:/\u00a0\u060c\u066b\u066c\u202f\u2044\ufe50\ufe52\ufe55\uff0c\uff0e\uff0f\uff1a]\d+)*")

_MOST_REMEMBERED = 1 << 16  # tokens

# With the signs that separate syllables in Tibetan, and words in Ethiopic script, which are left out before others.
_NOT_SPELLING = re.compile(
    "[\u00ad\u061c\u0640\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe0e\ufe0f\ufeff]|[\u0f0b\u0f0c\u1361]+$"
)

_LIGATURES = re.compile("[\ufb00-\ufb06\ufb50-\ufbb1\ufbfc-\ufbff\ufdf2\ufe80-\ufefc]+")
"""Characters that stand for letters, ﬁ, and for forms of Arabic letters, as PDF files have them."""


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
    max_vocabulary: Annotated[int, Meta(ge=2)] = 50_000
    unknown_classes: Annotated[int, Meta(ge=0)] = 0
    phrase_boundaries: bool = False

    def __post_init__(self) -> None:
        check_tokenizer(self.tokenizer)
        if self.language:
            language_of(self.language)
        if not _PLACEHOLDER.fullmatch(self.digits):
            raise SettingError(f"digits must be one short word, without backslashes, or empty, not {self.digits!r}")


def normalize(token: str, config: TextConfig) -> str | None:
    """The vocabulary form of a token; None if the model does not read it.

    >>> normalize("Cafe\u0301", TextConfig()), normalize("Ko\u00adope\u00adra\u00adtion", TextConfig())
    ('café', 'kooperation')
    """
    return _forms(config)[token]


def normalized(tokens: Iterable[str], config: TextConfig) -> list[str | None]:
    """The vocabulary form of each token; None for tokens that the model does not read.

    >>> normalized(["In", "1990", ",", "N", "Nancys"], TextConfig())
    ['in', 'N', None, 'N', 'nancys']
    """
    forms = _forms(config)
    return [forms[token] for token in tokens]


class _Forms(dict[str, "str | None"]):
    """The forms of tokens, remembered: most tokens of a text have come before."""

    def __init__(self, config: TextConfig) -> None:
        super().__init__()
        self.config = config

    def __missing__(self, token: str) -> str | None:
        form = _normalized(token, self.config)
        if len(token) <= LONGEST_WORD:  # what is longer is no word, and many of them would fill the memory
            if len(self) >= _MOST_REMEMBERED:
                self.clear()
            self[token] = form
        return form


_forms = functools.lru_cache(maxsize=16)(_Forms)


def _normalized(token: str, config: TextConfig) -> str | None:
    if config.punctuation == "drop" and is_punctuation(token):
        return None
    if token == config.digits:  # of a text whose numbers have been replaced, such as that of Mikolov et al. (2010)
        return token
    if token not in ESCAPED:  # a mark of a vocabulary that has them
        token = unescaped(token)
    if not token.isascii():
        token = _LIGATURES.sub(lambda letters: unicodedata.normalize("NFKC", letters[0]), token)
        token = _NOT_SPELLING.sub("", unicodedata.normalize("NFC", token)) or token
    if config.lowercase:  # before digits, so that of their placeholder and words only "N" itself is the same
        token = token.lower().replace("i\u0307", "i")  # İ becomes i with a second dot
    return _NUMBER.sub(config.digits, token) if config.digits else token
