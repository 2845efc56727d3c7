import bz2
import gzip
import io
import lzma
import tracemalloc

import pytest

from synparse.files.packed import is_packed
from synparse.files.streams import first_lines, read_lines, write_whole
from synparse.trees.errors import DataError, SettingError

PROGRAMS = pytest.mark.parametrize("program", [gzip, bz2, lzma])


def given_to_stdin(monkeypatch, content):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(content))))


@PROGRAMS
def test_what_is_packed_is_known_by_its_first_bytes(program, tmp_path, monkeypatch):
    (tmp_path / "packed.txt").write_bytes(program.compress("é\nb\n".encode()))
    (tmp_path / "plain.gz").write_bytes("é\nb\n".encode())
    (tmp_path / "empty.gz").write_bytes(b"")
    (tmp_path / "nothing.gz").write_bytes(program.compress(b""))
    assert list(read_lines(str(tmp_path / "packed.txt"))) == ["é\n", "b\n"]
    assert list(read_lines(str(tmp_path / "plain.gz"))) == ["é\n", "b\n"]
    assert list(read_lines(str(tmp_path / "empty.gz"))) == list(read_lines(str(tmp_path / "nothing.gz"))) == []
    names = ("packed.txt", "nothing.gz", "plain.gz", "empty.gz")
    assert [is_packed(str(tmp_path / name)) for name in names] == [True, True, False, False]
    given_to_stdin(monkeypatch, program.compress("é\nb\nc\n".encode()))
    assert list(first_lines("-", 2)) == ["é\n", "b\n"]
    assert list(read_lines("-")) == ["é\n", "b\n", "c\n"]


@PROGRAMS
def test_the_first_lines_of_a_long_packed_pipe(program, monkeypatch):
    """More than a buffer of them, which may stand for gigabytes: no more are unpacked than are looked at."""
    lines = "".join(f"word{number * 7919 % 100_003}\n" for number in range(200_000))
    given_to_stdin(monkeypatch, program.compress(lines.encode()))
    assert "".join(first_lines("-", 50_000)) == "".join(lines.splitlines(keepends=True)[:50_000])
    given_to_stdin(monkeypatch, program.compress(b"a\n" * 10**7))
    tracemalloc.start()
    assert list(first_lines("-", 3)) == ["a\n"] * 3
    assert tracemalloc.get_traced_memory()[1] < 10**7
    tracemalloc.stop()


@PROGRAMS
@pytest.mark.parametrize("cut", [12, -5])
def test_a_damaged_packed_file_is_an_error(program, cut, tmp_path, monkeypatch):
    damaged = program.compress(b"a b c\n" * 1000)[:cut]
    (tmp_path / "x").write_bytes(damaged)
    with pytest.raises(DataError, match=r": packed, but damaged or not whole$"):
        list(read_lines(str(tmp_path / "x")))
    given_to_stdin(monkeypatch, damaged)
    with pytest.raises(DataError, match=r"^<stdin>: packed, but damaged or not whole$"):
        list(read_lines("-"))


@pytest.mark.parametrize("beginning", [b"\x1f\x8b", b"BZh91AY&SY", b"\xfd7zXZ\0"])
def test_nothing_but_the_beginning_of_a_packed_file_is_an_error(beginning, tmp_path):
    (tmp_path / "x").write_bytes(beginning + bytes(20))
    with pytest.raises(DataError, match=r": packed, but damaged or not whole$"):
        list(read_lines(str(tmp_path / "x")))


@PROGRAMS
def test_packed_files_that_were_joined(program, tmp_path):
    (tmp_path / "x").write_bytes(program.compress(b"a\n") + program.compress(b"b\n"))
    assert list(read_lines(str(tmp_path / "x"))) == ["a\n", "b\n"]


@pytest.mark.parametrize(("ending", "program"), [("gz", gzip), ("bz2", bz2), ("xz", lzma), ("GZ", gzip)])
def test_packing_goes_both_ways(ending, program, tmp_path):
    path = tmp_path / f"x.{ending}"
    for _ in range(2):
        with write_whole(str(path)) as out:
            out.write("a\nb\n")
    assert program.decompress(path.read_bytes()) == b"a\nb\n"
    assert list(read_lines(str(path))) == ["a\n", "b\n"]


@pytest.mark.parametrize("ending", ["zst", "zip", "7z", "ZST"])
def test_other_packed_files_are_not_written(ending, tmp_path):
    with pytest.raises(SettingError, match=r": packed files are written as \.gz, \.bz2, \.xz only$"):
        write_whole(str(tmp_path / f"x.{ending}")).__enter__()
    assert not list(tmp_path.iterdir())
