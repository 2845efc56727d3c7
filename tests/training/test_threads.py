import pytest
import torch

from synparse.training import threads
from synparse.training.threads import LARGE, own_threads, threads_to_use


@pytest.fixture
def machine(monkeypatch):
    """A function that makes this a machine of so many cores."""

    def of(cores, asked=None):
        if asked is None:
            monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
        else:
            monkeypatch.setenv("OMP_NUM_THREADS", str(asked))
        monkeypatch.setattr(threads, "available_cores", lambda: cores)
        monkeypatch.setattr(torch, "get_num_threads", lambda: 8)

    return of


@pytest.mark.parametrize("processes", [1, 2])
def test_a_large_network_takes_all_threads_and_a_small_one_takes_one(machine, processes):
    machine(4)
    assert threads_to_use(None, LARGE, processes) == 4 // processes
    assert threads_to_use(None, LARGE - 1, processes) == 1


@pytest.mark.parametrize("asked", [1, 2, 16])
def test_openmps_variable_is_the_users_word(machine, asked):
    machine(4, asked)
    assert threads_to_use(None, 1, 1) == threads_to_use(3, LARGE, 4) == asked


def test_a_resumed_run_has_its_threads_as_far_as_there_are_cores(machine):
    machine(4)
    assert [threads_to_use(before, LARGE, 1) for before in (1, 3, 7)] == [1, 3, 4]


def test_processes_share_the_cores(machine):
    machine(6)
    assert [threads_to_use(None, LARGE, processes) for processes in (1, 2, 4, 12)] == [6, 3, 1, 1]
    machine(32)  # of which PyTorch takes 8: the others are the second halves of cores, say
    assert threads_to_use(None, LARGE, 1) == 8


def test_the_number_of_threads_is_given_back():
    before = torch.get_num_threads()
    with own_threads():
        torch.set_num_threads(before + 1)
    assert torch.get_num_threads() == before
