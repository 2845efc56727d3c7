"""The plan of a run within its time limit, made before each group of stages from the times that stages take here.

Each group of stages ends with a parser that may be better than the one before. A group for which there is no time is
left out, with all that follow; networks that predict words also where the student after them has use for the time. No
stage is interrupted: networks are trained for fewer passes, or fewer networks are trained, and grammars are learned
from fewer sentences, but never in fewer passes of EM.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from synparse.config.recipe import GrammarStage, NetworkStage, Stage, TreeStage, is_empty
from synparse.trees.function_words import LEAVES

LEAST_TREES = 10_000
"""Least number of sentences from whose trees a student learns."""

SAFETY = 0.95
"""The fraction of the time limit that is planned."""

SEVERAL = 2
"""Another network is trained if each can read this multiple of the words that it needs: networks that differ in their
seeds are better together than each of them, unless none has learned enough."""

LATER = 0.4
"""The fraction of the time that a group of stages leaves to the later ones, if they can use as much."""

Group = tuple[int, ...]
"""The positions of stages in a recipe, from 0."""


Rates = Mapping[str, float]
"""The times that stages take here, in seconds: ``grammars``, of a set of grammars; ``trees``, of parsing a sentence;
and, by the position of a network's stage, of a word of its training. ``words``, ``sentences``: their numbers in the
text; ``given``: the weight of given trees, as a fraction of that of the trees of the text. What is missing takes no
time."""


def groups_of(stages: Sequence[Stage]) -> list[Group]:
    """The groups of stages; each ends with grammars, before trees, or at the end of the recipe."""
    groups: list[list[int]] = [[]]
    for position, stage in enumerate(stages):
        if is_empty(stage):
            continue
        if isinstance(stage, TreeStage) and groups[-1]:
            groups.append([])
        groups[-1].append(position)
        if isinstance(stage, GrammarStage):
            groups.append([])
    return [tuple(group) for group in groups if group]


def planned(
    stages: Sequence[Stage], group: Group, later: Sequence[Group], seconds: float, rates: Rates
) -> tuple[Stage, ...] | None:
    """The stages, those of the group as they fit the seconds that are left; None where they do not.

    ``later``: the groups after it, for which time is kept, if that leaves enough: what they need at least, and up to
    `LATER` of what is there if more is of use; for a student after networks that predict words, all that is of use. For
    more students of the same trees, only these networks keep time; and none is kept for networks that would give way
    all the same.
    """
    fitted = _keeping_time(stages, group, later, seconds, rates)
    if fitted is None:
        return None
    # What the group leaves at most, and by this plan.
    lefts = [
        seconds - used / SAFETY for used in (least_seconds(stages, group, rates), _most_seconds(fitted, group, rates))
    ]
    for number, other in enumerate(later):
        if any(gives_way(stages, other, later[number + 1 :], left, rates) for left in lefts):
            return _keeping_time(stages, group, [*later[:number], *later[number + 1 :]], seconds, rates)
    return fitted


def _keeping_time(
    stages: Sequence[Stage], group: Group, later: Sequence[Group], seconds: float, rates: Rates
) -> tuple[Stage, ...] | None:
    """The same plan, with time kept for all later groups."""
    left = SAFETY * seconds
    needed = least_seconds(stages, group, rates)
    if needed > left:
        return None
    is_for_student = trees_after(stages, group, later) is not None
    for other in later:
        least = least_seconds(stages, other, rates)
        if needed + least > left or (adds_students(stages, other) and not is_for_student):
            break
        most = left if other is later[0] and is_for_student else LATER * left
        left -= max(least, min(_most_seconds(stages, other, rates), most, left - needed))
    fitted = list(stages)
    networks = [position for position in group if isinstance(stages[position], NetworkStage)]
    sets = [position for position in group if isinstance(stages[position], GrammarStage)]
    left -= least_seconds(stages, sets, rates)
    for position in group:
        if isinstance(stage := stages[position], TreeStage):
            reserved = least_seconds(stages, networks, rates)
            tree_seconds = rates.get("trees", 0.0)
            most = math.floor(max(0.0, left - reserved) / 2 / tree_seconds) if tree_seconds else stage.sentences
            number = min(stage.sentences, int(rates["sentences"]), max(LEAST_TREES, most))
            fitted[position] = replace(stage, sentences=max(1, number))
            left -= number * tree_seconds
    for number, position in enumerate(networks):
        fitted[position] = _fitting(fitted, position, left / (len(networks) - number), rates)
        left -= _seconds(fitted, position, rates)[1]
    for position in sets:
        if isinstance(stage := stages[position], GrammarStage) and (set_seconds := rates.get("grammars", 0.0)):
            more = math.floor(max(0.0, left) / set_seconds)
            fitted[position] = replace(stage, seeds=min(stage.seeds, 1 + more))
    return tuple(fitted)


def trees_after(stages: Sequence[Stage], group: Group, later: Sequence[Group]) -> TreeStage | None:
    """The trees for a student in the next group of stages, if this one has networks that predict words."""
    networks = [stage for position in group if isinstance(stage := stages[position], NetworkStage)]
    if not later or not networks or networks[0].is_student:
        return None
    first, *others = (stages[position] for position in later[0])
    return first if isinstance(first, TreeStage) and others else None


def adds_students(stages: Sequence[Stage], group: Group) -> bool:
    """Whether a group begins with students of the trees that a student before it has learned."""
    first, before = stages[group[0]], stages[: group[0]]
    are_students = isinstance(first, NetworkStage) and first.is_student
    return are_students and any(isinstance(stage, TreeStage) for stage in before)


def gives_way(stages: Sequence[Stage], group: Group, later: Sequence[Group], seconds: float, rates: Rates) -> bool:
    """Whether to leave out a group of networks that predict words for the student after it, which does more in the same
    time (benchmarks/findings.tsv): if there is time for the student, but not for all of its passes beside them. A
    student of trees with free function words needs the networks."""
    trees = trees_after(stages, group, later)
    if trees is None or trees.function_words not in ("auto", LEAVES):
        return False
    left, student = SAFETY * seconds, _most_seconds(stages, later[0], rates)
    return least_seconds(stages, later[0], rates) <= left < student + least_seconds(stages, group, rates)


def least_seconds(stages: Sequence[Stage], group: Sequence[int], rates: Rates) -> float:
    """The least time in which a group is of use."""
    return sum(_seconds(stages, position, rates)[0] for position in group)


def _most_seconds(stages: Sequence[Stage], group: Sequence[int], rates: Rates) -> float:
    """The time of a group as it is in the recipe."""
    return sum(_seconds(stages, position, rates)[1] for position in group)


def _fitting(stages: Sequence[Stage], position: int, seconds: float, rates: Rates) -> NetworkStage:
    """As many networks as time allows, if each can read `SEVERAL` times the words that it needs; and as many passes as
    time allows."""
    stage = stages[position]
    assert isinstance(stage, NetworkStage)
    word_seconds = rates.get(str(position), 0.0)
    a_pass, most = _words(stages, position, stage, rates)
    each = min(most, SEVERAL * stage.least_words or most)
    seeds = min(stage.seeds, max(1, math.floor(seconds / (each * word_seconds)))) if word_seconds else stage.seeds
    words = min(most, seconds / seeds / word_seconds) if word_seconds else most
    words = max(words, min(stage.least_words, most))
    epochs: float = stage.training.epochs if words >= stage.training.epochs * a_pass else round(words / a_pass, 2)
    training = replace(stage.training, epochs=int(epochs) if epochs >= 4 else max(0.01, epochs))
    return replace(stage, seeds=seeds, training=training)


def _seconds(stages: Sequence[Stage], position: int, rates: Rates) -> tuple[float, float]:
    """The least time of a stage, and its time as it is in the recipe."""
    stage = stages[position]
    if isinstance(stage, GrammarStage):
        set_seconds = rates.get("grammars", 0.0)
        return set_seconds, stage.seeds * set_seconds
    if isinstance(stage, TreeStage):
        number = min(stage.sentences, rates["sentences"])
        tree_seconds = rates.get("trees", 0.0)
        return min(LEAST_TREES, number) * tree_seconds, number * tree_seconds
    word_seconds = rates.get(str(position), 0.0)
    _, most = _words(stages, position, stage, rates)
    return min(stage.least_words, most) * word_seconds, stage.seeds * most * word_seconds


def _words(stages: Sequence[Stage], position: int, stage: NetworkStage, rates: Rates) -> tuple[float, float]:
    """The words that a network reads in a pass, of the text or of the sentences that were parsed for it, with given
    trees beside them; and in all of its passes, as far as they are of use."""
    before = [stage for stage in stages[:position] if isinstance(stage, TreeStage)]
    fraction = 1.0
    if stage.training.reads_trees and before:
        fraction = min(1.0, before[-1].sentences / max(1, rates["sentences"])) * (1 + rates.get("given", 0.0))
    a_pass = rates["words"] * fraction
    return a_pass, min(stage.training.epochs * a_pass, stage.most_words or math.inf)
