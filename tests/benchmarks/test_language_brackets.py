import gzip
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from synparse.trees.errors import SettingError

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "language_brackets.py"

FLORESTA = (
    "(STA+fcl (SUBJ+np (>N+art O) (H+n comboio)) (PU ,) (P+v-fin chega) "
    "(ADVL+pp (H+prp em_vez_de) (P<+n mim)) (PU .))\n"
)
SINICA = "(S (NP (Nhaa 我們)) (V_11 是) (NP (Nab 鄰居)))\n"


@pytest.fixture
def data(tmp_path):
    for name, trees in (("pt/trees-floresta-dev", FLORESTA), ("zh/trees-sinica", SINICA)):
        (tmp_path / name).parent.mkdir()
        with gzip.open(tmp_path / f"{name}.ptb.gz", "wt", encoding="utf-8") as out:
            out.write(trees)
    return tmp_path


@pytest.fixture
def program():
    return runpy.run_path(str(SCRIPT))


def test_a_row_for_each_parser_by_hand(data):
    """Scored are "O comboio chega em vez de mim": gold has (0, 2), the unit (3, 6) and (3, 7), a parser five spans."""
    command = [sys.executable, SCRIPT, data, data / "no-models", "--languages", "pt"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    header, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert header[3:] == ["parser", "UF1 sentence", "UF1 corpus", "UF1 shen2018"]
    assert {row[3]: row[4:] for row in rows if row[3] != "random"} == {
        "left-branching": ["25.00"] * 3,  # (0, 2)
        "right-branching": ["25.00"] * 3,  # (3, 7)
        "balanced": ["25.00"] * 3,  # (0, 2), beside (0, 4), (2, 4), (4, 7) and (4, 6)
        "ceiling": ["75.00"] * 3,
        "right-branching, punctuation": ["50.00"] * 3,  # cut at the comma: (0, 2) and (3, 7)
    }


def test_characters_are_simplified_as_in_taiwan(data, program, monkeypatch):
    tables = {"tw2s": str.maketrans("們鄰", "们邻")}
    stub = SimpleNamespace(OpenCC=lambda name: SimpleNamespace(convert=lambda text: text.translate(tables[name])))
    monkeypatch.setitem(sys.modules, "opencc", stub)
    gold = program["gold_brackets"](data, program["TREEBANKS"]["zh"])
    assert gold == "(S (NP (Nhaa 我们)) (V_11 是) (NP (Nab 邻居)))\n"


def test_without_opencc_sinica_is_left_out_and_a_line_says_so(data, program, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "opencc", None)  # importing it fails
    with pytest.raises(SettingError, match="traditional characters, so it is left out: pip install opencc"):
        program["gold_brackets"](data, program["TREEBANKS"]["zh"])
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), str(data), str(data), "--languages", "zh"])
    program["main"]()
    printed = capsys.readouterr()
    assert printed.out.count("\n") == 1
    assert printed.err == "Sinica is in traditional characters, so it is left out: pip install opencc\n"
