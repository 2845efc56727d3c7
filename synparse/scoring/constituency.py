"""Unlabelled F1 of constituents (UF1), by sentence and over the corpus.

Spans are compared as sets: punctuation, ``$`` and ``#`` are taken out (`PUNCTUATION_RULES`), unary chains collapse,
one-word spans and the whole-sentence span are left out. Two protocols do so (`PROTOCOLS`); EVALB counts differently and
has its own module. Hand-worked:

    >>> counts = score_spans(gold={(0, 2), (3, 5)}, predicted={(0, 2), (2, 5), (0, 3)})
    >>> counts.matched, round(counts.sentence_f1, 3), round(counts.corpus_f1, 3)
    (1, 0.4, 0.4)
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from synparse.scoring.counts import Counts, ratio

PUNCTUATION_RULES = {
    False: "punctuation, $ and # left out by gold tag (without a tag: by form)",
    True: "punctuation, $ and # left out by form (the tags of the gold file are not Penn's)",
}
"""Keyed by whether punctuation is left out by form in spite of tags; see
`synparse.trees.scored_words.lacks_penn_tags`."""

SPAN_RULE = "whole-sentence and one-word spans left out, unary chains collapsed"
EMPTY_RULE = "an empty gold set has recall 1, and precision 1 if nothing is predicted"


class Protocol(NamedTuple):
    """The rules of a published table: the least number of words of a scored sentence, and the rules in words, which
    follow one of `PUNCTUATION_RULES`."""

    fewest_words: int
    rule: str


PROTOCOLS = {
    "kim2019": Protocol(
        2,
        f"{SPAN_RULE}; sentences of two words or more; {EMPTY_RULE} "
        "(Kim, Dyer and Rush 2019: corpus F1 of the summed counts, sentence F1 the mean)",
    ),
    "shen2018": Protocol(
        1,
        f"{SPAN_RULE}; sentences of one word score 1; {EMPTY_RULE} "
        "(Shen et al. 2018, PRPN; 2019, ON-LSTM: means over sentences)",
    ),
}
"""Kim, Dyer and Rush (2019), "Compound Probabilistic Context-Free Grammars for Grammar Induction", and Shen et al.
(2018), "Neural Language Modeling by Jointly Learning Syntax and Lexicon". The sets are the same; the older protocol
also scores sentences of one word, whose empty sets agree, and has no corpus level."""


@dataclass(frozen=True, slots=True)
class SpanCounts(Counts):
    """Counts that add up over sentences; the last three are sums of the sentences' own scores."""

    sentences: int = 0
    matched: int = 0
    predicted: int = 0
    gold: int = 0
    f1_sum: float = 0.0
    precision_sum: float = 0.0
    recall_sum: float = 0.0

    @property
    def sentence_f1(self) -> float | None:
        """Mean of the sentences' F1, 0 … 1; None where there is nothing to score, as in all that follow."""
        return ratio(self.f1_sum, self.sentences)

    @property
    def corpus_f1(self) -> float | None:
        """F1 of the summed counts, 0 … 1."""
        return ratio(2 * self.matched, self.predicted + self.gold)

    def scores(self, by_sentence: bool = False) -> dict[str, float | None]:
        """Precision and recall are means over sentences (``by_sentence``), or those of the summed counts."""
        if by_sentence:
            return {
                "uf1_sentence": self.sentence_f1,
                "precision": ratio(self.precision_sum, self.sentences),
                "recall": ratio(self.recall_sum, self.sentences),
            }
        return {
            "uf1_sentence": self.sentence_f1,
            "uf1_corpus": self.corpus_f1,
            "precision": ratio(self.matched, self.predicted),
            "recall": ratio(self.matched, self.gold),
        }


def score_spans(gold: Collection[tuple[int, int]], predicted: Collection[tuple[int, int]]) -> SpanCounts:
    """Score one sentence by its sets of spans (`synparse.trees.spans.sentence_spans`)."""
    gold, predicted = set(gold), set(predicted)
    matched = len(gold & predicted)
    recall = matched / len(gold) if gold else 1.0
    precision = matched / len(predicted) if predicted else float(not gold)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return SpanCounts(1, matched, len(predicted), len(gold), f1, precision, recall)


def bare_label(label: str) -> str:
    """A label as labels are compared, without function tags and indices: what follows a ``-`` or ``=`` is left out.

    >>> bare_label("NP-SBJ-1"), bare_label("NP=2")
    ('NP', 'NP')
    """
    return label.partition("-")[0].partition("=")[0]
