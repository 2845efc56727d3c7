"""The charts of the count models: milliseconds per sentence, by length and by sentences at a time.

    OMP_NUM_THREADS=1 python benchmarks/grammars.py

The dependency-and-boundary model with its expected counts; four class grammars of 30 nonterminals: posteriors, as in
parsing, and with expected counts, as in training; the most probable labelled tree of one of them. 100 classes, random
words, span weights and arc weights. Each figure is the median of `ROUNDS` rounds in which all cells of a row take
turns, and in brackets its ratio to the last cell of its row. On one core of two of an AMD EPYC with AVX-512
(2026-11-22, NumPy 2.4, other programs running):

| chart | words | 1 at a time | 8 at a time | 64 at a time |
|---|---|---|---|---|
| dependencies, counts | 12 | 1.132 (28.9) | 0.161 (4.1) | 0.039 (1.0) |
| grammars | 12 | 0.715 (8.0) | 0.178 (2.0) | 0.089 (1.0) |
| grammars, counts | 12 | 0.809 (7.5) | 0.215 (2.0) | 0.108 (1.0) |
| most probable tree | 12 | 0.735 (7.0) | 0.238 (2.3) | 0.105 (1.0) |
| dependencies, counts | 20 | 1.552 (25.4) | 0.278 (4.5) | 0.061 (1.0) |
| grammars | 20 | 1.555 (4.1) | 0.525 (1.4) | 0.375 (1.0) |
| grammars, counts | 20 | 1.720 (3.9) | 0.652 (1.5) | 0.446 (1.0) |
| most probable tree | 20 | 1.461 (5.4) | 0.586 (2.2) | 0.271 (1.0) |
| dependencies, counts | 35 | 3.022 (13.9) | 0.733 (3.4) | 0.217 (1.0) |
| grammars | 35 | 4.226 (2.2) | 2.022 (1.1) | 1.889 (1.0) |
| grammars, counts | 35 | 4.604 (2.1) | 2.343 (1.1) | 2.210 (1.0) |
| most probable tree | 35 | 3.073 (3.2) | 1.683 (1.7) | 0.966 (1.0) |
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

from synparse.inducers import class_grammar, dependency_boundary

ROUNDS = 7
CLASSES, GRAMMARS, NONTERMINALS = 100, 4, 30
LENGTHS = 12, 20, 35
AT_ONCE = 1, 8, 64


def charts(T: int, B: int) -> dict[str, Callable[[], object]]:
    """What is timed, for B sentences of T words."""
    source = np.random.default_rng(1)
    classes = source.integers(0, CLASSES, (B, T))
    arcs, spans = source.uniform(-16, 0, (B, T, T)), source.uniform(-40, 0, (B, T + 1, T + 1))
    dependencies = dependency_boundary.estimated(dependency_boundary.harmonic_counts(classes, None, CLASSES))
    grammars = class_grammar.random_grammars(GRAMMARS, NONTERMINALS, CLASSES, seed=1)
    return {
        "dependencies, counts": lambda: dependency_boundary.posterior(dependencies, classes, arcs, with_counts=True),
        "grammars": lambda: class_grammar.posterior(grammars, classes, spans),
        "grammars, counts": lambda: class_grammar.posterior(grammars, classes, spans, with_counts=True),
    }


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    print("| chart | words |" + "".join(f" {B} at a time |" for B in AT_ONCE))
    print("|---|---|" + "---|" * len(AT_ONCE))
    for T in LENGTHS:
        cells = {B: charts(T, B) for B in AT_ONCE}
        for name in cells[AT_ONCE[0]]:
            times: dict[int, list[float]] = {B: [] for B in AT_ONCE}
            for _ in range(ROUNDS):
                for B in AT_ONCE:
                    times[B].append(1000 * seconds(cells[B][name]) / B)
            medians = {B: statistics.median(times[B]) for B in AT_ONCE}
            last = medians[AT_ONCE[-1]]
            print(f"| {name} | {T} |" + "".join(f" {medians[B]:.3f} ({medians[B] / last:.1f}) |" for B in AT_ONCE))


if __name__ == "__main__":
    main()
