import pytest
import torch

from synparse.config.recipe import load_recipe
from synparse.inducers import INDUCER_NAMES, inducer_kind
from synparse.inducers.batch import Batch
from synparse.inducers.parser_only import keep_parser_only


def tiny(name):
    torch.manual_seed(1)
    sizes = {"hidden_size": 16, "layers": 3, "embedding_size": 16, "chunk_size": 4}
    config = load_recipe(f"{name}-small").architecture
    known = [f"architecture.{key}={value}" for key, value in sizes.items() if hasattr(config, key)]
    return inducer_kind(name).model(40, load_recipe(f"{name}-small", known).architecture).eval()


@pytest.mark.parametrize("name", INDUCER_NAMES)
def test_the_half_that_is_kept_induces_the_same(name):
    batch = Batch(torch.randint(4, 40, (3, 7)), torch.tensor([7, 5, 1]))
    options = {"layer": 2, "start": 3} if name == "on-lstm" else {}
    model = tiny(name)
    count = sum(parameter.numel() for parameter in model.parameters())
    whole = model.induce(batch, **options)
    keep_parser_only(model, 2 if name == "on-lstm" else 0)
    for before, after in zip(whole, model.induce(batch, **options), strict=True):
        assert after is before or torch.equal(after, before)
    left = sum(parameter.numel() for parameter in model.parameters())
    assert left == count if name == "student" else left < count  # a student is nothing but a parser


@pytest.mark.parametrize("name", [name for name in INDUCER_NAMES if name != "ordered-memory"])  # whole numbers
def test_every_tensor_that_is_kept_is_read(name):
    batch = Batch(torch.arange(4, 40).view(3, 12), torch.tensor([12, 12, 12]))
    options = {"layer": 2, "start": 3} if name == "on-lstm" else {}
    model = tiny(name)
    keep_parser_only(model, 2 if name == "on-lstm" else 0)
    plain = model.induce(batch, **options)
    unread = []
    for key, tensor in model.state_dict().items():
        kept = tensor.clone()
        tensor.normal_(std=3)
        changed = model.induce(batch, **options)
        if all(one is None or torch.equal(one, other) for one, other in zip(plain, changed, strict=True)):
            unread.append(key)
        tensor.copy_(kept)
    assert unread == []
