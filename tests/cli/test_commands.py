"""The commands as a user types them: pipes, files, exit codes, one line for an error."""

import gzip
import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from synparse import __version__
from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import read_conllu
from synparse.trees.dependency import is_projective, is_tree

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "sample"


def synparse(*arguments, stdin="", cwd=None, code=0, binary=False):
    """Run a command; its standard output. Checks the exit code, and that an error is one line and no traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "synparse", *map(str, arguments)],
        input=stdin if binary else stdin.encode(),
        capture_output=True,
        cwd=cwd,
        check=False,
        timeout=120,
    )
    error = done.stderr.decode()
    assert done.returncode == code, error
    if code == 0:
        assert error == ""
        return done.stdout.decode()
    assert len(error.strip().splitlines()) == 1, error
    assert error.startswith("synparse: ")
    return error


@pytest.fixture(scope="module")
def model(tiny_model):
    return tiny_model


def test_help_and_version():
    assert "train" in synparse("--help")
    assert "Example" in synparse("parse", "--help")
    assert synparse("--version") == f"synparse {__version__}\n"


def test_without_arguments_there_is_help():
    done = subprocess.run([sys.executable, "-m", "synparse"], capture_output=True, check=False)
    assert done.returncode == 2
    assert b"train" in done.stdout
    assert done.stderr == b""


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["eval", str(SAMPLE / "gold.conllu"), str(SAMPLE / "gold.conllu")], ["train", "--help"]],
)
def test_torch_and_nltk_stay_unloaded(arguments):
    program = (
        "import sys\nfrom synparse.cli.app import run\ncode = run(sys.argv[1:])\n"
        "sys.exit(code or 3 * bool({'torch', 'nltk', 'stanza'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", program, *arguments], check=True, capture_output=True)


def test_the_pipeline_as_typed(model):
    text = (SAMPLE / "gold.txt").read_text(encoding="utf-8")
    parsed = synparse("parse", "--model", model, stdin=text)
    scores = json.loads(synparse("eval", "-", SAMPLE / "gold.conllu", "--json", stdin=parsed))
    assert scores["prediction"] == "<stdin>"
    assert scores["sentences"] == 1000
    assert 0 < scores["uas"] <= scores["uuas"] < 100


def test_models_without_heads_refuse_conllu_and_name_those_that_have_them(tiny_on_lstm):
    error = synparse("parse", "-m", tiny_on_lstm, stdin="a b\n", code=2)
    assert "on-lstm induces no heads; use --format brackets or json, or a model that has heads (" in error
    [row] = synparse("parse", "-m", tiny_on_lstm, "-f", "json", stdin="the dog sees\n").splitlines()
    value = json.loads(row)
    assert len(value["distances"]) == 2
    assert value["heads"] is value["heights"] is None
    assert synparse("parse", "-m", tiny_on_lstm, "-f", "brackets", stdin="the dog sees\n").startswith("(X ")


def test_layers_and_decoders_of_each_model(tiny_on_lstm, tiny_udgn):
    text = "the old dog sees the cat\n"
    layers = [synparse("parse", "-m", tiny_on_lstm, "-f", "json", "--layer", n, stdin=text) for n in (1, 3)]
    assert layers[0] != layers[1]
    error = synparse("parse", "-m", tiny_on_lstm, "-f", "json", "--layer", "9", stdin=text, code=2)
    assert "layers 1 to 3" in error
    assert "projective" in synparse("parse", "-m", tiny_udgn, "--decode", "joint", stdin=text, code=2)
    out = synparse("parse", "-m", tiny_udgn, "--decode", "projective", stdin=text)
    [sentence] = read_conllu(out.splitlines(keepends=True), "out")
    assert is_projective([int(row[6]) for row in sentence.rows])
    assert synparse("parse", "-m", tiny_udgn, "-f", "brackets", stdin=text).startswith("(X ")


def test_a_run_goes_on_from_a_model(tmp_path, tiny_udgn, tiny_udgn_recipe):
    text = tiny_udgn.parent / "corpus.txt"
    before = json.loads(synparse("info", tiny_udgn, "--json"))
    slowly = ["--set", "training.learning_rate=0.001", "--json"]
    more = json.loads(synparse("train", text, "--init", tiny_udgn, "-o", tmp_path / "more", *slowly))
    fresh = json.loads(
        synparse("train", text, "--recipe", tiny_udgn_recipe, "--model", "udgn", "-o", tmp_path / "fresh", *slowly)
    )
    assert more["perplexity"] < 0.9 * fresh["perplexity"]
    after = json.loads(synparse("info", tmp_path / "more", "--json"))
    assert after["recipe"]["architecture"] == before["recipe"]["architecture"]
    assert (tmp_path / "more" / "vocabulary.txt").read_bytes() == (tiny_udgn / "vocabulary.txt").read_bytes()
    error = synparse("train", text, "--init", tiny_udgn, "--model", "on-lstm", "-o", tmp_path / "x", code=2)
    assert "is for the model udgn, not on-lstm" in error
    error = synparse("train", text, "--init", tiny_udgn, "--recipe", "udgn-small", "-o", tmp_path / "x", code=2)
    assert "has architecture.hidden_size 16, but recipe udgn-small has 128" in error
    error = synparse("train", text, "--init", tmp_path / "none", "-o", tmp_path / "x", code=1)
    assert "no such model directory" in error


def test_weights_of_another_architecture_are_told(tmp_path, tiny_udgn, tiny_on_lstm):
    mixed = tmp_path / "mixed"
    shutil.copytree(tiny_udgn, mixed)
    shutil.copy(tiny_on_lstm / "weights.safetensors", mixed)
    assert "the weights do not fit config.yaml" in synparse("parse", "-m", mixed, stdin="a b\n", code=1)


def test_recipes_are_listed_with_size_and_time():
    rows = json.loads(synparse("recipes", "--json"))
    assert {"on-lstm-ptb", "on-lstm-small", "structformer-ptb", "udgn-ptb", "udgn-small"} <= {r["recipe"] for r in rows}
    for row in rows:
        assert row["parameters"] > 1e6
        assert "CPU" in row["expected_time"]
        assert row["about"]
        assert row["model"] in row["recipe"] or row["recipe"] == "english"
    assert len(synparse("recipes").splitlines()) == len(rows)


def test_brackets_of_conllu_have_its_tags_and_score(model, tmp_path):
    out = tmp_path / "out.brackets"
    assert synparse("parse", SAMPLE / "gold.conllu", "-m", model, "-f", "brackets", "-o", out) == ""
    assert " (DT the) " in out.read_text(encoding="utf-8")
    scores = json.loads(synparse("eval", out, SAMPLE / "gold.brackets", "--json"))
    assert 0 < scores["uf1_corpus"] < 100


def test_one_line_in_is_one_tree_out(model):
    text = "the dog barks .\n\nHello\n. ,\n" + "a b " * 300 + "\nzzz yyy\n"
    lines = synparse("parse", "-m", model, "-f", "brackets", stdin=text).split("\n")
    assert len(lines) == 7
    assert lines[1] == lines[-1] == ""
    for line, sentence in zip(lines, text.split("\n"), strict=True):
        if line:
            [(_, tree)] = read_brackets([line], "out")
            assert tree.words == tuple(sentence.split())
    sentences = list(read_conllu(synparse("parse", "-m", model, stdin=text).splitlines(True), "out"))
    assert len(sentences) == 5
    assert all(is_tree(sentence.heads) for sentence in sentences)
    assert sentences[1].lines[0] == "# newpar\n"
    objects = [json.loads(line) for line in synparse("parse", "-m", model, "-f", "json", stdin=text).splitlines()]
    assert [one["tokens"] for one in objects] == [line.split() for line in text.split("\n")[:-1]]
    assert len(objects[0]["distances"]) == 2


def test_conllu_comes_back_byte_for_byte_but_for_two_columns(model):
    text = (
        "\n# newdoc\r\n1-2\tdel\t_\t_\t_\t_\t_\t_\t_\tA=B\n1\tde\t_\tADP\t_\t_\t2\tcase\t_\t_\n"
        "2\tel\t_\tDET\t_\tX=Y\t0\troot\t0:root\t_\n2.1\te\t_\t_\t_\t_\t_\t_\t1:dep\t_\n\n\n# last\n"
    )
    out = synparse("parse", "-m", model, "--from", "conllu", stdin=text)
    for before, after in zip(text.splitlines(True), out.splitlines(True), strict=True):
        one, other = before.split("\t"), after.split("\t")
        assert one[:6] + one[8:] == other[:6] + other[8:]
        if not one[0].isdigit():
            assert before == after


def test_raw_text_is_split(model):
    out = synparse("parse", "-m", model, "--raw", stdin="Mr. Smith barks. The dog doesn't.\n")
    assert [s.words for s in read_conllu(out.splitlines(True), "out")] == [
        ("Mr.", "Smith", "barks", "."),
        ("The", "dog", "does", "n't", "."),
    ]


def test_training_reads_every_format_and_pipes(tmp_path, tiny_recipe):
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress((SAMPLE / "gold.txt").read_bytes()))
    files = ["a.txt.gz", SAMPLE / "gold.conllu", SAMPLE / "gold.brackets", "-"]
    options = ["--recipe", tiny_recipe, "--set", "training.batch_tokens=4096", "-o", "m"]
    options += ["--valid", SAMPLE / "gold.txt", "--tokenizer", "treebank"]
    synparse("train", *files, *options, stdin="the dog barks .\n" * 30, cwd=tmp_path)
    description = json.loads(synparse("info", "m", "--json", cwd=tmp_path))
    corpus = description["provenance"]["corpus"]
    assert corpus["files"] == ["a.txt.gz", "gold.conllu", "gold.brackets", "-"]
    assert (corpus["training_sentences"], corpus["held_out_sentences"]) == (3030, 1000)
    assert description["recipe"]["text"]["tokenizer"] == "treebank"
    assert description["recipe"]["training"]["batch_tokens"] == 4096
    assert "held_out_perplexity" in synparse("info", "m", cwd=tmp_path)


def test_the_result_as_json(tmp_path, tiny_recipe):
    out = synparse("train", SAMPLE / "gold.txt", "--recipe", tiny_recipe, "-o", "m", "--json", cwd=tmp_path)
    result = json.loads(out)
    assert result["perplexity"] > 1
    assert result["interrupted"] is False


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["parse", "x", "--format", "xml"], "'xml' is not one of 'conllu', 'brackets', 'json'"),
        (
            ["parse", "x", "--decode", "best"],
            "no decoder 'best' (--decode); possible are boundaries, projective, mst",
        ),
        (["parse", "x", "-m", "chain", "-f", "brackets", "--decode", "mst"], "brackets come from unbiased, published"),
        (["parse", "x", "-m", "chain", "--decode", "unbiased"], "heads come from mst, argmax, projective, joint"),
        (["parse", "x", "-m", "chain", "--tokenizer", "nltk"], "unknown tokenizer 'nltk'"),
        (["parse", "x", "--precision", "half"], "'half' is not one of 'auto', 'float32', 'bfloat16'"),
        (["parse", "--bogus"], "bogus"),
        (["bogus"], "bogus"),
        (["tran"], "Did you mean 'train'?"),
        (["eval", "x"], "name one gold file"),
        (["eval", "-", "-"], "only one of the two"),
        (["eval", "x", "y", "--root", "z"], "'z' is not one of 'word', 'omit', 'wrong'"),
        (["train"], "name the files to train on"),
        (["train", "x", "--model", "gpt"], "'gpt' is not one of 'structformer'"),
        (["train", "x", "--set", "training.mask_rat=1"], "did you mean training.mask_rate"),
        (["train", "x", "--device", "abacus"], "no device 'abacus'"),
        (["train", "x", "--epochs", "0"], "epochs"),
    ],
)
def test_wrong_usage_exits_with_2(arguments, message, tmp_path):
    (tmp_path / "x").write_text("a b\n")
    assert message in synparse(*arguments, code=2, cwd=tmp_path)


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["parse", "-m", "chain"], b"fine\n\xff\n", "<stdin>:2: not UTF-8"),
        (["parse", "-m", "chain", "--from", "conllu"], b"1\tx\n", "<stdin>:1: 2 columns"),
        (["parse", "-m", "chain", "--from", "brackets"], b"(S (NP\n", "<stdin>:1: the bracket (NP is never closed"),
        (["parse", "-m", "missing"], b"a\n", "missing: no such model"),
        (["parse", "missing", "-m", "chain"], b"", "missing: cannot be read"),
        (["parse", "-m", "chain", "-o", "no/such/place"], b"a\n", "no/such/place: cannot be written"),
        (["train", "-"], b"", "the corpus holds no words"),
        (["train", "-"], b"\n \n\n", "the corpus holds no words"),
        (["train", "-"], b"a a a a a a\n", "one word of the corpus"),
        (["train", "missing"], b"", "missing: cannot be read"),
        (["train", "-", "--recipe", "missing"], b"a", "missing: no such recipe"),
        (["eval", "-", str(SAMPLE / "gold.conllu")], b"", "<stdin>: ends after 0 sentences"),
        (["eval", "-", str(SAMPLE / "gold.brackets")], b"", "<stdin>: ends after 0 sentences"),
        (["info", "missing"], b"", "missing: no such model: neither a directory"),
    ],
)
def test_bad_data_exits_with_1_and_leaves_nothing(arguments, stdin, message, tmp_path):
    assert message in synparse(*arguments, stdin=stdin, code=1, cwd=tmp_path, binary=True)
    assert list(tmp_path.iterdir()) == []


def test_a_prediction_of_another_kind_is_told_which_is_which():
    message = synparse("eval", SAMPLE / "gold.brackets", SAMPLE / "gold.conllu", code=2)
    assert "the prediction" in message
    assert "bracketed trees, but the gold file" in message


def test_a_model_that_is_there_is_not_replaced_unasked(model, tmp_path):
    assert "--force replaces it" in synparse("train", "x", "-o", model, code=2, cwd=tmp_path)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine").touch()
    assert "not a model directory" in synparse("train", "x", "-o", "notes", "--force", code=2, cwd=tmp_path)


@pytest.mark.parametrize("format", ["conllu", "brackets", "json"])
def test_a_closed_pipe_is_quiet(format):
    command = f"{sys.executable} -m synparse parse -m chain -f {format} | head -n 1"
    text = b"the dog barks\n" * 20_000
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], input=text, capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stderr == b""
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


def test_ctrl_c_keeps_the_best_model_and_says_so(tmp_path, tiny_recipe):
    process = subprocess.Popen(
        # Heeds Ctrl-C even where the tests run in a background job, whose children ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        args=[sys.executable, "-m", "synparse", "train", str(SAMPLE / "train.txt"), "--recipe", str(tiny_recipe),
         "--epochs", "1000", "-o", "m"],
        cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not (tmp_path / "m" / "weights.safetensors").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == b""
    assert error.startswith(b"synparse: interrupted after")
    assert b"the best model so far (perplexity" in error
    assert [path.name for path in tmp_path.iterdir()] == ["m"]
    assert synparse("parse", "-m", "m", stdin="the dog\n", cwd=tmp_path)
