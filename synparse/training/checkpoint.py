"""The file that an unfinished run resumes from: last.safetensors in its model directory.

One file, so it exists whole or not at all: the tensors of the run's state, and as metadata, in JSON, the rest.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor

from synparse.config.recipe import model_recipe_from
from synparse.files.folders import Content, stored
from synparse.inducers.kernels.products import LIBRARIES, library_in_use
from synparse.store.overwriting import LAST, is_unfinished, what_is_there
from synparse.training.progress import damage_told, described
from synparse.training.reading import RunSettings
from synparse.training.state import TrainingState, restore, tensors_of, values_of
from synparse.trees.errors import DataError

_RUN = "synparse-run"

FORMAT = 4
"""Version of the metadata; other versions of this program write other numbers."""


@dataclass(frozen=True)
class Checkpoint:
    """A run as it was saved.

    fingerprint: of its corpus, None if any will do; values, tensors: see `synparse.training.state`; threads: how many
    it computed with; products: which of `LIBRARIES` computed its large products; None if not recorded.
    """

    recipe: Any
    settings: RunSettings
    fingerprint: str | None
    values: Mapping[str, Any]
    tensors: Mapping[str, Tensor]
    threads: int | None = None
    products: str | None = None


def checkpoint_file(state: TrainingState, recipe: Any, settings: RunSettings, fingerprint: str) -> Content:
    """The content of `LAST`; taken from the state when it is written."""
    description = {
        "format": FORMAT,
        "recipe": recipe.as_mapping(),
        "settings": asdict(settings),
        "fingerprint": fingerprint,
        "values": values_of(state),
        "threads": torch.get_num_threads(),
        "products": library_in_use(),
    }
    return lambda path: save_file(tensors_of(state), path, {_RUN: json.dumps(description)})


def read_checkpoint(directory: Path, recipe_from: Callable[[object], Any] = model_recipe_from) -> Checkpoint:
    """Raises DataError if there is none, it is damaged, or another version of this program wrote it.

    ``recipe_from``: reads the recipe from plain values.
    """
    path = stored(directory, LAST)
    if not is_unfinished(directory):
        raise DataError(f"there is nothing to resume: {what_is_there(directory)}", str(directory))
    with damage_told(path), safe_open(path, "pt") as saved:
        values = described((saved.metadata() or {})[_RUN], FORMAT, path)
        return Checkpoint(
            recipe_from(values["recipe"]),
            values["settings"],
            str(values["fingerprint"]),
            values["values"],
            {name: saved.get_tensor(name) for name in saved.keys()},  # noqa: SIM118 - not a mapping
            _one_of(values, "threads", range(1, 2**16)),
            _one_of(values, "products", LIBRARIES),
        )


def _one_of(values: Mapping[str, Any], name: str, known: Sequence[Any]) -> Any:
    """Raises ValueError for a value that is given but not one of the known ones."""
    value = values.get(name)
    if value is not None and (type(value) is not type(known[0]) or value not in known):
        raise ValueError(f"{name} is {value!r:.40}")
    return value


def restore_checkpoint(state: TrainingState, checkpoint: Checkpoint, directory: Path) -> None:
    """Restore the saved state into a fresh one. Raises DataError if that is not possible."""
    with damage_told(stored(directory, LAST)):
        restore(state, checkpoint.values, checkpoint.tensors)
