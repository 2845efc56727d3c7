import pytest

from synparse.config.grammar import GrammarConfig
from synparse.config.recipe import load_recipe, recipe_from
from synparse.config.settings import settings_of
from synparse.trees.errors import SettingError


@pytest.mark.parametrize(
    ("name", "allowed", "refused"),
    [
        ("parts", ["all", "dependencies", "none"], ["grammars", True]),
        ("classes", [1, 1000], [0, 1001, 1.5]),
        ("sentences", [1], [0, -1]),
        ("longest", [2, 200], [1, 201]),
        ("stops", ["outermost", "head"], ["none"]),
        ("dependency_passes", [0, 1], [-1]),
        ("link_strength", [0.0, 1], [-0.1]),
        ("class_grammars", [1, 100], [0, 101]),
        ("class_grammar_sentences", [1], [0]),
        ("nonterminals", [1, 1000], [0, 1001]),
        ("grammar_passes", [0, 1], [-1]),
        ("span_strengths", [(0.5,), (1.0, 2.0)], [(-0.1,)]),
        ("focused_passes", [0, 10], [-1]),
        ("focused_nonterminals", [1, 1000], [0, 1001]),
        ("punctuation", ["evidence", "ignore"], ["drop"]),
    ],
)
def test_the_bounds_of_settings(name, allowed, refused):
    for value in allowed:
        assert getattr(settings_of(GrammarConfig, {name: value}, "grammar"), name) == value
    for value in refused:
        with pytest.raises(SettingError, match=rf"grammar\.{name} must be "):
            settings_of(GrammarConfig, {name: value}, "grammar")


def test_in_recipes_of_before_networks_teach_grammars_unless_they_learned_from_trees():
    def taught(**recipe):
        return [stage.settings for stage in recipe_from(recipe).grammars]

    assert taught(model="udgn") == [GrammarConfig()]
    assert taught(model="student") == []
    assert taught(model="student", grammar={"classes": 7}) == [GrammarConfig(classes=7)]


@pytest.mark.parametrize(("name", "parts"), [("grammar", "all"), ("dbm", "dependencies")])
def test_what_counts_has_grammar_settings_alone(name, parts):
    recipe = load_recipe(name)
    assert (recipe.networks, [stage.settings.parts for stage in recipe.grammars]) == ((), [parts])
    assert recipe_from(recipe.as_mapping()) == recipe
    with pytest.raises(SettingError, match="have no training settings, only grammar settings"):
        recipe_from({"model": name, "training": {"epochs": 3}})
    for setting in ("training.epochs=3", "architecture.layers=3"):
        with pytest.raises(SettingError, match=f"the recipe has no stage with {setting.partition('.')[0]} settings"):
            load_recipe(name, [setting])


def test_parameters_are_the_probabilities_of_all_grammars():
    # Two classes, that of punctuation included, for two conventions: root 2, stop 8, attach 16; two grammars of three
    # nonterminals: root 3, left and right 3 · 5 each.
    sizes = {"classes": 1, "class_grammars": 2, "nonterminals": 3}
    assert GrammarConfig(**sizes).parameters == 2 * (2 + 8 + 16) + 2 * (3 + 2 * 15)
    focused = GrammarConfig(**sizes, focused_passes=1, focused_nonterminals=4)
    assert focused.parameters == 2 * (2 + 8 + 16) + 2 * (3 + 2 * 15) + (4 + 2 * 24)
    assert GrammarConfig(**sizes, parts="dependencies").parameters == 2 * (2 + 8 + 16)
    assert GrammarConfig(**sizes, parts="none").parameters == 0
