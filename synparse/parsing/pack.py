"""Packing: one small directory from model directories, only for parsing, with a card."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synparse.config.parsing import DEFAULT, Default, ParsingConfig, agreed
from synparse.corpora.sentences import read_files
from synparse.corpora.tokenization import load_tokenizer
from synparse.files.folders import Content, exclusive_lock, save_together, scratch_folder
from synparse.files.signals import signals_wait
from synparse.inducers.configurations import TREE_LAYER
from synparse.inducers.table import INDUCERS, refuse_baseline
from synparse.parsing.options import ParserOptions
from synparse.parsing.parser import Decoder, Parser
from synparse.parsing.scorers import members_to_load
from synparse.store.cards import Changes, PackedFrom, model_card
from synparse.store.grammars import gives_heads
from synparse.store.labels import label_files, names_of, read_labels
from synparse.store.languages import size_of
from synparse.store.model_directory import (
    CARD,
    CLASSES,
    CONFIG,
    GRAMMAR,
    LoadedModel,
    ModelDescription,
    Packed,
    StoredModel,
    file_to_read,
    load,
    model_files,
)
from synparse.store.models import GrammarSet, Model, config_file, open_model
from synparse.store.overwriting import clear_away, next_name, refuse_to_lose, remove_stages, stage_names
from synparse.store.weights import Storage
from synparse.trees.errors import DataError, SettingError, unwritable


@dataclass(frozen=True)
class Packing:
    """The result of packing: the directory, its size in bytes, and how many trees change; None if that was not
    checked."""

    model: Model
    size: int
    changes: Changes | None

    def values(self) -> dict[str, Any]:
        """Plain values: the directory, its models for brackets and for heads, its size, and the trees that change."""
        values: dict[str, Any] = {
            "model": str(self.model.directory),
            "brackets": list(self.model.brackets),
            "heads": list(self.model.heads),
            "megabytes": round(self.size / 1e6, 2),
        }
        changes = self.changes
        if changes is not None:
            numbers = (changes.sentences, changes.brackets, changes.heads)
            values |= zip(("sentences", "other brackets", "other heads"), numbers, strict=True)
        return values


def sentences_for(models: Sequence[Path], path: str) -> Iterator[tuple[str, ...]]:
    """The sentences of a file, as the first of these models splits its text; empty ones are left out. Raises DataError
    at the end of a file without sentences, which would check nothing."""
    text = open_model(models[0]).description.recipe.text
    is_empty = True
    for sentence in read_files([path], load_tokenizer(text.tokenizer, language=text.language)):
        if sentence.tokens:
            is_empty = False
            yield sentence.tokens
    if is_empty:
        raise DataError("no sentences to parse before and after packing", path)


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
    """Pack the model directories for ``brackets`` and for ``heads`` into ``output``; an earlier model there goes when
    the packed one is whole.

    A directory may be in both; its grammars come along. ``options``: layers above ``layer`` are dropped; punctuation
    and function words become the directory's defaults, if None those that all models record, and so do the decoders,
    those that all models of a part record or their own; a lone model with all its layers keeps its calibration.
    ``check``: sentences to parse before and after; if the trees of more than the fraction ``most`` of them change,
    nothing is written. Raises DataError then, and if a model is damaged or ``output`` cannot be written; SettingError
    if a model is in ``output``, gives no heads or has no such layer, and if the models do not read the same tokens.
    """
    brackets, heads = list(dict.fromkeys(brackets)), list(dict.fromkeys(heads))
    refuse_to_lose("a model to pack", (*brackets, *heads), output)
    opened = {directory: _opened(directory, directory in heads) for directory in dict.fromkeys((*brackets, *heads))}
    # Of several models, the members say where they come from; and together they parse otherwise than their labels know.
    lone = next(iter(opened.values())) if len(opened) == 1 else None
    options = replace(options, device="cpu")
    before = _parser(opened, brackets, heads, options)
    with exclusive_lock(output), scratch_folder(output) as scratch:
        earlier = stage_names(output)
        folder = scratch / output.name
        packed = Model(
            *(folder, {}, (), ()),
            parsing=replace(before.preferred, punctuation=before.punctuation, function_words=before.function_words),
            provenance=_version_of(opened.values()) if lone is None else lone.provenance,
            confidence=lone.confidence if lone is not None and options.layer is None else None,
        )
        for directory, model in opened.items():
            packed = _with(packed, model, storage, options.layer, directory in brackets, directory in heads, earlier)
        learned = {} if lone is None else read_labels(lone)
        packed = replace(packed, labels=names_of(learned))
        files: dict[str, Content] = {**label_files(learned), CONFIG: config_file(packed)}
        save_together(folder, files)
        changes = None if check is None else changed_trees(before, Parser.load(folder, device="cpu"), check)
        if changes is not None and changes.fraction > most:
            raise DataError(
                f"trees of {100 * changes.fraction:.1f} % of the sentences change, more than {100 * most:g} %; "
                "choose a --storage with more bytes, or raise --max-changes",
                str(output),
            )
        size = size_of(folder)
        origin = PackedFrom([opened[path] for path in brackets], [opened[path] for path in heads], size, changes)
        _move(folder, output, {**files, CARD: model_card(output.resolve().name, packed, origin)}, earlier)
        return Packing(open_model(output), size, changes)


def _version_of(models: Iterable[Model]) -> dict[str, Any]:
    """The version of synparse that made all of these models, as provenance has it; nothing if there are several."""
    versions = {model.version for model in models}
    return {"versions": {"synparse": versions.pop()}} if len(versions) == 1 else {}


def _move(folder: Path, output: Path, files: Mapping[str, Content], earlier: Sequence[str]) -> None:
    """Move the folders of a packed model into ``output`` and save its ``files`` there; what stages had left there
    ``earlier``, and the rest of an earlier model, then goes. Raises DataError where that is not possible."""
    names = [path.name for path in folder.iterdir() if path.is_dir()]
    with signals_wait():  # which would leave folders that are no model's
        try:
            for name in names:
                (folder / name).rename(output / name)
            save_together(output, files)
        except (OSError, DataError) as error:
            remove_stages(output, earlier)
            raise unwritable(str(output), error) if isinstance(error, OSError) else error from None
        clear_away(output, {*names, *files})


def _opened(directory: Path, for_heads: bool) -> Model:
    """The models of a directory. Raises DataError and SettingError for what cannot be packed."""
    model = open_model(directory)
    for member in model.members.values():
        refuse_baseline(member.description.recipe.model)
        if member.description.packed is not None:
            raise DataError(
                "is packed already, or its teacher is; pack, or teach with, the directory that was packed",
                str(directory),
            )
    if for_heads and not gives_heads(model):
        raise SettingError(f"{directory} gives no heads; use this {model.description.recipe.model} with --brackets")
    return model


def _with(
    packed: Model,
    model: Model,
    storage: Storage,
    layer: int | None,
    for_brackets: bool,
    for_heads: bool,
    earlier: Sequence[str],
) -> Model:
    """The packed directory with the models and grammars of another one, whose files are written, in folders that have
    none of the names ``earlier``."""
    names: dict[str, str] = {}
    members, folder = dict(packed.members), packed.directory
    for key, member in model.members.items():
        kind = member.description.recipe.model
        names[key] = name = next_name(kind, (*earlier, *members))
        loaded = load(member)
        description = _packed(loaded, storage, layer)
        save_together(folder / name, model_files(replace(loaded, description=description)))
        members[name] = StoredModel(folder / name, description)
    sets = list(packed.grammars)
    for grammars in model.grammars:
        name = next_name("grammars", (*earlier, *(packed_set.folder for packed_set in sets)))
        source = model.directory / grammars.folder
        files = {file: file_to_read(source, file, "not there").read_bytes() for file in (CLASSES, GRAMMAR)}
        save_together(folder / name, files)
        sets.append(
            GrammarSet(name, tuple(names[key] for key in grammars.members), grammars.settings, grammars.provenance)
        )
    return replace(
        packed,
        members=members,
        grammars=tuple(sets),
        brackets=(*packed.brackets, *(names[key] for key in model.brackets if for_brackets)),
        heads=(*packed.heads, *(names[key] for key in model.heads if for_heads)),
    )


def changed_trees(before: Parser, after: Parser, sentences: Iterable[Sequence[str]]) -> Changes:
    """How many sentences two parsers, by their own decoders, parse in different ways."""
    first, second = itertools.tee(sentences)
    count = brackets = heads = 0
    for was, became in zip(before.stream(first), after.stream(second), strict=True):
        count += 1
        brackets += was.tree != became.tree
        heads += was.heads != became.heads
    return Changes(count, brackets, heads)


def _parser(
    opened: Mapping[Path, Model], brackets: Sequence[Path], heads: Sequence[Path], options: ParserOptions
) -> Parser:
    """A parser in which each directory gives only brackets, only heads or both, by the decoders that all of a part
    record, or their own."""
    parser = Parser.load(list(opened.values()), options)
    directories = [directory for directory, model in opened.items() for _ in members_to_load(model)[0]]
    members = [
        member._replace(
            for_brackets=member.for_brackets and directory in brackets,
            for_heads=member.for_heads and directory in heads,
        )
        for directory, member in zip(directories, parser.members, strict=True)
    ]
    tree_names = Parser([member for member in members if member.for_brackets]).tree_decoders
    head_names = Parser([member for member in members if member.for_heads]).head_decoders
    of_trees, of_heads = (agreed(opened[directory].parsing for directory in part) for part in (brackets, heads))
    preferred = ParsingConfig(
        brackets=_first_choice(of_trees.brackets, tree_names), heads=_first_choice(of_heads.heads, head_names)
    )
    return Parser(members, parser.punctuation, preferred, parser.sets, learned=parser.learned)


def _first_choice(recorded: str, possible: tuple[Decoder, ...]) -> Decoder | Default:
    """The decoder that models record, if they have it together, else their own, if there is one."""
    return next((name for name in possible if name == recorded), next(iter(possible), DEFAULT))


def _packed(model: LoadedModel, storage: Storage, layer: int | None) -> ModelDescription:
    """Remove from a network what parsing does not read; returns its description."""
    recipe = model.description.recipe
    layers = 0
    if INDUCERS[recipe.model].traits.has_tree_layers:
        layers = layer or min(TREE_LAYER, recipe.architecture.layers)
    if model.inducer is not None:
        from synparse.inducers.loading import keep_parser_only

        keep_parser_only(model.network, layers)
    return replace(model.description, packed=Packed(storage, layers))
