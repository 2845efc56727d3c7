"""The file that an unfinished run resumes from: last.safetensors in its model directory.

One file, so it exists whole or not at all: the tensors of the run's state, and as metadata, in JSON, the rest.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor
from torch.optim.swa_utils import AveragedModel

from synparse.config.recipe import model_recipe_from
from synparse.config.settings import plain_settings
from synparse.files.folders import Content, stored
from synparse.store.model_directory import LAST, file_to_read, is_unfinished
from synparse.store.overwriting import what_is_there
from synparse.training.launcher import is_launched
from synparse.training.progress import damage_reported, described
from synparse.training.reading import RunSettings
from synparse.training.state import TrainingState, random_states, restore_random_states
from synparse.trees.errors import DataError

_RUN = "synparse-run"

FORMAT = 4
"""Version of the metadata; other versions of this program write other numbers."""

COUNTS = ("step", "epoch", "batch_index", "words", "seconds", "loss", "rate", "is_validation_due")

LARGEST_COUNT = 2**53


@dataclass(frozen=True)
class Checkpoint:
    """A run as it was saved.

    fingerprint: of its corpus, None if any will do; values, tensors: see `values_of`, `tensors_of`; threads: how many
    it computed with.
    """

    recipe: Any
    settings: RunSettings
    fingerprint: str | None
    values: Mapping[str, Any]
    tensors: Mapping[str, Tensor]
    threads: int


def checkpoint_file(state: TrainingState, recipe: Any, settings: RunSettings, fingerprint: str) -> Content:
    """The content of `LAST`; taken from the state when it is written."""
    description = {
        "format": FORMAT,
        "recipe": plain_settings(recipe),
        "settings": asdict(settings),
        "fingerprint": fingerprint,
        "values": values_of(state),
        "threads": torch.get_num_threads(),
    }
    return lambda path: save_file(tensors_of(state), path, {_RUN: json.dumps(description)})


def read_checkpoint(directory: Path, recipe_from: Callable[[object], Any] = model_recipe_from) -> Checkpoint:
    """Raises DataError if there is none, it is damaged, or another version of this program wrote it.

    ``recipe_from``: reads the recipe from plain values.
    """
    if not is_unfinished(directory):
        raise DataError(f"there is nothing to resume: {what_is_there(directory)}", str(directory))
    path = file_to_read(directory, LAST, "not there")
    with damage_reported(path), safe_open(path, "pt") as saved:
        values = described((saved.metadata() or {})[_RUN], FORMAT, path)
        return Checkpoint(
            recipe_from(values["recipe"]),
            values["settings"],
            str(values["fingerprint"]),
            values["values"],
            # In memory of PyTorch's own, which is aligned: products of other tensors round otherwise.
            {name: saved.get_tensor(name).clone() for name in saved.keys()},  # noqa: SIM118 - not a mapping
            _threads(values["threads"]),
        )


def _threads(value: Any) -> int:
    """Raises ValueError for a number of threads that cannot be."""
    if type(value) is not int or value not in range(1, 2**16):
        raise ValueError(f"threads is {value!r:.40}")
    return value


def restore_checkpoint(state: TrainingState, checkpoint: Checkpoint, directory: Path) -> None:
    """Restore the saved state into a fresh one. Raises DataError if that is not possible."""
    with damage_reported(stored(directory, LAST)):
        restore(state, checkpoint.values, checkpoint.tensors)


def values_of(state: TrainingState) -> dict[str, Any]:
    """The numbers of a state, fit for JSON."""
    schedule = state.schedule
    return {
        **{name: getattr(state, name) for name in COUNTS},
        "base_fraction": schedule.base / schedule.config.learning_rate,
        "scores": list(schedule.scores),
        "stalled": schedule.stalled,
        "is_averaging": schedule.is_averaging,
        "log": list(state.log),
        "kept": state.kept,
    }


def tensors_of(state: TrainingState) -> dict[str, Tensor]:
    """The tensors of a state by name, those of PyTorch's random generators among them."""
    sections = {
        "model": state.model.state_dict(),
        "average": state.average and state.average.state_dict(),
        "optimizer": state.optimizer.state_dict()["state"],
        "carried": None if is_launched() else state.carried,  # of several processes, each has that of its own rows
        "random": random_states(),
    }
    named = (tensor for section, values in sections.items() for tensor in _named(values, section))
    return {name: tensor.detach().cpu().clone(memory_format=torch.contiguous_format) for name, tensor in named}


def restore(state: TrainingState, values: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> None:
    """Make a fresh state, and PyTorch's random generators, what `values_of` and `tensors_of` described.

    Raises ValueError, KeyError, TypeError or RuntimeError where they describe no state of this run.
    """
    device = next(state.model.parameters()).device
    for name in COUNTS:
        kind, value = type(getattr(state, name)), values[name]
        if not isinstance(value, kind) or not 0 <= value <= LARGEST_COUNT:
            raise ValueError(f"{name} is {value!r:.40}")
        setattr(state, name, value)
    state.log = [str(row) for row in values["log"]]
    state.kept = None if values["kept"] is None else float(values["kept"])
    schedule = state.schedule
    # The recipe may have a new rate; the factor by which a plateau lowered the old one is kept.
    schedule.base *= float(values["base_fraction"])
    schedule.stalled = int(values["stalled"])
    schedule.scores = [float(value) for value in values["scores"]]
    schedule.is_averaging = bool(values["is_averaging"])
    state.model.load_state_dict(_under("model", tensors))
    if schedule.is_averaging:
        state.average = AveragedModel(state.model)
        state.average.load_state_dict(_under("average", tensors))
    moments: dict[int, dict[str, Tensor]] = {}
    for name, tensor in _under("optimizer", tensors).items():
        index, _, key = name.partition(".")
        moments.setdefault(int(index), {})[key] = tensor
    _check_moments(moments, list(state.model.parameters()))
    state.optimizer.load_state_dict({**state.optimizer.state_dict(), "state": moments})
    if not is_launched():
        state.carried = _nested({name: tensor.to(device) for name, tensor in _under("carried", tensors).items()})
    restore_random_states(_under("random", tensors))


def _check_moments(moments: Mapping[int, Mapping[str, Tensor]], parameters: list[Tensor]) -> None:
    """Raises ValueError for tensors that do not fit the parameters; PyTorch's optimizers do not check this."""
    keys = {frozenset(values) for values in moments.values()}
    fits = len(keys) <= 1 and all(
        index < len(parameters) and all(tensor.shape in ((), parameters[index].shape) for tensor in values.values())
        for index, values in moments.items()
    )
    if not fits:
        raise ValueError("the optimizer's state does not fit the model")


def _under(section: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    prefix = f"{section}."
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def _named(state: Any, name: str) -> list[tuple[str, Tensor]]:
    """The tensors of nested tuples and mappings, named by their positions and keys."""
    if state is None:
        return []
    if isinstance(state, Tensor):
        return [(name, state)]
    parts = state.items() if isinstance(state, Mapping) else enumerate(state)
    return [named for key, inner in parts for named in _named(inner, f"{name}.{key}")]


def _nested(named: Mapping[str, Tensor]) -> Any:
    """Nested tuples from tensors named by their positions (without the name of the whole); None from none."""
    if not named:
        return None
    if "" in named:
        return named[""]
    inner: dict[int, dict[str, Tensor]] = {}
    for name, tensor in named.items():
        position, _, rest = name.partition(".")
        inner.setdefault(int(position), {})[rest] = tensor
    return tuple(_nested(inner[position]) for position in sorted(inner))
