"""`synparse show` as a user types it."""

import functools
import os
import pty
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from tests.cli.commands import SAMPLE, synparse
from tests.pictures import cairosvg_or_skip

CONLLU = """\
# text = the dog barked
1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_
2\tdog\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tbarked\t_\tVERB\t_\t_\t0\troot\t_\t_

1\tHi\t_\t_\t_\t_\t0\t_\t_\t_

"""

ARCS = """\
sentence 1
 ┌───┐┌─────┐│
 ▼   │▼     │▼
the  dog    barked
det  nsubj  root
"""

TREE = """\
sentence 1
S
├────┐
NP   │
DT   VBZ
Man  is
"""


run = functools.partial(synparse, "show")


def test_dependencies_from_a_pipe():
    assert run(stdin=CONLLU) == ARCS + "\nsentence 2\n ▼\nHi\n"
    assert run("-", "--format", "text", "--sentences", "1", stdin=CONLLU) == ARCS


def test_brackets():
    assert run(stdin="\n\n(S (NP (DT Man)) (VBZ is))\n") == TREE


A_PARSE = """\
sentence 2
distances, 1 to 2
 ██
 ██
 ██ ▁▁
a  b  c  .

heights, 1 to 3
██
██ ▅▅
██ ██ ▁▁
a  b  c  .

X
├──┬─────┐
│  X     │
│  ├──┐  │
a  b  c  .

 │┌──────────┐
 │├──┐┌──┐   │
 ▼│  ▼│  ▼   ▼
a   b   c   .
"""


def test_a_parse():
    parse = synparse("parse", "-m", "right-branching", "-f", "json", stdin="\na b c .\n")
    assert run(stdin=parse) == A_PARSE


def words_of(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter() if element.get("class") == "word"]


@pytest.mark.parametrize(
    ("sentence", "words"),
    [("The cat isn't here, is it?", "The cat is n't here , is it ?"), ("Miaow.", "Miaow .")],
)
def test_a_sentence_is_parsed_first(sentence, words):
    drawn = words_of(run(sentence, "--format", "svg"))
    assert drawn[: len(words.split())] == words.split()
    assert set(drawn) == set(words.split())


def test_a_tree_in_brackets_is_drawn_as_it_is():
    tree = "(S (NP the)\n  (VP barks))"
    assert synparse("show", tree) == synparse("show", stdin=tree)


def test_a_text_has_several_sentences():
    text = run("The cat sat. It slept.")
    assert [line for line in text.splitlines() if line.startswith("sentence ")] == ["sentence 1", "sentence 2"]
    assert "It  slept  .\n" in text


@pytest.mark.parametrize("name", ["The cat sat.", "end."])
def test_a_file_goes_before_a_sentence(tmp_path, monkeypatch, name):
    (tmp_path / name).write_text("(X a b)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(SAMPLE.parents[1]))
    assert run(name) == "sentence 1\nX\n├──┐\na  b\n"


@pytest.mark.parametrize("options", [["missing"], ["missing file.mrg", "--from", "brackets"], ["missing file.mrg"]])
def test_what_is_no_sentence_is_a_file(options):
    assert run(*options, code=1) == f"synparse: {options[0]}: cannot be read: No such file or directory\n"


def test_a_sentence_longer_than_the_name_of_a_file():
    assert set(words_of(run("the dog " * 50, "--format", "svg"))) == {"the", "dog"}


@pytest.mark.parametrize(("format", "begin"), [("png", b"\x89PNG"), ("pdf", b"%PDF-")])
def test_other_pictures(tmp_path, format, begin):
    cairosvg_or_skip()
    run("-f", format, "-o", tmp_path / "picture", stdin=CONLLU)
    assert (tmp_path / "picture").read_bytes().startswith(begin)
    command = [sys.executable, "-m", "synparse", "show", "-f", format]
    shown = subprocess.run(command, input=CONLLU.encode(), capture_output=True, check=True).stdout
    assert shown.startswith(begin)


@pytest.mark.parametrize(
    ("name", "begin"), [("a.SVG", "<svg"), ("a.html", "<!DOCTYPE html>"), ("a.tex", "% needs"), ("a", "sentence 1")]
)
def test_the_name_of_the_output_says_its_format(tmp_path, name, begin):
    run("-o", tmp_path / name, stdin=CONLLU)
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begin)
    run("-f", "text", "-o", tmp_path / name, stdin=CONLLU)
    assert (tmp_path / name).read_text(encoding="utf-8").startswith("sentence 1")


@pytest.mark.parametrize(("option", "expected"), [("2", "2"), ("2-3", "23"), ("999-", ["999", "1000"]), ("1-1", "1")])
def test_which_sentences(option, expected):
    lines = run(SAMPLE / "gold.brackets", "--sentences", option).splitlines()
    assert [line.split()[1] for line in lines if line.startswith("sentence ")] == list(expected)


def test_folds_where_asked():
    lines = run(SAMPLE / "gold.conllu", "--sentences", "1-20", "--width", "30").splitlines()
    assert max(map(len, lines)) <= 30
    assert max(map(len, run(SAMPLE / "gold.conllu", "--sentences", "1-20").splitlines())) > 30


def test_svg_and_html_hold_an_arc_for_every_word(tmp_path):
    words = sum(line[:1].isdigit() for line in (SAMPLE / "gold.conllu").read_text(encoding="utf-8").splitlines())
    root = ElementTree.fromstring(run(SAMPLE / "gold.conllu", "--format", "svg"))
    assert sum(element.get("class") == "arc" for element in root.iter()) == words
    assert run(SAMPLE / "gold.conllu", "-f", "html", "--output", tmp_path / "out.html") == ""
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert page.count('<g class="arc">') == words
    assert "<title>gold.conllu</title>" in page
    assert "<script" not in page
    assert page.count("://") == page.count('xmlns="http://www.w3.org/2000/svg"')


def test_pages_to_edit():
    page = run("--edit", "--sentences", "2", stdin=CONLLU)
    assert run("--format", "html", "--edit", "--sentences", "2", stdin=CONLLU) == page
    assert "<title>trees-2-2.conllu</title>" in page
    assert page.count("<section") == 1
    assert "<title>trees.json</title>" in run("Miaow.", "--edit")


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        ([], "", "<stdin>: holds no sentences"),
        (["--sentences", "3-4"], CONLLU, "<stdin>: no sentence 3 to draw: the file holds 2"),
        ([], CONLLU.replace("\t3\tnsubj", "\t1\tnsubj"), "<stdin>:2: not a tree: word 1 is in a cycle"),
        ([], CONLLU.replace("\t3\tnsubj", "\t0\tnsubj"), "<stdin>:2: not a tree: 2 words have head 0"),
        ([], CONLLU.replace("\t3\tnsubj", "\t9\tnsubj"), "<stdin>:3: word 2 (dog) has head '9'"),
        ([], "(())", "<stdin>:1: a bracket without words"),
        ([], "{}", "<stdin>:1: not what `parse --format json` writes: tokens must be a list of words"),
        (["--from", "brackets"], CONLLU, "<stdin>:2: text outside of brackets"),
        (["missing"], "", "missing: cannot be read"),
        (["-o", "no/such/place"], CONLLU, "no/such/place: cannot be written"),
    ],
)
def test_bad_data(arguments, stdin, message):
    assert run(*arguments, stdin=stdin, code=1).startswith(f"synparse: {message}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "svg", "--width", "3"], "only text is folded"),
        (["--format", "svg", "--edit"], "a page cannot be svg: leave out --format"),
        (["a", "b", "--edit"], "name one file: trees are corrected one file at a time"),
        (["--width", "3", "--edit"], "only text is folded"),
        (["--sentences", "a"], "'a' is no range like 3, 3-5 or 3-"),
        (["--sentences", "0"], "'0' is no range"),
        (["--sentences", "5-3"], "5-3 ends before it begins"),
        (["--from", "xml"], "'xml' is not one of 'conllu', 'brackets', 'json'"),
    ],
)
def test_wrong_usage(arguments, message):
    assert message in run(*arguments, stdin=CONLLU, code=2)


def on_a_terminal(environment):
    """What the command writes where standard output is a terminal of 13 columns."""
    master, slave = pty.openpty()
    variables = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS"}}
    process = subprocess.Popen(
        [sys.executable, "-m", "synparse", "show", "--sentences", "1"],
        stdin=subprocess.PIPE, stdout=slave, stderr=slave, env=variables | {"TERM": "xterm-256color"} | environment,
    )  # fmt: skip
    os.close(slave)
    process.stdin.write(CONLLU.encode())
    process.stdin.close()
    parts = []
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # the terminal's other side is closed
            break
        if not part:
            break
        parts.append(part)
    os.close(master)
    assert process.wait() == 0
    return b"".join(parts).decode().replace("\r\n", "\n")


def test_a_terminal_gets_colours_and_folds():
    out = on_a_terminal({"COLUMNS": "13"})
    assert "\x1b[1mthe" in out
    assert on_a_terminal({"COLUMNS": "13", "NO_COLOR": "1", "TERM": "dumb"}) == (
        "sentence 1\n ┌───┐┌─────\n ▼   │▼\nthe  dog\ndet  nsubj\n\n┐│\n│▼\nbarked\nroot\n"
    )
