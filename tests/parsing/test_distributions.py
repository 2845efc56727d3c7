"""Distributions of heads, and the most probable head of each word, which papers score as it is."""

import json

import numpy as np
import pytest
import torch

from synparse.inducers.batch import Batch
from synparse.parsing.parser import Parser
from synparse.parsing.run import parse
from synparse.scoring.evaluate import evaluate
from synparse.scoring.in_step import NamedLines
from synparse.store.model_directory import load
from synparse.store.models import open_model
from synparse.trees.errors import DataError, SettingError

SENTENCE = "The cat sat on the mat , she said ."


def test_the_most_probable_head_is_that_of_the_papers_equation(tiny_model):
    """StructFormer, eq. 18: k = arg max_{j ≠ i} p_D(j | i), of the network's own P_D."""
    [parsed] = Parser.load(tiny_model, device="cpu", function_words="free").parse(
        [SENTENCE], distributions=True, heads="mst", brackets=None
    )
    model = load(next(iter(open_model(tiny_model).members.values())))
    words = [token.lower() for token in SENTENCE.split() if token not in ",."]
    indices = torch.tensor([model.vocabulary.indices(words)])
    network = model.network.eval()
    present = Batch(indices, torch.tensor([len(words)])).present
    with torch.no_grad():
        *_, parents, root = network.parse(network.embedding(indices), present)
    places = [place for place, is_read in enumerate(parsed.read) if is_read]
    rows = np.array([row for row in parsed.head_distributions if row is not None])
    assert rows[:, 0] == pytest.approx(root[0].numpy(), abs=1e-5)
    assert rows[:, np.array(places) + 1] == pytest.approx(parents[0].numpy(), abs=1e-5)
    assert parsed.head_distributions[6] is parsed.argmax_heads[6] is None  # the comma
    for i, place in enumerate(places):
        k = max((j for j in range(len(words)) if j != i), key=lambda j: float(parents[0, i, j]))
        assert parsed.argmax_heads[place] == places[k] + 1


@pytest.mark.parametrize("model", ["tiny_udgn", "tiny_student", "tiny_taught", "tiny_grammar"])
def test_distributions_of_all_decoders_sum_to_one_and_have_the_probability_of_the_arc(request, model):
    parser = Parser.load(request.getfixturevalue(model), device="cpu")
    for decoder in parser.head_decoders:
        [parsed] = parser.parse([SENTENCE], brackets=None, heads=decoder, distributions=True, confidence="raw")
        pairs = zip(parsed.head_distributions, parsed.head_probabilities, parsed.heads, strict=True)
        for row, probability, head in pairs:
            assert (row is None) == (probability is None)
            if row is not None:
                assert sum(row) == pytest.approx(1)
                assert row[head] == pytest.approx(probability)


def test_one_word_and_no_words(tiny_udgn):
    word, nothing = Parser.load(tiny_udgn, device="cpu").parse(["Yes !", ""], distributions=True)
    assert (word.head_distributions, word.argmax_heads) == (((pytest.approx(1), 0, 0), None), (0, None))
    assert nothing.head_distributions == nothing.argmax_heads == ()


def test_a_long_sentence_has_a_distribution_in_each_of_its_chunks(tiny_taught):
    parser = Parser.load(tiny_taught, device="cpu")
    [parsed] = parser.parse([["w"] * (parser.longest + 2)], distributions=True)
    last = np.array(parsed.head_distributions[-2:])
    assert last.sum(1) == pytest.approx([1, 1])
    assert last[:, 0] + last[:, -2:].sum(1) == pytest.approx([1, 1])


def test_json_has_the_distributions_and_conllu_the_most_probable_heads(tiny_udgn, tmp_path):
    text = tmp_path / "a.txt"
    text.write_text(SENTENCE + "\n")
    [written] = parse([str(text)], [str(tiny_udgn)], format="json", distributions=True)
    rows = json.loads(written)["head_distributions"]
    assert [len(row) if row else row for row in rows] == [11] * 6 + [None] + [11] * 2 + [None]
    [conllu] = parse([str(text)], [str(tiny_udgn)], distributions=True)
    best = [line.split("\t")[9] for line in conllu.splitlines() if line[:1].isdigit()]
    expected = [
        "_" if row is None else f"ArgmaxHead={max(set(range(1, 11)) - {word}, key=row.__getitem__)}"
        for word, row in enumerate(rows, 1)
    ]
    assert best == expected


def test_what_has_no_distributions_says_so(tiny_model, tiny_on_lstm):
    for confidence in ("none", "raw"):
        with pytest.raises(SettingError, match=r"--distributions: .*on-lstm-1 gives no heads here"):
            Parser.load(tiny_on_lstm, device="cpu").parse([SENTENCE], distributions=True, confidence=confidence)
    with pytest.raises(SettingError, match=r"--distributions: .*structformer-1 gives no heads"):
        Parser.load(tiny_model, device="cpu").parse([SENTENCE], heads=None, distributions=True)
    with pytest.raises(SettingError, match="the baseline chain has no probabilities"):
        Parser.load("chain").parse([SENTENCE], distributions=True)
    with pytest.raises(SettingError, match="heads by joint have no probabilities"):
        Parser.load(tiny_model, device="cpu").parse([SENTENCE], heads="joint", distributions=True)
    with pytest.raises(SettingError, match="--distributions: brackets have no place for heads"):
        parse(["-"], [str(tiny_model)], format="brackets", distributions=True)
    [parsed] = Parser.load("chain").parse([SENTENCE])
    with pytest.raises(ValueError, match="no distributions"):
        _ = parsed.argmax_heads


def conllu(*rows):
    return [
        f"{number}\t{word}\t_\t_\t{tag}\t_\t{head}\tdep\t_\t{misc}\n"
        for number, (word, tag, head, misc) in enumerate(rows, 1)
    ]


def test_eval_scores_the_most_probable_heads_which_need_not_be_a_tree():
    gold = NamedLines("gold", conllu(("a", "DT", 2, "_"), ("$", "$", 3, "_"), ("b", "NN", 0, "_"), ("c", "NN", 3, "_")))
    # b and c are a cycle, and a descends from a cycle of words of which one is left out.
    predicted = [
        ("a", "DT", 2, "X=1|ArgmaxHead=3"),
        ("$", "$", 3, "ArgmaxHead=1"),
        ("b", "NN", 0, "ArgmaxHead=4|Y=2"),
        ("c", "NN", 3, "ArgmaxHead=3"),
    ]

    def scores(rows, **how):
        return evaluate([NamedLines("predicted", conllu(*rows))], gold, **how).systems[0].scores

    assert scores(predicted)["uas"] == 1
    argmax = scores(predicted, heads="argmax", root="wrong")
    assert (argmax["uas"], argmax["uuas"]) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    in_a_cycle = [("a", "DT", 2, "ArgmaxHead=2"), *predicted[1:]]  # a and $, which is left out
    assert scores(in_a_cycle, heads="argmax", root="wrong")["uas"] == pytest.approx(1 / 3)
    with pytest.raises(DataError, match=r"predicted:1: word 1 .a. has no ArgmaxHead in column 10"):
        scores([(*row[:3], "_") for row in predicted], heads="argmax")
    with pytest.raises(DataError, match=r"predicted:1: word 1 .a. has head 9"):
        scores([("a", "DT", 2, "ArgmaxHead=9"), *predicted[1:]], heads="argmax")


def test_brackets_have_no_most_probable_heads_to_score():
    trees = NamedLines("trees", ["(S (NP (DT the) (NN dog)) (VB barked))"])
    for files, protocol in (((trees, trees), None), ((NamedLines("a", conllu(("a", "DT", 0, "_"))),) * 2, "conll18")):
        with pytest.raises(SettingError, match="--argmax is for heads of CoNLL-U"):
            evaluate([files[0]], files[1], protocol=protocol, heads="argmax")
