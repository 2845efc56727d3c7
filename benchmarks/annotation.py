"""The loop of docs/treebank.md with gold trees in place of the annotator: writes benchmarks/annotation.tsv.

    SYNPARSE_DATA=… python -m benchmarks.annotation en --work RUNS --counts 10 50 200 --by random errors --seeds 1 2

From none to more and more trees: `synparse select` chooses sentences by the parser so far, their gold trees come to
those that are known, and `synparse train --trees` learns from text and trees. Beside random choice, from the same
trees alone: a student of the trees, and UDPipe 1 (tagger and parser, its default settings), where the package
ufal.udpipe is installed. English: sentences are chosen from GUM's training part, its development part is scored; of
another language every other sentence of the development part may be chosen, and those between are scored. Tokens are
gold, tags are not.

Columns: trees, how many are known; words, the tokens of these trees, which the annotator reads; UAS, UUAS, and LAS with
the relations learned from the trees, of words without punctuation; arcs to change: of the drafts of the sentences that
were chosen to come to so many trees, the fraction of words whose head the annotator had to change, and the same where
the rest of a sentence is parsed again after each change (`--keep heads`), words being checked from the first to the
last; processor minutes of the training.
"""

from __future__ import annotations

import argparse
import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.commands import program, read_record, run, trained
from benchmarks.kept_heads import with_heads_of
from benchmarks.languages.ceiling import student_options
from benchmarks.languages.data import language_of
from benchmarks.quality.gold import DATA, ROOT, compared, conllu_sentences
from benchmarks.quality.table import NOTHING, dated, put_row
from synparse.corpora.sentences import CONLLU
from synparse.files.streams import read_lines
from synparse.files.tables import Row
from synparse.parsing.parser import Parser
from synparse.trees.conllu import ConlluSentence
from synparse.trees.scored_words import kept_words

TABLE = ROOT / "benchmarks" / "annotation.tsv"
IDENTITY = ("language", "parser", "by", "seed", "trees")
SCORES = ("UAS", "UUAS", "LAS")
CHANGES = ("arcs to change", "arcs to change with --keep")
COLUMNS = (*IDENTITY, "words", *SCORES, *CHANGES, "processor minutes", "commit", "date")

RECIPE = """
about: grammars, a student of the trees that they give, and the grammars that it teaches
text:
  {tokenizer: whitespace, lowercase: true, digits: N, punctuation: drop, min_count: 5, max_vocabulary: 30000,
   unknown_classes: 0, phrase_boundaries: true}
stages:
  - grammars: all
    recipe: grammar
    class_grammar_sentences: 6000
  - trees: 12000
    function_words: leaves
  - network: student
    recipe: student-small
    training: {epochs: 3}
  - grammars: all
    recipe: grammar
    class_grammar_sentences: 6000
parsing: {punctuation: evidence, function_words: leaves}
"""
"""The default without networks, on part of the text: some minutes of a core for each point of a curve."""

SELF_TRAINED, STUDENT, UDPIPE = "synparse train --trees", "student of the trees alone", "UDPipe 1"


class Treebank(NamedTuple):
    """The text, sentences that may be chosen, and those that are scored."""

    texts: Sequence[Path]
    pool: Sequence[ConlluSentence]
    test: Sequence[ConlluSentence]


def treebank(language: str) -> Treebank:
    """Raises DataError where a file is malformed, OSError where it is missing."""
    if language == "en":
        pool, test = (conllu_sentences(DATA / "gum" / f"{part}.conllu") for part in ("train", "dev"))
        return Treebank([DATA / "text" / "ewt-gum.txt"], pool, test)
    files = language_of(DATA / "languages" / language)
    sentences = conllu_sentences(files.dev)
    return Treebank(files.texts, sentences[::2], sentences[1::2])


def write(path: Path, sentences: Sequence[ConlluSentence]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join("".join(sentence.lines) for sentence in sentences), encoding="utf-8")
    return path


def scores(prediction: Path, gold: Path) -> Row:
    found = compared(CONLLU, read_lines(str(prediction)), read_lines(str(gold))).systems[0].scores
    return {name: f"{100 * value:.1f}" for name in SCORES if (value := found.get(name.lower())) is not None}


def chosen_by(by: str, count: int, pool: Path, model: Path, known: Path | None, output: Path, seed: int) -> list[int]:
    """The positions in the pool of the sentences that `synparse select` chooses."""
    trees = () if known is None else ("--trees", known)
    options = ("--by", by, "--seed", seed, "--tokenizer", "whitespace", "--output", output)
    run("select", pool, "--model", model, "-n", count, *trees, *options)
    return [int(number) - 1 for number in re.findall(r"^# sent_id = (\d+)", output.read_text(encoding="utf-8"), re.M)]


def changes(model: Path, sentences: Sequence[ConlluSentence], keeps: bool) -> float:
    """The fraction of words, without punctuation, whose heads an annotator changes who checks each sentence from its
    first word to its last; ``keeps``: what is checked is kept, and the rest is parsed again after each change."""
    parser = Parser.load(model)
    words = [kept_words(one.words, one.upos, one.xpos, relations=one.relations) for one in sentences]
    heads = [parse.heads or () for parse in parser.parse([one.words for one in sentences])]

    def wrong(number: int, start: int = 0) -> Iterator[int]:
        pairs = enumerate(zip(words[number], heads[number], sentences[number].heads, strict=True))
        return (word for word, (is_word, head, gold) in pairs if word >= start and is_word and head != gold)

    changed = sum(1 for number in range(len(sentences)) for _ in wrong(number))
    if keeps:
        changed, checked = 0, dict.fromkeys(range(len(sentences)), 0)
        while checked:
            first = {number: next(wrong(number, start), None) for number, start in checked.items()}
            checked = {number: word + 1 for number, word in first.items() if word is not None}
            changed += len(checked)
            drafts = [
                with_heads_of(sentences[number], {word for word in range(end) if words[number][word]})
                for number, end in checked.items()
            ]
            for number, parse in zip(checked, parser.parse(drafts, keep=("heads",)), strict=True):
                heads[number] = parse.heads or ()
    return changed / sum(map(sum, words))


def udpipe_trained(trees: Path, test: Path, output: Path) -> bool:
    """UDPipe's parses of the test part, by a tagger and a parser of these trees; False where it is not installed."""
    try:
        from ufal import udpipe
    except ImportError:
        return False
    reader = udpipe.InputFormat.newConlluInputFormat()

    def read(path: Path) -> Iterator[udpipe.Sentence]:
        reader.setText(path.read_text(encoding="utf-8"))
        error, sentence = udpipe.ProcessingError(), udpipe.Sentence()
        while reader.nextSentence(sentence, error):
            yield sentence
            sentence = udpipe.Sentence()

    error, none = udpipe.ProcessingError(), udpipe.Trainer.NONE
    default = udpipe.Trainer.DEFAULT
    model = udpipe.Trainer.train("morphodita_parsito", list(read(trees)), [], none, default, default, error)
    file = output.with_suffix(".udpipe")
    file.write_bytes(model)
    loaded, writer = udpipe.Model.load(str(file)), udpipe.OutputFormat.newConlluOutputFormat()
    lines = []
    for sentence in read(test):
        loaded.tag(sentence, udpipe.Model.DEFAULT)
        loaded.parse(sentence, udpipe.Model.DEFAULT)
        lines.append(writer.writeSentence(sentence))
    output.write_text("".join(lines), encoding="utf-8")
    return True


def loop(language: str, by: str, seed: int, counts: Sequence[int], work: Path) -> Iterator[Row]:
    """A row for each number of trees, and for the peers that learn from the same trees."""
    bank, folder = treebank(language), work / f"{language}-{by}-{seed}"
    recipe = work / "annotation.yaml"
    recipe.write_text(RECIPE, encoding="utf-8")
    test = write(work / f"{language}-test.conllu", bank.test)
    pool = work / f"{language}-pool.txt"
    pool.write_text("".join(" ".join(sentence.words) + "\n" for sentence in bank.pool), encoding="utf-8")
    language_option = ("--language", language)
    training = (*bank.texts, "--recipe", recipe, *language_option, "--seed", seed)
    model = trained(work / f"{language}-0-{seed}", *training)
    yield {"parser": SELF_TRAINED, "by": NOTHING, "trees": "0", "words": "0", **scored(model, test)}

    known, positions = None, list[int]()
    for count in counts:
        drafts = folder / f"drafts-{count}.conllu"
        folder.mkdir(parents=True, exist_ok=True)
        new = chosen_by(by, count - len(positions), pool, model, known, drafts, seed)
        chosen = [bank.pool[position] for position in new]
        found = [changes(model, chosen, keeps) for keeps in (False, True)]
        positions += new
        known = write(folder / f"trees-{count}.conllu", [bank.pool[position] for position in positions])
        model = trained(folder / str(count), *training, "--trees", known)
        work_saved = {column: f"{100 * value:.1f}" for column, value in zip(CHANGES, found, strict=True)}
        words = sum(len(bank.pool[position].words) for position in positions)
        cells = {"by": by, "trees": str(len(positions)), "words": str(words)}
        yield {**cells, "parser": SELF_TRAINED, **scored(model, test), **work_saved}
        if by != "random":
            continue
        student = trained(folder / f"student-{count}", known, *student_options(words), *language_option, "--seed", seed)
        yield {**cells, "parser": STUDENT, **scored(student, test)}
        output = folder / f"udpipe-{count}.conllu"
        if udpipe_trained(known, test, output):
            yield {**cells, "parser": UDPIPE, **scores(output, test)}


def scored(model: Path, test: Path) -> Row:
    output = model.with_name(f"{model.name}.conllu")
    run("parse", test, "--model", model, "--output", output, "--jobs", 1)
    minutes = read_record(model).cpu_minutes
    return {**scores(output, test), "processor minutes": NOTHING if minutes is None else f"{minutes:.1f}"}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("languages", nargs="+", metavar="LANGUAGE", help="ISO 639 codes, as en de")
    options.add_argument("--by", nargs="+", default=["random", "errors", "coverage"], help="ways of select")
    options.add_argument("--counts", type=int, nargs="+", default=[10, 25, 50, 100, 250, 500], metavar="N")
    options.add_argument("--seeds", type=int, nargs="+", default=[1])
    options.add_argument("--work", type=Path, default=Path("annotation"), help="where models are kept")
    chosen = options.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    made = dated()
    for language, seed, by in itertools.product(chosen.languages, chosen.seeds, chosen.by):
        for cells in loop(language, by, seed, chosen.counts, chosen.work.absolute()):
            row: Row = {"language": language, "seed": str(seed), **cells, **made}
            print("\t".join(row.get(name, NOTHING) for name in COLUMNS), flush=True)
            put_row(TABLE, row, IDENTITY, COLUMNS)


if __name__ == "__main__":
    program(main)
