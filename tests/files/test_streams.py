import contextlib
import gzip
import io
import os
import shlex
import subprocess
import sys
import threading
import tracemalloc
from pathlib import Path

import pytest

from synparse.files import streams
from synparse.files.streams import first_lines, lines_of, nothing_waits, read_lines, write_whole
from synparse.trees.errors import DataError


def test_lines_keep_their_ends_and_nothing_else_splits_them(tmp_path):
    (tmp_path / "x").write_bytes("a\r\nb\u2028c\x0cd\ne".encode())
    assert list(read_lines(str(tmp_path / "x"))) == ["a\r\n", "b\u2028c\x0cd\n", "e"]


def test_lines_of_texts_end_at_line_feeds_alone():
    assert list(lines_of(["a\u2028b\n\nc\n", "d\n"])) == ["a\u2028b", "", "c", "d"]


def test_a_byte_range_is_whole_lines(tmp_path):
    (tmp_path / "x").write_bytes("\ufeffa\n\ufeffb\nc".encode())
    parts = [list(read_lines(str(tmp_path / "x"), start, end)) for start, end in [(0, 5), (5, 10), (10, 11), (5, None)]]
    assert parts == [["a\n"], ["b\n"], ["c"], ["b\n", "c"]]


def test_the_first_lines_of_a_file(tmp_path):
    (tmp_path / "x").write_bytes(b"a\nb\nc")
    assert list(first_lines(str(tmp_path / "x"), 2)) == ["a\n", "b\n"]
    assert list(first_lines(str(tmp_path / "x"), 9)) == ["a\n", "b\n", "c"]


def test_the_first_lines_of_standard_input_are_still_read(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO("\ufeffé\nb\nc\n".encode()))))
    assert list(first_lines("-", 2)) == ["é\n", "b\n"]
    assert list(read_lines("-")) == ["é\n", "b\n", "c\n"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_the_first_lines_of_a_pipe_are_still_read_and_a_pipe_can_be_written_again(tmp_path, monkeypatch, pack):
    monkeypatch.chdir(tmp_path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for text in ("é\nb\nc\n", "d\n"):
        writer = threading.Thread(target=pipe.write_bytes, args=[pack(text.encode())])
        writer.start()
        lines = text.splitlines(keepends=True)
        assert list(first_lines("pipe", 2)) == lines[:2]  # by one of its names, then by another
        assert list(read_lines(str(pipe))) == lines
        writer.join()


def test_a_pipe_that_was_not_read_to_its_end_can_be_written_again(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for text in ("a\nb\n", "c\nd\n"):
        writer = threading.Thread(target=pipe.write_text, args=[text])
        writer.start()
        with contextlib.closing(read_lines(str(pipe))) as lines:
            assert next(lines) == text[:2]
        writer.join()


@pytest.fixture
def sink(monkeypatch):
    """The end of standard input to write to."""
    source, sink = os.pipe()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.FileIO(source))))
    return sink


def test_the_first_lines_of_standard_input_are_waited_for(sink, monkeypatch):
    monkeypatch.setattr(streams, "SILENCE", 0)
    os.write(sink, b"a\nb\n")
    lines = first_lines("-", 1000)
    assert [next(lines), next(lines)] == ["a\n", "b\n"]

    def go_on(*_, **__):
        os.write(sink, b"c")
        os.close(sink)

    monkeypatch.setattr("warnings.warn", go_on)
    assert list(lines) == ["c"]
    assert list(read_lines("-")) == ["a\n", "b\n", "c"]


def test_of_standard_input_that_is_not_waited_for_the_lines_that_have_come(sink):
    os.write(sink, b"a\nb\n")
    assert list(first_lines("-", 1000, waits=False)) == ["a\n", "b\n"]
    assert list(first_lines("-", 1, waits=False)) == ["a\n"]
    os.close(sink)
    assert list(read_lines("-")) == ["a\n", "b\n"]


def test_standard_input_that_is_not_to_be_waited_for_is_read_to_its_end(sink, monkeypatch):
    """Another program that has it open, such as Node, may say so for all."""
    os.set_blocking(sys.stdin.fileno(), False)
    pieces = [b"a\nb", b"\nc\n"]
    monkeypatch.setattr("select.select", lambda *_: os.write(sink, pieces.pop(0)) if pieces else os.close(sink))
    assert list(read_lines("-")) == ["a\n", "b\n", "c\n"]


def test_few_long_lines_are_looked_at(tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "MOST_AHEAD", 3)
    (tmp_path / "x").write_bytes(b"ab\ncd\nef\n")
    assert list(first_lines(str(tmp_path / "x"), 3)) == ["ab\n", "cd\n"]


def test_standard_input_says_when_nothing_waits(sink):
    assert nothing_waits(0)
    os.write(sink, b"a\nb\n")
    lines = read_lines("-")
    assert not nothing_waits(0)
    assert next(lines) == "a\n"
    assert not nothing_waits(0)  # the second line is in the buffer
    assert next(lines) == "b\n"
    assert nothing_waits(0)
    os.write(sink, b"c\n \r\n\n")
    assert next(lines) == "c\n"
    assert nothing_waits(0)  # but for blank lines
    os.close(sink)
    assert not nothing_waits(0)  # the end can be read
    assert list(lines) == [" \r\n", "\n"]


def test_a_pipe_is_opened_once():
    read, write = os.pipe()
    os.write(write, gzip.compress(b"a\nb\n"))
    os.close(write)
    assert list(read_lines(f"/dev/fd/{read}")) == ["a\n", "b\n"]
    os.close(read)


@pytest.mark.parametrize("path", ["The cat sat.", "It's 3 p.m. already"])
def test_a_sentence_in_place_of_a_file_is_told_how_text_comes(path):
    with pytest.raises(DataError) as raised:
        next(read_lines(path))
    assert str(raised.value).startswith(f"{path}: cannot be read: ")
    assert str(raised.value).endswith(f"; text comes by standard input: echo {shlex.quote(path)} | synparse …")


def test_a_sentence_longer_than_the_name_of_a_file_too():
    with pytest.raises(DataError, match=r"^the the .* … .*the ' \| synparse …$"):
        next(read_lines("the " * 100))


@pytest.mark.parametrize("path", ["missing", "my text.txt", "my folder/missing"])
def test_a_missing_file_is_no_sentence(path):
    with pytest.raises(DataError, match=f"^{path}: cannot be read: No such file or directory$"):
        next(read_lines(path))


def test_other_formats_are_refused_packed_or_not(tmp_path, monkeypatch):
    (tmp_path / "x").write_bytes(b"%PDF-1.7\n")
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"%PDF-1.7\n"))
    for name in ("x", "x.gz"):
        with pytest.raises(DataError, match=f"{name}: this is a PDF; "):
            next(read_lines(str(tmp_path / name)))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"%PDF-1.7\n"))))
    with pytest.raises(DataError, match=r"^<stdin>: this is a PDF; "):
        next(first_lines("-", 2))
    with pytest.raises(DataError, match=r"^<stdin>: this is a PDF; "):
        next(read_lines("-"))


@pytest.mark.skipif(os.name == "nt", reason="links and permissions of Unix")
def test_a_link_stays_one_and_a_file_keeps_its_permissions(tmp_path):
    (tmp_path / "there").mkdir()
    file, link = tmp_path / "there" / "file.txt", tmp_path / "link.txt"
    file.write_text("old\n")
    file.chmod(0o600)
    link.symlink_to(file)
    with write_whole(str(link)) as out:
        out.write("new\n")
    assert link.is_symlink()
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("new\n", 0o600)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file.txt", "link.txt", "there"]


def test_a_file_appears_whole(tmp_path):
    target = tmp_path / "out"
    with write_whole(str(target)) as out:
        out.write("é\n")
        assert not target.exists()
    assert target.read_bytes() == "é\n".encode()
    assert target.stat().st_mode & 0o777 == 0o666 & ~0o022


@pytest.mark.parametrize("name", ["out", "out.gz"])
def test_the_name_of_a_file_that_is_not_utf_8_is_written_with_escapes(tmp_path, name):
    with write_whole(str(tmp_path / name)) as out:
        out.write(os.fsdecode(b"caf\xe9.txt") + "\n")
    assert list(read_lines(str(tmp_path / name))) == ["caf\\udce9.txt\n"]


def test_what_stands_for_standard_output_is_not_replaced(tmp_path):
    """Also where a shell sends it to a file: /dev/stdout is a link, which whoever may write there has lost."""
    if not Path("/dev/stdout").is_symlink():
        pytest.skip("no /dev/stdout here")
    program = """
from synparse.files import streams
streams.tempfile.mkstemp = None  # a test that fails replaces nothing either
with streams.write_whole("/dev/stdout") as out:
    out.write("after")
"""
    (tmp_path / "log").write_text("before\n")
    with (tmp_path / "log").open("a") as log:
        subprocess.run([sys.executable, "-c", program], stdout=log, check=True)
    assert (tmp_path / "log").read_text() == "before\nafter"


def test_a_file_does_not_appear_if_writing_fails(tmp_path):
    target = tmp_path / "out"
    target.write_text("before")

    def fail():
        with write_whole(str(target)) as out:
            out.write("after")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path):
    target = tmp_path / ("é" * 124 + ".txt")  # 252 bytes
    with write_whole(str(target)) as out:
        out.write("a")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["a"]


def test_an_output_that_cannot_be_written_is_an_error(tmp_path):
    with pytest.raises(DataError, match="cannot be written"), write_whole(str(tmp_path / "no" / "x")):
        pass


def test_a_full_disk_leaves_nothing(tmp_path):
    target = tmp_path / "out"

    def fill():
        with write_whole(str(target)) as out:
            out.write("x")
            raise OSError(28, "No space left on device")

    with pytest.raises(DataError, match="No space left"):
        fill()
    assert list(tmp_path.iterdir()) == []


def test_devices_are_written_to_and_not_replaced():
    with write_whole("/dev/null") as out:
        out.write("x")


@pytest.mark.parametrize("name", ["x.txt", "x.gz"])
def test_lines_longer_than_the_limit_are_errors(tmp_path, monkeypatch, name):
    path = tmp_path / name
    with streams.write_whole(str(path)) as stream:
        stream.write("a\n" + "b" * 10_000_000)
    monkeypatch.setattr(streams, "LONGEST_LINE", 100_000)
    tracemalloc.start()
    try:
        lines = read_lines(str(path))
        assert next(lines) == "a\n"
        with pytest.raises(DataError, match=rf"{name}:2: a line of more than 100000 bytes"):
            next(lines)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000


def test_a_nul_character_is_told_with_its_line(tmp_path):
    (tmp_path / "text.txt").write_bytes(b"the dog\nthe\0 cat\n")
    with pytest.raises(
        DataError, match=r"text\.txt:2: a NUL character: no text has any; is the file UTF-16, or damaged\?$"
    ):
        list(read_lines(str(tmp_path / "text.txt")))
