import shutil
from dataclasses import replace

import pytest
import yaml

from synparse.store.calibrations import (
    Calibration,
    calibration_file,
    calibration_of,
    directory_of,
    read_calibration,
    save_calibration,
)
from synparse.store.info import info
from synparse.store.models import open_model
from synparse.trees.calibration import CalibrationMap
from synparse.trees.errors import DataError, SettingError

KNOWN = Calibration(
    CalibrationMap((0.1, 0.9), (0.3, 0.8)), None, "evidence", "leaves", None, "grammar", ("dev.conllu", "ä.conllu")
)


def test_a_file_and_a_directory_give_back_what_was_written(tmp_path, tiny_udgn):
    path, model = tmp_path / "c.yaml", shutil.copytree(tiny_udgn, tmp_path / "model")
    before = open_model(model)
    for calibration in (KNOWN, Calibration(spans=CalibrationMap((0.0,), (1.0,)))):
        path.write_text(calibration_file(calibration), encoding="utf-8")
        assert read_calibration(path) == calibration
        save_calibration(model, calibration)
        save_calibration(model, calibration)
        assert calibration_of(open_model(model)) == calibration
        after = open_model(model)
        assert after.confidence == yaml.safe_load(path.read_text(encoding="utf-8"))
        assert replace(after, confidence=None) == before
        told = "supervised: odd sentences of dev.conllu; ä.conllu" if calibration.gold else "supervised"
        assert info(str(model))["calibration"] == told
    assert calibration_of(open_model(tiny_udgn)) is None


def test_a_directory_of_before_keeps_it(tmp_path, tiny_udgn, fixtures):
    model = shutil.copytree(tiny_udgn, tmp_path / "model")
    text = (fixtures / "older" / "network.yaml").read_text(encoding="utf-8")
    known = "".join(f"    {line}\n" for line in calibration_file(KNOWN).splitlines())
    (model / "config.yaml").write_text(f"{text}parse:\n  confidence:\n{known}", encoding="utf-8")
    assert calibration_of(open_model(model)) == KNOWN
    save_calibration(model, replace(KNOWN, punctuation="ignore"))
    assert calibration_of(open_model(model)) == replace(KNOWN, punctuation="ignore")


def test_arcs_and_spans_may_be_calibrated_one_after_the_other(tmp_path, tiny_udgn):
    model, spans = shutil.copytree(tiny_udgn, tmp_path / "model"), CalibrationMap((0.0,), (1.0,))
    save_calibration(model, KNOWN)
    of_spans = Calibration(None, spans, "evidence", "leaves", "grammar", None, ("dev.ptb",))
    save_calibration(model, of_spans)
    both = replace(KNOWN, spans=spans, brackets="grammar", gold=("dev.conllu", "ä.conllu", "dev.ptb"))
    assert calibration_of(open_model(model)) == both
    again = replace(KNOWN, arcs=CalibrationMap((0.5,), (0.5,)))
    save_calibration(model, again)
    assert calibration_of(open_model(model)) == replace(
        both, arcs=again.arcs, gold=("dev.ptb", "dev.conllu", "ä.conllu")
    )
    save_calibration(model, replace(of_spans, function_words="free"))  # sentences were parsed in another way
    assert calibration_of(open_model(model)) == replace(of_spans, function_words="free")


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([], "parsing.confidence must be a mapping"),
        ({"arcs": {"log_odds": [0.1], "fitted": [2]}}, "parsing.confidence.arcs: .*fitted must be probabilities"),
        ({"arcs": {"log_odds": ["a"], "fitted": [1]}}, "parsing.confidence.arcs.log_odds must be"),
        ({"spans": {}}, "parsing.confidence.spans: .*one at least"),
        ({"arks": {}}, "arks"),
        ({"punctuation": 3}, "parsing.confidence.punctuation must be"),
    ],
)
def test_damaged_ones_are_refused(tmp_path, tiny_udgn, values, reason):
    model = shutil.copytree(tiny_udgn, tmp_path / "model")
    config = yaml.safe_load((model / "config.yaml").read_text(encoding="utf-8"))
    config["parsing"]["confidence"] = values
    (model / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    with pytest.raises(DataError, match=f"damaged calibration: .*{reason}"):
        calibration_of(open_model(model))


def test_the_description_of_a_model_is_no_calibration(tiny_udgn):
    with pytest.raises(DataError, match="describes a model, whose calibration is used without --calibration"):
        read_calibration(tiny_udgn / "config.yaml")


def test_models_that_are_not_the_users_are_not_written_to(tiny_udgn, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "german").mkdir()  # of texts
    for name in ("english", "german", "balanced"):
        with pytest.raises(SettingError, match="--output"):
            directory_of(name)
    assert directory_of(str(tiny_udgn)) == tiny_udgn
