"""What data and models of others say reaches a terminal escaped, by every command; data are written as they are."""

import io
import json
import sys

import pytest

from synparse.cli.app import COMMANDS, run
from synparse.trees.printable import OBEYED
from tests.untrained import untrained

EVIL = "a\x1b]0;x\x07\x9b\u202eb"
"""A word: it names a window, in C1 clears a line, and turns the direction of writing."""

NAMES = "abc"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A hostile file of each kind, and models with hostile words and descriptions."""
    folder = tmp_path_factory.mktemp("hostile")

    def write(name, text):
        (folder / name).write_text(text, encoding="utf-8", newline="")

    write("text.txt", f"{EVIL} b c .\nb {EVIL} c .\n" * 8)
    write(f"{EVIL}.txt", "b c .\n")
    write("gold.conllu", "".join(
        f"1\t{EVIL}\t_\tNOUN\t{EVIL}\t_\t2\t{EVIL}\t_\t_\n2\tb\t_\t{EVIL}\tX\t_\t0\troot\t_\t_\n3\tc\t_\tX\tX\t_\t2\tx\t_\t_\n\n"
        for _ in range(4)
    ))  # fmt: skip
    write("gold.brackets", f"(S ({EVIL} (X {EVIL}) (X b)) (X c))\n(S (X a) ({EVIL} (X b) (X c)))\n")
    parse = {"tokens": [EVIL, "b"], "read": [True, True], "distances": [1], "heights": None}
    parse |= {"constituents": [[0, 2]], "heads": [0, 1], "labels": [EVIL], "tags": [EVIL, EVIL]}
    write("parse.json", json.dumps(parse) + "\n")
    write("pairs.tsv", f"{EVIL}\tgrammatical\tungrammatical\n{EVIL}\tb c\tc b\n{EVIL}\t{EVIL} c\tc\n")
    write("similar.tsv", "score\tsentence1\tsentence2\tsource\n" + f"1\ta b\tc\t{EVIL}\n3\tb\tc {EVIL}\t{EVIL}\n" * 3)
    write("sentiment.ptb", f"(3 (2 {EVIL}) (2 b))\n(1 (2 {EVIL}) (2 c))\n")
    evil = "".join(f"\\u{ord(character):04x}" for character in EVIL)  # as YAML has it
    write("recipe.yaml", f'"{evil}": 1\n')
    write("recipe2.yaml", f'encoders: {{lstm: {{"{evil}": 1}}}}\n')
    write("listops.tsv", f"1\t{EVIL}\n")
    write("craft.tsv", f"{EVIL}\tu\t####/#>A#/#..#/####\n")
    for kind in ("udgn", "lstm"):
        config = untrained(folder / kind, kind, f"{EVIL} b c") / "config.yaml"
        text = config.read_text(encoding="utf-8")
        config.write_text(text.replace("corpus: {}", f'corpus: {{"{evil}": "{evil}"}}'), encoding="utf-8")
    return folder


READ = [
    "info udgn --all",
    "show gold.conllu",
    "show gold.brackets",
    "show parse.json",
    "eval gold.conllu gold.conllu --breakdown --score-relations full",
    "eval gold.brackets gold.brackets --breakdown --score-labels --baselines",
    "channels udgn gold.conllu --all --clusters --names universal",
    f"pairs udgn lstm pairs.tsv --by {EVIL}",
    "similarity evaluate udgn --data similar.tsv --baselines",
    f"perplexity lstm {EVIL}.txt",
    "search V[upos=NOUN] gold.conllu --count --by V.form",
]
WRONG = [
    "train text.txt --recipe recipe.yaml -o out",
    "task listops train --model lstm --recipe recipe2.yaml --data listops.tsv -o out",
    f"train text.txt --set {EVIL}=1 -o out",
    f"parse text.txt -m {EVIL}",
    f"parse text.txt --{EVIL}",
    f"{EVIL}",
    f"eval {EVIL} gold.conllu",
    "eval text.txt gold.conllu",
    f"info {EVIL}",
    f"info --language {EVIL}",
    f"tables {EVIL}",
    "convert text.txt",
    f"pairs udgn pairs.tsv --columns {EVIL},{EVIL}",
    f"pairs udgn pairs.tsv --by b{EVIL}",
    "task craft draw craft.tsv",
    f"grammar {EVIL}",
    f"pack {EVIL} -o out",
    f"calibrate {EVIL} gold.conllu",
    f"select text.txt -m {EVIL}",
    f"perplexity {EVIL} text.txt",
    f"channels {EVIL} gold.conllu",
    f"similarity evaluate {EVIL} --data similar.tsv",
    f"sentiment evaluate {EVIL} --data sentiment.ptb",
    f"recipes {EVIL}",
    f"classes text.txt --language {EVIL}",
    f"train {EVIL} -o out",
    f"search V[upos=NOUN gold.conllu --by {EVIL}",
]
"""Lines of which some part is refused, with the names of what is not there."""


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(params=[io.StringIO, Terminal])
def call(request, folder, monkeypatch):
    """Runs a command, with its standard output to a pipe or a terminal: its exit code and both streams."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "400")

    def command(line):
        streams = request.param(), request.param()
        with monkeypatch.context() as changed:
            changed.setattr(sys, "stdout", streams[0])
            changed.setattr(sys, "stderr", streams[1])
            code = run(line.split(" "))
        return code, *(stream.getvalue() for stream in streams)

    return command


@pytest.mark.parametrize("line", READ)
def test_what_is_written_to_be_read_is_escaped(line, call):
    code, out, error = call(line)
    assert (code, error) == (0, "")
    assert OBEYED.findall(out) == []
    assert r"\x1b]0;x\x07\x9b\u202e" in out or "a\ufffd]0;x\ufffd\ufffd\ufffdb" in out


@pytest.mark.parametrize("line", WRONG)
def test_errors_are_one_printable_line(line, call):
    code, out, error = call(line)
    assert code in (1, 2)
    assert out == ""
    assert OBEYED.findall(error) == []
    *progress, last = error.splitlines()
    assert last.startswith("synparse: ")
    assert not progress or line.startswith(("train", "task"))


def test_every_command_has_a_hostile_line():
    assert {line.split(" ")[0] for line in READ + WRONG} >= set(COMMANDS)


@pytest.mark.parametrize("line", [
    "parse text.txt -m chain",
    "parse text.txt -m chain -f brackets",
    "parse text.txt -m chain -f json",
    "convert gold.brackets --to brackets",
    "eval gold.conllu gold.conllu --breakdown --score-relations full --tsv",
    "eval gold.conllu gold.conllu --breakdown --score-relations full --json",
])  # fmt: skip
def test_data_are_written_as_they_are(line, call):
    code, out, _ = call(line)
    assert code == 0
    assert (EVIL in out) or (json.dumps(EVIL, ensure_ascii=False)[1:-1] in out)
