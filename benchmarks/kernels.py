"""The kernels of the paper-size models and their alternatives, in per cent of the rate of large float32 products.

    python benchmarks/kernels.py
    ONEDNN_MAX_CPU_ISA=AVX2 ATEN_CPU_CAPABILITY=avx2 MKL_ENABLE_INSTRUCTIONS=AVX2 python benchmarks/kernels.py

The second line imitates a processor without AVX-512. Operations are counted as in the direct sum, so a convolution in
the frequency domain may exceed 100 %, and so may oneDNN if MKL, whose product is the unit, does not use the widest
instructions of the processor. On two cores of an AMD Zen 5 (2026-11-22; medians of five in turns):

| | AVX-512 | AVX2 |
|---|---|---|
| product, 4,088 rows, 1,024 → 1,024: MKL | 101 | 101 |
| … oneDNN, as used | 218 | 112 |
| gradient of its weight: MKL | 102 | 100 |
| … oneDNN, as used | 181 | 98 |
| step of a recurrence, 40 rows, 1,150 → 4,830: MKL | 56 | 55 |
| … oneDNN, weights laid out first, as used | 165 | 99 |
| convolution, 9 wide, with its gradient: conv1d | 188 | 90 |
| … in the frequency domain, as used | 190 | 182 |
| LSTM, 1,024 → 512, with its gradient: nn.LSTM, as used | 172 | 101 |
| … a loop with a backward pass of its own, as the ON-LSTM has | 178 | 99 |

So one choice is best for both, and a run does not time them: its result would depend on that.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

from synparse.inducers.kernels.convolution import SentenceConvolution
from synparse.inducers.kernels.products import linear, product_with, weight_gradient
from synparse.inducers.udgn import HeadSelectiveParser, UdgnConfig

ROUNDS = 5
SGEMM_SIZE = 2048
ROWS, LENGTH, SIZE = 146, 28, 512  # of a batch of the paper-size recipes


def with_gradient(function: Callable[[Tensor], Tensor], states: Tensor) -> Callable[[], None]:
    """A forward and a backward pass."""
    direction = torch.randn_like(function(states))

    def run() -> None:
        (function(states) * direction).sum().backward()

    return run


def kernels() -> dict[str, tuple[float, Callable[[], object]]]:
    """Name → floating-point operations, and the call."""
    rows, d_rows = torch.randn(2, 4088, 1024)
    weight = torch.randn(1024, 1024)
    state, recurrent = torch.randn(40, 1150), torch.randn(4830, 1150)
    step = product_with(recurrent, 40)
    convolution, lstm = SentenceConvolution(SIZE, 9), nn.LSTM(2 * SIZE, SIZE, batch_first=True)
    states = torch.randn(ROWS, LENGTH, SIZE, requires_grad=True)
    wide = torch.randn(ROWS, LENGTH, 2 * SIZE, requires_grad=True)
    parser = HeadSelectiveParser(10_000, UdgnConfig()).eval()
    words, lengths = torch.randint(10_000, (200, 20)), torch.full((200,), 20)
    present = torch.ones(200, 20, dtype=torch.bool)

    def direct(states: Tensor) -> Tensor:
        kernel = convolution.weight.permute(2, 1, 0)
        return functional.conv1d(states.transpose(1, 2), kernel, convolution.bias, padding=4)

    @torch.inference_mode()
    def parse() -> Tensor:
        return parser(words, lengths, present)

    product, recurrence = 2.0 * 4088 * 1024**2, 2.0 * 40 * 1150 * 4830
    convolved, passed = 6.0 * ROWS * LENGTH * 9 * SIZE**2, 6.0 * ROWS * LENGTH * 4 * SIZE * 3 * SIZE
    parameters = sum(p.numel() for name, p in parser.named_parameters() if p.dim() > 1 and "embedding" not in name)
    return {
        "product: MKL": (product, lambda: functional.linear(rows, weight)),
        "product: oneDNN": (product, lambda: linear(rows, weight)),
        "gradient of a weight: MKL": (product, lambda: d_rows.t() @ rows),
        "gradient of a weight: oneDNN": (product, lambda: weight_gradient(d_rows, rows)),
        "step of a recurrence: MKL": (recurrence, lambda: state @ recurrent.t()),
        "step of a recurrence: oneDNN": (recurrence, lambda: step(state)),
        "convolution: conv1d": (convolved, with_gradient(direct, states)),
        "convolution: frequency domain": (convolved, with_gradient(convolution, states)),
        "LSTM: nn.LSTM": (passed, with_gradient(lambda states: lstm(states)[0], wide)),
        "UDGN's parser, forward pass": (2.0 * words.numel() * parameters, parse),
    }


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    torch.manual_seed(1)
    a, b = torch.randn(2, SGEMM_SIZE, SGEMM_SIZE)
    calls = {"large product": (2.0 * SGEMM_SIZE**3, lambda: a @ b), **kernels()}
    for _, call in calls.values():
        call()
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, (_, call) in calls.items():
            times[name].append(seconds(call))
    rates = {name: operations / statistics.median(times[name]) for name, (operations, _) in calls.items()}
    rate = f"{rates['large product'] / 1e9:.0f} GFLOP/s"
    print(f"{torch.backends.cpu.get_cpu_capability()}, {torch.get_num_threads()} threads, large product {rate}\n")
    print("| kernel | % |\n|---|---|")
    for name in calls:
        print(f"| {name} | {100 * rates[name] / rates['large product']:.0f} |")


if __name__ == "__main__":
    main()
