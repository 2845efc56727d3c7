"""What a process knows of the others from its environment."""

import pytest

from synparse.training.launcher import is_first, is_launched, processes_here, restarts

NAMES = ("WORLD_SIZE", "RANK", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RESTART_COUNT")


@pytest.mark.parametrize(
    ("environment", "launched", "first", "here", "again"),
    [
        ({}, False, True, 1, 0),
        ({"WORLD_SIZE": "1", "RANK": "0"}, False, True, 1, 0),
        ({"RANK": "1"}, False, True, 1, 0),
        ({"WORLD_SIZE": "4", "RANK": "3"}, True, False, 4, 0),
        ({"WORLD_SIZE": "4", "RANK": "0", "LOCAL_WORLD_SIZE": "2"}, True, True, 2, 0),
        ({"WORLD_SIZE": "2", "TORCHELASTIC_RESTART_COUNT": "1"}, True, True, 2, 1),
        ({"TORCHELASTIC_RESTART_COUNT": "0"}, False, True, 1, 0),
    ],
)
def test_the_environment_of_a_process(monkeypatch, environment, launched, first, here, again):
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert (is_launched(), is_first(), processes_here(), restarts()) == (launched, first, here, again)
