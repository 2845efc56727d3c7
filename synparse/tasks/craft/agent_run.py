"""Learning a task by reinforcement into an agent's directory, and what the agent then does."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import torch

from synparse.config.recipe import overridden
from synparse.config.settings import settings_of
from synparse.files.folders import exclusive_lock, save_together
from synparse.store.overwriting import clear_away, refuse_to_overwrite
from synparse.tasks.craft.agent_directory import AgentConfig, AgentSettings, GridConfig, TrainedAgent, agent_files
from synparse.tasks.craft.agents import AgentKind
from synparse.tasks.craft.demonstrations import Demonstration, format_demonstration, grids_of
from synparse.tasks.craft.directory import load_options
from synparse.tasks.craft.episodes import Reward
from synparse.tasks.craft.ppo import PpoConfig, Row
from synparse.tasks.craft.segments import format_segments
from synparse.tasks.craft.subtasks import ACTIONS, parse_task
from synparse.tasks.craft.transfer import Learned, PlayedEpisodes, play, transfer
from synparse.tasks.craft.worlds import View
from synparse.training.events import Learning, Report
from synparse.training.reading import versions
from synparse.training.threads import own_threads
from synparse.trees.errors import SettingError


def learn_task(
    task: str,
    models: Sequence[str],
    kind: AgentKind,
    reward: Reward,
    grid: GridConfig,
    output: Path,
    *,
    changes: Sequence[str] = (),
    steps: int = 1_000_000,
    seed: int = 1,
    report: Report = lambda _: None,
    force: bool = False,
) -> Learned:
    """Learn a task with the options of these model directories, or, as a flat agent, without any, and write the agent.
    ``changes``: of settings of PPO, as ``training.key=value``. SIGINT, SIGTERM and SIGHUP end the run with the
    agent so far.

    Raises SettingError as `transfer`, for an unknown task or setting, for models that do not go with the kind, and if
    the output exists and must not be overwritten; DataError for models that cannot be read.
    """
    if (kind == "flat") != (not models):
        raise SettingError(
            "name no models: a flat agent has no options" if models else "name the models whose options are used"
        )
    parse_task(task)
    training = settings_of(PpoConfig, overridden({}, changes, ("training",)).get("training"), "training")
    options = load_options(models, must_end=kind == "options") if models else None
    sizes = (0, 0) if options is None else options.cells.start.shape
    view = View() if options is None else options.view
    start = time.monotonic()
    with exclusive_lock(output):
        refuse_to_overwrite(output, force)
        learned = transfer(
            *(options and options.cells, task, training),
            kind=kind,
            reward=reward,
            steps=steps,
            seed=seed,
            view=view,
            report=lambda row: report(_learning(row, steps)),
            **asdict(grid),
        )
        provenance = {
            "models": [Path(model).name for model in models],
            "steps": learned.log[-1].steps if learned.log else 0,
            "steps_asked_for": steps,
            "seed": seed,
            "seconds": round(time.monotonic() - start, 1),
            "versions": versions(torch=str(torch.__version__)),
        }
        config = AgentConfig(AgentSettings(task, reward, kind, *sizes), grid, view, training)
        files = agent_files(config, provenance, learned.agent, learned.log)
        save_together(output, files)
        clear_away(output, files)
    return learned


def _learning(row: Row, steps: int) -> Learning:
    success = "" if row.success_rate is None else f", success {row.success_rate:.0%}"
    return Learning(f"{row.steps:,} steps{success}", min(1.0, row.steps / steps))


class Result(NamedTuple):
    """Of episodes: how many; mean_return and length on average; success_rate: the fraction that did the task."""

    episodes: int
    mean_return: float
    success_rate: float
    length: float


def play_agent(trained: TrainedAgent, episodes: int, seed: int) -> PlayedEpisodes:
    """Let an agent do its task in so many new random worlds."""
    config = trained.config
    with own_threads():
        torch.set_num_threads(1)  # the products are too small for more
        return play(
            *(trained.agent, config.agent.task, episodes),
            reward=config.agent.reward,
            seed=seed,
            view=config.view,
            **asdict(config.grid),
        )


def result_of(played: PlayedEpisodes) -> Result:
    """The averages of episodes."""
    means = (float(column.mean()) for column in (played.returns, played.successes, played.lengths))
    return Result(len(played.lengths), *means)


def lines_of_successes(task: str, played: PlayedEpisodes) -> Iterator[tuple[str, str]]:
    """The episodes that did the task as lines of demonstrations, each with the line of its segments: the steps after
    which the options were done, and the option of each segment, from 1; none in a flat agent."""
    grids = grids_of(played.start)
    for n in played.successes.nonzero()[0].tolist():
        length = int(played.lengths[n])
        actions = "".join(ACTIONS[action] for action in played.actions[n, :length])
        has_options = played.options[n, 0] >= 0
        starts = [0, *(t for t in range(1, length) if has_options and played.begins[n, t])]
        options = [int(played.options[n, start]) + 1 for start in starts if has_options]
        demonstration = format_demonstration(Demonstration(task, actions, grids[n]))
        yield demonstration, format_segments(task, [*starts[1:], length], options)
