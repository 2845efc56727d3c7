"""Predicted CoNLL-U files, aligned with a gold file and read sentence by sentence, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from synparse.scoring.dependencies import PredictedHeads, TreePair, kept_pair
from synparse.scoring.in_step import NamedLines, in_step, looked_at, other_words
from synparse.trees.conllu import ConlluSentence, read_conllu
from synparse.trees.dependency import fault_of_heads
from synparse.trees.errors import DataError
from synparse.trees.scored_words import PunctuationRule, first_with_tags, kept_words, rule_of_sentences


class AlignedSentences(NamedTuple):
    """A gold sentence, counted from 1, beside the predictions for it, and which of its words are scored.

    pairs: for each prediction, the gold tree and its own over the scored words.
    """

    number: int
    gold: ConlluSentence
    predicted: tuple[ConlluSentence, ...]
    kept: Sequence[bool]
    pairs: tuple[TreePair, ...]


def rule_of_gold(gold: NamedLines, asked: PunctuationRule = "auto") -> tuple[PunctuationRule, NamedLines]:
    """The rule by which punctuation is left out (`rule_of_sentences`), by the first sentences of a gold file, and the
    file again, from its first line. Raises DataError (file:line) if one of these sentences is malformed, and where gold
    lacks the tags that the rule asks for."""
    first, gold = looked_at(gold, _sentences)
    try:
        return rule_of_sentences(first, asked), gold
    except ValueError as error:
        raise DataError(f"has {error}; --punctuation-rule form needs none", gold.name) from None


def aligned_sentences(
    runs: Sequence[NamedLines],
    gold: NamedLines,
    punctuation: PunctuationRule = "auto",
    any_heads: bool = False,
    heads: PredictedHeads = "tree",
) -> Iterator[AlignedSentences]:
    """The sentences of a gold file beside those of one or more predictions, read in step.

    Sentences of no words are skipped. ``any_heads``: predicted heads need not be trees; ``heads``: which are read.
    Raises DataError (file:line) where a file is malformed or ends early, where words differ, where heads are no tree
    with one root, where taking punctuation out leaves predicted words in a cycle, and where there are no sentences.
    """
    for number, reference, predicted in in_step(runs, gold, _sentences, "sentences"):
        for run, sentence in zip(runs, predicted, strict=True):
            if sentence.words != reference.words:
                raise other_words(number, sentence.words, reference.words, run.name, sentence.line_of_words, gold.name)
        gold_heads = reference.gold_heads
        if fault := fault_of_heads(gold_heads):
            raise DataError(f"sentence {number} is not a gold tree: {fault}", gold.name, reference.line_of_words)
        tags = first_with_tags(reference.upos, reference.xpos)
        kept = kept_words(reference.words, reference.upos, reference.xpos, punctuation, reference.relations)
        pairs = []
        for sentence in predicted:
            predicted_heads = heads_of(sentence, heads)
            if not any_heads and (fault := fault_of_heads(predicted_heads)):
                raise DataError(f"sentence {number} is not a tree: {fault}", sentence.source, sentence.line_of_words)
            pair = TreePair(gold_heads, predicted_heads, reference.relations, sentence.relations, tags)
            try:
                pairs.append(kept_pair(pair, kept, may_have_cycles=any_heads))
            except ValueError as error:
                raise DataError(f"sentence {number}: {error}", sentence.source, sentence.line_of_words) from None
        yield AlignedSentences(number, reference, tuple(predicted), kept, tuple(pairs))


def heads_of(sentence: ConlluSentence, heads: PredictedHeads) -> tuple[int, ...]:
    """The heads of a sentence that are scored. Raises DataError(file:line) where there are none."""
    return sentence.heads if heads == "tree" else sentence.argmax_heads


def _sentences(file: NamedLines) -> Iterator[ConlluSentence]:
    return (sentence for sentence in read_conllu(file.lines, file.name) if sentence.rows)
