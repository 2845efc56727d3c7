"""How learning went: a row of the log for each update."""

from __future__ import annotations

from typing import NamedTuple

from synparse.tasks.craft.worlds import Numbers


class FinishedEpisodes(NamedTuple):
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


def row(steps: int, episodes: int, finished: FinishedEpisodes, entropy: float) -> Row:
    """The row of an update after ``steps``; ``episodes``: ended before."""
    count = len(finished.returns)
    mean_return, success_rate, length, decisions = (float(c.mean()) if count else None for c in finished)
    return Row(steps, episodes + count, mean_return, success_rate, length, decisions, entropy)
