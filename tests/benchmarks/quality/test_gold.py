"""Scores of sentences, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.quality import gold
from benchmarks.quality.gold import KNOWN, UNKNOWN, Gold, Source
from synparse.corpora.sentences import BRACKETS, CONLLU

TREES = Source("WSJ", BRACKETS, ("shen2018", "kim2019"), "free", "trees.mrg")
HEADS = Source("GUM", CONLLU, ("UD",), "leaves", "heads.conllu")

BRACKETED = "(S (NP (DT the) (NN dog)) (VP (VBD ran) (NN home)) (. .))\n(S (NP (DT a) (NN cat)) (VP (VBD sat)))\n"
RIGHT = ("(X the (X dog (X ran home)) .)\n", "(X a (X cat sat))\n")


def conllu(*heads, tags=None):
    rows = [f"{n}\tw{n}\t_\t{(tags or {}).get(n, 'X')}\t_\t_\t{head}\tdep\t_\t_\n" for n, head in enumerate(heads, 1)]
    return "".join([*rows, "\n"])


@pytest.fixture
def bracketed(tmp_path):
    (tmp_path / "trees.mrg").write_text(BRACKETED, encoding="utf-8")
    return gold.read_gold(tmp_path / "trees.mrg")


def test_scores_of_all_sentences_and_of_those_with_known_words(bracketed):
    """Of "the dog" and "ran home" the right-branching tree has the second; of "a cat" nothing."""
    found = gold.scores_of_run(TREES, bracketed, RIGHT, [True, False])
    assert found["WSJ known fraction"] == 50
    for protocol in TREES.rules:
        parts = [found[f"WSJ UF1 {protocol}{part}"] for part in ("", KNOWN, UNKNOWN)]
        assert parts == [25, 50, 0]


def test_sentences_of_one_word_tell_the_protocols_apart(tmp_path):
    (tmp_path / "trees.mrg").write_text(BRACKETED + "(S (UH yes) (. .))\n", encoding="utf-8")
    found = gold.scores_of_run(TREES, gold.read_gold(tmp_path / "trees.mrg"), (*RIGHT, "(X yes .)\n"), [True] * 3)
    assert (found["WSJ UF1 shen2018"], found["WSJ UF1 kim2019"]) == (50, 25)


def test_a_part_without_sentences_has_no_score(bracketed):
    found = gold.scores_of_run(TREES, bracketed, RIGHT, [True, True])
    assert found["WSJ UF1 kim2019, unknown"] is None
    assert found["WSJ UF1 kim2019, known"] == found["WSJ UF1 kim2019"]


def test_direction_is_the_share_of_right_links_that_point_the_right_way():
    """Of the links 2-1 and 2-3 of the gold tree, the chain has both, one of them turned round."""
    chain, truth = conllu(2, 3, 0), conllu(2, 0, 2)
    found = gold.scores_of_run(HEADS, Gold(CONLLU, (truth,), ()), [chain], [True])
    assert (found["GUM UAS UD"], found["GUM UUAS UD"]) == (33.33, 66.67)
    assert found["GUM direction UD"] == pytest.approx(0.5, abs=0.001)
    wrong = gold.scores_of_run(HEADS, Gold(CONLLU, (conllu(0, 1),), ()), [conllu(2, 0)], [True])
    assert (wrong["GUM UUAS UD"], wrong["GUM direction UD"]) == (50, 0)
    assert gold.directions(HEADS, {"GUM UAS UD": 0.0, "GUM UUAS UD": 0.0}) == {"GUM direction UD": None}
    assert gold.directions(TREES, {}) == {}


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.booleans()), min_size=1, max_size=6))
def test_uas_is_the_mean_of_its_parts_by_words(drawn):
    trees = [(0, 1, 2), (2, 0, 2), (2, 3, 0)]
    truth = Gold(CONLLU, tuple(conllu(*trees[one]) for one, _, _ in drawn), ())
    known = [is_known for _, _, is_known in drawn]
    found = gold.scores_of_run(HEADS, truth, [conllu(*trees[other]) for _, other, _ in drawn], known)
    parts = [(found["GUM UAS UD, known"], sum(known)), (found["GUM UAS UD, unknown"], len(known) - sum(known))]
    assert found["GUM UAS UD"] == pytest.approx(
        sum((score or 0) * count for score, count in parts) / len(known), abs=0.01
    )


def test_agreement_is_a_mean_over_pairs_and_needs_no_gold_tags():
    runs = [[conllu(2, 0, 2, tags={3: tag})] for tag in ("X", "PUNCT")]
    other = [conllu(0, 1, 2)]
    found = gold.agreement(HEADS, [*runs, other])
    assert [round(value) for value in found["GUM agreement UAS"]] == [100, 33, 33]
    assert [round(value) for value in found["GUM agreement UUAS"]] == [100, 67, 67]
    assert gold.agreement(HEADS, [other]) == {"GUM agreement UAS": [], "GUM agreement UUAS": []}


def test_agreement_of_brackets_does_not_depend_on_the_order():
    runs = [list(RIGHT), ["(X (X the dog) (X ran home) .)\n", RIGHT[1]]]
    one, other = (gold.agreement(TREES, pair)["WSJ agreement UF1"] for pair in (runs, runs[::-1]))
    assert one == other == pytest.approx([75])
