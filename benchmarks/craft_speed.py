"""Steps/s of the environment of Craft with many grids at once: random actions, observations included.

    python -m benchmarks.craft_speed [--grids 1024] [--steps 500] [--processes 1 2]

A step is one action in one grid. Each process has so many grids of its own; it starts its clock when all have made
their first steps. Prints one line of JSON: the settings, the cores that there are, and for each number of processes the
best and median of several rounds, and the median by processor time of one process, which other work on the machine
hardly changes.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import time
from multiprocessing.synchronize import Barrier
from typing import NamedTuple

import numpy as np

from benchmarks.commands import Cost
from synparse.files.cores import available_cores
from synparse.tasks.craft.environment import CraftVectorEnv

TASK = "DCA"
WARM_UP = 20


class Rate(NamedTuple):
    """Steps/s."""

    wall: float
    processor: float


def cost(grids: int, steps: int, seed: int, barrier: Barrier | None = None) -> Cost:
    """The time of so many steps of all grids; actions are drawn before."""
    env = CraftVectorEnv(grids, task=TASK)
    env.reset(seed=seed)
    actions = np.random.default_rng(seed).integers(0, 5, (steps + WARM_UP, grids))
    for step_actions in actions[:WARM_UP]:
        env.step(step_actions)
    if barrier:
        barrier.wait()
    start = Cost(time.perf_counter(), time.process_time())
    for step_actions in actions[WARM_UP:]:
        env.step(step_actions)
    return Cost(time.perf_counter() - start.wall, time.process_time() - start.processor)


def _work(grids: int, steps: int, seed: int, barrier: Barrier, out: multiprocessing.Queue[Cost]) -> None:
    out.put(cost(grids, steps, seed, barrier))


def rate(grids: int, steps: int, processes: int) -> Rate:
    """Of all processes together, by the slowest of them; by processor time, of one process."""
    costs = [cost(grids, steps, 1)] if processes == 1 else costs_together(grids, steps, processes)
    mean = statistics.mean(spent.processor for spent in costs)
    return Rate(processes * grids * steps / max(spent.wall for spent in costs), grids * steps / mean)


def costs_together(grids: int, steps: int, processes: int) -> list[Cost]:
    context = multiprocessing.get_context("spawn")
    barrier, out = context.Barrier(processes), context.Queue()
    workers = [
        context.Process(target=_work, args=(grids, steps, number, barrier, out)) for number in range(1, processes + 1)
    ]
    for worker in workers:
        worker.start()
    costs = [out.get() for _ in workers]
    for worker in workers:
        worker.join()
    return costs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--grids", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    result = {"task": TASK, "grids": arguments.grids, "steps": arguments.steps, "cores": available_cores()}
    for processes in arguments.processes:
        rates = [rate(arguments.grids, arguments.steps, processes) for _ in range(arguments.rounds)]
        result[f"steps_per_second_{processes}"] = {
            "best": round(max(speed.wall for speed in rates)),
            "median": round(statistics.median(speed.wall for speed in rates)),
            "of_processor_time": round(statistics.median(speed.processor for speed in rates)),
        }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
