"""The pipeline as a Python API: sentences in, trees out.

>>> from synparse.parser import Parser
>>> parser = Parser.load("right-branching")
>>> [parse] = parser.parse(["the dog barked ."])
>>> parse.heads
(0, 1, 2, 1)
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from synparse.corpora.batches import batches_by_length, padded
from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.tokenization import load_tokenizer
from synparse.trees.constituency import ConstituencyTree, induced_tree
from synparse.trees.dependency import DependencyTree
from synparse.trees.distances import published_spans, unbiased_spans
from synparse.trees.errors import DataError
from synparse.trees.heads import argmax_heads, joint_heads
from synparse.trees.punctuation import with_punctuation_heads, with_punctuation_spans
from synparse.trees.spanning_tree import maximum_spanning_heads
from synparse.trees.trivial import TRIVIAL_PARSERS

if TYPE_CHECKING:
    import numpy as np

    from synparse.model_directory import LoadedModel

TREE_DECODERS: dict[str, Callable[[Sequence[float]], list[tuple[int, int]]]] = {
    "unbiased": unbiased_spans,
    "published": published_spans,
}
"""Distances → constituents (models of constituency)."""

HEAD_DECODERS = ("mst", "argmax", "joint")
"""Single-root maximum spanning tree over log P_D; best head of each word, made a tree; heads from the constituency
tree and the heights."""

LONGEST = 1000
"""Words read at once. A longer sentence is parsed in stretches of this many words, each as a sentence of its own; the
stretches hang side by side from the whole, and their roots depend on the first one's."""

BATCH_TOKENS = 4096
WINDOW_SENTENCES = 4096
WINDOW_TOKENS = 131_072
"""Sentences are sorted by length within a window of this many sentences or tokens, whichever is first."""

Item = TypeVar("Item")


class Scores(NamedTuple):
    """What a model says of one sentence of T words: distances (T − 1), heights (T), head scores [T, T]."""

    distances: list[float]
    heights: list[float]
    head_scores: np.ndarray[Any, Any] | None


@dataclass(frozen=True, slots=True)
class Parse:
    """The trees of one sentence, over all its tokens, and the scores they come from, over the words that were read.

    tree: the induced constituents; heads: each token's head, counted from 1 (0 = root); read: for each token, whether
    the model read it (punctuation is put into the trees afterwards, by the rule of `synparse.trees.punctuation`).
    A sentence without tokens has an empty tree and no heads.
    """

    tokens: tuple[str, ...]
    tree: ConstituencyTree
    heads: tuple[int, ...]
    read: tuple[bool, ...]
    distances: tuple[float, ...] = field(repr=False)
    heights: tuple[float, ...] = field(repr=False)

    @property
    def dependencies(self) -> DependencyTree:
        return DependencyTree(self.tokens, self.heads)


class Parser:
    """A trained model, or a trivial one, with everything between text and trees. Make one with `Parser.load`."""

    def __init__(self, text: TextConfig, score: Callable[[list[list[str]], bool], list[Scores]]) -> None:
        self.text = text
        self._score = score

    @classmethod
    def load(cls, name_or_directory: str | Path, seed: int = 1, device: str = "auto") -> Parser:
        """A parser from a model directory, or a trivial one by name.

        ``right-branching``, ``left-branching``, ``balanced``, ``random`` (seeded) and ``chain`` need no training.
        Raises DataError where there is no such model or its files are damaged.
        """
        name = str(name_or_directory)
        if name in TRIVIAL_PARSERS:
            return cls(TextConfig(), _trivial_scorer(name, seed))
        from synparse.model_directory import load_model

        if not Path(name).is_dir():
            raise DataError(
                f"no such model: neither a directory nor one of {', '.join(TRIVIAL_PARSERS)}; "
                f"train one with: synparse train CORPUS --output {name}",
                name,
            )
        model = load_model(Path(name))
        return cls(model.description.recipe.text, _neural_scorer(model, device))

    def parse(
        self, sentences: Iterable[str | Sequence[str]], tree_decoder: str = "unbiased", head_decoder: str = "mst"
    ) -> list[Parse]:
        """Parse sentences, given as tokens or as text for the model's own tokenizer; one Parse each, in order.

        Raises ValueError for an unknown decoder.
        """
        return list(self.stream(sentences, tree_decoder, head_decoder))

    def stream(
        self, sentences: Iterable[str | Sequence[str]], tree_decoder: str = "unbiased", head_decoder: str = "mst"
    ) -> Iterator[Parse]:
        """As `parse`, one by one, in memory that does not depend on how many sentences there are."""
        if tree_decoder not in TREE_DECODERS:
            raise ValueError(f"unknown decoder {tree_decoder!r}; there are {', '.join(TREE_DECODERS)}")
        if head_decoder not in HEAD_DECODERS:
            raise ValueError(f"unknown decoder {head_decoder!r}; there are {', '.join(HEAD_DECODERS)}")
        for window in _windows(self._tokens(sentences)):
            yield from self._parse_window(window, tree_decoder, head_decoder)

    def _tokens(self, sentences: Iterable[str | Sequence[str]]) -> Iterator[tuple[str, ...]]:
        tokenizer = None
        for sentence in sentences:
            if isinstance(sentence, str):
                tokenizer = tokenizer or load_tokenizer(self.text.tokenizer)
                yield tuple(itertools.chain.from_iterable(tokenizer(sentence)))
            else:
                yield tuple(sentence)

    def _parse_window(self, window: list[tuple[str, ...]], tree_decoder: str, head_decoder: str) -> Iterator[Parse]:
        read_forms = [[normalize(token, self.text) for token in tokens] for tokens in window]
        stretches = [
            (number, words[start : start + LONGEST])
            for number, words in enumerate([form for form in forms if form is not None] for forms in read_forms)
            for start in range(0, len(words), LONGEST)
        ]
        scores = self._score([words for _, words in stretches], head_decoder != "joint")
        of_sentence: list[list[Scores]] = [[] for _ in window]
        for (number, _), score in zip(stretches, scores, strict=True):
            of_sentence[number].append(score)
        for tokens, forms, parts in zip(window, read_forms, of_sentence, strict=True):
            read = tuple(form is not None for form in forms)
            yield _assemble(tokens, read, parts, tree_decoder, head_decoder)


def _windows(sentences: Iterable[tuple[str, ...]]) -> Iterator[list[tuple[str, ...]]]:
    window: list[tuple[str, ...]] = []
    tokens = 0
    for sentence in sentences:
        window.append(sentence)
        tokens += len(sentence)
        if len(window) >= WINDOW_SENTENCES or tokens >= WINDOW_TOKENS:
            yield window
            window, tokens = [], 0
    if window:
        yield window


def _assemble(
    tokens: tuple[str, ...], read: tuple[bool, ...], parts: list[Scores], tree_decoder: str, head_decoder: str
) -> Parse:
    """Decode the stretches of a sentence (nearly always one), join them, and put punctuation back."""
    spans: list[tuple[int, int]] = []
    heads: list[int] = []
    for part in parts:
        offset = len(heads)
        part_spans = TREE_DECODERS[tree_decoder](part.distances)
        part_heads = _decode_heads(part, part_spans, head_decoder)
        if offset == 0:
            spans, heads = part_spans, list(part_heads)
            root = heads.index(0) + 1
            continue
        spans += [(start + offset, end + offset) for start, end in part_spans if end - start > 1]
        heads += [head + offset if head else root for head in part_heads]
    if len(parts) > 1:
        spans.insert(0, (0, len(heads)))
    all_spans = with_punctuation_spans(spans, read) if tokens else []
    return Parse(
        tokens,
        induced_tree(tokens, all_spans),
        with_punctuation_heads(heads, read) if tokens else (),
        read,
        tuple(itertools.chain.from_iterable(part.distances for part in parts)),
        tuple(itertools.chain.from_iterable(part.heights for part in parts)),
    )


def _decode_heads(scores: Scores, spans: list[tuple[int, int]], head_decoder: str) -> tuple[int, ...]:
    if head_decoder == "joint" or scores.head_scores is None:
        return joint_heads(spans, scores.heights)
    if head_decoder == "argmax":
        return argmax_heads(scores.head_scores)
    return maximum_spanning_heads(scores.head_scores)


def _trivial_scorer(name: str, seed: int) -> Callable[[list[list[str]], bool], list[Scores]]:
    """Trivial parsers have one answer, whichever way heads are asked for: that of the joint decoder."""
    source = random.Random(seed)

    def score(sentences: list[list[str]], _: bool) -> list[Scores]:
        trivial = (TRIVIAL_PARSERS[name](len(words), source) for words in sentences)
        return [Scores(list(one.distances), list(one.heights), None) for one in trivial]

    return score


def _neural_scorer(model: LoadedModel, device: str) -> Callable[[list[list[str]], bool], list[Scores]]:
    import torch

    from synparse.devices import pick_device
    from synparse.inducers.batch import Batch

    chosen = pick_device(device)
    inducer = model.inducer.to(chosen)

    @torch.inference_mode()
    def score(sentences: list[list[str]], with_heads: bool) -> list[Scores]:
        lengths = [len(words) for words in sentences]
        results: list[Scores | None] = [None] * len(sentences)
        for pieces in batches_by_length(lengths, range(len(sentences)), BATCH_TOKENS):
            words, sizes = padded([model.vocabulary.indices(sentences[piece.sentence]) for piece in pieces])
            batch = Batch(torch.from_numpy(words).to(chosen), torch.from_numpy(sizes).to(chosen))
            induction = inducer.induce(batch, with_heads)
            distances, heights = induction.distances.tolist(), induction.heights.tolist()
            head_scores = induction.head_scores.cpu().numpy() if with_heads else None
            for row, piece in enumerate(pieces):
                T = piece.end
                matrix = None if head_scores is None else head_scores[row, :T, :T]
                results[piece.sentence] = Scores(distances[row][: T - 1], heights[row][:T], matrix)
        return [result for result in results if result is not None]

    return score
