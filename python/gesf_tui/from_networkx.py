"""networkx graphs as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .table import GraphTable

# Attribute names that have a role, as in the program's own formats.
LABEL_ATTRIBUTES = (
    "labels", "class", "category", "subject", "community", "club", "group",
    "department", "modularity_class", "block",
)  # fmt: skip
TYPE_ATTRIBUTES = ("type", "node_type", "kind", "bipartite")
NAME_ATTRIBUTES = ("name", "title")


def table(graph: Any, weight: str | None) -> GraphTable:
    """Tables of any networkx graph; parallel edges stay separate rows."""
    nodes = list(graph.nodes)
    rows = {node: row for row, node in enumerate(nodes)}
    sources, targets, weights = [], [], []
    is_weighted = False
    for source, target, data in graph.edges(data=True):
        sources.append(rows[source])
        targets.append(rows[target])
        value = None if weight is None else data.get(weight)
        is_weighted = is_weighted or value is not None
        weights.append(1.0 if value is None else float(value))
    columns = _columns(data for _, data in graph.nodes(data=True))
    types, names = _first(columns, TYPE_ATTRIBUTES), _first(columns, NAME_ATTRIBUTES)
    return GraphTable(
        nodes=nodes,
        sources=sources,
        targets=targets,
        weights=weights if is_weighted else None,
        directed=graph.is_directed(),
        types=_texts(types, ["node"] * len(nodes)) if types else None,
        names=_texts(names, [str(node) for node in nodes]) if names else None,
        labels=_first(columns, LABEL_ATTRIBUTES),
        attributes=columns,
    )


def _columns(data_of_nodes: Iterable[Mapping[Any, Any]]) -> dict[str, list[Any]]:
    all_data = list(data_of_nodes)
    names = dict.fromkeys(str(key) for data in all_data for key in data)
    return {name: [data.get(name) for data in all_data] for name in names}


def _first(columns: Mapping[str, list[Any]], names: Iterable[str]) -> list[Any] | None:
    return next((columns[name] for name in names if name in columns), None)


def _texts(values: list[Any], otherwise: list[str]) -> list[str]:
    return [str(v) if v is not None else text for v, text in zip(values, otherwise)]
