import pytest
import torch

from synparse.config.recipe import SECTIONS, load_recipe, recipe_from, shipped_recipes
from synparse.inducers.table import BASELINES, INDUCERS, build
from synparse.trees.errors import DataError, SettingError


@pytest.mark.parametrize("name", shipped_recipes())
def test_every_shipped_recipe_builds_its_model_and_names_every_setting(name):
    recipe = load_recipe(name)
    if recipe.training is not None:
        with torch.device("meta"):
            build(recipe.model, 100, recipe.architecture)
    import yaml

    from synparse.config.recipe import recipe_folder

    written = yaml.safe_load((recipe_folder() / f"{name}.yaml").read_text(encoding="utf-8"))
    resolved = recipe.as_mapping()
    for section in SECTIONS[: -1 if recipe.model in BASELINES else None]:  # a baseline does not parse
        if written.get(section) != {"parts": "none"}:  # nothing else matters then
            assert set(written.get(section, ())) == set(resolved[section] or ())


def test_the_default_recipes_are_shipped():
    assert {entry.recipe for entry in INDUCERS.values()} <= set(shipped_recipes())


def test_a_recipe_survives_as_plain_values():
    recipe = load_recipe("structformer-small")
    assert recipe_from(recipe.as_mapping()) == recipe


def test_overrides_change_one_setting():
    recipe = load_recipe("structformer-small", ["training.mask_rate=0.4", "training.learning_rate=1e-4"])
    assert recipe.training.mask_rate == 0.4
    assert recipe.training.learning_rate == 1e-4


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("training.mask_rat=0.4", "did you mean training.mask_rate"),
        ("trainin.mask_rate=0.4", "did you mean training"),
        ("training.mask_rate=much", "training.mask_rate must be a number, not 'much'"),
        ("training.mask_rate=1.5", "training.mask_rate must be a number below 1.0, not 1.5"),
        ("training.mask_rate=0", "training.mask_rate must be a number above 0.0, not 0"),
        ("training.epochs=1.5", "training.epochs must be a whole number, not 1.5"),
        ("training.epochs=0", "training.epochs must be a whole number of at least 1, not 0"),
        ("text.lowercase=1", "text.lowercase must be true or false, not 1"),
        ("text.digits=[N]", "text.digits must be text"),
        ("text.punctuation=3", "text.punctuation must be one of drop, keep, not 3"),
        ("architecture.hidden_size=true", "architecture.hidden_size must be a whole number, not True"),
        ("mask_rate=0.4", "section.key=value"),
        ("training.schedule=fast", "must be one of constant, linear, cosine, plateau, average, not 'fast'"),
        ("training.mask_rate", "section.key=value"),
        ("training.learning_rate=.nan", "finite number"),
        ("training.learning_rate=1e999", "finite number"),
        ("training.epochs=1" + "0" * 30, "must be at most 9007199254740992"),
        ("training.epochs=1" + "0" * 5000, "is no value"),
        ("training.epochs=&a [*a]", "is no value"),
        ("training.moving_average=1.0", "training.moving_average must be a number below 1.0"),
        ("training.moving_average=-0.5", "training.moving_average must be a number of at least 0.0"),
        ("training.curriculum_epochs=-1", "training.curriculum_epochs must be a whole number of at least 0"),
        ("training.sampled_softmax=-1", "of at least 0"),
        ("architecture.layers=1000000", "architecture.layers must be a whole number of at most 1000, not 1000000"),
    ],
)
def test_wrong_overrides_are_refused_with_what_is_right(override, message):
    with pytest.raises(SettingError, match=message):
        load_recipe("structformer-small", [override])


def test_weights_are_averaged_in_one_way_only():
    with pytest.raises(SettingError, match=r"training: .*average.*choose one"):
        load_recipe("structformer-small", ["training.moving_average=0.99", "training.schedule=average"])


def test_missing_and_broken_files_are_reported(tmp_path):
    with pytest.raises(DataError, match=r"shipped recipes are .*structformer-small"):
        load_recipe("structformer-smal")
    (tmp_path / "x.yaml").write_text("model: [\n")
    with pytest.raises(DataError, match=r"x.yaml:2: not YAML"):
        load_recipe(str(tmp_path / "x.yaml"))
    (tmp_path / "y.yaml").write_text("hello")
    with pytest.raises(DataError, match="a recipe is a mapping"):
        load_recipe(str(tmp_path / "y.yaml"))
    (tmp_path / "z.yaml").write_text("model: udgn\nmodel: udgn\n")
    with pytest.raises(DataError, match=r"z.yaml:2: not YAML: the key 'model' appears twice"):
        load_recipe(str(tmp_path / "z.yaml"))
    with pytest.raises(SettingError, match="unknown model"):
        recipe_from({"model": "gpt"})
    for values in ([], None, "x", 3):
        with pytest.raises(SettingError, match="a recipe is a mapping"):
            recipe_from(values)
