"""The file that an unfinished run goes on from: last.safetensors in its model directory.

It is one file, so it is there whole or not at all: the tensors of the run's state, and as metadata, in JSON, the rest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from synparse.config.recipe import Recipe, recipe_from
from synparse.files.folders import Content, stored
from synparse.inducers.kernels.products import LIBRARIES, library_in_use
from synparse.store.model_directory import CONFIG, read_description
from synparse.training.state import TrainingState, restore, tensors_of, values_of
from synparse.trees.errors import DataError, SettingError

LAST = "last.safetensors"
_RUN = "synparse-run"


@dataclass(frozen=True)
class RunSettings:
    """What a run was asked for, beside its recipe; see `synparse.training.run.train`.

    corpus and valid are absolute paths, or ``-`` for standard input.
    """

    corpus: tuple[str, ...]
    valid: str | None = None
    raw: bool = False
    input_format: str | None = None
    minutes: float | None = None
    seed: int = 1


@dataclass(frozen=True)
class Checkpoint:
    """A run as it was saved.

    fingerprint: of its corpus, None where any will do; log: its rows so far; kept: the perplexity of the model that was
    kept, None before the first; values, tensors: see `synparse.training.state`; threads: how many it computed with,
    products: which of `LIBRARIES` made its large products; None where that was not noted.
    """

    recipe: Recipe
    settings: RunSettings
    fingerprint: str | None
    log: tuple[str, ...]
    kept: float | None
    values: Mapping[str, Any]
    tensors: Mapping[str, Tensor]
    threads: int | None = None
    products: str | None = None

    @property
    def position(self) -> tuple[int, float]:
        """Updates done, and seconds spent on them."""
        return self.values["step"], self.values["seconds"]

    @property
    def largest_size(self) -> int:
        """The largest dimension of a tensor: no vocabulary has more words."""
        return max((size for tensor in self.tensors.values() for size in tensor.shape), default=0)


def checkpoint_file(
    state: TrainingState, recipe: Recipe, settings: RunSettings, fingerprint: str, log: list[str], kept: float | None
) -> Content:
    """The content of `LAST`; taken from the state when it is written."""
    description = {
        "recipe": recipe.as_mapping(),
        "settings": asdict(settings),
        "fingerprint": fingerprint,
        "log": log,
        "kept": kept,
        "values": values_of(state),
        "threads": torch.get_num_threads(),
        "products": library_in_use(),
    }
    return lambda path: save_file(tensors_of(state), path, {_RUN: json.dumps(description)})


def is_unfinished(directory: Path) -> bool:
    """Whether a run in this directory can be gone on with."""
    return stored(directory, LAST).is_file()


def read_checkpoint(directory: Path) -> Checkpoint:
    """Raises DataError where there is none, or it is damaged."""
    path = stored(directory, LAST)
    if not path.is_file():
        raise DataError(f"there is nothing to resume: {_what_is_there(directory)}", str(directory))
    try:
        with safe_open(path, "pt") as saved:
            values = json.loads((saved.metadata() or {})[_RUN])
            tensors = {name: saved.get_tensor(name) for name in saved.keys()}  # noqa: SIM118 - not a mapping
        settings = {**values["settings"], "corpus": tuple(values["settings"]["corpus"])}
        return Checkpoint(
            recipe_from(values["recipe"]),
            RunSettings(**settings),
            str(values["fingerprint"]),
            tuple(values["log"]),
            values["kept"],
            values["values"],
            tensors,
            _threads(values.get("threads")),
            _products(values.get("products")),
        )
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", str(path)) from None
    except (SafetensorError, SettingError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _damaged(path, error) from None


def _threads(value: Any) -> int | None:
    if value is None:
        return None
    if type(value) is not int or value < 1:
        raise ValueError(f"threads is {value!r:.40}")
    return value


def _products(value: Any) -> str | None:
    if value is not None and value not in LIBRARIES:
        raise ValueError(f"products is {value!r:.40}")
    library: str | None = value
    return library


def _what_is_there(directory: Path) -> str:
    if not directory.is_dir():
        return "no such directory"
    if stored(directory, CONFIG).is_file() and read_description(directory).packed is not None:
        return "a model that is packed for parsing alone"
    return "its run is finished; --init goes on from its model"


def restore_checkpoint(state: TrainingState, checkpoint: Checkpoint, directory: Path) -> None:
    """Make a fresh state the one that was saved. Raises DataError where that is not possible."""
    try:
        restore(state, checkpoint.values, checkpoint.tensors)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RuntimeError) as error:
        raise _damaged(stored(directory, LAST), error) from None


def _damaged(path: Path, error: Exception) -> DataError:
    return DataError(f"damaged checkpoint: {(str(error).splitlines() or ['?'])[0]}", str(path))
