"""Learning grammars by counting alone: without any network, or taught by models that are trained already. Needs no
PyTorch, unless the teachers do."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from synparse.config.recipe import Recipe, recipe_from
from synparse.config.version import __version__
from synparse.files.folders import Content, exclusive_lock, save_together, stored
from synparse.store.bundle import Bundle, open_model
from synparse.store.cards import model_card, taught_card
from synparse.store.model_directory import (
    BOUNDARIES,
    CARD,
    CLASSES,
    CONFIG,
    GRAMMAR,
    VOCABULARY,
    WEIGHTS,
    LoadedModel,
    ModelDescription,
    StoredModel,
    model_files,
)
from synparse.store.overwriting import LAST, is_unfinished, refuse_to_overwrite
from synparse.training.events import Learning, Note, Reading
from synparse.training.reading import RunSettings, names_of_files, read_corpus
from synparse.training.teaching import new_lesson, teach
from synparse.trees.errors import DataError, SettingError

_RUN = "synparse-run"

Report = Callable[["Reading | Note | Learning"], None]


@dataclass(frozen=True)
class Learned:
    """The directory of the grammars, what they were learned from, and the log-likelihoods."""

    directory: Path
    provenance: Mapping[str, Any]


def learn(
    corpus: Sequence[str],
    recipe: Recipe,
    output: Path,
    *,
    teachers: Sequence[str] = (),
    raw: bool = False,
    input_format: str | None = None,
    minutes: float | None = None,
    device: str = "auto",
    seed: int = 1,
    report: Report = lambda _: None,
    force: bool = False,
) -> Learned:
    """Learn word classes and grammars from the files ``corpus`` (``-`` = standard input).

    - ``recipe``: of the model ``grammar`` or ``dbm``; ``output``: the model directory to write.
    - ``teachers``: trained models, which are copied to the directory and parse together with the grammars.
    - ``minutes``: limit of the run; EM makes fewer passes if it is short.

    An interrupted run can continue with `resume`, after the last stage that was done. Raises DataError for a bad corpus
    or teacher and an output that cannot be written; SettingError for an output that exists, and teachers that read text
    differently.
    """
    refuse_to_overwrite(output, force)
    settings = RunSettings(tuple(_absolute(corpus)), None, raw, input_format, minutes, seed)
    return _learned(recipe, settings, _absolute(teachers) if teachers else [], output, device, report, is_new=True)


def is_counting(directory: Path) -> bool:
    """Whether the unfinished run in this directory is one of `learn`."""
    return is_unfinished(directory) and "teachers" in _read_run(directory)


def resume(
    directory: Path, *, device: str = "auto", minutes: float | None = None, report: Report = lambda _: None
) -> Learned:
    """Continue an interrupted run. Raises as `learn`, and DataError if its checkpoint is damaged."""
    path = str(stored(directory, LAST))
    try:
        values = _read_run(directory)
        given = {**values["settings"], "corpus": tuple(values["settings"]["corpus"])}
        settings, recipe = RunSettings(**given), recipe_from(values["recipe"])
        teachers = [str(name) for name in values["teachers"]]
    except (KeyError, TypeError, SettingError) as error:
        raise DataError(f"damaged checkpoint: {error}", path) from None
    if minutes is not None:
        settings = replace(settings, minutes=minutes)
    return _learned(recipe, settings, teachers, directory, device, report, is_new=False)


def _learned(
    recipe: Recipe,
    settings: RunSettings,
    teachers: Sequence[str],
    output: Path,
    device: str,
    report: Report,
    is_new: bool,
) -> Learned:
    config = recipe.grammar
    found = _teachers(teachers)
    text = recipe.text
    if found:
        text = next(iter(found.values())).description.recipe.text
    with exclusive_lock(output):
        lesson = new_lesson(text, config, settings.seed)
        data = read_corpus(settings, text, output, report, lesson=lesson)
        report(Note(f"{len(data.train) + len(data.valid):,} sentences, {data.train.words + data.valid.words:,} words"))
        provenance: dict[str, Any] = {
            "corpus": {
                "files": names_of_files(settings.corpus),
                "sha256": data.fingerprint,
                "training_sentences": len(data.train),
                "training_words": data.train.words,
                "held_out_sentences": len(data.valid),
            },
            "vocabulary_words": len(data.vocabulary),
            "seed": settings.seed,
            "versions": {"synparse": __version__, "numpy": np.__version__},
        }
        if found:
            bundle = _bundle(teachers, found, recipe)

            def files(provenance: Mapping[str, Any]) -> dict[str, Content]:
                whole = replace(bundle, provenance=provenance)
                card = taught_card(output.name, whole, {name: one.description for name, one in found.items()})
                return {CONFIG: yaml.safe_dump(whole.as_mapping(), sort_keys=False).encode(), CARD: card.encode()}

        else:

            def files(provenance: Mapping[str, Any]) -> dict[str, Content]:
                description = ModelDescription(recipe, provenance)
                model = LoadedModel(description, data.vocabulary, None, data.boundaries)
                return model_files(model, model_card(output.name, description), "")

        if is_new:
            _clear_away(output)
            for name, one in found.items():
                _copy(one.directory, output / name)
            save_together(output, {**files(provenance), LAST: _run_file(recipe, settings, teachers)})
        learned = teach(output, text, config, lesson, settings.seed, device, _seconds(settings), report)
        provenance["grammar"] = learned
        save_together(output, files(provenance), gone=[LAST])
    return Learned(output, provenance)


def _seconds(settings: RunSettings) -> float | None:
    return None if settings.minutes is None else 60 * settings.minutes


def _teachers(names: Sequence[str]) -> dict[str, StoredModel]:
    """The models behind these names, each under a name of its own. Raises SettingError where they read text
    differently."""
    found: dict[str, StoredModel] = {}
    for name in names:
        members, _ = open_model(name)
        for one in members.values():
            kind = one.description.recipe.model
            number = sum(other.description.recipe.model == kind for other in found.values()) + 1
            found[f"{kind}-{number}"] = one
    texts = {one.description.recipe.text.punctuation for one in found.values()}
    if len(texts) > 1:
        raise SettingError("--teacher: these models do not read the same tokens (text.punctuation)")
    return found


def _bundle(names: Sequence[str], found: Mapping[str, StoredModel], recipe: Recipe) -> Bundle:
    """All teachers give brackets and heads, where they can; their defaults for punctuation and function words stay."""
    from synparse.store.model_directory import traits_of

    with_heads = tuple(name for name, one in found.items() if traits_of(one.description).gives_heads)
    first = open_model(names[0])[1] if len(names) == 1 else None
    return Bundle(
        tuple(found),
        with_heads,
        None if first is None else first.punctuation,
        None if first is None else first.function_words,
        grammar=recipe.grammar,
    )


def _copy(directory: Path, output: Path) -> None:
    """The files of a model that parsing reads. Its own grammars give way to those that all models teach."""
    output.mkdir(parents=True, exist_ok=True)
    for name in (CONFIG, VOCABULARY, WEIGHTS, BOUNDARIES, CARD):
        path = stored(directory, name)
        if path.is_file():
            shutil.copyfile(path, output / name)


def _clear_away(output: Path) -> None:
    for name in (WEIGHTS, BOUNDARIES, GRAMMAR, CLASSES, LAST, CARD, VOCABULARY, CONFIG):
        (output / name).unlink(missing_ok=True)


def _run_file(recipe: Recipe, settings: RunSettings, teachers: Sequence[str]) -> Callable[[Path], None]:
    from safetensors.numpy import save_file

    described = {"recipe": recipe.as_mapping(), "settings": asdict(settings), "teachers": list(teachers)}
    return lambda path: save_file({}, path, {_RUN: json.dumps(described)})


def _read_run(directory: Path) -> dict[str, Any]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(stored(directory, LAST), "numpy") as saved:
            values = json.loads((saved.metadata() or {}).get(_RUN, "{}"))
    except (OSError, SafetensorError, ValueError):
        return {}
    return values if isinstance(values, dict) else {}


def _absolute(paths: Sequence[str]) -> list[str]:
    """Paths that exist as absolute ones; standard input and names of shipped models stay."""
    return [str(Path(path).absolute()) if Path(path).exists() else path for path in paths]
