import gzip
import sys
from types import SimpleNamespace

import pytest

from benchmarks.languages.brackets import clean_brackets
from synparse.trees.errors import SettingError


@pytest.fixture
def written(tmp_path):
    def write(name, trees):
        with gzip.open(tmp_path / name, "wt", encoding="utf-8") as out:
            out.write(trees)
        return tmp_path / name

    return write


def test_multiword_units_are_split(written):
    path = written("trees-floresta.ptb.gz", "(STA+fcl (H+n comboio) (PU ,) (H+prp em_vez_de) (PU .))\n")
    assert "(em) (vez) (de)" in clean_brackets(path).replace("(H+prp ", "(").replace("(_ ", "(")


SINICA = "(S (NP (Nhaa 我們)) (V_11 是) (NP (Nab 鄰居)))\n"


def test_characters_are_simplified_as_in_taiwan(written, monkeypatch):
    tables = {"tw2s": str.maketrans("們鄰", "们邻")}
    stub = SimpleNamespace(OpenCC=lambda name: SimpleNamespace(convert=lambda text: text.translate(tables[name])))
    monkeypatch.setitem(sys.modules, "opencc", stub)
    assert clean_brackets(written("trees-sinica.ptb.gz", SINICA)) == SINICA.replace("們", "们").replace("鄰", "邻")


def test_without_opencc_a_line_says_what_is_missing(written, monkeypatch):
    monkeypatch.setitem(sys.modules, "opencc", None)  # importing it fails
    with pytest.raises(SettingError, match="traditional characters, so it is left out: pip install opencc"):
        clean_brackets(written("trees-sinica.ptb.gz", SINICA))
