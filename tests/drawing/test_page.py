"""Pages: whole, in one file, and what they are given is text, not markup."""

import base64
import hashlib

from synparse.drawing.layout import Bars
from synparse.drawing.page import page, picture, sentence_heading, sheet_page, side_by_side, table
from synparse.drawing.svg import tree_svg
from synparse.scoring.tables import Table
from tests.drawing.outline import Outline


def test_a_page_has_its_title_and_body_and_nothing_from_elsewhere():
    outline = Outline(page("A & <B>", ["<p>one</p>\n", "<p>two</p>\n"], "p { color: red; }\n", "let a = 1;\n"))
    assert outline.inside("title") == outline.inside("h1") == ["A & <B>"]
    assert outline.inside("p") == ["one", "two"]
    assert outline.inside("style")[0].endswith("p { color: red; }\n")
    assert outline.inside("script") == ["\nlet a = 1;\n"]
    assert not [attributes for _, attributes in outline.elements if {"src", "href"} & attributes.keys()]


def policy(markup):
    metas = Outline(markup).all("meta")
    [content] = [meta["content"] for meta in metas if "default-src" in meta.get("content", "")]
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


def test_a_picture_has_its_caption_if_it_has_one():
    assert picture("<svg/>") == '<figure class="picture" tabindex="0">\n<svg/></figure>\n'
    assert "<figcaption>a &lt; b</figcaption>\n<svg/>" in picture("<svg/>", "a < b")


def test_a_sheet_has_every_sentence_with_its_pictures_in_order():
    bars = [Bars("heights", ("a", "b"), (float(n), 0.0)) for n in (1, 2, 3)]
    sheet = sheet_page("T", [("first <", "a & b", [("", bars[:2])]), ("second", "c", [("x", bars[2:]), ("y", [])])])
    outline = Outline(sheet)
    assert outline.inside("h3") == ["first <", "second"]
    assert outline.inside("p") == ["a & b", "c"]
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


def test_a_sentence_is_headed_by_its_number_and_by_another_sent_id():
    assert [sentence_heading(2, sent_id) for sent_id in ("", "2", "weblog-7")] == (
        ["sentence 2", "sentence 2", "sentence 2, sent_id weblog-7"]
    )
