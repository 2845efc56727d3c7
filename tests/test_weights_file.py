import re
import struct

import pytest
import torch
from safetensors.torch import save_file

from synparse.trees.errors import DataError
from synparse.weights_file import LARGEST_HEADER, LARGEST_WEIGHT, largest_dimension, read_weights, weight_shapes


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
@pytest.mark.parametrize("place", [0, 5])
def test_numbers_that_training_does_not_leave_are_told(path, value, place):
    weights = torch.zeros(6)
    weights[place] = value
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
def test_other_kinds_of_numbers_are_told(path, kind):
    save_file({"a": torch.zeros(1, dtype=kind)}, path)
    with pytest.raises(DataError, match=r"damaged weights: a holds .*, expected F32, F16, BF16"):
        weight_shapes(path)
