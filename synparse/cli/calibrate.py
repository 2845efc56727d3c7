"""``synparse calibrate``: probabilities that say how often a parser is right."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from synparse.config.parsing import Punctuation
from synparse.files.streams import STANDARD_STREAM, write_whole
from synparse.parsing.options import DECODERS, ParserOptions
from synparse.trees.function_words import FunctionWords


def calibrate(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model directory, or the name of a shipped model.")],
    gold: Annotated[
        list[str],
        typer.Argument(
            metavar="GOLD...", help="Gold files: bracketed trees for constituents, CoNLL-U for arcs, either or both."
        ),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the calibration to this file, for parse --calibration. Default: the config.yaml of the model.",
        ),
    ] = None,
    decode: Annotated[
        list[str] | None,
        typer.Option(
            metavar=f"[{'|'.join(DECODERS)}]",
            autocompletion=lambda: DECODERS,
            help="The decoder, one of heads and one of brackets at most, as in parse.",
        ),
    ] = None,
    punctuation: Annotated[
        Punctuation | None, typer.Option(help="Whether punctuation is evidence, as in parse.")
    ] = None,
    function_words: Annotated[
        FunctionWords | None, typer.Option(help="Whether function words have dependents, as in parse.")
    ] = None,
    layer: Annotated[int | None, typer.Option(help="The layer of an ON-LSTM, as in parse.")] = None,
    device: Annotated[str, typer.Option(help="Where to compute: auto, cpu, cuda, …")] = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    report: Annotated[str | None, typer.Option(help="Write this HTML page too, with reliability diagrams.")] = None,
) -> None:
    """Learn from gold trees what the probabilities of a model mean; this is supervised.

    In: a model and gold trees. Out: the calibration that parse --confidence fitted needs, fitted on the odd sentences,
    and on the even ones the expected calibration error (ECE), raw and fitted, and precision, of all arcs and
    constituents and of the most confident half. What counts is what eval counts.

    Example: synparse calibrate model dev.ptb dev.conllu
    """
    from synparse.parsing.calibrate import calibrate as calibrated
    from synparse.scoring.confidence import confidence_scores
    from synparse.store.calibrations import calibration_file, directory_of, save_calibration

    options = ParserOptions(device=device, layer=layer, punctuation=punctuation, function_words=function_words)
    directory = directory_of(model) if output is None else None
    found = calibrated(model, gold, decode or (), options)
    values: dict[str, object] = {"model": model}
    for name, judged, fitted in (
        ("arcs", found.arcs, found.calibration.arcs),
        ("spans", found.spans, found.calibration.spans),
    ):
        if judged is not None and fitted is not None:
            even = judged.of_sentences(odd=False)
            scores = confidence_scores(even.probabilities, fitted.of(even.probabilities), even.right)
            groups = {kind: [one._asdict() for one in getattr(scores, kind)] for kind in ("raw", "fitted")}
            values[name] = {"gold": judged.files, **scores._asdict(), **groups}
    if report is not None:
        from synparse.drawing.reliability import reliability_page

        with write_whole(report) as page:
            page.write(reliability_page(values))
    if directory is not None:
        save_calibration(directory, found.calibration)
    elif output is not None:
        with write_whole(output) as file:
            file.write(calibration_file(found.calibration))
    with write_whole(STANDARD_STREAM) as out:
        if as_json:
            out.write(json.dumps(values, ensure_ascii=False) + "\n")
        else:
            from synparse.drawing.reliability import reliability_text

            out.writelines(reliability_text(values))
