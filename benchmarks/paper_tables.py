"""Our rows of the papers' tables, for the pages: what `synparse tables --json` printed goes into
models/papers/measured.tsv.

    synparse tables udgn text.txt --test test.txt --trees gold.conllu --json > udgn.json
    python -m benchmarks.paper_tables --note "two cores" udgn.json    then: make docs

The rows of a table take the place of those that were there. `benchmarks/results.py` writes them into pages.
"""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.quality.table import NOTHING, dated, write_table
from synparse.files.tables import Row, read_table
from synparse.replication.papers import MEASURED, paper_folder

COLUMNS = ("paper", "table", "row", "column", "value", "seeds", "minutes", "data", "commit", "date", "command")


def rows_of(printed: Mapping[str, Any], note: str, commit: str, date: str) -> Iterator[Row]:
    """A row for each of our figures that there is."""
    settings = printed["settings"]
    files = (Path(name).name for name in (*settings["text"].split(", "), settings["sentiment"], settings["logic"]))
    data = "; ".join(filter(None, (*files, f"recipes: {settings['recipes']}", note)))
    for table in printed["tables"]:
        command = command_of(printed["paper"], table["table"], settings)
        for row in table["ours"]:
            for column, cell in zip(table["columns"], row["cells"], strict=True):
                if cell is not None and cell["mean"] is not None:
                    minutes = NOTHING if row["minutes"] is None else f"{row['minutes']:.1f}"
                    place = (printed["paper"], table["table"], row["row"], column)
                    cells = (*place, cell["text"], str(row["seeds"]), minutes, data, commit, date, command)
                    yield dict(zip(COLUMNS, cells, strict=True))


def command_of(paper: str, table: str, settings: Mapping[str, str]) -> str:
    """The command that measured a table, files without their folders.

    >>> settings = {"text": "a/b.txt", "dependencies": "a/c.conllu, as they are", "recipes": "small", "seeds": "1 to 3"}
    >>> command_of("udgn", "4.2", settings | {"minutes a model": "20 at most"})
    'synparse tables udgn b.txt --table 4.2 --trees c.conllu --minutes-per-model 20 --seeds 3'
    """
    names = {name: name for name in ("valid", "test", "channels", "pairs", "similarity", "sentiment", "logic")}
    trees = settings.get("brackets") or settings.get("dependencies", "").partition(",")[0]
    settings = {**settings, "trees": trees, "size": "paper" if settings["recipes"] == "paper" else ""}
    names |= {"trees": "trees", "recipe-size": "size"}
    words = ["synparse", "tables", paper, *(Path(name).name for name in settings["text"].split(", ") if name)]
    words += ["--table", table]
    for option, name in names.items():
        words += [f"--{option}", Path(settings[name]).name] if settings.get(name) else []
    for option, name in (("listops", "listops"), ("demonstrations", "craft"), ("minutes-per-model", "minutes a model")):
        number = settings.get(name, "").split(" ")[0]
        words += [f"--{option}", number] if number[:1].isdigit() else []
    return shlex.join([*words, "--seeds", settings["seeds"].split(" ")[-1]])


def with_rows(rows: Iterable[Row], new: Iterable[Row]) -> list[Row]:
    """The rows, those of tables that are in ``new`` exchanged for these."""
    new = list(new)
    tables = {(row["paper"], row["table"]) for row in new}
    return [row for row in rows if (row["paper"], row["table"]) not in tables] + new


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("printed", nargs="+", help="files that `synparse tables --json` printed")
    options.add_argument("--note", default="", help="what else the figures depend on: the machine, say")
    options.add_argument("--tsv", type=Path, default=paper_folder() / MEASURED, help="the table of all rows")
    given = options.parse_args()
    rows = read_table(given.tsv)
    for name in given.printed:
        printed = json.loads(Path(name).read_text(encoding="utf-8"))
        rows = with_rows(rows, rows_of(printed, given.note, **dated()))
    write_table(given.tsv, rows, COLUMNS)


if __name__ == "__main__":
    main()
