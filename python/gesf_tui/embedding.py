"""A trained model: its arrays in the caller's node order, and its explanations."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import explanation, exported, program
from .errors import GesfError, InputError
from .explanation import Explanation
from .labels import SEPARATOR, LabelTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCORES_FROM_X = {"train": "seen_x", "validation": "validation_x", "test": "held_x"}
SCORES_FROM_R = {"train": "seen_r", "test": "held_r"}


@dataclass(frozen=True)
class NodeTable:
    """The nodes of a run: the caller's ids, the program's ids and types, by row."""

    nodes: list[Hashable]
    ids: list[str]
    types: list[str]

    @cached_property
    def rows(self) -> Mapping[Hashable, int]:
        """Rows by the caller's ids."""
        return {node: row for row, node in enumerate(self.nodes)}

    @cached_property
    def nodes_by_id(self) -> Mapping[str, Hashable]:
        """The caller's ids by the program's."""
        return dict(zip(self.ids, self.nodes))


class Embedding:
    """Embeddings, predictions and explanations of one run.

    A temporary run folder is removed with this object; `out=` keeps it.
    """

    def __init__(
        self,
        run: Path,
        table: NodeTable,
        labels: LabelTable | None,
        history: list[dict[str, Any]],
        temporary: tempfile.TemporaryDirectory[str] | None,
    ) -> None:
        self.run = run
        """The run folder, for other commands of the program."""
        self.history = history
        """Metrics of every epoch; the last entry is the final state."""
        self._table = table
        self._labels = labels
        if temporary is not None:
            weakref.finalize(self, temporary.cleanup)
        self._export = run / "export"

    @property
    def nodes(self) -> list[Hashable]:
        """The caller's node ids, in row order."""
        return self._table.nodes

    @property
    def types(self) -> list[str]:
        """The type of every node, in row order."""
        return self._table.types

    def __len__(self) -> int:
        return len(self.nodes)

    def __repr__(self) -> str:
        return f"<Embedding of {len(self)} nodes, epoch {self.history[-1]['epoch']}>"

    def row(self, node: Hashable) -> int:
        """The row of a node in all arrays."""
        try:
            return self._table.rows[node]
        except (KeyError, TypeError):
            raise InputError(f"node: found {node!r}, expected one of {len(self)} nodes") from None

    def __getitem__(self, node: Hashable) -> NDArray[Any]:
        """The embedding of a node."""
        row: NDArray[Any] = self.x[self.row(node)]
        return row

    @cached_property
    def x_by_type(self) -> dict[str, NDArray[Any]]:
        """Embeddings of each node type, whose dimensions may differ."""
        return exported.read_matrix(self._export, "embeddings", self.types)

    @cached_property
    def r_by_type(self) -> dict[str, NDArray[Any]]:
        """Reconstructions of each node type."""
        return exported.read_matrix(self._export, "reconstruction", self.types)

    @cached_property
    def x(self) -> NDArray[Any]:
        """Embeddings x, a row per node."""
        return self._in_row_order(self.x_by_type)

    @cached_property
    def r(self) -> NDArray[Any]:
        """Reconstructions R(x), a row per node."""
        return self._in_row_order(self.r_by_type)

    @cached_property
    def hop_weights(self) -> NDArray[Any]:
        """Hop weights α_1 to α_K; empty if the filter has none."""
        import numpy as np

        return np.array(self.history[-1].get("hop_weights", []), dtype=np.float32)

    @property
    def scores(self) -> dict[str, dict[str, float]]:
        """Scores of predictions from x on the train, validation and test nodes."""
        return self._scores(SCORES_FROM_X)

    @property
    def scores_from_r(self) -> dict[str, dict[str, float]]:
        """Scores of predictions from R(x) on the train and test nodes."""
        return self._scores(SCORES_FROM_R)

    @cached_property
    def classes(self) -> NDArray[Any] | None:
        """The classes, in the order of the columns of `probability`."""
        found = self._predictions
        if found is None or found.probability is None:
            return None
        return _array([self._class_of(text) for text in found.classes])

    @property
    def probability(self) -> NDArray[Any] | None:
        """Class probabilities, a row per node; `None` for numeric targets or no labels."""
        return None if self._predictions is None else self._predictions.probability

    @cached_property
    def prediction(self) -> NDArray[Any] | None:
        """Predictions from x: a class or number per node, or a 0/1 matrix for several labels."""
        return None if self._predictions is None else self._decoded(self._predictions.from_x)

    @cached_property
    def prediction_from_r(self) -> NDArray[Any] | None:
        """Predictions from R(x), which contributions add up to."""
        return None if self._predictions is None else self._decoded(self._predictions.from_r)

    def explain(
        self, node: Hashable, *, label: Any = None, against: Any = None, top: int = 20
    ) -> Explanation:
        """The strongest contributors to the logit of a class (default: the predicted one)."""
        text = self._table.ids[self.row(node)]
        document = explain_json(
            self.run, text, self._class_text(label), self._class_text(against), top
        )
        nodes = self._table.nodes_by_id
        return explanation.read(document, lambda own: nodes.get(own, own), self._label_of)

    def contributions(
        self, node: Hashable, *, label: Any = None, against: Any = None
    ) -> NDArray[Any]:
        """The signed contribution of every node, in row order; with the baseline they add up
        to the explained value."""
        import numpy as np

        found = self.explain(node, label=label, against=against, top=len(self))
        values = np.zeros(len(self))
        for own in found.contributors:
            values[self.row(own.node)] = own.adds
        values[self.row(node)] = found.document["itself"]
        return values

    @cached_property
    def _predictions(self) -> exported.PredictionRows | None:
        return exported.read_predictions(self._export, self._table.ids)

    def _scores(self, keys: Mapping[str, str]) -> dict[str, dict[str, float]]:
        last = self.history[-1]
        return {part: last[key] for part, key in keys.items() if last.get(key) is not None}

    def _class_of(self, text: str) -> Any:
        return text if self._labels is None else self._labels.class_of(text)

    def _class_text(self, label: Any) -> str | None:
        if label is None or self._labels is None or not self._labels.classes:
            return None if label is None else str(label)
        return self._labels.text_of(label)

    def _label_of(self, text: str) -> Any:
        """A label in an explanation: a class, a tuple of classes, a number or `None`."""
        kind = None if self._labels is None else self._labels.kind
        if text == "":
            return None
        if kind == "numeric":
            return float(text)
        if kind == "several":
            return tuple(self._class_of(own) for own in text.split(SEPARATOR))
        return self._class_of(text)

    def _decoded(self, texts: list[str | None]) -> NDArray[Any]:
        import numpy as np

        kind = None if self._labels is None else self._labels.kind
        if kind == "numeric":
            return np.array([np.nan if text is None else float(text) for text in texts])
        if kind == "several" and self._predictions is not None:
            columns = {text: column for column, text in enumerate(self._predictions.classes)}
            matrix = np.zeros((len(texts), len(columns)), dtype=np.int64)
            for row, text in enumerate(texts):
                for own in (text or "").split(SEPARATOR):
                    if own in columns:
                        matrix[row, columns[own]] = 1
            return matrix
        return _array([None if text is None else self._class_of(text) for text in texts])

    def _in_row_order(self, by_type: dict[str, NDArray[Any]]) -> NDArray[Any]:
        import numpy as np

        if not by_type:
            raise GesfError("export: found no such matrix, expected one from this version")
        widths = {kind: own.shape[1] for kind, own in by_type.items()}
        if len(set(widths.values())) > 1:
            raise GesfError(f"dimension: found {widths}, expected one\n  help: use x_by_type")
        whole = np.full((len(self), next(iter(widths.values()))), np.nan, dtype=np.float32)
        kinds = np.array(self.types, dtype=object)
        for kind, own in by_type.items():
            whole[kinds == kind] = own
        return whole


def explain_json(
    run: Path, node: str, label: str | None, against: str | None, top: int
) -> dict[str, Any]:
    """The program's explanation of a node."""
    arguments = ["explain", str(run), f"--node={node}", f"--top={top}", "--json"]
    if label is not None:
        arguments.append(f"--class={label}")
    if against is not None:
        arguments.append(f"--against={against}")
    document: dict[str, Any] = program.run_json(arguments)
    return document


def _array(values: list[Any]) -> NDArray[Any]:
    """Values of one simple type as an array of it, others as objects."""
    import numpy as np

    kinds = {type(value) for value in values}
    if len(kinds) == 1 and kinds <= {int, float, str, bool}:
        return np.array(values)
    whole = np.empty(len(values), dtype=object)
    whole[:] = values
    return whole
