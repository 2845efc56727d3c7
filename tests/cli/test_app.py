"""The program around its commands: help, exit codes, one line for an error."""

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from synparse import __version__, compiled
from synparse.cli.app import run
from tests.cli.commands import SAMPLE, synparse
from tests.processes import HANG


def test_help_and_version():
    assert "train" in synparse("--help")
    assert "Example" in synparse("parse", "--help")
    assert synparse("--version").startswith(f"synparse {__version__}, charts ")


@pytest.mark.usefixtures("charts")
def test_the_version_says_what_computes_charts(capsys):
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.endswith("NumPy\n" if compiled.CHARTS is None else "compiled\n")


def test_without_arguments_there_is_help():
    done = subprocess.run([sys.executable, "-m", "synparse"], capture_output=True, check=False)
    assert done.returncode == 2
    assert b"train" in done.stdout
    assert done.stderr == b""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["train", "--help"],
        ["eval", SAMPLE / "gold.conllu", SAMPLE / "gold.conllu"],
        *(["show", SAMPLE / "gold.brackets", "-f", format] for format in ("text", "svg", "html")),
        *(["convert", *options] for options in (["--help"], ["--to", "stanford"], ["--to", "brackets"])),
        ["task", "listops", "generate", "--count", "3", "--max-depth", "2"],
        ["task", "logic", "generate", "--count", "3"],
        ["tables", "udgn"],
    ],
)
def test_what_takes_long_to_import_stays_unloaded(arguments):
    slow = {"torch", "nltk", "stanza", "rich.console"} | ({"numpy"} if arguments[0] != "tables" else set())
    program = (
        "import sys\nfrom synparse.cli.app import run\ncode = run(sys.argv[1:])\n"
        f"sys.exit(code or ', '.join({slow} & set(sys.modules)) or None)"
    )
    command = [sys.executable, "-c", program, *map(str, arguments)]
    done = subprocess.run(command, input=b"(S (NN a))", capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["parse", "a.brackets", "--model", "chain", "--output", "a.brackets"],
        ["parse", "a.brackets", "--model", "chain", "--output", "link"],
        ["convert", "b.brackets", "a.brackets", "-o", "./a.brackets"],
        ["eval", "b.brackets", "a.brackets", "-oa.brackets"],
        ["eval", "b.brackets", "a.brackets", "--report", "a.brackets"],
        ["pairs", "m", "a.brackets", "--scores", "a.brackets"],
        ["channels", "m", "a.brackets", "--svg", "a.brackets"],
        ["search", "NP", ".", "-o", "a.brackets"],
        ["convert", "../trees", "-o", "a.brackets"],
        ["grammar", "../trees", "--report", "a.brackets"],
        ["task", "listops", "evaluate", "m", "--data", "a.brackets", "--output", "a.brackets"],
    ],
)
def test_no_file_that_is_read_is_written(arguments, tmp_path, monkeypatch):
    tmp_path = tmp_path / "trees"
    tmp_path.mkdir()
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        Path(f"{name}.brackets").write_text("(S (NN dogs) (VBP bark))\n")
    Path("link").symlink_to("a.brackets")
    error = synparse(*arguments, code=2)
    assert "is read, so it cannot be written; choose another name" in error
    assert Path("a.brackets").read_text() == "(S (NN dogs) (VBP bark))\n"


def test_a_file_whose_name_is_that_of_a_stream_is_none_of_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("./-").write_text("hi\n")
    assert synparse("parse", "-", "-m", "chain", "-f", "brackets", stdin="a b\n") == "(X (_ a) (_ b))\n"


@pytest.mark.parametrize("command", ["parse", "show", "pack"])
def test_a_link_to_itself_is_told_in_one_line(command, tmp_path, tiny_udgn, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("loop").symlink_to("loop")
    Path("x").write_text("(S (NN a))\n")
    given = {"parse": ["x", "-m", "chain"], "show": ["x"], "pack": [str(tiny_udgn)]}
    error = synparse(command, *given[command], "--output", "loop", code=1)
    assert "loop" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError("of NumPy"), "there is not enough memory for this"),
        (
            ImportError("\n\nREAD THIS!\n\nOriginal error was: x.so\n"),
            "a library cannot be loaded: Original error was: x.so",
        ),
        (RuntimeError("can't start new thread"), "can't start new thread"),
    ],
)
def test_what_the_machine_has_no_room_for_is_told_in_one_line(error, message, monkeypatch, capsys):
    def fail(*_):
        raise error

    monkeypatch.setattr("synparse.cli.app._refuse_empty_values", fail)
    assert run(["recipes"]) == 1
    assert capsys.readouterr().err == f"synparse: {message}\n"


def test_the_file_that_the_shell_reads_is_not_written(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("the dog barks\n")
    with text.open() as stdin:
        command = [sys.executable, "-m", "synparse", "parse", "--model", "chain", "-o", str(text)]
        done = subprocess.run(command, stdin=stdin, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"{text} is read, so it cannot be written" in done.stderr
    assert text.read_text() == "the dog barks\n"


@pytest.mark.parametrize(("name", "mode"), [("text.txt", "a"), ("-", "a"), ("text.txt", "w")])
def test_the_file_that_the_shell_writes_is_not_read(name, mode, tmp_path):
    """A command would read for ever what it has appended."""
    text = tmp_path / "text.txt"
    text.write_text("the dog barks\n")
    command = [sys.executable, "-m", "synparse", "parse", "--model", "chain", name]
    with text.open() as stdin, text.open(mode) as stdout:
        done = subprocess.run(command, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert b"standard output is read, so it cannot be written; choose another name" in done.stderr
    assert text.read_text() == ("the dog barks\n" if mode == "a" else "")


def test_the_shell_may_write_a_file_into_a_folder_that_is_read(tmp_path):
    (tmp_path / "trees.mrg").write_text("(S (NN dogs) (VBP bark))\n")
    command = [sys.executable, "-m", "synparse", "convert", ".", "--to", "brackets"]
    with (tmp_path / "written").open("wb") as stdout:
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=stdout, cwd=tmp_path, check=True)
    assert (tmp_path / "written").read_text() == "(S (NN dogs) (VBP bark))\n"


def test_a_directory_that_is_gone_is_not_needed(tmp_path):
    text, gone = tmp_path / "text.txt", tmp_path / "gone"
    text.write_text("the dog barks\n")
    gone.mkdir()
    script = f"cd {gone} && rmdir {gone} && exec {sys.executable} -m synparse parse {text} -m chain -f brackets"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "(X (X (_ the) (_ dog)) (_ barks))\n", "")


def test_a_long_value_is_no_path(tmp_path):
    (tmp_path / "x").write_text("an older one")
    error = synparse("parse", "--model", "chain", "--tokenizer", 400 * "m", "-o", tmp_path / "x", stdin="a b", code=2)
    assert "unknown tokenizer" in error


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["eval", SAMPLE / "gold.brackets", SAMPLE / "gold.brackets"], ("--output", "--report")),
        (["task", "craft", "generate", "AC", "--count", "1"], ("--ends-output", "--output")),
        (["task", "logic", "split", "A", SAMPLE / "gold.txt"], ("--train-output", "--test-output")),
    ],
)
def test_no_file_is_written_twice(arguments, options, tmp_path):
    error = synparse(*arguments, options[0], tmp_path / "x", options[1], tmp_path / "x", code=2)
    assert f"{options[0]}: {tmp_path / 'x'} is written by another option as well; choose another name" in error
    assert not (tmp_path / "x").exists()
    (tmp_path / "link").symlink_to(tmp_path)
    error = synparse(*arguments, options[0], tmp_path / "link" / "x", options[1], tmp_path / "x", code=2)
    assert f"{tmp_path / 'link' / 'x'} is written by another option as well" in error
    error = synparse(*arguments, options[0], "-", options[1], "-", code=2)
    assert "standard output is written by another option as well" in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["parse", "x", "--format", "xml"], "'xml' is not one of 'conllu', 'brackets', 'json'"),
        (["parse", "x", "--decode-heads", "best"], "no decoder 'best' of heads; possible are grammar, "),
        (["parse", "x", "-m", "chain", "-f", "brackets", "--decode-heads", "mst"], "no place for heads"),
        (["parse", "x", "-m", "chain", "--decode-brackets", "published"], "heads by mst do not depend on them"),
        (["parse", "x", "-m", "chain", "--tokenizer", "nltk"], "unknown tokenizer 'nltk'"),
        (["parse", "x", "--precision", "half"], "'half' is not one of 'auto', 'float32', 'bfloat16'"),
        (["parse", "--bogus"], "bogus"),
        (["--bogus", "parse"], "options of a command come after its name (see synparse --help)"),
        (["parse", "x", "-m"], "Option '-m' requires an argument (see synparse parse --help)"),
        (["search", "-NONE-", "x"], "No such option: -N; write -- before words that begin with a hyphen"),
        (["info", ""], "the name of the model is empty"),
        (["info", "--all"], "--all: name a model"),
        (["train", "x", "-o", ""], "--output: its value is empty"),
        (["parse", "x", "-m", "chain", "-o", ""], "--output: its value is empty"),
        (["train", "x", "--trees", "y", "--trees", ""], "--trees: its value is empty"),
        (["train", "--resume", ""], "--resume: its value is empty"),
        (["tables", "ordered-memory", "--sentiment", ""], "--sentiment: its value is empty"),
        (["pack", "--brackets", "", "-o", "p"], "--brackets: its value is empty"),
        (["parse", "x", "-m", ""], "--model: its value is empty"),
        (["parse", "x", "--language", ""], "--language: its value is empty"),
        (["parse", "-", "-"], "only one file can be standard input (-)"),
        (["select", "-", "--trees", "-"], "only one file can be standard input (-)"),
        (["calibrate", "chain", "-", "-", "-o", "c"], "only one file can be standard input (-)"),
        (["task", "craft", "draw", "--ends", "-"], "only one file can be standard input (-)"),
        (["bogus"], "bogus"),
        (["tran"], "Did you mean 'train'?"),
        (["eval", "x", "y", "--root", "z"], "'z' is not one of 'word', 'omit', 'wrong'"),
        (["train", "x", "--model", "gpt"], "'gpt' is not one of 'udgn'"),
        (["train", "x", "--set", "training.mask_rat=1"], "did you mean training.mask_rate"),
        (["train", "x", "--device", "abacus"], "no device 'abacus'"),
        (["train", "x", "--epochs", "0"], "epochs"),
        (["task", "listops", "generate", "--min-depth", "20"], "(see synparse task listops generate --help)"),
    ],
)
def test_wrong_usage_exits_with_2(arguments, message, tmp_path):
    (tmp_path / "x").write_text("a b\n")
    assert message in synparse(*arguments, code=2, cwd=tmp_path)


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["parse", "-m", "chain"], b"fine\n\xff\n", "<stdin>:2: not UTF-8 (byte 0xff); "),
        (["parse", "-m", "chain"], b"\x93Yes\x94\n", "Windows-1252: iconv -f WINDOWS-1252 -t UTF-8"),
        (["parse", "-m", "chain", "--from", "conllu"], b"1\tx\n", "<stdin>:1: 2 columns"),
        (["parse", "-m", "chain", "--from", "brackets"], b"(S (NP\n", "<stdin>:1: the bracket (NP is never closed"),
        (["parse", "-m", "chain"], b"1 x _ _ _ _ 0 root _ _\n", "<stdin>:1: no tab: the 10 columns of CoNLL-U"),
        (["parse", "-m", "missing"], b"a\n", "missing: no such model"),
        (["parse", "missing", "-m", "chain"], b"", "missing: cannot be read"),
        (["parse", "The cat sat.", "-m", "chain"], b"", "; text comes by standard input: echo 'The cat sat.' | "),
        (["convert", "(S (NN a))"], b"", "; text comes by standard input: echo '(S (NN a))' | synparse convert\n"),
        (["parse", "-m", "chain"], "The cat sat.\n".encode("utf-16"), "<stdin>: this is UTF-16; convert it: iconv -f"),
        (["show"], b"PK\x03\x04", "<stdin>: this is a zip archive, as Word (docx)"),
        (["train", "-"], b"%PDF-1.7\n", "<stdin>: this is a PDF"),
        (["parse", "-m", "chain", "-o", "no/such/place"], b"a\n", "no/such/place: cannot be written"),
        (["train"], b"", "the corpus holds no words"),
        (["train", "-"], b"\n \n\n", "the corpus holds no words"),
        (["train", "-"], b"a a a a a a\n", "one word of the corpus"),
        (["train", "missing"], b"", "missing: cannot be read"),
        (["train", "-", "--recipe", "missing"], b"a", "missing: no such recipe"),
        (["eval", "-", str(SAMPLE / "gold.conllu")], b"", "<stdin>: ends after 0 sentences"),
        (["eval", "-", str(SAMPLE / "gold.brackets")], b"", "<stdin>: ends after 0 sentences"),
        (["info", "missing"], b"", "missing: no such model: neither a directory"),
        (["info", "runs/german"], b"", "runs/german: no such model: neither a directory"),
        (["info", "German"], b"", "German: no such model; did you mean german?"),
        (["parse", "-m", "de"], b"", "de: no such model; did you mean german?"),
        (["parse", "-m", "chains"], b"", "chains: no such model; did you mean chain?"),
        (["parse", "", "-m", "chain"], b"", "cannot be read: the name of the file is empty"),
        (["convert"], b"1\tx" + b"\t_" * 8, "; for CoNLL-U: --from conllu"),
        (["parse", ".", "-m", "chain"], b"", ".: cannot be read: Is a directory; name its files: ./*"),
        (["eval", "-", str(SAMPLE / "gold.conllu")], b"The cat sat.\n", "<stdin>: neither CoNLL-U nor bracketed trees"),
        (["eval", "-", str(SAMPLE / "gold.brackets")], b"{}\n", "<stdin>: neither CoNLL-U nor bracketed trees"),
    ],
)
def test_bad_data_exits_with_1_and_leaves_nothing(arguments, stdin, message, tmp_path):
    assert message in synparse(*arguments, stdin=stdin, code=1, cwd=tmp_path, binary=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("module", ["typer", "synparse.cli.parse", "numpy"])
def test_ctrl_c_while_modules_are_imported_is_one_line(module):
    program = f"""
import signal, sys
from synparse.__main__ import main
class Interrupts:
    def find_spec(name, *_):
        if name == "{module}":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupts)
main()
"""
    done = subprocess.run(
        ["bash", "-c", f"exec {sys.executable} -c '{program}' parse -m chain -o /dev/null < <(yes the dog barks)"],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), capture_output=True, check=False, timeout=HANG,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"synparse: interrupted\n")


@pytest.mark.parametrize(
    "command",
    [
        *(f"parse -m chain -f {format}" for format in ("conllu", "brackets", "json")),
        "parse -m chain --jobs 2",
        f"show {shlex.quote(str(SAMPLE / 'gold.conllu'))}",
    ],
)
def test_a_closed_pipe_is_quiet(command):
    command = f"{sys.executable} -m synparse {command} | head -n 1"
    text = b"the dog barks\n" * 20_000
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], input=text, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout


def test_a_full_disk_is_told():
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "synparse", "parse", "-m", "chain"],
            input=b"the dog\n" * 9, stdout=full, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.decode() == "synparse: <stdout>: cannot be written: No space left on device\n"
    error = synparse("parse", "-m", "chain", "-o", "/dev/full", stdin="the dog\n", code=1)
    assert error == "synparse: /dev/full: cannot be written: No space left on device\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("to", [">/dev/full", "> >(exec true); wait $!"])
def test_what_cannot_be_said_is_lost_alone(unbuffered, to, tmp_path):
    if "/dev/full" in to and not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    (tmp_path / "text").write_text("The dog barks, it does.\n")
    command = f"exec 2{to}; exec {sys.executable} -m synparse parse text -m chain --language en -f brackets"
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith(b"(X ")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_disk_that_is_full_after_half_of_the_output_is_told(unbuffered, tmp_path):
    (tmp_path / "text").write_text("the dog\n" * 500)
    command = f"ulimit -f 1; exec {sys.executable} -m synparse parse text -m chain -f brackets > out"
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"synparse: <stdout>: cannot be written: File too large\n")


@pytest.mark.parametrize(
    ("closed", "code", "error"),
    [
        ("<&-", 1, b"synparse: <stdin>: cannot be read: Bad file descriptor\n"),
        (">&-", 1, b"synparse: <stdout>: cannot be written: Bad file descriptor\n"),
        ("2>&-", 0, b""),
        (">&- 2>&-", 1, b""),
        (">&- -o out", 0, b""),
        (">&- 2>&- -o out", 0, b""),
        (">&- -m none", 1, b"synparse: none: no such model"),
        ("2>&- -m none", 1, b""),
    ],
)
def test_a_closed_stream_is_an_error_where_it_is_used(closed, code, error, tmp_path):
    command = f"{sys.executable} -m synparse parse -f brackets -m chain {closed}"
    done = subprocess.run(["bash", "-c", command], input=b"the dog\n", capture_output=True, check=False, cwd=tmp_path)
    assert done.returncode == code
    assert done.stderr == error if code == 0 or error.endswith(b"\n") else done.stderr.startswith(error)
    tree = b"(X (_ the) (_ dog))\n"
    assert done.stdout == (tree if closed == "2>&-" else b"")
    written = [path.read_bytes() for path in tmp_path.iterdir()]
    assert written == ([tree] if "-o" in closed else [])
