"""Paragraphs of running text → sentences: by Punkt, where it has a model of the language, else by rules."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator

import regex

from synparse.corpora.languages import language_of

Sentences = Callable[[str], list[str]]
"""From a paragraph to its sentences."""

_CLOSING = r"[\p{Pe}\p{Pf}\"'”’]"

# Ends of sentences, with closing quotes and brackets: no blank need follow East Asian marks, unless a particle shows
# that a quotation is part of a sentence, nor other marks before an East Asian character; elsewhere one must, and no
# lower-case letter.
_END = regex.compile(
    rf"[。｡！？]+{_CLOSING}*(?=[^。｡！？])(?!(?<=[」』])(?:と|って|など|を))\s*"
    rf"|[!?]+{_CLOSING}*(?=[\p{{Han}}\p{{Hiragana}}\p{{Katakana}}])"
    rf"|[.!?…।॥؟۔։።܀᙮᠃᱿꓿]+{_CLOSING}*\s+(?=[^\p{{Ll}}\s])"
)

# What stands before a full stop that does not end a sentence: an initial, or the number of an ordinal.
_SHORTENED = regex.compile(r"(?:^|[^\p{L}\p{M}\p{N}])(?:\p{Lu}|\p{N}{1,2}|[IVX]+)\.\s*$")

# Abbreviations that many languages write before a number: article, number, page, volume, figure, chapter, section.
_BEFORE_NUMBERS = regex.compile(
    r"(?<![\p{L}\p{M}\p{N}])(?:arts?|n|nos?|nr|nro|n[uú]m|pp?|p[aá]g|s|vol|bd|fig|abb|tab|kap|cap|sec|abs)\.$",
    regex.IGNORECASE,
)

# Quotes and brackets that Punkt puts on the wrong side of a boundary. German closes a quotation with the sign with
# which English opens it, and French writes blanks inside of quotations, so only blanks show what a sign is.
_CLOSES_BEFORE = regex.compile(r"[\p{Pe}\p{Pf}\"'“]+(?:\s+|$)")
_OPENS_NEXT = regex.compile(r"\s+«$")

MOST_CHARACTERS = 1000
"""How far back in a sentence open brackets are looked for: one that is open for longer is a mistake."""


@functools.cache
def sentence_rules(code: str) -> Sentences:
    """How paragraphs of the language of this ISO 639 code are split; by general rules if it is "" or not known."""
    name = punkt_model(code)
    if name is None:
        return lambda paragraph: list(_with_numbers(_by_rules(paragraph)))
    import punkt

    tokenize = punkt.tokenizer_for(name, prefixes=True).tokenize
    return lambda paragraph: list(_with_numbers(_with_quotes(tokenize(paragraph))))


def punkt_model(code: str) -> str | None:
    """The name of Punkt's model of a language, if it has one."""
    import punkt

    name = language_of(code).name.lower() if code else None
    return name if name in punkt.available_languages() else None


def abbreviations_of(code: str) -> Collection[str]:
    """Abbreviations of a language without their full stops, in lower case, that Punkt knows; perhaps none."""
    import punkt

    name = language_of(code).name.lower() if code else ""
    listed = punkt.nonbreaking_prefixes(name) if name in punkt.PREFIX_LANGUAGES else ()
    learned = punkt.load_model(name).abbrev_types if punkt_model(code) else ()
    return frozenset(itertools.chain(*listed, learned))


def _with_quotes(sentences: Iterable[str]) -> Iterator[str]:
    """The sentences, each with the quotes and brackets that open and close it."""
    before, opening = "", ""
    for sentence in sentences:
        if before and (closing := _CLOSES_BEFORE.match(sentence)):
            before += closing[0].rstrip()
            sentence = sentence[closing.end() :]
        if not sentence:
            continue
        if before:
            yield before
        before, opening = f"{opening}{sentence}", ""
        if match := _OPENS_NEXT.search(before):
            before, opening = before[: match.start()], "« "
    if before:
        yield before


def _with_numbers(sentences: Iterable[str]) -> Iterator[str]:
    """The sentences; where one would end between *art.* and *24*, it goes on."""
    before = ""
    for sentence in sentences:
        if before and not (sentence[0].isdecimal() and _BEFORE_NUMBERS.search(before[-10:])):
            yield before
            before = ""
        before += f"{' ' if before else ''}{sentence}"
    if before:
        yield before


def _by_rules(paragraph: str) -> Iterator[str]:
    """Sentences end at marks of the property Sentence_Terminal, with the closing quotes and brackets after them, unless
    a lower-case letter follows, or brackets are open, or an initial or number stands before a full stop."""
    start = 0
    for match in _END.finditer(paragraph):
        end = match.end()
        before = paragraph[max(start, end - MOST_CHARACTERS) : end]
        if not _SHORTENED.search(before) and not _is_open(before):
            yield paragraph[start:end].strip()
            start = end
    if rest := paragraph[start:].strip():
        yield rest


def _is_open(text: str) -> bool:
    """Whether an East Asian bracket or quote is open at the end: sentences in it belong to the one around it."""
    return any(text.count(opening) > text.count(closing) for opening, closing in ("「」", "『』", "（）"))
