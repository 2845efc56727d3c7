import json
import math
from types import SimpleNamespace

import numpy as np
import pytest

from synparse.config.grammar import GrammarConfig
from synparse.config.recipe import load_recipe
from synparse.files.folders import save_together
from synparse.store.model_directory import RUN
from synparse.store.models import GrammarSet
from synparse.training import progress
from synparse.training.progress import RunState, read_run
from synparse.training.reading import RunSettings
from synparse.trees.errors import DataError

SETTINGS = RunSettings(("/a/corpus.txt",), "/a/valid.txt", raw=True, minutes=2.5, seed=7)


@pytest.fixture
def state():
    """A run in its second group of stages."""
    grammar_set = GrammarSet("grammars-1", ("grammar-1",), GrammarConfig(classes=12), {"classes": 12})
    return RunState(
        *(
            load_recipe("default"),
            SETTINGS,
            2,
            1,
            ["student-1"],
            0,
            ["grammar-1", "grammars-1", "student-1", "trees-1"],
            ["udgn-4"],
        ),
        **{"not_taken": [3], "members": ["grammar-1"], "sets": [grammar_set], "trees": "trees-1.jsonl"},
        **{"has_parser": True, "records": [{"number": 1, "minutes": 0.5}]},
        **{"corpus": {"sha256": "x"}, "rates": {"grammars": 2.0}, "seconds": 9.0},
    )


def test_what_is_read_is_what_was_written(state, tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: state.began + 11))
    save_together(tmp_path, state.file())
    stored = read_run(tmp_path)
    state.seconds, stored.began = 20.0, state.began  # the time so far
    assert stored == state


def test_numbers_of_numpy_are_saved(state, tmp_path):
    state.settings = RunSettings(("/a/corpus.txt",), minutes=np.float32(2), seed=np.int64(3))
    save_together(tmp_path, state.file())
    assert read_run(tmp_path).settings == RunSettings(("/a/corpus.txt",), minutes=2, seed=3)


def test_time_is_that_of_all_parts_of_the_run(state, monkeypatch):
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: state.began + 11))
    assert (state.spent(), state.left()) == (20, 130)
    state.settings = RunSettings(())
    assert state.left() == math.inf


def test_names_are_new(state):
    assert [state.new_name("student"), state.new_name("grammars")] == ["student-2", "grammars-2"]
    assert [state.new_name("udgn"), state.new_name("udgn")] == ["udgn-5", "udgn-6"]  # udgn-4 is there until it goes
    assert state.new_name("on-lstm") == "on-lstm-1"
    state.earlier = None
    assert state.new_name("udgn") == "udgn-7"


@pytest.mark.parametrize(
    "change",
    [
        {"format": 0},
        {"format": None},
        {"recipe": {"stages": []}},
        {"settings": {"corpus": 3}},
        {"settings": None},
        {"sets": [{"folder": "x"}]},
        {"settings": {"corpus": ["a"], "minutes": "5"}},
        {"names": 3},
        {"names": ["../x-1"]},
        {"earlier": ["/x-1"]},
        {"members": ["udgn-9"]},
        {"trees": "../x.jsonl"},
        {"stages": "1"},
        {"stages": 99},
        {"groups": -1},
        {"units_done": 2},
        {"sizes": {"x": 5}},
        {"sizes": {"parts": 5}},
        {"sizes": {"sentences": -1}},
        {"rates": []},
        {"colour": "red"},
    ],
)
def test_damage_is_told(state, tmp_path, change):
    values = json.loads(state.file()[RUN])
    (tmp_path / RUN).write_text(json.dumps({**values, **change}))
    message = "begun by another version of synparse" if "format" in change else "damaged checkpoint"
    with pytest.raises(DataError, match=message) as caught:
        read_run(tmp_path)
    assert str(tmp_path / RUN) in str(caught.value)


@pytest.mark.parametrize("content", ["", "[]", "{", "3", '{"format": 1}', "[" * 100_000])
def test_what_is_no_run_is_told(tmp_path, content):
    (tmp_path / RUN).write_text(content)
    with pytest.raises(DataError, match=r"damaged checkpoint|another version"):
        read_run(tmp_path)
