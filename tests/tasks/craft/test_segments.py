"""The lines of segments, and reading them back."""

import json

import pytest

from synparse.tasks.craft.demonstrations import Demonstration
from synparse.tasks.craft.segments import (
    FORMATS,
    Segmentation,
    format_brackets,
    format_json,
    format_segments,
    format_tsv,
    read_segments,
    segments_of,
)
from synparse.trees.brackets import read_brackets
from synparse.trees.errors import DataError

ONE = Demonstration("BD", "rxurx", ("#####", "#.AC#", "#..D#", "#>.B#", "#####"))
FOUND = Segmentation((1.0, 0.1, 0.75, 0.2, 0.1), (2,), (1, 1, 0, 2, 0), -2.5, 4)
PLAIN = FOUND._replace(options=None)


def test_a_segment_has_the_option_that_did_most_of_it():
    assert list(segments_of(ONE, FOUND)) == [("rx", 1), ("urx", 0)]
    assert list(segments_of(ONE, PLAIN)) == [("rx", None), ("urx", None)]


def test_brackets_are_trees_that_show_reads():
    line = format_brackets(ONE, FOUND)
    assert line == "(BD (option-2 (_ right) (_ use)) (option-1 (_ up) (_ right) (_ use)))\n"
    [(_, tree)] = read_brackets([line], "segments")
    assert tree.words == ("right", "use", "up", "right", "use")
    assert format_brackets(ONE, PLAIN).startswith("(BD (segment (_ right) (_ use)) (segment (_ up)")


def test_tsv_has_the_ends_as_a_file_of_true_ends_and_the_options():
    assert format_tsv(ONE, FOUND) == "BD\t2 5\t2 1\n"
    assert format_tsv(ONE, PLAIN) == format_segments("BD", (2, 5), ()) == "BD\t2 5\n"


def test_json_has_the_scores_of_all_steps():
    assert json.loads(format_json(ONE, FOUND)) == {
        "task": "BD",
        "actions": "rxurx",
        "ends": [2, 5],
        "scores": [1.0, 0.1, 0.75, 0.2, 0.1],
        "options": [2, 2, 1, 3, 1],
        "action_accuracy": 0.8,
        "log_likelihood": -2.5,
    }
    assert json.loads(FORMATS["json"](ONE, PLAIN))["options"] is None


def test_segments_are_read_back(tmp_path):
    path = tmp_path / "s.tsv"
    path.write_text(format_tsv(ONE, FOUND) + format_tsv(ONE, PLAIN))
    assert read_segments(str(path), [ONE, ONE]) == [((2, 5), ("2", "1")), ((2, 5), ("", ""))]


@pytest.mark.parametrize("line", ["BD\t2 5\t2\n", "BD\t2 5\t2 1 1\n", "BD\t2 5\t2 x\n", f"BD\t2 5\t2 {'1' * 5000}\n"])
def test_options_that_do_not_fit_are_told(line, tmp_path):
    (tmp_path / "s.tsv").write_text(line)
    with pytest.raises(DataError, match=":1: not the numbers of 2 options"):
        read_segments(str(tmp_path / "s.tsv"), [ONE])
