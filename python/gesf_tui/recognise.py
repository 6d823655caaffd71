"""Which kind of graph an object is, told by its type's module so nothing is imported."""

from __future__ import annotations

import os
from typing import Any

from . import from_networkx, from_pandas, from_pyg, from_scipy
from .errors import InputError
from .table import GraphTable

ACCEPTED = (
    "a networkx graph, a PyG Data or HeteroData, a SciPy sparse matrix, "
    "a pandas edge table or a path"
)


def is_path(graph: object) -> bool:
    """Whether the program reads the graph itself."""
    return isinstance(graph, (str, os.PathLike))


def table_of(graph: Any, weight: str | None, directed: bool | None) -> GraphTable:
    """The tables of a graph in memory."""
    if isinstance(graph, GraphTable):
        return graph
    classes = {(cls.__module__.split(".")[0], cls.__name__) for cls in type(graph).__mro__}
    if ("networkx", "Graph") in classes:
        return from_networkx.table(graph, weight)
    if ("torch_geometric", "HeteroData") in classes:
        return from_pyg.hetero_table(graph, weight, directed)
    if ("torch_geometric", "Data") in classes:
        return from_pyg.table(graph, weight, directed)
    if ("pandas", "DataFrame") in classes:
        return from_pandas.table(graph, weight, directed)
    if any(module == "scipy" for module, _ in classes) and hasattr(graph, "tocoo"):
        return from_scipy.table(graph, weight, directed)
    found = f"{type(graph).__module__}.{type(graph).__qualname__}"
    raise InputError(f"graph: found {found}, expected {ACCEPTED}")
