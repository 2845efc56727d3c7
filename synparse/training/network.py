"""The stage of a run that trains a network: on words of the text, or on trees."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from synparse.config.recipe import ModelRecipe
from synparse.config.training import TextTraining, TreeTraining, WordTraining
from synparse.corpora.cache import Corpus, TokenCache
from synparse.corpora.cooccurrence import SparseMatrix, mutual_information
from synparse.corpora.tree_targets import NOWHERE
from synparse.corpora.vocabulary import SPECIAL, Vocabulary
from synparse.files.folders import Content, stored
from synparse.inducers.devices import mixed_precision, pick_device
from synparse.inducers.kernels.products import fastest_library, using_library
from synparse.inducers.loading import build_on_meta
from synparse.inducers.protocol import NeuralInducer
from synparse.inducers.table import build
from synparse.store.cards import described_files
from synparse.store.model_directory import LOG, VOCABULARY, LoadedModel, ModelDescription, model_files
from synparse.store.models import one_member
from synparse.store.overwriting import is_unfinished
from synparse.store.weights import largest_dimension
from synparse.training.checkpoint import read_checkpoint
from synparse.training.events import Note, TrainingResult
from synparse.training.objectives import objective_of, target_counts
from synparse.training.reading import corpus_provenance, read_corpus, refuse_changed_corpus
from synparse.training.state import fresh_state
from synparse.training.threads import own_threads, threads_to_use
from synparse.training.trainer import Job, Prepared, run
from synparse.training.updates import Updates, rehearsal

SPREAD = 0.1 / 3**0.5
"""Standard deviation of the models' random initial values, uniform in ±0.1."""

TIMED_SECONDS = 6.0
"""How long updates are timed."""

LEAST_UPDATES = 4

TIMED_WORDS = 60_000
"""Of the random text that is read."""

VALIDATION = 1.05
"""Validations take a twentieth of the time, as the recipes have them."""


def train_network(
    job: Job,
    *,
    saved: Callable[[], None],
    start: LoadedModel | None = None,
    fingerprint: str | None = None,
    allows_change: bool = False,
) -> TrainingResult:
    """Train a network into the folder of a job, or go on with what was begun there, and keep the one with the lowest
    held-out perplexity. A resumed run may change settings of training. ``saved``: called whenever a better one has been
    saved; ``start``: the model whose weights and vocabulary it begins with; ``fingerprint``: that the corpus must have,
    None: any; ``allows_change``: of the corpus that the network read before it was stopped.

    Raises as `synparse.training.run.train`.
    """
    recipe, settings, folder, training = job.recipe, job.settings, job.output, job.recipe.training
    checkpoint = read_checkpoint(folder) if is_unfinished(folder) else None
    if checkpoint is not None and allows_change:
        checkpoint = replace(checkpoint, fingerprint=None)

    def prepare(_: Job, device: torch.device) -> Prepared:
        if training.precision == "bfloat16":
            # Refused before a long corpus is read. It depends on the parts of the model, not on the size of its
            # vocabulary.
            mixed_precision(device, training.precision, build_on_meta(recipe.model, 8, recipe.architecture))
        known = None if start is None else start.vocabulary
        if checkpoint is not None:
            shapes = {name: tuple(tensor.shape) for name, tensor in checkpoint.tensors.items()}
            known = Vocabulary.read(stored(folder, VOCABULARY), largest_dimension(shapes))
        with_trees = isinstance(training, TreeTraining)
        data = read_corpus(settings, recipe.text, folder, job.report, known, with_trees=with_trees)
        refuse_changed_corpus(fingerprint, data.fingerprint, folder)
        vocabulary, held_out = f"vocabulary {len(data.vocabulary):,}", f"{len(data.valid):,} sentences held out"
        job.report(Note(f"{len(data.train):,} sentences, {data.train.words:,} words, {vocabulary}; {held_out}"))

        def built() -> NeuralInducer:
            model = build(recipe.model, len(data.vocabulary), recipe.architecture)
            if start is not None:
                model.load_state_dict(start.network.state_dict())
            elif checkpoint is None:
                _initialise(model, recipe, data)
            return model

        def files(model: NeuralInducer, provenance: Mapping[str, Any], log: bytes) -> dict[str, Content]:
            description = ModelDescription(recipe, provenance)
            loaded = LoadedModel(description, data.vocabulary, model, data.boundaries)
            return {**model_files(loaded), LOG: log, **described_files(one_member(folder, description))}

        provenance = {"corpus": corpus_provenance(settings.corpus, data), "vocabulary_words": len(data.vocabulary)}
        return Prepared(built, objective_of(training, data), data.fingerprint, provenance, files, saved)

    return run(replace(job, checkpoint=checkpoint), prepare)


def _initialise(model: NeuralInducer, recipe: ModelRecipe, data: Corpus) -> None:
    """Initialise a fresh model from the corpus, as the recipe says."""
    if isinstance(recipe.training, TextTraining) and recipe.training.embedding_init == "cooccurrence":
        start_from_cooccurrence(model, data)
    if isinstance(recipe.training, WordTraining) and recipe.training.bias_init == "frequency":
        counts = target_counts(recipe.training, data.train, len(data.vocabulary))
        start_from_frequencies(model.output_bias, counts)


def start_from_frequencies(output_bias: Tensor, counts: NDArray[np.int64]) -> None:
    """Set the bias of an output layer to the log frequency of each word, with one added to its count."""
    fractions = torch.from_numpy((counts + 1) / (counts + 1).sum())
    with torch.no_grad():
        output_bias.copy_(fractions.log())


def start_from_cooccurrence(model: nn.Module, corpus: Corpus) -> None:
    """Set every word embedding of the model to the left singular vectors of the corpus' PPMI matrix (Levy and Goldberg
    2014), each scaled by the root of its singular value.

    Words and special tokens without contexts keep their random vectors. Random numbers come from torch's generator.
    """
    matrix = mutual_information(corpus.train, len(corpus.vocabulary))
    for embedding in model.modules():
        if not isinstance(embedding, nn.Embedding) or embedding.num_embeddings != len(corpus.vocabulary):
            continue
        size = min(embedding.embedding_dim, *matrix.shape)
        vectors = _factors(matrix, size)
        known = vectors.abs().sum(1) > 0
        known[: len(SPECIAL)] = False
        if known.any():
            with torch.no_grad():
                embedding.weight[known, :size] = vectors[known] * (SPREAD / vectors[known].std())


def _factors(matrix: SparseMatrix, size: int) -> Tensor:
    """U √S [rows, size] of the matrix, by a randomised singular value decomposition (Halko et al. 2009)."""
    indices = torch.from_numpy(matrix.rows), torch.from_numpy(matrix.columns)
    sparse = torch.sparse_coo_tensor(
        torch.stack(indices), torch.from_numpy(matrix.values), matrix.shape, check_invariants=True
    )
    more = min(size + 16, *matrix.shape)
    left, values, _ = torch.svd_lowrank(sparse.coalesce(), more, niter=3)
    return left[:, :size] * values[:size].sqrt()


# How fast a network trains here, timed before its stage begins.


def seconds_per_word(recipe: ModelRecipe, vocabulary: int, length: float, device: str = "auto") -> float:
    """The time that training takes for each word, on random sentences of about this mean length.

    vocabulary: how many words the network knows. The time of other processes counts: it is what the run will have.
    """
    chosen = pick_device(device)
    library = using_library(fastest_library())
    with own_threads(), library, torch.random.fork_rng(devices=[]):
        corpus = _random_text(vocabulary, length)
        assert recipe.training is not None
        objective = objective_of(recipe.training, corpus)
        network = build(recipe.model, len(corpus.vocabulary), recipe.architecture).to(chosen)
        updates = Updates(fresh_state(network, recipe.training), recipe.training, chosen)
        torch.set_num_threads(threads_to_use(None, partial(rehearsal, updates, objective, 0), 1))
        words, seconds = 0, 0.0
        batches = itertools.chain.from_iterable(objective.epochs(0, 1))
        for number, batch in enumerate(batches):
            start = time.monotonic()
            updates.update(batch, 0.0)
            if number >= LEAST_UPDATES // 2:  # the first updates prepare what later ones use
                words, seconds = words + batch.words, seconds + time.monotonic() - start
            if seconds >= TIMED_SECONDS and number >= LEAST_UPDATES:
                break
    return VALIDATION * seconds / max(1, words)


def _random_text(vocabulary: int, length: float) -> Corpus:
    source = np.random.default_rng(0)
    lengths = np.clip(source.geometric(1 / max(1.0, length), int(TIMED_WORDS / max(1.0, length)) + 1), 2, 60)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    size = max(vocabulary, len(SPECIAL) + 2)
    tokens = source.integers(len(SPECIAL), size, int(offsets[-1])).astype(np.int32)
    places = np.concatenate([np.arange(length) for length in lengths])
    trees = np.stack([np.zeros_like(places), places, places + 2], 1).astype(np.int32)  # the first word heads the others
    trees[offsets[1:] - 1, 1:] = NOWHERE
    cache = TokenCache(tokens, offsets.astype(np.int64), trees=trees)
    words = Vocabulary([*SPECIAL, *(f"w{number}" for number in range(size - len(SPECIAL)))])
    return Corpus(cache, cache, words, "")
