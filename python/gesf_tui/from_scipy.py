"""SciPy sparse matrices as tables: an adjacency matrix with one row per node."""

from __future__ import annotations

from typing import Any

from .errors import InputError
from .pairs import single_pairs
from .table import GraphTable


def table(matrix: Any, weight: str | None, directed: bool | None) -> GraphTable:
    """Tables of a square matrix; a symmetric one is an undirected graph."""
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"matrix: found shape {matrix.shape}, expected a square matrix")
    entries = matrix.tocoo(copy=True)
    entries.sum_duplicates()
    entries.eliminate_zeros()
    sources, targets, values = entries.row, entries.col, entries.data
    keep = None if directed else single_pairs(sources, targets, values)
    if keep is not None:
        sources, targets, values = sources[keep], targets[keep], values[keep]
    is_weighted = weight is not None and not (values == 1).all()
    return GraphTable(
        nodes=list(range(matrix.shape[0])),
        sources=sources.tolist(),
        targets=targets.tolist(),
        weights=values.astype(float).tolist() if is_weighted else None,
        directed=keep is None if directed is None else directed,
    )
