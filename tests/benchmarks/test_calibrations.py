"""The program that calibrates the shipped models."""

import shutil

import pytest

from benchmarks import calibrations
from benchmarks.calibrations import Case, GoldFile, calibrated, mean_map, mean_of, rows, save
from synparse.parsing.options import ParserOptions
from synparse.scoring.confidence import confidence_scores
from synparse.store.calibrations import Calibration, calibration_of, mean_calibration, read_calibration
from synparse.store.models import open_model
from synparse.store.shipped import shipped_models
from synparse.trees.calibration import GROUPS, CalibrationMap

LOW, HIGH = CalibrationMap((-1.0, 1.0), (0.2, 0.4)), CalibrationMap((-1.0, 1.0), (0.6, 1.0))


def test_the_mean_of_maps_is_their_mean_at_every_point():
    assert mean_map([LOW] * GROUPS) == LOW
    assert mean_map([LOW, HIGH] * GROUPS) == CalibrationMap((-1.0, 1.0), (0.4, 0.7))
    steep = CalibrationMap(tuple(map(float, range(GROUPS))), tuple(number / GROUPS for number in range(GROUPS)))
    assert mean_map([steep]) == steep


def test_the_mean_of_calibrations_is_for_all_parses():
    known = [Calibration(LOW, HIGH, "evidence", "leaves", "grammar", "grammar", ("a",)), Calibration(HIGH, gold=("b",))]
    mean = mean_of([*known, *known] * GROUPS)
    assert mean == Calibration(CalibrationMap((-1.0, 1.0), (0.4, 0.7)), HIGH, gold=("a", "b"))


def test_the_mean_that_is_shipped_is_that_of_the_shipped_models():
    assert mean_of(filter(None, map(calibration_of, map(open_model, shipped_models())))) == mean_calibration()


@pytest.fixture(scope="module")
def case(tiny_taught, tmp_path_factory):
    sample = calibrations.ROOT / "data" / "sample" / "gold.conllu"
    path = tmp_path_factory.mktemp("gold") / "dev.conllu"
    path.write_text("\n\n".join(sample.read_text(encoding="utf-8").split("\n\n")[:40]) + "\n\n", encoding="utf-8")
    gold = {"arcs": GoldFile(path, "the treebank")}
    return Case("tiny", str(tiny_taught), gold, ParserOptions(function_words="leaves"), "grammar")


def test_a_row_measures_even_sentences(case):
    result = calibrated(case)
    known = result.calibration
    assert known.gold == ("the treebank",)
    even = result.arcs.of_sentences(odd=False)
    scores = confidence_scores(even.probabilities, known.arcs.of(even.probabilities), even.right)
    [row] = rows(case, result, known, Calibration(arcs=HIGH))
    assert (row["parser"], row["gold"], row["of"]) == ("tiny", "the treebank", "arcs")
    assert row["options"] == "--function-words leaves --decode-brackets grammar"
    assert (row["number"], row["precision"]) == (str(scores["number"]), f"{100 * scores['precision']:.1f}")
    assert (row["ECE raw"], row["ECE fitted"]) == (
        f"{100 * scores['raw_error']:.1f}",
        f"{100 * scores['fitted_error']:.1f}",
    )
    brier = ((HIGH.of(even.probabilities) - even.right) ** 2).mean()
    assert row["Brier mean"] == f"{brier:.3f}"
    [other] = rows(case, result, None, known)
    assert "ECE fitted" not in other
    assert other["ECE mean"] == row["ECE fitted"]


def test_maps_are_saved_beside_the_models(tiny_taught, tmp_path, monkeypatch):
    monkeypatch.setattr(calibrations, "MODELS", tmp_path)
    monkeypatch.setattr(calibrations, "model_folder", lambda name: tmp_path / name)
    (tmp_path / "calibrations").mkdir()
    before = shutil.copytree(tiny_taught, tmp_path / "a") / "grammars-1" / "grammar.safetensors"
    known = Calibration(HIGH, LOW, gold=("x",))
    save({"a": known})
    assert calibration_of(open_model(tmp_path / "a")) == known
    assert read_calibration(tmp_path / "calibrations" / "mean.yaml") == known
    assert before.read_bytes() == (tiny_taught / "grammars-1" / "grammar.safetensors").read_bytes()
