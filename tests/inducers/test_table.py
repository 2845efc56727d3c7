import subprocess
import sys
from typing import get_args

import pytest

from synparse.inducers.loading import build_on_meta
from synparse.inducers.protocol import ChannelModel, NeuralInducer
from synparse.inducers.table import (
    BASELINES,
    CHANNEL_MODELS,
    INDUCERS,
    Objective,
    build,
    refuse_baseline,
    refuse_without_channels,
)
from synparse.trees.errors import SettingError
from tests.untrained import NETWORKS


@pytest.mark.parametrize("name", [*NETWORKS, *BASELINES])
def test_a_row_leads_to_its_model(name):
    entry = INDUCERS[name]
    inducer = build_on_meta(name, 9, entry.configuration())
    assert isinstance(inducer, NeuralInducer)
    assert type(inducer).__name__ == entry.class_name
    assert set(inducer.PARSER) <= set(vars(inducer)["_modules"]) | set(vars(inducer)["_parameters"])
    assert entry.objective in get_args(Objective)
    assert hasattr(inducer, "tree_layer") == entry.traits.has_tree_layers
    assert hasattr(inducer, "output_bias") == (entry.objective != "tree")
    assert isinstance(inducer, ChannelModel) == (name in CHANNEL_MODELS)


@pytest.mark.parametrize("name", ["gru", None, []])
def test_an_unknown_name_is_answered_with_the_known_ones(name):
    with pytest.raises(SettingError, match=f"there are {', '.join(INDUCERS)}$"):
        build(name, 9, None)


def test_what_counts_has_no_network():
    counting = INDUCERS.keys() - {*NETWORKS, *BASELINES}
    assert counting == {"grammar", "dbm"}
    for name in counting:
        with pytest.raises(SettingError, match=f"a {name} has no network"):
            build(name, 9, INDUCERS[name].configuration())


def test_baselines_have_no_trees():
    assert set(BASELINES) == {"transformer", "lstm"}
    for name in INDUCERS.keys() - set(BASELINES):
        refuse_baseline(name)
    with pytest.raises(SettingError, match="lstm is a language model without trees; models that parse are udgn, "):
        refuse_baseline("lstm")


def test_a_model_without_channels_is_answered_with_those_that_have_them():
    refuse_without_channels("udgn")
    known = "udgn, structformer, transformer"
    with pytest.raises(SettingError, match=f"the model lstm has no channels; models with channels are {known}"):
        refuse_without_channels("lstm")


def test_the_table_needs_no_torch():
    program = "import sys; sys.modules['torch'] = None; import synparse.inducers.table"
    subprocess.run([sys.executable, "-c", program], check=True)
