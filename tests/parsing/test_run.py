"""What a run of the parser is made of: the decoders that are chosen, and what does not go together."""

import itertools
import json

import pytest

from synparse.config.version import __version__
from synparse.parsing.options import ParserOptions
from synparse.parsing.parser import Parser
from synparse.parsing.run import Cluster, chosen_decoders, parse
from synparse.trees import function_words
from synparse.trees.errors import SettingError


@pytest.mark.parametrize(
    ("named", "format", "expected"),
    [
        ({}, "conllu", (None, "mst")),
        ({}, "brackets", ("unbiased", None)),
        ({}, "json", ("unbiased", "mst")),
        ({"heads": "projective"}, "conllu", (None, "projective")),
        ({"brackets": "projective"}, "brackets", ("projective", None)),
        ({"brackets": "published"}, "json", ("published", "mst")),
        ({"brackets": "published", "heads": "argmax"}, "json", ("published", "argmax")),
        ({"heads": "joint"}, "conllu", ("unbiased", "joint")),  # joint heads are those of the brackets
        ({"brackets": "published", "heads": "joint"}, "conllu", ("published", "joint")),
    ],
)
def test_the_decoders_that_a_format_needs(named, format, expected):
    assert chosen_decoders(Parser.load("chain"), format, **named) == expected


@pytest.mark.parametrize(
    ("named", "format", "expected"),
    [
        ({}, "conllu", (None, "phrases")),
        ({}, "json", ("unbiased", "phrases")),
        ({"brackets": "splits"}, "json", ("splits", "phrases")),
        ({"brackets": "splits"}, "conllu", ("splits", "phrases")),  # heads are those of the phrases of these brackets
        ({"heads": "phrases"}, "conllu", (None, "phrases")),
        ({"brackets": "published", "heads": "phrases"}, "conllu", ("published", "phrases")),
        ({"brackets": "published"}, "brackets", ("published", None)),
    ],
)
def test_brackets_whose_phrases_have_the_heads_are_needed(named, format, expected, tiny_student):
    assert chosen_decoders(Parser.load(tiny_student, device="cpu"), format, **named) == expected


@pytest.mark.parametrize("named", [{}, {"brackets": "published"}, {"brackets": "splits", "heads": "phrases"}])
def test_a_student_has_the_same_heads_in_every_format(named, tiny_student, tmp_path):
    (tmp_path / "a.txt").write_text("the old dog , however , sees the cat .\nit sleeps\n")
    conllu, lines = (
        "".join(parse([str(tmp_path / "a.txt")], [str(tiny_student)], format, **named, jobs=1)).splitlines()
        for format in ("conllu", "json")
    )
    heads = [int(line.split("\t")[6]) for line in conllu if line[:1].isdigit()]
    assert heads == [head for line in lines for head in json.loads(line)["heads"]]
    expected = Parser.load(tiny_student).parse(
        ["the old dog , however , sees the cat .", "it sleeps"],
        brackets=named.get("brackets", "unbiased"),
        heads="phrases",
    )
    assert heads == [head for parsed in expected for head in parsed.heads]


@pytest.mark.parametrize(
    ("named", "format", "message"),
    [
        ({"heads": "mst"}, "brackets", "--decode-heads: brackets have no place for heads"),
        (
            {"brackets": "unbiased"},
            "conllu",
            "--decode-brackets: .* heads by mst do not depend on them",
        ),
        ({"brackets": "unbiased", "heads": "argmax"}, "conllu", "heads by argmax do not depend on them"),
    ],
)
def test_decoders_that_a_format_has_no_use_for_are_refused(named, format, message):
    with pytest.raises(SettingError, match=message):
        chosen_decoders(Parser.load("chain"), format, **named)


@pytest.mark.parametrize("format", ["brackets", "json"])
def test_paragraphs_of_running_text_are_not_sentences(format, tmp_path):
    (tmp_path / "a.txt").write_text("It sleeps.\n\n\nIt barks.\n")
    lines, paragraphs = (
        "".join(parse([str(tmp_path / "a.txt")], ["chain"], format, tokenizer="treebank", raw=raw)).splitlines()
        for raw in (False, True)
    )
    assert (len(lines), len(paragraphs)) == (4, 2)
    assert paragraphs == [lines[0], lines[3]]


def test_conllu_says_what_its_trees_depend_on(tiny_student, tiny_on_lstm, tmp_path):
    (tmp_path / "a.txt").write_text("it sleeps\n")

    def first_line(*models, named=(), **options):
        text = "".join(
            parse([str(tmp_path / "a.txt")], models, "conllu", ParserOptions(**options), **dict(named), jobs=1)
        )
        return text.partition("\n")[0].removeprefix("# synparse = ").split(", ")

    student = f"{tiny_student.name} {__version__}"
    assert first_line(str(tiny_student)) == [student, "function words free", "punctuation ignore"]
    named = {"brackets": "splits", "heads": "phrases"}  # of which the second is what the model takes anyway
    assert first_line(str(tiny_student), named=named, function_words="leaves", punctuation="evidence") == [
        *(student, "function words leaves", "punctuation evidence", "brackets splits")
    ]
    ensemble = f"{tiny_on_lstm.name} {__version__} + chain"
    assert first_line(
        str(tiny_on_lstm), "chain", layer=1, without=("punctuation-cues",), named={"heads": "argmax"}
    ) == [
        *(ensemble, "function words free", "punctuation ignore", "layer 1", "without punctuation-cues", "heads argmax")
    ]


def test_a_model_without_heads_writes_no_conllu(tiny_on_lstm):
    parser = Parser.load(tiny_on_lstm)
    with pytest.raises(SettingError, match=r"on-lstm-1 induces no heads; .* or a model that has heads \(.*udgn"):
        chosen_decoders(parser, "conllu")
    assert chosen_decoders(parser, "json") == ("unbiased", None)
    with pytest.raises(SettingError, match="on-lstm-1 induces no heads; use --format brackets, or"):  # to keep them in
        parse([], [str(tiny_on_lstm)], "json", keep=("heads",))


def test_what_grammars_are_learned_from_has_no_heads_and_is_not_named_among_models_that_have_them(tiny_grammar):
    parser = Parser.load(tiny_grammar / "grammar-1")
    with pytest.raises(SettingError, match=r"grammar-1 induces no heads; .*\(with grammars, or udgn, .*, student\)$"):
        chosen_decoders(parser, "conllu")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cluster": Cluster("nonsense")}, "--dask takes local, or an address such as tcp://host:8786"),
        ({"inputs": ["-"]}, "name them as TEXT"),
        ({"output": "-"}, "name a file by --output"),
        ({"models": ["random"]}, "one process must draw all random trees"),
        ({"cluster": Cluster("tcp://host:1"), "jobs": 2}, "leave --jobs out"),
    ],
)
def test_what_a_cluster_cannot_do_is_refused_before_it_is_called(changes, message):
    asked = {"inputs": ["a.txt"], "models": ["chain"], "cluster": Cluster("local"), "output": "out", **changes}
    with pytest.raises(SettingError, match=message):
        next(parse(**asked))


def test_the_function_words_of_a_content_chain_are_those_of_all_files(tmp_path, monkeypatch):
    monkeypatch.setattr(function_words, "MOST_FREQUENT", 2)
    (tmp_path / "a.txt").write_text("a dog of the man barks\n")
    (tmp_path / "b.txt").write_text("The the of of\n")  # these two are the most frequent words of both files
    files, in_order = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")], (2, 5, 5, 5, 6, 0)
    texts = parse(files, ["content-chain"], "json", jobs=1)
    assert tuple(json.loads(next(texts).splitlines()[0])["heads"]) == in_order
    sentences = ["a dog of the man barks", "The the of of"]
    assert Parser.load("content-chain").parse(sentences)[0].heads == in_order
    known = Parser.load("content-chain", content_chain_function_words=frozenset(["a"])).parse(sentences)
    assert known[0].heads == (2, 3, 4, 5, 6, 0)


def test_processes_know_the_function_words_of_the_whole_input(tmp_path):
    rare = ["".join(letters) for letters in itertools.product("abcdefghi", repeat=3)]  # of 729 words two windows
    text = "".join(f"the {word} of the {word}s .\n" for word in rare)
    (tmp_path / "a.txt").write_text(text)
    one_process, two_processes = (
        list(parse([str(tmp_path / "a.txt")], ["content-chain"], "json", jobs=jobs)) for jobs in (1, 2)
    )
    assert one_process == two_processes
    assert '"heads": [2, 5, 5, 5, 0, 5]' in one_process[-1].splitlines()[-1]


def test_running_text_is_split_by_the_tokenizer_that_is_named(tmp_path):
    (tmp_path / "a.txt").write_text("It doesn't. It sleeps.")
    texts = parse([str(tmp_path / "a.txt")], ["chain"], "json", raw=True, tokenizer="treebank", jobs=1)
    tokens = [json.loads(line)["tokens"] for line in "".join(texts).splitlines()]
    assert tokens == [["It", "does", "n't", "."], ["It", "sleeps", "."]]


def tokens_of(tmp_path, text, models=("chain",), **options):
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    notes = []
    texts = parse([str(tmp_path / "a.txt")], models, "json", jobs=1, report=notes.append, **options)
    return [json.loads(line)["tokens"] for line in "".join(texts).splitlines()], notes


def test_text_that_is_not_tokenised_is_and_a_note_says_so(tmp_path):
    tokens, [note] = tokens_of(tmp_path, "It isn't cheap, is it?\nNo.\n")
    assert tokens == [["It", "is", "n't", "cheap", ",", "is", "it", "?"], ["No", "."]]
    assert note.startswith("taken as English (--language): each line is a sentence, words by ")
    assert note.endswith("; --tokenizer whitespace splits at blanks only")
    assert tokens_of(tmp_path, "Yahoo! is up .\nHe said : stop .") == (
        [["Yahoo!", "is", "up", "."], ["He", "said", ":", "stop", "."]],
        [],
    )
    assert tokens_of(tmp_path, "It is.", tokenizer="whitespace") == ([["It", "is."]], [])


def test_without_a_model_the_language_chooses_it(tmp_path):
    tokens, [note] = tokens_of(tmp_path, "Er kam zum Dom.", (), language="de")
    assert tokens == [["Er", "kam", "zu", "dem", "Dom", "."]]
    assert note.startswith("German: ")
    with pytest.raises(SettingError, match=r"no model of Basque is shipped; .* synparse train TEXT --language eu"):
        tokens_of(tmp_path, "Bai.", (), language="eu")


def test_the_shipped_model_reads_english(tmp_path):
    tokens, notes = tokens_of(tmp_path, "“It isn’t so,” said Dr. Gray. He left.", ["english"], raw=True)
    assert tokens == [["“", "It", "is", "n’t", "so", ",", "”", "said", "Dr.", "Gray", "."], ["He", "left", "."]]
    assert not notes


def test_a_table_that_is_read_as_text_is_reported(tmp_path):
    (tmp_path / "x.csv").write_text("id,text\n1,it sat\n")
    notes = []
    texts = list(parse([str(tmp_path / "x.csv")], ["chain"], "brackets", report=notes.append))
    assert len(texts) == 1
    assert [note.partition("; ")[0] for note in notes] == [f"{tmp_path / 'x.csv'}: a table"]
