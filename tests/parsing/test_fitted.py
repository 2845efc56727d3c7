"""Which calibration is for which parses, and what it changes."""

from dataclasses import replace

import pytest

from synparse.parsing.fitted import OPTIONS, Conditions, map_of, with_fitted
from synparse.parsing.parser import Parser
from synparse.store.calibrations import Calibration
from synparse.trees.calibration import CalibrationMap
from synparse.trees.errors import SettingError

LOW, HIGH = (CalibrationMap((0.0, 1.0), (value, value)) for value in (0.2, 0.8))
CONDITIONS = Conditions("evidence", "leaves", "grammar", "phrases")
KNOWN = Calibration(LOW, HIGH, *CONDITIONS)


def test_the_first_calibration_for_such_parses_is_taken():
    others = [replace(KNOWN, **{field: "other", "arcs": HIGH}) for field in Conditions._fields]
    assert map_of([*others, KNOWN], "arcs", CONDITIONS) is LOW
    assert map_of([replace(KNOWN, arcs=None), *others, KNOWN], "arcs", CONDITIONS) is LOW
    assert map_of([Calibration(HIGH)], "arcs", CONDITIONS) is HIGH  # for any parses
    assert map_of([KNOWN], "spans", CONDITIONS._replace(brackets=None, heads=None)) is HIGH


@pytest.mark.parametrize(("field", "option"), list(zip(Conditions._fields, OPTIONS, strict=True)))
def test_without_one_the_first_fault_is_told(field, option):
    there = getattr(CONDITIONS, field)
    with pytest.raises(SettingError, match=f"is for {option} {there}, not other: calibrate again"):
        map_of([KNOWN, Calibration()], "arcs", CONDITIONS._replace(**{field: "other"}))
    with pytest.raises(SettingError, match="is not for spans, because no gold file had them: calibrate again"):
        map_of([replace(KNOWN, spans=None)], "spans", CONDITIONS)


def test_probabilities_are_mapped_but_for_that_of_the_whole_sentence():
    [parse] = Parser.load("chain").parse(["the dog barks ."])
    raw = replace(parse, span_probabilities=(1.0, 0.5), head_probabilities=(0.1, None, 0.3, 0.4))
    assert [constituent[1:] for constituent in raw.tree.constituents] == [(0, 4), (0, 2)]
    fitted = with_fitted(raw, {"spans": LOW, "arcs": HIGH})
    assert fitted.span_probabilities == (1.0, pytest.approx(0.2))
    assert fitted.head_probabilities == (pytest.approx(0.8), None, *[pytest.approx(0.8)] * 2)
    assert with_fitted(raw, {"arcs": HIGH}).span_probabilities == raw.span_probabilities
    assert with_fitted(parse, {"spans": LOW, "arcs": HIGH}) == parse
