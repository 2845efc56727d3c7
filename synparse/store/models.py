"""Model directories: the networks and sets of grammars that parse together, and their options. The config.yaml:

    members:                        # the models, each with its files in a folder (of its own, or the directory: .)
      udgn-1:
        folder: udgn-1
        for: [brackets, heads]      # the trees that it predicts
        recipe: {...}               # its kind, its sizes, how it reads text and how it was trained
        provenance: {...}           # corpus, seed, steps, versions, result
        packed: {...}               # how it was packed, if it was
    grammars:                       # sets of grammars, each in a folder, and the models from which it learned
      - {folder: grammars-1, members: [udgn-1], settings: {...}, provenance: {...}}
    parsing:                        # default options of parse
      {punctuation: evidence, function_words: leaves, brackets: default, heads: default, confidence: {...}}
    labels:                         # labels learned from given trees, by their kind
      {tags: [ADJ, NOUN], relations: [det, obj], constituents: [NP, VP]}
    recipe: {...}                   # the stages as they were run; none in a packed model
    provenance: {...}               # corpus, seed, versions, and the record of each stage

`_upgraded` reads directories of earlier versions, which had other formats.
"""

from __future__ import annotations

import contextlib
import difflib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from synparse.config import renamed
from synparse.config.grammar import GrammarConfig
from synparse.config.parsing import DEFAULT, LABEL_KINDS, ParsingConfig, agreed
from synparse.config.recipe import Recipe, recipe_from
from synparse.config.settings import mapping_of, plain_settings, refuse_unknown, settings_of
from synparse.files.folders import stored
from synparse.store.model_directory import (
    GRAMMAR,
    MEMBERS,
    ModelDescription,
    StoredModel,
    check_provenance,
    description_from,
    plain_description,
    read_config,
)
from synparse.store.shipped import HOW_TO_INSTALL, missing_models, model_folder, model_of, shipped_models
from synparse.trees.errors import DataError, SettingError, damage_of
from synparse.trees.limits import MOST_MEMBERS
from synparse.trees.trivial import TRIVIAL_PARSERS

HERE = "."
"""The folder of what is in the directory itself."""

CONFIDENCE = "confidence"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_KEYS = ("members", "grammars", "parsing", "labels", "recipe", "provenance")

TASK_COMMANDS = {
    **{"listops": "task listops evaluate", "logic": "task logic evaluate"},
    **{"sst2": "sentiment evaluate", "sst5": "sentiment evaluate"},
    "craft": "task craft segment, or play for an agent",
}
"""What takes the model of a task, by the name of the task in its config.yaml (`synparse.tasks`)."""

GIVEN_TREES = "given_trees"
"""What the provenance of a text says of the annotated trees beside it."""

ORIGINS = "origins"
"""What the provenance says of the models from which a run learned, or with whose weights it began."""

LABEL = re.compile(r"\S{1,100}")
"""A name of a label."""


class GrammarSet(NamedTuple):
    """A set of grammars of a model directory: the name of its folder, the names of the models from which it learned,
    its settings and its provenance."""

    folder: str
    members: tuple[str, ...]
    settings: GrammarConfig
    provenance: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Model:
    """An opened model directory, of which only config.yaml has been read.

    members: the models by name; brackets, heads: the names of the models that predict them; parsing: the default
    options of parse (its decoders are checked by `synparse.parsing.parser`); labels: the names of the labels learned
    from given trees, by their kind; recipe: None if the directory has none.
    """

    directory: Path
    members: Mapping[str, StoredModel]
    brackets: tuple[str, ...]
    heads: tuple[str, ...]
    grammars: tuple[GrammarSet, ...] = ()
    parsing: ParsingConfig = ParsingConfig()  # noqa: RUF009 - immutable
    recipe: Recipe | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)
    confidence: Any = None
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def description(self) -> ModelDescription:
        """Of the first member."""
        return next(iter(self.members.values())).description

    @property
    def kind(self) -> str:
        """The kinds of its members."""
        return " + ".join(member.description.recipe.model for member in self.members.values())

    @property
    def version(self) -> str:
        """The version of synparse that made it; empty if unknown."""
        versions = self.provenance.get("versions")
        return str(versions.get("synparse", "")) if isinstance(versions, Mapping) else ""


def given_trees_of(model: Model) -> list[Mapping[str, Any]]:
    """The annotated trees from which the model, or one that taught it, has learned: their files, their
    number and their SHA-256."""
    provenances = (model.provenance, *(member.description.provenance for member in model.members.values()))
    given = [found for provenance in provenances if (found := provenance.get("corpus", {}).get(GIVEN_TREES))]
    return [trees for position, trees in enumerate(given) if trees not in given[:position]]


def config_file(model: Model) -> bytes:
    """The config.yaml of a model directory."""
    members = {
        name: {
            "folder": member.directory.relative_to(model.directory).as_posix(),
            "for": [part for part in ("brackets", "heads") if name in getattr(model, part)],
            **plain_description(member.description),
        }
        for name, member in model.members.items()
    }
    parsing = {**plain_settings(model.parsing), **({CONFIDENCE: model.confidence} if model.confidence else {})}
    values = {
        MEMBERS: members,
        **({"grammars": list(map(plain_set, model.grammars))} if model.grammars else {}),
        "parsing": parsing,
        **({"labels": {kind: list(names) for kind, names in model.labels.items()}} if model.labels else {}),
        **({} if model.recipe is None else {"recipe": model.recipe.as_mapping()}),
        "provenance": dict(model.provenance),
    }
    return yaml.dump(values, Dumper=_Dumper, sort_keys=False, allow_unicode=True).encode()


class _Dumper(yaml.SafeDumper):
    """Writes repeated values in full, since aliases are not read (`synparse.config.plain_yaml`)."""

    def ignore_aliases(self, _: Any) -> bool:
        return True


def open_model(name: str | Path) -> Model:
    """Open a model directory by its path, or a shipped model by its name. Only config.yaml is read (of a directory of
    an earlier version, also those of its members).

    Raises SettingError for an empty name, DataError if there is no such model, if a config is damaged, if a member is
    missing, or if it is the model of a task.
    """
    directory = model_folder(name)
    if not directory.is_dir():
        if str(name) in TRIVIAL_PARSERS:
            raise DataError("a baseline, which has learned nothing: this needs a model", str(name))
        raise DataError(f"no such model{_advice(str(name))}", str(name))
    path, values = read_config(directory)
    if task := task_in(values):
        command = TASK_COMMANDS[task]
        raise DataError(f"a model of the task {task}, which does not parse; it is for: synparse {command}", str(name))
    with damage_of("model", str(path)):
        return _model_from(directory, path, _upgraded(directory, path, values))


def _advice(name: str) -> str:
    """The end of the message for an unknown name: the model of that language, or of a similar name; what a file is not;
    else all models."""
    missing = missing_models()
    if name in missing:
        return f" is installed; {HOW_TO_INSTALL}"
    known = (*shipped_models(), *TRIVIAL_PARSERS)
    close = difflib.get_close_matches(name.lower(), (*known, *missing), 1)
    with contextlib.suppress(SettingError):
        close = [named] if (named := model_of(name)) else close
    if close and name == Path(name).name:
        more = f" It is not installed; {HOW_TO_INSTALL}" if close[0] in missing else ""
        return f"; did you mean {close[0]}?{more}"
    if Path(name).is_file():
        return ": this is a file, and a model is a directory; unpack an archive, or name the folder of the file"
    return f": neither a directory nor one of {', '.join(known)}; train one with: synparse train CORPUS --output {name}"


def task_in(config: Mapping[str, Any]) -> str | None:
    """The task whose model a config.yaml describes; None for a parser."""
    task = config.get("task")
    return task if isinstance(task, str) and task in TASK_COMMANDS else None


def _model_from(directory: Path, path: Path, values: Mapping[str, Any]) -> Model:
    refuse_unknown(values, _KEYS, "")
    listed = values[MEMBERS]
    if not isinstance(listed, dict) or not listed:
        raise SettingError("names no model")
    if len(listed) > MOST_MEMBERS:
        raise SettingError(f"names more than {MOST_MEMBERS} models")
    provenance, recipe = values.get("provenance") or {}, values.get("recipe")
    check_provenance(provenance)
    members: dict[str, StoredModel] = {}
    parts: dict[str, list[str]] = {"brackets": [], "heads": []}
    for name, entry in listed.items():
        if not isinstance(entry, dict) or not _is_folder(entry.get("folder")) or not _NAME.fullmatch(name):
            raise SettingError(f"members.{name} must name its folder")
        description = _with_given_trees(description_from(path, entry), provenance)
        members[name] = StoredModel(folder_in(directory, entry["folder"]), description)
        gives = entry.get("for")
        if not isinstance(gives, list) or any(part not in list(parts) for part in gives):
            raise SettingError(f"members.{name}.for must be a list of {', '.join(parts)}, not {gives!r}")
        for part in dict.fromkeys(gives):
            parts[part].append(name)
    if not parts["brackets"] and not parts["heads"]:
        raise SettingError("no member gives brackets or heads")
    parsing, sets = values.get("parsing") or {}, values.get("grammars") or []
    if not isinstance(parsing, dict) or not isinstance(sets, list):
        raise SettingError("parsing must be a mapping of settings, and grammars a list")
    options = {key: value for key, value in parsing.items() if key != CONFIDENCE}
    return Model(
        directory,
        members,
        tuple(parts["brackets"]),
        tuple(parts["heads"]),
        tuple(grammar_set_from(entry, list(members)) for entry in sets),
        settings_of(ParsingConfig, options, "parsing"),
        None if recipe is None else recipe_from(recipe),
        provenance,
        parsing.get(CONFIDENCE),
        _labels_from(values.get("labels") or {}),
    )


def _with_given_trees(description: ModelDescription, of_directory: Mapping[str, Any]) -> ModelDescription:
    """The description of a member, with the given trees that its run has read: it may be copied to other directories,
    as a teacher or in a packed model, whose provenance knows nothing of them."""
    own, of_run = (provenance.get("corpus", {}) for provenance in (description.provenance, of_directory))
    if GIVEN_TREES not in of_run or GIVEN_TREES in own:
        return description
    corpus = {**own, GIVEN_TREES: of_run[GIVEN_TREES]}
    return replace(description, provenance={**description.provenance, "corpus": corpus})


def _labels_from(values: object) -> dict[str, tuple[str, ...]]:
    """The names of labels by their kind. Raises SettingError for invalid values."""
    if not isinstance(values, dict):
        raise SettingError("labels must be a mapping of lists")
    refuse_unknown(values, LABEL_KINDS, "labels.")
    for kind, names in values.items():
        if not isinstance(names, list) or not names or len(set(map(str, names))) < len(names):
            raise SettingError(f"labels.{kind} must be a list of different names")
        if not all(isinstance(name, str) and LABEL.fullmatch(name) for name in names):
            raise SettingError(f"labels.{kind} has a name with blanks, or that is too long")
    return {kind: tuple(names) for kind, names in values.items()}


def _is_folder(name: object) -> bool:
    return isinstance(name, str) and (name == HERE or _NAME.fullmatch(name) is not None)


def folder_in(directory: Path, name: str) -> Path:
    """A folder of a model directory. Raises DataError if it is missing, or a link out of the directory."""
    folder = directory if name == HERE else directory / name
    if not folder.is_dir():
        raise DataError(f"a member is missing: no directory {name}", str(directory))
    if not folder.resolve().is_relative_to(directory.resolve()):
        raise DataError("is a link that leads out of the model directory; copy the member there", str(folder))
    return folder


def plain_set(grammars: GrammarSet) -> dict[str, Any]:
    """A set of grammars as plain values: the inverse of `grammar_set_from`."""
    return {**grammars._asdict(), "members": list(grammars.members), "settings": plain_settings(grammars.settings)}


def grammar_set_from(values: object, members: Collection[str]) -> GrammarSet:
    """A set of grammars, which learned from some of these members. Raises SettingError for invalid values."""
    if not isinstance(values, dict) or not _is_folder(values.get("folder")):
        raise SettingError("grammars must be a list of sets, each with its folder")
    names, provenance = values.get("members"), values.get("provenance")
    if not isinstance(names, list) or not names or not all(name in members for name in names):
        raise SettingError("grammars must name the members that taught them")
    settings = settings_of(GrammarConfig, values.get("settings"), "grammars.settings")
    return GrammarSet(values["folder"], tuple(names), settings, provenance if isinstance(provenance, dict) else {})


def _upgraded(directory: Path, path: Path, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The config.yaml of a directory of an earlier version in the present format.

    Before 0.3, a directory had one model, with its recipe and its grammars, if any; or several models, each in a folder
    with its own config, with grammars that had learned from all of them, or from one each. A recipe had one network and
    the grammars that learned from it.
    """
    names = values.get(MEMBERS)
    if isinstance(names, dict) and not {"brackets", "heads"} & names.keys() and "provenance" in values:
        return values
    options = _older_parsing(values.get("parse"))
    is_one = MEMBERS not in values
    if is_one:
        own = _older_config(path, values)
        name = str(own["recipe"]["model"])
        parts, configs = {"brackets": [name], "heads": [name]}, {name: {"folder": HERE, **own}}
    else:
        refuse_unknown(values, (MEMBERS, "parse", "grammar", "provenance"), "")
        parts, configs = _older_members(names), {}
        for name in dict.fromkeys([*parts["brackets"], *parts["heads"]]):
            configs[name] = {"folder": name, **_older_config(*read_config(folder_in(directory, name)))}
    recipes = [config["recipe"] for config in configs.values()]
    recorded = agreed(settings_of(ParsingConfig, config.get("parsing"), "parsing") for config in recipes)
    if not is_one:  # a decoder was recorded for a model alone
        recorded = replace(recorded, brackets=DEFAULT, heads=DEFAULT)
    provenance = values.get("provenance")
    sets = [
        (config["folder"], [name], config["recipe"].get("grammar"), config["provenance"])
        for name, config in configs.items()
    ]
    if not is_one and values.get("grammar") is not None and stored(directory, GRAMMAR).exists():
        sets = [(HERE, list(configs), values["grammar"], provenance if isinstance(provenance, dict) else {})]
    return {
        MEMBERS: {
            name: {"for": [part for part, names in parts.items() if name in names], **config}
            for name, config in configs.items()
        },
        "grammars": [
            {"folder": folder, "members": members, "settings": settings, "provenance": of.get("grammar")}
            for folder, members, settings, of in sets
            if stored(directory / folder, GRAMMAR).exists()
        ],
        "parsing": {**plain_settings(recorded), **options},
        **({"recipe": renamed.with_stages(values["recipe"])} if is_one and values.get("packed") is None else {}),
        "provenance": provenance,
    }


def _older_parsing(options: object) -> dict[str, Any]:
    """The default options of parse in the config of a directory."""
    options = mapping_of(options, "parse")
    refuse_unknown(options, ("punctuation", "function_words", "brackets", "heads", CONFIDENCE), "parse.")
    return {
        name: renamed.DECODERS.get(value, value) if isinstance(value, str) else value
        for name, value in options.items()
        if value
    }


def _older_members(values: object) -> dict[str, list[str]]:
    """The names of the members that give brackets, and of those that give heads."""
    if not isinstance(values, dict):
        raise SettingError(f"{MEMBERS} must be a mapping of settings")
    refuse_unknown(values, ("brackets", "heads"), f"{MEMBERS}.")
    parts = {part: values.get(part) or [] for part in ("brackets", "heads")}
    if not any(parts.values()):
        raise SettingError("names no model")
    for part, names in parts.items():
        if not isinstance(names, list) or not all(isinstance(name, str) and _NAME.fullmatch(name) for name in names):
            raise SettingError(f"{part} must be a list of directory names")
        if len(set(names)) < len(names):
            raise SettingError(f"a name appears twice in {part}")
        if len(names) > MOST_MEMBERS:
            raise SettingError(f"{part} names more than {MOST_MEMBERS} models")
    return parts


def _older_config(path: Path, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values in the config of a member's folder."""
    if MEMBERS in values:
        raise DataError("holds several models; name one of them", str(path))
    description_from(path, values)  # refused as a whole
    return {key: values[key] for key in ("recipe", "provenance", "packed") if values.get(key) is not None}


def one_member(directory: Path, description: ModelDescription, parsing: ParsingConfig = ParsingConfig()) -> Model:  # noqa: B008
    """A model directory with one network, whose files are directly in it."""
    name, provenance = f"{description.recipe.model}-1", description.provenance
    member = StoredModel(directory, description)
    return Model(directory, {name: member}, (name,), (name,), parsing=parsing, provenance=provenance)
