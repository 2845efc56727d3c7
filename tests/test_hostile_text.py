"""Text as it comes: mixed scripts, emoji, control characters, several encodings of one word, no end of a sentence.

Every command gives one sentence for each, with all its words, or says in one line what is wrong.
"""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synparse.cli.app import run
from synparse.corpora.sentences import read_files
from synparse.corpora.tokenization import load_tokenizer
from synparse.drawing.show import show
from synparse.parsing.parser import Parser
from synparse.parsing.run import parse
from synparse.training.run import train
from tests.conftest import GRAMMARS

LINES = [
    "the dog הכלב كَلْب собака 犬 เจ้าหมา barked .",
    "« der „ Hund “ 「 犬 」 ” koira ” ( the dog ] » , ، 、 ।",
    "\u202edog the\u202c \u2067dog\u2069 \ufeffthe \u200b \u00ad",
    "👨\u200d👩\u200d👧 ❤\ufe0f 👍🏽 🇳🇬 🏴\U000e0067\U000e0062\U000e007f ☺ 1\ufe0f\u20e3 .",
    "the\x02dog \x01 \x7f a\x1bb \x9b \u2028x\u2029y",
    "\u0301 a" + "\u0301" * 3000 + " Z\u0351\u036b\u0343a\u0327l\u0321g\u0322o",
    "ọmọ o\u0323mo\u0323 o\u0301\u0323 हिन्दी क्\u200dष می\u200cخواهم \u1112\u1161\u11ab 한",
    "١٢٣ १२३ 一二三 １２３ Ⅷ ½ ²",
    "x" * 20_000,
    ". , ! ؟ 。 ‼\ufe0f \u200d",
]


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("hostile") / "text.txt"
    path.write_text("".join(f"{line}\n" for line in LINES), encoding="utf-8", newline="")
    return path


def tokens_of(path):
    return [list(sentence.tokens) for sentence in read_files([str(path)], load_tokenizer("whitespace"))]


@pytest.mark.parametrize("name", ["tiny_model", "tiny_udgn", "tiny_student", "tiny_taught", "tiny_grammar", "chain"])
def test_every_sentence_is_parsed_whole(name, text, request):
    model = "chain" if name == "chain" else str(request.getfixturevalue(name))
    expected = tokens_of(text)
    parser = Parser.load(model, device="cpu", punctuation="evidence")
    for tokens, parsed in zip(expected, parser.parse(expected), strict=True):
        assert list(parsed.tokens) == tokens
        assert parsed.tree is None or parsed.tree.words == parsed.tokens
        assert parsed.heads is None or sum(head == 0 for head in parsed.heads) == 1
    lines = "".join(parse([str(text)], [model], "json", jobs=1)).splitlines()
    assert [json.loads(line)["tokens"] for line in lines] == expected


ENDLESS = ["the", "dog", "sees", "犬"] * 1250


@pytest.mark.parametrize("name", ["tiny_model", "tiny_student"])
def test_a_sentence_without_an_end_is_parsed_whole(name, request):
    [parsed] = Parser.load(request.getfixturevalue(name), device="cpu", punctuation="evidence").parse([ENDLESS])
    assert list(parsed.tokens) == ENDLESS
    assert parsed.tree is None or parsed.tree.constituents[0][1:] == (0, len(ENDLESS))
    assert sum(head == 0 for head in parsed.heads) == 1


def test_what_is_parsed_can_be_read_again_and_drawn(tiny_udgn, tmp_path):
    source = tmp_path / "source.txt"
    shown = [line for line in LINES if len(line) < 1000 and "\x7f" not in line]  # which no page obeys
    source.write_text("".join(f"{line}\n" for line in shown), encoding="utf-8", newline="")
    for format, name in (("conllu", "out.conllu"), ("brackets", "out.mrg"), ("json", "out.json")):
        written = tmp_path / name
        written.write_text("".join(parse([str(source)], [str(tiny_udgn)], format, jobs=1)), "utf-8", newline="")
        again = tokens_of(written)
        assert again == tokens_of(source) or format == "brackets"  # ( is -LRB- there
        assert list(map(len, again)) == list(map(len, tokens_of(source)))
        with written.open(encoding="utf-8", newline="\n") as lines:
            for picture in ("text", "svg", "html"):
                lines.seek(0)
                drawn = "".join(show(lines, name, picture=picture, width=80))
                assert not any(control in drawn for control in "\x1b\x01\x7f\x9b")


def test_training_takes_all_of_it(text, tiny_udgn_recipe, sample_text, tmp_path):
    corpus = tmp_path / "corpus.txt"
    corpus.write_bytes(
        b"".join(f"{line}\n".encode() for line in [*sample_text[:100], " ".join(ENDLESS)]) + text.read_bytes() * 3
    )
    changes = ["grammar.parts=all", *GRAMMARS, "text.unknown_classes=9", "text.phrase_boundaries=true"]
    train([str(corpus)], str(tiny_udgn_recipe), tmp_path / "net", changes=[*changes, "training.epochs=1"])
    train([str(corpus)], "grammar", tmp_path / "counted", changes=[*GRAMMARS, "text.min_count=2"])
    for model in ("net", "counted"):
        parses = Parser.load(tmp_path / model, device="cpu").parse([line.split() for line in LINES])
        assert [list(parsed.tokens) for parsed in parses] == [line.split() for line in LINES]


@pytest.mark.parametrize("command", [["parse", "--model", "chain"], ["train", "--output", "model", "--minutes", "1"]])
def test_half_of_a_surrogate_pair_is_an_error_line(command, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_bytes(b"the dog\nthe \xed\xa0\x80 dog\n")
    assert run([command[0], "text.txt", *command[1:]]) == 1
    error = capsys.readouterr().err
    assert error.startswith("synparse: ")
    assert "text.txt:2: not UTF-8 (byte 0xed)" in error
    assert error.count("\n") == 1


characters = st.characters(exclude_categories=["Cs"])


@given(st.lists(st.lists(st.text(characters, min_size=1, max_size=6), min_size=1, max_size=12), max_size=6))
def test_any_tokens_have_trees(sentences):
    parser = Parser.load("chain", punctuation="evidence")
    for tokens, parsed in zip(sentences, parser.parse(sentences), strict=True):
        assert parsed.tokens == tuple(tokens)
        assert sum(head == 0 for head in parsed.heads) == 1


def test_a_decomposed_word_is_the_same_word(tiny_udgn):
    parser = Parser.load(tiny_udgn, device="cpu")
    sentence = "the café , naïve and Ọmọ , sees İzmir".split()
    composed, decomposed = (
        parser.parse([[unicodedata.normalize(form, word) for word in sentence]])[0] for form in ("NFC", "NFD")
    )
    assert composed.heads == decomposed.heads
    assert composed.distances == decomposed.distances
