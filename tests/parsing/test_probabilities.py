"""Probabilities of arcs and spans, and the best trees: against all trees of short sentences."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from synparse.parsing.grammars import arc_posteriors, span_scores
from synparse.parsing.options import Request
from synparse.parsing.parser import Parser
from synparse.parsing.run import parse as run
from synparse.trees.averaging import normalized_scores
from synparse.trees.errors import SettingError
from synparse.trees.head_probabilities import phrase_head_probabilities
from synparse.trees.heads import phrase_heads
from synparse.trees.phrase_boundaries import unbroken_phrase_scores
from synparse.trees.span_chart import best_trees
from synparse.trees.span_probabilities import published_span_probabilities, unbiased_span_probabilities
from tests.parsing.test_grammar_decoders import scores_of
from tests.trees.binary_trees import all_binary

SENTENCES = [line.split() for line in ("the old dog sees the cat", "a cat barks", "dog cat")]


def raw(parser, sentence, *decoders):
    [parse] = parser.parse([sentence], Request(*decoders), confidence="raw")
    assert len(parse.span_probabilities) == len(parse.tree.constituents)
    assert parse.span_probabilities[0] == 1.0
    return parse, dict(zip([span[1:] for span in parse.tree.constituents], parse.span_probabilities, strict=True))


def crf(scores, T):
    """The probability of each span, by the weights of all trees."""
    trees = all_binary(0, T)
    weights = np.exp([sum(scores[span] for span in tree) for tree in trees])
    return lambda span: sum(weights[number] for number, tree in enumerate(trees) if span in tree) / weights.sum()


def test_spans_have_the_posterior_of_the_class_grammars(tiny_taught, tiny_grammar):
    for parser in (Parser.load(tiny_taught), Parser.load(tiny_grammar)):
        for sentence in SENTENCES:
            _, scores = scores_of(parser, sentence)
            _, probabilities = raw(parser, sentence, "grammar")
            assert probabilities == pytest.approx({span: scores.spans[span] for span in probabilities})


def test_span_scores_are_those_of_a_crf_over_all_trees(tiny_taught, tiny_grammar):
    parser = Parser.load(tiny_taught)
    [whole] = parser.sets
    grammars = replace(whole.grammars, constituents=None)
    parser.sets = (whole._replace(grammars=grammars),)
    for sentence in SENTENCES:
        evidence, _ = scores_of(parser, sentence)
        model = grammars.dependencies["leaves" if evidence.is_function else "free"]
        [arcs] = arc_posteriors(model, [evidence])
        expected = crf(span_scores(evidence, arcs), len(sentence))
        _, probabilities = raw(parser, sentence, "grammar")
        assert probabilities == pytest.approx({span: expected(span) for span in probabilities})
    for models in ([tiny_grammar], [tiny_taught, tiny_grammar]):
        parser = Parser.load(models)
        for sentence in SENTENCES:
            scored = [member.score([sentence], True)[0] for member in parser.members]
            expected = crf(
                np.mean([unbroken_phrase_scores(scores.boundaries, None, scores.head_scores) for scores in scored], 0),
                len(sentence),
            )
            _, probabilities = raw(parser, sentence, "boundaries")
            assert probabilities == pytest.approx({span: expected(span) for span in probabilities}, abs=1e-6)


def test_distances_split_by_their_softmax(tiny_model, tiny_on_lstm):
    for model in (tiny_model, tiny_on_lstm):
        parser = Parser.load(model, device="cpu")
        for sentence in SENTENCES:
            [scores] = parser.members[0].score([sentence], False)
            for decoder, chart in (
                ("unbiased", unbiased_span_probabilities(scores.distances)),
                ("published", published_span_probabilities(scores.distances, scores.first_distance)),
            ):
                _, probabilities = raw(parser, sentence, decoder, None)
                assert probabilities == pytest.approx({span: chart[span] for span in probabilities})


def test_several_models_have_the_mean_of_their_probabilities(tiny_model, tiny_taught):
    together = Parser.load([tiny_model, tiny_taught, "balanced"], device="cpu")
    alone = [Parser.load(model, device="cpu") for model in (tiny_model, tiny_taught)]
    for sentence in SENTENCES:
        [scores] = alone[0].members[0].score([sentence], False)
        of_first = unbiased_span_probabilities(scores.distances)
        [scores] = alone[1].members[0].score([sentence], True)
        of_second = crf(unbroken_phrase_scores(scores.boundaries, None, scores.head_scores), len(sentence))
        balanced = Parser.load("balanced").parse([sentence])[0].tree.constituents
        of_third = {span[1:] for span in balanced}
        _, probabilities = raw(together, sentence, "boundaries")
        assert probabilities == pytest.approx(
            {span: (of_first[span] + of_second(span) + (span in of_third)) / 3 for span in probabilities}, abs=1e-6
        )


def arcs_of(probabilities, heads):
    return [probabilities[word, head - 1 if head else word] for word, head in enumerate(heads)]


def test_arcs_have_the_softmax_of_the_mean_head_scores(tiny_taught, tiny_model):
    parser = Parser.load([tiny_taught, tiny_model], device="cpu")
    for sentence in SENTENCES:
        logs = [normalized_scores(member.score([sentence], True)[0].head_scores) for member in parser.members]
        expected = np.exp(normalized_scores(sum(logs) / 2))
        for decoder in ("mst", "projective"):
            parse, _ = raw(parser, sentence, "boundaries", decoder)
            assert parse.head_probabilities == pytest.approx(arcs_of(expected, parse.heads), abs=1e-5)


def test_arcs_of_grammars(tiny_taught):
    parser = Parser.load(tiny_taught)
    for sentence in SENTENCES:
        _, scores = scores_of(parser, sentence)
        parse, _ = raw(parser, sentence, "grammar", "grammar")
        [phrases] = best_trees([scores.spans])
        expected = phrase_head_probabilities(scores.heads, phrases, with_prior=False)
        assert parse.head_probabilities == pytest.approx(arcs_of(expected, parse.heads))
        parse, _ = raw(parser, sentence, "grammar", "boundaries")
        [of_model] = parser.members[0].score([sentence], True)
        [phrases] = best_trees([unbroken_phrase_scores(of_model.boundaries, None, of_model.head_scores)])
        expected = phrase_head_probabilities(of_model.head_scores, phrases)
        assert parse.head_probabilities == pytest.approx(arcs_of(expected, parse.heads), abs=1e-5)


def test_punctuation_and_the_seams_of_long_sentences_have_none(tiny_taught):
    parser = Parser.load(tiny_taught)
    [parse] = parser.parse(["the dog , however , barks ."], confidence="raw")
    assert [value is None for value in parse.head_probabilities] == [not is_read for is_read in parse.read]
    [nothing, marks, word] = parser.parse(["", ". . .", "dog"], confidence="raw")
    assert (nothing.span_probabilities, nothing.head_probabilities) == (None, None)
    assert (marks.span_probabilities, marks.head_probabilities) == ((1.0,), (None, None, None))
    assert (word.span_probabilities, word.head_probabilities) == ((1.0,), (pytest.approx(1.0),))
    parser.longest = 3
    [parse] = parser.parse(["the old dog sees the cat"], confidence="raw", best=2)
    whole, *rest = zip(parse.tree.constituents, parse.span_probabilities, strict=True)
    assert whole[1] == 1.0
    assert [value is None for (_, start, end), value in rest] == [end - start == 3 for (_, start, end), _ in rest]
    joined = [word for word, value in enumerate(parse.head_probabilities) if value is None]
    assert len(joined) == 1
    assert parse.heads[joined[0]] == parse.heads.index(0) + 1
    assert parse.best == ()


def test_probabilities_change_no_tree(tiny_taught, tiny_model):
    for model in (tiny_taught, tiny_model):
        parser = Parser.load(model, device="cpu")
        for plain, asked in zip(parser.parse(SENTENCES), parser.parse(SENTENCES, confidence="raw"), strict=True):
            assert (plain.tree, plain.heads) == (asked.tree, asked.heads)
            assert plain.span_probabilities is plain.head_probabilities is plain.best is None


def test_the_best_trees_are_the_best_of_all_with_the_heads_of_their_phrases(tiny_taught):
    parser = Parser.load(tiny_taught)
    for sentence in SENTENCES:
        _, scores = scores_of(parser, sentence)
        [parse] = parser.parse([sentence], brackets="grammar", heads="grammar", best=5)
        every = sorted(
            ((sum(scores.spans[span] for span in tree), tree) for tree in all_binary(0, len(sentence))), reverse=True
        )
        assert [ranked.score for ranked in parse.best] == pytest.approx([score for score, _ in every[:5]])
        for ranked, (_, tree) in zip(parse.best, every, strict=False):
            assert tuple(span[1:] for span in ranked.tree.constituents) == tree
            assert ranked.heads == phrase_heads(scores.heads, tree, False)
        assert parse.best[0].tree == parse.tree


def test_several_models_share_the_best_trees(tiny_taught, tiny_grammar, tiny_udgn):
    parser = Parser.load([tiny_taught, tiny_grammar])
    [parse] = parser.parse(["the old dog sees the cat"], brackets="boundaries", heads="boundaries", best=100)
    assert len({ranked.tree for ranked in parse.best}) == len(parse.best) == 42
    assert (parse.best[0].tree, parse.best[0].heads) == (parse.tree, parse.heads)
    scores = [ranked.score for ranked in parse.best]
    assert scores == sorted(scores, reverse=True)
    with pytest.raises(SettingError, match=r"needs one of the decoders grammar, splits, b.*grammar, projective"):
        Parser.load([tiny_taught, tiny_udgn]).parse(["a b"], brackets="grammar", best=2)


def test_splits_and_phrases_have_probabilities_and_several_trees(tiny_student):
    parser = Parser.load(tiny_student, device="cpu")
    for sentence in SENTENCES:
        [scores] = parser.members[0].score([sentence], True)
        chart = unbiased_span_probabilities(scores.distances)
        parse, probabilities = raw(parser, sentence, "splits")
        assert probabilities == pytest.approx({span: chart[span] for span in probabilities})
        expected = phrase_head_probabilities(scores.head_scores, list(probabilities), with_prior=False)
        assert parse.head_probabilities == pytest.approx(arcs_of(expected, parse.heads), abs=1e-6)
        [alone] = parser.parse([sentence], brackets=None, heads="phrases", confidence="raw")
        assert (alone.tree, alone.span_probabilities) == (None, None)
        [parse] = parser.parse([sentence], brackets="splits", best=5)
        every = sorted((sum(chart[span] for span in tree) for tree in all_binary(0, len(sentence))), reverse=True)
        assert [ranked.score for ranked in parse.best] == pytest.approx(every[:5])
        assert (parse.best[0].tree, parse.best[0].heads) == (parse.tree, parse.heads)
        for ranked in parse.best:
            spans = [span[1:] for span in ranked.tree.constituents]
            assert ranked.heads == phrase_heads(scores.head_scores, spans, with_prior=False)
    with pytest.raises(SettingError, match="here brackets come from unbiased"):
        parser.parse(SENTENCES, best=2)


def test_grammars_and_splits_share_the_best_trees(tiny_taught, tiny_student):
    parser = Parser.load([tiny_taught, tiny_student], device="cpu")
    for sentence in SENTENCES:
        [scores] = parser.members[1].score([sentence], False)
        chart = scores_of(parser, sentence)[1].spans + unbiased_span_probabilities(scores.distances)
        every = sorted((sum(chart[span] for span in tree) for tree in all_binary(0, len(sentence))), reverse=True)
        for decoder in ("grammar", "splits"):
            [parse] = parser.parse([sentence], brackets=decoder, best=3)
            assert [ranked.score for ranked in parse.best] == pytest.approx([score / 2 for score in every[:3]])
            assert (parse.best[0].tree, parse.best[0].heads) == (parse.tree, parse.heads)
    with pytest.raises(SettingError, match="here brackets come from grammar, unbiased"):
        Parser.load([tiny_taught, "chain"]).parse(SENTENCES, brackets="grammar", best=2)


@pytest.mark.parametrize(
    ("models", "decoders", "reason"),
    [
        (["balanced"], (), "the baseline balanced has no probabilities"),
        (["chain", "random"], (), "the baseline chain \\+ random has no"),
        (["tiny_model"], ("unbiased", "joint"), "joint have no probabilities"),
        (["tiny_udgn"], ("projective",), "subtrees of a dependency tree"),
    ],
)
def test_what_has_no_probabilities_says_so(models, decoders, reason, request):
    names = [str(request.getfixturevalue(name)) if name.startswith("tiny") else name for name in models]
    with pytest.raises(SettingError, match=reason):
        Parser.load(names, device="cpu").parse(["a b"], Request(*decoders), confidence="raw")


def test_commands_write_them(tiny_taught, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("the dog , however , barks .\n")
    written = "".join(run([str(text)], [str(tiny_taught)], "conllu", confidence="raw"))
    misc = [line.split("\t")[9] for line in written.splitlines() if line[:1].isdigit()]
    [parse] = Parser.load(tiny_taught).parse(["the dog , however , barks ."], confidence="raw", best=3)
    assert misc == [
        "_" if probability is None else f"Confidence={probability:.2f}" for probability in parse.head_probabilities
    ]
    [line] = run([str(text)], [str(tiny_taught)], "json", confidence="raw", best=3)
    value = json.loads(line)
    assert value["head_probabilities"][0] == round(parse.head_probabilities[0], 4)
    assert len(value["span_probabilities"]) == len(value["constituents"])
    assert [record["heads"] for record in value["n_best"]] == [list(ranked.heads) for ranked in parse.best]
    assert value["n_best"][0]["constituents"] == value["constituents"]
    [plain] = run([str(text)], [str(tiny_taught)], "json")
    measures = {"log_probability", "entropy", "expected_errors"}
    assert {*json.loads(plain)} == {*value} - {"n_best", "head_probabilities", "span_probabilities", *measures}
    assert value["log_probability"] == round(parse.log_probability, 4)
    assert value["entropy"] == round(parse.entropy, 4)
    assert value["expected_errors"] == round(sum(1 - p for p in parse.head_probabilities if p is not None), 4)
    comments = [line for line in written.splitlines() if line.startswith("#")]
    assert comments[3:] == [f"# {name} = {value[name]}" for name in ("log_probability", "entropy", "expected_errors")]


def test_the_confidence_of_a_sentence_is_that_of_its_heads(tiny_taught):
    parser = Parser.load(tiny_taught)
    for decoder in ("grammar", "mst"):
        request = Request(None, decoder, confidence="raw", distributions=True)
        [parse] = parser.parse(["the old dog , however , sees the cat ."], request)
        rows = [row for row in parse.head_distributions if row is not None]
        assert parse.entropy == pytest.approx(-sum(p * math.log(p) for row in rows for p in row if p) / len(rows))
        independent = sum(math.log(p) for p in parse.head_probabilities if p is not None)
        assert parse.log_probability == pytest.approx(independent) or decoder == "grammar"
        assert independent <= parse.log_probability + 1e-9 <= 1e-9
    [marks, empty] = parser.parse([". . .", ""], confidence="raw")
    assert (marks.log_probability, marks.entropy, marks.expected_errors) == (None, None, 0.0)
    assert (empty.log_probability, empty.entropy, empty.expected_errors) == (None, None, None)
    [without] = parser.parse(["the dog barks"], least=0.5)
    assert (without.log_probability, without.entropy, without.expected_errors) == (None, None, None)


def test_columns_of_conllu_keep_their_attributes(tiny_taught, tmp_path):
    source = tmp_path / "a.conllu"
    source.write_text(
        "1\tdog\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No|Confidence=0.10\n2\t.\t_\t_\t_\t_\t1\tpunct\t_\t_\n\n"
    )
    written = "".join(run([str(source)], [str(tiny_taught)], "conllu", confidence="raw"))
    words = [line for line in written.splitlines() if line[:1].isdigit()]
    assert [line.split("\t")[9] for line in words] == ["SpaceAfter=No|Confidence=1.00", "_"]


def test_comments_of_conllu_stay_and_older_ones_of_these_names_go(tiny_taught, tmp_path):
    source = tmp_path / "a.conllu"
    word = "\t_\t_\t_\t_\t0\troot\t_\t_\r\n"
    source.write_bytes(f"# a = 1\r\n# entropy = 7\r\n# b\r\n1\tdog{word}\r\n".encode())
    written = "".join(run([str(source)], [str(tiny_taught)], "conllu", confidence="raw"))
    names = [line.split(" = ")[0] for line in written.splitlines() if line.startswith("#")]
    assert names == ["# synparse", "# a", "# b", "# log_probability", "# entropy", "# expected_errors"]
    assert written.count("\r\n") == written.count("\n") == 8


def test_formats_without_room_say_so(tiny_taught):
    for options, reason in [
        ({"format": "brackets", "confidence": "raw"}, "brackets have no place"),
        ({"format": "conllu", "best": 2}, "only --format json"),
        ({"format": "json", "best": 101}, "between 0 and 100"),
    ]:
        with pytest.raises(SettingError, match=reason):
            run(["a.txt"], [str(tiny_taught)], **options)


def test_uncertain_spans_are_dropped_and_uncertain_arcs_marked(tiny_taught):
    [parse] = Parser.load(tiny_taught).parse(["the old dog , however , sees the cat ."], confidence="raw")
    least = sorted(parse.span_probabilities)[2]
    certain = parse.certain(least)
    pairs = zip(parse.tree.constituents, parse.span_probabilities, strict=True)
    assert certain.tree.constituents == tuple(span for span, value in pairs if value >= least)
    assert len(certain.span_probabilities) == len(certain.tree.constituents) == len(parse.tree.constituents) - 2
    assert certain.uncertain == tuple(value is not None and value < least for value in parse.head_probabilities)
    assert certain.heads == parse.heads
    nothing = parse.certain(1.0)
    assert nothing.tree.constituents[0] == parse.tree.constituents[0]
    with pytest.raises(ValueError, match="no probabilities"):
        Parser.load(tiny_taught).parse(["a b"])[0].certain(0.5)


def test_commands_drop_and_mark_what_is_uncertain(tiny_taught, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("the old dog , however , sees the cat .\n\n")
    models = [str(tiny_taught)]
    first, empty = Parser.load(tiny_taught).parse(text.read_text().splitlines(), confidence="fitted")
    assert empty.certain(0.9).uncertain is None
    least = sorted(value for value in first.head_probabilities if value is not None)[3]
    written = "".join(run([str(text)], models, "conllu", least=least))
    misc = [line.split("\t")[9] for line in written.splitlines() if line[:1].isdigit()]
    assert misc == [
        "Uncertain=Yes" if value is not None and value < least else "_" for value in first.head_probabilities
    ]
    both = "".join(run([str(text)], models, "conllu", least=least, confidence="fitted"))
    assert both.count("|Uncertain=Yes") == misc.count("Uncertain=Yes") == 3
    value = json.loads(next(run([str(text)], models, "json", least=least)).splitlines()[0])
    certain = first.certain(least)
    assert value["constituents"] == [[start, end] for _, start, end in certain.tree.constituents]
    assert value["uncertain"] == list(certain.uncertain)
    assert "head_probabilities" not in value
    brackets = "".join(run([str(text)], models, "brackets", least=1.0))
    assert brackets.startswith("(X (_ the) (_ old)")
    with pytest.raises(SettingError, match="between 0 and 1"):
        run([str(text)], models, "json", least=1.5)
