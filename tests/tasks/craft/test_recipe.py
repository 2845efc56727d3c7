import pytest
import yaml

from synparse.config.recipe import recipe_folder
from synparse.config.settings import plain_settings
from synparse.tasks.craft import MODELS
from synparse.tasks.craft.recipe import craft_recipe_from, load_craft_recipe
from synparse.tasks.craft.worlds import View
from synparse.trees.errors import SettingError

SHIPPED = ("craft-paper", "craft-small")


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("model", MODELS)
def test_every_shipped_recipe_names_every_setting_of_every_model(name, model):
    resolved = plain_settings(load_craft_recipe(name, model))
    written = yaml.safe_load((recipe_folder() / "tasks" / f"{name}.yaml").read_text(encoding="utf-8"))
    assert set(written["models"][model]) == set(resolved["architecture"])
    assert set(written["training"]) == set(resolved["training"])
    assert written["view"] == resolved["view"]
    assert {"about", "expected_time"} <= set(written)


def test_the_paper_s_settings():
    recipe = load_craft_recipe("craft-paper", "option-controller")
    sizes, training = recipe.architecture, recipe.training
    assert (sizes.options, sizes.hidden_size, sizes.temperature, sizes.end_bias) == (3, 128, 10, 0)
    assert (training.optimizer, training.learning_rate, training.batch_size, training.balance) == ("adam", 1e-3, 512, 0)


def test_a_recipe_survives_as_plain_values():
    recipe = load_craft_recipe("craft-small", "option-controller", ["architecture.options=4", "view.far=0"])
    assert recipe.architecture.options == 4
    assert recipe.view == View(5, 0)
    assert craft_recipe_from(plain_settings(recipe)) == recipe


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("training.balanse=1", "did you mean training.balance"),
        ("training.balance=-1", "of at least 0"),
        ("architecture.options=0", "architecture.options must be"),
        ("view.near=4", "view: near and far are odd"),
        ("view.far=2", "view: near and far are odd"),
        ("view.near=17", "view.near must be"),
        ("text.min_count=1", "unknown setting text"),
    ],
)
def test_wrong_overrides_are_told(override, message):
    with pytest.raises(SettingError, match=message):
        load_craft_recipe("craft-small", "option-controller", [override])


def test_a_recipe_of_something_else_is_told():
    with pytest.raises(SettingError, match=r"unknown setting encoders"):
        load_craft_recipe("listops-small", "ompn")
    with pytest.raises(SettingError, match="unknown model 'gru'; known models are option-controller"):
        craft_recipe_from({"model": "gru"})
