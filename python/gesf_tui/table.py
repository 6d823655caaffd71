"""A graph as plain tables: what every accepted graph type is turned into."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .errors import InputError

# Texts that the program's tables give back unchanged.
_SAFE_ID = re.compile(r"[\w(](?:[\w.:@+()', -]*[\w)',.:+@-])?")


@dataclass
class GraphTable:
    """Nodes in row order, edges between rows, and what the graph says about them."""

    nodes: list[Hashable]
    sources: Sequence[int]
    targets: Sequence[int]
    weights: Sequence[float] | None = None
    directed: bool = False
    types: list[str] | None = None
    names: list[str] | None = None
    texts: list[str] | None = None
    """Node ids in files, if `str` of the nodes is not wanted."""
    labels: Any = None
    """Labels the graph carries, in any form that `labels=` accepts."""
    split: Any = None
    """Split the graph carries, in any form that `split=` accepts."""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    """Further columns that `labels="name"` can choose."""

    def __post_init__(self) -> None:
        self.rows: dict[Hashable, int] = {node: row for row, node in enumerate(self.nodes)}
        if len(self.rows) != len(self.nodes):
            raise InputError("nodes: found a node twice, expected each once")

    def ids(self) -> list[str]:
        """Ids in files: readable where that is unambiguous, else row numbers."""
        texts = self.texts or [str(node) for node in self.nodes]
        is_safe = all(_SAFE_ID.fullmatch(text) for text in texts)
        if is_safe and len(set(texts)) == len(texts):
            return texts
        return [str(row) for row in range(len(self.nodes))]

    def display_names(self) -> list[str]:
        """Names shown in the explorer, on one line each."""
        texts = self.names or self.texts or [str(node) for node in self.nodes]
        return [" ".join(text.split()) for text in texts]

    def row_of(self, node: Hashable) -> int:
        """The row of a node, or an error that names it."""
        try:
            return self.rows[node]
        except (KeyError, TypeError):
            raise InputError(
                f"node: found {node!r}, expected one of {len(self.nodes)} nodes"
            ) from None
