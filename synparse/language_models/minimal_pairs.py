"""Which sentence of a minimal pair is more probable, for each pair of a file and each model."""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TextIO, TypeAlias

import torch

from synparse.corpora.tokenization import LINES_TO_LOOK_AT, Tokenizer, load_tokenizer
from synparse.files.cores import available_cores
from synparse.files.processes import map_in_order
from synparse.inducers.devices import pick_device
from synparse.inducers.table import Objective
from synparse.language_models.loading import MASKED, NEXT_WORD, LoadedLanguageModel, load_language_model
from synparse.language_models.pair_files import Item, PairFile, read_pairs
from synparse.language_models.reading import language_of_run, tokenizer_of_sentences
from synparse.language_models.sentence_scores import sentence_scores
from synparse.scoring.acceptability import (
    COMPARISONS,
    CONSTRUCTION,
    GRAMMATICAL,
    Acceptability,
    SentenceScore,
    VariantComparison,
    judged,
)
from synparse.trees.errors import DataError, SettingError
from synparse.trees.printable import one_cell

GROUPINGS = ((CONSTRUCTION,), ("phenomenon", "field"), ("phenomenon",), ("paradigm",))
"""The columns by which pairs are grouped where nothing else is said: the first of these that a file has."""

SCORINGS: Mapping[Objective, str] = {NEXT_WORD: "log-probability", MASKED: "pseudo-log-likelihood"}

_PROTOCOLS: Mapping[Objective, str] = {
    NEXT_WORD: "log-probability: of the words and the final <eos>, from zero state, unknown words as <unk>",
    MASKED: "pseudo-log-likelihood: of each known word, it alone masked; unknown words are left out",
}

WINDOW = 1000
LEAST_WINDOWS = 2
"""Items that are scored together, and how many windows pay for several processes."""

LONGEST = 1000
"""Words of a sentence."""


class PairScore(NamedTuple):
    """Two sentences of an item, and their scores by a model."""

    item: Item
    comparison: VariantComparison
    model: str
    better: SentenceScore
    worse: SentenceScore


SCORE_COLUMNS = (
    *("line", "comparison", "better", "worse", "model"),
    *("score_better", "score_worse", "unknown_words_better", "unknown_words_worse"),
)
"""The names of `score_cells`."""


def score_cells(pair: PairScore) -> tuple[str, ...]:
    """The scores of a pair as a row of a table, in nats to six decimals."""
    sentences = (pair.item.sentences[name] for name in pair.comparison)
    scores = (f"{sentence.score:.6f}" for sentence in (pair.better, pair.worse))
    unknown = (str(sentence.unknown_words) for sentence in (pair.better, pair.worse))
    return (str(pair.item.line), str(pair.comparison), *sentences, pair.model, *scores, *unknown)


def recorder(out: TextIO) -> Callable[[PairScore], object]:
    """Write the head line of a table of scores, tab-separated; returns what writes the row of a pair."""
    out.write("\t".join(SCORE_COLUMNS) + "\n")
    return lambda score: out.write("\t".join(map(one_cell, score_cells(score))) + "\n")


@dataclass(frozen=True)
class JudgedPairs:
    """What each model makes of the pairs; by: the columns that group them; protocol: how sentences were scored, in one
    line; notes: what a reader should know besides."""

    models: Sequence[Acceptability]
    by: Sequence[str]
    protocol: str
    notes: Sequence[str]


def judge_pairs(
    models: Sequence[str],
    path: str,
    *,
    by: Sequence[str] = (),
    columns: Sequence[str] = (),
    tokenizer: str | None = None,
    language: str | None = None,
    device: str = "auto",
    jobs: int | None = None,
    record: Callable[[PairScore], object] | None = None,
) -> JudgedPairs:
    """How often each model gives the better sentence of a pair the higher probability, in a file of pairs (``-`` is
    standard input).

    by: the columns that group pairs, by default the first `GROUPINGS` that the file has; columns: see `read_pairs`;
    tokenizer, language: see `tokenizer_of_sentences`; jobs: processes, by default one for each core where it pays;
    record: gets the scores of each pair and model. The file is streamed. Raises SettingError for a model that is no
    language model, an unknown column or device; DataError for a model or a file that cannot be read.
    """
    _loaded.cache_clear()
    _ready.cache_clear()  # a model may have changed since an earlier call
    loaded = _loaded(tuple(models))
    torch_device = pick_device(device)
    pairs = read_pairs(path, columns)
    chosen = _grouping(pairs, by)
    first = list(itertools.islice(pairs.items, LINES_TO_LOOK_AT))
    lines = (sentence for item in first for sentence in item.sentences.values())
    choice = tokenizer_of_sentences(loaded, lines, tokenizer, language)
    settings = _Settings(path, tuple(models), choice.name, language_of_run(loaded, language), str(torch_device))
    results = [Acceptability(model.name, model.kind, SCORINGS[model.objective]) for model in loaded]
    windows = _windows(itertools.chain(first, pairs.items))
    jobs = jobs or (available_cores() if torch_device.type == "cpu" else 1)
    for window, model_scores in _scored(windows, settings, jobs):
        for result, scores in zip(results, model_scores, strict=True):
            for item, comparison in _comparisons(window):
                better, worse = (scores[item.sentences[name]] for name in comparison)
                result.add(judged(better, worse), comparison, {name: item.columns.get(name, "") for name in chosen})
                if record is not None:
                    record(PairScore(item, comparison, result.model, better, worse))
    return JudgedPairs(results, chosen, _protocol(loaded, choice.note), _notes(loaded, pairs, first[0]))


def _grouping(pairs: PairFile, by: Sequence[str]) -> Sequence[str]:
    for column in by:
        if column not in pairs.columns:
            known = f"its columns are {', '.join(pairs.columns)}" if pairs.columns else "it names no other columns"
            raise SettingError(f"--by: the file has no column {column}; {known}")
    return tuple(dict.fromkeys(by)) or next((names for names in GROUPINGS if set(names) <= set(pairs.columns)), ())


def _windows(items: Iterator[Item]) -> Iterator[list[Item]]:
    while window := list(itertools.islice(items, WINDOW)):
        yield window


def _comparisons(items: Iterable[Item]) -> Iterator[tuple[Item, VariantComparison]]:
    return ((item, variants) for item in items for variants in COMPARISONS if set(variants) <= item.sentences.keys())


class _Settings(NamedTuple):
    """What a process needs to score the sentences of a file."""

    path: str
    models: tuple[str, ...]
    tokenizer: str
    language: str
    device: str


_Scores: TypeAlias = dict[str, SentenceScore]
"""The scores of sentences by a model."""


def _scored(
    windows: Iterator[list[Item]], settings: _Settings, jobs: int
) -> Iterator[tuple[list[Item], list[_Scores]]]:
    """Each window with the scores of its sentences by each model; by one process if there are few windows."""
    first = list(itertools.islice(windows, LEAST_WINDOWS))
    windows, to_score = itertools.tee(itertools.chain(first, windows))
    jobs = jobs if len(first) == LEAST_WINDOWS else 1
    function = functools.partial(_scores, settings, 1 if jobs > 1 else None)
    # Each sentence once, with a line that it stands in.
    lines = ({text: item.line for item in items for text in item.sentences.values()} for items in to_score)
    with contextlib.closing(map_in_order(function, lines, jobs)) as scores:
        yield from zip(windows, scores, strict=True)


def _scores(settings: _Settings, threads: int | None, sentences: Mapping[str, int]) -> list[_Scores]:
    models, tokenize = _ready(settings, threads)
    tokens = {sentence: tokenize(sentence)[0].words for sentence in sentences}
    for sentence, words in tokens.items():
        if len(words) > LONGEST:
            message = f"a sentence of {len(words)} words, more than {LONGEST}"
            raise DataError(message, settings.path, sentences[sentence])
    return [dict(zip(tokens, _scores_of_model(model, tokens.values()), strict=True)) for model in models]


def _scores_of_model(model: LoadedLanguageModel, sentences: Iterable[Sequence[str]]) -> Iterator[SentenceScore]:
    words = [tuple(model.indices(tokens)) for tokens in sentences]
    unknown = (sum(map(model.is_unknown, indices)) for indices in words)
    return map(SentenceScore, sentence_scores(model, words), unknown)


@functools.lru_cache(maxsize=1)
def _loaded(models: tuple[str, ...]) -> list[LoadedLanguageModel]:
    return [load_language_model(name) for name in models]


@functools.lru_cache(maxsize=1)
def _ready(settings: _Settings, threads: int | None) -> tuple[list[LoadedLanguageModel], Tokenizer]:
    """What a process keeps from window to window. threads: of PyTorch, where there are several processes."""
    if threads is not None:
        torch.set_num_threads(threads)
    models = _loaded(settings.models)
    for model in models:
        model.network.to(settings.device)
    return models, load_tokenizer(settings.tokenizer, language=settings.language)


def _protocol(models: Sequence[LoadedLanguageModel], words: str) -> str:
    scores = [text for objective, text in _PROTOCOLS.items() if any(model.objective == objective for model in models)]
    return "; ".join(
        [
            "right: the better sentence has the higher score, ties are wrong",
            *scores,
            "words as each model reads them, " + words,
            "95 % intervals: Wilson",
        ]
    )


def _notes(models: Sequence[LoadedLanguageModel], pairs: PairFile, first: Item) -> list[str]:
    notes = []
    if not pairs.has_names:
        notes.append(
            f"no head line names the columns grammatical and ungrammatical: the first of two columns is taken as the "
            f"grammatical one, from line {first.line} on ({first.sentences[GRAMMATICAL]!r})"
        )
    if len({model.vocabulary.words for model in models}) > 1:
        notes.append("the vocabularies of the models differ, so their pairs of known words are not the same ones")
    if len({model.objective for model in models}) > 1:
        notes.append("log-probabilities and pseudo-log-likelihoods are other scores: compare accuracies, not scores")
    return notes
