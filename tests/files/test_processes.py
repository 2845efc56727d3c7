"""Several processes give their results in order."""

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from synparse.files.processes import AHEAD, map_in_order
from synparse.trees.errors import DataError


def square(number):
    if number < 0:
        raise DataError("negative", "numbers", -number)
    return number * number


def slow_square(number):
    time.sleep(0.05 * (number % 3 == 0))
    return number * number


def die(_):
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(folder, number):
    """Kills its process at the first 5, before and after other items."""
    if number == 5 and not (folder / "died").exists():
        (folder / "died").touch()
        die(number)
    return number * number


def sleep_long(_):
    time.sleep(60)


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_order(jobs):
    assert list(map_in_order(slow_square, range(30), jobs)) == [number**2 for number in range(30)]


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


def test_processes_end_with_the_generator():
    results = map_in_order(square, range(1000), 2)
    next(results)
    assert multiprocessing.active_children()
    results.close()
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_processes_end_with_their_parent(sent):
    """SIGINT goes to the whole group, as from a terminal; SIGKILL only to the parent."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("no /proc here to look for processes")
    program = (
        "import multiprocessing, tests.files.test_processes as here\n"
        "if __name__ == '__main__':\n"
        "    print('go', flush=True)\n"
        "    list(here.map_in_order(here.sleep_long if INTERRUPTED else here.slow_square, iter(int, 1), 2))\n"
    ).replace("INTERRUPTED", str(sent == signal.SIGINT))
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    assert process.stdout.readline() == b"go\n"
    deadline = time.monotonic() + 60
    while len(group(process.pid)) < 4 and time.monotonic() < deadline:  # one is multiprocessing's resource tracker
        time.sleep(0.05)
    (os.killpg if sent == signal.SIGINT else os.kill)(process.pid, sent)
    process.wait(timeout=60)
    while group(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert group(process.pid) == []
    assert process.stderr.read().count(b"Traceback") == (sent == signal.SIGINT)  # only the parent's


def group(leader):
    """The processes of a group that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            state, _, group, *_ = path.read_text().rpartition(")")[2].split()
            found += [path.parent.name] * (int(group) == leader and state != "Z")
    return found
