import pytest
import torch

from synparse.tasks.craft import MODELS
from synparse.tasks.craft.kinds import KINDS, kind_of
from synparse.trees.errors import SettingError


def test_every_model_has_a_kind():
    assert tuple(KINDS) == MODELS
    with pytest.raises(SettingError, match="unknown model 'lstm'; known models are"):
        kind_of("lstm")


@pytest.mark.parametrize("name", MODELS)
def test_a_kind_says_what_its_model_does(name):
    torch.manual_seed(0)
    kind = kind_of(name)
    reading = kind.build(6, 2, kind.config(hidden_size=4))(torch.randn(3, 2, 6), [3, 2], torch.tensor([0, 1]))
    assert (reading.options is not None) == kind.has_options >= kind.options_end
    assert reading.boundary[0].tolist() == [1, 1]
