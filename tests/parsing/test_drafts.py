"""Drafts: what is given of the trees of the input stays, whatever the model and the decoder."""

import itertools
import json

import conllu
import nltk
import pytest

from synparse.corpora.sentences import Sentence, read_sentences
from synparse.corpora.tokenization import load_tokenizer
from synparse.parsing.drafts import draft_of_sentence, refuse_checked
from synparse.parsing.options import Request
from synparse.parsing.parser import Parser
from synparse.parsing.run import parse
from synparse.trees.errors import DataError, SettingError
from tests.trees.dependency_trees import is_tree

WORDS = "the old dog , which sleeps , sees a cat .".split()
GOLD = (3, 3, 8, 6, 6, 3, 6, 0, 10, 8, 8)


def draft(tmp_path, given, name="a.conllu"):
    rows = [
        "\t".join([str(number), word, *"____", str(GOLD[number - 1]) if number in given else "_", "rel", "_", "_"])
        for number, word in enumerate(WORDS, 1)
    ]
    path = tmp_path / name
    path.write_text("\n".join(rows) + "\n\n")
    return path


def token_list(path):
    [sentence] = conllu.parse(path.read_text())
    return sentence


@pytest.mark.parametrize("model", ["tiny_taught", "tiny_grammar", "tiny_udgn", "tiny_model", "tiny_student", "chain"])
@pytest.mark.parametrize("given", [(1, 3, 8), (2, 4, 5, 6, 7), tuple(range(1, 12))])
def test_given_heads_come_out(request, model, given, tmp_path):
    name = request.getfixturevalue(model) if model.startswith("tiny") else model
    parser = Parser.load(name, device="cpu", punctuation="evidence", function_words="leaves")
    sentences = [token_list(draft(tmp_path, given))]
    for heads in parser.head_decoders:
        [parsed] = parser.parse(sentences, keep=("heads",), heads=heads)
        assert is_tree(parsed.heads)
        assert all(parsed.heads[number - 1] == GOLD[number - 1] for number in given)


@pytest.mark.parametrize(
    "model", ["tiny_taught", "tiny_grammar", "tiny_udgn", "tiny_on_lstm", "tiny_student", "balanced"]
)
def test_given_constituents_come_out(request, model):
    name = request.getfixturevalue(model) if model.startswith("tiny") else model
    tree = nltk.Tree.fromstring("(S (NP the (A old dog , which)) (VP-FLAT sleeps , sees a) cat .)")
    parser = Parser.load(name, device="cpu", punctuation="evidence")
    for brackets in parser.tree_decoders:
        [parsed] = parser.parse([tree], Request(brackets, None), keep=("brackets",))
        constituents = [tuple(constituent) for constituent in parsed.tree.constituents]
        assert {("S", 0, 11), ("NP", 0, 5), ("A", 1, 5), ("VP-FLAT", 5, 9)} <= set(constituents)
        assert not [span for span in constituents if span[1] >= 5 and span[2] <= 9 and span[0] != "VP-FLAT"]
        spans = [(start, end) for _, start, end in constituents]
        assert not any(a < c < b < d for (a, b), (c, d) in itertools.product(spans, spans))


def test_probabilities_and_several_trees_are_among_those_that_are_left(tiny_taught, tmp_path):
    parser = Parser.load(tiny_taught, device="cpu")
    sentences = [token_list(draft(tmp_path, (1, 2, 3)))]
    [parsed] = parser.parse(sentences, keep=("heads",), confidence="raw", best=5)
    assert parsed.head_probabilities[:3] == (None, None, None)  # no model decided
    assert len({ranked.tree for ranked in parsed.best}) == len(parsed.best) == 5
    assert all(ranked.heads[:3] == GOLD[:3] for ranked in parsed.best)


def test_what_is_given_has_no_probability(tiny_taught, tmp_path):
    parser = Parser.load(tiny_taught, device="cpu")
    heads = token_list(draft(tmp_path, (1, 2, 3)))
    [parsed] = parser.parse([heads], keep=("heads",), confidence="fitted")
    assert parsed.head_probabilities[:3] == (None, None, None)
    assert max(value for value in parsed.head_probabilities[3:] if value is not None) < 0.99
    tree = nltk.Tree.fromstring("(S (NP the old dog) sees (NP the cat))")
    [parsed] = parser.parse([tree], keep=("brackets",), confidence="fitted")
    values = {span[1:]: value for span, value in zip(parsed.tree.constituents, parsed.span_probabilities, strict=True)}
    assert [values.pop(span) for span in ((0, 6), (0, 3), (4, 6))] == [1.0, None, None]
    assert max(values.values()) < 0.99


@pytest.mark.parametrize("model", ["tiny_taught", "tiny_grammar", "tiny_udgn", "tiny_student"])
def test_given_heads_that_are_not_projective_are_not_doubted(request, model, tmp_path):
    given = (2, 0, 4, 2, 1)  # the arcs of words 4 and 5 cross
    path = tmp_path / "a.conllu"
    rows = [f"{number}\tdog\t_\t_\t_\t_\t{head}\t_\t_\t_\n" for number, head in enumerate((*given, "_"), 1)]
    path.write_text("".join(rows) + "\n")
    parser = Parser.load(request.getfixturevalue(model), device="cpu")
    for decoder in parser.head_decoders:
        [parsed] = parser.parse(
            [token_list(path)], Request(None, decoder), keep=("heads",), confidence="raw", distributions=True
        )
        assert parsed.heads[:5] == given
        assert parsed.head_probabilities[:5] == (None,) * 5
        assert parsed.head_probabilities[5] > 0
        assert [row[head] for row, head in zip(parsed.head_distributions, parsed.heads, strict=True)] == pytest.approx(
            (*(1.0,) * 5, parsed.head_probabilities[5])
        )


def test_given_heads_in_another_chunk_or_of_punctuation_are_not_doubted(tiny_taught, tmp_path):
    heads = ["_"] * 250
    heads[2], heads[220], heads[239], heads[245] = 240, 101, 0, 248  # chunks have 200 words; word 248 is a full stop
    rows = [
        "\t".join([str(number), "." if number == 248 else "dog", *"____", str(head), *"___"])
        for number, head in enumerate(heads, 1)
    ]
    path = tmp_path / "a.conllu"
    path.write_text("\n".join(rows) + "\n\n")
    parser = Parser.load(tiny_taught, device="cpu")
    [parsed] = parser.parse([token_list(path)], keep=("heads",), confidence="fitted", distributions=True)
    for word in (3, 221, 240, 246):
        assert (parsed.heads[word - 1], parsed.head_probabilities[word - 1]) == (heads[word - 1], None)
    assert parsed.head_distributions[220][101] == parsed.head_distributions[239][0] == 1.0
    assert parsed.head_probabilities[247] is None  # not read


def test_given_constituents_in_several_chunks_stay(tiny_taught, tmp_path):
    given = [[150, 410], [190, 205], [190, 201], [300, 404]]  # chunks have 200 words
    (tmp_path / "a.jsonl").write_text(json.dumps({"tokens": ["dog"] * 450, "constituents": given}) + "\n")
    [text] = parse([str(tmp_path / "a.jsonl")], [str(tiny_taught)], "json", keep=("brackets",), confidence="raw")
    parsed = json.loads(text)
    values = dict(zip(map(tuple, parsed["constituents"]), parsed["span_probabilities"], strict=True))
    assert [values[start, end] for start, end in given] == [None] * 4
    assert len(values) > 300  # the others of each chunk
    assert not any(a < c < b < d for (a, b), (c, d) in itertools.product(values, values))


def test_trees_that_differ_only_inside_what_stays_flat_are_one_tree(tiny_taught):
    tree = nltk.Tree.fromstring("(S the old dog (X-FLAT sees a big cat))")
    [parse] = Parser.load(tiny_taught, device="cpu").parse([tree], Request(heads=None), keep=("brackets",), best=20)
    trees = [ranked.tree for ranked in parse.best]
    assert 1 < len(trees) == len(set(trees)) <= 5  # of four parts, one of them flat


def test_a_draft_that_is_parsed_again_and_again_keeps_what_people_have_decided(tiny_taught, tmp_path):
    """What has a probability is the parser's, and is opened; see docs/commands/parse.md, Drafts."""
    path, again = draft(tmp_path, (1, 2, 8)), tmp_path / "again.conllu"
    for _ in range(2):
        text = "".join(parse([str(path)], [str(tiny_taught)], keep=("heads",), confidence="fitted"))
        rows = [line.split("\t") for line in text.splitlines()]
        is_open = ["Confidence=" in row[-1] for row in rows]
        opened = [[*row[:6], "_", "_", *row[8:]] if is_it else row for row, is_it in zip(rows, is_open, strict=True)]
        again.write_text("".join("\t".join(row) + "\n" for row in opened))
        path = again
    given = {int(row[0]): int(row[6]) for row in opened if row[0].isdigit() and row[6] != "_"}
    assert {number: given[number] for number in (1, 2, 8)} == {number: GOLD[number - 1] for number in (1, 2, 8)}
    assert sum(is_open) > 1


def test_the_command_fills_in_what_is_missing(tiny_taught, tmp_path):
    path = draft(tmp_path, (1, 2, 8))
    [text] = parse([str(path)], [str(tiny_taught)], keep=("heads",))
    rows = [line.split("\t") for line in text.splitlines() if line[:1].isdigit()]
    assert [row[6] for row in (rows[0], rows[1], rows[7])] == ["3", "3", "0"]
    assert {row[7] for row in rows} == {"rel"}
    assert "_" not in {row[6] for row in rows}
    with pytest.raises(SettingError, match="--keep takes heads and brackets, not 'tags'"):
        parse([str(path)], [str(tiny_taught)], keep=("tags",))


def test_a_relation_is_kept_where_its_head_is_to_be_found(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("1\tThe\t_\t_\t_\t_\t_\tdet\t_\t_\n2\tdog\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    [text] = parse([str(path)], ["chain"], keep=("heads",))
    assert [line.split("\t")[6:8] for line in text.splitlines()[1:-1]] == [["2", "det"], ["0", "root"]]
    [parsed] = Parser.load("chain").parse([token_list(path)], keep=("heads",))
    assert (parsed.heads, parsed.relations) == ((2, 0), ("det", "root"))


def test_json_keeps_what_came_with_a_line_in_all_formats(tmp_path):
    path = tmp_path / "a.jsonl"
    value = {"sent_id": "doc1-s7", "checked": True, "tokens": ["The", "dog", "barks"], "heads": [2, None, 0]}
    value |= {"relations": ["det", "nsubj", "root"], "tags": ["DET", "NOUN", "_"], "head_probabilities": [1, 1, 1]}
    path.write_text(json.dumps(value) + '\n{"tokens": ["yes"], "heads": [0]}\n')
    texts = {kind: parse([str(path)], ["chain"], kind, keep=("heads",)) for kind in ("json", "conllu")}
    [kept, second] = map(json.loads, "".join(texts["json"]).splitlines())
    assert {**kept, **value, "heads": [2, 3, 0]} == kept | {"head_probabilities": [1, 1, 1], "checked": True}
    assert "checked" not in kept  # with the head that was open
    assert "head_probabilities" not in kept  # of another tree
    assert second["sent_id"] == "2"
    conllu_text = "".join(texts["conllu"])
    assert "# sent_id = doc1-s7\n" in conllu_text
    assert "2\tdog\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_\n" in conllu_text
    brackets = next(parse([str(path)], ["balanced"], "brackets"))
    assert "(DET The)" in brackets


def test_what_is_checked_is_not_overwritten_by_drafts(tmp_path):
    path = tmp_path / "drafts.conllu"
    path.write_text("# checked = no\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    refuse_checked(str(path))
    refuse_checked("-")
    refuse_checked(str(tmp_path / "missing"))
    path.write_text(path.read_text() + "# checked = yes\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    with pytest.raises(SettingError, match="holds sentences that are marked as checked; choose another name"):
        refuse_checked(str(path))


def test_only_a_tree_that_stays_as_it_was_checked_is_marked_so(tmp_path):
    path = tmp_path / "a.conllu"
    text = "# checked = yes\n1\tThe\t_\t_\t_\t_\t2\tdet\t_\t_\n2\tdog\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
    for head in ("0", "_"):  # nobody has checked a head that is filled in
        path.write_text(text.replace("\t0\t", f"\t{head}\t"))
        for keep in ((), ("heads",)):
            is_marked = "# checked = yes\n" in "".join(parse([str(path)], ["chain"], keep=keep))
            assert is_marked == (bool(keep) and head == "0")
    value = {"tokens": ["a", "b", "c"], "heads": [2, 0, 2], "constituents": [[0, 3], [1, 3]], "checked": True}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(value))
    for keep in ((), ("heads",), ("brackets",), ("heads", "brackets")):
        [line] = parse([str(path)], ["left-branching"], "json", keep=keep)
        assert ("checked" in json.loads(line)) == (len(keep) == 2)
    path.write_text(json.dumps({"tokens": ["a", "b", "c"], "checked": True}))
    for format in ("json", "conllu"):  # nobody has seen a tree where none came
        assert "checked" not in "".join(parse([str(path)], ["left-branching"], format))
    path.write_text(json.dumps({**value, "heads": [2, 0, None]}))
    [line] = parse([str(path)], ["left-branching"], "json", keep=("heads", "brackets"))
    assert "checked" not in json.loads(line)
    path.write_text(json.dumps({**value, "heads": None, "labels": ["S", "VP-FLAT"]}))
    for keep in ((), ("brackets",)):  # the same constituents, but without their labels
        [line] = parse([str(path)], ["right-branching"], "json", keep=keep)
        assert json.loads(line)["constituents"] == [[0, 3], [1, 3]]
        assert ("checked" in json.loads(line)) == bool(keep)


def test_checked_trees_are_marked_so_in_another_format(tmp_path):
    (tmp_path / "a.conllu").write_text(
        "# checked = yes\n1\tThe\t_\t_\t_\t_\t2\tdet\t_\t_\n2\tdog\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
    )
    for keep in ((), ("heads",)):
        [line] = parse([str(tmp_path / "a.conllu")], ["chain"], "json", keep=keep)
        assert json.loads(line).get("checked") == (True if keep else None)
        (tmp_path / "a.jsonl").write_text(json.dumps({**json.loads(line), "checked": True}))
        assert "# checked = yes\n" in "".join(parse([str(tmp_path / "a.jsonl")], ["chain"], keep=("heads",)))
        assert "checked" not in "".join(parse([str(tmp_path / "a.jsonl")], ["content-chain-back"]))
    (tmp_path / "a.jsonl").write_text(json.dumps({"tokens": ["a", "b"], "heads": [2, 0], "checked": False}))
    [line] = parse([str(tmp_path / "a.jsonl")], ["chain"], "json", keep=("heads",))
    assert json.loads(line)["checked"] is False


def test_constituents_are_kept_with_labels_and_tags(tmp_path):
    text = "(S (NP (DT the) (NN dog)) (VP (VBZ barks) (RB loudly)))"
    path = tmp_path / "a.mrg"
    path.write_text(text + "\n")
    [line] = parse([str(path)], ["balanced"], "json", keep=("brackets",))
    value = json.loads(line)
    assert (value["labels"], value["tags"]) == (["S", "NP", "VP"], ["DT", "NN", "VBZ", "RB"])
    path.with_suffix(".json").write_text(line)
    [again] = parse([str(path.with_suffix(".json"))], ["balanced"], "brackets", keep=("brackets",))
    assert again == text + "\n"
    [parsed] = Parser.load("balanced").parse([nltk.Tree.fromstring(text)], keep=("brackets",))
    assert (str(parsed.tree), parsed.tags) == (text, ("DT", "NN", "VBZ", "RB"))
    [chain] = Parser.load("balanced").parse([nltk.Tree.fromstring("(ROOT (S (X a b) c))")], keep=("brackets",))
    assert [label for label, _, _ in chain.tree.constituents] == ["ROOT", "S", "X"]


def test_contradictions_are_told_with_their_place(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text("1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n2\tb\t_\t_\t_\t_\t0\t_\t_\t_\n\n")
    [sentence] = read_sentences(str(path), load_tokenizer("whitespace"))
    with pytest.raises(DataError, match=r"a\.conllu:1: --keep: words 1 and 2 both have head 0"):
        draft_of_sentence(sentence, ("heads",))
    with pytest.raises(DataError, match=r"--keep: heads come from CoNLL-U or JSON.* no heads in the sentence .*: a b$"):
        draft_of_sentence(Sentence(("a", "b")), ("heads",))
    with pytest.raises(DataError, match="no brackets in the sentence"):
        draft_of_sentence(sentence, ("brackets",))
    assert draft_of_sentence(Sentence(()), ("heads",)) is None
    assert draft_of_sentence(sentence, ()) is None
