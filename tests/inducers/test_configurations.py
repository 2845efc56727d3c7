import dataclasses

import pytest

from synparse.config.settings import settings_of
from synparse.inducers.table import INDUCERS
from synparse.trees.errors import SettingError
from synparse.trees.limits import LARGEST_SIZE, MOST_LAYERS, MOST_SLOTS


@pytest.mark.parametrize(
    ("model", "sizes"),
    [
        ("structformer", {"feed_forward_size": LARGEST_SIZE, "parser_layers": MOST_LAYERS}),
        ("udgn", {"roles": 0, "dropout": 0, "channels": 1}),
        ("ordered-memory", {"slots": MOST_SLOTS, "attention_noise": 1e9}),
    ],
)
def test_possible_sizes_pass(model, sizes):
    config = settings_of(INDUCERS[model].configuration, sizes, "architecture")
    assert {name: getattr(config, name) for name in sizes} == sizes


@pytest.mark.parametrize(
    ("model", "wrong", "message"),
    [
        ("structformer", {"feed_forward_size": LARGEST_SIZE + 1}, "feed_forward_size must be .* at most 65536"),
        ("structformer", {"hidden_size": 10, "attention_heads": 4}, "architecture: hidden_size 10 is not a multiple"),
        ("udgn", {"channels": 0}, "channels must be a whole number of at least 1"),
        ("udgn", {"roles": -1}, "roles must be a whole number of at least 0"),
        ("udgn", {"roles": LARGEST_SIZE + 1}, "roles must be a whole number of at most 65536"),
        ("udgn", {"competition": "war"}, "competition must be one of softmax, sigmoid, single"),
        ("udgn", {"position": "none"}, "position must be one of relative, encoding"),
        ("udgn", {"position": "encoding", "hidden_size": 7}, "need an even hidden_size"),
        ("udgn", {"gates": 1}, "gates must be true or false"),
        ("on-lstm", {"layers": MOST_LAYERS + 1}, "layers must be a whole number of at most 1000"),
        ("on-lstm", {"hidden_size": 401}, "must be multiples of chunk_size"),
        ("on-lstm", {"temporal_penalty": -1}, "temporal_penalty must be a number of at least 0"),
        ("ordered-memory", {"slots": MOST_SLOTS + 1}, "slots must be a whole number of at most 1000"),
        ("ordered-memory", {"attention_noise": -1.0}, "attention_noise must be a number of at least 0"),
        ("student", {"dropout": 1.0}, "dropout must be a number below 1"),
    ],
)
def test_others_are_refused(model, wrong, message):
    with pytest.raises(SettingError, match=message):
        settings_of(INDUCERS[model].configuration, wrong, "architecture")


@pytest.mark.parametrize("name", INDUCERS)
def test_every_number_of_every_model_has_bounds(name):
    for field in dataclasses.fields(INDUCERS[name].configuration):
        if type(field.default) in (int, float):
            for wrong in (-1, 10**20):
                with pytest.raises(SettingError, match=field.name):
                    settings_of(INDUCERS[name].configuration, {field.name: wrong}, "architecture")
        if type(field.default) is int:
            with pytest.raises(SettingError, match=field.name):
                settings_of(INDUCERS[name].configuration, {field.name: LARGEST_SIZE + 1}, "architecture")


@pytest.mark.parametrize("name", INDUCERS)
def test_the_defaults_are_within_the_bounds(name):
    kind = INDUCERS[name].configuration
    assert settings_of(kind, dataclasses.asdict(kind()), "architecture") == kind()
