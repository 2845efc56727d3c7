import weakref

import pytest

from synparse.scoring.comparison import Wanted
from synparse.scoring.evaluate import evaluate
from synparse.scoring.in_step import NamedLines
from synparse.trees.conllu import format_conllu
from synparse.trees.errors import DataError, SettingError
from synparse.trees.scored_words import TREES_LOOKED_AT

TREES = "(S (NP (DT a) (NN b)) (VP (VBD c) (NP (NN d))))\n"
HEADS = format_conllu(["a", "b", "c"], (2, 3, 0))


def scored(predicted, gold, **options):
    return evaluate([named("pred", predicted)], named("gold", gold), **options)


def named(name, text):
    return NamedLines(name, text.splitlines(True))


@pytest.mark.parametrize(
    ("text", "options", "measure", "protocol"),
    [
        ("\n" + TREES, {}, "uf1_corpus", "kim2019: "),
        (TREES, {"protocol": "shen2018"}, "uf1_sentence", "shen2018: "),
        (TREES, {"evalb_params": named("p", "DELETE_LABEL TOP")}, "fmeasure", "evalb: labelled"),
        (HEADS, {}, "uas", "punctuation left out"),
        (
            HEADS,
            {"punctuation": "keep", "root": "omit"},
            "uuas",
            "punctuation scored like words; the gold root",
        ),
        (HEADS, {"protocol": "conll18"}, "uas", "conll18: "),
    ],
)
def test_what_files_hold_and_the_protocol_choose_the_scorer(text, options, measure, protocol):
    comparison = scored(text, text, **options)
    assert comparison.systems[0].scores[measure] == 1
    assert comparison.protocol.startswith(protocol)
    assert (comparison.gold, comparison.systems[0].name) == ("gold", "pred")


@pytest.mark.parametrize(
    ("predicted", "gold", "options", "message"),
    [
        (HEADS, TREES, {}, "the prediction pred holds CoNLL-U, but the gold file gold holds bracketed trees"),
        (TREES, TREES, {"protocol": "conll18"}, "conll18 scores CoNLL-U, not bracketed trees"),
        (HEADS, HEADS, {"protocol": "evalb"}, "evalb scores bracketed trees, not CoNLL-U"),
        (HEADS, HEADS, {"protocol": "conll18", "wanted": Wanted(seed=1)}, "conll18 has no baselines or significance"),
        (HEADS, HEADS, {"protocol": "conll18", "wanted": Wanted(breakdowns=True)}, "conll18 has no breakdowns"),
        (HEADS, HEADS, {"protocol": "conll18", "root": "omit"}, "--root is for heads of CoNLL-U"),
        (HEADS, HEADS, {"root": "left"}, "root must be word or omit or wrong, not 'left'"),
        (TREES, TREES, {"protocol": "EVALB"}, "protocol must be kim2019 or .* or conll18, not 'EVALB'"),
        (HEADS, HEADS, {"wanted": Wanted(tags="tag")}, "tags must be upos or xpos, not 'tag'"),
        (HEADS, HEADS, {"wanted": Wanted(relations="all")}, "relations must be full or universal, not 'all'"),
        (TREES, TREES, {"punctuation": "keep"}, "--punctuation-rule is for heads of CoNLL-U"),
        (HEADS, HEADS, {"wanted": Wanted(labels=True)}, "--score-labels scores bracketed trees, not CoNLL-U"),
        (
            TREES,
            TREES,
            {"wanted": Wanted(labels=True), "evalb_params": named("p", "")},
            "--score-labels does not go with --protocol evalb, which compares labels by name",
        ),
        (
            HEADS,
            HEADS,
            {"wanted": Wanted(tags="upos"), "protocol": "conll18"},
            "--score-tags does not go with --protocol conll18, which compares tags by name",
        ),
        (
            TREES,
            TREES,
            {"wanted": Wanted(relations="full")},
            "--score-relations scores CoNLL-U; brackets have no relations",
        ),
        (
            HEADS,
            HEADS,
            {"wanted": Wanted(relations="full"), "protocol": "conll18"},
            "--score-relations does not go with --protocol conll18, which compares relations by name",
        ),
        (TREES, TREES, {"protocol": "kim2019", "evalb_params": named("p", "")}, "needs --protocol evalb"),
    ],
)
def test_what_does_not_go_together_is_told(predicted, gold, options, message):
    with pytest.raises(SettingError, match=message):
        scored(predicted, gold, **options)


def test_a_lone_prediction_needs_no_list():
    assert evaluate(named("pred", TREES), named("gold", TREES)).systems[0].scores["uf1_sentence"] == 1.0


@pytest.mark.parametrize("predictions", ["pred.conllu", ["pred.conllu"], [NamedLines("pred", TREES)]])
def test_what_are_no_named_lines_is_told(predictions):
    with pytest.raises(TypeError, match=r"^predictions and gold are NamedLines: a name, and an iterable of lines"):
        evaluate(predictions, named("gold", TREES))


def test_no_prediction_is_told():
    with pytest.raises(SettingError, match=r"^name at least one prediction$"):
        evaluate([], named("gold", TREES))


@pytest.mark.parametrize(("protocol", "message"), [("kim2019", "holds no trees"), (None, "holds no sentences")])
def test_files_without_sentences_are_told(protocol, message):
    with pytest.raises(DataError, match=f"gold: {message}"):
        scored("", "\n", protocol=protocol)


class Line(str):
    """A line whose life can be watched."""


@pytest.mark.parametrize("sentence", [[TREES], HEADS.splitlines(True)])
def test_lines_of_a_long_gold_file_are_not_kept(sentence):
    alive, most = weakref.WeakValueDictionary(), 0

    def lines():
        nonlocal most
        for number in range(3 * TREES_LOOKED_AT):
            for position, text in enumerate(sentence):
                line = Line(text)
                alive[number, position] = line
                most = max(most, len(alive))
                yield line

    evaluate(NamedLines("pred", sentence * 3 * TREES_LOOKED_AT), NamedLines("gold", lines()))
    assert most < 1.5 * TREES_LOOKED_AT * len(sentence)
