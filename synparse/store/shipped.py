"""Models that come with the package, found by name, and the tables beside them.

`english` and the tables are part of synparse. The models of other languages, ten times as large together, are a package
of their own, synparse-languages (`models/languages`), which a checkout has without installing it.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from synparse.config.recipe import recipe_folder
from synparse.corpora.languages import LANGUAGES, language_of
from synparse.files.folders import stored
from synparse.files.tables import Row, read_table
from synparse.store.model_directory import CONFIG, VOCABULARY, is_unfinished
from synparse.trees.errors import DataError, SettingError

ENGLISH, TRAINED = "english", "model"
"""The shipped model, the default of `parse`, and the directory that `train` writes by default."""

TEXTS = "texts.tsv"
"""The table of the texts on which parsers are trained, and of the models that learned from them."""

LANGUAGES_PACKAGE = "synparse_languages"

HOW_TO_INSTALL = "in the folder of synparse: pip install ./models/languages"
"""What is said of a model of that package where it is not installed."""


def shipped_models() -> list[str]:
    """The names of the models that come with synparse and, where it is installed, synparse-languages."""
    return sorted(_directories())


def missing_models() -> list[str]:
    """The names of the models of synparse-languages where it is not installed."""
    named = {row["model"] for row in read_rows(TEXTS)} & LANGUAGES.keys()
    return sorted(named - _directories().keys())


def _directories() -> dict[str, Path]:
    return {path.parent.name: path.parent for folder in _folders() for path in folder.glob(f"*/{CONFIG}")}


def _folders() -> Iterator[Path]:
    """The folders of shipped models."""
    yield recipe_folder()
    if (beside := recipe_folder() / "languages").is_dir():
        yield beside
    elif (package := find_spec(LANGUAGES_PACKAGE)) is not None:
        yield from map(Path, package.submodule_search_locations or ())


def model_folder(name: str | Path) -> Path:
    """The directory at that path, or, where no model is in it, the shipped model of that name: the folder of a text
    may well be called german. Raises SettingError for an empty name."""
    if name == "":  # a shell variable that is not set
        raise SettingError("the name of the model is empty")
    path = Path(name)
    is_trained = stored(path, CONFIG).is_file() or is_unfinished(path)
    return path if is_trained else _directories().get(str(name), path)


def known_words(name: str) -> frozenset[str]:
    """The words of the vocabularies of a shipped model, as they are in its files."""
    files = _directories()[name].rglob(VOCABULARY)
    return frozenset(line for file in files for line in file.read_text(encoding="utf-8").splitlines())


def default_model(language: str | None = None) -> str:
    """The default model of `parse`: the shipped one of a language (its ISO 639 code or English name), by default of
    English, or the default output of `train` if none is shipped.

    Raises SettingError for what is no language, and for one without a shipped model; DataError for one whose model is
    not installed.
    """
    shipped = shipped_models()
    if language is None:
        return ENGLISH if ENGLISH in shipped else TRAINED
    name, wanted = model_of(language), language_of(language)
    if name is None:
        raise SettingError(
            f"no model of {wanted.name} is shipped; name a model that you have trained, or train one: "
            f"synparse train TEXT --language {wanted.code}"
        )
    if name not in shipped:
        raise DataError(f"the model {name} is not installed; {HOW_TO_INSTALL}")
    return name


def model_of(language: str) -> str | None:
    """The shipped model of a language, by its ISO 639 code or English name, installed or not; None if there is none.
    Raises SettingError for what is no language."""
    code, models = language_of(language).code, (*shipped_models(), *missing_models())
    return next((name for name in models if name in LANGUAGES and LANGUAGES[name].code == code), None)


def read_rows(name: str) -> list[Row]:
    """The rows of a table beside the shipped models; none where there is no such table."""
    return read_table(recipe_folder() / name)
