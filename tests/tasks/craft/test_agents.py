"""Who decides and who acts, followed step by step with scripted options."""

import numpy as np
import pytest
import torch

from synparse.tasks.craft.agents import Actor, Agent
from synparse.tasks.craft.option_controller import Cells
from synparse.trees.errors import SettingError
from tests.tasks.craft.scripted import INPUTS, Clock, scripted

N, LENGTH = 6, 4


def actor_of(kind, options, **settings):
    torch.manual_seed(1)
    agent = Agent(kind, options, inputs=INPUTS, hidden=8, **settings)
    with torch.no_grad():
        agent.controller.start.normal_()
        agent.value.weight.normal_()
    return Actor(agent, Clock(N, LENGTH, lambda *_: 0), torch.Generator().manual_seed(3))


def followed(actor, steps):
    """At each step, where the controller decided, and the actions."""
    decided, actions = [], []
    for _ in range(steps):
        decided.append(actor.decide().which.tolist())
        actions.append(actor.act()[0].tolist())
    return decided, actions


def test_an_option_acts_from_its_start_to_the_end_of_the_episode_unless_it_is_done():
    decided, actions = followed(actor_of("options", scripted((0, 1, False), (0, 1, False))), 2 * LENGTH)
    everywhere = list(range(N))
    assert decided == 2 * [everywhere, [], [], []]
    assert actions == 4 * [[0] * N, [1] * N]


def test_an_option_that_is_done_does_not_act_and_the_next_one_starts_afresh():
    decided, actions = followed(actor_of("options", scripted((0, 1, True))), LENGTH)
    assert decided == LENGTH * [list(range(N))]
    assert actions == LENGTH * [[0] * N]


def test_each_option_goes_its_own_way():
    actor = actor_of("options", scripted((0, 1, False), (2, 3, True), (4, 4, False)))
    steps = 5 * LENGTH
    lasting = np.zeros(N, int)  # steps that the option in charge has acted
    for step in range(steps):
        before = actor.chosen.clone()
        which = actor.decide().which
        is_decided = torch.zeros(N, dtype=torch.bool)
        is_decided[which] = True
        np.testing.assert_array_equal(is_decided, (before == 1) | (step % LENGTH == 0))
        lasting = np.where(is_decided, 1, lasting + 1)
        ways = np.array([[0, 1], [2, 3], [4, 4]])
        np.testing.assert_array_equal(actor.act()[0], ways[actor.chosen, 1 - lasting % 2])


def test_the_controllers_state_moves_at_decisions_only_and_starts_anew_with_each_episode():
    actor = actor_of("options", scripted((0, 0, False), (1, 1, True)))
    for step in range(3 * LENGTH):
        before = actor.state.clone()
        decisions = actor.decide()
        others = torch.ones(N, dtype=torch.bool)
        others[decisions.which] = False
        assert torch.equal(actor.state[others], before[others])
        start = actor.agent.start.expand(len(decisions.which), -1)
        assert torch.equal(decisions.state, start if step % LENGTH == 0 else before[decisions.which])
        assert decisions.first.tolist() == [step % LENGTH == 0] * len(decisions.which)
        again = actor.agent.choose(decisions.observations, decisions.state)
        assert torch.equal(again.state, actor.state[decisions.which])
        assert torch.equal(again.values, decisions.values)
        assert torch.equal(again.log_probabilities[range(len(decisions.which)), decisions.chosen], decisions[-2])
        actor.act()


def test_one_step_options_start_afresh_at_each_step():
    decided, actions = followed(actor_of("one-step", scripted((0, 1, False), (2, 3, False))), 2 * LENGTH)
    assert decided == 2 * LENGTH * [list(range(N))]
    assert {action for row in actions for action in row} == {0, 2}


def test_a_flat_agent_chooses_actions():
    actor = actor_of("flat", None)
    for _ in range(LENGTH):
        decisions = actor.decide()
        assert decisions.which.tolist() == list(range(N))
        assert actor.act()[0].tolist() == decisions.chosen.tolist()


def test_what_is_sampled_has_the_probabilities_of_the_controller_at_its_temperature():
    torch.manual_seed(1)
    agent = Agent("flat", None, inputs=INPUTS, hidden=8, temperature=0.05)
    actor = Actor(agent, Clock(4000, LENGTH, lambda *_: 0), torch.Generator().manual_seed(3))
    chosen = actor.decide().chosen[::2]  # of places that see the same
    cell = agent.controller.step(actor.seen[:1], agent.controller.starts(1))
    expected = (cell.logits[0, 0] / 0.05).softmax(0).detach()
    assert expected.max() - expected.min() > 0.2
    np.testing.assert_allclose(torch.bincount(chosen, minlength=5) / 2000, expected, atol=0.04)


def test_only_the_controller_learns():
    agent = actor_of("options", scripted((0, 0, False), (1, 1, True))).agent
    learned = {id(parameter) for parameter in agent.learned()}
    assert learned == {id(parameter) for parameter in agent.parameters() if parameter.requires_grad}
    assert not learned & {id(parameter) for parameter in agent.options.parameters()}


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("two-step", None, "known: options, one-step, flat"),
        ("options", None, "needs options"),
        ("flat", Cells(2, INPUTS, 4, 5), "has no options"),
        ("options", Cells(2, 9, 4, 5), "observations of 9 numbers; here they have 7"),
    ],
)
def test_what_does_not_go_together_is_refused(kind, options, message):
    with pytest.raises(SettingError, match=message):
        Agent(kind, options, inputs=INPUTS)
