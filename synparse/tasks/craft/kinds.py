"""The models of imitation by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from torch import nn

from synparse.tasks.craft import MODELS
from synparse.tasks.craft.mixture_of_experts import MixtureOfExperts, MixtureOfExpertsConfig
from synparse.tasks.craft.option_controller import OptionController, OptionControllerConfig
from synparse.tasks.craft.ordered_memory_policy import OrderedMemoryPolicy, OrderedMemoryPolicyConfig
from synparse.trees.errors import SettingError


class ImitatorKind(NamedTuple):
    """config: the dataclass of its sizes; build: the model, from the size of an observation, the number of tasks and
    its sizes; has_options: whether it has options, which an agent can use; options_end: whether these tell when they
    are done; finds_number: whether its boundaries are probabilities, so that it tells how many subtasks there are."""

    config: type[Any]
    build: Callable[[int, int, Any], nn.Module]
    has_options: bool = True
    options_end: bool = True
    finds_number: bool = True


KINDS: dict[str, ImitatorKind] = {
    "option-controller": ImitatorKind(OptionControllerConfig, OptionController),
    "mixture-of-experts": ImitatorKind(MixtureOfExpertsConfig, MixtureOfExperts, options_end=False),
    "ompn": ImitatorKind(
        OrderedMemoryPolicyConfig, OrderedMemoryPolicy, has_options=False, options_end=False, finds_number=False
    ),
}


def kind_of(model: str) -> ImitatorKind:
    """The kind of model of this name. Raises SettingError for an unknown one."""
    if model not in KINDS:
        raise SettingError(f"unknown model {model!r}; known models are {', '.join(MODELS)}")
    return KINDS[model]
