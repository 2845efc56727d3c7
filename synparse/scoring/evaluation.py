"""Predicted files against gold files: sentence by sentence, in step, in memory that does not grow."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest

from synparse.scoring import constituency, dependencies
from synparse.scoring.constituency import SpanCounts, kept_leaves, score_spans
from synparse.scoring.dependencies import ROOT_RULES, DependencyCounts, kept_words, score_heads
from synparse.trees.brackets import ESCAPES, TreeOfLine, read_brackets
from synparse.trees.conllu import ConlluSentence, read_conllu
from synparse.trees.dependency import fault_of_heads
from synparse.trees.errors import DataError
from synparse.trees.spans import sentence_spans

_UNESCAPE = {escape: bracket for bracket, escape in ESCAPES.items()}


@dataclass(frozen=True)
class DependencyEvaluation:
    """Attachment scores of one file against another, with the rules they were counted by."""

    sentences: int
    counts: DependencyCounts
    root: str

    @property
    def protocol(self) -> str:
        return f"punctuation {dependencies.PUNCTUATION_RULE}, its dependents reattached; {ROOT_RULES[self.root]}"


@dataclass(frozen=True)
class ConstituencyEvaluation:
    """UF1 of one file against another, with the rules it was counted by."""

    sentences: int
    counts: SpanCounts

    @property
    def protocol(self) -> str:
        return f"{constituency.PUNCTUATION_RULE}; {constituency.SPAN_RULE}; {constituency.SENTENCE_RULE}"


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
            raise _ends_early(sentences, one is None, predicted_name, gold_name)
        if one.words != other.words:
            raise _other_words(sentences, one.words, other.words, predicted_name, _first_word_line(one), gold_name)
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


def evaluate_brackets(
    predicted: Iterable[str], gold: Iterable[str], predicted_name: str, gold_name: str
) -> ConstituencyEvaluation:
    """Score the lines of a bracketed file against those of a gold one.

    Gold traces are ignored. A prediction has the gold's words, or those that are left without punctuation.
    Raises DataError (file:line) where a file is malformed or the files do not line up.
    """
    counts = SpanCounts()
    sentences = 0
    trees = zip_longest(read_brackets(predicted, predicted_name), read_brackets(gold, gold_name))
    for sentences, (one, other) in enumerate(trees, 1):
        if one is None or other is None:
            raise _ends_early(sentences, one is None, predicted_name, gold_name)
        kept = kept_leaves(other.tree)
        predicted_kept = _kept_of_prediction(one, other, kept)
        if predicted_kept is None:
            visible = [w for w, tag in zip(other.tree.words, other.tree.tags, strict=True) if tag != constituency.TRACE]
            raise _other_words(sentences, one.tree.words, visible, predicted_name, one.line, gold_name)
        if sum(kept) > 1:
            counts += score_spans(sentence_spans(other.tree, kept), sentence_spans(one.tree, predicted_kept))
    if not sentences:
        raise DataError("holds no trees", gold_name)
    return ConstituencyEvaluation(sentences, counts)


def _kept_of_prediction(one: TreeOfLine, other: TreeOfLine, kept: list[bool]) -> list[bool] | None:
    """Which words of the predicted tree are scored; None where its words are not those of the gold tree."""
    words = _plain(one.tree.words)
    leaves = list(zip(_plain(other.tree.words), other.tree.tags, kept, strict=True))
    for with_traces in (True, False):
        tokens = [leaf for leaf in leaves if with_traces or leaf[1] != constituency.TRACE]
        if words == [word for word, _, _ in tokens]:
            return [is_kept for _, _, is_kept in tokens]
    if words == [word for word, _, is_kept in leaves if is_kept]:
        return [True] * len(words)
    return None


def _plain(words: Iterable[str]) -> list[str]:
    return [_UNESCAPE.get(word, word) for word in words]


def _first_word_line(sentence: ConlluSentence) -> int:
    return sentence.first_line + sentence.word_lines[0]


def _ends_early(sentence: int, prediction_ended: bool, predicted_name: str, gold_name: str) -> DataError:
    short, long = (predicted_name, gold_name) if prediction_ended else (gold_name, predicted_name)
    return DataError(f"ends after {sentence - 1} sentences, but {long} goes on", short)


def _other_words(
    sentence: int,
    ours: Iterable[str],
    theirs: Iterable[str],
    predicted_name: str,
    line: int,
    gold_name: str,
) -> DataError:
    pairs = zip_longest(ours, theirs)
    one, other = next((pair for pair in pairs if pair[0] != pair[1]), (None, None))
    found, due = (repr(word) if word is not None else "the end of the sentence" for word in (one, other))
    return DataError(f"sentence {sentence} has {found} where {gold_name} has {due}", predicted_name, line)
