"""Tuning a language model to the similarity of sentences: from a model directory and scored pairs to a model directory.

The result is a model directory like that of any language model: `parse` reads its trees, which tuning has changed
unless the parser was frozen. It has no grammars, because the model that taught them is another one now.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

from synparse.config.parsing import DEFAULT
from synparse.config.settings import plain_settings
from synparse.files.folders import Content
from synparse.language_models.loading import LoadedLanguageModel, load_language_model
from synparse.language_models.sentence_pairs import SentencePair, read_pairs, tokens_of
from synparse.language_models.similarity import Scoring, SentenceSimilarity, coded, similarity_of
from synparse.language_models.tuning_recipe import tuning_recipe_from
from synparse.store.cards import tuned_card
from synparse.store.model_directory import CARD, CONFIG, LOG, LoadedModel, ModelDescription, model_files
from synparse.store.models import config_file, one_member, open_model
from synparse.store.shipped import model_folder
from synparse.training.events import Note
from synparse.training.example_batches import held_out_parts
from synparse.training.reading import RunSettings, names_of_files
from synparse.training.trainer import Job, Kind, Prepared
from synparse.trees.errors import DataError


def _prepare(job: Job, _: torch.device) -> Prepared:
    recipe, settings = job.recipe, job.settings
    model = load_language_model(recipe.model)
    similarity = similarity_of(model, recipe.training.freeze_parser)
    training, held_out = _pairs(settings, recipe.training.validation_pairs)
    job.report(Note(f"{len(training):,} pairs; {len(held_out):,} held out"))
    provenance = {
        "model": Path(recipe.model).name,
        "recipe": recipe.name,
        "training": plain_settings(recipe.training),
        "data": names_of_files(settings.corpus),
        "valid": settings.valid and Path(settings.valid).name,
        "pairs": len(training),
        "held_out_pairs": len(held_out),
    }
    parts = (
        coded(tokens_of(pairs, model.text), [pair.score for pair in pairs], model) for pairs in (training, held_out)
    )
    return Prepared(
        lambda: similarity,
        Scoring(recipe.training, *parts),
        _digest(training, held_out, model),
        provenance,
        partial(_files, model, job.output),
    )


def _digest(training: list[SentencePair], held_out: list[SentencePair], model: LoadedLanguageModel) -> str:
    """By which a run knows its data and the model that it tunes again."""
    digest = hashlib.sha256(repr((training, held_out, model.description.recipe, model.vocabulary.words)).encode())
    for weights in model.network.state_dict().values():
        digest.update(weights.numpy().tobytes())
    return digest.hexdigest()


def _pairs(settings: RunSettings, most: int) -> tuple[list[SentencePair], list[SentencePair]]:
    """The pairs to train on, and those that validate: of a file of their own, or held out, the same for every run.

    Raises DataError where there is nothing to hold out, and where all pairs of the file have the same score, so that no
    model is better than another one.
    """
    pairs = [pair for path in settings.corpus for pair in read_pairs(path).pairs]
    if settings.valid is not None:
        valid = read_pairs(settings.valid).pairs
        if len({pair.score for pair in valid}) < 2:
            raise DataError("all pairs have the same score, so they cannot show which model is better", settings.valid)
        return pairs, valid
    if len(pairs) < 20:
        raise DataError("tuning needs at least 20 pairs, a tenth of them held out; or name a file with --valid")
    return held_out_parts(pairs, most)


def _files(
    model: LoadedLanguageModel, output: Path, tuned: SentenceSimilarity, provenance: Mapping[str, Any], log: bytes
) -> dict[str, Content]:
    """Those of the model directory: the language model with its tuned weights, and what it was tuned on."""
    opened = open_model(model_folder(model.name))
    kept = {key: value for key, value in model.description.provenance.items() if key != "grammar"}
    description = ModelDescription(model.description.recipe, {**kept, "tuning": dict(provenance)})
    loaded = LoadedModel(description, model.vocabulary, tuned.language_model, model.boundaries)
    parsing = replace(opened.parsing, brackets=DEFAULT, heads=DEFAULT) if opened.grammars else opened.parsing
    config = config_file(one_member(output, description, parsing=parsing))
    return {**model_files(loaded), LOG: log, CARD: tuned_card(output.resolve().name, description), CONFIG: config}


TUNING = Kind(_prepare, tuning_recipe_from)
"""The training that keeps the model whose cosines rank held-out pairs best. The model that it starts from must still be
there when a run is resumed. Raises as `load_language_model`, `read_pairs` and `similarity_of`."""
