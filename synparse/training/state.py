"""The state of a run: everything that an update changes, and that a checkpoint holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import torch
from torch import Tensor
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from synparse.config.training import TrainingConfig
from synparse.inducers.protocol import Learner
from synparse.training.schedule import Schedule

COUNTS = ("step", "epoch", "batch_index", "words", "seconds", "loss", "rate", "is_validation_due")

LARGEST_COUNT = 2**53


@dataclass
class TrainingState:
    """A run between two updates.

    average: the mean of the weights, once averaging began (a moving one: at once); step: updates done; epoch (from 1)
    and batch_index (from 0): of the training batch to read next; words: words seen; seconds: time spent; loss: nats per
    prediction of the last update; rate: its learning rate; carried: the state that the model's loss hands on to the
    next batch; is_validation_due: the last update has yet to be validated; parts: in how many parts the gradient of a
    batch is computed; log: the validations so far, a line of JSON each; kept: the score of the model that was kept,
    None before the first.
    """

    model: Learner
    optimizer: torch.optim.Optimizer
    schedule: Schedule
    average: AveragedModel | None = None
    step: int = 0
    epoch: int = 1
    batch_index: int = 0
    words: int = 0
    seconds: float = 0.0
    loss: float = 0.0
    rate: float = 0.0
    carried: Any = None
    is_validation_due: bool = False
    parts: int = 1
    log: list[str] = field(default_factory=list)
    kept: float | None = None

    @property
    def validated_model(self) -> Learner:
        """The model that is validated and kept: the average, once there is one."""
        return self.model if self.average is None else cast(Learner, self.average.module)


def fresh_state(model: Learner, config: TrainingConfig) -> TrainingState:
    """A run before its first update."""
    schedule = Schedule(config, config.learning_rate)
    average = moving_average(model, config.moving_average) if config.moving_average else None
    return TrainingState(model, make_optimizer(model, config), schedule, average, parts=config.accumulation)


def moving_average(model: Learner, decay: float) -> AveragedModel:
    """A model whose weights are a moving average of those of the trained one. It begins as the weights after the first
    update. The next one, after n updates, keeps a fraction min(decay, (1 + n) / (10 + n)) of it, so that the first,
    untrained weights soon lose their influence."""

    def move(averaged: Any, current: Any, updates: Tensor | int) -> None:
        n = int(updates)
        move_by = get_ema_multi_avg_fn(min(decay, (1 + n) / (10 + n)))  # type: ignore[no-untyped-call]
        move_by(averaged, current, updates)

    return AveragedModel(model, multi_avg_fn=move)


def make_optimizer(model: Learner, config: TrainingConfig) -> torch.optim.Optimizer:
    """The optimizer that the recipe names."""
    kind = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}[config.optimizer]
    fused = config.fused and next(model.parameters()).device.type in ("cpu", "cuda")
    optimizer: torch.optim.Optimizer = kind(
        model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay, fused=fused
    )
    return optimizer


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
    tensors = {f"model.{name}": tensor for name, tensor in state.model.state_dict().items()}
    if state.average is not None:
        tensors |= {f"average.{name}": tensor for name, tensor in state.average.state_dict().items()}
    for index, values in state.optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{index}.{key}": value for key, value in values.items() if value is not None}
    tensors |= dict(_named(state.carried, "carried"))
    tensors |= {f"random.{name}": tensor for name, tensor in random_states().items()}
    return {
        name: tensor.detach().cpu().clone(memory_format=torch.contiguous_format) for name, tensor in tensors.items()
    }


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
    if state.average is not None:
        state.average.load_state_dict(_under("average", tensors))
    moments: dict[int, dict[str, Tensor]] = {}
    for name, tensor in _under("optimizer", tensors).items():
        index, _, key = name.partition(".")
        moments.setdefault(int(index), {})[key] = tensor
    _check_moments(moments, list(state.model.parameters()))
    state.optimizer.load_state_dict({**state.optimizer.state_dict(), "state": moments})
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


def random_states() -> dict[str, Tensor]:
    """The states of PyTorch's generators, by device."""
    states = {"cpu": torch.get_rng_state()}
    if torch.cuda.is_available():
        states["cuda"] = torch.cuda.get_rng_state()
    return states


def restore_random_states(states: Mapping[str, Tensor]) -> None:
    torch.set_rng_state(states["cpu"])
    if "cuda" in states and torch.cuda.is_available():
        torch.cuda.set_rng_state(states["cuda"])


def _under(section: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    prefix = f"{section}."
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def _named(state: Any, name: str) -> list[tuple[str, Tensor]]:
    """The tensors of nested tuples, named by their positions."""
    if state is None:
        return []
    if isinstance(state, Tensor):
        return [(name, state)]
    return [named for position, inner in enumerate(state) for named in _named(inner, f"{name}.{position}")]


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
