"""Values are printed as JSON or as tables, in the format that was asked for, and one of them at most is."""

import json

import pytest
import typer

from synparse.cli.results import chosen_format, print_note, write_results
from synparse.files.streams import read_lines
from synparse.scoring.tables import Table, as_frames

VALUES = {"protocol": "a rule", "notes": ["take care"], "models": [1]}
TABLES = [Table("", ("", "m"), [("perplexity", "3")])]


def test_one_format_at_most():
    assert chosen_format(False) == "text"
    assert [chosen_format(*(number == wanted for number in range(3))) for wanted in range(3)] == [
        "json",
        "tsv",
        "latex",
    ]
    with pytest.raises(typer.BadParameter, match="one of --json, --tsv and --latex at most"):
        chosen_format(True, False, True)


@pytest.mark.parametrize(
    ("format", "first", "last"),
    [
        ("text", "                   m", "note: take care"),
        ("tsv", "\tm", "# note: take care"),
        ("latex", "% protocol: a rule", "% note: take care"),
    ],
)
def test_tables_have_the_protocol_and_the_notes(tmp_path, format, first, last):
    write_results(str(tmp_path / "out"), format, VALUES, TABLES)
    lines = (tmp_path / "out").read_text().splitlines()
    assert (lines[0], lines[-1]) == (first, last)
    assert sum("a rule" in line for line in lines) == 1


@pytest.mark.parametrize(
    ("name", "format"), [("a.json", "json"), ("a.tsv.gz", "tsv"), ("a.TEX", "latex"), ("a", "text")]
)
def test_the_ending_of_the_file_says_the_format_where_none_is_asked_for(tmp_path, name, format):
    write_results(str(tmp_path / "plain"), format, VALUES, TABLES)
    write_results(str(tmp_path / name), "text", VALUES, TABLES)
    assert list(read_lines(str(tmp_path / name))) == list(read_lines(str(tmp_path / "plain")))


def test_a_format_that_is_asked_for_is_written_and_a_text_without_tables_stays_one(tmp_path):
    write_results(str(tmp_path / "a.tsv"), "json", VALUES, TABLES)
    assert json.loads((tmp_path / "a.tsv").read_text()) == VALUES
    write_results(str(tmp_path / "a.tsv"), "text", {}, text=["as text\n"])
    assert (tmp_path / "a.tsv").read_text() == "as text\n"


def test_json_is_the_values(capsys):
    write_results("-", "json", VALUES, TABLES)
    assert json.loads(capsys.readouterr().out) == VALUES


def test_values_without_protocol_and_notes_are_tables_alone(capsys):
    write_results("-", "text", [1], TABLES)
    assert capsys.readouterr().out == "                   m\nperplexity         3\n"


def test_a_text_stands_for_tables_unless_these_have_frames(capsys, monkeypatch):
    write_results("-", "text", {}, TABLES, ["as text\n"])
    assert capsys.readouterr().out == "as text\n"
    monkeypatch.setattr("synparse.cli.results.is_terminal", lambda output: output == "-")
    write_results("-", "text", {}, TABLES, ["as text\n"])
    assert capsys.readouterr().out == "".join(as_frames(TABLES))
    write_results("-", "text", {}, text=["as text\n"])
    assert capsys.readouterr().out == "as text\n"


def test_notes_are_on_standard_error(capsys):
    print_note("so it is")
    assert capsys.readouterr() == ("", "synparse: so it is\n")
