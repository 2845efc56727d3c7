"""Signs of quality that need no gold trees, and how far each goes with attachment scores over languages.

    python -m benchmarks.languages.signs ../shared/data/languages --work RUNS
    python -m benchmarks.languages.signs DATA --work RUNS --languages de,fi --halves

RUNS is the folder of `python -m benchmarks.languages --seeds 1,2`: the models RUNS/de-seed1, RUNS/de-seed2. The signs
are measured on the development part of a treebank. The first are agreements: UAS and UUAS, in per cent, of one parse
against another, punctuation left out by its form:

- seeds: of every two seeds of one training, the mean;
- decoders: of the trees with class grammars, and without them, by the dependency model alone;
- network: of a network and grammars: of the whole parser, and of its network or, where heads come from the network, of
  its grammars alone;
- function words: of the trees with function words as leaves, and with function words free;
- halves: of grammars that learned from every other sentence of the text, and from the rest; where --halves has them
  trained, into RUNS/de-half1 and RUNS/de-half2, a minute each.

Then class grammars: as a run tells it of its grammars, how many heads that are no neighbouring words, in per cent, are
the same with and without them, in the training text (synparse/training/agreement.py). And, the lower the better:
perplexity, of the network, held out; and class perplexity, of the training text under bigrams of the parser's word
classes. Then UAS and UUAS against the gold trees, which no sign reads. With several seeds, a cell has the mean over
them.

The table, benchmarks/signs.tsv, has a row for each language, and for all languages with the same settings Spearman's
correlation of each column with UAS, and with UUAS; none of fewer than five languages. `python -m benchmarks.results`
draws what it says.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.commands import CommandError, is_trained, read_record, trained
from benchmarks.languages.data import Language, arguments, languages_in, training_sentences
from benchmarks.languages.scores import class_perplexity_of, trees_by
from benchmarks.languages.table import number
from benchmarks.quality.gold import MEASURES, ROOT, TITLES, Gold, compared, in_per_cent, read_gold
from benchmarks.quality.table import NOTHING, made_now, mean_and_spread, with_row, write_table
from synparse.config.parsing import HeadDecoder
from synparse.config.training import WordTraining
from synparse.corpora.sentences import CONLLU
from synparse.files.streams import write_whole
from synparse.files.tables import Row, read_table
from synparse.parsing.options import ParserOptions
from synparse.parsing.parser import Parser
from synparse.scoring.correlation import spearman
from synparse.store.models import open_model
from synparse.training.agreement import SENTENCES, agreement_of
from synparse.training.grammars import evenly_spaced
from synparse.trees.errors import DataError, SettingError
from synparse.trees.function_words import FREE, LEAVES

TABLE = ROOT / "benchmarks" / "signs.tsv"

AGREEMENTS = ("seeds", "decoders", "network", "function words", "halves")
ATTACHMENT = tuple(TITLES[measure] for measure in MEASURES[CONLLU])
FIGURES = CLASS_GRAMMARS, PERPLEXITY, CLASS_PERPLEXITY = "class grammars", "perplexity", "class perplexity"
SIGNS = (*(f"{sign} {measure}" for sign in AGREEMENTS for measure in ATTACHMENT), *FIGURES)
COLUMNS = ("language", "settings", "seeds", *SIGNS, *ATTACHMENT, "scored at", "date", "command")
IDENTITY = ("language", "settings")

CORRELATION = "correlation with "
"""How the name of a row of correlations begins; the measure follows."""

FEWEST = 5
"""Languages; a correlation of fewer is not given."""

NETWORK_ALONE: tuple[HeadDecoder, ...] = ("boundaries", "phrases", "projective")
"""Decoders of heads that read no grammar; the first that fits a parser is that of its network."""

HALVES = (1, 2)


Trees: TypeAlias = list[str]
"""What a parser gives to a gold file: its sentences as CoNLL-U."""


def agreement(one: Trees, other: Trees) -> list[float | None]:
    """UAS and UUAS of one parse against another in per cent, in whichever order."""
    found = compared(CONLLU, other, one, punctuation="form")
    return in_per_cent(found.systems[0].scores, MEASURES[CONLLU])


def signs_of(
    gold: Gold, models: Sequence[Path], halves: Sequence[Path], text: Iterable[Sequence[str]], options: ParserOptions
) -> dict[str, list[float | None]]:
    """The signs of a language by column, a value for each seed (or each pair of them), and its UAS and UUAS.

    models: of the seeds; halves: of the halves of the text, or none; text: tokens of the training sentences.
    """
    parsers = [Parser.load(model, options) for model in models]
    trees = [trees_by(parser, gold) for parser in parsers]
    pairs: dict[str, list[Any]] = {
        "seeds": list(itertools.combinations(trees, 2)),
        "decoders": [
            (of_parser, trees_by(Parser.load(model, options, without=("class-grammars",)), gold))
            for model, parser, of_parser in zip(models, parsers, trees, strict=True)
            if "grammar" in parser.head_decoders
        ],
        "network": [
            (of_parser, trees_by(parser, gold, other))
            for parser, of_parser in zip(parsers, trees, strict=True)
            if (other := _other_decoder(parser))
        ],
        "function words": [
            tuple(trees_by(Parser.load(model, options, function_words=how), gold) for how in (LEAVES, FREE))
            for model in models
        ],
        "halves": [tuple(trees_by(Parser.load(half, options), gold) for half in halves)] if halves else [],
    }
    found = {
        f"{sign} {measure}": [agreement(*pair)[place] for pair in pairs[sign]]
        for sign in AGREEMENTS
        for place, measure in enumerate(ATTACHMENT)
    }
    sentences = list(text)
    found[CLASS_GRAMMARS] = [
        100 * same
        for model, parser in zip(models, parsers, strict=True)
        if "grammar" in parser.head_decoders
        and (same := agreement_of(model, evenly_spaced(sentences, 2 * SENTENCES))) is not None
    ]
    found[PERPLEXITY] = [_held_out(model) for model in models]
    found[CLASS_PERPLEXITY] = [class_perplexity_of(models[0], sentences)]
    against_gold = [compared(CONLLU, one, gold.texts).systems[0].scores for one in trees]
    for measure, title in zip(MEASURES[CONLLU], ATTACHMENT, strict=True):
        found[title] = [in_per_cent(scores, [measure])[0] for scores in against_gold]
    return found


def _other_decoder(parser: Parser) -> HeadDecoder | None:
    """That of the network alone; where it is the parser's own, that of the grammars; None without both."""
    decoders = parser.head_decoders
    if not any(name in decoders for name in NETWORK_ALONE) or "grammar" not in decoders:
        return None
    return "grammar" if decoders[0] in NETWORK_ALONE else next(name for name in NETWORK_ALONE if name in decoders)


def _held_out(model: Path) -> float | None:
    """The held-out perplexity of a network, None without one that predicts words: that of a student is of trees."""
    [member, *_] = open_model(model).members.values()
    if not isinstance(member.description.recipe.training, WordTraining):
        return None
    perplexity: float | None = member.description.provenance.get("held_out_perplexity")
    return perplexity


def trained_halves(language: Language, work: Path, train: bool) -> list[Path]:
    """Grammars of the odd and of the even sentences of the text; none if they are not there, and not to be trained."""
    found = []
    for half in HALVES:
        directory = work / f"{language.code}-half{half}"
        if train and not is_trained(directory):
            text = work / f"{language.code}-half{half}.txt"
            with write_whole(str(text)) as out:
                sentences = itertools.islice(training_sentences(language), half - 1, None, len(HALVES))
                out.writelines(" ".join(tokens) + "\n" for tokens in sentences)
            trained(directory, text, "--language", language.code, "--model", "grammar")
        found += [directory] if is_trained(directory) else []
    return found if len(found) == len(HALVES) else []


def with_correlations(rows: Sequence[Row]) -> list[Row]:
    """The rows of languages by settings and language, after each settings the correlations over its languages, with the
    number of languages in parentheses."""
    rows = sorted(
        (row for row in rows if not row["language"].startswith(CORRELATION)),
        key=lambda row: (row["settings"], row["language"]),
    )
    found: list[Row] = []
    for settings, group in itertools.groupby(rows, lambda row: row["settings"]):
        of_settings = list(group)
        found += of_settings
        for measure in ATTACHMENT:
            cells = {column: correlation_cell(of_settings, column, measure) for column in (*SIGNS, *ATTACHMENT)}
            found.append({"language": CORRELATION + measure, "settings": settings, **cells})
    return found


def correlation_cell(rows: Sequence[Row], column: str, measure: str) -> str:
    """The correlation of two columns, and of how many languages; a dash of fewer than `FEWEST`."""
    pairs = [(number(row[column]), number(row[measure])) for row in rows]
    known = [(sign, score) for sign, score in pairs if sign is not None and score is not None]
    if column == measure or len(known) < FEWEST:
        return NOTHING
    found = spearman(*zip(*known, strict=True))
    return NOTHING if found is None else f"{round(found, 6):.2f} ({len(known)})"


def models_in(work: Path, code: str) -> list[Path]:
    """The trained models of the seeds of a language."""
    return [path for path in sorted(work.glob(f"{code}-seed*")) if path.is_dir() and is_trained(path)]


def row_of(language: Language, work: Path, train_halves: bool, options: ParserOptions, made: Mapping[str, str]) -> Row:
    """The row of a language. Raises DataError where it has no trained model or no gold trees, CommandError where
    training fails."""
    models = models_in(work, language.code)
    if not models:
        raise DataError(f"no trained model of {language.code}", str(work))
    halves = trained_halves(language, work, train_halves)
    signs = signs_of(read_gold(language.dev), models, halves, training_sentences(language), options)
    cells = {column: mean_and_spread(signs.get(column, ())) for column in (*SIGNS, *ATTACHMENT)}
    seeds = " ".join(model.name.rpartition("-seed")[2] for model in models)
    return {"language": language.name, "settings": read_record(models[0]).settings, "seeds": seeds, **cells, **made}


def rows_of(
    languages: Iterable[Language], work: Path, train_halves: bool, options: ParserOptions
) -> Iterator[tuple[Language, Row | str]]:
    """The row of each language, or what is wrong with it."""
    made = made_now("benchmarks.languages.signs")
    for language in languages:
        try:
            yield language, row_of(language, work, train_halves, options, made)
        except (CommandError, DataError, SettingError) as error:
            yield language, str(error)


def main() -> None:
    options = arguments("python -m benchmarks.languages.signs", __doc__, "all that have a model in --work")
    options.add_argument("--halves", action="store_true", help="train grammars on halves of the text as well")
    options.add_argument("--punctuation", help="as of synparse parse; default: the models' own")
    options.add_argument("--function-words", help="as of synparse parse; default: the models' own")
    options.add_argument("--table", type=Path, default=TABLE)
    chosen = options.parse_args()
    try:
        languages = languages_in(chosen.data, chosen.languages)
        how = ParserOptions(punctuation=chosen.punctuation, function_words=chosen.function_words)
    except SettingError as error:
        options.error(str(error))
    if chosen.languages is None:
        languages = [language for language in languages if models_in(chosen.work, language.code)]
    failed = 0
    for language, row in rows_of(languages, chosen.work, chosen.halves, how):
        if isinstance(row, str):
            failed += 1
            print(f"{language.code}: {row}", file=sys.stderr)
        else:
            rows = with_row(read_table(chosen.table), row, IDENTITY)
            write_table(chosen.table, with_correlations(rows), COLUMNS)
            print(language.name, *(f"{column} {row[column]}" for column in (*SIGNS, *ATTACHMENT)), sep="; ")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
