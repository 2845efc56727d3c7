"""When and what a run saves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch

from synparse.config.recipe import Recipe
from synparse.corpora.cache import Corpus
from synparse.files.folders import save_together, settle
from synparse.store.cards import model_card
from synparse.store.model_directory import (
    BOUNDARIES,
    CARD,
    CONFIG,
    LOG,
    VOCABULARY,
    WEIGHTS,
    LoadedModel,
    ModelDescription,
    model_files,
)
from synparse.training.checkpoint import LAST, Checkpoint, RunSettings, checkpoint_file
from synparse.training.loop import Progress
from synparse.training.record import log_row, provenance
from synparse.training.state import TrainingState


@dataclass(frozen=True)
class SaveEvery:
    """How often a checkpoint is saved beside those of validations: after so many updates or so many seconds."""

    steps: int | None = None
    seconds: float | None = 600.0

    def is_due(self, steps: int, seconds: float) -> bool:
        """Whether it is time, so many updates and seconds after the last one."""
        return (self.steps is not None and steps >= self.steps) or (
            self.seconds is not None and seconds >= self.seconds
        )


TEN_MINUTES = SaveEvery()


class Saver:
    """Writes the directory of one run: the best model so far, a checkpoint to go on from, and the log.

    kept: perplexity of the model that is there, None before the first; is_finished: the run is done, and its
    checkpoint gone.
    """

    def __init__(
        self,
        output: Path,
        recipe: Recipe,
        settings: RunSettings,
        data: Corpus,
        device: torch.device,
        save_every: SaveEvery,
        checkpoint: Checkpoint | None,
    ) -> None:
        self.output = output
        self.recipe = recipe
        self.settings = settings
        self.data = data
        self.device = device
        self.save_every = save_every
        self.kept = None if checkpoint is None else checkpoint.kept
        self.log = [] if checkpoint is None else list(checkpoint.log)
        self.is_finished = False
        self._is_first = checkpoint is None
        if checkpoint is None:  # of a run that is given up
            (output / LAST).unlink(missing_ok=True)
        self._saved = (0, 0.0) if checkpoint is None else checkpoint.position

    def after_update(self, progress: Progress, state: TrainingState) -> None:
        """Note an update, and save what is due. Raises DataError where the disk refuses."""
        self.is_finished = progress.is_last
        steps, seconds = self._saved
        if progress.perplexity is not None:
            self.log.append(log_row(progress))
        elif not self.save_every.is_due(state.step - steps, state.seconds - seconds):
            return
        if progress.is_best:
            self.kept = progress.perplexity
        self._save(state, with_model=progress.is_best)

    def before_leaving(self, state: TrainingState) -> None:
        """Save a checkpoint of a run that was asked to stop. Raises DataError where the disk refuses."""
        is_saved = self._saved == (state.step, state.seconds)
        if state.step and not self.is_finished and not is_saved:
            self._save(state, with_model=False)

    def _save(self, state: TrainingState, with_model: bool) -> None:
        description = ModelDescription(self.recipe, provenance(self.settings, self.data, state, self.kept, self.device))
        card, log = model_card(self.output.name, description), "".join(f"{row}\n" for row in self.log)
        model = LoadedModel(description, self.data.vocabulary, state.validated_model, self.data.boundaries)
        files = model_files(model, card, log)
        if not with_model:
            # A directory without weights says what it is, and that they are to come.
            wanted = {LOG, CONFIG, VOCABULARY} if self._is_first else {LOG}
            files = {name: content for name, content in files.items() if name in wanted}
        if not self.is_finished:
            files[LAST] = checkpoint_file(state, self.recipe, self.settings, self.data.fingerprint, self.log, self.kept)
        if self._is_first:
            clear_away(self.output)
        save_together(self.output, files, gone=[LAST] if self.is_finished else [])
        self._is_first = False
        self._saved = (state.step, state.seconds)


def clear_away(directory: Path) -> None:
    """Take an earlier model out of a directory, its weights first, so that they never stand beside another's config."""
    settle(directory)
    for name in (WEIGHTS, BOUNDARIES, LAST, LOG, CARD, VOCABULARY, CONFIG):
        (directory / name).unlink(missing_ok=True)
