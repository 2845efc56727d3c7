"""A bundle: a directory of several models, whose config.yaml says which of its sub-directories parse together.

    members:
      brackets: [on-lstm-1, structformer-1]   # whose constituents are averaged
      heads: [udgn-1, structformer-1]         # whose scores of heads are added up
    parse:                                    # default options of parse; what is left out, the members decide
      punctuation: evidence
      function_words: leaves
      brackets: unbiased
      heads: projective
    grammar: {classes: 100}                   # settings of grammars that all members taught together, if there are any

Each member is a model directory, whole or packed. `open_model` finds a model, or several, by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from synparse.config import renamed
from synparse.config.grammar import GrammarConfig
from synparse.config.parsing import DEFAULT, ParsingConfig, agreed
from synparse.config.settings import plain_settings, refuse_unknown, settings_of
from synparse.store.model_directory import MEMBERS, ModelDescription, StoredModel, description_from, read_config
from synparse.store.shipped import model_folder, shipped_models
from synparse.trees.errors import DataError, SettingError
from synparse.trees.trivial import TRIVIAL_PARSERS

GRAMMAR_SECTION, PROVENANCE = "grammar", "provenance"

MOST_MEMBERS = 100
"""For brackets, and for heads."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True)
class Bundle:
    """Names of the members that give brackets and of those that give heads, and how they parse by default: how
    punctuation and function words are treated, and the decoders of brackets and heads; grammar, provenance: of the
    grammars that all members taught together. None if the config has none."""

    brackets: tuple[str, ...]
    heads: tuple[str, ...]
    punctuation: str | None = None
    function_words: str | None = None
    tree_decoder: str | None = None
    head_decoder: str | None = None
    grammar: GrammarConfig | None = None
    provenance: Mapping[str, Any] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Each member once."""
        return tuple(dict.fromkeys((*self.brackets, *self.heads)))

    def parsing(self, members: Iterable[ModelDescription]) -> ParsingConfig:
        """How the members parse together where no option says otherwise: as their directory records, or else, for
        punctuation and function words, as all of them record.

        What a directory records is not checked here: `synparse.parsing.parser` knows what is possible.
        """
        of_members = agreed(one.recipe.parsing for one in members)
        chosen: dict[str, Any] = {
            "punctuation": self.punctuation or of_members.punctuation,
            "function_words": self.function_words or of_members.function_words,
            "brackets": self.tree_decoder or DEFAULT,
            "heads": self.head_decoder or DEFAULT,
        }
        return ParsingConfig(**chosen)

    def as_mapping(self) -> dict[str, Any]:
        """The bundle as its config.yaml has it."""
        members = {"brackets": list(self.brackets), "heads": list(self.heads)}
        options = _Options(self.punctuation, self.function_words, self.tree_decoder, self.head_decoder)
        sections = {MEMBERS: members, "parse": asdict(options)}
        given = {name: {key: value for key, value in of.items() if value} for name, of in sections.items()}
        of_grammar = {} if self.grammar is None else {GRAMMAR_SECTION: plain_settings(self.grammar)}
        return {**given, **of_grammar, **({} if self.provenance is None else {PROVENANCE: dict(self.provenance)})}


class StoredModels(NamedTuple):
    """The models behind one name; ``bundle`` is None where the directory is one model's."""

    members: dict[str, StoredModel]
    bundle: Bundle | None = None

    @property
    def parsing(self) -> ParsingConfig:
        """How they parse where no option says otherwise: as the recipe of the model records, or as `Bundle.parsing`."""
        descriptions = [one.description for one in self.members.values()]
        if self.bundle is not None:
            return self.bundle.parsing(descriptions)
        return agreed(one.recipe.parsing for one in descriptions)


def open_model(name: str | Path) -> StoredModels:
    """The model, or the models, of a directory or of a shipped name. Reads every config.yaml once, and nothing else.

    Raises DataError if there is no such model, a config is damaged, or a member is not in the directory.
    """
    directory = model_folder(name)
    if not directory.is_dir():
        known = ", ".join((*shipped_models(), *TRIVIAL_PARSERS))
        raise DataError(
            f"no such model: neither a directory nor one of {known}; "
            f"train one with: synparse train CORPUS --output {name}",
            str(name),
        )
    path, values = read_config(directory)
    if MEMBERS not in values:
        return StoredModels({directory.name: StoredModel(directory, description_from(path, values))})
    try:
        bundle = _bundle_from(values)
    except SettingError as error:
        raise DataError(f"damaged model: {error}", str(path)) from None
    return StoredModels({name: _member(directory, name) for name in bundle.names}, bundle)


def _member(directory: Path, name: str) -> StoredModel:
    member = directory / name
    if not member.is_dir():
        raise DataError(f"a member is missing: no directory {name}", str(directory))
    if not member.resolve().is_relative_to(directory.resolve()):
        raise DataError("is a link that leads out of the model directory; copy the member there", str(member))
    return StoredModel(member, description_from(*read_config(member)))


@dataclass(frozen=True)
class _Members:
    brackets: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.brackets and not self.heads:
            raise SettingError("names no model")
        for part, names in (("brackets", self.brackets), ("heads", self.heads)):
            if not all(_NAME.fullmatch(name) for name in names):
                raise SettingError(f"{part} must be a list of directory names")
            if len(set(names)) < len(names):
                raise SettingError(f"a name appears twice in {part}")
            if len(names) > MOST_MEMBERS:
                raise SettingError(f"{part} names more than {MOST_MEMBERS} models")


@dataclass(frozen=True)
class _Options:
    punctuation: str | None = None
    function_words: str | None = None
    brackets: str | None = None
    heads: str | None = None


def _bundle_from(values: dict[str, Any]) -> Bundle:
    refuse_unknown(values, (MEMBERS, "parse", GRAMMAR_SECTION, PROVENANCE), "")
    members = settings_of(_Members, values[MEMBERS] or {}, MEMBERS)
    of_parse = values.get("parse")
    if isinstance(of_parse, dict):  # `synparse.store.calibrations` reads the rest
        of_parse = {name: value for name, value in of_parse.items() if name != "confidence"}
    options = settings_of(_Options, of_parse, "parse")
    of_brackets, of_heads = options.brackets, options.heads
    return Bundle(
        members.brackets,
        members.heads,
        options.punctuation,
        options.function_words,
        of_brackets and renamed.DECODERS.get(of_brackets, of_brackets),
        of_heads and renamed.DECODERS.get(of_heads, of_heads),
        settings_of(GrammarConfig, values[GRAMMAR_SECTION], GRAMMAR_SECTION) if GRAMMAR_SECTION in values else None,
        provenance if isinstance(provenance := values.get(PROVENANCE), dict) else None,
    )
