"""Patterns of constituents on trees made by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.search.constituents import read_pattern
from synparse.search.nodes import RELATIONS, Nodes
from synparse.search.tokens import TooManyMatches
from synparse.trees.brackets import read_brackets
from synparse.trees.errors import SettingError
from synparse.trees.limits import MOST_NESTED

TREE = """(S (NP-SBJ (DT the) (JJ old) (NN dog)) (VP (VBD saw) (NP (NP (DT a) (NN cat)) (PP (IN of) (NP (PRP$ my)
(NN aunt))))) (. .))"""


def nodes_of(text):
    [(_, tree)] = read_brackets(text.splitlines(), "x")
    return Nodes(tree)


def found(pattern, text=TREE):
    """The words under the first node of each match, with its label."""
    nodes = nodes_of(text)
    return [
        f"{nodes.labels[match.node]}: {' '.join(nodes.tree.words[nodes.starts[match.node] : nodes.ends[match.node]])}"
        for match in read_pattern(pattern).matches(nodes)
    ]


DOG, CAT, OF_CAT, AUNT = "NP-SBJ: the old dog", "NP: a cat", "NP: a cat of my aunt", "NP: my aunt"


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        # What a node is.
        ("NP", [OF_CAT, CAT, AUNT]),
        ("NP|NP-SBJ", [DOG, OF_CAT, CAT, AUNT]),
        ("NP | PP", [OF_CAT, CAT, "PP: of my aunt", AUNT]),
        ("@NP", [DOG, OF_CAT, CAT, AUNT]),
        ("/^N.*-/", [DOG]),
        ("/^V|S$/", ["S: the old dog saw a cat of my aunt .", "VP: saw a cat of my aunt", "VBD: saw"]),
        ("aunt", ["aunt: aunt"]),
        ("PRP$", ["PRP$: my"]),
        ('"."', [".: .", ".: ."]),
        ("_ < of", ["IN: of"]),
        ("__ < of", ["IN: of"]),
        ("* < of", ["IN: of"]),
        ("!NP|PP <: _ > _", ["DT: the", "JJ: old", "NN: dog", "VBD: saw", "DT: a", "NN: cat", "IN: of", "PRP$: my",
                             "NN: aunt", ".: ."]),
        # Relations.
        ("NP < DT", [CAT]),
        ("NP < (DT $+ NN)", [CAT]),
        ("NP < (DT $. NN)", [CAT]),
        ("@NP < (DT $.. NN)", [DOG, CAT]),
        ("NN $- JJ", ["NN: dog"]),
        ("NN $-- DT", ["NN: dog", "NN: cat"]),
        ("JJ $ DT", ["JJ: old"]),
        ("NP > NP", [CAT]),
        ("NP >> PP", [AUNT]),
        ("NP << aunt", [OF_CAT, AUNT]),
        ("@NP <2 JJ", [DOG]),
        ("NP <-1 NN", [CAT, AUNT]),
        ("NN >3 NP-SBJ", ["NN: dog"]),
        ("JJ <: old", ["JJ: old"]),
        ("DT . NN", ["DT: a"]),
        ("DT .. JJ", ["DT: the"]),
        ("NN , DT", ["NN: cat"]),
        ("NN ,, IN", ["NN: aunt"]),
        ("PP , NP", ["PP: of my aunt"]),
        # Several of them are about the first node.
        ("NP < DT < NN", [CAT]),
        ("NP < DT & < NN", [CAT]),
        ("NP < (DT < NN)", []),
        ("NP !< DT", [OF_CAT, AUNT]),
        ("NP !< DT !< PP", [AUNT]),
        ("NP < !DT|NN", [OF_CAT, AUNT]),
        ("NP < DT | < PP", [OF_CAT, CAT]),
        ("NP < DT | < PP > NP", [CAT]),
        ("NP [< DT | < PP] > NP", [CAT]),
        ("NP > VP [< DT | < PP]", [OF_CAT]),
        ("NP ![< DT | < PP]", [AUNT]),
        ("(NP < NN) > PP", [AUNT]),
        # A node beside another one, as in brackets, is below it.
        ("NP < (_ a)", [CAT]),
        ("(NP (DT a) NN)", [CAT]),
        ("(NP (NP DT) (PP (IN of)))", [OF_CAT]),
    ],
)  # fmt: skip
def test_patterns(pattern, expected):
    assert found(pattern) == expected


def test_words_without_tags_as_they_are_written():
    assert found("X < (_ of)", "(X (X (_ cup) (_ of)) (_ of) tea)") == ["X: cup of of tea", "X: cup of"]


def test_a_word_that_is_like_a_label_is_a_node_of_its_own():
    assert found("NP", "(NP (NN NP))") == ["NP: NP", "NP: NP"]


def names(pattern, text=TREE):
    nodes = nodes_of(text)
    return [
        {name: nodes.labels[node] + str(node) for name, node in match.named.items()}
        for match in read_pattern(pattern).matches(nodes)
    ]


def test_each_choice_of_named_nodes_is_a_match():
    text = "(A (B b) (B c) (C d))"
    assert names("A=x", text) == [{"x": "A0"}]
    assert names("A < B=x", text) == [{"x": "B1"}, {"x": "B3"}]
    assert names("A < B=x < B=y", text) == [
        {"x": "B1", "y": "B1"}, {"x": "B1", "y": "B3"}, {"x": "B3", "y": "B1"}, {"x": "B3", "y": "B3"},
    ]  # fmt: skip
    assert names("A < (B=x $+ _=y)", text) == [{"x": "B1", "y": "B3"}, {"x": "B3", "y": "C5"}]
    assert names("A [< C=x | < B=x]", text) == [{"x": "C5"}, {"x": "B1"}, {"x": "B3"}]
    assert names("A [< C | < B=x]", text) == [{}, {"x": "B1"}, {"x": "B3"}]
    assert names("A [< B=x | < C]", text) == [{"x": "B1"}, {"x": "B3"}, {}]
    assert names("A [< B | < C]", text) == [{}]
    assert names("A < B", text) == [{}]


def test_ways_over_nodes_without_names_are_one_match():
    assert names("A << (_ << (_ << T=x))", "(A (A (A (A (A (T a))))))") == [{"x": "T5"}] * 3


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("", 'column 1: expected a label (punctuation in quotes: "."), but the pattern ends'),
        ("NP < ", 'column 6: expected a label (punctuation in quotes: "."), but the pattern ends'),
        ("NP < )", "column 6: expected a label (punctuation in quotes: \".\"), not ')'"),
        ("NP < < DT", "column 6: expected a label (punctuation in quotes: \".\"), not '<'"),
        ("NP < (DT", "column 9: expected ')', but the pattern ends"),
        ("NP [< DT", "column 9: expected ']', but the pattern ends"),
        ("NP < DT)", "column 8: expected a relation or the end, not ')'"),
        ("NP=1 < DT", "column 4: expected a name, not '1'"),
        ("NP <` DT", "column 5: expected a label (punctuation in quotes: \".\"), not '`'"),
        ("NP ?< DT", "column 4: expected a label (punctuation in quotes: \".\"), not '?'"),
        ("NP <<1 DT", "column 6: there is no relation <<1; write a blank before a word"),
        ("@/^N/i", "column 1: flags are written in the expression: /(?i)np/"),
        ("NP < /(/", "column 6: not a regular expression: missing )"),
        ("NP < /dt/i", "column 6: flags are written in the expression: /(?i)np/"),
        ("NP=x < DT=x", "column 12: the name x is there twice"),
        ("NP !< DT=x", "column 11: what must not be there can have no name, but x is one"),
        ('NP < "DT', "column 6: '\"' cannot begin a term"),
        ("(" * (MOST_NESTED + 2) + "A", "more than 50 brackets inside each other"),
        ("A " + "[" * (MOST_NESTED + 2) + "< A", "more than 50 brackets inside each other"),
    ],
)
def test_faults_have_a_column(pattern, message):
    with pytest.raises(SettingError) as error:
        read_pattern(pattern)
    assert message in str(error.value).replace(" of the pattern of constituents", "")


@given(st.lists(st.sampled_from([*RELATIONS, *'()[]!|&=_/"@', "=x", "NP", "/N/", '"a"', "<2", "é"]), max_size=9))
def test_any_text_is_a_pattern_or_has_a_fault(parts):
    nodes = nodes_of(TREE)
    for text in ("".join(parts), " ".join(parts)):
        try:
            pattern = read_pattern(text)
        except SettingError:
            continue
        assert all(match.named.keys() <= set(pattern.names) for match in pattern.matches(nodes))


def test_deep_trees_are_searched_and_matches_are_bounded():
    deep = "(A " * 3000 + "(T a)" + ")" * 3000
    assert names("T=x >> (A > A)", deep) == [{"x": "T3000"}]
    assert len(found("A << T", deep)) == 3000
    with pytest.raises(TooManyMatches, match="more than 10000 matches"):
        names("A=x < _=y < _=z", "(A " + "(B b)" * 101 + ")")
