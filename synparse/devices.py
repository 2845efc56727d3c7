"""Which device computes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


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
