"""``synparse channels``: what the channels of a model say of gold relations."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from synparse.cli.formats import refuse_several_formats
from synparse.files.streams import STANDARD_STREAM, read_lines, write_whole
from synparse.language_models.channels import Weights
from synparse.scoring.comparison import RelationNames
from synparse.trees.errors import name_of


def channels(
    models: Annotated[
        list[str],
        typer.Argument(
            metavar="MODEL... GOLD", help="Model directories (udgn, structformer, transformer); the last is CoNLL-U."
        ),
    ],
    weights: Annotated[
        Weights,
        typer.Option(
            help="competition: as channels compete for an arc, before the model's own dependencies. masked: with "
            "these, as messages are weighted."
        ),
    ] = "competition",
    relations: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="These relations, with commas between. Default: the most frequent ones."),
    ] = None,
    frequent: Annotated[int, typer.Option(min=1, help="How many relations, without --relations.")] = 10,
    names: Annotated[
        RelationNames, typer.Option(help="Gold relations as in the file, or universal, without subtypes.")
    ] = "full",
    clusters: Annotated[
        bool,
        typer.Option(
            "--clusters", help="Add scores of induced relations of gold arcs, beside trivial relations. UDGN."
        ),
    ] = False,
    all_channels: Annotated[bool, typer.Option("--all", help="Add the correlations of all channels.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    tsv: Annotated[bool, typer.Option("--tsv", help="Print tab-separated.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print as LaTeX tables.")] = False,
    svg: Annotated[str | None, typer.Option(metavar="FILE", help="Write heat maps of all channels here.")] = None,
    page: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write an HTML page here: the tables and the heat maps.")
    ] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write; - is stdout.")] = STANDARD_STREAM,
) -> None:
    """Correlate the channels of models with gold relations.

    In: models whose layers have channels, or attention heads, and gold trees in CoNLL-U. Out: for each relation, the
    channel whose weights for the message from dependent to head correlate best with it (Pearson), and the mean of
    these. Several models get a column each, those of one kind a mean and a deviation.

    Example: synparse channels udgn-1 udgn-2 gold.conllu --relations nsubj,det,amod
    """
    from synparse.drawing.channels import heat_map_text, heat_maps_page, heat_maps_svg
    from synparse.language_models.channel_tables import protocol_of, tables_of, values_of
    from synparse.language_models.channels import channel_correlations, gold_sentences, load_channel_model
    from synparse.scoring.tables import as_frames, as_latex, as_text, as_tsv

    *directories, gold = models
    refuse_several_formats(as_json, tsv, latex)
    if not directories:
        raise typer.BadParameter("name one model and one gold file: synparse channels MODEL GOLD", param_hint="GOLD")
    source = name_of(gold)
    found = channel_correlations(
        [load_channel_model(name) for name in directories],
        gold_sentences(read_lines(gold), source),
        source,
        weights=weights,
        relations=[name for name in (relations or "").split(",") if name],
        frequent=frequent,
        names=names,
        with_clusters=clusters,
    )
    protocol = protocol_of(weights, names)
    values = values_of(found, source, protocol, all_channels)
    to_terminal = output == STANDARD_STREAM and sys.stdout.isatty() and not as_json + tsv + latex
    tables = tables_of(values, all_channels and not to_terminal)
    maps = values_of(found, source, protocol, True)["models"]
    if svg is not None:
        with write_whole(svg) as file:
            file.write(heat_maps_svg(maps))
    if page is not None:
        with write_whole(page) as file:
            file.write(heat_maps_page(source, protocol, tables, maps))
    with write_whole(output) as out:
        if as_json:
            out.write(json.dumps(values, ensure_ascii=False) + "\n")
        elif to_terminal:
            out.writelines(as_frames(tables, protocol))
            for one in maps:
                out.writelines(heat_map_text(one))
        else:
            out.writelines((as_tsv if tsv else as_latex if latex else as_text)(tables, protocol))
