"""The half of a model that parsing runs."""

from __future__ import annotations

from typing import Any


def keep_parser_only(inducer: Any, layers: int = 0) -> None:
    """Take out of a model what ``induce`` does not read: all but the parts that its class names as ``PARSER``.

    layers: where trees can be read from any layer, keep these first ones alone; 0 keeps all.
    """
    parts = [*inducer.named_children(), *inducer.named_parameters(recurse=False)]
    for name in [name for name, _ in parts if name not in inducer.PARSER]:
        delattr(inducer, name)
    if layers:
        del inducer.layers[layers:]
