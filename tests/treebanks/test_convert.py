"""Conversion as a library function."""

from typing import get_args

import pytest

from synparse.treebanks.convert import ConvertOptions, convert
from synparse.treebanks.schemes import SCHEMES, Target
from synparse.trees.errors import DataError, SettingError


def test_one_bad_tree_of_a_line_does_not_spoil_the_others(tmp_path):
    (tmp_path / "a.mrg").write_text("(S (NN a)) (S (nn x)) (S (NN b))\n")
    faults = []
    [text] = convert([str(tmp_path)], ConvertOptions("penn2malt"), skip=faults.append)
    assert [line.split("\t")[1] for line in text.splitlines() if line] == ["a", "b"]
    assert [fault.line for fault in faults] == [1]


def test_one_path_may_stand_alone(tmp_path):
    path = tmp_path / "a.mrg"
    path.write_text("(S (NN a))\n")
    assert list(convert(path, ConvertOptions("penn2malt"))) == list(convert([str(path)], ConvertOptions("penn2malt")))


def test_less_than_one_process_is_refused():
    with pytest.raises(SettingError, match="jobs must be a whole number of at least 1, not 0"):
        convert([], ConvertOptions(), jobs=0)


def test_errors_raised_for_the_library(tmp_path):
    (tmp_path / "a.mrg").write_text("(S (NN a))\n(S (NN b)\n")
    texts = convert([str(tmp_path)], ConvertOptions("penn2malt"))
    assert next(texts).startswith("1\ta\t")
    with pytest.raises(DataError, match=r"a\.mrg:2: the bracket \(S is never closed"):
        next(texts)


SPANISH = "(S (sn (np0000l Estados_Unidos)) (Fc ,) (sadv (rg hoy)) (Fp .))\n"


@pytest.mark.parametrize("jobs", [1, 2])
def test_treebanks_with_other_tags_than_penns_lose_punctuation_by_form(tmp_path, jobs):
    path = tmp_path / "cess.ptb"
    path.write_text(SPANISH * 2)
    options = ConvertOptions("brackets", strip_punctuation=True, split_units=True)
    bare = "(S (sn (np0000l (np0000l Estados) (np0000l Unidos))) (sadv (rg hoy)))\n"
    assert "".join(convert([str(path)], options, jobs)) == bare * 2
    path.write_text(SPANISH.replace("Fc", ",").replace("Fp", "."))  # a Penn tag of the comma, and of the full stop
    assert "".join(convert([str(path)], options, jobs)) == bare
    path.write_text(SPANISH.replace("Fc", "NN").replace("Fp", "."))  # Penn's tags decide, also for a comma
    assert "(NN ,)" in "".join(convert([str(path)], options, jobs))


@pytest.mark.parametrize(("to", "kept"), [("stanford", False), ("lth2008", False), ("ud", True), ("brackets", False)])
@pytest.mark.parametrize("from_conllu", [False, True])
def test_punctuation_is_left_out_by_one_rule_in_all_of_a_file(tmp_path, to, kept, from_conllu):
    """$ is left out as in scoring, also in a sentence whose relations tell nothing of the scheme."""
    path = tmp_path / "a.ptb"
    path.write_text(
        "(S (NP (NNS dogs)) (VP (VBP bark) (PP (IN at) (NP (NNS cats)))) (. .))\n"
        "(SBARQ (WHNP (WRB How) (JJ many) ($ $)) (. ?))\n"
    )
    if from_conllu and to != "brackets":
        conllu = "".join(convert([str(path)], ConvertOptions(to)))
        (tmp_path / "a.conllu").write_text(conllu)
        options = ConvertOptions("brackets", source="conllu", strip_punctuation=True)
        text = "".join(convert([str(tmp_path / "a.conllu")], options))
    else:
        text = "".join(convert([str(path)], ConvertOptions(to, strip_punctuation=True)))
    assert ("$" in text) == kept
    assert "cats" in text
    assert "?" not in text


@pytest.mark.filterwarnings("ignore:most tags")
@pytest.mark.parametrize("to", ["stanford", "ud", "lth2008", "penn2malt"])
def test_their_dependencies_lose_punctuation_by_form_too(tmp_path, to):
    path = tmp_path / "cess.ptb"
    path.write_text("(S (NP (np0000l Madrid)) (Fc ,) (NP (rg hoy)) (Fp .))\n" * 2)
    rows = "".join(convert([str(path)], ConvertOptions(to, strip_punctuation=True))).split("\n")
    assert [row.split("\t")[1] for row in rows if row] == ["Madrid", "hoy"] * 2


def test_a_folder_of_conllu_has_its_own_endings(tmp_path):
    (tmp_path / "a.conllu").write_text("1\thi\t_\tINTJ\tUH\t_\t0\troot\t_\t_\n\n")
    (tmp_path / "b.ptb").write_text("(S (UH no))\n")
    options = ConvertOptions(to="brackets", source="conllu")
    assert "".join(convert([str(tmp_path)], options)) == "(X (UH hi))\n"


@pytest.mark.parametrize(("xpos", "tag"), [("UH", "UH"), ("_", "INTJ")])
def test_brackets_of_conllu_have_the_tags_of_words_or_else_their_parts_of_speech(tmp_path, xpos, tag):
    (tmp_path / "a.conllu").write_text(f"1\thi\t_\tINTJ\t{xpos}\t_\t0\troot\t_\t_\n\n")
    options = ConvertOptions(to="brackets", source="conllu")
    assert "".join(convert([str(tmp_path)], options)) == f"(X ({tag} hi))\n"


def test_a_malformed_tree_does_not_hide_what_the_tags_are(tmp_path):
    path = tmp_path / "cess.ptb"
    path.write_text("(S (NP))\n" + SPANISH)
    faults = []
    [text] = convert([str(path)], ConvertOptions("brackets", strip_punctuation=True), skip=faults.append)
    assert text == "(S (sn (np0000l Estados_Unidos)) (sadv (rg hoy)))\n"
    assert [fault.line for fault in faults] == [1]


def test_the_targets_are_the_schemes_and_brackets():
    assert get_args(Target) == (*SCHEMES, "brackets")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"source": "conllu"}, "CoNLL-U becomes brackets"),
        ({"to": "brackets", "format": "conllu"}, "has no dependencies"),
        ({"to": "brackets", "function_tags": True}, "has no dependencies"),
        ({"function_tags": False}, "--function-tags is only for LTH"),
        ({"lemmas": True}, "only for --to ud"),
        ({"collapse_unary": True}, "only for --to brackets"),
        ({"binarize": "left"}, "only for --to brackets"),
        ({"split_units": True}, "only for --to brackets"),
        ({"split_units": True, "to": "brackets", "source": "conllu"}, "for bracketed trees"),
        ({"engine": "corenlp"}, "gives --to ud alone"),
    ],
)
def test_options_that_do_not_go_together_are_told_before_anything_is_read(options, message):
    with pytest.raises(SettingError, match=message):
        convert(["no such file"], ConvertOptions(**options))


def test_function_tags_that_are_not_read_for_want_of_traces_are_told(tmp_path, recwarn):
    (tmp_path / "trees.mrg").write_text("( (S (NP-VOC (NNP Ann)) (VP (VB go))))\n")
    (tmp_path / "plain.mrg").write_text("( (S (NP (NNP Ann)) (VP (VB go))))\n")
    names = [str(tmp_path / "trees.mrg")]
    list(convert([str(tmp_path / "plain.mrg")], ConvertOptions(to="lth2008")))
    list(convert(names, ConvertOptions(to="lth2008", function_tags=False)))
    list(convert(names, ConvertOptions(to="ud")))
    assert not recwarn.list
    with pytest.warns(UserWarning, match=r"no traces, so function tags are not read .*; --function-tags reads them"):
        list(convert(names, ConvertOptions(to="lth2008")))
