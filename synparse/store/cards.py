"""Model cards in Markdown: what a model is, what it was trained on and how to use it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synparse.config.grammar import GrammarConfig
from synparse.config.parsing import DEFAULT, ParsingConfig
from synparse.config.recipe import Recipe, changed_settings, load_recipe, shipped_recipes
from synparse.inducers.table import BASELINES
from synparse.store.bundle import Bundle
from synparse.store.model_directory import ModelDescription, traits_of
from synparse.trees.function_words import LEAVES

_NO_LABELS = "Dependencies have no relations, and categories, where grammars induce them, have numbers, not names."


@dataclass(frozen=True)
class Changes:
    """What packing changed: sentences, and how many of them have other brackets and other heads than before."""

    sentences: int
    brackets: int
    heads: int

    @property
    def fraction(self) -> float:
        """Fraction of sentences with other brackets or with other heads, whichever are more."""
        return max(self.brackets, self.heads) / max(1, self.sentences)


def model_card(name: str, description: ModelDescription) -> str:
    """The card of a trained model."""
    recipe = description.recipe
    learned = "trained on trees" if _is_student(recipe) else "induced from raw text without seeing a tree"
    perplexity = ""
    if recipe.training is not None:
        perplexity = (
            f"The perplexity is that of the {recipe.training.predicted} in the held-out sentences; the model kept is "
            "the one with the\nlowest. "
        )
    rows = "\n".join(f"| {title} | {fact} |" for title, fact in _facts(description).items())
    if recipe.model in BASELINES:
        return f"""# {name}

A {recipe.model} (recipe `{recipe.name}`), {learned}, by synparse {_version(description)}: a language model without
trees, which language models that parse are compared with.

| | |
|---|---|
{rows}

{perplexity.rstrip()} For other text:

    synparse perplexity {name} text.txt
"""
    gives_heads = traits_of(description).gives_heads or "grammar" in description.provenance
    extension = "conllu" if gives_heads else "brackets"
    return f"""# {name}

A {recipe.model} parser (recipe `{recipe.name}`), {learned}, by synparse {_version(description)}.

| | |
|---|---|
{rows}

{_how_it_parses(recipe.parsing)}

{perplexity}Its trees have not been scored. To score them on a treebank:

    synparse parse gold.{extension} --model {name} --format {extension} --output pred.{extension}
    synparse eval pred.{extension} gold.{extension}

{_NO_LABELS}
"""


def tuned_card(name: str, description: ModelDescription) -> str:
    """The card of a language model that was tuned to the similarity of sentences."""
    recipe, tuning = description.recipe, description.provenance["tuning"]
    is_frozen = tuning["training"]["freeze_parser"]
    facts = {
        "tuned from": tuning["model"],
        "pairs": f"{', '.join(tuning['data'])}: {tuning['pairs']:,} (and {tuning['held_out_pairs']:,} held out)",
        "tuned": f"recipe `{tuning['recipe']}`, {tuning['steps']:,} updates, {tuning['seconds'] / 60:.1f} minutes on "
        f"{tuning['device']}, seed {tuning['seed']}" + "; the parser was frozen" * is_frozen,
        "held-out Spearman": str(tuning["held_out_spearman"]),
    }
    rows = "\n".join(f"| {title} | {fact} |" for title, fact in facts.items())
    return f"""# {name}

A {recipe.model} (recipe `{recipe.name}`), tuned to scores of the similarity of sentences by synparse
{tuning["versions"]["synparse"]}: they are compared by the cosine of the mean states of their words.

| | |
|---|---|
{rows}

The scores were given by people. To compare it on other pairs:

    synparse similarity evaluate {name} --data pairs.tsv

Perplexity in its config.yaml is that of the model before tuning.
"""


def taught_card(name: str, bundle: Bundle, descriptions: Mapping[str, ModelDescription]) -> str:
    """The card of grammars and the models that taught them."""
    provenance = bundle.provenance or {}
    corpus = provenance["corpus"]
    learned = ""
    if bundle.grammar is not None and "grammar" in provenance:
        learned = f"| grammars | {grammar_facts(bundle.grammar, provenance['grammar'])} |\n"
    teachers = "\n".join(
        f"| {member} | {one.recipe.model}, recipe `{one.recipe.name}` |" for member, one in descriptions.items()
    )
    count = len(descriptions)
    who = "a trained model, which parses" if count == 1 else f"{count} trained models, which parse"
    return f"""# {name}

Grammars on word classes, taught by {who} together with them, by synparse {provenance["versions"]["synparse"]}.

| | |
|---|---|
| corpus | {", ".join(corpus["files"])} |
| corpus SHA-256 | `{corpus["sha256"]}` |
{learned}{teachers}

{_how_it_parses(bundle.parsing(descriptions.values()))}

Its trees have not been scored. {_NO_LABELS}
"""


def member_card(name: str, description: ModelDescription) -> str:
    """The card of one of several models in a directory."""
    recipe = description.recipe
    return f"""# {name}

A {recipe.model} parser (recipe `{recipe.name}`), packed for parsing alone ({_storage(description)}): one of the models
of the directory above, whose card describes it.
"""


def bundle_card(
    name: str, bundle: Bundle, descriptions: Mapping[str, ModelDescription], size: int, changes: Changes | None
) -> str:
    """The card of several models in one directory; a person must write the rest. ``size`` in bytes."""
    first = descriptions[bundle.names[0]]
    gives = " and ".join(["Brackets"] * bool(bundle.brackets) + ["heads"] * bool(bundle.heads)).capitalize()
    learned = "Induced from raw text: no model here has seen a tree."
    if any(_is_student(one.recipe) for one in descriptions.values()):
        learned = "One model here learned from trees; say below what made them."
    columns = [_column(bundle, member, descriptions[member]) for member in bundle.names]
    titles = dict.fromkeys(title for column in columns for title in column)
    rows = [f"| {title} | {' | '.join(column.get(title, '') for column in columns)} |" for title in titles]
    changed = "Whether packing changed trees has not been checked."
    if changes is not None:
        changed = (
            f"Of {changes.sentences:,} sentences, packing gave {changes.brackets:,} other brackets and "
            f"{changes.heads:,} other heads."
        )
    options = [f"--brackets {member}" for member in bundle.brackets] + [f"--heads {member}" for member in bundle.heads]
    options += [] if bundle.punctuation is None else [f"--punctuation {bundle.punctuation}"]
    options += [] if bundle.function_words is None else [f"--function-words {bundle.function_words}"]
    pack = f"synparse pack {' '.join(options)} --storage {_storage(first)} --output {name}"
    commands = [*(_training(member, descriptions[member]) for member in bundle.names), pack]
    newline = "\n"
    return f"""# {name}

{gives}, by synparse {_version(first)}. {learned} {size / 1e6:.1f} MB, packed for parsing alone ({_storage(first)}).

    echo 'The old man the boats .' | synparse parse --model {name}

| {" | ".join(("", *bundle.names))} |
|{"---|" * len(bundle.names)}---|
{newline.join(rows)}

{_how_it_parses(bundle.parsing(descriptions.values()))}

{changed}

## Text

*To be written: what the text is, its size, and its licence.*

## Commands

{newline.join(f"    {command}" for command in commands)}

## Scores

*To be written: UF1, UAS and UUAS with protocol and scheme, beside trivial trees and ceilings; the command that scores.*

## Weaknesses

*To be written: what it is bad at.*

{_NO_LABELS}
"""


def _how_it_parses(parsing: ParsingConfig) -> str:
    """What ``parse`` does if no option says otherwise."""
    cues = "uses punctuation cues" if parsing.punctuation == "evidence" else "uses no punctuation cues"
    words = "gives function words no dependents" if parsing.function_words == LEAVES else "lets function words be heads"
    decoders = [f"--decode {name}" for name in dict.fromkeys((parsing.brackets, parsing.heads)) if name != DEFAULT]
    options = [f"--punctuation {parsing.punctuation}", f"--function-words {parsing.function_words}", *decoders]
    return f"Without options, `parse` {cues} and {words}\n(`{' '.join(options)}`)."


def _version(description: ModelDescription) -> str:
    return str(description.provenance["versions"]["synparse"])


def _storage(description: ModelDescription) -> str:
    return description.packed.storage if description.packed else ""


def _facts(description: ModelDescription) -> dict[str, str]:
    """The rows of a card's table: what the model was trained on, and how."""
    recipe, provenance = description.recipe, description.provenance
    corpus = provenance["corpus"]
    facts = {
        "corpus": ", ".join(corpus["files"]),
        "corpus SHA-256": f"`{corpus['sha256']}`",
        "sentences, words": f"{corpus['training_sentences']:,}, {corpus['training_words']:,} "
        f"(and {corpus['held_out_sentences']:,} sentences held out)",
        "vocabulary": f"{provenance['vocabulary_words']:,} words",
    }
    if recipe.training is not None:
        facts |= {
            "trained": f"{provenance['steps']:,} updates, {provenance['words_seen']:,} words seen, "
            f"{provenance['seconds'] / 60:.1f} minutes on {provenance['device']}, seed {provenance['seed']}",
            "held-out perplexity": f"{provenance['held_out_perplexity']} ({recipe.training.objective})",
        }
    if _is_student(recipe):
        heads, splits = corpus["heads"], corpus["splits"]
        facts["trees"] = f"heads of {heads:,} words, and constituents around {splits:,} gaps between words"
    if "grammar" in provenance:
        facts["grammars"] = grammar_facts(recipe.grammar, provenance["grammar"])
    return facts


def grammar_facts(config: GrammarConfig, provenance: Mapping[str, Any]) -> str:
    """What grammars were learned from, in one line."""
    models = "the dependency-and-boundary model" if config.stops == "outermost" else "the dependency model with valence"
    if config.parts == "all":
        models += f" and {config.grammars} class grammars of {config.nonterminals} nonterminals"
    punctuation = "with punctuation in sight" if config.punctuation == "evidence" else "without punctuation"
    return (
        f"{models} on {provenance['classes']} word classes, learned {punctuation} from {provenance['sentences']:,} "
        f"sentences, {provenance['words']:,} words, in {provenance['seconds'] / 60:.1f} minutes, "
        f"seed {provenance['seed']}"
    )


def _is_student(recipe: Recipe) -> bool:
    return recipe.training is not None and recipe.training.objective == "tree"


def _column(bundle: Bundle, member: str, description: ModelDescription) -> dict[str, str]:
    recipe = description.recipe
    parts = ["brackets"] * (member in bundle.brackets) + ["heads"] * (member in bundle.heads)
    return {
        "gives": " and ".join(parts),
        "model": recipe.model,
        "recipe": " ".join([f"`{recipe.name}`", *(f"`{change}`" for change in _changes(recipe))]),
        **_facts(description),
    }


def _changes(recipe: Recipe) -> list[str]:
    """The settings in which a recipe differs from the shipped one of its name, as ``--set`` takes them; none where no
    recipe of that name is shipped."""
    if recipe.name not in shipped_recipes():
        return []
    return [
        f"{key}={value if isinstance(value, str) else json.dumps(value)}"
        for key, value in changed_settings(recipe, load_recipe(recipe.name))
    ]


def _training(member: str, description: ModelDescription) -> str:
    """The command that trained a model."""
    recipe, provenance = description.recipe, description.provenance
    settings = "".join(f" --set {change}" for change in _changes(recipe))
    files = " ".join(provenance["corpus"]["files"])
    return f"synparse train {files} --recipe {recipe.name}{settings} --seed {provenance['seed']} --output {member}"
