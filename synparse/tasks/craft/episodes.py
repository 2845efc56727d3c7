"""Episodes of a task in Craft, many at once, each followed by another one in a new random world.

An episode ends when its task is done (terminated), or after a limit of steps (truncated). Its subtasks count only in
their order; a thing that is taken out of turn is gone and counts for nothing.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from synparse.tasks.craft.subtasks import parse_task
from synparse.tasks.craft.worlds import VIEW, Numbers, View, Worlds, generate, observe, step
from synparse.trees.errors import SettingError

Reward: TypeAlias = Literal["sparse", "dense"]

POOL = 1024
"""Worlds that are generated at a time: together they cost a small part of what they cost one by one."""


class EndedEpisodes(NamedTuple):
    """Episodes that a step ended, M of N.

    which [M]: their indices; observations [M, D]: what their agents saw last; returns [M]: the sums of their rewards;
    lengths [M]: steps; successes [M]: whether the task was done.
    """

    which: Numbers
    observations: Numbers
    returns: Numbers
    lengths: Numbers
    successes: Numbers


class EpisodeStep(NamedTuple):
    """rewards [N]; terminated, truncated [N]: which episodes ended, and how; ended: more about these."""

    rewards: Numbers
    terminated: Numbers
    truncated: Numbers
    ended: EndedEpisodes


class Episodes:
    """N episodes of a task at once. The same seed and actions give the same worlds and rewards.

    - ``reward``: ``dense`` gives 1 for each subtask that is done in order, ``sparse`` gives 1 for the whole task.
    - ``limit``: steps after which an episode is truncated.
    - ``size``, ``things``, ``walls``: of the random worlds (see `generate`).
    - ``view``: how much agents see.

    ``worlds``: of the present episodes; ``progress``: subtasks done [N]; ``lengths``, ``returns``: steps done and
    rewards given so far [N]. Raises SettingError for an unknown subtask or reward, a task that takes more things of a
    kind than there are, no episodes, no steps, and as `generate`.
    """

    def __init__(
        self,
        task: str,
        count: int,
        *,
        reward: Reward = "sparse",
        limit: int = 50,
        size: int = 10,
        things: int = 1,
        walls: int = 4,
        seed: int | tuple[int, ...] = 1,
        view: View = VIEW,
    ) -> None:
        self.task = np.array(parse_task(task))
        if reward not in ("sparse", "dense"):
            raise SettingError(f"unknown reward {reward!r}; known: sparse, dense")
        if count < 1 or limit < 1:
            raise SettingError(f"there must be at least one episode of at least one step, not {count} of {limit}")
        most = max(task, key=task.count)
        if task.count(most) > things:
            raise SettingError(
                f"task {task!r} takes {task.count(most)} of {most}, and a grid has {things} of each thing"
            )
        self.reward, self.limit, self.view = reward, limit, view
        self._shape = (size, things, walls)
        self._random = np.random.default_rng(seed)
        self._pool = generate(max(count, POOL), *self._shape, self._random)
        self._used = count
        self.worlds = self._pool.chosen(np.arange(count))
        self.progress = np.zeros(count, np.int64)
        self.lengths = np.zeros(count, np.int64)
        self.returns = np.zeros(count, np.float32)

    def __len__(self) -> int:
        return len(self.worlds)

    def observe(self) -> Numbers:
        """What each agent sees, uint8 [N, D] (see `synparse.tasks.craft.worlds.observe`)."""
        return observe(self.worlds, self.view)

    def step(self, actions: Numbers) -> EpisodeStep:
        """Do an action [N] in each world, and start the episodes that it ends anew."""
        done = self.advance(actions)
        if len(done.ended.which):
            self.restart(done.ended.which)
        return done

    def advance(self, actions: Numbers) -> EpisodeStep:
        """Do an action [N] in each world. Episodes that it ends are to be started anew before the next one."""
        right = step(self.worlds, actions) == self.task[self.progress]
        self.progress += right
        self.lengths += 1
        terminated = self.progress == len(self.task)
        truncated = ~terminated & (self.lengths >= self.limit)
        rewards = (right if self.reward == "dense" else terminated).astype(np.float32)
        self.returns += rewards
        which = np.flatnonzero(terminated | truncated)
        ended = EndedEpisodes(
            which,
            observe(self.worlds.chosen(which), self.view),
            self.returns[which],
            self.lengths[which],
            terminated[which],
        )
        return EpisodeStep(rewards, terminated, truncated, ended)

    def restart(self, which: Numbers, worlds: Worlds | None = None) -> None:
        """Start the episodes of these indices anew, each in a new random world, or in these."""
        self.worlds.put(which, self._new_worlds(len(which)) if worlds is None else worlds)
        self.progress[which] = 0
        self.lengths[which] = 0
        self.returns[which] = 0

    def _new_worlds(self, count: int) -> Worlds:
        if self._used + count > len(self._pool):
            self._pool = generate(len(self._pool), *self._shape, self._random)
            self._used = 0
        self._used += count
        return self._pool.chosen(np.arange(self._used - count, self._used))
