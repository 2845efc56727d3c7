"""What a run of a task is trained on and validated by."""

import pytest

from synparse.tasks import TASKS
from synparse.tasks.data import read_data, slots_of
from synparse.tasks.recipe import TaskTraining, TreebankText, load_task_recipe
from synparse.tasks.sentiment import SENTIMENT
from synparse.training.example_batches import held_out_parts
from synparse.training.reading import RunSettings
from synparse.trees.errors import DataError, SettingError

NEUTRAL, GOOD, BAD = "(2 (2 so) (2 so))\n", "(3 (2 so) (4 good))\n", "(0 (2 so) (1 bad))\n"


def recipe(*overrides):
    return load_task_recipe("sentiment-small", "ordered-memory", overrides)


def sentences(examples):
    return [" ".join(example.expressions[0].words) for example in examples]


def test_held_out_examples_are_always_the_same_and_never_trained_on(examples):
    training, held_out = held_out_parts(examples["listops"], 3)
    assert (len(training), len(held_out)) == (37, 3)
    assert sorted(training + held_out) == sorted(examples["listops"])
    assert held_out_parts(examples["listops"], 3) == (training, held_out)
    assert len(held_out_parts(examples["listops"], 1000)[1]) == 4
    with pytest.raises(DataError, match="at least two"):
        held_out_parts(examples["listops"][:1], 3)


def test_examples_of_a_formal_language_are_divided(files, examples, tiny_task_recipe):
    recipe = load_task_recipe(tiny_task_recipe, "lstm")
    data = read_data(TASKS["listops"], recipe, RunSettings((files["listops"],)))
    assert data.task == TASKS["listops"]
    assert sorted([*data.training, *data.held_out]) == sorted(examples["listops"])


def test_the_recipe_of_another_kind_of_task_is_refused(file, tiny_task_recipe):
    formal, path = load_task_recipe(tiny_task_recipe, "lstm"), file(GOOD + BAD, "train.ptb")
    with pytest.raises(SettingError, match="has no section text"):
        read_data(SENTIMENT["sst2"], formal, RunSettings((path,)))
    with pytest.raises(SettingError, match=r"is for treebanks; logic has none, so leave out its text"):
        read_data(TASKS["logic"], recipe(), RunSettings((path,)))


def test_whole_sentences_are_held_out_and_their_phrases_with_them(file):
    text = "".join(f"(3 (2 so) (4 good{number}))\n" for number in range(20))
    data = read_data(SENTIMENT["sst5"], recipe("text.min_count=1"), RunSettings((file(text, "trees"),)))
    assert len(data.held_out) == 2
    assert len(data.training) == 18 * 3
    assert len(data.task.words) == 4 + 1 + 18
    for sentence in sentences(data.held_out):
        assert sentence.split()[1] not in {*data.task.words, *sentences(data.training)}


def test_sentences_of_another_file_validate(file):
    paths = file(GOOD + BAD + NEUTRAL, "train"), file(NEUTRAL + BAD, "dev")
    settings = RunSettings((paths[0],), paths[1])
    data = read_data(SENTIMENT["sst2"], recipe("text.min_count=2"), settings)
    assert sentences(data.training) == ["so good", "good", "so bad", "bad"]
    assert sentences(data.held_out) == ["so bad"]
    assert data.task.words[4:] == ("so",)
    roots = read_data(SENTIMENT["sst2"], recipe("text.phrases=false"), settings)
    assert sentences(roots.training) == ["so good", "so bad"]
    other = RunSettings((paths[0],), file(NEUTRAL + GOOD, "dev"))
    assert read_data(SENTIMENT["sst2"], recipe(), other).fingerprint != roots.fingerprint == data.fingerprint


def test_nothing_but_neutral_sentences_is_told(file):
    settings = RunSettings((file(GOOD + BAD, "train"),), file(NEUTRAL, "dev"))
    with pytest.raises(DataError, match="a sentence that is not neutral"):
        read_data(SENTIMENT["sst2"], recipe(), settings)


def test_slots_limit_formal_languages_alone(tiny_task_recipe):
    assert slots_of(load_task_recipe(tiny_task_recipe, "ordered-memory")) == 6
    assert slots_of(load_task_recipe(tiny_task_recipe, "lstm")) is None
    assert slots_of(recipe()) is None
    assert recipe().text == TreebankText()
    assert isinstance(recipe().training, TaskTraining)
