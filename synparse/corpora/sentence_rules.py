"""Sentence splitting of running text: by Punkt, if it has a model of the language, else by rules."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator

import regex

from synparse.corpora.languages import language_of

Sentences = Callable[[str], list[str]]
"""From a paragraph to its sentences."""

# With the invisible marks of direction that word processors write after punctuation in Hebrew and Arabic.
_CLOSING = r"[\p{Pe}\p{Pf}\"'”’\p{Bidi_Control}]"

_WITHOUT_BLANK = "[。｡！？။꧉᭟]"

# Of the marks that have the property, those of Burmese, Javanese, Balinese and Syriac left out here are commas.
_STOPS = rf"[\p{{Sentence_Terminal}}…--{_WITHOUT_BLANK}--[၊꧈᭞܁܂]]"

# Other signs that are typed for full stops: two wordspaces for the one of Ethiopic, a bar for the danda, a colon for
# the vertsaket of Armenian, and the semicolon, which is the question mark of Greek.
_TYPED = (
    r"(?:፡፡|(?<=[\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Oriya}]\s?)\|{1,2}(?!\|)"
    r"|(?<=\p{Armenian}):|(?<=\p{Greek}\p{M}*);)"
)

# The shads of Tibetan do not have the property: they end clauses, too, after particles that link these to what follows.
# Shads in a row, perhaps with blanks between them, are one, and no blank need follow it.
_SHAD = "[།༎༏༐༑༔]"
_LINKING = "ལ|ན|སུ|རུ|ཏུ|དུ|ནས|ལས|ཀྱི|གྱི|གི|ཡི|ཀྱིས|གྱིས|གིས|ཡིས|དང|ནི|སྟེ|ཏེ|དེ|ཅིང|ཞིང|ཤིང|ཀྱང|ཡང|པར|བར|པས|བས"
_END_BY_SHAD = (
    rf"{_SHAD}(?<=[\p{{L}}\p{{M}}][་༌]?\s*.)(?<!(?:(?:^|[^\p{{L}}\p{{M}}])(?:{_LINKING})|འི|འང)[་༌]?\s*.)"
    rf"(?:\s*+{_SHAD})*+\s*+(?=\S)"
)

# Ends of sentences, with closing quotes and brackets: no blank need follow East Asian marks and the full stops of
# Burmese, Javanese and Balinese, unless a particle shows that a quotation is part of a sentence, nor other marks before
# an East Asian character, nor the full stops of Indic scripts and of Ethiopic before a letter; elsewhere one must, and
# no lower-case letter. (Those of Georgian have that property, but no upper case begins sentences.) All repetitions are
# possessive, or a line of marks alone takes quadratic time.
_END = regex.compile(
    rf"(?<!{_WITHOUT_BLANK}){_WITHOUT_BLANK}++{_CLOSING}*+(?=[^{_WITHOUT_BLANK}])(?!(?<=[」』])(?:と|って|など|を))\s*"
    rf"|(?<![!?])[!?]++{_CLOSING}*+(?=[\p{{Han}}\p{{Hiragana}}\p{{Katakana}}])"
    rf"|(?:[।።]|፡፡){_CLOSING}*+(?=[\p{{L}}\p{{Pi}}\p{{Ps}}])"
    rf"|{_END_BY_SHAD}"
    rf"|(?:(?<!{_STOPS}){_STOPS}++|{_TYPED}){_CLOSING}*+\s++(?=[^\p{{Ll}}]|\p{{Georgian}})",
    regex.V1,  # differences of sets
)

_END_OF_OTHER_SCRIPTS = regex.compile(rf"(?![.!?…])(?:{_END.pattern})", regex.V1)

# In a transcription without capitals, a word before a lower-case letter ends a sentence as well, but no number, single
# letter or omission.
_END_WITHOUT_CAPITALS = regex.compile(
    rf"{_END.pattern}|(?<=[\p{{L}}\p{{M}}\p{{Sk}}\p{{No}}]{{2}})(?:\.|[!?]++|{_TYPED}){_CLOSING}*+\s++(?=\p{{Ll}})",
    regex.V1,
)
_CAPITAL = regex.compile(r"\p{Lu}")

_BEFORE_A_WORD = regex.compile(rf"(\p{{L}}{{3}})\.{_CLOSING}*+\s++(?:(\p{{Ll}})|\p{{Lu}})")

# Letters without case of scripts in which one alone is no word, as a syllable or a sign of Chinese may be, nor the end
# of an abbreviation with a quotation mark, as in Hebrew.
_UNCASED = r"(?![\p{Hebrew}\p{Hangul}\p{Han}\p{Hiragana}\p{Katakana}\p{Canadian_Aboriginal}])[\p{Lo}\p{Georgian}]"

# What stands before a full stop that does not end a sentence: an initial, the number of an ordinal, or a title.
_INITIAL = (
    rf"\p{{Lu}}|{_UNCASED}"  # but no verb of one syllable: है, था, છે
    r"|(?=[\p{Arabic}\p{Bengali}\p{Tamil}\p{Telugu}\p{Kannada}\p{Malayalam}\p{Sinhala}])\p{Lo}\p{M}*"
)
_TITLE = "(?i:drs?|prof|mr|mrs|ing|gosp|jl|tp|ths|др|проф|св|вул|ул|акад|м|ім|обл|смт|просп)"
_SHORTENED = regex.compile(rf"(?:^|[^\p{{L}}\p{{M}}\p{{N}}])(?:{_INITIAL}|[IVX]+|{_TITLE})\.\p{{Bidi_Control}}*\s*$")
_ORDINAL = regex.compile(r"(?<![\p{L}\p{M}\p{N}])\p{N}{1,2}\.\p{Bidi_Control}*\s*$")
_OF_A_LIST = regex.compile(r"(?:\p{N}{1,2}\.)+\s*")

_WITH_ORDINALS = {"bs", "eu", "fo", "he", "hr", "hu", "is", "lt", "lv", "mk", "nn", "sk", "sr"}
"""Languages that Punkt does not know in which numbers with a full stop are ordinals; elsewhere they begin lists."""

# Short words with full stops that nothing stands before: titles and other abbreviations.
_ABBREVIATED = regex.compile(rf"(?:(?:\p{{Lu}}\p{{Ll}}{{0,3}}|(?:(?!\p{{Arabic}}){_UNCASED}\p{{M}}*+){{1,2}})\.\s*)+")

# A word with full stops inside, before what is no capital.
_WITH_STOPS = regex.compile(r"(?:^|[^\p{L}\p{M}])(?:\p{L}\p{M}*+){1,3}(?:\.(?:\p{L}\p{M}*+){1,3})+\.\s*$")
_NO_CAPITAL = regex.compile(r"[\p{N}\p{Lo}\p{Georgian}]")

# Ends that Punkt does not see: dots of an omission before a capital, and marks without a blank after them, but those of
# addresses and names of files.
_MORE_ENDS = regex.compile(
    rf"(?:(?<!\.)\.{{2,}}+|…){_CLOSING}*+\s++(?=[\p{{Pi}}\p{{Ps}}\"'“„«¿¡—–-]*\s*\p{{Lu}})"
    rf"|(?<!\S)[^\s@/_.:!?]*+(?<=\p{{Ll}}{{2}})[.!?]++{_CLOSING}*+(?=[¿¡«“„]?\p{{Lu}}\p{{Ll}}+(?:[\s,;:]|$))"
)

# A comma, semicolon or colon: no sentence begins with it.
_INSIDE = "[,;:，、；：،؛]"

# Quotes, brackets and smileys at the beginning of a sentence that belong to the one before. German closes a quotation
# with the sign with which English opens it, and French writes blanks inside of quotations, so only blanks show what a
# sign is, or, after a question or exclamation, a comma: “Stop!”, he cried.
_CLOSES_BEFORE = regex.compile(
    r"(?:[\p{Pe}\p{Pf}\"'“]+|[:;]-?[()DP])(?:\s+|$)"
    rf"|(?<=[!?…؟！？]\s*)[\p{{Pe}}\p{{Pf}}\p{{Pi}}\"']+\s*(?={_INSIDE})"
)
_OPENS_NEXT = regex.compile(r"(?<=\s)«\s*$")

# Abbreviations that many languages write before a number: article, number, page, volume, figure, chapter, section.
_BEFORE_NUMBERS = regex.compile(
    r"(?<![\p{L}\p{M}\p{N}])(?:arts?|n|nos?|nr|nro|n[uú]m|pp?|p[aá]g|s|vol|bd|fig|abb|tab|kap|cap|sec|abs"
    r"|čl?|kl|br|rr|god|ст|стр|рис|мал|табл|гл|див|бр|чл)\.\s*$",
    regex.IGNORECASE,
)

# Abbreviations that may end a sentence, but not before a lower-case letter, where Punkt may end one all the same.
_BEFORE_LOWER_CASE = regex.compile(
    r"(?<!\p{L})(?:al|approx|bzw|ca|cf|eds?|esp|etc|ex|ff?|incl|inkl|pp?|resp|usw|vgl|viz|vs)\.\s*$", regex.IGNORECASE
)

_ENDS_QUOTED = regex.compile(rf"[.!?…。！？]\s*(?:{_CLOSING}|[“«‹‘])+\s*$")

_BEGINS_INSIDE = regex.compile(_INSIDE)

# A dash before a lower-case letter goes on after what was said: Stop! – he cried.
_ENDS_SAID = regex.compile(rf"[!?…！？]\s*$|{_ENDS_QUOTED.pattern}")
_BEGINS_WITH_DASH = regex.compile(r"(?:--|[–—―-])\s*(?!\p{Georgian})\p{Ll}")

# Lists may begin with one lower-case letter and a mark.
_LOWER_CASE = regex.compile(r"[\p{Pi}\p{Ps}\"'“„«]*(?!\p{Georgian})\p{Ll}[\p{Ll}\s]")

LAST_CHARACTERS = 20
"""Characters at the end of a sentence that decide whether what follows belongs to it."""

MOST_CHARACTERS = 1000
"""How far back in a sentence open brackets are looked for: one that is open for longer is a mistake."""


@functools.cache
def sentence_rules(code: str) -> Sentences:
    """The function that splits paragraphs of this language (an ISO 639 code); general rules for "" and unknown
    languages."""
    name = punkt_model(code)
    if name is None:
        return lambda paragraph: _sentences(paragraph, _starts_by_rules(paragraph, code in _WITH_ORDINALS))
    import punkt

    spans = punkt.tokenizer_for(name, prefixes=True).span_tokenize
    return lambda paragraph: _sentences(
        paragraph, itertools.chain((start for start, _ in spans(paragraph)), _starts_after_other_stops(paragraph))
    )


def punkt_model(code: str) -> str | None:
    """The name of Punkt's model of a language, if it has one."""
    import punkt

    name = language_of(code).name.lower() if code else None
    return name if name in punkt.available_languages() else None


def abbreviations_of(code: str) -> Collection[str]:
    """The abbreviations of a language that Punkt knows, without full stops and in lower case; empty if none."""
    import punkt

    name = language_of(code).name.lower() if code else ""
    listed = punkt.nonbreaking_prefixes(name) if name in punkt.PREFIX_LANGUAGES else ()
    learned = punkt.load_model(name).abbrev_types if punkt_model(code) else ()
    return frozenset(itertools.chain(*listed, learned))


def _sentences(paragraph: str, starts: Iterable[int]) -> list[str]:
    """The sentences that begin at ``starts`` and after `_MORE_ENDS`, with their opening and closing quotes and
    brackets, and with what continues them."""
    edges = [0]
    for start in sorted({*starts, *(match.end() for match in _MORE_ENDS.finditer(paragraph))}):
        if start < max(1, edges[-1]):
            continue
        if closing := _CLOSES_BEFORE.match(paragraph, start):
            if edges[-1] == start:
                edges.pop()
            start = closing.end()
        before = paragraph[max(edges[-1], start - LAST_CHARACTERS) : start]
        if opening := _OPENS_NEXT.search(before):
            start -= len(opening[0])
        if not _goes_on(before, paragraph, start):
            edges.append(start)
    sentences = (paragraph[start:end].strip() for start, end in itertools.pairwise([*edges, len(paragraph)]))
    return [sentence for sentence in sentences if sentence]


def _goes_on(before: str, paragraph: str, start: int) -> bool:
    """Whether the text at ``start`` continues the sentence before it: a number after *art.*, a comma or colon, or a
    lower-case letter after a quotation, after *etc.*, or after what was said and a dash."""
    if paragraph[start : start + 1].isdecimal():
        return bool(_BEFORE_NUMBERS.search(before))
    if _BEGINS_INSIDE.match(paragraph, start):
        return True
    if _BEGINS_WITH_DASH.match(paragraph, start):
        return bool(_ENDS_SAID.search(before))
    is_lower = _LOWER_CASE.match(paragraph, start)
    return bool(is_lower and (_ENDS_QUOTED.search(before) or _BEFORE_LOWER_CASE.search(before)))


def _starts_after_other_stops(paragraph: str) -> Iterator[int]:
    """What comes after stops that are not of Latin scripts: 。 ؟ । and others, which no model of Punkt knows."""
    return iter(()) if paragraph.isascii() else _starts(paragraph, _END_OF_OTHER_SCRIPTS)


def _starts_by_rules(paragraph: str, has_ordinals: bool) -> Iterator[int]:
    """Sentences end at punctuation with the property Sentence_Terminal, and the closing quotes and brackets after it,
    unless a lower-case letter follows in text with capitals, or brackets are open, or an initial, number or title
    stands before a full stop."""
    return _starts(paragraph, _END_WITHOUT_CAPITALS if _begins_in_lower_case(paragraph) else _END, has_ordinals)


def _begins_in_lower_case(paragraph: str) -> bool:
    """Whether its sentences do: it has no capitals, or most full stops stand before lower-case letters, as in editions
    of Latin and Ancient Greek, which write names alone with capitals; but not if they are those of a few abbreviations,
    after which a sentence goes on, and the paragraph itself begins with a capital."""
    if not _CAPITAL.search(paragraph):
        return True
    stops = [(match[1], match[2] is not None) for match in _BEFORE_A_WORD.finditer(paragraph)]
    least = 1 if _LOWER_CASE.match(paragraph.lstrip()) else 3
    return len({last for last, _ in stops}) >= least and 2 * sum(is_lower for _, is_lower in stops) > len(stops)


def _starts(paragraph: str, ends: regex.Pattern[str], has_ordinals: bool = False) -> Iterator[int]:
    """What comes after the ends of sentences, but those of abbreviations, and those inside of brackets."""
    start = 0
    for match in ends.finditer(paragraph):
        end = match.end()
        before = paragraph[max(start, end - MOST_CHARACTERS) : end]
        if not _is_shortened(before, paragraph[end : end + 1], has_ordinals) and not _is_open(before):
            yield end
            start = end


def _is_shortened(text: str, following: str, has_ordinals: bool) -> bool:
    """Whether what ends here with a full stop is no sentence: an abbreviation, or the number of an ordinal or of a part
    of a list. text: from the end of the sentence before, if it is not too long."""
    last = text.rstrip()[-LAST_CHARACTERS:]
    if _SHORTENED.search(last) or _ABBREVIATED.fullmatch(text) or _OF_A_LIST.fullmatch(text):
        return True
    if has_ordinals and _ORDINAL.search(last):
        return True
    return bool(_NO_CAPITAL.match(following) and _WITH_STOPS.search(last))


def _is_open(text: str) -> bool:
    """Whether an East Asian bracket or quote is open at the end: sentences in it belong to the one around it."""
    return any(text.count(opening) > text.count(closing) for opening, closing in ("「」", "『』", "（）"))
