"""The two kinds of query, of constituents in brackets and of words and arcs in CoNLL-U: what they read, where their
pattern matches, what they write, and the keys that matches are counted by."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Any, NamedTuple

from synparse.search import constituents, dependencies
from synparse.search.constituents import ConstituentMatch
from synparse.search.dependencies import Words
from synparse.search.nodes import Nodes
from synparse.search.tokens import composed
from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import GLOBAL_COLUMNS, MATCH, ConlluSentence, read_conllu, with_blank_line, with_misc
from synparse.trees.constituency import ConstituencyTree, Constituent, format_brackets
from synparse.trees.errors import SettingError

_NOT_KEPT = re.compile(rf"#\s*(?:match|{re.escape(GLOBAL_COLUMNS)})\s*=")

_OF_WORDS = re.compile(r"(?<!\S)(?:->|-\[)|\[\s*[\w.]+\s*(?:=|<>)\s*[^\s\]]+\s*[\],]")
"""What patterns of words and arcs have, and those of constituents do not, quotes and regular expressions aside."""

_QUOTED = re.compile(r'/(?:\\.|[^/\\])+/|"(?:\\.|[^"\\])+"')


class Query(NamedTuple):
    """Functions of one kind of pattern. A sentence of ``read`` has the line on which it begins; ``text`` is what is
    written of a sentence with these matches, ``key`` what a match is counted by. ``missing``: the columns and features
    of the pattern and the keys that no word has had so far, misspelt perhaps."""

    read: Callable[[Iterable[str], str], Iterator[tuple[int, Any]]]
    matches: Callable[[Any], Sequence[Any]]
    text: Callable[[Any, Sequence[Any]], str]
    key: Callable[[Any, Any], tuple[str, ...]]
    missing: Set[str] = frozenset()


def constituent_query(pattern: str, by: Sequence[str] = (), whole: bool = False) -> Query:
    """A query of bracketed trees, which writes the matching constituents, one a line: the named ones, or else those
    with which the pattern begins; with ``whole``, the trees. ``by``: label or words, or x.label and x.words of a named
    node. Raises SettingError for a pattern that cannot be read, one of words and arcs, and a key that there is not."""
    if _OF_WORDS.search(_QUOTED.sub("x", pattern)):
        raise SettingError("arcs (V -> N) and conditions of words (V [upos=VERB]) are for CoNLL-U, these are brackets")
    query = constituents.read_pattern(composed(pattern))
    keys = [_key_of(composed(key), query.names, ("label", "words")) for key in by]

    def read(lines: Iterable[str], source: str) -> Iterator[tuple[int, Nodes]]:
        return ((line, Nodes(tree)) for line, tree in read_brackets(lines, source))

    def text(nodes: Nodes, matches: Sequence[ConstituentMatch]) -> str:
        if whole or not matches:
            return format_brackets(nodes.tree) + "\n"
        named = (node for match in matches for node in (match.named.values() or [match.node]))
        return "".join(f"{format_brackets(subtree(nodes, node))}\n" for node in named)

    def key(nodes: Nodes, match: ConstituentMatch) -> tuple[str, ...]:
        return tuple(_value(nodes, match.named.get(name) if name else match.node, what) for name, what in keys)

    return Query(read, lambda nodes: list(query.matches(nodes)), text, key)


def _value(nodes: Nodes, node: int | None, what: str) -> str:
    if node is None:  # of an alternative that does not hold
        return "_"
    words = nodes.tree.words[nodes.starts[node] : nodes.ends[node]]
    return nodes.labels[node] if what == "label" else composed(" ".join(words))


def subtree(nodes: Nodes, node: int) -> ConstituencyTree:
    """The tree below a node, with it; of a word, the word with its tag."""
    start, end = nodes.starts[node], nodes.ends[node]
    below = [nodes.constituents[other] for other in range(node, nodes.after[node]) if nodes.constituents[other] >= 0]
    tree = nodes.tree
    return ConstituencyTree(
        tree.words[start:end],
        tree.tags[start:end],
        tuple(
            Constituent(label, first - start, last - start)
            for label, first, last in (tree.constituents[number] for number in below)
        ),
    )


def dependency_query(pattern: str, by: Sequence[str] = ()) -> Query:
    """A query of CoNLL-U, which writes the sentences with a comment for each match (``# match = 1:V=3,N=5``) and the
    names of the matched words in column 10 (``Match=V``). ``by``: V.lemma, V.Number and so on. Raises SettingError for
    a pattern that cannot be read, and a key of a word that there is not."""
    query = dependencies.read_pattern(composed(pattern))
    keys = [_key_of(composed(key), query.names, ()) for key in by]
    missing = {*query.features, *(what for _, what in keys)}

    def read(lines: Iterable[str], source: str) -> Iterator[tuple[int, _Sentence]]:
        for sentence in read_conllu(lines, source):
            if sentence.rows:
                yield sentence.first_line, _Sentence(sentence, Words(sentence.rows, sentence.known_heads))

    def matches(sentence: _Sentence) -> list[dict[str, int]]:
        missing.difference_update([name for name in missing if sentence.words.have(name)])
        return query.matches(sentence.words)

    def key(sentence: _Sentence, match: dict[str, int]) -> tuple[str, ...]:
        return tuple(sentence.words.value(match[name], what) or "_" for name, what in keys)

    return Query(read, matches, lambda sentence, found: _marked(sentence.conllu, found), key, missing)


class _Sentence(NamedTuple):
    conllu: ConlluSentence
    words: Words


def _marked(sentence: ConlluSentence, matches: Sequence[dict[str, int]]) -> str:
    """The sentence with its matches, instead of those of an earlier search, and a blank line at its end."""
    names: list[dict[str, None]] = [{} for _ in sentence.rows]
    comments = []
    for number, match in enumerate(matches, 1):
        comments.append(f"match = {number}:" + ",".join(f"{name}={word + 1}" for name, word in match.items()))
        for name, word in match.items():
            names[word][name] = None
    attributes = [{MATCH: ",".join(of_word)} if of_word else {} for of_word in names]
    marked = with_misc(sentence, attributes, [MATCH])
    lines = [line for line in marked.lines if not _NOT_KEPT.match(line)]
    first = next(number for number, line in enumerate(lines) if line.strip() and not line.startswith("#"))
    line_end = "\r\n" if lines[first].endswith("\r\n") else "\n"
    lines[first:first] = [f"# {comment}{line_end}" for comment in comments]
    return "".join(with_blank_line(lines))  # at the end of a file, too: another sentence may be written after it


def _key_of(key: str, names: Sequence[str], known: Sequence[str]) -> tuple[str, str]:
    """The name of a node ("": the first one) and what of it is counted; ``known`` is what there is, () for anything."""
    name, what = ("", key) if key in known else key.partition(".")[::2]
    if name not in ("", *names) or (not name and key not in known) or not what or (known and what not in known):
        possible = [*known, *(f"{each}.{of}" for each in names for of in known or ("lemma",))]
        raise SettingError(f"--by {key}: possible are {', '.join(possible)}{'' if known else ', and other features'}")
    return name, what
