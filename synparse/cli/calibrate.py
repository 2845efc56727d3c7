"""``synparse calibrate``: probabilities that say how often a parser is right."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

import typer

from synparse.cli import options
from synparse.cli.results import chosen_format, print_note, write_lines, write_results
from synparse.files.folders import exclusive_lock
from synparse.files.streams import STANDARD_STREAM, is_read_once
from synparse.parsing.options import ParserOptions

FEWEST = 1000
"""Arcs, or spans, of the gold trees: with fewer, a note says so."""


def calibrate(
    model: options.Model,
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
    decode_brackets: options.DecodeBrackets = "default",
    decode_heads: options.DecodeHeads = "default",
    punctuation: options.Punctuation = None,
    function_words: options.FunctionWords = None,
    layer: options.Layer = None,
    device: options.Device = "auto",
    as_json: options.Json = False,
    report: options.Report = None,
) -> None:
    """Calibrate the probabilities of a model on gold trees; this is supervised.

    In: a model and gold trees. Out: a calibration for parse --confidence fitted, in place of an earlier one of the same
    kind, arcs or constituents. It is fitted on the odd sentences; on the even ones, the expected calibration error
    (ECE), raw and fitted, is measured, and the precision of all arcs and constituents and of the most confident half,
    as eval counts. --report draws reliability diagrams.

    Example: synparse calibrate model dev.ptb dev.conllu
    """
    from synparse.drawing.reliability import reliability_page, reliability_text
    from synparse.parsing import calibrate as parsing
    from synparse.scoring.confidence import confidence_scores
    from synparse.store.calibrations import calibration_file, directory_of, save_calibration
    from synparse.store.models import given_trees_of, open_model
    from synparse.training.given_trees import fingerprint

    how = ParserOptions(device=device, layer=layer, punctuation=punctuation, function_words=function_words)
    directory = directory_of(model) if output is None else None
    with nullcontext() if directory is None else exclusive_lock(directory):
        calibrated = parsing.calibrate(model, gold, how, decode_brackets, decode_heads)
        if directory is not None:
            for kind in save_calibration(directory, calibrated.calibration):
                print_note(f"the map of {kind} that was there is gone: it was for other options")
    learned = {trees["sha256"] for trees in given_trees_of(open_model(model))}
    files = [path for path in gold if learned and not is_read_once(path)]
    if learned & {fingerprint(part) for part in (files, *([path] for path in files))}:
        print_note(f"{model} has learned trees of {', '.join(files)}, so it is surer of them than of other sentences")
    values: dict[str, object] = {"model": model}
    for name, judged, fitted in (
        ("arcs", calibrated.arcs, calibrated.calibration.arcs),
        ("spans", calibrated.spans, calibrated.calibration.spans),
    ):
        if judged is not None and fitted is not None:
            even = judged.of_sentences(odd=False)
            if len(judged.right) < FEWEST:
                print_note(f"{name}: fitted on {len(judged.right) - len(even.right)} only, which says little")
            scores = confidence_scores(even.probabilities, fitted.of(even.probabilities), even.right)
            values[name] = {"gold": judged.files, **scores}
    if report is not None:
        write_lines(report, [reliability_page(values)])
    if output is not None:
        write_lines(output, [calibration_file(calibrated.calibration)])
    write_results(STANDARD_STREAM, chosen_format(as_json), values, text=reliability_text(values))
