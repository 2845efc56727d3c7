"""Tables in tab-separated text."""

from synparse.files.tables import read_table


def test_a_table_has_its_cells_by_column_with_quotes_as_they_are(tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text('word\tnote\n"quoted"\t\nčesky\ta "b"\n', encoding="utf-8")
    assert read_table(path) == [{"word": '"quoted"', "note": ""}, {"word": "česky", "note": 'a "b"'}]


def test_where_there_is_no_file_there_are_no_rows(tmp_path):
    assert read_table(tmp_path / "none.tsv") == []
