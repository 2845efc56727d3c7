"""Trees that are given to a run: what is read of them, and what grammars and students make of them."""

import hashlib
import json

import pytest

from synparse.config.recipe import load_recipe, recipe_from
from synparse.corpora.normalization import TextConfig
from synparse.corpora.sentences import Sentence
from synparse.corpora.tree_targets import read_trees
from synparse.parsing.pack import pack
from synparse.parsing.parser import Parser
from synparse.store.grammars import find_grammars
from synparse.store.model_directory import CARD
from synparse.store.models import open_model
from synparse.training import given_trees as given_trees_module
from synparse.training.given_trees import fraction_of_text, given_trees, note_on_checked, times_counted
from synparse.training.run import train
from synparse.trees.errors import DataError, SettingError
from tests.conftest import GRAMMARS

HALF = "1\tthe\t_\t_\t_\t_\t_\t_\t_\t_\n2\tdog\t_\t_\t_\t_\t3\tnsubj\t_\t_\n3\tbarks\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
WHOLE = HALF.replace("the\t_\t_\t_\t_\t_\t_", "the\t_\t_\t_\t_\t2\tdet")


@pytest.fixture
def file(file):
    return lambda text, name="given.conllu": file(text, name)


def test_heads_and_constituents_are_given_by_the_files_that_have_them(file):
    jsonl = json.dumps({"tokens": ["a", "b", "c"], "heads": [None, 0, 2], "constituents": [[0, 3], [0, 2]]}) + "\n"
    paths = [file(HALF), file("(S (NP the dog) barks)\n", "t.brackets"), file(jsonl, "t.jsonl")]
    conllu, brackets, both = (tree.draft.given for tree in given_trees(paths, TextConfig()))
    assert (conllu.heads, conllu.spans) == ((None, 3, 0), ())
    assert (brackets.heads, brackets.spans) == ((), ((0, 2),))
    assert (both.heads, both.spans) == ((None, 0, 2), ((0, 2),))
    nothing = HALF.replace("\t3\tnsubj", "\t_\t_").replace("\t0\troot", "\t_\t_")
    assert len(given_trees([file(nothing + WHOLE)], TextConfig())) == 1


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ("the dog barks\n", "t.txt", "t.txt: has no trees"),
        (HALF.replace("\t3\tnsubj", "\t_\t_").replace("\t0\troot", "\t_\t_"), "t.conllu", "no sentence has a head"),
        (WHOLE.replace("\t2\tdet", "\t9\tdet"), "t.conllu", "t.conllu:1: word 1 (the) has head '9'"),
        (WHOLE.replace("\t3\tnsubj", "\t1\tnsubj"), "t.conllu", r"--trees: the heads of the words 1, 2 are a cycle"),
    ],
)
def test_what_cannot_be_learned_from_is_told(file, text, name, reason):
    with pytest.raises(DataError) as error:
        given_trees([file(text, name)], TextConfig())
    assert reason in str(error.value)


MARKED = '{"tokens": ["a"], "heads": [0], "checked": true}\n'


@pytest.mark.parametrize(
    ("checked", "other", "name"),
    [("# checked = yes\n" + WHOLE, WHOLE, "t.conllu"), (MARKED, MARKED.replace("true", "false"), "t.jsonl")],
)
def test_a_note_says_how_many_trees_are_not_checked_where_some_are(file, checked, other, name):
    def note(text):
        return note_on_checked(given_trees([file(text, name)], TextConfig()))

    assert note(checked + 2 * other).startswith("--trees: 2 of 3 sentences are not marked as checked")
    assert (note(2 * checked), note(2 * other)) == ("", "")
    if name == "t.conllu":  # trees of a parser that nobody has checked
        assert note("# synparse = x\n" + 2 * other).startswith("--trees: 2 of 2 sentences are not marked as checked")
        assert note("# synparse = x\n" + 2 * checked) == ""
        opened = WHOLE.replace("\t0\t", "\t_\t")
        assert note("# synparse = x\n" + opened + 2 * checked) == ""  # the parser's heads are left out


@pytest.mark.parametrize(
    ("trees", "sentences", "times"), [(10, 12_000, 120), (100, 12_000, 120), (2000, 12_000, 6), (50, 9, 1)]
)
def test_few_trees_count_less_than_the_text_and_many_as_much(trees, sentences, times):
    assert times_counted(trees, sentences) == times
    assert times * trees == max(trees, sentences * fraction_of_text(trees))


def test_grammars_leave_out_given_trees_without_words(tmp_path, sample_text, file):
    corpus = file("".join(f"{line}\n" for line in sample_text[:50]), "corpus.txt")
    marks = "1\t?\t_\t_\t_\t_\t0\troot\t_\t_\n2\t!\t_\t_\t_\t_\t1\tpunct\t_\t_\n\n"
    changes = [*GRAMMARS, "grammar.parts=dependencies", "text.min_count=1"]
    train([corpus], "grammar", tmp_path / "model", changes=changes, trees=[file(marks + WHOLE)])
    [grammars] = open_model(tmp_path / "model").grammars
    without = train([corpus], "grammar", tmp_path / "other", changes=changes, trees=[file(WHOLE, "w.conllu")])
    assert grammars.provenance["sentences"] == open_model(without.directory).grammars[0].provenance["sentences"]


def backwards(lines):
    """Each word depends on the one before: no parser of this text learns that by itself."""
    rows = [
        "\n".join(f"{n}\t{word}\t_\t_\t_\t_\t{n - 1}\t_\t_\t_" for n, word in enumerate(line.split(), 1))
        for line in lines
    ]
    return "\n\n".join(rows) + "\n\n"


def fraction_backwards(parser, lines):
    parses = parser.parse(lines)
    heads = [head for parse in parses for head in parse.heads[1:]]
    expected = [number for parse in parses for number in range(1, len(parse.heads))]
    return sum(map(int.__eq__, heads, expected)) / len(heads)


@pytest.fixture
def corpus(file, sample_text):
    return file("".join(f"{line}\n" for line in sample_text[:200]), "corpus.txt")


def test_grammars_learn_given_trees(corpus, file, sample_text, tmp_path, tiny_grammar, monkeypatch):
    monkeypatch.setattr(given_trees_module, "AS_MUCH_AS_TEXT", 20)
    lines = [line.removesuffix(" .") for line in sample_text[300:320]]
    trees = file(backwards(lines))
    result = train([corpus], "grammar", tmp_path / "model", changes=[*GRAMMARS, "text.min_count=2"], trees=[trees])
    parser, before = Parser.load(result.directory), Parser.load(tiny_grammar)
    others = [line.removesuffix(" .") for line in sample_text[320:360]]
    assert fraction_backwards(parser, others) > fraction_backwards(before, others) + 0.1
    provenance = open_model(result.directory).provenance
    assert provenance["corpus"]["given_trees"] == {
        "files": ["given.conllu"],
        "sha256": hashlib.sha256(backwards(lines).encode()).hexdigest(),
        "sentences": 20,
    }
    assert provenance["corpus"]["training_sentences"] == 200
    pack([result.directory, tiny_grammar], [result.directory], tmp_path / "packed")
    for directory in (result.directory, tmp_path / "packed"):
        assert "semi-supervised: from raw text and 20 sentences with given trees (given.conllu)" in (
            directory / CARD
        ).read_text(encoding="utf-8")
    assert "--trees given.conllu" in (tmp_path / "packed" / CARD).read_text(encoding="utf-8")


ARTICLES = ("the", "a", "an")


def after_articles(words):
    return [number for number in range(1, len(words)) if words[number - 1].lower() in ARTICLES]


def test_ten_given_trees_teach_what_the_text_contradicts(corpus, file, sample_text, tmp_path, tiny_grammar):
    """Words depend on the articles before them, of which no parser makes heads; no other head is given."""
    lines = [line.split() for line in sample_text[300:340]]
    text = ""
    for words in lines[:10]:
        heads = [number if number in after_articles(words) else "_" for number in range(len(words))]
        rows = (
            f"{n}\t{word}\t_\t_\t_\t_\t{head}\t_\t_\t_\n"
            for n, (word, head) in enumerate(zip(words, heads, strict=True), 1)
        )
        text += "".join(rows) + "\n"
    changes = [*GRAMMARS, "text.min_count=2", "grammar.parts=dependencies"]
    result = train([corpus], "grammar", tmp_path / "model", changes=changes, trees=[file(text)])

    def right(parser):
        parses = zip(lines[10:], parser.parse(lines[10:]), strict=True)
        found = [parse.heads[number] == number for words, parse in parses for number in after_articles(words)]
        return sum(found) / len(found)

    assert right(Parser.load(tiny_grammar)) == 0
    parser = Parser.load(result.directory)
    assert right(parser) > 0.7
    sentence = Sentence(("the", "dog", "barks"), heads=(3, 3, 0))
    [kept] = parser.parse([sentence], keep=("heads",))
    assert kept.heads == (3, 3, 0)


@pytest.mark.parametrize(
    ("text", "name", "are_taught"),
    [
        ("(S (NP the dog) barks)\n", "t.brackets", False),
        (backwards(["? !"]), "marks.conllu", False),
        (backwards([" ".join(["dog"] * 20)]), "long.conllu", True),  # of which no grammar learns
    ],
)
def test_heads_of_words_are_taught_by_sentences_of_any_length(corpus, file, tmp_path, text, name, are_taught):
    changes = [*GRAMMARS, "text.min_count=2", "grammar.parts=dependencies"]
    result = train([corpus], "grammar", tmp_path / "model", changes=changes, trees=[file(text, name)])
    [found] = find_grammars(open_model(result.directory))
    assert (found.grammars.head_choice is not None) == are_taught


def test_word_classes_are_those_of_the_text_alone(corpus, file, tmp_path):
    """So that few trees change nothing but what they say: classes of other words are other classes everywhere."""
    changes = [*GRAMMARS, "grammar.parts=dependencies"]
    classes = [
        (train([corpus], "grammar", tmp_path / name, changes=changes, trees=trees).directory / "grammars-1/classes.tsv")
        for name, trees in (("with", [file(WHOLE)]), ("without", []))
    ]
    assert classes[0].read_bytes() == classes[1].read_bytes()


def test_students_learn_given_trees_beside_those_of_the_text(corpus, file, tmp_path, tiny_student_recipe, monkeypatch):
    grammars = load_recipe("grammar", GRAMMARS).stages[0].as_mapping()
    [student] = load_recipe(str(tiny_student_recipe)).networks
    stages = [grammars, {"trees": 30, "function_words": "leaves"}, student.as_mapping()]
    recipe = recipe_from({"name": "several", "text": {"min_count": 2}, "stages": stages})
    paths = [file(HALF), file("(S (NP the dog) barks)\n", "t.brackets")]
    kept, read = [], []

    def noted(path, tokenize):
        read.append(path)
        return read_trees(path, tokenize)

    monkeypatch.setattr(given_trees_module, "read_trees", noted)

    def report(_):
        if trees := list((tmp_path / "model").glob("trees-*.jsonl")):
            kept[:] = trees[0].read_text(encoding="utf-8").splitlines()

    train([corpus], recipe, tmp_path / "model", trees=paths, report=report)
    assert read == paths  # once, though two stages and the labels take them
    rows = [json.loads(line) for line in kept]
    with_heads, with_constituents = rows[30:]
    assert with_heads["heads"][1:] == [3, 0]
    assert [0, 2] in with_constituents["constituents"]


def test_trees_need_a_stage_that_learns_from_them(corpus, file, tiny_udgn_recipe, tmp_path):
    with pytest.raises(SettingError, match="--trees is for grammars"):
        train([corpus], str(tiny_udgn_recipe), tmp_path / "model", trees=[file(WHOLE)])
    with pytest.raises(SettingError, match="--trees takes a file"):
        train([corpus], "grammar", tmp_path / "model", trees=["-"])


@pytest.mark.parametrize("text", ["the dog barks\n", WHOLE + WHOLE.replace("\t2\tdet", "\t9\tdet")])
def test_faults_of_trees_are_told_before_networks_are_trained(corpus, file, tiny_udgn_recipe, tmp_path, text):
    stages = [*load_recipe(str(tiny_udgn_recipe)).stages, *load_recipe("grammar", GRAMMARS).stages]
    recipe = recipe_from({"name": "both", "stages": [stage.as_mapping() for stage in stages]})
    with pytest.raises(DataError, match=r"given.conllu"):
        train([corpus], recipe, tmp_path / "model", trees=[file(text)])
    assert not (tmp_path / "model").exists()
