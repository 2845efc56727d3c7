"""Makes the shipped models of languages other than English, from text whose licence allows it, and scores them.

    python -m benchmarks.language_models --data ../shared/data/languages --work RUNS
    python -m benchmarks.language_models --work RUNS --models german,japanese --into models/languages

For each model:

1. its text (benchmarks/language_text.py; models/texts.tsv has the sources and their licences, and names the model of
   each text, by hand, once it is shipped);
2. `synparse train` by the recipe benchmarks/language_models.yaml, half an hour of one core; packed;
3. a bare `synparse parse` of the development part of a UD treebank, whose scores beside baselines become a row of
   benchmarks/language_models.tsv, and its card;
4. with --into, a copy of the directory there.

No step before the scores reads a gold tree. What is there is not made again, so the same command goes on where another
one was stopped (benchmarks/commands.py). Afterwards,
`python -m benchmarks.calibrations` says what the probabilities of the models mean, and
`python -m benchmarks.results` writes the scores into the cards and into what `synparse info --language` reads.

A model is shipped if its UAS and UUAS are a point above all parsers that learn nothing, so Finnish, Welsh and
Vietnamese are made by it, but not shipped: Finnish has a lower UAS than the next word as head of every word; UUAS is no
higher than that of chains of content words in Welsh, and hardly in Vietnamese. Dutch has no text that may be given
away, and of Russian the novels state no licence. Of Basque and Hindi there are fewer than 4,000 such sentences: nearly
all other text of Basque is non-commercial, and the authors of the Hindi stories may have rights in them. Of French,
Spanish, German and Italian only novels are read, of Portuguese novels and the training part of Bosque, without its
trees.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.commands import CommandError, parsed, run, trained
from benchmarks.language_text import languages_with_text, parts_of, sentences_of
from benchmarks.languages import table
from benchmarks.languages.data import Language, language_of
from benchmarks.languages.scores import baseline_scores, content_chain_scores, tree_scores
from benchmarks.quality.gold import DATA, ROOT, read_gold
from benchmarks.quality.table import NOTHING, made_now
from synparse.files.streams import read_lines, write_whole
from synparse.files.tables import Row
from synparse.store.languages import GOLD, corpus_of, size_of
from synparse.store.model_directory import CARD
from synparse.store.shipped import TEXTS, read_rows
from synparse.trees.errors import DataError, SettingError

TABLE = ROOT / "benchmarks" / "language_models.tsv"

SETTINGS = "--model {}"
"""What the rows of a model have as their settings; benchmarks/results.py reads the name there."""

MOST_MEGABYTES = 6.0
"""Of a model's files."""

RECIPE = Path(__file__).with_suffix(".yaml")

WEAKNESSES = {  # that the registers of its text do not say
    "french": "Nine tenths of its text are novels of 1840–1920: words of today are few, and dialogue is frequent.",
    "german": "It has read novels of 1840–1920: old spelling (*Thür*), and no words of today.",
    "italian": "It has read novels of 1840–1920: words and uses of today are missing.",
    "japanese": "Two thirds of its text are short sentences of textbooks. Words must be those of UniDic: `--raw` "
    "splits them so with `synparse[ja]`.",
    "portuguese": "Most of its text are novels of 1840–1920, in old spelling in part; a fifth is news of the 1990s.",
    "spanish": "It has read novels of 1840–1920, some in old spelling (*á*, *fué*), and no words of today.",
    "yoruba": "Nine tenths of its text are the Bible, and tone marks must be written.",
}


CALIBRATION = """`parse --confidence fitted` is supervised: a map, fitted on the odd sentences of the gold trees by
`python -m benchmarks.calibrations`, says how often arcs and constituents with such a probability are right. It changes
no tree. Precision, and the expected calibration errors (ECE) of raw and of fitted probabilities, in per cent, on the
even sentences:

<!-- table: confidence: {} -->

<!-- end of table -->
"""

NO_CALIBRATION = """No setting was chosen with gold trees of this language in view, and its probabilities are not
calibrated on them: `parse --confidence fitted` takes the mean of the maps of other languages.
"""


def made(data: Path, work: Path, model: str, code: str) -> Path:
    """The directory of a model, after all of its steps. Raises CommandError where one fails."""
    text = work / f"{model}.txt"
    if not text.exists():
        with write_whole(str(text)) as output:
            output.writelines(sentences_of(code, data, read_rows(TEXTS)))
    whole = trained(work / f"{model}-whole", text, "--language", code, "--recipe", RECIPE)
    if not (work / model).exists():
        run("pack", whole, "--storage", "int8", "--output", work / model)
    return work / model


def scored(language: Language, directory: Path, text: Path, row: Row) -> Row:
    """The row of a model: what it was trained on, and its scores beside those of baselines.

    Raises CommandError where it does not parse, DataError where there are no gold trees.
    """
    gold = read_gold(language.dev)
    output = parsed(language.dev, directory, directory.with_name(f"{directory.name}.conllu"))
    sentences = [tuple(line.split()) for line in read_lines(str(text))]
    scores = tree_scores(gold, output) | baseline_scores(gold) | content_chain_scores(gold, sentences)
    cells = table.score_cells(scores)
    identity = {"language": language.name, "settings": SETTINGS.format(directory.name), "seeds": "1"}
    words = {"words": f"{corpus_of(directory)['training_words']:,}"}
    return {**identity, **words, **cells, **table.missed_targets(cells), **row}


def card(model: str, language: Language, directory: Path) -> str:
    """The card: what the model is, its text and licences, scores (written by benchmarks/results.py) and weaknesses."""
    rows = read_rows(TEXTS)
    texts = parts_of(language.code, rows)
    corpus = corpus_of(directory)
    gold = next((row for row in rows if row["language"] == language.code and row["in the table"] == GOLD), None)
    sources = "".join(
        f"- {row['source']}: {row['register']}; {int(row['tokens']):,} tokens, {row['licence']};\n" for row in texts
    )
    besides = "" if language.is_untouched else ", except to calibrate probabilities (below)"
    registers = ", ".join(dict.fromkeys(row["register"] for row in texts))
    return f"""# {model}

Brackets, heads, categories of constituents and word classes of {language.name}: a student of grammars, and grammars
that it has taught, learned from raw text. No tree of a treebank was read{besides}.
{size_of(directory) / 1e6:.1f} MB, computed by NumPy alone.

    synparse parse --model {model} TEXT

## Text

{corpus["training_sentences"]:,} sentences, {corpus["training_words"]:,} words without punctuation:

{sources.rstrip(";" + chr(10))}.

The weights are distributed under {licence_of([row["licence"] for row in texts])}.

## Commands

    python -m benchmarks.language_models --models {model} --work RUNS

It prints its commands. All of them have one seed, which was not chosen.

## Scores

In per cent, on {gold["source"] if gold else NOTHING}: without punctuation, function words as leaves, the root scored
like a word. The baselines learn nothing: each word's head is the next word, the previous one, the next content word, or
the previous one.

<!-- table: language model: {model} -->

<!-- end of table -->

## Probabilities

{(NO_CALIBRATION if language.is_untouched else CALIBRATION).format(model)}
## Weaknesses

- {WEAKNESSES.get(model, f"It has read {registers}; words of other texts are unknown to it.")}
- Most settings were found on English, with gold trees in view; see the card of `english`.
- Trees are binary, and which words are function words is known by their frequency and classes alone.

Constituents have numbers for categories (`--labels induced`), words have numbers for classes (`--tags classes`), and
dependencies have no relations.
"""


def licence_of(licences: Sequence[str]) -> str:
    """Of weights that learned from texts with these licences.

    >>> licence_of(["CC BY-SA 3.0", "CC BY 4.0"]), licence_of(["public domain (markup: CC BY 4.0)", "LGPL-LR"])
    ('CC BY-SA 4.0', 'LGPL-LR')
    """
    if "LGPL-LR" in licences:
        return "LGPL-LR"
    return "CC BY-SA 4.0" if any("BY-SA" in licence for licence in licences) else "CC BY 4.0"


def main() -> None:
    known = languages_with_text()
    shipped = sorted({row["model"] for row in read_rows(TEXTS)} & known.keys())
    options = argparse.ArgumentParser(
        "python -m benchmarks.language_models",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    options.add_argument("--data", type=Path, default=DATA / "languages", help="a folder for each language")
    options.add_argument("--work", type=Path, required=True, help="the folder of texts and models")
    options.add_argument(
        "--models", default=",".join(shipped), help=f"of {', '.join(known)}; default: {', '.join(shipped)}"
    )
    options.add_argument("--into", type=Path, help="a folder that gets a copy of each model, such as models/languages")
    options.add_argument("--table", type=Path, default=TABLE)
    chosen = options.parse_args()
    names = chosen.models.split(",")
    if unknown := [name for name in names if name not in known]:
        options.error(f"no model {', '.join(unknown)}; there are {', '.join(known)}")
    chosen.work.mkdir(parents=True, exist_ok=True)
    cells = made_now("benchmarks.language_models")
    failed = 0
    for name in names:
        try:
            language = language_of(chosen.data / known[name])
            directory = made(chosen.data, chosen.work, name, known[name])
            table.add_row(chosen.table, scored(language, directory, chosen.work / f"{name}.txt", cells))
            (directory / CARD).write_text(card(name, language, directory), encoding="utf-8")
            if chosen.into is not None:
                shutil.copytree(directory, chosen.into / name, dirs_exist_ok=True, ignore=ONLY_TO_PARSE)
        except (CommandError, DataError, SettingError) as error:
            failed += 1
            print(f"{name}: {error}", file=sys.stderr)
            continue
        if (megabytes := size_of(directory) / 1e6) > MOST_MEGABYTES:
            print(f"{name}: {megabytes:.1f} MB, more than {MOST_MEGABYTES:g}", file=sys.stderr)
    sys.exit(1 if failed else 0)


ONLY_TO_PARSE = shutil.ignore_patterns("last.*", "log.jsonl")
"""What a copy leaves out: what resuming needs."""


if __name__ == "__main__":
    main()
