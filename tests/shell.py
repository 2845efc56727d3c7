"""A shell in which ``synparse`` starts at once: as a fork of one process that has imported all of it."""

from __future__ import annotations

import ast
import contextlib
import gc
import os
import shlex
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.processes import wait_for

ROOT = Path(__file__).resolve().parents[1]

CLIENT = """#!{python} -IS
import os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
socket.send_fds(server, [repr((os.getcwd(), sys.argv[1:], dict(os.environ))).encode()], [0, 1, 2])
sys.exit(int(server.recv(9)))
"""
"""The ``synparse`` of the shell: a process that hands its streams to the server, and waits for the exit code."""


@contextlib.contextmanager
def shell_with_synparse(folder: Path, has_torch: bool = True) -> Iterator[Callable[..., subprocess.CompletedProcess]]:
    """A function that runs a command of bash as `subprocess.run` does. What this needs is in ``folder``.
    ``has_torch``: whether PyTorch is installed for it."""
    if not hasattr(os, "fork"):
        raise NotImplementedError("processes are forked")
    address = folder / "server"
    for name, text in (
        ("synparse", CLIENT.format(python=sys.executable, address=str(address))),
        ("python", f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n'),
    ):
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o755)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("SYNPARSE")}
    environment = inherited | {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "NO_COLOR": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "COLUMNS": "100",
    }

    def shell(command: str, **options: object) -> subprocess.CompletedProcess[bytes]:
        wait_for(address.exists, server)
        return subprocess.run(["bash", "-c", command], env=environment, check=False, **options)

    words = [sys.executable, "-m", "tests.shell", str(address), "torch" if has_torch else ""]
    with subprocess.Popen(words, env=environment, cwd=ROOT, stdin=subprocess.DEVNULL) as server:
        yield shell
        server.kill()


def _serve(address: str, has_torch: bool) -> None:
    if has_torch:
        import synparse.language_models.perplexity
        import synparse.tasks.run
    else:
        sys.modules["torch"] = None  # type: ignore[assignment] # importing it fails, as where it is not installed
    import synparse.parsing.run
    import synparse.training.run  # noqa: F401
    from synparse.__main__ import main

    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        while True:
            connection, _ = listener.accept()
            with connection, contextlib.suppress(ChildProcessError):
                if os.fork() == 0:
                    _answer(connection, main)
                while os.waitpid(-1, os.WNOHANG) != (0, 0):
                    pass


def _answer(connection: socket.socket, main: Callable[[], None]) -> None:
    """Run a command in this process, and end."""
    request, descriptors, _, _ = socket.recv_fds(connection, 1 << 20, 3)
    directory, arguments, environment = ast.literal_eval(request.decode())
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["synparse", *arguments]
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115 - to the end
    code: object = 1
    try:
        main()
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        traceback.print_exc()
    connection.sendall(str(code).encode())
    os._exit(0)


if __name__ == "__main__":
    _serve(sys.argv[1], bool(sys.argv[2]))
