"""Sentences of running text → tokens, by rules on the properties of characters in Unicode.

Blanks separate tokens. Punctuation and symbols are tokens of their own, except where they join what stands on both
sides (*Jean-Claude, 3,5, H&M, 17:30, example.org*), and the full stops of abbreviations and ordinals. Of a language
only this is known: how it writes elided words (French *l'homme* = *l'* and *homme*), and abbreviations, where Punkt has
learned some. Scripts without blanks are split into characters. The conventions are those of Universal Dependencies.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection

import regex

from synparse.corpora.languages import language_of
from synparse.corpora.sentence_rules import abbreviations_of

Words = Callable[[str], list[str]]
"""From a sentence to its tokens, which hold all of it but blanks and invisible characters."""

_APOSTROPHE = "['’ʼ՚]"

# With the tones and other signs of phonetic transcription, and signs that enclose the number after them, as the Koran
# has them at the ends of verses.
_VISIBLE = r"\p{L}\p{M}\p{N}\p{PCM}\u02c2-\u02d7\u02de-\u02ff\ua700-\ua721"

# With the marks that Armenian writes on the stressed syllable of a word, and the invisible characters that may stand in
# a word: soft hyphens, joiners, marks of direction, the separator of Mongolian vowels, byte order marks.
_LETTER = rf"[{_VISIBLE}՛՜՞\u00ad\u061c\u180e\u200c-\u200f\u2060\ufeff]"

# Addresses of pages, mails and people, and tags; where no blanks are written, text may follow them at once. (Addresses
# of mails in other letters are words, joined by their signs.)
_MAIL = r"(?<![a-z0-9_.+-])[a-z0-9_.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+"
_ADDRESS = rf"(?:https?://|www\.)[^\s<>\"“”«»]*[\p{{L}}\p{{N}}/]|{_MAIL}|(?<!\w)[@#]\w+"
_ADDRESS_BEFORE_TEXT = rf"(?:https?://|www\.)[!-~]*[a-z0-9/]|{_MAIL}|(?<![a-z0-9_])[@#][a-z0-9_]+"

_SMILE = r"(?<!\p{N})[:;]-?[()DP](?![\p{L}\p{N}])"

# Characters that join letters or digits on both sides, those that join digits, and those that join letters (‘ and ` in
# Uzbek and Hawaiian); in Hebrew, those of abbreviations and foreign sounds.
_JOINT = (
    rf"(?:-/|[-‐‑֊᐀_&+@/]|{_APOSTROPHE}|(?<=\p{{N}})[.,:–٫٬](?=\p{{N}})|[.:·](?=\p{{L}})"
    r"|(?<=[\p{L}\p{M}])[‘`´](?=[\p{Lu}\p{Ll}])|(?<=\p{Lu})\.-(?=\p{Lu})|(?<=\p{Hebrew})[׳״\"](?=\p{Hebrew}))"
)

# A word; a hyphen at its end stands for a part that two compounds share (*Vor- und Nachteile*), and a geresh in Hebrew
# for what is left out. The tsheg of Tibetan and the wordspace of Ethiopic belong to the syllable or word before them;
# two wordspaces are a full stop.
_WORD = (
    rf"(?=[{_VISIBLE}]){_LETTER}+(?:{_JOINT}{_LETTER}+)*"
    r"(?:(?<=\p{L})-(?=[\s,)]|$)|(?<=\p{Hebrew})׳|(?<=\p{Tibetan})[་༌]|(?<=\p{Ethiopic})፡(?!፡))?"
)

# Signs of several characters: decades, currencies, entities of HTML.
_SIGNS = (
    rf"(?<!{_LETTER}){_APOSTROPHE}\p{{N}}0(?:s(?!\p{{L}}))?(?!\p{{N}})|(?<!{_LETTER})\p{{Lu}}{{1,3}}\$|(?:&#?\w+;)+"
)

# An emoji is a sign with the invisible characters that choose its colour and join others to it.
_MARKS = r"\.{2,}|-{2,}|፡፡|([*=~`'_+<>])\1+|(?=\p{Emoji})(?=\p{So}|\p{RI})\X|[^\s\p{Cf}\p{Cc}]"

# Words that are elided before an apostrophe, or a hyphen, are tokens of their own.
_ELIDED = {
    "ca": rf"[dlmnst]{_APOSTROPHE}(?={_LETTER})",
    "fr": rf"(?:[cdjlmnsty]|(?:jus|lors|puis|quoi)?qu){_APOSTROPHE}(?!est-à-dire)",
    "ga": rf"(?:dh?|m?b|m){_APOSTROPHE}(?={_LETTER})",
    "it": rf"\p{{L}}+{_APOSTROPHE}(?=[\p{{L}}\p{{N}}\"“«])",
    "ro": r"(?:[csilmnv]|[șş]i(?!-(?:l|[șş]i|mi|[țţ]i)(?![\p{L}-]))|[țţm]i|de|le|ne|te|(?:d|pr)?[îi]ntr)-(?=\p{L})",
}

_WELSH = rf"{_APOSTROPHE}(?:r|n|i|w|u|ch|m|th)"

# Words with an apostrophe at one end; elsewhere an apostrophe there is a quotation mark. Clitics between blanks are
# those of text that is tokenised already.
_CLIPPED = {
    "af": rf"{_APOSTROPHE}n(?!{_LETTER})",
    "cy": rf"(?<!\S){_WELSH}(?!\S)",
    "en": rf"(?<!\S){_APOSTROPHE}(?:s|re|ve|ll|d|m)(?!\S)",
    "fi": rf"-(?=\p{{L}})(?<=\S\s-){_WORD}",
    "de": rf"{_APOSTROPHE}[sn](?!{_LETTER})",
    "ga": rf"a{_APOSTROPHE}(?!{_LETTER})|{_APOSTROPHE}(?:na?|s)(?!{_LETTER})",
    "it": rf"(?:po|mo|di|fa|va|da|sta|be){_APOSTROPHE}(?!{_LETTER})",
    "nl": rf"{_APOSTROPHE}[stnkmr](?!{_LETTER})",
    "uz": rf"{_WORD}(?<=[go])[‘`](?!{_LETTER})",
    # The glottal stop of Hawaiian, Samoan, Tongan and Tahitian.
    **dict.fromkeys(("haw", "sm", "to", "ty"), rf"['‘’`](?=[aeiouāēīōū]){_WORD}"),
}

# Words that are written at the one before, after an apostrophe or hyphen: French donne-t-il, Romanian să-l, Welsh i'r.
_ENCLITICS = {
    "cy": rf"(.+?)({_WELSH})",
    "fr": r"(?!rendez)(.+?)(-(?:t-)?(?:ils?|elles?|on|je|tu|nous|vous|ce|moi|toi|lui|leur|les?|la|y|en))",
    "ro": r"(?!d-)(.+?)(-(?:[ilaon]|[șşțţms]i|se|le|ne|te|[mv]ă|ul|ului|uri|lea))",
}

# Languages whose treebanks have the full stops of abbreviations as tokens of their own; and the hyphens of compounds.
_STOPS_APART = {"cs", "lt", "pl", "uk"}
_HYPHENS_APART = {"he", "pl", "uk"}
_HYPHEN_IN_WORD = regex.compile(r"(?<=[\p{L}\p{M}])([-‐‑])(?=[\p{L}\p{M}])")
_OF_ADDRESSES = regex.compile("[./@]")

# Characters of scripts without blanks: with their marks, the vowel signs of Thai and Lao that Unicode has as letters,
# of which some stand before the consonant, the consonants that Khmer, Burmese, Javanese and Balinese write below
# others, and those of Burmese that end a syllable.
_WITHOUT_BLANKS = (
    r"(?!\p{Nd})(?:\p{Logical_Order_Exception}+(?=[\p{Thai}\p{Lao}]))?"
    r"[\p{Han}\p{Hiragana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Javanese}\p{Balinese}]"
    r"(?:[\p{M}ำຳ]|(?<=[\u1039\u17d2\u1b44\ua9c0])\p{L}|\p{Lo}(?=\u1037?\u103a))*"
    r"|[\p{Katakana}ーｰ\u3099\u309aﾞﾟ]+"
)

_BETWEEN_WORDS, MOST_BETWEEN = "\u200b", 10
"""The zero-width space separates words where it is written: up to this number of characters for one, on average."""

# Quotes and brackets after the full stop of a sentence.
_CLOSING = regex.compile(r"[\p{Pe}\p{Pf}\p{Pi}\"']+")
_INNER_STOP = regex.compile(r"\p{L}{1,3}(?:\.\p{L}{1,3})+")
_SHORT = regex.compile(r"\p{N}+|[IVXLCDM]+|\p{Lu}\p{Ll}|\p{Lo}\p{M}*")
# A letter of a script without case does not show whether the sentence goes on, nor one of Georgian, whose sentences do
# not begin with capitals.
_GOES_ON = regex.compile(r"\s*(?!\p{Georgian})[\p{Ll}\p{N},;:]|\s*$")


@functools.cache
def word_rules(code: str, by_characters: bool = False) -> Words:
    """The rules for the language of this ISO 639 code; general ones if it is "" or not known. ``by_characters``, and
    in languages that are written without blanks, characters of such scripts are tokens of their own, unless zero-width
    spaces separate words; runs of katakana, of other letters and of digits stay whole."""
    has_blanks = not by_characters and (not code or language_of(code).has_blanks)
    language_rules = [rf"(?<!{_LETTER}|-)(?:{rule[code]})" for rule in (_ELIDED, _CLIPPED) if code in rule]

    def expression(address: str, word: str) -> regex.Pattern[str]:
        return regex.compile("|".join([address, _SMILE, _SIGNS, *language_rules, word, _MARKS]), regex.IGNORECASE)

    separate = characters = expression(_ADDRESS, _WORD)
    if not has_blanks:
        word = rf"{_WITHOUT_BLANKS}|{_WORD.replace(_LETTER, f'(?:(?!{_WITHOUT_BLANKS}){_LETTER})')}"
        characters = expression(_ADDRESS_BEFORE_TEXT, word)
    enclitics = regex.compile(_ENCLITICS[code], regex.IGNORECASE) if code in _ENCLITICS else None
    abbreviations = abbreviations_of(code)

    def split(sentence: str) -> list[str]:
        are_separate = MOST_BETWEEN * sentence.count(_BETWEEN_WORDS) >= len(sentence)
        spans = [match.span() for match in (separate if are_separate else characters).finditer(sentence)]
        if code not in _STOPS_APART:
            spans = _with_full_stops(sentence, spans, abbreviations)
        words = [sentence[start:end] for start, end in spans]
        if code in _HYPHENS_APART:
            parts = ([word] if _OF_ADDRESSES.search(word) else _HYPHEN_IN_WORD.split(word) for word in words)
            return list(itertools.chain.from_iterable(parts))
        if enclitics is None:
            return words
        pairs = ((word, enclitics.fullmatch(word)) for word in words)
        return [part for word, match in pairs for part in (match.groups() if match else (word,))]

    return split


def _with_full_stops(
    sentence: str, spans: list[tuple[int, int]], abbreviations: Collection[str]
) -> list[tuple[int, int]]:
    """The tokens with full stops joined to abbreviations, initials and ordinals (*Dr., J., 3., XX.*)."""
    joined: list[tuple[int, int]] = []
    last = next((end for start, end in reversed(spans) if not _CLOSING.fullmatch(sentence, start, end)), 0)
    for start, end in spans:
        if joined and sentence[start:end] == "." and joined[-1][1] == start:
            before = sentence[joined[-1][0] : start]
            if _is_shortened(before, sentence, end, last, abbreviations):
                joined[-1] = (joined[-1][0], end)
                continue
        joined.append((start, end))
    return joined


def _is_shortened(word: str, sentence: str, end: int, last: int, abbreviations: Collection[str]) -> bool:
    """Whether the full stop that ends at ``end`` belongs to the word before it. Inside of a sentence, only an
    abbreviation has one; at its end, the full stop of a well-known abbreviation ends the sentence too."""
    if not word[-1].isalnum():
        return False
    if _INNER_STOP.fullmatch(word):
        return True
    if end == last:
        return False
    is_known = word.lower() in abbreviations
    return is_known or len(word) == 1 or bool(_SHORT.fullmatch(word) or _GOES_ON.match(sentence, end))
