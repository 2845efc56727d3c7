"""Several processes give their results in order."""

import contextlib
import errno
import multiprocessing
import os
import signal
import sys
import threading
from functools import partial
from pathlib import Path

import pytest

from synparse.files.processes import AHEAD, map_in_order, pool, threads
from synparse.trees.errors import DataError
from tests.processes import HANG, started


def square(number):
    if number < 0:
        raise DataError("negative", "numbers", -number)
    return number * number


def late_square(folder, number):
    """The square of 0 is not there before 2 has begun, which is after the square of 1 was given back."""
    if number in (0, 2):
        with (folder / "begun").open("rb" if number == 0 else "wb"):  # a named pipe: opening waits for the other end
            pass
    return number * number


def die(_):
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(folder, number):
    """Kills its process at the first 5, before and after other items."""
    if number == 5 and not (folder / "died").exists():
        (folder / "died").touch()
        die(number)
    return number * number


class Late:
    """A square of which so many processes die as they start."""

    def __init__(self, folder, deaths):
        self.folder, self.deaths = folder, deaths

    def __setstate__(self, state):
        self.__dict__ = state
        for number in range(self.deaths):
            with contextlib.suppress(FileExistsError):
                (self.folder / str(number)).touch(exist_ok=False)
                die(number)

    def __call__(self, number):
        return number * number


def wait_for_a_signal(_):
    print(os.getpid(), flush=True)
    signal.pause()


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_order(jobs):
    assert list(map_in_order(square, range(30), jobs)) == [number**2 for number in range(30)]


def test_there_is_a_thread_for_each_core(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    together = threading.Barrier(3)
    with threads() as executor:
        assert sorted(executor(lambda _: together.wait(timeout=HANG), range(3))) == [0, 1, 2]


def test_a_result_that_is_there_early_waits_for_those_before_it(tmp_path):
    os.mkfifo(tmp_path / "begun")
    assert list(map_in_order(partial(late_square, tmp_path), range(6), 2)) == [0, 1, 4, 9, 16, 25]


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_are_raised_in_order(jobs):
    results = map_in_order(square, [1, 2, -3, 4], jobs)
    assert [next(results), next(results)] == [1, 4]
    with pytest.raises(DataError, match="numbers:3: negative"):
        next(results)


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_of_reading_are_raised_in_order(jobs):
    def items():
        yield from (1, 2)
        raise DataError("the third is torn")

    results = map_in_order(square, items(), jobs)
    assert [next(results), next(results)] == [1, 4]
    with pytest.raises(DataError, match="torn"):
        next(results)


def test_items_are_read_only_when_there_is_room():
    read = []
    results = map_in_order(square, (read.append(number) or number for number in range(1000)), 2)
    for due in range(20):
        assert next(results) == due * due
        assert len(read) <= due + AHEAD * 2 + 1
    results.close()


def test_large_items_and_results_do_not_block_each_other():
    items = [bytes([number]) * 3_000_000 for number in range(8)]
    assert list(map_in_order(bytes.upper, items, 2)) == [item.upper() for item in items]


def test_no_process_starts_without_items():
    assert list(map_in_order(square, [], 2)) == []


def test_the_item_of_a_killed_process_goes_to_another(tmp_path):
    assert list(map_in_order(partial(die_once, tmp_path), range(9), 2)) == [number**2 for number in range(9)]
    assert (tmp_path / "died").exists()


def test_an_item_that_kills_every_process_is_an_error():
    with pytest.raises(DataError, match="a process was killed"):
        list(map_in_order(die, [1], 2))


@pytest.mark.parametrize("deaths", [1, 2])
def test_another_process_starts_in_place_of_one_that_is_killed_while_it_starts(tmp_path, deaths):
    assert list(map_in_order(Late(tmp_path, deaths), range(9), 2)) == [number**2 for number in range(9)]
    assert len(list(tmp_path.iterdir())) == deaths


def test_processes_that_all_die_as_they_start_are_an_error(tmp_path):
    with pytest.raises(DataError, match="a process was killed"):
        list(map_in_order(Late(tmp_path, 99), range(9), 2))


def process_of(_):
    return os.getpid()


def squares_by_processes(numbers):
    return list(map_in_order(square, numbers, 2))


def test_a_process_that_the_system_does_not_start_is_an_error(monkeypatch):
    def fail(_):
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr("multiprocessing.context.SpawnProcess._Popen", staticmethod(fail))
    message = "no further process can be started: Resource temporarily unavailable; try fewer --jobs"
    with pytest.raises(DataError, match=message):
        list(map_in_order(square, range(3), 2))


def test_a_worker_of_another_pool_which_may_start_no_processes_computes_alone():
    with multiprocessing.get_context("spawn").Pool(1) as others:
        assert others.apply(squares_by_processes, ([1, 2, 3],)) == [1, 4, 9]


def test_a_pool_keeps_its_processes_and_computes_one_function_after_the_other():
    others = {process.pid for process in multiprocessing.active_children()}
    with pool(2) as executor:
        assert list(executor(square, range(30))) == [number**2 for number in range(30)]
        assert list(executor(str, range(9))) == list("012345678")
        kept = {process.pid for process in multiprocessing.active_children()} - others
        assert kept
        assert set(executor(process_of, range(30))) <= kept
    assert not kept & {process.pid for process in multiprocessing.active_children()}


def test_a_process_of_a_pool_that_is_killed_between_two_calls_costs_nothing():
    others = set(multiprocessing.active_children())
    with pool(2) as executor:
        assert list(executor(square, range(9))) == [number**2 for number in range(9)]
        for process in set(multiprocessing.active_children()) - others:
            process.kill()
            process.join()
        assert list(executor(square, range(9))) == [number**2 for number in range(9)]


def test_processes_end_with_the_generator():
    others = set(multiprocessing.active_children())
    results = map_in_order(square, range(1000), 2)
    next(results)
    assert set(multiprocessing.active_children()) - others
    results.close()
    assert not set(multiprocessing.active_children()) - others


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_processes_end_with_their_parent(sent):
    """SIGINT goes to the whole group, as from a terminal; SIGKILL goes only to the parent. All are at work."""
    program = (
        "import tests.files.test_processes as here\n"
        "if __name__ == '__main__':\n"
        "    for process in here.map_in_order(here.wait_for_a_signal, iter(int, 1), 2):\n"
        "        print(process, flush=True)\n"
    )
    process = started([sys.executable, "-c", program], cwd=Path(__file__).resolve().parents[2], start_new_session=True)
    try:
        seen = set()
        while len(seen) < 2:  # a process that is still starting would say that its parent is gone
            line = process.stdout.readline()
            assert line, process.stderr.read()
            seen.add(line)
        (os.killpg if sent == signal.SIGINT else os.kill)(process.pid, sent)
        _, error = process.communicate(timeout=HANG)  # the pipes close when the last process of the group ends
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert error.count(b"Traceback") == (sent == signal.SIGINT)  # only the parent's
