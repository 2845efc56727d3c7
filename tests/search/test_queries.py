"""What a query reads and writes, and what its matches are counted by."""

import pytest

from synparse.search.queries import constituent_query, dependency_query
from synparse.trees.errors import SettingError

TREES = "(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (PRP it))))\n\n(S\n (NP (PRP I)) (VP (VBP do)))\n(NN\nHi)\n"

CONLLU = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n"
    "# sent_id = 1\n# match = 1:A=9\n1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t2\tcase\t_\tMatch=A|X=Y\n"
    "2\tel\tel\tDET\t_\tNumber=Sing\t0\troot\t_\t_\n2.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n# end\n\n\n# nothing\n\n"
    "1\tde\tde\tADP\t_\t_\t0\troot\t_\t_"
)


def answers(query, text):
    """Line, number of matches, keys and text of each sentence."""
    rows = []
    for line, sentence in query.read(text.splitlines(keepends=True), "x"):
        matches = query.matches(sentence)
        rows.append((line, [query.key(sentence, match) for match in matches], query.text(sentence, matches)))
    return rows


def test_constituents_are_written_or_whole_trees():
    assert answers(constituent_query("NP", by=["label", "words"]), TREES) == [
        (1, [("NP", "the dog"), ("NP", "it")], "(NP (DT the) (NN dog))\n(NP (PRP it))\n"),
        (3, [("NP", "I")], "(NP (PRP I))\n"),
        (5, [], "(NN Hi)\n"),
    ]
    whole = [text for _, _, text in answers(constituent_query("NP", whole=True), TREES)]
    assert whole == [
        "(S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (PRP it))))\n", "(S (NP (PRP I)) (VP (VBP do)))\n", "(NN Hi)\n",
    ]  # fmt: skip


def test_named_nodes_are_written_in_place_of_the_first_one():
    query = constituent_query("S < (NP=n $+ VP=v)", by=["v.words", "n.label", "label"])
    assert answers(query, TREES)[:2] == [
        (1, [("sees it", "NP", "S")], "(NP (DT the) (NN dog))\n(VP (VBZ sees) (NP (PRP it)))\n"),
        (3, [("do", "NP", "S")], "(NP (PRP I))\n(VP (VBP do))\n"),
    ]
    query = constituent_query("S [< X=x | << PRP=p]", by=["x.label", "p.words"])
    assert answers(query, TREES)[:2] == [(1, [("_", "it")], "(PRP it)\n"), (3, [("_", "I")], "(PRP I)\n")]


def test_a_word_is_written_with_its_tag_and_a_chain_from_its_node_on():
    tree = "(S (A (B (C (T w)))))\n"
    assert [answers(constituent_query(p), tree)[0][2] for p in ("w", "T", "C", "B", "A")] == [
        "(T w)\n", "(T w)\n", "(C (T w))\n", "(B (C (T w)))\n", "(A (B (C (T w))))\n",
    ]  # fmt: skip


def test_traces_are_words():
    [(_, _, text)] = answers(constituent_query("NP < -NONE-"), "( (S (NP-SBJ-1 (NN a)) (VP (NP (-NONE- *T*-1)))))\n")
    assert text == "(NP (-NONE- *T*-1))\n"


def test_conllu_has_a_comment_for_each_match_and_names_in_column_10():
    query = dependency_query("V -> N; V [upos=DET]", by=["V.lemma", "V.Number", "N.Number", "N.relation"])
    first, second = answers(query, CONLLU)
    assert first == (
        1,
        [("el", "Sing", "_", "case")],
        "# sent_id = 1\n# match = 1:V=2,N=1\n1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "1\tde\tde\tADP\t_\t_\t2\tcase\t_\tX=Y|Match=N\n2\tel\tel\tDET\t_\tNumber=Sing\t0\troot\t_\tMatch=V\n"
        "2.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n# end\n\n",
    )
    assert second == (13, [], "1\tde\tde\tADP\t_\t_\t0\troot\t_\t_\n\n")


def test_a_word_in_several_matches_has_each_name_once():
    [(_, _, text), _] = answers(dependency_query("A []; B []"), CONLLU)
    assert "# match = 1:A=1,B=2\n# match = 2:A=2,B=1\n1-2" in text
    assert "\tX=Y|Match=A,B\n" in text
    assert "\tMatch=B,A\n" in text


def test_line_ends_are_those_of_the_file():
    [(_, _, text)] = answers(dependency_query("A []"), "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\r\n")
    assert text == "# match = 1:A=1\r\n1\ta\t_\t_\t_\t_\t0\troot\t_\tMatch=A\r\n\r\n"


@pytest.mark.parametrize(
    ("query", "pattern", "key", "possible"),
    [
        (constituent_query, "NP", "lemma", "label, words"),
        (constituent_query, "NP=x", "y.label", "label, words, x.label, x.words"),
        (constituent_query, "NP=x", "x", "label, words, x.label, x.words"),
        (constituent_query, "NP=x", "x.lemma", "label, words, x.label, x.words"),
        (dependency_query, "V -> N", "lemma", "V.lemma, N.lemma, and other features"),
        (dependency_query, "V -> N", "V", "V.lemma, N.lemma, and other features"),
        (dependency_query, "V -> N", "V.", "V.lemma, N.lemma, and other features"),
        (dependency_query, "V -> N without { V -> D }", "D.lemma", "V.lemma, N.lemma, and other features"),
    ],
)
def test_keys_that_there_are_not(query, pattern, key, possible):
    with pytest.raises(SettingError) as error:
        query(pattern, [key])
    assert str(error.value) == f"--by {key}: possible are {possible}"


@pytest.mark.parametrize("pattern", ["V -[nsubj]-> N", "V -> N", "V [upos=VERB]", 'N [form<>"a"]; V -> N'])
def test_a_pattern_of_words_does_not_search_brackets(pattern):
    with pytest.raises(SettingError, match="are for CoNLL-U, these are brackets"):
        constituent_query(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "-NONE- > NP",
        "NP [< DT | < NN]",
        "NP=x < DT",
        "NP !<- VP",
        "S [NP=x < DT]",
        "NP < /[a=]/",
        'NP </[a=b]x/ < "a [b=c]"',
    ],
)
def test_patterns_of_constituents_that_look_a_little_alike(pattern):
    constituent_query(pattern)
