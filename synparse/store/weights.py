"""weights.safetensors: its names and shapes, which are read before its numbers, and its storage types."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from synparse.trees.errors import DataError
from synparse.trees.limits import LARGEST_HEADER, LARGEST_WEIGHT

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

KINDS = ("F32", "F16")

Storage: TypeAlias = Literal["float32", "float16", "int8"]
"""How matrices may be stored: in four, two or one byte a number, the last with a scale for each row."""

Shapes: TypeAlias = "dict[str, tuple[int, ...]]"
"""The shape of each tensor, by its name."""

SCALE = ".scale"
"""Put after the name of an int8 matrix, the name of its scales."""

SMALLEST_SCALE = 1e-30
"""A row's largest absolute value counts as at least this, so that a row of zeros has a scale too."""


def weight_shapes(path: Path) -> Shapes:
    """The name and shape of each tensor of a safetensors file, from its header alone.

    A matrix of int8 and its scales (float32, one a row) are one tensor. Raises DataError where the file is damaged, its
    header is larger than `LARGEST_HEADER`, or it holds anything but these and numbers of `KINDS`.
    """
    kinds, shapes = {}, {}
    with _open(path) as weights:
        for name in weights.keys():  # noqa: SIM118 - no mapping
            part = weights.get_slice(name)
            kinds[name], shapes[name] = part.get_dtype(), tuple(part.get_shape())
    for name, kind in kinds.items():
        if kind == "I8":
            if kinds.get(name + SCALE) != "F32" or len(shapes[name]) < 2 or shapes[name + SCALE] != shapes[name][:-1]:
                raise DataError(f"damaged weights: {name} holds I8 without a scale for each row", str(path))
            del shapes[name + SCALE]
        elif kind not in KINDS:
            raise DataError(f"damaged weights: {name} holds {kind}, expected {', '.join(KINDS)}", str(path))
    return shapes


def refuse_other_shapes(path: Path, shapes: Shapes, expected: Shapes, fault: str) -> None:
    """Raises DataError with the ``fault`` where the file at ``path`` has other names or shapes than are expected."""
    if shapes != expected:
        name = next(n for n in sorted({*shapes, *expected}) if shapes.get(n) != expected.get(n))
        found, wanted = shapes.get(name, "missing"), expected.get(name, "nothing")
        raise DataError(f"{fault}: {name:.40} is {found}, expected {wanted}", str(path))


def largest_dimension(shapes: Mapping[str, tuple[int, ...]]) -> int:
    """The largest size in all tensors that are not empty: the model's vocabulary has no more words. 0 without any."""
    return max((size for shape in shapes.values() if 0 not in shape for size in shape), default=0)


def read_arrays(path: Path, names: Collection[str] | None = None) -> dict[str, NDArray[np.float32]]:
    """The tensors of a safetensors file, or those of these ``names``, which it must have, as float32.

    Raises DataError as `weight_shapes`, and where a number is not finite or beyond `LARGEST_WEIGHT`.
    """
    import numpy as np

    arrays = {}
    with _open(path) as weights:
        kinds = {name: weights.get_slice(name).get_dtype() for name in weights.keys()}  # noqa: SIM118 - no mapping
        scales = {name + SCALE for name, kind in kinds.items() if kind == "I8"}
        for name in kinds.keys() - scales if names is None else names:
            arrays[name] = weights.get_tensor(name).astype(np.float32, copy=False)
            if kinds[name] == "I8":
                arrays[name] *= weights.get_tensor(name + SCALE)[..., None]
    for name, array in arrays.items():
        for extreme in (array.min(), array.max()) if array.size else ():  # nan where any is nan
            if not abs(value := float(extreme)) <= LARGEST_WEIGHT:
                raise DataError(
                    f"damaged weights, or bytes in the wrong order: {name} holds {value:.3g}, which no training leaves",
                    str(path),
                )
    return arrays


def read_weights(path: Path, zeros: Shapes | None = None) -> dict[str, torch.Tensor]:
    """As `read_arrays`, for PyTorch, and tensors of ``zeros``, which the file does not have."""
    import torch

    read = {name: torch.from_numpy(array) for name, array in read_arrays(path).items()}
    return read | {name: torch.zeros(shape) for name, shape in (zeros or {}).items()}


def stored_as(state: Mapping[str, torch.Tensor], storage: Storage) -> dict[str, torch.Tensor]:
    """Float32 tensors as a file stores them; vectors, which are small, stay float32.

    int8 scales each row so that its largest absolute value is 127. `read_weights` is the inverse.
    """
    import torch

    stored = {}
    for name, tensor in state.items():
        if tensor.dim() < 2 or storage == "float32":
            stored[name] = tensor
        elif storage == "float16":
            stored[name] = tensor.half()
        else:
            scale = tensor.abs().amax(-1).clamp(min=SMALLEST_SCALE) / 127
            stored[name] = (tensor / scale[..., None]).round().to(torch.int8)
            stored[name + SCALE] = scale
    return stored


def _open(path: Path) -> Any:
    """The open file. Raises DataError where it is missing or its header is damaged."""
    from safetensors import SafetensorError, safe_open

    try:
        with path.open("rb") as stream:
            if int.from_bytes(stream.read(8), "little") > LARGEST_HEADER:
                raise DataError(f"damaged weights: a header of more than {LARGEST_HEADER} bytes", str(path))
        return safe_open(path, "numpy")
    except (OSError, SafetensorError) as error:
        raise DataError(f"damaged weights: {' '.join(str(error).split())}", str(path)) from None
