"""A model whose weights are a moving average of the trained weights."""

from __future__ import annotations

from typing import Any

from torch import Tensor
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from synparse.inducers.protocol import Learner


def moving_average(model: Learner, decay: float) -> AveragedModel:
    """An average that begins as the weights after the first update. The next one, after n updates, keeps a fraction
    min(decay, (1 + n) / (10 + n)) of it, so that the first, untrained weights soon lose their influence."""

    def move(averaged: Any, current: Any, updates: Tensor | int) -> None:
        n = int(updates)
        move_by = get_ema_multi_avg_fn(min(decay, (1 + n) / (10 + n)))  # type: ignore[no-untyped-call]
        move_by(averaged, current, updates)

    return AveragedModel(model, multi_avg_fn=move)
