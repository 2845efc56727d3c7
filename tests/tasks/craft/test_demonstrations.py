"""Demonstrations, their lines, and doing them again."""

import gzip
from string import ascii_lowercase

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.tasks.craft import demonstrations as module
from synparse.tasks.craft.demonstrations import (
    Demonstration,
    all_subtask_ends,
    demonstrations,
    format_demonstration,
    format_ends,
    grids_of,
    parse_demonstration,
    read_demonstrations,
    read_ends,
    replay,
    worlds_of,
)
from synparse.tasks.craft.subtasks import ACTIONS
from synparse.tasks.craft.worlds import View, observe, step
from synparse.trees.errors import DataError, SettingError

GRID = ("#####", "#.AC#", "#..D#", "#>.B#", "#####")
ONE = Demonstration("BD", "rxurx", GRID)
LINE = "BD\trxurx\t#####/#.AC#/#..D#/#>.B#/#####\n"


@pytest.fixture(scope="module")
def made():
    """Demonstrations of two tasks and sizes, and their true ends."""
    return [*demonstrations("DCA", 6, 8, 1, 2, seed=1), *demonstrations("BB", 5, 7, 2, 1, seed=1)]


def test_a_demonstration_is_a_line():
    assert format_demonstration(ONE) == LINE
    assert parse_demonstration(LINE) == ONE
    assert format_ends("BD", (2, 5)) == "BD\t2 5\n"


def test_files_and_standard_ends_come_back(made, tmp_path):
    given, ends = zip(*made, strict=True)
    path, gold = tmp_path / "d.tsv.gz", tmp_path / "e.tsv"
    path.write_bytes(gzip.compress("\n".join(map(format_demonstration, given)).encode()))
    gold.write_text("".join(format_ends(demonstration.task, ends) for demonstration, ends in made))
    assert list(read_demonstrations([str(path)])) == list(given)
    assert read_ends(str(gold), given) == list(ends)


@given(st.text("ABCD", min_size=1, max_size=3), st.integers(0, 3), st.integers(0, 99))
def test_any_demonstration_survives_as_its_line(task, walls, seed):
    for demonstration, ends in demonstrations(task, 2, 9, 3, walls, seed):
        assert parse_demonstration(format_demonstration(demonstration)) == demonstration
        assert all_subtask_ends([demonstration]) == [ends]
        assert grids_of(worlds_of([demonstration.grid])) == [demonstration.grid]


def test_those_of_a_task_do_not_depend_on_the_others():
    alone, less, other = (list(demonstrations("CA", n, 8, 1, 2, seed)) for n, seed in ((4, 5), (4, 5), (4, 6)))
    assert alone == less != other
    with pytest.raises(SettingError, match="takes 2 of B, but there are 1 of each thing"):
        next(demonstrations("BAB", 1, 8, 1, 2, 1))


def test_replay_sees_what_each_step_saw(made, monkeypatch):
    monkeypatch.setattr(module, "PART", 4)  # several parts of a size
    given, view = [demonstration for demonstration, _ in made], View(3, 3)
    steps = replay(given, view)
    assert steps.lengths.tolist() == [len(demonstration.actions) for demonstration in given]
    for demonstration, start in zip(given, steps.offsets, strict=False):
        worlds = worlds_of([demonstration.grid])
        for t, letter in enumerate(demonstration.actions):
            np.testing.assert_array_equal(steps.observations[start + t], observe(worlds, view)[0])
            assert ACTIONS[steps.actions[start + t]] == letter
            step(worlds, steps.actions[start + t : start + t + 1])


def test_the_ends_of_many_are_those_of_each(made, monkeypatch):
    monkeypatch.setattr(module, "PART", 3)
    given, ends = zip(*made, strict=True)
    assert all_subtask_ends(given) == list(ends)
    cut = [demonstration._replace(actions=demonstration.actions[: end[-1] - 1]) for demonstration, end in made]
    assert all_subtask_ends(cut) == [end[:-1] for end in ends]
    assert all_subtask_ends([]) == []


def test_things_out_of_turn_count_for_nothing():
    assert all_subtask_ends([ONE._replace(task="DB"), ONE._replace(actions="rxurxx")]) == [(5,), (2, 5)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("BD\trxurx", "separated by tabs; there are 2 fields"),
        (LINE.replace("BD", "BE"), "there is no subtask 'E'"),
        (LINE.replace("rxurx", "rzurx"), "there is no action 'z'; the actions are u, d, l, r, x"),
        (LINE.replace("rxurx", "rxur"), "the actions end before task BD is done"),
        (LINE.replace("rxurx", "rxurxu"), "or go on after it"),
        (LINE.replace("rxurx", ""), "the actions end before task BD is done"),
        (LINE.replace("/#####\n", "\n"), "a square of 4 to 64 rows; is the file cut short"),
        (LINE.replace("#..D#", "#..D"), "a square of"),
        (LINE.replace("#..D#", "#..DA"), "a grid has walls around it"),
        (LINE.replace(">", "."), "a grid has one agent"),
        (LINE.replace("A", "v"), "a grid has one agent"),
        (LINE.replace("A", "E"), "there is no 'E' in a grid"),
    ],
)
def test_a_line_that_is_no_demonstration_is_told_with_its_number(line, message, tmp_path):
    path = tmp_path / "d.tsv"
    path.write_text(f"{LINE}\n{line}\n{LINE}")
    lines = read_demonstrations([str(path)])
    with pytest.raises(DataError, match=message) as error:
        list(lines)
    assert str(error.value).startswith(f"{path}:3: ")


def test_a_file_without_any_is_told(tmp_path):
    (tmp_path / "d.tsv").write_text("\n\n")
    with pytest.raises(DataError, match="there are no demonstrations"):
        list(read_demonstrations([str(tmp_path / "d.tsv")]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("BD\t2 5\nDB\t2 5\n", ":2: not the task of its demonstration, BD"),
        ("BD\t2 5\nBD\n", ":2: not the task of its demonstration"),
        ("BD\t2 5\nBD\t5\n", ":2: task BD has 2 ends, not 1"),
        ("BD\t2 5\nBD\t5 2\n", ":2: not rising"),
        ("BD\t2 5\nBD\t0 5\n", ":2: not rising"),
        ("BD\t2 5\nBD\tx 5\n", ":2: not rising numbers of actions: 'x 5'"),
        ("BD\t2 5\nBD\t\n", ":2: not rising"),
        (f"BD\t2 5\nBD\t2 {'5' * 5000}\n", ":2: not rising"),
        ("BD\t2 5\nBD\t2 ٥\n", ":2: not rising"),
        ("BD\t2 5\nBD\t2 6\n", ":2: the last end is not 5"),
        ("BD\t2 5\n", "1 lines, but there are 2 demonstrations; is the file cut short"),
        ("BD\t2 5\n\nBD\t2 5\nBD\t2 5\n", ":4: more lines than the 2 demonstrations"),
    ],
)
def test_ends_that_do_not_fit_are_told(text, message, tmp_path):
    path = tmp_path / "e.tsv"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        read_ends(str(path), [ONE, ONE])


@given(st.text(ascii_lowercase + "\t/#.A>", max_size=40))
def test_any_text_is_read_or_told(text):
    try:
        demonstration = parse_demonstration(text)
    except (ValueError, SettingError):
        return
    assert format_demonstration(demonstration).rstrip("\n") == text
