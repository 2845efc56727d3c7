"""The demo ends with a parser that is better than every one that learns nothing, on any machine."""

import sys
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2] / "data"
sys.path.insert(0, str(DATA))

import demo  # noqa: E402

from synparse.config.recipe import GrammarStage, load_recipe  # noqa: E402


def test_the_demo_learns_the_same_whatever_the_machine_and_its_load():
    """No network, whose passes take minutes somewhere, and no limit of time."""
    recipe = load_recipe(str(DATA / "demo.yaml"))
    assert all(isinstance(stage, GrammarStage) for stage in recipe.stages)
    assert "--minutes" not in Path(demo.__file__).read_text(encoding="utf-8")


@pytest.mark.long
def test_the_demo_beats_all_that_learns_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(demo, "OUTPUT", tmp_path)
    monkeypatch.chdir(tmp_path)
    rows = demo.main()
    trained, others = rows["trained model"], [scores for name, scores in rows.items() if name != "trained model"]
    assert all(ours > max(theirs) for ours, *theirs in zip(trained, *others, strict=True))
    uas, uuas = trained[2:]
    assert uas >= 55
    assert uuas >= 65
    assert "trained model" in capsys.readouterr().out
