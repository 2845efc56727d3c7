"""Descriptions of models: kind, size, recipe and provenance; and the list of models by name."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from synparse.config.settings import plain_settings
from synparse.inducers.table import BASELINES
from synparse.store.calibrations import calibration_of
from synparse.store.grammars import gives_heads, grammar_shapes
from synparse.store.languages import language_of_shipped
from synparse.store.model_directory import CARD, LOG, plain_description, read_config, read_shapes, read_text
from synparse.store.models import TASK_COMMANDS, Model, folder_in, open_model, task_in
from synparse.store.shipped import HOW_TO_INSTALL, missing_models, model_folder, shipped_models
from synparse.store.weights import Shapes
from synparse.trees.trivial import TRIVIAL_PARSERS


def info(model: str | None = None) -> dict[str, Any]:
    """Name, kind, parameters, recipe and provenance as plain values, of each member if there are several.

    None lists the shipped models, with their languages, and the baselines, and what each gives. Raises DataError for an
    unknown model.

    >>> info("balanced")
    {'model': 'balanced', 'kind': 'trivial: needs no training', 'gives': 'brackets and heads'}
    """
    if model is None:
        rows = [info(name) for name in (*shipped_models(), *TRIVIAL_PARSERS)]
        languages = [language_of_shipped(row["model"]) for row in rows]
        listed = {
            row["model"]: f"{row['gives']} ({row['kind']}{f'; {language.name}' if language else ''})"
            for row, language in zip(rows, languages, strict=True)
        }
        return listed | dict.fromkeys(missing_models(), f"not installed: {HOW_TO_INSTALL}")
    if model in TRIVIAL_PARSERS:
        return {"model": model, "kind": "trivial: needs no training", "gives": "brackets and heads"}
    if (directory := model_folder(model)).is_dir():
        _, config = read_config(directory)
        if task := task_in(config):
            parameters = _numbers(read_shapes(directory))
            gives = f"no trees; it is for: synparse {TASK_COMMANDS[task]}"
            return {"model": model, "kind": f"task {task}", "gives": gives, "parameters": parameters, **config}
    opened = open_model(model)
    members = {
        name: {
            "kind": member.description.recipe.model,
            "parameters": _numbers({} if member.description.recipe.training is None else read_shapes(member.directory)),
            **plain_description(member.description),
            **_entropies_by_epoch(member.directory),
        }
        for name, member in opened.members.items()
    }
    sets = {
        grammars.folder: {
            "taught by": list(grammars.members),
            "parameters": _numbers(grammar_shapes(folder_in(opened.directory, grammars.folder))),
            "settings": plain_settings(grammars.settings),
            "provenance": dict(grammars.provenance),
        }
        for grammars in opened.grammars
    }
    gives_brackets = any(members[name]["kind"] not in BASELINES for name in opened.brackets)
    return {
        "model": model,
        "kind": opened.kind,
        "gives": " and ".join(["brackets"] * gives_brackets + ["heads"] * gives_heads(opened)) or "no trees",
        "parameters": sum(part["parameters"] for part in (*members.values(), *sets.values())),
        "parsing": plain_settings(opened.parsing),
        "calibration": _calibration(opened),
        "members": members,
        "grammars": sets,
        **({} if opened.recipe is None else {"recipe": opened.recipe.as_mapping()}),
        "provenance": dict(opened.provenance),
    }


def card(model: str) -> str:
    """The card of a model: its text, scores, licence and weaknesses; empty for a model that has none, and for a
    baseline. Raises DataError for a card that cannot be read."""
    if model in TRIVIAL_PARSERS:
        return ""
    return str(read_text(model_folder(model), CARD, str, "", "cannot be read"))


def _calibration(model: Model) -> str:
    """The gold trees on which probabilities were calibrated. Raises DataError as `calibration_of`."""
    known = calibration_of(model)
    if known is None:
        return "supervised: the mean of those of the shipped models"
    return f"supervised: odd sentences of {'; '.join(known.gold)}" if known.gold else "supervised"


def _entropies_by_epoch(directory: Path) -> dict[str, dict[str, dict[str, float]]]:
    """How soft the structure was that the network decided on at the end of each epoch (Shen's thesis, chapter 6), from
    the log of its training: the mean entropy of its decisions, 0 to 1. Raises DataError for a damaged log."""
    rows = read_text(directory, LOG, lambda text: list(map(json.loads, text.splitlines())), [], "damaged log")
    by_epoch = {
        f"epoch {row['epoch']}": {name: value for name, value in row.items() if name.startswith("entropy of ")}
        for row in rows
        if isinstance(row, dict) and "epoch" in row
    }
    return {"structure": by_epoch} if any(by_epoch.values()) else {}


def _numbers(shapes: Shapes) -> int:
    return sum(map(math.prod, shapes.values()))
