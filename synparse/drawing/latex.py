"""Trees as LaTeX: constituents by the package ``forest``, dependencies by ``tikz-dependency``.

Text is written as it is, apart from characters that LaTeX reads as commands; whether a document has letters for it is
up to its fonts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from synparse.drawing.layout import Structure, nodes_of
from synparse.trees.constituency import ConstituencyTree
from synparse.trees.dependency import DependencyTree

_COMMANDS = {
    **{character: f"\\{character}" for character in "#$%_{}"},
    **{"&": "\\symbol{38}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "\\": "\\textbackslash{}"},
    **{"<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}"},
}
"""``\\&`` would end a word in ``tikz-dependency``."""

_SPECIAL = re.compile("[" + re.escape("".join(_COMMANDS)) + "]")

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

_PLAIN = re.compile(r"(?:[^\W_]|[.:'-])+")
"""Text that neither package can take for its own brackets, options or separators."""


def latex(text: str) -> str:
    """Text for the braces of a command; characters that move a cursor become U+FFFD.

    >>> print(latex("50% of $x_1$"))
    50\\% of \\$x\\_1\\$
    """
    return _SPECIAL.sub(lambda match: _COMMANDS[match[0]], _UNPRINTABLE.sub("\ufffd", text))


def sheet_latex(sentences: Iterable[tuple[str, Sequence[Structure]]]) -> str:
    """The environments of sentences, each after a comment with its title, and after one that names the packages.

    Only trees are drawn: neither distances and heights nor the probabilities of heads.
    """
    drawn = [(title, [tree for tree in trees if type(tree) in _ENVIRONMENTS]) for title, trees in sentences]
    kinds = {type(tree) for _, trees in drawn for tree in trees}
    needed = [package for kind, (package, _) in _ENVIRONMENTS.items() if kind in kinds]
    packages = " ".join(f"\\usepackage{{{package}}}" for package in needed) or "no packages: there are no trees"
    parts = [f"% needs {packages}\n"]
    for title, trees in drawn:
        parts.append(f"\n% {_UNPRINTABLE.sub(' ', title)}\n")
        parts.append("\n".join(_ENVIRONMENTS[type(tree)][1](tree) for tree in trees))
    return "".join(parts)


def _forest(tree: ConstituencyTree) -> str:
    """A line of brackets, as forest reads them: a word below its tag, or where it has none below its constituent."""
    return f"\\begin{{forest}}\n{''.join(_brackets(tree))}\n\\end{{forest}}\n"


def _brackets(tree: ConstituencyTree) -> Iterator[str]:
    open_ends: list[int] = []
    for label, start, end, level, _ in nodes_of(tree):
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
            yield "]"
        before = " " if open_ends else ""
        if level:
            open_ends.append(end)
            yield f"{before}[{_braced(label)}"
        elif tree.tags[start]:
            yield f"{before}[{_braced(tree.tags[start])} [{_braced(label)}]]"
        else:
            yield f"{before}[{_braced(label)}]"
    yield "]" * len(open_ends)


def _dependency(tree: DependencyTree) -> str:
    relations = tree.relations or ("",) * len(tree)
    options = "" if any(relations) else "[label style={draw=none, fill=none}]"
    arcs = "".join(
        f"\\depedge{{{head}}}{{{word}}}{{{latex(relation)}}}\n"
        if head
        else f"\\deproot{{{word}}}{{{latex(relation)}}}\n"
        for word, (head, relation) in enumerate(zip(tree.heads, relations, strict=True), 1)
    )
    words = " \\& ".join(map(_braced, tree.words))
    text = f"\\begin{{deptext}}[column sep=1em]\n{words} \\\\\n\\end{{deptext}}\n"
    return f"\\begin{{dependency}}{options}\n{text}{arcs}\\end{{dependency}}\n"


def _braced(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else f"{{{latex(text)}}}"


_ENVIRONMENTS: dict[type, tuple[str, Callable[..., str]]] = {
    ConstituencyTree: ("forest", _forest),
    DependencyTree: ("tikz-dependency", _dependency),
}
"""The package of each kind of tree, and what writes its environment."""
