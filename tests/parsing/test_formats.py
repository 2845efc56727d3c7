"""What is written of parses, and numbering that goes on over pieces that were numbered apart."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.corpora.sentences import Sentence
from synparse.parsing.formats import FORMATS, renumbered, with_assumptions
from synparse.parsing.parser import Parser
from synparse.parsing.run import parse
from synparse.parsing.windows import Numbering
from synparse.trees.conllu import SurfaceToken, read_conllu

[OWN] = read_conllu(["# sent_id = 7\n", "1\ta" + "\t_" * 8 + "\n", "\n"], "own")
NAMED = [Sentence(("a",), sent_id=name) for name in ("doc-7", "70", "7-a", "1", "2")]
KINDS = st.sampled_from([Sentence(("a", "b")), Sentence(()), Sentence(("a",), None, OWN), *NAMED])


def written(sentences, before=Numbering(), format="conllu"):  # noqa: B008 - a value
    parses = Parser.load("chain").parse([sentence.tokens for sentence in sentences], brackets=None, heads="mst")
    return "".join(FORMATS[format](zip(sentences, parses, strict=True), before))


def numbering(sentences):
    result = Numbering()
    for sentence in sentences:
        result = result.after(sentence)
    return result


@given(st.lists(st.lists(KINDS, max_size=4), max_size=4), st.sampled_from(["conllu", "json"]))
def test_pieces_that_go_on_are_the_whole(pieces, format):
    whole = written([sentence for piece in pieces for sentence in piece], format=format)
    before, text = Numbering(), ""
    for piece in pieces:
        text += written(piece, before, format)
        before = before.then(numbering(piece))
    assert text == whole
    assert before == numbering([sentence for piece in pieces for sentence in piece])


@given(
    st.lists(KINDS.filter(lambda sentence: sentence.conllu is None), min_size=1),
    st.integers(0, 9),
    st.booleans(),
    st.sampled_from(["conllu", "json"]),
)
def test_pieces_that_began_afresh_are_renumbered(piece, number, new_paragraph, format):
    before = Numbering(number, new_paragraph)
    lines = written(piece, format=format).splitlines(True)
    are_new = [not sentence.sent_id for sentence in piece if sentence.tokens]
    assert "".join(renumbered(lines, before, are_new)) == written(piece, before, format) or not any(
        sentence.tokens for sentence in piece
    )


def test_json_has_the_number_and_the_text_of_each_sentence():
    glued = Sentence(("a", "."), surface=(SurfaceToken("a", 1, False), SurfaceToken(".")))
    [bare] = read_conllu(["1\ta" + "\t_" * 8 + "\n", "\n"], "bare")
    values = written([Sentence(()), glued, Sentence(("a",), None, OWN), Sentence(("a",), None, bare)], format="json")
    assert [(value["sent_id"], value["text"]) for value in map(json.loads, values.splitlines())] == [
        *((None, ""), ("1", "a."), ("7", None), (None, None))
    ]
    _, value, *others = map(json.loads, values.splitlines())
    assert value["offsets"] == [[0, 1], [1, 2]]
    assert not any("offsets" in other for other in others)


@pytest.mark.parametrize("format", ["conllu", "json"])
def test_a_number_that_a_sentence_came_with_is_not_given_to_another_one(format):
    named = [Sentence(("a",), sent_id=name) for name in ("", "2", "")]
    text = written(named, format=format)
    assert re.findall(r'sent_id"?[:=" ]+(\d)', text) == ["1", "2", "3"]


ZUM_DOM = """\
# sent_id = z-1
# text = Zum  Dom.
1-2\tZum\t_\t_\t_\t_\t_\t_\t_\t_
1\tZu\t_\tADP\t_\t_\t3\tcase\t_\t_
2\tdem\t_\tDET\t_\t_\t3\tdet\t_\t_
2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_
3\tDom\t_\tNOUN\t_\t_\t0\troot\t_\tSpaceAfter=No
4\t.\t_\tPUNCT\t_\t_\t3\tpunct\t_\t_

"""


@pytest.mark.parametrize("text", ["Zum  Dom.", ""])
def test_conllu_in_json_keeps_multiword_tokens_and_spacing(text, tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(ZUM_DOM if text else ZUM_DOM.replace("# text = Zum  Dom.\n", ""), encoding="utf-8")
    [line] = parse([str(path)], ["chain"], "json", keep=("heads",))
    value = json.loads(line)
    start = 5 if text else 4
    assert value["text"] == (text or "Zum Dom.")
    assert value["offsets"] == [[0, 3], [0, 3], [start, start + 3], [start + 3, start + 4]]
    path.with_suffix(".json").write_text(line)
    [again] = parse([str(path.with_suffix(".json"))], ["chain"], keep=("heads",))
    empty_node = "2.1\tx" + "\t_" * 8 + "\n"
    assert again.split("\n", 1)[1] == ZUM_DOM.replace("Zum  Dom", "Zum Dom").replace(empty_node, "")


def test_there_are_no_offsets_in_a_text_of_other_words(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(ZUM_DOM.replace("Zum  Dom", "Zu dem Dom"), encoding="utf-8")
    [line] = parse([str(path)], ["chain"], "json")
    assert json.loads(line)["text"] == "Zu dem Dom."
    assert "offsets" not in json.loads(line)


def test_a_token_list_keeps_multiword_tokens_and_spacing():
    import conllu

    [sentence] = conllu.parse(ZUM_DOM)
    [parsed] = Parser.load("chain").parse([sentence], keep=("heads",))
    assert parsed.text == "Zum Dom."
    assert parsed.to_conllu().serialize() == ZUM_DOM


def test_json_of_running_text_becomes_the_conllu_that_the_text_does(tmp_path):
    text, values = tmp_path / "text.txt", tmp_path / "text.json"
    text.write_text("Hi Tom & Jane, don't (ever) go.\nA .\n", encoding="utf-8")
    values.write_text("".join(parse([str(text)], ["chain"], "json", tokenizer="rules:en")), encoding="utf-8")
    direct, again = ("".join(parse([str(path)], ["chain"], tokenizer="rules:en")) for path in (text, values))
    assert direct == again
    assert "# text = Hi Tom & Jane, don't (ever) go.\n" in direct
    assert direct.count("SpaceAfter=No") == 4


def test_a_document_begins_with_what_its_trees_depend_on_after_blank_lines():
    def commented(*texts):
        return list(with_assumptions((text for text in texts), ["english 0.2.0", "heads mst\n1\t"]))

    comment = "# synparse = english 0.2.0, heads mst\\n1\\t\n"
    assert commented("\n", "\n\n# newpar\n1\ta\n\n", "1\tb\n\n") == [
        "\n",
        f"\n\n{comment}# newpar\n1\ta\n\n",
        "1\tb\n\n",
    ]
    assert commented("", "\n") == ["", "\n"]
    columns = "# global.columns = ID FORM\n"
    assert commented(f"{columns}1\ta\n\n") == [f"{columns}{comment}1\ta\n\n"]


def test_what_earlier_trees_depended_on_is_not_kept():
    [sentence] = read_conllu(["# synparse = other\n", "# synparsed = x\n", "1\ta" + "\t_" * 8 + "\n", "\n"], "own")
    assert written([Sentence(("a",), None, sentence)]) == "# synparsed = x\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"


def test_what_an_earlier_parse_said_of_its_heads_is_not_kept():
    comments = ["# log_probability = -1\n", "# text = a\n", "# entropy = 1\n", "# expected_errors = 1\n"]
    row = "1\ta" + "\t_" * 7 + "\tArgmaxHead=0|Confidence=0.50|Gloss=x|Uncertain=Yes\n"
    [sentence] = read_conllu([*comments, row, "\n"], "own")
    assert written([Sentence(("a",), None, sentence)]) == "# text = a\n1\ta\t_\t_\t_\t_\t0\troot\t_\tGloss=x\n\n"


def by_conllu(path):
    import conllu

    return "".join(sentence.serialize() for sentence in conllu.parse(path.read_text(encoding="utf-8")))


def by_pyconll(path):
    return pytest.importorskip("pyconll", reason="no pyconll here: pip install pyconll").load_from_file(path).conll()


def by_udapi(path):
    pytest.importorskip("udapi", reason="no udapi here: pip install udapi")
    from udapi.core.document import Document

    document = Document()
    document.load_conllu(str(path))
    assert all(tree.compute_text() == tree.text for tree in document.trees)
    return document.to_conllu_string()


def by_stanza(path):
    pytest.importorskip("stanza", reason="no Stanza here: pip install stanza")
    from stanza.utils.conll import CoNLL

    return f"{CoNLL.conll2doc(path):C}\n\n"


@pytest.mark.parametrize("write", [by_conllu, by_pyconll, by_udapi, by_stanza])
def test_other_readers_of_conllu_write_what_they_read(write, tmp_path):
    words = ("Zu", "dem", "Dom", "|", "=", ".")
    surface = (SurfaceToken("Zum", 2), SurfaceToken("Dom", 1, False), *map(SurfaceToken, "|=."))
    sentences = [Sentence(words, surface=surface), Sentence(("It", "sat"))]
    parses = Parser.load("english").parse(
        [sentence.tokens for sentence in sentences], confidence="fitted", distributions=True, least=0.8
    )
    text = "".join(FORMATS["conllu"](zip(sentences, parses, strict=True), Numbering()))
    assert "ArgmaxHead=" in text
    assert "Uncertain=Yes" in text
    path = tmp_path / "a.conllu"
    path.write_text(text, encoding="utf-8")
    assert write(path) == text
