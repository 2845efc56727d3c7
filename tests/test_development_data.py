"""On treebanks and published data that are not part of the project: what converters, scorers and papers say of them.

SYNPARSE_DATA names their folder; without it nothing here runs. The same is tested on our own sentences, each beside the
module that it is about.
"""

import io
import itertools
import os
import re
from collections import Counter
from functools import cache
from itertools import zip_longest
from pathlib import Path
from random import Random

import pytest

from synparse.drawing.svg import sheet_svg
from synparse.language_models.pair_files import read_pairs
from synparse.scoring.acceptability import MARVIN_LINZEN
from synparse.scoring.baselines import trivial_spans
from synparse.scoring.bracket_comparison import compare_brackets
from synparse.scoring.comparison import Wanted
from synparse.scoring.conll18 import evaluate_conll18
from synparse.scoring.constituency import SpanCounts, score_spans
from synparse.scoring.dependencies import DependencyCounts, score_heads
from synparse.scoring.head_comparison import compare_heads
from synparse.scoring.in_step import NamedLines
from synparse.tasks import TASKS
from synparse.tasks.expressions import format_example, read_examples
from synparse.tasks.logic import SPLITS, is_held_out
from synparse.treebanks.convert import ConvertOptions, convert
from synparse.treebanks.penn import nodes_of, without_traces
from synparse.treebanks.schemes import SCHEMES, load_converter
from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import read_conllu
from synparse.trees.constituency import format_brackets, induced_tree
from synparse.trees.dependency import DependencyTree
from synparse.trees.distances import unbiased_spans
from synparse.trees.scored_words import kept_leaves, lacks_penn_tags
from synparse.trees.spans import sentence_spans
from synparse.trees.trivial import TRIVIAL_PARSERS
from tests.treebanks.test_schemes import check

DATA = Path(os.environ.get("SYNPARSE_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
if not DATA.is_dir():
    pytest.skip(f"no development data at {DATA} (set SYNPARSE_DATA)", allow_module_level=True)

TREEBANKS = {"wsj": "wsj/trees.mrg", "gum": "gum/dev.ptb"}


@cache
def treebank(name):
    with (DATA / TREEBANKS[name]).open(encoding="utf-8") as lines:
        return list(read_brackets(lines, name))


def sentences(name, step=1):
    """The sentences of a file; with a step, some of them."""
    blocks = (DATA / name).read_text(encoding="utf-8").removesuffix("\n\n").split("\n\n")
    return read_conllu(io.StringIO("\n\n".join([*blocks[::step], ""])), name)


def agreement(convert, corpus, gold_file, stripped, step):
    """Fractions of words with the gold head, with gold head and relation, and with the gold part of speech."""
    same = Counter()
    for bracketed, gold in zip_longest(treebank(corpus)[::step], sentences(f"conversion/{gold_file}", step)):
        root = nodes_of(bracketed.tree)
        if stripped:
            for node in without_traces(root).preorder():
                node.functions = ()
        converted = convert(root)
        same["words"] += len(gold.heads)
        same["heads"] += sum(map(int.__eq__, converted.heads, gold.heads))
        if converted.relations:
            same["relations"] += sum(
                arc == gold_arc
                for arc, gold_arc in zip(
                    zip(converted.heads, converted.relations, strict=True),
                    zip(gold.heads, gold.relations, strict=True),
                    strict=True,
                )
            )
        same["upos"] += sum(map(str.__eq__, converted.upos, gold.upos))
    return [same[name] / same["words"] for name in ("heads", "relations", "upos")]


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("scheme", "corpus", "gold_file", "stripped", "least"),
    [
        ("stanford", "wsj", "wsj.sd.conll", False, (0.9995, 0.998, 0.9995)),
        ("stanford", "wsj", "wsj.sd.conll", True, (0.999, 0.994, 0)),
        ("stanford", "gum", "gum-dev.sd.conll", False, (0.999, 0.996, 0.999)),
        ("ud", "wsj", "wsj.ud.conll", False, (0.999, 0.9975, 0.9995)),
        ("ud", "wsj", "wsj.ud.conll", True, (0.999, 0.993, 0)),
        ("ud", "gum", "gum-dev.ud.conll", False, (0.998, 0.995, 0.999)),
        ("penn2malt", "wsj", "wsj.penn2malt.conll", False, (1, 0, 0)),
        ("penn2malt", "wsj", "wsj.penn2malt.conll", True, (1, 0, 0)),
        ("lth2008", "wsj", "wsj.lth2008.conll", False, (0.998, 0.9975, 0)),
        ("lth2008", "gum", "gum-dev.lth2008.conll", False, (0.998, 0.9975, 0)),
        ("lth2007", "wsj", "wsj.lth2007.conll", False, (0.998, 0.998, 0)),
        ("lth2007", "gum", "gum-dev.lth2007.conll", False, (0.998, 0.997, 0)),
    ],
)
def test_a_conversion_agrees_with_the_converter(scheme, corpus, gold_file, stripped, least, step):
    is_raw = SCHEMES[scheme].reads_functions and corpus == "gum"  # GUM has function tags of its own, and no traces
    fractions = agreement(load_converter(scheme, is_raw), corpus, gold_file, stripped, step)
    assert all(map(float.__ge__, fractions, map(float, least))), fractions


@pytest.mark.parametrize("corpus", TREEBANKS)
def test_every_conversion_gives_one_tree(corpus):
    for _, tree in treebank(corpus)[::25]:
        for name, scheme in SCHEMES.items():
            for raw in {False, scheme.reads_functions}:
                check(tree, name, raw)


def test_treebanks_are_written_as_they_are_read():
    for corpus in TREEBANKS:
        trees = [tree for _, tree in treebank(corpus)[::20]]
        text = [line + "\n" for line in map(format_brackets, trees)]
        assert [tree for _, tree in read_brackets(text, corpus)] == trees
    for name in ("ewt/dev.conllu", "gum/dev.conllu"):
        with (DATA / name).open(encoding="utf-8", newline="") as stream:
            text = stream.read()
        lines = text.splitlines(keepends=True)
        assert "".join("".join(sentence.lines) for sentence in read_conllu(lines, name)) == text


@pytest.mark.parametrize(
    ("corpus", "parser", "sentence", "corpus_level"),
    [
        ("wsj", "right-branching", 39.7, 35.8),
        ("wsj", "left-branching", 8.3, 6.4),
        ("gum", "right-branching", 50.2, None),
        ("gum", "left-branching", 9.4, None),
    ],
)
def test_trivial_trees_score_what_is_published(corpus, parser, sentence, corpus_level):
    counts = SpanCounts()
    for _, tree in treebank(corpus):
        kept = kept_leaves(tree)
        count = sum(kept)
        if count > 1:
            predicted = unbiased_spans(TRIVIAL_PARSERS[parser]([False] * count, Random(0)).distances)
            counts += score_spans(sentence_spans(tree, kept), sentence_spans(induced_tree(["x"] * count, predicted)))
    assert 100 * counts.sentence_f1 == pytest.approx(sentence, abs=0.05)
    if corpus_level is not None:
        assert counts.sentences == 3901
        assert 100 * counts.corpus_f1 == pytest.approx(corpus_level, abs=0.05)


def test_right_branching_on_the_wsj_sample_scores_what_is_published():
    predicted = []
    for _, tree in treebank("wsj"):
        words = [word for word, kept in zip(tree.words, kept_leaves(tree), strict=True) if kept]
        predicted.append(format_brackets(induced_tree(words, trivial_spans("right-branching", len(words)))) + "\n")
    with (DATA / TREEBANKS["wsj"]).open(encoding="utf-8") as lines:
        comparison = compare_brackets([NamedLines("right", predicted)], NamedLines("wsj", lines))
    assert comparison.totals == {"sentences": 3914, "scored_sentences": 3901}
    scores = comparison.systems[0].scores
    assert 100 * scores["uf1_sentence"] == pytest.approx(39.7, abs=0.05)
    assert 100 * scores["uf1_corpus"] == pytest.approx(35.8, abs=0.05)


@pytest.mark.parametrize("path", ["wsj/trees.mrg", "gum/dev.ptb", "gum/train.ptb"])
def test_no_penn_tree_lacks_penn_tags(path):
    with (DATA / path).open(encoding="utf-8") as lines:
        assert not any(lacks_penn_tags([bracketed.tree]) for bracketed in read_brackets(lines, path))


@pytest.mark.parametrize(
    ("path", "baselines"),
    [
        ("pt/trees-floresta-dev.ptb.gz", {"left-branching": 8.57, "right-branching": 34.51, "balanced": 22.95}),
        pytest.param(
            "es/trees-cess.ptb.gz",
            {"left-branching": 7.25, "right-branching": 29.53, "balanced": 20.84},
            marks=pytest.mark.long,
        ),
        pytest.param(
            "zh/trees-sinica.ptb.gz",
            {"left-branching": 14.97, "right-branching": 20.39, "balanced": 22.98},
            marks=pytest.mark.long,
        ),
    ],
)
def test_treebanks_of_other_languages_lose_punctuation_by_form(path, baselines):
    gold = "".join(convert([str(DATA / "languages" / path)], ConvertOptions("brackets", split_units=True))).splitlines()
    run, reference = NamedLines("gold", gold), NamedLines("gold", gold)
    comparison = compare_brackets([run], reference, wanted=Wanted(baselines=True))
    assert "by form (the tags of the gold file are not Penn's)" in comparison.protocol
    assert comparison.systems[0].scores["uf1_sentence"] == 1
    scores = {baseline.name: baseline.scores["uf1_sentence"] for baseline in comparison.baselines}
    assert {name: round(100 * scores[name], 2) for name in baselines} == baselines


def test_previous_word_heads_score_what_is_published():
    # Published with punctuation: 16.5 UAS with the root scored like a word, 45.2 UUAS with the root left out.
    as_word, omitted = DependencyCounts(), DependencyCounts()
    for sentence in sentences("conversion/wsj.sd.conll"):
        predicted = tuple(range(len(sentence.words)))
        as_word += score_heads(sentence.heads, predicted)
        omitted += score_heads(sentence.heads, predicted, root="omit")
    assert 100 * as_word.uas == pytest.approx(16.5, abs=0.05)
    assert 100 * omitted.uuas == pytest.approx(45.2, abs=0.05)


def test_a_treebank_against_itself_is_perfect():
    lines = (DATA / "ewt/dev.conllu").read_text(encoding="utf-8").splitlines(True)
    result = compare_heads([NamedLines("one", lines)], NamedLines("gold", lines), wanted=Wanted(breakdowns=True))
    assert result.totals == {"sentences": 2001, "words": 22072}
    [system] = result.systems
    assert set(system.scores.values()) == {1}
    rows = [scores for table in system.breakdowns for scores in table.rows.values()]
    assert all(scores[name] == 1 for scores in [system.scores, *rows] for name in ("uas", "uuas", "ned", "las"))


# Precision, recall, F1 and AligndAcc of the trees that CoreNLP makes of GUM's constituents, whose contractions are no
# multiword tokens, as the scorer in the package udtools 0.2.9 gives them, which is the shared task's.
OFFICIAL = {
    "Tokens": (96.32, 98.13, 97.22, None),
    "Sentences": (100, 100, 100, None),
    "Words": (100, 100, 100, None),
    "UPOS": (98.28, 98.28, 98.28, 98.28),
    "XPOS": (99.98, 99.98, 99.98, 99.98),
    "UFeats": (32.15, 32.15, 32.15, 32.15),
    "AllTags": (31.84, 31.84, 31.84, 31.84),
    "Lemmas": (97.34, 97.34, 97.34, 97.34),
    "UAS": (83.48, 83.48, 83.48, 83.48),
    "LAS": (78.31, 78.31, 78.31, 78.31),
    "CLAS": (76.96, 77.50, 77.23, 77.50),
    "MLAS": (3.48, 3.50, 3.49, 3.50),
    "BLEX": (73.87, 74.39, 74.13, 74.39),
}


def test_real_files_score_what_the_shared_task_gives_them():
    with (
        (DATA / "conversion/gum-dev.ud.conll").open(encoding="utf-8") as predicted,
        (DATA / "gum/dev.conllu").open(encoding="utf-8") as gold,
    ):
        scores = evaluate_conll18(NamedLines("pred", predicted), NamedLines("gold", gold))
    for name, counts in scores.items():
        cells = (counts.precision, counts.recall, counts.f1, counts.aligned_accuracy)
        assert tuple(None if cell is None else round(100 * cell, 2) for cell in cells) == OFFICIAL[name], name


def test_the_published_data_are_as_we_prove_them(tmp_path):
    sample = tmp_path / "sample"
    for path in sorted((DATA / "logic").iterdir()):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)[:3000:10]
        sample.write_text("".join(lines), encoding="utf-8")
        for line, example in zip(lines, read_examples(TASKS["logic"], [str(sample)]), strict=True):
            assert format_example(TASKS["logic"], example) == line
            operators = max(expression.operators for expression in example.expressions)
            assert min(operators, 12) == int(re.sub("train|test", "", path.name))  # test12 has longer ones too
            for name, pattern in SPLITS.items():
                assert is_held_out(example, name) == bool(pattern.search(line))


def test_the_splits_have_the_published_sizes():
    lines = [
        line
        for operators in range(7)
        for line in (DATA / "logic" / f"train{operators}").read_text(encoding="utf-8").splitlines()
    ]
    sizes = {name: sum(not pattern.search(line) for line in lines) for name, pattern in SPLITS.items()}
    assert (len(lines), sizes) == (135_529, {"A": 128_969, "B": 87_948, "C": 51_896})  # Shen et al. (2019), table 2


def test_arcs_of_a_treebank_are_its_words():
    trees = [
        DependencyTree(sentence.words, sentence.heads, sentence.relations)
        for _, sentence in zip(range(100), sentences("gum/dev.conllu"), strict=False)
    ]
    drawn = sheet_svg((str(number), [tree]) for number, tree in enumerate(trees))
    assert len(re.findall(r'class="[^"]*\barc\b', drawn)) == sum(map(len, trees))


def test_the_constructions_of_marvin_and_linzen_are_those_of_the_thesis():
    items = list(read_pairs(str(DATA / "minimal-pairs" / "marvin-linzen.tsv.gz")).items)
    assert len(items) == 13_484
    assert {item.columns["construction"] for item in items} == set(itertools.chain(*MARVIN_LINZEN.values()))
    has_intrusive = Counter(item.columns["construction"] for item in items if "intrusive" in item.sentences)
    assert has_intrusive == {"NPI, simple": 264, "NPI, across a relative clause": 800}


def test_blimp_has_its_paradigms_phenomena_and_fields():
    pairs = read_pairs(str(DATA / "minimal-pairs" / "blimp.tsv.gz"))
    assert pairs.columns == ("paradigm", "phenomenon", "field")
    counts = {name: Counter() for name in pairs.columns}
    for item in pairs.items:
        for name, value in item.columns.items():
            counts[name][value] += 1
    assert {name: len(values) for name, values in counts.items()} == {"paradigm": 67, "phenomenon": 12, "field": 4}
    assert set(counts["paradigm"].values()) == {1000}
