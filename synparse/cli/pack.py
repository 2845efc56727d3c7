"""``synparse pack``: trained models → one small directory for parsing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from synparse.cli import options
from synparse.cli.results import chosen_format, write_results
from synparse.files.streams import STANDARD_STREAM
from synparse.parsing.options import ParserOptions
from synparse.store.weights import Storage


def pack(
    models: Annotated[
        list[Path] | None, typer.Argument(help="Model directories that give both brackets and heads.")
    ] = None,
    brackets: Annotated[list[Path] | None, typer.Option(help="A model to use for brackets only. Repeatable.")] = None,
    heads: Annotated[list[Path] | None, typer.Option(help="A model to use for heads only. Repeatable.")] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The directory to write.")] = Path("packed"),
    storage: Annotated[
        Storage, typer.Option(help="Bytes per number: 4, 2, or 1 with a scale for each row of a matrix.")
    ] = "float16",
    layer: options.Layer = None,
    punctuation: options.Punctuation = None,
    function_words: options.FunctionWords = None,
    check: Annotated[
        str | None, typer.Option(help="Parse this file before and after packing, and count the trees that change.")
    ] = None,
    max_changes: Annotated[
        float, typer.Option(min=0, max=100, help="With --check: per cent of the sentences whose trees may change.")
    ] = 1.0,
    force: options.Force = False,
    as_json: options.Json = False,
) -> None:
    """Pack trained models into one small directory for parsing.

    In: model directories. Out: one directory that parse reads, with a model card. It keeps only the weights that
    parsing needs, in fewer bytes per number. Several models will parse together; --brackets and --heads use a
    model for one kind of tree only. --punctuation and --function-words become the defaults of parse.

    Example: synparse pack --brackets on-lstm --heads udgn --storage int8 --check text.txt --output small
    """
    from synparse.parsing import pack as parsing
    from synparse.scoring.tables import described
    from synparse.store.overwriting import refuse_to_overwrite

    for_brackets, for_heads = [*(models or ()), *(brackets or ())], [*(models or ()), *(heads or ())]
    if not for_brackets and not for_heads:
        raise typer.BadParameter("name the models to pack", param_hint="MODELS")
    refuse_to_overwrite(output, force)
    packed = parsing.pack(
        for_brackets,
        for_heads,
        output,
        storage=storage,
        options=ParserOptions(layer=layer, punctuation=punctuation, function_words=function_words),
        check=None if check is None else parsing.sentences_for(for_brackets or for_heads, check),
        most=max_changes / 100,
    )
    values = packed.values()
    write_results(STANDARD_STREAM, chosen_format(as_json), values, [described(values)])
