"""A recipe: every setting of a training run, read from YAML into frozen values that refuse what they do not know."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from synparse.config.plain_yaml import plain_yaml, read_plain_yaml
from synparse.config.settings import refuse_unknown, settings_of
from synparse.corpora.normalization import TextConfig
from synparse.inducers import INDUCER_NAMES, TRAITS
from synparse.inducers.configurations import CONFIGURATIONS
from synparse.inducers.devices import PRECISIONS
from synparse.trees.errors import DataError, SettingError

DEFAULT_RECIPES = {name: f"{name}-small" for name in INDUCER_NAMES}
"""The recipe of each model when none is named: what two cores finish."""

SECTIONS = ("architecture", "text", "training")
"""Of a recipe's settings."""

EMBEDDING_INITS = ("random", "cooccurrence")
BIAS_INITS = ("zero", "frequency")
OPTIMIZERS = ("adam", "adamw", "sgd")
SCHEDULES = ("constant", "linear", "cosine", "plateau", "average")

CHANGEABLE = tuple(
    f"training.{name}"
    for name in ("accumulation", "epochs", "gradient_clip", "learning_rate", "precision", "validate_every")
)
"""Settings that a run may change when it goes on after an interruption."""


@dataclass(frozen=True)
class TrainingConfig:
    """How a model is trained; what holds for every objective.

    optimizer: ``adam``, ``adamw`` (weight decay apart from the gradient) or ``sgd``.
    learning_rate: after warm-up.
    warmup_steps: updates over which the rate rises from 0.
    schedule: ``constant``; ``linear`` and ``cosine`` fall to 0 at the end of the run; ``plateau`` halves the rate
        whenever validation has not improved for ``patience`` validations; ``average`` keeps it, and once validation is
        worse than ``patience`` validations ago, the model is the mean of the weights from there on (Merity et al.,
        2018, NT-ASGD).
    patience: see schedule (validations).
    gradient_clip: largest norm of the gradient.
    weight_decay: of the optimizer, per update.
    precision: ``auto`` is bfloat16 where the device is fast at it, ``float32``, or ``bfloat16``; weights are float32.
    epochs: passes over the corpus.
    validate_every: updates between validations; 0 validates after each epoch.
    accumulation: parts in which the gradient of each batch is computed, one after the other: the same update in less
        memory.
    moving_average: decay per update of an exponential moving average of the weights, which is then the model that is
        validated and kept; 0 is none. A run shorter than a few times 1/(1 − decay) updates needs a lower one.

    measure: what a validation measures on held-out data; stops_early: ``patience`` validations without a better one end
    the run; fused: whether PyTorch's fused optimizer makes the updates, which rounds differently.
    """

    objective: ClassVar[str]
    measure: ClassVar[Literal["perplexity", "accuracy"]] = "perplexity"
    stops_early: ClassVar[bool] = False
    fused: ClassVar[bool] = True

    optimizer: str = "adam"
    learning_rate: float = 3e-4
    warmup_steps: int = 0
    schedule: str = "plateau"
    patience: int = 2
    gradient_clip: float = 0.25
    weight_decay: float = 0.0
    precision: str = "auto"
    epochs: int = 100
    validate_every: int = 0
    accumulation: int = 1
    moving_average: float = 0.0

    @property
    def predicted(self) -> str:
        """What is predicted, in words."""
        raise NotImplementedError

    def __post_init__(self) -> None:
        choices = {"optimizer": OPTIMIZERS, "schedule": SCHEDULES, "precision": PRECISIONS}
        for name, known in choices.items():
            if getattr(self, name) not in known:
                raise SettingError(f"{name} must be one of {', '.join(known)}, not {getattr(self, name)!r}")
        _at_least_one(self, "epochs", "patience", "accumulation")
        if self.learning_rate <= 0 or self.gradient_clip <= 0:
            raise SettingError("learning_rate and gradient_clip must be above 0")
        if min(self.warmup_steps, self.validate_every, self.weight_decay) < 0:
            raise SettingError("a setting of training cannot be negative")
        if not 0 <= self.moving_average < 1:
            raise SettingError(f"moving_average lies in [0, 1), not {self.moving_average}")
        if self.moving_average and self.schedule == "average":
            raise SettingError("the schedule average and moving_average both average weights; choose one")


@dataclass(frozen=True)
class TextTraining(TrainingConfig):
    """Training on the sentences of a corpus.

    embedding_init: word embeddings begin ``random``, or from the ``cooccurrence`` of words in the corpus.
    validation_words: the held-out part is read up to this many words at each validation.
    """

    embedding_init: str = "random"
    validation_words: int = 100_000

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.embedding_init not in EMBEDDING_INITS:
            raise SettingError(
                f"embedding_init must be one of {', '.join(EMBEDDING_INITS)}, not {self.embedding_init!r}"
            )
        _at_least_one(self, "validation_words")


@dataclass(frozen=True)
class WordTraining(TextTraining):
    """Training that predicts words.

    bias_init: the bias of the output layer begins at ``zero``, or at the log ``frequency`` of each word, which then
        needs not be learned.
    sampled_softmax: words that each batch is predicted among in training, beside its own targets, on average; 0 is the
        whole vocabulary. Validation is exact; the loss of an update is then an estimate.
    """

    bias_init: str = "zero"
    sampled_softmax: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bias_init not in BIAS_INITS:
            raise SettingError(f"bias_init must be one of {', '.join(BIAS_INITS)}, not {self.bias_init!r}")
        if self.sampled_softmax < 0:
            raise SettingError("sampled_softmax cannot be negative")


@dataclass(frozen=True)
class MaskedTraining(WordTraining):
    """Training that predicts the masked words of sentences.

    batch_tokens: words per update, padding included; also the longest piece of a sentence seen at once.
    mask_rate: probability that a word is masked and predicted; unknown words never are.
    curriculum_epochs: passes, the first ones, that read sentences of up to 12 words, then of up to 25, then the others.
    """

    objective = "masked"

    batch_tokens: int = 4096
    mask_rate: float = 0.3
    curriculum_epochs: int = 0

    @property
    def predicted(self) -> str:
        return f"masked words (mask rate {self.mask_rate})"

    def __post_init__(self) -> None:
        super().__post_init__()
        _at_least_one(self, "batch_tokens")
        if not 0 < self.mask_rate < 1:
            raise SettingError(f"mask_rate lies between 0 and 1, not {self.mask_rate}")
        if self.curriculum_epochs < 0:
            raise SettingError("curriculum_epochs cannot be negative")


@dataclass(frozen=True)
class TreeTraining(TextTraining):
    """Training that predicts the trees of sentences.

    batch_tokens: words per update, padding included; also the longest piece of a sentence seen at once.
    word_dropout: probability that a word is read as <unk>, so that unknown words get a vector that is of use.
    """

    objective = "tree"
    predicted = "heads of words and splits of constituents"

    batch_tokens: int = 1024
    word_dropout: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        _at_least_one(self, "batch_tokens")
        if not 0 <= self.word_dropout < 1:
            raise SettingError(f"word_dropout lies in [0, 1), not {self.word_dropout}")


@dataclass(frozen=True)
class StreamTraining(WordTraining):
    """Training that predicts the next word of a stream.

    streams: rows that the corpus is cut into and that are read side by side.
    bptt: words of a row per update, on average: as far as gradients reach back.
    """

    objective = "next-word"
    predicted = "next words"

    streams: int = 20
    bptt: int = 70

    def __post_init__(self) -> None:
        super().__post_init__()
        _at_least_one(self, "streams", "bptt")


def _at_least_one(config: TrainingConfig, *names: str) -> None:
    for name in names:
        if getattr(config, name) < 1:
            raise SettingError(f"{name} must be at least 1")


@dataclass(frozen=True)
class Recipe:
    """Model name, its sizes, how text is read and how it is trained.

    about: one line for a list of recipes; expected_time: how long training takes, and where.
    """

    name: str
    model: str
    about: str
    expected_time: str
    architecture: Any
    text: TextConfig
    training: TextTraining

    def as_mapping(self) -> dict[str, Any]:
        """The recipe as plain values, every setting written out."""
        return dataclasses.asdict(self)


def recipe_folder() -> Path:
    """The folder of shipped recipes and models: inside an installed package, beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "models"
    return installed if installed.is_dir() else package.parent / "models"


def shipped_recipes() -> list[str]:
    return sorted(path.stem for path in recipe_folder().glob("*.yaml"))


def load_recipe(name_or_path: str, overrides: Sequence[str] = (), model: str | None = None) -> Recipe:
    """A shipped recipe by name, or a YAML file by path, with ``section.key=value`` overrides.

    Raises DataError where the file is missing or not YAML, SettingError for an unknown or mistyped setting, or where
    the
    recipe is for another model than ``model``.
    """
    values, name = _read_recipe(name_or_path)
    return _of_model(_changed(values, name, overrides), model)


def continued_recipe(
    base: Recipe, name_or_path: str | None = None, overrides: Sequence[str] = (), model: str | None = None
) -> Recipe:
    """The recipe of a run that goes on from a model trained by ``base``: that recipe, or another one of the same
    architecture, which then reads text as ``base`` does.

    Raises as `load_recipe`, and SettingError where the architectures differ.
    """
    values, name = dict(base.as_mapping()), base.name
    if name_or_path is not None:
        values, name = _read_recipe(name_or_path)
        values["text"] = dataclasses.asdict(base.text)
    recipe = _of_model(_changed(values, name, overrides), model)
    if recipe.model != base.model:
        raise SettingError(f"the model to go on from is a {base.model}, recipe {name} is for a {recipe.model}")
    old, new = dataclasses.asdict(base.architecture), dataclasses.asdict(recipe.architecture)
    for key in old:
        if old[key] != new[key]:
            raise SettingError(f"the model to go on from has architecture.{key} {old[key]}, recipe {name} {new[key]}")
    return recipe


def resumed_recipe(base: Recipe, overrides: Sequence[str] = ()) -> Recipe:
    """The recipe of a run that goes on, with changes of what may change on the way (`CHANGEABLE`).

    Raises SettingError for other changes.
    """
    refuse_settled(overrides)
    return _changed(dict(base.as_mapping()), base.name, overrides)


def refuse_settled(overrides: Sequence[str]) -> None:
    """Raises SettingError for a change of what a run that goes on cannot change."""
    for override in overrides:
        if override.partition("=")[0].strip() not in CHANGEABLE:
            raise SettingError(f"a run that goes on can change {', '.join(CHANGEABLE)}, not {override!r}")


def changed_settings(recipe: Recipe, base: Recipe) -> list[tuple[str, Any]]:
    """The settings, as section.key, in which a recipe differs from another one, and their values."""
    ours, theirs = recipe.as_mapping(), base.as_mapping()
    return [
        (f"{section}.{key}", value)
        for section in SECTIONS
        for key, value in ours[section].items()
        if value != theirs[section].get(key)
    ]


def _read_recipe(name_or_path: str) -> tuple[dict[str, Any], str]:
    """The values of a recipe file, and the recipe's name."""
    is_path = name_or_path.endswith((".yaml", ".yml")) or os.sep in name_or_path
    path = Path(name_or_path) if is_path else recipe_folder() / f"{name_or_path}.yaml"
    if not path.is_file():
        raise DataError(f"no such recipe; shipped recipes are {', '.join(shipped_recipes())}", name_or_path)
    values = read_plain_yaml(path)
    if not isinstance(values, dict):
        raise DataError("a recipe is a mapping with the keys model, architecture, text, training", str(path))
    return values, path.stem


def _changed(values: dict[str, Any], name: str, overrides: Sequence[str]) -> Recipe:
    for override in overrides:
        _override(values, override)
    return recipe_from({"name": name, **values})


def _of_model(recipe: Recipe, model: str | None) -> Recipe:
    if model is not None and recipe.model != model:
        raise SettingError(f"recipe {recipe.name} is for the model {recipe.model}, not {model}")
    return recipe


def recipe_from(values: object) -> Recipe:
    """A recipe from plain values, as `Recipe.as_mapping` gives them. Raises SettingError for what it does not know."""
    if not isinstance(values, Mapping):
        raise SettingError("a recipe is a mapping with the keys model, architecture, text, training")
    refuse_unknown(values, [field.name for field in dataclasses.fields(Recipe)], "")
    model = values.get("model")
    if model not in INDUCER_NAMES:
        raise SettingError(f"unknown model {model!r}; there are {', '.join(INDUCER_NAMES)}")
    return Recipe(
        name=str(values.get("name", model)),
        model=model,
        about=str(values.get("about", "")),
        expected_time=str(values.get("expected_time", "")),
        architecture=settings_of(CONFIGURATIONS[model], _section(values, "architecture"), "architecture"),
        text=settings_of(TextConfig, _section(values, "text"), "text"),
        training=settings_of(training_settings(model), _section(values, "training"), "training"),
    )


def _section(values: Mapping[str, Any], name: str) -> object:
    """The settings of a section; one that is left out, or empty, has the defaults."""
    section = values.get(name)
    return {} if section is None else section


def training_settings(model: str) -> type[TextTraining]:
    """The settings of training that a model takes."""
    traits = TRAITS[model]
    if traits.learns_from_trees:
        return TreeTraining
    return StreamTraining if traits.reads_stream else MaskedTraining


def _override(values: dict[str, Any], override: str) -> None:
    key, equals, text = override.partition("=")
    section, dot, name = key.strip().partition(".")
    if not equals or not dot or not name:
        raise SettingError(f"--set takes section.key=value (training.learning_rate=0.001), not {override!r}")
    try:
        value = plain_yaml(text)
    except DataError:
        raise SettingError(f"--set {key}: {text!r} is no value") from None
    refuse_unknown([section], SECTIONS, "")
    target = values.setdefault(section, {})
    if not isinstance(target, dict):
        raise SettingError(f"{section} is not a section of settings in this recipe")
    target[name] = value
