"""Learning a task from beginning to end on small grids: what is told, repeated, stopped and played."""

import signal

import numpy as np
import pytest
import torch

from synparse.tasks.craft.episodes import Episodes
from synparse.tasks.craft.option_controller import Cells
from synparse.tasks.craft.ppo import PpoConfig
from synparse.tasks.craft.transfer import play, pooled, transfer
from synparse.tasks.craft.worlds import VIEW
from synparse.trees.errors import SettingError

CONFIG = PpoConfig(batch=64, parallel=16, epochs=2, hidden_size=8)
GRID = {"size": 6, "walls": 0, "limit": 12}


@pytest.fixture
def options():
    torch.manual_seed(0)
    return Cells(3, VIEW.size, 8, 5)


def learned(options, **settings):
    return transfer(options, "A", CONFIG, steps=600, **GRID, **settings)


def test_the_log_counts_what_was_done(options):
    rows = []
    result = learned(options, report=rows.append)
    assert result.log == tuple(rows)
    assert result.signal is None
    assert result.log[-2].steps < 600 <= result.log[-1].steps
    assert all(row.steps % CONFIG.parallel == 0 for row in rows)
    assert rows[-1].episodes >= 16 * (rows[-1].steps // 16 // 12)
    assert all(0 < row.length <= 12 for row in rows if row.length is not None)


@pytest.mark.parametrize("kind", ["options", "one-step", "flat"])
def test_the_same_seed_gives_the_same_agent_and_the_options_stay(options, kind):
    given = None if kind == "flat" else options
    before = [parameter.clone() for parameter in options.parameters()]
    first, again, other = (learned(given, kind=kind, seed=seed) for seed in (1, 1, 2))
    assert first.log == again.log
    assert first.log != other.log
    weights = [torch.cat([part.flatten() for part in result.agent.learned()]) for result in (first, again, other)]
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])
    assert all(map(torch.equal, before, options.parameters()))


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_a_request_to_stop_ends_the_run_with_the_agent_so_far(options):
    result = learned(options, report=lambda _: signal.raise_signal(signal.SIGINT))
    assert result.signal == signal.SIGINT
    assert len(result.log) == 1
    assert play(result.agent, "A", 2, **GRID).returns.shape == (2,)


@pytest.mark.parametrize("kind", ["options", "one-step", "flat"])
def test_what_is_played_can_be_done_again(options, kind):
    agent = learned(None if kind == "flat" else options, kind=kind).agent
    played = play(agent, "A", 10, seed=4, **GRID)
    assert played.actions.shape == played.options.shape == played.begins.shape == (10, played.lengths.max())
    assert played.successes.any()
    assert not np.array_equal(played.start.cells, Episodes("A", 10, seed=4, **GRID).worlds.cells)  # those of learning
    for index in range(10):
        length = played.lengths[index]
        episode = Episodes("A", 1, **GRID)
        episode.restart(np.array([0]), played.start.chosen(np.array([index])))
        steps = [episode.step(np.array([action])) for action in played.actions[index, :length]]
        assert [len(step.ended.which) for step in steps] == [0] * (length - 1) + [1]
        assert steps[-1].terminated[0] == played.successes[index] == played.returns[index]
        assert (played.actions[index, length:] == -1).all()
        assert not played.begins[index, length:].any()
        assert played.begins[index, 0]
        if kind == "options":
            changes = np.flatnonzero(np.diff(played.options[index, :length])) + 1
            assert played.begins[index, changes].all()
        if kind == "flat":
            assert (played.options[index] == -1).all()
        else:
            assert set(played.options[index, :length]) <= {0, 1, 2}


def test_pooled_options_do_what_they_did(options):
    more = Cells(2, VIEW.size, 8, 5)
    pool = pooled([options, more])
    seen, state = torch.rand(4, VIEW.size), torch.rand(5, 4, 8)
    together = pool.step(seen, state)
    apart = [options.step(seen, state[:3]), more.step(seen, state[3:])]
    for pooled_values, parts in zip(together, zip(*apart, strict=True), strict=True):
        torch.testing.assert_close(pooled_values, torch.cat(parts))
    assert learned(pool).agent.controller.outputs == 5


def test_what_does_not_fit_is_refused(options):
    with pytest.raises(SettingError, match="100 and 8, 258 and 8"):
        pooled([options, Cells(2, 100, 8, 5)])
