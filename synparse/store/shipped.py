"""Models that come with the package, found by name."""

from __future__ import annotations

from pathlib import Path

from synparse.config.recipe import recipe_folder
from synparse.store.model_directory import CONFIG

ENGLISH, TRAINED = "english", "model"
"""The shipped model, the default of `parse`, and the directory that `train` writes by default."""


def shipped_models() -> list[str]:
    """The names of the models that come with the package."""
    return sorted(path.parent.name for path in recipe_folder().glob(f"*/{CONFIG}"))


def model_folder(name: str | Path) -> Path:
    """The directory at that path, or, where there is none, the shipped model of that name."""
    path = Path(name)
    return recipe_folder() / path if not path.is_dir() and str(name) in shipped_models() else path


def default_model() -> str:
    """The default model of `parse`: the shipped one, or the default output of `train` if none is shipped."""
    return ENGLISH if ENGLISH in shipped_models() else TRAINED
