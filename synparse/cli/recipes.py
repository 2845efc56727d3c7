"""``synparse recipes``: the shipped recipes."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from synparse.files.streams import write_whole


def recipes(as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False) -> None:
    """List the shipped recipes: name, model size, training time and purpose.

    Example: synparse recipes; then: synparse train corpus.txt --recipe udgn-small

    \b
      $ synparse recipes | grep udgn-small | cut -c 1-29
      udgn-small              3.8 M
    """
    from synparse.config import recipes as config

    rows = config.recipes()
    with write_whole("-") as out:
        if as_json:
            out.write(json.dumps(rows, ensure_ascii=False) + "\n")
            return
        for row in rows:
            size = f"{row['parameters'] / 1e6:.1f} M"
            out.write(f"{row['recipe']:<20} {size:>8}  {row['expected_time']:<38} {row['about']}\n")
