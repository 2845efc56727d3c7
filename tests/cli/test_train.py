import gzip
import json
import signal
import sys

from tests.cli.commands import SAMPLE, synparse
from tests.conftest import GRAMMARS
from tests.processes import HANG, started, wait_for


def test_a_seed_that_pytorch_cannot_take_is_wrong_usage(tmp_path):
    error = synparse("train", "text.txt", "--seed", 2**64, cwd=tmp_path, code=2)
    assert error.startswith("synparse: Invalid value for '--seed': 18446744073709551616 is not in the range ")


def test_a_run_goes_on_from_a_model(tmp_path, tiny_udgn, tiny_udgn_recipe):
    text = tiny_udgn.parents[1] / "corpus.txt"
    before = json.loads(synparse("info", tiny_udgn, "--json"))
    slowly = ["--set", "training.learning_rate=0.001", "--json"]
    more = json.loads(synparse("train", text, "--init", tiny_udgn, "-o", tmp_path / "more", *slowly))
    fresh = json.loads(
        synparse("train", text, "--recipe", tiny_udgn_recipe, "--model", "udgn", "-o", tmp_path / "fresh", *slowly)
    )
    assert more["perplexity"] < 0.9 * fresh["perplexity"]
    after = json.loads(synparse("info", tmp_path / "more", "--json"))
    sizes = [description["members"]["udgn-1"]["recipe"]["architecture"] for description in (before, after)]
    assert sizes[0] == sizes[1]
    assert (tmp_path / "more/udgn-1/vocabulary.txt").read_bytes() == (tiny_udgn / "vocabulary.txt").read_bytes()
    error = synparse("train", text, "--init", tiny_udgn, "--model", "on-lstm", "-o", tmp_path / "x", code=2)
    assert "--init: the model is a udgn, not a on-lstm" in error


def test_training_reads_every_format_and_pipes(tmp_path, tiny_recipe):
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress((SAMPLE / "gold.txt").read_bytes()))
    files = ["a.txt.gz", SAMPLE / "gold.conllu", SAMPLE / "gold.brackets", "-"]
    options = ["--recipe", tiny_recipe, "--set", "training.batch_tokens=4096", "-o", "m"]
    options += ["--valid", SAMPLE / "gold.txt", "--tokenizer", "treebank"]
    synparse("train", *files, *options, stdin="the dog barks .\n" * 30, cwd=tmp_path)
    description = json.loads(synparse("info", "m", "--json", cwd=tmp_path))
    model = description["members"]["structformer-1"]
    corpus = model["provenance"]["corpus"]
    assert corpus["files"] == [
        "a.txt.gz",
        "gold.conllu",
        "gold.brackets",
        "standard-input.txt",
    ]  # where the last one was kept
    assert (corpus["training_sentences"], corpus["held_out_sentences"]) == (3030, 1000)
    assert model["recipe"]["text"]["tokenizer"] == "treebank"
    assert model["recipe"]["training"]["batch_tokens"] == 4096
    assert "held_out_perplexity" in synparse("info", "m", "--all", cwd=tmp_path)


def test_grammars_alone_from_the_text_to_the_trees(tmp_path, tiny_grammar):
    quickly = [argument for change in GRAMMARS for argument in ("--set", change)]
    for model in ("grammar", "dbm"):
        text = tiny_grammar.parent / "corpus.txt"
        command = ["train", text, "--model", model, "-o", model, *quickly, "--seed", "3", "--json"]
        result = json.loads(synparse(*command, cwd=tmp_path))
        assert (result["model"], result["interrupted"], result["perplexity"]) == (model, False, None)
        assert [stage["stage"] for stage in result["stages"]] == ["grammars"]
        assert json.loads(synparse("info", model, "--json", cwd=tmp_path))["provenance"]["seed"] == 3
        for form in ("conllu", "brackets", "json"):
            parsed = synparse("parse", "-m", model, "--format", form, stdin="the dog sees it .\n\nno\n", cwd=tmp_path)
            assert parsed
        assert "brackets and heads" in synparse("info", model, cwd=tmp_path)
        synparse("parse", "-m", model, SAMPLE / "gold.txt", "-o", "pred.conllu", cwd=tmp_path)
        assert "UAS" in synparse("eval", "pred.conllu", SAMPLE / "gold.conllu", cwd=tmp_path)


def test_ctrl_c_between_the_stages_of_grammars(tmp_path):
    text = (SAMPLE / "train.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "corpus.txt").write_text("".join(text[:500]), encoding="utf-8")
    command = ["train", "corpus.txt", "--model", "grammar", "-o", "m", "--set", "grammar.dependency_passes=100000"]
    process = started([sys.executable, "-m", "synparse", *command], cwd=tmp_path)
    wait_for((tmp_path / "m" / "grammars-1" / "classes.tsv").exists, process)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=HANG)
    assert (process.returncode, out) == (130, b"")
    assert error == b"synparse: interrupted; this run has no model yet; continue with --resume m\n"
    wrong = ["--set", "grammar.dependency_passes=3"]
    assert "a resumed run can change" in synparse("train", "--resume", "m", *wrong, code=2, cwd=tmp_path)
    unfinished = synparse("parse", "-m", "m", stdin="the dog\n", code=1, cwd=tmp_path)
    assert "m: no model yet; its run goes on with: synparse train --resume m" in unfinished


def test_brackets_of_a_stopped_run_need_its_grammars(tmp_path):
    """Word classes alone make no trees."""
    from synparse.training.events import Learning
    from synparse.training.run import train

    def stop(event):
        if isinstance(event, Learning) and event.stage.startswith("dependency"):
            raise KeyboardInterrupt

    corpus, changes = [str(SAMPLE / "gold.txt")], [*GRAMMARS, "text.phrase_boundaries=false"]
    train(corpus, "dbm", tmp_path / "m", changes=changes, report=stop)
    for form in ("conllu", "brackets", "json"):
        error = synparse("parse", "-m", tmp_path / "m" / "dbm-1", "--format", form, stdin="the dog\n", code=2)
        assert "dbm-1 has no grammars yet; continue its training with synparse train --resume" in error
