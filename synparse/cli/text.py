"""What the commands that read text share: the option for its language, and a note on how it is split."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from synparse.corpora.tokenization import TOKENIZERS

LanguageOption = Annotated[
    str | None,
    typer.Option(
        metavar="LANG",
        help="The language of the text, by ISO 639 code or English name (fi, finnish). It chooses how words, and with "
        "--raw sentences, are split. Without --raw, text that is tokenised already is recognised.",
    ),
]

TOKENIZER_NAMES = ", ".join(TOKENIZERS[:-1]) + f" or {TOKENIZERS[-1]}"


def print_note(note: str) -> None:
    """Print a line for the user to standard error."""
    print(f"synparse: {note}", file=sys.stderr)
