"""What mkdocs writes into the pages of the commands: their options, asked of the command line itself.

A page says ``<!-- options: train -->``, or ``<!-- options: task listops generate -->``.
"""

from __future__ import annotations

import re
from typing import Any

import typer.main

from synparse.cli.app import app

MARKED = re.compile(r"<!-- options: ([a-z ]+) -->")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by mkdocs for each page."""
    return MARKED.sub(lambda found: options_table(found[1].split()), markdown)


def options_table(path: list[str]) -> str:
    """The arguments and options of a command as a Markdown table. Raises KeyError for a command that there is not."""
    command: Any = typer.main.get_command(app)
    for name in path:
        command = command.get_command(command.context_class(command), name)
    context = command.context_class(command, info_name=" ".join(["synparse", *path]))
    rows = ["| argument or option | meaning |", "|---|---|"]
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            shown = parameter.make_metavar(context)
            text = parameter.help or ""
        elif (record := parameter.get_help_record(context)) is not None:
            shown, text = record
        else:
            continue
        rows.append(f"| {_code(shown)} | {_plain(text)} |")
    return "\n".join(rows)


def _code(text: str) -> str:
    """Code that may be broken between alternatives."""
    return f"<code>{_plain(text).replace('&#124;', '&#124;<wbr>')}</code>"


def _plain(text: str) -> str:
    """Text as it is: no character of it is Markdown, and none ends the cell."""
    for character, entity in (
        ("&", "&amp;"),
        ("<", "&lt;"),
        (">", "&gt;"),
        ("|", "&#124;"),
        ("*", "&#42;"),
        ("_", "&#95;"),
    ):
        text = text.replace(character, entity)
    return text
