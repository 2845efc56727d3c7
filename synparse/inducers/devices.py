"""The device that computes, and its precision."""

from __future__ import annotations

import contextlib
import ctypes.util
import functools
import importlib.util
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from synparse.trees.errors import SettingError

if TYPE_CHECKING:
    import torch
    from torch import nn


Precision: TypeAlias = Literal["auto", "float32", "bfloat16"]

PRECISIONS = get_args(Precision)


def keep_few_products() -> None:
    """Let oneDNN keep the compiled products of few batch shapes: by default it keeps a thousand, of a tenth of a
    megabyte each, but batches of sentences seldom have the same shape. Called before the first product."""
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "16")


def pick_device(name: str) -> torch.device:
    """``auto`` is a GPU where PyTorch sees one, else the CPU; any other name is PyTorch's (cpu, cuda, cuda:1, mps).

    Raises SettingError for a device that is not there.
    """
    import torch

    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError, TypeError):
        raise SettingError(f"this machine has no device {name!r}; auto and cpu always work") from None
    return device


def has_torch() -> bool:
    """Whether PyTorch is installed."""
    return importlib.util.find_spec("torch") is not None


def needs_no_torch(device: str, precision: str) -> bool:
    """Whether NumPy should compute a model that it can compute, which saves the two seconds of loading PyTorch: on a
    CPU, in float32. ``auto`` means the CPU if there is no GPU, or no PyTorch."""
    if precision != "float32" or device not in ("auto", "cpu"):
        return False
    return device == "cpu" or not _has_gpu() or not has_torch()


def _has_gpu() -> bool:
    """Whether there may be a GPU that PyTorch sees as CUDA: whether the files of a driver are there."""
    if sys.platform == "win32":
        return ctypes.util.find_library("nvcuda") is not None
    return any(Path(path).exists() for path in ("/dev/nvidiactl", "/dev/dxg", "/dev/kfd"))


@contextlib.contextmanager
def tensor_float32(device: torch.device) -> Iterator[None]:
    """Within, float32 products on a GPU may use TF32 (10 bits of mantissa). A run or a batch is computed in it."""
    import torch

    before = torch.get_float32_matmul_precision()
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


def mixed_precision(device: torch.device, precision: str, model: nn.Module) -> Callable[[], Any]:
    """A function that makes the context in which a model computes.

    ``auto``: matrix products in bfloat16 where the device can compute all that the model needs in it and is fast at it
    (GPUs that have it; CPUs with AMX), float32 elsewhere. ``float32`` and ``bfloat16`` say which. Raises SettingError
    for a ``bfloat16`` that the device cannot compute in.
    """
    import torch
    from torch import nn

    if precision == "float32" or (precision == "auto" and not _is_fast_at_bfloat16(device)):
        return contextlib.nullcontext
    has_lstm = any(isinstance(part, nn.LSTM) for part in model.modules())
    kinds = ("matrix product", "LSTM") if has_lstm else ("matrix product",)
    missing = [kind for kind in kinds if not _computes_in_bfloat16(kind, device)]
    if not missing:
        return lambda: torch.autocast(device.type, torch.bfloat16)
    if precision == "auto":
        return contextlib.nullcontext
    where = "processor" if device.type == "cpu" else f"device ({device})"
    raise SettingError(f"bfloat16: this {where} has no bfloat16 {missing[0]}; choose float32")


@functools.cache
def _computes_in_bfloat16(kind: str, device: torch.device) -> bool:
    """Whether the smallest such computation, forwards and backwards, succeeds. Some milliseconds, once."""
    import torch
    from torch import nn

    with torch.random.fork_rng(devices=[]), torch.inference_mode(False), torch.enable_grad():
        try:
            module = (nn.LSTM if kind == "LSTM" else nn.Linear)(8, 8).to(device)
            with torch.autocast(device.type, torch.bfloat16):
                out = module(torch.ones(2, 2, 8, device=device))
            (out[0] if kind == "LSTM" else out).sum().backward()
        except RuntimeError:  # oneDNN has its bfloat16 LSTM for some instruction sets only
            return False
    return True


def _is_fast_at_bfloat16(device: torch.device) -> bool:
    import torch

    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return device.type == "cpu" and bool(torch.cpu._is_amx_tile_supported())


def compiled(function: Callable[..., Any], device: torch.device) -> Callable[..., Any]:
    """``function``, compiled by PyTorch on a GPU, unchanged elsewhere. What the compiler warns of, such as functions
    whose results are cached, is for those who write models, not for those who train them."""
    import torch

    if device.type != "cuda":
        return function
    warnings.filterwarnings("ignore", module=r"torch\._(dynamo|inductor)\.")
    return torch.compile(function, dynamic=True)
