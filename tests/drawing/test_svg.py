import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.drawing.layout import Bars, HeadMap
from synparse.drawing.svg import CELL, pair_svgs, sheet_svg, tree_svg
from synparse.trees.constituency import induced_tree
from synparse.trees.dependency import DependencyTree, WordHeads
from tests.trees.written import tree

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg):
    return ElementTree.fromstring(svg)


def with_class(root, name):
    return [element for element in root.iter() if name in element.get("class", "").split()]


def texts(elements):
    return ["".join(element.itertext()) for element in elements]


GOLD = tree("(S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (PRP it))) (. .))")
WORDS = ("the", "dog", "saw", "it", ".")


def test_a_tree():
    root = parsed(tree_svg(GOLD, "gold"))
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}title").text == "gold"
    assert texts(with_class(root, "node")) == ["S", "NP", "VP", "NP"]
    assert texts(with_class(root, "word")) == list(WORDS)
    assert texts(with_class(root, "note")) == ["DT", "NN", "VBD", "PRP", "."]
    assert len(with_class(root, "branch")) == 3 + 5
    assert with_class(root, "marked") == []


INDUCED = tree("(NT7 (NT30 (C12 the) (C4 dog)) (NT3 (C100 saw) (NT30 (_ it))) (C0 .))")


def test_induced_labels_and_classes():
    root = parsed(tree_svg(INDUCED, "induced"))
    assert texts(with_class(root, "node")) == ["NT7", "NT30", "NT3", "NT30"]
    assert texts(with_class(root, "word")) == list(WORDS)
    assert texts(with_class(root, "note")) == ["C12", "C4", "C100", "C0"]  # "it" has none


def test_differences_are_those_of_spans_and_not_of_labels():
    gold, induced = map(parsed, pair_svgs(GOLD, INDUCED))
    assert with_class(gold, "marked") == with_class(induced, "marked") == []
    _, crossing = map(parsed, pair_svgs(GOLD, tree("(NT7 (NT4 (NT30 (C12 the) (C4 dog)) (C100 saw)) (C3 it) (C0 .))")))
    assert texts(with_class(crossing, "marked")) == ["", "", "NT4"]


def test_the_branches_of_a_tree_lead_from_label_to_label():
    root = parsed(tree_svg(tree("(A (B b b) c)"), "tree"))
    # columns: b, b, c of three cells each; A over the middle of all, B over that of the first two
    x = [10 + position * CELL for position in (4.5, 3, 1.5, 7.5)]
    labels = [float(text.get("x")) for node in with_class(root, "node") for text in node]
    assert labels == pytest.approx(x[:2], abs=0.05)
    begins = [branch[0].get("d").split(" ")[0] for branch in with_class(root, "branch")]
    assert begins == [f"M{x[0]:.1f}", f"M{x[1]:.1f}", f"M{x[1]:.1f}", f"M{x[0]:.1f}"]


def test_arcs():
    relations = ("det", "nsubj", "root", "obj", "punct")
    root = parsed(tree_svg(DependencyTree(WORDS, (2, 3, 0, 3, 3), relations), "gold"))
    arcs = with_class(root, "arc")
    assert texts(arcs) == list(relations)
    assert len(with_class(root, "head")) == len(WORDS)
    assert texts(with_class(root, "word")) == list(WORDS)


def test_bars():
    root = parsed(tree_svg(Bars("heights", WORDS, (1.0, None, 3.0, 2.0, None)), "bars"))
    heights = [float(bar.get("height")) for bar in with_class(root, "bar")]
    assert heights == [2, 60, 31]
    assert texts(with_class(root, "bar")) == ["1", "3", "2"]
    between = parsed(tree_svg(Bars("distances", ("a", "b"), (1.0, None), True), "bars"))
    [bar] = with_class(between, "bar")
    assert float(bar.get("x")) + CELL == pytest.approx(10 + 3 * CELL, abs=0.05)


def test_differences_are_marked_on_both_sides():
    gold, predicted = map(parsed, pair_svgs(GOLD, tree("(X (X (X the dog) saw) it .)")))
    assert texts(with_class(gold, "marked")) == ["", "", "VP"]  # two branches and their label
    assert texts(with_class(predicted, "marked")) == ["", "", "X"]
    heads, other = DependencyTree(WORDS, (2, 3, 0, 3, 3)), DependencyTree(WORDS, (3, 3, 0, 3, 3), tuple("abcde"))
    gold, predicted = map(parsed, pair_svgs(heads, other))
    assert len(with_class(gold, "marked")) == 1
    assert texts(with_class(predicted, "marked")) == ["a"]
    assert 'class="arc marked"' not in "".join(pair_svgs(GOLD, heads))


def test_heads_that_are_no_tree_are_drawn_beside_those_that_are():
    words = ("a", "b", ",", "c", "d")
    cyclic = WordHeads(words, (2, 1, 1, 4, 0))  # a and b head each other, c itself
    gold, predicted = map(parsed, pair_svgs(DependencyTree(words, (2, 0, 2, 2, 4)), cyclic))
    assert len(with_class(gold, "arc")) == len(with_class(predicted, "arc")) == len(words)
    assert len(with_class(gold, "marked")) == len(with_class(predicted, "marked")) == 3  # of b, c and d


def test_sentences_of_a_file_stand_below_each_other():
    heads = DependencyTree(WORDS, (2, 3, 0, 3, 3))
    root = parsed(sheet_svg([("first", [GOLD, heads]), ("second", [heads])]))
    assert texts(with_class(root, "title")) == ["first", "second"]
    assert len(with_class(root, "arc")) == 2 * len(WORDS)
    groups = [element for element in root if element.get("transform")]
    tops = [float(group.get("transform").removeprefix("translate(0 ").removesuffix(")")) for group in groups]
    heights = [float(parsed(tree_svg(structure, "")).get("height")) for structure in (GOLD, heads, heads)]
    assert tops[0] + heights[0] == pytest.approx(tops[1])
    assert tops[2] + heights[2] == pytest.approx(float(root.get("height")))


@given(st.lists(st.text(st.characters(codec=None), min_size=1), min_size=1, max_size=5))
def test_any_word_is_well_formed_xml(words):
    tags = [word[::-1] for word in words]
    constituents = induced_tree(words, [(0, len(words))], tags)
    dependencies = DependencyTree(tuple(words), tuple(range(len(words))), tuple(tags))
    for structure in (constituents, dependencies, Bars(words[0], tuple(words), (1.0,) * len(words))):
        root = parsed(tree_svg(structure, words[0]).encode())
        assert len(with_class(root, "word")) == len(words)


def box(element, text):
    x, y = float(element.get("x")), float(element.get("y"))
    half = len(text) * (CELL if element.get("class") == "word" else 7.2) / 2
    return x - half, x + half, y


@given(st.lists(st.sampled_from(["a", "dog", "barked"]), min_size=2, max_size=9), st.randoms())
def test_no_label_covers_another(words, source):
    heads = [0] + [source.randint(1, position) for position in range(1, len(words))]
    relations = tuple(source.choice(["x", "nsubj:pass", "obl"]) for _ in words)
    order = list(range(1, len(words)))
    source.shuffle(order)
    spans = {(0, len(words)), *((0, end) for end in order[:3])}
    for structure in (DependencyTree(tuple(words), tuple(heads), relations), induced_tree(words, spans, relations)):
        elements = parsed(tree_svg(structure, "")).iter(f"{SVG}text")
        boxes = [box(element, element.text) for element in elements if element.text]
        for number, (left, right, y) in enumerate(boxes):
            for other_left, other_right, other_y in boxes[:number]:
                assert right <= other_left or other_right <= left or abs(y - other_y) >= 12


def places(svg):
    """The text and the x of each text of a picture, and the x of the begin and the first bend of each path."""
    root = parsed(svg)
    shown = [("".join(element.itertext()), float(element.get("x"))) for element in root.iter(f"{SVG}text")]
    paths = [
        re.findall(r"(?<=[ML])[0-9.]+", element.get("d"))
        for element in root.iter(f"{SVG}path")
        if "class" not in element.attrib
    ]
    return float(root.get("width")), shown, [[float(x) for x in path] for path in paths]


STRUCTURES = [
    lambda words: induced_tree(words, {(0, 4), (0, 2), (2, 4)}),
    lambda words: DependencyTree(words, (2, 0, 4, 2), ("det", "root", "case", "obj")),
    lambda words: Bars("distances", words, (1.0, 3.0, 2.0, None), True),
]


@pytest.mark.parametrize("make", STRUCTURES)
def test_a_sentence_from_right_to_left_is_the_mirror_image(make):
    (width, left, paths), (other, right, mirrored) = (
        places(tree_svg(make(tuple(words.split())), "tree")) for words in ("a dog ( it", "א אאא ( אא")
    )
    assert width == other
    for (text, x), (hebrew, from_right) in zip(left, right, strict=True):
        if text == "distances":
            assert x == from_right  # the title stays at the left
        else:
            assert len(text) == len(hebrew)
            assert x + from_right == pytest.approx(width, abs=0.11)
    for path, mirror in zip(paths, mirrored, strict=True):
        assert [x + y for x, y in zip(path, mirror, strict=True)] == pytest.approx([width] * len(path), abs=0.11)


def test_words_of_a_sentence_from_right_to_left_know_their_direction():
    """A bracket is mirrored, and a full stop stands at the left end of its word."""
    words = with_class(parsed(tree_svg(induced_tree(("(", "שלום.", "לך", "C++"), {(0, 4)}), "tree")), "word")
    assert [word.get("direction") for word in words] == ["rtl", "rtl", "rtl", None]
    words = with_class(parsed(tree_svg(induced_tree(("(", "שלום.", "x", "y"), {(0, 4)}), "tree")), "word")
    assert [word.get("direction") for word in words] == [None, "rtl", None, None]


def test_a_title_from_right_to_left_begins_at_the_left_edge():
    [title] = with_class(parsed(sheet_svg([("עץ", [GOLD])])), "title")
    assert title.get("direction") is None


def test_positions_are_exact_however_long_the_sheet():
    root = parsed(sheet_svg((str(number), [GOLD]) for number in range(8_000)))
    tops = [
        float(element.get("transform").removeprefix("translate(0 ").removesuffix(")"))
        for element in root
        if len(element)
    ]
    assert tops[-1] > 1_000_000
    assert {round(after - before, 1) for before, after in pairwise(tops)} == {round(tops[1] - tops[0], 1)}


def test_depth_is_no_matter():
    count = 1500
    svg = tree_svg(induced_tree("w" * count, [(position, count) for position in range(count - 1)]), "deep")
    assert len(with_class(parsed(svg), "node")) == count - 1


def test_a_map_of_heads_has_a_square_for_each_head_that_can_be_seen():
    drawing = tree_svg(HeadMap(("the", "dog", "."), ((0.1, 0.0, 0.9, 0.0), (1.0, 0.0, 0.0, 0.0), None)), "heads")
    assert drawing.count("<rect") == 3
    assert ">probabilities of heads<" in drawing
    assert 'fill-opacity="0.90"><title>0.9</title>' in drawing
    assert drawing.count(">the<") == 2
    turned = tree_svg(HeadMap(("שלום", "עולם"), ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0))), "heads")
    assert turned.count("<rect") == 2
