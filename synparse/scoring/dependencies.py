"""Attachment scores of dependency trees: UAS and UUAS.

Words are scored after punctuation is taken out of both trees; a word whose head is taken out attaches to that head's
nearest kept ancestor. Hand-worked, with gold "the ← dog ← barked (root)" and a prediction of next-word heads:

    >>> score_heads(gold=(2, 3, 0), predicted=(2, 3, 0))
    DependencyCounts(words=3, attached=3, connected=3)
    >>> score_heads(gold=(2, 3, 0), predicted=(0, 1, 2)).uuas  # every dependency turned round; the root is another
    0.6666666666666666
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from synparse.trees.punctuation import is_punctuation

ROOT_RULES = {
    "word": "the root is scored like a word (its head is 0)",
    "omit": "the gold root is left out",
    "wrong": "the gold root always counts as wrong (UDGN's arg-max table)",
}

PENN_PUNCTUATION_TAGS = frozenset({".", ",", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP", "$", "#"})

PUNCTUATION_RULE = "left out where the gold UPOS is PUNCT (without UPOS: by Penn tag; without tags: by form)"


@dataclass(frozen=True, slots=True)
class DependencyCounts:
    """Counts that add up over sentences.

    words: words scored; attached: those with the right head; connected: gold dependencies that the prediction has
    too, in either direction.
    """

    words: int = 0
    attached: int = 0
    connected: int = 0

    def __add__(self, other: DependencyCounts) -> DependencyCounts:
        return DependencyCounts(
            self.words + other.words, self.attached + other.attached, self.connected + other.connected
        )

    @property
    def uas(self) -> float | None:
        """Unlabelled attachment score, 0 … 1; None where there is nothing to score."""
        return self.attached / self.words if self.words else None

    @property
    def uuas(self) -> float | None:
        """Undirected unlabelled attachment score, 0 … 1; None where there is nothing to score."""
        return self.connected / self.words if self.words else None


def score_heads(
    gold: Sequence[int], predicted: Sequence[int], kept: Sequence[bool] | None = None, root: str = "word"
) -> DependencyCounts:
    """Score one sentence. Heads are counted from 1 with 0 for the root, over all tokens; ``kept`` says which count.

    UUAS counts gold dependencies {word, head} that are in the prediction in either direction; the root's is {0, word}.
    ``root`` is one of `ROOT_RULES`. Raises ValueError where lengths differ, or kept words hang from a cycle.
    """
    if len(gold) != len(predicted):
        raise ValueError(f"{len(gold)} gold heads but {len(predicted)} predicted ones")
    if kept is not None:
        gold, predicted = heads_of_kept(gold, kept), heads_of_kept(predicted, kept)
    scored = [word for word, head in enumerate(gold, 1) if head or root != "omit"]
    countable = [word for word in scored if gold[word - 1] or root != "wrong"]
    edges = {(word, head) for word, head in enumerate(predicted, 1)}
    attached = sum(gold[word - 1] == predicted[word - 1] for word in countable)
    connected = sum(
        (word, gold[word - 1]) in edges or (gold[word - 1], word) in edges  #
        for word in countable
    )
    return DependencyCounts(len(scored), attached, connected)


def heads_of_kept(heads: Sequence[int], kept: Sequence[bool]) -> list[int]:
    """Heads among the kept words alone: each word's nearest kept ancestor, 0 where none is. O(T) in practice.

    Raises ValueError where a word that is left out is in a cycle.
    """
    rank = [0]
    for is_kept in kept:
        rank.append(rank[-1] + is_kept)
    result = []
    for word, is_kept in enumerate(kept, 1):
        if not is_kept:
            continue
        head, steps = heads[word - 1], 0
        while head and not kept[head - 1]:
            head = heads[head - 1]
            steps += 1
            if steps > len(heads):
                raise ValueError(f"word {word} hangs from a cycle")
        result.append(rank[head] if head else 0)
    return result


def kept_words(words: Sequence[str], upos: Sequence[str], xpos: Sequence[str]) -> list[bool]:
    """Which words are scored, by the best evidence the gold sentence has (see `PUNCTUATION_RULE`)."""
    if any(tag != "_" for tag in upos):
        return [tag != "PUNCT" for tag in upos]
    if any(tag != "_" for tag in xpos):
        return [tag not in PENN_PUNCTUATION_TAGS for tag in xpos]
    return [not is_punctuation(word) for word in words]
