from xml.etree import ElementTree

import pytest

from synparse.drawing.report import report_page
from synparse.scoring.comparison import BreakdownTable, Comparison, ScoredSentence, System
from synparse.scoring.tables import Table
from synparse.trees.dependency import DependencyTree
from tests.drawing.outline import Outline
from tests.trees.written import tree

SVG = "{http://www.w3.org/2000/svg}"


WORDS = ("the", "R&D", "saw", "<it>", ".")
CONSTITUENTS = ScoredSentence(7, 0.5, tree("(S (NP a b) (VP c d))"), tree("(X (X (X a b) c) d)"))
DEPENDENCIES = ScoredSentence(9, 0.6, DependencyTree(WORDS, (2, 3, 0, 3, 3)), DependencyTree(WORDS, (3, 3, 0, 2, 3)))
BY_LABEL = BreakdownTable("label", "label", {"NP": {"recall": 0.5}, "VP": {"recall": 0.25}, "X": {"recall": None}})
SYSTEM = System("runs/a.conllu", {}, [BreakdownTable("depth", "trees", {"gold": {"mean_depth": 1.5}}), BY_LABEL])
COMPARISON = Comparison("<none>", "gold/R & D", {}, [SYSTEM], worst=[CONSTITUENTS, DEPENDENCIES])
REPORT = report_page(COMPARISON, [Table("", ["what", "per cent"], [["UAS", "60.0"], ["UUAS", "80.0"]])])


def svgs(text):
    pieces = text.split("<svg ")[1:]
    return [ElementTree.fromstring("<svg " + piece.split("</svg>")[0] + "</svg>") for piece in pieces]


def test_the_page_holds_what_it_was_given():
    read = Outline(REPORT)
    assert read.inside("h1") == ["a.conllu against R & D"]
    assert "Protocol: <none>." in read.inside("p")
    assert read.inside("th") == ["what", "per cent", "UAS", "UUAS"]
    assert read.inside("td") == ["60.0", "80.0"]
    assert read.inside("figcaption") == ["recall by label", "gold", "prediction", "gold", "prediction"]
    pairs = read.all("article")
    assert [pair["data-words"] for pair in pairs] == ["4", "5"]
    assert [pair["data-score"] for pair in pairs] == ["50", "60"]
    assert pairs[1]["data-text"] == "the R&D saw <it> ."


def test_the_scores_come_first_and_links_lead_to_every_section():
    read = Outline(REPORT)
    assert read.inside("h2") == read.inside("a") == ["Scores", "Breakdowns", "Sentences"]
    ids = [section["id"] for section in read.all("section")]
    assert [link["href"] for link in read.all("a")] == [f"#{name}" for name in ids]
    assert REPORT.index("60.0") < REPORT.index("Protocol: ") < REPORT.index('id="breakdowns"')


def test_its_pictures():
    plot, gold, predicted, gold_heads, predicted_heads = svgs(REPORT)
    assert len(list(plot.iter(f"{SVG}rect"))) == 2
    for root, marked in ((gold, 2 + 1), (predicted, 2 + 1), (gold_heads, 2), (predicted_heads, 2)):
        assert sum("marked" in element.get("class", "") for element in root.iter()) == marked
    for root in (gold_heads, predicted_heads):
        assert sum(element.get("class", "").startswith("arc") for element in root.iter()) == len(WORDS)


def test_nothing_is_loaded_from_elsewhere():
    for tag, values in Outline(REPORT).elements:
        assert not {"src", "data", "action"} & set(values), tag
        assert values.get("href", "#").startswith("#")
    assert "@import" not in REPORT
    assert "url(" not in REPORT


def test_every_field_has_a_label_and_every_picture_a_name():
    read = Outline(REPORT)
    assert [text.strip() for text in read.inside("label")] == ["Words, at least", "Score, at most", "Text"]
    assert len(read.all("input")) == 3
    for root in svgs(REPORT):
        assert root.get("role") == "img"
        assert root.find(f"{SVG}title").text
    assert ("html", {"lang": "en"}) in read.elements


@pytest.mark.parametrize("pairs", [[], [CONSTITUENTS]])
def test_what_is_empty_leaves_nothing_behind(pairs):
    read = Outline(report_page(Comparison("rule", "gold", {}, [System("t", {})], worst=pairs), []))
    assert len(read.all("form")) == len(pairs)
    assert len(read.all("script")) == len(pairs)
    assert not read.all("table")
