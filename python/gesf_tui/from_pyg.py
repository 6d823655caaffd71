"""PyG graphs as tables; tensors are read through NumPy, so torch is never imported."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from .errors import InputError
from .pairs import single_pairs
from .table import GraphTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

MASKS = {"train": "train_mask", "validation": "val_mask", "test": "test_mask"}
REVERSE = "rev_"


def table(data: Any, weight: str | None, directed: bool | None) -> GraphTable:
    """Tables of a `Data`: nodes are numbers from 0, labels `y`, the split its masks."""
    sources, targets, weights, is_directed = _edges(data, weight, directed)
    count = int(data.num_nodes or 0)
    masks = {part: _array(data[name]) for part, name in MASKS.items() if name in data}
    columns = {
        name: _array(value)
        for name, value in data.to_dict().items()
        if data.is_node_attr(name) and hasattr(value, "detach")
    }
    return GraphTable(
        nodes=list(range(count)),
        sources=sources.tolist(),
        targets=targets.tolist(),
        weights=None if weights is None else weights.tolist(),
        directed=is_directed,
        labels=_array(data.y) if "y" in data and data.y is not None else None,
        split=masks or None,
        attributes=columns,
    )


def hetero_table(data: Any, weight: str | None, directed: bool | None) -> GraphTable:
    """Tables of a `HeteroData`: nodes are `(type, number)`, all edge types are joined."""
    import numpy as np

    # The program classifies the first type.
    kinds = sorted(data.node_types, key=lambda kind: "y" not in data[kind])
    nodes: list[Hashable] = []
    types: list[str] = []
    texts: list[str] = []
    starts: dict[str, int] = {}
    for kind in kinds:
        starts[kind] = len(nodes)
        count = int(data[kind].num_nodes or 0)
        nodes.extend((kind, number) for number in range(count))
        texts.extend(f"{kind}:{number}" for number in range(count))
        types.extend([str(kind)] * count)
    parts = [
        (store_sources + starts[kind], store_targets + starts[other], weights, is_directed)
        for (kind, _, other), store in _stores(data)
        for store_sources, store_targets, weights, is_directed in [
            _edges(store, weight, directed if kind == other else True)
        ]
    ]
    weights = None
    if any(own is not None for _, _, own, _ in parts):
        weights = [
            value
            for sources, _, own, _ in parts
            for value in ([1.0] * len(sources) if own is None else own.tolist())
        ]
    return GraphTable(
        nodes=nodes,
        sources=np.concatenate([own for own, _, _, _ in parts]).tolist() if parts else [],
        targets=np.concatenate([own for _, own, _, _ in parts]).tolist() if parts else [],
        weights=weights,
        directed=bool(directed),
        types=types,
        texts=texts,
        labels=_hetero_labels(data, kinds, len(nodes), starts),
        split=_hetero_split(data, kinds, len(nodes), starts),
    )


def _stores(data: Any) -> list[tuple[tuple[str, str, str], Any]]:
    """Edge types without the mirrored ones that `ToUndirected` adds."""
    existing = set(data.edge_types)
    return [
        ((kind, relation, other), data[kind, relation, other])
        for kind, relation, other in data.edge_types
        if not relation.startswith(REVERSE)
        or (other, relation[len(REVERSE) :], kind) not in existing
    ]


def _edges(
    store: Any, weight: str | None, directed: bool | None
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None, bool]:
    if "edge_index" not in store or store.edge_index is None:
        raise InputError("graph: found no `edge_index`, expected one")
    sources, targets = _array(store.edge_index)
    weights = None
    names = () if weight is None else ("edge_weight", weight)
    for name in names:
        if name in store and store[name] is not None:
            weights = _array(store[name]).reshape(-1).astype(float)
            break
    keep = None if directed else single_pairs(sources, targets, weights)
    if keep is None:
        return sources, targets, weights, directed is not False
    weights = None if weights is None else weights[keep]
    return sources[keep], targets[keep], weights, False


def _array(tensor: Any) -> NDArray[Any]:
    import numpy as np

    return np.asarray(tensor.detach().cpu().numpy() if hasattr(tensor, "detach") else tensor)


def _hetero_labels(
    data: Any, kinds: list[str], count: int, starts: dict[str, int]
) -> list[Any] | None:
    labels: list[Any] = [None] * count
    for kind in kinds:
        if "y" in data[kind]:
            own = _array(data[kind].y)
            own = own[:, 0] if own.ndim == 2 and own.shape[1] == 1 else own
            if own.ndim == 2:
                values: list[Any] = [tuple(row.nonzero()[0].tolist()) for row in own]
            else:
                values = own.tolist()
            labels[starts[kind] : starts[kind] + len(values)] = values
    return labels if any("y" in data[kind] for kind in kinds) else None


def _hetero_split(
    data: Any, kinds: list[str], count: int, starts: dict[str, int]
) -> dict[str, NDArray[Any]] | None:
    import numpy as np

    masks: dict[str, NDArray[Any]] = {}
    for kind in kinds:
        for part, name in MASKS.items():
            if name in data[kind]:
                mask = _array(data[kind][name])
                whole = masks.setdefault(part, np.zeros((count, *mask.shape[1:]), dtype=bool))
                whole[starts[kind] : starts[kind] + len(mask)] = mask
    return masks or None
