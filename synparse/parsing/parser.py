"""The pipeline as a Python API: sentences in, trees out.

>>> from synparse.parsing.parser import Parser
>>> parser = Parser.load("right-branching")
>>> [parse] = parser.parse(["the dog barked ."])
>>> parse.heads
(0, 1, 2, 1)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.tokenization import load_tokenizer
from synparse.parsing.decoders import Decoded, decoded_chunks
from synparse.parsing.scorers import Member, check_tokens_read, found_members, load_member
from synparse.trees.constituency import ConstituencyTree, induced_tree
from synparse.trees.dependency import DependencyTree
from synparse.trees.errors import DataError, SettingError
from synparse.trees.function_words import FREE, FUNCTION_WORDS, LEAVES
from synparse.trees.punctuation import with_punctuation_heads, with_punctuation_spans
from synparse.trees.punctuation_cues import Cues, cues_of, cues_within
from synparse.trees.trivial import TRIVIAL_PARSERS

if TYPE_CHECKING:
    from synparse.store.bundle import Bundle

TREE_DECODERS = ("unbiased", "published", "boundaries", "projective")
"""Split at the largest distance first; the split that ON-LSTM was published with; phrases that begin and end as phrases
do (`synparse.trees.phrase_boundaries`); subtrees of the projective tree."""

HEAD_DECODERS = ("mst", "argmax", "projective", "joint", "boundaries")
"""Single-root maximum spanning tree over the head scores; best head of each word, made a tree; the best projective
tree; heads from the constituency tree and the heights; the best heads of the phrases of the decoder ``boundaries``."""

DEFAULT = "default"
"""In place of a decoder: the model's own, which is none where the model has nothing to decode."""

IGNORE, EVIDENCE = PUNCTUATION = ("ignore", "evidence")
"""What marks that a model does not read are to its scores; the second by `synparse.trees.punctuation_cues`."""

LONGEST = 1000
"""Words read at once. A longer sentence is parsed in stretches of this many words, each as a sentence of its own; the
stretches hang side by side from the whole, and their roots depend on the first one's."""

WINDOW_SENTENCES = 512
WINDOW_TOKENS = 16_384
"""Sentences are sorted by length within a window of this many sentences or tokens, whichever is first: enough for full
batches, and few enough that a file of a few thousand sentences is parsed by several processes side by side."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Parse:
    """The trees of one sentence, over all its tokens, and the scores they come from, over the words that were read.

    tree: the induced constituents; heads: each token's head, counted from 1 (0 = root); read: for each token, whether
    the model read it (punctuation is put into the trees afterwards, by the rule of `synparse.trees.punctuation`).
    A sentence without tokens has an empty tree and no heads. What was not decoded, or the model does not have, is None.
    """

    tokens: tuple[str, ...]
    tree: ConstituencyTree | None
    heads: tuple[int, ...] | None
    read: tuple[bool, ...]
    distances: tuple[float, ...] | None = field(repr=False)
    heights: tuple[float, ...] | None = field(repr=False)

    @property
    def dependencies(self) -> DependencyTree:
        """Raises SettingError where there are no heads."""
        if self.heads is None:
            raise SettingError("this parse has no heads")
        return DependencyTree(self.tokens, self.heads)


class Preferred(NamedTuple):
    """Decoders of brackets and of heads that a model directory names; None where it names none."""

    trees: str | None = None
    heads: str | None = None


class Parser:
    """A model, trained or trivial, with everything between text and trees; or several, which make one tree.

    Of several, each makes its own constituents, those with the decoder ``boundaries`` one tree together, by what a span
    is
    worth to all of them; the tree is the one that agrees most with all of these (`synparse.trees.averaging`), and where
    all come from heads, it has no span that is in none. Heads are those of the log-probabilities that the models give
    each head, added up; models without heads take no part there, and a trivial one votes. There are no ``joint`` heads
    then, and distances and heights only where a single one of them is asked for brackets. ``preferred`` are decoders
    that go before the models' own. Make one with `Parser.load`.
    """

    def __init__(
        self,
        members: Sequence[Member],
        punctuation: str = IGNORE,
        preferred: Preferred = Preferred(),  # noqa: B008
    ) -> None:
        self.punctuation = punctuation
        self.preferred = preferred
        self.text = next((one.text for one in members if one.model not in TRIVIAL_PARSERS), TextConfig())
        self.model = " + ".join(one.model for one in members)
        # A trivial parser reads what the others read.
        self.members = [one._replace(text=self.text) if one.model in TRIVIAL_PARSERS else one for one in members]

    @classmethod
    def load(
        cls,
        models: str | Path | Sequence[str | Path],
        seed: int = 1,
        device: str = "auto",
        layer: int | None = None,
        precision: str = "float32",
        punctuation: str | None = None,
        function_words: str | None = None,
    ) -> Parser:
        """A parser from a model directory, or by name a shipped or a trivial one; or from several of them, in a list.

        A directory may hold several models (`synparse.store.bundle`), each of which may be asked for brackets or heads
        alone.

        ``right-branching``, ``left-branching``, ``balanced``, ``random`` (seeded) and ``chain`` need no training.
        ``layer`` (from 1) is the one trees are read from, where a model has several. ``precision`` is one of
        `synparse.inducers.devices.PRECISIONS`; bfloat16 may change a tree where scores are nearly equal.
        ``punctuation`` is one
        of `PUNCTUATION`; evidence changes nothing for models that read punctuation. ``function_words`` is one of
        `synparse.trees.function_words.FUNCTION_WORDS`, and changes heads, with brackets that are a projective tree's
        subtrees. None is what a directory of several models says of itself where it is named alone, elsewhere
        ``ignore`` and ``free``; so with decoders. Text is split into tokens as the first trained model has it. Raises
        DataError where there is no such model or its files are damaged, SettingError for a layer that the model does
        not
        have, for models that do not read the same tokens, and for an unknown ``punctuation`` or ``function_words``.
        """
        for name, choice, known in (
            ("punctuation", punctuation, PUNCTUATION),
            ("function_words", function_words, FUNCTION_WORDS),
        ):
            if choice not in (None, *known):
                raise SettingError(f"{name} must be {' or '.join(known)}, not {choice!r}")
        names = [str(models)] if isinstance(models, str | Path) else [str(name) for name in models]
        if not names:
            raise SettingError("a parser needs a model")
        found = [found_members(name) for name in names]
        parts = [part for of_name, _ in found for part in of_name]
        bundle = found[0][1] if len(names) == 1 else None
        leaf_rule = function_words or (bundle and bundle.function_words) or FREE
        members = [load_member(part, seed, device, layer, precision, leaf_rule, len(parts) == 1) for part in parts]
        if layer is not None and len(parts) > 1 and not any(one.traits.has_tree_layers for one in members):
            raise SettingError("none of these models has layers to choose from")
        check_tokens_read([part.name for part in parts], members)
        if bundle is None:
            return cls(members, punctuation or IGNORE)
        preferred = Preferred(bundle.tree_decoder, bundle.head_decoder)
        parser = cls(members, punctuation or bundle.punctuation or IGNORE, preferred)
        _check_preferences(bundle, parser, names[0])
        return parser

    @property
    def function_words(self) -> str:
        """Of `FUNCTION_WORDS`, what its models make of them."""
        return LEAVES if any(one.function_words == LEAVES for one in self.members) else FREE

    @property
    def tree_decoders(self) -> tuple[str, ...]:
        """Of `TREE_DECODERS`, those that a model here gives something to decode; the default first.

        Models that do not, use their own default.
        """
        possible = (name for name in TREE_DECODERS if any(name in one.tree_decoders for one in self.members))
        return _with_first(self.preferred.trees, possible)

    @property
    def head_decoders(self) -> tuple[str, ...]:
        """Of `HEAD_DECODERS`, those that a model here gives something to decode; the default first.

        Where brackets are made of the heads, both come from one tree: the phrases by their edges, or a projective one.
        """
        if not any(one.gives_heads for one in self.members):
            return ()
        has_heights = len(self.members) == 1 and self.members[0].traits.gives_heights
        of_boundaries = ("boundaries",) * any(one.has_boundaries and one.gives_heads for one in self.members)
        possible = ("mst", "argmax", "projective", *("joint",) * has_heights, *of_boundaries)
        if not any(one.traits.gives_distances for one in self.members):
            possible = (*of_boundaries, "projective", "mst", "argmax")
        return _with_first(self.preferred.heads, possible)

    def parse(
        self,
        sentences: Iterable[str | Sequence[str]],
        tree_decoder: str | None = DEFAULT,
        head_decoder: str | None = DEFAULT,
    ) -> list[Parse]:
        """Parse sentences, given as tokens or as text for the model's own tokenizer; one Parse each, in order.

        A decoder may be None where its tree is not wanted. Raises SettingError for one that the model cannot feed.
        """
        return list(self.stream(sentences, tree_decoder, head_decoder))

    def stream(
        self,
        sentences: Iterable[str | Sequence[str]],
        tree_decoder: str | None = DEFAULT,
        head_decoder: str | None = DEFAULT,
    ) -> Iterator[Parse]:
        """As `parse`, one by one, in memory that does not depend on how many sentences there are."""
        tree_decoder = _chosen(tree_decoder, self.tree_decoders, self.model)
        head_decoder = _chosen(head_decoder, self.head_decoders, self.model)
        for window in windows_of(self._tokens(sentences), len):
            yield from self._parse_window(window, tree_decoder, head_decoder)

    def _tokens(self, sentences: Iterable[str | Sequence[str]]) -> Iterator[tuple[str, ...]]:
        tokenizer = None
        for sentence in sentences:
            if isinstance(sentence, str):
                tokenizer = tokenizer or load_tokenizer(self.text.tokenizer)
                yield tuple(itertools.chain.from_iterable(tokenizer(sentence)))
            else:
                yield tuple(sentence)

    def _parse_window(
        self, window: list[tuple[str, ...]], tree_decoder: str | None, head_decoder: str | None
    ) -> Iterator[Parse]:
        forms = {text: _read_forms(window, text) for text in dict.fromkeys(member.text for member in self.members)}
        chunks_of = {text: _chunks(of_text) for text, of_text in forms.items()}
        chunks = [chunks_of[member.text] for member in self.members]
        reads = [tuple(form is not None for form in of_sentence) for of_sentence in forms[self.members[0].text]]
        cues = _cues_of_chunks(window, reads) if self.punctuation == EVIDENCE else None
        decoded = decoded_chunks(self.members, chunks, cues, tree_decoder, head_decoder)
        for tokens, read in zip(window, reads, strict=True):
            parts = list(itertools.islice(decoded, len(chunk_lengths(sum(read)))))
            yield _assemble(tokens, read, parts, tree_decoder is not None, head_decoder is not None)


def _with_first(first: str | None, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: name != first))


def windows_of(sentences: Iterable[Item], length: Callable[[Item], int]) -> Iterator[list[Item]]:
    """The windows in which sentences of these lengths (in tokens) are parsed. A window alone is that window again."""
    window: list[Item] = []
    tokens = 0
    for sentence in sentences:
        window.append(sentence)
        tokens += length(sentence)
        if len(window) >= WINDOW_SENTENCES or tokens >= WINDOW_TOKENS:
            yield window
            window, tokens = [], 0
    if window:
        yield window


def _chosen(decoder: str | None, possible: tuple[str, ...], model: str) -> str | None:
    if decoder == DEFAULT:
        return possible[0] if possible else None
    if decoder is not None and decoder not in possible:
        raise SettingError(
            f"{model} cannot be decoded by {decoder!r}; there are {', '.join(possible) or 'no decoders'}"
        )
    return decoder


def _assemble(
    tokens: tuple[str, ...],
    read: tuple[bool, ...],
    parts: list[Decoded],
    with_tree: bool,
    with_heads: bool,
) -> Parse:
    """Join the stretches of a sentence (nearly always one), and put punctuation back."""
    spans: list[tuple[int, int]] = []
    heads: list[int] = []
    root = offset = 0
    for part, count in zip(parts, chunk_lengths(sum(read)), strict=True):
        spans += [(start + offset, end + offset) for start, end in part.spans if len(parts) == 1 or end - start > 1]
        heads += [head + offset if head else root for head in part.heads]
        root = root or (heads.index(0) + 1 if heads else 0)
        offset += count
    if len(parts) > 1:
        spans.insert(0, (0, offset))
    tree = None
    if with_tree:
        tree = induced_tree(tokens, with_punctuation_spans(spans, read) if tokens else [])
    all_heads = None
    if with_heads:
        all_heads = with_punctuation_heads(heads, read) if tokens else ()
    return Parse(
        tokens, tree, all_heads, read, _joined([p.distances for p in parts]), _joined([p.heights for p in parts])
    )


def chunk_lengths(count: int) -> list[int]:
    """The lengths of the stretches in which ``count`` words are read: one for up to `LONGEST`, none for none."""
    return [min(LONGEST, count - start) for start in range(0, count, LONGEST)]


def _joined(parts: list[list[float] | None]) -> tuple[float, ...] | None:
    if any(part is None for part in parts):
        return None
    return tuple(itertools.chain.from_iterable(part for part in parts if part is not None))


def _read_forms(window: list[tuple[str, ...]], text: TextConfig) -> list[list[str | None]]:
    form_of = {token: normalize(token, text) for token in set(itertools.chain.from_iterable(window))}
    return [[form_of[token] for token in tokens] for tokens in window]


def _chunks(forms: list[list[str | None]]) -> list[list[str]]:
    """The words that are read at once, of all sentences."""
    words_of = ([form for form in of_sentence if form is not None] for of_sentence in forms)
    return [words[start : start + LONGEST] for words in words_of for start in range(0, len(words), LONGEST)]


def _cues_of_chunks(window: list[tuple[str, ...]], reads: list[tuple[bool, ...]]) -> list[Cues]:
    """The marks between the words that are read at once, of all sentences."""
    cues_and_counts = ((cues_of(tokens, read), sum(read)) for tokens, read in zip(window, reads, strict=True))
    return [
        cues_within(cues, start, min(start + LONGEST, count))
        for cues, count in cues_and_counts
        for start in range(0, count, LONGEST)
    ]


def _check_preferences(bundle: Bundle, parser: Parser, name: str) -> None:
    """Raises DataError where a directory wants to be parsed with in a way that is not there."""
    for what, chosen, possible in (
        ("punctuation", bundle.punctuation, PUNCTUATION),
        ("function_words", bundle.function_words, FUNCTION_WORDS),
        ("brackets", bundle.tree_decoder, parser.tree_decoders),
        ("heads", bundle.head_decoder, parser.head_decoders),
    ):
        if chosen is not None and chosen not in possible:
            known = ", ".join(possible) or "nothing"
            raise DataError(f"damaged model: parse.{what} is {chosen!r}, and there is {known}", name)
