"""Values from YAML become settings, or one line says what is wrong."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import pytest
from msgspec import Meta

from synparse.config import renamed
from synparse.config.settings import LARGEST_NUMBER, recipe_of, refuse_unknown, settings_of
from synparse.trees.errors import SettingError


@dataclass(frozen=True)
class Settings:
    of_the_kind: ClassVar[str] = "the same for all settings, and none of them"
    size: Annotated[int, Meta(ge=1)] = 4
    rate: float = 0.5
    name: str = "a"
    is_on: bool = False
    kind: Literal["one", "two"] = "one"
    parts: tuple[str, ...] = ()

    def __post_init__(self):
        if self.size == 13:
            raise SettingError("thirteen is unlucky")


def read(values):
    return settings_of(Settings, values, "part")


def test_what_has_no_default_is_required():
    @dataclass(frozen=True)
    class Required:
        needed: str

    for values in ({}, None):
        with pytest.raises(SettingError, match=r"part\.needed is missing"):
            settings_of(Required, values, "part")


def test_nothing_is_the_defaults():
    assert read(None) == read({}) == Settings()


def test_values_become_settings():
    values = {"size": 7, "rate": 2, "name": "b", "is_on": True, "kind": "two", "parts": ["x", "y"]}
    assert read(values) == Settings(7, 2.0, "b", True, "two", ("x", "y"))
    assert read({"rate": "1e-3"}).rate == 1e-3  # as YAML 1.1 reads it
    assert read({"size": LARGEST_NUMBER}).size == LARGEST_NUMBER


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "part must be a mapping of settings"),
        ("size", "part must be a mapping of settings"),
        ({"siz": 1}, "unknown setting part.siz; did you mean part.size?"),
        ({"qqq": 1}, "unknown setting part.qqq; there are size, rate, name, is_on, kind, parts"),
        ({"of_the_kind": "b"}, "unknown setting part.of_the_kind; there are size, rate, name, is_on, kind, parts"),
        ({3: 1}, "unknown setting part.3; there are size, rate, name, is_on, kind, parts"),
        ({"size": 0}, "part.size must be a whole number of at least 1, not 0"),
        ({"size": 1.5}, "part.size must be a whole number, not 1.5"),
        ({"size": True}, "part.size must be a whole number, not True"),
        ({"size": LARGEST_NUMBER + 1}, f"part.size must be at most {LARGEST_NUMBER}, not {LARGEST_NUMBER + 1}"),
        ({"rate": "much"}, "part.rate must be a number, not 'much'"),
        ({"rate": float("inf")}, "part.rate must be a finite number, not inf"),
        ({"rate": "nan"}, "part.rate must be a finite number, not nan"),
        ({"parts": ["x", float("inf")]}, "part.parts must be a finite number, not inf"),
        ({"name": 3}, "part.name must be text, not 3"),
        ({"is_on": 1}, "part.is_on must be true or false, not 1"),
        ({"kind": "three"}, "part.kind must be one of one, two, not 'three'"),
        ({"parts": [1]}, "part.parts must be a list of text, not [1]"),
        ({"size": 13}, "part: thirteen is unlucky"),
    ],
)
def test_other_values_are_refused(values, message):
    with pytest.raises(SettingError) as caught:
        read(values)
    assert str(caught.value) == message


def test_names_of_version_0_1_are_read(monkeypatch):
    monkeypatch.setitem(renamed.SETTINGS, "extent", "size")
    assert read({"extent": 3}) == Settings(3)


def test_known_names_pass():
    refuse_unknown(["a", "b"], ("a", "b", "c"), "")
    with pytest.raises(SettingError, match=r"unknown setting trainin; did you mean training\?"):
        refuse_unknown(["trainin"], ("training",), "")


def test_a_recipe_is_a_mapping_of_known_keys():
    @dataclass(frozen=True)
    class Small:
        name: str
        training: dict

    values = {"name": "x"}
    assert recipe_of(values, Small) is values
    for wrong, message in (
        (3, "a recipe is a mapping with the keys name, training"),
        ({"nam": ""}, "did you mean name"),
    ):
        with pytest.raises(SettingError, match=message):
            recipe_of(wrong, Small)
