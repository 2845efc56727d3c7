import pytest

from synparse.config.grammar import GrammarConfig
from synparse.corpora.normalization import TextConfig
from synparse.corpora.sentences import Sentence
from synparse.corpora.vocabulary import SPECIAL, Vocabulary
from synparse.training.events import Reading
from synparse.training.reading import (
    LONGEST_CONTEXT,
    MOST_NAMES,
    RunSettings,
    grammar_text,
    names_of_files,
    read_corpus,
)
from synparse.trees.errors import DataError

TEXT = TextConfig(min_count=1, phrase_boundaries=False)
LINES = [f"the dog number {number} barks ." for number in range(60)]


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "corpus.txt").write_text("\n".join(LINES))
    return str(tmp_path / "corpus.txt")


def read(paths, tmp_path, text=TEXT, report=lambda _: None, **changes):
    more = {name: changes.pop(name) for name in ("text_of_grammars", "known", "with_trees") if name in changes}
    return read_corpus(RunSettings(tuple(paths), **changes), text, tmp_path / "model", report, **more)


def test_files_are_read_one_after_the_other(corpus, tmp_path):
    once, twice = read([corpus], tmp_path), read([corpus, corpus], tmp_path)
    assert len(once.train) + len(once.valid) == len(LINES)
    assert len(twice.train) + len(twice.valid) == 2 * len(LINES)
    assert once.fingerprint == read([corpus], tmp_path).fingerprint != twice.fingerprint
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.txt"]  # no file is left


def test_held_out_text_may_have_its_own_file(corpus, tmp_path):
    (tmp_path / "held.txt").write_text("the dog barks .\n" * 7)
    data = read([corpus], tmp_path, valid=str(tmp_path / "held.txt"))
    assert (len(data.train), len(data.valid)) == (len(LINES), 7)


def test_the_words_may_be_those_of_another_text(corpus, tmp_path):
    vocabulary = Vocabulary([*SPECIAL, "dog", "unicorn"])
    vocabulary.write(tmp_path / "vocabulary.txt")
    data = read([corpus], tmp_path, vocabulary=str(tmp_path / "vocabulary.txt"))
    assert data.vocabulary.words == vocabulary.words
    kept = read([corpus], tmp_path).vocabulary  # that of a run that goes on
    assert read([corpus], tmp_path, known=kept, vocabulary="gone.txt").vocabulary is kept
    with pytest.raises(DataError, match=r"gone\.txt: no readable vocabulary"):
        read([corpus], tmp_path, vocabulary="gone.txt")


def test_phrase_boundaries_are_learned_where_the_text_asks_for_them(corpus, tmp_path):
    assert read([corpus], tmp_path).boundaries is None
    data = read([corpus], tmp_path, TextConfig(min_count=1, phrase_boundaries=True))
    assert len(data.boundaries.starts) == len(data.vocabulary)


def test_grammars_learn_from_the_training_text_alone(corpus, tmp_path):
    (tmp_path / "held.txt").write_text("another one .\n" * 7)
    source = grammar_text(TEXT, GrammarConfig(longest=6, sentences=10), 1)
    data = read([corpus], tmp_path, text_of_grammars=source, valid=str(tmp_path / "held.txt"))
    assert len(data.train) == len(LINES)
    assert len(source.sentences) == 10
    assert {" ".join(tokens) for tokens in source.sentences} <= set(LINES)
    assert "another" not in source.bigrams.forms()


def test_it_reports_how_far_it_is(tmp_path):
    (tmp_path / "long.txt").write_text("a b\n" * 20_500)
    events = []
    read([str(tmp_path / "long.txt")], tmp_path, report=events.append)
    assert events == [Reading(10_000), Reading(20_000)]


def test_what_cannot_be_read_is_told(tmp_path, corpus):
    with pytest.raises(DataError, match="is a folder, not a file"):
        read([str(tmp_path)], tmp_path)
    with pytest.raises(DataError, match=r"corpus.txt: has no trees to learn from"):
        read([corpus], tmp_path, with_trees=True)


def test_a_config_does_not_list_a_whole_corpus():
    paths = [f"/there/{number}.txt" for number in range(MOST_NAMES + 2)]
    assert names_of_files(paths[:2]) == ["0.txt", "1.txt"]
    assert names_of_files(paths)[-2:] == [f"{MOST_NAMES - 1}.txt", "and 2 more"]


def test_a_corpus_of_many_files_is_named_in_part():
    paths = [f"/folder/{number}.txt" for number in range(MOST_NAMES + 5)]
    names = [f"{number}.txt" for number in range(MOST_NAMES)]
    assert names_of_files(paths[:MOST_NAMES]) == names
    assert names_of_files(paths) == [*names, "and 5 more"]


# What grammars are learned from.


def test_sentences_are_passed_on_and_what_grammars_need_is_kept():
    lines = ["a b c", "one", "", "x !", "a b c d e f", "d e . .", ". ."]
    source = grammar_text(TextConfig(min_count=2), GrammarConfig(longest=5), 1)
    passed = list(source.of(Sentence(tuple(line.split())) for line in lines))
    assert [" ".join(sentence.tokens) for sentence in passed] == lines
    assert [" ".join(tokens) for tokens in source.sentences] == ["a b c", "d e . ."]
    assert [" ".join(tokens) for tokens in source.context.items] == lines
    assert {"one", "f", "x"} <= set(source.bigrams.forms())


def test_of_a_long_line_the_beginning_is_kept():
    source = grammar_text(TextConfig(min_count=2), GrammarConfig(context_sentences=1), 1)
    [passed] = source.of([Sentence(("a", "b") * LONGEST_CONTEXT)])
    assert len(passed.tokens) == 2 * LONGEST_CONTEXT
    assert [len(tokens) for tokens in source.context.items] == [LONGEST_CONTEXT]


def test_samples_are_of_the_size_and_the_seed_that_was_asked_for():
    def samples(seed):
        source = grammar_text(TextConfig(min_count=2), GrammarConfig(sentences=5, context_sentences=7), seed)
        for _ in source.of(Sentence((f"a{number}", "b")) for number in range(50)):
            pass
        return source.sentences, source.context.items

    assert [len(sample) for sample in samples(1)] == [5, 7]
    assert samples(1) == samples(1) != samples(2)
