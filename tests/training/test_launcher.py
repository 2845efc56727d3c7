"""What a process knows of the others from its environment."""

import pytest

from synparse.training.launcher import is_first, is_launched, is_restart, processes_here

NAMES = ("WORLD_SIZE", "RANK", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RESTART_COUNT")


@pytest.mark.parametrize(
    ("environment", "launched", "first", "here", "restart"),
    [
        ({}, False, True, 1, False),
        ({"WORLD_SIZE": "1", "RANK": "0"}, False, True, 1, False),
        ({"RANK": "1"}, False, True, 1, False),
        ({"WORLD_SIZE": "4", "RANK": "3"}, True, False, 4, False),
        ({"WORLD_SIZE": "4", "RANK": "0", "LOCAL_WORLD_SIZE": "2"}, True, True, 2, False),
        ({"WORLD_SIZE": "2", "TORCHELASTIC_RESTART_COUNT": "1"}, True, True, 2, True),
        ({"TORCHELASTIC_RESTART_COUNT": "0"}, False, True, 1, False),
    ],
)
def test_the_environment_of_a_process(monkeypatch, environment, launched, first, here, restart):
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert (is_launched(), is_first(), processes_here(), is_restart()) == (launched, first, here, restart)
