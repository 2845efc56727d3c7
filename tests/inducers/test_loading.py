import pytest
import torch

from synparse.config.recipe import load_recipe
from synparse.inducers.batch import Batch
from synparse.inducers.loading import build_on_meta, choose_tree_layer, keep_parser_only
from synparse.inducers.table import build
from synparse.trees.errors import SettingError
from tests.untrained import NETWORKS


def tiny(name):
    torch.manual_seed(1)
    sizes = {"hidden_size": 16, "layers": 3, "embedding_size": 16, "chunk_size": 4}
    config = load_recipe(f"{name}-small").networks[0].architecture
    known = [f"architecture.{key}={value}" for key, value in sizes.items() if hasattr(config, key)]
    return build(name, 40, load_recipe(f"{name}-small", known).networks[0].architecture).eval()


@pytest.mark.parametrize("name", NETWORKS)
def test_a_model_on_meta_has_the_shapes_of_a_full_one_and_takes_no_memory(name):
    architecture = load_recipe(f"{name}-small").networks[0].architecture
    blank, full = (make(name, 30, architecture).state_dict() for make in (build_on_meta, build))
    assert {key: tensor.shape for key, tensor in blank.items()} == {key: tensor.shape for key, tensor in full.items()}
    assert all(tensor.is_meta for tensor in blank.values())


def test_models_are_built_as_before_afterwards():
    architecture = load_recipe("structformer-small").networks[0].architecture
    torch.manual_seed(1)
    before = build("structformer", 30, architecture).layers[0].relation
    build_on_meta("structformer", 30, architecture)
    torch.manual_seed(1)
    assert torch.equal(build("structformer", 30, architecture).layers[0].relation, before)


@pytest.mark.parametrize("name", NETWORKS)
def test_the_parser_alone_induces_the_same(name):
    batch = Batch(torch.randint(4, 40, (3, 7)), torch.tensor([7, 5, 1]))
    model = tiny(name)
    count = sum(parameter.numel() for parameter in model.parameters())
    whole = model.induce(batch)
    keep_parser_only(model, 2 if name == "on-lstm" else 0)
    for before, after in zip(whole, model.induce(batch), strict=True):
        assert after is before or torch.equal(after, before)
    left = sum(parameter.numel() for parameter in model.parameters())
    assert left == count if name == "student" else left < count  # a student is nothing but a parser


@pytest.mark.parametrize("name", [name for name in NETWORKS if name != "ordered-memory"])  # whole numbers
def test_every_tensor_that_is_kept_is_read(name):
    batch = Batch(torch.arange(4, 40).view(3, 12), torch.tensor([12, 12, 12]))
    model = tiny(name)
    keep_parser_only(model, 2 if name == "on-lstm" else 0)
    plain = model.induce(batch)
    unread = []
    for key, tensor in model.state_dict().items():
        kept = tensor.clone()
        tensor.normal_(std=3)
        changed = model.induce(batch)
        if all(
            value is None or torch.equal(value, changed_value)
            for value, changed_value in zip(plain, changed, strict=True)
        ):
            unread.append(key)
        tensor.copy_(kept)
    assert unread == []


@pytest.mark.parametrize(("layers", "expected"), [(1, 1), (2, 2), (3, 2)])
def test_trees_come_from_layer_two_or_the_last(layers, expected):
    architecture = load_recipe("on-lstm-small", [f"architecture.layers={layers}"]).networks[0].architecture
    assert build_on_meta("on-lstm", 30, architecture).tree_layer == expected


def test_of_a_packed_model_trees_come_from_the_last_layer_kept():
    model = tiny("on-lstm")
    keep_parser_only(model, 1)
    assert model.tree_layer == 1


@pytest.mark.parametrize("layer", [0, 4])
def test_a_layer_that_is_not_there_is_refused(layer):
    with pytest.raises(SettingError, match=f"no layer {layer}; this model has layers 1 to 3"):
        choose_tree_layer(tiny("on-lstm"), layer)
