"""The data that a user gives: kinds of trees, published files, parts of a text."""

import gzip
from pathlib import Path

import pytest

from synparse.replication.data import Data, Needs, by_kind, given, part, parts, thinned
from synparse.trees.errors import SettingError


def test_trees_are_told_apart_by_their_names():
    assert by_kind([]) == (None, None)
    assert by_kind(["wsj.mrg.gz"]) == ("wsj.mrg.gz", None)
    assert by_kind(["gold.conllu", "gold.ptb"]) == ("gold.ptb", "gold.conllu")
    assert by_kind(["gold.conll.gz"]) == (None, "gold.conll.gz")
    assert by_kind(["GOLD.CONLLU"]) == (None, "GOLD.CONLLU")
    with pytest.raises(SettingError, match=r"one file of brackets .* not a.mrg and b.mrg"):
        by_kind(["a.mrg", "b.mrg"])


def test_standard_input_cannot_be_read_many_times():
    with pytest.raises(SettingError, match="give it a name"):
        Data(texts=("a.txt", "-"))


def test_what_is_not_given_is_named_by_its_option():
    assert given("a.txt", "--test TEXT") == "a.txt"
    with pytest.raises(Needs, match="--test TEXT"):
        given(None, "--test TEXT")


def test_published_files_may_be_packed_and_some_numbers_may_lack(tmp_path):
    (tmp_path / "test7").write_text("")
    (tmp_path / "test9.gz").write_bytes(gzip.compress(b""))
    assert part(str(tmp_path), "--logic DIR", "test9") == f"{tmp_path}/test9.gz"
    assert parts(str(tmp_path), "--logic DIR", "test", range(7, 13)) == [f"{tmp_path}/test7", f"{tmp_path}/test9.gz"]
    with pytest.raises(SettingError, match=r"--logic: .* has no train0 or train0\.gz"):
        parts(str(tmp_path), "--logic DIR", "train", range(7))


def test_smaller_parts_of_a_text_are_in_larger_ones(tmp_path):
    texts = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for number, path in enumerate(texts):
        path.write_text("".join(f"{number} {line}\n" for line in range(8)))
    work = tmp_path / "work"
    assert thinned(list(map(str, texts)), 1, work) == tuple(map(str, texts))
    assert not work.exists()

    def lines(every):
        [path] = thinned(list(map(str, texts)), every, work)
        return Path(path).read_text().splitlines()

    assert lines(8) == ["0 0", "1 0"]
    assert lines(4) == ["0 0", "0 4", "1 0", "1 4"]
    assert set(lines(8)) < set(lines(4)) < set(lines(2))
    texts[0].write_text("another text")  # without the end of its line
    assert lines(8) == ["another text", "1 7"]
