"""Nonterminals and word classes in what `parse` writes, and the models that have none."""

import json
from dataclasses import replace

import pytest

from synparse.inducers.class_grammar import best_labels
from synparse.parsing.grammars import LONGEST
from synparse.parsing.parser import Parser
from synparse.parsing.run import parse
from synparse.parsing.scorers import DEPENDENCIES
from synparse.trees.brackets import read_brackets
from synparse.trees.errors import SettingError
from synparse.trees.json_lines import read_json_lines

CONLLU = """# text = the dogs' dog , sleeping
1\tthe\tthe\tDET\tDT\tA=B\t2\tdet\t_\t_
2-3\tdogs'\t_\t_\t_\t_\t_\t_\t_\t_
2\tdogs\tdog\tNOUN\tNNS\t_\t4\tnmod\t_\tX=Y
3\t'\t_\tPART\tPOS\t_\t2\tcase\t_\t_
4\tdog\tdog\tNOUN\tNN\t_\t0\troot\t_\t_
4.1\tis\t_\tVERB\t_\t_\t_\t_\t_\t_
5\t,\t,\tPUNCT\t,\t_\t4\tpunct\t_\t_
6\tsleeping\t_\tVERB\tVBG\t_\t4\tacl\t_\t_

"""


@pytest.fixture(scope="module")
def parser(tiny_grammar):
    return Parser.load(tiny_grammar)


def text_of(tiny_grammar, path, **wanted):
    return "".join(parse([str(path)], [str(tiny_grammar)], jobs=1, **wanted))


def names_of(parser, words):
    """The classes of words that are all read, by the file of classes."""
    return [f"C{number + 1}" for number in parser.sets[0].grammars.classes.of(words)]


def test_constituents_have_the_most_probable_nonterminals_and_words_their_classes(parser):
    words = "the old dog sees a cat".split()
    [plain], [labelled] = parser.parse([words]), parser.parse([words], labels=True, tags=True)
    spans = [(start, end) for _, start, end in plain.tree.constituents]
    grammars = parser.sets[0].grammars
    best = best_labels(grammars.constituents, 0, grammars.classes.of(words), spans)
    assert [tuple(constituent) for constituent in labelled.tree.constituents] == [
        (f"NT{label + 1}", *span) for label, span in zip(best, spans, strict=True)
    ]
    assert list(labelled.tree.tags) == list(labelled.tags) == names_of(parser, words)
    assert (labelled.heads, labelled.is_labelled) == (plain.heads, True)
    assert (plain.tags, plain.is_labelled) == (None, False)


def test_what_no_grammar_has_is_an_x(parser):
    sentences = ["hello", ". ! .", "", "hello !", "the dog " * LONGEST]
    single_word, marks, nothing, with_mark, long = parser.parse(sentences, labels=True, tags=True)
    assert [label for label, *_ in single_word.tree.constituents] == ["X"]
    assert [label for label, *_ in with_mark.tree.constituents] == ["X"]
    assert with_mark.tags[1] == "PUNCT"
    assert (marks.tags, marks.tree.constituents) == (("PUNCT",) * 3, (("X", 0, 3),))
    assert (nothing.tags, nothing.tree.constituents) == ((), ())
    whole, *others = long.tree.constituents
    assert whole == ("X", 0, 2 * LONGEST)
    assert [span for label, *span in others if span in ([0, LONGEST], [LONGEST, 2 * LONGEST])] == [
        [0, LONGEST],
        [LONGEST, 2 * LONGEST],
    ]
    assert all(label.startswith("NT") for label, *_ in others)
    assert len(set(long.tags)) == 2


def test_brackets_have_labels_and_classes_in_place_of_gold_tags(tiny_grammar, parser, tmp_path):
    path = tmp_path / "gold.brackets"
    path.write_text("(S (NP (DT the) (NN dog)) (VP (VBZ sleeps)) (. .))\n\n")
    _, _, _, mark = tags = (*names_of(parser, ["the", "dog", "sleeps"]), "PUNCT")
    assert mark == "PUNCT"

    def tree_of(**wanted):
        [(_, tree)] = read_brackets([text_of(tiny_grammar, path, format="brackets", **wanted)], "out")
        return tree

    assert tree_of().tags == ("DT", "NN", "VBZ", ".")
    labelled, tagged = tree_of(labels=True, tags=True), tree_of(tags=True)
    assert labelled.tags == tagged.tags == tags
    assert {label for label, *_ in tagged.constituents} == {"X"}
    assert all(label.startswith("NT") for label, *_ in labelled.constituents)
    with_own_tags = tree_of(labels=True)
    assert (with_own_tags.tags, with_own_tags.constituents) == (tree_of().tags, labelled.constituents)


def test_blank_lines_stay_blank(tiny_grammar, tmp_path):
    (tmp_path / "text").write_text("the dog\n\nhello\n")
    lines = text_of(tiny_grammar, tmp_path / "text", format="brackets", labels=True, tags=True).split("\n")
    assert [bool(line) for line in lines] == [True, False, True, False]


def test_of_conllu_the_two_columns_of_tags_change_and_nothing_else(tiny_grammar, parser, tmp_path):
    (tmp_path / "in.conllu").write_text(CONLLU.replace("\n", "\r\n"), newline="")
    plain = text_of(tiny_grammar, tmp_path / "in.conllu").split("\r\n")
    tagged = text_of(tiny_grammar, tmp_path / "in.conllu", tags=True).split("\r\n")
    tags = []
    for plain_line, tagged_line in zip(plain, tagged, strict=True):
        if plain_line.split("\t")[0].isdecimal():
            before, after = plain_line.split("\t"), tagged_line.split("\t")
            assert [*before[:3], *before[5:]] == [*after[:3], *after[5:]]
            tags.append(tuple(after[3:5]))
        else:
            assert plain_line == tagged_line
    the, dogs, dog, sleeping = (("_", name) for name in names_of(parser, ["the", "dogs", "dog", "sleeping"]))
    assert tags == [the, dogs, ("_", "PUNCT"), dog, ("_", "PUNCT"), sleeping]
    assert [line.split("\t")[3:5] for line in plain if line[:2] in {"1\t", "6\t"}] == [["DET", "DT"], ["VERB", "VBG"]]


def test_new_conllu_has_classes_in_column_five_which_are_no_upos(tiny_grammar, parser, tmp_path):
    (tmp_path / "text").write_text("the dog\n")
    rows = [line.split("\t") for line in text_of(tiny_grammar, tmp_path / "text", tags=True).splitlines()[3:5]]
    assert [row[3:5] for row in rows] == [["_", name] for name in names_of(parser, ["the", "dog"])]


def test_json_has_labels_and_tags_where_they_are_asked_for_and_they_are_read(tiny_grammar, parser, tmp_path):
    (tmp_path / "text").write_text("the old dog , which sleeps , sees a cat .\nhello\n\n")

    def lines_of(**wanted):
        return text_of(tiny_grammar, tmp_path / "text", format="json", **wanted).splitlines(keepends=True)

    plain, labelled, tagged = lines_of(), lines_of(labels=True, tags=True), lines_of(tags=True)
    assert all(json.loads(line).keys() & {"labels", "tags"} == set() for line in plain)
    assert all(json.loads(line).keys() & {"labels", "tags"} == {"tags"} for line in tagged)
    assert all({"labels", "tags"} < json.loads(line).keys() for line in labelled)
    for lines, with_labels in ((labelled, True), (tagged, False)):
        parses = parser.parse(["the old dog , which sleeps , sees a cat .", "hello", ""], labels=with_labels, tags=True)
        assert [sentence.tree for sentence in read_json_lines(lines, "x")] == [parsed.tree for parsed in parses]


@pytest.mark.parametrize("tree_decoder", ["boundaries", "grammar", "projective"])
def test_heads_by_boundaries_are_the_networks_own(parser, sample_text, tree_decoder, tiny_udgns):
    """Networks are asked twice: as evidence for the grammars, and for their own heads."""
    networks = Parser.load(tiny_udgns, device="cpu", punctuation="evidence", function_words="leaves")
    members = [member._replace(gives=member.gives | {DEPENDENCIES}) for member in networks.members]
    of_all = parser.sets[0]._replace(members=tuple(range(len(members))))
    together = Parser(members, networks.punctuation, sets=[of_all])
    parses = together.parse(sample_text[:20], brackets=tree_decoder, heads="boundaries", labels=True)
    expected = networks.parse(sample_text[:20], brackets=None, heads="boundaries")
    assert [parsed.heads for parsed in parses] == [parsed.heads for parsed in expected]


def test_of_several_models_those_with_grammars_name(tiny_grammar, tiny_udgn, parser):
    words = "the old dog sees a cat".split()
    together = Parser.load([tiny_udgn, "right-branching", tiny_grammar], device="cpu")
    [parsed] = together.parse([words], labels=True, tags=True)
    assert list(parsed.tags) == names_of(parser, words)
    assert all(label.startswith("NT") for label, *_ in parsed.tree.constituents)


def test_parts_that_are_left_out_are_not_called_missing(tiny_grammar, tiny_udgn):
    parser = Parser.load(tiny_grammar, without=("class-grammars",))
    with pytest.raises(SettingError, match=r"no class grammars here, so .* labels: see --without class-grammars$"):
        parser.parse(["a b"], labels=True)
    parser = Parser.load(tiny_udgn, without=("punctuation-cues",))
    with pytest.raises(SettingError, match=r"udgn-1 has no class grammars, so .*; train a model"):
        parser.parse(["a b"], labels=True)


@pytest.mark.parametrize(
    ("model", "wanted", "message"),
    [
        ("chain", {"labels": True, "format": "json"}, "chain has no class grammars, so there are no labels; .*"),
        ("chain", {"tags": True}, "chain has no word classes, so there are no tags; .*"),
        ("tiny_udgn", {"tags": True}, ".*udgn-1 has no word classes, .*"),
        (
            "tiny_grammar",
            {"labels": True},
            "--labels names constituents, which CoNLL-U does not have; use --format brackets or json",
        ),
        (
            "tiny_grammar",
            {"flat": True},
            "--flat: CoNLL-U has no constituents; use --format brackets or json",
        ),
    ],
)
def test_what_a_model_or_a_format_does_not_have_is_refused(model, wanted, message, request, tmp_path):
    name = request.getfixturevalue(model) if model.startswith("tiny") else model
    (tmp_path / "text").write_text("a b\n")
    with pytest.raises(SettingError, match=message + r"\Z") as error:
        text_of(name, tmp_path / "text", **wanted)
    assert "--format" in message or "train a model with grammars by: synparse train" in str(error.value)


def test_trees_that_are_not_binary_have_no_nonterminals(tiny_grammar, tiny_udgn, tmp_path):
    (tmp_path / "text").write_text("a b\n")
    models = [str(tiny_udgn), str(tiny_grammar)]
    with pytest.raises(SettingError, match="--labels: brackets by projective are not binary"):
        parse([str(tmp_path / "text")], models, "brackets", brackets="projective", labels=True)


def test_a_grammar_of_dependencies_alone_has_tags_and_no_labels(tiny_grammar):
    parser = Parser.load(tiny_grammar)
    [whole] = parser.sets
    parser.sets = (whole._replace(grammars=replace(whole.grammars, constituents=None)),)
    assert parser.parse(["the dog sleeps"], tags=True)[0].tags
    with pytest.raises(SettingError, match="has no class grammars"):
        parser.parse(["the dog sleeps"], labels=True)
