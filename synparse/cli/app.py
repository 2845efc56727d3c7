"""The commands as one program, and what becomes of an error: one line and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

import synparse
from synparse.cli.convert import convert
from synparse.cli.evaluate import evaluate
from synparse.cli.info import info
from synparse.cli.pack import pack
from synparse.cli.parse import parse
from synparse.cli.recipes import recipes
from synparse.cli.show import show
from synparse.cli.task import app as task
from synparse.cli.train import train
from synparse.files import OutputClosed
from synparse.trees.errors import DataError

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130

app = typer.Typer(
    name="synparse",
    help="Learn the structure of language from raw text, and parse with what was learned.",
    epilog="Start with: synparse train corpus.txt --minutes 20; then: synparse parse input.txt --model model",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(train)
app.command()(parse)
app.command(name="eval")(evaluate)
app.command()(convert)
app.command()(info)
app.command()(pack)
app.command()(recipes)
app.command()(show)
app.add_typer(task, name="task")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"synparse {synparse.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    pass


def run(arguments: Sequence[str]) -> int:
    """Run one command. Returns the exit code of the command contract; an error is one line on standard error."""
    try:
        code = app(args=list(arguments), prog_name="synparse", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except (OutputClosed, BrokenPipeError):
        # Python flushes standard output once more at exit, into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", INTERRUPTED)
    except DataError as error:
        return _fail(str(error), FAILED)
    except OSError as error:  # a disk that fills up while the corpus is read, say
        return _fail(": ".join(filter(None, [error.filename, error.strerror])) or str(error), FAILED)
    except Exception as error:
        if type(error).__name__ == "TrainingError":  # by name: its module imports torch
            return _fail(str(error), FAILED)
        if not hasattr(error, "format_message"):
            raise
        return _wrong_usage(error)


def _wrong_usage(error: Any) -> int:
    """Typer's and click's usage errors as one line; nothing where help was printed in place of an error."""
    message = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    if not message:
        return WRONG_USAGE
    return _fail(f"{message} (see {context.command_path if context else 'synparse'} --help)", WRONG_USAGE)


def _fail(message: str, code: int) -> int:
    print(f"synparse: {message}", file=sys.stderr)
    return code
