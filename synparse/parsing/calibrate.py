"""Calibration (supervised): maps from the probabilities of a parser to how often it is right, fitted on gold trees.

Arcs and spans are counted as by `synparse eval`: spans of kim2019 and shen2018, without those of one word and of the
whole sentence, and heads of words that are not punctuation, the root's among them. The maps are fitted on the odd
sentences of the gold files (the first, the third, …); the even ones are left for measuring them.
"""

from __future__ import annotations

import functools
import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from synparse.config.parsing import DEFAULT, Default, HeadDecoder, TreeDecoder
from synparse.corpora.sentences import Sentence, read_sentences
from synparse.corpora.tokenization import load_tokenizer
from synparse.parsing.drafts import is_unchecked_draft
from synparse.parsing.options import ParserOptions, Request
from synparse.parsing.parse import Parse
from synparse.parsing.parser import Parser
from synparse.parsing.run import chosen_decoders, refuse_without_heads
from synparse.store.calibrations import Calibration
from synparse.trees.arguments import Name, Names, name_given, names_given, refuse_repeated
from synparse.trees.calibration import CalibrationMap, fitted_map
from synparse.trees.dependency import fault_of_heads
from synparse.trees.errors import DataError, SettingError, name_of
from synparse.trees.punctuation import heads_of_kept
from synparse.trees.scored_words import (
    TREES_LOOKED_AT,
    PunctuationRule,
    kept_leaves,
    kept_words,
    lacks_penn_tags,
    rule_of_sentences,
)
from synparse.trees.spans import kept_before, sentence_spans


class ScoredPredictions(NamedTuple):
    """Predicted arcs or spans that are scored: their raw probabilities [N], whether gold has them [N], and the numbers
    of their sentences, from 1 [N]; files: the gold files."""

    probabilities: NDArray[np.float64]
    right: NDArray[np.bool_]
    sentences: NDArray[np.int64]
    files: tuple[str, ...] = ()

    def of_sentences(self, odd: bool) -> ScoredPredictions:
        """The part in the odd sentences, or in the even ones."""
        chosen = self.sentences % 2 == odd
        return self._replace(
            probabilities=self.probabilities[chosen], right=self.right[chosen], sentences=self.sentences[chosen]
        )


class _Gold(NamedTuple):
    """A gold file: its name, its sentences, and what of a parse is scored beside a gold sentence: raw probabilities,
    and whether gold has what they are of."""

    name: str
    sentences: Iterator[Sentence]
    judge: Callable[[Sentence, Parse], list[tuple[float, bool]]]


class CalibrationResult(NamedTuple):
    """The maps, and the arcs and spans for fitting and for measuring; None if the gold files have no arcs, or no
    spans."""

    calibration: Calibration
    arcs: ScoredPredictions | None
    spans: ScoredPredictions | None


def calibrate(
    model: Name,
    gold: Names,
    options: ParserOptions = ParserOptions(),  # noqa: B008 - immutable
    brackets: TreeDecoder | Default = DEFAULT,
    heads: HeadDecoder | Default = DEFAULT,
) -> CalibrationResult:
    """Fit the maps of a model on gold files, one or several: brackets for spans, CoNLL-U for arcs, either or both.

    ``brackets``, ``heads``: as in `synparse.parsing.run.parse`. Raises SettingError for a file of another format
    or named twice, a model without such trees or probabilities, and decoders that do not fit; DataError for bad files
    and for too few sentences.
    """
    gold = names_given(gold)
    refuse_repeated(gold)  # its odd sentences could be the even ones of the second time
    parser = Parser.load(name_given(model), options)
    tree_decoder, head_decoder = chosen_decoders(parser, "json", brackets, heads)
    by_kind: dict[bool, list[_Gold]] = {True: [], False: []}
    for path in gold:
        has_heads, read = _gold_of(path)
        by_kind[has_heads].append(read)
    arcs = spans = None
    if by_kind[True]:
        refuse_without_heads(parser)
        request = Request(tree_decoder if head_decoder == "phrases" else None, head_decoder, confidence="raw")
        arcs = _judged(parser, request, by_kind[True])
    if by_kind[False]:
        spans = _judged(parser, Request(tree_decoder, None, confidence="raw"), by_kind[False])
    calibration = Calibration(
        arcs=_map_of(arcs),
        spans=_map_of(spans),
        punctuation=parser.punctuation,
        function_words=parser.function_words,
        brackets=tree_decoder if spans is not None or (arcs is not None and head_decoder == "phrases") else None,
        heads=None if arcs is None else head_decoder,
        gold=tuple(Path(name_of(path)).name for path in gold),
    )
    return CalibrationResult(calibration, arcs, spans)


def _map_of(judged: ScoredPredictions | None) -> CalibrationMap | None:
    if judged is None:
        return None
    odd = judged.of_sentences(odd=True)
    return fitted_map(odd.probabilities, odd.right)


def _gold_of(path: str) -> tuple[bool, _Gold]:
    """Whether a gold file has heads, or else constituents, and the file, without empty sentences."""
    sentences = (sentence for sentence in read_sentences(path, load_tokenizer("whitespace")) if sentence.tokens)
    beginning = list(itertools.islice(sentences, TREES_LOOKED_AT))  # as eval looks at
    if not beginning:
        raise DataError("holds no sentences", name_of(path))
    first, read = beginning[0], itertools.chain(beginning, sentences)
    if first.conllu is None and first.tree is None:
        raise SettingError(f"{name_of(path)} is no gold file: bracketed trees give spans, CoNLL-U gives heads")
    if is_unchecked_draft(first):
        warnings.warn(
            f"{name_of(path)}: a parser wrote these trees, and the first one is not marked as checked; calibrate on "
            "trees that somebody has checked",
            stacklevel=3,
        )
    if first.conllu is not None:
        rule = rule_of_sentences([sentence.conllu for sentence in beginning if sentence.conllu])
        return True, _Gold(name_of(path), read, functools.partial(judged_arcs, punctuation=rule))
    by_form = lacks_penn_tags(sentence.tree for sentence in beginning if sentence.tree)
    return False, _Gold(name_of(path), read, functools.partial(judged_spans, by_form=by_form))


def _judged(parser: Parser, request: Request, files: Sequence[_Gold]) -> ScoredPredictions:
    """Raises DataError where there is nothing to fit the maps on, or to measure them on."""
    gold, again = itertools.tee((file.judge, sentence) for file in files for sentence in file.sentences)
    parses = parser.stream((sentence.tokens for _, sentence in again), request)
    pairs_by_sentence = (judge(sentence, parse) for (judge, sentence), parse in zip(gold, parses, strict=True))
    names = tuple(file.name for file in files)
    rows = [(*pair, number) for number, pairs in enumerate(pairs_by_sentence, 1) for pair in pairs]
    if {number % 2 for *_, number in rows} != {0, 1}:
        raise DataError("too few sentences with trees to score; odd ones and even ones are needed", ", ".join(names))
    probabilities, right, numbers = zip(*rows, strict=True)
    return ScoredPredictions(np.array(probabilities), np.array(right), np.array(numbers), names)


def judged_spans(gold: Sentence, parse: Parse, by_form: bool = False) -> list[tuple[float, bool]]:
    """The raw probability of each predicted span that is scored, and whether the gold tree has it.

    Spans are those over the words that are scored, so two constituents may be one span, with the higher probability.
    None are judged where there is no gold tree. ``by_form``: as in `kept_leaves`.
    """
    if gold.tree is None:
        return []
    assert parse.tree is not None
    kept = kept_leaves(gold.tree, by_form)
    before = kept_before(kept)
    right, scored = sentence_spans(gold.tree, kept), sentence_spans(parse.tree, kept)
    probabilities: dict[tuple[int, int], float] = {}
    for (_, start, end), value in zip(parse.tree.constituents, parse.span_probabilities or (), strict=True):
        span = before[start], before[end]
        if span in scored and value is not None:
            probabilities[span] = max(value, probabilities.get(span, 0.0))
    return [(value, span in right) for span, value in probabilities.items()]


def judged_arcs(gold: Sentence, parse: Parse, punctuation: PunctuationRule = "auto") -> list[tuple[float, bool]]:
    """The raw probability of the arc of each word that is scored, and whether the gold tree has it. ``punctuation``: as
    in `kept_words`.

    Raises DataError(file:line) if the gold heads are not a tree.
    """
    sentence = gold.conllu
    assert sentence is not None
    assert parse.heads is not None
    if fault := fault_of_heads(sentence.gold_heads):
        raise DataError(f"not a gold tree: {fault}", sentence.source, sentence.line_of_words)
    kept = kept_words(sentence.words, sentence.upos, sentence.xpos, punctuation, sentence.relations)
    heads, predicted = heads_of_kept(sentence.heads, kept), heads_of_kept(parse.heads, kept)
    values = [value for value, is_kept in zip(parse.head_probabilities or (), kept, strict=True) if is_kept]
    return [
        (value, head == gold_head)
        for value, head, gold_head in zip(values, predicted, heads, strict=True)
        if value is not None
    ]
