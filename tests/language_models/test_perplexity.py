import math
import re
from statistics import stdev

import pytest
import torch

from synparse.corpora.vocabulary import END_INDEX, MASK_INDEX, UNKNOWN_INDEX
from synparse.inducers.batch import IGNORED, Batch
from synparse.language_models import perplexity as module
from synparse.language_models.loading import kinds, load_language_model
from synparse.language_models.perplexity import perplexity
from synparse.trees.errors import DataError, SettingError
from tests.untrained import untrained

WORDS = "the dog barks loudly at"
TEXT = "The dog barks .\n\nthe cat\n. ,\nat the dog , the dog barks loudly\ndog\n"
READ = ["the dog barks", "the cat", "at the dog the dog barks loudly", "dog"]
CHARACTERS = sum(len(sentence) + 1 for sentence in READ)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    for kind in kinds():
        untrained(folder / kind, kind, WORDS)
    (folder / "text.txt").write_text(TEXT, encoding="utf-8")
    return folder


def measured(folder, *names, **options):
    return perplexity([str(folder / name) for name in names], str(folder / "text.txt"), **options)


def log_probability(network, states, word):
    logits = network.last_layer(states) @ network.embedding.weight.t() + network.output_bias
    return logits.double().log_softmax(-1)[word].item()


@pytest.mark.parametrize("state", ["stream", "sentence"])
@pytest.mark.parametrize("kind", kinds("next-word"))
def test_next_words_are_those_of_one_word_at_a_time(folder, kind, state, monkeypatch):
    monkeypatch.setattr(module, "SEGMENT", 4)  # so that the state is handed on
    model = load_language_model(str(folder / kind))
    nats, predictions, carried = 0.0, 0, None
    with torch.no_grad():
        for sentence in READ:
            carried = carried if state == "stream" else None
            last = END_INDEX
            for word in (*model.indices(sentence.split()), END_INDEX):
                read = model.network.contextual(Batch(torch.tensor([[last]]), torch.tensor([1]), None, carried))
                carried = read.state
                nats -= log_probability(model.network, read.states[0, 0], word)
                predictions, last = predictions + 1, word
    [found] = measured(folder, kind, state=state).models
    values = found.values()
    assert values["perplexity"] == round(math.exp(nats / predictions), 2)
    assert found.runs[0].nats == pytest.approx(nats, abs=1e-5)
    assert found.runs[0].number == predictions == 17
    assert (values["words"], values["unknown_words"]) == (13, 1)
    assert values["perplexity_per_word"] == round(math.exp(nats / 13), 2)
    assert values["bits_per_character"] == round(nats / math.log(2) / CHARACTERS, 4)
    assert values["mask_rate"] is values["seeds"] is values["deviation"] is None


@pytest.mark.parametrize("kind", kinds("masked"))
def test_masked_words_are_those_of_one_sentence_at_a_time(folder, kind, monkeypatch):
    masked = []

    def recorded(*arguments):
        masked.append(mask_words(*arguments))
        return masked[-1]

    mask_words = module.mask_words
    monkeypatch.setattr(module, "mask_words", recorded)
    [found] = measured(folder, kind, seeds=4, mask_rate=0.4).models
    network = load_language_model(str(folder / kind)).network
    with torch.no_grad():
        for run, batch in zip(found.runs, masked, strict=True):
            nats, predictions = 0.0, 0
            for words, length, targets in zip(batch.words, batch.lengths, batch.targets, strict=True):
                states = network.contextual(Batch(words[None, :length], length[None])).states
                for position in range(length):
                    if targets[position] != IGNORED:
                        assert words[position] == MASK_INDEX
                        assert targets[position] != UNKNOWN_INDEX
                        nats -= log_probability(network, states[0, position], targets[position])
                        predictions += 1
            assert run.nats == pytest.approx(nats, abs=1e-5)
            assert run.number == predictions
    values, of_runs = found.values(), [one.perplexity for one in found.runs]
    assert len({one.nats for one in found.runs}) == 4
    assert values["perplexity"] == round(sum(of_runs) / 4, 2)
    assert values["deviation"] == round(stdev(of_runs), 2)
    assert (values["mask_rate"], values["seeds"]) == (0.4, 4)
    assert values["perplexity_per_word"] is values["bits_per_character"] is None


@pytest.mark.parametrize("kind", kinds("masked"))
def test_pseudo_perplexity_masks_each_known_word_alone(folder, kind):
    model = load_language_model(str(folder / kind))
    nats, predictions = 0.0, 0
    with torch.no_grad():
        for sentence in READ:
            words = model.indices(sentence.split())
            for position, word in enumerate(words):
                if word != UNKNOWN_INDEX:
                    masked = torch.tensor([[*words[:position], MASK_INDEX, *words[position + 1 :]]])
                    states = model.network.contextual(Batch(masked, torch.tensor([len(words)]))).states
                    nats -= log_probability(model.network, states[0, position], word)
                    predictions += 1
    [found] = measured(folder, kind, pseudo=True, seeds=1).models
    assert found.pseudo.nats == pytest.approx(nats, abs=1e-5)
    assert found.pseudo.number == predictions == 12
    assert found.values()["perplexity_per_word"] == round(math.exp(nats / 12), 2)
    assert found.values()["deviation"] is None


def test_windows_make_no_difference_to_a_stream(folder, monkeypatch):
    [whole] = measured(folder, "on-lstm").models
    monkeypatch.setattr(module, "windows_of", lambda sentences, _: ([sentence] for sentence in sentences))
    [cut] = measured(folder, "on-lstm").models
    assert cut.runs[0].nats == pytest.approx(whole.runs[0].nats, abs=1e-9)
    assert cut.text == whole.text


def test_models_of_one_vocabulary_and_objective_are_comparable(folder, tmp_path):
    assert not measured(folder, "on-lstm", "lstm").notes
    assert not measured(folder, "udgn", "transformer", "structformer").notes
    others = {
        "fewer": untrained(tmp_path / "fewer", "lstm", "the dog"),
        "cased": untrained(tmp_path / "cased", "lstm", WORDS, lowercase=False),
        "masked": folder / "udgn",
    }
    for name, reason in {
        "fewer": r"fewer cannot be compared: their vocabularies differ \(5 and 2 words\)",
        "cased": "cased cannot be compared: they read other words, text.lowercase is True and False",
        "masked": "udgn cannot be compared: one predicts masked words, the other the next word",
    }.items():
        [note] = perplexity([str(folder / "lstm"), str(others[name])], str(folder / "text.txt")).notes
        assert re.search(reason, note)


def test_other_mask_rates_are_told_unless_one_is_chosen(folder, tmp_path):
    other = untrained(tmp_path / "other", "transformer", WORDS, training={"mask_rate": 0.1})
    both = [str(folder / "udgn"), str(other)]
    found = perplexity(both, str(folder / "text.txt"), seeds=1)
    assert [one.mask_rate for one in found.models] == [0.3, 0.1]
    assert found.notes[0].endswith("their mask rates are 0.3 and 0.1; choose one by --mask-rate")
    assert found.protocol == "masked: masks of seed 1; <unk> is neither masked nor predicted"
    beside = perplexity([str(folder / "lstm"), *both], str(folder / "text.txt"), seeds=1)
    assert [note.split(": ")[1] for note in beside.notes] == [
        "one predicts masked words, the other the next word",
        "their mask rates are 0.3 and 0.1; choose one by --mask-rate",
    ]
    assert not perplexity(both, str(folder / "text.txt"), mask_rate=0.2).notes


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        (
            "lstm",
            {"mask_rate": 0.2},
            f"--mask-rate is for masked models ({', '.join(kinds('masked'))}); there are none",
        ),
        ("lstm", {"pseudo": True}, "--pseudo is for masked models"),
        ("lstm", {"seeds": 2}, "--seeds is for masked models"),
        ("udgn", {"state": "stream"}, f"--state is for models of the next word ({', '.join(kinds('next-word'))})"),
        ("udgn", {"tokenizer": "blanks"}, "unknown tokenizer 'blanks'"),
    ],
)
def test_settings_that_no_model_has_are_refused(folder, name, options, message):
    with pytest.raises(SettingError) as caught:
        measured(folder, name, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "\n", ". , !\n"])
def test_a_text_without_words_is_an_error(folder, tmp_path, text):
    (tmp_path / "empty.txt").write_text(text)
    with pytest.raises(DataError, match=r"empty\.txt: .*lstm reads no words here"):
        perplexity([str(folder / "lstm")], str(tmp_path / "empty.txt"))


def test_a_text_of_unknown_words_has_no_masked_perplexity(folder, tmp_path):
    (tmp_path / "text.txt").write_text("zebra okapi\n")
    [found] = perplexity([str(folder / "udgn")], str(tmp_path / "text.txt"), pseudo=True).models
    values = found.values()
    assert values["perplexity"] is values["perplexity_per_word"] is None
    assert (values["predictions"], values["unknown_words"]) == (0, 2)
