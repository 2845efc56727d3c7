"""Induced labels of constituents, and induced tags of words, against gold ones, by `synparse.scoring.clustering`.

Labels are scored over the predicted spans that are gold spans, where spans are those of UF1: over the scored words,
without those of one word and of the whole sentence. A span has one label: in a unary chain it is the topmost, as in
the evaluations of Jin et al. (EMNLP 2018) and their successors. Gold labels lose function tags and indices; those of
the prediction count as they are. After the many-to-one mapping a predicted constituent is right if its span is gold and
its label is mapped to the gold label; labelled F1 and labelled recall are of these, summed over the sentences.

Tags are scored over the scored words; gold words without a tag are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import compress

from synparse.scoring.brackets import KeptTree
from synparse.scoring.clustering import clustering_scores, many_to_one
from synparse.scoring.comparison import BreakdownTable, Scores, Wanted
from synparse.scoring.constituency import bare_label
from synparse.scoring.counts import ratio
from synparse.scoring.relations import RELATION_RULE
from synparse.trees.constituency import NO_TAG
from synparse.trees.errors import DataError
from synparse.trees.spans import constituents_of_kept

LABEL_RULE = (
    "; labels of the predicted spans that are gold, each mapped to the gold label it most often coincides with; gold "
    "labels without function tags, of unary chains the topmost"
)

TAG_RULE = "; tags of the scored words, each mapped to the gold tag it most often coincides with"

V_MEASURE_RULE = "; V-measure with beta 1 (Rosenberg and Hirschberg 2007)"


def category_rules(wanted: Wanted) -> str:
    """What a protocol says more where labels, tags or relations are scored."""
    rules = LABEL_RULE * wanted.labels + TAG_RULE * (wanted.tags is not None)
    if wanted.relations is not None:
        rules += RELATION_RULE.format(names=wanted.relations)
    return rules and rules + V_MEASURE_RULE


def topmost_labels(tree: KeptTree) -> dict[tuple[int, int], str]:
    """The spans of a tree as `synparse.trees.spans.sentence_spans` has them, each with the topmost of its labels.

    A bracket without a label is passed over where its span has another one.

    >>> from synparse.trees.brackets import read_brackets
    >>> [(_, tree)] = read_brackets(["(S (VBZ seems) (S (VP (TO to) (VB bark))))"], "text")
    >>> topmost_labels(KeptTree(tree, [True] * 3))
    {(1, 3): 'S'}
    """
    words = sum(tree.kept)
    labels: dict[tuple[int, int], str] = {}
    for label, start, end in constituents_of_kept(tree.tree, tree.kept):
        if 1 < end - start < words:
            labels[start, end] = labels.get((start, end)) or label
    return labels


class LabelTally:
    """The running counts of one prediction's labels."""

    def __init__(self) -> None:
        self._pairs = Counter[tuple[str, str]]()
        self._gold = Counter[str]()
        self._predicted = 0

    def add(self, gold: Mapping[tuple[int, int], str], predicted: Mapping[tuple[int, int], str]) -> None:
        """Count a sentence, given the `topmost_labels` of both trees."""
        gold_labels = {span: bare_label(label) for span, label in gold.items()}
        self._gold.update(gold_labels.values())
        self._predicted += len(predicted)
        self._pairs.update((label, gold_labels[span]) for span, label in predicted.items() if span in gold_labels)

    def scores(self) -> Scores:
        """Those of the clustering, and labelled F1 after the mapping, 0 … 1; None where there is nothing to score."""
        right, spans = sum(self._right().values()), self._predicted + sum(self._gold.values())
        return {**_named("label", self._pairs), "labelled_f1": ratio(2 * right, spans)}

    def table(self) -> BreakdownTable:
        """Unlabelled and labelled recall by gold label, the most frequent first."""
        matched, right = Counter[str](), self._right()
        for (_, label), count in self._pairs.items():
            matched[label] += count
        rows = {
            label: {
                "gold": count,
                "matched": matched[label],
                "recall": matched[label] / count,
                "labelled": right[label],
                "labelled_recall": right[label] / count,
            }
            for label, count in self._gold.most_common()
        }
        return BreakdownTable("topmost_label", "topmost gold label", rows)

    def _right(self) -> Counter[str]:
        """By gold label, the predicted constituents that have its span, and a label that is mapped to it."""
        mapping, right = many_to_one(self._pairs), Counter[str]()
        for (induced, label), count in self._pairs.items():
            right[label] += count * (mapping[induced] == label)
        return right


class TagTally:
    """The running counts of one prediction's tags."""

    def __init__(self) -> None:
        self._pairs = Counter[tuple[str, str]]()

    def add(self, gold: Iterable[str], predicted: Iterable[str]) -> None:
        """Count the tags of a sentence's scored words; one that is ``_`` or empty is none."""
        self._pairs.update(pair for pair in zip(predicted, gold, strict=True) if pair[1] not in ("", NO_TAG))

    def scores(self) -> Scores:
        return _named("tag", self._pairs)

    def check(self, prediction: str) -> None:
        """Raises DataError where no word of this prediction has a tag."""
        if self._pairs and all(tag in ("", NO_TAG) for tag, _ in self._pairs):
            raise DataError("no tags to score; synparse parse --tags classes writes induced ones", prediction)


def kept_tags(tree: KeptTree) -> Iterator[str]:
    """The tags of the scored words of a bracketed tree."""
    return compress(tree.tree.tags, tree.kept)


def _named(what: str, pairs: Mapping[tuple[str, str], int]) -> dict[str, float | None]:
    return {f"{what}_{name}": value for name, value in clustering_scores(pairs).items()}
