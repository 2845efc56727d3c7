"""Craft in Gymnasium: its own checks, seeds, and many grids at once as one by one."""

import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from synparse.tasks.craft.demonstrations import demonstrations, grids_of
from synparse.tasks.craft.environment import CraftEnv, CraftVectorEnv
from synparse.tasks.craft.subtasks import ACTIONS
from synparse.trees.errors import SettingError
from tests.processes import HANG

NAME = "synparse.tasks.craft.environment:synparse/Craft-v0"
SMALL = {"task": "A", "size": 6, "walls": 0}


def test_gymnasium_finds_the_environment_without_an_import_of_ours_and_without_torch():
    program = (
        "import sys, gymnasium\n"
        f"env = gymnasium.make({NAME!r}, task='DCA')\n"
        f"many = gymnasium.make_vec({NAME!r}, num_envs=3, task='DCA')\n"
        "print(type(env.unwrapped).__name__, type(many).__name__, many.num_envs, 'torch' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=HANG)
    assert (done.stdout, done.stderr) == ("CraftEnv CraftVectorEnv 3 False\n", "")


def test_without_gymnasium_one_line_says_what_to_install():
    program = "import sys; sys.modules['gymnasium'] = None\nimport synparse.tasks.craft.environment"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=HANG)
    assert done.stderr.splitlines()[-1].endswith(
        "DataError: the environments of Craft need Gymnasium: pip install 'gymnasium>=1.1'"
    )


@pytest.mark.parametrize("render_mode", [None, "ansi", "svg", "rgb_array"])
def test_gymnasium_has_nothing_to_say_against_it(render_mode):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(NAME, task="DCA", render_mode=render_mode).unwrapped)


def episodes(env, seed, actions):
    """What is seen and given from a reset with a seed on, through several episodes."""
    out = [env.reset(seed=seed)[0]]
    for action in actions:
        seen, reward, terminated, truncated, _ = env.step(action)
        out += [seen, reward]
        if terminated or truncated:
            out.append(env.reset()[0])
    return out


def test_a_seed_gives_the_same_episodes():
    actions = np.random.default_rng(1).integers(0, 5, 60)
    env, twin = CraftEnv("AB", limit=20), CraftEnv("AB", limit=20)
    first = episodes(env, 3, actions)
    for seen in (episodes(twin, 3, actions), episodes(env, 3, actions)):
        assert all(np.array_equal(x, y) for x, y in zip(first, seen, strict=True))
    assert not all(np.array_equal(x, y) for x, y in zip(first, episodes(twin, 4, actions), strict=True))


def test_grids_are_drawn_by_the_environments_own_generator():
    env, twin = CraftEnv("A"), CraftEnv("A")
    env.np_random, twin.np_random = np.random.default_rng(5), np.random.default_rng(5)
    assert np.array_equal(env.reset()[0], twin.reset()[0])
    many, more = CraftVectorEnv(4, task="A"), CraftVectorEnv(4, task="A")
    many.np_random, more.np_random = np.random.default_rng(5), np.random.default_rng(5)
    assert np.array_equal(many.reset()[0], more.reset()[0])
    assert not np.array_equal(many.reset(seed=1)[0], many.reset(seed=2)[0])
    assert np.array_equal(many.reset(seed=1)[0], more.reset(seed=1)[0])


@pytest.mark.parametrize("reward", ["dense", "sparse"])
def test_a_demonstration_is_rewarded_and_ends_the_episode(reward):
    [(demonstration, ends)] = demonstrations("DCA", 1, 10, 1, 4, seed=2)
    env = CraftEnv("DCA", reward=reward)
    _, info = env.reset(options={"grid": "/".join(demonstration.grid)})
    assert info == {"subtasks_done": 0}
    for step, letter in enumerate(demonstration.actions, 1):
        _, given, terminated, truncated, info = env.step(ACTIONS.index(letter))
        assert given == (step in ends if reward == "dense" else step == ends[-1])
        assert (terminated, truncated) == (step == ends[-1], False)
        assert info == {"subtasks_done": sum(end <= step for end in ends)}
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_an_episode_is_truncated_at_its_limit():
    env = CraftEnv("AB", limit=3)
    env.reset(seed=1)
    assert [env.step(0)[2:4] for _ in range(3)] == [(False, False), (False, False), (False, True)]


def grid(env, index=0):
    return "/".join(grids_of(env._episodes.worlds)[index])


def test_many_grids_are_as_one_by_one():
    """With an episode of its own for each grid, begun in the grid that the many are in."""
    random = np.random.default_rng(1)
    many = CraftVectorEnv(6, **SMALL, limit=15, reward="dense")
    assert many.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    singles = [CraftEnv(**SMALL, limit=15, reward="dense") for _ in range(6)]
    seen, info = many.reset(seed=1)
    for n, single in enumerate(singles):
        assert np.array_equal(single.reset(options={"grid": grid(many, n)})[0], seen[n])
    endings = set()
    for _ in range(60):
        actions = random.integers(0, 5, 6)
        seen, rewards, terminated, truncated, info = many.step(actions)
        assert seen in many.observation_space
        assert ("final_obs" in info) == (terminated | truncated).any()
        for n, single in enumerate(singles):
            last, *rest, done = single.step(actions[n])
            assert rest == [rewards[n], terminated[n], truncated[n]]
            if terminated[n] or truncated[n]:
                endings.add((bool(terminated[n]), bool(truncated[n])))
                assert info["_final_obs"][n]
                assert info["_final_info"][n]
                assert np.array_equal(info["final_obs"][n], last)
                assert info["final_info"]["subtasks_done"][n] == done["subtasks_done"]
                last, done = single.reset(options={"grid": grid(many, n)})
            elif "final_obs" in info:
                assert not info["_final_obs"][n]
                assert info["final_obs"][n] is None
            assert np.array_equal(seen[n], last)
            assert info["subtasks_done"][n] == done["subtasks_done"]
    assert endings == {(True, False), (False, True)}


def test_gymnasiums_own_vector_of_single_grids_tells_the_same_things():
    """The keys and types of what is told, as `SyncVectorEnv` gives them."""
    mode = {"autoreset_mode": AutoresetMode.SAME_STEP}
    settings = {**SMALL, "limit": 2}
    ours = CraftVectorEnv(3, **settings)
    theirs = gymnasium.make_vec(NAME, num_envs=3, vectorization_mode="sync", vector_kwargs=mode, **settings)
    for env in (ours, theirs):
        env.reset(seed=1)
        env.step(np.zeros(3, int))
    told = [env.step(np.zeros(3, int)) for env in (ours, theirs)]
    for array, expected in zip(told[0][:4], told[1][:4], strict=True):
        assert (array.dtype, array.shape) == (expected.dtype, expected.shape)
    assert told[0][4].keys() == told[1][4].keys()
    assert told[0][4]["final_info"].keys() == told[1][4]["final_info"].keys()
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space


def test_rendering():
    [(demonstration, _)] = demonstrations("A", 1, 6, 1, 0, seed=1)
    drawn = {}
    for mode in ("ansi", "svg", "rgb_array"):
        env = CraftEnv("A", size=6, walls=0, render_mode=mode)
        env.reset(options={"grid": "/".join(demonstration.grid)})
        drawn[mode] = env.render()
    assert drawn["ansi"] == "\n".join(demonstration.grid) + "\nnothing taken\n"
    assert drawn["svg"].startswith("<svg ")
    assert drawn["rgb_array"].shape == (6 * 16, 6 * 16, 3)
    many = CraftVectorEnv(2, task="A", render_mode="ansi")
    many.reset(seed=1)
    assert many.render() == tuple("\n".join(rows) + "\nnothing taken\n" for rows in grids_of(many._episodes.worlds))
    assert CraftEnv("A").render() is CraftVectorEnv(1, task="A").render() is None


@pytest.mark.parametrize(
    ("settings", "options", "message"),
    [
        ({"task": "A", "render_mode": "human"}, {}, "unknown render mode 'human'; known: ansi, svg, rgb_array"),
        ({"task": "A"}, {"map": ""}, "unknown option 'map' of an episode; known: grid"),
        ({"task": "A"}, {"grid": "####/#>A#"}, "a grid is a square"),
        ({"task": "A"}, {"grid": "####/#>A#/#..#/####"}, "the grid has 4 rows; those of this environment have 10"),
    ],
)
def test_what_is_wrong_is_said(settings, options, message):
    with pytest.raises(SettingError, match=message):
        CraftEnv(**settings).reset(options=options)


def test_many_grids_have_no_options():
    with pytest.raises(SettingError, match="unknown option 'grid'"):
        CraftVectorEnv(2, task="A").reset(options={"grid": ""})
    with pytest.raises(SettingError, match="unknown render mode"):
        CraftVectorEnv(2, task="A", render_mode="human")
