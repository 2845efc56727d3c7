"""Learning a new task of Craft by reinforcement, with options that are frozen or without any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch

from synparse.tasks.craft.agents import Actor, Agent, AgentKind
from synparse.tasks.craft.episodes import Episodes, Reward
from synparse.tasks.craft.option_controller import Cells
from synparse.tasks.craft.ppo import Collector, PpoConfig, Row, optimizer_of, row, update
from synparse.tasks.craft.worlds import VIEW, Numbers, View, Worlds
from synparse.training.stopping import stop_on_signals
from synparse.training.threads import own_threads
from synparse.trees.errors import SettingError


class Learned(NamedTuple):
    """agent: what was learned; log: a row for each update; signal: the one that stopped it, None if it is finished."""

    agent: Agent
    log: tuple[Row, ...]
    signal: int | None


class PlayedEpisodes(NamedTuple):
    """N episodes of an agent, of up to T steps.

    start: their worlds; actions, options [N, T]: what it did, and which option was active (−1 in a flat agent), −1
    after the end; begins [N, T]: where the controller decided; returns, lengths, successes [N].
    """

    start: Worlds
    actions: Numbers
    options: Numbers
    begins: Numbers
    returns: Numbers
    lengths: Numbers
    successes: Numbers


def pooled(models: Sequence[Cells]) -> Cells:
    """The options of several models, one after the other. Raises SettingError where their sizes differ."""
    sizes = {tuple(cells.of_input.shape[1:]) for cells in models}
    if len(sizes) > 1:
        pairs = ", ".join(f"{inputs} and {hidden}" for inputs, hidden in sorted(sizes))
        raise SettingError(f"options of different sizes of observations and hidden states cannot be pooled: {pairs}")
    weights = [cells.state_dict() for cells in models]
    first = models[0]
    count = sum(len(cells.start) for cells in models)
    pool = Cells(count, first.of_input.shape[1], first.of_input.shape[2], first.outputs)
    pool.load_state_dict({name: torch.cat([part[name] for part in weights]) for name in weights[0]})
    return pool


def transfer(
    options: Cells | None,
    task: str,
    config: PpoConfig,
    *,
    kind: AgentKind = "options",
    reward: Reward = "sparse",
    steps: int = 1_000_000,
    seed: int = 1,
    view: View = VIEW,
    report: Callable[[Row], None] = lambda _: None,
    **grid: int,
) -> Learned:
    """Learn a controller for ``task`` in ``steps`` of the environment, at least.

    ``grid``: limit, size, things and walls of `Episodes`. SIGINT, SIGTERM and SIGHUP end the run after the update at
    hand, and the agent so far is returned. On one machine, the same seed gives the same agent. Raises SettingError as
    `Episodes` and `Agent`.
    """
    episodes = Episodes(task, config.parallel, reward=reward, seed=seed, view=view, **grid)
    with own_threads(), stop_on_signals() as stop, torch.random.fork_rng(devices=[]):
        torch.set_num_threads(1)  # the products are too small for more
        torch.manual_seed(seed)
        inputs = episodes.observe().shape[1]
        agent = Agent(kind, options, inputs=inputs, hidden=config.hidden_size, temperature=config.temperature)
        collector = Collector(Actor(agent, episodes, torch.Generator().manual_seed(seed)), config)
        optimizer = optimizer_of(agent, config)
        log: list[Row] = []
        with stop.heeded():
            while (done := collector.steps) < steps and not stop.is_made:
                fragment, finished = collector.collect()
                for group in optimizer.param_groups:
                    group["lr"] = config.learning_rate * (1 - done / steps)
                entropy = update(agent, optimizer, fragment, config)
                log.append(row(collector.steps, log[-1].episodes if log else 0, finished, entropy))
                report(log[-1])
    return Learned(agent, tuple(log), stop.signal)


PLAYED = 1
"""Beside the seed, so that no agent is tried in the worlds in which it has learned."""


@torch.no_grad()
def play(
    agent: Agent,
    task: str,
    count: int,
    *,
    reward: Reward = "sparse",
    seed: int = 1,
    view: View = VIEW,
    **grid: int,
) -> PlayedEpisodes:
    """Let an agent do a task in so many random worlds, one episode in each; it samples as in learning.

    ``grid``: limit, size, things and walls of `Episodes`. Raises as `transfer`.
    """
    episodes = Episodes(task, count, reward=reward, seed=(seed, PLAYED), view=view, **grid)
    start = episodes.worlds.chosen(np.arange(count))
    actor = Actor(agent, episodes, torch.Generator().manual_seed(seed))
    actions, options, begins = [], [], []
    returns, lengths, successes = np.zeros(count, np.float32), np.zeros(count, np.int64), np.zeros(count, bool)
    is_playing = np.ones(count, bool)
    while is_playing.any():
        began = np.zeros(count, bool)
        began[actor.decide().which.numpy()] = True
        acted, step = actor.act()
        begins.append(began & is_playing)
        actions.append(np.where(is_playing, acted, -1))
        options.append(np.where(is_playing, actor.chosen.numpy(), -1) if agent.options else np.full(count, -1))
        ends = is_playing[step.ended.which]  # the first episode in its world
        which = step.ended.which[ends]
        returns[which] = step.ended.returns[ends]
        lengths[which] = step.ended.lengths[ends]
        successes[which] = step.ended.successes[ends]
        is_playing[which] = False
    return PlayedEpisodes(
        start, np.stack(actions, 1), np.stack(options, 1), np.stack(begins, 1), returns, lengths, successes
    )
