import pytest
import yaml

from synparse.config.recipe import recipe_folder
from synparse.config.settings import plain_settings
from synparse.tasks import ENCODERS
from synparse.tasks.recipe import load_task_recipe, task_recipe_from
from synparse.trees.errors import DataError, SettingError

SHIPPED = sorted(path.stem for path in (recipe_folder() / "tasks").glob("*.yaml") if not path.stem.startswith("craft"))


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("encoder", ENCODERS)
def test_every_shipped_recipe_names_every_setting_of_every_encoder(name, encoder):
    recipe = load_task_recipe(name, encoder)
    written = yaml.safe_load((recipe_folder() / "tasks" / f"{name}.yaml").read_text(encoding="utf-8"))
    resolved = plain_settings(recipe)
    assert set(written["encoders"][encoder]) == set(resolved["architecture"])
    assert set(written["training"]) == set(resolved["training"])
    assert written.get("text") == resolved["text"]
    assert {"about", "expected_time"} <= set(written)


def test_each_task_has_a_small_recipe_and_the_paper_s():
    assert [f"{task}-{size}" for task in ("listops", "logic", "sentiment") for size in ("paper", "small")] == SHIPPED
    assert load_task_recipe("listops-paper", "ordered-memory").architecture.hidden_size == 128
    assert load_task_recipe("listops-paper", "ordered-memory").architecture.slots == 21


def test_encoders_of_one_recipe_have_one_size_but_for_inference_as_on_lstm_s_paper_has_it():
    for name in SHIPPED:
        sizes = {encoder: load_task_recipe(name, encoder).architecture.hidden_size for encoder in ENCODERS}
        others = {size for encoder, size in sizes.items() if name != "logic-paper" or "lstm" not in encoder}
        assert len(others) == 1
    assert {sizes["lstm"], sizes["on-lstm"]} == others
    recurrent = load_task_recipe("logic-paper", "on-lstm").architecture
    assert (recurrent.embedding_size, recurrent.hidden_size, recurrent.layers) == (128, 400, 1)
    assert (recurrent.chunk_size, recurrent.dropout) == (10, 0.2)


def test_a_recipe_survives_as_plain_values():
    recipe = load_task_recipe("listops-small", "on-lstm", ["training.learning_rate=1e-4", "architecture.layers=1"])
    assert recipe.training.learning_rate == 1e-4
    assert recipe.architecture.layers == 1
    assert task_recipe_from(plain_settings(recipe)) == recipe


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("training.batch_sise=4", "did you mean training.batch_size"),
        ("training.short_fraction=1.0", "must be a number below 1.0, not 1.0"),
        ("training.schedule=plateau", "one of constant, linear, cosine, not 'plateau'"),
        ("architecture.slot=3", "did you mean architecture.slots"),
        ("architecture.slots=true", "must be a whole number"),
    ],
)
def test_wrong_overrides_are_told(override, message):
    with pytest.raises(SettingError, match=message):
        load_task_recipe("listops-small", "ordered-memory", [override])


def test_missing_and_broken_files_are_told(tmp_path):
    with pytest.raises(DataError, match="shipped recipes are craft-paper, craft-small, listops-paper"):
        load_task_recipe("listops-smal", "lstm")
    path = tmp_path / "x.yaml"
    path.write_text("encoders: [\n")
    with pytest.raises(DataError, match=r"x.yaml:2: not YAML"):
        load_task_recipe(str(path), "lstm")
    path.write_text("hello")
    with pytest.raises(DataError, match="a recipe is a mapping"):
        load_task_recipe(str(path), "lstm")
    for encoders in ("5", "lstm", "[lstm]"):
        path.write_text(f"encoders: {encoders}\n")
        with pytest.raises(SettingError, match=r"x\.yaml: encoders must be a mapping of settings"):
            load_task_recipe(str(path), "lstm")
    path.write_text("encoders: {lstm: {}}\ntraining: {}\n")
    with pytest.raises(SettingError, match="no section for tree-cell"):
        load_task_recipe(str(path), "tree-cell")
    with pytest.raises(SettingError, match="unknown model 'gru'"):
        task_recipe_from({"encoder": "gru"})
