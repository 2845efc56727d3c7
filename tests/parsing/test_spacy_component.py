"""The component of spaCy, in pipelines of spaCy: what it is given and what it writes."""

import pickle

import pytest

import synparse
from synparse.trees.errors import SettingError

spacy = pytest.importorskip("spacy", reason="no spaCy here: pip install spacy")

from synparse.parsing import spacy_component  # noqa: E402 - it imports spaCy

TEXT = "The old man the boats. Mr. Smith slept."


def pipeline(**config):
    nlp = spacy.blank("en")
    nlp.add_pipe("synparse", config={"model": "chain", **config})
    return nlp


def heads(doc):
    return [token.head.i - token.i for token in doc]


def test_it_has_the_trees_of_the_parser():
    nlp = pipeline(model="english")
    doc = nlp(TEXT)
    assert [parse.heads for parse in synparse.from_spacy(doc)] == [
        parse.heads for parse in synparse.load("english").parse(["The old man the boats .", "Mr. Smith slept ."])
    ]
    assert [str(sentence) for sentence in doc.sents] == ["The old man the boats.", "Mr. Smith slept."]
    assert "The old man" in map(str, doc.spans["synparse"])


def test_the_model_is_that_of_the_language():
    nlp = spacy.blank("de")
    assert nlp.add_pipe("synparse").parser.assumptions[0].startswith("german ")
    assert nlp.get_pipe_config("synparse")["model"] is None
    with pytest.raises(SettingError, match=r"no model of Basque is shipped; name a model .* train TEXT --language eu"):
        spacy.blank("eu").add_pipe("synparse")
    assert spacy.blank("eu").add_pipe("synparse", config={"model": "chain"}).parser.name == "chain"


def test_boundaries_of_sentences_that_are_there_stay():
    nlp = pipeline()
    doc = nlp.make_doc("It sat. it slept")
    for token in doc:
        token.is_sent_start = token.i in (0, 2)
    assert [str(sentence) for sentence in nlp(doc).sents] == ["It sat", ". it slept"]
    assert [str(sentence) for sentence in nlp(doc).sents] == ["It sat", ". it slept"]
    assert heads(doc) == [1, 0, 2, 1, 0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  ", [0]),
        ("a  b", [2, -1, 0]),
        ("\n ab  cd.", [1, 2, -1, 0, -1]),
        ("ab cd. \n\n", [1, 0, -1, 0]),
    ],
)
def test_blanks_depend_on_the_token_before_or_begin_a_sentence(text, expected):
    doc = pipeline()(text)
    assert heads(doc) == expected
    assert [token.dep_ == "ROOT" for token in doc] == [head == 0 for head in expected]


def test_a_stream_is_the_same_in_batches():
    nlp = pipeline(model="right-branching")
    texts = [TEXT, "", "Hello", "  ", "It sat."] * 3
    docs = [nlp(text) for text in texts]
    for size in (1, 2, 100):
        assert list(map(heads, nlp.pipe(texts, batch_size=size))) == list(map(heads, docs))


def test_probabilities_are_attributes_that_are_saved_with_the_doc():
    nlp = pipeline(model="english", confidence="fitted", tags=True)
    doc = nlp("The dog barks.")
    [parse] = synparse.load("english").parse("The dog barks .", confidence="fitted", tags=True)
    copy = spacy.tokens.Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert tuple(token._.head_probability for token in copy) == parse.head_probabilities
    assert tuple(span._.probability for span in copy.spans["synparse"]) == parse.span_probabilities
    assert tuple(token.tag_ for token in copy) == parse.tags


def test_only_brackets_leave_the_heads_of_others():
    nlp = pipeline()
    nlp.add_pipe("synparse", name="brackets", config={"model": "left-branching", "heads": None})
    doc = nlp("a b c")
    assert heads(doc) == [1, 1, 0]
    assert list(map(str, doc.spans["synparse"])) == ["a b c", "a b"]


def test_a_saved_pipeline_has_its_settings(tmp_path):
    settings = {"model": ["right-branching", "chain"], "brackets": None, "options": {"punctuation": "evidence"}}
    nlp = pipeline(**settings)
    nlp.to_disk(tmp_path)
    again = spacy.load(tmp_path)
    config = again.config["components"]["synparse"]
    assert {name: config[name] for name in settings} == settings
    assert heads(again(TEXT)) == heads(nlp(TEXT))


def test_it_can_be_sent_to_other_processes():
    component = pipeline(heads=None).get_pipe("synparse")
    again = pickle.loads(pickle.dumps(component))
    assert again.request == component.request
    assert again.parser.name == "chain"


def test_the_entry_point_leads_to_the_component():
    from importlib.metadata import entry_points

    [entry] = entry_points(group="spacy_factories", name="synparse")
    assert entry.load() is spacy_component.create


@pytest.mark.parametrize(
    ("config", "error", "message"),
    [
        ({"confidence": "fit"}, ValueError, "confidence"),
        ({"best": 2}, ValueError, "unexpected argument: 'best'"),
        ({"options": {"punctuatio": "evidence"}}, SettingError, "unknown setting punctuatio; did you mean punctuation"),
        ({"tags": True}, SettingError, "chain has no word classes"),
    ],
)
def test_settings_that_cannot_be_are_told(config, error, message):
    with pytest.raises(error, match=message):
        pipeline(**config)
