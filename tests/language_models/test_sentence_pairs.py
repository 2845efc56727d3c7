"""Files of scored pairs, and how their sentences become tokens."""

import gzip

import pytest

from synparse.corpora.normalization import TextConfig
from synparse.language_models.sentence_pairs import SentencePair, read_pairs, tokens_of
from synparse.trees.errors import DataError

HEAD = "score\tsentence1\tsentence2\n"


def test_columns_are_found_by_their_names(file):
    text = "source\tnote\tsentence2\tscore\tsentence1\nnews\tx\tb\t5\ta\n\nforum\t\td\t0.25\tc\n"
    found = read_pairs(file(text, "some.tsv"))
    assert found.name == "some"
    assert found.pairs == [SentencePair(5.0, "a", "b", "news"), SentencePair(0.25, "c", "d", "forum")]
    assert found.scores == [5.0, 0.25]
    assert found.sources == ["forum", "news"]
    assert found.missing == []


def test_what_a_published_set_lacks_is_known_by_its_name(tmp_path):
    path = tmp_path / "sts12.tsv.gz"
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        stream.write(f"source\t{HEAD}")
        stream.writelines(f"{source}\t1\ta\tb\n" for source in ("SMTnews", "MSRpar", "OnWN", "SMTeuroparl"))
    found = read_pairs(str(path))
    assert found.name == "sts12"
    assert found.missing == ["MSRvid"]
    assert found.sources == ["MSRpar", "OnWN", "SMTeuroparl", "SMTnews"]


def test_without_a_column_of_sources_nothing_is_missing(file):
    assert read_pairs(file(f"{HEAD}1\ta\tb\n", "sts12.tsv")).missing == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"data:1: no column score"),
        ("a sentence\nanother\n", r"data:1: no column score.* this one has 1 column$"),
        ("score\tsentence1\n", r"data:1: no column sentence2.* this one has 2 columns$"),
        (HEAD, r"data: there are no pairs"),
        (f"{HEAD}1\ta\tb\n1\ta\n", r"data:3: 2 cells where the first line names 3 columns"),
        (f"{HEAD}1\ta\t\n", r"data:2: sentence2 is empty"),
        (f"{HEAD}1\t \tb\n", r"data:2: sentence1 is empty"),
        (f"{HEAD}5.5\ta\tb\n", r"data:2: the score 5.5 is out of range: scores are 0 to 5"),
        (f"{HEAD}-1\ta\tb\n", r"data:2: the score -1 is out of range"),
        (f"{HEAD}nan\ta\tb\n", r"data:2: the score nan is out of range"),
        (f"{HEAD}high\ta\tb\n", r"data:2: the score is no number: 'high'"),
    ],
)
def test_bad_files_are_told(file, text, message):
    with pytest.raises(DataError, match=message):
        read_pairs(file(text))


def test_running_text_is_split_and_its_sentences_are_joined():
    pairs = [SentencePair(1, "A dog, I think. It doesn't bark.", "Dogs, etc.")]
    [(first, second)] = tokens_of(pairs, TextConfig())
    assert first == ["A", "dog", ",", "I", "think", ".", "It", "does", "n't", "bark", "."]
    assert second == ["Dogs", ",", "etc", "."]


def test_tokenised_text_is_left_as_it_is():
    pairs = [SentencePair(1, "A dog , it 's one .", "I do n't can't")]
    for text in (TextConfig(), TextConfig(tokenizer="rules:en", language="en")):
        assert list(tokens_of(pairs, text)) == [("A dog , it 's one .".split(), "I do n't can't".split())]


def test_text_without_punctuation_is_running_text():
    assert list(tokens_of([SentencePair(1, "A dog doesn't bark", "A cat")], TextConfig())) == [
        (["A", "dog", "does", "n't", "bark"], ["A", "cat"])
    ]
