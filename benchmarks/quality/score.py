"""Scores the trees of trained models: a row in the table quality.tsv for each way to treat punctuation.

    python -m benchmarks.quality.score RUNS/udgn-small-1f2e3d4c/seed-*      seeds of one parser: mean (deviation)
    python -m benchmarks.quality.score --together udgn on-lstm grammars     models that parse together, as one parser
    python -m benchmarks.quality.score english --function-words leaves      a shipped model, one convention everywhere
    python -m benchmarks.quality.score --trivial                            trivial parsers, and upper bounds

A row of an ablation, with what its making took where no config tells:

    python -m benchmarks.quality.score --topic parts --name "all but the ON-LSTM" --together udgn structformer \\
        --minutes-spent 70 --cpu-minutes-spent 68

--together may be repeated: each group is then a seed of one parser. Every sentence is parsed once for each row and
convention of function words. Gold trees are only read to score. benchmarks/quality/table.py explains the columns. The
row keeps the command as it is typed, so name models by paths that others have, too.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.commands import Record, read_record
from benchmarks.quality.gold import (
    DATA,
    DIRECTIONS,
    Gold,
    Golds,
    Source,
    agreement,
    compared,
    directions,
    in_per_cent,
    read_golds,
    scores_of_run,
)
from benchmarks.quality.table import NOTHING, TABLE, add_rows, made_now, mean_and_spread
from synparse.config.parsing import DEFAULT
from synparse.config.recipe import ModelRecipe, NetworkStage, Recipe, changed_settings, load_recipe, shipped_recipes
from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.sentences import BRACKETS, CONLLU
from synparse.corpora.vocabulary import Vocabulary
from synparse.files.folders import stored
from synparse.files.tables import Row
from synparse.inducers.table import default_recipe
from synparse.parsing.options import PUNCTUATION
from synparse.parsing.parse import Parse
from synparse.parsing.parser import Parser
from synparse.scoring.baselines import RANDOM_SEEDS
from synparse.scoring.comparison import Wanted
from synparse.store.model_directory import LOG, VOCABULARY, StoredModel
from synparse.store.models import open_model
from synparse.store.shipped import model_folder
from synparse.trees.conllu import induced_relations, with_heads
from synparse.trees.constituency import format_brackets
from synparse.trees.function_words import FUNCTION_WORDS
from synparse.trees.spans import LEFT, RIGHT
from synparse.trees.trivial import RANDOM

BY_TREEBANK = "WSJ free, UD leaves"
"""The cell of function words, where each gold file has the convention of its trees (`Source.function_words`)."""

FLAT = ", flat base phrases"
"""The end of the cell of decoders for trees with flat base phrases."""

Models = Sequence[Path]
"""The model directories that parse together, nearly always one: a seed of a row."""


class Decoders(NamedTuple):
    """Of brackets and of heads; None where a tree of that kind is not wanted. flat: base phrases have no constituents
    inside."""

    trees: str | None = DEFAULT
    heads: str | None = DEFAULT
    flat: bool = False

    def __str__(self) -> str:
        return " / ".join(name or NOTHING for name in (self.trees, self.heads)) + FLAT * self.flat


class Run(NamedTuple):
    """What made the models of one seed: cells, and numbers where they are known. words: million words seen."""

    parser: str
    changes: str
    text: str
    seed: str | None = None
    perplexity: float | None = None
    words: float | None = None
    minutes: float | None = None
    record: Record = Record()


def chosen_decoders(parser: Parser, decoders: Decoders) -> Decoders:
    """With the model's own decoders in place of `DEFAULT`, None where it has none.

    Raises ValueError for others that it cannot feed.
    """
    chosen: list[str | None] = []
    for name, possible in ((decoders.trees, parser.tree_decoders), (decoders.heads, parser.head_decoders)):
        if name not in (DEFAULT, None, *possible):
            raise ValueError(f"{parser.name} cannot be decoded by {name!r}; there are {', '.join(possible) or 'none'}")
        chosen.append(next(iter(possible), None) if name == DEFAULT else name)
    return Decoders(chosen[0], chosen[1], decoders.flat)


def parsed(parser: Parser, golds: Golds, decoders: Decoders) -> Mapping[tuple[str, ...], Parse]:
    """The trees of the sentences of these files, each parsed once, for the kinds of trees that are scored."""
    kinds: dict[tuple[str, ...], set[str]] = {}
    for gold in golds.values():
        for sentence in gold.sentences:
            kinds.setdefault(tuple(sentence.tokens), set()).add(gold.kind)
    found: dict[tuple[str, ...], Parse] = {}
    for wanted in ({BRACKETS, CONLLU}, {BRACKETS}, {CONLLU}):
        trees, heads = decoders.trees if BRACKETS in wanted else None, decoders.heads if CONLLU in wanted else None
        if trees is not None or heads is not None:
            tokens = [sentence for sentence, of_sentence in kinds.items() if of_sentence == wanted]
            found |= zip(tokens, parser.stream(tokens, brackets=trees, heads=heads, flat=decoders.flat), strict=True)
    return found


def predicted(gold: Gold, parses: Mapping[tuple[str, ...], Parse]) -> list[str]:
    """The sentences of a gold file with these trees; brackets without tags."""
    pairs = ((sentence, parses[tuple(sentence.tokens)]) for sentence in gold.sentences)
    if gold.kind == BRACKETS:
        return [f"{format_brackets(parse.tree)}\n" for _, parse in pairs if parse.tree is not None]
    return [
        "".join(with_heads(sentence.conllu, parse.heads, induced_relations(parse.heads)).lines)
        for sentence, parse in pairs
        if sentence.conllu is not None and parse.heads is not None
    ]


def has_known_words(tokens: Iterable[str], vocabulary: Vocabulary, text: TextConfig) -> bool:
    """Whether the model knows every word that it reads of a sentence."""
    forms = (normalize(token, text) for token in tokens)
    return all(form is None or vocabulary.knows(form) for form in forms)


def readers_of(models: Models) -> list[tuple[Vocabulary, TextConfig]]:
    """What each of the models knows, and how it reads."""
    members = [member for name in models for member in open_model(name).members.values()]
    files = (stored(member.directory, VOCABULARY) for member in members)
    return [
        (Vocabulary.read(file, sys.maxsize), member.description.recipe.text)
        for file, member in zip(files, members, strict=True)
    ]


def score_cells(
    seeds: Sequence[Models], golds: Golds, decoders: Decoders, punctuation: str, function_words: str | None
) -> Row:
    """The cells of what the seeds of one row give on the gold files. ``function_words``: None: by treebank."""
    chosen: Decoders | None = None
    predictions: dict[Source, list[list[str]]] = {}
    for models in seeds:
        for convention in FUNCTION_WORDS:
            files = {one: gold for one, gold in golds.items() if convention == (function_words or one.function_words)}
            if not files:
                continue
            parser = Parser.load(models, punctuation=punctuation, function_words=convention)
            chosen = chosen_decoders(parser, decoders)
            files = {one: gold for one, gold in files.items() if _decoder_for(gold, chosen) is not None}
            parses = parsed(parser, files, chosen)
            for source, gold in files.items():
                predictions.setdefault(source, []).append(predicted(gold, parses))
    assert chosen is not None
    readers = [readers_of(models) for models in seeds]
    values: dict[str, list[float | None]] = {}
    for source, gold in golds.items():
        if source not in predictions:
            continue
        runs = [
            scores_of_run(source, gold, prediction, _known(gold, of_seed))
            for of_seed, prediction in zip(readers, predictions[source], strict=True)
        ]
        found = {column: [run[column] for run in runs] for column in runs[0]}
        values = found | agreement(source, predictions[source]) | values  # of a treebank's files the first one counts
    return {
        "decoders": str(chosen),
        "punctuation": punctuation,
        "function words": (function_words or BY_TREEBANK) if chosen.heads is not None else NOTHING,
        **cells_of(values),
    }


def cells_of(values: Mapping[str, Sequence[float | None]]) -> dict[str, str]:
    """The cells of scores over seeds, by column."""
    return {column: mean_and_spread(found, 2 if column in DIRECTIONS else 1) for column, found in values.items()}


def _decoder_for(gold: Gold, decoders: Decoders) -> str | None:
    return decoders.trees if gold.kind == BRACKETS else decoders.heads


def _known(gold: Gold, readers: Sequence[tuple[Vocabulary, TextConfig]]) -> list[bool]:
    return [all(has_known_words(sentence.tokens, *reader) for reader in readers) for sentence in gold.sentences]


def changes_of(recipe: Recipe) -> tuple[str, str]:
    """The shipped recipe that this one is compared with, and the settings that differ; epochs belong to the budget."""
    model = recipe.networks[0].model if recipe.networks else "grammar"
    base = recipe.name if recipe.name in shipped_recipes() else default_recipe(model)
    changes = changed_settings(recipe, load_recipe(base))
    return base, " ".join(f"{key}={value}" for key, value in changes if not _is_no_choice(key, value))


def _is_no_choice(key: str, value: object) -> bool:
    """Whether a setting is told elsewhere (epochs), or was filled in by training (the direction of branching)."""
    return key.endswith("training.epochs") or (key.endswith("grammar.branching") and value in (RIGHT, LEFT))


def run_of(models: Models) -> Run:
    """What made these models. The minutes of models that parse together are added up, if all are known."""
    runs = [_run_of_one(model_folder(name)) for name in models]
    if len(runs) == 1:
        return runs[0]
    counts = Counter(run.parser for run in runs)
    minutes, cpu = ([run.minutes for run in runs], [run.record.cpu_minutes for run in runs])
    return Run(
        " + ".join(f"{count} {name}" if count > 1 else name for name, count in counts.items()),
        "; ".join(dict.fromkeys(run.changes for run in runs if run.changes != NOTHING)) or NOTHING,
        "; ".join(dict.fromkeys(run.text for run in runs)),
        minutes=_sum(minutes),
        record=Record(cpu_minutes=_sum(cpu)),
    )


def _run_of_one(directory: Path) -> Run:
    model, record = open_model(directory), read_record(directory)
    members = list(model.members.values())
    if model.recipe is None and len(members) > 1:  # packed
        parts = [f"{part} {' '.join(names)}" for part in ("brackets", "heads") if (names := getattr(model, part))]
        texts = dict.fromkeys(_text_of(member.description.provenance) for member in members)
        minutes = _sum([_minutes_of(member) for member in members])
        return Run(directory.name, "; ".join(parts), "; ".join(texts), minutes=minutes, record=record)
    recipe = model.recipe or _recipe_of(model.description.recipe)
    base, changes = changes_of(recipe)
    parts = [] if recipe.networks else [name for name, member in model.members.items() if _is_network(member)]
    own = recipe.name if recipe.name == base else f"{recipe.name} (changes: against {base})"
    provenance = {**members[0].description.provenance, **model.provenance}
    run = Run(" + ".join([*parts, own]), changes or NOTHING, _text_of(provenance), str(provenance["seed"]))
    stages = provenance.get("stages")
    minutes = sum(stage["minutes"] for stage in stages) if stages else _minutes_of(members[0])
    if len(recipe.networks) == len(members) == 1:
        words = _last_logged(members[0]).get("words", provenance.get("words_seen"))
        run = run._replace(
            perplexity=provenance.get("held_out_perplexity"), words=None if words is None else words / 1e6
        )
    return run._replace(minutes=minutes, record=record)


def _is_network(member: StoredModel) -> bool:
    return member.description.recipe.training is not None


def _recipe_of(recipe: ModelRecipe) -> Recipe:
    """The recipe of one model, whose directory is part of another or has been packed."""
    training = recipe.training
    stages = () if training is None else (NetworkStage(recipe.model, recipe.architecture, recipe.text, training),)
    return Recipe(recipe.name, "", "", recipe.text, stages)


def _last_logged(member: StoredModel) -> dict[str, Any]:
    log = stored(member.directory, LOG)
    logged: dict[str, Any] = json.loads(log.read_text(encoding="utf-8").splitlines()[-1]) if log.is_file() else {}
    return logged


def _minutes_of(member: StoredModel) -> float | None:
    """What the training of one model took, and that of grammars beside it, if an earlier version learned them."""
    provenance = member.description.provenance
    of_grammars = provenance.get("grammar", {}).get("seconds")
    found = (_last_logged(member).get("seconds", provenance.get("seconds")), of_grammars)
    seconds = [one for one in found if one is not None]
    return sum(seconds) / 60 if seconds else None


def _text_of(provenance: Mapping[str, Any]) -> str:
    corpus = provenance["corpus"]
    return f"{' + '.join(corpus['files'])} ({corpus['training_words'] / 1e6:.2f} M words)"


def _sum(values: Sequence[float | None]) -> float | None:
    """None where one of them is."""
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def run_cells(runs: Sequence[Run]) -> Row:
    """The cells that say which runs, the seeds of one row, these are, and what they cost."""
    commits = dict.fromkeys(commit for run in runs for commit in run.record.commits)
    count = f"{len(runs)} seeds" if len(runs) > 1 else NOTHING
    return {
        **{"parser": runs[0].parser, "changes": runs[0].changes, "text": runs[0].text},
        **{"budget": runs[0].record.settings, "cores": runs[0].record.cores},
        "seeds": " ".join(run.seed for run in runs if run.seed is not None) or count,
        "perplexity": mean_and_spread(run.perplexity for run in runs),
        "M words seen": mean_and_spread((run.words for run in runs), 2),
        "minutes": mean_and_spread(run.minutes for run in runs),
        "CPU minutes": mean_and_spread(run.record.cpu_minutes for run in runs),
        "trained at": " ".join(commits) or NOTHING,
    }


def trivial_rows(golds: Golds, more: Row) -> list[Row]:
    """A row for each tree that knows nothing, and for the best that a binary or a projective tree can reach."""
    found: dict[str, dict[str, str]] = {}
    for source, gold in golds.items():
        for rule in source.rules:
            comparison = compared(source.kind, gold.texts, gold.texts, rule, wanted=Wanted(baselines=True))
            for system in comparison.baselines:
                seeds = " ".join(map(str, RANDOM_SEEDS)) if system.name == RANDOM else NOTHING
                cells = found.setdefault(system.name, {"parser": system.name, "seeds": seeds, **more})
                scores = dict(zip(source.columns_of(rule), in_per_cent(system.scores, source.measures), strict=True))
                cells |= cells_of({name: [value] for name, value in (scores | directions(source, scores)).items()})
    return list(found.values())


def add_options(options: argparse.ArgumentParser) -> None:
    options.add_argument("--decode-brackets", default=DEFAULT, metavar="DECODER", help="another decoder of brackets")
    options.add_argument("--decode-heads", default=DEFAULT, metavar="DECODER", help="another decoder of heads")
    options.add_argument("--flat", action="store_true", help="as of synparse parse")
    options.add_argument("--punctuation", choices=PUNCTUATION, help="as of synparse parse; default: a row for each")
    options.add_argument("--function-words", choices=FUNCTION_WORDS, help=f"default: {BY_TREEBANK}")
    options.add_argument("--topic", help="the table of docs/results.md that is to show the row")
    options.add_argument("--name", help="of the parser in the table; default: from the models")
    options.add_argument("--minutes-spent", type=float, metavar="M", help="of a seed, if its config does not tell")
    options.add_argument("--cpu-minutes-spent", type=float, metavar="M", help="of a seed, if it was not recorded")
    options.add_argument("--note", help="what the row is to say beside its figures")
    options.add_argument("--data", type=Path, default=DATA, help="the folder DATA, with the gold files")
    options.add_argument("--table", type=Path, default=TABLE)


def scored_rows(seeds: Sequence[Models], golds: Golds, chosen: argparse.Namespace, made: Row) -> Iterator[Row]:
    """The rows of the seeds of one parser, one for each way to treat punctuation. Exits where they are different
    parsers, and no name says what they have in common."""
    runs = [run_of(models) for models in seeds]
    parsers = dict.fromkeys(run.parser for run in runs)
    if len(parsers) > 1 and chosen.name is None:
        sys.exit(f"not seeds of one parser: {', '.join(parsers)}; --together makes one parser of them, --name one row")
    given = {
        **{"topic": chosen.topic, "parser": chosen.name, "note": chosen.note},
        "minutes": None if chosen.minutes_spent is None else mean_and_spread([chosen.minutes_spent]),
        "CPU minutes": None if chosen.cpu_minutes_spent is None else mean_and_spread([chosen.cpu_minutes_spent]),
    }
    about = {**run_cells(runs), **{name: cell for name, cell in given.items() if cell is not None}, **made}
    for punctuation in [chosen.punctuation] if chosen.punctuation else PUNCTUATION[::-1]:
        decoders = Decoders(chosen.decode_brackets, chosen.decode_heads, chosen.flat)
        yield {**about, **score_cells(seeds, golds, decoders, punctuation, chosen.function_words)}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("models", nargs="*", type=Path, metavar="MODEL", help="directories: the seeds of one parser")
    options.add_argument(
        "--together",
        nargs="+",
        type=Path,
        action="append",
        default=[],
        metavar="MODEL",
        help="models that parse together, as one parser; repeatable, for each seed of it",
    )
    options.add_argument("--trivial", action="store_true", help="score trees that know nothing")
    add_options(options)
    chosen = options.parse_args()
    seeds = [*([model] for model in chosen.models), *chosen.together]
    if bool(seeds) == chosen.trivial:
        options.error("name models, or --trivial")
    golds = read_golds(chosen.data)
    if not golds:
        options.error(f"no gold files in {chosen.data}; name their folder with --data")
    made = made_now("benchmarks.quality.score")
    if chosen.trivial:
        rows: Iterable[Row] = trivial_rows(golds, {"topic": chosen.topic or "trivial", **made})
    else:
        rows = scored_rows(seeds, golds, chosen, made)
    add_rows(chosen.table, rows)


if __name__ == "__main__":
    main()
