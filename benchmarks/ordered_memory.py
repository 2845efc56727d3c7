"""Ordered Memory: speed of its recurrence, and as a fraction of the speed of this machine's matrix product.

    python benchmarks/ordered_memory.py [--hidden-size 128] [--slots 21] [--sentences 128] [--words 30] [--steps 5]

Operations are counted, not assumed: at each word, for each open slot, a sentence is multiplied by [D, 4D] twice and by
[4D, 4D] once (the cell) and by [D, D] (the attention's key); twice more by [D, D] for the word itself; and all of this
three times, forward and backward. Time is processor time over all threads, so that other work on the machine does not
count, although it uses the same caches; the product is measured before and after each step, with as many threads.

The first row is an untrained model, whose attention is spread over all slots; the second is a model in which every word
completes all constituents, as in a left-branching language: one slot is open. Trained models are in between.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

from synparse.inducers.ordered_memory import OrderedMemory, OrderedMemoryConfig

SGEMM_SIZE = 1024


def processor_seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def sgemm_rate() -> float:
    """Floating-point operations of a large float32 matrix product per second of processor time."""
    a, b = torch.randn(2, SGEMM_SIZE, SGEMM_SIZE)
    return 2 * SGEMM_SIZE**3 / statistics.median(processor_seconds(lambda: a @ b) for _ in range(5))


def operations(D: int, sentences: int, open_slots: tuple[int, ...]) -> int:
    """Of the matrix products of one forward and backward pass."""
    slots = sum(open_slots)
    of_slots = slots * (2 * 4 * D * D + 16 * D * D + D * D)
    return 3 * 2 * sentences * (of_slots + len(open_slots) * 2 * D * D)


def measure(name: str, model: OrderedMemory, sentences: int, words: int, steps: int) -> None:
    D = len(model.word.weight)
    rates, times = [sgemm_rate()], []
    open_slots: tuple[int, ...] = ()
    for step in range(steps + 1):
        inputs = torch.randn(words, sentences, D, requires_grad=True)

        def update(inputs: torch.Tensor = inputs) -> None:
            nonlocal open_slots
            reading = model(inputs)
            open_slots = reading.open_slots
            reading.outputs.square().mean().backward()

        spent = processor_seconds(update)
        if step:  # the first one warms up
            times.append(spent)
        rates.append(sgemm_rate())
    seconds, rate = statistics.median(times), statistics.median(rates)
    fraction = operations(D, sentences, open_slots) / seconds / rate
    tokens = words * sentences / seconds
    mean = sum(open_slots) / len(open_slots)
    print(f"{name:<18} {mean:>10.1f} {tokens:>12,.0f} {rate / 1e9:>12.0f} {100 * fraction:>10.0f} %")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--hidden-size", type=int, default=128)
    options.add_argument("--slots", type=int, default=21)
    options.add_argument("--sentences", type=int, default=128)
    options.add_argument("--words", type=int, default=30)
    options.add_argument("--steps", type=int, default=5)
    chosen = options.parse_args()
    torch.manual_seed(1)
    config = OrderedMemoryConfig(chosen.hidden_size, chosen.slots, cell_dropout=0.0, attention_dropout=0.0)
    model = OrderedMemory(chosen.hidden_size, config)
    print(f"D {chosen.hidden_size}, {chosen.slots} slots, {chosen.sentences} sentences of {chosen.words} words")
    print(f"{'attention':<18} {'open slots':>10} {'words/s':>12} {'GFLOP/s':>12} {'fraction':>12}")
    measure("at the start", model, chosen.sentences, chosen.words, chosen.steps)
    single = OrderedMemory(chosen.hidden_size, OrderedMemoryConfig(chosen.hidden_size, 1, cell_dropout=0.0))
    measure("one slot", single, chosen.sentences, chosen.words, chosen.steps)


if __name__ == "__main__":
    main()
