"""The note on a text whose words the models do not know: when it is given, once, and what it says."""

import math
import unicodedata

import pytest

from synparse.cli.app import run
from synparse.corpora.normalization import TextConfig
from synparse.corpora.sentences import Sentence
from synparse.parsing.parser import Parser
from synparse.parsing.run import Cluster, parse
from synparse.parsing.scorers import Member
from synparse.parsing.unknown_words import FIRST_WORDS, LEAST_WORDS, first_sentences, note_on_unknown_words, watched


def parser_of(*vocabularies, **text):
    return Parser(
        [Member(TextConfig(**text), "student", lambda *_: [], knows=words.__contains__) for words in vocabularies]
    )


ENGLISH = parser_of({"the", "dog", "N"})


def sentences(*lines):
    return [Sentence(tuple(line.split())) for line in lines]


def test_words_are_known_in_their_vocabulary_form():
    tokens = ["The", "DOG", ",", "1990", "Hund", "\u200b"]
    assert ENGLISH.knows(tokens) == [True, True, True, False]
    assert parser_of({"the", "hund"}, lowercase=False).knows(tokens) == [False, False, False, False]
    assert parser_of({"the"}, {"hund"}).knows(tokens) == [True, False, False, True]
    assert Parser.load("chain").knows(tokens) == []


def note(known, unknown, models=("mine",)):
    """On so many words that are known, and so many that no shipped model knows either."""
    tokens = ["the"] * known + ["xqzz"] * unknown
    return note_on_unknown_words(ENGLISH.knows(tokens), tokens, ["english", *models])


@pytest.mark.parametrize(("words", "unknown"), [(20, 16), (100, 65), (1000, 547)])
def test_the_share_must_surely_be_above_one_half(words, unknown):
    """The fewer words, the higher: 16 of 20 are 80 %, below 50 % + 1.5 / √20."""
    least = math.floor(words * (0.5 + 1.5 / math.sqrt(words)))
    assert least == unknown
    assert note(words - least, least) is None
    assert note(words - least - 1, least + 1) is not None


def test_a_sentence_in_a_script_without_blanks_has_as_many_words_as_characters():
    told = []
    japanese = [Sentence(("吾輩は猫である", "。", "名前はまだ無い", "。"))]
    assert list(watched(japanese, ENGLISH.knows, ["english"], told.append)) == japanese
    assert [note.split(": ")[0] for note in told] == ["100 % of the first 14 words are unknown to the model english"]
    assert told[0].endswith("(synparse parse --model japanese)")


def test_few_words_are_too_few():
    assert note(0, 9) is None
    assert note(0, 10) is not None
    assert note(0, 0) is None
    yoruba = "ọmọ náà rí ajá kan".split()  # another model knows them
    assert len(yoruba) == LEAST_WORDS
    assert note_on_unknown_words([False] * 4, yoruba[:4], ["english"]) is None
    assert "yoruba knows" in note_on_unknown_words([False] * 5, yoruba, ["english"])
    decomposed = [unicodedata.normalize("NFD", word) for word in yoruba]
    assert "yoruba knows" in note_on_unknown_words([False] * 5, decomposed, ["english"])


def test_a_first_sentence_of_rare_words_does_not_make_a_text_foreign():
    """Such as a list of names: 11 of 13 words, and a third of those that follow."""
    notes = []
    text = sentences(*["a b x x x x x x x x x x x"], *["a b c d x x"] * 160)
    list(watched(text, parser_of(set("abcd")).knows, ["mine"], notes.append))
    assert notes == []


def test_the_note_is_a_question_in_one_line():
    assert note(40, 200, ["english"]) == (
        "83 % of the first 240 words are unknown to the model english: "
        "is the text in its language, and split into words?"
    )
    assert note(40, 200, ["chain", "b", "english"]) == (
        "83 % of the first 240 words are unknown to the models english, b: "
        "is the text in their language, and split into words? did the models read enough text in training?"
    )


def test_a_shipped_model_that_knows_more_is_named():
    tokens = "Das Wasser war nicht sehr warm gestern .".split()
    known = [True, True, True, False, False, True, False]  # too few to be sure by themselves
    assert note_on_unknown_words(known, tokens, ["english"]) == (
        "43 % of the first 7 words are unknown to the model english: "
        "german knows 100 % of them (synparse parse --model german)"
    )
    assert note_on_unknown_words(known, tokens, ["german"]) is None
    of_several = note_on_unknown_words([False] * 20, ["hotel"] * 20, ["english"])
    assert "synparse parse --model" not in of_several  # which one would be chance
    chinese = ["我", "昨", "天", "在", "图", "书", "馆", "看", "了", "本", "很", "有", "趣", "的", "书"]
    assert note_on_unknown_words([False] * len(chinese), chinese, ["english"]).endswith(  # japanese knows some of them
        "they are in the Han script, known words in the Latin one"
    )


def test_a_language_of_several_scripts_is_not_of_another_one():
    sentence = "きのうとしょかんでとてもおもしろいほんをよみました"
    assert note_on_unknown_words([False] * 10, [sentence] * 10, ["japanese"]).endswith("and split into words?")


def test_only_the_first_words_are_looked_up_and_every_sentence_passes():
    text = sentences(*["the dog"] * (FIRST_WORDS // 2), *["der Hund"] * 5000)
    source = iter(text)
    assert len(list(first_sentences(source))) == FIRST_WORDS // 2
    assert next(source).tokens == ("der", "Hund")
    notes = []
    assert list(watched(text, ENGLISH.knows, ["english"], notes.append)) == text
    assert notes == []
    assert list(watched(text[::-1], ENGLISH.knows, ["english"], notes.append)) == text[::-1]
    assert len(notes) == 1


def test_the_note_comes_as_soon_as_it_is_sure_and_sentences_do_not_wait():
    notes, read = [], []

    def lines():
        for sentence in sentences(*["der Hund"] * 50):
            read.append(sentence)
            yield sentence

    watch = watched(lines(), ENGLISH.knows, ["english"], notes.append)
    assert [len(notes) for _ in zip(watch, range(4), strict=False)] == [0, 0, 1, 1]
    assert len(read) <= 5


@pytest.fixture
def foreign(tmp_path):
    path = tmp_path / "foreign.txt"
    path.write_text("ọmọ náà rí ajá kan\n\n" * 700, encoding="utf-8")  # more than one window
    return str(path)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_says_it_once_beside_the_trees(jobs, foreign, tiny_student, capfd):
    assert run(["parse", foreign, "--model", str(tiny_student), "--model", "chain", "--jobs", str(jobs)]) == 0
    out, error = capfd.readouterr()
    assert out.count("# text = ọmọ náà rí ajá kan\n") == 700
    assert error == (
        f"synparse: 100 % of the first 10 words are unknown to the model {tiny_student}: "
        "yoruba knows 100 % of them (synparse parse --model yoruba)\n"
    )


def test_python_is_warned_once(tiny_grammar):
    parser = Parser.load(tiny_grammar)
    sentence = "ọmọ náà rí ajá kan ọmọ náà rí ajá"
    texts = [f"{sentence} kan", f"{sentence} lana"]  # many programs parse each sentence by itself
    with pytest.warns(UserWarning, match="100 % of the first 10 words are unknown to the model ") as warned:
        parses = list(map(parser.parse, texts))
    assert len(parses) == 2
    assert [warning.filename for warning in warned] == [__file__]


@pytest.mark.parametrize("name", ["tiny_grammar", "tiny_model"])
def test_every_kind_of_model_says_it(name, foreign, request):
    notes = []
    list(parse([foreign], [str(request.getfixturevalue(name))], jobs=1, report=notes.append))
    assert len(notes) == 1


def test_nothing_is_said_of_known_words_and_by_baselines(foreign, tiny_model, sample_text, tmp_path):
    known = tmp_path / "known.txt"
    known.write_text("".join(f"{line}\n" for line in sample_text), encoding="utf-8")
    notes = []
    list(parse([str(known)], [str(tiny_model)], jobs=1, report=notes.append))
    list(parse([foreign], ["chain"], report=notes.append))
    assert notes == []


def test_a_cluster_says_it_once(foreign, tiny_student, tmp_path, dask_address):
    notes = []
    texts = parse(
        [foreign],
        [str(tiny_student)],
        cluster=Cluster(dask_address, 0.005),
        output=str(tmp_path / "out.conllu"),
        report=notes.append,
    )
    assert "".join(texts).count("# sent_id") == 700
    assert len(notes) == 1
