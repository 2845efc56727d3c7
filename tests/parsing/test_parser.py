import json
import pickle
import re
import shutil

import pytest

import synparse
from synparse.cli.app import run
from synparse.parsing import decoders, windows
from synparse.parsing import parser as parsing
from synparse.parsing.options import PUNCTUATION, ParserOptions, Request
from synparse.parsing.parser import Parser
from synparse.trees.dependency import is_projective
from synparse.trees.errors import DataError, SettingError
from synparse.trees.spans import sentence_spans, subtree_spans
from tests.trees.dependency_trees import is_tree

ODD = [
    "the dog sees the cat .",
    "",
    "hello",
    ". . .",
    "zyx wvu tsr",
    "😀 😀 , 😀",
    "( a ) \u00ad b",
    " ".join(["the dog"] * 60),
]


@pytest.fixture(scope="module")
def parser(tiny_model):
    return Parser.load(tiny_model, device="cpu")


@pytest.mark.parametrize(("sentence", "most"), [(["the", "dog"], 4), ("the dog", 11)])
def test_sentences_are_streamed(parser, monkeypatch, sentence, most):
    monkeypatch.setattr(windows, "WINDOW_SENTENCES", 3)
    monkeypatch.setattr(parsing, "LINES_TO_LOOK_AT", 10)
    taken = []

    def sentences():
        for k in range(100):
            taken.append(k)
            yield sentence

    next(parser.stream(sentences()))
    assert len(taken) <= most


def test_five_hundred_words_are_one_sentence(parser, sample_text):
    words = " ".join(sample_text).replace(".", "").replace(",", "").replace("?", "").split()[:500]
    [parse] = parser.parse([words])
    assert is_tree(parse.heads)
    assert len(sentence_spans(parse.tree, whole=True)) == 499


def test_a_longer_sentence_is_parsed_in_chunks(parser, sample_text, monkeypatch):
    monkeypatch.setattr(parser, "longest", 10)
    words = " ".join(sample_text).replace(".", "").replace(",", "").replace("?", "").split()[:25]
    [whole] = parser.parse([words], heads="joint")
    parts = parser.parse([words[:10], words[10:20], words[20:]], heads="joint")
    spans = sentence_spans(whole.tree, whole=True)
    expected = {(0, 25)}
    for offset, part in zip((0, 10, 20), parts, strict=True):
        expected |= {(start + offset, end + offset) for start, end in sentence_spans(part.tree, whole=True)}
    assert spans == expected
    assert is_tree(whole.heads)
    assert is_projective(whole.heads)


def test_five_thousand_words_are_no_crash(parser):
    [parse] = parser.parse([["dog", "the", ","] * 2500])
    assert is_tree(parse.heads)


def test_punctuation_is_not_read_and_hangs_between_its_neighbours(parser):
    plain, marked = parser.parse(["the dog sees the cat", "the dog , sees the cat ."])
    assert sentence_spans(marked.tree, marked.read) == sentence_spans(plain.tree)
    assert marked.read == (True, True, False, True, True, True, False)
    assert marked.distances == pytest.approx(plain.distances, abs=1e-5)
    assert marked.heads[6] == marked.heads.index(0) + 1


def test_the_byte_order_mark_of_a_file_is_no_part_of_the_first_word(parser):
    assert parser.parse("\ufeffthe dog barks")[0].tokens == ("the", "dog", "barks")
    assert parser("\ufeffThe dog barks.")[0].tokens[0] == "The"


def test_called_a_parser_splits_running_text():
    parser = Parser.load("chain")
    text = "The dog, he barked. It sat.\n\nWhy not?\n"
    assert [parse.tokens for parse in parser(text, heads=None)] == [
        ("The", "dog", ",", "he", "barked", "."),
        ("It", "sat", "."),
        ("Why", "not", "?"),
    ]
    assert parser(text, heads=None)[0].heads is None
    assert parser.parse(["\ufeffWhy not?"])[0].tokens == parser("\ufeffWhy not?")[0].tokens == ("Why", "not", "?")
    with pytest.raises(TypeError, match=r"^text must be a string, not list; Parser.parse takes sentences$"):
        parser([text])


def test_called_a_parser_splits_scripts_without_blanks_as_the_command_does():
    [parse] = Parser.load("chain")("แมวนั่งบนเสื่อ\n")
    assert parse.tokens == ("แม", "ว", "นั่", "ง", "บ", "น", "เสื่", "อ")


def test_a_wrong_keyword_is_told_with_the_nearest_right_one():
    with pytest.raises(SettingError, match=r"^unknown setting punct; did you mean punctuation\?$"):
        Parser.load("chain", punct="ignore")
    with pytest.raises(SettingError, match=r"^unknown setting bracket; did you mean brackets\?$"):
        Parser.load("chain").parse("a b", bracket="splits")


def test_models_and_sentences_that_are_not_in_a_list_are_told():
    for function, kind, other in (
        (Parser.load, "ParserOptions", Request()),
        (Parser.load("chain").parse, "Request", ParserOptions()),
    ):
        message = rf"^options have names or are a {kind}, and several models or sentences are a list; .* is neither$"
        for given in ("balanced", other):
            with pytest.raises(TypeError, match=message):
                function("chain", given)


def test_a_pickled_parser_is_loaded_again_from_where_it_was(tiny_udgn, sample_text, tmp_path, monkeypatch):
    monkeypatch.chdir(tiny_udgn.parent)
    parser = Parser.load([tiny_udgn.name, "right-branching"], punctuation="evidence")
    pickled = pickle.dumps(parser)
    monkeypatch.chdir(tmp_path)
    again = pickle.loads(pickled)
    assert again.punctuation == "evidence"
    assert again.parse(sample_text[:20]) == parser.parse(sample_text[:20])


def test_a_parser_prints_as_its_models():
    assert repr(Parser.load(["chain", "right-branching"])) == "<Parser chain + right-branching>"
    assert repr(Parser(Parser.load("chain").members)) == "<Parser chain>"


def test_a_pickled_content_chain_keeps_its_function_words():
    parser = Parser.load("content-chain").knowing(frozenset(["the"]))
    again = pickle.loads(pickle.dumps(parser))
    assert not again.needs_text
    assert again.parse(["a dog sees the cat"]) == parser.parse(["a dog sees the cat"])


def test_a_content_chain_does_not_read_the_models_beside_it_again(tiny_udgn, sample_text, tmp_path):
    parser = Parser.load([shutil.copytree(tiny_udgn, tmp_path / "model"), "content-chain"])
    before = parser.parse(sample_text[:20])
    shutil.rmtree(tmp_path / "model")
    assert parser.parse(sample_text[:20]) == before


def test_function_words_of_a_content_chain_are_whole_words():
    [lone, several] = (
        Parser.load("content-chain", content_chain_function_words=words).parse(["cats he saw"])[0].heads
        for words in ("the", ["the"])
    )
    assert lone == several == (2, 3, 0)


def test_a_parser_that_was_not_loaded_is_not_pickled():
    with pytest.raises(TypeError, match=r"^only a parser that was loaded .* can be pickled$"):
        pickle.dumps(Parser(Parser.load("chain").members))


def test_trivial_parsers_need_no_model():
    [parse] = Parser.load("right-branching").parse(["a b , c"])
    assert parse.heads == (0, 1, 2, 2)
    assert sentence_spans(parse.tree) == {(1, 4)}
    first, again, other = (Parser.load("random", seed=s).parse(["a b c d e f g h"] * 5) for s in (1, 1, 2))
    assert first == again != other


def test_a_model_that_is_not_there_is_told(tmp_path):
    with pytest.raises(DataError, match="no such model"):
        Parser.load(tmp_path / "none")


@pytest.fixture(scope="module", params=["tiny_model", "tiny_on_lstm", "tiny_udgn", "tiny_student"])
def any_directory(request):
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def any_parser(any_directory):
    return Parser.load(any_directory, device="cpu")


def test_every_model_parses_in_batches_as_one_by_one(any_parser, sample_text):
    sentences = [*sample_text[:40], *ODD]
    together = any_parser.parse(sentences)
    alone = [any_parser.parse([sentence])[0] for sentence in sentences]
    for batched, single in zip(together, alone, strict=True):
        assert (batched.tokens, batched.tree, batched.heads) == (single.tokens, single.tree, single.heads)
        assert (batched.distances is None) == (single.distances is None)
        if batched.distances is not None:
            assert batched.distances == pytest.approx(single.distances, abs=1e-4)


def test_what_every_model_decodes_is_a_tree(any_parser):
    for tree_decoder in (None, *any_parser.tree_decoders):
        parses = any_parser.parse(ODD, brackets=tree_decoder, heads=None)
        assert [parse.tokens for parse in parses] == [tuple(sentence.split()) for sentence in ODD]
        for parse in parses:
            assert parse.heads is None
            assert (parse.tree is None) == (tree_decoder is None)
            assert parse.tree is None or len(parse.tree) == len(parse.tokens)
            assert not (parse.tree and parse.tokens) or parse.tree.constituents[0][1:] == (0, len(parse.tokens))
    for head_decoder in any_parser.head_decoders:
        for parse in any_parser.parse(ODD, brackets=None, heads=head_decoder):
            assert parse.tree is None
            assert is_tree(parse.heads) or not parse.tokens
            assert head_decoder not in ("projective", "joint") or is_projective(parse.heads)


def test_bfloat16_gives_trees_too_and_mostly_the_same(any_parser, any_directory, sample_text, has_bfloat16_lstm):
    if not has_bfloat16_lstm and any_parser.members[0].model in ("udgn", "student"):
        with pytest.raises(SettingError, match="this processor has no bfloat16 LSTM; choose float32"):
            Parser.load(any_directory, device="cpu", precision="bfloat16")
        return
    rough = Parser.load(any_directory, device="cpu", precision="bfloat16").parse(sample_text[:60])
    same = sum(
        rough_parse.tree == exact_parse.tree
        for rough_parse, exact_parse in zip(rough, any_parser.parse(sample_text[:60]), strict=True)
    )
    assert same > 20


def test_models_give_what_they_have(tiny_on_lstm, tiny_udgn):
    sentence = "the dog sees the cat"
    [recurrent] = Parser.load(tiny_on_lstm, device="cpu").parse([sentence])
    assert recurrent.heads is None
    assert recurrent.heights is None
    assert len(recurrent.distances) == 4
    with pytest.raises(ValueError, match="no heads"):
        _ = recurrent.dependencies
    [graph] = Parser.load(tiny_udgn, device="cpu").parse([sentence], heads="projective")
    assert graph.distances is None
    assert graph.dependencies.heads == graph.heads
    assert [(start, end) for _, start, end in graph.tree.constituents] == subtree_spans(graph.heads)


def test_a_student_gives_heads_and_distances_but_no_heights(tiny_student):
    parser = Parser.load(tiny_student, device="cpu")
    assert parser.head_decoders == ("phrases", "mst", "argmax", "projective")
    assert parser.tree_decoders == ("unbiased", "splits", "published", "projective")
    [parse] = parser.parse(["the dog sees the cat"])
    assert len(parse.distances) == 4
    assert parse.heights is None
    assert is_tree(parse.heads)


def test_brackets_of_a_udgn_are_those_of_its_projective_tree_whatever_the_heads(tiny_udgn, sample_text):
    parser = Parser.load(tiny_udgn, device="cpu")
    by_decoder = [
        [parse.tree for parse in parser.parse(sample_text[:20], brackets="projective", heads=heads)]
        for heads in parser.head_decoders
    ]
    assert all(trees == by_decoder[0] for trees in by_decoder)


def test_messages_name_models_as_the_user_does():
    with pytest.raises(
        SettingError, match=r"^english \+ chain has no decoder 'joint' of heads; possible are grammar, "
    ):
        Parser.load(["english", "chain"]).parse(["a"], heads="joint")


def test_decoders_that_a_model_cannot_feed_are_told(tiny_on_lstm, tiny_udgn):
    with pytest.raises(SettingError, match="on-lstm-1 has no decoder 'mst' of heads; possible are none"):
        Parser.load(tiny_on_lstm, device="cpu").parse(["a"], heads="mst")
    with pytest.raises(SettingError, match="possible are projective"):
        Parser.load(tiny_udgn, device="cpu").parse(["a"], brackets="unbiased")
    with pytest.raises(SettingError, match="possible are projective, mst, argmax"):
        Parser.load(tiny_udgn, device="cpu").parse(["a"], heads="joint")


def test_trees_are_read_from_any_layer_of_an_on_lstm(tiny_on_lstm, sample_text):
    trees = {
        layer: [parse.tree for parse in Parser.load(tiny_on_lstm, device="cpu", layer=layer).parse(sample_text[:30])]
        for layer in (None, 1, 2, 3)
    }
    assert trees[None] == trees[2]
    assert trees[1] != trees[2] != trees[3]


def test_layers_that_are_not_there_are_told(tiny_on_lstm, tiny_udgn):
    with pytest.raises(SettingError, match="no layer 4; this model has layers 1 to 3"):
        Parser.load(tiny_on_lstm, layer=4)
    with pytest.raises(SettingError, match=r"no layer 1\.5; this model has layers 1 to 3"):
        Parser.load(tiny_on_lstm, layer=1.5)
    with pytest.raises(SettingError, match="no layers to choose from"):
        Parser.load(tiny_udgn, layer=1)
    with pytest.raises(SettingError, match="balanced has no layers"):
        Parser.load("balanced", layer=1)


def test_the_published_trees_read_the_distance_before_the_first_word(tiny_on_lstm, monkeypatch):
    parser = Parser.load(tiny_on_lstm, device="cpu")
    seen = []
    monkeypatch.setattr(decoders, "published_spans", lambda d, first: seen.append(first) or [(0, len(d) + 1)])
    parser.parse(["the dog sees"], brackets="published")
    assert 0 < seen[0] < 4


MARKED = ["the dog , who sees the cat ; barks at ( the old man ) .", "the cat `` sees a dog '' , and barks", *ODD]


def test_punctuation_is_no_evidence_unless_it_is_asked_for(any_parser, any_directory):
    weighed = Parser.load(any_directory, device="cpu", punctuation="evidence")
    without_marks = ["the dog sees the cat .", "- the dog '"]
    assert weighed.parse(without_marks) == any_parser.parse(without_marks)
    assert weighed.parse(MARKED) != any_parser.parse(MARKED) == any_parser.parse(MARKED)
    assert [parse.tokens for parse in weighed.parse(MARKED)] == [parse.tokens for parse in any_parser.parse(MARKED)]
    with pytest.raises(SettingError, match="punctuation must be ignore or evidence, not 'both'"):
        Parser.load(any_directory, punctuation="both")


def test_evidence_splits_at_punctuation_and_keeps_pairs_together(tiny_model):
    parser = Parser.load(tiny_model, device="cpu", punctuation="evidence")
    for head_decoder in ("mst", "joint"):
        first, second, *_ = parser.parse(MARKED, brackets="unbiased", heads=head_decoder)
        # At the semicolon, then at the comma and at the brackets.
        assert {(0, 6), (6, 11), (2, 6)} <= sentence_spans(first.tree, first.read)
        assert (8, 11) in sentence_spans(first.tree, first.read)
        assert {(0, 5), (2, 5), (5, 7)} <= sentence_spans(second.tree, second.read)
    # Joint heads are of the changed tree: one word of each constituent has its head outside.
    for parse in parser.parse(MARKED[:2], brackets="unbiased", heads="joint"):
        for _, start, end in parse.tree.constituents:
            assert sum(not start < head <= end for head in parse.heads[start:end]) == 1


def test_punctuation_between_chunks_says_nothing(tiny_model, monkeypatch):
    parser = Parser.load(tiny_model, device="cpu", punctuation="evidence")
    short = "the dog , sees ( the cat )"
    *parts, alone = parser.parse(["the dog , sees the cat", "the dog ; barks ( at me )", "the cat .", short])
    monkeypatch.setattr(parser, "longest", 5)
    [whole, other] = parser.parse(["the dog , sees the cat ; the dog ; barks ( at me ) , the cat .", short])
    moved = zip((0, 5, 10), parts, strict=True)
    spans = [{(s + at, e + at) for s, e in sentence_spans(part.tree, part.read, whole=True)} for at, part in moved]
    assert sentence_spans(whole.tree, whole.read, whole=True) == {(0, 12)}.union(*spans)
    assert (other.tree, other.heads) == (alone.tree, alone.heads)


def test_trivial_parsers_split_at_punctuation_too():
    first, second, *_ = Parser.load("right-branching", punctuation="evidence").parse(MARKED)
    spans = {(0, 6), (0, 2), (2, 6), (3, 6), (4, 6), (6, 11), (6, 8), (8, 11), (9, 11)}
    assert sentence_spans(first.tree, first.read) == spans
    assert sentence_spans(second.tree, second.read) >= {(0, 5), (2, 5), (5, 7)}


def test_what_reads_punctuation_has_no_evidence_beside_it(tiny_model, tmp_path):
    shutil.copytree(tiny_model, tmp_path / "reads")
    config = (tmp_path / "reads" / "config.yaml").read_text(encoding="utf-8")
    assert "punctuation: drop" in config
    config = config.replace("punctuation: drop", "punctuation: keep")
    (tmp_path / "reads" / "config.yaml").write_text(config, encoding="utf-8")
    plain, weighed = (Parser.load(tmp_path / "reads", device="cpu", punctuation=choice) for choice in PUNCTUATION)
    assert plain.parse(MARKED) == weighed.parse(MARKED)


def test_a_parse_has_the_text_as_it_was_written():
    parser = Parser.load("chain")
    text = "Hi Tom & Jane, don't (ever) go."
    assert [parse.text for parse in parser(f"{text} It slept!")] == [text, "It slept!"]
    [split], [tokenised] = parser.parse(text), parser.parse([["Hi", "Tom", "."]])
    assert split.text == text
    assert tokenised.text == "Hi Tom ."
    assert split == parser.parse([split.tokens])[0]


def test_strings_are_split_as_the_lines_of_a_file(tmp_path):
    lines = ["a cat , a dog .\n", "He is 5 ft.\n"] * 600
    (tmp_path / "text").write_text("".join(lines))
    assert run(["parse", str(tmp_path / "text"), "-m", "chain", "-f", "json", "-o", str(tmp_path / "out")]) == 0
    parsed = [tuple(json.loads(line)["tokens"]) for line in (tmp_path / "out").read_text().splitlines()]
    assert parsed[1] == ("He", "is", "5", "ft.")
    parser = Parser.load("chain")
    for given in (lines, "".join(lines), iter(lines)):
        assert [parse.tokens for parse in parser.parse(given)] == parsed
    assert parser.parse(lines[1])[0].tokens == ("He", "is", "5", "ft", ".")


def test_the_default_model_is_that_of_the_command_line():
    assert repr(synparse.load()) == "<Parser english>"


@pytest.mark.parametrize("models", [3, [3], ["chain", ["chain"]]])
def test_what_is_no_name_of_a_model_is_told(models):
    with pytest.raises(SettingError, match=r"^a name or a path, or a list of these, is needed here, not [3\[]"):
        synparse.load(models)


@pytest.mark.parametrize("models", ["english", ["english"]])
def test_a_parser_of_names_is_told_how_to_load_it(models):
    with pytest.raises(
        TypeError, match=rf"^models are loaded by their names by {re.escape(f'synparse.load({models!r})')}$"
    ):
        Parser(models)


@pytest.mark.parametrize("marks", ['""', "“”", "«»", "()"])
def test_no_constituent_crosses_quotation_marks_or_brackets(marks):
    opening, closing = marks
    parser = Parser.load("english")
    for said in ("He 's here !", "I saw the old man , who slept", "the dog barks"):
        sentence = [opening, *said.split(), closing, *"cried the mother of the boy .".split()]
        [parse] = parser.parse([sentence])
        first, last = 1, 1 + len(said.split())
        assert not [
            (start, end)
            for _, start, end in parse.tree.constituents
            if start < first - 1 < end - 1 < last - 1 or first < start < last + 1 < end
        ]
