import pytest
import torch

from synparse.inducers.kernels.dropout import Dropout
from synparse.trees.errors import SettingError


def test_drops_the_given_share_and_keeps_the_mean():
    torch.manual_seed(0)
    out = Dropout(0.3)(torch.ones(1000, 1001))
    assert (out == 0).float().mean().item() == pytest.approx(0.3, abs=0.005)
    assert out.mean().item() == pytest.approx(1.0, abs=0.01)


def test_does_nothing_outside_training():
    states = torch.randn(3, 5)
    assert torch.equal(Dropout(0.5).eval()(states), states)


def test_the_same_seed_drops_the_same():
    layer, states = Dropout(0.5), torch.ones(64)
    torch.manual_seed(3)
    first = layer(states)
    torch.manual_seed(3)
    assert torch.equal(first, layer(states))


@pytest.mark.parametrize("rate", [-0.1, 1.0])
def test_a_rate_that_is_no_probability_is_refused(rate):
    with pytest.raises(SettingError, match="rate"):
        Dropout(rate)
