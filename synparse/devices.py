"""Which device computes, and in which precision."""

from __future__ import annotations

import contextlib
import ctypes.util
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


PRECISIONS = ("auto", "float32", "bfloat16")


def pick_device(name: str) -> torch.device:
    """``auto`` is a GPU where PyTorch sees one, else the CPU; any other name is PyTorch's (cpu, cuda, cuda:1, mps).

    Raises ValueError for a device that is not there.
    """
    import torch

    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError):
        raise ValueError(f"no device {name!r} here; auto and cpu always work") from None
    return device


def needs_no_torch(device: str, precision: str) -> bool:
    """Whether a model that NumPy can compute is not to be computed by PyTorch, which takes two seconds to load: on a
    CPU, in float32. ``auto`` is a CPU where there is no GPU, or no PyTorch to use it."""
    if precision != "float32" or device not in ("auto", "cpu"):
        return False
    return device == "cpu" or not _has_gpu() or importlib.util.find_spec("torch") is None


def _has_gpu() -> bool:
    """Whether there may be one that PyTorch sees as CUDA, by what its driver shows of it."""
    if sys.platform == "win32":
        return ctypes.util.find_library("nvcuda") is not None
    return any(Path(path).exists() for path in ("/dev/nvidiactl", "/dev/dxg", "/dev/kfd"))


def share_threads(processes: int) -> None:
    """Let this process use its share of the processor's threads, where ``processes`` compute at once."""
    import torch

    torch.set_num_threads(max(1, torch.get_num_threads() // processes))


def mixed_precision(device: torch.device, precision: str) -> Callable[[], Any]:
    """A function that makes the context in which a model computes.

    ``auto``: matrix products in bfloat16 where the device is fast at it (GPUs that have it; CPUs with AMX), float32
    elsewhere. ``float32`` and ``bfloat16`` say which. Float32 products on a GPU may use TF32.
    """
    import torch

    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    if precision == "auto":
        precision = "bfloat16" if _is_fast_at_bfloat16(device) else "float32"
    if precision == "float32":
        return contextlib.nullcontext
    return lambda: torch.autocast(device.type, torch.bfloat16)


def _is_fast_at_bfloat16(device: torch.device) -> bool:
    import torch

    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return device.type == "cpu" and bool(torch.cpu._is_amx_tile_supported())


def compiled(function: Callable[..., Any], device: torch.device) -> Callable[..., Any]:
    """``function`` as PyTorch's compiler makes it on a GPU, as it is elsewhere."""
    import torch

    return torch.compile(function, dynamic=True) if device.type == "cuda" else function
