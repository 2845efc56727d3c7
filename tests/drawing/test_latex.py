"""Trees as LaTeX: every command and brace where the packages read them."""

import shutil
import subprocess

import pytest

from synparse.drawing.latex import latex, sheet_latex
from synparse.drawing.layout import Bars, MatchedWords
from synparse.trees.constituency import ConstituencyTree, Constituent, induced_tree
from synparse.trees.dependency import DependencyTree
from tests.processes import HANG
from tests.trees.written import tree

WORDS = ("The", "dog", "barked", "&", "bit", "[", "me_too", "].")

BOTH = r"""% needs \usepackage{forest} \usepackage{tikz-dependency}

% sentence 1
\begin{forest}
[S [NP [DT [The]] [NN [dog]]] [VP [VBD [barked]]] [{,} [{,}]]]
\end{forest}

% 100 % <&>
\begin{dependency}
\begin{deptext}[column sep=1em]
The \& dog \& barked \& {\symbol{38}} \& bit \& {[} \& {me\_too} \& {].} \\
\end{deptext}
\depedge{2}{1}{det}
\depedge{3}{2}{nsubj:pass}
\deproot{3}{root}
\depedge{5}{4}{cc}
\depedge{3}{5}{conj\#1}
\depedge{7}{6}{punct}
\depedge{5}{7}{obj}
\depedge{7}{8}{punct}
\end{dependency}
"""


def test_both_kinds_of_trees():
    relations = ("det", "nsubj:pass", "root", "cc", "conj#1", "punct", "obj", "punct")
    dependencies = DependencyTree(WORDS, (2, 3, 0, 5, 3, 7, 5, 7), relations)
    constituents = tree("(S (NP (DT The) (NN dog)) (VP (VBD barked)) (, ,))")
    bars = Bars("heights", ("a",), (1.0,))
    assert sheet_latex([("sentence 1", [bars, constituents]), ("100 % <&>", [dependencies])]) == BOTH


def test_induced_trees_have_neither_tags_nor_relations():
    words = ("it", "rains")
    drawn = sheet_latex([("s", [induced_tree(words, [(0, 2)]), DependencyTree(words, (2, 0))])])
    assert "\\begin{forest}\n[X [it] [rains]]\n\\end{forest}\n" in drawn
    assert "\\begin{dependency}[hide label]\n" in drawn
    assert "\\depedge{2}{1}{}\n\\deproot{2}{}\n" in drawn


def test_sentences_with_found_words_are_drawn():
    heads = DependencyTree(("a", "dog"), (2, 0))
    assert sheet_latex([("one", [MatchedWords(heads, {1})])]) == sheet_latex([("one", [heads])])


def test_only_the_packages_of_what_is_drawn_are_needed():
    assert sheet_latex([("s", [induced_tree(("a",), [(0, 1)])])]).startswith("% needs \\usepackage{forest}\n")
    assert sheet_latex([("s", [Bars("heights", ("a",), (1.0,))])]) == "% needs no packages: there are no trees\n\n% s\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#1 $2 50% a&b _ {x}", r"\#1 \$2 50\% a\symbol{38}b \_ \{x\}"),
        ("~ ^ \\", r"\textasciitilde{} \textasciicircum{} \textbackslash{}"),
        ("<|>", r"\textless{}\textbar{}\textgreater{}"),
        ("naïve 猫 שלום", "naïve 猫 שלום"),
        ("a\nb\ufffd", "a?b?"),
        ('?` "!`', r"?{}` \symbol{34}!{}`"),
    ],
)
def test_characters_that_are_commands(text, expected):
    assert latex(text) == expected


def test_words_from_right_to_left_are_placed_so():
    words = ("הכלב", "נבח", ".")
    heads = sheet_latex([("s", [DependencyTree(words, (2, 0, 2), ("nsubj", "root", ""))])])
    assert heads.splitlines()[1].startswith("% and LuaLaTeX or XeLaTeX ")
    assert r". \& נבח \& הכלב \\" in heads
    assert "\\depedge{2}{3}{nsubj}\n\\deproot{2}{root}\n\\depedge[hide label]{2}{1}{}\n" in heads
    tree = sheet_latex([("s", [induced_tree(words, [(0, 3)])])])
    assert "\\begin{forest}\nfor tree={reversed}\n[X [הכלב] [נבח] [.]]\n" in tree


AWKWARD = (
    *(
        "50%",
        "_",
        "&",
        "#",
        "{",
        "}",
        "\\",
        "^",
        "~",
        "$x$",
        '"',
        "'",
        "``",
        "a,b",
        "x=y",
        "[",
        "]",
        "(",
        ")",
        "-",
        "<",
        ">",
    ),
    *("|", "@", "!", "?`", "/", "*", ";", ":", "a b", "\\&", "%%", "é", "ł", "ß", "“", "…", "\t", "\ufffd"),
)


def test_latex_sets_what_is_written(tmp_path):
    if not shutil.which("pdflatex") or subprocess.run(["kpsewhich", "forest.sty", "tikz-dependency.sty"]).returncode:
        pytest.skip("no LaTeX with forest and tikz-dependency here")
    constituents = ConstituencyTree(AWKWARD, AWKWARD[::-1], (Constituent("%&", 0, len(AWKWARD)),))
    heads = (0, *range(1, len(AWKWARD)))
    (tmp_path / "trees.tex").write_text(
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{forest,tikz-dependency}\n\\begin{document}\n"
        f"{sheet_latex([('%', [constituents, DependencyTree(AWKWARD, heads, AWKWARD)])])}\\end{{document}}\n",
        encoding="utf-8",
    )
    command = ["pdflatex", "-interaction=batchmode", "-halt-on-error", "-draftmode", "trees.tex"]
    subprocess.run(command, cwd=tmp_path, stdout=subprocess.DEVNULL, timeout=HANG)
    log = (tmp_path / "trees.log").read_text(encoding="utf-8", errors="replace")
    assert [line for line in log.splitlines() if line.startswith("!")] == []
    assert "No pages of output" not in log


def test_a_title_is_one_line_of_a_comment():
    assert sheet_latex([("a\n\\input{b}", [])]).endswith("\n% a \\input{b}\n")


def test_depth_is_no_matter():
    count = 1500
    drawn = sheet_latex([("deep", [induced_tree("w" * count, [(start, count) for start in range(count - 1)])])])
    assert drawn.count("[X") == count - 1
    assert drawn.count("[") == drawn.count("]") == 2 * count - 1
