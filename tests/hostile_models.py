"""Whole model directories that commands read: of each kind of network, of grammars, of tasks; and runs as they would be
if their process had been killed, at each change of their directories."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import torch

from synparse.config.recipe import model_recipe_from
from synparse.corpora.phrase_boundaries import PhraseBoundaries
from synparse.corpora.vocabulary import CLASS, SPECIAL, Vocabulary
from synparse.inducers.table import BASELINES, build
from synparse.language_models.tuning import TUNING
from synparse.language_models.tuning_recipe import load_tuning_recipe
from synparse.store.model_directory import CONFIG, LoadedModel, ModelDescription
from synparse.tasks import TASKS
from synparse.tasks.craft.agent_directory import GridConfig
from synparse.tasks.craft.agent_run import learn_task
from synparse.tasks.craft.recipe import load_craft_recipe
from synparse.tasks.craft.run import IMITATION
from synparse.tasks.recipe import load_task_recipe
from synparse.tasks.run import classification
from synparse.tasks.sentiment import SENTIMENT
from synparse.training import trainer
from synparse.training.events import Report
from synparse.training.run import train
from synparse.training.save_every import SaveEvery
from tests.untrained import ARCHITECTURES, untrained, write_model

Files: TypeAlias = Mapping[str, bytes]
"""Of a directory: their contents by their paths."""

SENTENCE = ["the", "dog", "saw", "3", "cats", "in", "the", "park", "."]
WORDS = ["the", "dog", "saw", "N", "cats", "park", "a\u2028b", "été", f"{CLASS}n"]

TINY = {name: sizes for name, sizes in ARCHITECTURES.items() if name not in BASELINES} | {
    "structformer": {"hidden_size": 8, "layers": 1, "attention_heads": 2, "feed_forward_size": 8, "parser_layers": 2},
    "udgn": {"hidden_size": 8, "layers": 1, "channels": 2, "channel_size": 4, "parser_layers": 2, "roles": 2},
    "student": {"hidden_size": 8, "layers": 2},
}
"""Sizes of each model that parses; some of them are damaged by tests."""

PROVENANCE = {
    "corpus": {
        **{"files": ["train.txt"], "sha256": "0" * 64, "training_sentences": 9, "training_words": 99},
        **{"held_out_sentences": 1, "heads": 7, "splits": 8},
    },
    **{"seed": 1, "steps": 5, "words_seen": 50, "seconds": 1.5, "device": "cpu", "vocabulary_words": 9},
    **{"held_out_perplexity": 9.5, "versions": {"synparse": "0.3.0"}},
}


def tiny_models(folder: Path) -> dict[str, Files]:
    """A tiny untrained model of each kind, by its name."""
    torch.manual_seed(1)
    for name, sizes in TINY.items():
        recipe = model_recipe_from(
            {"model": name, "architecture": sizes, "text": {"phrase_boundaries": name == "udgn"}}
        )
        vocabulary = Vocabulary([*SPECIAL, *WORDS])
        inducer = build(name, len(vocabulary), recipe.architecture)
        description = ModelDescription(recipe, PROVENANCE)
        boundaries = PhraseBoundaries(*(-torch.rand(2, len(vocabulary)).numpy())) if name == "udgn" else None
        write_model(folder / name, LoadedModel(description, vocabulary, inducer, boundaries))
        # The written-out defaults of training say nothing to a reader, and take it most of its time.
        config = (folder / name / CONFIG).read_text(encoding="utf-8")
        config = re.sub(r"(?m)^      training:\n(        .*\n)+", "", config)
        (folder / name / CONFIG).write_text(config, encoding="utf-8")
    return {name: files_of(folder / name) for name in TINY}


def files_of(directory: Path) -> Files:
    """The files that a directory is read from."""
    paths = sorted(path for path in directory.rglob("*") if path.is_file() and path.suffix != ".md")
    return {str(path.relative_to(directory)): path.read_bytes() for path in paths}


def directories_in(work: Path, text: Path) -> dict[str, dict[str, Files]]:
    """The directories of `tests.hostile_kinds.DIRECTORIES`, each with a name; a whole one of each stays in ``work``,
    which holds a whole file of each kind. ``text``: what parsers are trained on."""
    models = tiny_models(work)
    untrained(work / "lstm", "lstm", "the dog saw cats park")
    train([str(text)], str(work / "whole.counting.yaml"), work / "grammar")
    models |= {name: files_of(work / name) for name in ("lstm", "grammar")}
    always = SaveEvery(steps=1)

    def new_run(kind: trainer.Kind, data: str, recipe: Any) -> Callable[[Path, Report], object]:
        return lambda output, report: trainer.train(
            kind, [str(work / data)], recipe, output, report=report, save_every=always
        )

    def task_recipe(file: str, encoder: str) -> Any:
        return load_task_recipe(str(work / file), encoder)

    runs: dict[str, Callable[[Path, Report], object]] = {
        "runs": lambda output, report: train(
            [str(text)], str(work / "whole.stages.yaml"), output, report=report, save_every=always
        ),
        "listops": new_run(
            classification(TASKS["listops"]), "whole.listops", task_recipe("whole.task.yaml", "ordered-memory")
        ),
        "logic": new_run(classification(TASKS["logic"]), "whole.logic", task_recipe("whole.task.yaml", "lstm")),
        "sentiment": new_run(
            classification(SENTIMENT["sst2"]), "whole.sentiment", task_recipe("whole.sentiments.yaml", "lstm")
        ),
        "craft": new_run(
            IMITATION, "whole.craft", load_craft_recipe(str(work / "whole.worlds.yaml"), "option-controller")
        ),
        "tuning": new_run(
            TUNING, "whole.similar", load_tuning_recipe(str(work / "whole.tuning.yaml"), str(work / "udgn"))
        ),
        "agents": lambda output, report: learn_task(
            *("B", [str(work / "craft")], "options", "sparse", GridConfig(6, 1, 0, 5), output),
            changes=["training.batch=8", "training.parallel=2", "training.epochs=1", "training.hidden_size=4"],
            steps=20,
            report=report,
        ),
    }
    return {"models": models} | {
        name: {str(number): files for number, files in enumerate(_changes_of(work / name, run))}
        for name, run in runs.items()
    }


def _changes_of(directory: Path, run: Callable[[Path, Report], object]) -> list[Files]:
    """What is in the directory of a run whenever it has changed, and at its end."""
    changes: list[Files] = []

    def look(_: object) -> None:
        files = files_of(directory)
        if files and files not in changes[-1:]:
            changes.append(files)

    run(directory, look)
    look(None)
    return changes
