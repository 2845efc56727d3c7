import gzip
import json

import pytest

from synparse.language_models.pair_files import Item, read_pairs
from synparse.trees.errors import DataError, SettingError
from synparse.trees.limits import LONGEST_PAIR_LINE


def sentences(better, worse):
    return {"grammatical": better, "ungrammatical": worse}


@pytest.mark.parametrize(
    "names", [("grammatical", "ungrammatical"), ("sentence_good", "sentence_bad"), ("Grammatical", "UNGRAMMATICAL")]
)
def test_columns_are_found_by_the_head_line(file, names):
    found = read_pairs(file(f"{names[1]}\tphenomenon\t{names[0]}\r\nbad one\tx y\tgood one\r\n\r\nb\t\tg\n"))
    assert found.columns == ("phenomenon",)
    assert found.has_names
    assert list(found.items) == [
        Item(2, sentences("good one", "bad one"), {"phenomenon": "x y"}),
        Item(4, sentences("g", "b"), {"phenomenon": ""}),
    ]


def test_an_intrusive_variant_is_there_where_its_cell_is_not_empty(file):
    found = read_pairs(file("grammatical\tungrammatical\tintrusive\na\tb\tc\na\tb\t\na\tb\n"))
    assert found.columns == ()
    assert [item.sentences.get("intrusive") for item in found.items] == ["c", None, None]


def test_without_a_head_line_the_first_two_columns_count(file, tmp_path):
    with gzip.open(tmp_path / "pairs.gz", "wt") as packed:
        packed.write("a dog barks\ta dog bark\tnoted\n\nb\tc\n")
    for path in (str(tmp_path / "pairs.gz"), file("a dog barks\ta dog bark\tnoted\n\nb\tc\n")):
        found = read_pairs(path)
        assert not found.has_names
        assert found.columns == ()
        assert list(found.items) == [
            Item(1, sentences("a dog barks", "a dog bark"), {}),
            Item(3, sentences("b", "c"), {}),
        ]


def test_the_json_lines_of_blimp_have_the_same_columns(file):
    row = {
        "sentence_good": "a",
        "sentence_bad": "b",
        "UID": "u",
        "linguistics_term": "t",
        "field": "syntax",
        "pairID": 7,
    }
    found = read_pairs(file(json.dumps(row) + "\n" + json.dumps({**row, "UID": "v"}) + "\n", "blimp.jsonl"))
    assert found.columns == ("paradigm", "phenomenon", "field", "pairID")
    columns = {"paradigm": "u", "phenomenon": "t", "field": "syntax", "pairID": "7"}
    assert list(found.items) == [
        Item(1, sentences("a", "b"), columns),
        Item(2, sentences("a", "b"), {**columns, "paradigm": "v"}),
    ]


def test_json_may_have_the_names_of_columns(file):
    [item] = read_pairs(file('{"grammatical": "a b", "ungrammatical": "b a", "intrusive": "b"}\n')).items
    assert item == Item(1, {**sentences("a b", "b a"), "intrusive": "b"}, {})
    with pytest.raises(DataError, match=r":1: grammatical is no sentence: 3"):
        read_pairs(file('{"grammatical": 3, "ungrammatical": "b a"}\n'))


def test_tabs_and_line_ends_within_json_become_blanks(file):
    [item] = read_pairs(file('{"sentence_good": "a\\tb", "sentence_bad": "b\\n a", "UID": "x\\ty"}\n')).items
    assert item == Item(1, sentences("a b", "b a"), {"paradigm": "x y"})


def test_a_sentence_that_is_null_is_empty(file):
    with pytest.raises(DataError, match=r":1: the grammatical sentence is empty"):
        list(read_pairs(file('{"sentence_good": null, "sentence_bad": "a"}\n')).items)


def test_phenomena_and_fields_of_blimp_are_those_of_the_paper(file):
    rows = ["s-selection\tsyntax/semantics\ta\tb\n", "argument_structure\tsyntax_semantics\ta\tb\n"]
    found = read_pairs(file("phenomenon\tfield\tgrammatical\tungrammatical\n" + "".join(rows)))
    assert [tuple(item.columns.values()) for item in found.items] == [("argument_structure", "syntax_semantics")] * 2


@pytest.mark.parametrize("kind", ["tsv", "json"])
def test_columns_may_be_named(file, kind):
    row = {"wrong": "b", "right": "a", "rule": "r", "linguistics_term": "t", "grammatical": "c"}
    text = json.dumps(row) if kind == "json" else "\t".join(row) + "\n" + "\t".join(row.values())
    found = read_pairs(file(text), ["right", "wrong"])
    assert found.columns[:2] == ("rule", "phenomenon")
    assert [item.sentences for item in found.items] == [sentences("a", "b")]
    found = read_pairs(file("right\twrong\tgrammatical\na\tb\tc\n"), ["right", "wrong"])
    assert [item.sentences for item in found.items] == [sentences("a", "b")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no pairs: it is empty"),
        ("\n \n", "holds no pairs: it is empty"),
        ("grammatical\tungrammatical\n", "holds no pairs, only the names of the columns"),
        ("one column\n", "1: 1 column, but the pair takes 2; tabs separate columns"),
        ("a\tb\nc\n", "2: 1 column, but the pair takes 2"),
        ("a\tb\n\t\tc\n", "2: the grammatical sentence is empty"),
        ("a\t \n", "1: the ungrammatical sentence is empty"),
        ("x\tgrammatical\tungrammatical\na\tb\n", "2: 2 columns, but the pair takes 3"),
        ("grammatical\tbad\na\tb\n", "1: has no column ungrammatical; it has grammatical, bad"),
        ('{"sentence_good": "a"}\n', "1: has no key sentence_bad; it has sentence_good"),
        ('{"sentence_good": "a", "sentence_bad": ""}\n', "1: the ungrammatical sentence is empty"),
        ('{"sentence_good": "a", "sentence_bad": "b"}\n[]\n', "2: not a JSON object"),
        ('{"sentence_good": "a", "sentence_bad": 3}\n', "1: sentence_bad is no sentence: 3"),
        ('{"sentence_good": "a", "sentence_bad": "b"}\na\tb\n', "2: not JSON"),
        ("{" * 100_000 + "\n", "1: not JSON"),
        ("a\t" + "b" * LONGEST_PAIR_LINE + "\n", f"1: a line of more than {LONGEST_PAIR_LINE} characters"),
    ],
)
def test_what_is_no_pair_is_told_in_one_line(file, text, message):
    path = file(text)
    with pytest.raises(DataError) as caught:
        list(read_pairs(path).items)
    assert str(caught.value).startswith(f"{path}:")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_columns_that_are_not_there_are_told(file):
    with pytest.raises(DataError, match=r"1: has no column worse; it has better, b"):
        read_pairs(file("better\tb\n"), ["better", "worse"])
    with pytest.raises(DataError, match=r"1: has no column ungramatical; it has grammatical, ungrammatical"):
        read_pairs(file("grammatical\tungrammatical\na\tb\n"), ["grammatical", "ungramatical"])
    with pytest.raises(DataError, match=r"1: has no column a; it has grammatical, ungrammatical"):
        read_pairs(file("grammatical\tungrammatical\na\tb\n"), ["a", "b"])
    with pytest.raises(DataError, match=r"1: has no key worse; it has better"):
        read_pairs(file('{"better": "b"}\n'), ["better", "worse"])
    with pytest.raises(SettingError, match="--columns takes two names"):
        read_pairs(file("a\tb\n"), ["a", "a"])
