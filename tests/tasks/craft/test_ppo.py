"""Fragments and advantages against what is written by hand and against plain recursions, and that PPO learns."""

import numpy as np
import pytest
import torch

from synparse.tasks.craft.agents import Actor, Agent, Decisions
from synparse.tasks.craft.ppo import (
    Collector,
    FinishedEpisodes,
    Fragment,
    Outcomes,
    PpoConfig,
    advantages,
    arranged,
    optimizer_of,
    replay,
    row,
    update,
)
from tests.tasks.craft.scripted import INPUTS, Clock, scripted

NAN = float("nan")


def collector_of(kind, options, environment, config):
    torch.manual_seed(1)
    agent = Agent(kind, options, inputs=INPUTS, hidden=8)
    with torch.no_grad():
        agent.value.weight.normal_()
        agent.controller.start.normal_()
    return Collector(Actor(agent, environment, torch.Generator().manual_seed(3)), config)


def decisions_of(which, values):
    """Decisions of which nothing but the places and values is known."""
    nothing = torch.zeros(len(which))
    return Decisions(torch.tensor(which), nothing[:, None], nothing[:, None], nothing > 0, nothing.long(), nothing,
                     torch.tensor(values))  # fmt: skip


def test_advantages_by_hand():
    # One place: a decision of two steps, then one of three that ends the episode, then one that goes on.
    γ, λ = 0.5, 0.8
    decisions = decisions_of([0, 0, 0, 0], [1.0, 2.0, 3.0, 4.0])
    rewards, discounts = torch.tensor([1.0, 8.0, 0.0]), torch.tensor([γ**2, γ**3, γ])
    fragment, still = arranged(decisions, Outcomes(torch.zeros(3).long(), rewards, discounts,
                                                   torch.tensor([NAN, 0.0, NAN])))  # fmt: skip
    second = 8 - 2
    first = (1 + γ**2 * 2 - 1) + λ * γ**2 * second
    third = 0 + γ * 4 - 3
    assert advantages(fragment, λ).tolist() == pytest.approx([first, second, third])
    assert still.values.tolist() == [4.0]


def test_fragments_and_advantages_equal_a_plain_recursion_of_each_place():
    random = np.random.default_rng(0)
    N, λ = 5, 0.9
    which = np.concatenate([random.permutation(N), random.integers(0, N, 40)])  # in order of time
    values = random.normal(size=len(which)).astype(np.float32)
    over = np.array([place for at, place in enumerate(which) if (which[at + 1 :] == place).any()])
    M = len(over)
    rewards, discounts = random.normal(size=M).astype(np.float32), random.uniform(size=M).astype(np.float32)
    last = np.where(random.random(M) < 0.3, random.normal(size=M), np.nan).astype(np.float32)
    fragment, still = arranged(
        decisions_of(which.tolist(), values.tolist()),
        Outcomes(*(torch.from_numpy(column) for column in (over, rewards, discounts, last))),
    )
    expected = {}
    for place in range(N):
        V, mine = values[which == place], over == place
        following = 0.0
        for k in reversed(range(mine.sum())):
            R, discount, end = rewards[mine][k], discounts[mine][k], last[mine][k]
            δ = R + discount * (V[k + 1] if np.isnan(end) else end) - V[k]
            following = δ + (λ * discount * following if np.isnan(end) else 0)
            expected[place, k] = following
    computed, seen = advantages(fragment, λ), {}
    for place, advantage in zip(fragment.decisions.which.tolist(), computed.tolist(), strict=True):
        k = sum(key[0] == place for key in seen)
        seen[place, k] = advantage
    assert seen == pytest.approx(expected, abs=1e-5)
    assert sorted(still.which.tolist()) == list(range(N))
    assert list(fragment.counts) == sorted(fragment.counts, reverse=True)
    for place, value in zip(still.which.tolist(), still.values.tolist(), strict=True):
        assert value == pytest.approx(values[which == place][-1])


@pytest.mark.parametrize("kind", ["options", "one-step", "flat"])
def test_a_replayed_fragment_gives_what_was_computed_when_it_was_collected(kind):
    options = None if kind == "flat" else scripted((0, 1, False), (2, 3, True), (4, 4, True))
    collector = collector_of(kind, options, Clock(9, 5, lambda *_: 0), PpoConfig(batch=60))
    for _ in range(3):  # from the second on, fragments start within episodes
        fragment, _ = collector.collect()
        again = replay(collector.actor.agent, fragment)
        chosen = again.log_probabilities.gather(1, fragment.decisions.chosen[:, None])[:, 0]
        torch.testing.assert_close(chosen, fragment.decisions.log_probabilities)
        torch.testing.assert_close(again.values, fragment.decisions.values)
        assert len(chosen) == sum(fragment.counts) >= 60
        assert len(fragment.counts) > 3
    assert not fragment.decisions.first[: fragment.counts[0]].all()
    again.values.sum().backward()
    assert collector.actor.agent.controller.start.grad.abs().sum() > 0


def test_a_decision_earns_what_its_option_earns_discounted_by_the_step():
    γ = 0.5
    clock = Clock(2, 3, lambda time, *_: 1 + time)
    collector = collector_of("options", scripted((0, 0, False)), clock, PpoConfig(batch=2, discount=γ))
    fragment, finished = collector.collect()
    assert fragment.counts == (2,)
    np.testing.assert_allclose(fragment.rewards, 2 * [1 + γ * 2 + γ**2 * 3])
    np.testing.assert_allclose(fragment.discounts, 2 * [γ**3])
    assert not fragment.goes_on.any()
    # the first place is done; in the second one, the limit cut the episode short
    agent = collector.actor.agent
    seen = torch.tensor([[0, 0, 0, 1, 0, 0, 1.0]])
    state = agent.choose(fragment.decisions.observations[1:], fragment.decisions.state[1:]).state
    torch.testing.assert_close(fragment.following, torch.tensor([0.0, agent.choose(seen, state).values.item()]))
    assert (finished.returns.tolist(), finished.lengths.tolist()) == ([6, 6], [3, 3])
    assert (finished.successes.tolist(), finished.decisions.tolist()) == ([True, False], [1, 1])


def test_decisions_within_an_episode_share_out_its_rewards():
    clock = Clock(2, 3, lambda time, *_: 1 + time)
    collector = collector_of("options", scripted((0, 0, True)), clock, PpoConfig(batch=8, discount=0.5))
    fragment, finished = collector.collect()
    np.testing.assert_allclose(fragment.rewards, np.repeat([1, 2, 3, 1], 2))
    assert fragment.goes_on.tolist() == [True, True, True, True, False, False, True, True]
    torch.testing.assert_close(fragment.following[:4], fragment.decisions.values[2:6])
    assert finished.decisions.tolist() == [3, 3]


def test_a_decision_that_is_not_over_opens_the_next_fragment():
    clock = Clock(2, 5, lambda *_: 1)
    collector = collector_of("options", scripted((0, 0, False), (1, 1, True)), clock, PpoConfig(batch=3, discount=0.9))
    fragments = [collector.collect()[0] for _ in range(20)]
    for place in range(2):
        rewards, discounts = [], []
        for fragment in fragments:
            mine = fragment.decisions.which == place
            rewards += fragment.rewards[mine].tolist()
            discounts += fragment.discounts[mine].tolist()
        durations = np.round(np.log(discounts) / np.log(0.9)).astype(int)
        np.testing.assert_allclose(rewards, (1 - np.array(discounts)) / 0.1, rtol=1e-5)
        ends = np.cumsum(durations)
        assert set(np.arange(5, ends[-1], 5)) <= set(ends)  # each episode's end is the end of a decision


def fragment_of(advantage, agent):
    """One decision for each action, with these rewards and no value."""
    count = len(advantage)
    observations, state = torch.ones(count, INPUTS), agent.start.detach().expand(count, -1)
    log_probabilities = agent.choose(observations, state).log_probabilities.detach()
    chosen = torch.arange(count)
    decisions = Decisions(chosen, observations, state, torch.ones(count, dtype=torch.bool), chosen,
                          log_probabilities[chosen, chosen], torch.zeros(count))  # fmt: skip
    nothing = torch.zeros(count)
    return Fragment((count,), decisions, torch.tensor(advantage), nothing, nothing, nothing > 0)


def test_an_update_raises_the_probability_of_what_was_better_until_it_is_clipped():
    ratios = []
    for clip in (0.2, 100.0):
        torch.manual_seed(1)
        agent = Agent("flat", None, inputs=INPUTS, hidden=8)
        fragment = fragment_of([0.0, 0.0, 5.0, 0.0, 0.0], agent)
        config = PpoConfig(epochs=40, learning_rate=0.003, entropy=0.0, clip=clip)
        update(agent, optimizer_of(agent, config), fragment, config)
        ratios.append((replay(agent, fragment).log_probabilities[0] - fragment.decisions.log_probabilities).exp())
    clipped, unclipped = ratios
    assert clipped[2] > 1.2
    assert (clipped[[0, 1, 3, 4]] < 1).all()
    assert unclipped[2] > 1.2 * clipped[2]


@pytest.mark.parametrize("kind", ["options", "flat"])
def test_it_learns_what_pays_off_at_the_end_of_an_episode(kind):
    # In the places that see 1, the last step wants action 4, elsewhere 1; nothing else is rewarded.
    clock = Clock(32, 4, lambda time, action, place: float(time == 3 and action == (4 if place % 2 else 1)))
    config = PpoConfig(batch=128, learning_rate=0.02)
    options = None if kind == "flat" else scripted((1, 1, False), (4, 4, True), (0, 2, False))
    collector = collector_of(kind, options, clock, config)
    optimizer = optimizer_of(collector.actor.agent, config)
    returns = []
    for _ in range(25):
        fragment, finished = collector.collect()
        update(collector.actor.agent, optimizer, fragment, config)
        returns.append(finished.returns.mean())
    assert np.mean(returns[:3]) < 0.5
    assert np.mean(returns[-5:]) > 0.9


def test_a_row_tells_means_of_the_episodes_that_ended_and_nothing_where_there_are_none():
    finished = FinishedEpisodes(np.array([2.0, 0.0]), np.array([True, False]), np.array([4, 12]), np.array([2, 5]))
    assert row(100, 7, finished, 0.5) == (100, 9, 1.0, 0.5, 8.0, 3.5, 0.5)
    assert row(100, 7, FinishedEpisodes(*(column[:0] for column in finished)), 0.5) == (
        100,
        7,
        None,
        None,
        None,
        None,
        0.5,
    )
