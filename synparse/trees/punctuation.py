"""What punctuation is, putting it back into induced trees, and taking it out of trees that have it.

Models do not read punctuation, so trees come over words alone. The rule, for both kinds of tree: **a punctuation mark
belongs to the smallest structure that spans both of its neighbouring words.**

- Constituents: it is a child of the lowest constituent that contains the word before and the word after it, so it hangs
  at the split between them. At either end of the sentence it is a child of the whole sentence.
- Dependencies: its head is the lowest word that both neighbours descend from (one of them, often). At either end of the
  sentence it depends on the root.

    words alone        (((the dog) (which barked)) slept)        the → dog, which → barked → dog → slept → root
    with punctuation   (((the dog) , (which barked)) , slept .)
                                   ↑                 ↑       ↑
                                  dog              slept   slept       the head of each mark

Taking punctuation out again gives back the induced tree, and a projective tree stays projective: between two neighbours
only dependencies of words above their common ancestor pass. Where nothing was read, the first mark is the root and the
others depend on it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import compress

from synparse.trees.dependency import depths_of
from synparse.trees.spans import kept_before

PENN_PUNCTUATION = frozenset({"-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-"})

# Tags of punctuation in English treebanks, $ and # among them, as scorers take them.
PENN_PUNCTUATION_TAGS = frozenset({".", ",", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "$", "#"})

# Unicode calls these punctuation, but they are read aloud, and treebanks tag them as words.
SPOKEN_SYMBOLS = frozenset("%&@")

# Unicode calls these symbols: opening quotes as treebanks write them (``), and the two that scorers leave out beside
# punctuation, being part of the number that follows.
SILENT_SYMBOLS = frozenset("`´$#")


def is_punctuation(token: str) -> bool:
    """Whether a token is nothing but punctuation, by its form.

    That is Unicode's punctuation (P*), backquotes, ``$``, ``#`` and Penn brackets (-LRB-), but not ``%``, ``&``, ``@``.
    """
    if token in PENN_PUNCTUATION:
        return True
    return all(
        (unicodedata.category(character).startswith("P") and character not in SPOKEN_SYMBOLS)
        or character in SILENT_SYMBOLS
        for character in token
    )


def with_punctuation_spans(spans: Sequence[tuple[int, int]], kept: Sequence[bool]) -> list[tuple[int, int]]:
    """Spans over the kept tokens → spans over all tokens (at least one), in pre-order. O(T).

    A span keeps its words and takes in what stands between them; the whole sentence takes in everything.
    """
    positions = [position for position, is_kept in enumerate(kept) if is_kept]
    whole = (0, len(positions))
    inner = [
        (positions[start], positions[end - 1] + 1) for start, end in spans if (start, end) != whole and end - start > 1
    ]
    return [(0, len(kept)), *inner]


def with_punctuation_heads(heads: Sequence[int], kept: Sequence[bool]) -> tuple[int, ...]:
    """Heads over the kept tokens → heads over all tokens (0 = root).

    O(T) for a projective tree, where each dependency lies on the way between neighbours at most twice, once at either
    end of what it governs; else O(T · depth).
    """
    positions = [position for position, is_kept in enumerate(kept, 1) if is_kept]
    if not positions:
        return (0, *[1] * (len(kept) - 1))
    depths = depths_of(heads)
    root = heads.index(0) + 1
    result = []
    read = 0  # kept tokens so far
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


def heads_of_kept(heads: Sequence[int], kept: Sequence[bool]) -> list[int]:
    """Heads over all tokens → heads over the kept ones: each one's nearest kept ancestor, 0 where none is.

    O(T) in practice. Raises ValueError where a token that is left out is in a cycle.
    """
    before = kept_before(kept)
    result = []
    for word in compress(range(1, len(kept) + 1), kept):
        head, steps = heads[word - 1], 0
        while head and not kept[head - 1]:
            head = heads[head - 1]
            steps += 1
            if steps > len(heads):
                raise ValueError(f"word {word} hangs from a cycle")
        result.append(before[head])
    return result


def _common_ancestor(heads: Sequence[int], depths: Sequence[int], one: int, other: int) -> int:
    while one != other:
        if depths[one] < depths[other]:
            one, other = other, one
        one = heads[one - 1]
    return one
