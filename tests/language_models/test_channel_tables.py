import json
from dataclasses import replace

import numpy as np

from synparse.language_models.channel_tables import protocol_of, tables_of, values_of
from synparse.language_models.channels import Best, ChannelCorrelations

MATRIX = np.array([[[0.1, 0.5]], [[-0.25, np.nan]]])


def correlations(name="one", kind="udgn", det=0.5, clusters=None):
    best = [Best("det", 7, 1, 2, det), Best("obj", 3, 1, 1, -0.25)]
    return ChannelCorrelations(name, kind, 10, best, MATRIX, clusters, {"heads": 0.43211})


def test_values_have_the_documented_keys():
    values = values_of([correlations()], "gold", "a rule", with_matrix=False)
    assert json.loads(json.dumps(values)) == {
        "gold": "gold",
        "protocol": "a rule",
        "models": [
            {
                **{"model": "one", "kind": "udgn", "layers": 1, "channels": 2, "arcs": 10},
                "relations": [
                    {"relation": "det", "arcs": 7, "layer": 1, "channel": 2, "correlation": 0.5},
                    {"relation": "obj", "arcs": 3, "layer": 1, "channel": 1, "correlation": -0.25},
                ],
                "mean_of_best": 0.125,
                "entropies": {"heads": 0.4321},
            }
        ],
    }
    [model] = values_of([correlations()], "gold", "a rule", with_matrix=True)["models"]
    assert model["matrix"] == {"det": [[0.1, 0.5]], "obj": [[-0.25, None]]}


def test_one_model_has_a_row_for_each_relation_and_each_channel():
    clusters = {"channels": {"clusters": 2, "v_measure": 0.25}, "random": {"clusters": 2, "v_measure": None}}
    values = values_of([correlations(clusters=clusters)], "gold", "", with_matrix=True)
    about, best, of_clusters, every = tables_of(values, with_matrix=True)
    assert dict(about.rows) == {
        "gold": "gold",
        "model": "one",
        "kind": "udgn",
        "arcs": "10",
        "entropy of heads": "0.43",
    }
    assert list(best.rows) == [
        ("det", "7", "1.2", "0.50"), ("obj", "3", "1.1", "-0.25"), ("mean of best", "", "", "0.12")
    ]  # fmt: skip
    assert of_clusters.title == "induced and trivial relations of gold arcs: one"
    assert list(of_clusters.columns) == ["relations", "clusters", "V-measure"]
    assert list(of_clusters.rows) == [("channels", "2", "25.00"), ("random", "2", "none")]
    assert list(every.columns) == ["channel", "det", "obj"]
    assert list(every.rows) == [("1.1", "0.10", "-0.25"), ("1.2", "0.50", "none")]


def test_models_of_one_kind_have_a_mean_and_a_deviation():
    found = [correlations(det=0.55), correlations("one", det=0.35), correlations("other", "transformer", None)]
    _, table = tables_of(values_of(found, "gold", "", False), with_matrix=False)
    assert list(table.columns) == ["", "one", "one", "other", "udgn, mean", "deviation"]
    rows = {name: cells for name, *cells in table.rows}
    assert rows["kind"] == ["udgn", "udgn", "transformer", "", ""]
    assert rows["det"] == ["0.55", "0.35", "none", "0.45", "0.14"]
    assert rows["mean of best"] == ["0.15", "0.05", "none", "0.10", "0.07"]


def test_the_protocol_names_weights_and_relations():
    assert "(UDGN: 4.2.11; " in protocol_of("competition", "full")
    assert "(UDGN: 4.2.12; " in protocol_of("masked", "universal")
    assert "has the universal relation" in protocol_of("masked", "universal")


def test_the_heads_of_a_structformer_have_a_row_for_each_layer():
    correlated = correlations(kind="structformer")
    values = values_of(
        [replace(correlated, parent_shares=[[0.25, 0.5], [1.0, 0.12345]])], "gold", "", with_matrix=False
    )
    assert values["models"][0]["parent_shares"] == [[0.25, 0.5], [1.0, 0.1235]]
    *_, shares = tables_of(values, with_matrix=False)
    assert list(shares.columns) == ["layer", "head 1", "head 2"]
    assert list(shares.rows) == [("1", "0.25", "0.50"), ("2", "1.00", "0.12")]
