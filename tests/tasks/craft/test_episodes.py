"""Episodes by hand on a written grid, and that a seed decides all of them."""

import numpy as np
import pytest

from synparse.tasks.craft.episodes import POOL, Episodes
from synparse.tasks.craft.subtasks import ACTIONS
from synparse.tasks.craft.worlds import MARGIN, Worlds, observe, step
from synparse.trees.errors import SettingError

GRID = ["######", "#>.C.#", "#....#", "#.A.D#", "#B...#", "######"]
TAKES_C_THEN_A = "rxdx"


@pytest.fixture
def world():
    cells = np.full((6 + 2 * MARGIN,) * 2, 5, np.uint8)
    cells[MARGIN:-MARGIN, MARGIN:-MARGIN] = [[".ABCD#".replace(">", ".").find(c) % 6 for c in row] for row in GRID]
    start = (MARGIN + 1) * len(cells) + MARGIN + 1
    cells.flat[start] = 0
    return Worlds(cells.reshape(1, -1), np.array([start]), np.array([3]), np.zeros((1, 4), np.uint8))


def played(world, task, letters, **settings):
    """Each step of one episode in a world."""
    episodes = Episodes(task, 1, size=6, walls=0, **settings)
    episodes.restart(np.array([0]), world)
    return episodes, [episodes.step(np.array([ACTIONS.index(letter)])) for letter in letters]


@pytest.mark.parametrize(("reward", "expected"), [("dense", [0, 1, 0, 1]), ("sparse", [0, 0, 0, 1])])
def test_each_subtask_is_rewarded_or_the_whole_task(world, reward, expected):
    _, steps = played(world, "CA", TAKES_C_THEN_A, reward=reward)
    assert [float(step.rewards[0]) for step in steps] == expected
    assert [bool(step.terminated[0]) for step in steps] == [False, False, False, True]
    assert not any(step.truncated[0] for step in steps)
    ended = steps[-1].ended
    assert (ended.returns, ended.lengths, ended.successes) == (sum(expected), 4, True)


@pytest.mark.parametrize(("reward", "expected"), [("dense", [0, 0, 0, 1, 0, 0]), ("sparse", [0] * 6)])
def test_what_is_taken_out_of_turn_counts_for_nothing_and_the_limit_ends_the_episode(world, reward, expected):
    _, steps = played(world, "AC", TAKES_C_THEN_A + "uu", reward=reward, limit=6)
    assert [float(step.rewards[0]) for step in steps] == expected
    assert [bool(step.truncated[0]) for step in steps] == [False] * 5 + [True]
    assert not any(step.terminated[0] for step in steps)
    assert (steps[-1].ended.returns, steps[-1].ended.lengths, steps[-1].ended.successes) == (sum(expected), 6, False)


def test_a_task_done_at_the_limit_is_done(world):
    _, steps = played(world, "CA", TAKES_C_THEN_A, limit=4)
    assert (steps[-1].terminated[0], steps[-1].truncated[0]) == (True, False)


def test_the_last_observation_is_told_before_the_episode_starts_anew(world):
    episodes, steps = played(world, "CA", TAKES_C_THEN_A)
    for letter in TAKES_C_THEN_A:
        step(world, np.array([ACTIONS.index(letter)]))
    assert all(not len(step.ended.which) for step in steps[:-1])
    np.testing.assert_array_equal(steps[-1].ended.observations, observe(world))
    assert episodes.worlds.inventory.sum() == episodes.progress[0] == episodes.lengths[0] == episodes.returns[0] == 0
    assert not np.array_equal(episodes.observe(), observe(world))


def test_advance_leaves_ended_episodes_as_they_are(world):
    episodes, _ = played(world, "CA", TAKES_C_THEN_A[:3])
    done = episodes.advance(np.array([4]))
    assert (done.terminated[0], episodes.progress[0], episodes.lengths[0]) == (True, 2, 4)
    np.testing.assert_array_equal(episodes.observe(), done.ended.observations)


def random_steps(seed, count=40, length=90):
    episodes, random = Episodes("A", count, limit=3, size=6, walls=0, seed=seed), np.random.default_rng(0)
    for _ in range(length):
        yield episodes.step(random.integers(0, 5, count)), episodes.observe()


def test_the_same_seed_gives_the_same_episodes_and_another_one_others():
    ended = 0
    for (first, seen), (second, seen_again) in zip(random_steps(5), random_steps(5), strict=True):
        np.testing.assert_array_equal(seen, seen_again)
        np.testing.assert_array_equal(first.rewards, second.rewards)
        ended += len(first.ended.which)
    assert ended > POOL - 40  # more worlds than are generated at a time at first
    assert any(not np.array_equal(a[1], b[1]) for a, b in zip(random_steps(5), random_steps(6), strict=True))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"task": "DXA"}, "no subtask 'X'"),
        ({"task": "ABA"}, "takes 2 of A"),
        ({"reward": "dens"}, "known: sparse, dense"),
        ({"count": 0}, "at least one episode"),
        ({"limit": 0}, "at least one step"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(SettingError, match=message):
        Episodes(**({"task": "A", "count": 1} | settings))
