"""Trees are corrected on the page of `synparse show --edit`, in a real browser (`make browser`)."""

import json

import pytest

from tests.browser import CONTROL, ESCAPE, RELEASED, RETURN, RIGHT, SHIFT
from tests.cli.commands import synparse
from tests.processes import wait_for

COMMENT = "# a comment = of no program\n"
CONLLU = (
    COMMENT
    + """\
# sent_id = 7
# text = Don't feed it!
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVB\tMood=Imp\t3\taux\t3:aux\tConfidence=0.9
2\tn't\tnot\tPART\tRB\t_\t3\tdep\t_\tConfidence=0.25|x
2.1\tyou\t_\t_\t_\t_\t_\t_\t3:nsubj\t_
3\tfeed\tfeed\tVERB\tVB\t_\t0\troot\t_\t_
4\tit\tit\tPRON\tPRP\t_\t2\tdep\t_\tSpaceAfter=No|Confidence=0.4
5\t!\t!\tPUNCT\t.\t_\t3\tpunct\t_\t_

# alone

1\tMiaow\u2028\t_\tINTJ\t_\t_\t0\troot\t_\t_
2\t</script>\t_\tPUNCT\t_\t_\t_\t_\t_\t_


"""
)
ARC = "\t2\tdep\t_\tSpaceAfter=No|Confidence=0.4"
"""Of *it*; what is corrected is no longer the parser's."""

MENDED = CONLLU.replace(ARC, "\t3\tobj\t_\tSpaceAfter=No")
BRACKETS = "( (S (NP (DT The) (JJ old))\n  (VP (VB man) (NP (DT the) (NNS boats))) (. .)) )\n(S(X a b)c)\n"


DRAWN = "document.querySelectorAll('section.drawn').length"


def opened(browser, path):
    browser.open(path)
    wait_for(lambda: browser.run(DRAWN), browser.driver)


@pytest.fixture
def editor(browser, tmp_path):
    """What opens a page; work that a browser keeps is forgotten."""
    saving = {"behavior": "allow", "downloadPath": str(tmp_path / "saved")}
    browser.ask("/goog/cdp/execute", {"cmd": "Browser.setDownloadBehavior", "params": saving})

    def edited(text, name="drafts.conllu"):
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
        synparse("show", "--edit", tmp_path / name, "--output", tmp_path / "page.html")
        opened(browser, tmp_path / "page.html")
        assert browser.console() == []
        return browser

    yield edited
    assert browser.console() == []
    browser.run("localStorage.clear()")


@pytest.fixture
def saved(browser, tmp_path):
    """What is in the file that the browser saves."""

    def text(name="drafts.conllu"):
        browser.press("s")
        path = tmp_path / "saved" / name  # which is empty before all is written beside it
        wait_for(lambda: path.exists() and path.stat().st_size, browser.driver)
        return path.read_bytes().decode()

    return text


def part(value, name="word", piece=0):
    return f"section[data-piece='{piece}'] [data-{name}='{value}']"


def said(browser):
    return browser.run("document.getElementById('status').textContent")


def focused(browser):
    return browser.run("document.activeElement.getAttribute('aria-label')")


def faults(browser):
    return browser.run("Array.from(document.querySelectorAll('.fault'), place => place.textContent)")


def test_an_arc_is_corrected_saved_and_scored(editor, saved, tmp_path):
    page = editor(CONLLU)
    page.drag(part(1))
    page.press(ESCAPE + RIGHT * 3)
    assert focused(page) == "4 it, head 2 n't, dep"
    page.press("3:obj" + RETURN)
    assert focused(page) == "4 it, head 3 feed, obj"
    assert saved() == MENDED
    gold = tmp_path / "gold.conllu"
    for name, text in (("drafts.conllu", CONLLU), ("saved/drafts.conllu", MENDED), ("gold.conllu", MENDED)):
        (tmp_path / name).write_text(text.partition("# alone")[0], encoding="utf-8")
    scores = [
        json.loads(synparse("eval", tmp_path / name, gold, "--json"))["uas"]
        for name in ("drafts.conllu", "saved/drafts.conllu")
    ]
    assert scores == [75, 100]


@pytest.mark.parametrize(("head", "columns"), [(3, "3\tdep"), (0, "0\troot"), (5, "5\tdep")])
def test_arcs_are_dragged_or_clicked(editor, saved, head, columns):
    page = editor(CONLLU.replace("\t0\troot", "\t4\troot", 1))  # so that no head here makes a second root
    page.drag(part(4), part(head))
    assert focused(page).startswith("4 it, ")
    page.press("u")
    page.drag(part(4))
    assert said(page) == "now click its head"
    page.drag(part(head))
    expected = CONLLU.replace("\t0\troot", "\t4\troot", 1).replace(ARC, f"\t{columns}\t_\tSpaceAfter=No")
    page.run("window.confirm = () => true")
    assert saved() == expected


def test_what_is_no_tree_is_said_at_once_and_not_saved_in_silence(editor, tmp_path, saved):
    page = editor(CONLLU)
    page.drag(part(1))
    page.press(ESCAPE + "r")
    assert faults(page) == ["not a tree: a tree has one root, not 1, 3", ""]
    page.press("4" + RETURN)
    page.press(RIGHT + "1" + RETURN)
    assert faults(page) == ["not a tree: the heads of 1, 2, 4 are a cycle", ""]
    assert page.run("document.querySelectorAll('.faulty').length") == 3
    page.run("window.confirm = (question) => { document.title = question; return false; }")
    page.press("s")
    assert page.run("document.title") == "Not trees: sentences 1. Save nevertheless?"
    assert page.run("document.getElementById('progress').textContent") == "0 of 2 checked, not saved"
    page.press("uuu")
    assert faults(page) == ["", ""]
    assert saved() == CONLLU
    assert list((tmp_path / "saved").iterdir()) == [tmp_path / "saved" / "drafts.conllu"]


def test_undo_redo_and_what_is_not_saved(editor):
    page = editor(CONLLU)
    warns = "!dispatchEvent(new Event('beforeunload', {cancelable: true}))"
    assert not page.run(warns)
    page.drag(part(4), part(3))
    page.press(":obj" + RETURN)
    assert page.run(warns)
    page.press(CONTROL + "z" + RELEASED)
    assert focused(page) == "4 it, head 3 feed, dep"
    page.press("uu")
    assert said(page) == "nothing to undo"
    assert focused(page) == "4 it, head 2 n't, dep"
    page.press(CONTROL + "yy" + RELEASED)
    assert focused(page) == "4 it, head 3 feed, obj"


def test_a_word_keeps_the_focus_when_its_sentence_is_checked(editor):
    page = editor(CONLLU)
    page.drag(part(1))
    page.press(ESCAPE + RIGHT + "c" + RIGHT)
    assert focused(page) == "3 feed, the root, root"
    page.press("1" + RETURN)
    assert focused(page) == "3 feed, head 1 Do, dep"


def test_sentences_are_checked_and_heads_forgotten(editor, saved):
    page = editor(CONLLU)
    uncertain = "document.querySelectorAll('.uncertain').length"
    assert page.run(uncertain) == 2
    page.press("c")
    assert page.run(uncertain) == 0
    page.press("n")
    assert focused(page) == "1 Miaow\u2028, the root, root"
    page.press("_" + RETURN + RIGHT + "1:punct" + RETURN)
    expected = CONLLU.replace("1-2\t", "# checked = yes\n1-2\t").replace(
        "_\t_\t0\troot\t_\t_\n2", "_\t_\t_\t_\t_\t_\n2"
    )
    expected = expected.replace("\t_\t_\t_\t_\n\n\n", "\t1\tpunct\t_\t_\n\n\n")
    assert saved() == expected
    assert page.run("document.getElementById('progress').textContent") == "1 of 2 checked"
    page.type("section[data-piece='2'] input", " ")  # the box is pressed
    assert page.run("document.getElementById('progress').textContent") == "2 of 2 checked, not saved"
    page.press("c")
    page.press("pc")
    assert page.run("document.getElementById('progress').textContent") == "0 of 2 checked, not saved"


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("9" + RETURN, "the sentence has 5 words"),
        (RETURN, "type the number of the head, then Enter"),
        ("1_", "1 Do ← 1_"),
        ("1_" + RETURN, "type the number of a head, a colon and a relation, or both: 3:nsubj"),
        ("p", "this is the first sentence"),
        ("nn", "this is the last sentence"),
    ],
)
def test_what_cannot_be(editor, saved, typed, answer):
    page = editor(CONLLU)
    page.drag(part(1))
    page.press(ESCAPE + typed)
    assert said(page) == answer
    page.press(ESCAPE)
    assert saved() == CONLLU


def test_line_ends_stay(editor, saved):
    page = editor(CONLLU.replace("\n", "\r\n"))
    page.drag(part(4), part(3))
    page.press(":obj" + RETURN + "c")
    assert saved() == MENDED.replace("1-2\t", "# checked = yes\n1-2\t").replace("\n", "\r\n")


def test_constituents_are_corrected_saved_and_scored(editor, saved, tmp_path):
    page = editor(BRACKETS, "drafts.brackets")
    page.drag(part(3, "node"))
    assert said(page).startswith("VP: click again")
    page.drag(part(3, "node"))
    assert said(page) == "taken away: VP, words 3 to 5"
    page.drag(part(2))
    page.drag(part(4))
    assert said(page) == "this would cross NP, words 1 to 2: take that away first"
    page.drag(part(2), part(1))
    assert said(page) == "taken away: NP, words 1 to 2"
    page.drag(part(1))
    page.press(ESCAPE + SHIFT + RIGHT + RIGHT + RELEASED + ":NP" + RETURN)
    assert said(page) == "added: words 1 to 3"
    page.drag(part(1, "node", 1), part(1, "node", 1))
    page.press(RETURN)
    expected = "( (S (NP (DT The) (JJ old)\n  (VB man)) (NP (DT the) (NNS boats)) (. .)) )\n(S a b c)\n"
    assert saved("drafts.brackets") == expected
    (tmp_path / "gold").write_text("(S (X The old man) (X the boats) (. .))\n(S a b c)\n")
    assert "100.0" in synparse("eval", tmp_path / "saved" / "drafts.brackets", tmp_path / "gold")


@pytest.mark.parametrize(
    ("text", "first", "last", "expected"),
    [
        ("(S (NP (PRP it)) (VB is))", 1, 1, "(S (PRP it) (VB is))"),
        ("(S (PRP it) (VB is))", 1, 1, "(S (X (PRP it)) (VB is))"),
        ("(S it is)", 1, 1, "(S (X (_ it)) is)"),
        ("(S(NP it is)so)", 1, 2, "(S it is so)"),
        ("( (NP it is) (RB so))", 1, 2, "( (_ it) is (RB so))"),
        ("(A (B (C it is)) so)", 1, 2, "(A (B it is) so)"),
    ],
)
def test_constituents_of_any_form(editor, saved, text, first, last, expected):
    page = editor(text, "one.mrg")
    page.drag(part(first))
    page.drag(part(last))
    assert saved("one.mrg") == expected


PARSE = {
    "sent_id": "1",
    "tokens": ["a", "b", '"{,', "d"],
    "constituents": [[0, 4], [1, 3]],
    "heads": [2, 0, 2, 3],
    "span_probabilities": [1.0, 0.25],
    "head_probabilities": [0.5, None, 1.0, 0.4],
}


def test_both_trees_of_json_are_corrected(editor, saved):
    page = editor(json.dumps(PARSE) + "\n\n", "parses.json")
    assert page.run("document.querySelectorAll('svg').length") == 2
    heads, spans = ("[data-kind='heads'] ", "[data-kind='brackets'] ")
    page.drag(f"{heads}[data-word='4']", f"{heads}[data-word='2']")
    page.drag(f"{spans}[data-node='1']")
    page.press(RETURN)
    page.drag(f"{spans}[data-word='3']", f"{spans}[data-word='4']")
    page.press("c")
    changed = {"constituents": [[0, 4], [2, 4]], "heads": [2, 0, 2, 2], "span_probabilities": [1.0, None]}
    changed["head_probabilities"] = [0.5, None, 1.0, None]
    assert saved("parses.json") == json.dumps(PARSE | changed | {"checked": True}) + "\n\n"


def test_names_and_marks_of_json(editor, saved):
    page = editor(json.dumps(PARSE | {"checked": True}), "parses.json")
    page.drag("[data-kind='brackets'] [data-node='1']")
    page.press(":NP" + RETURN)
    page.drag("[data-kind='heads'] [data-word='1']")
    page.press(ESCAPE + ":det" + RETURN + "c")
    added = {"labels": ["X", "NP"], "relations": ["det", "root", "dep", "dep"]}
    without = {"head_probabilities": [None, None, 1.0, 0.4]}
    assert saved("parses.json") == json.dumps(PARSE | without | added)


def test_a_sentence_from_the_right(editor):
    words = ["הכלב", "נבח", "C++", "(", "בלילה"]
    page = editor(
        "".join(f"{at}\t{word}\t_\t_\t_\t_\t{at - 1}\tdep\t_\t_\n" for at, word in enumerate(words, 1)) + "\n"
    )
    written = "[...document.querySelectorAll('[data-word] text:first-of-type')]"
    assert page.run(f"{written}.map(text => text.getAttribute('direction'))") == [
        None,
        "rtl",
        "rtl",
        None,
        "rtl",
        "rtl",
    ]
    lefts = "[...document.querySelectorAll('[data-word]')].map(word => word.getBoundingClientRect().left)"
    places = page.run(lefts)
    assert places == sorted(places, reverse=True)
    page.drag(part(1))
    page.press(ESCAPE + RIGHT)
    assert focused(page) == "1 הכלב, the root, dep"
    page.press("\ue012")  # to the left
    assert focused(page) == "2 נבח, head 1 הכלב, dep"


def test_work_is_kept_until_the_page_is_opened_again(editor, browser, tmp_path):
    page = editor(CONLLU)
    page.drag(part(4), part(3))
    opened(browser, tmp_path / "page.html")
    assert said(browser) == "sentences changed last time: 1; undo takes them back"
    browser.drag(part(4))
    assert focused(browser) == "4 it, head 3 feed, dep"
    browser.press(ESCAPE + "u")
    assert focused(browser) == "4 it, head 2 n't, dep"


def test_only_what_is_near_is_drawn(editor):
    chain = "".join(f"{at}\tword\t_\t_\t_\t_\t{at - 1}\tdep\t_\t_\n" for at in range(1, 41)) + "\n"
    page = editor(chain * 200)
    assert 0 < page.run(DRAWN) < 20
    last = "document.querySelectorAll('section')[199]"
    page.run(f"{last}.scrollIntoView()")
    wait_for(lambda: page.run(f"{last}.classList.contains('drawn')"), page.driver)
    assert page.run(DRAWN) < 40


def test_long_sentences_scroll_in_their_own_box_on_a_narrow_screen(narrow, editor):
    page = editor("".join(f"{at}\tword\t_\t_\t_\t_\t{at - 1}\tdep\t_\t_\n" for at in range(1, 100)) + "\n")
    assert narrow.run("[innerWidth, document.documentElement.scrollWidth <= innerWidth]") == [400, True]
    page.drag(part(1))
    page.press(ESCAPE + RIGHT * 20)
    shown = narrow.run("document.activeElement.getBoundingClientRect().toJSON()")
    assert 0 < shown["left"] < shown["right"] < 400
    page.press("0" + RETURN)
    assert focused(page) == "21 word, the root, root"
    assert narrow.run("document.activeElement.getBoundingClientRect().left") == shown["left"]
