"""The parser as a Python object: sentences in, trees out.

>>> import synparse
>>> parser = synparse.load("right-branching")
>>> [parse] = parser.parse(["the dog barked ."])
>>> parse.heads
(0, 1, 2, 1)
"""

from __future__ import annotations

import functools
import inspect
import io
import itertools
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from synparse.config.parsing import (
    CONSTITUENTS,
    DEFAULT,
    RELATIONS,
    Default,
    HeadDecoder,
    ParsingConfig,
    Punctuation,
    TreeDecoder,
    agreed,
)
from synparse.corpora.normalization import TextConfig, normalize, normalized
from synparse.corpora.sentences import Sentence
from synparse.corpora.tokenization import (
    LINES_TO_LOOK_AT,
    joined,
    tokenizer_of_lines,
)
from synparse.parsing.assembly import assembled
from synparse.parsing.chunks import Chunk, ReadSentence, in_chunks
from synparse.parsing.decoders import GRAMMAR, check_probabilities, check_several_trees, head_decoders, tree_decoders
from synparse.parsing.decoders import TREE_DECODERS as ALL_TREE_DECODERS
from synparse.parsing.decoding import decoded_chunks, grammar_inputs
from synparse.parsing.drafts import Draft, draft_of, with_relations_of, with_tags_of
from synparse.parsing.fitted import Conditions, map_of, with_fitted
from synparse.parsing.grammars import LONGEST as LONGEST_FOR_GRAMMARS
from synparse.parsing.grammars import GrammarInput, classes_in_context, leaving_out, numbers_of
from synparse.parsing.inputs import sentence_of_input, sentences_of_input
from synparse.parsing.learned_labels import with_learned
from synparse.parsing.options import EVIDENCE, ParserOptions, Request, Term, changed
from synparse.parsing.parse import Parse
from synparse.parsing.relations import RelationFinder, relations_of_tokens
from synparse.parsing.score_sums import ParserGrammars
from synparse.parsing.scorers import (
    DEPENDENCIES,
    Member,
    ModelToLoad,
    check_tokens_read,
    knowing,
    load_member,
    members_to_load,
    with_adpositions,
    with_leaves,
)
from synparse.parsing.unknown_words import watched
from synparse.parsing.windows import windows_of
from synparse.store.grammars import Grammars, class_name, find_grammars, leaves_of_sets, who_has_grammars
from synparse.store.labels import LearnedLabels, read_labels
from synparse.store.models import Model
from synparse.store.shipped import default_model, model_folder
from synparse.trees.errors import DataError, SettingError
from synparse.trees.function_words import ADPOSITIONS, FREE, FunctionWords, function_words_of, learned_convention
from synparse.trees.punctuation_cues import Cues
from synparse.trees.trivial import TRIVIAL_PARSERS

if TYPE_CHECKING:
    from synparse.store.calibrations import Calibration
    from synparse.trees.calibration import CalibrationMap

LONGEST = 1000
"""Words of a chunk. A longer sentence is parsed in chunks, each like a sentence; the chunks become sister constituents
of the whole sentence, and their roots depend on the root of the first chunk. With grammars, chunks are shorter:
`synparse.parsing.grammars.LONGEST`."""

Decoder = TypeVar("Decoder", bound=str)


class LoadedModels(NamedTuple):
    """The models and options of `Parser.load`, and the names of the models with the versions that made them."""

    models: list[str]
    options: ParserOptions
    versions: tuple[str, ...]


class Parser:
    """Parses with one model, or with several models that predict one tree together. Create it with `Parser.load`,
    which is `synparse.load`.

    With several models, brackets are combined as follows. Models decoded by ``boundaries`` give one tree, by the sum of
    their span scores; so do models decoded by ``grammar`` or ``splits``, by the sum of the probabilities of
    constituents; every other model gives its own tree. The result is the tree that agrees most with all of these
    (`synparse.trees.averaging`); if all of them come from heads, it has only spans that one of them has. Heads are
    decoded from the sum of the models' log-probabilities; baselines vote for their heads, and models without heads are
    left out. There are then no ``joint`` heads, and a `Parse` has distances and heights only if a single model gives
    brackets.

    ``preferred``: its decoders are used in place of the models' defaults; ``sets``: the grammars of model directories;
    ``loaded``: the arguments of `Parser.load`; ``learned``: the classifiers of labels that were trained on given trees.

    A loaded parser can be pickled. The pickle has the paths of its models, from which they are loaded again, and its
    options.
    """

    def __init__(
        self,
        members: Sequence[Member],
        punctuation: Punctuation | None = None,
        preferred: ParsingConfig = ParsingConfig(),  # noqa: B008 - immutable
        sets: Sequence[ParserGrammars] = (),
        loaded: LoadedModels | None = None,
        learned: LearnedLabels | None = None,
    ) -> None:
        if not all(isinstance(member, Member) for member in members):
            raise TypeError(f"models are loaded by their names by synparse.load({members!r})")
        self.punctuation: Punctuation = punctuation or "ignore"
        self.sets = tuple(sets)
        self.longest = LONGEST_FOR_GRAMMARS if sets else LONGEST
        self.preferred = preferred
        self._loaded = loaded
        self.learned = learned or {}
        self._has_warned = False
        self.text = next((member.text for member in members if member.model not in TRIVIAL_PARSERS), TextConfig())
        self.name = " + ".join(loaded.models if loaded is not None else [member.model for member in members])
        # A trivial parser reads what the others read.
        self.members = [
            member._replace(text=self.text) if member.model in TRIVIAL_PARSERS else member for member in members
        ]

    @classmethod
    def load(
        cls,
        models: str | Path | Model | Sequence[str | Path | Model] | None = None,
        options: ParserOptions = ParserOptions(),  # noqa: B008 - immutable
        **changes: Any,
    ) -> Parser:
        """Load a parser with one model or a list of models: model directories, shipped models or baselines. The default
        is that of ``synparse parse``, ``english``.

        The baselines are ``right-branching``, ``left-branching``, ``balanced``, ``random``, ``chain``,
        ``content-chain`` and ``content-chain-back`` (`synparse.trees.trivial`). A directory may hold several models
        (`synparse.store.models`), each for brackets, heads or both. ``changes``: fields of `ParserOptions`, such as
        ``punctuation="evidence"``; options that are not given are those that the directories record. The decoders that
        a directory records are used only if it is loaded alone. The tokenizer is that of the first trained model.

        Raises DataError if a model does not exist or its files are damaged; SettingError for a layer that the model
        does not have, for models that do not read the same tokens, for relations without a UDGN, for adpositions
        without base phrases, and for an unknown option or value.
        """
        options = changed(options, changes, ParserOptions)
        models = default_model() if models is None else models
        given = list(models) if isinstance(models, Sequence) and not isinstance(models, str) else [models]
        if not given:
            raise SettingError("name at least one model")
        names = [str(getattr(model, "directory", model)) for model in given]
        opened = [members_to_load(model) for model in given]
        parts = list(itertools.chain.from_iterable(parts for parts, _ in opened))
        recorded = agreed(stored.parsing for _, stored in opened if stored is not None)
        options = _with_defaults(options, recorded, " + ".join(names))
        sets = [] if "grammars" in options.without else list(_sets(opened, options.without))
        members = [load_member(part, options, len(parts) == 1) for part in parts]
        _check_options(options, members, sets, " + ".join(names))
        check_tokens_read([part.name for part in parts], members)
        members, sets = _with_grammars(members, sets, options.function_words or FREE)
        paths = list(map(_path_or_name, names))
        versions = (  # of a baseline, its name alone
            path if stored is None else f"{Path(path).name} {stored.version}".rstrip()
            for path, (_, stored) in zip(paths, opened, strict=True)
        )
        loaded = LoadedModels(paths, options, tuple(versions))
        parser = cls(members, options.punctuation, sets=sets, loaded=loaded)
        if options.calibration is not None:
            _ = parser.calibrations  # a file that cannot be read is told, whether or not it is of use
        if options.without and not parser.tree_decoders and not parser.head_decoders:
            raise SettingError(f"--without {', '.join(options.without)}: {parser.name} has nothing else to parse with")
        if options.without and all(member.model in TRIVIAL_PARSERS for member in members):
            raise SettingError(f"--without {', '.join(options.without)}: {parser.name} has learned no such terms")
        if len(names) == 1:
            parser.learned = _learned(opened[0][1], options)
            _check_decoder("brackets", recorded.brackets, parser.tree_decoders, names[0])
            _check_decoder("heads", recorded.heads, parser.head_decoders, names[0])
            parser.preferred = recorded
        return parser

    def __repr__(self) -> str:
        return f"<Parser {self.name}>"

    def __reduce__(self) -> tuple[Callable[..., Parser], tuple[list[str], ParserOptions]]:
        if self._loaded is None:
            raise TypeError("only a parser that was loaded (Parser.load) can be pickled")
        return Parser.load, (self._loaded.models, self._loaded.options)

    @functools.cached_property
    def calibrations(self) -> tuple[Calibration, ...]:
        """The maps of fitted probabilities, the preferred ones first: those of a file, or else that of the directory of
        a lone model, if it has one, and the mean ones. They are read when they are needed. Raises DataError if they are
        damaged."""
        from synparse.store.calibrations import calibration_of, mean_calibration, read_calibration
        from synparse.store.models import open_model

        if self._loaded is None:
            return ()
        models, options, _ = self._loaded
        if options.calibration is not None:
            return (read_calibration(Path(options.calibration)),)
        own = None if len(models) > 1 or models[0] in TRIVIAL_PARSERS else calibration_of(open_model(models[0]))
        return (mean_calibration(),) if own is None else (own, mean_calibration())

    @property
    def assumptions(self) -> list[str]:
        """What the trees depend on besides the sentences: the models and their versions, the treatment of function
        words and punctuation, and the terms left out. Empty for a parser that was not loaded."""
        if self._loaded is None:
            return []
        _, options, versions = self._loaded
        treated = [f"function words {self.function_words}", f"punctuation {self.punctuation}"]
        layer = [] if options.layer is None else [f"layer {options.layer}"]
        return [" + ".join(versions), *treated, *layer, *(f"without {term}" for term in options.without)]

    @property
    def function_words(self) -> FunctionWords:
        """The treatment of function words: that of the first model that does not leave them ``free``, as baselines
        do."""
        return next((member.function_words for member in self.members if member.function_words != FREE), FREE)

    @property
    def needs_text(self) -> bool:
        """Whether one of the models is a content chain whose function words are still to be determined from the
        text."""
        return any(member.needs_text for member in self.members)

    def function_words_in(self, text: Iterable[Sequence[str]]) -> frozenset[str]:
        """The function words of tokenised sentences, as content chains read them."""
        forms = itertools.chain.from_iterable(normalized(tokens, self.text) for tokens in text)
        return function_words_of(form for form in forms if form is not None)

    def knowing(self, function_words: frozenset[str]) -> Parser:
        """The same parser, with these function words for content chains that need them."""
        members = [knowing(member, function_words) for member in self.members]
        loaded = self._loaded
        if loaded is not None:
            options = replace(loaded.options, content_chain_function_words=function_words)
            loaded = loaded._replace(options=options)
        return Parser(members, self.punctuation, self.preferred, self.sets, loaded, self.learned)

    @property
    def tree_decoders(self) -> tuple[TreeDecoder, ...]:
        """The decoders of brackets that fit these models; the default first."""
        possible = {name for member in self.members for name in tree_decoders(member)}
        return _with_first(self.preferred.brackets, (name for name in ALL_TREE_DECODERS if name in possible))

    @property
    def head_decoders(self) -> tuple[HeadDecoder, ...]:
        """The decoders of heads that fit these models; the default first."""
        return _with_first(self.preferred.heads, head_decoders(self.members))

    def parse(self, sentences: Iterable[Any], request: Request = Request(), **changes: Any) -> list[Parse]:  # noqa: B008
        """Parse sentences; returns a `Parse` for each, in order.

        ``sentences``: a string with one sentence per line, a spaCy ``Doc``, a ``stanza.Document``, or an iterable of
        sentences. A sentence is a string, which the model's tokenizer splits, or, as by ``synparse parse``, one for
        running text, if the first thousand show that they are not tokenised; a sequence of tokens (strings, or objects
        with a ``text``, such as a spaCy ``Span``); an ``nltk.Tree`` (its leaves are parsed, but for traces, -NONE-); a
        ``conllu.TokenList``; or a sentence of Stanza. ``changes``: fields of `Request`, such as ``labels=True``.

        Raises TypeError for other values; ValueError for a document without sentence boundaries, for an empty word, and
        for heads to keep that are no tree; SettingError for an unknown field, for a decoder that the model does not
        have, and for labels, tags, probabilities or further trees that it cannot give.
        """
        return list(self.stream(sentences, request, **changes))

    def __call__(self, text: str, request: Request = Request(), **changes: Any) -> list[Parse]:  # noqa: B008
        """Parse running text; returns a `Parse` for each sentence.

        Each line is a paragraph, which is split into sentences and words as by ``synparse parse --raw``; blank lines
        are skipped. For text with one sentence per line, use `parse`, which has the same ``request`` and ``changes``.
        Raises as `parse`, and TypeError if ``text`` is not a string.
        """
        if not isinstance(text, str):
            raise TypeError(f"text must be a string, not {type(text).__name__}; Parser.parse takes sentences")
        lines = io.StringIO(text.removeprefix("\ufeff")).readlines()
        tokenizer = tokenizer_of_lines(self.text.tokenizer, self.text.language, lines[:LINES_TO_LOOK_AT], raw=True)
        sentences = itertools.chain.from_iterable(map(tokenizer, lines))
        return self.parse((sentence for sentence in sentences if sentence.words), request, **changes)

    def stream(self, sentences: Iterable[Any], request: Request = Request(), **changes: Any) -> Iterator[Parse]:  # noqa: B008
        """Like `parse`, but yields the parses one by one. It reads ahead: a thousand strings, to see how to split them,
        or a window of other sentences (`synparse.parsing.windows`), which are parsed together. Memory does not grow
        with the number of sentences, except for content chains, which need all sentences to determine the function
        words. Warns, once for a parser, if most words are unknown."""
        request = self.checked(changed(request, changes, Request))
        read: Iterable[Sentence] = self._tokenized(sentences_of_input(sentences, bool(request.keep)))
        if self._loaded is not None and not self._has_warned:
            read = watched(read, self.knows, self._loaded.models, self._warn)
        parser = self
        if self.needs_text:
            read = list(read)
            parser = self.knowing(self.function_words_in(sentence.tokens for sentence in read))
        for window in windows_of(read, lambda sentence: len(sentence.tokens)):
            drafts = [draft_of(given.heads, given.tree, request.keep, len(given.tokens)) for given in window]
            parses = parser.parse_window([sentence.tokens for sentence in window], request, drafts)
            for parse, sentence in zip(parses, window, strict=True):
                parse = replace(parse, surface=sentence.surface, origin=sentence.conllu)
                if "heads" in request.keep:
                    parse = with_relations_of(parse, sentence)
                yield with_tags_of(parse, sentence) if request.keep else parse

    def _warn(self, note: str) -> None:
        """Warn of the user's line: the last one outside of this package."""
        self._has_warned = True
        frame, level = inspect.currentframe(), 1
        while frame is not None and frame.f_globals.get("__name__", "").startswith("synparse."):
            frame, level = frame.f_back, level + 1
        warnings.warn(note, stacklevel=level)

    def checked(self, request: Request) -> Request:
        """The request with the names of decoders filled in. Raises SettingError for what the models cannot give; see
        `parse`."""
        request = replace(
            request,
            brackets=_chosen("brackets", request.brackets, self.tree_decoders, self.name),
            heads=_chosen("heads", request.heads, self.head_decoders, self.name),
        )
        if request.labels and (self._naming is None or self._naming.grammars.constituents is None):
            raise self._lacking("class grammars", "there are no labels")
        if request.tags and not self.names_classes:
            raise self._lacking("word classes", "there are no tags")
        if request.flat and all(learned.grammars.chunker is None for learned in self.sets):
            raise self._lacking("base phrases", "none are flat")
        confidence = request.computed_confidence
        if confidence != "none":
            check_probabilities(self.members, request.tree_decoder, request.head_decoder)
        if request.distributions:
            if request.heads is None:
                raise SettingError(f"--distributions: {self.name} gives no heads here")
            check_probabilities(self.members, None, request.head_decoder)
        if confidence == "fitted":
            self._maps(request)
        if request.best:
            check_several_trees(self.members, request.tree_decoder)
        return request

    def _lacking(self, part: str, therefore: str) -> SettingError:
        """The error that a part of grammars is not there, or left out."""
        without = () if self._loaded is None else self._loaded.options.without
        if term := next((term for term in ("grammars", part.replace(" ", "-")) if term in without), None):
            return SettingError(f"{self.name} has no {part} here, so {therefore}: see --without {term}")
        return SettingError(f"{self.name} has no {part}, so {therefore}; {who_has_grammars()}")

    def knows(self, tokens: Iterable[str]) -> list[bool]:
        """Of each token that the models read, whether one of them has it in its vocabulary. Empty for baselines."""
        trained = [(member.text, member.knows) for member in self.members if member.knows is not None]
        forms = ([(knows, normalize(token, text)) for text, knows in trained] for token in tokens)
        words = ([(knows, form) for knows, form in pairs if form is not None] for pairs in forms)
        return [any(knows(form) for knows, form in pairs) for pairs in words if pairs]

    def _maps(self, request: Request) -> dict[str, CalibrationMap]:
        """The maps of the spans and arcs that are wanted. Raises SettingError where one is missing."""
        brackets = self._with_phrases(request).brackets
        conditions = Conditions(self.punctuation, self.function_words, brackets, request.heads)
        wanted = [part for part, asked in (("spans", request.brackets), ("arcs", request.heads)) if asked is not None]
        return {part: map_of(self.calibrations, part, conditions) for part in wanted}

    def parse_window(
        self, window: Sequence[tuple[str, ...]], request: Request, drafts: Sequence[Draft | None] = ()
    ) -> Iterator[Parse]:
        """Parse tokenised sentences together. ``request``: as `checked` returns it; ``drafts``: what is given of the
        trees of each sentence, if anything is."""
        sentences = self._read(window, drafts)
        chunks = [chunk for sentence in sentences for chunk in sentence.chunks]
        confidence = request.computed_confidence
        computed = replace(self._with_phrases(request), confidence=confidence)
        decoded = decoded_chunks(self.members, self.sets, chunks, computed)
        relation_model = None if request.heads is None else self._relation_model
        relations: Iterator[list[str]] = iter(())
        if relation_model is not None:
            text, find = relation_model
            trees = list(decoded)
            decoded = iter(trees)
            relations = iter(find([chunk.words[text] for chunk in chunks], [tree.heads for tree in trees]))
        learned = self._learned_for(request)
        maps = self._maps(request) if confidence == "fitted" else {}
        tags: Iterator[tuple[str, ...] | None] = itertools.repeat(None)
        if request.tags or (learned and self.names_classes):
            tags = self._class_names(sentences, chunks)
        for sentence, names in zip(sentences, tags, strict=False):
            parts = list(itertools.islice(decoded, len(sentence.chunks)))
            parse = assembled(sentence, parts, request, names if request.tags else None)
            if relation_model is not None and parse.heads is not None:
                names_of_arcs = list(itertools.chain(*itertools.islice(relations, len(parts))))
                parse = replace(parse, relations=relations_of_tokens(parse.heads, sentence.read, names_of_arcs))
            parse = with_learned(parse, learned, names)
            if confidence == "fitted":
                parse = with_fitted(parse, maps)
            if request.least is not None:
                parse = parse.certain(request.least)
                if request.confidence == "none":
                    parse = replace(
                        parse, span_probabilities=None, head_probabilities=None, log_probability=None, entropy=None
                    )
            yield parse

    def _with_phrases(self, request: Request) -> Request:
        """Where only heads are wanted, and these are of the phrases of the brackets, the default for brackets."""
        needs_brackets = request.brackets is None and request.heads == "phrases"
        return replace(request, brackets=self.tree_decoders[0]) if needs_brackets else request

    def _learned_for(self, request: Request) -> LearnedLabels:
        """The classifiers of the labels that are wanted, and that no induced ones take the place of."""
        induced = {RELATIONS: self._relation_model is not None, CONSTITUENTS: request.labels}
        return {
            kind: classifier
            for kind, classifier in self.learned.items()
            if kind in request.learned and not induced.get(kind)
        }

    @property
    def _relation_model(self) -> tuple[TextConfig, RelationFinder] | None:
        """The first model that names relations, if they are asked for: how it reads words, and its function."""
        models = ((member.text, member.find_relations) for member in self.members)
        return next(((text, find) for text, find in models if find is not None), None)

    @property
    def names_classes(self) -> bool:
        """Whether words have classes, so that tags can be requested."""
        return self._naming is not None

    @property
    def _naming(self) -> ParserGrammars | None:
        """The grammars that name classes and constituents: the first with class grammars, or else the first."""
        with_constituents = (learned for learned in self.sets if learned.grammars.constituents is not None)
        return next(with_constituents, next(iter(self.sets), None))

    def _class_names(self, sentences: Sequence[ReadSentence], chunks: Sequence[Chunk]) -> Iterator[tuple[str, ...]]:
        """The names of the word classes of each sentence, as the models of these classes read its chunks."""
        assert self._naming is not None
        grammars, first = self._naming.grammars, self._naming.members[0]
        size, text = grammars.classes.size, self.members[first].text
        numbers = numbers_of(grammars, [chunk.words[text] for chunk in chunks])
        in_context = classes_in_context(grammars, numbers)
        classes = itertools.chain.from_iterable(of_words.classes for of_words in in_context)
        for sentence in sentences:
            yield tuple(class_name(int(next(classes)) if is_word else size - 1, size) for is_word in sentence.read)

    def grammar_inputs(
        self, window: Sequence[tuple[str, ...]], grammars: Grammars, drafts: Sequence[Draft | None] = ()
    ) -> Iterator[tuple[GrammarInput, Cues | None]]:
        """The input of grammars that are learned from these models, for each tokenised sentence, given the ``drafts``
        of the trees; and the punctuation cues between its words, if they are used. Sentences longer than `longest`
        words are divided into chunks."""
        chunks = [chunk for sentence in self._read(window, drafts) for chunk in sentence.chunks]
        return zip(grammar_inputs(self.members, grammars, chunks), (chunk.cues for chunk in chunks), strict=True)

    def _read(self, window: Sequence[tuple[str, ...]], drafts: Sequence[Draft | None] = ()) -> list[ReadSentence]:
        texts = dict.fromkeys(member.text for member in self.members)
        return in_chunks(window, texts, self.longest, self.punctuation == EVIDENCE, drafts)

    def _tokenized(self, sentences: Iterable[Any]) -> Iterator[Sentence]:
        """Each sentence with its tokens, and what came with it."""
        remaining = iter(sentences)
        for sentence in remaining:
            if not isinstance(sentence, str):
                yield sentence_of_input(sentence)
                continue
            ahead = [sentence.removeprefix("\ufeff"), *itertools.islice(remaining, LINES_TO_LOOK_AT - 1)]
            lines = [line for line in ahead if isinstance(line, str)]
            tokenize = tokenizer_of_lines(self.text.tokenizer, self.text.language, lines)
            for given in itertools.chain(ahead, remaining):
                yield sentence_of_input(joined(tokenize(given)) if isinstance(given, str) else given)


def _path_or_name(model: str) -> str:
    """The name of a model that means the same in another working directory."""
    path = Path(model)
    is_directory = model not in TRIVIAL_PARSERS and path.is_dir() and model_folder(path) == path
    return str(path.resolve()) if is_directory else model


def _check_options(
    options: ParserOptions, members: Sequence[Member], sets: Sequence[ParserGrammars], name: str
) -> None:
    """Raises SettingError for a layer, relations or adpositions that these models do not have."""
    if options.layer is not None and len(members) > 1 and not any(member.has_tree_layers for member in members):
        raise SettingError("--layer: none of these models has layers to choose from; leave it out")
    if options.relation_rule is not None and not any(member.find_relations for member in members):
        raise SettingError(f"--relations: {name} sends no messages along arcs; a udgn does, if it is not packed")
    knows_adpositions = any(learned.grammars.chunker is not None for learned in sets)
    if any(member.function_words == ADPOSITIONS for member in members) and not knows_adpositions:
        raise SettingError(
            f"--function-words adpositions: {name} has no base phrases, by which they are recognised: take leaves or "
            f"free; {who_has_grammars()}"
        )


def _with_grammars(
    members: Sequence[Member], sets: Sequence[ParserGrammars], function_words: FunctionWords
) -> tuple[list[Member], list[ParserGrammars]]:
    """The models, of which those that grammars have learned from know so, and the leaves of the first of these; and the
    grammars, which know their leaves. What is an adposition for some grammars is one for all: head scores add up, so
    that a single penalty decides."""
    adpositions: frozenset[str] = frozenset()
    if function_words == ADPOSITIONS:
        adpositions = adpositions.union(*(learned.grammars.adpositions for learned in sets))
    if function_words != FREE:
        convention = learned_convention(function_words)
        leaves_by_set = leaves_of_sets([learned.grammars for learned in sets])
        sets = [
            learned._replace(convention=convention, leaves=leaves - adpositions)
            for learned, leaves in zip(sets, leaves_by_set, strict=True)
        ]
    leaves_of = {index: learned.leaves for learned in reversed(sets) for index in learned.members}
    changed_members = []
    for index, member in enumerate(members):
        leaves = leaves_of.get(index)
        if index in leaves_of:
            member = member._replace(gives=member.gives | {DEPENDENCIES})
        if leaves is not None:
            member = with_leaves(member, leaves)
        elif adpositions and member.function_words == ADPOSITIONS:
            member = with_adpositions(member, adpositions)
        changed_members.append(member)
    return changed_members, list(sets)


def _with_defaults(options: ParserOptions, recorded: ParsingConfig, name: str) -> ParserOptions:
    """Options left open are as recorded. Raises DataError if what is recorded is not valid."""
    without_cues: Punctuation | None = "ignore" if "punctuation-cues" in options.without else None
    try:
        return replace(
            options,
            punctuation=without_cues or options.punctuation or recorded.punctuation,
            function_words=options.function_words or recorded.function_words,
        )
    except SettingError as error:
        raise DataError(f"damaged model: parse.{error}", name) from None


def _check_decoder(what: str, chosen: str, possible: Sequence[str], name: str) -> None:
    """Raises DataError if the decoder that a directory names does not fit the models; grammars may yet be learned."""
    if chosen not in (DEFAULT, *possible, GRAMMAR):
        names = ", ".join(possible) or "none"
        raise DataError(f"damaged model: the decoder of {what} is {chosen!r}; possible are {names}", name)


def _sets(
    opened: Sequence[tuple[Sequence[ModelToLoad], Model | None]], without: Sequence[Term]
) -> Iterator[ParserGrammars]:
    """The grammars behind each name, with the numbers of their models among all."""
    first = 0
    for parts, model in opened:
        number_of = {part.key: first + number for number, part in enumerate(parts)}
        for learned in () if model is None else find_grammars(model):
            if learned.grammars.dependencies:
                teachers = tuple(number_of[key] for key in learned.members)
                yield ParserGrammars(leaving_out(learned.grammars, without), teachers)
        first += len(parts)


def _learned(model: Model | None, options: ParserOptions) -> LearnedLabels:
    """What a model directory has learned from given trees, without relations where others are asked for."""
    learned = {} if model is None else read_labels(model)
    return {kind: part for kind, part in learned.items() if kind != RELATIONS or options.relations == "learned"}


def _with_first(first: str, names: Iterable[Decoder]) -> tuple[Decoder, ...]:
    return tuple(sorted(names, key=lambda name: name != first))


def _chosen(part: str, decoder: Decoder | Default | None, possible: tuple[Decoder, ...], model: str) -> Decoder | None:
    if decoder == DEFAULT:
        return possible[0] if possible else None
    if decoder is not None and decoder not in possible:
        raise SettingError(
            f"{model} has no decoder {decoder!r} of {part}; possible are {', '.join(possible) or 'none'}"
        )
    return decoder
