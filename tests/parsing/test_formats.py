"""Numbering that goes on over pieces that were numbered apart."""

from hypothesis import given
from hypothesis import strategies as st

from synparse.corpora.sentences import Sentence
from synparse.parsing.formats import FORMATS, renumbered, with_assumptions
from synparse.parsing.parser import Parser
from synparse.parsing.windows import Numbering
from synparse.trees.conllu import read_conllu

[OWN] = read_conllu(["# sent_id = 7\n", "1\ta" + "\t_" * 8 + "\n", "\n"], "own")
KINDS = st.sampled_from([Sentence(("a", "b")), Sentence(()), Sentence(("a",), None, OWN)])


def written(sentences, before=Numbering()):  # noqa: B008 - a value
    parses = Parser.load("chain").parse([sentence.tokens for sentence in sentences], brackets=None, heads="mst")
    return "".join(FORMATS["conllu"](zip(sentences, parses, strict=True), before))


def numbering(sentences):
    result = Numbering()
    for sentence in sentences:
        result = result.after(sentence)
    return result


@given(st.lists(st.lists(KINDS, max_size=4), max_size=4))
def test_pieces_that_go_on_are_the_whole(pieces):
    whole = written([sentence for piece in pieces for sentence in piece])
    before, text = Numbering(), ""
    for piece in pieces:
        text += written(piece, before)
        before = before.then(numbering(piece))
    assert text == whole
    assert before == numbering([sentence for piece in pieces for sentence in piece])


@given(st.lists(KINDS.filter(lambda sentence: sentence.conllu is None), min_size=1), st.integers(0, 9), st.booleans())
def test_pieces_that_began_afresh_are_renumbered(piece, number, new_paragraph):
    before = Numbering(number, new_paragraph)
    assert "".join(renumbered(iter(written(piece).splitlines(True)), before)) == written(piece, before) or not any(
        sentence.tokens for sentence in piece
    )


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


def test_what_earlier_trees_depended_on_is_not_kept():
    [sentence] = read_conllu(["# synparse = other\n", "# synparsed = x\n", "1\ta" + "\t_" * 8 + "\n", "\n"], "own")
    assert written([Sentence(("a",), None, sentence)]) == "# synparsed = x\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
