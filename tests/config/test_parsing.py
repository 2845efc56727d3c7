"""How a model parses by default: the parsing section of recipes."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.config.parsing import ParsingConfig, agreed
from synparse.config.recipe import load_recipe, recipe_from, shipped_recipes
from synparse.config.settings import settings_of
from synparse.inducers.table import BASELINES
from synparse.trees.errors import SettingError

CONFIGS = st.builds(
    ParsingConfig,
    st.sampled_from(["ignore", "evidence"]),
    st.sampled_from(["free", "leaves", "adpositions"]),
    st.sampled_from(["default", "grammar", "unbiased"]),
    st.sampled_from(["default", "mst"]),
)


@pytest.mark.parametrize(
    ("name", "allowed", "refused", "message"),
    [
        ("punctuation", ["ignore", "evidence"], "drop", "one of ignore, evidence, not 'drop'"),
        ("function_words", ["free", "leaves", "adpositions"], "stems", "one of free, leaves, adpositions, not 'stems'"),
        ("brackets", ["default", "grammar", "projective"], "mst", "one of grammar, .*, default, not 'mst'"),
        ("heads", ["default", "mst", "phrases"], "splits", "one of mst, .*, default, not 'splits'"),
    ],
)
def test_the_choices_of_each_setting(name, allowed, refused, message):
    for value in allowed:
        assert getattr(load_recipe("udgn-small", [f"parsing.{name}={value}"]).parsing, name) == value
    for value in (refused, None, True):
        with pytest.raises(SettingError, match=rf"parsing\.{name} must be one of "):
            settings_of(ParsingConfig, {name: value}, "parsing")
    with pytest.raises(SettingError, match=rf"parsing\.{name} must be {message}"):
        load_recipe("udgn-small", [f"parsing.{name}={refused}"])


def test_recipes_without_the_section_parse_as_before_there_was_one():
    old = load_recipe("udgn-small").as_mapping()
    del old["parsing"]
    assert recipe_from(old).parsing == ParsingConfig("ignore", "free", "default", "default")
    assert recipe_from({**old, "parsing": {"punctuation": "evidence"}}).parsing == ParsingConfig("evidence")


def test_recipes_of_papers_parse_as_papers_do_and_the_others_by_what_helps():
    for name in shipped_recipes():
        recipe = load_recipe(name)
        parsing = recipe.parsing
        if name.endswith("-ptb") or any(stage.model in BASELINES for stage in recipe.networks):
            assert parsing == ParsingConfig()
        else:
            assert parsing == ParsingConfig("evidence", "free" if name in ("student-small", "udgn-tiny") else "leaves")


@given(st.lists(CONFIGS, max_size=4), CONFIGS)
def test_what_all_records_agree_in_holds_and_the_rest_is_as_without_records(records, record):
    assert agreed([]) == ParsingConfig()
    assert agreed([record]) == agreed([record, record]) == record
    shared = agreed(records)
    assert shared == agreed(reversed(records))
    for name in ("punctuation", "function_words", "brackets", "heads"):
        values = [getattr(record, name) for record in records]
        is_agreed = bool(values) and values.count(values[0]) == len(values)
        assert getattr(shared, name) == (values[0] if is_agreed else getattr(ParsingConfig(), name))


def test_one_setting_may_differ():
    record = ParsingConfig("evidence", "leaves", "grammar", "mst")
    assert agreed([record, replace(record, punctuation="ignore")]) == replace(record, punctuation="ignore")
    assert agreed([record, replace(record, heads="argmax")]) == replace(record, heads="default")
