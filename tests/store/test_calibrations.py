import shutil

import pytest
import yaml

from synparse.store.bundle import open_model
from synparse.store.calibrations import (
    Calibration,
    calibration_file,
    calibration_of,
    directory_of,
    read_calibration,
    save_calibration,
)
from synparse.trees.calibration import CalibrationMap
from synparse.trees.errors import DataError, SettingError

KNOWN = Calibration(
    CalibrationMap((0.1, 0.9), (0.3, 0.8)), None, "evidence", "leaves", None, "grammar", ("dev.conllu", "ä.conllu")
)
BUNDLE = {"members": {"heads": ["a"]}, "parse": {"punctuation": "evidence"}}


def test_a_file_and_a_directory_give_back_what_was_written(tmp_path):
    path = tmp_path / "c.yaml"
    for one in (KNOWN, Calibration(spans=CalibrationMap((0.0,), (1.0,)))):
        path.write_text(calibration_file(one), encoding="utf-8")
        assert read_calibration(path) == one
        (tmp_path / "config.yaml").write_text(yaml.safe_dump(BUNDLE))
        assert calibration_of(str(tmp_path)) is None
        save_calibration(tmp_path, one)
        save_calibration(tmp_path, one)
        assert calibration_of(str(tmp_path)) == one
        values = yaml.safe_load((tmp_path / "config.yaml").read_text())
        assert values["parse"].pop("confidence")
        assert values == BUNDLE


def test_models_load_with_one(tmp_path, tiny_grammar):
    shutil.copytree(tiny_grammar, tmp_path / "a")
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(BUNDLE))
    for directory in (tmp_path, tmp_path / "a"):
        before = open_model(directory)
        save_calibration(directory, KNOWN)
        assert open_model(directory) == before


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([], "parse.confidence must be a mapping"),
        ({"arcs": {"log_odds": [0.1], "fitted": [2]}}, "parse.confidence.arcs: .*fitted must be probabilities"),
        ({"arcs": {"log_odds": ["a"], "fitted": [1]}}, "parse.confidence.arcs.log_odds must be"),
        ({"spans": {}}, "parse.confidence.spans: .*one at least"),
        ({"arks": {}}, "arks"),
        ({"punctuation": 3}, "parse.confidence.punctuation must be"),
    ],
)
def test_damaged_ones_are_refused(tmp_path, values, reason):
    (tmp_path / "config.yaml").write_text(yaml.safe_dump({"parse": {"confidence": values}}))
    with pytest.raises(DataError, match=f"damaged calibration: .*{reason}"):
        calibration_of(str(tmp_path))


def test_models_that_are_not_the_users_are_not_written_to(tmp_path):
    for name in ("english", "balanced"):
        with pytest.raises(SettingError, match="--output"):
            directory_of(name)
    assert directory_of(str(tmp_path)) == tmp_path
