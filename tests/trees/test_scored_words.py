import pytest

from synparse.trees.brackets import read_brackets
from synparse.trees.scored_words import kept_leaves, kept_words, lacks_penn_tags, punctuation_rule


def test_punctuation_goes_by_tag_and_without_tags_by_form():
    [(_, tagged)] = read_brackets(["(S (NN Hi) (, ,) ($ $) (-NONE- *) (HYPH -) (-DFL- E_S))"], "text")
    assert kept_leaves(tagged) == [True, False, False, False, False, False]
    [(_, bare)] = read_brackets(["(S Hi , 'll $)"], "text")
    assert kept_leaves(bare) == [True, False, True, False]


@pytest.mark.parametrize("text", ["(S (NP the dog) (VP barked) .)", "(S (NP (DT the) (NN dog)) (VP (VBD barked)) .)"])
def test_a_word_without_a_tag_goes_by_form_also_beside_others_with_tags(text):
    """``(VP barked)``, a phrase of one word, reads like a word with its tag."""
    [(_, tree)] = read_brackets([text], "text")
    assert kept_leaves(tree) == [True, True, True, False]


def test_punctuation_goes_by_the_best_evidence():
    words = ["Hi", ",", "$"]
    assert kept_words(words, ["INTJ", "PUNCT", "SYM"], ["UH", ",", "$"]) == [True, False, True]
    assert kept_words(words, ["_"] * 3, ["UH", ",", "$"]) == [True, False, False]
    assert kept_words(words, ["_"] * 3, ["_"] * 3) == [True, False, False]


@pytest.mark.parametrize(
    ("xpos", "relations", "kept"),
    [
        (["$", "CD", "."], ["root", "num", "punct"], [False, True, False]),
        (["$", "CD", "."], ["root", "nummod", "punct"], [True, True, False]),
        (["W", "num", "SENT"], ["root", "num", "punct"], [True, True, False]),
    ],
)
def test_stanford_dependencies_of_penn_trees_go_by_penn_tag_also_beside_upos(xpos, relations, kept):
    assert kept_words(["$", "3", "."], ["SYM", "NUM", "PUNCT"], xpos, relations=relations) == kept
    assert kept_words(["$", "3", "."], ["SYM", "NUM", "PUNCT"], xpos, "upos", relations) == [True, True, False]


@pytest.mark.parametrize("xpos", [["NN", "SYM", ","], ["_"] * 3])
def test_penn_tags_in_the_place_of_upos_are_penn_tags(xpos):
    assert kept_words(["a", "*", ","], ["NN", "SYM", ","], xpos) == [True, True, False]


@pytest.mark.parametrize(
    ("words", "upos", "xpos"),
    [
        (["犬", "来", "。"], ["_"] * 3, ["NN", "VV", "PU"]),
        (["犬", "来", "。"], ["NN", "VV", "PU"], ["_"] * 3),
        (["il", "vient", "tard", "."], ["CL", "V", "ADV", "PONCT"], ["CLS", "V", "ADV", "PONCT"]),
    ],
)
def test_where_punctuation_has_tags_of_another_treebank_it_goes_by_form(words, upos, xpos):
    assert kept_words(words, upos, xpos) == [True] * (len(words) - 1) + [False]
    with pytest.raises(ValueError, match="no Penn tags"):
        punctuation_rule(words, upos, xpos, asked="tag")


@pytest.mark.parametrize(
    ("upos", "xpos"),
    [
        (["DET", "NOUN", "VERB", "."], ["DT", "NN", "VBD", "."]),  # Google's universal tags
        (["DET", "NOUN", "VERB", "PUNC"], ["ART", "NN", "VVFIN", "$."]),
        (["JJ", "NN", "(", ")"], ["_"] * 4),  # CoNLL 2008
        (["_"] * 4, ["JJ", "NN", "(", ")"]),
    ],
)
def test_tags_of_punctuation_have_several_names(upos, xpos):
    kept = kept_words(["a", "b", "(" if ")" in upos + xpos else "c", ")"], upos, xpos)
    assert kept == [tag not in {".", "PUNC", "(", ")"} for tag in (xpos if upos[0] == "_" else upos)]


def test_words_without_a_tag_go_by_form_whatever_the_rule():
    words, tags = ["Hi", ",", "it", "."], ["INTJ", "PUNCT", "_", "_"]
    assert kept_words(words, tags, ["_"] * 4) == [True, False, True, False]
    assert kept_words(words, ["_"] * 4, ["UH", ",", "_", "_"]) == [True, False, True, False]
    for rule in ("upos", "tag"):
        assert kept_words(words, ["_"] * 4, ["_"] * 4, rule) == [True, False, True, False]


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        ("auto", [True, True, False, True]),
        ("upos", [True, True, False, True]),
        ("tag", [True, False, True, False]),
        ("form", [True, False, True, True]),
        ("keep", [True] * 4),
    ],
)
def test_punctuation_rules_by_name(rule, kept):
    words, upos, xpos = ["Hi", "$", "and", "-x"], ["INTJ", "SYM", "PUNCT", "NOUN"], ["UH", "$", "CC", "HYPH"]
    assert kept_words(words, upos, xpos, rule) == kept


@pytest.mark.parametrize(("rule", "what"), [("upos", "no UPOS"), ("tag", "no Penn tags")])
def test_rules_that_need_tags_ask_for_them(rule, what):
    with pytest.raises(ValueError, match=what):
        punctuation_rule(["Hi"], ["_"], ["_"], asked=rule)


def trees(text):
    return [parsed.tree for parsed in read_brackets(text.splitlines(), "text")]


@pytest.mark.parametrize(
    ("gold", "foreign"),
    [
        ("(S (rg Hoy) (Fc ,) (vmip3s0 llueve) (Fp .))", True),  # CESS
        ("(STA+fcl (PU «) (P+v-fin Foi) (PU ») (PU .))", True),  # Floresta
        ("(IP (NN 外商) (PU ，) (CD 一) (NN ·) (PU 。))", True),  # Chinese Treebank: NN, CD are Penn's, PU is not
        ("(S (ART Der) (NN Hund) ($, ,) (VVFIN bellt) ($. .))", True),  # STTS: NN is Penn's
        ("(S (PRON Es) (VERB regnet) (PUNCT ,) (SYM $) (PUNCT .))", True),  # UD
        ("(S (N1 it) (C1 rains) (C0 .))", True),
        ("(S (UH Hi) (, ,) (NN x) (. .))", False),
        ("(S (-LRB- -LRB-) (HYPH -) (NFP ***) (`` ``) (: --) ($ $) (# #))", False),
        ("(NP (NNS dogs) (POS ') (NN life))", False),  # punctuation was taken out; an apostrophe is left
        ("(NP (SYM *) (NN life))", False),
        ("(S (NP Hi) , (X (_ there) (_ .)))", False),  # no tags
        ("(S (rg Hoy) (vmip3s0 llueve))", False),  # no punctuation
        ("(S (XY ,) (-NONE- *) (-NONE- *) (-DFL- /))", True),
        ("(S (XY ,) (. .))", False),  # half of them
        ("", False),
    ],
)
def test_tags_that_are_not_penns_are_known_by_those_of_punctuation(gold, foreign):
    assert lacks_penn_tags(trees(gold)) is foreign


def test_the_whole_file_decides_not_one_sentence():
    penn = "(S (UH Hi) (. .))\n" * 3
    assert not lacks_penn_tags(trees(penn + "(S (XY Hi) (XY .))"))
    assert lacks_penn_tags(trees(penn + "(S (XY Hi) (XY .))" * 4))


def test_by_form_passes_over_tags():
    [tree] = trees("(S (NN Hi) (Fc ,) (, x) (-NONE- *) (Fp .))")
    assert kept_leaves(tree) == [True, True, False, False, True]
    assert kept_leaves(tree, by_form=True) == [True, False, True, False, False]
