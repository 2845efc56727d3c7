"""``synparse tables`` as a user types it; nothing is trained."""

import functools
import json
import signal
import sys

import pytest

from synparse.replication import runs
from tests.cli.commands import printed
from tests.processes import started, wait_for
from tests.replication.fake import FakeSynparse


def answer(arguments):
    if arguments[0] == "train":
        return {"seconds": 60.0}
    if arguments[0] == "perplexity":
        return {"models": [{"perplexity": 99.5}]}
    if arguments[0] == "eval":
        return {"uas": 40.0, "uuas": 50.0}
    return None


@pytest.fixture
def fake(monkeypatch):
    """Commands that answer at once, in the place of processes."""
    fake = FakeSynparse(answer)
    monkeypatch.setattr(runs, "ChildProcess", fake.start)
    return fake


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Run the command in a folder with a text, held-out text and trees: its output and its notes."""
    monkeypatch.chdir(tmp_path)
    for name in ("text.txt", "test.txt", "gold.conllu"):
        (tmp_path / name).write_text(name, encoding="utf-8")

    return functools.partial(printed, "tables")


DATA = ("text.txt", "--test", "test.txt", "--trees", "gold.conllu")


def test_papers_and_tables_are_listed(call):
    listed = call().out
    assert "udgn" in listed
    assert "  4.4              effects of model components" in listed
    [paper] = json.loads(call("udgn", "--list", "--json").out)
    assert paper["tables"][0]["table"] == "4.1"


def test_without_data_published_and_measured_rows_are_printed_and_what_to_give(call):
    printed, notes = call("udgn", "--table", "4.4")
    assert "- gates" in printed
    assert "69.5 ± 1.9" in printed
    assert "\nours: UDGN " in printed
    assert notes.strip() == (
        "synparse: table 4.4: for rows on your data, give TEXT, --test TEXT, --trees BRACKETS (or --trees CONLLU)"
    )


def test_our_rows_are_run_and_printed_below(call, fake):
    printed, notes = call("udgn", *DATA, "--table", "4.4", "--seeds", 2, "--minutes-per-model", 3)
    rows = [line for line in printed.splitlines() if line.startswith("ours: ")]
    assert len(rows) == 7
    assert rows[0].split() == "ours: UDGN 99.5 ± 0.0 40.0 ± 0.0 50.0 ± 0.0 40.0 ± 0.0 50.0 ± 0.0 2 1.0".split()
    assert "dependencies       gold.conllu, as they are" in printed
    assert "minutes a model    3 at most" in printed
    assert sum(words[0] == "train" for words in fake.calls) == 14
    assert notes.count("$ synparse train text.txt --recipe udgn-small") == 14
    again = call("udgn", *DATA, "--table", "4.4", "--seeds", 2, "--minutes-per-model", 3)
    assert again.out == printed
    assert again.err == ""


def test_no_minutes_name_what_is_missing(call, fake):
    printed, notes = call("udgn", *DATA, "--table", "4.1", "--seeds", 2, "--minutes", 0)
    assert not fake.calls
    assert "ours: UDGN" in printed
    assert "0 of 2" in printed
    assert notes.count("missing: ") == 10
    assert "12 commands are missing; the same command goes on from replication" in notes


@pytest.mark.usefixtures("fake")
def test_formats_have_the_same_cells(call):
    given = ("udgn", *DATA, "--table", "4.1", "--seeds", 1)
    values = json.loads(call(*given, "--json").out)
    assert values["settings"]["text"] == "text.txt"
    assert values["tables"][0]["ours"][2]["cells"][4]["mean"] == 99.5
    tsv = call(*given, "--tsv").out
    assert "\nours: UDGN\t–\t–\t–\t–\t99.5\t1\t1.0\n" in tsv
    assert "ours: UDGN & – & – & – & – & 99.5 & 1 & 1.0" in call(*given, "--latex").out
    assert call(*given, "--json", "--tsv", code=2).err.startswith("synparse: ")


@pytest.mark.usefixtures("fake")
def test_a_table_by_mask_rate_is_drawn(call, tmp_path):
    call("udgn", *DATA, "--table", "figure 4.5", "--seeds", 1, "--svg", "rates.svg")
    drawn = (tmp_path / "rates.svg").read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    assert drawn.count("<circle") == 5 * 9
    call("structformer", "--table", 6, "--svg", "published.svg")
    published_and_measured = (tmp_path / "published.svg").read_text(encoding="utf-8")
    assert published_and_measured.count("<circle") == 2 * 6 * 5


def test_a_failed_command_is_told_and_the_others_go_on(call, fake):
    fake.answer = lambda words: ValueError("no such recipe") if "lstm-small" in words else answer(words)
    printed, notes = call("on-lstm", *DATA, "--table", "3.1", "--seeds", 1, code=1)
    assert "failed: train lstm-small seed 1: no such recipe" in notes
    assert "ours: ON-LSTM" in printed
    assert "99.50" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["prpn"], "unknown paper 'prpn'; there are on-lstm"),
        (["udgn", "--table", "9"], "--table: udgn has no table '9'; there are 4.1"),
        (["udgn", "--trees", "a.mrg", "--trees", "b.mrg"], "one file of brackets and one of CoNLL-U at most"),
        (["udgn", "-"], "give it a name"),
        (
            ["udgn", "--table", "4.4", "--svg", "x.svg"],
            "only tables by mask rate or number of options are drawn; of udgn: figure 4.5",
        ),
        (["on-lstm", "--svg", "x.svg"], "of on-lstm: none"),
        (["udgn", "--table", "similarity", "text.txt", "--similarity", "."], "has no stsb-train.tsv"),
    ],
)
def test_wrong_usage_is_one_line(call, arguments, message):
    printed, error = call(*arguments, code=2)
    assert printed == ""
    assert message in error
    assert len(error.splitlines()) == 1


def test_a_missing_file_is_bad_data(call):
    assert "none.txt: cannot be read" in call("udgn", "none.txt", "--test", "none.txt", code=1).err
    assert "none.mrg: cannot be read" in call("udgn", "--trees", "none.mrg", code=1).err  # nothing would read it


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_commands_and_keeps_what_is_done(tmp_path, number, code):
    for name in ("text.txt", "test.txt"):
        (tmp_path / name).write_text("the cat sees the dog\n" * 200, encoding="utf-8")
    words = ["tables", "udgn", "text.txt", "--test", "test.txt", "--table", "4.1", "--seeds", "1", "-j", "1"]
    process = started([sys.executable, "-m", "synparse", *words], cwd=tmp_path)
    wait_for(lambda: list(tmp_path.glob("replication/train*/stdout")), process)
    process.send_signal(number)
    printed, notes = process.communicate()
    assert process.returncode == code
    assert printed == b""
    assert b"what is done is kept" in notes
