from dataclasses import replace

import pytest
import torch
import yaml

from synparse.config.grammar import GrammarConfig
from synparse.config.recipe import (
    DEFAULT_RECIPE,
    NetworkStage,
    TreeStage,
    changed_settings,
    load_recipe,
    model_recipe_from,
    recipe_folder,
    recipe_from,
    recipe_to_train,
    refuse_grammars_of_baselines,
    refuse_settled,
    shipped_recipes,
    stages_of,
)
from synparse.config.settings import plain_settings
from synparse.inducers.table import INDUCERS, build, default_recipe
from synparse.trees.errors import DataError, SettingError
from synparse.trees.function_words import FREE, LEAVES

BESIDE = {"recipe", "seeds", "least_words", "most_words"}
"""What stages have beside the settings of their kind."""


@pytest.mark.parametrize("name", shipped_recipes())
def test_every_shipped_recipe_builds_its_models_and_names_every_setting(name):
    recipe = load_recipe(name)
    for stage in recipe.networks:
        with torch.device("meta"):
            build(stage.model, 100, stage.architecture)
    written = yaml.safe_load((recipe_folder() / f"{name}.yaml").read_text(encoding="utf-8"))
    resolved = recipe.as_mapping()
    assert written["text"].keys() == resolved["text"].keys()
    assert written.get("parsing", resolved["parsing"]).keys() == resolved["parsing"].keys()  # a baseline has none
    for stage, whole in zip(written["stages"], resolved["stages"], strict=True):
        if "recipe" in stage or stage.get("grammars") == "none":  # named in another recipe; of no use
            continue
        assert stage.keys() - BESIDE == whole.keys() - BESIDE - {"text"}
        for section in {"architecture", "training"} & stage.keys():
            assert stage[section].keys() == whole[section].keys()


def test_the_default_recipes_are_shipped():
    assert {DEFAULT_RECIPE, *map(default_recipe, INDUCERS)} <= set(shipped_recipes())


@pytest.mark.parametrize("name", shipped_recipes())
def test_a_recipe_and_its_models_survive_as_plain_values(name):
    recipe = load_recipe(name)
    assert recipe_from(recipe.as_mapping()) == recipe
    for stage in recipe.networks:
        model_recipe = recipe.model_recipe(stage)
        assert model_recipe_from(plain_settings(model_recipe)) == model_recipe
        assert (model_recipe.name, model_recipe.model, model_recipe.training) == (name, stage.model, stage.training)


@pytest.mark.parametrize(("name", "rate"), [("structformer-ptb", 3e-4), ("transformer-ptb", 3e-4), ("udgn-ptb", 1e-3)])
def test_masked_models_of_the_papers_are_trained_as_in_the_authors_code(name, rate):
    training = load_recipe(name).networks[0].training
    assert (training.optimizer, training.learning_rate, training.weight_decay) == ("adam", rate, 1.2e-6)
    assert (training.batch_tokens, training.mask_rate, training.gradient_clip) == (4096, 0.3, 0.25)
    assert (training.schedule, training.patience, training.epochs) == ("plateau", 3, 100)  # PyTorch's patience of 2


def test_overrides_change_one_setting():
    recipe = load_recipe("structformer-small", ["training.mask_rate=0.4", "training.learning_rate=1e-4"])
    [stage], [before] = recipe.networks, load_recipe("structformer-small").networks
    assert stage.training == replace(before.training, mask_rate=0.4, learning_rate=1e-4)
    assert load_recipe("structformer-small", ["training.epochs=0.25"]).networks[0].training.epochs == 0.25


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("training.mask_rat=0.4", "did you mean training.mask_rate"),
        ("trainin.mask_rate=0.4", "did you mean training"),
        ("training.mask_rate=much", "training.mask_rate must be a number, not 'much'"),
        ("training.mask_rate=1.5", "training.mask_rate must be a number below 1.0, not 1.5"),
        ("training.mask_rate=0", "training.mask_rate must be a number above 0.0, not 0"),
        ("training.epochs=-0.5", "training.epochs must be a number"),
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
        ("training.moving_average=0.9", "unknown setting training.moving_average"),
        ("training.sampled_softmax=-1", "of at least 0"),
        ("3.training.epochs=1", "the last stage of the recipe is 2"),
        ("0.training.epochs=1", "the last stage of the recipe is 2"),
        ("².training.epochs=1", "unknown setting ²"),
        ("9" * 5000 + ".training.epochs=1", "the last stage of the recipe is 2"),
        ("2.training.epochs=1", "^training.epochs: the recipe has no such stage with training settings"),
        ("2.text.digits=D", "the recipe has no such stage with text settings"),
        ("1.parsing.heads=dbm", "the recipe has no such stage with parsing settings"),
        ("trees.sentences=10", "the recipe has no stage with trees settings"),
        ("grammar.clases=10", "did you mean grammar.classes"),
        ("architecture.layers=1000000", "architecture.layers must be a whole number of at most 1000, not 1000000"),
    ],
)
def test_wrong_overrides_are_refused_with_what_is_right(override, message):
    with pytest.raises(SettingError, match=message):
        load_recipe("structformer-small", [override])


def test_missing_and_broken_files_are_reported(tmp_path):
    with pytest.raises(DataError, match=r"shipped recipes are .*structformer-small"):
        load_recipe("structformer-smal")
    (tmp_path / "x.yaml").write_text("stages: [\n")
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


TEXT = {"min_count": 2, "lowercase": False}
SEVERAL = {
    "name": "several",
    "text": TEXT,
    "stages": [
        {"grammars": "dependencies", "classes": 20},
        {"trees": 5000, "function_words": "free"},
        {"network": "student", "text": {"unknown_classes": 9}, "training": {"epochs": 3}},
        {"network": "udgn", "seeds": 3, "least_words": 100, "most_words": 1000},
        {"grammars": "all", "seeds": 2},
    ],
    "parsing": {"punctuation": "evidence"},
}


def test_a_recipe_is_a_list_of_stages():
    recipe = recipe_from(SEVERAL)
    counted, trees, student, udgn, taught = recipe.stages
    assert stages_of(recipe) == ["grammars", "trees", "student", "udgn", "grammars"]
    assert (recipe.networks, recipe.grammars) == ((student, udgn), (counted, taught))
    assert (counted.settings, counted.seeds) == (GrammarConfig(parts="dependencies", classes=20), 1)
    assert trees == TreeStage(5000, FREE)
    assert student.is_student
    assert student.text == replace(recipe.text, unknown_classes=9)
    assert udgn.text == recipe.text
    assert not udgn.is_student
    assert (udgn.seeds, udgn.least_words, udgn.most_words, taught.seeds) == (3, 100, 1000, 2)
    assert recipe_from(recipe.as_mapping()) == recipe
    with_nothing = recipe_from({**SEVERAL, "stages": [*SEVERAL["stages"], {"grammars": "none"}]})
    assert (stages_of(with_nothing), with_nothing.grammars) == (stages_of(recipe), recipe.grammars)


def changed(tmp_path, *changes, recipe=SEVERAL):
    path = tmp_path / "several.yaml"
    path.write_text(yaml.safe_dump(recipe), encoding="utf-8")
    return load_recipe(str(path), changes)


def test_a_change_applies_to_all_stages_that_have_the_setting(tmp_path):
    recipe = changed(tmp_path, "training.epochs=7", "training.mask_rate=0.4", "grammar.classes=9", "trees.sentences=8")
    student, udgn = recipe.networks
    assert (student.training.epochs, udgn.training.epochs, udgn.training.mask_rate) == (7, 7, 0.4)
    assert [stage.settings.classes for stage in recipe.grammars] == [9, 9]
    assert recipe.stages[1] == TreeStage(8, FREE)
    assert changed(tmp_path, "grammar.grammars=4").grammars[1].settings.class_grammars == 4  # its name before


def test_a_change_with_a_number_applies_to_that_stage(tmp_path):
    changes = ["4.training.epochs=7", "5.grammar.classes=9", "2.trees.function_words=leaves", "4.text.min_count=3"]
    recipe = changed(tmp_path, *changes)
    student, udgn = recipe.networks
    assert (student.training.epochs, udgn.training.epochs) == (3, 7)
    assert [stage.settings.classes for stage in recipe.grammars] == [20, 9]
    assert recipe.stages[1].function_words == LEAVES
    assert (recipe.text.min_count, student.text.min_count, udgn.text.min_count) == (2, 2, 3)


def test_text_and_grammars_can_be_changed_as_a_whole(tmp_path):
    recipe = changed(tmp_path, "text.min_count=4", "text.unknown_classes=1", "parsing.function_words=leaves")
    assert {recipe.text.min_count, *(stage.text.min_count for stage in recipe.networks)} == {4}
    assert {recipe.text.unknown_classes, *(stage.text.unknown_classes for stage in recipe.networks)} == {1}
    assert (recipe.parsing.punctuation, recipe.parsing.function_words) == ("evidence", "leaves")
    none = changed(tmp_path, "5.grammar.parts=none")
    assert stages_of(none) == ["grammars", "trees", "student", "udgn"]


def test_the_settings_that_differ_are_those_that_changed(tmp_path):
    base = changed(tmp_path)
    changes = {"4.training.mask_rate": 0.4, "1.grammar.classes": 9, "trees.sentences": 8, "parsing.heads": "mst"}
    differing = changed_settings(changed(tmp_path, *(f"{key}={value}" for key, value in changes.items())), base)
    assert dict(differing) == changes
    assert changed_settings(base, base) == []
    for left_out in range(len(base.stages)):  # as where there was no time for it
        rest = tuple(stage for number, stage in enumerate(base.stages) if number != left_out)
        assert changed_settings(replace(base, stages=rest), base) == []
    fewer = replace(base, stages=(base.stages[0], replace(base.stages[4], seeds=5)))
    assert changed_settings(fewer, base) == [("5.grammar.seeds", 5)]
    assert changed_settings(replace(base, stages=base.stages[::-1]), base) == []


def test_a_stage_may_take_its_settings_from_another_recipe(tmp_path):
    [small] = load_recipe("udgn-small").networks
    [grammars] = load_recipe("grammar").grammars
    stages = [
        {"network": "udgn", "recipe": "udgn-small", "training": {"epochs": 2}, "seeds": 3},
        {"grammars": "dependencies", "recipe": "grammar", "longest": 9},
    ]
    recipe = recipe_from({"stages": stages, "text": {"lowercase": False}})
    training = replace(small.training, epochs=2)
    assert recipe.networks == (
        NetworkStage("udgn", small.architecture, replace(small.text, lowercase=False), training, 3),
    )
    [taught] = recipe.grammars
    assert taught.settings == replace(grammars.settings, parts="dependencies", longest=9)
    path = tmp_path / "own.yaml"
    path.write_text("stages: [{network: udgn, seeds: 2, architecture: {layers: 5}}]")
    [own] = recipe_from({"stages": [{"network": "udgn", "recipe": str(path)}]}).networks
    assert (own.architecture.layers, own.seeds) == (5, 2)


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ([], "a recipe has stages, each a mapping"),
        ("udgn", "a recipe has stages, each a mapping"),
        (["udgn"], "a recipe has stages, each a mapping"),
        ([{}], "a stage is one of network, grammars, trees, not empty"),
        ([{"training": {}}], "a stage is one of network, grammars, trees, not training"),
        ([{"network": "udgn", "grammars": "all"}], "a stage is one of"),
        ([{"network": "gpt"}], "unknown model"),
        ([{"network": ["udgn"]}], "unknown model"),
        ([{"network": "grammar"}], "a grammar has no network; the stage is: grammars"),
        ([{"network": "udgn", "trainig": {}}], "unknown setting trainig"),
        ([{"network": "udgn", "training": 3}], "training must be a mapping"),
        ([{"network": "udgn", "text": 3}], "text must be a mapping"),
        ([{"network": "udgn", "text": {"min_cuont": 3}}], "did you mean text.min_count"),
        ([{"network": "udgn", "text": {"punctuation": "keep"}}], "stage 1: text.punctuation is keep, but drop"),
        ([{"network": "udgn", "text": {"max_vocabulary": 1}}], "max_vocabulary must be a whole number of at least 2"),
        ([{"network": "udgn", "seeds": 0}], "network.seeds must be a whole number of at least 1"),
        ([{"network": "udgn", "seeds": 21}], "network.seeds must be a whole number of at most 20"),
        ([{"network": "udgn", "least_words": -1}], "network.least_words must be a whole number of at least 0"),
        ([{"network": "udgn", "least_words": 3, "most_words": 2}], "network.least_words must be at most most_words"),
        ([{"grammars": "al"}], "grammar.parts must be one of all, dependencies, none"),
        ([{"grammars": ["all"]}], "grammar.parts must be one of"),
        ([{"grammars": "none"}], "nothing to learn"),
        ([{"grammars": "all", "seeds": "2"}], "grammars.seeds must be a whole number"),
        ([{"grammars": "all", "clases": 2}], "did you mean grammar.classes"),
        ([{"trees": 0}, {"network": "student"}], "trees.sentences must be a whole number of at least 1"),
        ([{"trees": 10, "function_words": "no"}, {"network": "student"}], "trees.function_words must be one of"),
        (
            [{"trees": 10, "function_words": "adpositions"}, {"network": "student"}],
            "trees.function_words must be one of free, leaves, both, auto",
        ),
        ([{"grammars": "all"}, {"trees": 10}], "must be followed by a network that learns from trees"),
        ([{"trees": 10}, {"network": "udgn"}], "must be followed by a network that learns from trees"),
        ([{"network": "udgn", "recipe": "grammar"}], "recipe grammar has no stage network: udgn"),
        ([{"network": "student", "recipe": "default"}], "takes its network from another recipe; name that one"),
        ([{"network": "udgn", "recipe": "udgn-small", "training": 3}], "training must be a mapping"),
        ([{"network": "structformer", "training": {"guidance": 1}}], "unknown setting training.guidance"),
        ([{"network": "udgn", "training": {"guidance": -1}}], "training.guidance must be a number of at least 0"),
    ],
)
def test_what_is_no_stage_is_refused(stages, message):
    with pytest.raises(SettingError, match=message):
        recipe_from({"stages": stages})


STUDENT = [{"trees": 10}, {"network": "student"}]


@pytest.mark.parametrize(
    ("stages", "is_fine"),
    [
        ([{"grammars": "all"}], True),
        ([{"network": "udgn"}, {"grammars": "dependencies"}, *STUDENT, {"grammars": "all"}], True),
        ([{"network": "udgn"}], False),
        ([{"grammars": "all"}, *STUDENT], False),
        ([{"network": "udgn"}, *STUDENT, {"grammars": "all"}], False),
        ([{"grammars": "all", "phrase_passes": 0}], False),
        ([{"network": "udgn"}, {"grammars": "none"}], False),
    ],
)
def test_adpositions_need_base_phrases_whenever_a_parser_is_there(stages, is_fine):
    values = {"stages": stages, "parsing": {"function_words": "adpositions"}}
    if is_fine:
        assert recipe_from(values).parsing.function_words == "adpositions"
        return
    with pytest.raises(SettingError, match=r"parsing\.function_words: adpositions are recognised by base phrases, so"):
        recipe_from(values)


@pytest.mark.parametrize("other", ["{}", "stages: 3", "stages: [3]", "stages: []", "text: {}", "model: udgn\ntext: 3"])
def test_a_stage_of_what_is_no_recipe_is_refused(tmp_path, other):
    path = tmp_path / "other.yaml"
    path.write_text(other)
    with pytest.raises(SettingError):
        recipe_from({"stages": [{"network": "udgn", "recipe": str(path)}]})


def test_a_recipe_is_a_file_of_any_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (recipe_folder() / "grammar.yaml").read_text(encoding="utf-8")
    for name in ("mine", "english"):
        (tmp_path / name).write_text(text.replace("seeds: 1", "seeds: 2"), encoding="utf-8")
    assert load_recipe("mine").stages == load_recipe(tmp_path / "mine").stages
    assert load_recipe("english").name == "english"  # one that is shipped
    assert len(load_recipe("english").stages) > len(load_recipe("mine").stages)


def test_the_description_of_a_model_is_no_recipe_but_its_directory_is(tmp_path):
    config = tmp_path / "config.yaml"
    config.write_text("members: {}\nrecipe: {name: mine, model: udgn}\nprovenance: {}\n")
    assert load_recipe(tmp_path).name == "mine"
    with pytest.raises(DataError) as caught:
        load_recipe(config)
    assert str(caught.value) == f"{config}: describes a model, and is no recipe; for that of the model, give {tmp_path}"
    config.write_text("task: sst2\nrecipe: {name: mine, encoder: lstm}\nprovenance: {}\n")  # no recipe either
    with pytest.raises(DataError, match=r"describes a model, and is no recipe$"):
        load_recipe(config)


def test_recipes_of_before_are_read_as_stages():
    before = {
        **{"name": "mine", "model": "udgn", "text": TEXT, "architecture": {"layers": 2}, "training": {"epochs": 4}},
        **{"grammar": {"grammars": 5, "parts": "dependencies"}, "parsing": {"punctuation": "evidence"}},
    }
    network = {"network": "udgn", "architecture": {"layers": 2}, "training": {"epochs": 4}}
    now = {"name": "mine", "text": TEXT, "parsing": {"punctuation": "evidence"}}
    stages = [network, {"grammars": "dependencies", "class_grammars": 5}]
    assert recipe_from(before) == recipe_from({**now, "stages": stages})
    assert stages_of(recipe_from({"model": "grammar", "text": TEXT})) == ["grammars"]
    assert stages_of(recipe_from({"model": "lstm"})) == ["lstm"]
    assert model_recipe_from(before) == recipe_from(before).model_recipe(recipe_from(before).networks[0])
    with pytest.raises(SettingError, match="grammar must be a mapping"):
        recipe_from({**before, "grammar": 3})


def test_what_a_run_is_made_by():
    assert recipe_to_train(None, None, ()) == load_recipe(DEFAULT_RECIPE)
    assert recipe_to_train(None, "udgn", ()) == load_recipe("udgn-small")
    assert recipe_to_train("udgn-tiny", "udgn", ["training.epochs=3"]).networks[0].training.epochs == 3
    with pytest.raises(SettingError, match="recipe udgn-tiny is for the model udgn, not lstm"):
        recipe_to_train("udgn-tiny", "lstm", ())
    assert load_recipe("grammar", ["grammar.parts=dependencies"], "grammar").grammars  # a model without class grammars
    with pytest.raises(SettingError, match="recipe dbm is for the model dbm, not grammar"):
        recipe_to_train("dbm", "grammar", ())


def test_a_run_that_starts_from_a_model_has_its_text_and_sizes():
    base = load_recipe("udgn-tiny", ["text.min_count=1"])
    assert recipe_to_train(None, None, ["training.epochs=3"], base).networks[0].training.epochs == 3
    other = recipe_to_train("udgn-small", None, ["architecture.layers=1"], base)
    assert other.networks[0].text == other.text == base.text
    with pytest.raises(SettingError, match=r"has architecture\.layers 1, but recipe udgn-small has 3"):
        recipe_to_train("udgn-small", None, (), base)
    with pytest.raises(SettingError, match="the model is a udgn, but recipe lstm-small is for a lstm"):
        recipe_to_train("lstm-small", None, (), base)
    with pytest.raises(SettingError, match="no network to start from"):
        recipe_to_train(None, None, (), load_recipe("grammar"))


def test_a_resumed_run_changes_what_does_not_change_the_model():
    refuse_settled(["training.epochs=3", "2.training.learning_rate=1e-3"])
    with pytest.raises(SettingError, match=r"a resumed run can change training\.accumulation, .*, not 'text\.digits"):
        refuse_settled(["training.epochs=3", "text.digits=D"])


def test_a_baseline_teaches_no_grammars():
    refuse_grammars_of_baselines(load_recipe("lstm-small"))
    with pytest.raises(SettingError, match=r"grammar\.parts must be none: a lstm has no trees"):
        refuse_grammars_of_baselines(recipe_from({"stages": [{"network": "lstm"}, {"grammars": "all"}]}))


def test_errors_of_settings_name_the_file_that_has_them_and_no_other(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("stages:\n- network: udgn\n  training: {mask_rat: 1}\n")
    for changes in ([], ["training.epochs=1"]):
        with pytest.raises(SettingError) as caught:
            load_recipe(str(path), changes)
        assert str(caught.value).startswith(f"{path}:3: unknown setting training.mask_rat")
    path.write_text("stages:\n- network: udgn\n  training: {mask_rat: 1}\n- grammars: all\n  mask_rat: 2\n")
    with pytest.raises(SettingError, match=f"{path}: unknown setting"):  # it is not clear which of the two lines
        load_recipe(str(path))
    path.write_text("stages:\n- network: udgn\n")
    with pytest.raises(SettingError) as caught:
        load_recipe(str(path), ["training.mask_rat=1"])
    assert str(caught.value).startswith("unknown setting training.mask_rat")


def test_what_is_no_recipe_is_a_setting_error():
    with pytest.raises(SettingError, match="a recipe is given by its name, as a file or a Recipe, not 3"):
        load_recipe(3)
