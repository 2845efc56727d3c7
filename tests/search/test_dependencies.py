"""Patterns of words and arcs: on a sentence made by hand, and against all ways to place the words."""

import contextlib
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.search.dependencies import MOST_NAMES, Words, read_pattern
from synparse.search.tokens import TooManyMatches
from synparse.trees.errors import SettingError

# The dogs, which bark, see her cat.
SENTENCE = """\
the	the	DET	DT	Definite=Def	2	det	_
dogs	dog	NOUN	NNS	Number=Plur	6	nsubj	SpaceAfter=No
,	,	PUNCT	,	_	4	punct	_
bark	bark	VERB	VBP	Number=Plur|Tense=Pres	2	acl:relcl	_
,	,	PUNCT	,	_	4	punct	_
see	see	VERB	VBP	Number=Plur|Tense=Pres	0	root	_
her	_	PRON	PRP$	Case=Gen|Number=Sing|Number[psor]=Sing	8	nmod:poss	Uncertain=Yes
cat	cat	NOUN	NN	Number=Sing	6	obj	_
"""


def rows_of(text):
    rows = [line.split("\t") for line in text.splitlines()]
    return [(str(n), *row[:5], row[5], row[6], "_", row[7]) for n, row in enumerate(rows, 1)]


def found(pattern):
    """The matches, the words of each in the order of the names, counted from 1."""
    rows = rows_of(SENTENCE)
    words = Words(rows, [int(row[6]) for row in rows])
    return ["".join(str(word + 1) for word in match.values()) for match in read_pattern(pattern).matches(words)]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        # Words.
        ("V [upos=VERB]", ["4", "6"]),
        ("pattern { V [upos=VERB]; }", ["4", "6"]),
        ("N [upos=NOUN|PROPN, Number=Sing]", ["8"]),
        ("N [upos=NOUN]; N [Number=Sing]", ["8"]),
        ("N [Number=Plur, upos<>VERB]", ["2"]),
        ("N [Case<>Acc]", ["7"]),
        ("N [Case]", ["7"]),
        ("N [!lemma]", ["7"]),
        ("नाम [upos=NOUN]", ["2", "8"]),
        ("N[lemma]", list("1234568")),
        ("N [Number[psor]=Sing]", ["7"]),
        ('N ["Number[psor]"]', ["7"]),
        ("N [Number=Sing, !Number[psor]]", ["8"]),
        ("N [!Number, !Definite]", ["3", "5"]),
        ("N [Uncertain=Yes]", ["7"]),
        ('N [form=",", xpos=","]', ["3", "5"]),
        ('N [form=re"..."]', ["1", "6", "7", "8"]),
        ('N [lemma=bark|re"se."]', ["4", "6"]),
        ('N [lemma<>re".*a.*", lemma<>","]', ["1", "2", "6"]),
        ("N [relation=root]", ["6"]),
        ("N [deprel=nmod:poss]", ["7"]),
        ("N []", list("12345678")),
        # Arcs.
        ("V -> N", ["21", "24", "43", "45", "62", "68", "87"]),
        ("V -[nsubj|obj]-> N", ["62", "68"]),
        ("V->N; V -[^punct|det]-> N", ["24", "62", "68", "87"]),
        ('N -[re"acl.*"]->V', ["24"]),
        ("A -> B; B -> C", ["621", "624", "243", "245", "687"]),
        ("V -[nsubj]-> S; V -[obj]-> O", ["628"]),
        # Order.
        ("V -> N; N << V", ["21", "43", "62", "87"]),
        ("V -> N; N >> V", ["24", "45", "68"]),
        ("V -> N; V > N", ["21", "43", "87"]),
        ("A [upos=PUNCT]; A < B", ["34", "56"]),
        # Features of two words.
        ("V -> N; V.Number = N.Number", ["24", "62", "87"]),
        ("V -> N; V.Number <> N.Number", ["68"]),
        ("V -> N; V.Number = N.Number[psor]", ["87"]),
        ("A.lemma = B.form; A << B", ["35"]),
        ("A []; A < B; B > C; C >> D", []),
        ("A [upos=PUNCT]; A.form = A.lemma", ["3", "5"]),
        # What must not be.
        ("V [upos=VERB] without { V -[obj]-> O }", ["4"]),
        ("pattern { V [upos=VERB] } without { V -[obj]-> O; O [upos=PRON] }", ["4", "6"]),
        ("pattern { N [upos=NOUN] } without { N -[det]-> D } without { N [lemma=dog] }", ["8"]),
        ("pattern { A -> B } without { A -> C }", ["87"]),
        ("A -> B; without { B << A } without { B [upos=VERB] }", ["45", "68"]),
        ("without { V -[det]-> D } pattern { V -[nsubj]-> N }", ["62"]),
        ("V [upos=NOUN] without { V > D }", []),
        # Nothing.
        ("A [form=mouse]", []),
        ("A -> B; B -> A", []),
    ],
)
def test_patterns(pattern, expected):
    assert sorted(found(pattern)) == sorted(expected)


def test_matches_are_sorted_and_names_are_in_the_order_of_the_pattern():
    rows = rows_of(SENTENCE)
    words = Words(rows, [int(row[6]) for row in rows])
    assert read_pattern("N [upos=NOUN]; N -> D; V -> N").matches(words) == [
        {"N": 1, "D": 0, "V": 5}, {"N": 1, "D": 3, "V": 5}, {"N": 7, "D": 6, "V": 5},
    ]  # fmt: skip
    assert found("V -> N") == sorted(found("V -> N"))


def test_unknown_heads_are_no_arcs():
    rows = rows_of(SENTENCE)[:2]
    assert read_pattern("A -> B").matches(Words(rows, [None, None])) == []
    assert read_pattern("A -> B").matches(Words(rows, [2, None])) == [{"A": 1, "B": 0}]


SIGNS = {
    "->": lambda head, a, _: head == a,
    "-[x]->": lambda head, a, b: head == a and b % 2 == 0,
    "-[^x]->": lambda head, a, b: head == a and b % 2 == 1,
    "<": lambda _, a, b: a + 1 == b,
    ">": lambda _, a, b: a == b + 1,
    "<<": lambda _, a, b: a < b,
    ">>": lambda _, a, b: a > b,
}
"""What holds of two words, from 0, where the second has this head."""

NAMES = st.sampled_from("ABCD")
LINKS = st.lists(
    st.tuples(st.sampled_from("ABCD"), st.sampled_from([*SIGNS]), st.sampled_from("ABCD")).filter(
        lambda t: t[0] != t[2]
    ),
    min_size=1,
    max_size=4,
)


def hold(links, heads, placed):
    return all(SIGNS[sign](heads[placed[b]] - 1, placed[a], placed[b]) for a, sign, b in links)


def ways(names, given, count):
    """All ways to place the names, each on a word of its own, beside those that are given."""
    free = [word for word in range(count) if word not in given.values()]
    new = [name for name in names if name not in given]
    for words in itertools.permutations(free, len(new)):
        yield given | dict(zip(new, words, strict=True))


def names_of(links):
    return list(dict.fromkeys(name for a, _, b in links for name in (a, b)))


@given(
    st.lists(st.integers(0, 6), min_size=1, max_size=6).map(lambda heads: [min(head, len(heads)) for head in heads]),
    LINKS,
    st.lists(LINKS, max_size=2),
)
def test_matches_are_those_of_all_ways_to_place_the_words(heads, links, absent):
    rows = [(str(n), "w", *"_____", "yx"[n % 2], "_", "_") for n in range(1, len(heads) + 1)]
    wanted, *blocks = ("; ".join(map(" ".join, block)) for block in (links, *absent))
    text = f"{wanted}; {links[0][0]} []" + "".join(f" without {{ {block} }}" for block in blocks)
    expected = [
        placed
        for placed in ways(names_of(links), {}, len(heads))
        if hold(links, heads, placed)
        and not any(hold(block, heads, way) for block in absent for way in ways(names_of(block), placed, len(heads)))
    ]
    assert read_pattern(text).matches(Words(rows, heads)) == expected


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("", "column 1: expected a word, such as V [upos=VERB], but the pattern ends"),
        ("without { A -> B }", "column 19: expected a word, such as"),
        ("NP < DT", "column 8: only the order of words is said: add an arc (V -> N) or a word (V [upos=VERB])"),
        ("V", "column 2: expected [ or an arrow or an order (V [upos=VERB], V -[obj]-> N, V << N), but"),
        ("NP < (DT $+ NN)", "column 6: expected the name of a word, of letters, digits and _, not '(DT'"),
        ("V [upos=VERB", "column 13: expected ',', but the pattern ends"),
        ("V [upos=]", "column 9: expected a value, not ']'"),
        ("V [=VERB]", "column 4: expected a feature, not '='"),
        ("V [upos=re\"(\"]", "column 9: not a regular expression: missing )"),
        ("V [form=/a.*/i]", "column 9: a regular expression is written re\"a.*\""),
        ("V -[nsubj-> N", "column 10: expected ']->', not '->'"),
        ("V -[]-> N", "column 5: expected a value, not ']->'"),
        ("V -> N N << V", "column 8: expected ';', not 'N'"),
        ("V -> V", "column 6: V would be a word of itself"),
        ("V.x", "column 4: expected = or <>, but the pattern ends"),
        ("V.x = 3", "column 7: expected a feature of a word, such as V.lemma, not '3'"),
        ("pattern { V []", "column 15: expected '}', but the pattern ends"),
        ("V [] }", "column 6: expected the name of a word, of letters, digits and _, not '}'"),
        ('V [form="a]', "column 9: '\"' cannot begin a term"),
        (";".join(f"A{n} []" for n in range(MOST_NAMES + 1)), "more than 20 names of words"),
    ],
)  # fmt: skip
def test_faults_have_a_column(pattern, message):
    with pytest.raises(SettingError) as error:
        read_pattern(pattern)
    assert message in str(error.value).replace(" of the pattern of words and arcs", "")


PARTS = [*'[]{}=|;,^!".-', *SIGNS, "-[", "]->", "A", "B", 're"b"', "lemma", "without {"]


@given(st.lists(st.sampled_from(PARTS), max_size=9))
def test_any_text_is_a_pattern_or_has_a_fault(parts):
    for text in ("".join(parts), " ".join(parts)):
        with contextlib.suppress(SettingError):
            assert all(1 <= len(match) <= len(rows_of(SENTENCE)) for match in found(text))


def test_matches_and_steps_are_bounded(monkeypatch):
    words = Words([(str(n), "w", *"________") for n in range(1, 202)], [0] * 201)
    with pytest.raises(TooManyMatches, match="more than 10000 matches: say more"):
        read_pattern("A []; B []").matches(words)
    monkeypatch.setattr("synparse.search.dependencies.MOST_STEPS", 1000)
    with pytest.raises(TooManyMatches, match="more than 1000 steps: say more"):
        read_pattern("A []; B []; A.form = B.xpos").matches(words)
