import json
import math
from dataclasses import replace

import numpy as np
import pytest

from synparse.inducers.loading import keep_parser_only
from synparse.parsing.jobs import Writing, parsed_text
from synparse.parsing.options import Request
from synparse.parsing.parser import Parser
from synparse.parsing.relations import relation_finder, strongest_channels
from synparse.parsing.run import parse
from synparse.store.model_directory import Packed
from synparse.trees.conllu import read_conllu
from synparse.trees.errors import SettingError
from tests.untrained import loaded, untrained, write_model

WORDS = "the old dog saw it"


@pytest.fixture(scope="module")
def udgn(tmp_path_factory):
    return untrained(tmp_path_factory.mktemp("udgn") / "model", "udgn", WORDS)


def test_the_channel_is_the_one_that_is_stronger_than_for_other_words():
    # Two channels, three words; word 2 is the head. Channel 1 is strong for both words, channel 2 for the third alone.
    sizes = np.ones((2, 3, 3))
    sizes[0, 1], sizes[1, 1] = [8, 0, 8], [1, 0, 4]
    assert strongest_channels(sizes, (2, 0, 2)) == ["c1:left", "root", "c2:right"]
    # log 8 − log 8 / 2 against log 1 − log 4 / 2, and against log 4 − log 1 / 2
    assert math.log(4) - math.log(1) / 2 > math.log(8) - math.log(8) / 2 > math.log(1) - math.log(4) / 2
    assert strongest_channels(np.array([[[0, 0], [2, 0]], [[0, 0], [3, 0]]]), (2, 0)) == ["c2:left", "root"]
    assert strongest_channels(np.zeros((2, 1, 1)), (0,)) == ["root"]


@pytest.mark.parametrize("layer", [None, 2])
def test_relations_come_from_the_messages_of_a_layer_in_any_batch(udgn, layer):
    import torch

    from synparse.inducers.batch import Batch

    model = loaded(udgn)
    sentences = [WORDS.split(), ["dog", "it"], ["the", "the", "it"]]
    heads = [(3, 3, 4, 0, 4), (2, 0), (0, 3, 1)]
    relation_names = relation_finder("channels", model.network, model.vocabulary, layer)(sentences, heads)
    for words, of_words, names in zip(sentences, heads, relation_names, strict=True):
        batch = Batch(torch.tensor([model.vocabulary.indices(words)]), torch.tensor([len(words)]))
        with torch.inference_mode():
            assert names == strongest_channels(model.network.message_sizes(batch, layer or 1)[0].numpy(), of_words)
    assert relation_finder("channels", model.network, model.vocabulary)([], []) == []


def test_a_message_is_in_the_group_with_the_nearest_mean(udgn):
    model = loaded(udgn)
    sentences, heads = [WORDS.split(), ["it", "saw"]], [(3, 3, 4, 0, 4), (0, 1)]
    relation_names = relation_finder("messages", model.network, model.vocabulary)(sentences, heads)
    assert relation_names == relation_finder("messages", model.network, model.vocabulary)(sentences, heads)
    assert [[name.partition(":")[2] for name in names] for names in relation_names] == [
        ["left", "left", "left", "", "right"], ["", "right"]
    ]  # fmt: skip
    assert {name for names in relation_names for name in names} <= {
        "root", *(f"m{group}:{side}" for group in (1, 2) for side in ("left", "right"))
    }  # fmt: skip
    # It is known from the two words and the side alone.
    again = relation_finder("messages", model.network, model.vocabulary)([["it", "the", "old", "dog"]], [(0, 4, 1, 1)])
    assert again[0][1] == relation_names[0][0]
    assert relation_finder("messages", model.network, model.vocabulary)([["it"]], [(0,)]) == [["root"]]


def test_a_parser_names_relations_of_words_and_not_of_punctuation(udgn):
    parser = Parser.load(udgn, relations="channels", device="cpu")
    parsed, other = parser.parse([["the", "dog", ",", "saw", "it", "!"], ["?"]])
    plain, _ = Parser.load(udgn, device="cpu").parse([["the", "dog", ",", "saw", "it", "!"], ["?"]])
    assert parsed.heads == plain.heads
    assert plain.relations is None
    [model] = parser.members
    words, kept = ["the", "dog", "saw", "it"], {1: 1, 2: 2, 4: 3, 5: 4, 0: 0}
    heads = [kept[head] for head, is_read in zip(parsed.heads, parsed.read, strict=True) if is_read]
    [names] = model.find_relations([words], [heads])
    assert parsed.relations == (*names[:2], "punct", *names[2:], "punct")
    assert [name == "root" for name in parsed.relations] == [not head for head in parsed.heads]
    assert other.relations == ("root",)
    assert parsed.dependencies.relations == parsed.relations
    assert [token["deprel"] for token in parsed.to_conllu()] == list(parsed.relations)


def test_relations_are_written(udgn):
    from synparse.corpora.sentences import Sentence

    parser = Parser.load(udgn, relations="channels", device="cpu")
    [parsed] = parser.parse([WORDS.split()])
    sentences = [Sentence(tuple(WORDS.split()))]
    [written] = read_conllu(
        "".join(parsed_text(parser, sentences, Writing("conllu", Request(None, "mst")))).splitlines(True), ""
    )
    assert written.relations == parsed.relations
    [value] = map(json.loads, parsed_text(parser, sentences, Writing("json", Request(None, "mst"))))
    assert value["relations"] == list(parsed.relations)
    given = read_conllu("".join(written.lines).splitlines(True), "")
    again = [Sentence(sentence.words, conllu=sentence) for sentence in given]
    assert "".join(parsed_text(parser, again, Writing("conllu", Request(None, "mst")))) == "".join(written.lines)


def test_words_between_chunks_of_a_long_sentence_have_no_relation_of_their_own(udgn):
    parser = Parser.load(udgn, relations="channels", device="cpu")
    parser.longest = 3
    [parsed] = parser.parse([WORDS.split()])
    assert parsed.relations.count("root") == parsed.relations.count("dep") == 1


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("udgn", {"relation_layer": 3}, "--relation-layer: there is no layer 3; this model has layers 1 to 2"),
        ("udgn", {"relations": "messages", "relation_layer": 1}, "messages are those of the first layer"),
        ("structformer", {}, "sends no messages along arcs; a udgn does, if it is not packed"),
        ("packed", {}, "sends no messages along arcs; a udgn does, if it is not packed"),
        ("chain", {}, "--relations: chain sends no messages along arcs"),
    ],
)
def test_what_has_no_such_channels_is_told(udgn, tmp_path, kind, options, message):
    model = tmp_path / "model"
    if kind == "packed":
        whole = loaded(udgn)
        keep_parser_only(whole.network)
        write_model(model, replace(whole, description=replace(whole.description, packed=Packed())))
    elif kind != "udgn":
        model = untrained(model, kind, WORDS) if kind != "chain" else kind
    name = udgn if kind == "udgn" else model
    with pytest.raises(SettingError, match=message):
        Parser.load(name, **{"relations": "channels", "device": "cpu", **options})


def test_brackets_have_no_relations(udgn, tmp_path):
    from synparse.parsing.options import ParserOptions

    with pytest.raises(SettingError, match="--relations names arcs, which brackets do not have"):
        parse([str(tmp_path / "text")], [str(udgn)], "brackets", options=ParserOptions(relations="channels"))
    with pytest.raises(SettingError, match="--relation-layer needs --relations channels"):
        ParserOptions(relation_layer=1)
