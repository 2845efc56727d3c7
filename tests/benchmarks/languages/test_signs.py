"""Signs without gold trees, their correlations, and the program."""

import json
import shutil
import sys

import pytest

from benchmarks.commands import record_file
from benchmarks.languages import signs
from benchmarks.languages.signs import (
    CORRELATION,
    NOTHING,
    agreement,
    correlation_cell,
    with_correlations,
)
from synparse.files.tables import read_table


def trees_of(*sentences):
    return [
        "".join(f"{place}\tw\t_\t_\t_\t_\t{head}\t_\t_\t_\n" for place, head in enumerate(heads, 1)) + "\n"
        for heads in sentences
    ]


def test_agreement_is_the_same_in_either_order():
    one, other = trees_of((2, 0, 2), (0, 1)), trees_of((2, 3, 0), (0, 1))
    # Of five words, three have the same head; a fourth arc, between words 2 and 3, has another direction.
    assert agreement(one, other) == agreement(other, one) == [60.0, 80.0]
    assert agreement(one, one) == [100.0, 100.0]


def row(language, sign, uas, settings="x"):
    columns = dict.fromkeys((*signs.SIGNS, *signs.ATTACHMENT), NOTHING)
    return {**columns, "language": language, "settings": settings, "seeds UAS": sign, "UAS": uas}


def test_correlations_are_over_the_languages_with_both_figures():
    rows = [row(str(number), f"{number}.0 (0.3)", f"{number * 2}.5") for number in range(5)]
    assert correlation_cell(rows, "seeds UAS", "UAS") == "1.00 (5)"
    assert correlation_cell(rows, "UAS", "UAS") == NOTHING
    assert correlation_cell(rows[1:], "seeds UAS", "UAS") == NOTHING  # of too few
    assert correlation_cell([*rows[1:], row("5", NOTHING, "3.0")], "seeds UAS", "UAS") == NOTHING
    assert (
        correlation_cell([row(str(number), "1.0", f"{number}") for number in range(5)], "seeds UAS", "UAS") == NOTHING
    )


def test_each_settings_have_their_own_correlations_once():
    rows = [row("b", "1.0", "2.0"), row("a", "1.0", "2.0"), row("a", "1.0", "2.0", "y")]
    found = with_correlations(with_correlations(rows))
    assert [(one["language"], one["settings"]) for one in found] == [
        *(("a", "x"), ("b", "x"), (f"{CORRELATION}UAS", "x"), (f"{CORRELATION}UUAS", "x")),
        *(("a", "y"), (f"{CORRELATION}UAS", "y"), (f"{CORRELATION}UUAS", "y")),
    ]


@pytest.fixture
def program(data, tmp_path, monkeypatch, tiny_grammar, tiny_taught):
    """A function that runs the program on two seeds of German, one of which has a network; halves copy grammars."""
    work = tmp_path / "work"
    for name, model in {"de-seed1": tiny_grammar, "de-seed2": tiny_taught, "en-seed1": tiny_grammar}.items():
        shutil.copytree(model, work / name)
        record = {"commit": "abc", "settings": "--minutes 3", "cores": "1"}
        record_file(work / name).write_text(json.dumps(record), encoding="utf-8")
    monkeypatch.setattr(signs, "trained", lambda directory, *_: shutil.copytree(tiny_grammar, directory))

    def program(*arguments):
        common = (data, "--work", work, "--table", tmp_path / "table.tsv", *arguments)
        monkeypatch.setattr(sys, "argv", ["signs", *map(str, common)])
        with pytest.raises(SystemExit) as ended:
            signs.main()
        return ended.value.code, read_table(tmp_path / "table.tsv"), work

    return program


def test_a_row_has_all_signs_of_the_models_that_are_there(program):
    code, [german, *correlations], work = program()
    assert (code, german["language"], german["seeds"], german["settings"]) == (0, "German", "1 2", "--minutes 3")
    assert german["halves UAS"] == NOTHING
    assert all(german[column] != NOTHING for column in signs.SIGNS if not column.startswith("halves")), german
    assert [one["language"] for one in correlations] == [f"{CORRELATION}UAS", f"{CORRELATION}UUAS"]
    _, [german, *_], _ = program("--halves", "--languages", "de", "--punctuation", "evidence")
    assert german["halves UAS"] == "100.0"  # the same grammars twice
    odd, even = ((work / f"de-half{half}.txt").read_text(encoding="utf-8") for half in (1, 2))
    assert (odd, even) == ("der Hund sah der Katze zu .\n", "der Hund !\n")


def test_a_language_without_models_is_told(program, capsys):
    code, rows, _ = program("--languages", "es")
    assert (code, rows) == (1, [])
    assert "es: " in capsys.readouterr().err
    assert program("--languages", "fi")[0] == 2
    assert program("--function-words", "some")[0] == 2
