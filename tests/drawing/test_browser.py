"""The pages in a real browser, headless (`make browser`)."""

import subprocess
import sys
from pathlib import Path

import pytest

from synparse.drawing.channels import heat_maps_page
from synparse.drawing.craft import Episode, EpisodeSegmentation, Frame
from synparse.drawing.craft_page import episodes_page
from synparse.drawing.grammar import grammar_page
from synparse.drawing.layout import Bars
from synparse.drawing.page import sheet_page
from synparse.drawing.reliability import reliability_page
from synparse.drawing.report import report_page
from synparse.drawing.svg import sheet_svg
from synparse.scoring.comparison import BreakdownTable, Comparison, ScoredSentence, System
from synparse.scoring.tables import Table
from synparse.trees.dependency import DependencyTree
from tests.browser import BACKSPACE, RETURN, RIGHT
from tests.trees.written import tree

GOLD = Path(__file__).resolve().parents[2] / "data" / "sample" / "gold.conllu"


def heads(text, *numbers):
    return DependencyTree(tuple(text.split()), numbers, ("relation",) * len(numbers))


PAIRS = [
    ScoredSentence(1, 0.1, heads("The dog saw it", 2, 3, 0, 3), heads("The dog saw it", 3, 3, 0, 2)),
    ScoredSentence(2, 0.4, heads("猫 & <b>", 2, 0, 2), heads("猫 & <b>", 0, 1, 2)),
    ScoredSentence(5, 0.555, tree("(S (NP a b) (VP c (NP d Éa)))"), tree("(X (X (X a b) c) d Éa)")),
]


@pytest.fixture
def report(browser, tmp_path):
    path = tmp_path / "report.html"
    tables = [Table("Scores", ["what", "per cent"], [["UAS", "60.0"]])]
    labels = BreakdownTable("label", "label", {"NP": {"recall": 0.5}, "VP": {"recall": 0.25}})
    comparison = Comparison("protocol", "gold", {}, [System("Report", {}, [labels])], worst=PAIRS)
    path.write_text(report_page(comparison, tables), encoding="utf-8")
    browser.open(path)
    return browser


def test_the_report_opens_without_a_word_on_the_console_and_loads_nothing(report):
    assert report.run("document.title") == "Report against gold"
    assert report.console() == []
    assert report.run("performance.getEntriesByType('resource').length") == 0


def test_the_console_would_be_heard(browser, tmp_path):
    path = tmp_path / "broken.html"
    path.write_text("<!DOCTYPE html><script>missing()</script>")
    browser.open(path)
    [message] = browser.console()
    assert "missing is not defined" in message["message"]


def test_there_is_an_arc_for_every_word(report):
    assert report.run("document.querySelectorAll('.arc').length") == 2 * (4 + 3)
    assert report.run("document.querySelectorAll('article:nth-of-type(1) .arc.marked').length") == 4
    assert report.run("document.querySelectorAll('.plot .bar').length") == 2


CELLS = [("a long name of a row", "0.25"), ("another", "0.75")]
SCORES = {"gold": ["gold"], "number": 2, "precision": 0.5, "precision_of_half": 1.0, "raw_error": 0.1}
GROUPS = [{"number": 1, "probability": 0.25, "right": 0.0}, {"number": 1, "probability": 0.75, "right": 1.0}]
CHANNELS = {
    **{"model": "a-model-with-a-long-name", "kind": "udgn", "layers": 4, "channels": 8, "arcs": 9},
    **{"relations": [{"relation": "det", "layer": 1, "channel": 2}], "matrix": {"det": [[0.5] * 8] * 4}},
}
GRAMMAR = {
    **{"model": "models/mine", "commonest": {"C1": "dog", "C2": "the"}},
    "classes": [
        {"name": "C1", "share": 0.5, "words": [{"word": "dog" * 30}, {"word": "cat"}]},
        {"name": "C2", "share": 0.5, "words": [{"word": "the"}]},
    ],
    **{"grammar": 1, "of": 1},
    "constituents": [
        {"name": name, "root": 0.5, "uses": None, "rules": [
            {"left": left, "right": "NT2", "probability": 1.0, "example": [words, "a " * 40]}]}
        for name, left, words in (("NT1", "C1", "dog"), ("NT2", "C2", "the cat"))
    ],
}  # fmt: skip
LONG = DependencyTree(("word",) * 99, tuple(range(99)))
PAGES = {
    "calibrate": reliability_page(
        {"model": "m", "arcs": SCORES | {"fitted_error": 0.0, "raw": GROUPS, "fitted": GROUPS}}
    ),
    "channels": heat_maps_page("gold", "protocol", [Table("t", ("name", "value"), CELLS)], [CHANNELS]),
    "eval": report_page(
        Comparison("protocol", "a/gold/file" * 20, {}, [System("Report", {})], worst=PAIRS),
        [Table("", ["what", *["per cent"] * 20], [["UAS", *["60.0"] * 20]])],
    ),
    "grammar": grammar_page(GRAMMAR),
    "show": sheet_page("long", [("sentence 1", "word " * 99, [("file", [LONG])] * 2)]),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_narrow_screen_does_not_scroll_the_page(narrow, tmp_path, name):
    path = tmp_path / "page.html"
    path.write_text(PAGES[name], encoding="utf-8")
    narrow.open(path)
    assert narrow.run("innerWidth") == 400
    width, room = narrow.run("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert width <= room
    wide = "Array.from(document.querySelectorAll('figure')).some(one => one.scrollWidth > one.clientWidth)"
    assert name == "calibrate" or narrow.run(wide)
    plots = "Array.from(document.querySelectorAll('.plot'))"
    assert narrow.run(f"{plots}.every(one => one.getBoundingClientRect().right <= 400)")
    assert narrow.console() == []


def test_a_grammar_is_searched(browser, tmp_path):
    path = tmp_path / "grammar.html"
    path.write_text(PAGES["grammar"], encoding="utf-8")
    browser.open(path)
    told = "document.getElementById('shown').textContent"
    assert browser.run(told) == "4 of 4 classes and nonterminals"
    browser.type("#text", "CAT")
    assert browser.run(told) == "2 of 4 classes and nonterminals"
    seen = "Array.from(document.querySelectorAll('tbody tr, .entry')).filter(one => one.checkVisibility())"
    assert browser.run(f"{seen}.map(one => one.id || one.cells[0].textContent)") == ["C1", "NT2", "100.0"]


def shown(browser):
    script = "Array.from(document.querySelectorAll('article h3')).filter(one => one.checkVisibility()).map(one => %s)"
    return [int(title.split()[1].rstrip(",")) for title in browser.run(script % "one.textContent")]


@pytest.mark.parametrize(
    ("field", "text", "expected"),
    [
        ("#words", "4", [1, 5]),
        ("#words", "5", [5]),
        ("#score", "40", [1, 2]),
        ("#score", "9.5", []),
        ("#score", "0", []),
        ("#text", "DOG", [1]),
        ("#text", "& <B", [2]),
        ("#text", "éA", [5]),
        ("#text", "saw it" + RETURN, [1]),  # which must not send the form
    ],
)
def test_filters(report, field, text, expected):
    assert shown(report) == [1, 2, 5]
    report.type(field, text)
    assert shown(report) == expected
    assert report.run("document.getElementById('shown').textContent") == f"{len(expected)} of 3 sentences"
    report.type(field, BACKSPACE * len(text))
    assert shown(report) == [1, 2, 5]
    assert report.console() == []


def test_filters_work_together(report):
    report.type("#words", "4")
    report.type("#score", "40")
    assert shown(report) == [1]


def test_what_eval_writes(browser, tmp_path):
    for command in (
        ["parse", GOLD, "-m", "chain", "-o", tmp_path / "chain.conllu"],
        ["eval", tmp_path / "chain.conllu", GOLD, "--report", tmp_path / "report.html"],
    ):
        subprocess.run([sys.executable, "-m", "synparse", *map(str, command)], check=True, capture_output=True)
    browser.open(tmp_path / "report.html")
    words = browser.run("Array.from(document.querySelectorAll('article'), one => Number(one.dataset.words))")
    assert len(words) > 10
    assert browser.run("document.querySelectorAll('.arc').length") == 2 * sum(words)
    browser.type("#words", str(max(words)))
    assert len(shown(browser)) == words.count(max(words))
    assert browser.console() == []


def test_every_field_has_its_label(report):
    assert report.run(
        "Array.from(document.querySelectorAll('input')).map(one => one.labels[0].textContent.trim())"
    ) == [
        "Words, at least",
        "Score, at most",
        "Text",
    ]


def test_dark_where_the_system_is(report):
    def colours(scheme):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        report.ask("/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}})
        return report.run(
            "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('.word')).fill]"
        )

    assert colours("light") == ["rgb(255, 255, 255)", "rgb(28, 32, 36)"]
    assert colours("dark") == ["rgb(17, 17, 19)", "rgb(237, 238, 240)"]
    colours("")


SENTENCES = [
    ("sentence 1", [heads("Wide MMMMWWWW words and narrow iiii .", 3, 3, 0, 6, 6, 3, 3)]),
    ("sentence 2", [tree("(WHADVP (NP (NNP a) (NNP b)) (X c (Y d)))"), Bars("heights", ("a", "b"), (1.0, 2.0))]),
]


def no_two_texts_meet(browser):
    """In the browser's own font: whether all of a picture's texts are apart."""
    return browser.run(
        """(() => {
          for (const picture of document.querySelectorAll("svg, svg > g[transform]")) {
            const boxes = Array.from(picture.querySelectorAll("text")).filter(one => one.textContent)
              .map(one => one.getBoundingClientRect());
            for (let i = 0; i < boxes.length; i++) for (let j = 0; j < i; j++) {
              const [one, other] = [boxes[i], boxes[j]];
              const inner = 4;  // the room above and below letters
              if (one.left < other.right && other.left < one.right
                  && one.top + inner < other.bottom - inner && other.top + inner < one.bottom - inner) return false;
            }
          }
          return true;
        })()"""
    )


@pytest.mark.parametrize("name", ["sheet.svg", "sheet.html"])
def test_what_show_writes(browser, tmp_path, name):
    path = tmp_path / name
    named = [(title, "its text", [("", structures)]) for title, structures in SENTENCES]
    text = sheet_svg(SENTENCES) if name.endswith("svg") else sheet_page("sentences", named)
    path.write_text(text, encoding="utf-8")
    browser.open(path)
    assert browser.run("document.querySelectorAll('.arc').length") == 7
    assert browser.run("document.querySelectorAll('.node').length") == 3
    assert no_two_texts_meet(browser)
    assert browser.console() == []


def test_a_long_sentence_scrolls_in_its_own_box(browser, tmp_path):
    path = tmp_path / "long.html"
    count = 200
    chain = DependencyTree(("word",) * count, tuple(range(count)))
    path.write_text(sheet_page("long", [("sentence 1", "word " * count, [("", [chain])])]), encoding="utf-8")
    browser.open(path)
    assert browser.run("document.querySelector('svg').getBoundingClientRect().width > innerWidth")
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    browser.run("document.querySelector('#fit').click()")
    assert browser.run("document.querySelector('svg').getBoundingClientRect().right <= innerWidth")


WAY = [
    Frame(("#####", "#>.A#", "#####"), (0, 0, 0, 0)),
    Frame(("#####", "#.>A#", "#####"), (0, 0, 0, 0)),
    Frame(("#####", "#.>.#", "#####"), (1, 0, 0, 0)),
]


def test_an_episode_is_played(browser, tmp_path):
    path = tmp_path / "craft.html"
    path.write_text(
        episodes_page("E", [Episode("one", "rx", WAY, [EpisodeSegmentation("subtasks", [2], "A")])]), "utf-8"
    )
    browser.open(path)
    told = "document.querySelector('output').textContent"
    assert browser.run(told) == "step 0 of 2"
    browser.type("input", RIGHT)
    assert browser.run(told) == "step 1 of 2: right subtasks A (wood)"
    assert browser.run("document.querySelector('button').textContent") == "Play"
    browser.type("input", RIGHT)
    assert browser.run(told) == "step 2 of 2: use subtasks A (wood)"
    assert browser.run("getComputedStyle(document.querySelector('.thing')).visibility") == "hidden"
    browser.run("document.querySelector('button').click()")
    assert browser.run("document.querySelector('svg').animationsPaused()") is False
    assert browser.run("document.querySelector('button').textContent") == "Pause"
    assert browser.console() == []
