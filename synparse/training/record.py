"""What a run writes down of itself: rows of log.jsonl, and the provenance in config.yaml."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

import synparse
from synparse.corpora.cache import Corpus
from synparse.inducers.kernels.products import library_in_use
from synparse.training.checkpoint import RunSettings
from synparse.training.loop import Progress
from synparse.training.state import TrainingState

MOST_NAMES = 100


def names_of_files(paths: Sequence[str]) -> list[str]:
    """The names of the first `MOST_NAMES` files, and how many more there are: a config is no list of a corpus."""
    names = [Path(path).name for path in paths[:MOST_NAMES]]
    return [*names, f"and {len(paths) - MOST_NAMES} more"] if len(paths) > MOST_NAMES else names


def log_row(progress: Progress) -> str:
    """A validation as a line of JSON; all but its seconds are the same in every run of a seed."""
    return json.dumps(
        {
            "step": progress.step,
            "epoch": progress.epoch,
            "words": progress.words,
            "seconds": round(progress.seconds, 1),
            "training_loss": round(progress.loss, 4),
            "perplexity": progress.perplexity and round(progress.perplexity, 2),
            "learning_rate": progress.learning_rate,
        }
    )


def provenance(
    settings: RunSettings, data: Corpus, state: TrainingState, perplexity: float | None, device: torch.device
) -> dict[str, Any]:
    """Where a model comes from: corpus, seed, versions and result."""
    return {
        "corpus": {
            "files": names_of_files(settings.corpus),
            "sha256": data.fingerprint,
            "training_sentences": len(data.train),
            "training_words": data.train.words,
            "held_out_sentences": len(data.valid),
            **data.train.target_counts,
        },
        "vocabulary_words": len(data.vocabulary),
        "seed": settings.seed,
        "device": device.type,
        "threads": torch.get_num_threads(),
        "products": library_in_use(),
        "steps": state.step,
        "words_seen": state.words,
        "seconds": round(state.seconds, 1),
        "held_out_perplexity": perplexity and round(perplexity, 3),
        "versions": {
            "synparse": synparse.__version__,
            "torch": str(torch.__version__),
            "python": platform.python_version(),
        },
    }
