"""The files of `gesf-tui export`, in row order."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .folder import file_name

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class PredictionRows:
    """Predicted texts and probabilities; rows of unlabelled node types are empty."""

    from_x: list[str | None]
    from_r: list[str | None]
    classes: list[str]
    probability: NDArray[Any] | None


def read_matrix(folder: Path, kind: str, types: Sequence[str]) -> dict[str, NDArray[Any]]:
    """A matrix of each node type: `embeddings` or `reconstruction`."""
    import numpy as np

    names = dict.fromkeys(types)
    paths = {name: folder / f"{kind}-{file_name(name)}.npy" for name in names}
    return {name: np.load(path) for name, path in paths.items() if path.is_file()}


def read_predictions(folder: Path, ids: Sequence[str]) -> PredictionRows | None:
    """Predictions by row, or `None` if the graph has no labels."""
    import numpy as np

    path = folder / "predictions.csv"
    if not path.is_file():
        return None
    rows = {text: row for row, text in enumerate(ids)}
    from_x: list[str | None] = [None] * len(ids)
    from_r: list[str | None] = [None] * len(ids)
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        header = next(reader)
        at_id, at_x, at_r = map(header.index, ("id", "predicted", "predicted_from_R"))
        at_p = [at for at, name in enumerate(header) if at > at_r and name.startswith("p(")]
        classes = [header[at][2:-1] for at in at_p]
        probability = np.full((len(ids), len(at_p)), np.nan, dtype=np.float32) if at_p else None
        for record in reader:
            row = rows[record[at_id]]
            from_x[row], from_r[row] = record[at_x], record[at_r]
            if probability is not None:
                probability[row] = [float(record[at]) for at in at_p]
    return PredictionRows(from_x, from_r, classes, probability)
