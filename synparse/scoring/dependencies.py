"""Attachment scores of dependency trees: UAS, UUAS, NED and LAS.

Words are scored after punctuation is taken out of both trees; a word whose head is taken out attaches to that head's
nearest kept ancestor. Hand-worked, with gold "the ← dog ← barked (root)" and a prediction of previous-word heads:

    >>> score_heads(gold=(2, 3, 0), predicted=(2, 3, 0))
    DependencyCounts(words=3, attached=3, connected=3, neutral=3, labelled=0)
    >>> counts = score_heads(gold=(2, 3, 0), predicted=(0, 1, 2))  # every dependency turned round
    >>> counts.uas, round(counts.uuas, 3), round(counts.ned, 3)  # of the three dependencies only the root's is missing
    (0.0, 0.667, 0.667)

NED asks of each word whether its predicted head is its gold head, its gold child or its gold grandparent, because two
words whose dependency is turned round attach what is above them to the grandparent (Schwartz, Abend, Reichart &
Rappoport, ACL 2011). 0 is a grandparent like others. Here "the" has the head 0, which is none of the three; "dog" and
"barked" have their gold children.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Literal, NamedTuple, TypeAlias

from synparse.scoring.counts import Counts, ratio
from synparse.trees.errors import check_choice
from synparse.trees.punctuation import PENN_PUNCTUATION_TAGS, heads_of_kept
from synparse.trees.scored_words import UNIVERSAL_PUNCTUATION_TAGS, PunctuationRule

RootRule: TypeAlias = Literal["word", "omit", "wrong"]

PredictedHeads: TypeAlias = Literal["tree", "argmax"]
"""Which heads of a predicted sentence are scored: those of its tree, or the most probable head of each word
(`synparse.trees.conllu.ConlluSentence.argmax_heads`)."""

ROOT_RULES: dict[RootRule, str] = {
    "word": "the root is scored like a word (its head is 0)",
    "omit": "the gold root is left out",
    "wrong": "the gold root always counts as wrong, and predicted heads need not be trees (UDGN's arg-max table)",
}

PUNCTUATION_RULES: dict[PunctuationRule, str] = {
    "upos": f"left out by gold UPOS ({' '.join(sorted(UNIVERSAL_PUNCTUATION_TAGS))}; without a tag: by form)",
    "tag": f"left out by gold Penn tag ({' '.join(sorted(PENN_PUNCTUATION_TAGS))}; without a tag: by form)",
    "form": "left out by form (only punctuation, but not %, & or @; $, #, backquotes, Penn brackets, invisible "
    "characters)",
    "keep": "scored like words",
}

UNLABELLED = frozenset({"_", "dep", "root", "ROOT"})
"""Relations without information beyond the heads; a prediction with no others has no LAS."""


def protocol_of(root: RootRule, punctuation: PunctuationRule, heads: PredictedHeads = "tree") -> str:
    """One of `ROOT_RULES` and one of `PUNCTUATION_RULES` in words, to print beside the numbers."""
    orphans = "" if punctuation == "keep" else ", its dependents reattached"
    argmax = "" if heads == "tree" else "; heads are the most probable ones (arg max), no trees"
    return f"punctuation {PUNCTUATION_RULES[punctuation]}{orphans}; {ROOT_RULES[root]}{argmax}"


class TreePair(NamedTuple):
    """The gold and the predicted tree of one sentence over the T words that are scored.

    Heads count from 1 among these words, 0 is the root. Relations and tags may be empty where there are none.
    """

    gold: Sequence[int]
    predicted: Sequence[int]
    gold_relations: Sequence[str] = ()
    predicted_relations: Sequence[str] = ()
    tags: Sequence[str] = ()


class WordOutcome(NamedTuple):
    """Which of the counts of `DependencyCounts` one word adds to."""

    attached: bool
    connected: bool
    neutral: bool
    labelled: bool


@dataclass(frozen=True, slots=True)
class DependencyCounts(Counts):
    """Counts of words, which add up over sentences.

    words: words scored; attached: those with the right head; connected: gold dependencies that the prediction has
    too, in either direction; neutral: words whose predicted head is their gold head, child or grandparent; labelled:
    words with the right head and the right relation.
    """

    words: int = 0
    attached: int = 0
    connected: int = 0
    neutral: int = 0
    labelled: int = 0

    @property
    def uas(self) -> float | None:
        """Unlabelled attachment score, 0 … 1; None where there is nothing to score, as in all that follow."""
        return ratio(self.attached, self.words)

    @property
    def uuas(self) -> float | None:
        """Undirected unlabelled attachment score, 0 … 1."""
        return ratio(self.connected, self.words)

    @property
    def ned(self) -> float | None:
        """Neutral edge direction (Schwartz et al. 2011), 0 … 1."""
        return ratio(self.neutral, self.words)

    def scores(self, labelled: bool) -> dict[str, float | None]:
        """UAS, UUAS, NED; and LAS, the labelled attachment score, where there are relations (``labelled``)."""
        las = {"las": ratio(self.labelled, self.words)} if labelled else {}
        return {"uas": self.uas, "uuas": self.uuas, "ned": self.ned, **las}


def score_heads(
    gold: Sequence[int], predicted: Sequence[int], kept: Sequence[bool] | None = None, root: RootRule = "word"
) -> DependencyCounts:
    """Score one sentence. Heads are counted from 1 with 0 for the root, over all tokens; ``kept`` says which count.

    UUAS counts gold dependencies {word, head} that are in the prediction in either direction; the root's is {0, word}.
    Where the root is scored like a word, UAS ≤ UUAS ≤ NED. ``root`` is one of `ROOT_RULES`. Raises ValueError where
    lengths differ, a head is no word, or kept words depend on a cycle; SettingError for another ``root``.
    """
    check_choice("root", root, ROOT_RULES)
    if others := [head for head in (*gold, *predicted) if not 0 <= head <= len(gold)]:
        raise ValueError(f"head {others[0]}, which is no word of the sentence")
    return count_outcomes(Counter(word_outcomes(kept_pair(TreePair(gold, predicted), kept), root)))


def kept_pair(pair: TreePair, kept: Sequence[bool] | None, may_have_cycles: bool = False) -> TreePair:
    """The pair over its kept words alone: orphans reattached (`heads_of_kept`), relations and tags as they are.

    Raises ValueError where lengths differ, or kept words depend on a cycle of others, if it ``may_have_cycles`` not.
    """
    if len(pair.gold) != len(pair.predicted):
        raise ValueError(f"{len(pair.gold)} gold heads but {len(pair.predicted)} predicted ones")
    if kept is not None and len(kept) != len(pair.gold):
        raise ValueError(f"{len(pair.gold)} heads, but kept says of {len(kept)} words whether they count")
    if kept is None or all(kept):
        return pair
    return TreePair(
        heads_of_kept(pair.gold, kept),
        heads_of_kept(pair.predicted, kept, may_have_cycles),
        tuple(compress(pair.gold_relations, kept)),
        tuple(compress(pair.predicted_relations, kept)),
        tuple(compress(pair.tags, kept)),
    )


def word_outcomes(pair: TreePair, root: RootRule = "word") -> list[WordOutcome | None]:
    """What is right about each word; None for a gold root that is left out (``root``: one of `ROOT_RULES`). O(T)."""
    gold, predicted = pair.gold, pair.predicted
    labels = pair.gold_relations and pair.predicted_relations
    result: list[WordOutcome | None] = []
    for position, (gold_head, head) in enumerate(zip(gold, predicted, strict=True)):
        word = position + 1
        if not gold_head and root != "word":
            result.append(None if root == "omit" else WordOutcome(False, False, False, False))
            continue
        attached = gold_head == head
        connected = attached or (gold_head > 0 and predicted[gold_head - 1] == word)
        neutral = attached or (head > 0 and gold[head - 1] == word) or (gold_head > 0 and gold[gold_head - 1] == head)
        labelled = attached and bool(labels) and pair.gold_relations[position] == pair.predicted_relations[position]
        result.append(WordOutcome(attached, connected, neutral, labelled))
    return result


def count_outcomes(tally: Mapping[WordOutcome | None, int]) -> DependencyCounts:
    """The counts of words with these outcomes, each so many times; None is not counted."""
    words, right = 0, [0, 0, 0, 0]
    for outcome, times in tally.items():
        if outcome is not None:
            words += times
            right = [count + (times if is_right else 0) for count, is_right in zip(right, outcome, strict=True)]
    return DependencyCounts(words, *right)


@dataclass(frozen=True, slots=True)
class TreeCounts(Counts):
    """Counts of sentences and their roots, which add up over sentences.

    sentences: those with words to score; exact: those in which every scored word has the right head; roots: words whose
    gold head is 0, scored or not; right_roots: those whose predicted head is 0 too.
    """

    sentences: int = 0
    exact: int = 0
    roots: int = 0
    right_roots: int = 0

    def scores(self) -> dict[str, float | None]:
        """The fraction of sentences whose whole tree is right, and of gold roots that are roots in the prediction."""
        return {"exact_trees": ratio(self.exact, self.sentences), "root_accuracy": ratio(self.right_roots, self.roots)}


def score_tree(pair: TreePair, outcomes: Sequence[WordOutcome | None]) -> TreeCounts:
    """Score one sentence as a whole, given `word_outcomes`.

    >>> pair = TreePair(gold=(2, 3, 0), predicted=(3, 3, 0))  # the root is right, the tree is not exact
    >>> score_tree(pair, word_outcomes(pair))
    TreeCounts(sentences=1, exact=0, roots=1, right_roots=1)
    """
    scored = [outcome.attached for outcome in outcomes if outcome]
    roots = [head for gold_head, head in zip(pair.gold, pair.predicted, strict=True) if not gold_head]
    return TreeCounts(int(bool(scored)), int(bool(scored) and all(scored)), len(roots), roots.count(0))
