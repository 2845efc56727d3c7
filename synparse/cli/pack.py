"""``synparse pack``: trained models → one small directory for parsing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from synparse.config.parsing import Punctuation
from synparse.files.streams import write_whole
from synparse.parsing.options import ParserOptions
from synparse.store.weights import Storage
from synparse.trees.function_words import FunctionWords

if TYPE_CHECKING:
    from synparse.parsing.pack import Packing


def pack(
    models: Annotated[
        list[Path] | None, typer.Argument(help="Model directories that give both brackets and heads.")
    ] = None,
    brackets: Annotated[list[Path] | None, typer.Option(help="A model to use for brackets only. Repeatable.")] = None,
    heads: Annotated[list[Path] | None, typer.Option(help="A model to use for heads only. Repeatable.")] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The directory to write.")] = Path("packed"),
    storage: Annotated[
        Storage,
        typer.Option(help="Bytes per number: 4, 2, or 1 with a scale for each row of a matrix."),
    ] = "float16",
    layer: Annotated[
        int | None, typer.Option(help="ON-LSTM: the layer (from 1) whose distances give the trees. Default: 2.")
    ] = None,
    punctuation: Annotated[
        Punctuation | None,
        typer.Option(help="The packed model's default for parse --punctuation. Default: what all models record."),
    ] = None,
    function_words: Annotated[
        FunctionWords | None,
        typer.Option(help="The packed model's default for parse --function-words. Default: what all models record."),
    ] = None,
    check: Annotated[
        str | None, typer.Option(help="Parse this file before and after packing, and count the trees that change.")
    ] = None,
    most: Annotated[
        float, typer.Option(min=0, max=100, help="With --check: per cent of the sentences whose trees may change.")
    ] = 1.0,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a model in --output.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Pack trained models into one small directory for parsing.

    In: model directories. Out: one directory that parse reads, with a model card. It keeps only the weights that
    parsing needs, in fewer bytes per number. The trees of several models are averaged; --brackets and --heads use a
    model for one kind of tree only.

    Example: synparse pack --brackets on-lstm --heads udgn --storage int8 --check text.txt --output english
    """
    from synparse.corpora.sentences import read_files
    from synparse.corpora.tokenization import load_tokenizer
    from synparse.parsing.pack import pack as packed_models
    from synparse.store.models import open_model
    from synparse.store.overwriting import refuse_to_overwrite

    for_brackets, for_heads = [*(models or ()), *(brackets or ())], [*(models or ()), *(heads or ())]
    if not for_brackets and not for_heads:
        raise typer.BadParameter("name the models to pack", param_hint="MODELS")
    refuse_to_overwrite(output, force)
    sentences = None
    if check is not None:
        tokenizer = open_model((for_brackets or for_heads)[0]).description.recipe.text.tokenizer
        found = read_files([check], load_tokenizer(tokenizer))
        sentences = (sentence.tokens for sentence in found if sentence.tokens)
    packed = packed_models(
        for_brackets,
        for_heads,
        output,
        storage=storage,
        options=ParserOptions(layer=layer, punctuation=punctuation, function_words=function_words),
        check=sentences,
        most=most / 100,
    )
    _report(packed, as_json)


def _report(packed: Packing, as_json: bool) -> None:
    changes = packed.changes
    rows: dict[str, Any] = {
        "model": str(packed.model.directory),
        "brackets": list(packed.model.brackets),
        "heads": list(packed.model.heads),
        "megabytes": round(packed.size / 1e6, 2),
    }
    if changes is not None:
        rows |= {"sentences": changes.sentences, "other brackets": changes.brackets, "other heads": changes.heads}
    with write_whole("-") as out:
        if as_json:
            out.write(json.dumps(rows) + "\n")
            return
        for key, value in rows.items():
            out.write(f"{key:<18} {', '.join(value) if isinstance(value, list) else value}\n")
