"""What each part of the pipeline could reach at best: gold trees stand in for the others, as a diagnosis.

    python -m benchmarks.quality.ceilings --work RUNS/ceilings

Rows of benchmarks/ceilings.tsv, on the WSJ sample (every other sentence is learned from, those between are scored) and
on GUM (every other sentence of its training part, and its development part):

- binary trees with all gold constituents, and with those alone that punctuation cues do not rule out;
- the model's constituents where gold heads are given, and its heads where gold constituents are given;
- a student and grammars that have learned from gold trees, alone and together, with several decoders.

What a part does not reach with gold it will not reach without. Nothing here is a parser to use. UF1 is by protocol
shen2018. Function words are free on WSJ and leaves on GUM; those of gold trees are as they are there, so they are free.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.commands import program, read_record, trained
from benchmarks.languages.ceiling import student_options
from benchmarks.quality.gold import DATA, ROOT, SOURCES, TITLES, Gold, Source, read_gold, scores_of_part
from benchmarks.quality.score import predicted
from benchmarks.quality.table import dated, put_row
from synparse.config.parsing import DEFAULT
from synparse.corpora.normalization import TextConfig, normalize
from synparse.corpora.sentences import BRACKETS, CONLLU, Sentence
from synparse.files.tables import Row
from synparse.parsing.parse import Parse
from synparse.parsing.parser import Parser
from synparse.store.models import open_model
from synparse.trees.constituency import induced_tree
from synparse.trees.function_words import FREE, FunctionWords
from synparse.trees.punctuation import with_punctuation_spans
from synparse.trees.punctuation_cues import Cues, broken_costs, cues_of
from synparse.trees.span_chart import best_binary_spans
from synparse.trees.spans import RIGHT, sentence_spans

TABLE = ROOT / "benchmarks" / "ceilings.tsv"
IDENTITY = ("part", "treebank")
COLUMNS = (*IDENTITY, *TITLES.values(), "CPU minutes", "commit", "date")

MODEL = "english"
SCORED = {"WSJ": ("wsj/trees.mrg", "conversion/wsj.sd.conll"), "GUM": ("gum/dev.ptb", "gum/dev.conllu")}
TRAIN = ("gum/train.ptb", "gum/train.conllu")
ENDINGS = {BRACKETS: "ptb", CONLLU: "conllu"}

TEXTS = ("text/brown.txt", "text/ewt-gum.txt")
"""Where grammars have their word classes and base phrases from; their rules come from gold trees alone."""

RULES_OF_GOLD = ("--recipe", "grammar", "--set", "grammar.sentences=1", "--set", "grammar.longest=25")
"""A single sentence of the text beside all gold trees; longer ones than usual, since their trees are given."""

Parses: TypeAlias = Mapping[tuple[str, ...], Parse]
Cells: TypeAlias = dict[str, str]


class Treebank(NamedTuple):
    """Sentences to learn from, as JSON lines with both trees of each; how many words they have; the gold files that are
    scored."""

    name: str
    learned: Sequence[str]
    words: int
    scored: Mapping[Source, Gold]


def treebank(name: str, data: Path) -> Treebank:
    """Raises DataError where a file is malformed, OSError where it is missing."""
    scored = {source: read_gold(data / source.file) for source in SOURCES if source.file in SCORED[name]}
    if name == "WSJ":
        learned = [every_other(gold, 0) for gold in scored.values()]
        scored = {source: every_other(gold, 1) for source, gold in scored.items()}
    else:
        learned = [every_other(read_gold(data / file), 0) for file in TRAIN]
    pairs = [
        pair for pair in zip(*(gold.sentences for gold in learned), strict=True) if pair[0].tokens == pair[1].tokens
    ]
    return Treebank(
        name,
        [json_line(*pair) for pair in pairs],
        sum(len(tree.tokens) for tree, _ in pairs),
        scored,
    )


def every_other(gold: Gold, first: int) -> Gold:
    return Gold(gold.kind, gold.texts[first::2], gold.sentences[first::2])


def json_line(tree: Sentence, heads: Sentence) -> str:
    """A sentence with its constituents and its heads, as ``--trees`` reads them."""
    assert tree.tree is not None
    assert heads.conllu is not None
    spans = sorted(sentence_spans(tree.tree, whole=True))
    return json.dumps({"tokens": tree.tokens, "constituents": spans, "heads": heads.conllu.heads}) + "\n"


def scores(bank: Treebank, parses_of: Callable[[Source, Gold], Parses], kinds: Iterable[str] = ENDINGS) -> Cells:
    """The scores of these parses on the gold files of these kinds."""
    cells: Cells = {}
    for source, gold in bank.scored.items():
        if source.kind in kinds:
            prediction = predicted(gold, parses_of(source, gold))
            values = scores_of_part(source, gold, prediction, [True] * len(prediction))
            names = [TITLES[measure] for measure in source.measures]
            cells |= {name: f"{value:.1f}" for name, value in zip(names, values, strict=False)}
    return cells


def of_punctuation(bank: Treebank) -> Iterator[tuple[str, Cells]]:
    """Binary trees with gold constituents, and what punctuation cues leave of them."""
    form = open_model(MODEL).description.recipe.text
    for part, costs in (
        ("binary trees", None),
        ("binary trees, punctuation cues at one end of a span", partial(broken_costs, branching=RIGHT)),
        ("binary trees, punctuation cues at both ends of a span", broken_costs),
    ):
        yield part, scores(bank, lambda _, gold, costs=costs: binary_parses(gold, form, costs), [BRACKETS])


def binary_parses(gold: Gold, form: TextConfig, costs_of: Callable[[Cues], NDArray[np.float64]] | None) -> Parses:
    """Binary trees over the words that are read: as few constituents with a cost as can be, then as many gold ones."""
    found = {}
    for sentence in gold.sentences:
        assert sentence.tree is not None
        tokens, read = tuple(sentence.tokens), [normalize(token, form) is not None for token in sentence.tokens]
        T = sum(read)
        values = np.zeros((1, T + 1, T + 1))
        if costs_of is not None and T > 1:
            values[0] = -costs_of(cues_of(tokens, read))
        for span in sentence_spans(sentence.tree, read):
            values[0][span] += 1
        tree = induced_tree(tokens, with_punctuation_spans(best_binary_spans(values)[0], read))
        found[tokens] = Parse(tokens, tree, None, tuple(read))
    return found


def of_model(bank: Treebank) -> Iterator[tuple[str, Cells]]:
    """The model itself; and its trees of one kind, where the gold trees of the other kind are given."""
    yield MODEL, scores(bank, lambda source, gold: parses(MODEL, source.function_words, gold))
    (of_trees, trees), (of_heads, heads) = bank.scored.items()
    with_heads = [given(head, tree).to_conllu() for tree, head in zip(trees.sentences, heads.sentences, strict=True)]
    with_trees = [given(tree, head).to_nltk() for tree, head in zip(trees.sentences, heads.sentences, strict=True)]
    for part, source, gold, drafts, keep in (
        ("heads", of_trees, trees, with_heads, "heads"),
        ("constituents", of_heads, heads, with_trees, "brackets"),
    ):
        parser = Parser.load(MODEL, function_words=source.function_words)
        tokens = (tuple(sentence.tokens) for sentence in gold.sentences)
        found = dict(zip(tokens, parser.stream(drafts, keep=[keep]), strict=True))
        yield f"{MODEL}, gold {part} given", scores(bank, lambda *_, found=found: found, [gold.kind])


def given(sentence: Sentence, scored: Sentence) -> Parse:
    """The tree of a sentence, over its tokens as they are written where its other tree is scored."""
    heads = None if sentence.conllu is None else sentence.conllu.heads
    tree = None if sentence.tree is None else replace(sentence.tree, words=tuple(scored.tokens))
    return Parse(tuple(scored.tokens), tree, heads, (True,) * len(scored.tokens))


def parses(model: str | Path, function_words: FunctionWords, gold: Gold, heads: str = DEFAULT) -> Parses:
    sentences = [tuple(sentence.tokens) for sentence in gold.sentences]
    parser = Parser.load(model, function_words=function_words)
    return dict(zip(sentences, parser.stream(sentences, heads=heads), strict=True))


def of_learners(bank: Treebank, work: Path, data: Path) -> Iterator[tuple[str, Cells]]:
    """What learns from gold trees."""
    gold = work / f"{bank.name}.jsonl"
    gold.write_text("".join(bank.learned), encoding="utf-8")
    student = trained(work / f"{bank.name}-student", gold, *student_options(bank.words))
    of_grammars = (*(data / text for text in TEXTS), "--trees", gold, *RULES_OF_GOLD)
    grammars = trained(work / f"{bank.name}-grammars", *of_grammars)
    both = trained(work / f"{bank.name}-both", *of_grammars, "--teacher", student)
    for part, model, heads in (
        ("student of gold trees", student, DEFAULT),
        ("student of gold trees, heads without constituents", student, "mst"),
        ("grammars of gold trees", grammars, DEFAULT),
        ("student and grammars of gold trees", both, DEFAULT),
    ):
        cells = scores(bank, lambda _, gold, model=model, heads=heads: parses(model, FREE, gold, heads))
        yield part, {**cells, "CPU minutes": f"{read_record(model).cpu_minutes or math.nan:.1f}"}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--work", type=Path, default=Path("ceilings"), help="where models are kept")
    options.add_argument("--data", type=Path, default=DATA, help="the folder with the gold files")
    options.add_argument("--treebanks", nargs="+", choices=list(SCORED), default=list(SCORED))
    chosen = options.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    made = dated()
    for name in chosen.treebanks:
        bank = treebank(name, chosen.data)
        for rows in (of_punctuation(bank), of_model(bank), of_learners(bank, chosen.work, chosen.data)):
            for part, cells in rows:
                row: Row = {"part": part, "treebank": name, **cells, **made}
                print(row, flush=True)
                put_row(TABLE, row, IDENTITY, COLUMNS)


if __name__ == "__main__":
    program(main)
