"""The pipeline as a Python value: sentences in, trees out.

>>> import synparse
>>> parser = synparse.load("right-branching")
>>> [parse] = parser.parse(["the dog barked ."])
>>> parse.heads
(0, 1, 2, 1)
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from synparse.config.parsing import DEFAULT, Default, HeadDecoder, ParsingConfig, Punctuation, TreeDecoder, agreed
from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.tokenization import load_tokenizer
from synparse.parsing.decoders import (
    OF_GRAMMARS,
    check_probabilities,
    check_several_trees,
    head_decoders,
    tree_decoders,
)
from synparse.parsing.decoders import TREE_DECODERS as ALL_TREE_DECODERS
from synparse.parsing.decoding import Decoded, decoded_chunks, gathered_evidence
from synparse.parsing.grammars import LONGEST as LONGEST_FOR_GRAMMARS
from synparse.parsing.grammars import Evidence, classes_of
from synparse.parsing.options import EVIDENCE, Confidence, ParserOptions
from synparse.parsing.parse import Parse, RankedTree, words_of_token_list
from synparse.parsing.relations import RelationFinder, relations_of_tokens
from synparse.parsing.score_sums import Taught
from synparse.parsing.scorers import (
    Member,
    Part,
    check_tokens_read,
    found_members,
    knowing,
    load_member,
    with_function_words,
)
from synparse.parsing.windows import windows_of
from synparse.store.grammars import class_name, find_grammars, nonterminal_name, who_has_grammars
from synparse.trees.constituency import INDUCED_LABEL, induced_tree
from synparse.trees.errors import DataError, SettingError
from synparse.trees.function_words import FREE, LEAVES, FunctionWords, function_words_of
from synparse.trees.punctuation import with_punctuation_heads, with_punctuation_spans
from synparse.trees.punctuation_cues import Cues, cues_of, cues_within
from synparse.trees.trivial import TRIVIAL_PARSERS

if TYPE_CHECKING:
    from synparse.store.calibrations import Calibration
    from synparse.store.grammars import Grammars
    from synparse.store.models import Model

LONGEST = 1000
"""Words of a chunk. A longer sentence is parsed in chunks, each like a sentence; the chunks become sister constituents
of the whole sentence, and their roots depend on the root of the first chunk. With grammars, chunks are shorter:
`synparse.parsing.grammars.LONGEST`."""

Decoder = TypeVar("Decoder", bound=str)


class Preferred(NamedTuple):
    """The decoders of brackets and of heads that a model directory names, or None."""

    trees: TreeDecoder | None = None
    heads: HeadDecoder | None = None


class _Finder(NamedTuple):
    """A function that names relations, and the number of its model."""

    member: int
    find: RelationFinder


class Parser:
    """Parses with one model, or with several that make one tree together. Make one with `Parser.load`.

    With several models, each makes its own constituents; those with the decoder ``boundaries`` make one tree, by the
    sum of their span scores, and so do those with ``grammar`` and ``splits``, by the sum of the probabilities of
    constituents. The result is the tree that agrees most with all of these (`synparse.trees.averaging`); if
    all of them come from heads, it has only spans that one of them has. Heads come from the sum of the
    log-probabilities; models without heads are left out there, and a baseline votes. There are no ``joint`` heads then,
    and a `Parse` has distances and heights only if a single model gives brackets. ``preferred``: decoders to use in
    place of the models' own defaults; ``taught``: the grammars of model directories; ``find_calibration``:
    finds the maps of fitted probabilities, None if there are none.
    """

    def __init__(
        self,
        members: Sequence[Member],
        punctuation: Punctuation | None = None,
        preferred: Preferred = Preferred(),  # noqa: B008
        taught: Sequence[Taught] = (),
        find_calibration: Callable[[], Calibration | None] = lambda: None,
    ) -> None:
        self.punctuation: Punctuation = punctuation or "ignore"
        self.taught = tuple(taught)
        self.longest = LONGEST_FOR_GRAMMARS if taught else LONGEST
        self.preferred = preferred
        self._find_calibration = find_calibration
        self.text = next((one.text for one in members if one.model not in TRIVIAL_PARSERS), TextConfig())
        self.model = " + ".join(one.model for one in members)
        # A trivial parser reads what the others read.
        self.members = [one._replace(text=self.text) if one.model in TRIVIAL_PARSERS else one for one in members]

    @classmethod
    def load(
        cls,
        models: str | Path | Model | Sequence[str | Path | Model],
        options: ParserOptions = ParserOptions(),  # noqa: B008 - immutable
        **changes: Any,
    ) -> Parser:
        """A parser with one model, or with a list of models: directories, shipped models or baselines.

        The baselines are ``right-branching``, ``left-branching``, ``balanced``, ``random``, ``chain``,
        ``content-chain`` and ``content-chain-back`` (`synparse.trees.trivial`). A directory may hold several models
        (`synparse.store.models`), each for brackets, heads or both. ``changes`` are fields of `ParserOptions`, such as
        ``punctuation="evidence"``; what is left open, the directories decide. A decoder that a directory records is
        that of a lone model. The tokenizer is that of the first trained model. Raises DataError if there is no
        such model or its files are damaged; SettingError for a layer that the model does not have, for models that do
        not read the same tokens, for relations without a UDGN, and for an unknown choice.
        """
        options = replace(options, **changes)
        given = list(models) if isinstance(models, Sequence) and not isinstance(models, str) else [models]
        if not given:
            raise SettingError("name at least one model")
        names = [str(getattr(one, "directory", one)) for one in given]
        found = [found_members(one) for one in given]
        parts = [part for of_name, _ in found for part in of_name]
        recorded = agreed(stored.parsing for _, stored in found if stored is not None)
        options = _with_defaults(options, recorded, " + ".join(names))
        taught = list(_taught(found))
        members = [load_member(part, options, len(parts) == 1) for part in parts]
        for one in taught:
            has_constituents = one.grammars.constituents is not None
            for index in one.members:
                member = with_function_words(members[index], one.grammars.function_words)
                members[index] = member._replace(has_dependencies=True, has_constituents=has_constituents)
        if options.layer is not None and len(parts) > 1 and not any(one.has_tree_layers for one in members):
            raise SettingError("--layer: none of these models has layers to choose from; leave it out")
        if options.relations != "none" and not any(one.find_relations for one in members):
            raise SettingError(
                f"--relations: {' + '.join(names)} sends no messages along arcs; a udgn does, if it is not packed"
            )
        check_tokens_read([part.name for part in parts], members)
        find_calibration = functools.partial(_calibration, options, names)
        parser = cls(members, options.punctuation, taught=taught, find_calibration=find_calibration)
        if len(names) > 1:
            return parser
        trees = _preferred("brackets", recorded.brackets, parser.tree_decoders, names[0])
        heads = _preferred("heads", recorded.heads, parser.head_decoders, names[0])
        return cls(members, options.punctuation, Preferred(trees, heads), taught, find_calibration)

    @functools.cached_property
    def calibration(self) -> Calibration | None:
        """The maps of fitted probabilities, None if there are none. They are read when they are needed. Raises
        DataError if they are damaged."""
        return self._find_calibration()

    @property
    def function_words(self) -> FunctionWords:
        """How function words are treated: ``leaves`` if any of the models treats them so, else ``free``."""
        return LEAVES if any(one.function_words == LEAVES for one in self.members) else FREE

    @property
    def needs_text(self) -> bool:
        """Whether one of the models is a content chain that does not know yet which words are function words."""
        return any(one.needs_text for one in self.members)

    def function_words_in(self, text: Iterable[Sequence[str]]) -> frozenset[str]:
        """The function words of tokenised sentences, as content chains read them."""
        forms = (normalize(token, self.text) for tokens in text for token in tokens)
        return function_words_of(form for form in forms if form is not None)

    def knowing(self, function_words: frozenset[str]) -> Parser:
        """The same parser, where content chains that need the text know these function words."""
        members = [knowing(one, function_words) for one in self.members]
        return Parser(members, self.punctuation, self.preferred, self.taught, self._find_calibration)

    @property
    def tree_decoders(self) -> tuple[TreeDecoder, ...]:
        """The decoders of brackets that fit these models; the default first."""
        of_members = {name for member in self.members for name in tree_decoders(member)}
        return _with_first(self.preferred.trees, (name for name in ALL_TREE_DECODERS if name in of_members))

    @property
    def head_decoders(self) -> tuple[HeadDecoder, ...]:
        """The decoders of heads that fit these models; the default first."""
        return _with_first(self.preferred.heads, head_decoders(self.members))

    def parse(
        self,
        sentences: Iterable[Any],
        tree_decoder: TreeDecoder | Default | None = DEFAULT,
        head_decoder: HeadDecoder | Default | None = DEFAULT,
        labels: bool = False,
        tags: bool = False,
        confidence: Confidence = "none",
        best: int = 0,
    ) -> list[Parse]:
        """Parse sentences; one `Parse` each, in order.

        A sentence is a string for the model's tokenizer, a sequence of tokens, an ``nltk.Tree`` (its leaves) or a
        ``conllu.TokenList`` (its words). A decoder of None leaves out its tree. ``labels``: constituents get the
        nonterminals of the first class grammar (``X``, where the tree is not binary); ``tags``: words get the names of
        their classes; ``confidence``: arcs and spans get probabilities; ``best``: how many trees, the best first, are
        wanted beside the one. Raises SettingError for a decoder that does not fit the model, and for labels, tags,
        probabilities or further trees that it does not have.
        """
        return list(self.stream(sentences, tree_decoder, head_decoder, labels, tags, confidence, best))

    def stream(
        self,
        sentences: Iterable[Any],
        tree_decoder: TreeDecoder | Default | None = DEFAULT,
        head_decoder: HeadDecoder | Default | None = DEFAULT,
        labels: bool = False,
        tags: bool = False,
        confidence: Confidence = "none",
        best: int = 0,
    ) -> Iterator[Parse]:
        """Like `parse`, but one by one, in memory that does not grow with the number of sentences (but for a content
        chain that needs all of them to know the function words)."""
        self.check_labels(labels, tags)
        of_trees = _chosen(tree_decoder, self.tree_decoders, self.model)
        of_heads = _chosen(head_decoder, self.head_decoders, self.model)
        self.check_confidence(of_trees, of_heads, confidence, best)
        tokens: Iterable[tuple[str, ...]] = self._tokens(sentences)
        parser = self
        if self.needs_text:
            tokens = list(tokens)
            parser = self.knowing(self.function_words_in(tokens))
        for window in windows_of(tokens, len):
            yield from parser.parse_window(window, of_trees, of_heads, labels, tags, confidence, best)

    def knows(self, tokens: Iterable[str]) -> list[bool]:
        """Of each token that the models read, whether one of them has it in its vocabulary. Empty for baselines."""
        trained = [(member.text, member.knows) for member in self.members if member.knows is not None]
        forms = ([(knows, normalize(token, text)) for text, knows in trained] for token in tokens)
        words = ([(knows, form) for knows, form in of_token if form is not None] for of_token in forms)
        return [any(knows(form) for knows, form in of_token) for of_token in words if of_token]

    def check_labels(self, labels: bool = True, tags: bool = True) -> None:
        """Raises SettingError for labels without class grammars, and for tags without word classes."""
        if labels and (self._naming is None or self._naming.grammars.constituents is None):
            raise SettingError(f"{self.model} has no class grammars, so there are no labels; {who_has_grammars()}")
        if tags and self._naming is None:
            raise SettingError(f"{self.model} has no word classes, so there are no tags; {who_has_grammars()}")

    def check_confidence(
        self, tree_decoder: TreeDecoder | None, head_decoder: HeadDecoder | None, confidence: Confidence, best: int
    ) -> None:
        """Raises SettingError for probabilities and further trees that these decoders do not give, and for fitted
        probabilities without maps that were fitted in the same way."""
        if confidence != "none":
            check_probabilities(self.members, tree_decoder, head_decoder)
        if confidence == "fitted":
            self._check_calibration(tree_decoder, head_decoder)
        if best:
            check_several_trees(self.members, tree_decoder)

    def _check_calibration(self, tree_decoder: TreeDecoder | None, head_decoder: HeadDecoder | None) -> None:
        known = self.calibration
        again = "calibrate again (synparse calibrate), or take --confidence raw"
        if known is None:
            raise SettingError(f"{self.model} has no calibration: {again}")
        for part, wanted, found in (("brackets", tree_decoder, known.spans), ("heads", head_decoder, known.arcs)):
            if wanted is not None and found is None:
                raise SettingError(f"the calibration is not for {part}, because no gold file had them: {again}")
        for what, here, there in (
            ("--punctuation", self.punctuation, known.punctuation),
            ("--function-words", self.function_words, known.function_words),
            ("--decode", self._needed_brackets(tree_decoder, head_decoder) or known.brackets, known.brackets),
            ("--decode", head_decoder or known.heads, known.heads),
        ):
            if here != there:
                raise SettingError(f"the calibration is for {what} {there}, not {here}: {again}")

    def parse_window(
        self,
        window: Sequence[tuple[str, ...]],
        tree_decoder: TreeDecoder | None,
        head_decoder: HeadDecoder | None,
        labels: bool = False,
        tags: bool = False,
        confidence: Confidence = "none",
        best: int = 0,
    ) -> Iterator[Parse]:
        """Parse tokenised sentences together. The models must have what is asked for; see `parse`."""
        read_by, reads, cues = self._read(window)
        chunks = [_chunks(read_by[member.text], self.longest) for member in self.members]
        lengths = [chunk_lengths(sum(read), self.longest) for read in reads]
        names: Iterator[tuple[str, ...] | None] = self._class_names(read_by, chunks) if tags else itertools.repeat(None)
        decoded = decoded_chunks(
            self.members,
            self.taught,
            chunks,
            cues,
            self._needed_brackets(tree_decoder, head_decoder),
            head_decoder,
            labels,
            confidence != "none",
            best,
        )
        finder = None if head_decoder is None else self._relation_finder
        relations: Iterator[list[str]] = iter(())
        if finder is not None:
            found = list(decoded)
            relations = iter(finder.find(chunks[finder.member], [one.heads for one in found]))
            decoded = iter(found)
        for tokens, read, of_sentence, of_words in zip(window, reads, lengths, names, strict=False):
            parts = list(itertools.islice(decoded, len(of_sentence)))
            one = _assemble(
                tokens,
                read,
                parts,
                of_sentence,
                tree_decoder is not None,
                head_decoder is not None,
                of_words,
                confidence != "none",
                best,
            )
            if finder is not None and one.heads is not None:
                of_read = list(itertools.chain.from_iterable(itertools.islice(relations, len(of_sentence))))
                one = replace(one, relations=relations_of_tokens(one.heads, read, of_read))
            if confidence == "fitted":
                one = self._fitted(one)
            yield replace(one, is_labelled=True) if labels and one.tree is not None else one

    def _needed_brackets(
        self, tree_decoder: TreeDecoder | None, head_decoder: HeadDecoder | None
    ) -> TreeDecoder | None:
        """The decoder of brackets; where only heads are wanted, and these are of the phrases of the brackets, the
        default."""
        return self.tree_decoders[0] if tree_decoder is None and head_decoder == "phrases" else tree_decoder

    def _fitted(self, one: Parse) -> Parse:
        """The parse with fitted probabilities. That of the whole sentence stays 1."""
        known, of_spans, of_heads = self.calibration, one.span_probabilities, one.head_probabilities
        assert known is not None
        if of_spans is not None and known.spans is not None:
            of_spans = (*of_spans[:1], *known.spans.of_known(of_spans[1:]))
        if of_heads is not None and known.arcs is not None:
            of_heads = known.arcs.of_known(of_heads)
        return replace(one, span_probabilities=of_spans, head_probabilities=of_heads)

    @property
    def _relation_finder(self) -> _Finder | None:
        """The first model that names relations, if they are asked for."""
        found = ((number, one.find_relations) for number, one in enumerate(self.members))
        return next((_Finder(number, find) for number, find in found if find is not None), None)

    @property
    def _naming(self) -> Taught | None:
        """The grammars that name classes and constituents: the first with class grammars, or else the first."""
        with_constituents = (one for one in self.taught if one.grammars.constituents is not None)
        return next(with_constituents, next(iter(self.taught), None))

    def _class_names(
        self, read_by: Mapping[TextConfig, list[list[str | None]]], chunks: Sequence[list[list[str]]]
    ) -> Iterator[tuple[str, ...]]:
        """The names of the word classes of each sentence, as the models of these classes read its chunks."""
        assert self._naming is not None
        grammars, (first, *_) = self._naming
        size = grammars.classes.size
        classes = itertools.chain.from_iterable(classes_of(grammars, chunks[first]))
        for forms in read_by[self.members[first].text]:
            yield tuple(class_name(size - 1 if form is None else int(next(classes)), size) for form in forms)

    def evidence(self, window: Sequence[tuple[str, ...]], grammars: Grammars) -> Iterator[tuple[Evidence, Cues | None]]:
        """What the models say of the words of each tokenised sentence, for grammars that are being learned; and the
        cues between these words, if punctuation is evidence. Longer sentences than `longest` words come in chunks."""
        read_by, _, cues = self._read(window)
        chunks = [_chunks(read_by[member.text], self.longest) for member in self.members]
        found = gathered_evidence(self.members, grammars, chunks, cues)
        return zip(found, itertools.repeat(None) if cues is None else cues, strict=False)

    def _read(
        self, window: Sequence[tuple[str, ...]]
    ) -> tuple[dict[TextConfig, list[list[str | None]]], list[tuple[bool, ...]], list[Cues] | None]:
        """The normalized tokens of the sentences by each way to read them, which tokens are read, and the cues of all
        chunks, if punctuation is evidence."""
        forms = {text: _read_forms(window, text) for text in dict.fromkeys(member.text for member in self.members)}
        reads = [tuple(form is not None for form in of_sentence) for of_sentence in forms[self.members[0].text]]
        return forms, reads, _cues_of_chunks(window, reads, self.longest) if self.punctuation == EVIDENCE else None

    def _tokens(self, sentences: Iterable[Any]) -> Iterator[tuple[str, ...]]:
        tokenizer = None
        for sentence in sentences:
            if isinstance(sentence, str):
                tokenizer = tokenizer or load_tokenizer(self.text.tokenizer, language=self.text.language)
                yield tuple(itertools.chain.from_iterable(one.words for one in tokenizer(sentence)))
            elif hasattr(sentence, "leaves"):  # of NLTK, which takes seconds to import
                yield tuple(sentence.leaves())
            elif hasattr(sentence, "metadata"):  # of conllu
                yield tuple(word["form"] for word in words_of_token_list(sentence))
            else:
                yield tuple(sentence)


def _with_defaults(options: ParserOptions, recorded: ParsingConfig, name: str) -> ParserOptions:
    """Options left open are as recorded. Raises DataError if what is recorded is not valid."""
    try:
        return replace(
            options,
            punctuation=options.punctuation or recorded.punctuation,
            function_words=options.function_words or recorded.function_words,
        )
    except SettingError as error:
        raise _damaged(f"parse.{error}", name) from None


def _preferred(what: str, chosen: str, possible: tuple[Decoder, ...], name: str) -> Decoder | None:
    """The decoder that a directory names; None, where it names none or grammars are yet to be learned. Raises DataError
    if it does not fit the models."""
    if chosen not in (DEFAULT, *possible, *OF_GRAMMARS):
        raise _damaged(f"the decoder of {what} is {chosen!r}; possible are {', '.join(possible) or 'none'}", name)
    return next((decoder for decoder in possible if decoder == chosen), None)


def _taught(found: Sequence[tuple[Sequence[Part], Model | None]]) -> Iterator[Taught]:
    """The grammars behind each name, with the numbers of their models among all."""
    first = 0
    for parts, model in found:
        number = first
        for one in () if model is None else find_grammars(model):
            if one.grammars.dependencies:
                yield Taught(one.grammars, tuple(range(number, number + len(one.members))))
            number += len(one.members)
        first += len(parts)


def _calibration(options: ParserOptions, names: Sequence[str]) -> Calibration | None:
    """The calibration of a file, or that of the directory of a lone name."""
    from synparse.store.calibrations import calibration_of, read_calibration

    if options.calibration is not None:
        return read_calibration(Path(options.calibration))
    return None if len(names) > 1 or names[0] in TRIVIAL_PARSERS else calibration_of(names[0])


def _damaged(message: str, name: str) -> DataError:
    return DataError(f"damaged model: {message}", name)


def _with_first(first: Decoder | None, names: Iterable[Decoder]) -> tuple[Decoder, ...]:
    return tuple(sorted(names, key=lambda name: name != first))


def _chosen(decoder: Decoder | Default | None, possible: tuple[Decoder, ...], model: str) -> Decoder | None:
    if decoder == DEFAULT:
        return possible[0] if possible else None
    if decoder is not None and decoder not in possible:
        raise SettingError(f"{model} has no decoder {decoder!r}; possible are {', '.join(possible) or 'none'}")
    return decoder


def _assemble(
    tokens: tuple[str, ...],
    read: tuple[bool, ...],
    parts: list[Decoded],
    lengths: list[int],
    with_tree: bool,
    with_heads: bool,
    tags: tuple[str, ...] | None = None,
    with_probabilities: bool = False,
    best: int = 0,
) -> Parse:
    """Join the chunks of a sentence (nearly always one), and put punctuation back."""
    spans: list[tuple[int, int]] = []
    labels: list[str] = []
    heads: list[int] = []
    of_spans: list[float | None] = []
    of_heads: list[float | None] = []
    root = offset = 0
    for part, count in zip(parts, lengths, strict=True):
        names = [INDUCED_LABEL] * len(part.spans)
        if part.labels is not None:
            names = [nonterminal_name(label) for label in part.labels]
        probabilities: Sequence[float | None] = part.span_probabilities or [None] * len(part.spans)
        for (start, end), name, probability in zip(part.spans, names, probabilities, strict=True):
            if len(parts) == 1 or end - start > 1:
                spans.append((start + offset, end + offset))
                labels.append(name)
                of_spans.append(probability if end - start < count else None)
        # The root of a later part depends on that of the first, which no model has decided.
        of_arcs: Sequence[float | None] = part.head_probabilities or [None] * len(part.heads)
        of_heads += [one if head or not root else None for head, one in zip(part.heads, of_arcs, strict=True)]
        heads += [head + offset if head else root for head in part.heads]
        root = root or (heads.index(0) + 1 if heads else 0)
        offset += count
    if len(parts) > 1:
        spans.insert(0, (0, offset))
        labels.insert(0, INDUCED_LABEL)
        of_spans.insert(0, None)
    distances, heights = _joined([part.distances for part in parts]), _joined([part.heights for part in parts])
    is_known = with_probabilities and bool(tokens)
    tree = span_probabilities = None
    if with_tree:
        names_of_spans = labels if any(part.labels is not None for part in parts) else None
        tree = induced_tree(tokens, with_punctuation_spans(spans, read) if tokens else [], tags, names_of_spans)
        span_probabilities = (1.0, *of_spans[1:]) if is_known else None
    all_heads = head_probabilities = None
    if with_heads:
        all_heads = with_punctuation_heads(heads, read) if tokens else ()
        of_read = iter(of_heads)
        head_probabilities = tuple(next(of_read) if is_read else None for is_read in read) if is_known else None
    return Parse(
        tokens,
        tree,
        all_heads,
        read,
        distances,
        heights,
        tags,
        span_probabilities=span_probabilities,
        head_probabilities=head_probabilities,
        best=_ranked_trees(tokens, read, parts, all_heads) if best else None,
    )


def _ranked_trees(
    tokens: tuple[str, ...], read: tuple[bool, ...], parts: list[Decoded], heads: tuple[int, ...] | None
) -> tuple[RankedTree, ...]:
    """The best trees, with punctuation. A sentence without words or in several chunks has none."""
    if len(parts) != 1:
        return ()
    return tuple(
        RankedTree(
            induced_tree(tokens, with_punctuation_spans(spans, read)),
            None if heads is None else with_punctuation_heads(of_words, read),
            score,
        )
        for spans, of_words, score in parts[0].best or ()
    )


def chunk_lengths(count: int, longest: int = LONGEST) -> list[int]:
    """The lengths of the chunks of ``count`` words: one for up to ``longest`` words, none for no words."""
    return [min(longest, count - start) for start in range(0, count, longest)]


def _joined(parts: list[list[float] | None]) -> tuple[float, ...] | None:
    if any(part is None for part in parts):
        return None
    return tuple(itertools.chain.from_iterable(part for part in parts if part is not None))


def _read_forms(window: Sequence[tuple[str, ...]], text: TextConfig) -> list[list[str | None]]:
    form_of = {token: normalize(token, text) for token in set(itertools.chain.from_iterable(window))}
    return [[form_of[token] for token in tokens] for tokens in window]


def _chunks(forms: list[list[str | None]], longest: int) -> list[list[str]]:
    """The chunks of all sentences."""
    words_of = ([form for form in of_sentence if form is not None] for of_sentence in forms)
    return [words[start : start + longest] for words in words_of for start in range(0, len(words), longest)]


def _cues_of_chunks(window: Sequence[tuple[str, ...]], reads: list[tuple[bool, ...]], longest: int) -> list[Cues]:
    """The punctuation cues between the words of each chunk of all sentences."""
    cues_and_counts = ((cues_of(tokens, read), sum(read)) for tokens, read in zip(window, reads, strict=True))
    return [
        cues_within(cues, start, min(start + longest, count))
        for cues, count in cues_and_counts
        for start in range(0, count, longest)
    ]
