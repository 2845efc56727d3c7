import gzip

import pytest

from synparse.corpora.sentences import (
    format_of,
    format_of_file,
    read_files,
    read_sentences,
)
from synparse.corpora.tokenization import load_tokenizer
from synparse.trees.errors import DataError

CONLLU = (
    "# text = a b\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\ta\t_\t_\tDT\t_\t2\tdep\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
)
PARSE = '{"tokens": ["a", ",", "b"], "constituents": [[0, 3]], "heads": [0, 1, 1], "read": [true, false, true]}\n'
BRACKETS = "( (S (NP (DT the) (NN dog)) (NP (-NONE- *)) (VP (VBD barked))))\n"


def read(path):
    return list(read_sentences(str(path), load_tokenizer("whitespace")))


@pytest.mark.parametrize("name", ["x.txt", "x", "x.txt.gz"])
def test_each_line_of_text_is_a_sentence_even_if_blank(tmp_path, name):
    path = tmp_path / name
    content = "\ufeffHello , world\n\n(a) line\u2028of text".encode()
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    assert [sentence.tokens for sentence in read(path)] == [
        ("Hello", ",", "world"),
        (),
        ("(a)", "line", "of", "text"),
    ]


@pytest.mark.parametrize("name", ["x.conllu", "x"])
def test_conllu_gives_words_tags_and_itself(tmp_path, name):
    (tmp_path / name).write_text(CONLLU)
    [sentence] = read(tmp_path / name)
    assert sentence.tokens == ("a", "b")
    assert sentence.tags == ("DT", "")
    assert "".join(sentence.conllu.lines) == CONLLU


@pytest.mark.parametrize("name", ["x.mrg", "x"])
def test_brackets_give_words_without_traces(tmp_path, name):
    (tmp_path / name).write_text(BRACKETS)
    [sentence] = read(tmp_path / name)
    assert sentence.tokens == ("the", "dog", "barked")
    assert sentence.tags == ("DT", "NN", "VBD")
    assert sentence.tree.words == sentence.tokens
    assert [constituent[1:] for constituent in sentence.tree.constituents] == [(0, 3), (0, 3), (0, 2), (2, 3)]


@pytest.mark.parametrize("name", ["x.jsonl", "x.json.gz", "x"])
def test_parses_as_json_give_tokens_and_trees(tmp_path, name):
    content = f"{PARSE}\n{PARSE}".encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    first, second = read(tmp_path / name)
    assert first == second
    assert first.tokens == ("a", ",", "b")
    assert first.tree.constituents == (("X", 0, 3),)
    assert first.heads == (0, 1, 1)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("(S (NP (DT the)))", "brackets"),
        ("( (S", "brackets"),
        ("(S", "brackets"),
        ("(Applause) went the crowd", "text"),
        ("( he said )", "text"),
        ('{"tokens": ["a"]}', "json"),
        ('{"text": "a"}', "json"),
        ('{"id": 7, "text": "a"}', "json"),
        ('[{"text": "a"},', "json"),
        ('[[{"id": 1, "text": "a"}]]', "json"),
        ("{", "json"),
        ("[", "json"),
        ("[ he said ]", "text"),
        ("{ a }", "text"),
        ('["a", "b"] he said', "text"),
        ("# a heading", "text"),
        ("*x*  Copyright (C) 1991  *x*\n\n( (S (NP (DT a)", "brackets"),
        ("*x*", "text"),
        ("<DOC>\n<S ID=1>\n( (IP (NP (NR a)", "brackets"),
        ("<s> he said", "text"),
        ("(UH Yes)\n\n(S (NP (DT the)))", "brackets"),
        ("(S The (NP dog))\n(UH Yes)\n( (S", "brackets"),
        ("(laughs loudly)\n(applause from all)", "text"),
        ("(laughs loudly)\nand ( (S", "text"),
        ("1\ta\t_\t_\t_\t_\t_\t_\t_\t_", "conllu"),
        ("1\ttab\tseparated", "text"),
    ],
)
def test_the_first_line_shows_the_format(line, kind):
    assert format_of(["\n", *f"{line}\n".splitlines(keepends=True)]) == kind


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"fine\nnot \xff fine\n", r":2: not UTF-8 \(byte 0xff\)"),
        (b"1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n1\tb\t_\t_\t_\t_\t_\t_\t_\t_\n", ":2: ID 1 after word 1"),
        (b"(S (NP", ":1: the bracket"),
        (b'{"tokens": ["a"]}\n\n{"tokens": 7}', ":3: not what `parse --format json` writes"),
    ],
)
def test_malformed_files_are_errors_that_name_the_line(tmp_path, content, message):
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(DataError, match=message):
        read(tmp_path / "x")


def test_conllu_ends_with_a_blank_line(tmp_path):
    (tmp_path / "x.conllu").write_text(CONLLU.rstrip("\n"))
    (tmp_path / "y.txt").write_text("c")
    names = [str(tmp_path / name) for name in ("x.conllu", "y.txt", "x.conllu")]
    first, second, third = read_files(names, load_tokenizer("whitespace"))
    assert "".join(first.conllu.lines) == "".join(third.conllu.lines) == CONLLU
    assert second.tokens == ("c",)


def test_the_blank_line_ends_as_the_other_lines_do(tmp_path):
    (tmp_path / "x.conllu").write_bytes(CONLLU.rstrip("\n").replace("\n", "\r\n").encode())
    [sentence] = read_files([str(tmp_path / "x.conllu")], load_tokenizer("whitespace"))
    assert "".join(sentence.conllu.lines) == CONLLU.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("name", "kind"), [("x.conllu.gz", "conllu"), ("x.conllu.bz2", "conllu"), ("x.ptb", "brackets"), ("x", "brackets")]
)
def test_the_name_or_the_first_lines_of_a_file_show_its_format(tmp_path, name, kind):
    (tmp_path / name).write_text(BRACKETS)
    assert format_of_file(str(tmp_path / name)) == kind


def test_unreadable_files_are_errors(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        read(tmp_path / "missing")
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"hello\n" * 1000)[:-10])
    with pytest.raises(DataError, match="packed, but damaged or not whole"):
        read(tmp_path / "x.gz")
