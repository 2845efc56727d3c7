"""Several models in one parser: constituents averaged, head scores added up."""

import itertools
import shutil

import pytest

from synparse.parsing.parser import Parser
from synparse.trees.averaging import averaged_spans, normalized_scores, vote_scores
from synparse.trees.dependency import is_projective
from synparse.trees.distances import binary_spans
from synparse.trees.errors import SettingError
from synparse.trees.projective import projective_heads
from synparse.trees.spanning_tree import maximum_spanning_heads
from synparse.trees.spans import sentence_spans
from tests.trees.dependency_trees import is_tree

ODD = ["the dog sees the cat .", "", "hello", ". . .", "zyx wvu tsr", "( a ) \u00ad b", " ".join(["the dog ,"] * 40)]


@pytest.fixture(scope="module")
def members(tiny_model, tiny_udgn, tiny_on_lstm):
    return {
        "structformer": Parser.load(tiny_model, device="cpu"),
        "udgn": Parser.load(tiny_udgn, device="cpu"),
        "on-lstm": Parser.load(tiny_on_lstm, device="cpu"),
        "chain": Parser.load("chain"),
    }


@pytest.fixture(scope="module")
def directories(tiny_model, tiny_udgn, tiny_on_lstm):
    return {"structformer": tiny_model, "udgn": tiny_udgn, "on-lstm": tiny_on_lstm, "chain": "chain"}


@pytest.fixture(scope="module")
def together(directories):
    return Parser.load(list(directories.values()), device="cpu")


@pytest.fixture(scope="module")
def sentences(sample_text):
    """Without punctuation, so that trees are over the words that were read."""
    return [[word for word in line.split() if word.isalpha()] for line in sample_text[:40]]


def spans(parse):
    return [(start, end) for _, start, end in parse.tree.constituents]


def test_one_model_in_a_list_is_that_model(tiny_model, members, sample_text):
    assert Parser.load([tiny_model], device="cpu").parse(sample_text[:20]) == members["structformer"].parse(
        sample_text[:20]
    )


@pytest.mark.parametrize("name", ["structformer", "udgn", "on-lstm", "chain"])
def test_three_equal_models_give_the_trees_of_one(name, directories, members, sample_text):
    alone, equals = members[name], Parser.load([directories[name]] * 3, device="cpu")
    for tree_decoder in alone.tree_decoders:
        trees = [parse.tree for parse in equals.parse(sample_text[:40], brackets=tree_decoder, heads=None)]
        assert trees == [parse.tree for parse in alone.parse(sample_text[:40], brackets=tree_decoder, heads=None)]
    assert equals.head_decoders == tuple(decoder for decoder in alone.head_decoders if decoder != "joint")
    for head_decoder in equals.head_decoders:
        heads = [parse.heads for parse in equals.parse(sample_text[:40], brackets=None, heads=head_decoder)]
        assert heads == [parse.heads for parse in alone.parse(sample_text[:40], brackets=None, heads=head_decoder)]


def test_constituents_are_the_average_of_each_models_own(members, together, sentences):
    own = {"structformer": "published", "udgn": "projective", "on-lstm": "published", "chain": "published"}
    of_models = [members[name].parse(sentences, brackets=decoder, heads=None) for name, decoder in own.items()]
    for parses in zip(together.parse(sentences, brackets="published", heads=None), *of_models, strict=True):
        average, *trees = map(spans, parses)
        assert average == binary_spans(averaged_spans(trees), trees)


def test_constituents_that_come_from_heads_alone_are_those_of_some_model(members, directories, sentences):
    both = Parser.load([directories["structformer"], directories["udgn"]], device="cpu")
    of_models = [members[name].parse(sentences, brackets="projective", heads=None) for name in ("structformer", "udgn")]
    for parses in zip(both.parse(sentences, brackets="projective", heads=None), *of_models, strict=True):
        average, *trees = map(spans, parses)
        assert average == averaged_spans(trees)


def test_heads_are_those_of_the_scores_added_up(members, together, sentences):
    matrices = []
    for sentence in sentences:
        words = [word.lower() for word in sentence]
        scores = [members[name].members[0].score([words], True)[0].head_scores for name in ("structformer", "udgn")]
        chain = [*range(2, len(words) + 1), 0]
        matrices.append(sum(map(normalized_scores, scores)) + vote_scores(chain))
    for parse, matrix in zip(together.parse(sentences, brackets=None, heads="mst"), matrices, strict=True):
        assert parse.heads == maximum_spanning_heads(matrix)
    for parse, matrix in zip(together.parse(sentences, brackets=None, heads="projective"), matrices, strict=True):
        assert parse.heads == projective_heads(matrix)


def test_whatever_the_decoders_every_sentence_gets_its_trees(together):
    assert together.tree_decoders == ("unbiased", "splits", "published", "projective")
    assert together.head_decoders == ("mst", "argmax", "projective", "phrases")
    for tree_decoder, head_decoder in itertools.product(together.tree_decoders, together.head_decoders):
        for sentence, parse in zip(ODD, together.parse(ODD, brackets=tree_decoder, heads=head_decoder), strict=True):
            assert parse.tokens == tuple(sentence.split())
            assert len(parse.tree) == len(parse.heads) == len(parse.tokens)
            assert is_tree(parse.heads) or not parse.tokens
            assert head_decoder != "projective" or not parse.tokens or is_projective(parse.heads)
            assert not parse.distances
            assert not parse.heights


def test_models_without_heads_give_brackets_alone(directories):
    parser = Parser.load([directories["on-lstm"]] * 2, device="cpu")
    assert parser.head_decoders == ()
    assert parser.parse(["the dog barks"])[0].heads is None
    with pytest.raises(SettingError, match=r"on-lstm-1 \+ .*on-lstm-1 has no decoder 'mst'"):
        parser.parse(["a"], heads="mst")


def test_models_of_heads_alone_have_projective_trees(directories):
    parser = Parser.load([directories["udgn"]] * 2, device="cpu")
    assert parser.tree_decoders == ("projective",)
    assert parser.head_decoders == ("projective", "mst", "argmax", "phrases")
    with pytest.raises(SettingError, match="possible are projective, mst, argmax"):
        parser.parse(["a"], heads="joint")


def test_a_layer_is_for_models_that_have_layers(directories, sample_text):
    first, second = (
        Parser.load([directories["on-lstm"], "chain", directories["on-lstm"]], device="cpu", layer=layer)
        for layer in (1, 2)
    )
    trees = [[parse.tree for parse in parser.parse(sample_text[:20])] for parser in (first, second)]
    assert trees[0] != trees[1]
    with pytest.raises(SettingError, match="none of these models has layers"):
        Parser.load([directories["structformer"], "chain"], device="cpu", layer=1)
    with pytest.raises(SettingError, match="no layer 4"):
        Parser.load([directories["on-lstm"], "chain"], device="cpu", layer=4)


@pytest.fixture(scope="module")
def reads_punctuation(tiny_model, tmp_path_factory):
    """The tiny model, told that it reads punctuation and case."""
    directory = tmp_path_factory.mktemp("other") / "all-tokens"
    shutil.copytree(tiny_model, directory)
    config = (directory / "config.yaml").read_text(encoding="utf-8")
    for setting, other in [("punctuation: drop", "punctuation: keep"), ("lowercase: true", "lowercase: false")]:
        assert setting in config
        config = config.replace(setting, other)
    (directory / "config.yaml").write_text(config, encoding="utf-8")
    return directory


def test_each_model_sees_words_its_own_way(tiny_model, tmp_path, members, sample_text):
    shutil.copytree(tiny_model, tmp_path / "cased")
    config = (tmp_path / "cased" / "config.yaml").read_text(encoding="utf-8")
    assert "lowercase: true" in config
    config = config.replace("lowercase: true", "lowercase: false")
    (tmp_path / "cased" / "config.yaml").write_text(config, encoding="utf-8")
    shouted = [sentence.upper() for sentence in sample_text[:20]]
    cased = Parser.load(tmp_path / "cased", device="cpu")
    mixed = Parser.load([tmp_path / "cased", tiny_model, tiny_model], device="cpu")
    assert cased.parse(shouted, brackets=None) != members["structformer"].parse(shouted, brackets=None)
    of_majority = [parse.tree for parse in members["structformer"].parse(shouted)]
    assert [parse.tree for parse in mixed.parse(shouted)] == of_majority


def test_models_that_read_other_tokens_are_named(tiny_model, tiny_udgn, reads_punctuation):
    with pytest.raises(SettingError, match="do not read the same tokens") as error:
        Parser.load(["chain", tiny_model, tiny_udgn, reads_punctuation], device="cpu")
    message = str(error.value)
    assert message.startswith(f"{tiny_model} and {reads_punctuation} do")
    assert message.endswith("text.punctuation is drop in one, keep in the other")


def test_trivial_parsers_read_what_the_others_read(reads_punctuation):
    parser = Parser.load(["chain", reads_punctuation], device="cpu")
    [parse] = parser.parse(["the dog , barks ."])
    assert parse.read == (True,) * 5
    assert is_tree(parse.heads)


def test_trivial_parsers_average_too():
    [parse] = Parser.load(["left-branching", "right-branching", "right-branching"]).parse(["a b , c d"])
    [right] = Parser.load("right-branching").parse(["a b , c d"])
    assert (parse.tree, parse.heads) == (right.tree, right.heads)
    [balanced] = Parser.load(["balanced", "left-branching", "right-branching"]).parse(["a b c d"])
    assert spans(balanced) == [(0, 4), (0, 2), (2, 4)]


def test_punctuation_is_evidence_for_each_model_before_they_are_averaged(directories):
    marked = ["the dog , who sees the cat ; barks at ( the old man ) .", "the cat `` sees a dog '' , and barks"]
    names = [directories[name] for name in ("structformer", "udgn", "on-lstm")]
    alone = [Parser.load(name, device="cpu", punctuation="evidence") for name in names]
    parser = Parser.load([*names, "chain"], device="cpu", punctuation="evidence")
    chain = Parser.load("chain", punctuation="evidence")
    for sentence in marked:
        [together], [of_chain] = parser.parse([sentence]), chain.parse([sentence])
        of_models = [
            lone_parser.parse([sentence], brackets=lone_parser.tree_decoders[0], heads=None)[0] for lone_parser in alone
        ]
        # Over the words that were read, as they are averaged: the whole sentence first.
        trees = [sentence_spans(parse.tree, parse.read, whole=True) for parse in [*of_models, of_chain]]
        trees = [sorted(tree, key=lambda span: (span[0], -span[1])) for tree in trees]
        average = binary_spans(averaged_spans(trees), trees)
        together_spans = sentence_spans(together.tree, together.read, whole=True)
        assert len(together_spans) == len(set(average))
        # Where trees agree equally, either may be the average; on another processor models learn other weights.
        assert sum(span in tree for tree in trees for span in together_spans) == sum(
            span in tree for tree in trees for span in set(average)
        )
    three = Parser.load([names[1]] * 3, device="cpu", punctuation="evidence")
    assert [parse.heads for parse in three.parse(marked)] == [parse.heads for parse in alone[1].parse(marked)]


def test_no_model_is_no_parser():
    with pytest.raises(SettingError, match="at least one model"):
        Parser.load([])
