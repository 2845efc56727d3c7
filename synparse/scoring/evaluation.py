"""Predicted CoNLL-U files against gold ones: sentence by sentence, in step, in memory that does not grow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest

from synparse.scoring import dependencies
from synparse.scoring.dependencies import ROOT_RULES, DependencyCounts, kept_words, score_heads
from synparse.scoring.mismatch import ends_early, other_words
from synparse.trees.conllu import ConlluSentence, read_conllu
from synparse.trees.dependency import fault_of_heads
from synparse.trees.errors import DataError


@dataclass(frozen=True)
class DependencyEvaluation:
    """Attachment scores of one file against another, with the rules they were counted by."""

    sentences: int
    counts: DependencyCounts
    root: str

    @property
    def protocol(self) -> str:
        return f"punctuation {dependencies.PUNCTUATION_RULE}, its dependents reattached; {ROOT_RULES[self.root]}"


def evaluate_dependencies(
    predicted: Iterable[str], gold: Iterable[str], predicted_name: str, gold_name: str, root: str = "word"
) -> DependencyEvaluation:
    """Score the lines of a CoNLL-U file against those of a gold one.

    Raises DataError (file:line) where a file is malformed, gold heads are no tree, or the files do not line up: other
    words, or not as many sentences.
    """
    counts = DependencyCounts()
    sentences = 0
    ours = (sentence for sentence in read_conllu(predicted, predicted_name) if sentence.rows)
    theirs = (sentence for sentence in read_conllu(gold, gold_name) if sentence.rows)
    for sentences, (one, other) in enumerate(zip_longest(ours, theirs), 1):
        if one is None or other is None:
            raise ends_early(sentences, one is None, predicted_name, gold_name)
        if one.words != other.words:
            raise other_words(sentences, one.words, other.words, predicted_name, _first_word_line(one), gold_name)
        gold_heads, heads = other.heads, one.heads
        fault = fault_of_heads(gold_heads, single_root=False)
        if fault:
            raise DataError(f"sentence {sentences} is no gold tree: {fault}", gold_name, _first_word_line(other))
        kept = kept_words(other.words, other.upos, other.xpos)
        try:
            counts += score_heads(gold_heads, heads, kept, root)
        except ValueError as error:
            raise DataError(f"sentence {sentences}: {error}", predicted_name, _first_word_line(one)) from None
    if not sentences:
        raise DataError("holds no sentences", gold_name)
    return DependencyEvaluation(sentences, counts, root)


def _first_word_line(sentence: ConlluSentence) -> int:
    return sentence.first_line + sentence.word_lines[0]
