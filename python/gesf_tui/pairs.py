"""Edges of matrices and edge indices, which store undirected edges twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


def single_pairs(
    sources: NDArray[Any], targets: NDArray[Any], weights: NDArray[Any] | None
) -> NDArray[Any] | None:
    """Which entries to keep so that each edge of a symmetric matrix counts once.

    `None` if the entries are not symmetric: they are then directed edges.
    """
    import numpy as np

    values = np.ones(len(sources)) if weights is None else weights
    there = np.lexsort((values, targets, sources))
    back = np.lexsort((values, sources, targets))
    is_symmetric = (
        np.array_equal(sources[there], targets[back])
        and np.array_equal(targets[there], sources[back])
        and np.array_equal(values[there], values[back])
    )
    return sources <= targets if is_symmetric else None
