"""Learning a task by reinforcement into an agent's directory, and what the agent then does."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import torch

from synparse.config.version import __version__
from synparse.files.folders import exclusive_lock, save_together
from synparse.store.overwriting import clear_away, refuse_to_overwrite
from synparse.tasks.craft.agent_directory import AgentConfig, TrainedAgent, agent_files
from synparse.tasks.craft.demonstrations import Demonstration, grids_of
from synparse.tasks.craft.learning_curves import Row
from synparse.tasks.craft.option_controller import Cells
from synparse.tasks.craft.subtasks import ACTIONS
from synparse.tasks.craft.transfer import Learned, Played, play, transfer
from synparse.training.threads import own_threads


def train_agent(
    config: AgentConfig,
    options: Cells | None,
    output: Path,
    *,
    models: Sequence[str] = (),
    steps: int = 1_000_000,
    seed: int = 1,
    report: Callable[[Row], None] = lambda _: None,
    force: bool = False,
) -> Learned:
    """Learn a task with the ``options`` of ``models``, or without any, and write the agent. SIGINT and SIGTERM end the
    run with the agent so far.

    Raises SettingError as `transfer`, and if the output exists and must not be overwritten.
    """
    refuse_to_overwrite(output, force)
    start = time.monotonic()
    settings = config.agent
    with exclusive_lock(output):
        learned = transfer(
            *(options, settings.task, config.training),
            kind=settings.kind,
            reward=settings.reward,
            steps=steps,
            seed=seed,
            view=config.view.view,
            report=report,
            **asdict(config.grid),
        )
        provenance = {
            "models": [Path(model).name for model in models],
            "steps": learned.log[-1].steps if learned.log else 0,
            "steps_asked_for": steps,
            "seed": seed,
            "seconds": round(time.monotonic() - start, 1),
            "versions": {
                "synparse": __version__,
                "torch": str(torch.__version__),
                "python": platform.python_version(),
            },
        }
        clear_away(output)
        save_together(output, agent_files(config, provenance, learned.agent, learned.log))
    return learned


class Result(NamedTuple):
    """Of episodes: how many; mean_return and length on average; success_rate: the fraction that did the task."""

    episodes: int
    mean_return: float
    success_rate: float
    length: float


class Done(NamedTuple):
    """An episode that did the task, as a demonstration; ends: the steps after which the options were done; options: the
    one of each segment, from 1; none in a flat agent."""

    demonstration: Demonstration
    ends: tuple[int, ...]
    options: tuple[int, ...]


def play_agent(trained: TrainedAgent, episodes: int, seed: int) -> Played:
    """Let an agent do its task in so many new random worlds."""
    config = trained.config
    with own_threads():
        torch.set_num_threads(1)  # the products are too small for more
        return play(
            *(trained.agent, config.agent.task, episodes),
            reward=config.agent.reward,
            seed=seed,
            view=config.view.view,
            **asdict(config.grid),
        )


def result_of(played: Played) -> Result:
    """The averages of episodes."""
    means = (float(column.mean()) for column in (played.returns, played.successes, played.lengths))
    return Result(len(played.lengths), *means)


def successes(task: str, played: Played) -> Iterator[Done]:
    """The episodes that did the task."""
    grids = grids_of(played.start)
    for n in played.successes.nonzero()[0].tolist():
        length = int(played.lengths[n])
        actions = "".join(ACTIONS[action] for action in played.actions[n, :length])
        starts = [t for t in range(1, length) if played.begins[n, t] and played.options[n, 0] >= 0]
        segments = list(pairwise((0, *starts, length)))
        options = () if played.options[n, 0] < 0 else tuple(int(played.options[n, start]) + 1 for start, _ in segments)
        yield Done(Demonstration(task, actions, grids[n]), tuple(end for _, end in segments), options)
