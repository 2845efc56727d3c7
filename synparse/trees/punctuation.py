"""What punctuation is; how it is added to induced trees and removed from trees that have it.

Models do not read punctuation, so they induce trees over words alone. The rule, for both kinds of tree: **a punctuation
mark belongs to the smallest structure that spans both of its neighbouring words.**

- Constituents: its parent is the lowest constituent that contains the word before and the word after it, so it stands
  at the split between them. At either end of the sentence its parent is the whole sentence.
- Dependencies: its head is the lowest common ancestor of both neighbours (often one of them). At either end of the
  sentence it depends on the root.

    words alone        (((the dog) (which barked)) slept)        the → dog, which → barked → dog → slept → root
    with punctuation   (((the dog) , (which barked)) , slept .)
                                   ↑                 ↑       ↑
                                  dog              slept   slept       the head of each mark

Removing the punctuation again gives back the induced tree, and a projective tree stays projective: the only arcs that
pass between two neighbours are those of words above their common ancestor. In a sentence of punctuation alone, the
first mark is the root and the others depend on it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import compress

from synparse.trees.constituency import unescaped
from synparse.trees.dependency import depths_of
from synparse.trees.spans import kept_before

# Tags of punctuation in English treebanks; $ and # are among them, as in the usual scorers. Files of CoNLL 2007 and
# 2008 write brackets as they are.
PENN_PUNCTUATION_TAGS = frozenset({".", ",", ":", "``", "''", "-LRB-", "-RRB-", "(", ")", "HYPH", "NFP", "$", "#"})

SPOKEN_SYMBOLS = (
    *("PERCENT SIGN", "PER MILLE SIGN", "PER TEN THOUSAND SIGN"),
    *("AMPERSAND", "TIRONIAN SIGN ET", "COMMERCIAL AT"),
)
"""Punctuation in Unicode, but read aloud, and tagged as words in treebanks; by what their names contain, so that each
stands for its full-width, small and Arabic forms, too."""

# Symbols in Unicode: opening quotes as treebanks write them (``), and the two that scorers leave out like punctuation,
# because they are part of the number that follows.
SILENT_SYMBOLS = frozenset("`´$#")

_STYLES = "\ufe0e\ufe0f"  # the character before them as text or as emoji


def is_punctuation(token: str) -> bool:
    """Whether every visible character of a token is punctuation.

    Punctuation is Unicode's (P*) except ``%``, ``&`` and ``@`` in all their forms; backquotes, ``$``, ``#``; all of
    them also as Penn files escape them (-LRB-). A token without visible characters (`visible`) is punctuation, too:
    there is nothing to read.
    """
    return not token.isalnum() and all(map(_is_silent, unescaped(token)))


def visible(token: str) -> str:
    """The token without characters that nobody sees: joiners, marks of writing direction, soft hyphens, emoji styles.

    >>> visible("?\u200f"), visible("\u203c\ufe0f")
    ('?', '‼')
    """
    return token if token.isascii() else "".join(character for character in token if not _is_invisible(character))


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) == "Cf" or character in _STYLES


@lru_cache(maxsize=4096)
def _is_silent(character: str) -> bool:
    if unicodedata.category(character).startswith("P"):
        name = unicodedata.name(character)
        return not any(spoken in name for spoken in SPOKEN_SYMBOLS)
    return character in SILENT_SYMBOLS or _is_invisible(character)


def with_punctuation_spans(spans: Sequence[tuple[int, int]], kept: Sequence[bool]) -> list[tuple[int, int]]:
    """Spans over the kept tokens → spans over all tokens (at least one), in pre-order. O(T).

    A span gets the tokens between its words; the span of the whole sentence gets all tokens.
    """
    positions = [position for position, is_kept in enumerate(kept) if is_kept]
    whole = (0, len(positions))
    inner = [
        (positions[start], positions[end - 1] + 1) for start, end in spans if (start, end) != whole and end - start > 1
    ]
    return [(0, len(kept)), *inner]


def with_punctuation_heads(heads: Sequence[int], kept: Sequence[bool]) -> tuple[int, ...]:
    """Heads over the kept tokens → heads over all tokens (0 = root).

    O(T) for a projective tree, in which each arc is on the path between neighbours at most twice, once at either end of
    its subtree; otherwise O(T · depth).
    """
    positions = [position for position, is_kept in enumerate(kept, 1) if is_kept]
    if not positions:
        return (0, *[1] * (len(kept) - 1))
    depths = depths_of(heads)
    root = heads.index(0) + 1
    result = []
    read = 0  # the number of kept tokens so far
    for is_kept in kept:
        if is_kept:
            head = heads[read]
            read += 1
        elif 0 < read < len(heads):
            head = _common_ancestor(heads, depths, read, read + 1)
        else:
            head = root
        result.append(positions[head - 1] if head else 0)
    return tuple(result)


def heads_of_kept(heads: Sequence[int], kept: Sequence[bool], may_have_cycles: bool = False) -> list[int]:
    """Heads over all tokens → heads over the kept tokens: the nearest kept ancestor of each, 0 if it has none.

    O(T) in practice. Raises ValueError if a token that is left out is in a cycle, unless heads may have cycles.
    """
    before = kept_before(kept)
    result = []
    for word in compress(range(1, len(kept) + 1), kept):
        head, steps = heads[word - 1], 0
        while head and not kept[head - 1]:
            head = heads[head - 1]
            steps += 1
            if steps > len(heads):
                if not may_have_cycles:
                    raise ValueError(f"word {word} descends from a cycle")
                head = 0
        result.append(before[head])
    return result


def _common_ancestor(heads: Sequence[int], depths: Sequence[int], first: int, second: int) -> int:
    while first != second:
        if depths[first] < depths[second]:
            first, second = second, first
        first = heads[first - 1]
    return first
