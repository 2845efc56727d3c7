import math
from pathlib import Path

import numpy as np
import pytest

from synparse.trees.arguments import name_given, named_once, names_given, number_given
from synparse.trees.errors import SettingError


@pytest.mark.parametrize("given", ["a.txt", Path("a.txt"), ["a.txt"], (Path("a.txt"),), iter([Path("a.txt")])])
def test_one_name_may_stand_alone(given):
    assert names_given(given) == ("a.txt",)


def test_several_names_stay_in_their_order():
    assert names_given([Path("b"), "a"]) == ("b", "a")
    assert names_given(()) == ()


@pytest.mark.parametrize("given", [None, 5, [5], ["a", None], [b"a"], [["a"]]])
def test_what_is_no_name_is_refused(given):
    with pytest.raises(SettingError, match="a name or a path, or a list of these, is needed here, not "):
        names_given(given)


def test_a_path_in_other_words_is_the_same_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("a")
    assert named_once(["b", "a", "./a", "a/", "link", str(tmp_path / "b"), "c"]) == ["b", "a", "c"]


def test_only_paths_become_text():
    assert name_given(Path("a/b")) == str(Path("a/b"))
    assert [name_given(value) for value in ("a", None, 5)] == ["a", None, 5]


@pytest.mark.parametrize("value", [0, 1, 2.0, np.int64(3), np.float32(0.5)])
def test_a_number_in_its_range_is_taken(value):
    number = number_given("n", value, 0, 3, is_whole=False)
    assert number == value
    assert type(number) in (int, float)


@pytest.mark.parametrize(
    ("value", "bounds", "message"),
    [
        (-1, (0, 3), "n must be a whole number between 0 and 3, not -1"),
        (1.5, (0, 3), "n must be a whole number between 0 and 3, not 1.5"),
        ("2", (0, 3), "n must be a whole number between 0 and 3, not '2'"),
        (0, (1,), "n must be a whole number of at least 1, not 0"),
        (math.inf, (0, math.inf, False), "n must be a number of at least 0, not inf"),
        (math.nan, (0, 1, False), "n must be a number between 0 and 1, not nan"),
        (None, (0, 1, False), "n must be a number between 0 and 1, not None"),
    ],
)
def test_other_values_are_refused(value, bounds, message):
    with pytest.raises(SettingError) as caught:
        number_given("n", value, *bounds)
    assert str(caught.value) == message
