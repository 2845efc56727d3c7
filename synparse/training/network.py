"""The stage of a run that trains a network: on words of the text, or on trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import torch

from synparse.config.recipe import ModelRecipe
from synparse.config.training import MaskedTraining, TextTraining, WordTraining
from synparse.corpora.cache import Corpus
from synparse.corpora.vocabulary import Vocabulary
from synparse.files.folders import Content
from synparse.files.processes import Executor
from synparse.inducers.batch import IGNORED, on_device
from synparse.inducers.devices import mixed_precision
from synparse.inducers.loading import build_on_meta
from synparse.inducers.protocol import NeuralInducer, mean_entropies
from synparse.inducers.table import build
from synparse.store.cards import described_files
from synparse.store.model_directory import (
    LOG,
    VOCABULARY,
    LoadedModel,
    ModelDescription,
    file_to_read,
    is_unfinished,
    model_files,
)
from synparse.store.models import one_member
from synparse.store.weights import largest_dimension
from synparse.training.checkpoint import read_checkpoint
from synparse.training.embedding_init import start_from_cooccurrence, start_from_frequencies
from synparse.training.events import Note, TrainingResult
from synparse.training.objectives import objective_of, target_counts
from synparse.training.reading import corpus_provenance, count_corpus, read_corpus, refuse_changed_corpus
from synparse.training.trainer import Job, Prepared, run
from synparse.trees.errors import DataError

ENTROPY_BATCHES = 4
"""Held-out batches in which the entropy of the structure is measured at each validation."""


def train_network(
    job: Job,
    *,
    saved: Callable[[], None],
    read: Callable[[dict[str, Any]], None],
    start: LoadedModel | None = None,
    fingerprint: str | None = None,
    allows_change: bool = False,
    executor: Executor = map,
) -> TrainingResult:
    """Train a network into the folder of a job, or go on with what was begun there, and keep the one with the lowest
    held-out perplexity. A resumed run may change settings of training. ``saved``: called whenever a better one has been
    saved; ``read``: called with what models say of the corpus, once it is read; ``start``: the model whose weights and
    vocabulary it begins with; ``fingerprint``: that the corpus must have, None: any; ``allows_change``: of the corpus
    that the network read before it was stopped; ``executor``: counts it.

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
            words = file_to_read(folder, VOCABULARY, "the unfinished run has no vocabulary; begin it again")
            known = Vocabulary.read(words, largest_dimension(shapes))
        with_trees = training.reads_trees
        counted = count_corpus(settings, recipe.text, job.report, known, None, with_trees, executor)
        refuse_changed_corpus(fingerprint, counted.fingerprint, folder)
        corpus = corpus_provenance(settings.corpus, counted)
        read(corpus)
        data = read_corpus(settings, recipe.text, counted, folder, job.report, with_trees)
        read_text = f"{len(data.train):,} sentences, {data.train.words:,} words, vocabulary {len(data.vocabulary):,}"
        if data.valid is data.train:
            nothing = f"too short to hold out sentences, so the {training.measure} is that of the training text"
            job.report(Note(f"{read_text}: {nothing}", matters=not with_trees))
        else:
            job.report(Note(f"{read_text}; {len(data.valid):,} sentences held out"))

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

        provenance = {"corpus": corpus, "vocabulary_words": len(data.vocabulary)}
        objective = objective_of(training, data)
        is_masked = isinstance(training, MaskedTraining)
        targets = [batch.targets for batch in objective.held_out if batch.targets is not None]
        if job.settings.valid is not None and is_masked and all(bool(each.eq(IGNORED).all()) for each in targets):
            raise DataError("the validation text has no word of the vocabulary, so nothing of it can be predicted")

        def observed(model: NeuralInducer) -> Mapping[str, float]:
            batches = (on_device(batch, device) for batch in objective.held_out[:ENTROPY_BATCHES])
            return {f"entropy of {name}": mean for name, mean in mean_entropies(model, batches).items()}

        return Prepared(built, objective, counted.fingerprint, provenance, files, saved, observed)

    return run(replace(job, checkpoint=checkpoint), prepare)


def _initialise(model: NeuralInducer, recipe: ModelRecipe, data: Corpus) -> None:
    """Initialise a fresh model from the corpus, as the recipe says."""
    if isinstance(recipe.training, TextTraining) and recipe.training.embedding_init == "cooccurrence":
        start_from_cooccurrence(model, data)
    if isinstance(recipe.training, WordTraining) and recipe.training.bias_init == "frequency":
        counts = target_counts(recipe.training, data.train, len(data.vocabulary))
        start_from_frequencies(model.output_bias, counts)
