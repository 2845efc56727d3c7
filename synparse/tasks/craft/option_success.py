"""Which subtask each option of a model does (thesis, table 5.2).

An option is started in its own initial state in a random world, and acts by itself: its actions are sampled, and, at
each step but the first, whether it is done, before it acts. It ends when it is done, or after a limit of steps. It
succeeds at a subtask if the first thing that it takes, before it is done, is the thing of that subtask.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from synparse.tasks.craft.option_controller import Cells
from synparse.tasks.craft.subtasks import SUBTASKS
from synparse.tasks.craft.worlds import VIEW, View, Worlds, joined, observe, step


class Success(NamedTuple):
    """rates [options][subtasks]: the fraction of worlds in which the first thing that an option takes is the subtask's;
    worlds: how many."""

    rates: tuple[tuple[float, ...], ...]
    worlds: int


class Correspondence(NamedTuple):
    """The best one-to-one assignment of options to subtasks.

    subtask_of: of each option, as its place in `SUBTASKS`, None where it has none; diagonal: the mean rate of the
    pairs; off_diagonal: the highest rate of any other option and subtask, None where there is none.
    """

    subtask_of: tuple[int | None, ...]
    diagonal: float
    off_diagonal: float | None


@torch.no_grad()
def option_success(options: Cells, worlds: Worlds, limit: int, seed: int = 1, view: View = VIEW) -> Success:
    """Start each option once in each of these worlds, which are left as they were; it does at most ``limit`` steps."""
    K, N = len(options.start), len(worlds)
    acting_in = joined([worlds] * K)
    random = torch.Generator().manual_seed(seed)
    first = np.zeros(K * N, int)  # the thing that was taken first
    hidden = options.starts(N)
    going = np.ones(K * N, bool)
    for number in range(limit):
        seen = torch.from_numpy(observe(acting_in, view)).to(options.start.dtype).view(K, N, -1)
        cell = options.step(seen, hidden)
        hidden = cell.hidden
        if number:
            going &= (torch.rand((K, N), generator=random) >= cell.done).flatten().numpy()
        actions = torch.multinomial(cell.logits.softmax(2).flatten(0, 1), 1, generator=random)[:, 0].numpy()
        which = np.flatnonzero(going)
        taken = step(acting_in, actions[which], which)
        first[which] = taken
        going[which] = taken == 0
        if not going.any():
            break
    counts = [np.bincount(firsts, minlength=len(SUBTASKS) + 1)[1:] for firsts in first.reshape(K, N)]
    return Success(tuple(tuple((row / N).tolist()) for row in counts), N)


def correspondence(rates: Sequence[Sequence[float]], subtasks: Sequence[int]) -> Correspondence:
    """The assignment of options to these subtasks, as places in `SUBTASKS`, with the highest sum of rates. As many are
    assigned as there are of the fewer. O(options · 2^subtasks · subtasks).

    >>> correspondence([[0.9, 0.8], [0.7, 0.1]], [0, 1])
    Correspondence(subtask_of=(1, 0), diagonal=0.75, off_diagonal=0.9)
    """
    best: dict[frozenset[int], tuple[float, tuple[int | None, ...]]] = {frozenset(): (0.0, ())}
    for rate in rates:
        after: dict[frozenset[int], tuple[float, tuple[int | None, ...]]] = {}
        for used, (total, chosen) in best.items():
            for subtask in (None, *(candidate for candidate in subtasks if candidate not in used)):
                key = used if subtask is None else used | {subtask}
                value = total if subtask is None else total + rate[subtask]
                if key not in after or value > after[key][0]:
                    after[key] = (value, (*chosen, subtask))
        best = after
    pairs = min(len(rates), len(subtasks))
    complete = [assignment for used, assignment in best.items() if len(used) == pairs]
    total, assigned = max(complete, key=lambda assignment: assignment[0])
    others = [rate for row, own in zip(rates, assigned, strict=True) for place, rate in enumerate(row) if place != own]
    return Correspondence(assigned, total / pairs, max(others, default=None))
