"""Is a text in the language of the models? Said by the share of its words that they do not know.

Models of thirteen languages, each of about 300,000 words, do not know 9 to 33 % of the words of more text from the same
source (most of them in Finnish: 41 % in the worst thousand words). The model english does not know 63 % of the words of
Spanish, 77 % of German and 98 % of Japanese (56 % in the best thousand words of any language), and 4 to 9 % of English
(19 % in the worst thousand). So the limit is one half.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from synparse.corpora.sentences import Sentence
from synparse.parsing.parser import Parser
from synparse.trees.trivial import TRIVIAL_PARSERS

FIRST_WORDS = 1000
"""Tokens from the beginning of a text that are looked up."""

LEAST_WORDS = 20
"""Fewer words say nothing about a text."""

Report: TypeAlias = Callable[[str], None]
"""Receives a note for the user, one line without its end."""


def in_silence(_: str) -> None:
    """A report that does nothing."""


def watched(sentences: Iterable[Sentence], parser: Parser, models: Sequence[str], report: Report) -> Iterator[Sentence]:
    """The same sentences; before the first one, ``report`` gets `note_on_unknown_words`, if there is one."""
    remaining = iter(sentences)
    first = list(first_sentences(remaining))
    note = note_on_unknown_words(parser, models, first)
    if note is not None:
        report(note)
    yield from first
    yield from remaining


def first_sentences(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences from the beginning up to `FIRST_WORDS` tokens."""
    tokens = 0
    for sentence in sentences:
        yield sentence
        tokens += len(sentence.tokens)
        if tokens >= FIRST_WORDS:
            return


def note_on_unknown_words(parser: Parser, models: Sequence[str], first: Iterable[Sentence]) -> str | None:
    """A question to the user if most words of these sentences are surely unknown to the models (by name), else None.

    The share must be above one half by 1 / √words, which is at least two standard deviations of a share. Baselines
    know no words, and ask nothing.
    """
    known = [is_known for sentence in first for is_known in parser.knows(sentence.tokens)]
    words, unknown = len(known), known.count(False)
    if words < LEAST_WORDS or unknown / words - 1 / math.sqrt(words) <= 0.5:
        return None
    names = [name for name in dict.fromkeys(models) if name not in TRIVIAL_PARSERS]
    whose, its = ("model", "its") if len(names) == 1 else ("models", "their")
    return (
        f"{unknown / words:.0%} of the first {words:,} words are unknown to the {whose} {', '.join(names)}: "
        f"is the text in {its} language, and split into words?"
    ).replace("%", " %", 1)
