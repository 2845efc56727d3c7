import pytest
import torch

from synparse.config.recipe import load_recipe
from synparse.inducers import INDUCER_NAMES, inducer_kind
from synparse.inducers.meta import build_on_meta


@pytest.mark.parametrize("name", INDUCER_NAMES)
def test_a_blank_model_has_the_shapes_of_a_full_one_and_takes_no_memory(name):
    architecture = load_recipe(f"{name}-small").architecture
    blank, full = (make(name, 30, architecture).state_dict() for make in (build_on_meta, full_inducer))
    assert {key: tensor.shape for key, tensor in blank.items()} == {key: tensor.shape for key, tensor in full.items()}
    assert all(tensor.is_meta for tensor in blank.values())


def full_inducer(name, words, architecture):
    return inducer_kind(name).model(words, architecture)


def test_models_are_made_as_before_afterwards():
    architecture = load_recipe("structformer-small").architecture
    torch.manual_seed(1)
    before = full_inducer("structformer", 30, architecture).layers[0].relation
    build_on_meta("structformer", 30, architecture)
    torch.manual_seed(1)
    assert torch.equal(full_inducer("structformer", 30, architecture).layers[0].relation, before)
