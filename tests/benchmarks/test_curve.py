"""Rows of minutes and seeds: trained, scored, not made again; and their picture."""

import shutil
import sys

import pytest

from benchmarks import curve, results
from benchmarks.quality.table import NOTHING
from synparse.config.recipe import load_recipe
from synparse.files.tables import read_table

GOLD = "(S (NP (DT the) (NN old) (NN man)) (VP (VBZ sees) (NP (DT the) (NNS boats))))\n"
HEADS = "".join(f"{place}\tw\t_\t_\t_\t_\t{place - 1}\t_\t_\t_\n" for place in range(1, 5)) + "\n"


@pytest.fixture
def program(tmp_path, monkeypatch, tiny_taught):
    """A function that runs the program; what was trained, and the rows of its table. Training copies a tiny model."""
    data = tmp_path / "data"
    for name, gold in {"wsj/trees.mrg": GOLD, "gum/dev.conllu": HEADS, "ewt/dev.conllu": HEADS}.items():
        (data / name).parent.mkdir(parents=True)
        (data / name).write_text(gold, encoding="utf-8")

    def trained(directory, *arguments, **_):
        ran.append(" ".join(map(str, arguments)))
        return shutil.copytree(tiny_taught, directory)

    ran = []
    monkeypatch.setattr(curve, "trained", trained)
    monkeypatch.setattr(curve, "THREADS", "1")
    monkeypatch.setattr(curve, "INSTRUCTION_SET", "native")  # whatever the tests run with

    def program(*arguments):
        common = ("--data", data, "--work", tmp_path / "work", "--table", tmp_path / "curve.tsv")
        monkeypatch.setattr(sys, "argv", ["curve", *map(str, (*arguments, *common))])
        ran.clear()
        curve.main()
        return list(ran), read_table(tmp_path / "curve.tsv")

    return program


def test_each_minutes_and_seed_have_a_row_once(program):
    ran, rows = program("text.txt", "--minutes", 2, 0.5, "--seeds", 1, 2)
    assert ran == [
        f"text.txt --minutes {minutes} --seed {seed}" for minutes, seed in ((2.0, 1), (2.0, 2), (0.5, 1), (0.5, 2))
    ]
    assert [tuple(row[name] for name in curve.IDENTITY[:5]) for row in rows[1:3]] == [
        ("text.txt", "2", "2", "quiet", "native"),
        ("text.txt", "0.5", "1", "quiet", "native"),
    ]
    assert tuple(rows[0]) == curve.COLUMNS
    assert rows[0]["stages taken"] == "udgn, grammars"
    assert 0 <= float(rows[0]["WSJ UF1 kim2019"]) <= 100
    assert float(rows[0]["GUM UUAS UD"]) >= float(rows[0]["GUM UAS UD"])
    assert rows[0]["WSJ UAS stanford"] == NOTHING  # there is no such file
    ran, rows = program("text.txt", "--minutes", 2, 3, "--seeds", 2)
    assert ran == ["text.txt --minutes 3.0 --seed 2"]
    assert len(rows) == 5


def test_rows_beside_busy_loops_are_others(program):
    program("text.txt", "--minutes", 2)
    ran, rows = program("text.txt", "--minutes", 2, "--busy", 1)
    assert len(ran) == 1
    assert [row["load"] for row in rows] == ["quiet", "1 busy loops"]


def test_models_that_are_there_are_scored_anew(program, tiny_taught):
    for _ in range(2):
        ran, [row] = program("--score-only", f"{tiny_taught}:15:3:two other runs")
    assert ran == []
    assert (row["minutes"], row["seed"], row["load"], row["processor minutes"]) == (
        "15",
        "3",
        "two other runs",
        NOTHING,
    )
    assert float(row["wall minutes"]) >= 0


@pytest.mark.parametrize("arguments", [["text.txt"], ["--minutes", 2], ["--score-only", "model:2:1"]])
def test_what_is_missing_is_told(program, arguments):
    with pytest.raises(SystemExit, match="2"):
        program(*arguments)


def test_stages_are_counted():
    stages = "3 grammars, trees, udgn, 9 grammars" + ", trees, student, grammars, grammars" * 2
    assert curve.stages_taken(load_recipe("english")) == stages
    assert curve.stages_taken(load_recipe("student-small")) == "student"
    assert curve.stages_taken(None) == NOTHING


def row(minutes, seed, score, **cells):
    columns = dict.fromkeys(curve.COLUMNS, NOTHING)
    same = {"text": "english.txt", "load": "quiet", "instruction set": "native", "threads": "1"}
    return {**columns, **same, "minutes": minutes, "seed": seed, "GUM UAS UD": score, **cells}


def test_the_picture_has_a_line_for_each_state_of_the_machine(monkeypatch):
    busy = {"load": "2 busy loops", "instruction set": "AVX2"}
    rows = [row("15", "1", "62.0"), row("5", "2", "61.0"), row("5", "1", "60.0"), row("5", "1", "59.0", **busy)]
    monkeypatch.setattr(results, "rows_of", lambda _: rows)
    picture = results.picture_of_curve()
    assert picture.count("GUM UAS UD") == 1
    assert "WSJ" not in picture  # nothing of it was measured
    assert [name in picture for name in (">quiet<", ">2 busy loops, AVX2<")] == [True, True]
    shown = [line.split(" | ")[:3] for line in results.curve().splitlines()[2:]]
    assert shown == [
        *(["| 5", "2 busy loops, AVX2", "1"], ["| 5", "quiet", "1"], ["| 5", "quiet", "2"], ["| 15", "quiet", "1"]),
    ]


def test_without_rows_the_page_says_so_and_the_picture_is_empty(monkeypatch):
    monkeypatch.setattr(results, "rows_of", lambda _: [])
    assert results.curve() == "Not measured yet.\n"
    assert results.picture_of_curve().endswith("</svg>\n")


def test_the_columns_are_those_that_the_page_shows():
    assert results.CURVE_SCORES == curve.SCORES
