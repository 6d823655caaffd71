"""Splits in any accepted form, as rows of train, validation and test nodes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from .errors import InputError
from .labels import mapping_of
from .table import GraphTable

PARTS = ("train", "validation", "test")
_NAMES = {
    "train": "train", "train_mask": "train",
    "validation": "validation", "val": "validation", "valid": "validation",
    "val_mask": "validation",
    "test": "test", "test_mask": "test",
}  # fmt: skip


def is_share(split: Any) -> bool:
    """Whether a split is a share of the labelled nodes."""
    return isinstance(split, (int, float)) and not isinstance(split, bool)


def split_of_ids(split: Any) -> dict[Hashable, str]:
    """The part of each node, for nodes that are given by id."""
    parts: dict[Hashable, str] = {}
    for part, members in _by_part(split).items():
        for node in _members(members):
            _put(parts, node, part)
    return parts


def split_of_rows(split: Any, table: GraphTable) -> dict[int, str]:
    """The part of each row, for ids or masks."""
    parts: dict[int, str] = {}
    for part, members in _by_part(split).items():
        for row in member_rows(members, table):
            _put(parts, row, part)
    return parts


def member_rows(members: Any, table: GraphTable) -> list[int]:
    """Rows of nodes given by a mask or by id."""
    own = _members(members)
    if own and all(_is_flag(value) for value in own):
        if len(own) != len(table.nodes):
            raise InputError(f"mask: found {len(own)} values, expected {len(table.nodes)}")
        return [row for row, value in enumerate(own) if value]
    return [table.row_of(node) for node in own]


def _by_part(split: Any) -> dict[str, Any]:
    if isinstance(split, (tuple, list)) and len(split) in (2, 3):
        return dict(zip(PARTS if len(split) == 3 else ("train", "test"), split))
    by_node = mapping_of(split)
    if by_node is None:
        raise InputError(
            f"split: found {type(split).__name__}, expected a share, a mapping "
            "{'train': nodes, 'validation': nodes, 'test': nodes} or (train, test)"
        )
    are_parts = all(isinstance(key, str) and key in _NAMES for key in by_node)
    if are_parts and not all(isinstance(value, str) for value in by_node.values()):
        return {_NAMES[str(key)]: value for key, value in by_node.items()}
    return _grouped(by_node)


def _grouped(by_node: Mapping[Hashable, Any]) -> dict[str, Any]:
    """The nodes of each part, from a mapping of nodes to parts."""
    groups: dict[str, list[Hashable]] = {}
    for node, part in by_node.items():
        if part is None:
            continue
        if part not in _NAMES:
            raise InputError(f"split: found {part!r}, expected {', '.join(PARTS)}")
        groups.setdefault(_NAMES[part], []).append(node)
    return groups


def _members(members: Any) -> list[Any]:
    if hasattr(members, "detach"):
        members = members.detach().cpu()
    shape = getattr(members, "shape", None)
    if shape is not None and len(shape) != 1:
        raise InputError(
            f"split: found masks of shape {tuple(shape)}, expected one split\n"
            "  help: choose one: split={'train': train_mask[:, 0], …}; or pass a share"
        )
    if isinstance(members, str) or not isinstance(members, Iterable):
        raise InputError(f"split: found {members!r}, expected nodes or a mask")
    own: list[Any] = members.tolist() if hasattr(members, "tolist") else list(members)
    return own


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


def _put(parts: dict[Any, str], node: Any, part: str) -> None:
    if parts.setdefault(node, part) != part:
        raise InputError(f"split: found {node!r} in {parts[node]} and {part}, expected one part")
