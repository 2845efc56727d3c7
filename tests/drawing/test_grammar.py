"""A report of grammars as text and as a page."""

from synparse.drawing.grammar import grammar_page, grammar_text
from tests.drawing.outline import Outline

SIDE = {"none": 0.75, "number": 0.5, "first": {"C2": 0.9, "C1": 0.1}, "later": {"C2": 1.0}}
NEVER = {"none": 1.0, "number": 0.0, "first": {"C2": 0.9}, "later": {"C2": 1.0}}
REPORT = {
    "model": "models/mine",
    "commonest": {"C1": "R&D", "C2": "犬", "PUNCT": "(punctuation)"},
    "classes": [
        {"name": "C1", "share": 0.5, "count": 5, "words": [{"word": "R&D", "count": 3}, {"word": "a", "count": 2}]},
        {"name": "C2", "share": 0.123, "count": 1, "words": [{"word": "犬", "count": 1}]},
        {"name": "PUNCT", "share": 0.377, "count": 4, "words": [{"word": "(punctuation)", "count": 4}]},
    ],
    "function_words": "leaves",
    "adpositions": ["of", "a"],
    "conjunctions": ["and"],
    "dependencies": [
        {"class": "C1", "root": 0.4, "left": SIDE, "right": NEVER,
         "heads": [{"class": "C2", "side": "right", "share": 0.7}, {"class": "C1", "side": "left", "share": 0.3}]},
    ],
    "grammar": 2,
    "of": 3,
    "constituents": [
        {"name": "NT7", "root": 0.9, "uses": 1.25, "example": "R&D 犬", "left": {}, "right": {},
         "rules": [{"left": "C1", "right": "NT1", "probability": 0.5, "example": ["R&D", "a 犬"]},
                   {"left": "NT1", "right": "C2", "probability": 0.0625, "example": ["a 犬", "犬"]}]},
        {"name": "NT1", "root": 0.1, "uses": None, "example": "", "left": {}, "right": {}, "rules": []},
    ],
}  # fmt: skip

TEXT = """\
grammars of models/mine

Word classes
Words that stand between the same words, learned from raw text. Per cent of the tokens; the
commonest words.

class  %     words
C1     50.0  R&D  a
C2     12.3  犬
PUNCT  37.7  (punctuation)

Dependencies
Function words: leaves. Adpositions: of a. Conjunctions: and. Of each class as a head: per cent of
its words that have no dependent on a side, and which classes the first (nearest) and the later
dependents have, in per cent. Of each class as a dependent: which classes head it, and on which side
of the head it stands.

C1 R&D: the root of 40.0 % of sentences
left: none   75.0
left, first  C2 犬 90.0, C1 R&D 10.0
left, later  C2 犬 100.0
right: none  100.0
heads        C2 犬 (right) 70.0, C1 R&D (left) 30.0

Constituents
Grammar 2 of 3. Of each nonterminal: its most probable rules, in per cent, and the words of the most
probable short trees of both parts.

NT7: the root of 90.0 % of sentences, 1.25 of them in a sentence
%     rule          example
50.0  C1 R&D + NT1  R&D | a 犬
6.2   NT1 + C2 犬   a 犬 | 犬

NT1: the root of 10.0 % of sentences
%  rule  example
"""


def test_text_has_plain_columns():
    assert "".join(grammar_text(REPORT)) == TEXT


def test_the_last_column_is_folded_to_a_width():
    lines = "".join(grammar_text(REPORT, 40)).splitlines()
    at = lines.index("left, first  C2 犬 90.0, C1 R&D 10.0")
    assert lines[at + 3 : at + 5] == ["heads        C2 犬 (right) 70.0, C1 R&D", "             (left) 30.0"]
    assert max(map(len, lines)) <= 64  # titles stay whole


def test_what_a_model_does_not_have_is_left_out():
    only = {key: REPORT[key] for key in ("model", "commonest", "classes")}
    assert "".join(grammar_text(only)) == TEXT[: TEXT.index("\nDependencies")]


def test_characters_that_would_move_the_cursor_are_replaced():
    words = [{"word": "a\x1b[2J", "count": 1}]
    bad = {"model": "m\x1b", "commonest": {}, "classes": [{"name": "C1", "share": 1.0, "count": 1, "words": words}]}
    assert "\x1b" not in "".join(grammar_text(bad))


def test_the_page_has_the_same_cells_and_needs_nothing_else():
    reader = Outline(grammar_page(REPORT))
    texts = [text for _, text in reader.texts]
    assert not any(reader.all(tag) for tag in ("link", "img", "iframe"))
    assert not any("src" in attributes for _, attributes in reader.elements)
    assert "".join(texts).count("C1 R&D + NT1") == 1
    assert {"Grammars of mine", "Word classes", "Dependencies", "Constituents", "(punctuation)"} <= set(texts)
    assert len(reader.all("table")) == 4
    cells = [line.split("  ") for line in TEXT.splitlines() if line.startswith(("left", "right"))]
    assert cells
    assert all(cell.strip() in "".join(texts) for row in cells for cell in row)


def test_links_lead_to_every_section_and_table_also_from_the_names_in_cells():
    reader = Outline(grammar_page(REPORT))
    ids = [attributes["id"] for _, attributes in reader.elements if "id" in attributes]
    links = [link["href"] for link in reader.all("a")]
    assert links == [
        *("#word-classes", "#dependencies", "#constituents"),
        "#C1",  # of the word classes; C2 has no table of dependencies
        "#C1",  # the only class in the contents of the dependencies
        *("#C1", "#C1"),  # a dependent and a head
        *("#NT7", "#NT1"),
        *("#C1", "#NT1", "#NT1"),  # in the rules of NT7
    ]
    assert {link.removeprefix("#") for link in links} <= set(ids)
    assert len(set(ids)) == len(ids)


def test_a_word_that_looks_like_a_class_is_no_link():
    words = [{"word": "R&D", "count": 3}, {"word": "C1", "count": 2}]
    page = grammar_page(REPORT | {"classes": [REPORT["classes"][0] | {"words": words}]})
    assert "R&amp;D  C1</td>" in page
