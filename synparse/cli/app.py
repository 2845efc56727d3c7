"""The commands as one program. An error becomes one line and an exit code."""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperGroup

from synparse import compiled
from synparse.cli.results import print_note
from synparse.config.version import __version__
from synparse.files.extras import how_to_install
from synparse.files.streams import CALLED, OutputClosed
from synparse.trees.errors import STANDARD_STREAM, DataError, SettingError, TrainingError

DONE, FAILED, WRONG_USAGE = 0, 1, 2


class Command(NamedTuple):
    """The module and name of a command's function (or of a Typer app of subcommands), and one line of help."""

    module: str
    name: str
    summary: str


COMMANDS = {
    "train": Command("train", "train", "Train a parser on raw text."),
    "parse": Command("parse", "parse", "Parse sentences into CoNLL-U, brackets or JSON."),
    "select": Command("select", "select", "Select the sentences to annotate next."),
    "eval": Command("evaluate", "evaluate", "Score predicted trees against gold trees."),
    "calibrate": Command("calibrate", "calibrate", "Calibrate a parser's probabilities on gold trees."),
    "convert": Command("convert", "convert", "Convert Penn-style trees to dependencies."),
    "search": Command("search", "search", "Search trees for a pattern of constituents or dependencies."),
    "classes": Command("classes", "classes", "Cluster the words of a text into classes."),
    "grammar": Command("grammar", "grammar", "Show the rules and classes that a model has learned."),
    "info": Command("info", "info", "Describe a model or a language, or list the models."),
    "pack": Command("pack", "pack", "Pack trained models into a small directory."),
    "recipes": Command("recipes", "recipes", "List the shipped recipes, with size and time."),
    "show": Command("show", "show", "Draw trees in the terminal, as pictures or as web pages; correct them."),
    "perplexity": Command("perplexity", "perplexity", "Measure how well language models predict a text."),
    "pairs": Command("pairs", "pairs", "Score language models on minimal pairs."),
    "channels": Command("channels", "channels", "Correlate the channels of a model with gold relations."),
    "similarity": Command("similarity", "app", "Fine-tune language models on sentence similarity, and score them."),
    "sentiment": Command("sentiment", "app", "Train encoders on the sentiment of sentences, and score them."),
    "task": Command("task", "app", "Test models on tasks with known structure: ListOps, logic, Craft."),
    "tables": Command("tables", "tables", "Print the tables of a paper, with rows of our own."),
}
"""The commands by name. A command is imported only when it is called, so none waits for the imports of another."""


class _Commands(TyperGroup):
    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = COMMANDS  # only names are used: for help, and to suggest one for a typing error

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        command = getattr(importlib.import_module(f"synparse.cli.{module}"), attribute)
        if not isinstance(command, typer.Typer):
            alone = typer.Typer(add_completion=False, rich_markup_mode=None)
            alone.command(cmd_name)(command)
            command = alone
        return _keeping_its_input(typer.main.get_command(command))

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise typer.Abort from None  # Typer would make an exit code of it that says nothing

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.summary) for name, command in COMMANDS.items()])


_WRITTEN = re.compile("(.*_)?output|report|svg|scores|work")
"""The options that name what a command writes."""

_STANDARD_OUTPUT = Path("/dev/stdout")
"""What stands for ``-``; where a shell sends it to a file, this file."""


def _keeping_its_input(command: Any) -> Any:
    """The command, which refuses to write to a file that it reads, and to read standard input twice; of a group, each
    of its commands."""
    for part in getattr(command, "commands", {}).values():
        _keeping_its_input(part)
    if (do := command.callback) is not None:
        options = {part.name: part.opts[0] for part in command.params if part.param_type_name == "option"}

        def checked(**values: Any) -> Any:
            _refuse_empty_values(options, values)
            _refuse_to_overwrite_input(options, values)
            return do(**values)

        command.callback = checked
    return command


def _refuse_empty_values(options: Mapping[str, str], values: Mapping[str, Any]) -> None:
    """Raises SettingError for an option with an empty value, such as a variable of the shell that is not set: as a
    path, it would be the current directory."""
    for name, value in values.items():
        if name in options and "" in (value if isinstance(value, list | tuple) else [value]):
            raise SettingError(f"{options[name]}: its value is empty")


def _refuse_to_overwrite_input(options: Mapping[str, str], values: Mapping[str, Any]) -> None:
    """Raises SettingError where a file to write is one of those that the command was given, or in a folder of text or
    a model that it was given; and where one file would be written twice, or standard input be read twice. Standard
    output may be a file, too (``>>``)."""
    outputs = {name: value for name, value in values.items() if _WRITTEN.fullmatch(name)}
    written = {
        name: _STANDARD_OUTPUT if value == STANDARD_STREAM else Path(value)
        for name, value in outputs.items()
        if isinstance(value, str | Path)
    }
    given = [
        (Path(path), name not in options)
        for name, value in values.items()
        if name not in written
        for path in (value if isinstance(value, list | tuple) else [value])
        if isinstance(path, str | Path)
    ]
    if [path for path, _ in given].count(Path(STANDARD_STREAM)) > 1:
        raise SettingError("only one file can be standard input (-)")
    for name, file in written.items():
        what = f"{options[name]}: {'standard output' if file == _STANDARD_OUTPUT else file}"
        if [os.path.realpath(other) for other in written.values()].count(os.path.realpath(file)) > 1:
            raise SettingError(f"{what} is written by another option as well; choose another name")
        if file.is_file() and (_is_stdin(file) or any(_is_of(file, path, is_argument) for path, is_argument in given)):
            raise SettingError(f"{what} is read, so it cannot be written; choose another name")


def _is_stdin(file: Path) -> bool:
    """Whether the shell sends this file to standard input."""
    with contextlib.suppress(OSError, ValueError):  # it may be closed
        return os.path.samestat(os.fstat(sys.stdin.fileno()), file.stat())
    return False


def _is_of(file: Path, path: Path, is_argument: bool) -> bool:
    """Whether an existing file is this one, or in this folder of text or model."""
    with contextlib.suppress(OSError):  # what is no path may be too long for one
        if path.is_file() or file == _STANDARD_OUTPUT:  # of which nobody says in which folder it is
            return path.samefile(file)
        # The value of an option may be the name of a folder by chance, as that of --language de.
        is_read = is_argument or (path / "config.yaml").is_file()
        return is_read and Path(os.path.realpath(file)).is_relative_to(os.path.realpath(path))
    return False


app = typer.Typer(
    name="synparse",
    cls=_Commands,
    help="Learn to parse from raw text, without a treebank: train, parse, score.",
    epilog="Start with: synparse show 'The cat sat.'; to train your own model: synparse train corpus.txt --minutes 20; "
    "then: synparse parse input.txt --model model. Help on a command: synparse parse --help",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # importing Rich would take half the time of --help
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"synparse {__version__}, charts {'in NumPy' if compiled.CHARTS is None else 'compiled'}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    pass


def run(arguments: Sequence[str]) -> int:
    """Run one command. Returns the exit code of the command contract; an error is one line on standard error. Raises
    KeyboardInterrupt at Ctrl-C."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: print_note(str(message))
            code = app(args=list(arguments), prog_name="synparse", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except (OutputClosed, BrokenPipeError):
        return DONE
    except typer.Abort:
        raise KeyboardInterrupt from None
    except (DataError, TrainingError) as error:
        return _fail(str(error).replace(CALLED, _command_of(arguments)), FAILED)
    except SettingError as error:
        return _fail(f"{error} (see {_command_of(arguments)} --help)", WRONG_USAGE)
    except OSError as error:  # a disk that fills up while the corpus is read, say
        return _fail(": ".join(filter(None, [error.filename, error.strerror])) or str(error), FAILED)
    except RuntimeError as error:
        # The first is an OSError from Python 3.13 on; containers limit the number of threads.
        if not str(error).startswith(("Symlink loop", "can't start new thread")):
            raise
        return _fail(str(error), FAILED)
    except MemoryError:
        return _fail("there is not enough memory for this", FAILED)
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        return _fail(f"this needs PyTorch: {how_to_install('train')}", FAILED)
    except ImportError as error:  # a library that does not fit the memory, say; NumPy explains at length
        *_, reason = (repr(error), *filter(None, map(str.strip, str(error).splitlines())))
        return _fail(f"a library cannot be loaded: {reason}", FAILED)
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        return _wrong_usage(error, arguments)


def _wrong_usage(error: Any, arguments: Sequence[str]) -> int:
    """Typer's and click's usage errors as one line; help, where a group is called without a subcommand."""
    context: Any = getattr(error, "ctx", None)
    if context is not None and error.format_message() == context.get_help():
        print(context.get_help())
        return WRONG_USAGE
    message = " ".join(error.format_message().split()).rstrip(".")
    command = context.command_path if context else _command_of(arguments)
    option = getattr(error, "option_name", "")
    if option and command == "synparse":
        message = f"{message}; options of a command come after its name"
    elif len(option) == 2 and message.startswith("No such option"):  # a word such as -NONE-, perhaps
        message = f"{message}; write -- before words that begin with a hyphen"
    return _fail(f"{message} (see {command} --help)", WRONG_USAGE)


def _command_of(arguments: Sequence[str]) -> str:
    """The command that was called, with those that it is a part of, such as synparse task listops train."""
    command: Any = typer.main.get_command(app)
    names = ["synparse"]
    for name in arguments:
        command = command.get_command(None, name) if hasattr(command, "get_command") else None
        if command is None:
            break
        names.append(name)
    return " ".join(names)


def _fail(message: str, code: int) -> int:
    print_note(message)
    return code
