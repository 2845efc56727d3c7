"""One file per model, readable beside its paper; each offers ``loss(batch)`` and ``induce(batch)``.

All but the student find their trees in text; the student learns those that it is shown.
"""

from __future__ import annotations

import importlib
from typing import Any, Literal, NamedTuple, TypeAlias

from synparse.inducers.configurations import CONFIGURATIONS
from synparse.trees.errors import SettingError


class InducerKind(NamedTuple):
    """A model class and the frozen dataclass of its sizes."""

    model: type[Any]
    config: type[Any]


class Traits(NamedTuple):
    """What can be known of a model without loading it.

    gives_distances: its constituents come from syntactic distances; gives_heads: it scores heads; reads_stream: it is
    trained to predict the next word of a stream of sentences, not the masked words of single ones; has_tree_layers:
    its trees can be read from any of its layers; gives_heights: its heads can be read off its constituents;
    learns_from_trees: it is trained to predict trees, and its corpus must have them.
    """

    gives_distances: bool
    gives_heads: bool
    reads_stream: bool = False
    has_tree_layers: bool = False
    gives_heights: bool = False
    learns_from_trees: bool = False


TRAITS = {
    "structformer": Traits(gives_distances=True, gives_heads=True, gives_heights=True),
    "udgn": Traits(gives_distances=False, gives_heads=True),
    "on-lstm": Traits(gives_distances=True, gives_heads=False, reads_stream=True, has_tree_layers=True),
    "ordered-memory": Traits(gives_distances=True, gives_heads=False, reads_stream=True),
    "student": Traits(gives_distances=True, gives_heads=True, learns_from_trees=True),
}
INDUCER_NAMES = tuple(TRAITS)
InducerName: TypeAlias = Literal["structformer", "udgn", "on-lstm", "ordered-memory", "student"]

_CLASSES = {
    "structformer": ("structformer", "StructFormer"),
    "udgn": ("udgn", "Udgn"),
    "on-lstm": ("on_lstm", "OnLstm"),
    "ordered-memory": ("ordered_memory", "OrderedMemoryInducer"),
    "student": ("student", "Student"),
}
"""The module and the class of each model."""


def inducer_kind(name: str) -> InducerKind:
    """The inducer of that name. Imports torch. Raises SettingError for an unknown name."""
    if name not in _CLASSES:
        raise SettingError(f"unknown model {name!r}; there are {', '.join(INDUCER_NAMES)}")
    module, model = _CLASSES[name]
    return InducerKind(getattr(importlib.import_module(f"synparse.inducers.{module}"), model), CONFIGURATIONS[name])
