"""How the channels of a model go together with gold relations (Shen's thesis, section 4.3.3, equation 4.3.1).

Every gold arc from a dependent to its head is a data point, if the model reads both words. For each channel there is
the weight with which it brings the message of the dependent to the head, for each relation whether it is that of the
arc; the correlation is Pearson's r of the two. A channel is one of a layer: layers are not added up. The root, which
has no head, is left out. Words are read as they are, none of them masked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, cast, get_args

import numpy as np
from numpy.typing import NDArray

from synparse.corpora.normalization import normalized
from synparse.inducers.table import refuse_without_channels
from synparse.language_models.loading import LoadedLanguageModel, load_language_model
from synparse.parsing.options import RelationRule
from synparse.parsing.relations import relation_finder, whole_sentences
from synparse.scoring.comparison import RelationNames, Scores
from synparse.scoring.correlation import correlation_matrix
from synparse.scoring.relations import NO_RELATION, Arc, cluster_scores, shown_relation, trivial_relations
from synparse.store.models import open_model
from synparse.trees.conllu import ConlluSentence, read_conllu
from synparse.trees.dependency import fault_of_heads
from synparse.trees.errors import DataError, SettingError
from synparse.trees.trivial import TRIVIAL_PARSERS

if TYPE_CHECKING:
    from synparse.inducers.batch import Batch

Weights: TypeAlias = Literal["competition", "masked"]
"""Weights of channels as they compete, before a model's dependencies (4.2.11; StructFormer's q), or with them, as they
weight the messages (4.2.12; StructFormer's p · q). The attention of a Transformer is both."""

BATCH_WORDS = 1024


class GoldArc(NamedTuple):
    """The positions of a word and its head among the words that the model reads, from 0, and the gold relation."""

    dependent: int
    head: int
    relation: str


class GoldSentence(NamedTuple):
    """The words that the model reads, as it reads them, and the arcs between them."""

    words: list[str]
    arcs: list[GoldArc]


class Best(NamedTuple):
    """A relation, how many arcs have it, and its best channel (from 1) of a layer (from 1): that with the highest
    correlation; None for all three where no channel varies."""

    relation: str
    arcs: int
    layer: int | None
    channel: int | None
    correlation: float | None


@dataclass(frozen=True)
class ChannelCorrelations:
    """A model's channels against gold relations. matrix [R, layers, channels]: the correlations, NaN where a channel
    has one weight alone; clusters: the scores of induced and trivial relations, if they are wanted; entropies: how soft
    the structure is that the model decides on in these sentences, 0 to 1, by what decides; parent_shares: of each head
    of each layer of a StructFormer, p_parent."""

    model: str
    kind: str
    arcs: int
    best: Sequence[Best]
    matrix: NDArray[Any]
    clusters: dict[str, Scores] | None = None
    entropies: Mapping[str, float] = field(default_factory=dict)
    parent_shares: Sequence[Sequence[float]] | None = None

    @property
    def mean_of_best(self) -> float | None:
        """The mean correlation of the best channels; None where a relation has none."""
        known = [best.correlation for best in self.best if best.correlation is not None]
        return sum(known) / len(known) if known and len(known) == len(self.best) else None


def load_channel_model(name: str) -> LoadedLanguageModel:
    """Raises as `load_language_model`, and SettingError for a model without channels."""
    if name not in TRIVIAL_PARSERS:
        for stored in open_model(name).members.values():
            refuse_without_channels(stored.description.recipe.model)
    return load_language_model(name)


def gold_sentences(lines: Iterable[str], source: str) -> list[ConlluSentence]:
    """The sentences of a gold file that have words. Raises DataError(file:line) where it is malformed, or heads are no
    tree; there may be several roots."""
    sentences = [sentence for sentence in read_conllu(lines, source) if sentence.rows]
    for sentence in sentences:
        if fault := fault_of_heads(sentence.gold_heads, single_root=False):
            raise DataError(f"not a gold tree: {fault}", source, sentence.line_of_words)
    return sentences


def channel_correlations(
    models: Sequence[LoadedLanguageModel],
    gold: Sequence[ConlluSentence],
    source: str,
    *,
    weights: Weights = "competition",
    relations: Sequence[str] = (),
    frequent: int = 10,
    names: RelationNames = "full",
    with_clusters: bool = False,
) -> list[ChannelCorrelations]:
    """The correlations of each model's channels with these relations, or with the most frequent ones of the gold file
    that all models read.

    with_clusters: induced relations of the gold arcs, and trivial ones, by `synparse.scoring.clustering`. Raises
    SettingError for a relation that no arc has, with those that there are, and for clusters of a model that is no UDGN;
    DataError where there are no arcs.
    """
    if with_clusters:
        for model in models:
            if model.kind != "udgn":
                raise SettingError(f"--clusters: {model.name} ({model.kind}) induces no relations; a udgn does")
    as_read = [[_as_read(sentence, model, names) for sentence in gold] for model in models]
    with_arcs = [[sentence for sentence in sentences if sentence.arcs] for sentences in as_read]
    counts = [Counter(arc.relation for sentence in sentences for arc in sentence.arcs) for sentences in with_arcs]
    known = [name for name in counts[0] if all(of_model[name] for of_model in counts)]
    if not known:
        raise DataError("holds no arcs with relations between words that the model reads", source)
    by_frequency = sorted(known, key=lambda name: (-counts[0][name], name))
    if unknown := [name for name in relations if name not in known]:
        raise SettingError(f"{source} has no arc with the relation {unknown[0]!r}; it has {', '.join(by_frequency)}")
    chosen = relations or by_frequency[:frequent]
    return [
        _model_correlations(model, sentences, chosen, of_model, weights, with_clusters)
        for model, sentences, of_model in zip(models, with_arcs, counts, strict=True)
    ]


def arc_weights(model: LoadedLanguageModel, sentences: Sequence[GoldSentence], masked: bool) -> NDArray[Any]:
    """[N, layers, channels]: the weights of the channels for the message from the dependent to the head of each arc, in
    order. Each sentence has arcs."""
    import torch

    from synparse.inducers.protocol import ChannelModel

    network = cast(ChannelModel, model.network)
    by_sentence: list[Any] = [None] * len(sentences)
    with torch.inference_mode():
        for numbers, batch in _batches(model, sentences):
            weights = network.channel_weights(batch, masked).numpy()  # [B, layers, channels, T, T]
            for row, number in enumerate(numbers):
                arcs = sentences[number].arcs
                heads, dependents = [arc.head for arc in arcs], [arc.dependent for arc in arcs]
                by_sentence[number] = weights[row][:, :, heads, dependents].transpose(2, 0, 1)
    return np.concatenate(by_sentence)


def _batches(model: LoadedLanguageModel, sentences: Sequence[GoldSentence]) -> Iterator[tuple[list[int], Batch]]:
    return whole_sentences([model.vocabulary.indices(sentence.words) for sentence in sentences], BATCH_WORDS)


def _model_correlations(
    model: LoadedLanguageModel,
    sentences: Sequence[GoldSentence],
    rows: Sequence[str],
    counts: Counter[str],
    weights: Weights,
    with_clusters: bool,
) -> ChannelCorrelations:
    from synparse.inducers.protocol import mean_entropies
    from synparse.inducers.structformer import StructFormer

    by_arc = arc_weights(model, sentences, weights == "masked")
    relations = [arc.relation for sentence in sentences for arc in sentence.arcs]
    is_relation = np.array([[relation == row for row in rows] for relation in relations])
    N, layers, channels = by_arc.shape
    matrix = correlation_matrix(is_relation, by_arc.reshape(N, -1)).reshape(-1, layers, channels)
    return ChannelCorrelations(
        model.name,
        model.kind,
        N,
        [_best(row, counts[row], correlations) for row, correlations in zip(rows, matrix, strict=True)],
        matrix,
        _clusters(model, sentences) if with_clusters else None,
        mean_entropies(model.network, (batch for _, batch in _batches(model, sentences))),
        model.network.parent_shares() if isinstance(model.network, StructFormer) else None,
    )


def _best(relation: str, arcs: int, matrix: NDArray[Any]) -> Best:
    """matrix [layers, channels]."""
    if np.isnan(matrix).all():
        return Best(relation, arcs, None, None, None)
    layer, channel = np.unravel_index(int(np.nanargmax(matrix)), matrix.shape)
    return Best(relation, arcs, int(layer) + 1, int(channel) + 1, float(matrix[layer, channel]))


def _clusters(model: LoadedLanguageModel, sentences: Sequence[GoldSentence]) -> dict[str, Scores]:
    """The scores of the induced relations of all arcs, and of trivial ones, as many as the former have at most."""
    gold = [arc.relation for sentence in sentences for arc in sentence.arcs]
    relations: dict[str, list[str]] = {}
    for rule in get_args(RelationRule):
        word_relations = relation_finder(rule, model.network, model.vocabulary)(
            [sentence.words for sentence in sentences], [_heads(sentence) for sentence in sentences]
        )
        pairs = zip(word_relations, sentences, strict=True)
        relations[rule] = [names[arc.dependent] for names, sentence in pairs for arc in sentence.arcs]
    arcs = [
        Arc(sentence.words[arc.dependent], sentence.words[arc.head], arc.head - arc.dependent)
        for sentence in sentences
        for arc in sentence.arcs
    ]
    relations |= trivial_relations(arcs, max(len(set(names)) for names in relations.values()))
    return {name: cluster_scores(Counter(zip(names, gold, strict=True))) for name, names in relations.items()}


def _heads(sentence: GoldSentence) -> list[int]:
    """The head of each word, from 1; 0 where there is no arc."""
    heads = [0] * len(sentence.words)
    for arc in sentence.arcs:
        heads[arc.dependent] = arc.head + 1
    return heads


def _as_read(sentence: ConlluSentence, model: LoadedLanguageModel, names: RelationNames) -> GoldSentence:
    forms = normalized(sentence.words, model.text)
    position: dict[int, int] = {}
    for number, form in enumerate(forms, 1):
        if form is not None:
            position[number] = len(position)
    arcs = [
        GoldArc(position[number], position[head], shown_relation(relation, names))
        for number, (head, relation) in enumerate(zip(sentence.heads, sentence.relations, strict=True), 1)
        if number in position and head in position and relation != NO_RELATION
    ]
    return GoldSentence([form for form in forms if form is not None], arcs)
