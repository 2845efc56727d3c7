import pytest
import torch

from synparse.training import threads
from synparse.training.threads import fewest_within_gain, most_threads, own_threads, threads_to_use


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


def timed(monkeypatch, seconds):
    """Updates that take so long with so many threads; what was tried is noted."""
    tried = []

    def take(_, count):
        tried.append(count)
        return seconds[count]

    monkeypatch.setattr(threads, "_seconds", take)
    return tried


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        ({1: 1.0, 2: 0.6}, 2),
        ({1: 1.0, 2: 0.97}, 1),
        ({1: 1.0, 2: 9.0}, 1),
        ({1: 1.0, 2: 0.6, 4: 0.4, 8: 0.39}, 4),
        ({1: 1.0, 2: 0.6, 4: 3.0, 6: 5.0}, 2),
        ({1: 1.0, 2: 0.6, 3: 0.5}, 3),
    ],
)
def test_the_fewest_threads_that_are_about_as_fast_as_any(seconds, expected):
    assert fewest_within_gain(max(seconds), seconds.__getitem__) == expected


def test_one_slow_update_in_some_decides_nothing():
    calls = iter(range(10_000))
    assert fewest_within_gain(2, lambda count: 50.0 if next(calls) % 7 == 3 else 1.0 / count) == 2


def test_small_updates_are_timed(machine, monkeypatch):
    machine(2)
    tried = timed(monkeypatch, {1: 0.02, 2: 0.03})
    assert threads_to_use(None, lambda: (int, 1e9), 1) == 1
    assert tried.count(1) == tried.count(2) > threads.ROUNDS


def test_what_is_hopeless_is_timed_no_more(machine, monkeypatch):
    machine(8)
    tried = timed(monkeypatch, {1: 0.01, 2: 0.006, 4: 0.02, 8: 0.5})
    assert threads_to_use(None, lambda: (int, 1e9), 1) == 2
    assert tried.count(4) == tried.count(8) == 3
    assert tried.count(1) == tried.count(2) > 3


def test_large_updates_take_all_threads_untimed(machine, monkeypatch):
    machine(4)
    assert not timed(monkeypatch, {})
    assert threads_to_use(None, lambda: (int, 1e12), 1) == 4


@pytest.mark.parametrize("asked", [1, 2, 16])
def test_openmps_variable_is_the_users_word(machine, asked):
    machine(4, asked)
    assert most_threads() == most_threads(processes=4) == asked
    assert threads_to_use(None, lambda: (int, 1e9), 1) == asked


def test_a_resumed_run_has_its_threads_as_far_as_there_are_cores(machine):
    machine(4)
    assert [threads_to_use(before, None, 1) for before in (1, 3, 7)] == [1, 3, 4]


def test_processes_share_the_cores(machine):
    machine(6)
    assert [most_threads(processes) for processes in (1, 2, 4, 12)] == [6, 3, 1, 1]
    machine(32)  # of which PyTorch takes 8: the others are the second halves of cores, say
    assert most_threads() == 8


def test_the_number_of_threads_is_given_back():
    before = torch.get_num_threads()
    with own_threads():
        torch.set_num_threads(before + 1)
    assert torch.get_num_threads() == before
