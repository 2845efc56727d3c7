import contextlib
import errno
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from synparse.files.folders import exclusive_lock, save_together, scratch_folder, stored
from synparse.trees.errors import DataError


def operations(save):
    """The number of changes of the disk, visible to other processes, in one save."""
    count = 0

    def counted(function):
        def called(*arguments, **options):
            nonlocal count
            count += 1
            return function(*arguments, **options)

        return called

    with replaced(counted):
        save()
    return count


def killed_at(number, save):
    """Save in a process that is killed instead of making its ``number``-th change of the disk."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)
    left = number

    def counted(function):
        def called(*arguments, **options):
            nonlocal left
            if left == 0:
                os._exit(0)
            left -= 1
            return function(*arguments, **options)

        return called

    with replaced(counted):
        save()
    os._exit(0)


@contextlib.contextmanager
def replaced(counted):
    with pytest.MonkeyPatch.context() as patch:
        for name in ("mkdir", "write_bytes", "rename", "replace", "unlink", "rmdir", "chmod"):
            patch.setattr(Path, name, counted(getattr(Path, name)))
        yield


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a fork of itself")
def test_wherever_a_save_is_killed_the_files_are_all_old_or_all_new(tmp_path):
    def save(directory, generation, gone=()):
        save_together(directory, {name: f"{name} {generation}".encode() for name in "abc"}, gone)

    def generation(directory):
        texts = {name: stored(directory, name).read_text() for name in "abc" if stored(directory, name).exists()}
        assert {text.split()[1] for text in texts.values()} in (set(), {"1"}, {"2"}), texts
        assert len(texts) in (0, 3)
        return {text.split()[1] for text in texts.values()}

    save(tmp_path / "counted", 1)
    count = operations(lambda: save(tmp_path / "counted", 2))
    assert count > 8
    seen = []
    for number in range(count + 1):
        directory = tmp_path / str(number)
        save(directory, 1)
        killed_at(number, lambda directory=directory: save(directory, 2))
        seen.append(generation(directory))
        killed_at(number, lambda directory=directory: save(directory, 2))  # again, after the first one was killed
        assert generation(directory) in (seen[-1], {"2"})
        save(directory, 1)
        assert sorted(path.name for path in directory.iterdir()) == ["a", "b", "c"]
        fresh = tmp_path / f"fresh-{number}"
        killed_at(number, lambda fresh=fresh: save(fresh, 2))
        assert not fresh.exists() or generation(fresh) in (set(), {"2"})
    assert seen == sorted(seen, key=lambda contents: contents == {"2"})
    assert {"1"} in seen
    assert {"2"} in seen


def test_a_failed_save_leaves_the_old_files(tmp_path):
    def fail(path):
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    with pytest.raises(DataError, match="cannot be saved: No space left on device"):
        save_together(tmp_path / "new", {"a": b"1", "b": fail})
    assert not (tmp_path / "new").exists()
    save_together(tmp_path / "old", {"a": b"1", "b": b"1", "c": b"1"})
    with pytest.raises(DataError, match="No space"):
        save_together(tmp_path / "old", {"a": b"2", "b": fail}, gone=["c"])
    assert {path.name: path.read_bytes() for path in (tmp_path / "old").iterdir()} == dict.fromkeys("abc", b"1")
    save_together(tmp_path / "old", {"a": b"2"}, gone=["c"])
    assert {path.name: path.read_bytes() for path in (tmp_path / "old").iterdir()} == {"a": b"2", "b": b"1"}


def test_one_process_at_a_time_has_a_directory_and_an_empty_one_is_removed(tmp_path):
    directory = tmp_path / "a" / "b"
    with exclusive_lock(directory):
        with pytest.raises(DataError, match="another process is writing to it"), exclusive_lock(directory):
            pass
        assert directory.is_dir()
    assert not directory.exists()
    with exclusive_lock(directory):
        (directory / "file").write_text("kept")
    with exclusive_lock(directory):
        assert (directory / "file").read_text() == "kept"


def test_windows_locks_a_file_beside_the_directory(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl", reason="plays Windows by the locks of other systems")

    def locking(handle, mode, count):
        assert (mode, count) == ("at once", 1)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PermissionError(errno.EACCES, "Permission denied") from None

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "O_TEMPORARY", 0, raising=False)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK="at once"))
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with exclusive_lock(tmp_path / "a"):
        assert sorted(path.name for path in tmp_path.iterdir()) == [".a.lock", "a"]
        with pytest.raises(DataError, match="another process is writing to it"), exclusive_lock(tmp_path / "a"):
            pass
    with exclusive_lock(tmp_path / "a"):
        (tmp_path / "a" / "file").touch()
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["file"]


def test_a_directory_that_cannot_be_made_is_an_error(tmp_path):
    (tmp_path / "file").write_text("mine")
    for path, fault in ((tmp_path / "file", "exists and is not a directory"), (tmp_path / "file" / "b", "be written")):
        with pytest.raises(DataError, match=fault), exclusive_lock(path):
            pass
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize(("at_fault", "told"), [("scratch", "model"), ("corpus.txt", "corpus.txt")])
def test_an_error_of_a_scratch_folder_is_told_of_its_directory(tmp_path, at_fault, told):
    def fail(scratch):
        source = scratch / "model" / "udgn-1" if at_fault == "scratch" else tmp_path / at_fault
        raise DataError("cannot be saved: File too large", str(source))

    with pytest.raises(DataError) as caught, scratch_folder(tmp_path / "model") as folder:
        fail(folder)
    assert str(caught.value) == f"{tmp_path / told}: cannot be saved: File too large"
    assert list(tmp_path.iterdir()) == []


def test_a_scratch_folder_lies_beside_a_directory_of_a_long_name(tmp_path):
    with scratch_folder(tmp_path / ("é" * 124)) as folder:
        assert folder.parent == tmp_path
