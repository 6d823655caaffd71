"""Estimators in the style of scikit-learn, for nodes of one graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .embedding import Embedding
from .errors import GesfError, InputError
from .labels import label_values, mapping_of
from .recognise import is_path, table_of
from .splits import member_rows
from .table import GraphTable
from .training import embed

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Self


class GesfEstimator:
    """What the classifier and the regressor share: parameters, `fit` and `predict`."""

    _kind: str | None = None

    def __init__(self, seed: int = 0, weight: str | None = "weight", **settings: Any) -> None:
        self.seed = seed
        self.weight = weight
        self._settings = settings

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {"seed": self.seed, "weight": self.weight, **self._settings}

    def set_params(self, **params: Any) -> Self:
        """Changes parameters."""
        for name, value in params.items():
            if name in ("seed", "weight"):
                setattr(self, name, value)
            else:
                self._settings[name] = value
        return self

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.get_params().items())
        return f"{type(self).__name__}({shown})"

    def fit(self, graph: Any, y: Any = None, train: Any = None, progress: Any = False) -> Self:
        """Trains on the labels `y` of the nodes `train` (ids or a mask; default: all)."""
        if is_path(graph):
            raise InputError("graph: found a path, expected a graph in memory: use `embed`")
        self.graph_ = table_of(graph, self.weight, None)
        values = label_values(y, self.graph_)
        if values is None:
            raise InputError("y: found no labels, expected some")
        self.y_ = values
        if train is None:
            fitted = values
        else:
            rows = set(member_rows(train, self.graph_))
            fitted = [own if row in rows else None for row, own in enumerate(values)]
        settings = {"labelled": 1.0, **self._settings}
        self.embedding_ = embed(
            self.graph_, fitted, seed=self.seed, progress=progress, kind=self._kind, **settings
        )
        return self

    def predict(self, nodes: Any = None) -> NDArray[Any]:
        """Predictions for nodes (default: all, in row order)."""
        whole = self._fitted().prediction
        assert whole is not None
        return self._select(whole, nodes)

    def transform(self, nodes: Any = None) -> NDArray[Any]:
        """Embeddings of nodes, as features for another estimator."""
        return self._select(self._fitted().x, nodes)

    def _fitted(self) -> Embedding:
        found: Embedding | None = getattr(self, "embedding_", None)
        if found is None:
            raise GesfError(f"{type(self).__name__}: not fitted yet\n  help: call fit first")
        return found

    def _select(self, whole: NDArray[Any], nodes: Any) -> NDArray[Any]:
        if nodes is None:
            return whole
        selected: NDArray[Any] = whole[member_rows(nodes, self.graph_)]
        return selected

    def _truth(self, nodes: Any, y: Any) -> tuple[list[int], list[Any]]:
        """Rows with a label and their labels."""
        table: GraphTable = self.graph_
        rows = list(range(len(table.nodes))) if nodes is None else member_rows(nodes, table)
        pairs = [(row, own) for row, own in self._labels_at(rows, y) if own is not None]
        if not pairs:
            raise InputError("score: found no labelled node, expected one")
        return [row for row, _ in pairs], [own for _, own in pairs]

    def _labels_at(self, rows: list[int], y: Any) -> list[tuple[int, Any]]:
        """Labels of rows: those of `fit`, by node, or one for each of the rows."""
        if y is None or mapping_of(y) is not None:
            whole = self.y_ if y is None else label_values(y, self.graph_) or []
            return [(row, whole[row]) for row in rows if row < len(whole)]
        selection = GraphTable(nodes=list(rows), sources=[], targets=[])
        return list(zip(rows, label_values(y, selection) or []))


class GesfClassifier(GesfEstimator):
    """Classifies nodes; several labels per node are lists or a 0/1 matrix."""

    _estimator_type = "classifier"

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes, in the order of the columns of `predict_proba`."""
        found = self._fitted().classes
        assert found is not None
        return found

    def predict_proba(self, nodes: Any = None) -> NDArray[Any]:
        """Class probabilities of nodes."""
        whole = self._fitted().probability
        assert whole is not None
        return self._select(whole, nodes)

    def score(self, nodes: Any = None, y: Any = None) -> float:
        """Accuracy on the labelled ones of `nodes`; all labels must match if there are several."""
        rows, truth = self._truth(nodes, y)
        found = self.predict()[rows]
        if found.ndim == 2:
            names = self.classes_.tolist()
            sets = [{names[column] for column in own.nonzero()[0]} for own in found]
            hits = [own == set(true) for own, true in zip(sets, truth)]
        else:
            hits = [own == true for own, true in zip(found.tolist(), truth)]
        return sum(hits) / len(hits)


class GesfRegressor(GesfEstimator):
    """Predicts a number for each node."""

    _estimator_type = "regressor"
    _kind = "numeric"

    def score(self, nodes: Any = None, y: Any = None) -> float:
        """R² on the nodes with a target among `nodes`."""
        rows, truth = self._truth(nodes, y)
        found = self.predict()[rows].tolist()
        mean = sum(truth) / len(truth)
        total = sum((own - mean) ** 2 for own in truth)
        residual = sum((own - guess) ** 2 for own, guess in zip(truth, found))
        return 1.0 - residual / total if total else 0.0
