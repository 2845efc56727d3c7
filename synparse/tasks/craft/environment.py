"""Craft as environments of Gymnasium (``synparse/Craft-v0``): one grid, and many at once in one computation.

Gymnasium finds them by way of this module, which need not be imported before:

    gymnasium.make("synparse.tasks.craft.environment:synparse/Craft-v0", task="DCA")
    gymnasium.make_vec("synparse.tasks.craft.environment:synparse/Craft-v0", num_envs=1024, task="DCA")

Actions: 0 up, 1 down, 2 left, 3 right, 4 use. Observations: what the agent sees (`worlds.observe`). Rewards and
the ends of episodes are those of `Episodes`, which counts the steps itself, so that no wrapper has to.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from synparse.drawing.craft import Frame, grid_pixels, grid_svg, grid_text
from synparse.files.extras import needing
from synparse.tasks.craft.demonstrations import parse_demonstration, worlds_of
from synparse.tasks.craft.episodes import Episodes, Reward
from synparse.tasks.craft.pictures import frame_of
from synparse.tasks.craft.subtasks import ACTIONS
from synparse.tasks.craft.worlds import THINGS, VIEW, Numbers, Worlds, generate
from synparse.trees.errors import SettingError

with needing("the environments of Craft need Gymnasium", "craft"):
    import gymnasium
    from gymnasium.error import ResetNeeded
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

RenderMode: TypeAlias = Literal["ansi", "svg", "rgb_array"]

RENDERERS: dict[str, Callable[[Frame], Any]] = {
    "ansi": grid_text,
    "svg": grid_svg,
    "rgb_array": grid_pixels,
}
"""How a grid is drawn in each mode: as text, as an SVG file's text, and as pixels [height, width, 3]."""

ONE = np.array([0])
"""The index of the only grid."""


class CraftEnv(gymnasium.Env[Numbers, "int | np.integer[Any]"]):
    """One grid.

    - ``task``: subtasks in order, as ``DCA``; ``reward``: ``dense``, 1 for each subtask, or ``sparse``, 1 for the task;
    - ``limit``: steps until an episode is truncated;
    - ``size``, ``things``, ``walls``: of the random grids (see `worlds.generate`).

    ``info["subtasks_done"]``: how many. `reset` takes ``options={"grid": "####/#>A#/…"}``, a grid to begin in, of the
    same size, written as in files of demonstrations. Raises SettingError as `Episodes`, and for an unknown render mode
    or option.
    """

    metadata = {"render_modes": list(RENDERERS), "render_fps": 4}  # noqa: RUF012 — Gymnasium's own name and type

    def __init__(
        self,
        task: str,
        reward: Reward = "sparse",
        limit: int = 50,
        size: int = 10,
        things: int = 1,
        walls: int = 4,
        render_mode: RenderMode | None = None,
    ) -> None:
        self.render_mode = known_mode(render_mode)
        self.action_space = Discrete(len(ACTIONS))
        self.observation_space = seen(things)
        self._task = task
        self._shape = (size, things, walls)
        self._ended = True
        self._episodes = Episodes(task, 1, reward=reward, limit=limit, size=size, things=things, walls=walls)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Begin an episode in a random grid, or in the one of the ``options``."""
        super().reset(seed=seed)
        options = options or {}
        if unknown := sorted(options.keys() - {"grid"}):
            raise SettingError(f"unknown option {unknown[0]!r} of an episode; known: grid")
        start = self._world(options["grid"]) if options else generate(1, *self._shape, self.np_random)
        self._episodes.restart(ONE, start)
        self._ended = False
        return self._episodes.observe()[0], self._info()

    def _world(self, grid: str) -> Worlds:
        try:
            rows = parse_demonstration(f"{self._task}\tx\t{grid}").grid
        except ValueError as error:
            raise SettingError(str(error)) from None
        if len(rows) != self._shape[0]:
            raise SettingError(f"the grid has {len(rows)} rows; those of this environment have {self._shape[0]}")
        return worlds_of([rows])

    def step(self, action: int | np.integer[Any]) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Do an action."""
        if self._ended:
            raise ResetNeeded("no episode is going on: call reset first")
        done = self._episodes.advance(np.array([action]))
        terminated, truncated = bool(done.terminated[0]), bool(done.truncated[0])
        self._ended = terminated or truncated
        return self._episodes.observe()[0], float(done.rewards[0]), terminated, truncated, self._info()

    def _info(self) -> dict[str, Any]:
        return {"subtasks_done": int(self._episodes.progress[0])}

    def render(self) -> Any:
        """The grid and what the agent has, as the render mode says."""
        return rendered(self._episodes.worlds, 0, self.render_mode) if self.render_mode else None


class CraftVectorEnv(VectorEnv[Numbers, Numbers, Numbers]):
    """``num_envs`` grids with one task, in one computation; for the other arguments, see `CraftEnv`.

    A step that ends an episode begins the next one (`AutoresetMode.SAME_STEP`): the observation is the first of the new
    episode, and the last of the old one is in ``info["final_obs"]``, its information in ``info["final_info"]``.
    One generator draws all grids, so they are others than those of ``num_envs`` environments of their own.
    """

    metadata = {"render_modes": list(RENDERERS), "render_fps": 4, "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        *,
        task: str,
        reward: Reward = "sparse",
        limit: int = 50,
        size: int = 10,
        things: int = 1,
        walls: int = 4,
        render_mode: RenderMode | None = None,
    ) -> None:
        self.num_envs = num_envs
        self.render_mode = known_mode(render_mode)
        self._new_episodes = partial(
            Episodes, task, num_envs, reward=reward, limit=limit, size=size, things=things, walls=walls
        )
        self._begin()
        self.single_action_space = Discrete(len(ACTIONS))
        self.single_observation_space = seen(things)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def _begin(self) -> None:
        self._episodes = self._new_episodes(seed=int(self.np_random.integers(2**63)))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Begin an episode in each grid. There are no options."""
        super().reset(seed=seed)
        if options:
            raise SettingError(f"unknown option {min(options)!r} of episodes in many grids; there are none")
        self._begin()
        return self._episodes.observe(), self._info()

    def step(self, actions: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers, dict[str, Any]]:
        """Do an action [N] in each grid: observations [N, D]; rewards, whether terminated, whether truncated [N]."""
        done = self._episodes.advance(np.asarray(actions))
        which = done.ended.which
        final: dict[str, Any] = {}
        if len(which):
            over = done.terminated | done.truncated
            last = np.full(self.num_envs, None, object)
            for index, observation in zip(which, done.ended.observations, strict=True):
                last[index] = observation
            progress = np.where(over, self._episodes.progress, 0)
            final = {
                "final_obs": last,
                "_final_obs": over,
                "final_info": {"subtasks_done": progress, "_subtasks_done": over.copy()},
                "_final_info": over.copy(),
            }
            self._episodes.restart(which)
        info = self._info() | final
        rewards = done.rewards.astype(np.float64)
        return self._episodes.observe(), rewards, done.terminated, done.truncated, info

    def _info(self) -> dict[str, Any]:
        return {"subtasks_done": self._episodes.progress.copy(), "_subtasks_done": np.ones(self.num_envs, bool)}

    def render(self) -> tuple[Any, ...] | None:
        """Each grid and what its agent has, as the render mode says."""
        if not self.render_mode:
            return None
        return tuple(rendered(self._episodes.worlds, n, self.render_mode) for n in range(self.num_envs))


def rendered(worlds: Worlds, index: int, mode: str) -> Any:
    """A picture of one of several worlds."""
    return RENDERERS[mode](frame_of(worlds, index))


def known_mode(mode: str | None) -> str | None:
    """The render mode. Raises SettingError for an unknown one."""
    if mode is not None and mode not in RENDERERS:
        raise SettingError(f"unknown render mode {mode!r}; known: {', '.join(RENDERERS)}")
    return mode


def seen(things: int) -> Box:
    """The space of observations: 0 or 1, and counts of what is in the inventory."""
    high = np.ones(VIEW.size, np.uint8)
    high[-THINGS:] = things
    return Box(np.zeros_like(high), high, dtype=np.uint8)


gymnasium.register(
    "synparse/Craft-v0", entry_point=f"{__name__}:CraftEnv", vector_entry_point=f"{__name__}:CraftVectorEnv"
)
