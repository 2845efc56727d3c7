"""Models that come with the package, found by name."""

from __future__ import annotations

from pathlib import Path

from synparse.config.recipe import recipe_folder
from synparse.corpora.languages import LANGUAGES, language_of
from synparse.store.model_directory import CONFIG, VOCABULARY
from synparse.trees.errors import SettingError

ENGLISH, TRAINED = "english", "model"
"""The shipped model, the default of `parse`, and the directory that `train` writes by default."""


def shipped_models() -> list[str]:
    """The names of the models that come with the package."""
    return sorted(path.parent.name for path in recipe_folder().glob(f"*/{CONFIG}"))


def model_folder(name: str | Path) -> Path:
    """The directory at that path, or, where there is none, the shipped model of that name."""
    path = Path(name)
    return recipe_folder() / path if not path.is_dir() and str(name) in shipped_models() else path


def known_words(name: str) -> frozenset[str]:
    """The words of the vocabularies of a shipped model, as they are in its files."""
    files = (recipe_folder() / name).rglob(VOCABULARY)
    return frozenset(line for file in files for line in file.read_text(encoding="utf-8").splitlines())


def default_model(language: str | None = None) -> str:
    """The default model of `parse`: the shipped one of a language (its ISO 639 code or English name), by default of
    English, or the default output of `train` if none is shipped.

    Raises SettingError for what is no language, and for one without a shipped model.
    """
    shipped = shipped_models()
    if language is None:
        return ENGLISH if ENGLISH in shipped else TRAINED
    wanted = language_of(language)
    for name in shipped:
        if name in LANGUAGES and LANGUAGES[name].code == wanted.code:
            return name
    raise SettingError(
        f"no model of {wanted.name} is shipped; name a model that you have trained, or train one: "
        f"synparse train TEXT --language {wanted.code}"
    )
