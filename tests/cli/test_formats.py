"""Tables are printed in the format that was asked for, and one of them at most is."""

import json

import pytest
import typer

from synparse.cli.formats import refuse_several_formats, write_tables
from synparse.scoring.tables import Table, as_latex, as_text, as_tsv

TABLES = [Table("scores", ["", "model"], [["F1", "70.00"]])]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "".join(as_text(TABLES, "per cent"))),
        ({"tsv": True}, "".join(as_tsv(TABLES, "per cent"))),
        ({"latex": True}, "".join(as_latex(TABLES, "per cent"))),
        ({"values": {"F1": 70.0}}, json.dumps({"F1": 70.0}) + "\n"),
    ],
)
def test_the_format_that_was_asked_for(options, expected, tmp_path):
    write_tables(TABLES, "per cent", str(tmp_path / "out"), **{"tsv": False, "latex": False, **options})
    assert (tmp_path / "out").read_text() == expected


def test_one_format_at_most():
    refuse_several_formats(False, True, False)
    with pytest.raises(typer.BadParameter, match="one of --json, --tsv and --latex at most"):
        refuse_several_formats(True, False, True)
