"""The scores of a language by column, in per cent; None where there is nothing to score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from benchmarks.quality.gold import MEASURES, TITLES, Gold, compared, in_per_cent
from benchmarks.quality.score import predicted
from synparse.config.parsing import DEFAULT, Default, HeadDecoder
from synparse.corpora.sentences import BRACKETS
from synparse.corpora.word_classes import BigramCounts, class_perplexity
from synparse.files.streams import read_lines
from synparse.parsing.options import Request
from synparse.parsing.parser import Parser
from synparse.scoring.comparison import System, Wanted
from synparse.store.grammars import find_grammars
from synparse.store.models import open_model
from synparse.trees.trivial import CONTENT_CHAINS

Scores: TypeAlias = Mapping[str, "Sequence[float | None]"]
"""The scores of a column over seeds; of one value where seeds play no part."""


def columns_of(kind: str, of: str = "") -> list[str]:
    """The columns of a kind of trees; of: the parser, a baseline, where it is not the model."""
    return [f"{of}{TITLES[measure]}" for measure in MEASURES[kind]]


def _of_system(kind: str, system: System, of: str) -> dict[str, Sequence[float | None]]:
    values = in_per_cent(system.scores, MEASURES[kind])
    return {column: [value] for column, value in zip(columns_of(kind, of), values, strict=True)}


def baseline_scores(gold: Gold) -> dict[str, Sequence[float | None]]:
    """Parsers that learn nothing, by `synparse eval --baselines`, and the best possible."""
    found: dict[str, Sequence[float | None]] = {}
    for system in compared(gold.kind, gold.texts, gold.texts, wanted=Wanted(baselines=True)).baselines:
        found |= _of_system(gold.kind, system, f"{system.name} ")
    return found


def tree_scores(gold: Gold, prediction: Path | Iterable[str], of: str = "") -> dict[str, Sequence[float | None]]:
    """UAS and UUAS, or UF1, of a file or of its lines."""
    lines = read_lines(str(prediction)) if isinstance(prediction, Path) else prediction
    return _of_system(gold.kind, compared(gold.kind, lines, gold.texts).systems[0], of)


def trees_by(parser: Parser, gold: Gold, decoder: HeadDecoder | Default = DEFAULT) -> list[str]:
    """What a parser gives to the sentences of a gold file; ``decoder``: of heads."""
    tokens = [tuple(sentence.tokens) for sentence in gold.sentences]
    wanted = (DEFAULT, None) if gold.kind == BRACKETS else (None, decoder)
    return predicted(gold, dict(zip(tokens, parser.stream(tokens, Request(*wanted)), strict=True)))


def right_branching_trees(gold: Gold) -> list[str]:
    """Right-branching trees of the same sentences, cut at punctuation."""
    return trees_by(Parser.load("right-branching", punctuation="evidence"), gold)


def content_chain_scores(gold: Gold, text: Iterable[Sequence[str]]) -> dict[str, Sequence[float | None]]:
    """UAS and UUAS of chains of content words, with the function words of the training text."""
    found: dict[str, Sequence[float | None]] = {}
    function_words = Parser.load(CONTENT_CHAINS).function_words_in(text)
    for name in CONTENT_CHAINS:
        parser = Parser.load(name, content_chain_function_words=function_words)
        found |= tree_scores(gold, trees_by(parser, gold), f"{name} ")
    return found


def class_perplexity_of(model: Path, text: Iterable[Sequence[str]]) -> float | None:
    """The perplexity of the words of a text under bigrams of the word classes of a model, None if it has none."""
    found = next(iter(find_grammars(open_model(model))), None)
    if found is None:
        return None
    counts = BigramCounts(found.text)
    for tokens in text:
        counts.add(tokens)
    return class_perplexity(counts, found.grammars.classes, found.grammars.config.class_min_count)


def over_seeds(runs: Sequence[Scores]) -> dict[str, Sequence[float | None]]:
    """The scores of several seeds as one."""
    return {column: [value for run in runs for value in run[column]] for column in runs[0]}
