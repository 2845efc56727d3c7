import pickle
import shutil

import pytest
import torch

from synparse.language_models import minimal_pairs as module
from synparse.language_models.loading import load_language_model
from synparse.language_models.minimal_pairs import SCORE_COLUMNS, judge_pairs, score_cells
from synparse.language_models.sentence_scores import sentence_scores
from synparse.scoring.acceptability import COMPARISONS, GRAMMATICALITY
from synparse.trees.errors import DataError, SettingError
from tests.untrained import untrained

WORDS = "the a dog dogs bark barks no never 's"
PAIRS = [
    ("agreement, simple", "the dog barks", "the dog bark", ""),
    ("agreement, simple", "The dogs bark", "The dogs barks", ""),
    ("agreement, simple", "the cat barks", "the cow barks", ""),  # two unknown words are the same to a model
    ("NPI, simple", "no dog never barks", "the dog never barks", "the dog no never barks"),
    ("NPI, simple", "no cat never barks", "the cat never barks", "the cat no never barks"),
]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return [str(untrained(folder / kind, kind, WORDS, tokenizer="rules:en")) for kind in ("lstm", "transformer")]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    path = tmp_path_factory.mktemp("pairs") / "pairs.tsv"
    head = ("construction", "grammatical", "ungrammatical", "intrusive")
    path.write_text("".join("\t".join(row) + "\n" for row in [head, *PAIRS]))
    return str(path)


def by_hand(name):
    """The score of each sentence, one at a time."""
    model = load_language_model(name)
    return {text: sentence_scores(model, [tuple(model.indices(text.split()))])[0] for row in PAIRS for text in row[1:]}


def test_pairs_are_judged_by_the_scores_of_their_sentences(models, pairs):
    judged = judge_pairs(models, pairs)
    assert judged.by == ("construction",)
    for found, name in zip(judged.models, models, strict=True):
        score = by_hand(name)
        right = [score[good] > score[bad] for _, good, bad, _ in PAIRS]
        assert (found.total.pairs, found.total.right, found.total.ties) == (5, sum(right), 1)
        assert (found.total.known, found.total.known_right) == (3, sum(right[:2]) + right[3])
        of_npi = {group.comparison: counts for group, counts in found.groups.items() if group.value == "NPI, simple"}
        assert tuple(of_npi) == COMPARISONS
        assert of_npi[COMPARISONS[0]].right == sum(score[good] > score[other] for _, good, _, other in PAIRS[3:])
        assert of_npi[COMPARISONS[1]].right == sum(score[other] > score[bad] for _, _, bad, other in PAIRS[3:])
        assert of_npi[GRAMMATICALITY].right == sum(right[3:])
        assert all((counts.pairs, counts.known) == (2, 1) for counts in of_npi.values())
    assert [one.scoring for one in judged.models] == ["log-probability", "pseudo-log-likelihood"]
    assert "pseudo-log-likelihood: of each known word" in judged.protocol
    assert "words by rules:en" in judged.protocol


def test_a_model_that_changed_is_read_again(models, pairs, tmp_path):
    for name in models:
        shutil.rmtree(tmp_path / "model", ignore_errors=True)
        shutil.copytree(name, tmp_path / "model")
        recorded, score = [], by_hand(name)
        judge_pairs([str(tmp_path / "model")], pairs, jobs=1, record=recorded.append)
        texts = (found.item.sentences[found.comparison[0]] for found in recorded)
        assert [found.better.score for found in recorded] == pytest.approx([score[text] for text in texts])


def test_every_score_can_be_recorded(models, pairs):
    rows = []
    judge_pairs(models, pairs, record=lambda one: rows.append(dict(zip(SCORE_COLUMNS, score_cells(one), strict=True))))
    assert len(rows) == 2 * (5 + 2 * 2)
    scores = {name: by_hand(name) for name in models}
    for row in rows:
        assert float(row["score_better"]) == pytest.approx(scores[row["model"]][row["better"]], abs=1e-5)
        assert float(row["score_worse"]) == pytest.approx(scores[row["model"]][row["worse"]], abs=1e-5)
    assert {row["line"] for row in rows} == {"2", "3", "4", "5", "6"}
    unknown = {(row["line"], row["unknown_words_better"], row["unknown_words_worse"]) for row in rows}
    assert unknown == {("2", "0", "0"), ("3", "0", "0"), ("4", "1", "1"), ("5", "0", "0"), ("6", "1", "1")}


def test_windows_and_processes_make_no_difference(models, pairs, monkeypatch):
    def counts(**options):
        judged = judge_pairs(models, pairs, **options)
        return [(one.total, dict(one.groups)) for one in judged.models]

    def as_processes_do(function, items, jobs):
        processes.append(jobs)
        return (pickle.loads(pickle.dumps(function))(pickle.loads(pickle.dumps(item))) for item in items)

    processes = []
    threads = torch.get_num_threads()
    monkeypatch.setattr(module, "map_in_order", as_processes_do)
    whole = counts(jobs=2)
    monkeypatch.setattr(module, "WINDOW", 2)
    assert counts(jobs=1) == counts(jobs=2) == whole
    torch.set_num_threads(threads)
    assert processes == [1, 1, 2]  # a single window needs no second process


def test_pairs_are_grouped_by_the_columns_that_are_asked_for(models, pairs, tmp_path):
    assert judge_pairs(models, pairs, by=["construction", "construction"]).by == ("construction",)
    with pytest.raises(SettingError, match="--by: the file has no column field; its columns are construction"):
        judge_pairs(models, pairs, by=["field"])
    (tmp_path / "blimp").write_text("field\tphenomenon\tgrammatical\tungrammatical\nsyntax\tisland\ta dog\tdog a\n")
    assert judge_pairs(models, str(tmp_path / "blimp")).by == ("phenomenon", "field")
    (tmp_path / "two").write_text("a dog\tdog a\n")
    plain = judge_pairs(models, str(tmp_path / "two"))
    assert plain.by == ()
    assert plain.notes[0].startswith("no head line names the columns")
    assert "from line 1 on ('a dog')" in plain.notes[0]
    with pytest.raises(SettingError, match="the file has no column field; it names no other columns"):
        judge_pairs(models, str(tmp_path / "two"), by=["field"])


def test_a_cell_is_one_sentence_whatever_stands_in_it(models, tmp_path):
    (tmp_path / "pairs").write_text("The dog's a dog! Never. The dogs bark.\tThe dog's a dogs.\n")
    rows = []
    judged = judge_pairs(models[:1], str(tmp_path / "pairs"), tokenizer="rules:en", record=rows.append)
    assert "words by rules:en" in judged.protocol
    model = load_language_model(models[0])
    [expected] = sentence_scores(model, [tuple(model.indices("the dog 's a dog never the dogs bark".split()))])
    assert rows[0].better.score == pytest.approx(expected, abs=1e-5)
    assert rows[0].better.unknown_words == 0


def test_sentences_that_are_too_long_are_told_with_their_line(models, tmp_path):
    (tmp_path / "pairs").write_text("a\tdog\na\t" + "dog " * 1001 + "\n")
    with pytest.raises(DataError, match="pairs:2: a sentence of 1001 words, more than 1000"):
        judge_pairs(models, str(tmp_path / "pairs"))


def test_notes_tell_what_differs_between_models(models, pairs, tmp_path):
    other = str(untrained(tmp_path / "other", "lstm", "the dog", tokenizer="rules:en"))
    [note] = judge_pairs([models[0], other], pairs).notes
    assert note.startswith("the vocabularies of the models differ")
    [note] = judge_pairs(models, pairs).notes
    assert "compare accuracies" in note
    assert judge_pairs(models[:1], pairs).notes == []
