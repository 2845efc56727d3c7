"""A trained model on disk: config.yaml, vocabulary.txt, weights.safetensors and README.md, the card.

Nothing is pickled, and loading runs no code from the directory.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from synparse.corpora.vocabulary import Vocabulary
from synparse.files import usual_mode
from synparse.recipe import Recipe, recipe_from
from synparse.trees.errors import DataError

CONFIG, VOCABULARY, WEIGHTS, CARD, LOG = (
    "config.yaml",
    "vocabulary.txt",
    "weights.safetensors",
    "README.md",
    "log.jsonl",
)


@dataclass(frozen=True)
class ModelDescription:
    """What config.yaml says: the recipe, and where the model comes from (corpus, seed, versions, result)."""

    recipe: Recipe
    provenance: Mapping[str, Any]


@dataclass(frozen=True)
class LoadedModel:
    """A model ready to parse."""

    description: ModelDescription
    vocabulary: Vocabulary
    inducer: Any


def read_description(directory: Path) -> ModelDescription:
    """Raises DataError where the directory is missing or its config is not one of this program's."""
    path = directory / CONFIG
    if not directory.is_dir():
        raise DataError("no such model directory; train one with: synparse train CORPUS --output DIR", str(directory))
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
        return ModelDescription(recipe_from(values["recipe"]), dict(values["provenance"]))
    except FileNotFoundError:
        raise DataError(f"not a model directory: it has no {CONFIG}", str(directory)) from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ValueError, KeyError, TypeError) as error:
        reason = str(error).splitlines()[0] if isinstance(error, ValueError) and str(error) else "not a synparse config"
        raise DataError(f"damaged model: {reason}", str(path)) from None


def load_model(directory: Path) -> LoadedModel:
    """Read a model directory. Raises DataError where a file is missing, damaged or does not fit the others."""
    import torch
    from safetensors import SafetensorError, safe_open

    from synparse.inducers import inducer_kind

    description = read_description(directory)
    vocabulary = Vocabulary.read(directory / VOCABULARY)
    path = directory / WEIGHTS
    recipe = description.recipe
    with torch.device("meta"):  # shapes only; the file brings the values
        inducer = inducer_kind(recipe.model).model(len(vocabulary), recipe.architecture)
    expected = {name: tuple(tensor.shape) for name, tensor in inducer.state_dict().items()}
    try:
        with safe_open(path, "pt") as weights:
            found = {name: tuple(weights.get_slice(name).get_shape()) for name in weights.keys()}  # noqa: SIM118
            if found != expected:
                name = next(n for n in sorted({*found, *expected}) if found.get(n) != expected.get(n))
                raise DataError(
                    f"the weights do not fit {CONFIG}: {name} is {found.get(name, 'missing')}, "
                    f"expected {expected.get(name, 'nothing')}",
                    str(path),
                )
            state = {name: weights.get_tensor(name) for name in expected}
    except FileNotFoundError:
        raise DataError("the model has no weights; its training did not reach a first validation", str(path)) from None
    except (OSError, SafetensorError) as error:
        raise DataError(f"damaged weights: {str(error).splitlines()[0]}", str(path)) from None
    inducer.load_state_dict(state, assign=True)
    return LoadedModel(description, vocabulary, inducer.eval())


def save_model(
    directory: Path, description: ModelDescription, vocabulary: Vocabulary, inducer: Any, card: str, log: str
) -> None:
    """Write a whole model directory, or renew one that is there, file by file; each file appears whole.

    Raises DataError where the disk refuses.
    """
    from safetensors.torch import save

    config = {"recipe": description.recipe.as_mapping(), "provenance": dict(description.provenance)}
    files = {
        CONFIG: yaml.safe_dump(config, sort_keys=False, allow_unicode=True).encode(),
        CARD: card.encode(),
        LOG: log.encode(),
        WEIGHTS: save({name: tensor.cpu().contiguous() for name, tensor in inducer.state_dict().items()}),
    }
    try:
        with scratch_folder(directory) as scratch:
            vocabulary.write(scratch / VOCABULARY)
            for name, content in files.items():
                (scratch / name).write_bytes(content)
            if not directory.exists():
                scratch.chmod(usual_mode(0o777))
                scratch.rename(directory)
                return
            for name in (VOCABULARY, WEIGHTS, LOG, CARD, CONFIG):
                (scratch / name).replace(directory / name)
    except OSError as error:
        raise DataError(f"the model cannot be saved: {error.strerror or error}", str(directory)) from None


@contextlib.contextmanager
def scratch_folder(directory: Path) -> Iterator[Path]:
    """A hidden folder beside ``directory``, on the same disk, that is gone afterwards.

    Raises DataError where it cannot be made.
    """
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{directory.name}.", dir=directory.parent))
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror or error}", str(directory)) from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
