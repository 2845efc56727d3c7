"""A training run from files to a model directory, and its continuation after it was stopped or killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

from synparse.config.recipe import Recipe, resumed_recipe
from synparse.config.training import TreeTraining, WordTraining
from synparse.corpora.cache import Corpus, build_corpus, build_corpus_with_trees
from synparse.corpora.phrase_boundaries import SENTENCES, learn_phrase_boundaries
from synparse.corpora.sample import Sample
from synparse.corpora.sentences import Sentence, read_sentences
from synparse.corpora.tokenization import Tokenizer, load_tokenizer
from synparse.corpora.tree_targets import MAKE_TREES, has_trees
from synparse.corpora.vocabulary import Vocabulary
from synparse.files.cores import asked_threads
from synparse.files.folders import exclusive_lock, scratch_folder, stored
from synparse.files.streams import STANDARD_STREAM, name_of
from synparse.inducers.devices import mixed_precision, pick_device, tensor_float32
from synparse.inducers.kernels.products import fastest_library, using_library
from synparse.inducers.loading import build_on_meta
from synparse.inducers.table import build
from synparse.store.model_directory import VOCABULARY, LoadedModel
from synparse.training.allocation import keep_freed_memory
from synparse.training.checkpoint import (
    Checkpoint,
    RunSettings,
    is_unfinished,
    read_checkpoint,
    restore_checkpoint,
)
from synparse.training.distribution import Workers, joined_workers, own_device, processes_here
from synparse.training.embedding_init import start_from_cooccurrence, start_from_frequencies
from synparse.training.loop import Progress, Rehearsal, rehearsal, train_steps
from synparse.training.objectives import target_counts
from synparse.training.saving import TEN_MINUTES, SaveEvery, Saver
from synparse.training.state import TrainingState, fresh_state
from synparse.training.stopping import stop_on_signals
from synparse.training.threads import most_threads, own_threads, threads_that_pay
from synparse.trees.errors import DataError, SettingError, TrainingError


@dataclass(frozen=True)
class TrainingResult:
    """What a run came to. perplexity: of the model that was kept, None where none was; signal: the one that stopped the
    run, None where it is finished; is_resumable: whether there is a checkpoint to go on from."""

    directory: Path
    perplexity: float | None
    steps: int
    words: int
    seconds: float
    signal: int | None
    is_resumable: bool

    @property
    def interrupted(self) -> bool:
        return self.signal is not None


@dataclass(frozen=True)
class Reading:
    """The corpus is being read: sentences so far."""

    sentences: int


@dataclass(frozen=True)
class Note:
    """What those who watch a run should know of it."""

    text: str


Event = Reading | Note | Corpus | Progress
Report = Callable[[Event], None]


def _in_silence(_: Event) -> None:
    """The report of a run that nobody watches."""


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
    report: Report = _in_silence,
    goes_on: bool = False,
) -> TrainingResult:
    """Train on the files ``corpus`` (``-`` = standard input) and keep the model of the lowest held-out perplexity.

    ``minutes`` bounds the whole run, reading the corpus included. SIGINT (Ctrl-C) and SIGTERM end it, with the best
    model so far and a checkpoint that `resume` goes on from. ``init`` is a model of the recipe's architecture to go on
    from; its vocabulary is kept. A model that is at ``output`` is replaced as soon as there is something to save.
    ``report`` hears of every step. ``goes_on``: an unfinished run of these very settings that is at ``output`` is gone
    on with, as by `resume`; a launcher that starts its processes anew says what it said first. Raises DataError for a
    bad corpus or an output that cannot be written, SettingError for a device or tokenizer that is not there, a
    precision
    that the device cannot do and a packed model to go on from, TrainingError where training breaks down.
    """
    if init is not None and init.description.packed is not None:
        raise SettingError("the model to go on from is packed for parsing alone; go on from the one that was packed")
    held_out = None if valid is None else _absolute(valid)
    settings = RunSettings(tuple(map(_absolute, corpus)), held_out, raw, input_format, minutes, seed)
    checkpoint = _begun(output, recipe, settings) if goes_on else None
    return _run(recipe, output, settings, checkpoint, device, init, save_every, report)


def _begun(output: Path, recipe: Recipe, settings: RunSettings) -> Checkpoint | None:
    """The unfinished run of these settings, if there is one."""
    checkpoint = read_checkpoint(output) if is_unfinished(output) else None
    is_same = checkpoint is not None and (checkpoint.recipe, checkpoint.settings) == (recipe, settings)
    return checkpoint if is_same else None


def resume(
    directory: Path,
    *,
    corpus: Sequence[str] = (),
    minutes: float | None = None,
    changes: Sequence[str] = (),
    allow_changed_corpus: bool = False,
    device: str = "auto",
    save_every: SaveEvery = TEN_MINUTES,
    report: Report = _in_silence,
) -> TrainingResult:
    """Go on with the run whose checkpoint is in ``directory``, to its end.

    On one CPU it becomes what it would have been without the interruption, bit for bit, with the library of products
    and as many threads as it had; a `Note` says so where it cannot have these. ``corpus``: where its files are now,
    if they moved; ``minutes``: for the whole run, its first part included; ``changes``: of settings, see
    `synparse.config.recipe.resumed_recipe`. Raises as `train`, and DataError where there is nothing to resume or the
    corpus is another one (but with ``allow_changed_corpus``).
    """
    checkpoint = read_checkpoint(directory)
    settings = checkpoint.settings
    if corpus:
        settings = replace(settings, corpus=tuple(map(_absolute, corpus)))
    if minutes is not None:
        settings = replace(settings, minutes=minutes)
    if allow_changed_corpus:
        checkpoint = replace(checkpoint, fingerprint=None)
    recipe = resumed_recipe(checkpoint.recipe, changes)
    return _run(recipe, directory, settings, checkpoint, device, None, save_every, report)


def _absolute(path: str) -> str:
    """The path as it is from any folder."""
    return path if path == STANDARD_STREAM else str(Path(path).absolute())


def _run(
    recipe: Recipe,
    output: Path,
    settings: RunSettings,
    checkpoint: Checkpoint | None,
    device: str,
    init: LoadedModel | None,
    save_every: SaveEvery,
    report: Report,
) -> TrainingResult:
    start = time.monotonic()
    chosen = pick_device(own_device(device))
    _check_precision(recipe, chosen)
    known = None if init is None else init.vocabulary
    if checkpoint is not None:
        known = Vocabulary.read(stored(output, VOCABULARY), checkpoint.largest_size)
    state: TrainingState | None = None
    saver: Saver | None = None
    noted = None if checkpoint is None else checkpoint.products
    with (
        own_threads(),
        tensor_float32(chosen),
        using_library(noted or fastest_library()) if chosen.type == "cpu" else nullcontext(),
        stop_on_signals() as stop,
        joined_workers(chosen) as workers,
        exclusive_lock(output) if workers.is_first else nullcontext(),
    ):
        try:
            data = _read_corpus(settings, recipe, output, known, report)
            _check_corpus(data, checkpoint, workers, output)
            report(data)
            torch.manual_seed(settings.seed)
            model = build(recipe.model, len(data.vocabulary), recipe.architecture)
            if init is not None:
                model.load_state_dict(init.network.state_dict())
            elif checkpoint is None:
                _start(model, recipe, data)
            state = fresh_state(model.to(chosen), recipe.training)
            if checkpoint is not None:
                restore_checkpoint(state, checkpoint, output)
            if not workers.is_first:  # each process drops out neurons of its own
                torch.manual_seed(settings.seed + workers.rank)
            if chosen.type == "cpu":
                keep_freed_memory()
                before = None if checkpoint is None else checkpoint.threads
                rehearsed = partial(rehearsal, state, data, recipe.training, settings.seed, chosen)
                torch.set_num_threads(_threads(before, rehearsed, report))
            state.seconds += time.monotonic() - start
            saver = Saver(output, recipe, settings, data, chosen, save_every, checkpoint)
            with stop.heeded():
                for progress in train_steps(
                    state, data, recipe.training, settings.seed, chosen, settings.minutes, stop, workers
                ):
                    if workers.is_first:
                        saver.after_update(progress, state)
                    report(progress)
                if stop.is_made and workers.is_first:
                    saver.before_leaving(state)
        except KeyboardInterrupt:
            stop.signal = stop.signal or signal.SIGINT
        except TrainingError as error:
            raise TrainingError(f"{error}; {_what_is_kept(saver, output)}") from None
    steps, words, seconds = (state.step, state.words, state.seconds) if state else (0, 0, 0.0)
    return TrainingResult(
        output,
        None if saver is None else saver.kept,
        steps,
        words,
        seconds,
        None if saver and saver.is_finished else stop.signal,
        is_unfinished(output),
    )


def _check_precision(recipe: Recipe, device: torch.device) -> None:
    """Raises SettingError, before a long corpus is read, for a precision that the device cannot do."""
    if recipe.training.precision == "bfloat16":
        # Its parts tell; the number of words does not matter.
        mixed_precision(device, recipe.training.precision, build_on_meta(recipe.model, 8, recipe.architecture))


def _threads(before: int | None, rehearsed: Callable[[], Rehearsal], report: Report) -> int:
    """How many threads to compute with: as many as the run did ``before``; in a new one, as many as pay.

    ``rehearsed`` reads the corpus, so it is called only where it is needed.
    """
    processes = processes_here()
    most = most_threads(processes)
    is_asked = asked_threads(os.environ) is not None
    if before is None:
        return most if processes > 1 or most == 1 or is_asked else threads_that_pay(*rehearsed())
    threads = most if is_asked else min(before, most)
    if threads != before:
        report(Note(f"the run had {before} threads and goes on with {threads}, the same but for rounding"))
    return threads


def _start(model: Any, recipe: Recipe, data: Corpus) -> None:
    """Tell a fresh model what the recipe wants it to know from the beginning."""
    if recipe.training.embedding_init == "cooccurrence":
        start_from_cooccurrence(model, data)
    if isinstance(recipe.training, WordTraining) and recipe.training.bias_init == "frequency":
        counts = target_counts(recipe.training, data.train, len(data.vocabulary))
        start_from_frequencies(model.output_bias, counts)


def _read_corpus(
    settings: RunSettings, recipe: Recipe, output: Path, known: Vocabulary | None, report: Report
) -> Corpus:
    """The corpus, in files that have no name any more, so that they are gone with the process, however it ends."""
    tokenizer = load_tokenizer(recipe.text.tokenizer, settings.raw)
    with_trees = isinstance(recipe.training, TreeTraining)
    with scratch_folder(output) as scratch:
        sentences = _sentences(settings.corpus, tokenizer, settings.input_format, with_trees, report)
        sample: Sample[Sequence[str]] = Sample(SENTENCES, settings.seed)
        if recipe.text.phrase_boundaries:
            sentences = sample.of(sentences, lambda sentence: sentence.tokens)
        held_out = None
        if settings.valid is not None:
            held_out = _sentences([settings.valid], tokenizer, settings.input_format, with_trees, report)
        if with_trees:
            data = build_corpus_with_trees(sentences, recipe.text, scratch, held_out, known)
        else:
            valid = None if held_out is None else (sentence.tokens for sentence in held_out)
            data = build_corpus((sentence.tokens for sentence in sentences), recipe.text, scratch, valid, known)
    if not recipe.text.phrase_boundaries:
        return data
    return replace(data, boundaries=learn_phrase_boundaries(sample.items, recipe.text, data.vocabulary))


def _check_corpus(data: Corpus, checkpoint: Checkpoint | None, workers: Workers, output: Path) -> None:
    if not workers.agree(data.fingerprint):
        raise DataError("the processes of this run read different texts; give all of them the same files")
    if checkpoint is not None and checkpoint.fingerprint not in (None, data.fingerprint):
        raise DataError(
            "the corpus is not the one that this run began with; --allow-changed-corpus goes on nevertheless",
            str(output),
        )


def _what_is_kept(saver: Saver | None, output: Path) -> str:
    if saver is None or saver.kept is None:
        return "no model was kept"
    return f"the best model so far (perplexity {saver.kept:.1f}) is in {output}"


def _sentences(
    paths: Sequence[str], tokenizer: Tokenizer, input_format: str | None, with_trees: bool, report: Report
) -> Iterator[Sentence]:
    count = 0
    for path in paths:
        if Path(path).is_dir():
            raise DataError("is a folder; name the files in it", path)
        for sentence in read_sentences(path, tokenizer, input_format):
            count += 1
            if count % 10_000 == 0:
                report(Reading(count))
            if with_trees and sentence.tokens and not has_trees(sentence):
                raise DataError(f"has no trees to learn from; {MAKE_TREES}", name_of(path))
            yield sentence
