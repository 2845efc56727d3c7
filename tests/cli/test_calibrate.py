"""`synparse calibrate` as a user types it."""

import json
import shutil
import subprocess
import sys

import pytest
import yaml

from synparse.files.folders import exclusive_lock
from synparse.training.given_trees import fingerprint
from tests.cli.commands import SAMPLE, printed, synparse

TREES, HEADS = SAMPLE / "gold.brackets", SAMPLE / "gold.conllu"


@pytest.fixture(scope="module")
def model(tmp_path_factory, tiny_taught):
    return shutil.copytree(tiny_taught, tmp_path_factory.mktemp("calibrated") / "model")


def test_a_calibrated_model_gives_fitted_probabilities(model, tmp_path):
    text = synparse("calibrate", model, TREES, HEADS, "--report", tmp_path / "page.html")
    assert text.startswith(f"probabilities of {model}, supervised: ")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert page.count('class="plot"') == 2
    values = json.loads(synparse("calibrate", model, TREES, HEADS, "--json", "-o", tmp_path / "maps.yaml"))
    for name in ("arcs", "spans"):
        scores = values[name]
        assert f"\n{name} of " in text
        assert f"right, all{100 * scores['precision']:31.2f}\n" in text
        assert scores["fitted_error"] < scores["raw_error"] / 4
        for kind in ("raw", "fitted"):
            assert sum(group["number"] for group in scores[kind]) == scores["number"]
    (tmp_path / "text.txt").write_text("the dog barks .\n")
    parse = ("parse", tmp_path / "text.txt", "-m", model, "--confidence", "fitted", "-f", "json")
    known = synparse(*parse)
    assert len(json.loads(known)["head_probabilities"]) == 4
    assert synparse(*parse, "--calibration", tmp_path / "maps.yaml") == known
    assert synparse(*parse, "--jobs", 2) == known
    assert "Confidence=" in synparse("parse", tmp_path / "text.txt", "-m", model, "--confidence", "fitted")
    # Without --confidence, the calibration of the model counts, and no probability is written.
    marked = synparse("parse", tmp_path / "text.txt", "-m", model, "--min-confidence", 1)
    assert marked == synparse("parse", tmp_path / "text.txt", "-m", model).replace(
        "\t_\t_\n", "\t_\tUncertain=Yes\n", 3
    )


def test_a_map_that_is_lost_is_a_note(tiny_taught, tmp_path):
    model = shutil.copytree(tiny_taught, tmp_path / "model")
    arcs = ["calibrate", model, HEADS, "--punctuation", "evidence"]
    notes = [printed(*arguments).err for arguments in ([*arcs, TREES], arcs, [*arcs, "--function-words", "leaves"])]
    assert notes == ["", "", "synparse: the map of spans that was there is gone: it was for other options\n"]


def test_trees_that_the_model_has_learned_are_told(tiny_taught, tmp_path):
    model = shutil.copytree(tiny_taught, tmp_path / "model")
    config = yaml.safe_load((model / "config.yaml").read_text(encoding="utf-8"))
    learned = {"files": ["gold.conllu"], "sha256": fingerprint([str(HEADS)]), "sentences": 9}
    config["provenance"].setdefault("corpus", {})["given_trees"] = learned
    (model / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    assert printed("calibrate", model, HEADS, TREES).err == (
        f"synparse: {model} has learned trees of {HEADS}, {TREES}, so it is surer of them than of other sentences\n"
    )


def test_a_directory_that_another_process_writes_is_left_alone(model):
    before = (model / "config.yaml").read_bytes()
    with exclusive_lock(model):
        assert "another process is writing to it" in synparse("calibrate", model, HEADS, code=1)
    assert (model / "config.yaml").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["missing", TREES], 1, "missing: no such model"),
        (["english", TREES], 2, "name a file for the calibration by --output"),
        (["balanced", TREES, "-o", "x"], 2, "the baseline balanced has no probabilities"),
        (["missing"], 2, "Missing argument 'GOLD...'"),
    ],
)
def test_errors_are_one_line(arguments, code, message, tmp_path):
    assert message in synparse("calibrate", *arguments, code=code, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_warning_of_the_parser_is_a_note(model, tmp_path):
    """Of Python, it would be two lines with the path of a module."""
    rows = "".join(f"{number}\tx{number}\t_\t_\t_\t_\t{number - 1}\tdep\t_\t_\n" for number in range(1, 11))
    (tmp_path / "gold.conllu").write_text(f"{rows}\n" * 9)
    arguments = ["calibrate", str(model), "gold.conllu", "-o", "out"]
    done = subprocess.run(
        [sys.executable, "-m", "synparse", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    note, few = done.stderr.splitlines()
    assert note.startswith("synparse: 100 % of the first ")
    assert few == "synparse: arcs: fitted on 50 only, which says little"
