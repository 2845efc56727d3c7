"""``synparse channels``: how the channels of a model correlate with gold relations."""

from __future__ import annotations

from typing import Annotated

import typer

from synparse.cli import options
from synparse.cli.results import chosen_format, is_terminal, write_lines, write_results
from synparse.files.streams import STANDARD_STREAM, read_lines
from synparse.language_models.channels import Weights, channel_correlations, gold_sentences, load_channel_model
from synparse.scoring.comparison import RelationNames
from synparse.trees.arguments import named_once
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
            help="competition: the weights by which channels compete for an arc, before the model's own dependencies. "
            "masked: the weights of messages, which include these."
        ),
    ] = "competition",
    only: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="These relations, separated by commas. Default: the most frequent ones."),
    ] = None,
    frequent: Annotated[int, typer.Option(min=1, help="How many relations, without --only.")] = 10,
    names: Annotated[
        RelationNames, typer.Option(help="Gold relations as in the file, or universal, without subtypes.")
    ] = "full",
    clusters: Annotated[
        bool,
        typer.Option(
            "--clusters", help="Add scores of induced relations of gold arcs, beside trivial relations. UDGN only."
        ),
    ] = False,
    all_channels: Annotated[bool, typer.Option("--all", help="Add the correlations of all channels.")] = False,
    as_json: options.Json = False,
    tsv: options.Tsv = False,
    latex: options.Latex = False,
    svg: options.Svg = None,
    report: options.Report = None,
    output: options.Output = STANDARD_STREAM,
) -> None:
    """Correlate the channels of models with gold relations.

    In: models whose layers have channels, or attention heads, and gold trees in CoNLL-U. Out: for each relation, the
    channel whose weights for the message from dependent to head correlate best with it (Pearson), and the mean of
    these. Several models get a column each, those of one kind a mean and a deviation. --svg and --report draw heat maps
    of all channels.

    Example: synparse channels udgn-1 udgn-2 gold.conllu --only nsubj,det,amod
    """
    from synparse.drawing.channels import heat_map_text, heat_maps_page, heat_maps_svg
    from synparse.language_models.channel_tables import protocol_of, tables_of, values_of

    *directories, gold = models
    format = chosen_format(as_json, tsv, latex)
    if not directories:
        raise typer.BadParameter("name one model and one gold file: synparse channels MODEL GOLD", param_hint="GOLD")
    source, protocol = name_of(gold), protocol_of(weights, names)
    correlations = channel_correlations(
        [load_channel_model(name) for name in named_once(directories)],
        gold_sentences(read_lines(gold), source),
        source,
        weights=weights,
        relations=list(dict.fromkeys(filter(None, map(str.strip, (only or "").split(","))))),
        frequent=frequent,
        names=names,
        with_clusters=clusters,
    )
    with_maps = format == "text" and is_terminal(output)
    values = values_of(correlations, source, protocol, all_channels)
    tables = tables_of(values, all_channels and not with_maps)
    maps = values_of(correlations, source, protocol, True)["models"]
    if svg is not None:
        write_lines(svg, [heat_maps_svg(maps)])
    if report is not None:
        write_lines(report, [heat_maps_page(source, protocol, tables, maps)])
    write_results(output, format, values, tables)
    if with_maps:
        write_lines(output, (line for model in maps for line in heat_map_text(model)))
