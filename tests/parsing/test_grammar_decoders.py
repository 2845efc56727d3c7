"""Decoders that read grammars: against all trees of short sentences, alone, in ensembles and beside other models."""

import itertools
import shutil
from dataclasses import replace

import nltk
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from synparse.corpora.fixed_expressions import NONE
from synparse.corpora.normalization import normalize
from synparse.inducers.class_tagger import class_probabilities
from synparse.parsing import score_sums
from synparse.parsing.grammars import LONGEST, grammar_scores
from synparse.parsing.options import Request
from synparse.parsing.parser import Parser
from synparse.training.run import train
from synparse.trees.averaging import averaged_spans, normalized_scores
from synparse.trees.distances import binary_spans, unbiased_spans
from synparse.trees.errors import DataError, SettingError
from synparse.trees.heads import phrase_heads
from synparse.trees.span_chart import best_trees
from synparse.trees.span_probabilities import unbiased_span_probabilities
from tests.conftest import GRAMMARS
from tests.trees.binary_trees import all_binary
from tests.trees.dependency_trees import is_tree

GRAMMAR = "grammars-1/grammar.safetensors"

SENTENCES = [line.split() for line in ("the old dog sees the cat", "a cat barks", "dog cat", "the dog", "apple")]
ODD = ["the dog sees , the cat .", "", "hello", ". . .", "( a ) b"]


@pytest.fixture(scope="module")
def other(tmp_path_factory, tiny_taught, sample_text):
    """Other grammars, taught by the same network."""
    folder = tmp_path_factory.mktemp("other")
    (folder / "corpus.txt").write_text("\n".join(sample_text[200:]), encoding="utf-8")
    changes = [*GRAMMARS, "grammar.classes=9"]
    corpus = [str(folder / "corpus.txt")]
    train(corpus, "grammar", folder / "model", changes=changes, teachers=[str(tiny_taught)], seed=2)
    return folder / "model"


def scores_of(parser, sentence, number=0):
    """What the grammars of one directory say of a sentence: its evidence, and the scores."""
    grammar_set = parser.sets[number]
    alone = Parser([parser.members[index] for index in grammar_set.members], parser.punctuation)
    [(evidence, _)] = alone.grammar_inputs([tuple(sentence)], grammar_set.grammars)
    if grammar_set.leaves is not None:
        text = parser.members[grammar_set.members[0]].text
        words = [word for word in (normalize(token, text) for token in sentence) if word is not None]
        evidence = evidence._replace(is_function=[word in grammar_set.leaves for word in words])
    return evidence, grammar_scores(grammar_set.grammars, [evidence], grammar_set.convention)[0]


def spans_of(parse):
    return [span[1:] for span in parse.tree.constituents if span.end - span.start > 1]


def test_decoders_are_offered_by_what_the_directory_holds(tiny_taught, tiny_grammar, tiny_udgn, tmp_path):
    taught, alone = Parser.load(tiny_taught), Parser.load(tiny_grammar)
    assert taught.tree_decoders == ("grammar", "boundaries", "projective")
    assert taught.head_decoders[0] == "grammar"
    assert {"mst", "argmax", "projective", "boundaries"} <= set(taught.head_decoders)
    assert alone.tree_decoders == ("grammar", "boundaries")
    assert alone.head_decoders == ("grammar",)
    assert "grammar" not in Parser.load(tiny_udgn).tree_decoders
    dbm = shutil.copytree(tiny_taught, tmp_path / "dbm")
    arrays = load_file(dbm / GRAMMAR)
    save_file({name: array for name, array in arrays.items() if "grammar" not in name}, dbm / GRAMMAR)
    assert Parser.load(dbm).tree_decoders == ("grammar", "boundaries", "projective")
    assert Parser.load(dbm).head_decoders[0] == "grammar"
    classes = shutil.copytree(tiny_taught, tmp_path / "classes")
    save_file({}, classes / GRAMMAR)
    before = Parser.load(classes)
    assert before.tree_decoders == ("boundaries", "projective")
    assert Parser.load(classes / "udgn-1").parse(ODD) == before.parse(ODD)


@pytest.mark.parametrize("name", ["tiny_taught", "tiny_grammar"])
@pytest.mark.parametrize("function_words", ["free", "leaves"])
@pytest.mark.parametrize("has_class_grammars", [True, False])
def test_trees_are_the_best_of_all_by_their_scores(request, name, function_words, has_class_grammars):
    parser = Parser.load(request.getfixturevalue(name), function_words=function_words)
    if not has_class_grammars:
        [whole] = parser.sets
        parser.sets = (whole._replace(grammars=replace(whole.grammars, constituents=None)),)
    for sentence in SENTENCES:
        T = len(sentence)
        evidence, scores = scores_of(parser, sentence)
        [parse] = parser.parse([sentence], brackets="grammar", heads="grammar")
        if T > 1:
            best = max(all_binary(0, T), key=lambda tree, s=scores.spans: sum(s[span] for span in tree))
            assert spans_of(parse) == list(best)
        # Heads do not depend on the brackets that are asked for.
        [phrases] = best_trees([scores.spans])
        heads = scores.heads
        if evidence.is_function is not None and not all(evidence.is_function):
            heads = heads - 1e4 * np.array(evidence.is_function)
        assert parse.heads == phrase_heads(heads, phrases, with_prior=False)


def test_several_directories_add_up(tiny_taught, other):
    together = Parser.load([tiny_taught, other])
    assert together.tree_decoders[0] == "grammar"
    for sentence in SENTENCES:
        scores = [scores_of(together, sentence, number)[1] for number in (0, 1)]
        [parse] = together.parse([sentence])
        [phrases] = best_trees([scores[0].spans + scores[1].spans])
        assert spans_of(parse) == [span for span in phrases if span[1] - span[0] > 1]
        assert parse.heads == phrase_heads((scores[0].heads + scores[1].heads) / 2, phrases, with_prior=False)


@pytest.mark.parametrize("knows", [0, 1])
def test_fixed_expressions_are_those_that_any_set_of_grammars_knows(tiny_taught, other, knows):
    parser = Parser.load([tiny_taught, other], function_words="leaves")

    def knowing(learned, with_firsts):
        numbers = {member.type: number for number, member in enumerate(learned.grammars.classes.members)}
        firsts = np.full(len(numbers), NONE)
        if with_firsts:
            firsts[numbers["the"]] = numbers["a"]
        grammars = replace(learned.grammars, firsts=firsts, tagger=None)
        return learned._replace(grammars=grammars, leaves={"a", "the"})

    for known_by in knows, None:
        sets = [knowing(learned, number == known_by) for number, learned in enumerate(parser.sets)]
        knower = Parser(parser.members, parser.punctuation, sets=sets)
        [parse] = knower.parse([["cat", "a", "the", "dog"]], confidence="raw", distributions=True)
        assert is_tree(parse.heads)
        # Each word has the probability of the head that it has.
        arcs = [row[head] for row, head in zip(parse.head_distributions, parse.heads, strict=True)]
        assert parse.head_probabilities == pytest.approx(arcs)
        assert (parse.heads[2] == 2) == (known_by is not None)


@pytest.mark.parametrize("other", ["tiny_model", "tiny_student"])
def test_probabilities_of_splits_add_up_with_those_of_grammars(tiny_taught, other, request):
    together = Parser.load([tiny_taught, request.getfixturevalue(other)], device="cpu")
    for sentence in SENTENCES:
        _, scores = scores_of(together, sentence)
        [network] = together.members[1].score([sentence], True)
        summed = scores.spans + unbiased_span_probabilities(network.distances)
        heads = scores.heads + normalized_scores(network.head_scores)
        for tree_decoder in ("grammar", "splits"):
            [parse] = together.parse([sentence], brackets=tree_decoder, confidence="raw")
            if len(sentence) > 1:
                best = max(all_binary(0, len(sentence)), key=lambda tree, s=summed: sum(s[span] for span in tree))
                assert spans_of(parse) == list(best)
                assert parse.span_probabilities == pytest.approx([1.0, *(summed[span] / 2 for span in best[1:])])
            assert parse.heads == phrase_heads(heads / 2, [span[1:] for span in parse.tree.constituents], False)
            # Heads do not depend on the brackets that are asked for.
            for brackets in (None, "boundaries", "unbiased"):
                assert together.parse([sentence], brackets=brackets, heads="grammar")[0].heads == parse.heads


def test_a_model_without_heads_adds_its_splits_to_brackets_alone(tiny_taught, tiny_on_lstm):
    together = Parser.load([tiny_taught, tiny_on_lstm], device="cpu")
    for sentence in SENTENCES:
        _, scores = scores_of(together, sentence)
        [network] = together.members[1].score([sentence], False)
        [phrases] = best_trees([scores.spans + unbiased_span_probabilities(network.distances)])
        [parse] = together.parse([sentence])
        assert [span[1:] for span in parse.tree.constituents] == phrases
        assert parse.heads == Parser.load(tiny_taught).parse([sentence])[0].heads


def test_other_trees_vote_beside_grammars(tiny_taught, tiny_model):
    together = Parser.load([tiny_taught, tiny_model], device="cpu")
    for sentence in SENTENCES:
        _, scores = scores_of(together, sentence)
        [network] = together.members[1].score([sentence], True)
        trees = [unbiased_spans(network.distances), *best_trees([scores.spans])]
        [parse] = together.parse([sentence], brackets="unbiased")
        expected = binary_spans(averaged_spans(trees), trees)
        assert spans_of(parse) == [span for span in expected if span[1] - span[0] > 1]


def test_a_baseline_votes_beside_grammars(tiny_grammar):
    together = Parser.load([tiny_grammar, "right-branching"])
    for sentence, parse in zip(SENTENCES, together.parse(SENTENCES), strict=True):
        assert is_tree(parse.heads)
        # By its tree: its distances say nothing of probabilities.
        right = [(start, len(sentence)) for start in range(max(1, len(sentence) - 1))]
        trees = [right, *best_trees([scores_of(together, sentence)[1].spans])]
        expected = binary_spans(averaged_spans(trees), trees)
        assert spans_of(parse) == [span for span in expected if span[1] - span[0] > 1]


@pytest.mark.parametrize("name", ["tiny_taught", "tiny_grammar"])
@pytest.mark.parametrize("punctuation", ["ignore", "evidence"])
def test_whatever_the_decoders_every_sentence_gets_its_trees(request, name, punctuation):
    parser = Parser.load(request.getfixturevalue(name), punctuation=punctuation)
    for chosen in itertools.product(parser.tree_decoders, parser.head_decoders):
        plain = parser.parse(ODD, Request(*chosen))
        for parse, labelled in zip(plain, parser.parse(ODD, Request(*chosen), labels=True), strict=True):
            assert len(parse.tree) == len(parse.heads) == len(parse.tokens)
            assert is_tree(parse.heads) or not parse.tokens
            assert labelled.heads == parse.heads
            assert spans_of(labelled) == spans_of(parse)


def test_tags_are_classes_in_context(tiny_grammar, tiny_taught, sample_text):
    for parser in map(Parser.load, (tiny_grammar, tiny_taught)):
        grammars, (member, *_) = parser.sets[0][:2]
        size, text = grammars.classes.size, parser.members[member].text
        in_context = alone = 0
        for line, parse in zip(
            sample_text, parser.parse(map(str.split, sample_text), brackets=None, heads=None, tags=True), strict=True
        ):
            forms = [normalize(token, text) for token in line.split()]
            words = [form for form in forms if form is not None]
            numbers = np.array(grammars.classes.numbers_of(words), int)
            following = iter(class_probabilities(grammars.tagger, [numbers])[0][:, 0])
            expected = [size - 1 if form is None else next(following) for form in forms]
            assert parse.tags == tuple("PUNCT" if c == size - 1 else f"C{c + 1}" for c in expected)
            in_context += expected != grammars.classes.of(forms)
            alone += expected == grammars.classes.of(forms)
        assert min(in_context, alone) > 0


def test_a_directory_without_classes_in_context_and_base_phrases_parses(tiny_taught, tmp_path):
    old = shutil.copytree(tiny_taught, tmp_path / "old")
    arrays = load_file(old / GRAMMAR)
    kept = {name: array for name, array in arrays.items() if not name.startswith(("context", "phrases"))}
    assert len(arrays) == len(kept) + 6
    save_file(kept, old / GRAMMAR)
    settings = (old / "config.yaml").read_text().splitlines(keepends=True)
    new = ("context_", "phrase_passes", "branching")
    (old / "config.yaml").write_text("".join(line for line in settings if not line.strip().startswith(new)))
    parser = Parser.load(old, punctuation="evidence")
    classes = parser.sets[0].grammars.classes
    for sentence, parse in zip(SENTENCES, parser.parse(SENTENCES, tags=True), strict=True):
        assert is_tree(parse.heads)
        assert parse.tags == tuple(f"C{number + 1}" for number in classes.of(sentence))


def test_what_grammars_are_not_asked_is_not_computed(tiny_taught, monkeypatch):
    def refuse(*_):
        raise AssertionError

    parser = Parser.load(tiny_taught)
    expected = parser.parse(SENTENCES, brackets="boundaries", heads="mst")
    monkeypatch.setattr(score_sums, "classes_in_context", refuse)
    monkeypatch.setattr(score_sums, "base_phrases_of", refuse)
    assert parser.parse(SENTENCES, brackets="boundaries", heads="mst") == expected
    with pytest.raises(AssertionError):
        parser.parse(SENTENCES)


def test_flat_base_phrases_have_no_constituents_inside():
    parser = Parser.load("english", device="cpu")
    sentence = "The old black dog saw my second car ."
    wished = {"labels": True, "confidence": "raw", "best": 9}
    [binary], [flat] = parser.parse(sentence, **wished), parser.parse(sentence, flat=True, **wished)
    assert [span for span in spans_of(flat) if span[1] <= 4] == [(0, 4)]
    assert {(0, 9), (0, 4), (5, 8)} <= set(spans_of(flat)) < set(spans_of(binary))
    in_binary = dict(zip(binary.tree.constituents, binary.span_probabilities, strict=True))
    assert all(
        in_binary[constituent] == probability
        for constituent, probability in zip(flat.tree.constituents, flat.span_probabilities, strict=True)
    )
    assert flat.heads == binary.heads
    assert spans_of(flat.best[0]) == spans_of(flat)
    # What differs inside of base phrases is one tree: the next ones that differ are there as well.
    [every] = parser.parse(sentence, brackets="grammar", best=100)
    assert len({ranked.tree for ranked in flat.best}) == len(flat.best) == 9
    assert {ranked.score for ranked in flat.best} <= {ranked.score for ranked in every.best}
    [few] = parser.parse("The old black dog", flat=True, best=9)
    assert len({ranked.tree for ranked in few.best}) == len(few.best) < 5  # of five binary trees


def test_base_phrases_are_flat_in_the_trees_of_all_decoders():
    parser = Parser.load("english", device="cpu")
    sentence = "The old black dog saw my second car ."
    [binary], [flat] = (parser.parse(sentence, Request("unbiased", None, flat=is_flat)) for is_flat in (False, True))
    assert [span for span in spans_of(binary) if span[1] <= 4] != [(0, 4)]
    assert [span for span in spans_of(flat) if span[1] <= 4] == [(0, 4)]


def test_flat_trees_have_no_constituent_that_begins_or_ends_with_a_conjunction():
    parser = Parser.load("english", device="cpu")
    for words in (
        "The cat and the dog saw cats or dogs .".split(),
        "And my brother laughed and said nothing .".split(),
    ):
        [binary], [flat] = parser.parse([words]), parser.parse([words], flat=True)
        edges = {"and", "or"} & {
            word.lower() for start, end in spans_of(binary)[1:] for word in (words[start], words[end - 1])
        }
        assert edges  # of binary trees, there must be some
        inner = [(words[start].lower(), words[end - 1]) for start, end in spans_of(flat) if end - start < len(words)]
        assert not {"and", "or"} & {word for pair in inner for word in pair}
        assert flat.tree.constituents[0][1:] == (0, len(words))
        assert flat.heads == binary.heads


def test_what_is_kept_of_a_flat_base_phrase_stays():
    parser = Parser.load("english", device="cpu")
    tree = nltk.Tree.fromstring("(S (NP The (X old black) dog) saw me)")
    [flat] = parser.parse([tree], Request(heads=None, keep=("brackets",), flat=True))
    assert {(0, 4), (1, 3)} <= set(spans_of(flat))
    [flat] = parser.parse(
        [nltk.Tree.fromstring("(S cats (X and dogs) slept)")], Request(heads=None, keep=("brackets",), flat=True)
    )
    assert (1, 3) in spans_of(flat)


def test_without_base_phrases_none_are_flat(tiny_udgn):
    with pytest.raises(SettingError, match="has no base phrases"):
        Parser.load(tiny_udgn).parse(SENTENCES, flat=True)


def test_a_long_sentence_comes_in_chunks(tiny_grammar):
    words = list(itertools.islice(itertools.cycle(SENTENCES[0]), LONGEST + 30))
    parser = Parser.load(tiny_grammar)
    [whole] = parser.parse([words], tags=True)
    assert is_tree(whole.heads)
    assert {(0, LONGEST + 30), (0, LONGEST), (LONGEST, LONGEST + 30)} <= set(spans_of(whole))
    first, rest = parser.parse([words[:LONGEST], words[LONGEST:]], tags=True)
    assert whole.heads[:LONGEST] == first.heads
    assert whole.tags == first.tags + rest.tags


def test_grammars_of_another_model_make_trees_or_are_told(tiny_taught, tiny_grammar, other, tmp_path):
    for number, source in enumerate((tiny_grammar, other)):
        for name in ("classes.tsv", "grammar.safetensors"):
            directory = shutil.copytree(tiny_taught, tmp_path / f"{number}-{name}")
            shutil.copy(source / "grammars-1" / name, directory / "grammars-1" / name)
            if source == other:  # it has nine classes, not twelve
                with pytest.raises(DataError, match=r"does not fit classes\.tsv and config\.yaml"):
                    Parser.load(directory)
            else:
                assert all(is_tree(parse.heads) for parse in Parser.load(directory).parse(SENTENCES))
