"""Parses as values of other packages, and back. Pandas and Stanza need not be here: what they are given is plain
values."""

import sys
from dataclasses import replace
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

import synparse
from synparse.parsing.interchange import to_frame
from synparse.parsing.parse import Parse
from synparse.trees.conllu import SurfaceToken, induced_relations
from synparse.trees.errors import DataError
from tests.trees.dependency_trees import all_heads


@pytest.fixture
def pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=dict))


@pytest.mark.usefixtures("pandas")
def test_a_row_is_a_word():
    parses = synparse.load("chain").parse("the dog , too\n\nhello")
    assert synparse.to_frame(iter(parses)) == {
        "sentence": [1, 1, 1, 1, 3],
        "position": [1, 2, 3, 4, 1],
        "word": ["the", "dog", ",", "too", "hello"],
        "read": [True, True, False, True, True],
        "head": [2, 4, 4, 0, 0],
    }
    assert to_frame(parses[2]) == {"sentence": [1], "position": [1], "word": ["hello"], "read": [True], "head": [0]}


@pytest.mark.usefixtures("pandas")
def test_what_a_parse_lacks_is_empty_beside_others():
    parser = synparse.load("english")
    [with_tags, without] = [*parser.parse("it barks", tags=True), *parser.parse("hello", heads=None)]
    frame = to_frame([with_tags, without])
    assert frame["tag"] == [*with_tags.tags, None]
    assert frame["head"] == [*with_tags.heads, None]
    assert "relation" not in frame


def test_real_pandas_takes_it():
    pandas = pytest.importorskip("pandas", reason="no pandas here: pip install pandas")
    frame = to_frame(synparse.load("chain").parse("the dog barks"))
    assert isinstance(frame, pandas.DataFrame)
    assert frame.shape == (3, 5)


@pytest.mark.usefixtures("pandas")
def test_what_is_no_parse_is_told():
    with pytest.raises(TypeError, match=r"^to_frame takes a Parse or an iterable of them, not str$"):
        to_frame(["the dog"])


@pytest.mark.parametrize("read", [synparse.from_spacy, synparse.from_stanza])
def test_what_is_no_document_is_told(read):
    with pytest.raises(TypeError, match=r"^a document of spaCy or Stanza is needed, not str$"):
        read("the dog")


ZUM_DOM = Parse(
    ("Zu", "dem", "Dom", "geht", "s", "."),
    None,
    (3, 3, 4, 0, 4, 4),
    (True,) * 5 + (False,),
    surface=(SurfaceToken("Zum", 2), SurfaceToken("Dom"), SurfaceToken("gehts", 2, False), SurfaceToken(".")),
)

SPACY = pytest.mark.skipif(find_spec("spacy") is None, reason="no spaCy here: pip install spacy")


@SPACY
def test_every_tree_goes_to_spacy_and_back():
    trees = [heads for count in (1, 2, 3, 4) for heads in all_heads(count)]
    parses = [
        Parse(("w",) * len(heads), None, heads, (True,) * len(heads), relations=induced_relations(heads))
        for heads in trees
    ]
    doc = synparse.to_spacy(parses)
    assert synparse.from_spacy(doc) == parses
    assert [len(sentence) for sentence in doc.sents] == list(map(len, trees))
    assert synparse.from_spacy(doc[1:3]) == parses[1:2]
    roots = [token.i - token.sent.start + 1 for token in doc if token.dep_ == "ROOT"]
    assert roots == [heads.index(0) + 1 for heads in trees]


@SPACY
def test_of_a_span_only_its_words_are_parsed():
    import spacy

    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    doc = pipeline("The cat sat on the mat. It slept.")
    parser = synparse.load("chain")
    assert [parse.tokens for parse in parser.parse(doc[:4])] == [("The", "cat", "sat", "on")]
    assert [parse.tokens for parse in parser.parse(doc[5:9])] == [("mat", "."), ("It", "slept")]
    assert parser.parse(doc[:]) == parser.parse(doc)


@SPACY
def test_what_a_parse_has_beside_heads_goes_to_spacy_and_back():
    [parse] = synparse.load("english").parse("the dog barks", tags=True, labels=True)
    parse = replace(parse, upos=("DET", "NOUN", "VERB"), relations=("det", "nsubj", "root"))
    doc = synparse.to_spacy([parse, *synparse.load("chain").parse([[]])])
    [back] = synparse.from_spacy(doc)
    for field in ("tokens", "tree", "heads", "relations", "upos", "tags", "is_labelled"):
        assert getattr(back, field) == getattr(parse, field), field
    constituents = [" ".join(parse.tokens[start:end]) for _, start, end in parse.tree.constituents]
    assert [str(span) for span in doc.spans["synparse"]] == constituents


@SPACY
def test_a_doc_has_the_text_where_its_words_are_written_so():
    assert synparse.to_spacy([ZUM_DOM, *synparse.load("chain").parse("a .")]).text == "Zu dem Dom gehts. a . "


@SPACY
def test_a_doc_gets_what_the_parses_have_and_nothing_else():
    [brackets, heads] = [
        synparse.load("right-branching").parse("a b c", **{other: None})[0] for other in ("heads", "brackets")
    ]
    assert not synparse.to_spacy(brackets).has_annotation("DEP")
    assert "synparse" not in synparse.to_spacy(heads).spans
    assert not synparse.to_spacy([heads, brackets]).has_annotation("DEP")
    penn = synparse.to_spacy(replace(heads, upos=("DT", "NOUN", "VBZ")))
    assert [(token.pos_, token.tag_) for token in penn] == [("", "DT"), ("NOUN", ""), ("", "VBZ")]


@SPACY
def test_the_vocabulary_of_a_pipeline_is_taken():
    import spacy

    nlp = spacy.blank("de")
    assert synparse.to_spacy(synparse.load("chain").parse("der Hund"), nlp.vocab).vocab is nlp.vocab


@SPACY
def test_blanks_of_a_doc_are_no_words_and_may_be_heads():
    import spacy
    from spacy.tokens import Doc, Span

    # The head of "c" is a blank whose head is "b"; the root is the blank "\n", so that "b" has none among words.
    doc = Doc(
        spacy.blank("xx").vocab, ["\n", "a", "b", " ", "c"], heads=[0, 2, 0, 2, 3], deps=["ROOT", "x", "y", "dep", "z"]
    )
    doc.spans["synparse"] = [Span(doc, 1, 5, "X"), Span(doc, 2, 4, "Y"), Span(doc, 3, 4, "blank")]
    [parse] = synparse.from_spacy(doc)
    assert (parse.tokens, parse.heads, parse.relations) == (("a", "b", "c"), (2, 0, 2), ("x", "y", "z"))
    assert parse.tree.constituents == (("X", 0, 3), ("Y", 1, 2))


@SPACY
def test_of_a_doc_some_heads_can_be_kept_and_no_parse_made():
    import spacy
    from spacy.tokens import Doc

    starts = [True, False, False]
    doc = Doc(spacy.blank("xx").vocab, ["a", "b", "c"], heads=[2, 1, 2], deps=["dep", None, "ROOT"], sent_starts=starts)
    assert synparse.load("right-branching").parse(doc)[0].heads == (0, 1, 2)
    assert synparse.load("right-branching").parse(doc, keep=("heads",))[0].heads == (3, 1, 0)
    with pytest.raises(ValueError, match="word 2 has no head"):
        synparse.from_spacy(doc)


@SPACY
@pytest.mark.parametrize("keep", [(), ("heads",)])
def test_the_text_of_a_doc_stays(keep):
    import spacy

    doc = spacy.blank("en")("They don't.\nIt \n did.")
    doc[5].is_sent_start = True
    parses = synparse.load("chain").parse(doc, keep=keep)
    assert [parse.text for parse in parses] == ["They don't.", "It did."]
    assert [token["misc"] for token in parses[0].to_conllu()][:3] == [None, {"SpaceAfter": "No"}, {"SpaceAfter": "No"}]
    assert [parse.surface for parse in synparse.from_spacy(doc)] == [parse.surface for parse in parses]
    assert [parse.text for parse in synparse.load("chain").parse(doc.sents)] == ["They don't.", "It did."]


@pytest.fixture
def stanza(monkeypatch):
    """Of a document, what it is made of."""
    monkeypatch.setitem(sys.modules, "stanza", SimpleNamespace(Document=lambda words, comments: (words, comments)))


@pytest.mark.usefixtures("stanza")
def test_stanza_is_given_words_and_comments():
    parses = synparse.load("chain").parse("the dog (\n\nhello", brackets=None)
    words, comments = synparse.to_stanza(parses)
    assert words == [
        [
            {"id": 1, "text": "the", "head": 2, "deprel": "dep"},
            {"id": 2, "text": "dog", "head": 0, "deprel": "root"},
            {"id": 3, "text": "(", "head": 2, "deprel": "dep"},
        ],
        [{"id": 1, "text": "hello", "head": 0, "deprel": "root"}],
    ]
    assert comments == [["# text = the dog ("], ["# text = hello"]]


@pytest.mark.usefixtures("stanza")
def test_stanza_is_given_all_that_a_parse_has():
    [parse] = synparse.load("right-branching").parse("a b", heads=None)
    words, comments = synparse.to_stanza(replace(parse, tags=("DT", "NN"), upos=("DET", "NOUN")))
    assert words == [
        [{"id": 1, "text": "a", "upos": "DET", "xpos": "DT"}, {"id": 2, "text": "b", "upos": "NOUN", "xpos": "NN"}]
    ]
    assert comments == [["# text = a b", "# constituency = (X (_ a) (_ b))"]]


@pytest.mark.usefixtures("stanza")
def test_stanza_is_given_multiword_tokens_and_the_text():
    [words], [comments] = synparse.to_stanza(ZUM_DOM)
    heads = [{"head": head, "deprel": "dep" if head else "root"} for head in ZUM_DOM.heads]
    assert words == [
        {"id": (1, 2), "text": "Zum"},
        {"id": 1, "text": "Zu", **heads[0]},
        {"id": 2, "text": "dem", **heads[1]},
        {"id": 3, "text": "Dom", **heads[2]},
        {"id": (4, 5), "text": "gehts", "misc": "SpaceAfter=No"},
        {"id": 4, "text": "geht", **heads[3]},
        {"id": 5, "text": "s", **heads[4]},
        {"id": 6, "text": ".", **heads[5]},
    ]
    assert comments == ["# text = Zum Dom gehts."]


def stanza_sentence(*words, constituency=None):
    names = ("text", "head", "deprel", "upos", "xpos")
    words = [SimpleNamespace(**dict(zip(names, word, strict=True))) for word in words]
    tokens = [SimpleNamespace(text=word.text, words=[word], spaces_after=" ") for word in words]
    return SimpleNamespace(words=words, tokens=tokens, constituency=constituency)


def test_a_stanza_document_is_read_by_its_words():
    tree = "(ROOT (NP (DT the) (-LRB- -LRB-)))"
    document = SimpleNamespace(
        sentences=[
            stanza_sentence(("the", 2, "det", "DET", None), ("(", 0, "root", None, None), constituency=tree),
            stanza_sentence(("hello", None, None, None, "UH")),
        ]
    )
    [full, bare] = synparse.from_stanza(document)
    assert (full.tokens, full.heads, full.relations) == (("the", "("), (2, 0), ("det", "root"))
    assert (full.upos, full.tags, full.is_labelled) == (("DET", "_"), None, True)
    assert full.tree.constituents == (("ROOT", 0, 2), ("NP", 0, 2))
    assert (bare.tree, bare.heads, bare.relations, bare.tags) == (None, None, None, ("UH",))
    assert [parse.tokens for parse in synparse.load("chain").parse(document)] == [("the", "("), ("hello",)]


def test_what_a_stanza_document_has_can_be_kept():
    words = [(form, head, None, None, None) for form, head in (("a", 2), ("b", None), ("c", 0), ("d", None))]
    tree = "(ROOT (X a) (Y (Z b c) d))"
    document = SimpleNamespace(sentences=[stanza_sentence(*words, constituency=tree)])
    parser = synparse.load("left-branching")
    assert parser.parse(document)[0].spans() == {(0, 2), (0, 3)}
    assert parser.parse(document, keep=("brackets",))[0].spans() == {(1, 3), (1, 4)}
    with pytest.raises(ValueError, match="word 2 has no head"):
        synparse.from_stanza(document)
    [parse] = synparse.load("chain").parse(document, keep=("heads",))
    assert (parse.heads[0], parse.heads[2]) == (2, 0)


@pytest.mark.parametrize("keep", [(), ("heads",)])
def test_the_text_and_multiword_tokens_of_stanza_stay(keep):
    sentence = stanza_sentence(*[(form, None, None, None, None) for form in ("zu", "dem", "Dom", ".")])
    zu, dem, dom, stop = sentence.words
    tokens = ("zum", [zu, dem], " "), ("Dom", [dom], ""), (".", [stop], "\n")
    sentence.tokens = [SimpleNamespace(text=text, words=words, spaces_after=after) for text, words, after in tokens]
    document = SimpleNamespace(sentences=[sentence])
    [parse] = synparse.load("chain").parse(document, keep=keep)
    assert (parse.text, parse.surface[0]) == ("zum Dom.", SurfaceToken("zum", 2))
    assert synparse.from_stanza(document)[0].surface == parse.surface


def test_heads_that_are_no_tree_are_told():
    document = SimpleNamespace(sentences=[stanza_sentence(("a", 2, None, None, None), ("b", 1, None, None, None))])
    with pytest.raises(ValueError, match="no word has head 0"):
        synparse.from_stanza(document)


def test_real_stanza_takes_it():
    stanza = pytest.importorskip("stanza", reason="no Stanza here: pip install stanza")
    [parse] = synparse.load("english").parse("the dog ( barks )", tags=True, labels=True)
    document = synparse.to_stanza(parse)
    assert isinstance(document, stanza.Document)
    assert document.sentences[0].text == "the dog ( barks )"
    [back] = synparse.from_stanza(document)
    for field in ("tokens", "tree", "heads", "tags", "is_labelled"):
        assert getattr(back, field) == getattr(parse, field), field


def test_real_stanza_writes_what_the_parse_writes():
    pytest.importorskip("stanza", reason="no Stanza here: pip install stanza")
    [sentence] = synparse.to_stanza(ZUM_DOM).sentences
    assert f"{sentence:C}\n\n".replace("# sent_id = 0\n", "") == ZUM_DOM.to_conllu().serialize()


@pytest.mark.parametrize(
    ("package", "write", "message"),
    [
        ("pandas", synparse.to_frame, "to_frame needs pandas: pip install pandas"),
        ("spacy.tokens", synparse.to_spacy, "to_spacy needs spaCy: pip install 'spacy>=3.7'"),
        ("stanza", synparse.to_stanza, "to_stanza needs Stanza: pip install 'stanza>=1.8'"),
    ],
)
def test_a_package_that_is_missing_is_named_in_one_line(package, write, message, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(DataError, match=f"^{message}$"):
        write([])
