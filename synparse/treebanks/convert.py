"""Conversion of the trees of a treebank to dependencies or clean brackets, as written by ``synparse convert``."""

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, TypeVar, get_args

from synparse.files.processes import map_in_order
from synparse.files.streams import is_read_once
from synparse.treebanks import cleanup
from synparse.treebanks.lemmas import lemmatizer
from synparse.treebanks.penn import lower_case_label, nodes_of, other_tags, word_without_tag
from synparse.treebanks.schemes import (
    SCHEMES,
    Converter,
    DependencyFormat,
    Engine,
    SourceFormat,
    Target,
    load_converter,
)
from synparse.treebanks.sources import (
    Record,
    chunks,
    conllu_sentences,
    read_sources,
    separate_trees,
    whole_trees,
)
from synparse.trees.arguments import Names, names_given, number_given
from synparse.trees.beginning import CONLLU_FILES, TREE_FILES
from synparse.trees.brackets import TreeOfLine, read_brackets
from synparse.trees.conllu import UNKNOWN, ConlluSentence, format_conllu, read_conllu
from synparse.trees.constituency import ConstituencyTree, format_brackets, induced_tree, unescaped
from synparse.trees.dependency import fault_of_heads, is_projective
from synparse.trees.errors import DataError, SettingError, check_choice
from synparse.trees.punctuation import heads_of_kept
from synparse.trees.scored_words import (
    TRACE,
    TREES_LOOKED_AT,
    PunctuationRule,
    first_with_tags,
    kept_leaves,
    kept_words,
    lacks_penn_tags,
    rule_of_sentences,
)
from synparse.trees.spans import subtree_spans, with_words

_WITH_FUNCTION = re.compile(r"\([A-Z]+-[A-Z]{3}")
"""A label with a function tag: (NP-SBJ."""


Item = TypeVar("Item")


class ConvertOptions(NamedTuple):
    """How trees are converted and written.

    - ``to``: a dependency scheme, or brackets.
    - ``source``: the format of the files. CoNLL-U is converted to the spans of its projective trees, so ``to`` must be
      brackets.
    - ``format``: the format of dependencies; None: conllu.
    - ``function_tags``: whether LTH reads function tags. None: only if there are traces (of standard input, in the
      first `TREES_LOOKED_AT` trees), since the function tags of other treebanks follow other guidelines; a warning says
      so.
    - ``collapse_unary``, ``binarize``, ``split_units``: for brackets.
    - ``strip_punctuation``: leave punctuation out. ``punctuation``: the rule by which it is recognised, in all of the
      files; ``auto``: that of scoring, by the first `TREES_LOOKED_AT` trees.
    - ``lemmas``: write lemmas of English words, as CoreNLP does; only for Universal Dependencies.
    """

    to: Target = "stanford"
    format: DependencyFormat | None = None
    source: SourceFormat = "brackets"
    function_tags: bool | None = None
    strip_punctuation: bool = False
    unescape: bool = False
    collapse_unary: bool = False
    binarize: cleanup.Direction | None = None
    engine: Engine = "synparse"
    split_units: bool = False
    punctuation: PunctuationRule = "auto"
    lemmas: bool = False

    def check(self, jobs: int = 1) -> None:
        """Raises SettingError for an unknown value, and where an option has no meaning beside the others."""
        number_given("jobs", jobs, 1)
        check_choice("to", self.to, get_args(Target))
        check_choice("source", self.source, get_args(SourceFormat))
        check_choice("format", self.format, get_args(DependencyFormat), is_optional=True)
        check_choice("binarize", self.binarize, get_args(cleanup.Direction), is_optional=True)
        check_choice("engine", self.engine, get_args(Engine))
        brackets, corenlp = self.to == "brackets", self.engine == "corenlp"
        has_functions = brackets or SCHEMES[self.to].reads_functions
        for message, is_wrong in {
            "CoNLL-U becomes brackets: --to brackets": self.source == "conllu" and not brackets,
            "--format: --to brackets has no dependencies": self.format and brackets,
            "--function-tags: --to brackets has no dependencies": self.function_tags is not None and brackets,
            "--function-tags is only for LTH: others read the few that they use": self.function_tags is not None
            and not has_functions,
            "--lemmas is only for --to ud": self.lemmas and self.to != "ud",
            "--collapse-unary is only for --to brackets": self.collapse_unary and not brackets,
            "--binarize is only for --to brackets": self.binarize and not brackets,
            "--split-units is only for --to brackets": self.split_units and not brackets,
            "--split-units is for bracketed trees: CoNLL-U has no head for each part": self.split_units
            and self.source == "conllu",
            "--engine corenlp: Stanza's converter gives --to ud alone": corenlp and self.to != "ud",
            "--engine corenlp is one process: no --jobs": corenlp and jobs > 1,
        }.items():
            if is_wrong:
                raise SettingError(message)


def convert(
    names: Names, options: ConvertOptions, jobs: int = 1, skip: Callable[[DataError], None] | None = None
) -> Iterator[str]:
    """Convert the trees of files, folders or corpora, one or several; yields the output in order, in pieces of some
    hundred kilobytes.

        >>> from pathlib import Path; from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "dogs.mrg")
        ...     _ = path.write_text("( (S (NP-SBJ (NNS dogs)) (VP (VBP bark))))")
        ...     print(*convert([str(path)], ConvertOptions(to="brackets")), end="")
        (S (NP (NNS dogs)) (VP (VBP bark)))

    ``names``: see `synparse.treebanks.sources.read_sources`. ``skip``: receives the errors of malformed trees, which
    are then skipped. ``jobs``: the number of processes. Memory is bounded.

    Raises SettingError for options that exclude each other, DataError for a missing package, and, without ``skip``,
    DataError(file:line) for a malformed tree.
    """
    options.check(jobs)
    if options.engine == "corenlp":
        from synparse.treebanks import corenlp

        corenlp.require()
    if options.lemmas:
        lemmatizer()  # refused before anything is read
    return _converted(names_given(names), options, jobs, skip)


def _converted(
    names: Iterable[str], options: ConvertOptions, jobs: int, skip: Callable[[DataError], None] | None
) -> Iterator[str]:
    cut = conllu_sentences if options.source == "conllu" else separate_trees if skip else whole_trees
    names = tuple(names)
    sources = read_sources(names, CONLLU_FILES if options.source == "conllu" else TREE_FILES)
    records: Iterator[Record] = (record for source, lines in sources for record in cut(lines, source))
    needs_rule = options.strip_punctuation and options.punctuation == "auto"
    first = list(itertools.islice(records, TREES_LOOKED_AT)) if needs_rule or options.to in SCHEMES else []
    records = itertools.chain(first, records)
    if needs_rule:
        options = options._replace(punctuation=_punctuation_rule(first, options))
    if options.to in SCHEMES and (others := other_tags(tag for tree in _well_formed(first) for tag in tree.tags)):
        warnings.warn(
            f"most tags ({', '.join(others)}) are not the Penn Treebank's, for which the rules are; their "
            "dependencies mean little",
            stacklevel=2,
        )
    if options.function_tags is None and options.to in SCHEMES and SCHEMES[options.to].reads_functions:
        beginning = [line for record in first for line in record.lines]
        every: Iterable[str] = (line for _, lines in read_sources(names, TREE_FILES) for line in lines)
        is_stream = any(map(is_read_once, names))
        options = options._replace(function_tags=any(TRACE in line for line in (beginning if is_stream else every)))
        if not options.function_tags and any(map(_WITH_FUNCTION.search, beginning)):
            where = f" in the first {TREES_LOOKED_AT:,} trees" if is_stream and len(first) == TREES_LOOKED_AT else ""
            warnings.warn(
                f"there are no traces{where}, so function tags are not read (other guidelines may be theirs); "
                "--function-tags reads them, --no-function-tags says that it is meant",
                stacklevel=2,
            )
    for text, faults in map_in_order(partial(convert_chunk, options, skip is not None), chunks(records), jobs):
        yield text
        for fault in faults:
            if skip is None:
                raise fault
            skip(fault)


def _punctuation_rule(first: Iterable[Record], options: ConvertOptions) -> PunctuationRule:
    """The rule by which `eval` leaves out punctuation: beside these sentences of CoNLL-U, or what they become."""
    if options.source == "conllu":
        return rule_of_sentences([sentence for sentence in _read_well_formed(first, read_conllu) if sentence.rows])
    if lacks_penn_tags(_well_formed(first)):
        return "form"
    return "upos" if options.to == "ud" else "tag"


def _well_formed(records: Iterable[Record]) -> Iterator[ConstituencyTree]:
    return (tree for _, tree in _read_well_formed(records, read_brackets))


def _read_well_formed(
    records: Iterable[Record], read: Callable[[list[str], str, int], Iterable[Item]]
) -> Iterator[Item]:
    for source, first_line, lines in records:
        with suppress(DataError):  # reported when it is converted
            yield from read(lines, source, first_line)


def convert_chunk(options: ConvertOptions, go_on: bool, records: Iterable[Record]) -> tuple[str, list[DataError]]:
    """The text of the trees of some records, without ``go_on`` up to the first malformed one; and what was wrong."""
    read, write = _steps(options)
    texts: list[str] = []
    faults: list[DataError] = []
    for source, first_line, lines in records:
        try:
            for tree_of_line in list(read(lines, source, first_line)):
                try:
                    texts.append(write(tree_of_line, source))
                except DataError as fault:
                    faults.append(fault)
        except DataError as fault:
            faults.append(fault)
        if faults and not go_on:
            break
    return "".join(texts), faults


def _steps(options: ConvertOptions) -> tuple[Callable[[list[str], str, int], Iterable[Any]], Callable[[Any, str], str]]:
    """How a record is read, and how what is read becomes text."""
    if options.source == "conllu":
        return read_conllu, partial(_spans_as_brackets, options)
    read = partial(read_brackets, tags_required=True)
    if options.to == "brackets":
        return read, partial(_as_brackets, options)
    if options.engine == "corenlp":
        from synparse.treebanks import corenlp

        return read, partial(_as_dependencies, options, corenlp.convert)
    return read, partial(_as_dependencies, options, load_converter(options.to, options.function_tags is False))


def _as_dependencies(options: ConvertOptions, converter: Converter, tree_of_line: TreeOfLine, source: str) -> str:
    line, tree = tree_of_line
    untagged = word_without_tag(tree)
    if untagged is not None:
        raise DataError(f"a word without a tag: {untagged!r}", source, line)
    lower = lower_case_label(tree)
    if lower is not None:
        raise DataError(
            f"labels in lower case ({lower}): head rules know {lower.upper()}, so write all in upper case", source, line
        )
    kept = [not cleanup.is_empty_element(tag) for tag in tree.tags]
    words: Sequence[str] = list(itertools.compress(tree.words, kept))
    tags: Sequence[str] = list(itertools.compress(tree.tags, kept))
    if not words:
        return ""  # a tree of traces is no sentence of CoNLL-U, for `parse` as well
    heads, relations, upos = converter(nodes_of(tree))
    if options.strip_punctuation:
        kept = kept_words(words, upos or ("_",) * len(words), tags, options.punctuation)
        if any(kept):
            heads, relations = _among_kept(heads, relations, kept)
            words, tags, upos = (tuple(itertools.compress(column, kept)) for column in (words, tags, upos))
    if options.unescape:
        words = list(map(unescaped, words))
    lemmas = list(map(lemmatizer(), words, tags)) if options.lemmas else ()
    if options.format == "conllx":
        return format_conllu(words, heads, relations or ("_",) * len(words), upos=tags, xpos=tags, lemmas=lemmas)
    return format_conllu(words, heads, relations or None, upos=upos, xpos=tags, lemmas=lemmas)


def _as_brackets(options: ConvertOptions, tree_of_line: TreeOfLine, _source: str) -> str:
    tree = cleanup.cleaned(tree_of_line.tree)
    if not tree.words:
        return "\n"
    if options.split_units:
        tree = cleanup.with_units_split(tree)
    if options.strip_punctuation:
        kept = kept_leaves(tree, options.punctuation == "form")
        tree = with_words(tree, kept) if any(kept) else tree
    if options.collapse_unary:
        tree = cleanup.without_unary_chains(tree)
    return _line(options, tree)


def _spans_as_brackets(options: ConvertOptions, sentence: ConlluSentence, source: str) -> str:
    if not sentence.rows:
        return ""
    heads, words = sentence.heads, sentence.words
    tags = first_with_tags(sentence.xpos, sentence.upos)
    fault = fault_of_heads(heads)
    if not fault and options.strip_punctuation:
        kept = kept_words(words, sentence.upos, sentence.xpos, options.punctuation)
        if any(kept):
            heads, _ = _among_kept(heads, (), kept)
            words, tags = tuple(itertools.compress(words, kept)), tuple(itertools.compress(tags, kept))
    if not fault and not is_projective(heads):
        fault = "its dependencies cross, so the words under a head are no span"
    if fault:
        raise DataError(f"not a projective tree: {fault}", source, sentence.line_of_words)
    tags = tuple("" if tag == UNKNOWN else tag for tag in tags)
    return _line(options, induced_tree(words, subtree_spans(heads), tags))


def _line(options: ConvertOptions, tree: ConstituencyTree) -> str:
    if options.binarize is not None:
        tree = cleanup.binarized(tree, options.binarize)
    if options.unescape:
        tree = ConstituencyTree(tuple(map(unescaped, tree.words)), tree.tags, tree.constituents)
    return format_brackets(tree) + "\n"


def _among_kept(
    heads: Sequence[int], relations: Sequence[str], kept: Sequence[bool]
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Heads and relations of the kept words, one at least. Where the root is left out, the first word that hung from it
    becomes the root and takes its relation."""
    moved = heads_of_kept(heads, kept)
    root = moved.index(0) + 1
    names = list(itertools.compress(relations, kept))
    if names:
        names[root - 1] = relations[heads.index(0)]
    return tuple(head or root * (word != root) for word, head in enumerate(moved, 1)), tuple(names)
