"""An agent that learned a task, on disk: config.yaml (task, reward, world, view, kind, provenance), weights.safetensors
(its options included), and log.jsonl, a row for each update.

Nothing is pickled, and loading runs no code from the directory.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from synparse.config.settings import settings_of
from synparse.config.training import Count, CountOrZero
from synparse.files.folders import Content
from synparse.tasks.craft import CRAFT
from synparse.tasks.craft.agents import Agent, AgentKind
from synparse.tasks.craft.episodes import Reward
from synparse.tasks.craft.option_controller import Cells
from synparse.tasks.craft.ppo import PpoConfig, Row
from synparse.tasks.craft.subtasks import ACTIONS, parse_task
from synparse.tasks.craft.worlds import LARGEST, SMALLEST, View
from synparse.tasks.directory import filled, read_task_config, task_files
from synparse.trees.errors import DataError, damage_of


@dataclass(frozen=True)
class GridConfig:
    """The random worlds of an agent's episodes (see `synparse.tasks.craft.worlds.generate`); limit: steps after which
    an episode is truncated."""

    size: Annotated[int, Meta(ge=SMALLEST, le=LARGEST)] = 10
    things: Count = 2
    walls: CountOrZero = 4
    limit: Count = 50


@dataclass(frozen=True)
class AgentSettings:
    """What an agent learned, and from what. options: how many it has; option_size: H of each."""

    task: str = ""
    reward: Reward = "sparse"
    kind: AgentKind = "options"
    options: CountOrZero = 0
    option_size: CountOrZero = 0


@dataclass(frozen=True)
class AgentConfig:
    """All settings of an agent."""

    agent: AgentSettings
    grid: GridConfig
    view: View
    training: PpoConfig


class TrainedAgent(NamedTuple):
    """An agent with its config, and where it comes from."""

    config: AgentConfig
    provenance: Mapping[str, Any]
    agent: Agent


def agent_files(
    config: AgentConfig, provenance: Mapping[str, Any], agent: Agent, log: Sequence[Row]
) -> dict[str, Content]:
    """The files of an agent's directory, by name."""
    values = {"task": CRAFT, **dataclasses.asdict(config), "provenance": dict(provenance)}
    return task_files(values, agent, "".join(json.dumps(plain_row(row)) + "\n" for row in log).encode())


def plain_row(row: Row) -> dict[str, float | None]:
    """A row of a log as plain values."""
    return {name: value if value is None else round(value, 4) for name, value in row._asdict().items()}


def load_agent(directory: Path) -> TrainedAgent:
    """Read an agent's directory. Raises DataError where it is missing, damaged, or no agent's."""
    path, values = read_task_config(directory)
    if values.get("task") != CRAFT or "agent" not in values:
        raise DataError("not an agent that synparse task craft transfer trained", str(path))
    with damage_of("agent", str(path)):
        config = AgentConfig(
            settings_of(AgentSettings, values["agent"], "agent"),
            settings_of(GridConfig, values.get("grid"), "grid"),
            settings_of(View, values.get("view"), "view"),
            settings_of(PpoConfig, values.get("training"), "training"),
        )
        parse_task(config.agent.task)
        agent = filled(lambda: empty_agent(config), directory)
    return TrainedAgent(config, values["provenance"], agent.eval())


def empty_agent(config: AgentConfig) -> Agent:
    """An agent of these sizes, which has yet to learn. Raises SettingError where they do not fit its kind."""
    inputs = config.view.size
    settings, training = config.agent, config.training
    options = Cells(settings.options, inputs, settings.option_size, len(ACTIONS)) if settings.options else None
    return Agent(settings.kind, options, inputs=inputs, hidden=training.hidden_size, temperature=training.temperature)
