"""Models that read unknown words by their classes, from the text to the trees."""

import pytest
import torch

from synparse.config.recipe import load_recipe
from synparse.corpora.sentences import Sentence
from synparse.corpora.vocabulary import UNKNOWN_INDEX
from synparse.inducers.batch import IGNORED
from synparse.inducers.table import build
from synparse.parsing.parser import Parser
from synparse.store.model_directory import load
from synparse.store.models import open_model
from synparse.training.network import start_from_cooccurrence
from synparse.training.objectives import objective_of
from synparse.training.run import train
from tests.texts import build_corpus

RECIPES = ("tiny_recipe", "tiny_udgn_recipe", "tiny_on_lstm_recipe")
CLASSES = "text.unknown_classes=9"


@pytest.fixture(scope="module")
def text(sample_text):
    """The sample with two unknown words in each sentence: one of "…ly" before it, one of "…ing" behind."""
    syllables = ["".join((a, b, a)) for a in "bdfgklmnprst" for b in "aeiou"]
    names = [first + second for first in syllables for second in syllables]
    return [f"{name}ly {line} {name}ing" for name, line in zip(names, sample_text, strict=False)]


@pytest.fixture(scope="module", params=RECIPES)
def recipe_file(request):
    return str(request.getfixturevalue(request.param))


@pytest.fixture(scope="module")
def trained(recipe_file, text, tmp_path_factory):
    folder = tmp_path_factory.mktemp("classes")
    (folder / "corpus.txt").write_text("".join(f"{line}\n" for line in text), encoding="utf-8")
    corpus, changes = [str(folder / "corpus.txt")], [CLASSES]
    return train(corpus, recipe_file, folder / "model", changes=changes, device="cpu").directory


def test_what_is_predicted_is_the_same_with_and_without_classes(recipe_file, text, tmp_path):
    vocabularies_and_batches = []
    for changes in ([], [CLASSES]):
        folder = tmp_path / str(len(changes))
        folder.mkdir()
        [recipe] = load_recipe(recipe_file, changes).networks
        corpus = build_corpus([Sentence(line.split()) for line in text], recipe.text, folder)
        objective = objective_of(recipe.training, corpus)
        batches = [training_batch.batch for training_batch in next(objective.epochs(1, 1))]
        vocabularies_and_batches.append((corpus.vocabulary, [*batches, *objective.held_out]))
    (plain, plain_batches), (classed, classed_batches) = vocabularies_and_batches
    assert classed.first_class == len(plain) < len(classed)
    read = 0
    for plain_batch, classed_batch in zip(plain_batches, classed_batches, strict=True):
        assert torch.equal(plain_batch.targets, classed_batch.targets)
        assert classed_batch.targets[classed_batch.targets != IGNORED].max() < classed.first_class
        is_class = classed_batch.words >= classed.first_class
        assert torch.equal(plain_batch.words, classed_batch.words.masked_fill(is_class, UNKNOWN_INDEX))
        read += int(is_class.sum())
    assert read > 700


def test_classes_begin_from_their_cooccurrences_too(text, tiny_udgn_recipe, tmp_path):
    [recipe] = load_recipe(str(tiny_udgn_recipe), [CLASSES]).networks
    corpus = build_corpus([Sentence(line.split()) for line in text], recipe.text, tmp_path)
    model = build(recipe.model, len(corpus.vocabulary), recipe.architecture)
    before = model.embedding.weight.detach().clone()
    start_from_cooccurrence(model, corpus)
    is_changed = (model.embedding.weight.detach() != before).any(1)
    read = torch.tensor(corpus.train.tokens).unique()
    classes = read[read >= corpus.vocabulary.first_class]
    assert len(classes) > 1
    assert is_changed[classes].all()


def test_a_trained_model_reads_unknown_words_by_their_endings(trained):
    [member] = open_model(trained).members.values()
    assert load(member).vocabulary.first_class < len(load(member).vocabulary)
    parser = Parser.load(trained, device="cpu")
    parse, same, other = (
        parser.parse([f"the dog sees the {word} cat ."])[0] for word in ("zoobing", "quxing", "zoobly")
    )
    assert (parse.distances, parse.heights, parse.heads) == (same.distances, same.heights, same.heads)
    if parse.distances is not None:
        assert parse.distances != other.distances


def test_a_run_that_goes_on_keeps_the_classes(trained, tmp_path):
    corpus = str(trained.parent / "corpus.txt")
    more = train([corpus], output=tmp_path / "more", init=str(trained), device="cpu").directory
    folders = [next(iter(open_model(directory).members.values())).directory for directory in (trained, more)]
    assert len({(folder / "vocabulary.txt").read_bytes() for folder in folders}) == 1
