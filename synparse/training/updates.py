"""The updates of a run: the gradient of a batch and a step of the optimizer. Out of memory, the batch is split; after a
request to stop, the update is abandoned."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

from synparse.config.training import TrainingConfig
from synparse.inducers.batch import Loss
from synparse.inducers.devices import compiled, mixed_precision
from synparse.training.distribution import Workers
from synparse.training.gradients import BatchLoss, add_gradients
from synparse.training.objectives import Objective, TrainingBatch
from synparse.training.state import TrainingState, random_states, restore_random_states
from synparse.training.stopping import Abandoned, StopRequest
from synparse.trees.errors import TrainingError


@dataclass
class Updates:
    """How the updates of ``state`` are made: settings, device, the processes, and the request that may stop them.

    precision: makes the context that the model computes in; loss_of: the loss of the model, compiled on a GPU. Raises
    SettingError for a precision that the device cannot do.
    """

    state: TrainingState
    config: TrainingConfig
    device: torch.device
    workers: Workers = field(default_factory=Workers)
    stop: StopRequest = field(default_factory=StopRequest)
    precision: Callable[[], Any] = field(init=False)
    loss_of: Callable[[Any], Loss] = field(init=False)

    def __post_init__(self) -> None:
        self.precision = mixed_precision(self.device, self.config.precision, self.state.model)
        self.loss_of = compiled(self.state.model.loss, self.device)

    def update(self, training_batch: TrainingBatch, fraction: float) -> bool:
        """Make one update on the batch at the position of the state, ``fraction`` of the run being done after it.

        False, and nothing is changed, where the run was asked to stop before the gradient was there. Raises
        TrainingError where the loss is not a number, and where memory does not suffice.
        """
        state, step = self.state, self.state.step + 1
        gradient = self._gradient(training_batch.batch._replace(state=state.carried if state.batch_index else None))
        if gradient is None:
            return False
        rate = state.schedule.rate(step, fraction) * training_batch.rate_factor
        loss = self.workers.sums([gradient.total])[0] / max(1, gradient.predictions)
        if not math.isfinite(loss):
            raise TrainingError(
                f"the loss is not a number at step {step}; lower training.learning_rate (it is "
                f"{self.config.learning_rate:g}) or training.gradient_clip, or lengthen training.warmup_steps"
            )
        if gradient.predictions:
            for group in state.optimizer.param_groups:
                group["lr"] = rate
            torch.nn.utils.clip_grad_norm_(state.model.parameters(), self.config.gradient_clip)
            state.optimizer.step()
        if state.average is not None:
            state.average.update_parameters(state.model)
        state.step, state.loss, state.rate, state.carried = step, loss, rate, gradient.state
        state.words += training_batch.words
        return True

    def _gradient(self, batch: Any) -> BatchLoss | None:
        """The gradient of a batch, in as many parts as the device has memory for; ``state`` remembers how many.

        None where the run was asked to stop. Each attempt begins with the same random numbers.
        """
        state, is_alone = self.state, self.workers.size == 1  # processes that wait for each other finish their step
        before = random_states()
        while True:
            state.optimizer.zero_grad()
            try:
                with self.stop.abandoning() if is_alone else contextlib.nullcontext():
                    gradient = add_gradients(
                        self.loss_of, batch, self.workers, self.device, state.parts, self.precision
                    )
                if not is_alone:
                    self.workers.sum_gradients(state.model)
                return gradient
            except Abandoned:
                restore_random_states(before)
                return None
            except (RuntimeError, MemoryError) as error:
                if not is_want_of_memory(error):
                    if is_alone:
                        raise
                    text = f"step {state.step + 1}: another process of the run has died ({error})"
                    raise TrainingError(text) from None
                if self.device.type == "cpu" or not is_alone or state.parts >= len(batch.words):
                    raise TrainingError(self._out_of_memory(batch)) from None
            state.parts *= 2
            restore_random_states(before)
            torch.cuda.empty_cache()

    def _out_of_memory(self, batch: Any) -> str:
        size = next(name for name in ("streams", "batch_tokens", "batch_size") if hasattr(self.config, name))
        return (
            f"out of memory at step {self.state.step + 1}, on a batch of {' × '.join(map(str, batch.words.shape))} "
            f"words in {self.state.parts} parts; raise training.accumulation, which gives the same updates, "
            f"or lower training.{size}"
        )

    def validation(self, objective: Objective) -> float | None:
        """The score of the held-out data, which the first process finds; None where the run was asked to stop before it
        was there."""
        score, model = -math.inf, self.state.validated_model
        if self.workers.is_first:
            model.eval()
            with contextlib.suppress(Abandoned), self.stop.abandoning():
                score = objective.score(model, self.device, self.precision)
            model.train()
            self.state.model.train()
        score = self.workers.of_first(score)
        return None if score == -math.inf else score


def is_want_of_memory(error: Exception) -> bool:
    """Whether PyTorch or Python could not get the memory that it asked for."""
    return isinstance(error, (torch.OutOfMemoryError, MemoryError)) or "can't allocate memory" in str(error)
