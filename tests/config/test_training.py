from dataclasses import fields

import pytest

from synparse.config.settings import settings_of
from synparse.config.training import TRAINING, MaskedTraining, StreamTraining, TreeTraining
from synparse.inducers.table import INDUCERS
from synparse.trees.errors import SettingError
from tests.untrained import NETWORKS


def test_every_objective_of_an_inducer_has_its_settings():
    assert set(TRAINING) == {INDUCERS[name].objective for name in NETWORKS}
    assert {kind.objective for kind in TRAINING.values()} == set(TRAINING)


def test_what_is_predicted_is_said_in_words():
    assert MaskedTraining(mask_rate=0.25).predicted == "masked words (mask rate 0.25)"
    assert TreeTraining().predicted == "heads of words and splits of constituents"
    assert StreamTraining().predicted == "next words"


@pytest.mark.parametrize(
    ("name", "allowed", "refused"),
    [
        ("learning_rate", [1e-9, 10.0], [0.0, -1.0]),
        ("gradient_clip", [1e-9], [0.0]),
        ("weight_decay", [0.0, 1.0], [-0.1]),
        ("patience", [1], [0]),
        ("epochs", [1], [0]),
        ("accumulation", [1], [0]),
        ("warmup_steps", [0], [-1]),
        ("validate_every", [0], [-1]),
        ("optimizer", ["adam", "adamw", "sgd"], ["lamb", ""]),
        ("schedule", ["constant", "linear", "cosine", "plateau"], ["fast"]),
        ("precision", ["auto", "float32", "bfloat16"], ["half"]),
    ],
)
@pytest.mark.parametrize("kind", TRAINING.values())
def test_the_bounds_of_settings_of_every_objective(kind, name, allowed, refused):
    for value in allowed:
        assert getattr(settings_of(kind, {name: value}, "training"), name) == value
    for value in refused:
        with pytest.raises(SettingError, match=rf"training\.{name} must be .*, not "):
            settings_of(kind, {name: value}, "training")


@pytest.mark.parametrize(
    ("kind", "name", "refused"),
    [
        (MaskedTraining, "mask_rate", [0.0, 1.0]),
        (MaskedTraining, "batch_tokens", [0]),
        (MaskedTraining, "sampled_softmax", [-1]),
        (TreeTraining, "word_dropout", [1.0, -0.1]),
        (StreamTraining, "bptt", [0]),
        (StreamTraining, "streams", [0]),
        (StreamTraining, "validation_words", [0]),
        (StreamTraining, "bias_init", ["one"]),
        (TreeTraining, "embedding_init", ["word2vec"]),
    ],
)
def test_the_bounds_of_an_objective_s_own_settings(kind, name, refused):
    assert settings_of(kind, {name: getattr(kind(), name)}, "training") == kind()
    for value in refused:
        with pytest.raises(SettingError, match=rf"training\.{name} must be .*, not "):
            settings_of(kind, {name: value}, "training")


def test_a_model_of_trees_predicts_no_words():
    assert not {"bias_init", "sampled_softmax", "mask_rate"} & {field.name for field in fields(TreeTraining)}
