"""Graph folders: `nodes.csv`, `edges.csv` and `graph.toml`, as docs/FORMATS.md has them."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from .labels import LabelTable
from .table import GraphTable


def write_graph(table: GraphTable, labels: LabelTable | None, folder: Path) -> None:
    """Writes a graph into a new folder; `convert` of the program reads it too."""
    folder.mkdir()
    ids = table.ids()
    columns: dict[str, Sequence[str]] = {"id": ids, "name": table.display_names()}
    types = None if table.types is None else type_names(table.types)
    if types is not None:
        columns["type"] = types
    if labels is not None:
        columns["target" if labels.kind == "numeric" else "labels"] = labels.cells
    _write_csv(folder / "nodes.csv", columns, zip(*columns.values()))
    header, edges = ["source", "target"], zip(table.sources, table.targets)
    rows: Iterable[Sequence[object]] = ((ids[source], ids[target]) for source, target in edges)
    if table.weights is not None:
        header.append("weight")
        rows = ((*row, repr(weight)) for row, weight in zip(rows, table.weights))
    _write_csv(folder / "edges.csv", header, rows)
    (folder / "graph.toml").write_text(_manifest(table, labels, types), encoding="utf-8")


def write_split(path: Path, parts: Iterable[tuple[object, str]]) -> None:
    """Writes the part of each node, for `train --split`."""
    _write_csv(path, ["node", "split"], parts)


def write_labels(path: Path, column: str, cells: Iterable[tuple[object, str]]) -> None:
    """Writes the label of each node, for `--labels`."""
    _write_csv(path, ["id", column], cells)


def type_names(types: Sequence[str]) -> list[str]:
    """Node types as names that also serve in file names."""
    names = {kind: file_name(kind) for kind in dict.fromkeys(types)}
    if len(set(names.values())) < len(names):
        names = {kind: f"type_{number}" for number, kind in enumerate(names)}
    return [names[kind] for kind in types]


def file_name(kind: str) -> str:
    """The name of a node type in the files of an export."""
    return re.sub(r"[^\w-]", "_", kind)[:80] or "node"


def _manifest(table: GraphTable, labels: LabelTable | None, types: list[str] | None) -> str:
    entries: dict[str, object] = {
        "directed": table.directed,
        "label_kind": "none" if labels is None else labels.kind,
    }
    if types is not None:
        entries["node_types"] = _type_order(types, labels)
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in entries.items())
    return "".join(lines)


def _type_order(types: list[str], labels: LabelTable | None) -> list[str]:
    """Types in order of appearance, but labelled ones first: the first is classified."""
    cells = labels.cells if labels is not None else []
    labelled = {kind for kind, cell in zip(types, cells) if cell}
    return sorted(dict.fromkeys(types), key=lambda kind: kind not in labelled)


def _write_csv(path: Path, header: Iterable[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("x", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
