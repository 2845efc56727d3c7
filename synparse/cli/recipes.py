"""``synparse recipes``: the shipped recipes."""

from __future__ import annotations

from synparse.cli import options
from synparse.cli.results import chosen_format, write_results
from synparse.files.streams import STANDARD_STREAM
from synparse.scoring.tables import Table


def recipes(as_json: options.Json = False) -> None:
    """List the shipped recipes: name, model size (– without PyTorch), training time and purpose.

    Example: synparse recipes; then: synparse train corpus.txt --recipe udgn-small

    \b
      $ synparse recipes | grep udgn-small | cut -c 1-27
      udgn-small            3.8 M
    """
    from synparse.config import recipes as config

    rows = config.recipes()
    cells = [(row["recipe"], _size(row["parameters"]), row["expected_time"], row["about"]) for row in rows]
    write_results(STANDARD_STREAM, chosen_format(as_json), rows, [Table("", (), cells)])


def _size(parameters: int | None) -> str:
    return "   –  " if parameters is None else f"{parameters / 1e6:4.1f} M"
