"""The commands as a user types them: pipes, files, exit codes, one line for an error."""

import json

import pytest

from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import read_conllu
from synparse.trees.dependency import is_projective
from tests.cli.commands import SAMPLE, synparse
from tests.trees.dependency_trees import is_tree


@pytest.fixture(scope="module")
def model(tiny_model):
    return tiny_model


def test_the_pipeline_as_typed(model):
    text = (SAMPLE / "gold.txt").read_text(encoding="utf-8")
    parsed = synparse("parse", "--model", model, stdin=text)
    scores = json.loads(synparse("eval", "-", SAMPLE / "gold.conllu", "--json", stdin=parsed))
    assert scores["prediction"] == "<stdin>"
    assert scores["sentences"] == 1000
    assert 0 < scores["uas"] <= scores["uuas"] < 100


def test_models_without_heads_refuse_conllu_and_name_those_that_have_them(tiny_on_lstm):
    error = synparse("parse", "-m", tiny_on_lstm, stdin="a b\n", code=2)
    assert f"{tiny_on_lstm} induces no heads; use --format brackets or json, or a model that has heads (" in error
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
    assert "projective" in synparse("parse", "-m", tiny_udgn, "--decode-heads", "joint", stdin=text, code=2)
    out = synparse("parse", "-m", tiny_udgn, "--decode-heads", "projective", stdin=text)
    [sentence] = read_conllu(out.splitlines(keepends=True), "out")
    assert is_projective([int(row[6]) for row in sentence.rows])
    assert synparse("parse", "-m", tiny_udgn, "-f", "brackets", stdin=text).startswith("(X ")


def test_brackets_of_conllu_have_its_tags_and_score(model, tmp_path):
    out = tmp_path / "out.brackets"
    assert synparse("parse", SAMPLE / "gold.conllu", "-m", model, "-f", "brackets", "-o", out) == ""
    assert " (DT the) " in out.read_text(encoding="utf-8")
    scores = json.loads(synparse("eval", out, SAMPLE / "gold.brackets", "--json"))
    assert 0 < scores["uf1_corpus"] < 100


def test_one_line_in_is_one_tree_out(model):
    text = "the dog barks .\n\nHello\n. ,\n" + "a b " * 300 + "\nzzz yyy\n"
    lines = synparse("parse", "-m", model, "-f", "brackets", stdin=text, has_notes=True).split("\n")
    assert len(lines) == 7
    assert lines[1] == lines[-1] == ""
    for line, sentence in zip(lines, text.split("\n"), strict=True):
        if line:
            [(_, tree)] = read_brackets([line], "out")
            assert tree.words == tuple(sentence.split())
    sentences = list(read_conllu(synparse("parse", "-m", model, stdin=text, has_notes=True).splitlines(True), "out"))
    assert len(sentences) == 5
    assert all(is_tree(sentence.heads) for sentence in sentences)
    assert sentences[1].lines[0] == "# newpar\n"
    objects = [
        json.loads(line)
        for line in synparse("parse", "-m", model, "-f", "json", stdin=text, has_notes=True).splitlines()
    ]
    assert [record["tokens"] for record in objects] == [line.split() for line in text.split("\n")[:-1]]
    assert len(objects[0]["distances"]) == 2


def test_conllu_comes_back_byte_for_byte_but_for_two_columns(model):
    text = (
        "\n# newdoc\r\n1-2\tdel\t_\t_\t_\t_\t_\t_\t_\tA=B\n1\tde\t_\tADP\t_\t_\t2\tcase\t_\t_\n"
        "2\tel\t_\tDET\t_\tX=Y\t0\troot\t0:root\t_\n2.1\te\t_\t_\t_\t_\t_\t_\t1:dep\t_\n\n\n# last\n\n"
    )
    parsed = synparse("parse", "-m", model, "--from", "conllu", stdin=text)
    empty, comment, *sentences = parsed.splitlines(True)
    assert comment.startswith("# synparse = ")
    out = empty + "".join(sentences)
    for before, after in zip(text.splitlines(True), out.splitlines(True), strict=True):
        columns_before, columns_after = before.split("\t"), after.split("\t")
        assert columns_before[:6] + columns_before[8:] == columns_after[:6] + columns_after[8:]
        if not columns_before[0].isdigit():
            assert before == after
