"""Models that know how phrases begin and end, from the text to the trees."""

import shutil

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from synparse.config.recipe import load_recipe
from synparse.corpora.phrase_boundaries import learn_phrase_boundaries
from synparse.parsing import decoding
from synparse.parsing.options import ParserOptions
from synparse.parsing.pack import pack
from synparse.parsing.parser import Parser
from synparse.parsing.scorers import DISTANCES, Scores
from synparse.store.model_directory import load
from synparse.store.models import open_model
from synparse.training.run import resume, train
from synparse.trees.averaging import normalized_scores
from synparse.trees.errors import DataError
from synparse.trees.heads import phrase_heads
from synparse.trees.phrase_boundaries import BoundaryScores, unbroken_phrase_scores
from synparse.trees.punctuation_cues import arc_costs, cues_of
from synparse.trees.span_chart import best_binary_spans
from synparse.trees.spans import sentence_spans
from tests.stopping import stop_when
from tests.trees.binary_trees import boundary_spans
from tests.trees.dependency_trees import is_tree

RECIPES = ("tiny_recipe", "tiny_udgn_recipe", "tiny_on_lstm_recipe", "tiny_ordered_memory_recipe")
CHANGES = ["text.phrase_boundaries=true"]
FILE = "boundaries.safetensors"
ODD = ["the dog sees , the cat .", "", "hello", ". . .", "( a ) b", " ".join(["the dog ,"] * 60)]
MARKED = "the old dog ( a silver cat ) sees , and the cat barks ; it sleeps"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, sample_text):
    path = tmp_path_factory.mktemp("corpus") / "corpus.txt"
    path.write_text("".join(f"{line}\n" for line in sample_text[:200]), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module", params=RECIPES)
def trained(request, corpus, tmp_path_factory):
    directory = tmp_path_factory.mktemp("boundaries") / "model"
    train([corpus], str(request.getfixturevalue(request.param)), directory, changes=CHANGES, device="cpu")
    return folder_of_network(directory)


@pytest.fixture(scope="module")
def udgn(corpus, tiny_udgn_recipe, tmp_path_factory):
    directory = tmp_path_factory.mktemp("udgn") / "model"
    train([corpus], str(tiny_udgn_recipe), directory, changes=CHANGES, device="cpu")
    return folder_of_network(directory)


def folder_of_network(directory):
    """The folder of the one network of a run."""
    [member] = open_model(directory).members.values()
    return member.directory


def load_model(directory):
    [member] = open_model(directory).members.values()
    return load(member)


def test_edges_are_learned_from_the_text(trained, sample_text):
    model = load_model(trained)
    expected = learn_phrase_boundaries(
        [line.split() for line in sample_text[:200]], model.description.recipe.text, model.vocabulary
    )
    for array, other in zip(model.boundaries, expected, strict=True):
        assert (array == other).all()


def test_every_model_with_edges_can_be_decoded_by_them(trained):
    parser = Parser.load(trained, device="cpu")
    gives_distances = DISTANCES in parser.members[0].gives
    assert parser.tree_decoders[0] == ("unbiased" if gives_distances else "boundaries")
    assert "boundaries" in parser.tree_decoders
    model = load_model(trained)
    words = [token for token in MARKED.split() if token.isalnum()]
    cues = cues_of(MARKED.split(), [token.isalnum() for token in MARKED.split()])
    boundaries = model.boundaries.scores(model.vocabulary.indices(words))
    scores = parser.members[0].score([words], True)[0].head_scores
    if not parser.members[0].gives_heads:
        assert scores is None
    for punctuation in ("ignore", "evidence"):
        weighed = Parser.load(trained, device="cpu", punctuation=punctuation)
        [parse] = weighed.parse([MARKED], brackets="boundaries", heads=None)
        with_marks = cues if punctuation == "evidence" else None
        heads = scores if scores is None or with_marks is None else (scores - arc_costs(cues, len(scores)))
        assert sentence_spans(parse.tree, parse.read, whole=True) == set(boundary_spans(boundaries, with_marks, heads))
        assert weighed.parse([MARKED, "", "dog", ", ."], brackets="boundaries", heads=None)[0].tree == parse.tree


def test_heads_are_asked_for_where_brackets_need_them(udgn):
    parser = Parser.load(udgn, device="cpu")
    assert (parser.tree_decoders, parser.head_decoders) == (
        ("boundaries", "projective"),
        ("boundaries", "projective", "mst", "argmax", "phrases"),
    )
    [both] = parser.parse([MARKED])
    [brackets] = parser.parse([MARKED], heads=None)
    [heads] = parser.parse([MARKED], brackets=None)
    assert (both.tree, both.heads) == (brackets.tree, heads.heads)
    assert parser.parse([MARKED], brackets="projective")[0].heads == both.heads


def test_heads_are_of_the_phrases(trained, tiny_udgn):
    parser = Parser.load(trained, device="cpu", punctuation="evidence")
    if not parser.members[0].gives_heads:
        assert parser.head_decoders == ()
        # Nor do its phrases make heads of another model's scores.
        together = Parser.load([trained, tiny_udgn], device="cpu")
        assert "boundaries" not in together.head_decoders
        assert is_tree(together.parse([MARKED], brackets=None)[0].heads)
        return
    for tree_decoder in parser.tree_decoders:
        for sentence, parse in zip(ODD, parser.parse(ODD, brackets=tree_decoder, heads="boundaries"), strict=True):
            assert parse.tokens == tuple(sentence.split())
            assert not parse.heads or is_tree(parse.heads)
    [parse] = parser.parse([MARKED], brackets="boundaries", heads="boundaries")
    for start, end in sentence_spans(parse.tree, parse.read, whole=True):
        words = [position for position, read in enumerate(parse.read, 1) if read][start:end]
        assert sum(parse.heads[word - 1] not in words for word in words) == 1


def test_function_words_as_leaves_change_heads_alone(udgn, sample_text):
    how = [Parser.load(udgn, device="cpu", function_words=convention) for convention in ("free", "leaves")]
    free, leaves = (parser.parse(sample_text[:40], brackets="boundaries", heads="boundaries") for parser in how)
    assert [parse.tree for parse in free] == [parse.tree for parse in leaves]
    assert [parse.heads for parse in free] != [parse.heads for parse in leaves]
    assert all(is_tree(parse.heads) for parse in leaves)


def like_another(member, seed):
    """A member that says other things of the same words."""
    source = np.random.default_rng(seed)

    def score(sentences, with_heads):
        return [
            own_scores._replace(
                boundaries=BoundaryScores(*-source.exponential(1, (2, len(words)))),
                head_scores=source.normal(0, 2, (len(words), len(words))),
            )
            for own_scores, words in zip(member.score(sentences, with_heads), sentences, strict=True)
        ]

    return member._replace(score=score)


def random_distances(seed):
    source = np.random.default_rng(seed)
    return lambda sentences, _: [Scores(source.normal(size=len(words) - 1).tolist()) for words in sentences]


def test_several_models_find_the_phrases_together_that_are_worth_most_to_all(udgn, sample_text):
    [member] = Parser.load(udgn, device="cpu").members
    sentences = [[word for word in line.split() if word.isalpha()] for line in sample_text[:20]]
    words = [[word.lower() for word in sentence] for sentence in sentences]
    both = [member.score(words, True), like_another(member, 1).score(words, True)]
    parses = Parser([member, like_another(member, 1)]).parse(sentences, brackets="boundaries", heads="boundaries")
    turned = Parser([like_another(member, 1), member]).parse(sentences, brackets="boundaries", heads="boundaries")
    for parse, other_way, scores in zip(parses, turned, zip(*both, strict=True), strict=True):
        span_scores = sum(unbroken_phrase_scores(one.boundaries, None, one.head_scores) for one in scores)
        [spans] = best_binary_spans(span_scores[None])
        assert sentence_spans(parse.tree, parse.read, whole=True) == set(spans)
        assert parse.heads == phrase_heads(
            np.mean([normalized_scores(member_scores.head_scores) for member_scores in scores], 0), spans
        )
        assert (parse.tree, parse.heads) == (other_way.tree, other_way.heads)
    alone = Parser([member]).parse(sentences, brackets="boundaries", heads="boundaries")
    assert [parse.tree for parse in parses] != [parse.tree for parse in alone]


def test_phrases_of_several_count_for_each_of_them_among_other_trees(udgn, tiny_on_lstm, sample_text, monkeypatch):
    sentences = [[word for word in line.split() if word.isalpha()] for line in sample_text[:20]]
    distant, member = (Parser.load(path, device="cpu").members[0] for path in (tiny_on_lstm, udgn))
    # Random distances, so that the trees are not alike.
    distant = distant._replace(score=random_distances(2))
    pair, whole = (Parser(models) for models in ([member] * 2, [distant, member, member]))
    phrases, outvoted = (
        [parse.tree for parse in parser.parse(sentences, brackets="boundaries", heads=None)] for parser in (pair, whole)
    )
    assert outvoted == phrases
    # Of equals, the first one has its way.
    assert [
        parse.tree for parse in Parser([distant, member]).parse(sentences, brackets="boundaries", heads=None)
    ] != phrases
    monkeypatch.setattr(decoding, "AT_ONCE", 1)
    assert [parse.tree for parse in pair.parse(sentences, brackets="boundaries", heads=None)] == phrases


def test_several_models_vote_with_trees_by_their_edges(udgn, tiny_on_lstm):
    alone = Parser.load(udgn, device="cpu").parse([MARKED], brackets="boundaries")
    twice = Parser.load([udgn, udgn], device="cpu").parse([MARKED], brackets="boundaries")
    assert [(parse.tree, parse.heads) for parse in twice] == [(parse.tree, parse.heads) for parse in alone]
    together = Parser.load([udgn, tiny_on_lstm], device="cpu")
    assert together.tree_decoders == ("unbiased", "splits", "published", "boundaries", "projective")
    # Each of these is binary, so what they agree on is, too.
    assert together.head_decoders == ("mst", "argmax", "projective", "phrases", "boundaries")
    [parse] = together.parse([MARKED], brackets="boundaries", heads="boundaries")
    assert parse.heads == alone[0].heads  # the other one has none, and no edges
    assert len(sentence_spans(parse.tree, parse.read, whole=True)) == sum(parse.read) - 1


def test_a_run_that_goes_on_has_the_edges_of_one_that_was_not_stopped(udgn, corpus, tiny_udgn_recipe, tmp_path):
    stop = stop_when(lambda event: getattr(event, "step", 0) == 3)
    recipe = load_recipe(str(tiny_udgn_recipe), CHANGES)
    assert train([corpus], recipe, tmp_path / "parts", device="cpu", report=stop).is_resumable
    resume(tmp_path / "parts", device="cpu")
    for file in (FILE, "weights.safetensors"):
        assert (tmp_path / "parts" / "udgn-1" / file).read_bytes() == (udgn / file).read_bytes()


def test_a_model_without_boundaries_takes_the_place_of_one_with_them(udgn, corpus, tiny_udgn_recipe, tmp_path):
    directory = shutil.copytree(udgn, tmp_path / "model")
    train([corpus], load_recipe(str(tiny_udgn_recipe)), directory, device="cpu", force=True)
    assert not list(directory.rglob(FILE))
    assert load_model(directory).boundaries is None
    assert Parser.load(directory, device="cpu").tree_decoders == ("projective",)


def test_packed_they_stay_what_they_are(udgn, tmp_path):
    packing = pack([udgn], [udgn], tmp_path / "small", storage="int8", options=ParserOptions(punctuation="evidence"))
    assert packing.model.parsing.brackets == "boundaries"
    assert (tmp_path / "small" / "udgn-1" / FILE).read_bytes() == (udgn / FILE).read_bytes()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("missing", "has no phrase boundaries"),
        ("short", "does not fit vocabulary.txt"),
        ("other", "does not fit vocabulary.txt"),
        ("nan", "bytes in the wrong order"),
        ("cut", "damaged weights"),
    ],
)
def test_damage_is_told_in_one_line(udgn, tmp_path, damage, message):
    directory = shutil.copytree(udgn, tmp_path / "model")
    path = directory / FILE
    boundaries = load_file(path)
    if damage == "missing":
        path.unlink()
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:50])
    else:
        changed = {
            "short": {name: values[1:] for name, values in boundaries.items()},
            "other": {"starts": boundaries["starts"]},
            "nan": {name: values * np.float32("nan") for name, values in boundaries.items()},
        }[damage]
        save_file(changed, path)
    with pytest.raises(DataError, match=message) as caught:
        load_model(directory)
    assert "\n" not in str(caught.value)
    assert FILE in str(caught.value)
