"""Proximal policy optimisation of a controller whose choices last until its options are done.

Schulman, Wolski, Dhariwal, Radford, Klimov: Proximal Policy Optimization Algorithms, 2017; with the generalised
advantages of Schulman et al., 2016, over decisions of a semi-Markov process (Sutton, Precup, Singh: Between MDPs and
semi-MDPs, 1999): a decision that lasts d steps earns R = Σ_{i<d} γ^i r_i, and what follows it counts γ^d.

A decision that is not over at the end of a fragment is the first one of the next fragment, with the probability that
it was made with. So none is lost, however long it lasts.

Glossary
    N places, each with one episode after another; M decisions of a fragment
    D numbers of an observation; A outputs of the controller; H its hidden size
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from synparse.config.training import Count, Positive
from synparse.inducers.configurations import NonNegative, Probability
from synparse.tasks.craft.agents import Actor, Agent, Choice, Decisions
from synparse.tasks.craft.episodes import EndedEpisodes
from synparse.tasks.craft.worlds import Numbers

Rows = TypeVar("Rows", "Decisions", "Outcomes")


@dataclass(frozen=True)
class PpoConfig:
    """How a controller is learned.

    batch: decisions of an update, at least. parallel: episodes at once. learning_rate: at first; it falls to 0,
    linearly over the run. epochs: steps of the optimizer on each batch. clip: ε, how far the ratio of probabilities may
    be from 1 to count. discount: γ, per step of an episode. trace: λ, per decision. entropy, value: weights of the
    controller's entropy and of the error of its value in the objective. gradient_clip: largest norm of the gradient.
    hidden_size: of the controller. temperature: of its distribution; of the thesis' 10 (5.2.7), it is not told whether
    it holds here, too.
    """

    batch: Count = 1024
    parallel: Count = 64
    learning_rate: Positive = 1e-3
    epochs: Count = 8
    clip: Positive = 0.2
    discount: Probability = 0.99
    trace: Probability = 0.95
    entropy: NonNegative = 0.01
    value: NonNegative = 0.5
    gradient_clip: Positive = 0.5
    hidden_size: Count = 128
    temperature: Positive = 1.0


class FinishedEpisodes(NamedTuple):
    """Episodes that ended: returns, successes, lengths (steps), decisions [episodes]."""

    returns: Numbers
    successes: Numbers
    lengths: Numbers
    decisions: Numbers


class Row(NamedTuple):
    """The progress of learning after an update.

    steps: of the environment so far, of all episodes together; episodes: ended so far. Of the episodes that ended since
    the row before, None where there are none: mean_return, success_rate, length (steps) and decisions, on average.
    entropy: of the controller's distribution (nats).
    """

    steps: int
    episodes: int
    mean_return: float | None
    success_rate: float | None
    length: float | None
    decisions: float | None
    entropy: float


def row(steps: int, episodes: int, finished: FinishedEpisodes, entropy: float) -> Row:
    """The row of an update after ``steps``; ``episodes``: ended before."""
    count = len(finished.returns)
    mean_return, success_rate, length, decisions = (float(c.mean()) if count else None for c in finished)
    return Row(steps, episodes + count, mean_return, success_rate, length, decisions, entropy)


class Fragment(NamedTuple):
    """M decisions and what came of them. First stands the first decision in each of the N places, then the second ones,
    and so on; places with most decisions come first, so each row of decisions belongs to the first places of the row
    before it, as in a packed sequence of PyTorch.

    counts: of places that have a first decision, a second one, …; decisions: in this order; rewards [M]: discounted to
    the decision; discounts [M]: γ^d; following [M]: the value of what follows, 0 where the task is done; goes_on [M]:
    whether the next decision of this place is one of the same episode.
    """

    counts: tuple[int, ...]
    decisions: Decisions
    rewards: Tensor
    discounts: Tensor
    following: Tensor
    goes_on: Tensor


class Outcomes(NamedTuple):
    """What came of M decisions. which [M]: the places; rewards, discounts [M]: as in `Fragment`; last [M]: the value of
    what follows where the episode ended, NaN where it goes on, so that it is the value of the next decision."""

    which: Tensor
    rewards: Tensor
    discounts: Tensor
    last: Tensor


LEAST_DEVIATION = 0.01
"""Of advantages that are scaled to a standard deviation of 1. Smaller ones, as where there was no reward, are errors of
the value, from which the controller would learn what is of no use."""

NONE = EndedEpisodes(*(np.zeros(0, kind) for kind in (np.int64, np.uint8, np.float32, np.int64, bool)))
"""No episode ended."""


class Collector:
    """Collects fragments of what an actor does. ``steps``: of the environment so far, of all episodes together."""

    def __init__(self, actor: Actor, config: PpoConfig) -> None:
        self.actor, self.config, self.steps = actor, config, 0
        N = len(actor.environment)
        self._rewards, self._discounts = np.zeros(N, np.float32), np.ones(N, np.float32)
        self._decided = np.zeros(N, np.int64)  # decisions of the present episodes
        self._open = self._decide()

    def collect(self) -> tuple[Fragment, FinishedEpisodes]:
        """Act until there are enough decisions that are over."""
        decisions, outcomes, finished = [self._open], [], [self._counted(NONE)]
        over = 0
        while over < self.config.batch:
            _, step = self.actor.act()
            self.steps += len(step.rewards)
            self._rewards += self._discounts * step.rewards
            self._discounts *= self.config.discount
            if len(step.ended.which):
                outcomes.append(self._ended(step.ended))
                finished.append(self._counted(step.ended))
            going = self._decided > 0  # no new episode
            decisions.append(self._decide())
            which = decisions[-1].which.numpy()
            over_now = which[going[which]]
            outcomes.append(self._outcomes(over_now, torch.full((len(over_now),), torch.nan)))
            self._rewards[which], self._discounts[which] = 0, 1
            over += len(over_now) + len(step.ended.which)
        fragment, self._open = arranged(_joined(decisions, Decisions), _joined(outcomes, Outcomes))
        return fragment, FinishedEpisodes(*(np.concatenate(columns) for columns in zip(*finished, strict=True)))

    def _decide(self) -> Decisions:
        decisions = self.actor.decide()
        self._decided[decisions.which.numpy()] += 1
        return decisions

    def _outcomes(self, which: Numbers, last: Tensor) -> Outcomes:
        rewards, discounts = self._rewards[which], self._discounts[which]
        return Outcomes(torch.from_numpy(which), torch.from_numpy(rewards), torch.from_numpy(discounts), last)

    @torch.no_grad()
    def _ended(self, ended: EndedEpisodes) -> Outcomes:
        """Where the limit of steps cut an episode short, the value of what was seen last stands for the rest."""
        last = torch.zeros(len(ended.which))
        cut = np.flatnonzero(~ended.successes)
        if len(cut):
            observations = torch.from_numpy(ended.observations[cut]).float()
            last[cut] = self.actor.agent.choose(observations, self.actor.state[ended.which[cut]]).values
        return self._outcomes(ended.which, last)

    def _counted(self, ended: EndedEpisodes) -> FinishedEpisodes:
        decided = self._decided[ended.which]
        self._decided[ended.which] = 0
        return FinishedEpisodes(ended.returns, ended.successes, ended.lengths, decided)


def arranged(decisions: Decisions, outcomes: Outcomes) -> tuple[Fragment, Decisions]:
    """Decisions and outcomes, each in order of time, as a fragment; and the last decisions, which are not over."""
    nth, nth_over = _ranks(decisions.which), _ranks(outcomes.which)  # from 0, of their episode's
    number = torch.bincount(outcomes.which, minlength=int(decisions.which.max()) + 1)
    rank = number.argsort(descending=True, stable=True).argsort()  # of each episode: those with most outcomes first
    values = torch.zeros(int(nth.max()) + 1, len(number))
    values[nth, rank[decisions.which]] = decisions.values
    following = values[nth_over + 1, rank[outcomes.which]]  # of the next decision

    is_over = nth < number[decisions.which]
    order = torch.where(is_over, nth * len(number) + rank[decisions.which], values.numel()).argsort(stable=True)
    order_over = (nth_over * len(number) + rank[outcomes.which]).argsort()
    over, open_ = order[: len(nth_over)], order[len(nth_over) :]
    goes_on = outcomes.last.isnan()
    fragment = Fragment(
        tuple(torch.bincount(nth_over).tolist()),
        Decisions(*(column[over] for column in decisions)),
        outcomes.rewards[order_over],
        outcomes.discounts[order_over],
        torch.where(goes_on, following, outcomes.last)[order_over],
        goes_on[order_over],
    )
    return fragment, Decisions(*(column[open_] for column in decisions))


def _ranks(which: Tensor) -> Tensor:
    """How many of the same number come before each one [M]."""
    order = which.argsort(stable=True)
    counts = torch.bincount(which)
    out = torch.empty_like(which)
    out[order] = torch.arange(len(which)) - (counts.cumsum(0) - counts).repeat_interleave(counts)
    return out


def _joined(parts: Sequence[Rows], kind: type[Rows]) -> Rows:
    """The rows of several parts, one after the other."""
    return kind(*(torch.cat(columns) for columns in zip(*parts, strict=True)))


def advantages(fragment: Fragment, trace: float) -> Tensor:
    """A_k = δ_k + λ γ^d A_{k+1}, with δ_k = R_k + γ^d V_{k+1} − V_k, of each decision [M]; the second term only within
    an episode, and within the fragment."""
    out = fragment.rewards + fragment.discounts * fragment.following - fragment.decisions.values
    carried = trace * fragment.discounts * fragment.goes_on
    end, later = len(out), out[:0]
    for count in reversed(fragment.counts):
        here = slice(end - count, end)
        out[here][: len(later)] += carried[here][: len(later)] * later
        later = out[here]
        end -= count
    return out


def replay(agent: Agent, fragment: Fragment) -> Choice:
    """What the controller makes of a fragment again, from the states that its first decisions were made in, with a
    gradient through the sequences. log_probabilities [M, A], values [M]; state: of the places of the last row."""
    decisions = fragment.decisions
    seen = agent.controller.seen(decisions.observations)
    state = decisions.state[: fragment.counts[0]]
    logits, features, done = [], [], 0
    for count in fragment.counts:
        here = slice(done, done + count)
        state = torch.where(decisions.first[here, None], agent.start, state[:count])
        cell = agent.controller.advance(seen[:, here], state[None])
        logits.append(cell.logits[0])
        features.append(cell.features[0])
        state = cell.hidden[0]
        done += count
    return agent.chosen(torch.cat(logits), torch.cat(features), state)


def optimizer_of(agent: Agent, config: PpoConfig) -> torch.optim.Adam:
    return torch.optim.Adam(agent.learned(), lr=config.learning_rate, eps=1e-5)


def update(agent: Agent, optimizer: torch.optim.Optimizer, fragment: Fragment, config: PpoConfig) -> float:
    """Improve the controller on a fragment, in place. Returns its entropy (nats)."""
    decisions = fragment.decisions
    advantage = advantages(fragment, config.trace)
    target = advantage + decisions.values
    advantage = (advantage - advantage.mean()) / advantage.std(correction=0).clamp(min=LEAST_DEVIATION)
    entropy = torch.zeros(())
    for _ in range(config.epochs):
        again = replay(agent, fragment)
        chosen = again.log_probabilities.gather(1, decisions.chosen[:, None])[:, 0]
        ratio = (chosen - decisions.log_probabilities).exp()
        clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
        gain = torch.minimum(ratio * advantage, clipped * advantage).mean()
        error = (again.values - target).square().mean()
        entropy = -(again.log_probabilities.exp() * again.log_probabilities).sum(1).mean()
        optimizer.zero_grad()
        (config.value * error - gain - config.entropy * entropy).backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(agent.learned(), config.gradient_clip)
        optimizer.step()
    return float(entropy.detach())
