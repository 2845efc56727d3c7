import gzip

import pytest

from synparse.corpora.table_files import table_note

CSV, TSV = b"id,text\n1,The cat sat.\n", b"1\tThe cat sat.\n2\tIt slept.\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [("x.csv", CSV), ("x.TSV", TSV), ("x.csv.gz", gzip.compress(CSV, mtime=0)), ("x.tsv", TSV[:-1])],
)
def test_a_table_that_is_read_as_text_is_told(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    note = f"{path}: a table; each line is read as a sentence, so leave only the column of sentences in it"
    assert table_note(["-", str(path)]) == table_note([str(path)], "text") == note


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("x.txt", CSV, None),
        ("x.csv", b"The cat, it sat.\nIt slept.\n", None),
        ("x.tsv", b"1\tdogs" + b"\t_" * 8 + b"\n", None),
        ("x.tsv", TSV, "conllu"),
        ("x.csv", b"", None),
    ],
)
def test_what_need_not_be_a_table_is_not(tmp_path, name, content, format):
    (tmp_path / name).write_bytes(content)
    assert table_note([str(tmp_path / name)], format) == ""
