"""The card of several models behind one name, as far as the models tell; the rest is for a person to write."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synparse.config.recipe import Recipe, changed_settings, load_recipe, shipped_recipes
from synparse.store.bundle import Bundle
from synparse.store.model_directory import ModelDescription


@dataclass(frozen=True)
class Changes:
    """Of how many sentences the brackets and the heads are others than before, and of how many in all."""

    sentences: int
    brackets: int
    heads: int

    @property
    def fraction(self) -> float:
        """Of brackets or heads, whichever change more often."""
        return max(self.brackets, self.heads) / max(1, self.sentences)


_CARD = """# {name}

{what}, by synparse {version}. {learned} {size:.1f} MB, packed for parsing alone ({storage}).

    echo 'The old man the boats .' | synparse parse --model {name}

| {header} |
|{rule}|
{rows}

{changes}

## Text

*To be written: what the text is, its size, and its licence.*

## Made by

{commands}

## Scores

*To be written: UF1, UAS and UUAS with protocol and scheme, beside trivial trees and ceilings; the command that scores.*

## Weaknesses

*To be written: what it is bad at.*

Constituents have no categories and dependencies no relations: induction finds structure, not names.
"""

_INDUCED = "Induced from raw text: no model here has seen a tree."
_TAUGHT = "A student here learned from trees; what made these is to be written below."

_MEMBER = """# {name}

A {model} parser (recipe `{recipe}`), packed for parsing alone ({storage}): one of the models of the directory above,
whose card says where it comes from.
"""


def member_card(name: str, description: ModelDescription) -> str:
    """The card of one of the models, as Markdown."""
    recipe, packed = description.recipe, description.packed
    return _MEMBER.format(name=name, model=recipe.model, recipe=recipe.name, storage=packed.storage if packed else "")


def bundle_card(
    name: str, bundle: Bundle, descriptions: Mapping[str, ModelDescription], size: int, changes: Changes | None
) -> str:
    """The card as Markdown. ``size`` in bytes."""
    columns = [_column(bundle, member, descriptions[member]) for member in bundle.names]
    rows = [f"| {title} | {' | '.join(column[title] for column in columns)} |" for title in columns[0]]
    first = next(iter(descriptions.values()))
    storage = first.packed.storage if first.packed else ""
    commands = [_training(member, descriptions[member]) for member in bundle.names]
    options = [f"--brackets {member}" for member in bundle.brackets] + [f"--heads {member}" for member in bundle.heads]
    options += [] if bundle.punctuation is None else [f"--punctuation {bundle.punctuation}"]
    options += [] if bundle.function_words is None else [f"--function-words {bundle.function_words}"]
    commands.append(" ".join(["synparse pack", *options, f"--storage {storage} --output {name}"]))
    return _CARD.format(
        name=name,
        what=" and ".join(["Brackets"] * bool(bundle.brackets) + ["heads"] * bool(bundle.heads)).capitalize(),
        version=first.provenance["versions"]["synparse"],
        learned=_TAUGHT if any(one.recipe.training.objective == "tree" for one in descriptions.values()) else _INDUCED,
        size=size / 1e6,
        storage=storage,
        header=" | ".join(("", *bundle.names)),
        rule="---|" * len(bundle.names) + "---",
        rows="\n".join(rows),
        changes=_said(changes),
        commands="\n".join(f"    {command}" for command in commands),
    )


def _said(changes: Changes | None) -> str:
    if changes is None:
        return "Whether trees are still those of the models as they were trained has not been looked at."
    return (
        f"Of {changes.sentences:,} sentences, {changes.brackets:,} have other brackets, and {changes.heads:,} have "
        "other heads, than by the models as they were trained."
    )


def _column(bundle: Bundle, member: str, description: ModelDescription) -> dict[str, str]:
    recipe, provenance = description.recipe, description.provenance
    corpus = provenance["corpus"]
    parts = ["brackets"] * (member in bundle.brackets) + ["heads"] * (member in bundle.heads)
    objective = recipe.training.objective.replace("-", " ")
    return {
        "asked for": " and ".join(parts),
        "model": recipe.model,
        "recipe": " ".join([f"`{recipe.name}`", *(f"`{change}`" for change in _changes(recipe))]),
        "text": ", ".join(corpus["files"]),
        "its SHA-256": f"`{corpus['sha256']}`",
        "sentences, words": f"{corpus['training_sentences']:,}, {corpus['training_words']:,}",
        "vocabulary": f"{provenance['vocabulary_words']:,} words",
        "trained": f"{provenance['steps']:,} updates, {provenance['words_seen']:,} words seen, "
        f"{provenance['seconds'] / 60:.1f} minutes on {provenance['device']}, seed {provenance['seed']}",
        "held-out perplexity": f"{provenance['held_out_perplexity']} ({objective})",
    }


def _changes(recipe: Recipe) -> list[str]:
    """The settings in which a recipe differs from the shipped one of its name, as ``--set`` takes them; none where no
    recipe of that name is shipped."""
    if recipe.name not in shipped_recipes():
        return []
    return [f"{key}={_as_typed(value)}" for key, value in changed_settings(recipe, load_recipe(recipe.name))]


def _as_typed(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _training(member: str, description: ModelDescription) -> str:
    recipe, provenance = description.recipe, description.provenance
    settings = [f"--set {change}" for change in _changes(recipe)]
    files = " ".join(provenance["corpus"]["files"])
    return " ".join(
        [f"synparse train {files} --recipe {recipe.name}", *settings, f"--seed {provenance['seed']} --output {member}"]
    )
