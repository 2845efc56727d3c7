"""The stage of a run that trains a network: on words of the text, or on trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch

from synparse.config.recipe import ModelRecipe
from synparse.config.training import TextTraining, TreeTraining, WordTraining
from synparse.corpora.cache import Corpus
from synparse.corpora.vocabulary import Vocabulary
from synparse.files.folders import Content, stored
from synparse.inducers.devices import mixed_precision
from synparse.inducers.loading import build_on_meta
from synparse.inducers.protocol import NeuralInducer
from synparse.inducers.table import build
from synparse.store.cards import model_card
from synparse.store.model_directory import CARD, CONFIG, LOG, VOCABULARY, LoadedModel, ModelDescription, model_files
from synparse.store.models import config_file, one_member
from synparse.store.overwriting import is_unfinished
from synparse.training.checkpoint import read_checkpoint
from synparse.training.embedding_init import start_from_cooccurrence, start_from_frequencies
from synparse.training.events import Note
from synparse.training.job import Job, Prepared, Report
from synparse.training.objectives import objective_of, target_counts
from synparse.training.reading import RunSettings, corpus_provenance, read_corpus, refuse_changed_corpus
from synparse.training.result import TrainingResult
from synparse.training.save_every import SaveEvery
from synparse.training.trainer import run


class Start(NamedTuple):
    """What a network begins with: the weights and vocabulary of another one."""

    network: NeuralInducer
    vocabulary: Vocabulary


def train_network(
    recipe: ModelRecipe,
    settings: RunSettings,
    folder: Path,
    device: str,
    save_every: SaveEvery,
    report: Report,
    *,
    saved: Callable[[], None],
    start: Start | None = None,
    fingerprint: str | None = None,
    allows_change: bool = False,
) -> TrainingResult:
    """Train a network into ``folder``, or go on with what was begun there, and keep the one with the lowest held-out
    perplexity. A resumed run may change settings of training. ``saved``: called whenever a better one has been saved;
    ``fingerprint``: that the corpus must have, None: any; ``allows_change``: of the corpus that the network read before
    it was stopped.

    Raises as `synparse.training.run.train`.
    """
    checkpoint = read_checkpoint(folder) if is_unfinished(folder) else None
    if checkpoint is not None and allows_change:
        checkpoint = replace(checkpoint, fingerprint=None)
    job = Job(recipe, settings, folder, checkpoint, device, save_every, report)
    return run(job, partial(_prepare, start, fingerprint, saved))


def _prepare(
    start: Start | None, fingerprint: str | None, saved: Callable[[], None], job: Job, device: torch.device
) -> Prepared:
    recipe, checkpoint = job.recipe, job.checkpoint
    if recipe.training.precision == "bfloat16":
        # Refused before a long corpus is read. It depends on the parts of the model, not on the size of its vocabulary.
        mixed_precision(device, recipe.training.precision, build_on_meta(recipe.model, 8, recipe.architecture))
    known = None if start is None else start.vocabulary
    if checkpoint is not None:
        known = Vocabulary.read(stored(job.output, VOCABULARY), checkpoint.largest_size)
    with_trees = isinstance(recipe.training, TreeTraining)
    data = read_corpus(job.settings, recipe.text, job.output, job.report, known, with_trees=with_trees)
    refuse_changed_corpus(fingerprint, data.fingerprint, job.output)
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
        directory = one_member(job.output, description)
        return {
            **model_files(LoadedModel(description, data.vocabulary, model, data.boundaries)),
            LOG: log,
            CARD: model_card(job.output.name, directory),
            CONFIG: config_file(directory),
        }

    provenance = {
        "corpus": corpus_provenance(job.settings.corpus, data),
        "vocabulary_words": len(data.vocabulary),
    }
    objective = objective_of(recipe.training, data)
    return Prepared(built, objective, data.fingerprint, provenance, files, job.settings.minutes, saved)


def _initialise(model: NeuralInducer, recipe: ModelRecipe, data: Corpus) -> None:
    """Initialise a fresh model from the corpus, as the recipe says."""
    if isinstance(recipe.training, TextTraining) and recipe.training.embedding_init == "cooccurrence":
        start_from_cooccurrence(model, data)
    if isinstance(recipe.training, WordTraining) and recipe.training.bias_init == "frequency":
        counts = target_counts(recipe.training, data.train, len(data.vocabulary))
        start_from_frequencies(model.output_bias, counts)
