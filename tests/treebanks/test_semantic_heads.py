"""The content word heads its clause: by hand, for verb groups, copulas, questions and coordinations."""

import pytest

from synparse.treebanks.conversion import lexical_heads
from synparse.treebanks.penn import without_traces
from synparse.treebanks.semantic_heads import HEAD_RULES, set_heads
from tests.treebanks.reading import root_of


def head_of(text):
    root = set_heads(without_traces(root_of(text)), HEAD_RULES)
    return lexical_heads(root)[root].word


@pytest.mark.parametrize(
    ("text", "head"),
    [
        # Verb groups
        ("(S (NP (PRP he)) (VP (VBZ has) (VP (VBN been) (VP (VBN seen)))))", "seen"),
        ("(S (NP (PRP he)) (VP (MD may) (RB not) (VP (VB go))))", "go"),
        ("(S (VP (TO to) (VP (VB go))))", "go"),
        ("(S (NP (PRP he)) (VP (VBD got) (VP (VBN paid))))", "paid"),
        ("(S (NP (PRP he)) (VP (VBD had) (NP (NN luck))))", "had"),
        # Copulas: the predicate, a clause or a phrase of time not being one
        ("(S (NP (PRP he)) (VP (VBZ is) (ADJP (JJ ill))))", "ill"),
        ("(S (NP (PRP he)) (VP (VBD was) (NP-TMP (NN yesterday)) (ADJP (JJ ill))))", "ill"),
        ("(S (NP (NN fact)) (VP (VBZ is) (SBAR (IN that) (S (NP (PRP I)) (VP (VBP sing))))))", "is"),
        ("(S (NP (PRP he)) (VP (VBZ is) (PP (IN in) (NP (NNP Rome)))))", "is"),
        # There is …
        ("(S (NP (EX there)) (VP (VBZ is) (NP (NN time))))", "is"),
        ("(S (NP (EX there)) (VP (VBZ is) (ADJP (JJ enough))))", "is"),
        ("(S (NP (EX there)) (VP (VBZ is) (VP (VBG singing))))", "singing"),
        # Questions
        ("(SQ (VBZ is) (NP (PRP he)) (ADJP (JJ ill)))", "ill"),
        ("(SQ (VBZ does) (NP (PRP he)) (VP (VB sing)))", "sing"),
        ("(SBARQ (WHNP (WP what)) (SQ (VBD did) (NP (PRP he)) (VP (VB say))))", "say"),
        # Coordinations: the first conjunct, past commas
        ("(VP (VBD sang) (CC and) (VBD danced))", "sang"),
        ("(S (S (NP (PRP he)) (VP (VBD sang))) (, ,) (CC and) (S (NP (PRP she)) (VP (VBD danced))))", "sang"),
        ("(ADJP (JJ red) (, ,) (JJ white) (CC and) (JJ blue))", "red"),
        ("(X (ADVP (RB so)) (`` ``) (VP (VB sing)) (CC and) (VP (VB dance)) ('' ''))", "sing"),
        # No step of the table finds a child: the last, or the first, that is no punctuation
        ("(S (INTJ (UH oh)) (, ,) (WHNP (WP what)) (SQ (MD can) (NP (PRP he)) (VP (VB do))) (. ?))", "do"),
        ("(X (NNP Money) (NNP Market) (CD 6.21) (NN %))", "%"),
        ("(UCP (-LRB- [) (CD 22) (, ,) (CD 23) (-RRB- ]))", "22"),
        ("(SQ (, ,) (ADVP (RB so)) (: --) (INTJ (UH eh)))", "so"),
        # Nothing but punctuation
        ("(FRAG (: --) (. .))", "--"),
    ],
)
def test_the_head(text, head):
    assert head_of(text) == head
