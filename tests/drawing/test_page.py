"""Pages: whole, in one file, and what they are given is text, not markup."""

import base64
import hashlib
from html.parser import HTMLParser

from synparse.drawing.layout import Bars
from synparse.drawing.page import page, picture, sheet_page, side_by_side, table
from synparse.drawing.svg import tree_svg
from synparse.scoring.tables import Table

EMPTY = {"meta", "!doctype", "br", "input"}


class Outline(HTMLParser):
    """The elements of a page with their text; fails where they are not closed in order."""

    def __init__(self, markup):
        super().__init__()
        self.open, self.texts, self.attributes = [], {}, []
        self.feed(markup)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.attributes += attributes
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, _, attributes):
        self.attributes += attributes

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)


def test_a_page_has_its_title_and_body_and_nothing_from_elsewhere():
    outline = Outline(page("A & <B>", ["<p>one</p>\n", "<p>two</p>\n"], "p { color: red; }\n", "let a = 1;\n"))
    assert outline.texts["title"] == outline.texts["h1"] == ["A & <B>"]
    assert outline.texts["p"] == ["one", "two"]
    assert outline.texts["style"][0].endswith("p { color: red; }\n")
    assert outline.texts["script"] == ["\nlet a = 1;\n"]
    assert not [value for name, value in outline.attributes if name in ("src", "href")]


def policy(markup):
    [content] = [value for name, value in Outline(markup).attributes if name == "content" and "default-src" in value]
    return dict(directive.split(" ", 1) for directive in content.split("; "))


def test_a_page_runs_no_script_but_its_own_and_fetches_nothing():
    script = "let a = '<犬>';\n"
    digest = base64.b64encode(hashlib.sha256(f"\n{script}".encode()).digest()).decode()
    with_script = page("A", [], script=script)
    assert f"<script>\n{script}</script>" in with_script
    assert policy(with_script)["script-src"] == f"'sha256-{digest}'"
    assert policy(page("A", [])) == {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "script-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_a_page_without_a_script_has_no_script():
    assert "<script" not in page("A", [])


def test_a_picture_has_its_caption_if_it_has_one():
    assert picture("<svg/>") == '<figure class="picture" tabindex="0">\n<svg/></figure>\n'
    assert "<figcaption>a &lt; b</figcaption>\n<svg/>" in picture("<svg/>", "a < b")


def test_a_sheet_has_every_sentence_with_its_pictures_in_order():
    bars = [Bars("heights", ("a", "b"), (float(n), 0.0)) for n in (1, 2, 3)]
    sheet = sheet_page("T", [("first <", "a & b", [("", bars[:2])]), ("second", "c", [("x", bars[2:]), ("y", [])])])
    outline = Outline(sheet)
    assert outline.texts["h3"] == ["first <", "second"]
    assert outline.texts["p"] == ["a & b", "c"]
    first = picture(tree_svg(bars[0], "first <") + tree_svg(bars[1], "first <"))
    second = side_by_side([picture(tree_svg(bars[2], "second"), "x"), picture("", "y")])
    assert sheet.index("first") < sheet.index(first) < sheet.index("second") < sheet.index(second)


def test_a_table_has_names_in_its_first_column_and_markup_by_choice():
    content = Table("a & b", ("name", "<x>"), [("UAS", "1.0"), ("<", "2")])
    assert table(content) == picture(
        "<table>\n<caption>a &amp; b</caption>\n"
        '<thead><tr><th scope="col">name</th><th scope="col">&lt;x&gt;</th></tr></thead>\n<tbody>\n'
        '<tr><th scope="row">UAS</th><td>1.0</td></tr>\n<tr><th scope="row">&lt;</th><td>2</td></tr>\n'
        "</tbody>\n</table>\n"
    )
    bare = table(Table("", (), [("a", "b")]), lambda text: f"<b>{text}</b>")
    assert bare == picture(
        '<table>\n<tbody>\n<tr><th scope="row"><b>a</b></th><td><b>b</b></td></tr>\n</tbody>\n</table>\n'
    )
