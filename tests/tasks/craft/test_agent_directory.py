"""Directories of agents: what is written is read, and damaged ones are told."""

import json

import pytest
import torch

from synparse.files.folders import save_together
from synparse.tasks.craft.agent_directory import (
    AgentConfig,
    AgentSettings,
    GridConfig,
    agent_files,
    empty_agent,
    load_agent,
)
from synparse.tasks.craft.ppo import PpoConfig, Row
from synparse.tasks.craft.worlds import View
from synparse.trees.errors import DataError

CONFIG = AgentConfig(
    AgentSettings("DCA", "dense", "options", 2, 3), GridConfig(7, 1, 1, 30), View(3, 1), PpoConfig(hidden_size=4)
)
LOG = [Row(10, 0, None, None, None, None, 0.123456), Row(20, 3, 1.5, 0.5, 7.25, 3.0, 0.1)]


@pytest.fixture
def directory(tmp_path):
    save_together(tmp_path / "agent", agent_files(CONFIG, {"models": ["a"]}, empty_agent(CONFIG), LOG))
    return tmp_path / "agent"


def test_an_agent_is_read_as_it_was_written(tmp_path):
    agent = empty_agent(CONFIG)
    save_together(tmp_path / "agent", agent_files(CONFIG, {"models": ["a"]}, agent, LOG))
    loaded = load_agent(tmp_path / "agent")
    assert loaded.config == CONFIG
    assert loaded.provenance == {"models": ["a"]}
    for name, value in agent.state_dict().items():
        torch.testing.assert_close(loaded.agent.state_dict()[name], value)
    rows = [json.loads(line) for line in (tmp_path / "agent" / "log.jsonl").read_text().splitlines()]
    assert rows[0]["mean_return"] is None
    assert rows[0]["entropy"] == 0.1235
    assert rows[1] == LOG[1]._asdict()


def test_agents_are_told_from_models(directory, trained_models):
    assert load_agent(directory).config.agent.task
    with pytest.raises(DataError, match="not an agent that synparse task craft transfer trained"):
        load_agent(trained_models / "ompn")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("task: DCA", "task: DCE", "damaged agent: task 'DCE'"),
        ("kind: options", "kind: flat", "damaged agent: an agent of kind flat has no options"),
        ("option_size: 3", "option_size: 4", "the weights do not fit"),
        ("size: 7", "size: 3", "damaged agent: grid.size must be"),
        ("hidden_size: 4", "hidden: 4", "damaged agent: unknown setting training.hidden"),
    ],
)
def test_a_damaged_config_is_told(directory, old, new, message):
    config = directory / "config.yaml"
    text = config.read_text()
    assert old in text
    config.write_text(text.replace(old, new, 1))
    with pytest.raises(DataError, match=message):
        load_agent(directory)
