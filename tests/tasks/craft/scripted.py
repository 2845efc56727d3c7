"""Options that do what a test says, and an environment in which they can be followed."""

import numpy as np
import torch

from synparse.tasks.craft.episodes import EndedEpisodes, EpisodeStep
from synparse.tasks.craft.option_controller import Cells

INPUTS = 7


def scripted(*options, inputs=INPUTS):
    """Options, each given as its actions at odd and at even steps, and whether it is always done, or never."""
    cells = Cells(len(options), inputs, 2, 5)
    with torch.no_grad():
        for parameter in cells.parameters():
            parameter.zero_()
        # The first feature is -1 at odd steps, where its state is 0 or -1, and 1 at even ones; the second one is 1.
        cells.first_bias[:, 0, 0] = -5
        cells.of_hidden[:, 0, 0] = 10
        cells.second[:, 0, 0] = 10
        cells.second_bias[:, 0, 1] = 10
        cells.last[:, 0, 6] = -10  # the state
        for option, (odd, even, is_done) in enumerate(options):
            cells.last[option, :, odd] += torch.tensor([-50.0, 50.0])
            cells.last[option, :, even] += torch.tensor([50.0, 50.0])
            cells.last[option, 1, 5] = 100 if is_done else -100
    return cells


class Clock:
    """Episodes of ``length`` steps in N places, one after the other. What is seen is the step, one-hot, and whether the
    place is odd; there, episodes are truncated, elsewhere terminated. Action a at step t gives ``reward(t, a, place)``.
    """

    def __init__(self, count, length, reward):
        self.count, self.length, self.reward = count, length, reward
        self.time = np.zeros(count, int)
        self.sums = np.zeros(count, np.float32)
        self.acted = []

    def __len__(self):
        return self.count

    def observe(self):
        return np.concatenate([np.eye(INPUTS - 1, dtype=np.uint8)[self.time], np.arange(self.count)[:, None] % 2], 1)

    def step(self, actions):
        self.acted.append(actions.copy())
        rewards = np.array([self.reward(*given) for given in zip(self.time, actions, range(self.count), strict=True)])
        rewards = rewards.astype(np.float32)
        self.sums += rewards
        self.time += 1
        over = self.time == self.length
        odd = np.arange(self.count) % 2 == 1
        which = np.flatnonzero(over)
        ended = EndedEpisodes(which, self.observe()[which], self.sums[which], self.time[which], ~odd[which])
        self.time[which], self.sums[which] = 0, 0
        return EpisodeStep(rewards, over & ~odd, over & odd, ended)
