"""Punctuation cues: how the punctuation between words changes a model's distances and head scores.

Models do not read punctuation, but writers set it where constituents begin and end. The rules, over the words that the
model reads:

- A gap between two words has strong punctuation (semicolon, colon, dash, full stop), weak punctuation (comma, bracket)
  or none. Strong gaps split before weak gaps, and weak gaps before the others; among equal gaps the model decides.
- The words inside a pair of brackets or quotes split after everything around them, so they are a constituent (except
  with the published split, which adds the words that follow). Quotes do not split the gaps beside them: they also stand
  within the smallest phrases (the `` big bang '' theory).
- An arc has a cost for every gap with punctuation that it crosses, and for every pair of brackets or quotes that it
  leaves or enters.

Some punctuation is no cue: marks before the first word or after the last one, a bracket or quote without its partner,
an apostrophe, a single hyphen (well - known), and all other marks. Nothing here was fitted to trees.

What a mark is follows from its Unicode category and name, so the rules hold for every script (`mark_of`).
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, count, takewhile
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.trees.punctuation import visible
from synparse.trees.spans import RIGHT

PENN_BRACKETS = {"-LRB-": "-RRB-", "-LSB-": "-RSB-", "-LCB-": "-RCB-"}
PENN_QUOTES = {"``": "''", "`": "'"}
"""Opening → closing, as treebanks write them."""

APOSTROPHE = "’"
"""It closes quotes, but does not open them (as in Swedish ’ja’): it is too often an apostrophe (the boys ’ room)."""

WEAK, STRONG = 1, 2

COMMAS = ("COMMA", "MYANMAR SIGN LITTLE SECTION")
STOPS = (
    *("FULL STOP", "COLON", "QUESTION MARK", "EXCLAMATION", "INTERROBANG", "ELLIPSIS", "DOT LEADER"),
    *("DANDA", "MARK SHAD", "MARK NYIS SHAD", "KHMER SIGN KHAN", "KHMER SIGN BARIYOOSAN", "MYANMAR SIGN SECTION"),
)
"""What the names of weak and of strong marks contain; SEMICOLON has a COLON in it. The Indic scripts, Tibetan, Khmer
and Burmese have names of their own for comma and full stop."""

HYPHENS = ("HYPHEN", "MAQAF")
"""What the names of dashes (Unicode category Pd) contain that join words. They are strong where they are repeated."""

QUOTES = ("QUOTATION MARK", "CORNER BRACKET", "ANGLE BRACKET")
"""What the names of quotes contain; 「」 and 《》 are used like quotes in East Asian writing, not like brackets."""

CROSSING = 1.0
"""Cost of an arc for each gap with punctuation that it crosses, in nats. The mean number of arcs over a gap equals the
mean arc length, 2.5 words in English (Liu, 2008, "Dependency distance as a metric of language comprehension
difficulty"); where a constituent ends, one arc is enough. So arcs are about e times as rare there."""

PAIR_CROSSINGS = 2
"""Cost of an arc for each pair that it leaves or enters, in gaps: the two marks of a pair agree, and they are surer
cues than commas, which also stand within lists."""

BROKEN = 1e6
"""Cost in nats of a span that the punctuation cues rule out: larger than the score of any tree."""


class Mark(NamedTuple):
    """What a punctuation mark may do.

    form: the mark without invisible characters. level: 0 (no cue), `WEAK` or `STRONG`, of commas, stops and dashes.
    closers: the marks that close it, if it opens a pair; is_bracket: whether that pair is one of brackets, not quotes;
    opens_before_words: whether it also closes other pairs, so that it opens one only where a phrase can follow.
    """

    form: str
    level: int = 0
    closers: tuple[str, ...] = ()
    is_bracket: bool = False
    opens_before_words: bool = False


@lru_cache(maxsize=4096)
def mark_of(token: str) -> Mark:
    """What a token is as a punctuation mark.

    Brackets open by their category (Ps, or Pi for initial quotes), and close with the partner that their name tells
    (LEFT, RIGHT). Quotes are used in more ways: “English”, „German“, „Polish”, ”Swedish”, «French», »German«, »Danish»,
    “中文”, 「日本」. So a low mark closes with any high one of its kind, and a final quote opens a pair that it, or its
    mirror image, closes.

    >>> mark_of("،").level == WEAK, mark_of("।").level == STRONG, mark_of("-").level, mark_of("--").level == STRONG
    (True, True, 0, True)
    >>> mark_of("（").closers, mark_of("„").closers, mark_of("»").closers, mark_of("”").closers
    (('）',), ('“', '”'), ('«', '»'), ('”',))
    """
    form = visible(token)
    if form in PENN_BRACKETS:
        return Mark(form, closers=(PENN_BRACKETS[form],), is_bracket=True)
    if form in PENN_QUOTES:
        return Mark(form, closers=(PENN_QUOTES[form],))
    if len(form) == 1 and (closers := _closers(form)):
        return Mark(form, 0, closers, not _is_quote(form), unicodedata.category(form) == "Pf")
    return Mark(form, _level(form))


def _level(form: str) -> int:
    if not form:
        return 0
    names = [unicodedata.name(mark, "") if unicodedata.category(mark).startswith("P") else "" for mark in form]
    if len(form) == 1 and _has(names[0], HYPHENS):
        return 0
    if all(unicodedata.category(mark) == "Pd" or _has(name, STOPS) for mark, name in zip(form, names, strict=True)):
        return STRONG
    return WEAK if all(_has(name, COMMAS) for name in names) else 0


def _closers(mark: str) -> tuple[str, ...]:
    """The marks that close a pair that this one opens; none if it opens none."""
    name, category = unicodedata.name(mark, ""), unicodedata.category(mark)
    if category == "Po":
        return (mark,) if "QUOTATION MARK" in name else ()
    if "-9 QUOTATION MARK" in name:  # low „ ‚ close with “ ” ‘ ’, and the reversed ‟ ‛ with ” ’
        number = "DOUBLE" if "DOUBLE" in name else "SINGLE"
        sides = ("LEFT", "RIGHT") if category == "Ps" else ("RIGHT",)
        return tuple(unicodedata.lookup(f"{side} {number} QUOTATION MARK") for side in sides)
    if category in ("Ps", "Pi"):
        return _partners(mark, name)
    if category == "Pf" and _is_quote(mark) and mark != APOSTROPHE:
        return (*_partners(mark, name), mark) if unicodedata.mirrored(mark) else (mark,)
    return ()


def _partners(mark: str, name: str) -> tuple[str, ...]:
    """The mirror image of a mark by its name; where the name has no side, the closing marks that follow in Unicode."""
    other = "RIGHT".join(part.replace("RIGHT", "LEFT") for part in name.split("LEFT"))
    try:
        return (unicodedata.lookup(other),) if other != name else _following(mark)
    except KeyError:  # ⦓ LEFT ARC LESS-THAN BRACKET, ⦔ RIGHT ARC GREATER-THAN BRACKET
        return _following(mark)


def _following(mark: str) -> tuple[str, ...]:
    return tuple(takewhile(lambda character: unicodedata.category(character) == "Pe", map(chr, count(ord(mark) + 1))))


def _is_quote(mark: str) -> bool:
    return _has(unicodedata.name(mark, ""), QUOTES)


def _has(name: str, parts: Sequence[str]) -> bool:
    return any(part in name for part in parts)


class Cues(NamedTuple):
    """The punctuation cues of a sentence of T words.

    levels: for each of the T − 1 gaps, its strongest punctuation: 0 (none), `WEAK` or `STRONG`. enclosed: the span
    (start, end) of words inside each pair of brackets or quotes, of two words or more but not all T. Spans never cross.
    """

    levels: tuple[int, ...]
    enclosed: tuple[tuple[int, int], ...]


def cues_of(tokens: Sequence[str], read: Sequence[bool]) -> Cues:
    """The cues in a sentence's tokens, of which the model reads those where ``read`` is true. O(tokens).

    A mark that closes an open pair does not open another; it matches the last open mark that it can close, and marks
    opened after that one have no partner.
    """
    total = sum(read)
    levels = [0] * (total + 1)  # by the number of words before
    enclosed = []
    opened: list[tuple[Mark, int]] = []  # the mark, and the number of words before it
    expected: Counter[str] = Counter()  # how many of `opened` a closing mark matches
    marks = (index for index, is_read in enumerate(read) if not is_read)
    for earlier, index in enumerate(marks):
        position, mark = index - earlier, mark_of(tokens[index])
        if expected[mark.form]:
            opening, start = opened.pop()
            expected.subtract(opening.closers)
            while mark.form not in opening.closers:
                opening, start = opened.pop()
                expected.subtract(opening.closers)
            enclosed.append((start, position))
            if opening.is_bracket:
                levels[start], levels[position] = max(levels[start], WEAK), max(levels[position], WEAK)
        elif mark.closers:
            if not mark.opens_before_words or _begins_phrase(tokens, read, index + 1):
                opened.append((mark, position))
                expected.update(mark.closers)
        else:
            levels[position] = max(levels[position], mark.level)
    return cues_within(Cues(tuple(levels[1:total]), tuple(enclosed)), 0, total)


def _begins_phrase(tokens: Sequence[str], read: Sequence[bool], index: int) -> bool:
    """Whether a phrase may begin with this token: a word, or a mark that opens a pair."""
    return index < len(tokens) and (read[index] or bool(mark_of(tokens[index]).closers))


def cues_within(cues: Cues, start: int, end: int) -> Cues:
    """The cues of the words ``start … end − 1`` (a chunk of the sentence), counted from ``start``."""
    clipped = ((max(first, start) - start, min(last, end) - start) for first, last in cues.enclosed)
    enclosed = (pair for pair in clipped if 1 < pair[1] - pair[0] < end - start)
    return Cues(cues.levels[start : max(start, end - 1)], tuple(enclosed))


def distances_with_cues(distances: Sequence[float], cues: Cues) -> list[float]:
    """Distances [T − 1] raised so that gaps split by their rank first (`split_ranks`), then by the model's distance.

    Raising by rank × (range + 1) puts every distance of one rank above all distances of the rank below. O(T).
    """
    step = max(distances, default=0.0) - min(distances, default=0.0) + 1.0
    return [distance + step * rank for distance, rank in zip(distances, split_ranks(cues), strict=True)]


def arc_costs(cues: Cues, T: int) -> NDArray[np.float32]:
    """The cost of every arc in nats, [T, T]: row = dependent, column = head, diagonal = root.

    The arc from the root comes from outside all pairs and crosses no gap. Time O(T² · pairs), memory O(T²).
    """
    # Gaps with punctuation before each word.
    before = np.array([0, *accumulate(level > 0 for level in cues.levels)][:T], np.float32)
    costs: NDArray[np.float32] = CROSSING * np.abs(before[:, None] - before)
    if not cues.enclosed:
        return costs
    inside = np.zeros((len(cues.enclosed), T), np.float32)
    for row, (start, end) in zip(inside, cues.enclosed, strict=True):
        row[start:end] = 1
    depths = inside.sum(0)
    left = depths[:, None] + depths - 2 * inside.T @ inside
    np.fill_diagonal(left, depths)
    costs += CROSSING * PAIR_CROSSINGS * left
    return costs


def split_ranks(cues: Cues) -> list[int]:
    """The rank of each gap, [T − 1]; larger ranks split first: gaps outside pairs before those inside, then by level.

    A rank is a whole number, 0 for a gap without punctuation that is in no pair.
    """
    changes = [0] * (len(cues.levels) + 1)
    for start, end in cues.enclosed:
        changes[start] += 1
        changes[end - 1] -= 1
    depths = accumulate(changes[:-1])
    return [level - (STRONG + 1) * depth for level, depth in zip(cues.levels, depths, strict=True)]


def broken_costs(cues: Cues, branching: str = "none") -> NDArray[np.float64]:
    """The cost in nats of each span, [T + 1, T + 1], at [start, end]: `BROKEN` or 0. O(T² · pairs).

    Cues rule out a span with a gap inside that splits before a gap at one of its boundaries (`split_ranks`). Where
    phrases branch to the ``right``, that holds of its end alone: what follows a comma may belong to a phrase that
    begins in the middle of what precedes it, such as a verb phrase. But no span begins in the middle of brackets,
    quotes or a pair of commas and ends outside. (Where phrases branch to the left, the mirror image was no better.)
    """
    costs: NDArray[np.float64] = broken_costs_together([cues], branching)[0]
    return costs


def broken_costs_together(cues: Sequence[Cues], branching: str = "none") -> NDArray[np.float64]:
    """`broken_costs` of B sentences of one length, [B, T + 1, T + 1]."""
    ranks = np.array([split_ranks(of_sentence) for of_sentence in cues], np.int16)
    B, T = len(ranks), ranks.shape[1] + 1
    least, most = np.iinfo(ranks.dtype).min, np.iinfo(ranks.dtype).max
    around = np.full((B, T + 1), most)
    around[:, 1:T] = ranks
    # The largest rank among the gaps inside (a running maximum along each row).
    inside = np.full((B, T + 1, T + 1), least)
    within = np.where(np.tri(T + 1, T, dtype=bool), least, around[:, None, :-1])
    np.maximum.accumulate(within, axis=2, out=inside[:, :, 1:])
    at_start, at_end = inside > around[:, :, None], inside > around[:, None]
    if branching == RIGHT:
        at_start &= _crossing(cues, T) | _begins_in_pair(around, inside)
    return np.where(at_start | at_end, BROKEN, 0.0)


def _begins_in_pair(around: NDArray[np.int16], inside: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Whether the strongest gap inside of each span, [B, T + 1, T + 1], is the second one of a pair in which the span
    begins: of the gaps before its beginning that are as strong or stronger, the last one is as strong.

    around [B, T + 1]: the rank at each position; inside [B, T + 1, T + 1]: the largest rank inside of each span, of
    which the lowest of all does not count: it is above none.
    """
    begins = np.zeros(inside.shape, bool)
    positions = np.arange(around.shape[1])
    ranks = sorted({*around[:, 1:-1].ravel().tolist()})  # np.unique would import masked arrays first
    for rank in ranks[1:]:
        before = np.maximum.accumulate(np.where(around >= rank, positions, 0), axis=1)[:, :-1]  # the last such gap
        is_first = np.take_along_axis(around, before, 1) == rank
        begins[:, 1:] |= is_first[:, :, None] & (inside[:, 1:] == rank)
    return begins


def _crossing(cues: Sequence[Cues], T: int) -> NDArray[np.bool_]:
    """Whether each span crosses a pair of brackets or quotes, [B, T + 1, T + 1]."""
    crossing = np.zeros((len(cues), T + 1, T + 1), bool)
    for of_sentence, spans in zip(cues, crossing, strict=True):
        for first, last in of_sentence.enclosed:
            spans[first + 1 : last, last + 1 :] = True
            spans[:first, first + 1 : last] = True
    return crossing


def without_spans_across_pairs(probabilities: NDArray[np.float64], cues: Cues) -> NDArray[np.float64]:
    """Probabilities of spans, [T + 1, T + 1], with 0 for those that cross a pair of brackets or quotes."""
    if not cues.enclosed:
        return probabilities
    return np.where(_crossing([cues], len(probabilities) - 1)[0], 0.0, probabilities)
