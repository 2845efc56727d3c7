import tracemalloc

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from synparse.config.plain_yaml import plain_yaml, read_plain_yaml
from synparse.config.recipe import load_recipe, recipe_from, shipped_recipes
from synparse.trees.errors import DataError
from synparse.trees.limits import DEEPEST, LARGEST_SETTINGS


def test_plain_values_are_read():
    text = "a: 1\nb: -2.5\nc: [true, null, x, 'y z', \"\\u00e9\"]\nd: {e: 1e-3, f: 1.0e-3}\ng:\n- 0x1f\n"
    assert plain_yaml(text) == {
        "a": 1,
        "b": -2.5,
        "c": [True, None, "x", "y z", "é"],
        "d": {"e": "1e-3", "f": 1e-3},
        "g": [31],
    }
    assert plain_yaml("") is None


def test_half_a_surrogate_pair_is_a_question_mark():
    # A corpus whose name is not UTF-8 is written so.
    assert plain_yaml(yaml.safe_dump(["\udcff.txt"], allow_unicode=True)) == ["?.txt"]


def test_dates_are_text():
    assert plain_yaml("on-day: 2001-12-14\nat: 2001-99-99\n") == {"on-day": "2001-12-14", "at": "2001-99-99"}


BILLION_LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
MERGES = "a0: &a0 {x: 1}\n" + "".join(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}\n" for n in range(1, 40))


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (BILLION_LAUGHS, 2, "aliases"),
        (MERGES, 2, "aliases"),
        ("a: &a [*a]", 1, "aliases"),
        ("a: !!python/object:os.system {}", 1, "tags"),
        ("a: !!int ''", 1, "tags"),
        ("a: !!binary x", 1, "tags"),
        ("[" * 50_000, 1, "deep"),
        ("{a: " * 20_000, 1, "deep"),
        ("- " * 40_000, 1, "deep"),
        ("? " * 40_000, 1, "deep"),
        ("# many\n[" + "a," * 400_000 + "]", 2, "values"),
        ("x: 1\na: " + "9" * 5000, 2, "digits"),
        ("a: 1" + ":1" * 40_000, 1, "digits"),
        ("a: 1" + ":1" * 40_000 + ".5", 1, "digits"),
        ("a: 0x" + "f" * 90_000, 1, "digits"),
        ("a: 0b_", None, "not YAML"),
        ("a: 1\nb: 2\na: 3", 3, "appears twice"),
        ("1: a", 1, "no text"),
        ("on: a", 1, "no text"),
        ("? [a]\n: b", 1, "no text"),
        ('a: "\\Uffffffff"', None, "not YAML"),
        ("%YAML " + "9" * 5000 + ".1\n--- a", None, "not YAML"),
        ("a: 1\n--- \nb: 2", 2, "not YAML"),
        ("\x00", None, "not YAML"),
        ("a: [", 1, "not YAML"),
        ("a: b\n\tc: d", 2, "not YAML"),
    ],
)
def test_what_is_more_than_settings_need_is_refused_at_once(text, line, what, monkeypatch):
    monkeypatch.setattr("synparse.config.plain_yaml.MOST_VALUES", 2000)  # memory that is traced takes its time
    tracemalloc.start()
    try:
        with pytest.raises(DataError, match=what) as caught:
            plain_yaml(text, "file")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert caught.value.line == line
    assert len(str(caught.value).splitlines()) == 1
    assert peak < 20e6


def test_large_files_are_refused_unread(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_bytes(b"#" * LARGEST_SETTINGS)
    assert read_plain_yaml(path) is None
    with path.open("r+b") as stream:
        stream.truncate(10**12)  # takes no room on the disk
    with pytest.raises(DataError, match="larger than"):
        read_plain_yaml(path)


def test_files_that_are_no_text_are_reported(tmp_path):
    (tmp_path / "x.yaml").write_bytes(b"a: \xff")
    for path in (tmp_path / "x.yaml", tmp_path / "none.yaml", tmp_path):
        with pytest.raises(DataError, match=path.name):
            read_plain_yaml(path)


# PyYAML's own writer and reader disagree over control characters and strange line ends.
texts = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]))
scalars = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False) | texts
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=20)


def depth(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(depth, inner), default=0)


@given(values)
def test_what_pyyaml_writes_is_read_back(value):
    if depth(value) <= DEEPEST:
        assert plain_yaml(yaml.safe_dump(value, allow_unicode=True)) == value


@pytest.mark.parametrize("name", shipped_recipes())
def test_written_recipes_are_read_back(name):
    recipe = load_recipe(name)
    assert recipe_from(plain_yaml(yaml.safe_dump(recipe.as_mapping(), sort_keys=False))) == recipe
