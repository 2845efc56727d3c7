"""Model cards in Markdown: what a model is, what it was trained on and how to use it. Names in them are text, whoever
gave them: no markup, no link, no line of their own."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synparse.config.grammar import GrammarConfig
from synparse.config.parsing import DEFAULT, ParsingConfig
from synparse.config.recipe import ModelRecipe, Recipe, changed_settings, load_recipe, shipped_recipes
from synparse.config.version import __version__
from synparse.files.folders import Content
from synparse.inducers.table import BASELINES
from synparse.store.grammars import gives_heads
from synparse.store.model_directory import CARD, CONFIG, ModelDescription, traits_of
from synparse.store.models import GIVEN_TREES, ORIGINS, Model, config_file, given_trees_of, open_model
from synparse.trees.errors import DataError
from synparse.trees.function_words import ADPOSITIONS, FREE, LEAVES
from synparse.trees.printable import printable

_NO_LABELS = "Dependencies have no relations, and categories, where grammars induce them, have numbers, not names."

_MARKUP = re.compile(r"[\\`*\[\]<>&|~]")


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


@dataclass(frozen=True)
class PackedFrom:
    """What a model was packed from, for brackets and for heads; its size in bytes; and what that changed, None if it
    was not checked."""

    brackets: Sequence[Model]
    heads: Sequence[Model]
    size: int
    changes: Changes | None = None


def described_files(model: Model) -> dict[str, Content]:
    """The files that say what a model directory is: config.yaml and the card. Raises as `model_card`."""
    return {CONFIG: config_file(model), CARD: model_card(_name(model), model)}


def model_card(name: str, model: Model, packed: PackedFrom | None = None) -> bytes:
    """The card of a model directory; of one that was ``packed``, a person must write the rest. Raises DataError where
    the models lack their provenance."""
    try:
        return _card(name, model, packed).encode()
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataError(f"config.yaml lacks the provenance of a model, which the card needs: {error}") from None


def _card(name: str, model: Model, packed: PackedFrom | None) -> str:
    recipes = [member.description.recipe for member in model.members.values()]
    learned = "induced from raw text without annotated trees"
    supervised = [origin["model"] for origin in model.provenance.get(ORIGINS, ()) if origin["supervised"]]
    if given := given_trees_of(model):
        files = _text(", ".join(dict.fromkeys(file for trees in given for file in trees["files"])))
        sentences = sum(trees["sentences"] for trees in given)
        learned = f"semi-supervised: from raw text and {sentences:,} sentences with given trees ({files})"
    elif _has_trees_of_others(model):
        learned = f"{'one of which was ' * (len(recipes) > 1)}trained on trees that it was given"
    elif supervised:
        learned = f"learned with the help of {_text(', '.join(supervised))}, for which there were annotated trees"
    perplexity = ""
    if (training := recipes[0].training) is not None:
        measured_on = _measured_on(next(iter(model.members.values())).description.provenance["corpus"])
        perplexity = f"The perplexity is that of the {training.predicted} in the {measured_on} sentences."
    start = f"""# {_text(name)}

{model.kind}, {learned}, by synparse {_text(model.version or __version__)}.

{_table(model)}
"""
    if all(recipe.model in BASELINES for recipe in recipes):
        return f"""{start}
A language model without trees, which language models that parse are compared with. {perplexity} For other text:

    synparse perplexity {_command([name])} text.txt
"""
    extension = "conllu" if gives_heads(model) else "brackets"
    scores = f"""Its trees have not been scored. To score them on a treebank:

    synparse parse gold.{extension} --model {_command([name])} --format {extension} --output pred.{extension}
    synparse eval pred.{extension} gold.{extension}
"""
    return f"""{start}
{_how_it_parses(model.parsing)}

{perplexity}{chr(10) * 2 * bool(perplexity)}{_of_packed(name, model, packed) if packed else scores}
{_of_labels(model)}
"""


def _of_labels(model: Model) -> str:
    """What names its trees have."""
    if not model.labels:
        return _NO_LABELS if gives_heads(model) else ""
    named = [f"{kind} ({len(names)})" for kind, names in model.labels.items()]
    return f"Learned from the given trees, with their names: {', '.join(named)}; `parse` writes them."


def _of_packed(name: str, model: Model, packed: PackedFrom) -> str:
    storage = next(member.description.packed.storage for member in model.members.values() if member.description.packed)
    changed = "Whether packing changed trees has not been checked."
    if (changes := packed.changes) is not None:
        changed = (
            f"Of {changes.sentences:,} sentences, packing gave {changes.brackets:,} other brackets and "
            f"{changes.heads:,} other heads."
        )
    brackets, heads = ([_name(source) for source in part] for part in (packed.brackets, packed.heads))
    names = brackets if brackets == heads else [*_each("--brackets", brackets), *_each("--heads", heads)]
    options = ["--punctuation", model.parsing.punctuation, "--function-words", model.parsing.function_words]
    sources = {source.directory: source for source in (*packed.brackets, *packed.heads)}.values()
    trained = [_training(source) for source in sources if "corpus" in source.provenance]  # older ones do not say
    pack = ["pack", *names, *options, "--storage", storage, "--output", name]
    commands = "\n".join(f"    synparse {_command(words)}" for words in (*trained, pack))
    return f"""{packed.size / 1e6:.1f} MB, packed for parsing alone ({storage}).

    echo 'The old man the boats .' | synparse parse --model {_command([name])}

{changed}

## Text

*To be written: what the text is, its size, and its licence.*

## Commands

{commands}

*To be completed: the folders of the files, and `--teacher`, `--init`, `--raw` and `--valid` if the run had them.*

## Scores

*To be written: UF1, UAS and UUAS with protocol and scheme, beside trivial trees and ceilings; the command that scores.*

## Weaknesses

*To be written: what it is bad at.*
"""


def _training(model: Model) -> list[str]:
    """The command that made a model directory, without what it does not record: the folders of the files,
    the models that it began with, and how text was read."""
    corpus = model.provenance["corpus"]
    recipe = model.description.recipe.name if model.recipe is None else model.recipe.name
    options = ["--recipe", recipe, *_each("--set", _changes(model.recipe)), "--seed", str(model.provenance["seed"])]
    trees = _each("--trees", corpus.get(GIVEN_TREES, {}).get("files", ()))
    return ["train", *corpus["files"], *options, *trees, "--output", _name(model)]


def _name(model: Model) -> str:
    return model.directory.resolve().name


def _each(option: str, values: Iterable[str]) -> list[str]:
    """The words of an option that is repeated."""
    return [word for value in values for word in (option, value)]


def _command(words: Iterable[str]) -> str:
    """Words as a shell takes them."""
    return shlex.join(map(_line, words))


def tuned_card(name: str, description: ModelDescription) -> bytes:
    """The card of a language model that was tuned to the similarity of sentences."""
    recipe, tuning = description.recipe, description.provenance["tuning"]
    is_frozen = tuning["training"]["freeze_parser"]
    facts = {
        "tuned from": _text(tuning["model"]),
        "pairs": f"{_text(', '.join(tuning['data']))}: {tuning['pairs']:,} (and {tuning['held_out_pairs']:,} held out)",
        "tuned": f"recipe {_code(tuning['recipe'])}, {tuning['steps']:,} updates, {tuning['seconds'] / 60:.1f} minutes "
        f"on {_text(tuning['device'])}, seed {_text(tuning['seed'])}" + "; the parser was frozen" * is_frozen,
        "held-out Spearman": _text(tuning["held_out_spearman"]),
    }
    return f"""# {_text(name)}

{recipe.model} (recipe {_code(recipe.name)}), tuned to scores of the similarity of sentences by synparse
{_text(tuning["versions"]["synparse"])}: they are compared by the cosine of the mean states of their words.

{_rows(["", ""], [facts])}

The scores were given by people. To compare it on other pairs:

    synparse similarity evaluate {_command([name])} --data pairs.tsv

Perplexity in its config.yaml is that of the model before tuning.
""".encode()


def _table(model: Model) -> str:
    """What each model was trained on, and how; then the grammars and the stages."""
    columns = [_facts(model, name, member.description) for name, member in model.members.items()]
    columns[0] |= {f"run: {title}": fact for title, fact in _facts_of_run(model).items()}
    for grammars in model.grammars:
        if grammars.provenance:
            columns[0][_text(grammars.folder) if grammars.folder != "." else "grammars"] = grammar_facts(
                grammars.settings, grammars.provenance
            )
    for stage in model.provenance.get("stages", ()):
        title = f"stage {_text(stage['number'])}: {_text(stage['stage'])}"
        columns[0][title] = f"{stage['minutes']:.1f} minutes; {_text(stage['result'])}"
    return _rows(["", *map(_text, model.members)], columns)


def _rows(titles: Sequence[str], columns: Sequence[Mapping[str, str]]) -> str:
    names = dict.fromkeys(name for column in columns for name in column)
    rows = [f"| {name} | {' | '.join(column.get(name, '') for column in columns)} |" for name in names]
    return "\n".join([f"| {' | '.join(titles)} |", "|---" * len(titles) + "|", *rows])


def _facts(model: Model, name: str, description: ModelDescription) -> dict[str, str]:
    recipe, provenance = description.recipe, description.provenance
    corpus = provenance["corpus"]
    has_heads = traits_of(description).gives_heads or (bool(model.grammars) and gives_heads(model))
    parts = [part for part in ("brackets", "heads")[: 1 + has_heads] if name in getattr(model, part)]
    is_of_run = model.recipe is not None and recipe.name == model.recipe.name  # a teacher is of another run
    facts = {
        "gives": " and ".join(parts),
        "model": recipe.model,
        "recipe": _codes([recipe.name, *(_changes(model.recipe) if is_of_run else [])]),
        **_facts_of_text(corpus),
        "vocabulary": f"{provenance['vocabulary_words']:,} words",
    }
    if recipe.training is not None:
        facts |= {
            "trained": f"{provenance['steps']:,} updates, {provenance['words_seen']:,} words seen, "
            f"{provenance['seconds'] / 60:.1f} minutes on {_text(provenance['device'])}, "
            f"seed {_text(provenance['seed'])}",
            f"{_measured_on(corpus)} perplexity": f"{_text(provenance['held_out_perplexity'])} "
            f"({recipe.training.objective})",
        }
    if _is_of_student(recipe):
        heads, splits = corpus["heads"], corpus["splits"]
        facts["trees"] = f"heads of {heads:,} words, and constituents around {splits:,} gaps between words"
    return facts


def _facts_of_run(model: Model) -> dict[str, str]:
    """The recipe and the text of the run, where no model has them: a student learns from trees, and a teacher has
    learned before."""
    descriptions = [member.description for member in model.members.values()]
    recipe, corpus = model.recipe, model.provenance.get("corpus", {})
    facts = {}
    if origins := model.provenance.get(ORIGINS):
        facts["models before"] = _text(", ".join(dict.fromkeys(origin["model"] for origin in origins)))
    if recipe is not None and all(other.recipe.name != recipe.name for other in descriptions):
        facts["recipe"] = _codes([recipe.name, *_changes(recipe)])
    if "sha256" in corpus and all(other.provenance["corpus"]["sha256"] != corpus["sha256"] for other in descriptions):
        facts |= _facts_of_text(corpus)
    return facts


def _measured_on(corpus: Mapping[str, Any]) -> str:
    """The part of a text whose perplexity is measured: of a very short text, nothing is held out."""
    return "held-out" if corpus.get("held_out_sentences", 1) else "training"


def _facts_of_text(corpus: Mapping[str, Any]) -> dict[str, str]:
    size = f"{corpus['training_sentences']:,}, {corpus['training_words']:,}"
    held_out = corpus.get("held_out_sentences", 0)
    return {
        "corpus": _text(", ".join(corpus["files"])),
        "corpus SHA-256": _code(corpus["sha256"]),
        "sentences, words": f"{size} (and {held_out:,} sentences held out)" if held_out else size,
    }


def grammar_facts(config: GrammarConfig, provenance: Mapping[str, Any]) -> str:
    """What grammars were learned from, in one line."""
    models = "the dependency-and-boundary model" if config.stops == "outermost" else "the dependency model with valence"
    if config.parts == "all":
        count = config.class_grammars
        models += f" and {count} class grammar{'s' * (count > 1)} of {config.nonterminals} nonterminals"
        models += f", and a focused one of {config.focused_nonterminals}," if config.focused_passes else ""
    punctuation = "with punctuation cues" if config.punctuation == "evidence" else "without punctuation cues"
    return (
        f"{models} on {_text(provenance['classes'])} word classes, learned {punctuation} from "
        f"{provenance['sentences']:,} sentences, {provenance['words']:,} words, in "
        f"{provenance['seconds'] / 60:.1f} minutes, seed {_text(provenance['seed'])}"
    )


def _how_it_parses(parsing: ParsingConfig) -> str:
    """What ``parse`` does if no option says otherwise."""
    cues = "uses punctuation cues" if parsing.punctuation == "evidence" else "uses no punctuation cues"
    words = _CONVENTIONS[parsing.function_words]
    recorded = (("brackets", parsing.brackets), ("heads", parsing.heads))
    decoders = [f"--decode-{part} {decoder}" for part, decoder in recorded if decoder != DEFAULT]
    options = [f"--punctuation {parsing.punctuation}", f"--function-words {parsing.function_words}", *decoders]
    return f"Without options, `parse` {cues} and {words}\n(`{' '.join(options)}`)."


_CONVENTIONS = {
    FREE: "lets function words be heads",
    LEAVES: "gives function words no dependents",
    ADPOSITIONS: "gives function words but adpositions no dependents",
}


def _line(value: object) -> str:
    return printable(" ".join(str(value).split()))


def _text(value: object) -> str:
    return _MARKUP.sub(r"\\\g<0>", _line(value))


def _codes(values: Iterable[str]) -> str:
    return " ".join(map(_code, values))


def _code(value: object) -> str:
    text = _line(value).replace("`", "'").replace("|", r"\|")
    return f"`{text}`"


def origin_of(name: str) -> dict[str, Any]:
    """What the provenance says of a model that teaches another one, or gives it its first weights: its name, and
    whether annotated trees are behind it. Raises as `open_model`."""
    model = open_model(name)
    of_others = any(origin["supervised"] for origin in model.provenance.get(ORIGINS, ()))
    is_supervised = of_others or bool(given_trees_of(model)) or _has_trees_of_others(model)
    return {"model": Path(name).name, "supervised": is_supervised}


def _has_trees_of_others(model: Model) -> bool:
    """Whether it is a student of trees that its run did not make."""
    makes_trees = any(stage["stage"] == "trees" for stage in model.provenance.get("stages", ()))
    return not makes_trees and any(_is_of_student(member.description.recipe) for member in model.members.values())


def _is_of_student(recipe: ModelRecipe) -> bool:
    return recipe.training is not None and recipe.training.objective == "tree"


def _changes(recipe: Recipe | None) -> list[str]:
    """The settings in which a recipe differs from the shipped one of its name, as ``--set`` takes them; none where no
    recipe of that name is shipped."""
    if recipe is None or recipe.name not in shipped_recipes():
        return []
    return [
        f"{key}={value if isinstance(value, str) else json.dumps(value)}"
        for key, value in changed_settings(recipe, load_recipe(recipe.name))
    ]
