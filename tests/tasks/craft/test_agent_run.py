"""Learning into a directory, and what the agent did as demonstrations."""

import json
import signal

import numpy as np
import pytest

from synparse.tasks.craft.agent_directory import AgentConfig, AgentSettings, GridConfig, load_agent
from synparse.tasks.craft.agent_run import Result, learn_task, lines_of_successes, play_agent, result_of
from synparse.tasks.craft.demonstrations import Demonstration, read_demonstrations, worlds_of
from synparse.tasks.craft.directory import load_options
from synparse.tasks.craft.ppo import PpoConfig
from synparse.tasks.craft.transfer import PlayedEpisodes
from synparse.trees.errors import DataError, SettingError
from tests.stopping import stop_when

PPO = PpoConfig(batch=16, parallel=4, epochs=1, hidden_size=4)
CHANGES = ("training.batch=16", "training.parallel=4", "training.epochs=1", "training.hidden_size=4")
GRID = GridConfig(6, 1, 0, 20)
FLAT = ("A", [], "flat", "dense", GRID)


pytestmark = pytest.mark.usefixtures("ctrl_c_is_heard")


def test_an_agent_learns_with_the_options_of_models(tmp_path, trained_models):
    models = [str(trained_models / "option-controller")] * 2
    options = load_options(models, must_end=True)
    learned = learn_task(
        "DA", models, "options", "sparse", GRID, tmp_path / "agent", changes=CHANGES, steps=100, seed=3
    )
    loaded = load_agent(tmp_path / "agent")
    settings = AgentSettings("DA", "sparse", "options", *options.cells.start.shape)
    assert loaded.config == AgentConfig(settings, GRID, options.view, PPO)
    assert loaded.provenance["models"] == ["option-controller"] * 2
    assert loaded.provenance["steps"] == learned.log[-1].steps >= 100
    rows = [json.loads(line) for line in (tmp_path / "agent" / "log.jsonl").read_text().splitlines()]
    assert [row["steps"] for row in rows] == [row.steps for row in learned.log]
    played = play_agent(loaded, 5, seed=1)
    assert result_of(played) == result_of(play_agent(loaded, 5, seed=1))
    with pytest.raises(SettingError, match="holds a model; --force replaces it"):
        learn_task("DA", models, "options", "sparse", GRID, tmp_path / "agent")


def test_a_task_is_learned_by_what_options_of_a_command_say(tmp_path, trained_models):
    events, changes = [], ["training.batch=16", "training.parallel=4"]
    models = [str(trained_models / "option-controller")]
    for name, given, kind in (("flat", [], "flat"), ("agent", models, "options")):
        made = ("A", given, kind, "dense", GRID, tmp_path / name)
        learned = learn_task(*made, changes=changes, steps=50, report=events.append)
        config = load_agent(tmp_path / name).config
        assert (config.agent.kind, config.grid, config.training.batch) == (kind, GRID, 16)
        assert events[-1].stage.startswith(f"{learned.log[-1].steps} steps")
        assert events[-1].fraction == 1
    for given, kind, message in ((models, "flat", "name no models"), ([], "options", "name the models")):
        with pytest.raises(SettingError, match=message):
            learn_task("A", given, kind, "dense", GRID, tmp_path / "no")


def test_a_stopped_run_keeps_the_agent_so_far(tmp_path):
    stop = stop_when(lambda _: True, signal.SIGINT)
    learned = learn_task(*FLAT, tmp_path / "agent", changes=CHANGES, steps=10**6, report=stop)
    assert learned.signal == signal.SIGINT
    assert len(learned.log) == 1
    assert load_agent(tmp_path / "agent").provenance["steps"] == learned.log[0].steps


def test_an_agent_that_is_there_stays_where_the_new_one_cannot_be_saved(tmp_path, disk_full_for):
    learn_task(*FLAT, tmp_path / "agent", changes=CHANGES, steps=50)
    before = {path: path.read_bytes() for path in (tmp_path / "agent").iterdir()}
    disk_full_for(tmp_path / "agent")
    with pytest.raises(DataError, match="cannot be saved: No space left on device"):
        learn_task(*FLAT, tmp_path / "agent", changes=CHANGES, steps=50, seed=2, force=True)
    assert {path: path.read_bytes() for path in (tmp_path / "agent").iterdir()} == before


GRID_OF = ("#####", "#.AC#", "#..D#", "#>.B#", "#####")


def played(options, begins):
    """Two episodes of BD: one that does it in five steps, and one that does not."""
    return PlayedEpisodes(
        worlds_of([GRID_OF, GRID_OF]),
        np.array([[3, 4, 0, 3, 4], [0, 0, 0, 0, 0]]),
        np.array([options, options]),
        np.array([begins, begins], bool),
        np.array([1.0, 0.0]),
        np.array([5, 5]),
        np.array([True, False]),
    )


def test_episodes_that_did_the_task_are_demonstrations(tmp_path):
    episodes = played([1, 1, 0, 0, 0], [1, 0, 1, 0, 1])
    [(line, segments)] = lines_of_successes("BD", episodes)
    (tmp_path / "d.tsv").write_text(line)
    assert list(read_demonstrations([str(tmp_path / "d.tsv")])) == [Demonstration("BD", "rxurx", GRID_OF)]
    assert segments == "BD\t2 4 5\t2 1 1\n"
    assert result_of(episodes) == Result(2, 0.5, 0.5, 5.0)


def test_a_flat_agent_s_episode_is_one_segment():
    [(_, segments)] = lines_of_successes("BD", played([-1] * 5, [1] * 5))
    assert segments == "BD\t5\n"
