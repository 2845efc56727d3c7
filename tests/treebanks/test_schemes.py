"""Whatever the tree, every scheme gives one root, no cycle, and a head, relation and part of speech for each word."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synparse.treebanks.penn import nodes_of, without_traces
from synparse.treebanks.schemes import SCHEMES, load_converter
from synparse.trees.brackets import read_brackets
from synparse.trees.constituency import ConstituencyTree, Constituent
from synparse.trees.dependency import fault_of_heads
from synparse.trees.distances import unbiased_spans
from tests.treebanks.reading import root_of

CONVERSIONS = [(name, raw) for name, scheme in SCHEMES.items() for raw in {False, scheme.reads_functions}]
every_conversion = pytest.mark.parametrize(("name", "raw"), CONVERSIONS)

LABELS = """ADJP ADVP CONJP FRAG INTJ LST NAC NML NP NX PP PRN PRT QP RRC S SBAR SBARQ SINV SQ UCP VP WHADJP WHADVP WHNP
    WHPP X ROOT TOP NEW ÄÖ PRT|ADVP""".split()
FUNCTIONS = ["", "", "-SBJ", "-PRD", "-TMP", "-LOC-CLR", "-TPC-1", "-NOM-2", "=1", "-SBJ-1=2", "-ODD"]
TAGS = """CC CD DT EX FW IN JJ JJR JJS LS MD NN NNP NNPS NNS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG VBN VBP
    VBZ WDT WP WP$ WRB # $ . , : `` '' -LRB- -RRB- HYPH NFP ADD AFX GW XX NEW JJ|NN""".split()
WORDS = """the dog is be 's not to that which and or but , . : -- -LRB- $ % % who there it get been has as well than
    such because of rather n't both either 1\\/2 Ünïcödé 犬 — …""".split()
TRACES = ["*", "0", "*-1", "*T*-1", "*T*-2", "*ICH*-1", "*RNR*-2", "*EXP*-1", "*U*", "*?*", "*PPA*-1", "*NOT*"]


def check(tree, name, raw=False):
    result = load_converter(name, raw)(nodes_of(tree))
    count = sum(tag != "-NONE-" for tag in tree.tags)
    assert len(result.heads) == count
    assert fault_of_heads(result.heads) == ""
    for column in (result.relations, result.upos):
        assert len(column) in (0, count)
        assert all(value and not any(map(str.isspace, value)) for value in column)
    return result


@st.composite
def trees(draw):
    count = draw(st.integers(1, 9))
    distances = draw(st.lists(st.floats(0, 1), min_size=count - 1, max_size=count - 1))
    single = [(position, position + 1) for position in range(count)]
    spans = draw(st.lists(st.sampled_from([(0, count), *unbiased_spans(distances), *single])))  # doubles are chains
    label = st.builds(str.__add__, st.sampled_from(LABELS), st.sampled_from(FUNCTIONS))
    constituents = [
        Constituent(draw(label), start, end)
        for start, end in sorted([(0, count), *spans], key=lambda span: (span[0], -span[1]))
    ]
    tags = [draw(st.sampled_from([*TAGS, *["-NONE-"] * 5])) for _ in range(count)]
    if all(tag == "-NONE-" for tag in tags):
        tags[draw(st.integers(0, count - 1))] = "NN"
    words = [draw(st.sampled_from(TRACES if tag == "-NONE-" else WORDS)) for tag in tags]
    return ConstituencyTree(tuple(words), tuple(tags), tuple(constituents))


@every_conversion
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(tree=trees())
def test_any_tree(name, raw, tree):
    check(tree, name, raw)


@every_conversion
def test_a_treebank(fixtures, name, raw):
    with (fixtures / "sentences.mrg").open(encoding="utf-8") as lines:
        for _, tree in read_brackets(lines, "sentences.mrg"):
            check(tree, name, raw)


def chain(depth):
    return ConstituencyTree(("dog",), ("NN",), tuple(Constituent(LABELS[n % 25], 0, 1) for n in range(depth)))


def flat(count):
    words = tuple(WORDS[n % len(WORDS)] for n in range(count))
    tags = tuple(TAGS[n % len(TAGS)] for n in range(count))
    return ConstituencyTree(words, tags, (Constituent("NP", 0, count),))


def adverbs(count):
    """In, and ``count`` adverbs: none is an object, and each asks whether one follows."""
    return ConstituencyTree(("in", *["so"] * count), ("IN", *["RB"] * count), (Constituent("PP", 0, count + 1),))


def branching(count, right):
    spans = [(n, count) if right else (0, count - n) for n in range(count - 1)]
    labels = [("S", "VP")[n % 2] for n in range(count - 1)]
    constituents = tuple(Constituent(label, *span) for label, span in zip(labels, spans, strict=True))
    return ConstituencyTree(("go",) * count, ("VB",) * count, constituents)


WORDS_ALONE = {
    "one word": ConstituencyTree(("Hallo",), ("UH",), ()),
    "one unknown word": ConstituencyTree(("…",), ("?!",), (Constituent("", 0, 1),)),
}
SHAPES = {
    "a deep chain": chain,
    "words in a row": flat,
    "adverbs in a prepositional phrase": adverbs,
    "words to the right": lambda count: branching(count, True),
    "words to the left": lambda count: branching(count, False),
}


@every_conversion
@pytest.mark.parametrize("shape", WORDS_ALONE)
def test_words_alone(shape, name, raw):
    check(WORDS_ALONE[shape], name, raw)


@every_conversion
@pytest.mark.parametrize("shape", SHAPES)
def test_work_is_linear_in_the_size_of_a_tree(lines_run, shape, name, raw):
    check(SHAPES[shape](5_000 if shape == "a deep chain" else 1_000), name, raw)
    convert = load_converter(name, raw)
    small, large = (nodes_of(SHAPES[shape](count)) for count in (200, 400))
    convert(nodes_of(SHAPES[shape](100)))  # what is made once
    assert lines_run(lambda: convert(large)) < 2.2 * lines_run(lambda: convert(small))


def test_a_stripped_tree_is_read_as_one_without_functions():
    """Function tags and traces that LTH ignores on demand change nothing then."""
    text = "( (S (NP-SBJ-1 (NNS dogs)) (VP (VBD were) (VP (VBN seen) (NP (-NONE- *-1)) (NP-TMP (NN today))))))"
    stripped = without_traces(root_of(text))
    for node in stripped.preorder():
        node.functions, node.index = (), ""
    for name in ("lth2008", "lth2007"):
        convert = load_converter(name, raw=True)
        assert convert(root_of(text)) == convert(stripped)
        assert convert(root_of(text)) != load_converter(name)(root_of(text))
