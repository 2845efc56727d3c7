"""The tables of decoders of brackets and of heads; and the decoders that each model has."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from numpy.typing import NDArray

from synparse.config.parsing import DEFAULT, HeadDecoder, ParsingConfig, TreeDecoder
from synparse.parsing.scorers import (
    BOUNDARIES,
    DEPENDENCIES,
    DISTANCES,
    HEAD_SCORES,
    HEIGHTS,
    SPLITS,
    Member,
    Scores,
    kinds_of_scores,
)
from synparse.store.model_directory import ModelDescription, traits_of
from synparse.trees.distances import published_spans, unbiased_spans
from synparse.trees.errors import SettingError
from synparse.trees.function_words import penalized_heads
from synparse.trees.head_probabilities import phrase_head_probabilities, word_head_probabilities
from synparse.trees.heads import argmax_heads, phrase_heads
from synparse.trees.projective import projective_heads
from synparse.trees.span_probabilities import published_span_probabilities, unbiased_span_probabilities
from synparse.trees.spanning_tree import maximum_spanning_heads
from synparse.trees.spans import subtree_spans
from synparse.trees.trivial import TRIVIAL_PARSERS

Spans: TypeAlias = "list[tuple[int, int]]"
Heads: TypeAlias = "tuple[int, ...]"

Value = TypeVar("Value")


def required(value: Value | None) -> Value:
    """A value that a model of this kind always has."""
    assert value is not None
    return value


def _unbiased(scores: Scores) -> Spans:
    return unbiased_spans(required(scores.distances))


def _projective_subtrees(scores: Scores) -> Spans:
    # A trivial parser has no head scores: its heads are read off its constituents.
    if scores.head_scores is None:
        return _unbiased(scores)
    return subtree_spans(projective_heads(penalized_heads(scores.head_scores, scores.is_function)))


def _published_probabilities(scores: Scores) -> NDArray[Any] | None:
    if scores.given is not None:  # its splits are not those of spans, so what is given cannot change them
        return None
    return published_span_probabilities(required(scores.distances), scores.first_distance)


def _unbiased_probabilities(scores: Scores) -> NDArray[Any]:
    return unbiased_span_probabilities(required(scores.distances), None if scores.given is None else scores.given.spans)


class SpanDecoder(NamedTuple):
    """A decoder of brackets. needs: the scores it reads; spans: from the scores of one model to spans in pre-order;
    None where all models make one tree; is_binary: every constituent has two parts; probabilities: from the scores of
    one model to those of spans [T + 1, T + 1]; None where there are none, or not of one model's scores alone."""

    needs: str
    spans: Callable[[Scores], Spans] | None
    is_binary: bool = True
    probabilities: Callable[[Scores], NDArray[Any] | None] | None = None


class ArcDecoder(NamedTuple):
    """A decoder of heads. needs: the scores that one model at least must give; heads: from the mean of head scores
    [T, T] (row = dependent, column = head, diagonal = root) and the phrases that it is to find the heads of;
    probabilities: from the same to those of all arcs [T, T], None if there are none; of_phrases: whether each phrase
    has one head."""

    needs: str
    heads: Callable[[NDArray[Any], Spans], Heads]
    probabilities: Callable[[NDArray[Any], Spans], NDArray[Any]] | None = lambda arcs, _: word_head_probabilities(arcs)
    of_phrases: bool = False


TREE_DECODERS: dict[TreeDecoder, SpanDecoder] = {
    "grammar": SpanDecoder(DEPENDENCIES, None),
    "unbiased": SpanDecoder(DISTANCES, _unbiased, probabilities=_unbiased_probabilities),
    "splits": SpanDecoder(SPLITS, None, probabilities=_unbiased_probabilities),
    "published": SpanDecoder(
        DISTANCES,
        lambda scores: published_spans(required(scores.distances), scores.first_distance),
        probabilities=_published_probabilities,
    ),
    "boundaries": SpanDecoder(BOUNDARIES, None),
    "projective": SpanDecoder(HEAD_SCORES, _projective_subtrees, is_binary=False),
}

_WITHOUT_PRIOR = partial(phrase_heads, with_prior=False), partial(phrase_head_probabilities, with_prior=False)

HEAD_DECODERS: dict[HeadDecoder, ArcDecoder] = {
    "mst": ArcDecoder(HEAD_SCORES, lambda scores, _: maximum_spanning_heads(scores)),
    "argmax": ArcDecoder(HEAD_SCORES, lambda scores, _: argmax_heads(scores)),
    "projective": ArcDecoder(HEAD_SCORES, lambda scores, _: projective_heads(scores)),
    "joint": ArcDecoder(HEIGHTS, lambda votes, _: maximum_spanning_heads(votes), None),
    "phrases": ArcDecoder(HEAD_SCORES, *_WITHOUT_PRIOR, of_phrases=True),
    "boundaries": ArcDecoder(BOUNDARIES, phrase_heads, phrase_head_probabilities, of_phrases=True),
    "grammar": ArcDecoder(DEPENDENCIES, *_WITHOUT_PRIOR, of_phrases=True),
}

GRAMMAR: Final = "grammar"
"""The decoder of brackets and heads by grammars. Models with probabilities of splits contribute to the same tree."""

TOGETHER: dict[TreeDecoder, tuple[TreeDecoder, ...]] = {GRAMMAR: (GRAMMAR, "splits"), "boundaries": ("boundaries",)}
"""For each chart, the decoders of brackets that contribute to it. A chart can also give the n best trees."""


def tree_decoders(member: Member) -> tuple[TreeDecoder, ...]:
    """The decoders of brackets that fit a model; its default first."""
    return tuple(
        name for name, decoder in TREE_DECODERS.items() if member.for_brackets and decoder.needs in member.gives
    )


def head_decoders(members: Sequence[Member]) -> tuple[HeadDecoder, ...]:
    """The decoders of heads that fit the models; the default first.

    If no model has distances, brackets and heads come from one tree: that of the phrase boundaries, or a projective
    one. If all models have both distances and heads, but no heights, they have learned both from trees, and heads are
    those of the phrases of the brackets. If a model has grammars, heads come from the tree of the grammars.
    """
    for_heads = [member for member in members if member.for_heads]
    given = {kind for member in for_heads for kind in member.gives if member.gives_heads or kind == DEPENDENCIES}
    if len(members) > 1:
        given.discard(HEIGHTS)
    possible = {name for name, decoder in HEAD_DECODERS.items() if decoder.needs in given}
    if not any(map(tree_decoders, members)):
        possible.discard("phrases")
    return tuple(sorted(possible, key=[*_first_of(members), *HEAD_DECODERS].index))


def _first_of(members: Sequence[Member]) -> tuple[HeadDecoder, ...]:
    """The preferred decoders of heads, if the models have them."""
    if not any(DISTANCES in member.gives for member in members):
        return GRAMMAR, "boundaries", "projective"
    learned_both = all(member.gives_heads and {DISTANCES} == member.gives & {DISTANCES, HEIGHTS} for member in members)
    return (GRAMMAR, "phrases") if learned_both else (GRAMMAR,)


def check_recorded(recorded: ParsingConfig, descriptions: Sequence[ModelDescription], has_grammars: bool) -> None:
    """Raises SettingError, before a model is trained, where the decoders that its directory is to record will not fit.

    descriptions: of the networks, or of grammars without one; has_grammars: whether grammars are learned.
    """
    for part, possible in _decoders_to_be(descriptions, has_grammars).items():
        if (chosen := getattr(recorded, part)) not in possible:
            names = " + ".join(description.recipe.model for description in descriptions)
            raise SettingError(
                f"parsing.{part}: {names} will have no decoder {chosen!r}; possible are {', '.join(possible)}"
            )


def fitting(recorded: ParsingConfig, descriptions: Sequence[ModelDescription], has_grammars: bool) -> ParsingConfig:
    """What a directory is to record, while its models are these: without decoders that only later ones will have."""
    possible = _decoders_to_be(descriptions, has_grammars)
    lacking: dict[str, Any] = {part: DEFAULT for part in possible if getattr(recorded, part) not in possible[part]}
    return replace(recorded, **lacking)


def _decoders_to_be(descriptions: Sequence[ModelDescription], has_grammars: bool) -> dict[str, list[str]]:
    """The decoders of brackets and of heads that models will have, the default first."""
    members = [_to_be(description, has_grammars) for description in descriptions]
    for_trees = dict.fromkeys(name for member in members for name in tree_decoders(member))
    return {"brackets": [DEFAULT, *for_trees], "heads": [DEFAULT, *head_decoders(members)]}


def _to_be(description: ModelDescription, has_grammars: bool) -> Member:
    """A model with the scores that it will have, before it can parse."""
    recipe = description.recipe
    gives = kinds_of_scores(traits_of(description), recipe.text.phrase_boundaries)
    return Member(recipe.text, recipe.model, lambda *_: [], gives | {DEPENDENCIES} if has_grammars else gives)


def check_probabilities(
    members: Sequence[Member], tree_decoder: TreeDecoder | None, head_decoder: HeadDecoder | None
) -> None:
    """Raises SettingError where the trees of these decoders, None for those not wanted, have no probabilities."""
    names = " + ".join(member.model for member in members)
    if all(member.model in TRIVIAL_PARSERS for member in members):
        raise SettingError(f"the baseline {names} has no probabilities; take a model that is trained")
    if head_decoder is not None and HEAD_DECODERS[head_decoder].probabilities is None:
        raise SettingError(f"heads by {head_decoder} have no probabilities; take --decode-heads mst")
    if tree_decoder is None:
        return
    own = {own_decoder(member, tree_decoder) for member in members if member.model not in TRIVIAL_PARSERS} - {None}
    if own <= {"projective"}:
        raise SettingError(
            f"the brackets of {names} have no probabilities here: they are subtrees of a dependency tree, or of a "
            "baseline; write CoNLL-U, or take another decoder"
        )


def check_several_trees(members: Sequence[Member], tree_decoder: TreeDecoder | None) -> None:
    """Raises SettingError where these models cannot give the best trees after the first one."""
    own = {own_decoder(member, tree_decoder) for member in members} - {None}
    if not any(tree_decoder in names and own <= {*names} for names in TOGETHER.values()):
        names = ", ".join(itertools.chain(*TOGETHER.values()))
        raise SettingError(
            f"--n-best needs one of the decoders {names}, the same for all models that give "
            f"brackets; here brackets come from {', '.join(sorted(filter(None, own))) or 'none'}"
        )


def own_decoder(member: Member, tree_decoder: TreeDecoder | None) -> TreeDecoder | None:
    """The decoder of brackets of one model among others: the one asked for, or one that adds up with it, if it has it;
    else its default."""
    possible = tree_decoders(member)
    if tree_decoder == GRAMMAR and GRAMMAR not in possible and "splits" in possible:
        return "splits"
    return tree_decoder if tree_decoder in (None, *possible) else next(iter(possible), None)
