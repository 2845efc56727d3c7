from pathlib import Path

import pytest

from synparse.trees.arguments import name_given, names_given
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


def test_only_paths_become_text():
    assert name_given(Path("a/b")) == str(Path("a/b"))
    assert [name_given(value) for value in ("a", None, 5)] == ["a", None, 5]
