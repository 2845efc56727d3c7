"""Search over files: which pattern they get, what is counted, and what cannot be searched."""

import gzip
from unicodedata import normalize

import pytest

from synparse.search.search import counts_of, search, tables_of
from synparse.trees.errors import DataError, SettingError

TREES = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n(S (NP (DT the) (NN cat)) (VP (VBZ sees) (NP (DT a) (NN dog))))\n"
CONLLU = "1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.mrg").write_text(TREES)
    (tmp_path / "inner").mkdir()
    with gzip.open(tmp_path / "inner" / "b.ptb.gz", "wt") as stream:
        stream.write("(NP (NN Hi))\n")
    (tmp_path / "inner" / "c.conllu").write_text(CONLLU)
    (tmp_path / "notes.txt").write_text("none\n")
    return tmp_path


def numbers(searched):
    return [len(sentence.matches) for sentence in searched]


def test_the_format_chooses_the_kind_of_pattern(folder):
    assert numbers(search([str(folder / "a.mrg")], "NP < NN")) == [1, 2]
    assert numbers(search([str(folder / "inner" / "c.conllu")], "V -> N")) == [1]


@pytest.mark.parametrize(("form", "other"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_it_does_not_matter_how_accents_are_encoded(tmp_path, form, other):
    tree, rows = tmp_path / "a.mrg", tmp_path / "a.conllu"
    tree.write_text(normalize(form, "(NP (D le) (N café))\n"), encoding="utf-8")
    rows.write_text(normalize(form, "1\tcafé\tcafé\tN\t_\tÉpoque=Épicène\t0\troot\t_\t_\n\n"), encoding="utf-8")
    for pattern in ("NP << café", "NP << /^caf.$/"):
        [found] = search(tree, normalize(other, pattern), by="words")
        assert counts_of([found], pattern, "words")["by"] == [{"words": "le café", "matches": 1}]
        assert found.text == tree.read_text(encoding="utf-8")  # as it was
    key = normalize(other, "V.Époque")
    [matched] = search(rows, "V [lemma]", by=key)
    assert matched.keys == [("Épicène",)]
    for pattern in ('V [form="café"]', 'V [lemma=re"caf."]', "V [Époque=Épicène]"):
        assert numbers(search(rows, normalize(other, pattern))) == [1]


def test_one_path_and_one_key_may_stand_alone(folder):
    found = list(search(folder / "a.mrg", "NP", by="label"))
    assert numbers(found) == numbers(search([str(folder / "a.mrg")], "NP"))
    assert counts_of(found, "NP", "label")["by"] == counts_of(found, "NP", ["label"])["by"]


def test_a_format_chooses_the_files_of_a_folder(folder):
    assert numbers(search([str(folder)], "NP < NN", "brackets")) == [1, 2, 1]
    assert numbers(search([str(folder)], "V -> N", "conllu")) == [1]
    with pytest.raises(DataError, match=r"c\.conllu: conllu, but the files before are brackets; choose"):
        list(search([str(folder)], "NP < NN"))


def test_what_is_not_searched(folder):
    with pytest.raises(DataError, match=r"notes\.txt: text has no trees; search CoNLL-U or brackets"):
        list(search([str(folder / "notes.txt")], "NP"))
    (folder / "a.json").write_text('{"tokens": []}\n')
    with pytest.raises(DataError, match=r"a\.json: JSON is not searched"):
        list(search([str(folder / "a.json")], "NP"))
    with pytest.raises(SettingError, match="--whole is for brackets"):
        list(search([str(folder / "inner" / "c.conllu")], "V -> N", whole=True))


def test_an_empty_file_has_nothing_to_find(folder):
    (folder / "empty").write_text("\n \n")
    assert numbers(search([str(folder / "empty"), str(folder / "a.mrg")], "NP < NN")) == [1, 2]


def test_sentences_come_as_they_are_read(folder):
    (folder / "broken.mrg").write_text(TREES + "(S (NP\n")
    searched = search([str(folder / "broken.mrg")], "NP")
    assert [len(next(searched).matches), len(next(searched).matches)] == [1, 2]
    with pytest.raises(DataError, match=r"broken\.mrg:3: the bracket \(NP is never closed"):
        next(searched)


def test_too_many_matches_are_told_with_their_line(folder):
    (folder / "flat.mrg").write_text(TREES + "(A" + " (B b)" * 101 + ")\n")
    searched = search([str(folder / "flat.mrg")], "A < B=x < B=y")
    assert [len(next(searched).matches), len(next(searched).matches)] == [0, 0]
    with pytest.raises(DataError, match=r"flat\.mrg:3: more than 10000 matches"):
        next(searched)


def test_features_that_no_word_has_are_told_once(folder):
    path = folder / "features.conllu"
    path.write_text("1\tdogs\t_\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n" * 2)
    told = []
    pattern = 'V [upos=VERB, lemma="bark"] without { V -> N; N [!Number]; N.Nmber = V.UPOS }'
    list(search([str(path)], pattern, by=["V.Tense"], report=told.append))
    columns = "columns are form, lemma, upos, xpos, relation, deprel"
    unknown = [f"no word has the feature {name}; {columns}" for name in ("Nmber", "Tense", "UPOS")]
    assert told == [*unknown, "no word has a lemma: the column is empty"]
    list(search([str(path)], "N [Number=Plur]", report=told.append))
    assert len(told) == 4


def test_counts(folder):
    path = str(folder / "a.mrg")
    values = counts_of(search([path], "NP=x < (NN=n $- DT=d)"), "p")
    assert values == {"pattern": "p", "sentences": 2, "matching_sentences": 2, "matches": 3}
    assert [tuple(row) for row in tables_of(values)[0].rows] == [
        ("sentences", "2"), ("  of them matched", "2"), ("matches", "3"),
    ]  # fmt: skip
    by = ["n.words", "d.words"]
    values = counts_of(search([path], "NP=x < (NN=n $- DT=d)", by=by), "p", by)
    assert values["by"] == [
        {"n.words": "cat", "d.words": "the", "matches": 1},
        {"n.words": "dog", "d.words": "a", "matches": 1},
        {"n.words": "dog", "d.words": "the", "matches": 1},
    ]
    values = counts_of(search([path], "NN=n", by=["n.words"]), "p", ["n.words"])
    table = tables_of(values)[1]
    assert (table.title, table.columns, table.rows) == (
        "by n.words", ["n.words", "matches"], [["dog", "2"], ["cat", "1"]],
    )  # fmt: skip
    assert tables_of(counts_of(search([path], "X", by=["label"]), "X", ["label"]))[1:] == []
