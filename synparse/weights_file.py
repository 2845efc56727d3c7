"""weights.safetensors: what is in it, known before memory is taken for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synparse.trees.errors import DataError

if TYPE_CHECKING:
    import torch

LARGEST_HEADER = 4_000_000
"""Bytes; a tensor takes a hundred."""

KINDS = ("F32", "F16", "BF16")

LARGEST_WEIGHT = 1e6
"""Training leaves weights below ten. Bytes in the wrong order, or changed by chance, make numbers up to 1e38."""


def weight_shapes(path: Path) -> dict[str, tuple[int, ...]]:
    """The name and shape of each tensor of a safetensors file, from its header alone.

    Raises DataError where the file is damaged, its header is larger than `LARGEST_HEADER`, or it holds anything but
    numbers of `KINDS`.
    """
    with _open(path, "numpy") as weights:
        shapes = {}
        for name in weights.keys():  # noqa: SIM118 - no mapping
            part = weights.get_slice(name)
            if part.get_dtype() not in KINDS:
                raise DataError(
                    f"damaged weights: {name} holds {part.get_dtype()}, expected {', '.join(KINDS)}", str(path)
                )
            shapes[name] = tuple(part.get_shape())
        return shapes


def largest_dimension(shapes: Mapping[str, tuple[int, ...]]) -> int:
    """Of all tensors that hold anything: no vocabulary of the model has more words. 0 where there are none."""
    return max((size for shape in shapes.values() if 0 not in shape for size in shape), default=0)


def read_weights(path: Path) -> dict[str, torch.Tensor]:
    """The tensors of a safetensors file, as float32.

    Raises DataError as `weight_shapes`, and where a number is not finite or beyond `LARGEST_WEIGHT`.
    """
    with _open(path, "pt") as weights:
        state = {name: weights.get_tensor(name).float() for name in weights.keys()}  # noqa: SIM118
    for name, tensor in state.items():
        for extreme in tensor.aminmax() if tensor.numel() else ():  # not a number where any is none
            if not abs(value := extreme.item()) <= LARGEST_WEIGHT:
                raise DataError(
                    f"damaged weights, or bytes in the wrong order: {name} holds {value:.3g}, which no training leaves",
                    str(path),
                )
    return state


def _open(path: Path, framework: str) -> Any:
    """The open file. Raises DataError where there is none or its header is damaged."""
    from safetensors import SafetensorError, safe_open

    try:
        with path.open("rb") as stream:
            if int.from_bytes(stream.read(8), "little") > LARGEST_HEADER:
                raise DataError(f"damaged weights: a header of more than {LARGEST_HEADER} bytes", str(path))
        return safe_open(path, framework)
    except (OSError, SafetensorError) as error:
        raise DataError(f"damaged weights: {' '.join(str(error).split())}", str(path)) from None
