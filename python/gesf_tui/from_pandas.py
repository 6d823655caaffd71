"""pandas edge tables: a row per edge, with its two nodes and optionally a weight."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from .errors import InputError
from .table import GraphTable

END_COLUMNS = (
    ("source", "target"), ("src", "dst"), ("from", "to"), ("node_1", "node_2"),
    ("id_1", "id_2"), ("u", "v"),
)  # fmt: skip


def table(frame: Any, weight: str | None, directed: bool | None) -> GraphTable:
    """Tables of an edge table; nodes are in the order in which they appear."""
    first, second = _end_columns(frame)
    if bool(frame[first].isna().any()) or bool(frame[second].isna().any()):
        raise InputError(f"edges: found a missing node in `{first}` or `{second}`, expected none")
    ends = frame[first].tolist(), frame[second].tolist()
    rows: dict[Hashable, int] = {}
    for source, target in zip(*ends):
        rows.setdefault(source, len(rows))
        rows.setdefault(target, len(rows))
    weights = None
    if weight is not None and weight in frame.columns:
        weights = [float(value) for value in frame[weight].tolist()]
    return GraphTable(
        nodes=list(rows),
        sources=[rows[node] for node in ends[0]],
        targets=[rows[node] for node in ends[1]],
        weights=weights,
        directed=bool(directed),
    )


def _end_columns(frame: Any) -> tuple[Any, Any]:
    by_name = {str(column).lower(): column for column in frame.columns}
    for first, second in END_COLUMNS:
        if first in by_name and second in by_name:
            return by_name[first], by_name[second]
    if len(frame.columns) < 2:
        raise InputError(
            f"edges: found the columns {list(frame.columns)}, expected `source` and `target`"
        )
    return frame.columns[0], frame.columns[1]
