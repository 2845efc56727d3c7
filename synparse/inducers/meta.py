"""Models without weights: their shapes alone, where a file brings the values or only sizes are asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from synparse.inducers import inducer_kind


def build_on_meta(name: str, vocabulary_size: int, architecture: Any) -> Any:
    """A model on PyTorch's meta device, which takes no memory. Raises ValueError for sizes that cannot be."""
    with torch.device("meta"), _Unfilled():
        return inducer_kind(name).model(vocabulary_size, architecture)


class _Unfilled(TorchFunctionMode):
    """Draws no normal numbers: to do so on the meta device, PyTorch loads its compiler or its symbolic algebra, which
    take as long as all else that parsing loads."""

    def __torch_function__(
        self,
        function: Callable[..., Any],
        types: Sequence[type],
        arguments: tuple[Any, ...] = (),
        named: dict[str, Any] | None = None,
    ) -> Any:
        named = named or {}
        if function is nn.init.normal_:
            return (*arguments, *named.values())[0]
        if function is torch.randn:
            return torch.empty(*arguments, **named)
        return function(*arguments, **named)
