"""Training an inducer: from text to a model directory; and resuming a run that was stopped or killed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

from synparse.config.recipe import Recipe, recipe_from, resumed_recipe
from synparse.config.training import TextTraining, TreeTraining, WordTraining
from synparse.corpora.cache import Corpus
from synparse.corpora.vocabulary import Vocabulary
from synparse.files.folders import Content, save_together, stored
from synparse.inducers.devices import mixed_precision
from synparse.inducers.loading import build_on_meta
from synparse.inducers.protocol import NeuralInducer
from synparse.inducers.table import build
from synparse.parsing.decoders import check_recorded
from synparse.store.cards import model_card
from synparse.store.model_directory import (
    CARD,
    CONFIG,
    VOCABULARY,
    LoadedModel,
    ModelDescription,
    config_file,
    model_files,
    read_description,
)
from synparse.training.embedding_init import start_from_cooccurrence, start_from_frequencies
from synparse.training.events import Note
from synparse.training.job import Job, Prepared, Report, begin, in_silence, read_unfinished
from synparse.training.objectives import objective_of, target_counts
from synparse.training.reading import RunSettings, names_of_files, read_corpus
from synparse.training.save_every import TEN_MINUTES, SaveEvery
from synparse.training.teaching import Lesson, minutes_for_networks, new_lesson, teach
from synparse.training.trainer import TrainingResult, run
from synparse.trees.errors import SettingError


def train(
    corpus: Sequence[str],
    recipe: Recipe,
    output: Path,
    *,
    valid: str | None = None,
    raw: bool = False,
    input_format: str | None = None,
    minutes: float | None = None,
    device: str = "auto",
    seed: int = 1,
    init: LoadedModel | None = None,
    save_every: SaveEvery = TEN_MINUTES,
    report: Report = in_silence,
    force: bool = False,
) -> TrainingResult:
    """Train on the files ``corpus`` (``-`` = standard input) and keep the model with the lowest held-out perplexity.

    - ``recipe``: see `load_recipe`; ``output``: the model directory to write.
    - ``valid``: a file of held-out text; by default 2 % of the corpus are held out.
    - ``minutes``: limit of the whole run, reading the corpus included.
    - ``init``: a model with the recipe's architecture to start from; its vocabulary is kept.
    - ``force``: overwrite a model or an unfinished run at ``output``, once there is something to save.
    - ``report``: called with every step.

    SIGINT (Ctrl-C) and SIGTERM end the run, with the best model so far and a checkpoint for `resume`. If PyTorch's
    launcher restarts the processes of a run, it continues from its checkpoint.

    Raises DataError for a bad corpus or an output that cannot be written; SettingError for an output that exists, an
    unknown device or tokenizer, a precision that the device does not support, a packed ``init``, and decoders to
    record that do not fit the model; TrainingError if training fails.
    """
    check_recorded(recipe.parsing, [ModelDescription(recipe, {})], recipe.grammar)
    if init is not None and init.description.packed is not None:
        raise SettingError("--init: this model is packed for parsing only; name the model that it was packed from")
    settings = RunSettings(tuple(corpus), valid, raw, input_format, minutes, seed)
    job = Job(recipe, settings, output, None, device, save_every, report)
    return run(begin(job, recipe_from, force), partial(_prepare, init))


def resume(
    directory: Path,
    *,
    corpus: Sequence[str] = (),
    minutes: float | None = None,
    changes: Sequence[str] = (),
    allow_changed_corpus: bool = False,
    device: str = "auto",
    save_every: SaveEvery = TEN_MINUTES,
    report: Report = in_silence,
) -> TrainingResult:
    """Continue the run whose checkpoint is in ``directory``, to its end.

    On one CPU the result is the same, bit for bit, as without the interruption, if the run gets the same number of
    threads and the same library of matrix products; a `Note` reports if it does not. ``corpus``: the files, if they
    moved; ``minutes``: limit of the whole run, the part before the interruption included; ``changes``: of settings, see
    `synparse.config.recipe.resumed_recipe`. Raises as `train`, and DataError if there is nothing to resume, or the
    corpus has changed (unless ``allow_changed_corpus``).
    """
    settings, checkpoint = read_unfinished(directory, recipe_from, corpus, minutes, allow_changed_corpus)
    recipe = resumed_recipe(checkpoint.recipe, changes)
    return run(Job(recipe, settings, directory, checkpoint, device, save_every, report), partial(_prepare, None))


def _prepare(init: LoadedModel | None, job: Job, device: torch.device) -> Prepared:
    recipe, checkpoint = job.recipe, job.checkpoint
    if recipe.training.precision == "bfloat16":
        # Refused before a long corpus is read. It depends on the parts of the model, not on the size of its vocabulary.
        mixed_precision(device, recipe.training.precision, build_on_meta(recipe.model, 8, recipe.architecture))
    known = None if init is None else init.vocabulary
    if checkpoint is not None:
        known = Vocabulary.read(stored(job.output, VOCABULARY), checkpoint.largest_size)
    lesson = None if recipe.grammar.parts == "none" else new_lesson(recipe.text, recipe.grammar, job.settings.seed)
    with_trees = isinstance(recipe.training, TreeTraining)
    data = read_corpus(job.settings, recipe.text, job.output, job.report, known, lesson, with_trees)
    vocabulary, held_out = f"vocabulary {len(data.vocabulary):,}", f"{len(data.valid):,} sentences held out"
    job.report(Note(f"{len(data.train):,} sentences, {data.train.words:,} words, {vocabulary}; {held_out}"))

    def built() -> NeuralInducer:
        model = build(recipe.model, len(data.vocabulary), recipe.architecture)
        if init is not None:
            model.load_state_dict(init.network.state_dict())
        elif checkpoint is None:
            _start(model, recipe, data)
        return model

    def files(model: NeuralInducer, provenance: Mapping[str, Any], log: bytes) -> dict[str, Content]:
        description = ModelDescription(recipe, provenance)
        trained = LoadedModel(description, data.vocabulary, model, data.boundaries)
        return model_files(trained, model_card(job.output.name, description), log.decode())

    provenance = {
        "corpus": {
            "files": names_of_files(job.settings.corpus),
            "sha256": data.fingerprint,
            "training_sentences": len(data.train),
            "training_words": data.train.words,
            "held_out_sentences": len(data.valid),
            **data.train.target_counts,
        },
        "vocabulary_words": len(data.vocabulary),
    }
    return Prepared(
        built,
        objective_of(recipe.training, data),
        data.fingerprint,
        provenance,
        files,
        minutes_for_networks(job.settings.minutes, recipe.grammar),
        None if lesson is None else partial(_teach, job, lesson),
    )


def _teach(job: Job, lesson: Lesson, seconds: float) -> None:
    """Learn the grammars that the trained network teaches, and say so in its config and card."""
    settings, recipe = job.settings, job.recipe
    if not lesson.sentences:
        job.report(Note(f"no sentence of two words has {lesson.longest} tokens at most, so there are no grammars"))
        return
    left = None if settings.minutes is None else 60 * settings.minutes - seconds
    config, learned = teach(
        job.output, recipe.text, recipe.grammar, lesson, settings.seed, job.device, left, job.report
    )
    description = read_description(job.output)
    taught = replace(
        description,
        recipe=replace(description.recipe, grammar=config),
        provenance={**description.provenance, "grammar": learned},
    )
    card = model_card(job.output.name, taught).encode()
    save_together(job.output, {CONFIG: config_file(taught), CARD: card})


def _start(model: NeuralInducer, recipe: Recipe, data: Corpus) -> None:
    """Initialise a fresh model from the corpus, as the recipe says."""
    if isinstance(recipe.training, TextTraining) and recipe.training.embedding_init == "cooccurrence":
        start_from_cooccurrence(model, data)
    if isinstance(recipe.training, WordTraining) and recipe.training.bias_init == "frequency":
        counts = target_counts(recipe.training, data.train, len(data.vocabulary))
        start_from_frequencies(model.output_bias, counts)
