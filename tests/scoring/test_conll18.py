import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.scoring.conll18 import CONTENT_METRICS, SPAN_METRICS, WORD_METRICS, MatchCounts, evaluate_conll18
from synparse.scoring.dependencies import score_heads
from synparse.scoring.in_step import NamedLines
from synparse.trees.conllu import format_conllu
from synparse.trees.errors import DataError


def lines(text):
    """CoNLL-U with spaces for tabs, ``~`` for a space in a form, and the columns after the relation left out."""
    rows = [row.split(" ") for row in text.strip("\n").split("\n")]
    return ["\t".join(row + ["_"] * (10 - len(row))).replace("~", " ") + "\n" if any(row) else "\n" for row in rows]


def score(predicted, gold):
    return evaluate_conll18(NamedLines("pred", lines(predicted)), NamedLines("gold", lines(gold)))


GOLD = """
1-2 don't _ _ _ _ _ _
1 do do AUX VB Mood=Imp 3 aux
2 n't not PART RB Polarity=Neg 3 advmod
3 go go VERB VB Mood=Imp 0 root
4 now now ADV RB _ 3 advmod
"""


def test_function_words_that_are_not_aligned_are_not_the_same():
    gold = "\n1-2 dont _ _ _ _ _ _\n1 do _ AUX _ _ 3 aux\n2 nt _ ADV _ _ 3 advmod\n3 go _ VERB _ _ 0 root\n"
    other = gold.replace("1 do", "1 d").replace("2 nt", "2 ont")
    assert score(gold, gold)["MLAS"] == MatchCounts(2, 2, 2, aligned=2)
    assert score(other, gold)["MLAS"] == MatchCounts(2, 2, 0, aligned=1)


def test_a_multiword_token_that_is_split_otherwise():
    # Within "don't", do = do; "not" and "n't" have other forms. Everything outside of it has spans.
    scores = score(GOLD.replace("2 n't", "2 not"), GOLD)
    assert scores["Tokens"] == MatchCounts(3, 3, 3)
    assert scores["Words"] == MatchCounts(4, 4, 3)
    assert scores["UAS"] == MatchCounts(4, 4, 3, aligned=3)
    assert scores["CLAS"] == MatchCounts(3, 3, 2, aligned=2)  # n't, go, now: "do" is a function word


def test_as_many_words_of_a_multiword_token_are_aligned_as_can_be():
    splits = [forms for count in (2, 3, 4) for forms in itertools.product("ab", repeat=count)]

    def text(forms):
        words = "".join(f"{before + 1} {form} _ X _ _ {before} root\n" for before, form in enumerate(forms))
        return f"1-{len(forms)} x _ _ _ _ _ _\n{words}"

    for predicted, gold in itertools.product(splits[:12], splits):
        common = max(
            count
            for count in range(5)
            if {*itertools.combinations(predicted, count)} & {*itertools.combinations(gold, count)}
        )
        counts = MatchCounts(len(gold), len(predicted), common)
        assert score(text(predicted), text(gold))["Words"] == counts


def test_a_multiword_token_against_single_words():
    predicted = """
1 do do AUX VB Mood=Imp 3 aux
2 n't not PART RB Polarity=Neg 3 advmod
3 go go VERB VB Mood=Imp 0 root
4 now now ADV RB _ 3 advmod
"""
    scores = score(predicted, GOLD)
    assert scores["Tokens"] == MatchCounts(3, 4, 2)
    assert scores["Words"] == MatchCounts(4, 4, 4)
    assert scores["MLAS"].f1 == scores["BLEX"].f1 == scores["AllTags"].f1 == 1


def test_a_word_whose_head_is_not_aligned_is_not_attached():
    gold = "1 ab _ X _ _ 0 root\n2 c _ X _ _ 1 obj"
    predicted = "1 a _ X _ _ 2 dep\n2 b _ X _ _ 0 root\n3 c _ X _ _ 2 obj"
    scores = score(predicted, gold)
    assert scores["Words"] == MatchCounts(2, 3, 1)
    assert scores["UPOS"] == MatchCounts(2, 3, 1, aligned=1)
    assert scores["UAS"] == MatchCounts(2, 3, 0, aligned=1)


def test_a_sentence_split_that_is_missing():
    gold = "1 hi _ X _ _ 0 root\n2 you _ X _ _ 1 dep\n\n1 go _ X _ _ 0 root\n\n1 on _ X _ _ 0 root"
    predicted = "1 hi _ X _ _ 0 root\n2 you _ X _ _ 1 dep\n3 go _ X _ _ 1 dep\n\n1 on _ X _ _ 0 root"
    scores = score(predicted, gold)
    assert scores["Sentences"] == MatchCounts(3, 2, 1)
    assert scores["Tokens"] == MatchCounts(4, 4, 4)
    assert scores["UAS"] == MatchCounts(4, 4, 3, aligned=4)


def test_empty_nodes_and_comments_are_not_read():
    more = "# text = don't go now\n" + GOLD.strip().replace("4 now", "3.1 went _ VERB _ _ _ _\n4 now")
    assert score(more, GOLD) == score(GOLD, more) == score(GOLD, GOLD)


def test_subtypes_other_features_and_their_order_are_not_compared():
    gold = "1 we we PRON _ Case=Nom|Number=Plur|Style=Arch 2 nsubj:pass\n2 go _ VERB _ _ 0 root"
    predicted = "1 we we PRON _ Number=Plur|Case=Nom 2 nsubj:outer\n2 go gone VERB _ _ 0 root"
    assert all(counts.f1 == 1 for counts in score(predicted, gold).values())  # the gold lemma _ is matched by "gone"
    assert score(gold, predicted)["Lemmas"].right == 1  # but a predicted _ is a lemma like others


def test_what_each_metric_of_content_words_asks_for():
    gold = "1 the the DET DT _ 2 det\n2 dogs dog NOUN NNS Number=Plur 3 nsubj\n3 bark bark VERB VB _ 0 root"
    gold += "\n4 . . PUNCT . _ 3 punct"

    def right(*changes):
        predicted = gold
        for before, after in changes:
            assert before in predicted
            predicted = predicted.replace(before, after)
        return {name: score(predicted, gold)[name].right for name in (*WORD_METRICS, *CONTENT_METRICS)}

    all_right = dict.fromkeys(WORD_METRICS, 4) | dict.fromkeys(CONTENT_METRICS, 2)
    assert right() == all_right
    assert right(("NNS", "NN")) == all_right | {"XPOS": 3, "AllTags": 3}
    assert right(("Plur", "Sing")) == all_right | {"UFeats": 3, "AllTags": 3, "MLAS": 1}
    assert right(("DET", "ADJ")) == all_right | {"UPOS": 3, "AllTags": 3, "MLAS": 1}  # a function word of "dogs"
    assert right(("dogs dog", "dogs dogs")) == all_right | {"Lemmas": 3, "BLEX": 1}
    assert right(("2 det", "3 det")) == all_right | {
        "UAS": 3,
        "LAS": 3,
        "MLAS": 0,
    }  # taken from "dogs", given to "bark"
    assert right(("nsubj", "obj")) == all_right | {"LAS": 3, "CLAS": 1, "MLAS": 1, "BLEX": 1}
    assert right(("PUNCT", "SYM"), ("3 punct", "1 punct")) == all_right | {"UPOS": 3, "AllTags": 3, "UAS": 3, "LAS": 3}


def test_content_words_are_counted_by_the_relations_of_their_own_file():
    gold = "1 a _ X _ _ 2 det\n2 b _ X _ _ 0 root"
    scores = score(gold.replace("det", "nmod"), gold)
    assert scores["CLAS"] == MatchCounts(gold=1, predicted=2, right=1, aligned=1)
    assert scores["CLAS"].f1 == pytest.approx(2 / 3)


def test_spaces_in_forms_are_nothing():
    gold = "1 100~000 _ NUM _ _ 0 root\n2 a\u00a0b _ X _ _ 1 dep"
    scores = score("1 100000 _ NUM _ _ 0 root\n2 ab _ X _ _ 1 dep", gold)
    assert all(scores[name].f1 == 1 for name in (*SPAN_METRICS, "UAS", "LAS"))


def test_words_across_the_border_of_a_multiword_token_have_no_partner():
    gold = "1-2 abc _ _ _ _ _ _\n1 ab _ X _ _ 0 root\n2 c _ X _ _ 1 dep\n3 d _ X _ _ 1 dep"
    predicted = "1 ab _ X _ _ 0 root\n2 cd _ X _ _ 1 dep"
    assert score(predicted, gold)["Words"] == MatchCounts(3, 2, 1)


TWO = "1 ab _ X _ _ 0 root\n2 c _ X _ _ 1 dep\n\n1 de _ X _ _ 0 root\n2 f _ X _ _ 1 dep"


@pytest.mark.parametrize(
    ("predicted", "gold", "message"),
    [
        (TWO.replace("2 f", "2 g"), TWO, "pred:5: 'g' where gold:5 has 'f'"),
        (TWO.replace("1 de", "1 dx"), TWO.replace("2 c", "2 c~"), "pred:4: 'dx' where gold:4 has 'de'"),
        ("1 abcdx _ X _ _ 0 root", TWO, "pred:1: 'abcdx' where gold:4 has 'de'"),
        (TWO.partition("\n\n")[0], TWO, "pred: ends where gold:4 continues with 'de'"),
        (TWO, TWO.partition("\n\n")[0], "gold: ends where pred:4 continues with 'de'"),
        ("1 abc _ X _ _ 0 root", TWO, "pred: ends where gold:4 continues with 'de'"),
        ("1 ab _ X _ _ 0 root", TWO, "pred: ends where gold:2 continues with 'c'"),
        ("", TWO, "pred: ends where gold:1 continues with 'ab'"),
        ("", "", "gold: holds no sentences"),
        (TWO.replace("1 dep", "0 root"), TWO, "pred:1: no tree: 2 words have head 0"),
        (TWO, TWO.replace("_ 0 root", "_ 2 dep"), "gold:1: no tree: no word has head 0"),
        (TWO, TWO.replace("_ 0 root", "_ _ dep"), "gold:1: word 1 (ab) has no head; complete the gold tree by hand"),
        (TWO.replace("2 f", "2 \u3000"), TWO, "pred:5: token 2 has no form but spaces"),
    ],
)
def test_what_cannot_be_aligned_is_told(predicted, gold, message):
    with pytest.raises(DataError) as caught:
        score(predicted, gold)
    assert str(caught.value).startswith(message)


FORMS = ["a", "b", "ab", "A"]
RELATIONS = ["nsubj", "obj", "obl:tmod", "det", "case", "punct", "conj"]


@st.composite
def trees(draw, count):
    order = draw(st.permutations(range(1, count + 1)))
    heads = [0] * count
    for rank, word in enumerate(order):
        heads[word - 1] = order[draw(st.integers(0, rank - 1))] if rank else 0
    return heads


def pieces(draw, text):
    cuts = sorted(draw(st.sets(st.integers(1, max(1, len(text) - 1)), max_size=3)))
    return [piece for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True) if (piece := text[start:end])]


@st.composite
def documents(draw, characters, multiword=True):
    """CoNLL-U of these characters, cut anyhow."""
    result = []
    for sentence in pieces(draw, characters):
        parts = st.lists(st.sampled_from(FORMS), min_size=1, max_size=3) if multiword else st.none()
        tokens = [(token, draw(st.none() | parts)) for token in pieces(draw, sentence)]
        heads = draw(trees(sum(len(words) if words else 1 for _, words in tokens)))
        word = 0
        for token, words in tokens:
            if words:
                result.append(f"{word + 1}-{word + len(words)} {token}")
            for form in words or [token]:
                head = heads[word]
                relation = draw(st.sampled_from(RELATIONS)) if head else "root"
                tag = draw(st.sampled_from(["NOUN", "VERB"]))
                word += 1
                result.append(f"{word} {form} {form} {tag} {tag} Number=Sing {head} {relation}")
        result.append("")
    return "\n".join(result)


texts = st.text("abAB", min_size=1, max_size=12)


@given(texts.flatmap(documents))
def test_a_file_against_itself_is_perfect(text):
    assert all(counts.f1 == 1 for counts in score(text, text).values())


@given(texts.flatmap(lambda text: st.tuples(documents(text), documents(text))))
def test_scores_are_bounded_by_one_another(pair):
    scores = score(*pair)
    right = {name: counts.right for name, counts in scores.items()}
    assert all(counts.right <= min(counts.gold, counts.predicted) for counts in scores.values())
    assert right["LAS"] <= right["UAS"] <= right["Words"] == scores["UAS"].aligned
    assert right["AllTags"] <= min(right["UPOS"], right["XPOS"], right["UFeats"])
    assert max(right["MLAS"], right["BLEX"]) <= right["CLAS"] <= right["LAS"]
    assert scores["CLAS"].aligned <= min(scores["CLAS"].gold, scores["UAS"].aligned)


@given(texts.flatmap(lambda text: st.tuples(*[documents(text, multiword=False)] * 2)))
def test_without_multiword_tokens_the_two_files_change_places(pair):
    scores, exchanged = score(*pair), score(*reversed(pair))
    for name in ("Tokens", "Sentences", "Words", "UPOS", "UAS", "LAS"):
        assert (scores[name].precision, scores[name].recall) == (exchanged[name].recall, exchanged[name].precision)


@given(st.integers(1, 6).flatmap(lambda count: st.tuples(trees(count), trees(count))))
def test_where_words_are_the_same_uas_is_uas(pair):
    predicted, gold = pair
    files = (format_conllu(["x"] * len(heads), heads).splitlines(True) for heads in pair)
    uas = evaluate_conll18(*map(NamedLines, ("pred", "gold"), files))["UAS"]
    plain = score_heads(gold, predicted)
    assert uas == MatchCounts(plain.words, plain.words, plain.attached, aligned=plain.words)


def test_nothing_to_score_is_none_and_not_zero():
    counts = MatchCounts(aligned=0)
    assert (counts.precision, counts.recall, counts.f1, counts.aligned_accuracy) == (None,) * 4


def test_files_are_not_held():
    pulled = []

    def sentences(name):
        for number in range(1000):
            pulled.append((name, number))
            yield "1\tab\t_\t_\t_\t_\t0\troot\t_\t_\n"
            yield "\n"

    def gold():
        for number, line in enumerate(sentences("gold")):
            if number == 100:
                raise EOFError
            yield line

    with pytest.raises(EOFError):
        evaluate_conll18(NamedLines("pred", sentences("pred")), NamedLines("gold", gold()))
    assert max(number for name, number in pulled if name == "pred") < 60
