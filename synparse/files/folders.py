"""Folders whose files belong together: saved together or not at all, even if the process is killed meanwhile."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from synparse.files.signals import signals_wait
from synparse.files.streams import usual_mode
from synparse.trees.errors import DataError, unwritable

PENDING, SAVED = ".pending", ".saved"
"""Hidden folders: of files that are being written, and of complete files that are being moved to the directory."""

Content: TypeAlias = "bytes | Callable[[Path], None]"
"""The content of a file, or a function that writes the file."""


def save_together(directory: Path, files: Mapping[str, Content], gone: Sequence[str] = ()) -> None:
    """Write all of these files to a directory, or none of them; then delete the files ``gone``. If the process is
    killed before that, these stay: they must do no harm beside the new ones.

    The files are written to a hidden folder in the directory; renaming this folder makes all of them valid at once. If
    the process is killed before it has moved them to the directory, `stored` finds them in the hidden folder. Raises
    DataError if they cannot be written, or where a function that writes one of them does.
    """
    try:
        _save_together(directory, files)
        for name in gone:
            (directory / name).unlink(missing_ok=True)
    except DataError:
        raise
    except Exception as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"cannot be saved: {reason}", str(directory)) from None


def _save_together(directory: Path, files: Mapping[str, Content]) -> None:
    pending = directory / PENDING
    is_new = not directory.exists()
    directory.mkdir(parents=True, exist_ok=True)
    try:
        settle(directory)
        shutil.rmtree(pending, ignore_errors=True)
        pending.mkdir()
        for name, content in files.items():
            path = pending / name
            path.write_bytes(content) if isinstance(content, bytes) else content(path)
            with path.open("r+b") as stream:  # Windows writes nothing back of a file that is open for reading
                os.fsync(stream.fileno())
            path.chmod(usual_mode())
        pending.rename(directory / SAVED)
        settle(directory)
    except BaseException:
        shutil.rmtree(pending, ignore_errors=True)
        if is_new:
            with contextlib.suppress(OSError):  # not empty if the files were saved before a second Ctrl-C
                directory.rmdir()
        raise


def settle(directory: Path) -> None:
    """Move complete files from the hidden folder to the directory, as a killed process had no time to."""
    saved = directory / SAVED
    if saved.is_dir():
        for path in sorted(saved.iterdir()):
            path.replace(directory / path.name)
        saved.rmdir()


def stored(directory: Path, name: str) -> Path:
    """The current path of a file of a directory: in the hidden folder of complete files, or in the directory."""
    saved = directory / SAVED / name
    return saved if saved.exists() else directory / name


@contextlib.contextmanager
def exclusive_lock(directory: Path) -> Iterator[int]:
    """A context in which only this process writes to a directory, which is created, and removed if it ends up empty.

    The lock ends with the process, even if it is killed; or with the last process that has inherited the handle which
    is given. Raises DataError if another process has the lock, or if the directory cannot be made.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        handle = _open_to_lock(directory)
    except FileExistsError:
        raise DataError("exists and is not a directory; name another output", str(directory)) from None
    except OSError as error:
        raise unwritable(str(directory), error) from None
    try:
        _lock(handle, directory)
        try:
            yield handle
        finally:
            with contextlib.suppress(OSError):
                directory.rmdir()
    finally:
        os.close(handle)


def _open_to_lock(directory: Path) -> int:
    """The directory; on Windows, which locks files alone, a file beside it, which is gone once it is closed."""
    if sys.platform != "win32":
        return os.open(directory, os.O_RDONLY)
    path = directory.resolve()
    return os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_TEMPORARY)


def _lock(handle: int, directory: Path) -> None:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        reason = "another process is writing to it; wait for it, or name another output"
        raise DataError(reason, str(directory)) from None
    except OSError:  # some network disks have no locks; then there is no protection
        pass


@contextlib.contextmanager
def scratch_folder(directory: Path) -> Iterator[Path]:
    """A temporary hidden folder beside ``directory``, on the same disk. A DataError of a file in it is told of
    ``directory``, whose name the user knows.

    Raises DataError if it cannot be made.
    """
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{directory.name[:50]}.", dir=directory.parent))
    except OSError as error:
        raise unwritable(str(directory), error) from None
    try:
        yield folder
    except DataError as error:
        if not Path(error.source).is_relative_to(folder):
            raise
        raise DataError(error.message, str(directory)) from None
    finally:
        with signals_wait():
            shutil.rmtree(folder, ignore_errors=True)
