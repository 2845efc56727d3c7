import contextlib

import pytest
import torch

from synparse import devices
from synparse.devices import compiled, mixed_precision, needs_no_torch, pick_device

CPU = torch.device("cpu")


def product_type(precision):
    with mixed_precision(CPU, precision)():
        return (torch.ones(2, 2) @ torch.ones(2, 2)).dtype


def test_precision_as_asked():
    assert product_type("float32") == torch.float32
    assert product_type("bfloat16") == torch.bfloat16


@pytest.mark.parametrize(("is_fast", "dtype"), [(True, torch.bfloat16), (False, torch.float32)])
def test_auto_is_what_the_device_is_fast_at(monkeypatch, is_fast, dtype):
    monkeypatch.setattr(devices, "_is_fast_at_bfloat16", lambda _: is_fast)
    assert product_type("auto") == dtype


def test_nothing_is_compiled_without_a_gpu():
    assert compiled(len, CPU) is len
    assert mixed_precision(CPU, "float32") is contextlib.nullcontext


def test_a_device_that_is_not_there_is_told():
    with pytest.raises(ValueError, match="no device 'abacus'"):
        pick_device("abacus")


@pytest.mark.parametrize("has_gpu", [True, False])
def test_numpy_computes_what_it_can_where_no_gpu_is_asked_for(has_gpu, monkeypatch):
    monkeypatch.setattr(devices, "_has_gpu", lambda: has_gpu)
    assert needs_no_torch("cpu", "float32")
    assert needs_no_torch("auto", "float32") is not has_gpu
    assert not needs_no_torch("cuda", "float32")
    assert not needs_no_torch("cpu", "bfloat16")
    assert not needs_no_torch("cpu", "auto")


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU here")
@pytest.mark.parametrize("name", ["structformer-small", "udgn-small", "on-lstm-small"])
def test_every_model_trains_on_a_gpu_as_on_a_cpu(name):
    from synparse.inducers import inducer_kind
    from synparse.inducers.batch import Batch
    from synparse.recipe import load_recipe

    recipe = load_recipe(name)
    torch.manual_seed(0)
    model = inducer_kind(recipe.model).model(100, recipe.architecture).eval()
    words = torch.randint(4, 100, (4, 12))
    batch = Batch(words, torch.full((4,), 12), words)
    expected = float(model.loss(batch).total.detach())
    gpu = pick_device("auto")
    model = model.to(gpu)
    there = Batch(*(tensor.to(gpu) for tensor in batch if tensor is not None))
    loss = compiled(model.loss, gpu)(there)
    loss.total.backward()
    assert float(loss.total) == pytest.approx(expected, rel=1e-2)
    with mixed_precision(gpu, "bfloat16")():
        assert float(model.loss(there).total) == pytest.approx(expected, rel=2e-2)
