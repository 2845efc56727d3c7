"""``synparse parse``: several files, several processes, clusters."""

import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys

import pytest

from synparse.cli.app import run
from synparse.files.extras import how_to_install
from synparse.files.streams import read_lines
from synparse.parsing import jobs
from synparse.parsing.parser import Parser
from synparse.parsing.windows import WINDOW_SENTENCES
from synparse.trees.constituency import format_brackets
from tests.pictures import cairosvg_or_skip
from tests.processes import HANG, started, wait_for


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_line_of_a_pipe_is_parsed_before_the_next_one_comes(jobs):
    command = [sys.executable, "-m", "synparse", "parse", "--model", "chain", "-f", "brackets", "--jobs", jobs]
    command += ["--tokenizer", "whitespace"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for words in ("a b", "c d", "e f"):
            process.stdin.write(f"{words}\n".encode())
            process.stdin.flush()
            ready, _, _ = select.select([process.stdout], [], [], HANG)
            assert ready
            assert process.stdout.readline().decode() == "(X (_ {}) (_ {}))\n".format(*words.split())
        process.stdin.close()
        assert process.wait(HANG) == 0


@pytest.mark.parametrize("sentence", ["1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n", '{"tokens": ["a"]}\n\n', "(X (_ a))\n\n"])
def test_a_sentence_of_a_pipe_is_parsed_with_its_blank_line(sentence):
    command = [sys.executable, "-m", "synparse", "parse", "--model", "chain", "-f", "brackets"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for _ in range(2):
            process.stdin.write(sentence.encode())
            process.stdin.flush()
            assert select.select([process.stdout], [], [], HANG)[0]
            assert process.stdout.readline() == b"(X (_ a))\n"
        process.stdin.close()
        assert process.wait(HANG) == 0


@pytest.fixture
def parse(capfd, tmp_path, monkeypatch):
    """A function that runs the command in this process, in a folder of its own; its standard output."""
    monkeypatch.chdir(tmp_path)

    def parse(*arguments, code=0):
        capfd.readouterr()
        assert run(["parse", *map(str, arguments)]) == code
        out, error = capfd.readouterr()
        if code == 0:
            assert error == ""
            return out
        assert error.startswith("synparse: ")
        assert error.count("\n") == 1
        return error

    return parse


@pytest.fixture
def text(tmp_path, sample_text):
    """More than two windows, with paragraphs."""
    lines = sample_text * (2 * WINDOW_SENTENCES // len(sample_text) + 1)
    (tmp_path / "text").write_text("".join(f"{line}\n" + "\n" * (number % 7 == 0) for number, line in enumerate(lines)))
    return tmp_path / "text"


def test_files_are_parsed_one_after_the_other(parse, tmp_path):
    (tmp_path / "a.txt").write_text("the dog\n\n")
    (tmp_path / "b.conllu").write_text("# sent_id = mine\n1\ta" + "\t_" * 8)
    (tmp_path / "c.txt").write_text("barks")
    parts = parse("a.txt", "b.conllu", "c.txt", "-m", "chain").split("\n\n")
    assert [part.splitlines()[:2] for part in parts] == [
        ["# synparse = chain, function words free, punctuation ignore", "# sent_id = 1"],
        ["# sent_id = mine", "1\ta\t_\t_\t_\t_\t0\troot\t_\t_"],
        ["# newpar", "# sent_id = 2"],
        [],
    ]


def test_the_last_sentence_of_a_file_has_a_blank_line_too(parse, tmp_path):
    (tmp_path / "b.conllu").write_text("1\ta" + "\t_" * 8)
    assert parse("b.conllu", "-m", "chain") == (
        "# synparse = chain, function words free, punctuation ignore\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    )


@pytest.mark.parametrize("model", ["right-branching", "random"])
def test_processes_write_what_one_writes(parse, text, model):
    alone = parse(text, "-m", model)
    assert f"# sent_id = {2 * WINDOW_SENTENCES}\n" in alone
    assert parse(text, "-m", model, "--jobs", 2) == alone


@pytest.mark.parametrize(("cores", "is_spread"), [(1, False), (2, True)])
def test_long_input_is_parsed_by_as_many_processes_as_there_are_cores(
    parse, text, tiny_udgn, cores, is_spread, monkeypatch
):
    monkeypatch.setenv("OMP_NUM_THREADS", str(cores))
    used = []
    spread = jobs.map_in_order
    monkeypatch.setattr(jobs, "map_in_order", lambda *arguments: used.append(arguments[2]) or spread(*arguments))
    by_default = parse(text, "-m", tiny_udgn, "--device", "cpu")
    assert used == [2] * is_spread
    assert parse(text, "-m", tiny_udgn, "--device", "cpu", "--jobs", 1) == by_default
    parse(text, "-m", "chain")
    assert used == [2] * is_spread


def test_random_among_others_is_drawn_by_one_process(parse, tmp_path, monkeypatch):
    (tmp_path / "text").write_text("a b c d e f g h\n" * 100)
    arguments = ["text", "-m", "left-branching", "-m", "random", "-m", "random", "-f", "brackets"]
    alone = parse(*arguments)
    assert len(set(alone.splitlines())) > 50
    monkeypatch.setattr(jobs, "map_in_order", None)
    assert parse(*arguments, "--jobs", 2) == alone


@pytest.fixture
def several(tiny_model, tiny_udgn, tiny_on_lstm):
    return [part for model in (tiny_model, tiny_udgn, tiny_on_lstm) for part in ("--model", model)]


def test_several_models_parse_together(parse, several, tmp_path, sample_text):
    (tmp_path / "text").write_text("".join(f"{line}\n" for line in sample_text[:30]))
    parser = Parser.load(several[1::2], device="cpu")
    parses = parser.parse(sample_text[:30])
    written = [json.loads(line) for line in parse("text", *several, "-f", "json", "--device", "cpu").splitlines()]
    assert [tuple(record["heads"]) for record in written] == [parsed.heads for parsed in parses]
    assert [record["distances"] for record in written] == [None] * 30
    brackets = parse("text", *several, "-f", "brackets", "--device", "cpu")
    assert brackets.splitlines() == [format_brackets(parsed.tree) for parsed in parses]
    heads = re.findall(r"^\d+(?:\t[^\t]*){5}\t(\d+)", parse("text", *several, "--device", "cpu"), re.MULTILINE)
    assert [int(head) for head in heads] == [head for parsed in parses for head in parsed.heads]


def test_what_the_first_sentence_would_wait_for_is_not_loaded(several, tiny_ordered_memory_recipe, tmp_path):
    """PyTorch's compiler takes as long to import as all else, its symbolic algebra and NLTK half as long."""
    (tmp_path / "text").write_text("the dog barks\n")
    program = f"""
import sys
from synparse.cli.app import run
from synparse.inducers.loading import build_on_meta
from synparse.config.recipe import load_recipe
code = run(["parse", *sys.argv[1:]])
build_on_meta("ordered-memory", 9, load_recipe({str(tiny_ordered_memory_recipe)!r}).networks[0].architecture)
sys.exit(code or ", ".join({{"torch._dynamo", "sympy", "nltk", "rich.console"}} & set(sys.modules)) or None)
"""
    arguments = [*map(str, several), "--device", "cpu", str(tmp_path / "text")]
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_several_models_that_do_not_go_together_are_wrong_usage(parse, several, tiny_on_lstm, tmp_path):
    shutil.copytree(tiny_on_lstm, tmp_path / "other")
    config = (tmp_path / "other" / "config.yaml").read_text()
    (tmp_path / "other" / "config.yaml").write_text(config.replace("punctuation: drop", "punctuation: keep"))
    (tmp_path / "text").write_text("a b\n")
    assert f"{several[1]} and other do not read the same tokens" in parse("text", *several, "-m", "other", code=2)
    assert "no decoder 'joint' of heads; possible are mst, argmax, projective" in parse(
        "text", *several, "--decode-heads", "joint", code=2
    )
    error = parse("text", "-m", tiny_on_lstm, "-m", tiny_on_lstm, code=2)
    assert f"{tiny_on_lstm} + {tiny_on_lstm} induces no heads" in error
    assert "no such model" in parse("text", *several, "-m", "nothing", code=1)


def test_punctuation_is_evidence_where_it_is_asked_for(parse, tiny_model, tmp_path):
    (tmp_path / "text").write_text("the dog , sees ( the old cat ) barks\n")
    arguments = ["text", "-m", tiny_model, "-f", "json", "--device", "cpu"]
    plain, ignored, weighed = (
        json.loads(parse(*arguments, *more))
        for more in ([], ["--punctuation", "ignore"], ["--punctuation", "evidence"])
    )
    assert ignored == plain != weighed
    assert min(weighed["distances"][position] for position in (1, 2, 5)) > max(
        weighed["distances"][k] for k in (0, 3, 4)
    )
    assert "'both' is not one of 'ignore', 'evidence'" in parse(*arguments, "--punctuation", "both", code=2)


def test_function_words_are_leaves_where_it_is_asked_for(parse, tiny_udgn, sample_text, tmp_path):
    (tmp_path / "text").write_text("\n".join(sample_text[:50]) + "\n")
    arguments = ["text", "-m", tiny_udgn, "-f", "json", "--device", "cpu"]
    plain, free, leaves = (
        [json.loads(line) for line in parse(*arguments, *more).splitlines()]
        for more in ([], ["--function-words", "free"], ["--function-words", "leaves"])
    )
    assert free == plain
    assert [parsed["heads"] for parsed in leaves] != [parsed["heads"] for parsed in plain]
    assert "'both' is not one of 'free', 'leaves'" in parse(*arguments, "--function-words", "both", code=2)


def test_adpositions_may_be_heads_in_every_format(parse, tiny_udgn, tmp_path):
    """Also where a head is given; a model without base phrases is told in a line."""
    options = ["text.conllu", "-m", "english", "--function-words", "adpositions"]

    def rows(heads):
        words = "The boy of the house saw her".split()
        return [f"{n}\t{word}\t_\t_\t_\t_\t{head}" for n, (word, head) in enumerate(zip(words, heads, strict=True), 1)]

    def write(heads):
        (tmp_path / "text.conllu").write_text("".join(f"{row}\t_\t_\t_\n" for row in rows(heads)) + "\n")

    def parsed(*more):
        first, *lines = parse(*options, *more).splitlines()
        assert first.endswith(", function words adpositions, punctuation evidence")
        return [line.rsplit("\t", 3)[0] for line in lines if line]

    write("_______")
    heads = [2, 6, 2, 5, 3, 0, 6]
    assert parsed() == rows(heads)
    assert json.loads(parse(*options, "-f", "json"))["heads"] == heads
    write("____2__")
    assert parsed("--keep", "heads") == rows([2, 6, 5, 5, 2, 0, 6])
    error = parse("text.conllu", "-m", tiny_udgn, "--function-words", "adpositions", code=2)
    assert f": {tiny_udgn} has no base phrases, by which they are recognised: take leaves or free; " in error


def test_errors_of_the_input_are_the_same(parse, text, tmp_path):
    (tmp_path / "bad").write_bytes(text.read_bytes() + b"\xff\n")
    alone = parse("bad", "-m", "chain", "-o", "out", code=1)
    assert alone.startswith("synparse: bad:")
    assert parse("bad", "-m", "chain", "-o", "out", "--jobs", 2, code=1) == alone
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("number", "code", "message"),
    [
        (signal.SIGINT, 130, b"synparse: interrupted\n"),
        (signal.SIGTERM, 143, b"synparse: terminated\n"),
        (signal.SIGHUP, 129, b"synparse: terminated\n"),
    ],
)
def test_a_signal_ends_an_endless_run_and_nothing_is_left(tmp_path, number, code, message):
    command = f"exec {sys.executable} -m synparse parse -m chain --jobs 2 -o out < <(yes the dog barks)"
    process = started(["bash", "-c", command], cwd=tmp_path, start_new_session=True)
    wait_for(lambda: any(path.stat().st_size for path in tmp_path.iterdir()), process)
    (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
    out, error = process.communicate(timeout=HANG)
    assert (process.returncode, out, error) == (code, b"", message)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--dask", "local", "-o", "out"], "name them as TEXT"),
        (["x", "--dask", "local"], "name a file by --output"),
        (["x", "--dask", "local", "-o", "out", "-m", "random"], "one process must draw all random trees"),
        (
            ["x", "--dask", "tcp://127.0.0.1:1", "-o", "out", "--jobs", "2"],
            "the cluster decides its number of processes",
        ),
        (["x", "--dask", "nonsense", "-o", "out"], "takes local, or an address"),
        (["x", "--jobs", "0"], "--jobs"),
    ],
)
def test_what_cannot_be_is_wrong_usage(parse, arguments, message):
    assert message in parse(*arguments, code=2)


def test_dask_is_named_where_it_is_missing(parse, text, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    error = parse(text, "-m", "chain", "--dask", "local", "-o", "out", code=1)
    assert error == f"synparse: --dask needs Dask: {how_to_install('dask')}\n"
    assert list(tmp_path.iterdir()) == [text]


@pytest.mark.parametrize("format", ["svg", "html", "png"])
def test_a_picture_is_what_show_draws_of_json(parse, tmp_path, format):
    if format == "png":
        cairosvg_or_skip()
    (tmp_path / "text").write_text("the dog barks .\n\nit\u2028sleeps\n")
    parse("text", "-m", "right-branching", "-f", format, "-o", "picture")
    (tmp_path / "json").mkdir()
    parse("text", "-m", "right-branching", "-f", "json", "-o", "json/text")
    assert run(["show", "json/text", "-f", format, "-o", "shown"]) == 0
    assert (tmp_path / "picture").read_bytes() == (tmp_path / "shown").read_bytes()


@pytest.mark.parametrize(
    ("name", "format"),
    [
        *(("x.brackets", "brackets"), ("x.PTB", "brackets"), ("x.jsonl.gz", "json"), ("x.conllx", "conllu")),
        *(
            ("x.svg.gz", "svg"),
            ("x.JSON.GZ", "json"),
            ("x.brackets.bz2", "brackets"),
            ("x.SVG", "svg"),
            ("x.tex", "latex"),
            ("x.conllu", "conllu"),
            ("x.txt", "conllu"),
            ("x", "conllu"),
        ),
    ],
)
def test_the_name_of_the_output_says_its_format(parse, tmp_path, name, format):
    (tmp_path / "text").write_text("the dog barks .\n\nit sleeps\n")
    parse("text", "-m", "right-branching", "-o", name)
    parse("text", "-m", "right-branching", "-f", format, "-o", "named")
    assert list(read_lines(str(tmp_path / name))) == list(read_lines(str(tmp_path / "named")))
    parse("text", "-m", "right-branching", "-f", "conllu", "-o", name)
    assert "".join(read_lines(str(tmp_path / name))).startswith("# synparse = ")


def test_a_picture_has_one_tree_of_a_sentence(parse):
    error = parse("text", "-f", "svg", "--n-best", "2", code=2)
    assert error.startswith("synparse: Invalid value for --n-best: only --format json has room for several trees")
