"""The correlations of channels as plain values (for JSON), and as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from synparse.language_models.channels import ChannelCorrelations, Weights
from synparse.scoring.comparison import RelationNames
from synparse.scoring.results import cell, in_per_cent, title_of
from synparse.scoring.spread import rounded, spread
from synparse.scoring.tables import Table

_rounded = partial(rounded, digits=4)
"""Correlations as plain values."""

_WEIGHTS = {
    "competition": "before the model's dependencies (UDGN: 4.2.11; StructFormer: q; Transformer: attention)",
    "masked": "with the model's dependencies (UDGN: 4.2.12; StructFormer: p q; Transformer, which has none: attention)",
}


def protocol_of(weights: Weights, names: RelationNames) -> str:
    """What was correlated, in one line."""
    return (
        "Pearson's r, over the gold arcs between words that the model reads, roots left out, of a channel's weight for "
        f"the message from dependent to head, {_WEIGHTS[weights]}, and of whether the arc has the {names} relation; "
        "the best channel of each"
    )


def values_of(
    correlations: Sequence[ChannelCorrelations], gold: str, protocol: str, with_matrix: bool
) -> dict[str, Any]:
    """All results as plain values; with_matrix: the correlations of all channels too, a row of channels for each layer
    of each relation. Scores of clusters are in per cent."""
    models = []
    for model in correlations:
        _, layers, channels = model.matrix.shape
        relations = [{**best._asdict(), "correlation": _rounded(best.correlation)} for best in model.best]
        value: dict[str, Any] = {
            **{"model": model.model, "kind": model.kind, "layers": layers, "channels": channels, "arcs": model.arcs},
            **{"relations": relations, "mean_of_best": _rounded(model.mean_of_best)},
            "entropies": {name: _rounded(value) for name, value in model.entropies.items()},
        }
        if model.parent_shares is not None:
            value["parent_shares"] = [list(map(_rounded, heads)) for heads in model.parent_shares]
        if model.clusters is not None:
            value["clusters"] = {name: in_per_cent(scores) for name, scores in model.clusters.items()}
        if with_matrix:
            rows = zip(model.best, model.matrix.tolist(), strict=True)
            value["matrix"] = {best.relation: [[_rounded(r) for r in row] for row in table] for best, table in rows}
        models.append(value)
    return {"gold": gold, "protocol": protocol, "models": models}


def tables_of(values: Mapping[str, Any], with_matrix: bool) -> list[Table]:
    """The best channels of one model, or a column for each of several and the mean and deviation (n − 1) of each kind
    of which there are several; then clusters, and the correlations of all channels."""
    models = values["models"]
    first = models[0]
    about = [("gold", values["gold"])]
    if len(models) == 1:
        about += [("model", first["model"]), ("kind", first["kind"]), ("arcs", str(first["arcs"]))]
        rows = [
            (relation["relation"], str(relation["arcs"]), _channel(relation), cell(relation["correlation"]))
            for relation in first["relations"]
        ]
        rows.append(("mean of best", "", "", cell(first["mean_of_best"])))
        about += [(f"entropy of {name}", cell(value)) for name, value in first["entropies"].items()]
        tables = [Table("", (), about), Table("correlations", ("relation", "arcs", "channel", "correlation"), rows)]
    else:
        tables = [Table("", (), about), _comparison(models)]
    for model in models:
        if "parent_shares" in model:
            title = f"p_parent of each head (the rest is p_dep): {model['model']}"
            columns = ("layer", *(f"head {head}" for head in range(1, model["channels"] + 1)))
            layers = enumerate(model["parent_shares"], 1)
            tables.append(Table(title, columns, [(str(layer), *map(cell, shares)) for layer, shares in layers]))
        if "clusters" in model:
            keys = list(model["clusters"]["channels"])
            cluster_rows = [(name, *(cell(scores[key]) for key in keys)) for name, scores in model["clusters"].items()]
            title = f"induced and trivial relations of gold arcs: {model['model']}"
            tables.append(Table(title, ("relations", *map(title_of, keys)), cluster_rows))
        if with_matrix:
            tables.append(_all_channels(model))
    return tables


def _comparison(models: Sequence[Mapping[str, Any]]) -> Table:
    groups: dict[str, list[int]] = {}
    for number, model in enumerate(models):
        groups.setdefault(model["kind"], []).append(number)
    columns = ["", *(model["model"] for model in models)]
    for kind, group in groups.items():
        if len(group) > 1:
            columns += [f"{kind}, mean", "deviation"]
    rows = [("kind", *(model["kind"] for model in models)), ("arcs", *(str(model["arcs"]) for model in models))]
    rows = [(*row, *[""] * (len(columns) - len(row))) for row in rows]
    for number, relation in enumerate(models[0]["relations"]):
        correlations = [model["relations"][number]["correlation"] for model in models]
        rows.append((relation["relation"], *_with_means(correlations, groups.values())))
    rows.append(("mean of best", *_with_means([model["mean_of_best"] for model in models], groups.values())))
    for name in dict.fromkeys(name for model in models for name in model["entropies"]):
        entropies = [model["entropies"].get(name) for model in models]
        rows.append((f"entropy of {name}", *_with_means(entropies, groups.values())))
    return Table("correlations", columns, rows)


def _with_means(values: Sequence[float | None], groups: Iterable[Sequence[int]]) -> Iterator[str]:
    """The values of all models, then mean and deviation of each group of several, by their numbers."""
    yield from map(cell, values)
    for group in groups:
        if len(group) > 1:
            summary = (
                None if any(values[number] is None for number in group) else spread(map(values.__getitem__, group), 1)
            )
            yield from (cell(summary and summary.mean), cell(summary and summary.deviation))


def _all_channels(model: Mapping[str, Any]) -> Table:
    """A row for each channel, a column for each relation."""
    relations = list(model["matrix"])
    rows = [
        (f"{layer + 1}.{channel + 1}", *(cell(model["matrix"][name][layer][channel]) for name in relations))
        for layer in range(model["layers"])
        for channel in range(model["channels"])
    ]
    return Table(f"all channels: {model['model']}", ("channel", *relations), rows)


def _channel(best: Mapping[str, Any]) -> str:
    return "none" if best["layer"] is None else f"{best['layer']}.{best['channel']}"
