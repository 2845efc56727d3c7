"""Loading models by name, trained ones and baselines, as members of a parser that score sentences."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable, Container
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from synparse.corpora.batches import batches_by_length, padded
from synparse.corpora.normalization import TextConfig
from synparse.inducers.devices import keep_few_products, mixed_precision, needs_no_torch, pick_device, tensor_float32
from synparse.inducers.kernels.lstm_parser import LstmParser, ParserScores, parser_scores
from synparse.inducers.table import INDUCERS, Traits, refuse_baseline
from synparse.parsing.options import ParserOptions
from synparse.parsing.relations import RelationFinder, relation_finder
from synparse.store.model_directory import LoadedModel, StoredModel, load, traits_of
from synparse.store.models import Model, open_model
from synparse.trees.arguments import names_given
from synparse.trees.errors import DataError, SettingError
from synparse.trees.function_words import FREE, MOST_FREQUENT, FunctionWords
from synparse.trees.given import GivenScores
from synparse.trees.phrase_boundaries import BoundaryScores
from synparse.trees.punctuation_cues import Cues
from synparse.trees.trivial import CONTENT_CHAINS, TRIVIAL_PARSERS

BATCH_TOKENS = 4096

NUMPY, CPU = "numpy", "cpu"

DISTANCES, SPLITS, HEIGHTS = "distances", "probabilities of splits", "heights"
HEAD_SCORES, BOUNDARIES, DEPENDENCIES = "head scores", "boundaries", "dependency model"
"""The kinds of scores that models give and decoders need."""


class Scores(NamedTuple):
    """The scores of a model for one sentence of T words.

    distances (T − 1), first_distance, heights (T), head_scores [T, T]: as in an `Induction`. boundaries: the
    log-probabilities that phrases begin and end with each word. cues: the punctuation cues between the words, if they
    are used; given: the term of given structure, if any. is_function (T): which words are function words without
    dependents, if function words are leaves.
    """

    distances: list[float] | None = None
    first_distance: float = -math.inf
    heights: list[float] | None = None
    head_scores: NDArray[Any] | None = None
    boundaries: BoundaryScores | None = None
    cues: Cues | None = None
    given: GivenScores | None = None
    is_function: list[bool] | None = None


Scorer: TypeAlias = Callable[[list[list[str]], bool], list[Scores]]
"""A function from sentences, and whether head scores are needed, to the scores of each sentence."""


class Member(NamedTuple):
    """A model of a parser: a trained one, or a baseline.

    text: how it normalises tokens; score: computes its scores; gives: their kinds, and `DEPENDENCIES` if grammars have
    learned from it; has_tree_layers: whether trees can be read from any of its layers; for_brackets, for_heads: whether
    the parser uses it for these; needs_text: whether it is a content chain that has to read the whole input to
    determine the function words; knows: whether a normalised word is in its vocabulary (None for a baseline, which
    reads no words); device: `NUMPY` or the type of a PyTorch device, None for a baseline.
    """

    text: TextConfig
    model: str
    score: Scorer
    gives: frozenset[str] = frozenset()
    has_tree_layers: bool = False
    for_brackets: bool = True
    for_heads: bool = True
    function_words: FunctionWords = FREE
    needs_text: bool = False
    device: str | None = None
    knows: Callable[[str], bool] | None = None
    find_relations: RelationFinder | None = None

    @property
    def gives_heads(self) -> bool:
        return self.for_heads and HEAD_SCORES in self.gives


class ModelToLoad(NamedTuple):
    """A model to load: a stored model or a baseline (``stored`` is None). key: its name in its directory; for_brackets,
    for_heads: what it is used for."""

    name: str
    key: str = ""
    stored: StoredModel | None = None
    for_brackets: bool = True
    for_heads: bool = True


def members_to_load(name: str | Path | Model) -> tuple[list[ModelToLoad], Model | None]:
    """The models with this name, those from which grammars have learned first; and the opened model directory, None for
    a baseline.

    Raises DataError if there is no such model, SettingError for what is no name.
    """
    if isinstance(name, str) and name in TRIVIAL_PARSERS:
        return [ModelToLoad(name)], None
    model = name if isinstance(name, Model) else open_model(*names_given([name]))
    teachers = [key for grammars in model.grammars for key in grammars.members]
    parts = [
        ModelToLoad(
            str(model.members[key].directory), key, model.members[key], key in model.brackets, key in model.heads
        )
        for key in dict.fromkeys((*teachers, *model.members))
    ]
    return parts, model


def kinds_of_scores(traits: Traits, has_boundaries: bool) -> frozenset[str]:
    """The kinds of scores of a trained model."""
    kinds = {
        DISTANCES: traits.gives_distances,
        SPLITS: traits.gives_distances,
        HEAD_SCORES: traits.gives_heads,
        HEIGHTS: traits.gives_heights,
        BOUNDARIES: has_boundaries,
    }
    return frozenset(name for name, is_given in kinds.items() if is_given)


def load_member(part: ModelToLoad, options: ParserOptions, is_alone: bool) -> Member:
    """See `synparse.parsing.parser.Parser.load`. With several models, ``options.layer`` applies to those that have
    several layers with trees."""
    layer = options.layer
    if part.stored is None:
        if layer is not None and is_alone:
            raise SettingError(f"--layer: the baseline {part.name} has no layers; leave it out")
        return _baseline(part.name, options)
    refuse_baseline(part.stored.description.recipe.model)
    recipe = part.stored.description.recipe
    rule = options.relation_rule if recipe.model == "udgn" and part.stored.description.packed is None else None
    model = load(part.stored, without_torch=needs_no_torch(options.device, options.precision) and rule is None)
    if "phrase-boundaries" in options.without:
        model = replace(model, boundaries=None)
    if layer is not None and (is_alone or INDUCERS[recipe.model].traits.has_tree_layers):
        _choose_tree_layer(model, layer)
    induce: _Induce | None
    if model.inducer is None:
        induce, device = None, NUMPY
    elif isinstance(model.inducer, LstmParser):
        induce, device = functools.partial(parser_scores, model.inducer), NUMPY
    else:
        induce, device = _by_torch(model, options)
    traits = traits_of(model.description)
    function_words = options.function_words or FREE
    return Member(
        recipe.text,
        recipe.model,
        _scorer(model, induce, traits.gives_distances, function_words),
        kinds_of_scores(traits, model.boundaries is not None),
        has_tree_layers=traits.has_tree_layers,
        function_words=function_words,
        device=device,
        knows=model.vocabulary.knows,
        for_brackets=part.for_brackets,
        for_heads=part.for_heads,
        find_relations=rule and relation_finder(rule, model.network, model.vocabulary, options.relation_layer),
    )


def _baseline(name: str, options: ParserOptions) -> Member:
    return Member(
        TextConfig(),
        name,
        _trivial_scorer(name, options.seed, options.content_chain_function_words or ()),
        frozenset((DISTANCES, HEIGHTS, HEAD_SCORES)),  # heads by distances and heights, in place of scores
        needs_text=name in CONTENT_CHAINS and options.content_chain_function_words is None,
    )


def knowing(member: Member, function_words: Container[str]) -> Member:
    """The same model, with these function words if it is a content chain that needs them."""
    if not member.needs_text:
        return member
    return member._replace(score=_trivial_scorer(member.model, 0, function_words), needs_text=False)


def with_leaves(member: Member, leaves: Container[str]) -> Member:
    """The same model, with these words as the function words that have no dependents."""
    return _marking(member, lambda words, _: [word in leaves for word in words])


def with_adpositions(member: Member, adpositions: Container[str]) -> Member:
    """The same model, in which these function words may have dependents."""
    return _marking(
        member,
        lambda words, scores: [
            is_function and word not in adpositions
            for word, is_function in zip(words, scores.is_function or (), strict=True)
        ],
    )


def _marking(member: Member, is_function: Callable[[list[str], Scores], list[bool]]) -> Member:
    score = member.score

    def marked(sentences: list[list[str]], with_heads: bool) -> list[Scores]:
        return [
            scores._replace(is_function=is_function(words, scores))
            for words, scores in zip(sentences, score(sentences, with_heads), strict=True)
        ]

    return member._replace(score=marked)


def check_tokens_read(names: list[str], members: list[Member]) -> None:
    """Raises SettingError where two trained models do not read the same tokens."""
    trained = [
        (name, member.text) for name, member in zip(names, members, strict=True) if member.model not in TRIVIAL_PARSERS
    ]
    for name, text in trained[1:]:
        first, other = trained[0]
        if text.punctuation != other.punctuation:
            raise SettingError(
                f"{first} and {name} do not read the same tokens: "
                f"text.punctuation is {other.punctuation} in one, {text.punctuation} in the other"
            )


def _trivial_scorer(name: str, seed: int, function_words: Container[str]) -> Scorer:
    """The scorer of a baseline. It has only distances and heights, so all decoders give the same trees."""
    source = random.Random(seed)

    def score(sentences: list[list[str]], _: bool) -> list[Scores]:
        trivial = (TRIVIAL_PARSERS[name]([word in function_words for word in words], source) for words in sentences)
        return [Scores(list(parse.distances), heights=list(parse.heights)) for parse in trivial]

    return score


_Induce: TypeAlias = "Callable[[NDArray[np.int64], NDArray[np.int64], bool], ParserScores]"
"""A function from words [B, T], lengths [B], and whether head scores are needed, to the scores of a network."""


def _scorer(model: LoadedModel, induce: _Induce | None, gives_distances: bool, function_words: FunctionWords) -> Scorer:
    """The scorer of a trained model. ``induce``: computes its network; None without a network."""
    name = f"model {model.description.recipe.name}"

    def score(sentences: list[list[str]], with_heads: bool) -> list[Scores]:
        indices = [model.vocabulary.indices(words) for words in sentences]
        results = [_counted(model, words, function_words != FREE) for words in indices]
        if induce is None:
            return results
        for pieces in batches_by_length([len(words) for words in indices], range(len(indices)), BATCH_TOKENS):
            induced = induce(*padded([indices[piece.sentence] for piece in pieces]), with_heads)
            if not gives_distances:
                induced = induced._replace(distances=None)
            if not all((array < math.inf).all() for array in induced if array is not None):
                raise DataError("its scores are not finite, so the weights are damaged; fetch the model again", name)
            for row, piece in enumerate(pieces):
                results[piece.sentence] = _with_induced(results[piece.sentence], induced, row, piece.end)
        return results

    return score


def _counted(model: LoadedModel, words: list[int], are_leaves: bool) -> Scores:
    """The scores of a sentence that need no network."""
    learned = model.boundaries
    return Scores(
        is_function=model.vocabulary.is_frequent(words, MOST_FREQUENT) if are_leaves else None,
        boundaries=None if learned is None else learned.scores(words),
    )


def _with_induced(scores: Scores, induced: ParserScores, row: int, T: int) -> Scores:
    """The scores with those that a network computed for the sentence of T words in this row of its batch."""
    distances, first, heights, matrices = induced
    return scores._replace(
        distances=None if distances is None else distances[row, : T - 1].tolist(),
        first_distance=-math.inf if first is None else float(first[row]),
        heights=None if heights is None else heights[row, :T].tolist(),
        head_scores=None if matrices is None else matrices[row, :T, :T],
    )


def _by_torch(model: LoadedModel, options: ParserOptions) -> tuple[_Induce, str]:
    """The function that computes with PyTorch, and the type of its device."""
    keep_few_products()
    import torch

    from synparse.inducers.batch import Batch

    chosen = pick_device(options.device)
    inducer = model.network.to(chosen)
    computing = mixed_precision(chosen, options.precision, inducer)

    @torch.inference_mode()
    def induce(words: NDArray[np.int64], lengths: NDArray[np.int64], with_heads: bool) -> ParserScores:
        batch = Batch(torch.from_numpy(words).to(chosen), torch.from_numpy(lengths).to(chosen))
        with tensor_float32(chosen), computing():
            induction = inducer.induce(batch, heads=with_heads)
        return ParserScores(*(None if tensor is None else tensor.float().cpu().numpy() for tensor in induction))

    return induce, chosen.type


def _choose_tree_layer(model: LoadedModel, layer: int) -> None:
    """Raises SettingError for a layer that the model does not have."""
    name = model.description.recipe.model
    if not INDUCERS[name].traits.has_tree_layers:
        others = ", ".join(name for name, entry in INDUCERS.items() if entry.traits.has_tree_layers)
        raise SettingError(f"--layer: a {name} has no layers to choose from; only {others} has")
    from synparse.inducers.loading import choose_tree_layer

    choose_tree_layer(model.network, layer)
