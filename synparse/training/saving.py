"""When and what a run saves: the model with its provenance, the log, and a checkpoint."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from synparse.config.version import __version__
from synparse.files.folders import Content, save_together
from synparse.inducers.kernels.products import library_in_use
from synparse.store.model_directory import BOUNDARIES, CARD, LOG, WEIGHTS
from synparse.store.overwriting import LAST, clear_away
from synparse.training.checkpoint import checkpoint_file
from synparse.training.job import Job, Prepared
from synparse.training.loop import Progress
from synparse.training.result import rounded
from synparse.training.state import TrainingState


@dataclass
class Saver:
    """Writes the directory of one run: the best model so far, a checkpoint to resume from, and the log.

    kept: score of the saved model, None before the first; is_finished: the model is trained, and its checkpoint gone.
    """

    job: Job
    prepared: Prepared
    device: torch.device
    is_finished: bool = False

    def __post_init__(self) -> None:
        checkpoint = self.job.checkpoint
        self.kept = checkpoint.kept if checkpoint else None
        self.log = list(checkpoint.log) if checkpoint else []
        self._saved = checkpoint.position if checkpoint else (0, 0.0)
        self._is_first = checkpoint is None
        if self._is_first:  # this replaces an earlier run there
            (self.job.output / LAST).unlink(missing_ok=True)

    def after_update(self, progress: Progress, state: TrainingState) -> None:
        """Log an update and save what is due. Raises DataError if a file cannot be written."""
        self.is_finished = progress.is_last
        steps, seconds = self._saved
        if progress.score is not None:
            self.log.append(log_row(progress, self._observed(progress)))
        elif not self.job.save_every.is_due(state.step - steps, state.seconds - seconds):
            return
        if progress.is_best:
            self.kept = progress.score
        self._save(state, with_model=progress.is_best)

    def _observed(self, progress: Progress) -> dict[str, float | None]:
        """What else is logged of a validated model."""
        if self.prepared.observed is None:
            return {}
        was_training, model = progress.model.training, progress.model.eval()
        found = self.prepared.observed(model)
        model.train(was_training)
        return {name: None if value is None else round(value, 4) for name, value in found.items()}

    def before_leaving(self, state: TrainingState) -> None:
        """Save a checkpoint of a run that was asked to stop. Raises DataError if it cannot be written."""
        is_saved = self._saved == (state.step, state.seconds)
        if state.step and not self.is_finished and not is_saved:
            self._save(state, with_model=False)

    def _save(self, state: TrainingState, with_model: bool) -> None:
        log = "".join(f"{row}\n" for row in self.log).encode()
        files: dict[str, Content] = {LOG: log}
        if with_model or self._is_first:
            files = dict(self.prepared.files(state.validated_model, self._provenance(state), log))
        if not with_model:  # so that a directory without weights yet has a description
            files = {name: content for name, content in files.items() if name not in (WEIGHTS, BOUNDARIES, CARD)}
        if not self.is_finished:
            files[LAST] = checkpoint_file(
                *(state, self.job.recipe, self.job.settings, self.prepared.fingerprint, self.log, self.kept)
            )
        if self._is_first:
            clear_away(self.job.output)
        save_together(self.job.output, files, gone=[LAST] if self.is_finished else [])
        if with_model:
            self.prepared.saved()
        self._is_first = False
        self._saved = (state.step, state.seconds)

    def _provenance(self, state: TrainingState) -> dict[str, Any]:
        """Where a model comes from: data, seed, versions and result."""
        measure = self.job.recipe.training.measure
        return {
            **self.prepared.provenance,
            "seed": self.job.settings.seed,
            "device": self.device.type,
            "threads": torch.get_num_threads(),
            "products": library_in_use(),
            "steps": state.step,
            "words_seen": state.words,
            "seconds": round(state.seconds, 1),
            f"held_out_{measure}": self.kept and rounded(measure, self.kept, 1),
            "versions": {
                "synparse": __version__,
                "torch": str(torch.__version__),
                "python": platform.python_version(),
            },
        }


def log_row(progress: Progress, observed: Mapping[str, float | None]) -> str:
    """A validation as a line of JSON, with what else was observed; all but its seconds are the same in every run of a
    seed."""
    return json.dumps(
        {
            "step": progress.step,
            "epoch": progress.epoch,
            "words": progress.words,
            "seconds": round(progress.seconds, 1),
            "training_loss": round(progress.loss, 4),
            progress.measure: progress.score and rounded(progress.measure, progress.score),
            "learning_rate": progress.learning_rate,
            **observed,
        }
    )
