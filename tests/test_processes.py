"""Several processes, one order."""

import os
import signal

import pytest

from synparse.processes import AHEAD, map_in_order
from synparse.trees.errors import DataError


def square(number):
    if number < 0:
        raise DataError("negative", "numbers", -number)
    return number * number


def die(_):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_order(jobs):
    assert list(map_in_order(square, range(50), jobs)) == [number**2 for number in range(50)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_come_in_their_turn(jobs):
    results = map_in_order(square, [1, 2, -3, 4], jobs)
    assert [next(results), next(results)] == [1, 4]
    with pytest.raises(DataError, match="negative"):
        next(results)


def test_no_more_is_read_than_there_is_room_for():
    read = []
    results = map_in_order(square, (read.append(number) or number for number in range(1000)), 2)
    assert next(results) == 0
    assert len(read) == AHEAD * 2 + 1
    results.close()


def test_a_killed_process_is_told():
    with pytest.raises(DataError, match="a process was killed"):
        list(map_in_order(die, [1], 2))
