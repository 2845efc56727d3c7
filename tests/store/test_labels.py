from dataclasses import replace

import numpy as np
import pytest

from synparse.files.folders import save_together
from synparse.inducers.log_linear import LogLinear
from synparse.store.labels import label_files, names_of, read_labels
from synparse.store.model_directory import CONFIG, LABELS
from synparse.store.models import config_file, open_model
from synparse.trees.errors import DataError
from tests.untrained import untrained

LEARNED = {
    "tags": LogLinear(("NOUN", "VERB"), np.arange(8, dtype=np.float32).reshape(4, 2)),
    "relations": LogLinear(("det", "nsubj:pass", "obj"), np.ones((2, 3), np.float32)),
}


@pytest.fixture
def model(tmp_path):
    directory = untrained(tmp_path / "model", "udgn", "the dog")
    opened = replace(open_model(directory), labels=names_of(LEARNED))
    save_together(directory, {CONFIG: config_file(opened), **label_files(LEARNED)})
    return directory


def test_what_was_learned_is_read_again(model):
    again = read_labels(open_model(model))
    assert {kind: part.names for kind, part in again.items()} == names_of(LEARNED)
    assert all(np.array_equal(again[kind].weights, part.weights) for kind, part in LEARNED.items())


def test_names_may_have_brackets(model):
    config = model / CONFIG
    config.write_text(config.read_text(encoding="utf-8").replace("- NOUN\n", "- (\n"), encoding="utf-8")
    assert "(" in read_labels(open_model(model))["tags"].names


def test_models_without_labels_have_no_file(tmp_path):
    assert label_files({}) == {}
    assert read_labels(open_model(untrained(tmp_path / "model", "udgn", "the dog"))) == {}


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("- NOUN\n", "", "does not fit config.yaml"),
        ("  tags:\n", "  lemmas:\n", "labels.lemmas"),
        ("- NOUN\n", "- VERB\n", "labels.tags must be a list of different names"),
        ("- NOUN\n", "- a b\n", "labels.tags has a name with blanks"),
        ("- NOUN\n", "- 1\n", "labels.tags has a name"),
    ],
)
def test_damaged_models_are_told(model, old, new, reason):
    config = model / CONFIG
    text = config.read_text(encoding="utf-8")
    config.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataError, match=reason):
        read_labels(open_model(model))


def test_a_missing_file_is_told(model):
    (model / LABELS).unlink()
    with pytest.raises(DataError, match="fetch it again"):
        read_labels(open_model(model))
