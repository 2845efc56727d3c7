"""A trained model on disk: config.yaml, vocabulary.txt, weights.safetensors and README.md, the card; where its text was
read for them, boundaries.safetensors: how phrases begin and end.

Nothing is pickled, and loading runs no code from the directory.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from synparse.config.plain_yaml import read_plain_yaml
from synparse.config.recipe import Recipe, recipe_from
from synparse.config.settings import settings_of
from synparse.corpora.phrase_boundaries import PhraseBoundaries
from synparse.corpora.vocabulary import Vocabulary
from synparse.files.folders import Content, save_together, stored
from synparse.inducers.configurations import StudentConfig
from synparse.inducers.kernels.lstm_parser import LstmParser, lstm_parser, weight_shapes_of
from synparse.inducers.table import INDUCERS, Traits
from synparse.store.weights import STORAGES, largest_dimension, read_arrays, read_weights, stored_as, weight_shapes
from synparse.trees.errors import DataError, SettingError

if TYPE_CHECKING:
    from synparse.inducers.protocol import NeuralInducer

CONFIG, VOCABULARY, WEIGHTS, BOUNDARIES, CARD, LOG = (
    "config.yaml",
    "vocabulary.txt",
    "weights.safetensors",
    "boundaries.safetensors",
    "README.md",
    "log.jsonl",
)


BOUNDARIES_BEFORE = "edges.safetensors"
"""The name of `BOUNDARIES` before 0.2."""

MEMBERS = "members"
"""The key of a config that is of several models behind one name; see `synparse.store.bundle`."""


@dataclass(frozen=True)
class Packed:
    """How a model is stored that is there for parsing alone: only what parsing reads.

    storage: one of `STORAGES`; layers: of a model whose trees can be read from any layer, how many are there; 0 of
    others.
    """

    storage: str = "float32"
    layers: int = 0

    def __post_init__(self) -> None:
        if self.storage not in STORAGES:
            raise SettingError(f"storage must be one of {', '.join(STORAGES)}, not {self.storage!r}")
        if self.layers < 0:
            raise SettingError("layers cannot be negative")


@dataclass(frozen=True)
class ModelDescription:
    """What config.yaml says: the recipe, where the model comes from (corpus, seed, versions, result), and how it was
    packed; None where it is whole."""

    recipe: Recipe
    provenance: Mapping[str, Any]
    packed: Packed | None = None


def traits_of(description: ModelDescription) -> Traits:
    """What can be known of a model without loading it; of what learns from trees, what it was shown."""
    entry = INDUCERS[description.recipe.model]
    traits, corpus = entry.traits, description.provenance.get("corpus")
    if entry.objective != "tree" or not isinstance(corpus, dict):
        return traits
    has_heads = corpus.get("heads") != 0
    return traits._replace(gives_heads=has_heads, gives_distances=corpus.get("splits") != 0 or not has_heads)


@dataclass(frozen=True)
class LoadedModel:
    """A model ready to parse. inducer: a PyTorch module, or an `LstmParser`; edges: where its recipe has them
    learned."""

    description: ModelDescription
    vocabulary: Vocabulary
    inducer: NeuralInducer | LstmParser
    boundaries: PhraseBoundaries | None = None

    @property
    def network(self) -> NeuralInducer:
        """The inducer of a model that PyTorch computes."""
        assert not isinstance(self.inducer, LstmParser)
        return self.inducer


def read_description(directory: Path) -> ModelDescription:
    """Raises DataError where the directory is missing or its config is not one of this program's."""
    path, values = read_config(directory)
    if MEMBERS in values:
        raise DataError("several models, for parsing alone, where one model is needed", str(directory))
    try:
        if not isinstance(values.get("provenance"), dict):
            raise SettingError("not a synparse config")
        recipe, packed = recipe_from(values.get("recipe")), values.get("packed")
        of_packed = None if packed is None else settings_of(Packed, packed, "packed")
        layers = recipe.architecture.layers if INDUCERS[recipe.model].traits.has_tree_layers else 0
        if of_packed is not None and of_packed.layers > layers:
            raise SettingError(f"packed.layers is {of_packed.layers}, more than the model has for trees")
        return ModelDescription(recipe, values["provenance"], of_packed)
    except SettingError as error:
        raise DataError(f"damaged model: {error}", str(path)) from None


def read_config(directory: Path) -> tuple[Path, dict[str, Any]]:
    """The path and the values of config.yaml. Raises DataError where it is missing, or no mapping."""
    if not directory.is_dir():
        raise DataError("no such model directory; train one with: synparse train CORPUS --output DIR", str(directory))
    path = _file_to_read(directory, CONFIG, f"not a model directory: it has no {CONFIG}")
    try:
        values = read_plain_yaml(path)
    except DataError as error:
        raise DataError(f"damaged model: {error.message}", str(path), error.line) from None
    if not isinstance(values, dict):
        raise DataError("damaged model: not a synparse config", str(path))
    return path, values


def load_model(directory: Path) -> LoadedModel:
    """Read a model directory. Raises DataError where a file is missing, damaged or does not fit the others.

    What the files say is compared before memory is taken for it.
    """
    return _with_module(directory, _checked_files(directory))


def load_for_parsing(directory: Path, without_torch: bool) -> LoadedModel:
    """As `load_model`, but ``without_torch`` a model that NumPy can compute has an `LstmParser` for its inducer;
    others are PyTorch's all the same."""
    files = _checked_files(directory)
    recipe, packed = files.description.recipe, files.description.packed
    if not without_torch or not INDUCERS[recipe.model].runs_in_numpy:
        return _with_module(directory, files)
    words = len(files.vocabulary)
    parsing, rest = weight_shapes_of(words, recipe.architecture)
    _check_shapes(files, parsing if packed is not None else parsing | rest)
    parser = lstm_parser(read_arrays(files.weights, parsing), recipe.architecture)
    return LoadedModel(files.description, files.vocabulary, parser, _boundaries(directory, recipe, words))


def _with_module(directory: Path, files: _CheckedFiles) -> LoadedModel:
    from synparse.inducers.loading import build_on_meta, keep_parser_only

    recipe, packed = files.description.recipe, files.description.packed
    words = len(files.vocabulary)
    try:
        inducer = build_on_meta(recipe.model, words, _architecture(files.description))
    except (SettingError, RuntimeError) as error:
        raise DataError(f"damaged model: {error}", str(directory / CONFIG)) from None
    if packed is not None:
        keep_parser_only(inducer, packed.layers)
    _check_shapes(files, {name: tuple(tensor.shape) for name, tensor in inducer.state_dict().items()})
    inducer.load_state_dict(read_weights(files.weights), assign=True)
    return LoadedModel(files.description, files.vocabulary, inducer.eval(), _boundaries(directory, recipe, words))


class _CheckedFiles(NamedTuple):
    """What is known of a model before memory is taken for its weights: what config.yaml says, the vocabulary, where the
    weights are, and their shapes by name."""

    description: ModelDescription
    vocabulary: Vocabulary
    weights: Path
    shapes: dict[str, tuple[int, ...]]


def _checked_files(directory: Path) -> _CheckedFiles:
    description = read_description(directory)
    path = _weights_to_read(directory)
    found = weight_shapes(path)
    for name, value in dataclasses.asdict(_architecture(description)).items():
        if name.endswith("layers") and value > len(found):  # every layer has a tensor at least
            raise DataError(f"the weights do not fit {CONFIG}: {len(found)} tensors make no {value} {name}", str(path))
    words = _file_to_read(directory, VOCABULARY, "the model has no vocabulary; fetch it again")
    return _CheckedFiles(description, Vocabulary.read(words, largest_dimension(found)), path, found)


def _architecture(description: ModelDescription) -> Any:
    """That of what is there of a packed model: one layer above those that were kept tells their shapes.

    The layers of a student are those of its parser, and all kept.
    """
    recipe, packed = description.recipe, description.packed
    architecture = recipe.architecture
    if packed is None or isinstance(architecture, StudentConfig) or not hasattr(architecture, "layers"):
        return architecture
    return dataclasses.replace(architecture, layers=min(architecture.layers, packed.layers + 1))


def _check_shapes(files: _CheckedFiles, expected: Mapping[str, tuple[int, ...]]) -> None:
    """Raises DataError where the weights are others than the model has."""
    found = files.shapes
    if found != expected:
        name = next(n for n in sorted({*found, *expected}) if found.get(n) != expected.get(n))
        raise DataError(
            f"the weights do not fit {CONFIG} and {VOCABULARY}: {name} is {found.get(name, 'missing')}, "
            f"expected {expected.get(name, 'nothing')}",
            str(files.weights),
        )


def _boundaries(directory: Path, recipe: Recipe, words: int) -> PhraseBoundaries | None:
    """Where the recipe has them learned. Raises DataError where the file is missing, damaged, or of another number of
    words."""
    if not recipe.text.phrase_boundaries:
        return None
    name = BOUNDARIES if not stored(directory, BOUNDARIES_BEFORE).exists() else BOUNDARIES_BEFORE
    path = _file_to_read(directory, name, "the model does not say how phrases begin and end; fetch it again")
    expected = dict.fromkeys(PhraseBoundaries._fields, (words,))
    if (found := weight_shapes(path)) != expected:
        raise DataError(f"does not fit {VOCABULARY}: there is {found}, expected {expected}", str(path))
    return PhraseBoundaries(**read_arrays(path))


def read_shapes(directory: Path) -> dict[str, tuple[int, ...]]:
    """The name and shape of each tensor of a model. Raises DataError where its weights are missing or damaged."""
    return weight_shapes(_weights_to_read(directory))


def _weights_to_read(directory: Path) -> Path:
    missing = "the model has no weights; its training did not reach a first validation"
    return _file_to_read(directory, WEIGHTS, missing)


def _file_to_read(directory: Path, name: str, missing: str) -> Path:
    """The path of a file that is safe to open: a pipe would block for ever, and a link in a model that somebody sent
    could lead to any file of whoever opens it.

    Raises DataError where it is ``missing``, with that message, or is something else, or lies elsewhere.
    """
    path = stored(directory, name)
    try:
        is_inside = Path(os.path.realpath(path, strict=True)).is_relative_to(directory.resolve())
        is_file = path.is_file()
    except FileNotFoundError:
        raise DataError(missing, str(path)) from None
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", str(path)) from None
    if not is_inside:
        raise DataError("a link that leads out of the model directory; copy the file there", str(path))
    if not is_file:
        raise DataError("not a file", str(path))
    return path


def model_files(model: LoadedModel, card: str, log: str) -> dict[str, Content]:
    """The files of a model directory, by name. Of a packed model, the inducer is the half that parsing runs, and there
    is no ``log``."""
    from safetensors.numpy import save_file as save_boundaries
    from safetensors.torch import save_file

    description, vocabulary, inducer, boundaries = model.description, model.vocabulary, model.network, model.boundaries
    packed = description.packed
    config = {"recipe": description.recipe.as_mapping(), "provenance": dict(description.provenance)}
    if packed is not None:
        config["packed"] = dataclasses.asdict(packed)

    def write_weights(path: Path) -> None:  # not every save that asks for these files wants the weights
        state = {name: tensor.cpu().contiguous() for name, tensor in inducer.state_dict().items()}
        save_file(stored_as(state, "float32" if packed is None else packed.storage), path)

    return {
        VOCABULARY: vocabulary.write,
        WEIGHTS: write_weights,
        **({} if boundaries is None else {BOUNDARIES: lambda path: save_boundaries(boundaries._asdict(), path)}),
        **({LOG: log.encode()} if packed is None else {}),
        CARD: card.encode(),
        CONFIG: yaml.safe_dump(config, sort_keys=False, allow_unicode=True).encode(),
    }


def save_model(directory: Path, model: LoadedModel, card: str, log: str) -> None:
    """Write a whole model directory, or renew one that is there. Raises DataError where the disk refuses."""
    save_together(directory, model_files(model, card, log))
