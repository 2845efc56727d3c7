"""A training run from files to a model directory."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

import synparse
from synparse.corpora.cache import Corpus, build_corpus
from synparse.corpora.sentences import read_sentences
from synparse.corpora.tokenization import Tokenizer, load_tokenizer
from synparse.devices import pick_device
from synparse.inducers import inducer_kind
from synparse.model_directory import LoadedModel, ModelDescription, save_model, scratch_folder
from synparse.recipe import Recipe
from synparse.training.card import model_card
from synparse.training.loop import Progress, TrainingError, train_steps
from synparse.training.word_start import start_from_cooccurrence
from synparse.trees.errors import DataError


@dataclass(frozen=True)
class TrainingResult:
    """What a run came to. ``perplexity`` is that of the model that was kept, None where none was."""

    directory: Path
    perplexity: float | None
    steps: int
    words: int
    seconds: float
    interrupted: bool


@dataclass(frozen=True)
class Reading:
    """The corpus is being read: sentences so far."""

    sentences: int


Event = Reading | Corpus | Progress
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
    report: Report = _in_silence,
) -> TrainingResult:
    """Train on the files ``corpus`` (``-`` = standard input) and keep the model of the lowest held-out perplexity.

    ``minutes`` bounds the whole run, reading the corpus included. An interrupt (Ctrl-C) ends the run and keeps the
    best model so far. ``init`` is a model of the recipe's architecture to go on from; its vocabulary is kept.
    ``report`` hears of every step. Raises DataError for a bad corpus or an output that cannot be
    written, ValueError for a device or tokenizer that is not there, TrainingError where training breaks down.
    """
    start = time.monotonic()
    chosen = pick_device(device)
    tokenizer = load_tokenizer(recipe.text.tokenizer, raw)
    kept: float | None = None
    progress: Progress | None = None
    log: list[str] = []

    def result(interrupted: bool) -> TrainingResult:
        steps, words = (progress.step, progress.words) if progress else (0, 0)
        return TrainingResult(output, kept, steps, words, time.monotonic() - start, interrupted)

    try:
        with scratch_folder(output) as scratch:
            sentences = _tokens(corpus, tokenizer, input_format, report)
            held_out = None if valid is None else _tokens([valid], tokenizer, input_format, report)
            known = None if init is None else init.vocabulary
            data = build_corpus(sentences, recipe.text, scratch, held_out, known)
            report(data)
            torch.manual_seed(seed)
            model = inducer_kind(recipe.model).model(len(data.vocabulary), recipe.architecture)
            if init is not None:
                model.load_state_dict(init.inducer.state_dict())
            elif recipe.training.word_start == "cooccurrence":
                start_from_cooccurrence(model, data)
            model = model.to(chosen)
            left = None if minutes is None else max(0.0, minutes - (time.monotonic() - start) / 60)
            for progress in train_steps(model, data, recipe.training, seed, chosen, left):
                if progress.perplexity is not None:
                    log.append(json.dumps(_log_row(progress)))
                if progress.is_best:
                    kept = progress.perplexity
                    provenance = _provenance(corpus, data, progress, seed, chosen)
                    description = ModelDescription(recipe, provenance)
                    lines = "".join(f"{row}\n" for row in log)
                    card = model_card(output.name, description)
                    save_model(output, description, data.vocabulary, progress.model, card, lines)
                report(progress)
    except KeyboardInterrupt:
        return result(interrupted=True)
    except TrainingError as error:
        saved = f"the best model so far (perplexity {kept:.1f}) is in {output}" if kept else "no model was kept"
        raise TrainingError(f"{error}; {saved}") from None
    return result(interrupted=False)


def _tokens(
    paths: Sequence[str], tokenizer: Tokenizer, input_format: str | None, report: Report
) -> Iterator[tuple[str, ...]]:
    count = 0
    for path in paths:
        if Path(path).is_dir():
            raise DataError("is a folder; name the files in it", path)
        for sentence in read_sentences(path, tokenizer, input_format):
            count += 1
            if count % 10_000 == 0:
                report(Reading(count))
            yield sentence.tokens


def _log_row(progress: Progress) -> dict[str, Any]:
    return {
        "step": progress.step,
        "epoch": progress.epoch,
        "words": progress.words,
        "seconds": round(progress.seconds, 1),
        "training_loss": round(progress.loss, 4),
        "perplexity": progress.perplexity and round(progress.perplexity, 2),
        "learning_rate": progress.learning_rate,
    }


def _provenance(
    corpus: Sequence[str], data: Corpus, progress: Progress, seed: int, device: torch.device
) -> dict[str, Any]:
    return {
        "corpus": {
            "files": [Path(path).name for path in corpus],
            "sha256": data.fingerprint,
            "training_sentences": len(data.train),
            "training_words": data.train.words,
            "held_out_sentences": len(data.valid),
        },
        "vocabulary_words": len(data.vocabulary),
        "seed": seed,
        "device": device.type,
        "steps": progress.step,
        "words_seen": progress.words,
        "seconds": round(progress.seconds, 1),
        "held_out_perplexity": progress.perplexity and round(progress.perplexity, 3),
        "versions": {
            "synparse": synparse.__version__,
            "torch": str(torch.__version__),
            "python": platform.python_version(),
        },
    }
