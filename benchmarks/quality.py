"""How good the trees of a recipe are under a budget of time, over seeds: a row in the table of quality.tsv.

    python benchmarks/quality.py --recipe udgn-small --minutes 20 --seeds 1 2 3 --work RUNS
    python benchmarks/quality.py --recipe udgn-small --set training.mask_rate=0.4 --epochs 3 --work RUNS --parallel 2
    python benchmarks/quality.py --models DIR…    scores models that are there, those of one recipe and text in one row,
                                                  and a directory of several models, or a shipped one, in its own
    python benchmarks/quality.py --trivial        trees that know nothing, and ceilings
    python benchmarks/quality.py --show           prints the table as Markdown

**Models are chosen by held-out perplexity or by agreement between seeds, never by gold trees.** Of a run, the weights
of the lowest held-out perplexity are kept; between settings, these two columns decide. Scores against gold trees are
there to be reported. Perplexities compare where model, vocabulary and text are the same: a masked language model and
one of next words predict other things. Classes of unknown words (text.unknown_classes) change nothing in what is
predicted, so runs with and without them compare.

Each seed's model is kept under --work in a folder named for recipe, budget and text. The same command again trains what
is not finished, from its last checkpoint, and scores. To train anew after the code has changed, name another --work.

Columns; with several seeds a cell is the mean, and in parentheses the standard deviation (n − 1):

- parser, changes: the recipe, and settings that differ from the shipped one of that name (where there is none, from the
  small recipe of the model, which is named); budget: minutes of a seed's whole run, or epochs; decoders: of brackets
  and of heads, the model's own by default, whether punctuation was evidence, and whether function words were leaves;
  text: the files trained on;
- perplexity: held out; M words seen, minutes: by the end of the run (wall time, reading the corpus included); cores:
  threads of each run, and how many ran at once;
- WSJ (the sample, wsj/trees.mrg), GUM and EWT (their dev parts), per cent: UF1 is the mean over sentences, by protocol
  shen2018 (a sentence of one word scores 1) and kim2019 (it is left out); UAS and UUAS are against basic Stanford
  Dependencies or Universal Dependencies (UD), without punctuation, the root scored like a word;
- known, unknown: the same on sentences whose words are all in the model's vocabulary, and on the others (words as the
  model reads them, punctuation left out); known share: per cent of sentences, of the treebank's first file that the
  model has trees for;
- agreement: each two seeds' trees scored against each other (UF1 by kim2019), mean and spread over pairs. No gold
  annotation is used: punctuation goes by form;
- trained at, scored at: commits, with + where files had changed since; several, where runs began or went on at several;
  date; note.

A row replaces one that has the same parser, changes, budget, decoders, text, seeds, cores, commit of training and note.
The ceilings: a binary tree with all gold constituents, a projective tree with the most gold heads.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import hashlib
import io
import itertools
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, TypeAlias

import torch

from synparse.config.recipe import SECTIONS, Recipe, changed_settings, load_recipe, shipped_recipes
from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.sentences import BRACKETS, CONLLU, Sentence, format_of_file, sentences_of
from synparse.corpora.tokenization import load_tokenizer
from synparse.corpora.vocabulary import Vocabulary
from synparse.files.folders import stored
from synparse.files.streams import read_lines, write_whole
from synparse.inducers.table import INDUCERS
from synparse.parsing.options import EVIDENCE, PUNCTUATION
from synparse.parsing.parser import DEFAULT, Parser
from synparse.scoring.baselines import RANDOM, RANDOM_SEEDS
from synparse.scoring.bracket_comparison import compare_brackets
from synparse.scoring.comparison import Comparison, Scores, Wanted
from synparse.scoring.head_comparison import compare_heads
from synparse.scoring.in_step import NamedLines
from synparse.store.bundle import Bundle, open_model
from synparse.store.model_directory import CONFIG, LOG, MEMBERS, load_model, read_description
from synparse.store.shipped import model_folder
from synparse.training.checkpoint import is_unfinished
from synparse.trees.brackets import format_brackets, read_brackets
from synparse.trees.conllu import induced_relations, read_conllu, with_heads
from synparse.trees.function_words import FUNCTION_WORDS, LEAVES

ROOT = Path(__file__).resolve().parents[1]
TABLE = Path(__file__).with_suffix(".tsv")
TEXTS = ("text/ewt-gum.txt", "text/brown.txt")

MEASURES = {BRACKETS: ("uf1_sentence",), CONLLU: ("uas", "uuas")}
"""Of each kind of trees, as they are named in `Scores`."""

TITLES = {"uf1_sentence": "UF1", "uas": "UAS", "uuas": "UUAS"}


class Source(NamedTuple):
    """A gold file of DATA: its treebank, its kind of trees, and what tells its scores apart: the protocols of brackets,
    the scheme of heads."""

    bank: str
    kind: str
    rules: tuple[str, ...]
    file: str

    @property
    def fraction(self) -> str:
        return f"{self.bank} known share"

    @property
    def measures(self) -> tuple[str, ...]:
        return MEASURES[self.kind]

    def columns(self) -> list[str]:
        return [column for rule in self.rules for column in self.columns_of(rule)]

    def columns_of(self, rule: str) -> list[str]:
        return [f"{self.bank} {TITLES[measure]} {rule}" for measure in self.measures]

    def agreements(self) -> list[str]:
        return [f"{self.bank} agreement {TITLES[measure]}" for measure in self.measures]


PROTOCOLS = ("shen2018", "kim2019")
SOURCES = (
    Source("WSJ", BRACKETS, PROTOCOLS, "wsj/trees.mrg"),
    Source("WSJ", CONLLU, ("stanford",), "conversion/wsj.sd.conll"),
    Source("GUM", BRACKETS, PROTOCOLS, "gum/dev.ptb"),
    Source("GUM", CONLLU, ("UD",), "gum/dev.conllu"),
    Source("GUM", CONLLU, ("stanford",), "conversion/gum-dev.sd.conll"),
    Source("EWT", CONLLU, ("UD",), "ewt/dev.conllu"),
)

SCORES = tuple(column for source in SOURCES for column in source.columns())
FRACTIONS = tuple(dict.fromkeys(source.fraction for source in SOURCES))
AGREEMENTS = tuple(dict.fromkeys(column for source in SOURCES for column in source.agreements()))
KNOWN, UNKNOWN = ", known", ", unknown"
COSTS = ("M words seen", "minutes")
COLUMNS = (
    *("parser", "changes", "budget", "seeds", "decoders", "perplexity"),
    *SCORES,
    *(f"{score}{part}" for part in (KNOWN, UNKNOWN) for score in SCORES),
    *FRACTIONS,
    *AGREEMENTS,
    *("text", *COSTS, "cores", "trained at", "scored at", "date", "note"),
)
IDENTITY = ("parser", "changes", "budget", "decoders", "text", "seeds", "cores", "trained at", "note")
NOTHING = "–"

Row = Mapping[str, str]
"""Cells by column."""


class Gold(NamedTuple):
    """The sentences of a gold file, as text and as a parser reads them, and their kind of trees."""

    kind: str
    texts: tuple[str, ...]
    sentences: tuple[Sentence, ...]


Golds: TypeAlias = "Mapping[Source, Gold]"
"""The gold files that are there."""


class Decoders(NamedTuple):
    """Of brackets and of heads; None where a tree of that kind is not wanted."""

    trees: str | None = DEFAULT
    heads: str | None = DEFAULT


class Conventions(NamedTuple):
    """What punctuation and function words are to trees, as of `Parser.load`; None: as the model has it."""

    punctuation: str | None = None
    function_words: str | None = None


class Budget(NamedTuple):
    """Of each seed's run: minutes, or epochs, or neither, where the recipe's epochs count."""

    minutes: float | None = None
    epochs: int | None = None

    def name(self, recipe: Recipe) -> str:
        count, unit = (recipe.training.epochs, "epoch") if self.minutes is None else (self.minutes, "minute")
        return f"{count:g} {unit}{'s' * (count != 1)}"


def read_gold(path: Path) -> Gold:
    """Raises DataError(file:line) where the file is malformed."""
    kind, lines = format_of_file(str(path)), read_lines(str(path))
    if kind == BRACKETS:
        texts = tuple(f"{format_brackets(tree)}\n" for _, tree in read_brackets(lines, str(path)))
    else:
        texts = tuple("".join(sentence.lines) for sentence in read_conllu(lines, str(path)) if sentence.rows)
    sentences = sentences_of(io.StringIO("".join(texts)), str(path), load_tokenizer("whitespace"), kind)
    return Gold(kind, texts, tuple(sentences))


def predicted(parser: Parser, gold: Gold, decoders: Decoders) -> list[str]:
    """The sentences of a gold file with the parser's trees; brackets without tags."""
    tokens = (sentence.tokens for sentence in gold.sentences)
    if gold.kind == BRACKETS:
        parses = parser.stream(tokens, decoders.trees, None)
        return [f"{format_brackets(parse.tree)}\n" for parse in parses if parse.tree is not None]
    return [
        "".join(with_heads(sentence.conllu, parse.heads, induced_relations(parse.heads)).lines)
        for sentence, parse in zip(gold.sentences, parser.stream(tokens, *decoders), strict=True)
        if sentence.conllu is not None and parse.heads is not None
    ]


def compared(
    kind: str,
    prediction: Iterable[str],
    gold: Iterable[str],
    protocol: str = "kim2019",
    punctuation: str = "auto",
    wanted: Wanted | None = None,
) -> Comparison:
    """Predicted sentences against gold ones; ``protocol`` is of brackets, ``punctuation`` of heads.

    Raises DataError where there are no sentences, or they do not line up.
    """
    ours = NamedLines("prediction", io.StringIO("".join(prediction)))
    theirs = NamedLines("gold", io.StringIO("".join(gold)))
    if kind == BRACKETS:
        return compare_brackets([ours], theirs, protocol, wanted=wanted)
    return compare_heads([ours], theirs, punctuation=punctuation, wanted=wanted)


def in_per_cent(scores: Scores, names: Iterable[str]) -> list[float | None]:
    """Some of the scores, as `synparse eval` prints them."""
    values = [scores[name] for name in names]
    return [None if value is None else round(100 * value, 2) for value in values]


def has_known_words(tokens: Iterable[str], vocabulary: Vocabulary, text: TextConfig) -> bool:
    """Whether the model knows every word that it reads of a sentence."""
    forms = (normalize(token, text) for token in tokens)
    return all(form is None or vocabulary.knows(form) for form in forms)


def scores_of_part(source: Source, gold: Gold, prediction: Sequence[str], part: Sequence[bool]) -> list[float | None]:
    """The scores of some of the sentences, a value for each of the source's columns; None where there are none."""
    if not any(part):
        return [None] * len(source.columns())
    ours, theirs = list(itertools.compress(prediction, part)), list(itertools.compress(gold.texts, part))
    systems = (compared(source.kind, ours, theirs, rule).systems[0] for rule in source.rules)
    return [value for system in systems for value in in_per_cent(system.scores, source.measures)]


def scores_of_run(
    source: Source, gold: Gold, prediction: Sequence[str], known: Sequence[bool]
) -> dict[str, float | None]:
    """Scores by column: of all sentences, of those of known words alone, and of the others."""
    parts = {"": [True] * len(known), KNOWN: known, UNKNOWN: [not is_known for is_known in known]}
    found: dict[str, float | None] = {source.fraction: 100 * statistics.mean(known)}
    for suffix, part in parts.items():
        names = [f"{column}{suffix}" for column in source.columns()]
        found |= zip(names, scores_of_part(source, gold, prediction, part), strict=True)
    return found


def agreement(source: Source, predictions: Sequence[Sequence[str]]) -> dict[str, list[float | None]]:
    """How far each two runs agree in per cent, by column; without gold trees or tags."""
    pairs = [
        in_per_cent(compared(source.kind, other, one, punctuation="form").systems[0].scores, source.measures)
        for one, other in itertools.combinations(predictions, 2)
    ]
    return {column: [pair[position] for pair in pairs] for position, column in enumerate(source.agreements())}


def mean_and_spread(values: Iterable[float | None], decimals: int = 1) -> str:
    """The mean of what is there, and of several their standard deviation (n − 1).

    >>> mean_and_spread([1.0, 3.0]), mean_and_spread([2.0]), mean_and_spread([None])
    ('2.0 (1.4)', '2.0', '–')
    """
    known = [value for value in values if value is not None]
    if not known:
        return NOTHING
    spread = f" ({statistics.stdev(known):.{decimals}f})" if len(known) > 1 else ""
    return f"{statistics.mean(known):.{decimals}f}{spread}"


def chosen_decoders(parser: Parser, decoders: Decoders) -> Decoders:
    """With the model's own decoders in place of `DEFAULT`, None where it has none.

    Raises ValueError for others that it cannot feed.
    """
    chosen = []
    for name, possible in zip(decoders, (parser.tree_decoders, parser.head_decoders), strict=True):
        if name not in (DEFAULT, None, *possible):
            raise ValueError(f"{parser.model} cannot be decoded by {name!r}; there are {', '.join(possible) or 'none'}")
        chosen.append(next(iter(possible), None) if name == DEFAULT else name)
    return Decoders(*chosen)


def members_of(directory: Path) -> list[Path]:
    """The directories of the models behind a name."""
    return [member.directory for member in open_model(directory).members.values()]


def score_cells(directories: Sequence[Path], golds: Golds, decoders: Decoders, how: Conventions) -> Row:
    """The cells of what these models, the seeds of one row, give on the gold files."""
    values: dict[str, list[float | None]] = {}
    parsers = [Parser.load(directory, **how._asdict()) for directory in directories]
    models = [[load_model(member) for member in members_of(directory)] for directory in directories]
    for source, gold in golds.items():
        if (decoders.trees if gold.kind == BRACKETS else decoders.heads) is None:
            continue
        predictions = [predicted(parser, gold, decoders) for parser in parsers]
        runs = []
        for members, prediction in zip(models, predictions, strict=True):
            known = [
                all(has_known_words(sentence.tokens, one.vocabulary, one.description.recipe.text) for one in members)
                for sentence in gold.sentences
            ]
            runs.append(scores_of_run(source, gold, prediction, known))
        found = {column: [run[column] for run in runs] for column in runs[0]}
        values = found | agreement(source, predictions) | values  # of a treebank's files the first one counts
    return {column: mean_and_spread(found) for column, found in values.items()}


def changes_of(recipe: Recipe) -> tuple[str, str]:
    """The shipped recipe that this one is compared with, and the settings that differ; epochs belong to the budget."""
    base = recipe.name if recipe.name in shipped_recipes() else INDUCERS[recipe.model].recipe
    changes = changed_settings(recipe, load_recipe(base))
    differing = [f"{key}={value}" for key, value in changes if key != "training.epochs"]
    return base, " ".join(differing)


def run_cells(directories: Sequence[Path]) -> Row:
    """The cells that say which runs, the seeds of one row, these are, and what they cost."""
    descriptions = [read_description(directory) for directory in directories]
    recipe, corpus = descriptions[0].recipe, descriptions[0].provenance["corpus"]
    base, changes = changes_of(recipe)
    last = [json.loads(stored(path, LOG).read_text(encoding="utf-8").splitlines()[-1]) for path in directories]
    return {
        "parser": recipe.name if recipe.name == base else f"{recipe.name} (changes: against {base})",
        "changes": changes or NOTHING,
        "seeds": " ".join(str(one.provenance["seed"]) for one in descriptions),
        "perplexity": mean_and_spread(one.provenance["held_out_perplexity"] for one in descriptions),
        "text": f"{' + '.join(corpus['files'])} ({corpus['training_words'] / 1e6:.2f} M words)",
        "M words seen": mean_and_spread((row["words"] / 1e6 for row in last), 2),
        "minutes": mean_and_spread(row["seconds"] / 60 for row in last),
    }


def bundle_cells(directory: Path, bundle: Bundle) -> Row:
    """The cells that say which models a directory of several holds."""
    corpora = [read_description(directory / name).provenance["corpus"] for name in bundle.names]
    texts = (f"{' + '.join(one['files'])} ({one['training_words'] / 1e6:.2f} M words)" for one in corpora)
    parts = [f"{part} {' '.join(names)}" for part, names in bundle.as_mapping()[MEMBERS].items()]
    return {"parser": directory.name, "changes": "; ".join(parts), "text": "; ".join(dict.fromkeys(texts))}


def row_of(directories: Sequence[Path], golds: Golds, decoders: Decoders, how: Conventions, more: Row) -> Row:
    """The row of the seeds of one recipe, or of several models behind one name.

    Raises ValueError for decoders that the model cannot feed.
    """
    parser = Parser.load(directories[0], **how._asdict())
    bundle = open_model(directories[0]).bundle
    chosen = chosen_decoders(parser, decoders)
    said = ", punctuation" * (parser.punctuation == EVIDENCE)
    said += ", leaves" * (parser.function_words == LEAVES and chosen.heads is not None)
    return {
        **(run_cells(directories) if bundle is None else bundle_cells(directories[0], bundle)),
        "decoders": " / ".join(name or NOTHING for name in chosen) + said,
        **score_cells(directories, golds, chosen, how),
        **scored_now(),
        **more,
    }


def trivial_rows(golds: Golds) -> list[Row]:
    """A row for each tree that knows nothing, and for the best that a binary or a projective tree can reach."""
    found: dict[str, dict[str, str]] = {}
    now = scored_now()
    for source, gold in golds.items():
        for rule in source.rules:
            comparison = compared(source.kind, gold.texts, gold.texts, rule, wanted=Wanted(baselines=True))
            for system in comparison.baselines:
                seeds = " ".join(map(str, RANDOM_SEEDS)) if system.name == RANDOM else NOTHING
                cells = found.setdefault(system.name, {"parser": system.name, "seeds": seeds, **now})
                values = in_per_cent(system.scores, source.measures)
                cells |= zip(source.columns_of(rule), (mean_and_spread([value]) for value in values), strict=True)
    return list(found.values())


def scored_now() -> Row:
    return {"scored at": commit(), "date": datetime.date.today().isoformat()}


def commit() -> str:
    """The commit that is checked out, with + where files of the program differ from it; nothing in a bare copy."""
    git = ["git", "-C", str(ROOT)]
    head = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    if head.returncode:
        return NOTHING
    changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "synparse", "models", "benchmarks/quality.py"])
    return head.stdout.strip() + "+" * changed.returncode


def run_folder(work: Path, recipe: Recipe, budget: Budget, texts: Sequence[str]) -> Path:
    """Where the seeds of a recipe are kept: what is another run has another folder."""
    values = recipe.as_mapping()
    settings = json.dumps([recipe.model, *(values[section] for section in SECTIONS), budget.minutes, *texts])
    return work / f"{recipe.name}-{hashlib.sha256(settings.encode()).hexdigest()[:8]}"


def is_trained(directory: Path) -> bool:
    return stored(directory, CONFIG).is_file() and not is_unfinished(directory)


def training_command(
    directory: Path, recipe: str, changes: Sequence[str], budget: Budget, texts: Sequence[str], seed: int
) -> list[str]:
    """The command that begins a seed's run, or goes on with it."""
    command = [sys.executable, "-m", "synparse", "train"]
    if is_unfinished(directory):
        return [*command, "--resume", str(directory)]
    settings = [part for change in changes for part in ("--set", change)]
    limit = ["--minutes", str(budget.minutes)] if budget.minutes is not None else []
    passes = ["--epochs", str(budget.epochs)] if budget.epochs is not None else []
    return [*command, *texts, "--recipe", recipe, *settings, *limit, *passes, "--seed", str(seed), "-o", str(directory)]


def commits_of(directory: Path) -> Path:
    """The file of the commits at which the run of this directory began and went on."""
    return directory.with_name(f"{directory.name}.commits")


def train_seed(command: Sequence[str], directory: Path, threads: Mapping[str, str]) -> int:
    """Run a `training_command`; returns its exit code."""
    with commits_of(directory).open("a" if is_unfinished(directory) else "w", encoding="utf-8") as commits:
        commits.write(f"{commit()}\n")
    return subprocess.run(command, env={**os.environ, **threads}, stdout=sys.stderr).returncode


def trained_row(chosen: argparse.Namespace, golds: Golds) -> Row:
    """Train what is not trained yet, then score. Exits where training fails."""
    budget = Budget(chosen.minutes, chosen.epochs)
    epochs = [f"training.epochs={budget.epochs}"] if budget.epochs is not None else []
    recipe = load_recipe(chosen.recipe, [*chosen.set, *epochs])
    texts = [str(path.absolute()) for path in chosen.text or (chosen.data / name for name in TEXTS)]
    folder = run_folder(chosen.work, recipe, budget, texts)
    folder.mkdir(parents=True, exist_ok=True)
    directories = {seed: folder / f"seed-{seed}" for seed in chosen.seeds}
    at_once = chosen.parallel > 1

    def train(seed: int) -> int:
        command = training_command(directories[seed], chosen.recipe, chosen.set, budget, texts, seed)
        return train_seed(command, directories[seed], {"OMP_NUM_THREADS": "1"} if at_once else {})

    with ThreadPoolExecutor(chosen.parallel) as pool:
        codes = list(pool.map(train, [seed for seed in chosen.seeds if not is_trained(directories[seed])]))
    if any(codes):
        sys.exit(f"quality.py: training ended with exit codes {codes}; the same command goes on with it")
    commits = [line for path in directories.values() for line in commits_of(path).read_text("utf-8").splitlines()]
    more = {
        "budget": budget.name(recipe),
        "cores": f"1 each, {chosen.parallel} at once" if at_once else str(torch.get_num_threads()),
        "trained at": " ".join(dict.fromkeys(commits)),
        "note": chosen.note,
    }
    return row_of(
        list(directories.values()),
        golds,
        Decoders(*chosen.decode),
        Conventions(chosen.punctuation, chosen.function_words),
        more,
    )


def model_rows(chosen: argparse.Namespace, golds: Golds) -> Iterator[Row]:
    """A row for the models of each recipe and text, in the order of their first ones, and for each of several models
    behind one name."""
    groups: dict[str, list[Path]] = {}
    for directory in map(model_folder, chosen.models):
        key = str(directory)
        if open_model(directory).bundle is None:
            description = read_description(directory)
            key = json.dumps([description.recipe.as_mapping(), description.provenance["corpus"]["sha256"]])
        groups.setdefault(key, []).append(directory)
    for directories in groups.values():
        budget = NOTHING
        if open_model(directories[0]).bundle is None:
            budget = Budget(chosen.minutes).name(read_description(directories[0]).recipe)
        more = {"budget": budget, "cores": chosen.cores, "note": chosen.note}
        yield row_of(
            directories, golds, Decoders(*chosen.decode), Conventions(chosen.punctuation, chosen.function_words), more
        )


def read_table(path: Path) -> list[Row]:
    """The rows of a table; none where there is no file."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def with_row(table: Sequence[Row], row: Row) -> list[Row]:
    """The table with a row more, or in the place of the one that has the same `IDENTITY`."""
    same = [all(old.get(name, NOTHING) == row.get(name, NOTHING) for name in IDENTITY) for old in table]
    if any(same):
        return [row if is_same else old for old, is_same in zip(table, same, strict=True)]
    return [*table, row]


def write_table(path: Path, table: Iterable[Row]) -> None:
    with write_whole(str(path)) as out:
        rows = csv.DictWriter(out, COLUMNS, restval=NOTHING, delimiter="\t", lineterminator="\n")
        rows.writeheader()
        rows.writerows(table)


def markdown(table: Sequence[Row]) -> Iterator[str]:
    """The table as three: scores, scores by known and unknown words, and what the rows are."""
    yield "UF1 / UAS / UUAS in per cent; mean (standard deviation) of several seeds\n\n"
    yield from _markdown_table(("parser", "changes", "budget", "seeds", "decoders", "perplexity", *SCORES), table)
    measured = [row for row in table if any(row.get(fraction, NOTHING) != NOTHING for fraction in FRACTIONS)]
    if not measured:
        return
    yield "\nSentences of known words alone / with unknown words\n\n"
    parted = [{**row, **{score: _known_and_unknown(row, score) for score in SCORES}} for row in measured]
    yield from _markdown_table(("parser", "changes", "budget", *FRACTIONS, *SCORES), parted)
    yield "\nHow far seeds agree, and what the runs were\n\n"
    about = ("text", *COSTS, "cores", "trained at", "scored at", "date", "note")
    yield from _markdown_table(("parser", "changes", "budget", *AGREEMENTS, *about), measured)


def _known_and_unknown(row: Row, score: str) -> str:
    return f"{row.get(score + KNOWN, NOTHING)} / {row.get(score + UNKNOWN, NOTHING)}"


def _markdown_table(columns: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n"
    for row in rows:
        yield f"| {' | '.join(row.get(name, NOTHING).replace('|', '/') for name in columns)} |\n"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = options.add_mutually_exclusive_group(required=True)
    what.add_argument("--recipe", help="a shipped recipe or a YAML file to train by")
    what.add_argument("--models", type=Path, nargs="+", metavar="DIR", help="score these instead of training")
    what.add_argument("--trivial", action="store_true", help="score trees that know nothing")
    what.add_argument("--show", action="store_true", help="print the table as Markdown")
    limit = options.add_mutually_exclusive_group()
    limit.add_argument("--minutes", type=float, help="of each seed's whole run; with --models: those that it had")
    limit.add_argument("--epochs", type=int, help="of each seed's run")
    options.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change the recipe")
    options.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    options.add_argument("--parallel", type=int, default=1, metavar="N", help="seeds trained at once, a thread each")
    options.add_argument("--work", type=Path, default=Path("quality-runs"), help="where models are kept")
    options.add_argument("--text", type=Path, nargs="+", help="files to train on, in place of those in DATA/text")
    options.add_argument("--decode", nargs=2, default=Decoders(), metavar=("TREES", "HEADS"), help="other decoders")
    options.add_argument("--punctuation", choices=PUNCTUATION, help="as of synparse parse")
    options.add_argument("--function-words", choices=FUNCTION_WORDS, help="as of synparse parse")
    options.add_argument("--cores", default=NOTHING, help="with --models: the threads that each run had")
    options.add_argument("--note", default=NOTHING, help="what the row is to say beside its figures")
    data = os.environ.get("SYNPARSE_DATA", ROOT.parent / "shared" / "data")
    options.add_argument("--data", type=Path, default=Path(data), help="where gold files and text/ are")
    options.add_argument("--table", type=Path, default=TABLE)
    chosen = options.parse_args()
    if chosen.show:
        print("".join(markdown(read_table(chosen.table))), end="")
        return
    paths = {source: chosen.data / source.file for source in SOURCES}
    golds = {source: read_gold(path) for source, path in paths.items() if path.exists()}
    if not golds:
        options.error(f"no gold files in {chosen.data}; name their folder with --data")
    if chosen.trivial:
        rows: Iterable[Row] = trivial_rows(golds)
    else:
        rows = model_rows(chosen, golds) if chosen.models else [trained_row(chosen, golds)]
    added = []
    for row in rows:
        write_table(chosen.table, with_row(read_table(chosen.table), row))
        added.append(row)
    print("".join(markdown(added)), end="")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:  # the runs have had it too, and have saved
        sys.exit(130)
