"""Preparing a model for parsing: building it without weights, dropping the parts that only training uses, and choosing
the layer that trees are read from."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from synparse.inducers.protocol import NeuralInducer
from synparse.inducers.table import build
from synparse.trees.errors import SettingError


def build_on_meta(name: str, vocabulary_size: int, configuration: object) -> NeuralInducer:
    """A model on PyTorch's meta device: shapes without values, which take no memory; a file brings the values, or only
    sizes are asked for. Raises SettingError and RuntimeError for impossible sizes."""
    with torch.device("meta"), _Unfilled():
        return build(name, vocabulary_size, configuration)


def keep_parser_only(inducer: NeuralInducer, layers: int = 0) -> None:
    """Delete from a model what ``induce`` does not read: all but the parts that its class names as ``PARSER``.

    layers: where trees can be read from any layer, keep the first ones alone and read trees from the last of them; 0
    keeps all.
    """
    parts = [*inducer.named_children(), *inducer.named_parameters(recurse=False)]
    for name in [name for name, _ in parts if name not in inducer.PARSER]:
        delattr(inducer, name)
    if layers:
        del _layers(inducer)[layers:]
        inducer.tree_layer = layers


def choose_tree_layer(inducer: NeuralInducer, layer: int) -> None:
    """Read trees from that layer (from 1) of a model that has several. Raises SettingError where it is not there."""
    count = len(_layers(inducer))
    if layer not in range(1, count + 1):
        raise SettingError(f"--layer: there is no layer {layer}; this model has layers 1 to {count}")
    inducer.tree_layer = layer


def _layers(inducer: NeuralInducer) -> nn.ModuleList:
    layers = inducer.layers
    assert isinstance(layers, nn.ModuleList)
    return layers


class _Unfilled(TorchFunctionMode):
    """Draws no normal numbers: to do so on the meta device, PyTorch loads its compiler or its symbolic algebra, which
    take as long as all else that parsing loads."""

    def __torch_function__(self, function: Any, types: Any, arguments: Any = (), named: Any = None) -> Any:
        named = named or {}
        if function is nn.init.normal_:
            return (*arguments, *named.values())[0]
        if function is torch.randn:
            return torch.empty(*arguments, **named)
        return function(*arguments, **named)
