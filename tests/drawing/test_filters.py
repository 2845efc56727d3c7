"""Fields that hide parts of a page; what they hide is seen in tests/drawing/test_browser.py."""

from synparse.drawing.filters import LEAST_WORDS, TEXT, filters


def test_a_form_has_the_fields_and_says_what_it_is_for():
    assert filters("tr > td", "rows & <cells>", LEAST_WORDS, TEXT) == (
        '<form id="filters" role="search" data-parts="tr &gt; td" data-name="rows &amp; &lt;cells&gt;">\n'
        '<label>Words, at least <input type="number" id="words" min="0" step="1"></label>\n'
        '<label>Text <input type="search" id="text"></label>\n'
        '<output id="shown" aria-live="polite"></output>\n</form>\n'
    )
