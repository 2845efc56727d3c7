import shutil

import pytest

from synparse.store.info import info
from synparse.trees.errors import DataError
from synparse.trees.trivial import TRIVIAL_PARSERS


def test_models_with_a_name_are_listed():
    listed = info()
    assert listed.keys() >= TRIVIAL_PARSERS.keys()
    assert listed["chain"] == "brackets and heads (trivial: needs no training)"


def test_a_model_is_described(tiny_udgn):
    description = info(str(tiny_udgn))
    assert (description["kind"], description["gives"]) == ("udgn", "brackets and heads")
    assert description.keys() == {
        *("model", "kind", "gives", "parameters", "parsing", "calibration", "members", "grammars", "provenance"),
    }
    assert description["calibration"] == "supervised: the mean of those of the shipped models"
    [(name, member)] = description["members"].items()
    assert name == "udgn-1"
    assert member.keys() == {"kind", "parameters", "recipe", "provenance", "structure"}
    assert member["recipe"]["architecture"]["hidden_size"] == 16
    assert member["parameters"] == description["parameters"] > 1000
    assert description["provenance"] == member["provenance"]


def test_a_run_is_described(tiny_udgn, tiny_taught):
    description = info(str(tiny_udgn.parent))
    assert [stage.get("network") or stage["grammars"] for stage in description["recipe"]["stages"]] == ["udgn"]
    assert [stage["stage"] for stage in description["provenance"]["stages"]] == ["udgn"]
    assert description["members"] == info(str(tiny_udgn))["members"]
    [(name, grammars)] = info(str(tiny_taught))["grammars"].items()
    assert (name, grammars["taught by"]) == ("grammars-1", ["udgn-1"])
    assert grammars.keys() == {"taught by", "parameters", "settings", "provenance"}


def test_grammars_give_heads_and_have_parameters(tiny_taught, tiny_grammar, tiny_udgn):
    alone, taught, network = (info(str(directory)) for directory in (tiny_grammar, tiny_taught, tiny_udgn))
    assert (alone["kind"], alone["gives"]) == ("grammar", "brackets and heads")
    assert alone["members"]["grammar-1"]["recipe"]["training"] is None
    assert alone["parsing"] == {
        **{"punctuation": "evidence", "function_words": "leaves"},
        **{"brackets": "default", "heads": "default"},
    }
    # A network that taught grammars has a few more words here, no more.
    assert taught["parameters"] - network["parameters"] == alone["parameters"] > 1000


def test_an_unknown_model_is_told():
    with pytest.raises(DataError, match="missing: no such model"):
        info("missing")


def test_the_entropy_of_the_structure_is_told_by_epoch(tiny_udgn, tiny_student):
    for directory in (tiny_udgn, tiny_student):
        [member] = info(str(directory))["members"].values()
        last = max(member["structure"])
        assert member["structure"][last].keys() == {"entropy of heads"}
        assert 0 <= member["structure"][last]["entropy of heads"] <= 1


@pytest.mark.parametrize("damaged", [b"{", b"\xff", b"[" * 100_000])
def test_a_damaged_log_is_told(tiny_udgn, tmp_path, damaged):
    model = shutil.copytree(tiny_udgn, tmp_path / "model")
    (model / "log.jsonl").write_bytes(damaged)
    with pytest.raises(DataError, match="damaged log"):
        info(str(model))
