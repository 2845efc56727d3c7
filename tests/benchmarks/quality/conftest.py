import sys
from pathlib import Path

import pytest

from benchmarks.quality import gold
from synparse.corpora.sentences import BRACKETS

SAMPLE = Path(__file__).resolve().parents[3] / "data" / "sample"


@pytest.fixture
def data(tmp_path):
    """A folder with the first sentences of the shipped sample in place of the treebanks."""
    trees = (SAMPLE / "gold.brackets").read_text(encoding="utf-8").splitlines(keepends=True)[:20]
    sentences = (SAMPLE / "gold.conllu").read_text(encoding="utf-8").split("\n\n")[:20]
    for source in gold.SOURCES[:4]:
        path = tmp_path / "data" / source.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(trees) if source.kind == BRACKETS else "\n\n".join(sentences) + "\n\n")
    return tmp_path / "data"


@pytest.fixture
def run(monkeypatch, tmp_path, data):
    """A function that runs a program with these arguments, the folder of gold files, and a table of its own, which it
    returns."""
    from synparse.files.tables import read_table

    def run(program, *arguments):
        more = ["--data", data, "--table", tmp_path / "table.tsv"]
        monkeypatch.setattr(sys, "argv", ["program", *map(str, (*arguments, *more))])
        program.main()
        return read_table(tmp_path / "table.tsv")

    return run
