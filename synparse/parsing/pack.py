"""Model directories → one small directory for parsing alone (`synparse.store.bundle`), with a card."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from synparse.config.parsing import ParsingConfig, agreed
from synparse.files.folders import Content, save_together, scratch_folder, stored
from synparse.files.streams import usual_mode
from synparse.inducers.configurations import TREE_LAYER
from synparse.inducers.loading import keep_parser_only
from synparse.inducers.table import INDUCERS, refuse_baseline
from synparse.parsing.options import ParserOptions
from synparse.parsing.parser import Decoder, Parser, Preferred
from synparse.store.bundle import Bundle, open_model
from synparse.store.cards import Changes, bundle_card, member_card
from synparse.store.grammars import has_dependency_model, has_grammars
from synparse.store.model_directory import (
    CARD,
    CLASSES,
    CONFIG,
    GRAMMAR,
    LoadedModel,
    ModelDescription,
    Packed,
    load_model,
    model_files,
    traits_of,
)
from synparse.store.weights import Storage
from synparse.trees.errors import DataError, SettingError


@dataclass(frozen=True)
class Packing:
    """The result of packing: the directory, its models, its size in bytes, and how many trees change; None if that was
    not checked."""

    directory: Path
    bundle: Bundle
    size: int
    changes: Changes | None


def pack(
    brackets: Sequence[Path],
    heads: Sequence[Path],
    output: Path,
    *,
    storage: Storage = "float16",
    options: ParserOptions = ParserOptions(),  # noqa: B008 - immutable
    check: Iterable[Sequence[str]] | None = None,
    most: float = 0.01,
) -> Packing:
    """Pack the models for ``brackets`` and for ``heads`` into the directory ``output``, which is replaced if it exists.

    A model may be in both. ``options``: layers above ``layer`` are dropped; punctuation and function words become the
    directory's defaults, if None those that all models record, and so do the decoders, those that all models of a part
    record or their own. ``check``: sentences to parse before and after; if the trees of more
    than the fraction ``most`` of them change, nothing is written. Raises DataError then, and if a model is damaged or
    ``output`` cannot be written; SettingError if a model gives no heads or has no such layer, and if the models do not
    read the same tokens.
    """
    brackets, heads = list(dict.fromkeys(brackets)), list(dict.fromkeys(heads))
    directories = list(dict.fromkeys((*brackets, *heads)))
    for directory in directories:
        _refuse_taught(directory)
    models = [load_model(directory) for directory in directories]
    names = dict(zip(directories, _names(models), strict=True))
    for directory, model in zip(directories, models, strict=True):
        if model.description.packed is not None:
            raise DataError("is packed already; pack the model directory that it was made from", str(directory))
        refuse_baseline(model.description.recipe.model)
        gives_heads = traits_of(model.description).gives_heads or has_dependency_model(directory)
        if directory in heads and not gives_heads:
            raise SettingError(f"{directory} gives no heads; use this {model.description.recipe.model} with --brackets")
    options = replace(options, device="cpu")
    before = _parser(directories, brackets, heads, options)
    bundle = Bundle(
        tuple(names[directory] for directory in brackets),
        tuple(names[directory] for directory in heads),
        before.punctuation,
        before.function_words,
        *before.preferred,
    )
    with scratch_folder(output) as scratch:
        folder = scratch / output.name
        descriptions: dict[str, ModelDescription] = {}
        for directory, model in zip(directories, models, strict=True):
            name = names[directory]
            descriptions[name] = packed = _packed(model, storage, options.layer)
            whole = replace(model, description=packed)
            files = model_files(whole, member_card(name, packed), "")
            save_together(folder / name, {**files, **_grammars(directory)})
        save_together(folder, {CONFIG: yaml.safe_dump(bundle.as_mapping(), sort_keys=False).encode()})
        changes = None if check is None else changed_trees(before, Parser.load(folder, device="cpu"), check)
        if changes is not None and changes.fraction > most:
            raise DataError(
                f"trees of {100 * changes.fraction:.1f} % of the sentences change, more than {100 * most:g} %; "
                "choose a --storage with more bytes, or raise --most",
                str(output),
            )
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        try:
            card = bundle_card(output.name, bundle, descriptions, size, changes)
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"a model's config.yaml lacks its provenance, which the card needs: {error}") from None
        save_together(folder, {CARD: card.encode()})
        folder.chmod(usual_mode(0o777))
        try:
            if output.exists():
                output.rename(scratch / "before")
            folder.rename(output)
        except OSError as error:
            raise DataError(f"cannot be written: {error.strerror or error}", str(output)) from None
    return Packing(output, bundle, size, changes)


def changed_trees(before: Parser, after: Parser, sentences: Iterable[Sequence[str]]) -> Changes:
    """How many sentences two parsers, by their own decoders, parse in different ways."""
    one, other = itertools.tee(sentences)
    count = brackets = heads = 0
    for was, became in zip(before.stream(one), after.stream(other), strict=True):
        count += 1
        brackets += was.tree != became.tree
        heads += was.heads != became.heads
    return Changes(count, brackets, heads)


def _parser(
    directories: Sequence[Path], brackets: Sequence[Path], heads: Sequence[Path], options: ParserOptions
) -> Parser:
    """A parser in which each model gives only brackets, only heads or both, by the decoders that all models of a part
    record, or their own."""
    parser = Parser.load(directories, options)
    members = [
        member._replace(for_brackets=directory in brackets, for_heads=directory in heads)
        for directory, member in zip(directories, parser.members, strict=True)
    ]
    of_brackets = Parser([member for member in members if member.for_brackets]).tree_decoders
    of_heads = Parser([member for member in members if member.for_heads]).head_decoders
    preferred = Preferred(
        _first_choice(_recorded(brackets).brackets, of_brackets), _first_choice(_recorded(heads).heads, of_heads)
    )
    return Parser(members, parser.punctuation, preferred, parser.taught)


def _recorded(directories: Sequence[Path]) -> ParsingConfig:
    return agreed(open_model(directory).parsing for directory in directories)


def _first_choice(recorded: str, possible: tuple[Decoder, ...]) -> Decoder | None:
    """The decoder that models record, if they have it together, else their own; None if there is none."""
    return next((name for name in possible if name == recorded), next(iter(possible), None))


def _names(models: Sequence[LoadedModel]) -> list[str]:
    """Names by kind and number: two directories may have the same name, or one that is not a valid file name."""
    kinds = [model.description.recipe.model for model in models]
    return [f"{kind}-{kinds[: position + 1].count(kind)}" for position, kind in enumerate(kinds)]


def _refuse_taught(directory: Path) -> None:
    """Raises SettingError for a directory of several models and the grammars that they taught together."""
    if directory.is_dir() and (bundle := open_model(directory).bundle) is not None and bundle.grammar is not None:
        raise SettingError(
            f"{directory} holds grammars and the models that taught them; pack these models, and let the packed ones "
            "teach: synparse train --model grammar --teacher PACKED"
        )


def _grammars(directory: Path) -> dict[str, Content]:
    """The files of the grammars of a model, if it has any: they stay as they are."""
    names = (CLASSES, GRAMMAR) if has_grammars(directory) else ()
    return {name: stored(directory, name).read_bytes() for name in names}


def _packed(model: LoadedModel, storage: Storage, layer: int | None) -> ModelDescription:
    """Take out of a network what parsing does not read; returns what to say of it."""
    recipe = model.description.recipe
    layers = 0
    if INDUCERS[recipe.model].traits.has_tree_layers:
        layers = layer or min(TREE_LAYER, recipe.architecture.layers)
    if model.inducer is not None:
        keep_parser_only(model.network, layers)
    return replace(model.description, packed=Packed(storage, layers))
