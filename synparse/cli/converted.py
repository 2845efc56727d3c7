"""Trees of a treebank as the text that `synparse convert` writes: dependencies in a scheme, or clean brackets."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from synparse.files.processes import map_in_order
from synparse.scoring.constituency import kept_leaves
from synparse.scoring.dependencies import kept_words
from synparse.treebanks.cleanup import binarized, cleaned, is_empty_element, unescaped, without_unary_chains
from synparse.treebanks.penn import TRACE_TAG, lower_case_label, nodes_of, word_without_tag
from synparse.treebanks.schemes import BRACKETS, CONLLU, CONLLX, CORENLP, ENGINES, SCHEMES, Converter, load_converter
from synparse.treebanks.sources import Record, chunks, conllu_sentences, read_sources, separate_trees, whole_trees
from synparse.trees.brackets import TreeOfLine, format_brackets, read_brackets
from synparse.trees.conllu import ConlluSentence, format_conllu, read_conllu
from synparse.trees.constituency import ConstituencyTree, induced_tree
from synparse.trees.dependency import fault_of_heads, is_projective
from synparse.trees.errors import DataError
from synparse.trees.punctuation import heads_of_kept
from synparse.trees.spans import subtree_spans, with_words

# Function tags of a treebank without traces, if it has any, follow other guidelines: LTH converts it raw.
TREES_LOOKED_AT = 1000

_NO_WORDS = "a tree of nothing but empty elements"


class Request(NamedTuple):
    """What trees become: one of `TARGETS`, and how it is written. See the options of `synparse.cli.convert.convert`."""

    to: str = "stanford"
    format: str = CONLLU
    source: str = BRACKETS
    raw: bool | None = None
    strip_punctuation: bool = False
    unescape: bool = False
    collapse_unary: bool = False
    binarize: str | None = None
    engine: str = ENGINES[0]


class Outcome(NamedTuple):
    """The text of a chunk's trees, and what was wrong with those that are not in it."""

    text: str
    faults: list[DataError]


def converted_text(
    names: Iterable[str],
    request: Request,
    jobs: int = 1,
    skip: Callable[[DataError], None] | None = None,
) -> Iterator[str]:
    """The text to write for the trees of these files, folders or corpora, in order, some hundred kilobytes at a time.

    Raises DataError(file:line) for a malformed tree, or hands it to ``skip`` and goes on. See
    `synparse.treebanks.sources.read_sources` for what ``names`` may be. Memory stays bounded.
    """
    cut = conllu_sentences if request.source == CONLLU else separate_trees if skip else whole_trees
    records: Iterator[Record] = (record for source, lines in read_sources(names) for record in cut(lines, source))
    if request.raw is None and request.to in SCHEMES and SCHEMES[request.to].reads_functions:
        first = list(itertools.islice(records, TREES_LOOKED_AT))
        request = request._replace(raw=not any(TRACE_TAG in line for record in first for line in record.lines))
        records = itertools.chain(first, records)
    for text, faults in map_in_order(partial(convert_chunk, request, skip is not None), chunks(records), jobs):
        yield text
        for fault in faults:
            if skip is None:
                raise fault
            skip(fault)


def convert_chunk(request: Request, go_on: bool, records: Iterable[Record]) -> Outcome:
    """Convert the trees of some records; without ``go_on`` up to the first that is malformed."""
    read, write = _steps(request)
    texts: list[str] = []
    faults: list[DataError] = []
    for source, first_line, lines in records:
        try:
            for one in list(read(lines, source, first_line)):
                try:
                    texts.append(write(one, source))
                except DataError as fault:
                    faults.append(fault)
        except DataError as fault:
            faults.append(fault)
        if faults and not go_on:
            break
    return Outcome("".join(texts), faults)


def _steps(request: Request) -> tuple[Callable[[list[str], str, int], Iterable[Any]], Callable[[Any, str], str]]:
    """How a record is read, and how what is read becomes text."""
    if request.source == CONLLU:
        return read_conllu, partial(_spans_as_brackets, request)
    read = partial(read_brackets, tags_required=True)
    if request.to == BRACKETS:
        return read, partial(_as_brackets, request)
    if request.engine == CORENLP:
        from synparse.treebanks import corenlp

        return read, partial(_as_dependencies, request, corenlp.convert)
    return read, partial(_as_dependencies, request, load_converter(request.to, bool(request.raw)))


def _as_dependencies(request: Request, converter: Converter, one: TreeOfLine, source: str) -> str:
    line, tree = one
    untagged = word_without_tag(tree)
    if untagged is not None:
        raise DataError(f"a word without a tag: {untagged!r}", source, line)
    lower = lower_case_label(tree)
    if lower is not None:
        raise DataError(
            f"labels in lower case ({lower}): head rules know {lower.upper()}, so write all in upper case", source, line
        )
    kept = [not is_empty_element(tag) for tag in tree.tags]
    words: Sequence[str] = list(itertools.compress(tree.words, kept))
    tags: Sequence[str] = list(itertools.compress(tree.tags, kept))
    if not words:
        raise DataError(_NO_WORDS, source, line)
    heads, relations, upos = converter(nodes_of(tree))
    if request.strip_punctuation:
        kept = kept_words(words, upos or ("_",) * len(words), tags)
        if any(kept):
            heads, relations = _among_kept(heads, relations, kept)
            words, tags, upos = (tuple(itertools.compress(column, kept)) for column in (words, tags, upos))
    if request.unescape:
        words = list(map(unescaped, words))
    if request.format == CONLLX:
        return format_conllu(words, heads, relations or ("_",) * len(words), upos=tags, xpos=tags)
    return format_conllu(words, heads, relations or None, upos=upos, xpos=tags)


def _as_brackets(request: Request, one: TreeOfLine, source: str) -> str:
    tree = cleaned(one.tree)
    if not tree.words:
        raise DataError(_NO_WORDS, source, one.line)
    if request.strip_punctuation:
        kept = kept_leaves(tree)
        tree = with_words(tree, kept) if any(kept) else tree
    if request.collapse_unary:
        tree = without_unary_chains(tree)
    return _line(request, tree)


def _spans_as_brackets(request: Request, sentence: ConlluSentence, source: str) -> str:
    if not sentence.rows:
        return ""
    heads, words, tags = sentence.heads, sentence.words, sentence.xpos
    fault = fault_of_heads(heads)
    if not fault and request.strip_punctuation:
        kept = kept_words(words, sentence.upos, sentence.xpos)
        if any(kept):
            heads, _ = _among_kept(heads, (), kept)
            words, tags = tuple(itertools.compress(words, kept)), tuple(itertools.compress(tags, kept))
    if not fault and not is_projective(heads):
        fault = "its dependencies cross, so the words under a head are no span"
    if fault:
        raise DataError(f"not a projective tree: {fault}", source, sentence.first_line + sentence.word_lines[0])
    tags = tuple("" if tag == "_" else tag for tag in tags)
    return _line(request, induced_tree(words, subtree_spans(heads), tags))


def _line(request: Request, tree: ConstituencyTree) -> str:
    if request.binarize is not None:
        tree = binarized(tree, request.binarize)
    if request.unescape:
        tree = ConstituencyTree(tuple(map(unescaped, tree.words)), tree.tags, tree.constituents)
    return format_brackets(tree) + "\n"


def _among_kept(
    heads: Sequence[int], relations: Sequence[str], kept: Sequence[bool]
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Heads and relations of the kept words, one at least. Where the root is left out, the first word that hung from it
    takes its place and its relation."""
    moved = heads_of_kept(heads, kept)
    root = moved.index(0) + 1
    names = list(itertools.compress(relations, kept))
    if names:
        names[root - 1] = relations[heads.index(0)]
    return tuple(head or root * (word != root) for word, head in enumerate(moved, 1)), tuple(names)
