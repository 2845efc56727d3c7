import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.parsing.decoders import HEAD_DECODERS
from synparse.parsing.parser import Parser
from synparse.store.grammars import find_grammars
from synparse.store.models import open_model
from synparse.trees.errors import SettingError
from synparse.trees.function_words import (
    FUNCTION_WORDS,
    MOST_FREQUENT,
    function_words_of,
    lowered_heights,
    penalized_heads,
    used_as_heads,
)
from synparse.trees.heads import joint_heads
from synparse.trees.projective import projective_heads
from synparse.trees.spanning_tree import maximum_spanning_heads

SENTENCES = st.lists(st.booleans(), min_size=2, max_size=7).flatmap(
    lambda words: st.tuples(st.just(words), st.integers(0, 10**6))
)


def heading(heads, is_function):
    """The function words that have dependents."""
    return [head for head in heads if head and is_function[head - 1]]


@given(SENTENCES)
def test_a_function_word_has_no_dependents_if_another_word_can_be_the_head(sentence):
    is_function, seed = sentence
    random = np.random.default_rng(seed)
    scores = np.log(random.dirichlet(np.ones(len(is_function)), len(is_function)).clip(1e-3))
    for decode in (maximum_spanning_heads, projective_heads):
        heads = decode(penalized_heads(scores, is_function))
        assert bool(heading(heads, is_function)) == all(is_function)
        if all(is_function) or not any(is_function):
            assert heads == decode(scores)


@given(SENTENCES)
def test_with_heights_the_root_is_a_content_word_if_there_is_one(sentence):
    is_function, seed = sentence
    heights = np.random.default_rng(seed).normal(size=len(is_function)).tolist()
    heads = joint_heads([(0, len(heights))], lowered_heights(heights, is_function))
    assert bool(heading(heads, is_function)) == all(is_function)
    low = [height for height, is_low in zip(lowered_heights(heights, is_function), is_function, strict=True) if is_low]
    before = [height for height, is_low in zip(heights, is_function, strict=True) if is_low]
    assert np.argsort(low).tolist() == np.argsort(before).tolist()


def test_the_function_words_of_a_text_are_its_most_frequent_words():
    rest = [f"word{number}" for number in range(MOST_FREQUENT)]
    function_words = function_words_of([*rest, "the", "of", "the", "of"])
    assert function_words == {"the", "of", *rest[: MOST_FREQUENT - 2]}
    assert function_words_of(["the"]) == {"the"}


def test_free_function_words_change_nothing():
    scores = np.zeros((2, 2), np.float32)
    assert penalized_heads(scores, None) is scores
    assert lowered_heights((1.0, 2.0), None) == [1.0, 2.0]
    assert lowered_heights((), []) == []


@pytest.fixture(scope="module")
def frequent(tiny_udgn):
    words = (tiny_udgn / "vocabulary.txt").read_text(encoding="utf-8").split("\n")
    return set(words[4 : 4 + MOST_FREQUENT])


@pytest.mark.parametrize("names", [["tiny_udgn"], ["tiny_model"], ["tiny_udgn", "tiny_model", "chain"]])
def test_a_parser_with_leaves_gives_function_words_content_words_as_heads(names, request, frequent, sample_text):
    models = [name if name == "chain" else request.getfixturevalue(name) for name in names]
    free, leaves = (Parser.load(models, device="cpu", function_words=rule) for rule in ("free", "leaves"))
    assert (free.function_words, leaves.function_words) == ("free", "leaves")
    sentences = [[word for word in line.split() if word.isalpha()] for line in sample_text[:60]]
    sentences = [words for words in sentences if any(word.lower() not in frequent for word in words)]
    for decoder in set(leaves.head_decoders) - {"boundaries"}:
        before = [parse.heads for parse in free.parse(sentences, brackets=None, heads=decoder)]
        after = [parse.heads for parse in leaves.parse(sentences, brackets=None, heads=decoder)]
        counts = [
            sum(
                len(heading(heads, [word.lower() in frequent for word in words]))
                for words, heads in zip(sentences, heads_of_sentences, strict=True)
            )
            for heads_of_sentences in (before, after)
        ]
        # With heights, as with the heads of phrases, a phrase of function words alone has one of them as its head.
        assert counts[1] < counts[0] / 2 if decoder in ("joint", "argmax", "phrases") else counts[1] == 0
    assert set(leaves.head_decoders) <= set(HEAD_DECODERS)


def grammars_of(model):
    [learned] = find_grammars(open_model(model))
    return learned.grammars


def words_that_head(parser, sentences, decoder):
    return {
        words[head - 1]
        for words, parse in zip(sentences, parser.parse(sentences, brackets=None, heads=decoder), strict=True)
        for head in parse.heads
        if head
    }


def test_of_function_words_adpositions_alone_have_dependents(tiny_taught, sample_text):
    known = grammars_of(tiny_taught)
    assert "in" in known.adpositions < known.leaves
    read = ([word.lower() for word in line.split() if word.isalpha()] for line in sample_text[:100])
    sentences = [words for words in read if not known.function_words.issuperset(words)]
    leaves, but_adpositions = (
        Parser.load(tiny_taught, device="cpu", function_words=convention) for convention in ("leaves", "adpositions")
    )
    assert but_adpositions.function_words == "adpositions"
    assert "function words adpositions" in but_adpositions.assumptions
    assert not words_that_head(leaves, sentences, "mst") & known.leaves
    assert "in" in words_that_head(but_adpositions, sentences, "mst") & known.leaves <= known.adpositions


def test_a_phrase_has_the_head_that_the_convention_allows():
    """By grammars, whose dependency model is that of free where adpositions may be heads."""
    sentence = "The boy of the house saw her in the garden .".split()
    heads = {}
    for convention in FUNCTION_WORDS:
        [parse] = Parser.load("english", device="cpu", function_words=convention).parse([sentence], brackets=None)
        heads[convention] = {sentence[n]: sentence[head - 1] for n, head in enumerate(parse.heads) if head}
    assert (heads["leaves"]["of"], heads["leaves"]["house"]) == ("house", "boy")
    for convention in ("free", "adpositions"):
        assert (heads[convention]["of"], heads[convention]["house"]) == ("boy", "of")
        assert heads[convention]["garden"] == "in"


def test_a_word_is_used_as_a_head_where_it_has_dependents_to_expect():
    heads = np.log([[0.9, 0.1, 1e-9], [0.04, 0.9, 0.06], [0.2, 0.05, 0.75]])
    assert used_as_heads(heads).tolist() == [True, False, False]  # 0.24, 0.15 and 0.06 dependents


def test_a_function_word_that_networks_use_as_a_head_may_be_one_where_adpositions_are():
    """Of *to*, which is no adposition by base phrases, the second only."""
    sentence = "We want to go to the market .".split()
    known = Parser.load("english", device="cpu").sets[0].grammars
    assert "to" in known.leaves - known.adpositions
    [parse] = Parser.load("english", device="cpu", function_words="adpositions").parse([sentence], brackets=None)
    assert parse.heads[5:7] == (7, 5)
    assert 3 not in parse.heads


def test_an_adposition_of_grammars_is_one_for_all_models_of_an_ensemble(tiny_grammar, tiny_udgn, frequent):
    adpositions = grammars_of(tiny_grammar).adpositions & frequent
    assert adpositions < frequent
    words = sorted(frequent)
    parser = Parser.load([tiny_grammar, tiny_udgn], device="cpu", function_words="adpositions")
    [scores] = parser.members[1].score([words], True)
    marked = {word for word, is_function in zip(words, scores.is_function, strict=True) if is_function}
    assert marked == frequent - adpositions
    assert parser.sets[0].leaves == grammars_of(tiny_grammar).leaves - grammars_of(tiny_grammar).adpositions


def test_adpositions_need_base_phrases(tiny_udgn, tiny_grammar):
    for model, more in ((tiny_udgn, ()), (tiny_grammar, ("base-phrases",)), (tiny_grammar, ("grammars",))):
        with pytest.raises(SettingError, match=r"--function-words adpositions: .* has no base phrases, .*english"):
            Parser.load(model, device="cpu", function_words="adpositions", without=more)
    assert Parser.load("chain", function_words="adpositions").function_words == "free"


def test_an_unknown_choice_is_an_error(tiny_udgn):
    with pytest.raises(SettingError, match="function_words must be free or leaves or adpositions, not 'both'"):
        Parser.load(tiny_udgn, device="cpu", function_words="both")
