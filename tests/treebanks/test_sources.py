"""Files, folders and corpora; where their lines are cut."""

import gzip
import itertools
from pathlib import Path

import pytest

from synparse.treebanks import sources
from synparse.treebanks.sources import chunks, conllu_sentences, read_sources, separate_trees, whole_trees
from synparse.trees.errors import DataError


def lines(text):
    return text.splitlines(keepends=True)


def shape(records):
    """First line and content of each record, the white space around it left out."""
    return [(record.first_line, "".join(record.lines).strip()) for record in records]


INDENTED = "\n( (S\n    (NN a) ))\n\n( (S\n    (NN b)\n) )\n"
UNINDENTED = "(S\n(NN\na)\n)\n(S (NN b)) (S\n(NN c))\n"
LINES = "(S (NN a))\n(S (NN b))\n"


def test_whole_trees_end_where_every_bracket_is_closed():
    assert shape(whole_trees(lines(INDENTED), "x")) == [(2, "( (S\n    (NN a) ))"), (5, "( (S\n    (NN b)\n) )")]
    assert shape(whole_trees(lines(UNINDENTED), "x")) == [(1, "(S\n(NN\na)\n)"), (5, "(S (NN b)) (S\n(NN c))")]
    assert shape(whole_trees(lines(LINES), "x")) == [(1, "(S (NN a))"), (2, "(S (NN b))")]
    assert shape(whole_trees(lines("(S\n))\n(NN a)\n"), "x")) == [(1, "(S\n))"), (3, "(NN a)")]


def test_separate_trees_end_where_the_next_tree_begins():
    assert shape(separate_trees(lines(INDENTED), "x")) == [(2, "( (S\n    (NN a) ))"), (5, "( (S\n    (NN b)\n) )")]
    assert shape(separate_trees(lines(LINES), "x")) == [(1, "(S (NN a))"), (2, "(S (NN b))")]
    broken = "( (S\n   (NN a)\n( (S\n  (NN b)))\ntext\n(S (NN c))\n"
    assert shape(separate_trees(lines(broken), "x")) == [
        (1, "( (S\n   (NN a)"),
        (3, "( (S\n  (NN b)))"),
        (5, "text"),
        (6, "(S (NN c))"),
    ]
    margin = "  (S (NN a)\n  (S\n    (NN b))\n(NN c)\n"
    assert shape(separate_trees(lines(margin), "x")) == [(1, "(S (NN a)"), (2, "(S\n    (NN b))"), (4, "(NN c)")]


@pytest.mark.parametrize("cut", [whole_trees, separate_trees])
def test_copyright_notices_are_ignored(cut):
    text = "*x*x*x*x*\n*x* Copyright (C) 1994 *x*\n*x*x*x*x*\n\n( (S (NN a)))\n"
    assert shape(cut(lines(text), "x")) == [(5, "( (S (NN a)))")]


@pytest.mark.parametrize("cut", [whole_trees, separate_trees])
def test_brackets_in_markup_are_no_tree(cut):
    text = "<DOCID> (1 </DOCID>\n( (S\n  (NN <a>)))\n</DOC>\n"
    records = [(1, "<DOCID> (1 </DOCID>"), (2, "( (S\n  (NN <a>)))"), (4, "</DOC>")]
    assert shape(cut(lines(text), "x")) == records


@pytest.mark.parametrize("cut", [whole_trees, separate_trees])
def test_a_bracket_that_is_never_closed_does_not_gather_the_file(cut, monkeypatch):
    monkeypatch.setattr(sources, "LARGEST_TREE", 5)
    records = list(cut(["(S\n", *["  (NP (NN x))\n"] * 20], "file"))
    assert max(len(record.lines) for record in records) == 6
    assert sum(len(record.lines) for record in records) == 21


def test_conllu_is_cut_at_blank_lines():
    assert shape(conllu_sentences(lines("\n# a\n1\ta\n \n\n1\tb\n"), "x")) == [(2, "# a\n1\ta"), (6, "1\tb")]


def test_chunks_have_the_given_size_and_lose_no_record():
    records = list(whole_trees(lines(LINES * 10), "x"))
    parts = list(chunks(records, 30))
    assert [len(part) for part in parts] == [3] * 6 + [2]
    assert list(itertools.chain.from_iterable(parts)) == records


def test_folders_are_walked_in_order(tmp_path):
    for name in ("b.mrg", "a/2.PTB", "a/10.parse", "a/notes.txt", "c/z.tree.gz", ".hidden.mrg", "a/._2.mrg"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(name.encode()) if name.endswith("gz") else name.encode())
    (tmp_path / "c" / "loop").symlink_to(tmp_path)
    files = [(name.removeprefix(f"{tmp_path}/"), list(content)) for name, content in read_sources([str(tmp_path)])]
    assert files == [(name, [name]) for name in ("a/10.parse", "a/2.PTB", "b.mrg", "c/z.tree.gz")]


def test_a_folder_without_trees_is_an_error(tmp_path):
    (tmp_path / "a.txt").touch()
    with pytest.raises(DataError, match=r"holds no trees: no file that ends in \.mrg"):
        list(read_sources([str(tmp_path)]))


def test_a_name_that_is_too_long_is_that_of_the_input(tmp_path, monkeypatch):
    with pytest.raises(DataError, match="cannot be read: File name too long"):
        [list(lines) for _, lines in read_sources(["a" * 300])]
    monkeypatch.setattr(
        Path, "iterdir", lambda _: (_ for _ in ()).throw(PermissionError(13, "Permission denied", "sub"))
    )
    with pytest.raises(DataError, match="sub: cannot be read: Permission denied"):
        list(read_sources([str(tmp_path)]))


def test_an_empty_name_is_no_folder(tmp_path, monkeypatch):
    (tmp_path / "a.mrg").write_text("(S (NN a))")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match="the name of the file is empty"):
        [list(content) for _, content in read_sources([""])]


def test_corpora_of_nltk(tmp_path, monkeypatch):
    import nltk.data
    from nltk.corpus import LazyCorpusLoader
    from nltk.corpus.reader import BracketParseCorpusReader

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    for name in ("treebank", "ptb"):
        loader = LazyCorpusLoader(name, BracketParseCorpusReader, r".*\.mrg")
        monkeypatch.setattr(f"nltk.corpus.{name}", loader)
    with pytest.raises(DataError, match=r"nltk:treebank: .* fetch it: .*nltk\.download\('treebank'\)"):
        list(read_sources(["nltk:treebank"]))
    with pytest.raises(DataError, match=r"nltk:ptb: .*LDC99T42"):
        list(read_sources(["nltk:ptb"]))
    with pytest.raises(DataError, match=r"nltk:brown: .*there are treebank, ptb"):
        list(read_sources(["nltk:brown"]))
    folder = tmp_path / "corpora" / "treebank"
    folder.mkdir(parents=True)
    (folder / "wsj_0001.mrg").write_text("(S (NN a))\n(S (NN b))\n")
    files = [(name, list(content)) for name, content in read_sources(["nltk:treebank"])]
    assert files == [("nltk:treebank/wsj_0001.mrg", ["(S (NN a))\n", "(S (NN b))\n"])]
