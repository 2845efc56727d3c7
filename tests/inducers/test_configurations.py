import dataclasses

import pytest

from synparse.inducers.configurations import LARGEST_SIZE, MOST_LAYERS, check_sizes
from synparse.inducers.table import INDUCERS
from synparse.trees.errors import SettingError


@dataclasses.dataclass
class Config:
    size: int = 1
    roles: int = 0
    parser_layers: int = 1
    rate: float = 1e9
    gates: bool = False


@pytest.mark.parametrize("changes", [{}, {"size": LARGEST_SIZE, "parser_layers": MOST_LAYERS}])
def test_possible_sizes_pass(changes):
    check_sizes(Config(**changes), may_be_zero=("roles",))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"size": 0}, "size must be at least 1, not 0"),
        ({"roles": -1}, "roles must be at least 0"),
        ({"size": LARGEST_SIZE + 1}, "size must be at most 65536"),
        ({"parser_layers": MOST_LAYERS + 1}, "parser_layers must be at most 1000"),
    ],
)
def test_others_are_told(changes, message):
    with pytest.raises(SettingError, match=message):
        check_sizes(Config(**changes), may_be_zero=("roles",))


@pytest.mark.parametrize("name", INDUCERS)
def test_no_size_of_any_model_is_without_bound(name):
    config = INDUCERS[name].configuration
    for field in dataclasses.fields(config):
        if type(field.default) is int:
            for size in (-1, 10**9):
                with pytest.raises(SettingError, match=field.name):
                    config(**{field.name: size})
