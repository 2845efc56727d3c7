"""Options that several commands share, and that mean the same in each."""

from __future__ import annotations

import sys
from typing import Annotated, Literal, TypeAlias, get_args

import typer

from synparse.cli import completion
from synparse.config import parsing as parsing_config
from synparse.corpora.sentences import InputFormat
from synparse.corpora.tokenization import TOKENIZERS
from synparse.drawing.conversion import ConvertedFormat
from synparse.files.packed import ending_of
from synparse.files.streams import STANDARD_STREAM
from synparse.training import save_every
from synparse.trees import function_words
from synparse.trees.arguments import LARGEST_SEED
from synparse.trees.errors import SettingError

Drawn: TypeAlias = Literal["svg", "html", ConvertedFormat, "latex"]

_PICTURES: dict[str, Drawn] = {".svg": "svg", ".html": "html", ".png": "png", ".pdf": "pdf", ".tex": "latex"}
_OTHER_PICTURES = (".bmp", ".eps", ".gif", ".jpeg", ".jpg", ".ps", ".tif", ".tiff", ".webp")
"""Endings of pictures that are not drawn."""


def picture_of(output: str) -> Drawn | None:
    """The format of a picture, by the ending of its file; None for what is no picture. Raises SettingError for those
    that are not drawn."""
    ending = ending_of(output)
    if ending in _OTHER_PICTURES:
        raise SettingError(f"--output {output}: pictures end in {', '.join(_PICTURES)}, not in {ending}")
    return _PICTURES.get(ending)


# What is read.

Examples: TypeAlias = Annotated[
    list[str] | None, typer.Argument(help="Files of examples, .gz, .bz2, .xz too; - is stdin.")
]
Data: TypeAlias = Annotated[
    list[str], typer.Option(help="A file of examples, .gz, .bz2, .xz too; - is stdin. Repeatable.")
]
Text: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[TEXT]...",
        help="Text (one sentence per line), CoNLL-U, bracketed or JSON files, .gz, .bz2, .xz too; - is stdin.",
    ),
]
Valid: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Held-out data, by which the best model is chosen. Default: a part of the data."),
]
From: TypeAlias = Annotated[
    InputFormat | None, typer.Option("--from", help="The format of the input. Default: recognised by name and content.")
]
Raw: TypeAlias = Annotated[
    bool, typer.Option("--raw", help="The input is running text: split it into sentences and words.")
]
Language: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="LANG",
        autocompletion=completion.languages,
        help="The language of the text, by ISO 639 code or English name (fi, finnish). It decides how words, and with "
        "--raw sentences, are split. Default: the model's, else English.",
    ),
]
Tokenizer: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help=f"{', '.join(TOKENIZERS[:-1])} or {TOKENIZERS[-1]}. Default: that of the model or the recipe; otherwise "
        "whitespace for tokenised text, and the best available for --language for other text. characters: of scripts "
        "without blanks between words."
    ),
]
Model: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="MODEL",
        autocompletion=completion.shipped_models,
        help="A model directory, or the name of a shipped model.",
    ),
]
Models: TypeAlias = Annotated[
    list[str], typer.Argument(help="Model directories; several of the same kind count as its seeds.")
]
ParsingModels: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        "-m",
        autocompletion=completion.models,
        help="A shipped model (synparse info lists them), a model directory, or a baseline: right-branching, "
        "left-branching, balanced, random, chain, content-chain, content-chain-back. Default: english if it is "
        "installed, else the directory model. Repeat it for several models, which parse together.",
    ),
]

# How it is done.

DecodeBrackets: TypeAlias = Annotated[
    Literal[parsing_config.TreeDecoder, parsing_config.Default],
    typer.Option(
        parser=str,
        show_default=False,
        metavar=f"[{'|'.join(get_args(parsing_config.TreeDecoder))}]",
        autocompletion=completion.tree_decoders,
        help="How constituents are decoded from the model's scores. Default: what the model records, else grammar "
        "(models with grammars), boundaries or projective (UDGN without grammars), or unbiased (others).",
    ),
]
DecodeHeads: TypeAlias = Annotated[
    Literal[parsing_config.HeadDecoder, parsing_config.Default],
    typer.Option(
        parser=str,
        show_default=False,
        metavar=f"[{'|'.join(get_args(parsing_config.HeadDecoder))}]",
        autocompletion=completion.head_decoders,
        help="How heads are decoded from the model's scores. Default: what the model records, else grammar (models "
        "with grammars), phrases (students), boundaries or projective (UDGN without grammars), or mst (others).",
    ),
]
Punctuation: TypeAlias = Annotated[
    parsing_config.Punctuation | None,
    typer.Option(
        help="evidence: use punctuation cues: constituents split at commas and stops, words in brackets or quotes stay "
        "together, and few arcs cross punctuation. ignore: use none. Default: what the model records, else ignore."
    ),
]
FunctionWords: TypeAlias = Annotated[
    function_words.FunctionWords | None,
    typer.Option(
        help="leaves: function words have no dependents, as in Universal Dependencies. adpositions: among function "
        "words, adpositions have dependents, and those that networks use as heads, as in Stanford Dependencies (models "
        "with grammars). free: heads as the model scores them. Default: what the model records, else free."
    ),
]
Layer: TypeAlias = Annotated[
    int | None, typer.Option(help="ON-LSTM: the layer (from 1) whose distances give the trees. Default: 2.")
]
Minutes: TypeAlias = Annotated[float | None, typer.Option(min=0, help="Time limit of the whole run, in minutes.")]
SaveEvery: TypeAlias = Annotated[
    save_every.SaveEvery,
    typer.Option(
        parser=save_every.save_every,
        metavar="UPDATES|TIME",
        help="How often to save a checkpoint: a number of updates (500) or a time (90s, 10m, 1h).",
    ),
]
Resume: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="Continue the unfinished run in this directory. What it learns stays as it was, except for --minutes and "
        "a few settings (--set); name the files to train on again only if they moved.",
    ),
]
AllowChangedCorpus: TypeAlias = Annotated[
    bool, typer.Option("--allow-changed-corpus", help="Resume even if the files to train on have changed.")
]
Device: TypeAlias = Annotated[str, typer.Option(help="Where to compute: auto, cpu, cuda, …")]
Seed: TypeAlias = Annotated[
    int,
    typer.Option(
        min=0,
        max=LARGEST_SEED,
        help="Seed of random numbers: the same seed on the same machine gives the same result.",
    ),
]
Jobs: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--jobs", "-j", min=1, help="Number of parallel processes. Default: one for each core, where it saves time."
    ),
]
Recipe: TypeAlias = Annotated[
    str, typer.Option(help="small, paper (if there is one), or a YAML file with the same settings.")
]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--set", help="Change a setting of the recipe, e.g. training.learning_rate=0.001. Repeatable."),
]

# What is written.

Output: TypeAlias = Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")]
ModelOutput: TypeAlias = Annotated[str, typer.Option("--output", "-o", help="The model directory to write.")]
Force: TypeAlias = Annotated[
    bool, typer.Option("--force", help="Overwrite a model, or an unfinished run, in --output.")
]
Quiet: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--quiet", "-q", help="No notes and no progress on standard error: only errors, and warnings of lost data."
    ),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print as JSON.")]
Tsv: TypeAlias = Annotated[bool, typer.Option("--tsv", help="Print tab-separated.")]
Latex: TypeAlias = Annotated[bool, typer.Option("--latex", help="Print as LaTeX tables.")]
Report: TypeAlias = Annotated[
    str | None, typer.Option(metavar="FILE", help="Also write an HTML page with pictures, which needs no network.")
]
Svg: TypeAlias = Annotated[str | None, typer.Option(metavar="FILE", help="Also draw to an SVG file.")]


def is_given(context: typer.Context, parameter: str) -> bool:
    """Whether a parameter of the command is on the command line, and not its default."""
    source = context.get_parameter_source(parameter)
    return source is not None and source.name == "COMMANDLINE"


def files_or_stdin(files: list[str] | None, argument: str) -> list[str]:
    """The files, or standard input where none is named. Raises BadParameter if that would be the keyboard."""
    if (not files or STANDARD_STREAM in files) and sys.stdin.isatty():
        raise typer.BadParameter("name a file, or pipe the input in", param_hint=argument)
    return files or [STANDARD_STREAM]
