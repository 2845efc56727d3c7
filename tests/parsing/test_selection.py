"""Which sentences are chosen, and in which order."""

import itertools
import zlib
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from synparse.inducers.head_choice import ROWS, arc_rows, choice_words
from synparse.parsing.parse import Parse
from synparse.parsing.selection import expected_change, greedy_choice, least_certain, parts_of, score_of, select
from synparse.trees.conllu import read_conllu
from synparse.trees.errors import DataError, SettingError

WORDS = ("The", "dog", "barks", "!")
PARSE = Parse(
    WORDS,
    None,
    (2, 3, 0, 3),
    (True, True, True, False),
    tags=("C1", "C2", "C3", "C9"),
    head_probabilities=(0.75, 0.5, 1.0, None),
    entropy=0.25,
)


def slow_choice(scores, parts, number, known):
    """The same, with every gain computed each time."""
    chosen = []
    while len(chosen) < min(number, len(scores)):
        covered = set(known).union(*(parts[index] for index in chosen))
        gains = {
            index: scores[index] * len(parts[index] - covered) / len(parts[index])
            for index in range(len(scores))
            if index not in chosen
        }
        chosen.append(max(gains, key=lambda index: (gains[index], -index)))
    return chosen


def test_the_greedy_choice_is_that_of_all_gains():
    source = Random(1)
    for _ in range(100):
        parts = [frozenset(source.sample("abcdefghij", source.randint(1, 6))) for _ in range(8)]
        scores = [source.randint(0, 4) / 4 for _ in parts]
        known = frozenset(source.sample("abcdefghij", 3))
        assert greedy_choice(scores, parts, 9, known) == slow_choice(scores, parts, 9, known)


def test_what_is_known_and_what_is_alike_comes_last():
    parts = [frozenset("ab"), frozenset("ab"), frozenset("cd"), frozenset("ef")]
    assert greedy_choice([4, 3, 2, 1], parts, 4, frozenset("cd")) == [0, 3, 1, 2]
    assert greedy_choice([1, 3, 2], [frozenset()] * 3, 2) == [1, 2]


def test_scores():
    source = Random(1)
    assert score_of(PARSE, "errors", source) == 0.75
    assert score_of(PARSE, "entropy", source) == 0.25
    assert score_of(PARSE, "length", source) == 4
    assert score_of(PARSE, "coverage", source) == 6 / 4
    assert score_of(PARSE, "random", source) == Random(1).random()


def test_the_expected_change_is_that_of_gradients_with_all_their_features():
    words, classes, heads = ("the", "dog", "the"), ("C1", "C2", "C1"), ((0.25, 0, 0.75, 0), (0.5, 0.5, 0, 0), None)
    parse = replace(PARSE, tokens=words, tags=classes, read=(True, True, False), head_distributions=heads)
    codes = np.array([zlib.crc32(name.encode()) for name in classes[:2]], np.int64)
    rows = arc_rows(choice_words(words[:2], codes, (), None))
    expected = 0.0
    for dependent, probabilities in enumerate([[0.25, 0.75], [0.5, 0.5]]):
        features = np.zeros((2, ROWS))
        for head in range(2):
            features[head, rows[dependent, head]] = 1
        gradients = features - probabilities @ features
        expected += probabilities @ np.linalg.norm(gradients, axis=1)
    assert expected_change(parse) == pytest.approx(expected)


def test_what_a_sentence_tells_does_not_depend_on_the_encoding_of_accents():
    heads = ((0, 0, 0.5, 0.5), (1, 0, 0, 0), (0, 0, 1, 0))
    parse = replace(PARSE, tags=("C1",) * 3, heads=(2, 0, 2), read=(True,) * 3, head_distributions=heads)
    # both heads end alike only where accents are characters of their own
    composed, decomposed = (
        replace(parse, tokens=tokens) for tokens in (("B", "éa", "áa"), ("B", "e\u0301a", "a\u0301a"))
    )
    assert expected_change(composed) == expected_change(decomposed)
    assert parts_of(composed) == parts_of(decomposed)


def test_nothing_is_expected_to_change_where_heads_are_certain_or_nothing_is_read():
    certain = replace(PARSE, read=(True, False, False, False), head_distributions=((1.0, 0, 0, 0, 0), None, None, None))
    assert score_of(certain, "change", Random(1)) == 0
    assert expected_change(replace(PARSE, head_distributions=(None,) * 4)) == 0


def test_parts_are_words_and_rules_of_arcs():
    rules = {("C1", "C2", True), ("C2", "C3", True), ("C3", None, False)}
    assert parts_of(PARSE) == {"the", "dog", "barks", *rules}
    assert parts_of(Parse(WORDS, None, PARSE.heads, PARSE.read)) == {"the", "dog", "barks"}


def test_the_least_certain_words_come_first():
    assert least_certain(PARSE, PARSE) == "2 dog 0.50, 1 The 0.75, 3 barks 1.00"
    many = Parse(WORDS * 2, None, (0,) * 8, (True,) * 8, head_probabilities=(0.5,) * 8)
    raw = replace(many, head_probabilities=(0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2))
    assert [part.split()[0] for part in least_certain(many, raw).split(", ")] == ["8", "7", "6", "5", "4"]


@pytest.fixture
def selected(tmp_path, tiny_grammar, sample_text):
    """A function to select sentences of a text: the numbers of these, and the sentences as they are written."""

    def call(number, lines=sample_text[:60], **options):
        text = tmp_path / "text.txt"
        text.write_text("\n".join(lines), encoding="utf-8")
        texts = select([str(text)], [str(tiny_grammar)], number, **options)
        sentences = list(read_conllu("".join(texts).splitlines(keepends=True), "drafts"))
        return [int(sentence.comment("sent_id")) for sentence in sentences], sentences

    return call


@pytest.mark.parametrize("by", ["errors", "entropy", "change", "coverage", "random", "length"])
def test_drafts_have_the_numbers_of_their_sentences(selected, sample_text, by):
    numbers, sentences = selected(7, by=by, most_words=12)
    assert len(set(numbers)) == 7
    assert [" ".join(sentence.words) for sentence in sentences] == [sample_text[n - 1] for n in numbers]
    assert all(len(sentence.words) <= 12 and sentence.comment("least_certain") for sentence in sentences)
    assert all(row[3] == row[4] == "_" for sentence in sentences for row in sentence.rows)
    assert sentences[0].lines[0].startswith("# synparse = ")
    if by == "length":
        lengths = [len(sentence.words) for sentence in sentences]
        assert lengths == sorted(lengths, reverse=True)


def test_a_sentence_is_selected_once_and_not_if_its_tree_is_known(selected, sample_text, tmp_path):
    lines = [*sample_text[:5], "", *sample_text[:5]]
    numbers, sentences = selected(20, lines)
    assert len(numbers) == 5
    known = tmp_path / "known.conllu"
    known.write_text("".join(itertools.chain.from_iterable(s.lines for s in sentences[:2])), encoding="utf-8")
    assert set(selected(20, lines, trees=[str(known)])[0]) == set(numbers[2:])


def test_a_lone_word_has_nothing_to_annotate(selected):
    assert selected(3, ["dog .", "the dog barked", "Yes", "it sleeps"])[0] in ([2, 4], [4, 2])


def test_known_trees_in_brackets_have_other_parentheses_than_the_text(selected, tmp_path):
    known = tmp_path / "known.ptb"
    known.write_text("(S (DT the) (NN dog) (-LRB- -LRB-) (CD 1\\/2) (-RRB- -RRB-))\n")
    assert selected(2, ["the dog ( 1/2 )", "the dog ( 1/3 )"], trees=[str(known)])[0] == [2]


def test_accents_may_be_encoded_in_another_way_than_in_known_trees(selected, tmp_path):
    known = tmp_path / "known.ptb"
    known.write_text("(S (DT the) (NN caf\u00e9) (VB opens))\n", encoding="utf-8")
    text = ["the cafe\u0301 opens", "the cafe\u0301 shuts", "the caf\u00e9 shuts"]
    assert selected(3, text, trees=[str(known)])[0] == [3]


def test_a_known_sentence_may_be_divided_into_other_words_than_in_the_text(selected, tmp_path):
    known = tmp_path / "known.conllu"
    columns = "\t_" * 8
    tokens = ["1-2\tzum", "1\tzu", "2\tdem", "3\tHaus", "4\t-", "5\ttier"]
    known.write_text("".join(f"{token}{columns}\n" for token in tokens) + "\n")
    text = ["zum Haus -tier", "zu dem Haus- tier", "zu dem Haus - stier"]
    assert selected(3, text, trees=[str(known)])[0] == [3]


def test_more_sentences_than_candidates_are_a_sample(selected):
    said = []
    numbers, _ = selected(60, candidates=10, by="random", report=said.append)
    assert len(numbers) == 10
    assert said[-1] == "selected 10 of 60 sentences: --max-words 30, --candidates 10 and --trees leave no others"
    assert selected(60, most_words=1, report=said.append)[0] == []
    assert said[-1].endswith("leave no others; if the lines of a text are paragraphs: --raw")
    assert selected(60, candidates=10, by="random")[0] == numbers


def test_a_model_without_heads_is_told_without_advice_that_is_for_parse(tiny_on_lstm, tmp_path):
    (tmp_path / "text.txt").write_text("the dog barks\n")
    with pytest.raises(SettingError, match="on-lstm-1 induces no heads; use a model that has heads"):
        select([str(tmp_path / "text.txt")], [str(tiny_on_lstm)], 1)


def test_text_is_no_file_of_known_trees(selected, tmp_path):
    known = tmp_path / "known.txt"
    known.write_text("the dog barks\n")
    with pytest.raises(DataError, match=r"known\.txt: has no trees: --trees takes CoNLL-U, brackets or JSON"):
        selected(1, trees=[str(known)])


def test_conllu_keeps_what_it_has_and_old_comments_are_replaced(tmp_path, tiny_grammar):
    row = "\t".join(["1", "dogs", "dog", "NOUN", "NNS", "Number=Plur", "2", "nsubj", "_", "Gloss=x"])
    text = tmp_path / "text.conllu"
    other = "2\tbark\t_\t_\t_\t_\t0\troot\t_\t_"
    columns = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"
    text.write_text(f"{columns}\n# sent_id = s\n# least_certain = old\n{row}\n{other}", encoding="utf-8")
    written = "".join(select([str(text)], [str(tiny_grammar)], 1, min_confidence=1.0))
    assert "# sent_id = s\n" in written
    assert written.count("# least_certain = ") == 1
    assert "old" not in written
    assert "columns" not in written  # they are of the file, and this sentence need not be its first one any more
    assert "\tNOUN\tNNS\tNumber=Plur\t" in written
    assert "Gloss=x|Confidence=" in written
    assert "|Uncertain=Yes" in written
    assert written.endswith("\n\n")


def test_a_sentence_that_is_marked_as_checked_is_left_alone(tmp_path, tiny_grammar):
    rows = ["dogs\t_\t_\t_\t_\t2", "bark\t_\t_\t_\t_\t0", "loudly\t_\t_\t_\t_\t2"]
    words = "".join(f"{number}\t{row}\t_\t_\t_\n" for number, row in enumerate(rows, 1))
    text = tmp_path / "text.conllu"
    text.write_text(f"# sent_id = a\n# checked = yes\n{words}\n# sent_id = b\n{words.replace('dogs', 'cats')}\n")
    written = "".join(select([str(text)], [str(tiny_grammar)], 2))
    assert [line for line in written.splitlines() if "sent_id" in line or "checked" in line] == ["# sent_id = b"]


def test_a_comment_of_conllu_may_have_what_ends_a_line_elsewhere(tmp_path, tiny_grammar):
    text = tmp_path / "text.conllu"
    text.write_text(
        "# text = dogs\u2028bark\x85\n1\tdogs" + "\t_" * 8 + "\n2\tbark" + "\t_" * 8 + "\n\n", encoding="utf-8"
    )
    assert "# text = dogs\u2028bark\x85\n" in "".join(select([str(text)], [str(tiny_grammar)], 1))
