"""Fitted probabilities: the maps of the calibrations that are for a parse, and the parse with what they give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from synparse.parsing.parse import Parse
from synparse.trees.errors import SettingError

if TYPE_CHECKING:
    from synparse.store.calibrations import Calibration
    from synparse.trees.calibration import CalibrationMap


class Conditions(NamedTuple):
    """How parses are made, by the names of what a `Calibration` records; None: it does not matter."""

    punctuation: str
    function_words: str
    brackets: str | None
    heads: str | None


OPTIONS = Conditions("--punctuation", "--function-words", "--decode-brackets", "--decode-heads")


def map_of(calibrations: Sequence[Calibration], part: str, conditions: Conditions) -> CalibrationMap:
    """The map of ``spans`` or ``arcs`` of the first calibration that has it and is for such parses. Raises SettingError
    without one."""
    faults = []
    for known in calibrations:
        fitted: CalibrationMap | None = getattr(known, part)
        fault = _fault(known, conditions)
        if fitted is not None and fault is None:
            return fitted
        faults.append(fault or f"not for {part}, because no gold file had them")
    raise SettingError(
        f"the calibration is {faults[0]}: calibrate again (synparse calibrate), leave out --calibration, or take "
        "--confidence raw"
    )


def _fault(known: Calibration, conditions: Conditions) -> str | None:
    """Why a calibration is not for such parses, if it is not."""
    for option, here, field in zip(OPTIONS, conditions, Conditions._fields, strict=True):
        there = getattr(known, field)
        if here is not None and there is not None and here != there:
            return f"for {option} {there}, not {here}"
    return None


def with_fitted(parse: Parse, maps: Mapping[str, CalibrationMap]) -> Parse:
    """The parse with fitted probabilities. That of the whole sentence stays as it is."""
    spans, heads = parse.span_probabilities, parse.head_probabilities
    if spans is not None and parse.tree is not None and "spans" in maps:
        triples = zip(parse.tree.constituents, spans, maps["spans"].calibrated(spans), strict=True)
        whole = (0, len(parse.tokens))
        spans = tuple(raw if (start, end) == whole else value for (_, start, end), raw, value in triples)
    if heads is not None and "arcs" in maps:
        heads = maps["arcs"].calibrated(heads)
    return replace(parse, span_probabilities=spans, head_probabilities=heads)
