"""Sentences of our own become, in every scheme, what was checked by hand: see tests/fixtures/README.md."""

from itertools import compress
from pathlib import Path

import pytest

from synparse.treebanks.cleanup import cleaned
from synparse.treebanks.penn import nodes_of, without_traces
from synparse.treebanks.schemes import SCHEMES, load_converter
from synparse.trees.brackets import read_brackets
from synparse.trees.conllu import read_conllu
from synparse.trees.constituency import format_brackets
from synparse.trees.dependency import fault_of_heads

FOLDER = Path(__file__).parents[1] / "fixtures"

TOPIC = "the fronted object is a second subject"
EXTRAPOSED = "It, with an extraposed clause, is a subject, no expletive"
SMALL_CLAUSE = "the subject of the small clause is no object of the verb"
SHARED_OBJECT = "the shared object is a dep"
COLON = "the list after the colon is a dep"
VOCATIVE = "the vocative is a subject"
EXTENT = "5 % is an object"
LIST_ITEM = "the number of the list item has no relation"

# What the converters published with a scheme, and ours like them, do against the scheme's own guidelines.
LEFT_OUT = {
    "stanford": {
        38: EXTENT,
        44: VOCATIVE,
        48: "either is a cc, no preconj",
        51: SHARED_OBJECT,
        52: COLON,
        54: TOPIC,
        58: "the clause of purpose is a vmod, no advcl",
        69: LIST_ITEM,
    },
    "ud": {
        22: "existential be is an auxiliary",
        **dict.fromkeys([23, 60], EXTRAPOSED),
        **dict.fromkeys([35, 61, 68], SMALL_CLAUSE),
        38: EXTENT,
        44: VOCATIVE,
        51: SHARED_OBJECT,
        52: COLON,
        54: TOPIC,
        69: LIST_ITEM,
    },
    "lth2008": {69: LIST_ITEM},
    "lth2007": {44: "no label for a vocative", 69: LIST_ITEM},
    "penn2malt": {},
}


def read_expected(scheme):
    """Line of the sentence in sentences.mrg → the sentence, and what is known to be wrong with ours."""
    sentences = {}
    with (FOLDER / f"sentences.{scheme}.conllu").open(encoding="utf-8") as lines:
        for sentence in read_conllu(lines, scheme):
            comments = dict(line.strip("# \n").split(" = ") for line in sentence.lines if line.startswith("#"))
            sentences[int(comments["sent_id"])] = sentence, comments.get("known_error", "")
    return sentences


with (FOLDER / "sentences.mrg").open(encoding="utf-8") as mrg:
    TREES = dict(read_brackets(mrg, "sentences.mrg"))
EXPECTED = {scheme: read_expected(scheme) for scheme in SCHEMES}

every_sentence = pytest.mark.parametrize(
    ("scheme", "line"),
    [
        pytest.param(scheme, line, marks=pytest.mark.xfail(strict=True, reason=why) if why else ())
        for scheme in SCHEMES
        for line, (_, why) in EXPECTED[scheme].items()
    ],
)


def check(conversion, gold):
    assert conversion.heads == gold.heads
    if conversion.relations:
        assert conversion.relations == gold.relations
    if conversion.upos:
        assert conversion.upos == gold.upos


@every_sentence
def test_the_conversion_is_what_was_checked_by_hand(scheme, line):
    check(load_converter(scheme)(nodes_of(TREES[line])), EXPECTED[scheme][line][0])


@pytest.mark.parametrize("scheme", [name for name, scheme in SCHEMES.items() if not scheme.reads_functions])
@pytest.mark.parametrize("keeps_traces", [True, False])
def test_function_tags_and_traces_change_nothing(scheme, keeps_traces):
    convert = load_converter(scheme)
    for line, tree in TREES.items():
        root = nodes_of(tree)
        for node in root.preorder():
            node.functions = ()
        assert convert(root if keeps_traces else without_traces(root)) == convert(nodes_of(tree)), line


@pytest.mark.parametrize("scheme", ["lth2008", "lth2007"])
def test_raw_nothing_else_than_words_and_categories_is_read(scheme):
    for line, tree in TREES.items():
        bare = without_traces(nodes_of(tree))
        for node in bare.preorder():
            node.functions, node.index = (), ""
        convert = load_converter(scheme, raw=True)
        conversion = convert(nodes_of(tree))
        assert conversion == convert(bare), line
        assert fault_of_heads(conversion.heads) == ""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_sentence_is_there_or_left_out_for_a_reason(scheme):
    assert sorted([*EXPECTED[scheme], *LEFT_OUT[scheme]]) == list(TREES) == list(range(1, 71))
    for line, (gold, _) in EXPECTED[scheme].items():
        kept = [tag != "-NONE-" for tag in TREES[line].tags]
        assert gold.words == tuple(compress(TREES[line].words, kept))
        assert gold.xpos == tuple(compress(TREES[line].tags, kept))
        assert fault_of_heads(gold.heads) == ""
        assert [relation.lower() == "root" for relation in gold.relations] == [head == 0 for head in gold.heads]


def test_clean_brackets():
    expected = (FOLDER / "sentences.brackets").read_text(encoding="utf-8").splitlines()
    assert [format_brackets(cleaned(tree)) for tree in TREES.values()] == expected
