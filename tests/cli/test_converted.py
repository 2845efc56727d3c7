"""Conversion as a library function."""

import pytest

from synparse.cli.converted import Request, converted_text
from synparse.trees.errors import DataError


def test_one_bad_tree_of_a_line_does_not_spoil_the_others(tmp_path):
    (tmp_path / "a.mrg").write_text("(S (NN a)) (S (-NONE- *)) (S (NN b))\n")
    faults = []
    [text] = converted_text([str(tmp_path)], Request("penn2malt"), skip=faults.append)
    assert [line.split("\t")[1] for line in text.splitlines() if line] == ["a", "b"]
    assert [fault.line for fault in faults] == [1]


def test_errors_raised_for_the_library(tmp_path):
    (tmp_path / "a.mrg").write_text("(S (NN a))\n(S (NN b)\n")
    texts = converted_text([str(tmp_path)], Request("penn2malt"))
    assert next(texts).startswith("1\ta\t")
    with pytest.raises(DataError, match=r"a\.mrg:2: the bracket \(S is never closed"):
        next(texts)
