"""The table of inducers: a row for each model, readable without PyTorch.

A new inducer is a file in this folder, a row here, a recipe in ``models/`` and its tests.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from synparse.inducers import configurations
from synparse.trees.errors import SettingError

if TYPE_CHECKING:
    from synparse.inducers.protocol import NeuralInducer

Objective: TypeAlias = Literal["masked", "next-word", "tree", "counts"]
"""What a network is trained to predict: masked words of sentences, the next word of a stream of sentences, or trees.
Grammars without a network are estimated by counting."""


InducerName: TypeAlias = Literal[
    "udgn", "structformer", "on-lstm", "ordered-memory", "student", "transformer", "lstm", "grammar", "dbm"
]
"""The keys of `INDUCERS`, for the command line."""


class Traits(NamedTuple):
    """The scores that a model gives: syntactic distances, log-probabilities of heads, syntactic heights; and whether
    distances can be read from any of its layers."""

    gives_distances: bool = False
    gives_heads: bool = False
    gives_heights: bool = False
    has_tree_layers: bool = False

    @property
    def gives_trees(self) -> bool:
        """Whether the model parses."""
        return self.gives_distances or self.gives_heads


@dataclass(frozen=True)
class InducerEntry:
    """A row of the table. The module of a model has its name.

    class_name: of the model; configuration: the frozen dataclass of its settings; objective: what it is trained to
    predict, which decides its training settings; grammars without a network have no class, no settings of an
    architecture and no training settings, only those of grammars; runs_in_numpy: ``kernels.lstm_parser`` can parse with
    it in place of PyTorch; is_guided: whether it can learn heads of given trees while it learns to predict words.
    """

    class_name: str
    configuration: type[Any]
    objective: Objective
    traits: Traits
    runs_in_numpy: bool = False
    is_guided: bool = False


INDUCERS: Mapping[str, InducerEntry] = {
    "udgn": InducerEntry(
        "Udgn", configurations.UdgnConfig, "masked", Traits(gives_heads=True), runs_in_numpy=True, is_guided=True
    ),
    "structformer": InducerEntry(
        "StructFormer",
        configurations.StructFormerConfig,
        "masked",
        Traits(gives_distances=True, gives_heads=True, gives_heights=True),
    ),
    "on-lstm": InducerEntry(
        "OnLstm", configurations.OnLstmConfig, "next-word", Traits(gives_distances=True, has_tree_layers=True)
    ),
    "ordered-memory": InducerEntry(
        "OrderedMemoryInducer", configurations.OrderedMemoryConfig, "next-word", Traits(gives_distances=True)
    ),
    "student": InducerEntry(
        "Student",
        configurations.StudentConfig,
        "tree",
        Traits(gives_distances=True, gives_heads=True),
        runs_in_numpy=True,
    ),
    "transformer": InducerEntry("Transformer", configurations.TransformerConfig, "masked", Traits()),
    "lstm": InducerEntry("Lstm", configurations.LstmConfig, "next-word", Traits()),
    "grammar": InducerEntry("", configurations.NoNetwork, "counts", Traits()),
    "dbm": InducerEntry("", configurations.NoNetwork, "counts", Traits()),
}


BASELINES: tuple[str, ...] = tuple(
    name for name, entry in INDUCERS.items() if entry.objective != "counts" and not entry.traits.gives_trees
)
"""Language models without trees, which the inducers are compared with; they do not parse."""


CHANNEL_MODELS: tuple[str, ...] = ("udgn", "structformer", "transformer")
"""The models whose layers have channels: the subclasses of `synparse.inducers.protocol.ChannelModel`."""


def refuse_without_channels(model: str) -> None:
    """Raises SettingError for a model that has no channels."""
    if model not in CHANNEL_MODELS:
        raise SettingError(f"the model {model} has no channels; models with channels are {', '.join(CHANNEL_MODELS)}")


def refuse_baseline(model: str) -> None:
    """Raises SettingError for a model that does not parse."""
    if model in BASELINES:
        parsers = ", ".join(name for name in INDUCERS if name not in BASELINES)
        raise SettingError(f"{model} is a language model without trees; models that parse are {parsers}")


def entry_of(name: object) -> InducerEntry:
    """The row of that name. Raises SettingError for an unknown name."""
    if not isinstance(name, str) or name not in INDUCERS:
        raise SettingError(f"unknown model {name!r}; there are {', '.join(INDUCERS)}")
    return INDUCERS[name]


def default_recipe(name: str) -> str:
    """The name of the recipe of that model. Raises SettingError for an unknown one."""
    return name if entry_of(name).objective == "counts" else f"{name}-small"


def build(name: str, vocabulary_size: int, configuration: object) -> NeuralInducer:
    """A model with fresh random weights; ``configuration`` is of the class that its row names. Imports torch.

    Raises SettingError for an unknown name, for impossible settings, and for a model without a network.
    """
    entry = entry_of(name)
    if entry.objective == "counts":
        raise SettingError(f"a {name} has no network")
    module = importlib.import_module(f"synparse.inducers.{name.replace('-', '_')}")
    model: type = getattr(module, entry.class_name)
    inducer: NeuralInducer = model(vocabulary_size, configuration)
    return inducer
