"""What macOS and Windows can do, as far as it shows here: what Linux alone has is hidden."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "data" / "sample"
MODULES = ("fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")

PROGRAM = f"""
import multiprocessing, os, shlex, signal, subprocess, sys
for name in {MODULES}:
    if name != "posix":  # the module os is made of it
        sys.modules[name] = None
for name in ("chown", "fchmod", "fork", "getpgid", "getuid", "killpg", "mkfifo", "sched_getaffinity", "set_blocking",
             "statvfs"):
    delattr(os, name)
for name in ("SIGALRM", "SIGCHLD", "SIGHUP", "SIGPIPE", "SIGUSR1", "alarm", "pthread_sigmask", "setitimer"):
    delattr(signal, name)
from synparse.cli.app import run
if __name__ == "__main__":
    for line in sys.stdin.read().splitlines():
        code = run(shlex.split(line))
        assert code == 0, line
"""

COMMANDS = """\
parse text -f json -o parsed.jsonl
parse text -f conllu -o parsed.conllu --jobs 2
parse text -f brackets -o parsed.brackets
eval parsed.conllu gold.conllu
eval parsed.brackets gold.brackets -o scores
convert trees.mrg --to ud -o converted.conllu
convert trees.mrg -o converted.gz
search 'S < NP' trees.mrg
classes text --classes 4 -o words
show parsed.conllu --format svg -o picture.svg
info english
"""


def test_modules_that_other_systems_lack_are_imported_where_a_system_is_asked_for():
    for path in (ROOT / "synparse").rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not {*names, getattr(node, "module", None)} & {*MODULES, "msvcrt", "winreg"}, path


def test_commands_need_nothing_that_other_systems_lack(tmp_path, fixtures):
    for name in ("gold.conllu", "gold.brackets"):
        (tmp_path / name).write_bytes((SAMPLE / name).read_bytes())
    (tmp_path / "text").write_bytes((SAMPLE / "gold.txt").read_bytes())
    (tmp_path / "trees.mrg").write_bytes((fixtures / "sentences.mrg").read_bytes())
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    words = [sys.executable, "program.py"]
    done = subprocess.run(words, input=COMMANDS, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    written = [line.split("-o ")[1].split()[0] for line in COMMANDS.splitlines() if "-o " in line]
    assert all((tmp_path / name).stat().st_size for name in written)
