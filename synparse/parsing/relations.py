"""Induced relations of arcs, from the messages that a UDGN sends along them (Shen et al., ACL 2022; thesis 4.2).

A dependent j sends its head i a message through each channel c of a layer,

    u_c(i, j) = softmax_c(a_ijc) tanh(v_jc) ∘ σ(g_ic),        which adds W_c u_c to the state of the head,

where W_c are the columns of W_o for this channel. Two rules name the relation of an arc, without gold relations. Both
names include the side of the head on which the dependent is.

- ``channels``: the channel with the strongest message from this dependent, relative to the other words of the sentence
  of T words. With s_c(i, j) = |W_c u_c(i, j)|, it is

      arg max_c  log s_c(i, j) − 1/(T − 1) Σ_k log s_c(i, k)        k ≠ i, k ≠ j

  A channel that is strong for all words is not informative. Named ``c3:left``, after the channel.
- ``messages``: the group that the direction of the whole message Σ_c W_c u_c(i, j) of the first layer is in. The states
  of that layer are the words themselves, so its messages are known without a text: the groups are those of k-means over
  the messages between words that are drawn from the vocabulary by Zipf's law, on either side as many as the layer has
  channels. Named ``m3:left``, the largest group first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from synparse.corpora.batches import batches_by_length, padded
from synparse.corpora.vocabulary import SPECIAL, Vocabulary
from synparse.parsing.k_means import k_means, nearest
from synparse.parsing.options import RelationRule
from synparse.trees.conllu import OTHER_RELATION, PUNCTUATION_RELATION, ROOT_RELATION
from synparse.trees.errors import SettingError
from synparse.trees.spans import LEFT, RIGHT

if TYPE_CHECKING:
    from synparse.inducers.batch import Batch
    from synparse.inducers.protocol import NeuralInducer
    from synparse.inducers.udgn import Udgn

FIRST_LAYER = 1
"""The default of channels. Its states are the words themselves, so its messages are most informative; in the layers
above, the states of words depend on other words."""

BATCH_TOKENS = 1024

SMALLEST = 1e-30
"""Least size of a message, so that its logarithm is finite."""

DRAWN, SEED = 10_000, 1
"""Pairs of words, on either side, whose messages are grouped; the seed by which they are drawn."""

ZIPF_SHIFT = 2.7
"""The word of rank r is drawn with a probability proportional to 1/(r + 2.7), r from 1 (Mandelbrot 1953)."""

RelationFinder: TypeAlias = Callable[[list[list[str]], Sequence[Sequence[int]]], list[list[str]]]
"""From sentences of normalized words, and the head of each word (from 1; 0: none), to the relation of each word, which
is `ROOT_RELATION` where it has no head."""


def relation_finder(
    rule: RelationRule, network: NeuralInducer, vocabulary: Vocabulary, layer: int | None = None
) -> RelationFinder:
    """``network``: a whole UDGN; ``layer``: the layer, from 1, whose channels are meant.

    Raises SettingError where there is no such layer, and for a layer of messages.
    """
    from synparse.inducers.udgn import Udgn

    assert isinstance(network, Udgn)
    if rule == "messages":
        if layer is not None:
            raise SettingError("--relation-layer is for --relations channels; messages are those of the first layer")
        return _by_messages(network, vocabulary)
    layers = len(network.layers)
    if layer is not None and layer not in range(1, layers + 1):
        raise SettingError(f"--relation-layer: there is no layer {layer}; this model has layers 1 to {layers}")
    return _by_channels(network, vocabulary, layer or FIRST_LAYER)


def _by_channels(model: Udgn, vocabulary: Vocabulary, layer: int) -> RelationFinder:
    import torch

    from synparse.inducers.batch import on_device

    @torch.inference_mode()
    def find(sentences: list[list[str]], heads: Sequence[Sequence[int]]) -> list[list[str]]:
        relations: list[list[str]] = [[] for _ in sentences]
        device = model.embedding.weight.device
        for numbers, batch in whole_sentences([vocabulary.indices(words) for words in sentences], BATCH_TOKENS):
            sizes = model.message_sizes(on_device(batch, device), layer).cpu().numpy()
            for row, number in enumerate(numbers):
                T = len(sentences[number])
                relations[number] = strongest_channels(sizes[row, :, :T, :T], heads[number])
        return relations

    return find


def whole_sentences(indices: Sequence[Sequence[int]], batch_tokens: int) -> Iterator[tuple[list[int], Batch]]:
    """The numbers of some sentences of about one length, and their words; no sentence is cut. Sentences without words
    are left out."""
    import torch

    from synparse.inducers.batch import Batch

    lengths_of_all = [len(words) for words in indices]
    for pieces in batches_by_length(lengths_of_all, range(len(indices)), max([batch_tokens, *lengths_of_all])):
        numbers = [piece.sentence for piece in pieces]
        words, lengths = map(torch.from_numpy, padded([indices[number] for number in numbers]))
        yield numbers, Batch(words, lengths)


def _by_messages(model: Udgn, vocabulary: Vocabulary) -> RelationFinder:
    def directions(dependents: Sequence[int], heads: Sequence[int], is_left: bool) -> NDArray[Any]:
        messages = model.first_messages(dependents, heads, is_left).astype(np.float64)
        return np.asarray(messages / np.maximum(np.linalg.norm(messages, axis=1, keepdims=True), SMALLEST))

    words, probabilities = _zipf(vocabulary)
    pairs = np.random.default_rng(SEED).choice(words, (2, 2, DRAWN), p=probabilities)  # side, dependent or head
    means = {
        side: k_means(directions(dependents, head_words, side == LEFT), model.config.channels)
        for side, (dependents, head_words) in zip((LEFT, RIGHT), pairs.tolist(), strict=True)
    }

    def find(sentences: list[list[str]], heads: Sequence[Sequence[int]]) -> list[list[str]]:
        relations = [[ROOT_RELATION] * len(words) for words in sentences]
        indices = [vocabulary.indices(words) for words in sentences]
        for side in (LEFT, RIGHT):
            arcs = [
                (number, j, head - 1)
                for number, sentence_heads in enumerate(heads)
                for j, head in enumerate(sentence_heads)
                if head and (j < head - 1) == (side == LEFT)
            ]
            dependents = [indices[number][j] for number, j, _ in arcs]
            head_words = [indices[number][i] for number, _, i in arcs]
            groups = nearest(directions(dependents, head_words, side == LEFT), means[side])
            for (number, j, _), group in zip(arcs, groups.tolist(), strict=True):
                relations[number][j] = f"m{group + 1}:{side}"
        return relations

    return find


def _zipf(vocabulary: Vocabulary) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """The indices of the words of a vocabulary, which are in the order of their frequency, and their probabilities."""
    words = np.arange(len(SPECIAL), vocabulary.first_class)
    weights = 1 / (np.arange(1, len(words) + 1) + ZIPF_SHIFT)
    return words, weights / weights.sum()


def strongest_channels(sizes: NDArray[Any], heads: Sequence[int]) -> list[str]:
    """The relation of each word to its head (from 1; 0: none), given s [H, T, T] of its sentence. O(H T²)."""
    T = len(heads)
    logs = np.log(np.maximum(sizes, SMALLEST))
    diagonal = np.arange(T)
    logs[:, diagonal, diagonal] = 0.0  # a word sends itself nothing
    totals = logs.sum(2)  # [H, T]
    names = []
    for j, head in enumerate(heads):
        if not head:
            names.append(ROOT_RELATION)
            continue
        i = head - 1
        own = logs[:, i, j]
        channel = int(np.argmax(own - (totals[:, i] - own) / (T - 1)))
        names.append(f"c{channel + 1}:{LEFT if j < i else RIGHT}")
    return names


def relations_of_tokens(heads: Sequence[int], read: Sequence[bool], word_relations: Sequence[str]) -> tuple[str, ...]:
    """The relation of each token, given those of the words that the model read: what it did not read is punctuation.
    Words that head the further chunks of a long sentence, whose arcs no model decided, have no relation of their own.

    >>> relations_of_tokens((2, 0, 2), (True, True, False), ("c3:left", "root"))
    ('c3:left', 'root', 'punct')
    """
    following = iter(word_relations)
    names = [next(following) if is_read else PUNCTUATION_RELATION for is_read in read]
    return tuple(
        ROOT_RELATION if not head else OTHER_RELATION if name == ROOT_RELATION else name
        for head, name in zip(heads, names, strict=True)
    )
