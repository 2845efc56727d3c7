"""How well language models, tuned or not, rank pairs of sentences by similarity: Spearman's correlation of cosines
with people's scores, one ranking for all pairs of a file, whatever their sources (the setting "all" of Gao, Yao, Chen:
SimCSE. EMNLP 2021).

Two baselines need no contextual states: the words that two sentences share, and the mean of a model's word vectors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from synparse.corpora.normalization import TextConfig, normalized
from synparse.inducers.batch import Batch
from synparse.inducers.devices import pick_device
from synparse.language_models.loading import LoadedLanguageModel, load_language_model
from synparse.language_models.sentence_pairs import PairOfTokens, SentencePairFile, read_pairs, tokens_of
from synparse.language_models.similarity import CodedPairs, PairBatch, coded, compared, cosines, similarity_of
from synparse.scoring.correlation import spearman
from synparse.trees.arguments import named_once, refuse_repeated

WORD_OVERLAP = "word overlap"


class Ranking(NamedTuple):
    """Spearman's correlation of a model on each file, by the file's name; None where it gives all pairs one value.

    model: as it was named; kind: what it is, the same for all seeds of a kind.
    """

    model: str
    kind: str
    correlations: dict[str, float | None]

    @property
    def mean(self) -> float | None:
        """Over the files; None where one of them has no value."""
        values = [value for value in self.correlations.values() if value is not None]
        return sum(values) / len(values) if len(values) == len(self.correlations) else None


class Rankings(NamedTuple):
    """The files by name, and what each model makes of them."""

    files: dict[str, SentencePairFile]
    models: list[Ranking]


def evaluate(models: Sequence[str], data: Sequence[str], device: str = "auto", baselines: bool = False) -> Rankings:
    """Score models on files of pairs, and with ``baselines`` word overlap and the word vectors of each model. A model
    that is named twice counts once.

    Raises as `load_language_model` and `read_pairs`, and SettingError for a file that is named twice.
    """
    chosen = pick_device(device)
    refuse_repeated(data)
    files: dict[str, SentencePairFile] = {}
    for path in data:
        read = read_pairs(path)
        files[path if read.name in files else read.name] = read
    tokens: dict[tuple[str, str], dict[str, list[PairOfTokens]]] = {}

    def tokens_for(text: TextConfig) -> dict[str, list[PairOfTokens]]:
        """Of each file; models that split text in the same way share them."""
        way = text.tokenizer, text.language
        if way not in tokens:
            tokens[way] = {name: list(tokens_of(file.pairs, text)) for name, file in files.items()}
        return tokens[way]

    rankings = []
    for directory in named_once(models):
        model = load_language_model(directory)
        network = similarity_of(model).to(chosen).eval()
        pairs = {name: coded(tokens_for(model.text)[name], file.scores, model) for name, file in files.items()}
        kind = kind_of(model)
        rankings.append(_ranking(directory, kind, pairs, network, chosen))
        if baselines:
            word_vectors = _by_word_vectors(model.network.embedding.weight)
            rankings.append(_ranking(directory, f"{kind}: word vectors", pairs, word_vectors, chosen))
    if baselines:
        text = TextConfig()
        overlaps = {name: word_overlaps(pairs, text) for name, pairs in tokens_for(text).items()}
        correlations = {name: spearman(overlaps[name], file.scores) for name, file in files.items()}
        rankings.append(Ranking(WORD_OVERLAP, WORD_OVERLAP, correlations))
    return Rankings(files, rankings)


def kind_of(model: LoadedLanguageModel) -> str:
    """The inducer, and whether it was tuned, with its parser or without."""
    tuning = model.description.provenance.get("tuning")
    if tuning is None:
        return model.kind
    return f"{model.kind} tuned, frozen parser" if tuning["training"]["freeze_parser"] else f"{model.kind} tuned"


def _ranking(
    name: str, kind: str, pairs: dict[str, CodedPairs], compare: Callable[[PairBatch], Tensor], device: torch.device
) -> Ranking:
    correlations = {name: spearman(compared(read, compare, device), read.scores) for name, read in pairs.items()}
    return Ranking(name, kind, correlations)


def _by_word_vectors(embedding: Tensor) -> Callable[[PairBatch], Tensor]:
    """The cosine of the mean word vectors, from embeddings [V, D]."""

    def compare(batch: PairBatch) -> Tensor:
        words, lengths = batch.sentences
        present = Batch(words, lengths).present
        return cosines((embedding[words] * present[..., None]).sum(1))

    return compare


def word_overlaps(pairs: Iterable[PairOfTokens], text: TextConfig) -> list[float]:
    """The cosine of the sets of words of each pair, |A ∩ B| / √(|A| |B|), in the form that ``text`` gives them; 0 where
    a set is empty."""
    overlaps = []
    for sentences in pairs:
        first, second = ({*normalized(tokens, text)} - {None} for tokens in sentences)
        overlaps.append(len(first & second) / math.sqrt(len(first) * len(second)) if first and second else 0.0)
    return overlaps
