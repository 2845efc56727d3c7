"""How learning went: a row for each update, and the curve of several runs."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

Numbers = NDArray[Any]


class Finished(NamedTuple):
    """Episodes that ended: returns, successes, lengths (steps), decisions [episodes]."""

    returns: Numbers
    successes: Numbers
    lengths: Numbers
    decisions: Numbers


class Row(NamedTuple):
    """The progress of learning after an update.

    steps: of the environment so far, of all episodes together; episodes: ended so far. Of the episodes that ended since
    the row before, None where there are none: mean_return, success_rate, length (steps) and decisions, on average.
    entropy: of the controller's distribution (nats).
    """

    steps: int
    episodes: int
    mean_return: float | None
    success_rate: float | None
    length: float | None
    decisions: float | None
    entropy: float


def row(steps: int, episodes: int, finished: Finished, entropy: float) -> Row:
    """The row of an update after ``steps``; ``episodes``: ended before."""
    count = len(finished.returns)
    mean_return, success_rate, length, decisions = (float(c.mean()) if count else None for c in finished)
    return Row(steps, episodes + count, mean_return, success_rate, length, decisions, entropy)


class Point(NamedTuple):
    """A point of a learning curve.

    steps: of the environment, at the end of its window; runs: those of which episodes ended in the window; mean: of
    their mean returns there; deviation: the standard deviation of these, None of a single run.
    """

    steps: int
    runs: int
    mean: float
    deviation: float | None


def learning_curve(logs: Sequence[Sequence[Row]], window: int) -> list[Point]:
    """The mean return of the episodes that ended in each window of so many steps, over several runs. Windows in which
    no episode ended are left out."""
    means = [_means(log, window) for log in logs]
    points = []
    for index in sorted(set().union(*means)):
        values = [run[index] for run in means if index in run]
        deviation = statistics.stdev(values) if len(values) > 1 else None
        points.append(Point((index + 1) * window, len(values), statistics.fmean(values), deviation))
    return points


def _means(log: Sequence[Row], window: int) -> dict[int, float]:
    """The mean return of the episodes of each window, by the window's index; a row's are counted at its end."""
    sums: dict[int, tuple[float, int]] = {}
    before = 0
    for row in log:
        if row.mean_return is not None:
            index, count = (row.steps - 1) // window, row.episodes - before
            total, number = sums.get(index, (0.0, 0))
            sums[index] = total + row.mean_return * count, number + count
        before = row.episodes
    return {index: total / number for index, (total, number) in sums.items()}
