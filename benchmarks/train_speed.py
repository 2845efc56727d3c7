"""Training speed at paper size: tokens/s, and as a fraction of the speed of this machine's matrix product.

    python benchmarks/train_speed.py [--recipe structformer-ptb udgn-ptb on-lstm-ptb] [--steps 5] [--device auto]

The fraction is 6 × matrix parameters × tokens/s over the measured rate of float32 matrix products (PyTorch's ``@``): a
forward and a backward pass multiply each word by each matrix three times, two operations per parameter. Embedding and
output matrix are left out of the parameters (of masked models the output is computed on masked words only), so the
fraction is on the low side. Matrix products are timed before, between and after the steps, because the rate of a shared
machine drifts.

An ON-LSTM is compared with an LSTM of the same sizes; all else (embedding, dropout, output matrix, penalties,
optimizer) is equal; their steps take turns.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import partial
from typing import Any

import torch

from synparse.config.recipe import NetworkStage, load_recipe
from synparse.config.training import MaskedTraining, StreamTraining, TextTraining, TreeTraining
from synparse.inducers.batch import Batch, on_device
from synparse.inducers.configurations import LstmConfig, OnLstmConfig
from synparse.inducers.devices import compiled, mixed_precision, pick_device, tensor_float32
from synparse.inducers.table import build
from synparse.training.allocation import keep_freed_memory
from synparse.training.objectives import mask_words
from synparse.training.state import make_optimizer

VOCABULARY = 10_000
LENGTH = 28  # words in a batch's sentences; one length, as length-grouped batches nearly have
STREAMS = 40  # rows of a stream, as the authors' speed was measured
SGEMM_SIZE = 2048


def sgemm_rate(device: torch.device) -> float:
    """Floating-point operations per second of a large float32 matrix product, median of five."""
    a, b = torch.randn(2, SGEMM_SIZE, SGEMM_SIZE, device=device)
    return 2 * SGEMM_SIZE**3 / statistics.median(seconds(lambda: a @ b, device) for _ in range(5))


def seconds(work: Callable[[], Any], device: torch.device) -> float:
    start = time.perf_counter()
    work()
    if device.type == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - start


def lstm_like(config: OnLstmConfig) -> LstmConfig:
    """The sizes and regularisation of an ON-LSTM, for an LSTM."""
    return LstmConfig(**{field.name: getattr(config, field.name) for field in fields(LstmConfig)})


def batches(training: TextTraining) -> Iterator[Batch]:
    generator = torch.Generator().manual_seed(1)
    while True:
        if isinstance(training, StreamTraining):
            words = torch.randint(4, VOCABULARY, (STREAMS, training.bptt + 1), generator=generator)
            yield Batch(words[:, :-1], torch.full((STREAMS,), training.bptt), words[:, 1:])
            continue
        assert isinstance(training, MaskedTraining | TreeTraining)
        words = torch.randint(4, VOCABULARY, (training.batch_tokens // LENGTH, LENGTH), generator=generator)
        if isinstance(training, TreeTraining):
            heads = torch.arange(LENGTH).expand_as(words)  # which trees they are, is no matter of speed
            brackets = torch.tensor([0, LENGTH]).expand(len(words), LENGTH - 1, 2)
            yield Batch(words, torch.full((len(words),), LENGTH), heads, brackets=brackets)
        else:
            yield mask_words(words, torch.full((len(words),), LENGTH), training.mask_rate, generator)


def trainer(model: Any, training: TextTraining, device: torch.device) -> Callable[[Batch], None]:
    """A function that makes one update."""
    model = model.to(device).train()
    optimizer = make_optimizer(model, training)
    precision, score = mixed_precision(device, training.precision, model), compiled(model.loss, device)

    def update(batch: Batch) -> None:
        optimizer.zero_grad()
        with precision():
            loss = score(batch)
        (loss.total / loss.predictions + loss.penalty).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), training.gradient_clip)
        optimizer.step()

    return update


def measure(name: str, network: NetworkStage, steps: int, device: torch.device) -> None:
    torch.manual_seed(1)
    model = build(network.model, VOCABULARY, network.architecture)
    updates = {network.model: trainer(model, network.training, device)}
    if isinstance(network.architecture, OnLstmConfig):
        updates["lstm"] = trainer(build("lstm", VOCABULARY, lstm_like(network.architecture)), network.training, device)
    rates = [sgemm_rate(device)]
    speeds: dict[str, list[float]] = {kind: [] for kind in updates}
    for step, batch in zip(range(steps + 1), batches(network.training), strict=False):
        there = on_device(batch, device)
        for kind, update in updates.items():
            spent = seconds(partial(update, there), device)
            if step:  # the first one warms up
                speeds[kind].append(batch.words.numel() / spent)
        rates.append(sgemm_rate(device))
    rate = statistics.median(rates)
    print(f"recipe                 {name} ({device}, {torch.get_num_threads()} threads)")
    print(f"matrix parameters      {model.matrix_parameters():,}")
    print(f"batch                  {batch.words.shape[0]} rows of {batch.words.shape[1]} words")
    for kind, values in speeds.items():
        print(f"{kind:<22} {statistics.median(values):,.0f} tokens/s (median; {min(values):,.0f}–{max(values):,.0f})")
    print(f"float32 product        {rate / 1e9:,.0f} GFLOP/s ({min(rates) / 1e9:,.0f}–{max(rates) / 1e9:,.0f})")
    speed = statistics.median(speeds[network.model])
    print(f"fraction of that rate  {100 * 6 * model.matrix_parameters() * speed / rate:.0f} %")
    if "lstm" in speeds:
        pairs = zip(speeds[network.model], speeds["lstm"], strict=True)
        print(f"ratio to an LSTM        {statistics.median(ours / theirs for ours, theirs in pairs):.2f}")
    print()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--recipe", nargs="+", default=["structformer-ptb", "udgn-ptb", "on-lstm-ptb"])
    options.add_argument("--steps", type=int, default=5)
    options.add_argument("--device", default="auto")
    chosen = options.parse_args()
    keep_freed_memory()  # as a run does
    for name in chosen.recipe:
        device = pick_device(chosen.device)
        with tensor_float32(device):
            measure(name, load_recipe(name).networks[0], chosen.steps, device)


if __name__ == "__main__":
    main()
