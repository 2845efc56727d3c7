"""A parse as the values of other libraries, and back."""

import base64
import re
from xml.etree import ElementTree

import conllu
import nltk
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import synparse
from synparse.parsing.parse import LONGEST_REPR, Parse
from synparse.parsing.run import parse as parse_files
from synparse.trees.constituency import format_brackets, induced_tree

SENTENCE = "the dog , who barked ( twice ) , slept ."


@pytest.mark.parametrize("name", ["right-branching", "left-branching", "balanced"])
def test_brackets_and_nltk_trees_are_the_same(name):
    [parse] = synparse.load(name).parse([SENTENCE])
    tree = parse.to_nltk()
    assert tree.leaves() == "the dog , who barked -LRB- twice -RRB- , slept .".split()
    assert nltk.Tree.fromstring(format_brackets(parse.tree)) == tree == nltk.Tree.fromstring(str(tree))
    assert Parse.from_nltk(tree).spans() == parse.spans()


def test_words_with_blanks_and_empty_ones_are_read_again_from_a_tree():
    tree = Parse(("10 000", ""), induced_tree(("10 000", ""), [(0, 2)]), None, (True, True)).to_nltk()
    assert nltk.Tree.fromstring(str(tree)).leaves() == tree.leaves() == ["10_000", "_"]


def test_a_conllu_sentence_has_the_heads():
    [parse] = synparse.load("right-branching").parse([SENTENCE])
    sentence = parse.to_conllu()
    assert [token["form"] for token in sentence] == SENTENCE.split()
    assert tuple(token["head"] for token in sentence) == parse.heads
    assert Parse.from_conllu(sentence).heads == parse.heads


def test_a_conllu_sentence_is_what_the_command_writes_but_for_its_number(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("I don't (ever) go.\n", encoding="utf-8")
    [parse] = synparse.load("english")("I don't (ever) go.", brackets=None, confidence="raw", tags=True)
    written = "".join(parse_files([str(path)], ["english"], raw=True, confidence="raw", tags=True))
    assert parse.to_conllu().serialize() == written[written.index("# text = I don't (ever) go.\n# log_prob") :]
    assert "\n2-3\tdon't\t_" in written


def test_a_sentence_without_words_is_an_empty_token_list():
    for nothing in ([], conllu.TokenList()):
        assert list(synparse.load("chain").parse([nothing])[0].to_conllu()) == []


def test_treebank_labels_and_unary_branches_do_not_matter():
    tree = nltk.Tree.fromstring("(ROOT (S (NP (DT the) (NN dog)) (VP (VBD barked))))")
    parse = Parse.from_nltk(tree)
    assert parse.tokens == ("the", "dog", "barked")
    assert parse.spans() == {(0, 2)}
    assert Parse.from_nltk(nltk.Tree("X", [])).tokens == ()
    for label, name in ((None, ""), (nltk.Nonterminal("X"), "X")):
        [again] = synparse.load("chain").parse([nltk.Tree(label, ["a", "b"])], keep="brackets")
        assert again.tree.constituents == ((name, 0, 2),)
    with pytest.raises(TypeError, match=r"^an nltk\.Tree is needed, not str; nltk\.Tree\.fromstring reads its text$"):
        Parse.from_nltk("(X (_ a) (_ b))")
    with pytest.raises(TypeError, match=r"^a conllu\.TokenList is needed, not str; conllu\.parse reads its text$"):
        Parse.from_conllu("1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n")


def test_a_token_list_is_numbered_as_in_conllu():
    words = [
        {"id": number, "form": form, "head": head} for number, form, head in ((1, "a", 3), (2, ",", 1), (3, "b", 0))
    ]
    filtered = conllu.TokenList(words).filter(form=lambda form: form != ",")
    for read in (Parse.from_conllu, lambda sentence: synparse.load("chain").parse([sentence], keep="heads")):
        with pytest.raises(ValueError, match=r"^the words of a conllu\.TokenList are numbered 1, 2, 3 … "):
            read(filtered)
        with pytest.raises(ValueError, match=r"^each token of a conllu\.TokenList needs an id and a form$"):
            read(conllu.TokenList([{"id": 1, "head": 0}]))


def test_heads_of_a_token_list_are_whole_numbers_of_any_kind():
    words = [{"id": number, "form": form, "head": np.int64(number - 1)} for number, form in enumerate("ab", 1)]
    assert Parse.from_conllu(conllu.TokenList(words)).heads == (0, 1)
    with pytest.raises(ValueError, match=r"^the head of word 2 must be a whole number, not '1'$"):
        Parse.from_conllu(conllu.TokenList([words[0], {**words[1], "head": "1"}]))


def test_multiword_tokens_and_empty_nodes_are_no_words():
    columns = "\t_" * 8
    text = f"1-2\tdu{columns}\n1\tde\t_\t_\t_\t_\t2\tcase\t_\t_\n2\tle\t_\t_\t_\t_\t0\troot\t_\t_\n2.1\tx{columns}\n\n"
    [sentence] = conllu.parse(text)
    assert Parse.from_conllu(sentence).heads == (2, 0)
    assert Parse.from_conllu(sentence).tokens == ("de", "le")
    assert synparse.load("chain").parse([sentence])[0].tokens == ("de", "le")


VAMONOS = """# newdoc id = d
# sent_id = s-1
# text = vámonos al mar.
# note = a comment
1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tvamos\tir\tVERB\tV\tMood=Imp|Number=Plur\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\tP\tCase=Acc\t1\tobj\t_\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\t_\t_\t5\tcase\t_\t_
4\tel\tel\tDET\tD\t_\t5\tdet\t_\t_
5\tmar\tmar\tNOUN\tN\t_\t1\tobl\t1:obl:a\tSpaceAfter=No
6\t.\t.\tPUNCT\tF\t_\t1\tpunct\t_\t_

"""


def test_conllu_comes_back_as_it_was():
    [sentence] = conllu.parse(VAMONOS)
    parse = Parse.from_conllu(sentence)
    assert parse.to_conllu().serialize() == VAMONOS
    assert (parse.text, parse.relations[:2], parse.upos[0]) == ("vámonos al mar.", ("root", "obj"), "VERB")
    [parse] = synparse.load("chain").parse(["a b c"])
    again = Parse.from_conllu(parse.to_conllu())
    assert (again.heads, again.relations, again.tags) == (parse.heads, None, None)


@pytest.mark.parametrize(
    ("model", "changes"), [("chain", {}), ("chain", {"keep": ("heads",)}), ("spanish", {"confidence": "raw"})]
)
def test_a_parsed_token_list_has_what_the_command_writes(tmp_path, model, changes):
    path = tmp_path / "a.conllu"
    text = VAMONOS.replace("# note", "# synparse = old\n# entropy = 9.9\n# note")
    text = text.replace("SpaceAfter=No", "Confidence=0.12|SpaceAfter=No")
    path.write_text(text, encoding="utf-8")
    [sentence] = conllu.parse(text)
    [parse] = synparse.load(model).parse([sentence], **changes)
    written = "".join(parse_files([str(path)], [model], **changes)).partition("\n")[2]
    assert parse.to_conllu().serialize() == written


def test_a_token_list_made_by_hand_has_what_it_has():
    words = [conllu.models.Token(id=number, form=form, head=number - 1) for number, form in enumerate("ab", 1)]
    parse = Parse.from_conllu(conllu.TokenList(words))
    assert (parse.tokens, parse.heads, parse.origin) == (("a", "b"), (0, 1), None)
    assert [word["deprel"] for word in parse.to_conllu()] == ["root", "dep"]


def test_the_repr_is_the_words_with_brackets_on_one_line():
    parser = synparse.load("right-branching")
    assert repr(parser.parse("the dog barked , once")[0]) == "<Parse '(the (dog (barked , once)))'>"
    assert repr(parser.parse("a\x1bb 'c'", brackets=None)[0]) == "<Parse \"a\\x1bb 'c'\">"
    assert repr(parser.parse([[]])[0]) == "<Parse ''>"
    long = repr(parser.parse([["word"] * 500])[0])
    assert len(long) == LONGEST_REPR + len("<Parse ''>")
    assert long.endswith("(wo…'>")


@pytest.mark.parametrize("changes", [{}, {"brackets": None}, {"heads": None}])
def test_the_picture_has_the_trees_that_are_there(changes):
    [parse] = synparse.load("right-branching").parse("the dog barked", **changes)
    picture = ElementTree.fromstring(parse.svg())
    kinds = [element.get("class") for element in picture.iter()]
    assert (kinds.count("node") > 0, kinds.count("arc")) == (parse.tree is not None, 3 * (parse.heads is not None))
    assert "title" not in " ".join(filter(None, kinds))


def test_notebooks_show_the_picture():
    for parse in synparse.load("right-branching").parse(["the <dog> & it", ""]):
        start, picture, end = re.fullmatch('(<img .*base64,)([^"]*)(">)', parse._repr_html_()).groups()
        assert ElementTree.fromstring(f"{start}{end[:-1]}/>").tag == "img"
        assert base64.b64decode(picture).decode() == parse.svg()
        ElementTree.fromstring(parse.svg())


def test_what_is_missing_raises():
    [brackets] = synparse.load("chain").parse(["a b"], heads=None)
    [heads] = synparse.load("chain").parse(["a b"], brackets=None)
    with pytest.raises(ValueError, match="no heads"):
        brackets.to_conllu()
    with pytest.raises(ValueError, match="no constituents"):
        heads.to_nltk()
    [unannotated] = conllu.parse("1\ta" + "\t_" * 8 + "\n\n")
    for sentence in (unannotated, conllu.TokenList([conllu.models.Token(id=1, form="a")])):
        with pytest.raises(ValueError, match="word 1 has no head"):
            Parse.from_conllu(sentence)


def test_nltk_trees_are_sentences_too():
    tree = nltk.Tree.fromstring("(S (NP the dog) (VP barked))")
    [of_tree], [of_tokens] = (
        synparse.load("balanced").parse([sentence]) for sentence in (tree, ["the", "dog", "barked"])
    )
    assert of_tree == of_tokens


def test_traces_of_a_tree_are_no_words_as_in_files(tmp_path):
    text = "(S (NP (-NONE- *T*-1)) (VP (VBD slept) (PP (IN in) (NP (NNS beds)))) (. .) (-DFL- E_S))"
    path = tmp_path / "a.mrg"
    path.write_text(text + "\n", encoding="utf-8")
    tree = nltk.Tree.fromstring(text)
    for changes in ({}, {"keep": ("brackets",)}):
        [parse] = synparse.load("balanced").parse([tree], **changes)
        [written] = parse_files([str(path)], ["balanced"], "brackets", **changes)
        assert nltk.Tree.fromstring(written).leaves() == list(parse.tokens) == ["slept", "in", "beds", "."]
        assert nltk.Tree.fromstring(written).treepositions() == parse.to_nltk().treepositions()
    assert Parse.from_nltk(tree).spans() == {(0, 3), (1, 3)}
    assert Parse.from_nltk(nltk.Tree.fromstring("(S (-NONE- *))")).tokens == ()


def test_a_deep_tree_needs_no_deep_stack():
    words = ["w"] * 3000
    [parse] = synparse.load("right-branching").parse([words])
    assert Parse.from_nltk(parse.to_nltk()).spans() == parse.spans()


@given(st.lists(st.floats(0, 1), max_size=9))
def test_spans_survive_the_way_to_nltk_and_back(distances):
    from synparse.trees.distances import unbiased_spans

    words = [f"w{number}" for number in range(len(distances) + 1)]
    parse = Parse(tuple(words), induced_tree(words, unbiased_spans(distances)), None, (True,) * len(words))
    assert Parse.from_nltk(parse.to_nltk()).spans() == parse.spans()


def test_the_package_has_its_public_names():
    assert all(getattr(synparse, name) for name in dir(synparse))
    assert set(synparse.__all__) <= {*dir(synparse), "load", "train", "Parse", "Parser", "ParserOptions"}
    assert synparse.Parser.load == synparse.load
    assert callable(synparse.train)
    with pytest.raises(AttributeError, match="no attribute 'parse'"):
        _ = synparse.parse
