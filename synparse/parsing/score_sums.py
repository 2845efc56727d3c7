"""What the models of a parser, and grammars, say of each chunk of words, added up: scores of spans and of arcs.

Every one of them has a vote for brackets. Its vote is its own tree; or it adds to a chart that makes one tree for all
that add to it: span scores by phrase boundaries, or probabilities of constituents by grammars or by splits. Head scores
are log-probabilities, which add up. What follows from the sums: `synparse.parsing.decoding`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from numpy.typing import NDArray

from synparse.config.parsing import HeadDecoder, TreeDecoder
from synparse.inducers.base_phrases import inside_phrases, phrase_scores
from synparse.inducers.head_choice import choice_words, scores_of
from synparse.parsing.chunks import Chunk
from synparse.parsing.decoders import GRAMMAR, TOGETHER, TREE_DECODERS, Spans, own_decoder
from synparse.parsing.grammars import (
    BRANCHING,
    GrammarInput,
    GrammarInputSum,
    base_phrases_of,
    classes_of,
    grammar_scores,
    numbers_of,
)
from synparse.parsing.options import Request
from synparse.parsing.scorers import BOUNDARIES, DEPENDENCIES, SPLITS, Member, Scores
from synparse.store.grammars import Grammars
from synparse.trees.averaging import normalized_scores, vote_scores
from synparse.trees.function_words import FREE, LearnedConvention, lowered_heights, penalized_heads
from synparse.trees.given import GivenScores, best_spans
from synparse.trees.heads import joint_heads
from synparse.trees.phrase_boundaries import unbroken_phrase_scores
from synparse.trees.punctuation_cues import Cues, arc_costs, broken_costs, distances_with_cues
from synparse.trees.trivial import TRIVIAL_PARSERS

Value = TypeVar("Value")


class ParserGrammars(NamedTuple):
    """Grammars, and the numbers of the models that they learned from. convention: that of their dependency model;
    leaves: the words that have no dependents, None where function words are free."""

    grammars: Grammars
    members: tuple[int, ...]
    convention: LearnedConvention = FREE
    leaves: Container[str] | None = None


class Role(NamedTuple):
    """How a model, or a set of grammars, takes part. brackets: its decoder, None if it has no vote; heads: whether its
    head scores are added; phrases: the decoder by which it adds to the phrases that heads are read off, or None."""

    brackets: TreeDecoder | None
    heads: bool
    phrases: TreeDecoder | None = None


SILENT = Role(None, heads=False)


class ScoringPlan(NamedTuple):
    """The roles of all models and of all sets of grammars. heard: the numbers of the sets that say anything at all;
    is_one_tree: whether heads are those of the phrases of the brackets, because both are made in the same way; lone:
    the model whose distances and heights are shown, because no other gives brackets; is_flat: whether base phrases
    are."""

    members: tuple[Role, ...]
    sets: tuple[Role, ...]
    heard: tuple[int, ...]
    head_decoder: HeadDecoder | None
    with_probabilities: bool = False
    is_flat: bool = False
    is_one_tree: bool = False
    lone: int | None = None

    @property
    def roles(self) -> tuple[Role, ...]:
        return self.members + self.sets

    @property
    def voters(self) -> int:
        """How many have added head scores."""
        return sum(role.heads for role in self.roles)


class Vote(NamedTuple):
    """For brackets: a tree and the probabilities of spans, if it has them; or the name of a chart in their place."""

    chart_name: TreeDecoder | None
    spans: Spans = []  # noqa: RUF012 - never changed
    probabilities: NDArray[Any] | None = None


@dataclass
class ScoreSum:
    """What was said of a chunk of T words so far. Matrices are added up model by model: all of them are too large.

    charts: [T + 1, T + 1] of all votes by a name, log-scores of ``boundaries``, probabilities of ``grammar``; phrases:
    the same of those whose heads are wanted, if these are others; arcs [T, T]: head scores. given: the term of what is
    given of the tree. grammar_inputs: of each set. insides: of each set the probability that a span is inside a base
    phrase, [T + 1, T + 1], where these are flat.
    """

    votes: list[Vote] = field(default_factory=list)
    charts: dict[TreeDecoder, Any] = field(default_factory=lambda: defaultdict(float))
    phrases: Any = 0.0
    arcs: Any = 0.0
    distances: list[float] | None = None
    heights: list[float] | None = None
    given: GivenScores | None = None
    input_sums: dict[int, GrammarInputSum] = field(default_factory=lambda: defaultdict(GrammarInputSum))
    grammar_inputs: dict[int, GrammarInput] = field(default_factory=dict)
    insides: list[NDArray[Any]] = field(default_factory=list)

    def add(self, role: Role, chart_name: TreeDecoder, chart: NDArray[Any], is_one_tree: bool) -> None:
        """Add to the charts of brackets and of phrases, as far as the role has part in them."""
        if role.brackets in TOGETHER[chart_name]:
            self.votes.append(Vote(chart_name))
            self.charts[chart_name] += chart
        if role.phrases in TOGETHER[chart_name] and not is_one_tree:
            self.phrases += chart


def planned(members: Sequence[Member], sets: Sequence[ParserGrammars], request: Request) -> ScoringPlan:
    """Who takes part in what. Grammars speak for the models that they learned from, unless these are asked for a
    decoder that they have themselves."""
    wished = [_role_of_model(member, request) for member in members]
    set_roles = []
    for teachers in (learned.members for learned in sets):
        votes = any(wished[index].brackets == GRAMMAR for index in teachers)
        heads = request.heads == GRAMMAR and any(members[index].for_heads for index in teachers)
        set_roles.append(Role(GRAMMAR if votes else None, heads, GRAMMAR if heads else None))
    for_brackets = [index for index, member in enumerate(members) if member.for_brackets]
    silent = [role._replace(brackets=None) if role.brackets == GRAMMAR else role for role in wished]
    return ScoringPlan(
        tuple(silent),
        tuple(set_roles),
        tuple(number for number, role in enumerate(set_roles) if role != SILENT or request.labels or request.flat),
        request.head_decoder,
        request.confidence != "none",
        request.flat,
        _is_one_tree((*silent, *set_roles), request.head_decoder),
        for_brackets[0] if len(for_brackets) == 1 else None,
    )


def _role_of_model(member: Member, request: Request) -> Role:
    """What a model is asked for. One with heads takes part in the phrases of heads by its boundaries, or else, beside
    grammars, by its splits."""
    phrases: TreeDecoder | None = None
    is_spoken_for = request.heads == GRAMMAR and DEPENDENCIES in member.gives
    if request.heads == "boundaries" and member.gives_heads and BOUNDARIES in member.gives:
        phrases = "boundaries"
    elif request.heads == GRAMMAR and member.gives_heads and SPLITS in member.gives and not is_spoken_for:
        phrases = "splits"
    heads = request.heads is not None and member.gives_heads and not is_spoken_for
    return Role(own_decoder(member, request.tree_decoder), heads, phrases)


def _is_one_tree(roles: Sequence[Role], head_decoder: HeadDecoder | None) -> bool:
    if head_decoder != "boundaries" and head_decoder != GRAMMAR:
        return head_decoder == "phrases"
    is_lone = all(role.brackets in (None, *TOGETHER[head_decoder]) for role in roles)
    return is_lone and all(role.brackets == role.phrases for role in roles)


def summed_scores(
    members: Sequence[Member], sets: Sequence[ParserGrammars], plan: ScoringPlan, chunks: Sequence[Chunk]
) -> list[ScoreSum]:
    """What models and grammars say of each chunk."""
    sums = [ScoreSum(given=chunk.given) for chunk in chunks]
    costs = [chunk.cues and _CueCosts(chunk.cues, arc_costs(chunk.cues, len(chunk))) for chunk in chunks]
    for index, (member, role) in enumerate(zip(members, plan.members, strict=True)):
        taught = [number for number in plan.heard if index in sets[number].members]
        if not taught and role == SILENT:
            continue
        words = [chunk.words[member.text] for chunk in chunks]
        scored = member.score(words, bool(taught) or _reads_heads(role, plan.head_decoder))
        for total, scores, cue_costs in zip(sums, map(_with_terms, scored, costs, chunks), costs, strict=True):
            for number in taught:
                total.input_sums[number].add(scores)
            if index == plan.lone:
                total.distances, total.heights = scores.distances, scores.heights
            _add_model(total, member, role, scores, cue_costs, plan)
    for number in plan.heard:
        learned = sets[number]
        _add_inputs(sums, number, learned, members[learned.members[0]], chunks, costs, plan.is_flat)
        if plan.sets[number] != SILENT:
            _add_grammars(sums, number, learned, plan)
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
        if plan.with_probabilities and probabilities_of is not None and member.model not in TRIVIAL_PARSERS:
            probabilities = probabilities_of(scores)
        own = spans(scores) if total.given is None else best_spans(spans(scores), total.given)
        total.votes.append(Vote(None, own, probabilities))
    if "boundaries" in (role.brackets, role.phrases):
        chart = unbroken_phrase_scores(known(scores.boundaries), scores.cues, scores.head_scores)
        if cue_costs is not None:
            chart = chart - cue_costs.of_spans()
        if scores.given is not None:
            chart = chart + scores.given.spans
        total.add(role, "boundaries", chart, plan.is_one_tree)
    if "splits" in (role.brackets, role.phrases):
        total.add(role, GRAMMAR, known(known(TREE_DECODERS["splits"].probabilities)(scores)), plan.is_one_tree)
    if role.heads:
        total.arcs += _arcs(scores, role.brackets, plan.head_decoder)


def _arcs(scores: Scores, tree_decoder: TreeDecoder | None, head_decoder: HeadDecoder | None) -> NDArray[Any]:
    """Log-probabilities of heads, [T, T]; a model without them votes for those of its constituents and heights."""
    if scores.head_scores is not None and head_decoder != "joint":
        return penalized_heads(normalized_scores(scores.head_scores), scores.is_function)
    decoder: TreeDecoder = "published" if tree_decoder == "published" else "unbiased"
    spans = known(TREE_DECODERS[decoder].spans)(scores)
    return vote_scores(joint_heads(spans, lowered_heights(known(scores.heights), scores.is_function)))


def _add_inputs(
    sums: Sequence[ScoreSum],
    number: int,
    learned: ParserGrammars,
    member: Member,
    chunks: Sequence[Chunk],
    costs: Sequence[_CueCosts | None],
    is_flat: bool,
) -> None:
    """What a set of grammars knows of each chunk, as a model reads it, before it says anything."""
    grammars, leaves = learned.grammars, learned.leaves
    words = [chunk.words[member.text] for chunk in chunks]
    numbers = numbers_of(grammars, words)
    classes = classes_of(grammars, numbers)
    phrases = base_phrases_of(grammars, numbers, [chunk.cues for chunk in chunks])
    branching = grammars.config.branching
    with_links = grammars.config.link_strength > 0
    for row, (total, cue_costs) in enumerate(zip(sums, costs, strict=True)):
        arcs = spans = of_phrases = None
        if phrases is not None:
            of_phrases = phrase_scores(phrases[row], branching, BRANCHING)
            if is_flat:
                total.insides.append(inside_phrases(phrases[row]))
        if cue_costs is not None:
            arcs, spans = cue_costs.arcs, cue_costs.of_spans(branching)
        is_function = None if leaves is None else grammars.leaves_in(words[row], classes[row], leaves)
        grammar_input = total.input_sums.pop(number).mean(  # large matrices
            classes[row], of_phrases, arcs, spans, with_links, is_function
        )
        if total.given is not None:
            grammar_input = grammar_input._replace(given_arcs=total.given.arcs, given_spans=total.given.spans)
        if grammars.head_choice is not None:
            of_choice = choice_words(words[row], classes[row], grammars.function_words, chunks[row].cues)
            grammar_input = grammar_input._replace(choice=scores_of(grammars.head_choice, of_choice))
        total.grammar_inputs[number] = grammar_input


def _add_grammars(sums: Sequence[ScoreSum], number: int, learned: ParserGrammars, plan: ScoringPlan) -> None:
    role = plan.sets[number]
    inputs = [total.grammar_inputs[number] for total in sums]
    all_scores = grammar_scores(learned.grammars, inputs, learned.convention)
    for total, before, scores in zip(sums, inputs, all_scores, strict=True):
        total.add(role, GRAMMAR, scores.spans, plan.is_one_tree)
        if role.heads:
            # Given trees tell which function words have dependents.
            total.arcs += penalized_heads(scores.heads, before.is_function if before.choice is None else None)


def known(value: Value | None) -> Value:
    """What a model has by its description."""
    assert value is not None
    return value


@dataclass(frozen=True)
class _CueCosts:
    """The punctuation cues of a chunk, and their costs, which are equal for all models: [T, T] of arcs."""

    cues: Cues
    arcs: NDArray[Any]
    _of_spans: dict[str, NDArray[Any]] = field(default_factory=dict)

    def of_spans(self, branching: str = "none") -> NDArray[Any]:
        """Those of spans where phrases branch so, [T + 1, T + 1]; each is computed where it is wanted, and once."""
        if branching not in self._of_spans:
            self._of_spans[branching] = broken_costs(self.cues, branching)
        return self._of_spans[branching]


def _with_terms(scores: Scores, costs: _CueCosts | None, chunk: Chunk) -> Scores:
    """The scores of a chunk, changed by the punctuation cues between its words, and by what is given of it."""
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
