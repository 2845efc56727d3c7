"""From what `synparse tables --json` prints to the table of a page."""

import json
import shutil

import pytest

from benchmarks import paper_tables, results
from synparse.replication import papers


def printed(*cells):
    row = {"row": "UDGN", "cells": list(cells), "seeds": 3, "minutes": 20.04}
    return {
        "paper": "udgn",
        "settings": {
            "text": "/data/text.txt",
            "sentiment": "",
            "logic": "",
            "recipes": "small",
            "minutes a model": "20 at most",
            "seeds": "1 to 3",
        },
        "tables": [{"table": "4.2", "columns": ["UAS", "UAS, arg max"], "ours": [row]}],
    }


@pytest.fixture
def program(tmp_path, monkeypatch):
    def run(value):
        (tmp_path / "udgn.json").write_text(json.dumps(value), encoding="utf-8")
        words = ("paper_tables", tmp_path / "udgn.json", "--note", "two cores", "--tsv", tmp_path / "out.tsv")
        monkeypatch.setattr("sys.argv", [str(word) for word in words])
        paper_tables.main()
        return (tmp_path / "out.tsv").read_text(encoding="utf-8").splitlines()

    return run


def test_our_figures_become_rows_and_the_page_has_them_below_the_published_ones(program, tmp_path, monkeypatch):
    lines = program(printed({"text": "30.5 ± 1.0", "mean": 30.5}, None))
    assert lines[1].startswith("udgn\t4.2\tUDGN\tUAS\t30.5 ± 1.0\t3\t20.0\ttext.txt; recipes: small; two cores\t")
    assert lines[1].endswith("\tsynparse tables udgn text.txt --table 4.2 --minutes-per-model 20 --seeds 3")
    assert len(lines) == 2
    shutil.copy(papers.paper_folder() / "udgn.yaml", tmp_path)
    (tmp_path / "out.tsv").rename(tmp_path / papers.MEASURED)
    monkeypatch.setattr(results, "load_paper", lambda name: papers.load_paper(name, tmp_path))
    claim, _, *published, ours, _, source = results.paper_table("udgn", "4.2").splitlines()
    assert claim.startswith("- **UDGN finds more heads than StructFormer.** Our rows: not decided")
    assert source.startswith("*unsupervised dependency parsing* (thesis, table 4.2, section 4.3.2")
    assert published[0].startswith("|  | UAS | UAS, arg max | seeds | minutes | data |")
    assert published[-1].startswith("| UDGN | 50.2 ± 1.5 | 52.5 ± 0.7 | – |")
    assert ours.startswith("| ours: UDGN | 30.5 ± 1.0 | – | 3 | 20.0 | text.txt; recipes: small; two cores |")


def test_another_run_takes_the_place_of_the_first(program):
    program(printed({"text": "30.5", "mean": 30.5}, None))
    lines = program(printed({"text": "–", "mean": None}, {"text": "31.0", "mean": 31.0}))
    assert [line.split("\t")[3:5] for line in lines[1:]] == [["UAS, arg max", "31.0"]]


def test_without_our_rows_a_page_has_the_published_ones(monkeypatch, tmp_path):
    shutil.copy(papers.paper_folder() / "on-lstm.yaml", tmp_path)
    monkeypatch.setattr(results, "load_paper", lambda name: papers.load_paper(name, tmp_path))
    assert "|  | ON-LSTM | LSTM |" in results.paper_table("on-lstm", "3.3").splitlines()
