"""Trees as LaTeX: constituents by the package ``forest``, dependencies by ``tikz-dependency``.

Text is written as it is, apart from characters that LaTeX reads as commands; whether a document has letters for it is
up to its fonts. Sentences from right to left have their words so; the letters within a word are up to the document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from synparse.drawing.direction import runs_from_right
from synparse.drawing.layout import MatchedWords, Structure, nodes_of
from synparse.trees.constituency import ConstituencyTree
from synparse.trees.dependency import DependencyTree

_COMMANDS = {
    **{character: f"\\{character}" for character in "#$%_{}"},
    **{"&": "\\symbol{38}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "\\": "\\textbackslash{}"},
    **{"<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}", '"': "\\symbol{34}"},
    **{"?`": "?{}`", "!`": "!{}`"},
}
"""``\\&`` would end a word in ``tikz-dependency``, ``"`` begins commands of babel, and the last two are ¿ and ¡."""

_SPECIAL = re.compile("|".join(map(re.escape, _COMMANDS)))

_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffd]")

_BEYOND_LATIN = re.compile("[\u0180-\u1dff\u2c00-\U0010ffff]")

_PLAIN = re.compile(r"(?:[^\W_]|[.:'-])+")
"""Text that neither package can take for its own brackets, options or separators."""


def latex(text: str) -> str:
    """Text for the braces of a command. Characters that move a cursor become ``?``, as U+FFFD, which LaTeX refuses.

    >>> print(latex("50% of $x_1$"))
    50\\% of \\$x\\_1\\$
    """
    return _SPECIAL.sub(lambda match: _COMMANDS[match[0]], _UNPRINTABLE.sub("?", text))


def sheet_latex(sentences: Iterable[tuple[str, Sequence[Structure]]]) -> str:
    """The environments of sentences, each after a comment with its title, and after one that names the packages.

    Only trees are drawn: neither distances and heights nor the probabilities of heads.
    """
    shown = (
        (title, [tree.tree if isinstance(tree, MatchedWords) else tree for tree in trees]) for title, trees in sentences
    )
    drawn = [(title, [tree for tree in trees if type(tree) in _ENVIRONMENTS]) for title, trees in shown]
    kinds = {type(tree) for _, trees in drawn for tree in trees}
    needed = [package for kind, (package, _) in _ENVIRONMENTS.items() if kind in kinds]
    packages = " ".join(f"\\usepackage{{{package}}}" for package in needed) or "no packages: there are no trees"
    parts = [f"% needs {packages}\n"]
    if any(_BEYOND_LATIN.search(word) for _, trees in drawn for tree in trees for word in tree.words):
        parts.append("% and LuaLaTeX or XeLaTeX with a font that has these letters: \\usepackage{fontspec}\n")
    for title, trees in drawn:
        parts.append(f"\n% {_UNPRINTABLE.sub(' ', title)}\n")
        parts.append("\n".join(_ENVIRONMENTS[type(tree)][1](tree) for tree in trees))
    return "".join(parts)


def _forest(tree: ConstituencyTree) -> str:
    """A line of brackets, as forest reads them: a word below its tag, or where it has none below its constituent."""
    order = "for tree={reversed}\n" if runs_from_right(tree.words) else ""
    return f"\\begin{{forest}}\n{order}{''.join(_brackets(tree))}\n\\end{{forest}}\n"


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
    hidden = "[hide label]"
    columns = range(1, len(tree) + 1)[:: -1 if runs_from_right(tree.words) else 1]
    arcs = []
    for column, head, relation in zip(columns, tree.heads, relations, strict=True):
        options = hidden if any(relations) and not relation else ""
        ends = f"\\depedge{options}{{{columns[head - 1]}}}" if head else f"\\deproot{options}"
        arcs.append(f"{ends}{{{column}}}{{{latex(relation)}}}\n")
    words = " \\& ".join(_braced(tree.words[column - 1]) for column in columns)
    text = f"\\begin{{deptext}}[column sep=1em]\n{words} \\\\\n\\end{{deptext}}\n"
    return f"\\begin{{dependency}}{'' if any(relations) else hidden}\n{text}{''.join(arcs)}\\end{{dependency}}\n"


def _braced(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else f"{{{latex(text)}}}"


_ENVIRONMENTS: dict[type, tuple[str, Callable[..., str]]] = {
    ConstituencyTree: ("forest", _forest),
    DependencyTree: ("tikz-dependency", _dependency),
}
"""The package of each kind of tree, and what writes its environment."""
