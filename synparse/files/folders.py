"""Folders whose files belong together: renewed together or not at all, whenever the process dies."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from synparse.files.streams import usual_mode
from synparse.trees.errors import DataError

PENDING, SAVED = ".pending", ".saved"
"""Folders of files that are being written, and of whole ones on their way to their places."""

Content: TypeAlias = "bytes | Callable[[Path], None]"
"""What a file is to hold, or a function that writes it."""


def save_together(directory: Path, files: Mapping[str, Content], gone: Sequence[str] = ()) -> None:
    """Put all of these files into a directory and take those ``gone`` out, or, whatever happens on the way, neither.

    They are written into a hidden folder there, and one renaming of that folder is the moment from which they count:
    `stored` finds in it what a process that was killed had no time to move to its place. Raises DataError where the
    disk refuses.
    """
    try:
        _save_together(directory, files)
        for name in gone:
            (directory / name).unlink(missing_ok=True)
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
            path.chmod(usual_mode(0o666))
            _reach_disk(path)
        pending.rename(directory / SAVED)
        settle(directory)
    except BaseException:
        shutil.rmtree(pending, ignore_errors=True)
        if is_new:
            with contextlib.suppress(OSError):  # something was saved before the second Ctrl-C
                directory.rmdir()
        raise


def settle(directory: Path) -> None:
    """Move what was saved to its place."""
    saved = directory / SAVED
    if saved.is_dir():
        for path in sorted(saved.iterdir()):
            path.replace(directory / path.name)
        saved.rmdir()


def stored(directory: Path, name: str) -> Path:
    """Where a file of a model directory is: in its place, or not there yet."""
    saved = directory / SAVED / name
    return saved if saved.exists() else directory / name


def _reach_disk(path: Path) -> None:
    with path.open("rb") as stream:
        os.fsync(stream.fileno())


@contextlib.contextmanager
def exclusive_lock(directory: Path) -> Iterator[None]:
    """Within, this process alone has a directory, which is made for that, and taken away where it is empty in the end.

    However the process ends, the directory is free again. Raises DataError where another process has it, or where it
    cannot be made.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        handle = os.open(directory, os.O_RDONLY)
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror or error}", str(directory)) from None
    try:
        _lock(handle, directory)
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                directory.rmdir()
    finally:
        os.close(handle)


def _lock(handle: int, directory: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise DataError("another run is writing to it; wait for it, or name another output", str(directory)) from None
    except OSError:  # some network disks know no locks, and are trusted
        pass


@contextlib.contextmanager
def scratch_folder(directory: Path) -> Iterator[Path]:
    """A hidden folder beside ``directory``, on the same disk, that is gone afterwards.

    Raises DataError where it cannot be made.
    """
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{directory.name}.", dir=directory.parent))
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror or error}", str(directory)) from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
