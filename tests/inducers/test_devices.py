import contextlib
import warnings

import pytest
import torch
from torch import nn

from synparse.inducers import devices
from synparse.inducers.devices import compiled, mixed_precision, needs_no_torch, pick_device, tensor_float32
from synparse.trees.errors import SettingError

CPU = torch.device("cpu")
PRODUCTS, WITH_LSTM = nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 2), nn.LSTM(2, 2))


def product_type(precision, model=PRODUCTS):
    with mixed_precision(CPU, precision, model)():
        return (torch.ones(2, 2) @ torch.ones(2, 2)).dtype


@pytest.fixture
def without_lstm(monkeypatch):
    """A processor without a bfloat16 LSTM."""
    monkeypatch.setattr(devices, "_computes_in_bfloat16", lambda kind, _: kind != "LSTM")


def test_precision_as_asked():
    assert product_type("float32") == torch.float32
    assert product_type("bfloat16") == torch.bfloat16


@pytest.mark.parametrize(("is_fast", "dtype"), [(True, torch.bfloat16), (False, torch.float32)])
def test_auto_is_what_the_device_is_fast_at(monkeypatch, is_fast, dtype):
    monkeypatch.setattr(devices, "_is_fast_at_bfloat16", lambda _: is_fast)
    assert product_type("auto") == dtype


@pytest.mark.usefixtures("without_lstm")
def test_auto_is_nothing_that_the_device_cannot_do(monkeypatch):
    monkeypatch.setattr(devices, "_is_fast_at_bfloat16", lambda _: True)
    assert product_type("auto", WITH_LSTM) == torch.float32
    assert product_type("auto") == torch.bfloat16


@pytest.mark.usefixtures("without_lstm")
def test_what_the_device_cannot_do_is_told_to_who_asks_for_it():
    with pytest.raises(SettingError, match=r"^bfloat16: this processor has no bfloat16 LSTM; choose float32$"):
        mixed_precision(CPU, "bfloat16", WITH_LSTM)
    assert product_type("bfloat16") == torch.bfloat16
    assert product_type("float32", WITH_LSTM) == torch.float32


def test_the_probe_finds_what_the_processor_computes(has_bfloat16_lstm):
    torch.manual_seed(1)
    before = torch.get_rng_state()
    devices._computes_in_bfloat16.cache_clear()
    assert devices._computes_in_bfloat16("LSTM", CPU) == has_bfloat16_lstm
    with torch.inference_mode():
        assert devices._computes_in_bfloat16("matrix product", CPU)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.usefixtures("without_lstm")
def test_a_precision_that_cannot_be_had_is_wrong_usage(tmp_path, tiny_udgn, tiny_udgn_recipe, sample_text, capfd):
    from synparse.cli.app import run
    from synparse.training.checkpoint import is_unfinished

    text, model = tmp_path / "text", tmp_path / "model"
    text.write_text("".join(f"{line}\n" for line in sample_text), encoding="utf-8")
    train = ["train", str(text), "--recipe", str(tiny_udgn_recipe), "-o", str(model)]
    bfloat16 = ["--set", "training.precision=bfloat16"]
    for arguments in (
        ["parse", str(text), "--model", str(tiny_udgn), "--precision", "bfloat16"],
        [*train, *bfloat16],
    ):
        assert run([*arguments, "--device", "cpu"]) == 2
        out, error = capfd.readouterr()
        assert (out, error.count("\n")) == ("", 1)
        assert "bfloat16: this processor has no bfloat16 LSTM; choose float32" in error
    assert not is_unfinished(model)


@pytest.mark.parametrize(("device", "expected"), [("cpu", "highest"), ("cuda", "high")])
def test_float32_products_are_rounded_on_a_gpu_and_only_within(device, expected):
    with tensor_float32(torch.device(device)):
        assert torch.get_float32_matmul_precision() == expected
        mixed_precision(CPU, "float32", PRODUCTS)
    assert torch.get_float32_matmul_precision() == "highest"


def test_nothing_is_compiled_without_a_gpu():
    assert compiled(len, CPU) is len
    assert mixed_precision(CPU, "float32", WITH_LSTM) is contextlib.nullcontext


def test_warnings_of_the_compiler_are_not_told():
    torch.compile(len)  # some of what this imports is deprecated
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        compiled(len, torch.device("cuda"))
        for module in ("torch._dynamo.variables.functions", "torch._inductor.lowering", "torch.nn"):
            warnings.warn_explicit(module, UserWarning, "file.py", 1, module)
    assert [str(warning.message) for warning in told] == ["torch.nn"]


def test_a_device_that_is_not_there_is_told():
    with pytest.raises(SettingError, match="no device 'abacus'"):
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
    from synparse.config.recipe import load_recipe
    from synparse.inducers.batch import Batch
    from synparse.inducers.table import build

    [stage] = load_recipe(name).networks
    torch.manual_seed(0)
    model = build(stage.model, 100, stage.architecture).eval()
    words = torch.randint(4, 100, (4, 12))
    batch = Batch(words, torch.full((4,), 12), words)
    expected = float(model.loss(batch).total.detach())
    gpu = pick_device("auto")
    model = model.to(gpu)
    there = Batch(*(tensor.to(gpu) for tensor in batch if tensor is not None))
    loss = compiled(model.loss, gpu)(there)
    loss.total.backward()
    assert float(loss.total) == pytest.approx(expected, rel=1e-2)
    with mixed_precision(gpu, "bfloat16", model)():
        assert float(model.loss(there).total) == pytest.approx(expected, rel=2e-2)
