"""Universal tags: the Penn tags that are one tag, and those that their constituent tells apart."""

import pytest

from synparse.treebanks.universal_dependencies import convert
from tests.treebanks.reading import root_of


def tagged(text):
    return " ".join(convert(root_of(text)).upos)


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("(S (NP (NNP Ann)) (VP (VBD ate) (NP (CD 2) (JJ big) (NNS figs))) (. !))", "PROPN VERB NUM ADJ NOUN PUNCT"),
        ("(NP ($ $) (CD 5) (-LRB- -LRB-) (NN 5) (NN %) (-RRB- -RRB-))", "SYM NUM PUNCT NOUN SYM PUNCT"),
        ("(INTJ (UH oh) (WRB how) (EX there) (FW ça) (NEW ?))", "INTJ ADV PRON X X"),
        # Nouns that are pronouns
        ("(NP (NN nothing) (CC but) (NN Everybody))", "PRON CCONJ PRON"),
        # Auxiliaries and copulas are no verbs; a form of be with a clause alone is one
        ("(S (NP (PRP he)) (VP (MD may) (VP (VB have) (VP (VBN been) (VP (VBN seen))))))", "PRON AUX AUX AUX VERB"),
        ("(S (NP (PRP he)) (VP (VBZ is) (ADJP (JJ ill))))", "PRON AUX ADJ"),
        ("(S (NP (PRP I)) (VP (VBP have) (NP (NN time))))", "PRON VERB NOUN"),
        ("(S (NP (EX There)) (VP (VBZ is) (NP (NN time))))", "PRON AUX NOUN"),
        ("(S (NP (NN fact)) (VP (VBZ is) (SBAR (S (NP (PRP I)) (VP (VBP sing))))))", "NOUN VERB PRON VERB"),
        # Prepositions and conjunctions
        ("(PP (IN after) (NP (NNS years)))", "ADP NOUN"),
        ("(PP (IN after) (S (VP (VBG singing))))", "SCONJ VERB"),
        ("(SBAR (IN that) (S (NP (PRP I)) (VP (VBP sing))))", "SCONJ PRON VERB"),
        ("(VP (VB go) (PP (TO to) (NP (NNP Rome))) (S (VP (TO to) (VP (VB sing)))))", "VERB ADP PROPN PART VERB"),
        # Determiners that are a whole phrase, and question words likewise
        ("(NP (DT that) (NN dog))", "DET NOUN"),
        ("(S (NP (DT That)) (VP (VBZ sings)))", "PRON VERB"),
        ("(S (NP (DT some)) (VP (VBP sing)))", "DET VERB"),
        ("(SBAR (WHNP (WDT which)) (S (VP (VBZ sings))))", "PRON VERB"),
        ("(SBAR (WHNP (WDT which) (NN dog)) (S (VP (VBZ sings))))", "DET NOUN VERB"),
        # Negation
        ("(S (NP (PRP I)) (VP (VBP do) (RB n't) (VP (VB sing))))", "PRON AUX PART VERB"),
        ("(NP (RB not) (NNS dogs))", "ADV NOUN"),
    ],
)
def test_tags_in_context(text, tags):
    assert tagged(text) == tags
