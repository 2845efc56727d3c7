"""Patterns of constituents, the core of Tregex (Levy and Andrew, 2006) and tgrep: ``NP=x < (DT $+ NN) !<< /^V/``.

A pattern is read into functions over the nodes of a tree; what each part finds at a node is kept, so the time of a
tree grows with its nodes times those that a relation leads to, not with the ways in which a pattern can match.

This is our own because NLTK's tgrep gives no named nodes, builds trees of at most 500 levels, and needs a minute and
more for ten thousand sentences.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import regex

from synparse.search.nodes import RELATIONS, Nodes, Relation, relation_of
from synparse.search.tokens import Tokens, TooManyMatches, compiled, unquoted
from synparse.treebanks.penn import split_label
from synparse.trees.limits import MOST_MATCHES, MOST_NESTED

_SIGNS = "|".join(map(re.escape, sorted(RELATIONS, key=len, reverse=True)))

# A regular expression; a word in quotes; a relation; a sign; a label.
_TOKEN = re.compile(
    rf'@?/(?:\\.|[^/\\])+/\w*|"(?:\\.|[^"\\])+"|[<>]-?[1-9][0-9]*(?=[\s("/!]|\Z)|{_SIGNS}'
    r'|[()\[\]|&!=]|[^\s()\[\]|&!=<>$.,/"][^\s()\[\]|&!=<>"]*'
)
_NAME = regex.compile(r"[^\W\d]\w*\Z")

ANY = ("_", "__", "*")

Named: TypeAlias = tuple[tuple[str, int], ...]
"""The nodes that have names."""

MatchedNames: TypeAlias = tuple[Named, ...]
"""The different ways in which a part of a pattern matches at a node; none of them where it does not."""

YES: MatchedNames = ((),)


class Part(NamedTuple):
    """A part of a pattern: what it finds at a node, and the names in it."""

    find: Callable[[Nodes, int], MatchedNames]
    names: tuple[str, ...] = ()

    def matches(self, nodes: Nodes) -> Iterator[ConstituentMatch]:
        """The matches in a tree, in pre-order of their first node, each once. Raises TooManyMatches for more than its
        nodes and `MOST_MATCHES`."""
        count = 0
        for node in range(len(nodes)):
            for named in self.find(nodes, node):
                count += 1
                if count > max(MOST_MATCHES, len(nodes)):
                    raise _too_many()
                yield ConstituentMatch(node, dict(named))


class ConstituentMatch(NamedTuple):
    """The node with which the pattern begins, and the named ones."""

    node: int
    named: dict[str, int]


def read_pattern(text: str) -> Part:
    """A pattern. Raises SettingError with the column of what is wrong.

    >>> from synparse.trees.brackets import read_brackets
    >>> [(_, tree)] = read_brackets(["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))"], "x")
    >>> nodes = Nodes(tree)
    >>> [nodes.labels[match.named["x"]] for match in read_pattern("NP < (DT $+ NN=x)").matches(nodes)]
    ['NN']
    """
    tokens = Tokens(text, _TOKEN, "constituents")
    part = _pattern(tokens, MOST_NESTED)
    if tokens.next():
        raise tokens.expected("a relation or the end")
    return part


def _pattern(tokens: Tokens, nested: int) -> Part:
    """A node and its relations."""
    part = _node(tokens, nested)
    return _both(tokens, part, _any_of(tokens, nested)) if _begins_relation(tokens) else part


def _node(tokens: Tokens, nested: int) -> Part:
    """A description, or a pattern in parentheses; what the latter finds is kept, as several relations lead to it."""
    if not tokens.take_if("("):
        return _description(tokens)
    if not nested:
        raise tokens.fault(f"more than {MOST_NESTED} brackets inside each other")
    part = _pattern(tokens, nested - 1)
    tokens.expect(")")
    return _kept(part)


def _any_of(tokens: Tokens, nested: int) -> Part:
    part = _all_of(tokens, nested)
    while tokens.take_if("|"):
        part = _either(part, _all_of(tokens, nested))
    return part


def _all_of(tokens: Tokens, nested: int) -> Part:
    part = _relation(tokens, nested)
    while tokens.take_if("&") or _begins_relation(tokens):
        part = _both(tokens, part, _relation(tokens, nested))
    return part


def _begins_relation(tokens: Tokens) -> bool:
    return tokens.next() not in ("", ")", "]", "|", "&", "=")


def _relation(tokens: Tokens, nested: int) -> Part:
    """``< NP``, ``!< NP``, ``[< NP | < VP]``; a node without a relation, as in ``(NP (DT the))``, is a child."""
    if tokens.next() == "!" and (tokens.next(1) == "[" or relation_of(tokens.next(1))):
        tokens.take()
        part = _relation(tokens, nested)
        if part.names:
            raise tokens.fault(f"what must not be there can have no name, but {part.names[0]} is one")
        return Part(lambda nodes, node: () if part.find(nodes, node) else YES)
    if tokens.take_if("["):
        if not nested:
            raise tokens.fault(f"more than {MOST_NESTED} brackets inside each other")
        part = _any_of(tokens, nested - 1)
        tokens.expect("]")
        return part
    relation = relation_of(tokens.next())
    if relation is not None:
        tokens.take()
    return _related(relation or RELATIONS["<"], _node(tokens, nested))


def _description(tokens: Tokens) -> Part:
    """``NP``, ``NP|VP``, ``!NP``, ``@NP``, ``/^N/``, ``"."``, ``_``, each with a ``=name`` or without."""
    negated = bool(tokens.take_if("!"))
    tests = [_label(tokens)]
    while tokens.next() == "|" and tokens.next(1) not in ("!", "[") and not relation_of(tokens.next(1)):
        tokens.take()
        tests.append(_label(tokens))

    @functools.lru_cache(maxsize=1 << 16)  # labels come again and again
    def holds(label: str) -> bool:
        return any(test(label) for test in tests) != negated

    if not tokens.take_if("="):
        return Part(lambda nodes, node: YES if holds(nodes.labels[node]) else ())
    if not _NAME.match(tokens.next()):
        raise tokens.expected("a name")
    name = tokens.take()
    return Part(lambda nodes, node: (((name, node),),) if holds(nodes.labels[node]) else (), (name,))


def _label(tokens: Tokens) -> Callable[[str], bool]:
    """What one label, or regular expression, says of labels."""
    token = tokens.next()
    if token in ANY:
        tokens.take()
        return lambda label: True  # noqa: ARG005
    of_category = token.startswith("@") and len(token) > 1
    bare = token[of_category:]

    def tested(label: str) -> str:
        return split_label(label)[0] if of_category else label

    if bare.startswith("/") and len(bare) > 2:
        if not bare.endswith("/"):
            raise tokens.fault("flags are written in the expression: /(?i)np/")
        search = compiled(bare[1:-1], tokens).search
        tokens.take()
        return lambda label: search(tested(label)) is not None
    wanted = unquoted(token) if token.startswith('"') and len(token) > 2 else _unquoted_label(tokens)[of_category:]
    tokens.take()
    return lambda label: tested(label) == wanted


def _unquoted_label(tokens: Tokens) -> str:
    """The next token, if it is a label. Raises SettingError for punctuation, as for the end: it may have been meant as
    one of Tregex's other relations; and so may a number right behind a relation."""
    token = tokens.next()
    if relation_of(token) or not any(map(str.isalnum, token)):
        raise tokens.expected('a label (punctuation in quotes: ".")')
    if token[0].isdecimal() and tokens.follows_at_once and relation_of(tokens.last):
        raise tokens.fault(f"there is no relation {tokens.last}{token}; write a blank before a word")
    return token


def _related(relation: Relation, part: Part) -> Part:
    find = part.find
    if not part.names:
        return Part(lambda nodes, node: YES if any(find(nodes, other) for other in relation(nodes, node)) else ())

    def matches_at(nodes: Nodes, node: int) -> MatchedNames:
        ways: dict[Named, None] = {}
        for other in relation(nodes, node):
            ways.update(dict.fromkeys(find(nodes, other)))
            if len(ways) > MOST_MATCHES:
                raise _too_many()
        return tuple(ways)

    return Part(matches_at, part.names)


def _both(tokens: Tokens, first: Part, second: Part) -> Part:
    if twice := set(first.names) & set(second.names):
        raise tokens.fault(f"the name {min(twice)} is there twice")

    def matches_at(nodes: Nodes, node: int) -> MatchedNames:
        ways = first.find(nodes, node)
        others = second.find(nodes, node) if ways else ()
        if len(ways) * len(others) > MOST_MATCHES:
            raise _too_many()
        return tuple(way + other for way in ways for other in others)

    return Part(matches_at, first.names + second.names)


def _either(first: Part, second: Part) -> Part:
    names = tuple(dict.fromkeys(first.names + second.names))

    def matches_at(nodes: Nodes, node: int) -> MatchedNames:
        ways = first.find(nodes, node)
        if ways and not names:
            return ways
        return tuple(dict.fromkeys(ways + second.find(nodes, node)))

    return Part(matches_at, names)


def _kept(part: Part) -> Part:
    """The same part; what it finds at a node is found once."""

    def matches_at(nodes: Nodes, node: int) -> MatchedNames:
        if (part.find, node) not in nodes.memory:
            nodes.memory[part.find, node] = part.find(nodes, node)
        return nodes.memory[part.find, node]

    return Part(matches_at, part.names)


def _too_many() -> TooManyMatches:
    return TooManyMatches(f"more than {MOST_MATCHES} matches: name fewer nodes, or relate them more closely")
