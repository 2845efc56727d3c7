"""The scores of spans and arcs of each chunk of words, summed over the models and grammars of a parser.

For brackets, each model has a vote: its own tree, or a contribution to a chart from which one tree is decoded for all
contributors (span scores by phrase boundaries, or probabilities of constituents by grammars or splits). Head scores are
log-probabilities, and are added. `synparse.parsing.decoding` decodes the sums.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from numpy.typing import NDArray

from synparse.config.parsing import HeadDecoder, TreeDecoder
from synparse.inducers.base_phrases import phrase_scores
from synparse.inducers.head_choice import choice_words, scores_of
from synparse.parsing.chunks import Chunk
from synparse.parsing.decoders import GRAMMAR, TOGETHER, TREE_DECODERS, Spans, own_decoder, required
from synparse.parsing.grammars import (
    BRANCHING,
    GrammarInput,
    GrammarInputSum,
    at_once,
    base_phrases_of,
    classes_in_context,
    grammar_scores,
    left_out_where_flat,
    numbers_of,
    weight_of_focused,
)
from synparse.parsing.options import Request
from synparse.parsing.scorers import BOUNDARIES, DEPENDENCIES, SPLITS, Member, Scores
from synparse.store.grammars import Grammars
from synparse.trees.averaging import normalized_scores, vote_scores
from synparse.trees.function_words import FREE, LearnedConvention, lowered_heights, penalized_heads, used_as_heads
from synparse.trees.given import GivenScores, best_spans
from synparse.trees.heads import joint_heads
from synparse.trees.lengths import side_by_side
from synparse.trees.phrase_boundaries import unbroken_phrase_scores
from synparse.trees.punctuation_cues import (
    Cues,
    arc_costs,
    broken_costs,
    broken_costs_together,
    distances_with_cues,
    without_spans_across_pairs,
)
from synparse.trees.trivial import TRIVIAL_PARSERS


class ParserGrammars(NamedTuple):
    """Grammars, and the numbers of the models from which they learned. convention: the treatment of function words in
    their dependency model; leaves: the words without dependents, None if function words are free."""

    grammars: Grammars
    members: tuple[int, ...]
    convention: LearnedConvention = FREE
    leaves: Container[str] | None = None


class Role(NamedTuple):
    """What a model, or a set of grammars, contributes. brackets: the decoder of its vote, or None; heads: whether its
    head scores are added; phrases: the decoder by which it contributes to the phrases from which heads are read, or
    None."""

    brackets: TreeDecoder | None
    heads: bool
    phrases: TreeDecoder | None = None


UNUSED = Role(None, heads=False)
"""The role of what contributes nothing."""


class ScoringPlan(NamedTuple):
    """The roles of all models and sets of grammars. used_sets: the numbers of the sets that are computed; is_one_tree:
    whether heads are read from the tree of the brackets, because both are decoded in the same way; lone: the number of
    the only model that gives brackets, whose distances and heights are returned."""

    members: tuple[Role, ...]
    sets: tuple[Role, ...]
    used_sets: tuple[int, ...]
    request: Request
    is_one_tree: bool = False
    lone: int | None = None

    @property
    def roles(self) -> tuple[Role, ...]:
        return self.members + self.sets


class Vote(NamedTuple):
    """A vote for brackets: a tree, with the probabilities of spans if known; or the name of the chart that gives it."""

    chart_name: TreeDecoder | None
    spans: Spans = []  # noqa: RUF012 - never changed
    probabilities: NDArray[Any] | None = None


@dataclass
class ScoreSum:
    """The sums of scores for a chunk of T words. They are accumulated model by model, to save memory.

    charts: by name, the summed chart [T + 1, T + 1] of its votes: log-scores for ``boundaries``, probabilities for
    ``grammar``; phrases: the chart of the phrases from which heads are read, if it is another one; arcs [T, T]: head
    scores. given: the term of given structure. grammar_inputs: the input of each set of grammars. left_out: for each
    set, the probability that a span is none of a flat tree, [T + 1, T + 1], if trees are flat. fixed [T]: which words
    are in a fixed expression with the word before them, as any set of grammars knows; False without one.
    """

    votes: list[Vote] = field(default_factory=list)
    charts: dict[TreeDecoder, Any] = field(default_factory=lambda: defaultdict(float))
    phrases: Any = 0.0
    arcs: Any = 0.0
    distances: list[float] | None = None
    heights: list[float] | None = None
    given: GivenScores | None = None
    input_sums: dict[tuple[int, ...], GrammarInputSum] = field(default_factory=lambda: defaultdict(GrammarInputSum))
    grammar_inputs: dict[int, GrammarInput] = field(default_factory=dict)
    left_out: list[NDArray[Any]] = field(default_factory=list)
    fixed: Any = False

    def add(self, role: Role, chart_name: TreeDecoder, chart: NDArray[Any], is_one_tree: bool) -> None:
        """Add a chart to those of brackets and of phrases, as the role says."""
        if role.brackets in TOGETHER[chart_name]:
            self.votes.append(Vote(chart_name))
            self.charts[chart_name] += chart
        if role.phrases in TOGETHER[chart_name] and not is_one_tree:
            self.phrases += chart


def planned(members: Sequence[Member], sets: Sequence[ParserGrammars], request: Request) -> ScoringPlan:
    """The role of each model and set of grammars. Grammars take the place of the models from which they learned, unless
    a decoder of the models themselves is requested."""
    requested = [_role_of_model(member, request) for member in members]
    set_roles = []
    for teachers in (learned.members for learned in sets):
        votes = any(requested[index].brackets == GRAMMAR for index in teachers)
        heads = request.heads == GRAMMAR and any(members[index].for_heads for index in teachers)
        set_roles.append(Role(GRAMMAR if votes else None, heads, GRAMMAR if heads else None))
    for_brackets = [index for index, member in enumerate(members) if member.for_brackets]
    roles = [role._replace(brackets=None) if role.brackets == GRAMMAR else role for role in requested]
    return ScoringPlan(
        tuple(roles),
        tuple(set_roles),
        tuple(number for number, role in enumerate(set_roles) if role != UNUSED or request.labels or request.flat),
        request,
        _is_one_tree((*roles, *set_roles), request.head_decoder),
        for_brackets[0] if len(for_brackets) == 1 else None,
    )


def _role_of_model(member: Member, request: Request) -> Role:
    """The role of a model. A model with heads contributes to the phrases of heads by its boundaries or, beside
    grammars, by its splits."""
    phrases: TreeDecoder | None = None
    has_own_grammars = request.heads == GRAMMAR and DEPENDENCIES in member.gives
    if request.heads == "boundaries" and member.gives_heads and BOUNDARIES in member.gives:
        phrases = "boundaries"
    elif request.heads == GRAMMAR and member.gives_heads and SPLITS in member.gives and not has_own_grammars:
        phrases = "splits"
    heads = request.heads is not None and member.gives_heads and not has_own_grammars
    return Role(own_decoder(member, request.tree_decoder), heads, phrases)


def _is_one_tree(roles: Sequence[Role], head_decoder: HeadDecoder | None) -> bool:
    if head_decoder != "boundaries" and head_decoder != GRAMMAR:
        return head_decoder == "phrases"
    is_lone = all(role.brackets in (None, *TOGETHER[head_decoder]) for role in roles)
    return is_lone and all(role.brackets == role.phrases for role in roles)


def summed_scores(
    members: Sequence[Member], sets: Sequence[ParserGrammars], plan: ScoringPlan, chunks: Sequence[Chunk]
) -> list[ScoreSum]:
    """The summed scores of models and grammars for each chunk."""
    sums = [ScoreSum(given=chunk.given) for chunk in chunks]
    costs = [chunk.cues and _CueCosts(chunk.cues, arc_costs(chunk.cues, len(chunk))) for chunk in chunks]
    teachers = {sets[number].members for number in plan.used_sets}
    for index, (member, role) in enumerate(zip(members, plan.members, strict=True)):
        learners = [group for group in teachers if index in group]
        if not learners and role == UNUSED:
            continue
        words = [chunk.words[member.text] for chunk in chunks]
        scored = member.score(words, bool(learners) or _reads_heads(role, plan.request.head_decoder))
        for total, scores, cue_costs in zip(sums, map(_with_terms, scored, costs, chunks), costs, strict=True):
            for group in learners:
                total.input_sums[group].add(scores)
            if index == plan.lone:
                total.distances, total.heights = scores.distances, scores.heights
            _add_model(total, member, role, scores, cue_costs, plan)
    focused = weight_of_focused([sets[number].grammars for number in plan.used_sets if plan.sets[number] != UNUSED])

    @functools.cache
    def broken_of(branching: str) -> Sequence[NDArray[Any] | None]:
        """The costs of the spans of each chunk where phrases branch so."""
        all_cues = [cue_costs.cues for cue_costs in costs if cue_costs is not None]
        if len(all_cues) < len(chunks):
            return [None] * len(chunks)
        lengths = [len(chunk) for chunk in chunks]
        return side_by_side(lambda group: broken_costs_together(group, branching), all_cues, lengths, at_once)

    for number in plan.used_sets:
        learned = sets[number]
        broken = broken_of(learned.grammars.config.branching)
        _add_inputs(sums, number, learned, members[learned.members[0]], chunks, costs, broken, plan.request.flat)
        if plan.sets[number] != UNUSED:
            _add_grammars(sums, number, learned, costs, plan, focused)
    return sums


def _reads_heads(role: Role, head_decoder: HeadDecoder | None) -> bool:
    if role.heads and head_decoder != "joint":
        return True
    return role.brackets in ("boundaries", "projective") or role.phrases == "boundaries"


def _add_model(
    total: ScoreSum, member: Member, role: Role, scores: Scores, cue_costs: _CueCosts | None, plan: ScoringPlan
) -> None:
    if role.brackets is not None and (spans := TREE_DECODERS[role.brackets].spans) is not None:
        probabilities = None
        probabilities_of = TREE_DECODERS[role.brackets].probabilities
        if plan.request.confidence != "none" and probabilities_of is not None and member.model not in TRIVIAL_PARSERS:
            probabilities = probabilities_of(scores)
        own = spans(scores) if total.given is None else best_spans(spans(scores), total.given)
        total.votes.append(Vote(None, own, probabilities))
    if "boundaries" in (role.brackets, role.phrases):
        levels = scores.cues and scores.cues.levels
        chart = unbroken_phrase_scores(required(scores.boundaries), levels, scores.head_scores)
        if cue_costs is not None:
            chart = chart - cue_costs.spans
        if scores.given is not None:
            chart = chart + scores.given.spans
        total.add(role, "boundaries", chart, plan.is_one_tree)
    if "splits" in (role.brackets, role.phrases):
        total.add(role, GRAMMAR, required(required(TREE_DECODERS["splits"].probabilities)(scores)), plan.is_one_tree)
    if role.heads:
        total.arcs += _arcs(scores, role.brackets, plan.request.head_decoder)


def _arcs(scores: Scores, tree_decoder: TreeDecoder | None, head_decoder: HeadDecoder | None) -> NDArray[Any]:
    """Log-probabilities of heads, [T, T]; for a model without them, votes for the heads by its constituents and
    heights."""
    if scores.head_scores is not None and head_decoder != "joint":
        return penalized_heads(normalized_scores(scores.head_scores), scores.is_function)
    decoder: TreeDecoder = "published" if tree_decoder == "published" else "unbiased"
    spans = required(TREE_DECODERS[decoder].spans)(scores)
    return vote_scores(joint_heads(spans, lowered_heights(required(scores.heights), scores.is_function)))


def _add_inputs(
    sums: Sequence[ScoreSum],
    number: int,
    learned: ParserGrammars,
    member: Member,
    chunks: Sequence[Chunk],
    costs: Sequence[_CueCosts | None],
    broken: Sequence[NDArray[Any] | None],
    is_flat: bool,
) -> None:
    """Set the input of a set of grammars for each chunk, as read by ``member``, from which its scores are computed.
    ``broken``: the costs of spans by punctuation."""
    grammars, leaves = learned.grammars, learned.leaves
    words = [chunk.words[member.text] for chunk in chunks]
    numbers = numbers_of(grammars, words)
    in_context = classes_in_context(grammars, numbers)
    classes = [of_words.classes for of_words in in_context]
    phrases = base_phrases_of(grammars, numbers, [chunk.cues for chunk in chunks])
    branching = grammars.config.branching
    lengths = [len(chunk) for chunk in chunks]
    of_phrases: Sequence[NDArray[Any] | None] = [None] * len(chunks)
    if phrases is not None:
        of_phrases = side_by_side(lambda group: phrase_scores(group, branching, BRANCHING), phrases, lengths, at_once)
    with_links = grammars.config.link_strength > 0
    for row, (total, cue_costs) in enumerate(zip(sums, costs, strict=True)):
        if phrases is not None and is_flat:
            total.left_out.append(left_out_where_flat(grammars, numbers[row], phrases[row]))
        input_sum = total.input_sums[learned.members]
        links, spans = input_sum.mean(lengths[row], with_links, of_phrases[row], broken[row])
        choice = None
        if grammars.head_choice is not None:
            of_choice = choice_words(words[row], classes[row], grammars.function_words, chunks[row].cues)
            choice = scores_of(grammars.head_choice, of_choice)
        are_leaves = None if leaves is None else grammars.leaves_in(words[row], classes[row], leaves)
        if are_leaves is not None:
            total.fixed |= grammars.fixed_in(numbers[row], are_leaves)
        if are_leaves is not None and links is not None and learned.convention == FREE:
            are_heads = used_as_heads(links).tolist()
            are_leaves = [is_leaf and not is_head for is_leaf, is_head in zip(are_leaves, are_heads, strict=True)]
        total.grammar_inputs[number] = GrammarInput(
            classes[row],
            links,
            None if cue_costs is None else cue_costs.arcs,
            spans,
            are_leaves,
            total.given and total.given.arcs,
            total.given and total.given.spans,
            choice,
            grammars.classes.class_of[numbers[row]],
            in_context[row].candidates,
            in_context[row].shares,
        )


def _add_grammars(
    sums: Sequence[ScoreSum],
    number: int,
    learned: ParserGrammars,
    costs: Sequence[_CueCosts | None],
    plan: ScoringPlan,
    focused: float | None,
) -> None:
    role = plan.sets[number]
    inputs = [total.grammar_inputs[number] for total in sums]
    all_scores = grammar_scores(learned.grammars, inputs, learned.convention, focused)
    for total, before, scores, cue_costs in zip(sums, inputs, all_scores, costs, strict=True):
        spans = scores.spans
        if cue_costs is not None and total.given is None:  # the focused grammar knows no punctuation
            spans = without_spans_across_pairs(spans, cue_costs.cues)
        total.add(role, GRAMMAR, spans, plan.is_one_tree)
        if role.heads:
            # Given trees determine which function words have dependents.
            total.arcs += penalized_heads(scores.heads, before.is_function if before.choice is None else None)


@dataclass(frozen=True)
class _CueCosts:
    """The punctuation cues of a chunk, and their costs, which are equal for all models: [T, T] of arcs, and
    [T + 1, T + 1] of spans, which are computed where they are wanted, and once."""

    cues: Cues
    arcs: NDArray[Any]

    @functools.cached_property
    def spans(self) -> NDArray[Any]:
        return broken_costs(self.cues)


def _with_terms(scores: Scores, costs: _CueCosts | None, chunk: Chunk) -> Scores:
    """The scores of a chunk, with the terms of the punctuation cues between its words and of given structure."""
    if costs is not None:
        distances, head_scores = scores.distances, scores.head_scores
        scores = scores._replace(
            distances=None if distances is None else distances_with_cues(distances, costs.cues),
            head_scores=None if head_scores is None else head_scores - costs.arcs,
            cues=costs.cues,
        )
    if chunk.given is None:
        return scores
    heads = None if scores.head_scores is None else scores.head_scores + chunk.given.arcs
    return scores._replace(given=chunk.given, head_scores=heads)
