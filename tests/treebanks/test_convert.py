"""Conversion as a library function."""

import pytest

from synparse.treebanks.convert import ConvertOptions, convert
from synparse.trees.errors import DataError


def test_one_bad_tree_of_a_line_does_not_spoil_the_others(tmp_path):
    (tmp_path / "a.mrg").write_text("(S (NN a)) (S (-NONE- *)) (S (NN b))\n")
    faults = []
    [text] = convert([str(tmp_path)], ConvertOptions("penn2malt"), skip=faults.append)
    assert [line.split("\t")[1] for line in text.splitlines() if line] == ["a", "b"]
    assert [fault.line for fault in faults] == [1]


def test_errors_raised_for_the_library(tmp_path):
    (tmp_path / "a.mrg").write_text("(S (NN a))\n(S (NN b)\n")
    texts = convert([str(tmp_path)], ConvertOptions("penn2malt"))
    assert next(texts).startswith("1\ta\t")
    with pytest.raises(DataError, match=r"a\.mrg:2: the bracket \(S is never closed"):
        next(texts)
