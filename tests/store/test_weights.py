import re
import struct
from typing import get_args

import pytest
import torch
from safetensors.torch import save_file

from synparse.store.weights import (
    Storage,
    largest_dimension,
    read_weights,
    stored_as,
    weight_shapes,
)
from synparse.trees.errors import DataError
from synparse.trees.limits import LARGEST_HEADER, LARGEST_WEIGHT


@pytest.fixture
def path(tmp_path):
    return tmp_path / "weights.safetensors"


def test_shapes_and_values_come_back(path):
    state = {"a": torch.randn(3, 2), "b": torch.tensor(LARGEST_WEIGHT), "c": torch.zeros(0, 9)}
    save_file(state, path)
    assert weight_shapes(path) == {"a": (3, 2), "b": (), "c": (0, 9)}
    again = read_weights(path)
    assert again.keys() == state.keys()
    assert all(torch.equal(again[name], state[name]) for name in state)


def test_empty_tensors_have_no_largest_dimension():
    assert largest_dimension({"a": (3, 2), "b": (), "c": (10**15, 0)}) == 3
    assert largest_dimension({}) == 0


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 1.1 * LARGEST_WEIGHT, -2e38])
@pytest.mark.parametrize("position", [0, 5])
def test_numbers_that_training_does_not_leave_are_reported(path, value, position):
    weights = torch.zeros(6)
    weights[position] = value
    save_file({"fine": torch.zeros(1), "a": weights}, path)
    with pytest.raises(DataError, match=re.escape(f"a holds {value:.3g}, which no training leaves")):
        read_weights(path)


def test_a_large_header_is_not_read(path):
    with path.open("wb") as stream:
        stream.write(struct.pack("<Q", LARGEST_HEADER + 1))
        stream.truncate(10**12)  # takes no room on the disk
    with pytest.raises(DataError, match="a header of more than"):
        weight_shapes(path)


@pytest.mark.parametrize("kind", [torch.float64, torch.int32, torch.bool, torch.complex64])
def test_other_kinds_of_numbers_are_reported(path, kind):
    save_file({"a": torch.zeros(1, dtype=kind)}, path)
    with pytest.raises(DataError, match=r"damaged weights: a holds .*, expected F32, F16"):
        weight_shapes(path)


def test_matrices_of_one_byte_come_back_nearly(path):
    torch.manual_seed(1)
    state = {"a": torch.randn(5, 7) * torch.tensor([1, 1e-3, 100, 1e-6, 0])[:, None], "b": torch.randn(3, 2, 4)}
    state["c"] = torch.randn(9)
    save_file(stored_as(state, "int8"), path)
    assert weight_shapes(path) == {"a": (5, 7), "b": (3, 2, 4), "c": (9,)}
    again = read_weights(path)
    assert torch.equal(again["c"], state["c"])
    for name in "ab":
        step = state[name].abs().amax(-1, keepdim=True) / 127
        assert ((again[name] - state[name]).abs() <= 0.5001 * step).all()
        assert (again[name].abs().amax(-1) / step[..., 0]).nan_to_num(127).sub(127).abs().max() < 1e-3


@pytest.mark.parametrize("storage", get_args(Storage))
def test_stored_twice_is_stored_once(storage, path):
    """What was read from a file is stored without another change."""
    torch.manual_seed(1)
    save_file(stored_as({"a": torch.randn(6, 5), "b": torch.randn(4)}, storage), path)
    once = read_weights(path)
    save_file(stored_as(once, storage), path)
    for name, tensor in read_weights(path).items():
        torch.testing.assert_close(tensor, once[name], rtol=1e-6, atol=0)


@pytest.mark.parametrize(
    "scale",
    [
        None,
        torch.ones(3),
        torch.ones(2, 1),
        torch.ones(2, dtype=torch.float16),
        torch.ones(2, dtype=torch.int8),
    ],
)
def test_one_byte_needs_a_scale_for_each_row(path, scale):
    state = {"a": torch.ones(2, 3, dtype=torch.int8)} | ({} if scale is None else {"a.scale": scale})
    save_file(state, path)
    with pytest.raises(DataError, match=r"damaged weights: a(\.scale)? holds I8 without a scale for each row"):
        weight_shapes(path)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 1e30])
def test_scales_that_training_does_not_leave_are_reported(path, value):
    state = stored_as({"a": torch.ones(2, 3)}, "int8")
    state["a.scale"][1] = value
    save_file(state, path)
    with pytest.raises(DataError, match="which no training leaves"):
        read_weights(path)
