"""What is made for a language: models and trees, each a file or a folder in RUNS (benchmarks/commands.py)."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.commands import parsed, trained
from benchmarks.languages.brackets import clean_brackets
from benchmarks.languages.ceiling import FOLDS, PARSING, parts_of_fold, pooled, student_options
from benchmarks.languages.data import Language
from benchmarks.quality.gold import conllu_sentences
from synparse.files.streams import write_whole
from synparse.trees.conllu import ConlluSentence


@dataclass(frozen=True)
class Steps:
    """The commands for all languages, and where their output is; ``train_options``, ``parse_options`` as typed.

    ceilings: the folder of students and their trees, which do not depend on the settings.
    """

    work: Path
    ceilings: Path
    minutes: float
    seeds: Sequence[int]
    train_options: str = ""
    parse_options: str = ""

    @property
    def settings(self) -> str:
        """What the seeds of a row have in common, as a cell of the table."""
        return " ".join(filter(None, [f"--minutes {self.minutes:g}", self.train_options, self.parse_options]))

    def trained(self, language: Language, seed: int) -> Path:
        """The model of a seed."""
        how = ("--language", language.code, *shlex.split(self.train_options), "--minutes", self.minutes, "--seed", seed)
        directory = self.work / f"{language.code}-seed{seed}"
        return trained(directory, *language.texts, *how, settings=self.settings)

    def parsed(self, source: Path, model: Path) -> Path:
        """The trees that a model gives to a file, CoNLL-U or brackets, in the same format."""
        is_brackets = source.suffix == ".ptb"
        options = [*(["--format", "brackets"] if is_brackets else []), *shlex.split(self.parse_options)]
        return parsed(source, model, model.with_name(model.name + (".ptb" if is_brackets else ".conllu")), *options)

    def clean_trees(self, language: Language, trees: Path) -> Path:
        """The constituency trees of a language as they are scored. Raises SettingError where they cannot be read."""
        return _written(self.work / f"{language.code}-trees.ptb", [clean_brackets(trees)])

    def supervised(self, language: Language) -> list[str]:
        """The development part, each fifth of it parsed by a student that has learned the trees of the others."""
        sentences = conllu_sentences(language.dev)
        predicted = []
        for number in range(FOLDS):
            folder = self.ceilings / f"{language.code}-fold{number + 1}"
            folder.mkdir(parents=True, exist_ok=True)
            known, unknown = parts_of_fold(sentences, number)
            train = _written(folder / "train.conllu", _lines(known))
            test = _written(folder / "test.conllu", _lines(unknown))
            model = trained(folder / "student", train, *student_options(sum(len(sentence.rows) for sentence in known)))
            predicted.append(conllu_sentences(parsed(test, model, folder / "parsed.conllu", *PARSING)))
        return list(_lines(pooled(predicted)))


def _lines(sentences: Iterable[ConlluSentence]) -> Iterator[str]:
    return (line for sentence in sentences for line in sentence.lines)


def _written(path: Path, text: Iterable[str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_whole(str(path)) as out:
        out.writelines(text)
    return path
