"""One model on disk: vocabulary.txt, weights.safetensors, and boundaries.safetensors, the phrase boundaries, if its
recipe learns them. What config.yaml says of it, and of all that parses together: `synparse.store.models`.

Nothing is pickled, and loading runs no code from the directory.
"""

from __future__ import annotations

import dataclasses
import os
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypedDict

import msgspec
from msgspec import Meta

from synparse.config import renamed
from synparse.config.plain_yaml import read_plain_yaml
from synparse.config.recipe import ModelRecipe, model_recipe_from
from synparse.config.settings import plain_settings, settings_of
from synparse.corpora.phrase_boundaries import PhraseBoundaries
from synparse.corpora.vocabulary import SPECIAL, Vocabulary
from synparse.files.folders import Content, stored
from synparse.inducers.configurations import StudentConfig
from synparse.inducers.kernels.lstm_parser import LstmParser, lstm_parser, weight_shapes_of
from synparse.inducers.table import INDUCERS, Traits
from synparse.store.weights import (
    Shapes,
    Storage,
    largest_dimension,
    read_arrays,
    read_weights,
    refuse_other_shapes,
    stored_as,
    weight_shapes,
)
from synparse.trees.errors import DataError, SettingError, damage_of, unreadable

if TYPE_CHECKING:
    from synparse.inducers.protocol import NeuralInducer

CONFIG, VOCABULARY, CARD, LOG = "config.yaml", "vocabulary.txt", "README.md", "log.jsonl"
WEIGHTS, BOUNDARIES = "weights.safetensors", "boundaries.safetensors"
CLASSES, GRAMMAR = "classes.tsv", "grammar.safetensors"
LABELS = "labels.safetensors"

LAST = "last.safetensors"
"""The file of a folder that the training of a network resumes from."""

RUN = "last.json"
"""The file of a model directory that an unfinished run of several stages resumes from."""

MEMBERS = "members"
"""The key of config.yaml under which the models are."""


@dataclass(frozen=True)
class Packed:
    """How a model for parsing alone is stored: only what parsing reads.

    storage: see `synparse.store.weights.Storage`; layers: how many are kept, of a model whose trees can be read from
    any layer; 0 for others.
    """

    storage: Storage = "float32"
    layers: Annotated[int, Meta(ge=0)] = 0


@dataclass(frozen=True)
class ModelDescription:
    """The description of a model in config.yaml: its recipe, its provenance (corpus, seed, versions, result), and how
    it was packed; None for a whole model."""

    recipe: ModelRecipe
    provenance: Mapping[str, Any]
    packed: Packed | None = None


class StoredModel(NamedTuple):
    """The folder of a model and its description in config.yaml; the other files are not read yet."""

    directory: Path
    description: ModelDescription


@dataclass(frozen=True)
class LoadedModel:
    """A model ready to parse. inducer: a PyTorch module, an `LstmParser`, or None for grammars without a network;
    boundaries: of phrases, if the recipe learns them."""

    description: ModelDescription
    vocabulary: Vocabulary
    inducer: NeuralInducer | LstmParser | None
    boundaries: PhraseBoundaries | None = None

    @property
    def network(self) -> NeuralInducer:
        """The inducer of a model that PyTorch computes."""
        assert self.inducer is not None
        assert not isinstance(self.inducer, LstmParser)
        return self.inducer


class _GivenTrees(TypedDict):
    files: list[str]
    sha256: str
    sentences: int


class _Corpus(TypedDict, total=False):
    given_trees: _GivenTrees


class _Origin(TypedDict):
    model: str
    supervised: bool


class _StageRecord(TypedDict):
    stage: str


class _Provenance(TypedDict, total=False):
    """What is read of a provenance, also where it is not shown."""

    corpus: _Corpus
    origins: list[_Origin]
    stages: list[_StageRecord]


def check_provenance(provenance: Mapping[str, Any]) -> None:
    """Raises SettingError where a part that is read is not as runs write it."""
    try:
        msgspec.convert(provenance, _Provenance)
    except msgspec.ValidationError as error:
        place = str(error).partition("`$")[2].removesuffix("`")
        raise SettingError(f"provenance{place} is not as synparse writes it") from None


def traits_of(description: ModelDescription) -> Traits:
    """The traits of a model, without loading it; a student gives the kinds of trees that its corpus had."""
    entry = INDUCERS[description.recipe.model]
    traits, corpus = entry.traits, description.provenance.get("corpus")
    if entry.objective != "tree" or corpus is None:
        return traits
    has_heads = corpus.get("heads") != 0
    return traits._replace(gives_heads=has_heads, gives_distances=corpus.get("splits") != 0 or not has_heads)


def plain_description(description: ModelDescription) -> dict[str, Any]:
    """A description as plain values, as `description_from` reads them."""
    packed = {} if description.packed is None else {"packed": dataclasses.asdict(description.packed)}
    return {"recipe": plain_settings(description.recipe), "provenance": dict(description.provenance), **packed}


def description_from(path: Path, values: Mapping[str, Any]) -> ModelDescription:
    """The description of one model in ``values`` of the config.yaml at ``path``. Raises DataError where it is none of
    this program's."""
    with damage_of("model", str(path)):
        if not isinstance(values.get("provenance"), dict):
            raise SettingError("not a synparse config")
        check_provenance(values["provenance"])
        recipe, packing = model_recipe_from(values.get("recipe")), values.get("packed")
        packed = None if packing is None else settings_of(Packed, packing, "packed")
        layers = recipe.architecture.layers if INDUCERS[recipe.model].traits.has_tree_layers else 0
        if packed is not None and packed.layers > layers:
            raise SettingError(f"packed.layers is {packed.layers}, more than the model has for trees")
        return ModelDescription(recipe, values["provenance"], packed)


def is_unfinished(directory: Path) -> bool:
    """Whether a run in this directory can be resumed."""
    return any(stored(directory, name).is_file() for name in (LAST, RUN))


def read_config(directory: Path) -> tuple[Path, dict[str, Any]]:
    """The path and the values of config.yaml. Raises DataError where it is missing, or no mapping."""
    if not directory.is_dir():
        raise DataError("no such model directory; train one with: synparse train CORPUS --output DIR", str(directory))
    if is_unfinished(directory) and not stored(directory, CONFIG).exists():
        resumed = shlex.quote(str(directory))
        raise DataError(f"no model yet; its run goes on with: synparse train --resume {resumed}", str(directory))
    path = file_to_read(directory, CONFIG, f"not a model directory: it has no {CONFIG}")
    try:
        values = read_plain_yaml(path)
    except DataError as error:
        raise DataError(f"damaged model: {error.message}", str(path), error.line) from None
    if not isinstance(values, dict):
        raise DataError("damaged model: not a synparse config", str(path))
    return path, values


def load(stored_model: StoredModel, without_torch: bool = False) -> LoadedModel:
    """Read the files of a model; checks that they agree before it allocates memory.

    ``without_torch``, the inducer of a model that NumPy can compute is an `LstmParser`; that of others is a
    PyTorch module all the same. Raises DataError where a file is missing, damaged or does not fit the others.
    """
    directory, description = stored_model
    recipe, packed = description.recipe, description.packed
    no_words = "the model has no vocabulary; fetch it again"
    if recipe.training is None:
        words = file_to_read(directory, VOCABULARY, no_words)
        vocabulary = Vocabulary.read(words, recipe.text.max_vocabulary + len(SPECIAL))
        return LoadedModel(description, vocabulary, None, _boundaries(directory, recipe, len(vocabulary)))
    path = weights_to_read(directory)
    shapes = weight_shapes(path)
    architecture = _stored_architecture(description)
    for name, value in dataclasses.asdict(architecture).items():
        if name.endswith("layers") and value > len(shapes):  # every layer has a tensor at least
            raise DataError(f"the weights do not fit {CONFIG}: {len(shapes)} tensors make no {value} {name}", str(path))
    words = file_to_read(directory, VOCABULARY, no_words)
    vocabulary = Vocabulary.read(words, largest_dimension(shapes))
    size = len(vocabulary)
    misfit = f"the weights do not fit {CONFIG} and {VOCABULARY}"
    inducer: NeuralInducer | LstmParser
    if without_torch and INDUCERS[recipe.model].runs_in_numpy:
        parsing, rest = weight_shapes_of(size, recipe.architecture)
        refuse_other_shapes(path, shapes, parsing if packed is not None else parsing | rest, misfit)
        inducer = lstm_parser(read_arrays(path, parsing), recipe.architecture)
    else:
        from synparse.inducers.loading import build_on_meta, keep_parser_only

        try:
            inducer = build_on_meta(recipe.model, size, architecture)
        except (SettingError, RuntimeError) as error:
            raise DataError(f"damaged model: {error}", str(directory / CONFIG)) from None
        if packed is not None:
            keep_parser_only(inducer, packed.layers)
        expected = {name: tuple(tensor.shape) for name, tensor in inducer.state_dict().items()}
        zeros = {name: expected[name] for name in inducer.ADDED if name in expected and name not in shapes}
        refuse_other_shapes(path, shapes | zeros, expected, misfit)
        inducer.load_state_dict(read_weights(path, zeros), assign=True)
        inducer.eval()
    return LoadedModel(description, vocabulary, inducer, _boundaries(directory, recipe, size))


def _stored_architecture(description: ModelDescription) -> Any:
    """The architecture of the weights on disk: for a packed model, the layers that were kept and one above them, which
    tells their shapes.

    A packed student keeps all its layers, which are those of its parser.
    """
    recipe, packed = description.recipe, description.packed
    architecture = recipe.architecture
    if packed is None or isinstance(architecture, StudentConfig) or not hasattr(architecture, "layers"):
        return architecture
    return dataclasses.replace(architecture, layers=min(architecture.layers, packed.layers + 1))


def _boundaries(directory: Path, recipe: ModelRecipe, words: int) -> PhraseBoundaries | None:
    """The phrase boundaries, where the recipe has them learned. Raises DataError where the file is missing, damaged, or
    of another number of words."""
    if not recipe.text.phrase_boundaries:
        return None
    names = (BOUNDARIES, renamed.BOUNDARIES)
    name = next((name for name in names if stored(directory, name).exists()), BOUNDARIES)
    path = file_to_read(directory, name, "the model has no phrase boundaries; fetch it again")
    expected = dict.fromkeys(PhraseBoundaries._fields, (words,))
    if (shapes := weight_shapes(path)) != expected:
        raise DataError(f"does not fit {VOCABULARY}: there is {shapes}, expected {expected}", str(path))
    return PhraseBoundaries(**read_arrays(path))


def read_shapes(directory: Path) -> Shapes:
    """The name and shape of each tensor of a model. Raises DataError where its weights are missing or damaged."""
    return weight_shapes(weights_to_read(directory))


def weights_to_read(directory: Path) -> Path:
    """The path of the weights of any kind of model. Raises DataError as `file_to_read`."""
    missing = "the model has no weights; fetch it again, or train it longer, if it was stopped before it had any"
    return file_to_read(directory, WEIGHTS, missing)


def file_to_read(directory: Path, name: str, missing: str) -> Path:
    """The path of a file of a model directory of any kind that is safe to open: a pipe would block for ever, and a link
    in a model that somebody sent could lead to any file of its reader.

    Raises DataError where the file is missing, with the message ``missing``, is no file, or lies elsewhere. A missing
    config.yaml is told of the directory, which then is none of a model.
    """
    path = stored(directory, name)
    try:
        is_inside = Path(os.path.realpath(path, strict=True)).is_relative_to(directory.resolve())
        is_file = path.is_file()
    except FileNotFoundError:
        raise DataError(missing, str(directory if name == CONFIG else path)) from None
    except OSError as error:
        raise unreadable(str(path), error) from None
    if not is_inside:
        raise DataError("is a link that leads out of the model directory; copy the file there", str(path))
    if not is_file:
        raise DataError("not a file", str(path))
    return path


def read_text(directory: Path, name: str, read: Callable[[str], Any], nothing: Any, fault: str) -> Any:
    """What ``read`` makes of the text of a file of a model directory; ``nothing`` where there is none. Raises DataError
    with the ``fault`` for a damaged one."""
    if not stored(directory, name).exists():
        return nothing
    path = file_to_read(directory, name, "not there")
    try:
        return read(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise DataError(f"{fault}: {error}", str(path)) from None


def model_files(model: LoadedModel) -> dict[str, Content]:
    """The files of one model in its folder, by name."""
    from safetensors.numpy import save_file as save_boundaries

    vocabulary, boundaries = model.vocabulary, model.boundaries
    packed = model.description.packed

    def write_weights(path: Path) -> None:  # not every save needs the weights
        from safetensors.torch import save_file

        state = {name: tensor.cpu().contiguous() for name, tensor in model.network.state_dict().items()}
        save_file(stored_as(state, "float32" if packed is None else packed.storage), path)

    return {
        VOCABULARY: vocabulary.write,
        **({} if model.inducer is None else {WEIGHTS: write_weights}),
        **({} if boundaries is None else {BOUNDARIES: lambda path: save_boundaries(boundaries._asdict(), path)}),
    }
