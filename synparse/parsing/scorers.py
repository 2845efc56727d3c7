"""The models behind the names that a parser is asked for, trained and trivial, each ready to score sentences."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from synparse.corpora.batches import batches_by_length, padded
from synparse.corpora.normalization import TextConfig
from synparse.corpora.vocabulary import END_INDEX
from synparse.inducers import TRAITS, Traits
from synparse.inducers.devices import needs_no_torch
from synparse.inducers.kernels.lstm_parser import LstmParser, parser_scores
from synparse.trees.errors import DataError, SettingError
from synparse.trees.function_words import FREE, LEAVES, MOST_FREQUENT
from synparse.trees.phrase_boundaries import BoundaryScores
from synparse.trees.punctuation_cues import Cues
from synparse.trees.trivial import TRIVIAL_PARSERS

if TYPE_CHECKING:
    import numpy as np

    from synparse.store.bundle import Bundle
    from synparse.store.model_directory import LoadedModel, StoredModel

DEFAULT_LAYER = 2
"""Layer of an ON-LSTM that trees are read from (Shen et al., 2019); the last one where there are fewer."""

BATCH_TOKENS = 4096

NUMPY, CPU = "numpy", "cpu"

_TRIVIAL = Traits(gives_distances=True, gives_heads=True, gives_heights=True)


class Scores(NamedTuple):
    """What a model says of one sentence of T words: distances (T − 1) and the one before the first word, heights (T),
    head scores [T, T], how phrases begin and end; the marks between its words, where these are evidence; and which of
    them are function words, where these are to be leaves."""

    distances: list[float] | None = None
    first_distance: float = -math.inf
    heights: list[float] | None = None
    head_scores: np.ndarray[Any, Any] | None = None
    boundaries: BoundaryScores | None = None
    cues: Cues | None = None
    is_function: list[bool] | None = None


Scorer: TypeAlias = Callable[[list[list[str]], bool], list[Scores]]
"""Sentences, and whether head scores are wanted, → the scores of each sentence."""


class Member(NamedTuple):
    """One model of a `Parser`, or a trivial parser: what it sees of a word, its kind, how it scores sentences, what it
    is asked for, whether it learned how phrases begin and end, what function words are to it, and what computes its
    scores: `NUMPY`, or a type of device of PyTorch's; None for a trivial parser."""

    text: TextConfig
    model: str
    score: Scorer
    traits: Traits = _TRIVIAL
    for_brackets: bool = True
    for_heads: bool = True
    has_boundaries: bool = False
    function_words: str = FREE
    device: str | None = None

    @property
    def gives_heads(self) -> bool:
        return self.for_heads and self.traits.gives_heads

    @property
    def tree_decoders(self) -> tuple[str, ...]:
        """Of `synparse.parsing.parser.TREE_DECODERS`, what there is something to decode for; the member's own choice
        first."""
        if not self.for_brackets:
            return ()
        of_distances = ("unbiased", "published") * self.traits.gives_distances
        return of_distances + ("boundaries",) * self.has_boundaries + ("projective",) * self.traits.gives_heads


class Part(NamedTuple):
    """A model to load, a trivial one or a directory, and what it is to be asked for."""

    name: str
    stored: StoredModel | None = None
    for_brackets: bool = True
    for_heads: bool = True


def found_members(name: str) -> tuple[list[Part], Bundle | None]:
    """The models behind a name, and the directory's word on them where it holds several.

    Raises DataError where there is none.
    """
    if name in TRIVIAL_PARSERS:
        return [Part(name)], None
    from synparse.store.bundle import open_model

    members, bundle = open_model(name)
    parts = [
        Part(str(one.directory), one, bundle is None or key in bundle.brackets, bundle is None or key in bundle.heads)
        for key, one in members.items()
    ]
    return parts, bundle


def load_member(
    part: Part,
    seed: int,
    device: str,
    layer: int | None,
    precision: str,
    function_words: str,
    is_alone: bool,
) -> Member:
    """See `Parser.load`. Among others, a model that has no layers to choose from needs no choice."""
    name = part.name
    if part.stored is None:
        if layer is not None and is_alone:
            raise SettingError(f"{name} has no layers")
        return Member(TextConfig(), name, _trivial_scorer(name, seed), _TRIVIAL, part.for_brackets, part.for_heads)
    from synparse.store.model_directory import load, traits_of

    model = load(part.stored, without_torch=needs_no_torch(device, precision))
    recipe = model.description.recipe
    options = _tree_layer(model, layer if is_alone or TRAITS[recipe.model].has_tree_layers else None)
    if isinstance(model.inducer, LstmParser):
        induce, computing = _by_numpy(model.inducer), NUMPY
    else:
        induce, computing = _by_torch(model, device, options, precision)
    scorer = _neural_scorer(model, induce, function_words)
    traits, has_boundaries = traits_of(model.description), model.boundaries is not None
    parts = part.for_brackets, part.for_heads
    return Member(recipe.text, recipe.model, scorer, traits, *parts, has_boundaries, function_words, computing)


def check_tokens_read(names: list[str], members: list[Member]) -> None:
    """Raises SettingError where two trained models do not read the same tokens."""
    trained = [(name, one.text) for name, one in zip(names, members, strict=True) if one.model not in TRIVIAL_PARSERS]
    for name, text in trained[1:]:
        first, other = trained[0]
        if text.punctuation != other.punctuation:
            raise SettingError(
                f"{first} and {name} do not read the same tokens: "
                f"text.punctuation is {other.punctuation} in one, {text.punctuation} in the other"
            )


def _trivial_scorer(name: str, seed: int) -> Scorer:
    """Trivial parsers have one answer, whichever way trees are asked for: that of the joint decoder."""
    source = random.Random(seed)

    def score(sentences: list[list[str]], _: bool) -> list[Scores]:
        trivial = (TRIVIAL_PARSERS[name](len(words), source) for words in sentences)
        return [Scores(list(one.distances), heights=list(one.heights)) for one in trivial]

    return score


class _Arrays(NamedTuple):
    """An `synparse.inducers.induction.Induction` of a batch, as NumPy arrays."""

    distances: np.ndarray[Any, Any] | None = None
    first_distance: np.ndarray[Any, Any] | None = None
    heights: np.ndarray[Any, Any] | None = None
    head_scores: np.ndarray[Any, Any] | None = None


_Induce: TypeAlias = "Callable[[np.ndarray[Any, Any], np.ndarray[Any, Any], bool], _Arrays]"
"""words [B, T], lengths [B], and whether head scores are wanted, → what the model says of them."""


def _neural_scorer(model: LoadedModel, induce: _Induce, function_words: str) -> Scorer:
    from synparse.store.model_directory import traits_of

    gives_distances = traits_of(model.description).gives_distances
    name = f"model {model.description.recipe.name}"
    are_leaves = function_words == LEAVES

    def score(sentences: list[list[str]], with_heads: bool) -> list[Scores]:
        lengths = [len(words) for words in sentences]
        results: list[Scores | None] = [None] * len(sentences)
        for pieces in batches_by_length(lengths, range(len(sentences)), BATCH_TOKENS):
            indices = [model.vocabulary.indices(sentences[piece.sentence]) for piece in pieces]
            induced = induce(*padded(indices), with_heads)
            if not gives_distances:
                induced = induced._replace(distances=None)
            if not all((array < math.inf).all() for array in induced if array is not None):
                raise DataError("its scores are no numbers: the weights are damaged; fetch the model again", name)
            distances, first, heights = (
                None if array is None else array.tolist()
                for array in (induced.distances, induced.first_distance, induced.heights)
            )
            matrices = induced.head_scores
            for row, piece in enumerate(pieces):
                T = piece.end
                results[piece.sentence] = Scores(
                    None if distances is None else distances[row][: T - 1],
                    -math.inf if first is None else first[row],
                    None if heights is None else heights[row][:T],
                    None if matrices is None else matrices[row, :T, :T],
                    None if model.boundaries is None else model.boundaries.of_words(indices[row]),
                    is_function=model.vocabulary.is_frequent(indices[row], MOST_FREQUENT) if are_leaves else None,
                )
        return [result for result in results if result is not None]

    return score


def _by_numpy(parser: LstmParser) -> _Induce:
    from threadpoolctl import ThreadpoolController

    # Products as small as these gain nothing from threads, which wait for each other: beside other work, ten times the
    # time was seen.
    libraries = ThreadpoolController()

    def induce(words: np.ndarray[Any, Any], lengths: np.ndarray[Any, Any], with_heads: bool) -> _Arrays:
        # A model without distances has nothing but heads to give.
        with libraries.limit(limits=1, user_api="blas"):
            scores = parser_scores(parser, words, lengths, with_heads or parser.distance is None)
        return _Arrays(distances=scores.distances, head_scores=scores.head_scores)

    return induce


def _by_torch(model: LoadedModel, device: str, options: dict[str, Any], precision: str) -> tuple[_Induce, str]:
    """And the type of the device that it is."""
    import torch

    from synparse.inducers.batch import Batch
    from synparse.inducers.devices import mixed_precision, pick_device

    chosen = pick_device(device)
    inducer = model.inducer.to(chosen)
    computing = mixed_precision(chosen, precision, inducer)
    traits = TRAITS[model.description.recipe.model]

    @torch.inference_mode()
    def induce(words: np.ndarray[Any, Any], lengths: np.ndarray[Any, Any], with_heads: bool) -> _Arrays:
        batch = Batch(torch.from_numpy(words).to(chosen), torch.from_numpy(lengths).to(chosen))
        wanted = {"with_heads": with_heads} if traits.gives_distances and traits.gives_heads else {}
        with computing():
            induction = inducer.induce(batch, **options, **wanted)
        return _Arrays(*(None if tensor is None else tensor.float().cpu().numpy() for tensor in induction))

    return induce, chosen.type


def _tree_layer(model: LoadedModel, layer: int | None) -> dict[str, Any]:
    """What a recurrent model must be told to induce. Raises SettingError for a layer that is not there."""
    recipe, packed = model.description.recipe, model.description.packed
    if not TRAITS[recipe.model].has_tree_layers:
        if layer is not None:
            others = ", ".join(name for name, traits in TRAITS.items() if traits.has_tree_layers)
            raise SettingError(f"a {recipe.model} has one parser, and no layers to choose from (as {others} has)")
        return {}
    layers = recipe.architecture.layers
    own = min(DEFAULT_LAYER, layers)
    if packed is not None and packed.layers:  # the last one kept is the one that it was packed for
        own = layers = packed.layers
    if layer is not None and not 1 <= layer <= layers:
        raise SettingError(f"there is no layer {layer}; this model has layers 1 to {layers}")
    return {"layer": own if layer is None else layer, "start": END_INDEX}
