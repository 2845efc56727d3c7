"""What each kernel gives: the time of an update without it, of the time with it, in the small recipe that uses it.

    OMP_NUM_THREADS=1 python -m benchmarks.kernels [--recipe on-lstm-small …] [--rounds 9] [--seconds 1]
    OMP_NUM_THREADS=1 ONEDNN_MAX_CPU_ISA=AVX2 ATEN_CPU_CAPABILITY=avx2 MKL_ENABLE_INSTRUCTIONS=AVX2 python -m …

The second line imitates a processor without AVX-512. Without a kernel, the plain formula that its docstring names is
computed. Two models train on the same batches of random words, one with the kernel and one without, in turns of about a
second; printed are median and quartiles of the ratios of the turns, in processor time. Those that are below 1.05 with
either kind of instructions are not worth their lines: benchmarks/kernels.tsv says which were dropped.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from unittest.mock import patch

import torch
from torch import Tensor
from torch.nn import functional

from benchmarks.train_speed import VOCABULARY, batches, trainer
from synparse.config.recipe import load_recipe
from synparse.inducers import on_lstm, ordered_memory
from synparse.inducers.batch import Batch
from synparse.inducers.kernels.convolution import SentenceConvolution
from synparse.inducers.kernels.open_slots import Memory, MemoryOutput
from synparse.inducers.table import build
from synparse.training import allocation


def plain_convolution(convolution: SentenceConvolution, states: Tensor) -> Tensor:
    weight, reach = convolution.weight.permute(2, 1, 0), convolution.width // 2
    return functional.conv1d(states.transpose(1, 2), weight, convolution.bias, padding=reach).transpose(1, 2)


def plain_candidates(cell, word, memory, occupied, norm):
    candidate, candidates = word, []
    for left, weight in zip(memory, occupied[..., None], strict=True):
        candidate = word * (1 - weight) + cell(left, candidate, norm) * weight
        candidates.append(candidate)
    return torch.stack(candidates)


def all_slots(model, inputs, memory, begins):
    N = model.slots
    before = memory or Memory.empty(inputs.shape[1], model.word.out_features, inputs)
    leaf, *state = (rows.transpose(0, 1) for rows in before.carried(N))
    outputs, attended = [], []
    for word, goes_on in zip(inputs, (~begins).to(inputs), strict=True):
        memory, candidates, occupied = state
        state = [goes_on[:, None] * memory, goes_on[:, None] * candidates, goes_on * occupied]
        *state, p = ordered_memory.ordered_memory_step(model, word, *state)
        outputs.append(state[1][-1])
        attended.append(p.argmax(0) + 1)
    return MemoryOutput(torch.stack(outputs), torch.stack(attended), Memory(leaf.t(), *state))


@contextlib.contextmanager
def freed_memory_returned() -> Iterator[None]:
    """As glibc has it from the start."""
    mallopt = ctypes.CDLL(None).mallopt
    mallopt(allocation._MMAP_THRESHOLD, 2**25)
    mallopt(allocation._TRIM_THRESHOLD, 2**26)
    yield
    allocation.keep_freed_memory()


Without = Callable[[], contextlib.AbstractContextManager[object]]
"""Makes a context in which a kernel is not used."""

KERNELS: dict[str, tuple[tuple[str, ...], Without]] = {
    "convolution in the frequency domain": (
        ("structformer-small",),
        lambda: patch.object(SentenceConvolution, "forward", plain_convolution),
    ),
    "the ON-LSTM's backward pass": (
        ("on-lstm-small",),
        lambda: patch.object(on_lstm, "ordered_neurons", on_lstm.on_lstm_layer),
    ),
    "the backward pass of Ordered Memory's cell": (
        ("ordered-memory-small",),
        lambda: patch.object(ordered_memory.GatedCell, "candidates", plain_candidates),
    ),
    "open slots of Ordered Memory alone, and its cell": (
        ("ordered-memory-small",),
        lambda: patch.object(ordered_memory.OrderedMemory, "forward", all_slots),
    ),
    "memory that is kept": (
        ("udgn-small", "structformer-small", "student-small", "on-lstm-small"),
        freed_memory_returned,
    ),
}


def processor_seconds(update: Callable[[Batch], None], some: list[Batch]) -> float:
    start = time.process_time()
    for batch in some:
        update(batch)
    return time.process_time() - start


def ratios(recipe_name: str, without: Without, rounds: int, seconds: float) -> list[float]:
    """The time of updates without a kernel, of the time with it."""
    network = load_recipe(recipe_name).networks[0]
    ours, theirs = (
        trainer(build(network.model, VOCABULARY, network.architecture), network.training, torch.device("cpu"))
        for _ in range(2)
    )
    source = batches(network.training)

    def turn(count: int) -> tuple[float, float]:
        some = list(itertools.islice(source, count))
        with_it = processor_seconds(ours, some)
        with without():
            return with_it, processor_seconds(theirs, some)

    turn(1)  # the first one warms up
    count = max(1, round(seconds / turn(1)[0]))
    turns = (turn(count) for _ in range(rounds))
    return [without_it / with_it for with_it, without_it in turns]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--recipe", nargs="+", help="these alone")
    options.add_argument("--rounds", type=int, default=9)
    options.add_argument("--seconds", type=float, default=1.0)
    chosen = options.parse_args()
    allocation.keep_freed_memory()  # as a run does
    torch.manual_seed(1)
    for name, (recipes, without) in KERNELS.items():
        for recipe in recipes:
            if recipe in (chosen.recipe or recipes):
                low, middle, high = statistics.quantiles(ratios(recipe, without, chosen.rounds, chosen.seconds))
                instructions = torch.backends.cpu.get_cpu_capability()
                print(f"{name}\t{recipe}\t{instructions}\t× {middle:.2f} ({low:.2f}–{high:.2f})", flush=True)


if __name__ == "__main__":
    main()
