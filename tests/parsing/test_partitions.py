"""Partitions begin and end between sentences, and none is lost."""

import gzip
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.corpora.sentences import read_files
from synparse.corpora.tokenization import load_tokenizer
from synparse.parsing.partitions import partitions_of, read_partition
from synparse.trees.errors import DataError

WORDS = load_tokenizer("whitespace")
WORD = "1\té" + "\t_" * 8 + "\n"
PIECES = {
    "text": ["a b\n", "\n", " \t\n", "é\r\n", "c d e f\n"],
    "conllu": ["# a comment\n\n", f"# x = 1\n{WORD}\n", f"{WORD}\n\n\n", f"{WORD}\r\n", f"{WORD} \t\n"],
    "brackets": ["(S (A a) (B b))\n", "( (S (A é)\n    (B b)))\n", "(S (A a)) (S (B b)\n (A a))\n", "\n", "(S\na)\n"],
    "json": ["\n", '{"tokens": ["a", "é"], "heads": [2, 0]}\n', '{"tokens": []}\r\n', '{"tokens": ["b"]}\n'],
}


def parts_of(paths, format, size):
    names = [str(path) for path in paths]
    whole = list(read_files(names, WORDS, format))
    partitions = list(partitions_of(names, format, size))
    return whole, partitions, [list(read_partition(partition, WORDS)) for partition in partitions]


def without_positions(sentences):
    """Lines of CoNLL-U are counted from the start of a partition."""
    return [(sentence.tokens, sentence.tags, sentence.conllu and sentence.conllu.lines) for sentence in sentences]


@pytest.mark.parametrize("format", PIECES)
@given(data=st.data(), size=st.integers(1, 40))
def test_the_sentences_of_the_partitions_are_those_of_the_files(tmp_path_factory, format, data, size):
    folder = tmp_path_factory.mktemp("files")
    pieces = st.lists(st.sampled_from(PIECES[format])).map("".join)
    for name in ("a", "b"):
        content = data.draw(pieces)
        cut_short = data.draw(st.integers(0, 1)) if format != "brackets" else 0
        (folder / name).write_bytes(content.encode()[: len(content.encode()) - cut_short])
    whole, partitions, parts = parts_of([folder / "a", folder / "b"], format, size)
    assert without_positions(sentence for part in parts for sentence in part) == without_positions(whole)
    for partition, following in itertools.pairwise(partitions):
        assert following.start == (partition.end if partition.path == following.path else 0)


@pytest.mark.parametrize("format", PIECES)
def test_partitions_are_about_as_big_as_is_asked(tmp_path, format):
    piece = PIECES[format][1] if format != "text" else PIECES[format][0]
    (tmp_path / "x").write_text(piece * 100)
    _, partitions, parts = parts_of([tmp_path / "x"], format, 10 * len(piece.encode()))
    assert len(partitions) in (9, 10)
    assert {len(part) for part in parts[:-1]} <= {10, 11}


@pytest.mark.parametrize("name", ["x.txt.gz", "x.txt"])
def test_a_packed_file_is_one_partition(tmp_path, name):
    (tmp_path / name).write_bytes(gzip.compress(b"a b\n" * 100))
    whole, [partition], [part] = parts_of([tmp_path / name], None, 10)
    assert partition.end is None
    assert part == whole
    assert len(part) == 100


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.txt", b"fine\n" * 50 + b"not \xff fine\n" + b"fine\n"),
        ("x.conllu", f"{WORD}\n".encode() * 50 + b"1\ta\n\n" + WORD.encode()),
        ("x.mrg", b"(S (A a))\n" * 50 + b"(S (A a)\n" * 3),
    ],
)
def test_errors_name_the_file_and_its_line(tmp_path, monkeypatch, name, content):
    (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError) as plain:
        list(read_files([name], WORDS))
    with pytest.raises(DataError) as parted:
        [list(read_partition(partition, WORDS)) for partition in partitions_of([name], None, 40)]
    assert str(parted.value) == str(plain.value)
    assert str(plain.value).startswith(f"{name}:")


@pytest.mark.parametrize("format", PIECES)
def test_a_file_that_becomes_shorter_meanwhile_is_told(tmp_path, format):
    path = tmp_path / "x"
    path.write_bytes("".join(PIECES[format] * 2000).encode())  # more than a buffer
    partitions = partitions_of([str(path)], format, 1000)
    assert next(partitions).start == 0
    path.write_bytes(b"")
    with pytest.raises(DataError, match="x: cannot be read: it has become shorter meanwhile"):
        list(itertools.islice(partitions, 1000))


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(DataError, match=r"missing\.txt: cannot be read"):
        list(partitions_of([str(tmp_path / "missing.txt")], None, 10))
