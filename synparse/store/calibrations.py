"""Calibrations: maps from the probabilities of a parser to fitted ones, in the config.yaml of its directory or in a
file.

parsing:
  confidence:                       # a separate file has what follows
    arcs:                           # points of the map of arcs; spans likewise; one of them may be missing
      log_odds: [-2.94, -0.36, 2.59]
      fitted: [0.31, 0.55, 0.88]
    punctuation: evidence           # how the sentences were parsed
    function_words: leaves
    brackets: grammar
    heads: grammar
    gold: [dev.ptb, dev.conllu]     # what the maps were fitted on
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from synparse.config.plain_yaml import read_plain_yaml
from synparse.config.recipe import recipe_folder
from synparse.config.settings import plain_settings, settings_of
from synparse.corpora.sentences import CONLLU, format_by_name
from synparse.files.folders import save_together, stored
from synparse.store.model_directory import CONFIG
from synparse.store.models import CONFIDENCE, Model, config_file, open_model
from synparse.trees.calibration import CalibrationMap
from synparse.trees.errors import DataError, SettingError, damage_of
from synparse.trees.trivial import TRIVIAL_PARSERS

MEAN = "calibrations/mean.yaml"
"""Beside the shipped models: the mean of their maps."""


@dataclass(frozen=True)
class Calibration:
    """The maps of arcs and spans, None if there were no such gold trees; how the gold sentences were parsed
    (punctuation, function words, the decoders of brackets and heads; None for a map that applies to any); and the names
    of the gold files."""

    arcs: CalibrationMap | None = None
    spans: CalibrationMap | None = None
    punctuation: str | None = None
    function_words: str | None = None
    brackets: str | None = None
    heads: str | None = None
    gold: tuple[str, ...] = ()


def calibration_of(model: Model) -> Calibration | None:
    """The calibration in the config.yaml of a model; None if there is none. Raises DataError for a damaged one."""
    path = stored(model.directory, CONFIG)
    return None if model.confidence is None else _calibration_from(model.confidence, f"parsing.{CONFIDENCE}", path)


def mean_calibration() -> Calibration:
    """The mean calibration of the shipped models, for models and options without a calibration."""
    return read_calibration(recipe_folder() / MEAN)


def read_calibration(path: Path) -> Calibration:
    """The calibration in a file. Raises DataError if it cannot be read, or is not a calibration."""
    values = read_plain_yaml(path)
    if isinstance(values, dict) and "members" in values:
        raise DataError("describes a model, whose calibration is used without --calibration", str(path))
    return _calibration_from(values, CONFIDENCE, path)


def _calibration_from(values: object, section: str, path: Path) -> Calibration:
    with damage_of("calibration", str(path)):
        if not isinstance(values, dict):
            raise SettingError(f"{section} must be a mapping of settings")
        others = {name: value for name, value in values.items() if name not in ("arcs", "spans")}
        maps: dict[str, Any] = {
            name: settings_of(CalibrationMap, values[name], f"{section}.{name}")
            for name in ("arcs", "spans")
            if values.get(name) is not None
        }
        return replace(settings_of(Calibration, others, section), **maps)


def directory_of(model: str) -> Path:
    """The model directory to write a calibration to. Raises SettingError for a shipped model or a baseline, and
    DataError as `open_model`."""
    directory = None if model in TRIVIAL_PARSERS and not Path(model).is_dir() else open_model(model).directory
    if directory is None or directory != Path(model):  # a shipped model, also where a folder of texts has its name
        raise SettingError(f"{model} is not a directory of yours: name a file for the calibration by --output")
    return directory


def save_calibration(directory: Path, calibration: Calibration) -> list[str]:
    """Write it into the config.yaml of a model directory, in place of an older one, of which the map of arcs or spans
    that the new one lacks is kept, if sentences were parsed alike; the caller holds its lock
    (`synparse.files.folders.exclusive_lock`). Returns which maps of the older one are lost, "arcs" or "spans". Raises
    DataError if there is no such directory, or it cannot be written.
    """
    opened = open_model(directory)
    before = calibration_of(opened) or Calibration()
    calibration = _with_maps_of(before, calibration)
    save_together(directory, {CONFIG: config_file(replace(opened, confidence=_plain(calibration)))})
    return [kind for kind in ("arcs", "spans") if getattr(before, kind) and not getattr(calibration, kind)]


def _with_maps_of(before: Calibration, calibration: Calibration) -> Calibration:
    """With the maps that only the calibration before has, if sentences were parsed alike."""
    alike = ("punctuation", "function_words", *(name for name in ("brackets", "heads") if getattr(calibration, name)))
    if any(getattr(before, name) not in (None, getattr(calibration, name)) for name in alike):
        return calibration
    names = ("arcs", "spans", "brackets", "heads")
    merged = replace(calibration, **{name: getattr(calibration, name) or getattr(before, name) for name in names})
    if (merged.arcs, merged.spans) == (calibration.arcs, calibration.spans):
        return calibration
    kept = [name for name in before.gold if (format_by_name(name) == CONLLU) == (calibration.arcs is None)]
    return replace(merged, gold=tuple(dict.fromkeys([*kept, *merged.gold])))


def calibration_file(calibration: Calibration) -> str:
    """The text of a file with this calibration."""
    return yaml.safe_dump(_plain(calibration), sort_keys=False, allow_unicode=True)


def _plain(calibration: Calibration) -> dict[str, Any]:
    return {name: value for name, value in plain_settings(calibration).items() if value}
