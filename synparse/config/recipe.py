"""Recipes: the stages of a training run, read from YAML into immutable values; unknown settings are errors.

text: {lowercase: true}        # how text is read
stages:                        # run in this order; each learns from the results of those before it
  - grammars: all              # word classes and grammars, learned by counting, and from the networks so far, if any
  - trees: 30000               # parse this number of sentences with the parser so far
  - network: student           # train a network, named by its model; this one learns from the trees
    recipe: student-small      # take its settings from this recipe, except those given here
    training: {epochs: 6}
  - grammars: all              # learn from the student, and parse together with it
parsing: {punctuation: evidence}
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from msgspec import Meta

from synparse.config import renamed
from synparse.config.grammar import GrammarConfig
from synparse.config.parsing import ParsingConfig
from synparse.config.plain_yaml import lines_of_key, plain_yaml, read_plain_yaml
from synparse.config.settings import mapping_of, names_in, plain_settings, refuse_unknown, settings_of
from synparse.config.training import Count, CountOrZero, TextTraining, training_of
from synparse.corpora.normalization import TextConfig
from synparse.inducers.table import BASELINES, INDUCERS, default_recipe, entry_of
from synparse.trees.arguments import Name, Names, name_given, names_given
from synparse.trees.errors import DataError, SettingError
from synparse.trees.function_words import ADPOSITIONS, LearnedConvention

SECTIONS = ("text", "architecture", "training", "grammar", "trees", "parsing")
"""What settings are named by: ``--set section.key=value``."""

CHANGEABLE = tuple(
    f"training.{name}"
    for name in ("accumulation", "epochs", "gradient_clip", "learning_rate", "precision", "validate_every")
)
"""Settings that a resumed run may change."""

DEFAULT_RECIPE = "default"

SHARED_TEXT = ("tokenizer", "language", "lowercase", "digits", "punctuation")
"""Settings of text that are those of the whole recipe: all of its models read the same words."""

SAME_TOKENS = ("tokenizer", "language", "punctuation")
"""Those of them that no stage may change: models that parse together have the same tokens."""

_KINDS = ("network", "grammars", "trees")
"""The kinds of stages: the key with which each begins."""

Seeds = Annotated[int, Meta(ge=1, le=20)]


@dataclass(frozen=True)
class ModelRecipe:
    """How a model is made: its kind and sizes, how it reads text, and how it is trained (training is None for grammars
    without a network). name: the name of its recipe."""

    name: str
    model: str
    architecture: Any
    text: TextConfig
    training: TextTraining | None


@dataclass(frozen=True)
class NetworkStage:
    """Trains networks on the text, or, if they learn from trees or are guided by them, on those of the last stage of
    trees. Networks of one kind are added to each other; others, and parsers that made the trees, are replaced.

    seeds: the number of networks, which differ in their seed. least_words, most_words: the numbers of words below which
    training is of no use, and above which more words are of no use (0: no limit). If time is short, a network is
    trained for fewer passes than `training.epochs`, or left out.
    """

    model: str
    architecture: Any
    text: TextConfig
    training: TextTraining
    seeds: Seeds = 1
    least_words: CountOrZero = 0
    most_words: CountOrZero = 0

    @property
    def is_student(self) -> bool:
        """Whether it learns from trees alone."""
        return INDUCERS[self.model].objective == "tree"

    def as_mapping(self) -> dict[str, Any]:
        values = plain_settings(self)
        return {"network": values.pop("model"), **values}


@dataclass(frozen=True)
class GrammarStage:
    """Learns word classes and grammars by counting, and from the networks so far. Earlier grammars of these networks
    are kept: all sets parse together, which is better than each of them.

    seeds: the number of sets of grammars, which differ in their seed.
    """

    settings: GrammarConfig
    seeds: Seeds = 1

    def as_mapping(self) -> dict[str, Any]:
        values = plain_settings(self.settings)
        return {"grammars": values.pop("parts"), "seeds": self.seeds, **values}


@dataclass(frozen=True)
class TreeStage:
    """Parses a random sample of the text with the parser so far. The network of the next stage learns from these trees,
    and replaces that parser: a student, which students of later stages join, or a UDGN that they guide.

    sentences: the maximal size of the sample. function_words: how function words are treated in the trees. both: half
    of the trees have them as leaves and half do not, so that the student learns heads among function words and among
    the other words. auto: both if a network has learned from words (only it knows the heads among function words) and
    phrases branch to the right, so that function words come first (on Basque, a student lost heads otherwise); leaves
    in all other cases.
    """

    sentences: Count = 30_000
    function_words: Literal[LearnedConvention, "both", "auto"] = "auto"

    def as_mapping(self) -> dict[str, Any]:
        return {"trees": self.sentences, "function_words": self.function_words}


Built = TypeVar("Built")

Stage: TypeAlias = NetworkStage | GrammarStage | TreeStage


@dataclass(frozen=True)
class Recipe:
    """How text is read, the stages of training, and how the result parses by default.

    about: one line for the list of recipes; expected_time: how long training takes, and on which machine.
    """

    name: str
    about: str
    expected_time: str
    text: TextConfig
    stages: tuple[Stage, ...]
    parsing: ParsingConfig = field(default=ParsingConfig())

    @property
    def networks(self) -> tuple[NetworkStage, ...]:
        return tuple(stage for stage in self.stages if isinstance(stage, NetworkStage))

    @property
    def active_stages(self) -> tuple[Stage, ...]:
        """The stages that do something."""
        return tuple(stage for stage in self.stages if not is_empty(stage))

    @property
    def grammars(self) -> tuple[GrammarStage, ...]:
        """The stages that learn grammars."""
        return tuple(stage for stage in self.active_stages if isinstance(stage, GrammarStage))

    def model_recipe(self, stage: NetworkStage) -> ModelRecipe:
        """How a network of this stage is made."""
        return ModelRecipe(self.name, stage.model, stage.architecture, stage.text, stage.training)

    def as_mapping(self) -> dict[str, Any]:
        """The recipe as plain values, every setting written out."""
        return {
            **{name: getattr(self, name) for name in ("name", "about", "expected_time")},
            "text": plain_settings(self.text),
            "stages": [stage.as_mapping() for stage in self.stages],
            "parsing": plain_settings(self.parsing),
        }


def is_empty(stage: Stage) -> bool:
    """Whether a stage does nothing: grammars without any part."""
    return isinstance(stage, GrammarStage) and stage.settings.parts == "none"


def name_of(stage: Stage) -> str:
    """The name of a stage: for a network, its model."""
    return stage.model if isinstance(stage, NetworkStage) else "trees" if isinstance(stage, TreeStage) else "grammars"


def stages_of(recipe: Recipe) -> list[str]:
    """The names of the stages that do something."""
    return [name_of(stage) for stage in recipe.active_stages]


def recipe_folder() -> Path:
    """The folder of shipped recipes and models: inside an installed package, beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "models"
    return installed if installed.is_dir() else package.parent / "models"


def shipped_recipes(folder: Path | None = None) -> list[str]:
    """The names of the recipes in ``folder``, by default `recipe_folder`."""
    return sorted(path.stem for path in (folder or recipe_folder()).glob("*.yaml"))


def load_recipe(name_or_path: Name | Recipe, overrides: Names = (), model: str | None = None) -> Recipe:
    """Load a shipped recipe by its name, a YAML file, or the recipe of a model directory, or take one that is loaded;
    with ``section.key=value`` overrides.

    An override applies to all stages that have such a setting; ``3.training.epochs=4`` applies to the third stage only.
    Raises DataError if the file is missing or not YAML; SettingError for an unknown setting or a value of the wrong
    type, and if the recipe is for another model than ``model``.
    """
    name_or_path, overrides = name_given(name_or_path), names_given(overrides)
    if not isinstance(name_or_path, str | Recipe):
        raise SettingError(f"a recipe is given by its name, as a file or a Recipe, not {name_or_path!r}")
    if isinstance(name_or_path, Recipe):
        values, name = name_or_path.as_mapping(), name_or_path.name
    else:
        values, name = read_recipe(name_or_path, recipe_folder())
    values = {"name": name, **values}
    with errors_named(name if isinstance(name_or_path, Recipe) else name_or_path):
        recipe = recipe_from(values)
    models = [stage.model for stage in recipe.networks] or [_counted(recipe)]
    if model is not None and model not in models:
        raise SettingError(f"recipe {name} is for the model {models[0]}, not {model}")
    return recipe_from(_changed(values, overrides)) if overrides else recipe


def _counted(recipe: Recipe) -> str:
    """The kind of model of a recipe without networks."""
    return "dbm" if all(stage.settings.parts == "dependencies" for stage in recipe.grammars) else "grammar"


def recipe_to_train(
    name_or_path: str | Recipe | None, model: str | None, changes: Sequence[str], base: Recipe | None = None
) -> Recipe:
    """The recipe of a run: the named one, else ``base`` (that of the model to start from), else the default recipe of
    ``model``, else `DEFAULT_RECIPE`.

    Raises as `load_recipe`; SettingError for an unknown model, and if the first network of the recipe differs from that
    of ``base``.
    """
    default = DEFAULT_RECIPE if model is None else default_recipe(model)
    if base is None:
        return load_recipe(name_or_path or default, changes, model)
    recipe = load_recipe(base, changes) if name_or_path is None else load_recipe(name_or_path, changes, model)
    if not base.networks or not recipe.networks:
        raise SettingError("--init: grammars are learned by counting, so there is no network to start from")
    ours, theirs = recipe.networks[0], base.networks[0]
    if model is not None and ours.model != model:
        raise SettingError(f"--init: the model is a {theirs.model}, not a {model}")
    if ours.model != theirs.model:
        raise SettingError(f"--init: the model is a {theirs.model}, but recipe {recipe.name} is for a {ours.model}")
    for key, new in dataclasses.asdict(ours.architecture).items():
        if (old := getattr(theirs.architecture, key)) != new:
            raise SettingError(f"--init: the model has architecture.{key} {old}, but recipe {recipe.name} has {new}")
    stages = tuple(replace(stage, text=theirs.text) if stage is ours else stage for stage in recipe.stages)
    return replace(recipe, text=theirs.text, stages=stages)


def refuse_settled(overrides: Sequence[str]) -> None:
    """Raises SettingError for a change that a resumed run cannot make, of other settings than `CHANGEABLE`."""
    for setting in overrides:
        if setting.partition("=")[0].strip().lstrip("0123456789.") not in CHANGEABLE:
            raise SettingError(f"a resumed run can change {', '.join(CHANGEABLE)}, not {setting!r}")


def changed_settings(recipe: Recipe, base: Recipe) -> list[tuple[str, Any]]:
    """The settings in which a recipe, which may lack some stages of its ``base``, differs from that, as ``--set`` takes
    them, with their values. If there are several stages of a kind, their settings begin with the number that the stage
    has in the base. Of other recipes, only settings outside of stages are compared."""

    def differing(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[tuple[str, Any]]:
        return [(key, value) for key, value in ours.items() if theirs[key] != value]

    def of_stages(numbers: Sequence[int]) -> list[tuple[str, Any]]:
        """If these are the stages of the base that the recipe has."""
        changes = []
        for stage, number in zip(recipe.stages, numbers, strict=True):
            same = base.stages[number]
            several = sum(type(other) is type(same) for other in base.stages) > 1
            of_stage = differing(_settings_of(stage), _settings_of(same))
            changes += [(f"{number + 1}.{key}" if several else key, value) for key, value in of_stage]
        return changes

    kinds = [name_of(stage) for stage in recipe.stages]
    fitting = (
        numbers
        for numbers in combinations(range(len(base.stages)), len(kinds))
        if [name_of(base.stages[number]) for number in numbers] == kinds
    )
    of_text = differing(*(_settings({"text": of.text, "parsing": of.parsing}) for of in (recipe, base)))
    return of_text + min(map(of_stages, fitting), key=len, default=[])


def _settings(sections: Mapping[str, Any]) -> dict[str, Any]:
    return {
        f"{section}.{key}": value
        for section, settings in sections.items()
        for key, value in plain_settings(settings).items()
    }


def _settings_of(stage: Stage) -> dict[str, Any]:
    if isinstance(stage, NetworkStage):
        return _settings({"architecture": stage.architecture, "training": stage.training})
    if isinstance(stage, GrammarStage):
        return {"grammar.seeds": stage.seeds, **_settings({"grammar": stage.settings})}
    return _settings({"trees": stage})


def recipe_from(values: object) -> Recipe:
    """The recipe with these plain values, as returned by `Recipe.as_mapping`. Raises SettingError for unknown
    settings."""
    if not isinstance(values, Mapping):
        raise SettingError("a recipe is a mapping with the keys text, stages, parsing")
    values = renamed.with_stages(values)
    refuse_unknown(values, names_in(Recipe), "")
    stages = values.get("stages")
    if not isinstance(stages, Sequence) or not stages or not all(isinstance(stage, Mapping) for stage in stages):
        raise SettingError("a recipe has stages, each a mapping that begins with network, grammars or trees")
    text = values.get("text")
    text_config = settings_of(TextConfig, text, "text")  # refused before the stages add to it
    parsed = tuple(_stage(stage, text or {}) for stage in stages)
    if all(map(is_empty, parsed)):
        raise SettingError("grammar.parts is none, so there is nothing to learn")
    _refuse_other_tokens(text_config, parsed)
    parsing = settings_of(ParsingConfig, values.get("parsing"), "parsing")
    for earlier, later in zip((None, *parsed), (*parsed, None), strict=True):
        if isinstance(earlier, TreeStage) and not (isinstance(later, NetworkStage) and later.training.reads_trees):
            readers = "a student, or a udgn with training.guidance"
            raise SettingError(f"a stage of trees must be followed by a network that learns from trees: {readers}")
        is_parser = later is None or isinstance(later, TreeStage)
        has_phrases = isinstance(earlier, GrammarStage) and not is_empty(earlier) and earlier.settings.phrase_passes > 0
        if parsing.function_words == ADPOSITIONS and is_parser and not has_phrases:
            raise SettingError(
                "parsing.function_words: adpositions are recognised by base phrases, so grammars with phrase_passes "
                "must be the last stage, and come before each stage of trees"
            )
    return Recipe(
        name=str(values.get("name", "")),
        about=str(values.get("about", "")),
        expected_time=str(values.get("expected_time", "")),
        text=text_config,
        stages=parsed,
        parsing=parsing,
    )


def _refuse_other_tokens(text: TextConfig, stages: Sequence[Stage]) -> None:
    for number, stage in enumerate(stages, 1):
        if not isinstance(stage, NetworkStage):
            continue
        for name in SAME_TOKENS:
            own, whole = getattr(stage.text, name), getattr(text, name)
            if own != whole:
                mismatch = f"text.{name} is {own}, but {whole} in the recipe"
                raise SettingError(f"stage {number}: {mismatch}: all models have the same tokens")


def _stage(values: Mapping[str, Any], text: Mapping[str, Any]) -> Stage:
    """The stage with these values; ``text``: how the recipe reads text."""
    kinds = [kind for kind in _KINDS if kind in values]
    if len(kinds) != 1:
        raise SettingError(f"a stage is one of {', '.join(_KINDS)}, not {', '.join(map(str, values)) or 'empty'}")
    settings = _with_recipe(values, kinds[0])
    if kinds == ["network"]:
        return _network(settings, text)
    amount = settings.pop(kinds[0])
    if kinds == ["trees"]:
        return settings_of(TreeStage, {"sentences": amount, **settings}, "trees")
    numbers = settings_of(_Numbers, {"seeds": settings.pop("seeds", 1)}, "grammars")
    return GrammarStage(settings_of(GrammarConfig, {"parts": amount, **settings}, "grammar"), numbers.seeds)


def _with_recipe(values: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """The values of a stage; those that it does not give are those of the first such stage of the recipe that it
    names."""
    own = {key: value for key, value in values.items() if key != "recipe"}
    if "recipe" not in values:
        return own
    recipe, name = read_recipe(str(values["recipe"]), recipe_folder())
    base = renamed.with_stages(recipe)
    stages = base.get("stages")
    mappings = [stage for stage in stages if isinstance(stage, dict)] if isinstance(stages, list) else []
    under = next((stage for stage in mappings if kind in stage and stage[kind] in (own[kind], "all")), None)
    if under is None:
        raise SettingError(f"recipe {name} has no stage {kind}: {own[kind]}")
    if "recipe" in under:
        raise SettingError(f"recipe {name} takes its {kind} from another recipe; name that one")
    for section in ("text", "architecture", "training") if kind == "network" else ():
        below = _merged(section, base.get("text") if section == "text" else None, under.get(section))
        if section == "text":
            below = {key: value for key, value in below.items() if key not in SHARED_TEXT}
        own[section] = _merged(section, below, own.get(section))
    return {**under, **own}


def _merged(section: str, below: object, above: object) -> dict[str, Any]:
    """The merged settings of two sections of this name. Raises SettingError if one of them is not a section."""
    return {**mapping_of(below, section), **mapping_of(above, section)}


def _network(values: Mapping[str, Any], text: Mapping[str, Any]) -> NetworkStage:
    refuse_unknown(values, ["network", "recipe", *names_in(NetworkStage)[1:]], "")
    model = values["network"]
    entry = entry_of(model)
    if entry.objective == "counts":
        raise SettingError(f"a {model} has no network; the stage is: grammars")
    numbers = settings_of(_Numbers, {key: values[key] for key in names_in(_Numbers) if key in values}, "network")
    if 0 < numbers.most_words < numbers.least_words:
        raise SettingError("network.least_words must be at most most_words", "least_words")
    return NetworkStage(
        str(model),
        settings_of(entry.configuration, values.get("architecture"), "architecture"),
        settings_of(TextConfig, _merged("text", text, values.get("text")), "text"),
        settings_of(training_of(entry), values.get("training"), "training"),
        **plain_settings(numbers),
    )


@dataclass(frozen=True)
class _Numbers:
    """The numbers that stages have beside their settings."""

    seeds: Seeds = 1
    least_words: CountOrZero = 0
    most_words: CountOrZero = 0


def model_recipe_from(values: object) -> ModelRecipe:
    """How a model was made, from plain values as returned by `plain_settings`, or from an old recipe without stages.
    Raises SettingError for unknown settings."""
    if not isinstance(values, Mapping):
        raise SettingError("a model's recipe is a mapping with the keys model, architecture, text, training")
    older = ("about", "expected_time", "grammar", "parsing")
    refuse_unknown([name for name in values if name not in older], names_in(ModelRecipe), "")
    model = values.get("model")
    entry = entry_of(model)
    training = values.get("training")
    if entry.objective == "counts" and training:
        raise SettingError("grammars without a network have no training settings, only grammar settings")
    return ModelRecipe(
        str(values.get("name", model)),
        str(model),
        settings_of(entry.configuration, values.get("architecture"), "architecture"),
        settings_of(TextConfig, values.get("text"), "text"),
        None if entry.objective == "counts" else settings_of(training_of(entry), training, "training"),
    )


def refuse_grammars_of_baselines(recipe: Recipe) -> None:
    """Raises SettingError if grammars are to learn from a model without trees."""
    for stage in recipe.networks:
        if stage.model in BASELINES and recipe.grammars:
            raise SettingError(f"grammar.parts must be none: a {stage.model} has no trees that could teach grammars")


def read_recipe(name_or_path: str, folder: Path) -> tuple[dict[str, Any], str]:
    """The values and the name of a recipe, which is shipped in ``folder``, a file, or that of a model directory.

    Raises DataError if it does not exist or is not a mapping in plain YAML.
    """
    is_file = name_or_path.endswith((".yaml", ".yml"))
    is_path = is_file or Path(name_or_path).name != name_or_path
    path = Path(name_or_path) if is_path else folder / f"{name_or_path}.yaml"
    if not path.is_file() and (config := Path(name_or_path) / "config.yaml").is_file():
        values = read_plain_yaml(config)
        recipe = values.get("recipe") if isinstance(values, dict) else None
        if not isinstance(recipe, dict):
            raise DataError("does not say by which recipe it was made", str(config))
        return recipe, str(recipe.get("name", Path(name_or_path).name))
    if not path.is_file() and Path(name_or_path).is_file():
        path = Path(name_or_path)  # a file of any other name
    if not path.is_file():
        raise DataError(f"no such recipe; shipped recipes are {', '.join(shipped_recipes(folder))}", name_or_path)
    values = read_plain_yaml(path)
    if not isinstance(values, dict):
        raise DataError("a recipe is a mapping of sections", str(path))
    if path.name == "config.yaml" and "provenance" in values:
        advice = f"; for that of the model, give {path.parent}" if "members" in values else ""  # a task has no members
        raise DataError(f"describes a model, and is no recipe{advice}", str(path))
    return values, path.stem


def load_sections(
    name_or_path: str,
    folder: str,
    sections: Sequence[str],
    overrides: Sequence[str],
    build: Callable[[object], Built],
    kinds: tuple[str, str, Sequence[str]] | None = None,
    **named: str,
) -> Built:
    """The recipe that ``build`` makes of its name, of what else is ``named``, and of the ``sections`` of a file, with
    overrides of these. ``kinds``: the section that has the architectures of several kinds of model, the kind that is
    wanted, and those that are known.

    It is made without overrides first, so that an error of the file names the file. Raises DataError as `read_recipe`,
    SettingError as ``build`` and `overridden`, for another section, and where the kind has no architecture.
    """
    values, name = read_recipe(name_or_path, recipe_folder() / folder)
    with errors_named(name_or_path):
        refuse_unknown(values, ("about", "expected_time", *([kinds[0]] if kinds else []), *sections), "")
        plain: dict[str, Any] = {"name": name, **named, **{section: values.get(section) for section in sections}}
        if kinds is not None:
            plain["architecture"] = _architecture(values, *kinds)
            sections = ("architecture", *sections)
        recipe = build(plain)
    return build(overridden(plain, overrides, sections)) if overrides else recipe


def _architecture(values: Mapping[str, Any], section: str, kind: str, known: Sequence[str]) -> object:
    parts = mapping_of(values.get(section), section)
    refuse_unknown(parts, known, f"{section}.")
    if kind not in parts:
        raise SettingError(f"no section for {kind}")
    return parts[kind]


@contextlib.contextmanager
def errors_named(source: str) -> Iterator[None]:
    """A context in which a SettingError names the recipe that has the setting, and the line if that is unambiguous."""
    try:
        yield
    except SettingError as error:
        path = Path(source)
        lines = lines_of_key(path.read_text(encoding="utf-8"), error.key) if error.key and path.is_file() else []
        place = f"{source}:{lines[0]}" if len(lines) == 1 else source
        raise SettingError(f"{place}: {error}") from None


def overridden(values: Mapping[str, Any], overrides: Sequence[str], sections: Sequence[str]) -> dict[str, Any]:
    """Sections of settings with ``section.key=value`` overrides. Raises SettingError for a malformed override."""
    changed = dict(values)
    for setting in overrides:
        section, name, value = _parsed(setting)
        refuse_unknown([section], sections, "")
        changed[section] = {**mapping_of(changed.get(section), section), name: value}
    return changed


def _parsed(setting: str) -> tuple[str, str, object]:
    """The section, name and value of ``section.key=value``."""
    key, equals, text = setting.partition("=")
    section, dot, name = key.strip().partition(".")
    if not equals or not dot or not name:
        raise SettingError(f"--set takes section.key=value (training.learning_rate=0.001), not {setting!r}")
    if name in renamed.DROPPED:
        raise SettingError(f"unknown setting {key}: it no longer exists")
    try:
        return section, renamed.SETTINGS.get(name, name), plain_yaml(text)
    except DataError:
        raise SettingError(f"--set {key}: {text!r} is no value") from None


def _changed(values: Mapping[str, Any], overrides: Sequence[str]) -> dict[str, Any]:
    """The values of a recipe, of which `recipe_from` has made one, with settings changed."""
    changed = dict(renamed.with_stages(values))
    changed["stages"] = stages = [dict(stage) for stage in changed["stages"]]
    for setting in overrides:
        number, _, rest = setting.partition(".")
        is_numbered = number.isdecimal()
        chosen = stages
        if is_numbered:
            chosen, setting = [stage for position, stage in enumerate(stages, 1) if str(position) == number], rest
            if not chosen:
                raise SettingError(f"--set {number:.9}.{rest}: the last stage of the recipe is {len(stages)}")
        section, name, value = _parsed(setting)
        refuse_unknown([section], SECTIONS, "")
        if section in ("text", "parsing") and not is_numbered:
            changed[section] = {**mapping_of(changed.get(section), section), name: value}
        _change_stages(chosen, section, name, value, is_numbered)
    return changed


_KIND_WITH = {"grammar": "grammars", "trees": "trees"} | dict.fromkeys(("text", "architecture", "training"), "network")
"""The kind of stage that has settings of each section."""


def _change_stages(stages: Sequence[dict[str, Any]], section: str, name: str, value: object, is_numbered: bool) -> None:
    """Change a setting in the stages that have it. Raises SettingError if none has it; if it is one of grammars or
    trees, `recipe_from` refuses it."""
    affected = [stage for stage in stages if _KIND_WITH.get(section) in stage]
    if not affected and (is_numbered or section not in ("text", "parsing")):
        raise SettingError(f"{section}.{name}: the recipe has no {'such ' * is_numbered}stage with {section} settings")
    if section in ("grammar", "trees"):
        first = {"grammar": "parts", "trees": "sentences"}[section]
        for stage in affected:
            stage[_KIND_WITH[section] if name == first else name] = value
        return
    names = [_names_of(stage, section) for stage in affected]
    if names:
        refuse_unknown([name], list(dict.fromkeys(chain.from_iterable(names))), f"{section}.")
    for stage, known in zip(affected, names, strict=True):
        own = mapping_of(stage.get(section), section)
        if name in known and (section != "text" or is_numbered or name in own or "recipe" in stage):
            stage[section] = {**own, name: value}


def _names_of(stage: Mapping[str, Any], section: str) -> list[str]:
    """The names of the settings that a network of this stage has in a section."""
    entry = INDUCERS[stage["network"]]
    kinds = {"text": TextConfig, "architecture": entry.configuration, "training": training_of(entry)}
    return names_in(kinds[section])
