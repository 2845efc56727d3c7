import pytest
import yaml

from synparse.config.recipe import recipe_folder
from synparse.config.settings import plain_settings
from synparse.language_models.tuning_recipe import load_tuning_recipe, tuning_recipe_from
from synparse.trees.errors import DataError, SettingError


@pytest.mark.parametrize("name", ["similarity-small", "similarity-paper"])
def test_the_shipped_recipes_name_every_setting(name):
    recipe = load_tuning_recipe(name, "udgn-1")
    written = yaml.safe_load((recipe_folder() / "similarity" / f"{name}.yaml").read_text(encoding="utf-8"))
    assert set(written["training"]) == set(plain_settings(recipe)["training"])
    assert {"about", "expected_time"} <= set(written)
    assert tuning_recipe_from(plain_settings(recipe)) == recipe


def test_settings_change_and_wrong_ones_are_told():
    recipe = load_tuning_recipe("similarity-small", "m", ["training.freeze_parser=true", "training.learning_rate=1e-4"])
    assert recipe.training.freeze_parser
    assert recipe.training.learning_rate == 1e-4
    for override, message in {
        "training.freeze=true": "did you mean training.freeze_parser",
        "training.schedule=plateau": "one of constant, linear, cosine",
        "architecture.layers=2": "unknown",
    }.items():
        with pytest.raises(SettingError, match=message):
            load_tuning_recipe("similarity-small", "m", [override])
    with pytest.raises(DataError, match="shipped recipes are similarity-paper, similarity-small"):
        load_tuning_recipe("similarity", "m")
    with pytest.raises(SettingError, match="a recipe of tuning names the model"):
        tuning_recipe_from({"name": "x"})
