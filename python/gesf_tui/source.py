"""A graph where the program can read it, with what is known about its nodes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import program
from .embedding import NodeTable
from .errors import InputError
from .folder import file_name, type_names, write_graph, write_labels, write_split
from .labels import LabelTable, encoded, label_table, mapping_of, plain
from .recognise import is_path, table_of
from .splits import split_of_ids, split_of_rows
from .table import GraphTable

LABEL_COLUMN = "gesf_label"


@dataclass
class GraphSource:
    """A path with its options; nodes and labels as far as they are known beforehand."""

    path: str
    options: list[str] = field(default_factory=list)
    table: GraphTable | None = None
    labels: LabelTable | None = None
    own_split: Any = None

    def split_rows(self, split: Any) -> list[tuple[str, str]]:
        """Ids and parts of a split that lists nodes."""
        if self.table is None:
            return [(str(node), part) for node, part in split_of_ids(split).items()]
        ids = self.table.ids()
        return [(ids[row], part) for row, part in split_of_rows(split, self.table).items()]

    def node_table(self, run: Path) -> NodeTable:
        """The nodes of a run on this graph."""
        if self.table is not None:
            types = type_names(self.table.types) if self.table.types else None
            count = len(self.table.nodes)
            return NodeTable(self.table.nodes, self.table.ids(), types or ["node"] * count)
        listed = program.run_json(["predict", str(run), "--json"])
        ids = [own["id"] for own in listed]
        return NodeTable(list(ids), ids, [file_name(own["type"]) for own in listed])

    def label_kind(self) -> LabelTable | None:
        """The labels, or at least their kind, of a graph the program read itself."""
        if self.labels is not None or self.table is not None:
            return self.labels
        kind = program.run_json(["info", self.path, *self.options, "--json"])["label_kind"]
        return None if kind == "none" else LabelTable(kind, [], {})


def place(
    graph: Any,
    labels: Any,
    folder: Path,
    *,
    kind: str | None,
    weight: str | None,
    directed: bool | None,
) -> GraphSource:
    """Makes a graph readable for the program; what is written goes into `folder`."""
    if is_path(graph):
        return _place_path(graph, labels, folder, kind, weight)
    table = table_of(graph, weight, directed)
    own = label_table(labels, table, kind)
    path = folder / "graph"
    write_graph(table, own, path)
    return GraphSource(str(path), table=table, labels=own, own_split=table.split)


def save_split(source: GraphSource, split: Any, folder: Path) -> list[str]:
    """Writes a split that lists nodes; returns the options that use it."""
    rows: Sequence[tuple[str, str]] = source.split_rows(split)
    path = folder / "split.csv"
    write_split(path, rows)
    return [f"--split={path}"]


def _place_path(
    graph: str | os.PathLike[str], labels: Any, folder: Path, kind: str | None, weight: str | None
) -> GraphSource:
    source = GraphSource(os.fspath(graph))
    if weight is None:
        source.options.append("--unweighted")
    is_numeric = kind == "numeric"
    if isinstance(labels, os.PathLike):
        source.options.append(f"--labels={os.fspath(labels)}")
    elif isinstance(labels, str):
        source.options.append(_column_option(is_numeric, labels))
    elif labels is not None:
        by_node = mapping_of(labels)
        if by_node is None:
            raise InputError(
                "labels: found values without ids, expected a mapping by node id, a column "
                "name or a file: the graph is read from a path"
            )
        source.labels = encoded([plain(label) for label in by_node.values()], kind)
        table = folder / "labels.csv"
        write_labels(table, LABEL_COLUMN, zip(by_node, source.labels.cells))
        source.options.append(f"--labels={table}")
        source.options.append(_column_option(source.labels.kind == "numeric", LABEL_COLUMN))
    return source


def _column_option(is_numeric: bool, column: str) -> str:
    return f"--target-column={column}" if is_numeric else f"--label-column={column}"
