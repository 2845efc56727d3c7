import gzip
import os
import re
import shutil
import signal
from collections import Counter

import pytest
import yaml

from synparse.config.grammar import GrammarConfig
from synparse.config.plain_yaml import plain_yaml
from synparse.corpora.normalization import TextConfig
from synparse.corpora.sentences import Sentence
from synparse.corpora.vocabulary import SPECIAL, Vocabulary
from synparse.corpora.word_classes import PUNCTUATION
from synparse.files.processes import pool
from synparse.training import reading
from synparse.training.events import Reading
from synparse.training.reading import (
    LONGEST_CONTEXT,
    MOST_NAMES,
    RunSettings,
    count_corpus,
    grammar_text,
    names_of_files,
    parts_of,
    read_corpus,
)
from synparse.trees.errors import DataError, SettingError

TEXT = TextConfig(min_count=1, phrase_boundaries=False)
LINES = [f"the dog number {number} barks ." for number in range(60)]


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "corpus.txt").write_text("\n".join(LINES))
    return str(tmp_path / "corpus.txt")


def count(paths, text=TEXT, known=None, grammar=None, with_trees=False, executor=map, report=lambda _: None, **changes):
    return count_corpus(RunSettings(tuple(paths), **changes), text, report, known, grammar, with_trees, executor)


def read(paths, tmp_path, text=TEXT, report=lambda _: None, **changes):
    counted = count(paths, text, **changes)
    return read_corpus(RunSettings(tuple(paths), **changes), text, counted, tmp_path / "model", report)


def test_files_are_read_one_after_the_other(corpus, tmp_path):
    again = str(shutil.copy(corpus, tmp_path / "again.txt"))
    once, twice = read([corpus], tmp_path), read([corpus, again], tmp_path)
    assert len(once.train) + len(once.valid) == len(LINES)
    assert len(twice.train) + len(twice.valid) == 2 * len(LINES)
    assert count([corpus]).fingerprint == count([again]).fingerprint != count([corpus, again]).fingerprint
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.txt", "corpus.txt"]  # no file is left


def test_held_out_text_may_have_its_own_file(corpus, tmp_path):
    (tmp_path / "held.txt").write_text("the dog barks .\n" * 7)
    data = read([corpus], tmp_path, valid=str(tmp_path / "held.txt"))
    assert (len(data.train), len(data.valid)) == (len(LINES), 7)


def test_the_words_may_be_those_of_another_text(corpus, tmp_path):
    vocabulary = Vocabulary([*SPECIAL, "dog", "unicorn"])
    vocabulary.write(tmp_path / "vocabulary.txt")
    data = read([corpus], tmp_path, vocabulary=str(tmp_path / "vocabulary.txt"))
    assert data.vocabulary.words == vocabulary.words
    kept = count([corpus]).vocabulary  # that of a run that goes on
    assert count([corpus], known=kept, vocabulary="gone.txt").vocabulary is kept
    with pytest.raises(DataError, match=r"gone\.txt: no readable vocabulary"):
        read([corpus], tmp_path, vocabulary="gone.txt")


def test_phrase_boundaries_are_learned_where_the_text_asks_for_them(corpus, tmp_path):
    assert read([corpus], tmp_path).boundaries is None
    data = read([corpus], tmp_path, TextConfig(min_count=1, phrase_boundaries=True))
    assert len(data.boundaries.starts) == len(data.vocabulary)


def test_grammars_learn_from_the_training_text_alone(corpus, tmp_path):
    (tmp_path / "held.txt").write_text("another one .\n" * 7)
    counted = count([corpus], grammar=GrammarConfig(longest=6, sentences=10), valid=str(tmp_path / "held.txt"))
    assert counted.size["training_sentences"] == len(LINES)
    source = counted.of_grammars
    assert len(source.sentences) == 10
    assert {" ".join(tokens) for tokens in source.sentences} <= set(LINES)
    assert "another" not in source.bigrams.forms()


@pytest.fixture
def in_parts(tmp_path, sample_text, monkeypatch):
    """A corpus of several parts, one of them packed."""
    monkeypatch.setattr(reading, "PARTITION", 2_000)
    (tmp_path / "a.txt").write_text("".join(f"{line}\n" for line in sample_text[:200]))
    with gzip.open(tmp_path / "b.txt.gz", "wt") as packed:
        packed.writelines(f"{line}\n" for line in sample_text[200:300])
    (tmp_path / "c.txt").write_text("\n".join(sample_text[300:]))
    names = [str(tmp_path / name) for name in ("a.txt", "b.txt.gz", "c.txt")]
    assert len(list(parts_of(RunSettings(tuple(names))))) == 10
    return names


def known_of(names, executor):
    """All that is known of a corpus, in values that compare."""
    grammar = GrammarConfig(context_sentences=50, sentences=20, longest=8)
    text = TextConfig(min_count=2, phrase_boundaries=True)
    counted = count(names, text, grammar=grammar, executor=executor)
    source = counted.of_grammars
    numbers = [*counted.boundaries(text), *source.bigrams.bigrams()]
    words = [counted.vocabulary.words, source.bigrams.forms(), source.context.items, source.sample.items]
    return [values.tolist() for values in numbers], words, counted.size, counted.fingerprint


def test_processes_count_the_same(in_parts):
    with pool(2) as executor:
        assert known_of(in_parts, executor) == known_of(in_parts, map)


def test_a_cluster_counts_the_same_though_a_worker_is_killed(in_parts, dask_address, tmp_path):
    from synparse.parsing.cluster import cluster, map_on_cluster

    with cluster(dask_address, 2, tmp_path) as client:

        def executor(function, items):
            results = map_on_cluster(function, items, client)
            yield next(results)
            busy = max(client.processing().items(), key=lambda item: len(item[1]))
            os.kill(client.run(os.getpid, workers=[busy[0]])[busy[0]], signal.SIGKILL)
            yield from results

        assert known_of(in_parts, executor) == known_of(in_parts, map)


def test_each_sentence_is_counted_once_in_whatever_parts(in_parts, sample_text):
    counted = count(in_parts, grammar=GrammarConfig())
    occurrences = counted.of_grammars.bigrams.occurrences()
    tokens = Counter(token.lower() for line in sample_text for token in line.split())
    marks = sum(tokens.pop(mark, 0) for mark in ".,?!")
    assert occurrences == {**tokens, PUNCTUATION: marks}
    assert counted.size["training_sentences"] + counted.size["held_out_sentences"] == len(sample_text)
    assert [" ".join(tokens) for tokens in counted.of_grammars.context.items] == sample_text


def test_it_reports_how_far_it_is(tmp_path):
    (tmp_path / "long.txt").write_text("a b\n" * 20_500)
    events = []
    read([str(tmp_path / "long.txt")], tmp_path, report=events.append)
    assert events == [Reading(10_000), Reading(20_000)]


def test_counting_is_reported_here_and_elsewhere(tmp_path, corpus):
    (tmp_path / "long.txt").write_text("a b\n" * 20_500)
    events = []
    count([str(tmp_path / "long.txt"), corpus], report=events.append)
    copies = [str(shutil.copy(corpus, tmp_path / name)) for name in ("a.txt", "b.txt")]
    count([corpus, *copies], report=events.append, executor=lambda *arguments: map(*arguments))
    assert events == [Reading(10_000), Reading(20_000), Reading(120), Reading(180)]


def test_what_cannot_be_read_is_told(tmp_path, corpus):
    with pytest.raises(DataError, match="is a folder, not a file"):
        count([str(tmp_path)])
    with pytest.raises(DataError, match="is a folder, not a file"):
        count([corpus], valid=str(tmp_path))
    with pytest.raises(DataError, match=r"corpus.txt: has no trees to learn from"):
        count([corpus], with_trees=True)
    (tmp_path / "held.txt").write_text(". .\n")
    with pytest.raises(DataError, match="the validation text holds no words"):
        count([corpus], valid=str(tmp_path / "held.txt"))
    (tmp_path / "empty.txt").touch()
    with pytest.raises(DataError, match="the corpus holds no words"):
        count([str(tmp_path / "empty.txt")])


def test_a_corpus_of_many_files_is_named_in_part():
    paths = [f"/folder/{number}.txt" for number in range(MOST_NAMES + 5)]
    names = [f"{number}.txt" for number in range(MOST_NAMES)]
    assert names_of_files(paths[:MOST_NAMES]) == names
    assert names_of_files(paths) == [*names, "and 5 more"]


def test_the_name_of_a_file_is_the_one_that_is_read_in_a_config():
    names = names_of_files([os.fsdecode(b"/folder/caf\xe9.txt")])
    assert plain_yaml(yaml.safe_dump(names, allow_unicode=True)) == names == ["caf?.txt"]


def test_no_file_counts_twice_nor_validates_what_it_teaches(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    whole = str(tmp_path / "a.txt")
    for twice in ({"corpus": ("a.txt", whole)}, {"corpus": ("a.txt",), "valid": whole}, {"trees": ("a.txt", whole)}):
        with pytest.raises(SettingError, match=f"^{re.escape(whole)} is named twice; name it once"):
            RunSettings(**{"corpus": ("b.txt",), **twice})
    assert RunSettings(("a.txt",), trees=("a.txt",)).trees == ("a.txt",)  # they are text as well


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
