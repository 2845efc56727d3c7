"""An agent that solves a task of Craft with options it was given (thesis §5.2.3, Algorithm 4).

Its controller is a cell of (5.2.3) to (5.2.5) whose outputs are the options: it samples one, which acts until it says
that it is done. At each step but its first, the active option reads what is seen: with probability e (5.2.6) it is
done, and the controller decides at that same observation; otherwise it acts. The controller's state moves only at
decisions, and an option always starts in its own initial state.

Glossary
    N episodes at once; M of them decide; D numbers of an observation; K options; A outputs of the controller; H hidden
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, get_args

import torch
from torch import Tensor, nn

from synparse.tasks.craft.episodes import Episodes, EpisodeStep
from synparse.tasks.craft.option_controller import Cells
from synparse.tasks.craft.subtasks import ACTIONS
from synparse.tasks.craft.worlds import Numbers
from synparse.trees.errors import SettingError

AgentKind: TypeAlias = Literal["options", "one-step", "flat"]
"""What the controller chooses: an option, which acts until it is done; an option for each step, which starts afresh: a
mixture of experts; or an action: there are no options."""


class Choice(NamedTuple):
    """What a controller makes of observations: log_probabilities [M, A]; values [M]; state [M, H]: its next one."""

    log_probabilities: Tensor
    values: Tensor
    state: Tensor


class Agent(nn.Module):
    """A controller with a value of its own, over options that are frozen.

    ``options``: None in a flat agent. ``temperature``: of the controller's distribution (5.2.7).
    The value is 0 at first, so that nothing is learned before there is a reward. Raises SettingError for an unknown
    kind, missing options, and options of another observation size.
    """

    def __init__(
        self, kind: AgentKind, options: Cells | None, *, inputs: int, hidden: int = 128, temperature: float = 1.0
    ) -> None:
        super().__init__()
        if kind not in get_args(AgentKind):
            raise SettingError(f"unknown kind of agent {kind!r}; known: {', '.join(get_args(AgentKind))}")
        if (options is None) != (kind == "flat"):
            raise SettingError(f"an agent of kind {kind} {'needs' if options is None else 'has no'} options")
        if options is not None and options.of_input.shape[1] != inputs:
            size = options.of_input.shape[1]
            raise SettingError(f"the options were learned from observations of {size} numbers; here they have {inputs}")
        self.kind, self.temperature = kind, temperature
        self.options = None if options is None else options.requires_grad_(False)
        self.controller = Cells(1, inputs, hidden, len(ACTIONS) if options is None else len(options.start))
        self.value = nn.Linear(hidden, 1)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    @property
    def start(self) -> Tensor:
        """The controller's state before the first decision of an episode [H]."""
        return self.controller.start[0]

    def learned(self) -> list[nn.Parameter]:
        """The parameters of the controller and its value."""
        return [*self.controller.parameters(), *self.value.parameters()]

    def choose(self, observations: Tensor, state: Tensor) -> Choice:
        """What the controller makes of observations [M, D] in states [M, H]."""
        cell = self.controller.step(observations, state[None])
        return self.chosen(cell.logits[0], cell.features[0], cell.hidden[0])

    def chosen(self, logits: Tensor, features: Tensor, state: Tensor) -> Choice:
        """What the controller chooses by logits [M, A] and ĥ [M, H]; ``state``: its next one."""
        return Choice(torch.log_softmax(logits / self.temperature, -1), self.value(features)[:, 0], state)


class Decisions(NamedTuple):
    """Decisions of M of N episodes.

    which [M]: the episodes; observations [M, D]; state [M, H]: the controller's before; first [M]: whether it is the
    first decision of its episode; chosen [M]: an option, or an action; log_probabilities [M]: of these; values [M]: of
    the observations.
    """

    which: Tensor
    observations: Tensor
    state: Tensor
    first: Tensor
    chosen: Tensor
    log_probabilities: Tensor
    values: Tensor


class Actor:
    """An agent that acts in N episodes at once: `decide`, `act`, `decide`, and so on.

    ``seen``: the present observations [N, D]; ``state``: the controller's [N, H]; ``chosen``: the active option, or
    the action of a flat agent [N].
    """

    def __init__(self, agent: Agent, environment: Episodes, random: torch.Generator) -> None:
        self.agent, self.environment, self.random = agent, environment, random
        N = len(environment)
        self.seen = self._read()
        self.state = torch.zeros(N, len(agent.start))
        self.chosen = torch.zeros(N, dtype=torch.long)
        self._is_first = torch.ones(N, dtype=torch.bool)
        self._logits = torch.zeros(N, len(ACTIONS))
        self._option_state = torch.zeros(N, 0 if agent.options is None else agent.options.start.shape[1])

    @torch.no_grad()
    def decide(self) -> Decisions:
        """Let the controller decide where an episode starts or the active option is done."""
        options = self.agent.options
        seen = torch.empty(0) if options is None else options.seen(self.seen)  # [K, N, H]
        which = self._done(seen)
        observations, first = self.seen[which], self._is_first[which]
        state = torch.where(first[:, None], self.agent.start, self.state[which])
        choice = self.agent.choose(observations, state)
        chosen = self._sample(choice.log_probabilities)
        log_probabilities = choice.log_probabilities.gather(1, chosen[:, None])[:, 0]
        self.state[which] = choice.state
        self.chosen[which] = chosen
        self._is_first[which] = False
        if options is not None:
            started = options.advance(seen[:, which], options.starts(len(which)))
            rows = torch.arange(len(which))
            self._logits[which] = started.logits[chosen, rows]
            self._option_state[which] = started.hidden[chosen, rows]
        return Decisions(which, observations, state, first, chosen, log_probabilities, choice.values)

    @torch.no_grad()
    def act(self) -> tuple[Numbers, EpisodeStep]:
        """Let the active options act: the actions [N], and their results."""
        actions = (self.chosen if self.agent.options is None else self._sample(self._logits)).numpy()
        step = self.environment.step(actions)
        self._is_first = torch.from_numpy(step.terminated | step.truncated)
        self.seen = self._read()
        return actions, step

    def _done(self, seen: Tensor) -> Tensor:
        """Where the controller decides; elsewhere the active option goes on. ``seen``: by the options [K, N, H]."""
        options, rows = self.agent.options, torch.arange(len(self.seen))
        if options is None or self.agent.kind == "one-step":
            return rows
        cell = options.advance(seen, self._option_state.expand(len(seen), -1, -1))
        self._logits = cell.logits[self.chosen, rows]
        self._option_state = cell.hidden[self.chosen, rows]
        done = torch.rand(len(self.seen), generator=self.random) < cell.done[self.chosen, rows]
        return (done | self._is_first).nonzero()[:, 0]

    def _read(self) -> Tensor:
        return torch.from_numpy(self.environment.observe()).float()

    def _sample(self, logits: Tensor) -> Tensor:
        """Draw from distributions [M, A]: the one of which exponential variables arrive first, at these rates."""
        return (logits - torch.empty_like(logits).exponential_(generator=self.random).log()).argmax(-1)
