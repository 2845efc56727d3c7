import json
import re

import pytest

from synparse.drawing.show import show
from synparse.scoring.in_step import NamedLines
from synparse.trees.errors import DataError

CONLLU = "1\tHi\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
BRACKETS = "(X a b)\n"
PARSE = {"tokens": ["a"], "read": [True], "distances": [], "heights": None, "constituents": None, "heads": [0]}
EMPTY = PARSE | {"tokens": [], "read": [], "heads": []}


def shown(text, **options):
    return "".join(show(text.splitlines(True), "file", **options))


def test_labels_and_tags_are_in_every_picture():
    for picture in ("text", "svg", "html", "latex"):
        drawn = shown("(NT7 (NT3 (C12 the) (_ dog)) (C4 barks))\n", picture=picture).replace(">the dog barks<", "")
        assert all(drawn.count(name) == 1 for name in ("NT7", "NT3", "C12", "C4", "dog"))


def test_the_first_character_tells_the_format_unless_it_is_given():
    assert shown(CONLLU) == "sentence 1\n ▼\nHi\n"
    assert shown("\n " + BRACKETS) == "sentence 1\nX\n├──┐\na  b\n"
    assert shown(json.dumps(PARSE)) == "sentence 1\ndistances: none\na\n\n ▼\na\n"
    with pytest.raises(DataError, match="file:1: "):
        shown(BRACKETS, input_format="conllu")
    with pytest.raises(DataError, match=r"file:1: .* not an object; write one on each line"):
        shown(f"[{json.dumps(PARSE)}]")


def test_a_page_of_json_has_the_text_as_it_was_written():
    page = shown(
        json.dumps(PARSE | {"tokens": ["a", "."], "read": [True, False], "heads": [0, 1], "text": "a."}), picture="html"
    )
    assert ">a.</" in page
    assert ">a .<" not in page


def test_a_parse_without_tokens_is_counted_and_not_drawn():
    assert shown(f"{json.dumps(EMPTY)}\n{json.dumps(PARSE)}").startswith("sentence 2\n")


def test_nothing_is_read_past_the_last_sentence():
    def lines():
        yield from [BRACKETS] * 3
        raise AssertionError("read too far")

    assert "".join(show(lines(), "file", first=2, last=2)) == "sentence 2\nX\n├──┐\na  b\n"
    with pytest.raises(DataError, match="file: no sentence 4 to draw: the file holds 3"):
        shown(BRACKETS * 3, first=4)


def test_lines_are_styled_and_folded():
    text = shown(BRACKETS, width=3, styled=lambda line: "|".join(kind for _, kind in line))
    assert text == "note\nlabel\nline\nword\n\nline\nword\n"


def test_words_that_a_search_has_found_are_marked():
    rows = [("the", 2, "_"), ("dog", 3, "A=B|Match=N"), ("barks", 0, "Match=V")]
    lines = [f"{n}\t{word}\t_\t_\t_\t_\t{head}\t_\t_\t{misc}\n" for n, (word, head, misc) in enumerate(rows, 1)]
    text = "".join(lines)
    kinds = shown(text, styled=lambda line: " ".join(f"{piece}/{kind}" for piece, kind in line if piece.strip()))
    assert kinds.splitlines()[-1] == "the/word dog/found barks/found"
    assert shown(text) == shown(text.replace("Match", "X"))
    for picture in ("svg", "html"):
        drawn = shown(text, picture=picture)
        assert re.findall(r'<g class="marked"><text[^>]*>(.*?)</text></g>', drawn) == ["dog", "barks"]
        assert drawn.count(">the</text>\n") == 1


def test_svg_and_pages_have_every_sentence():
    assert shown(CONLLU * 2, picture="svg").count('<g class="arc">') == 2
    assert shown(CONLLU * 2, picture="html").count("<section>") == 2
    assert "<title>file</title>" in shown(CONLLU, picture="html")


OTHER = "(X (Y Hi))\n"


def beside(text, *others, **options):
    files = [NamedLines(f"runs/{number}", other.splitlines(True)) for number, other in enumerate(others, 2)]
    return "".join(show(text.splitlines(True), "runs/1", beside=files, **options))


def test_parses_of_a_sentence_stand_beside_each_other():
    assert beside(CONLLU, OTHER) == "sentence 1, runs/1\n ▼\nHi\n\nsentence 1, runs/2\nX\nY\nHi\n"
    assert beside(CONLLU * 2, OTHER * 2, first=2).count("sentence 2") == 2
    page = beside(CONLLU * 2, OTHER * 2, picture="html")
    assert headings(page)[:2] == [("h1", "1, 2"), ("h3", "sentence 1")]
    assert re.findall("<figcaption>(.*?)</figcaption>", page) == ["runs/1", "runs/2"] * 2
    assert beside(CONLLU, OTHER, picture="svg").count('class="note title"') == 2


def test_words_are_the_same_as_they_are_in_brackets():
    conllu = CONLLU.replace("Hi", "( Viet Nam )")
    assert "-LRB-_Viet_Nam_-RRB-" in beside(conllu, OTHER.replace("Hi", "-LRB-_Viet_Nam_-RRB-"))


def test_sentences_before_those_that_are_drawn_need_no_heads():
    without = CONLLU.replace("\t0\t", "\t_\t")
    assert shown(without + CONLLU, first=2) == shown(CONLLU * 2, first=2)
    assert beside(without + CONLLU, OTHER * 2, first=2) == beside(CONLLU * 2, OTHER * 2, first=2)
    with pytest.raises(DataError, match="no head"):
        shown(without + CONLLU)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (OTHER.replace("Hi", "Ho") * 2, "runs/2: sentence 1 has 'Ho' where runs/1 has 'Hi'"),
        (OTHER, "runs/2: ends after 1 sentence, but runs/1 continues"),
        (OTHER * 3, "runs/1: ends after 2 sentences, but runs/2 continues"),
    ],
)
def test_parses_of_other_sentences_are_refused(other, message):
    with pytest.raises(DataError) as raised:
        beside(CONLLU * 2, other)
    assert str(raised.value).partition(";")[0] == message


def test_a_lone_sentence_has_no_number_in_svg():
    assert shown(CONLLU * 2, picture="svg").count('class="note title"') == 2
    assert 'class="note title"' not in shown(CONLLU, picture="svg")


SENTENCE = """\
# sent_id = weblog-7
# text = Don't <go>!
1\tDo\t_\t_\t_\t_\t3\t{0}\t_\tConfidence=0.25|SpaceAfter=No
2\tn't\t_\t_\t_\t_\t3\t{1}\t_\tx|Confidence=0.50
3\tgo\t_\t_\t_\t_\t0\troot\t_\t_

"""


def headings(page):
    return re.findall("<(h1|h3|p class=[^>]*)>(.*?)</", page)


def test_a_page_has_the_number_the_name_and_the_text_of_a_sentence():
    assert headings(shown(SENTENCE + CONLLU, picture="html")) == [
        ("h1", "file"),
        ("h3", "sentence 1, sent_id weblog-7"),
        ('p class="sentence" dir="auto"', "Don&#x27;t &lt;go&gt;!"),
        ("h3", "sentence 2"),
        ('p class="sentence" dir="auto"', "Hi"),
    ]


def test_a_page_of_json_has_them_too():
    line = '{"sent_id": "weblog-7", "text": "Do go!", "tokens": ["Do", "go"], "heads": [2, 0]}\n'
    assert headings(shown(line, picture="html")) == [
        ("h1", "file"),
        ("h3", "sentence 1, sent_id weblog-7"),
        ('p class="sentence" dir="auto"', "Do go!"),
    ]


@pytest.mark.parametrize(
    ("text", "title"),
    [(SENTENCE, "Don&#x27;t &lt;go&gt;!"), ("(X " + "word " * 13 + ")", " ".join(["word"] * 12) + " …")],
)
def test_a_page_from_a_pipe_has_the_first_sentence_as_its_title(text, title):
    page = "".join(show(text.splitlines(True), "<stdin>", picture="html"))
    assert headings(page)[0] == ("h1", title)


@pytest.mark.parametrize(
    ("relations", "expected"),
    [
        (("dep", "dep"), ["0.25", "0.50"]),
        (("_", "dep"), ["0.25", "0.50"]),
        (("dep", "neg"), ["dep 0.25", "neg 0.50", "root"]),
    ],
)
def test_relations_that_say_nothing_are_not_drawn_and_probabilities_are(relations, expected):
    drawn = shown(SENTENCE.format(*relations), picture="svg")
    assert re.findall(r'<text class="note" [^>]*>(.*?)</text>', drawn) == expected


def test_a_parse_has_relations_and_probabilities():
    parse = PARSE | {"tokens": ["a", "b"], "read": [True] * 2, "heads": [2, 0], "relations": ["m1:right", "root"]}
    parse |= {
        "distances": None,
        "constituents": [[0, 2]],
        "head_probabilities": [0.5, None],
        "span_probabilities": [1.0],
    }
    drawn = shown(json.dumps(parse), picture="latex")
    assert "[{X 1.00} [a] [b]]" in drawn
    assert "\\depedge{2}{1}{m1:right 0.50}\n\\deproot{2}{root}\n" in drawn
