"""Labels in any accepted form, as cells of the program's tables and back."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import InputError
from .table import GraphTable

KINDS = ("one", "several", "numeric")
SEPARATOR = "|"
# Longer integers would be read as approximate numbers.
_INTEGER = re.compile(r"-?(0|[1-9]\d{0,14})")


@dataclass(frozen=True)
class LabelTable:
    """Labels by row: the kind of task, a cell per row and the class of each text."""

    kind: str
    cells: list[str]
    classes: dict[str, Any]

    def class_of(self, text: str) -> Any:
        """The caller's class for a class name of the program."""
        return self.classes.get(text, text)

    def text_of(self, label: Any) -> str:
        """The program's name of one of the caller's classes."""
        for text, own in self.classes.items():
            if own == label:
                return text
        raise InputError(f"class: found {label!r}, expected one of {list(self.classes.values())}")


def label_table(labels: Any, table: GraphTable, kind: str | None) -> LabelTable | None:
    """The labels to train on: those given, else those of the graph, else none."""
    values = label_values(labels, table)
    return None if values is None else encoded(values, kind)


def label_values(labels: Any, table: GraphTable) -> list[Any] | None:
    """A label per row: `None` if unlabelled, a tuple if there are several."""
    if labels is None:
        labels = table.labels
    if isinstance(labels, str):
        if labels not in table.attributes:
            known = ", ".join(f"`{name}`" for name in table.attributes) or "none"
            raise InputError(f"labels: found `{labels}`, expected a node attribute: {known}")
        labels = table.attributes[labels]
    if labels is None:
        return None
    by_node = mapping_of(labels)
    if by_node is not None:
        values: list[Any] = [None] * len(table.nodes)
        for node, label in by_node.items():
            values[table.row_of(node)] = plain(label)
    else:
        values = _in_row_order(labels, len(table.nodes))
    return values if any(value is not None for value in values) else None


def mapping_of(values: Any) -> Mapping[Hashable, Any] | None:
    """A mapping by node, if the values are one; a pandas Series is."""
    if isinstance(values, Mapping):
        return values
    is_series = type(values).__module__.split(".")[0] == "pandas" and hasattr(values, "to_dict")
    if is_series and values.ndim == 1:
        own: Mapping[Hashable, Any] = values.to_dict()
        return own
    return None


def _in_row_order(labels: Any, count: int) -> list[Any]:
    if hasattr(labels, "detach"):
        labels = labels.detach().cpu()
    for to_array in ("toarray", "to_numpy"):
        labels = getattr(labels, to_array)() if hasattr(labels, to_array) else labels
    shape = getattr(labels, "shape", None)
    values = labels.tolist() if hasattr(labels, "tolist") else list(labels)
    if shape is not None and len(shape) == 2:
        values = [row[0] for row in values] if shape[1] == 1 else [_members(row) for row in values]
    if len(values) != count:
        raise InputError(f"labels: found {len(values)}, expected one for each of {count} nodes")
    return [plain(value) for value in values]


def _members(row: list[Any]) -> tuple[int, ...] | None:
    """Columns that are 1 in a row of a 0/1 matrix."""
    if any(value not in (0, 1) for value in row if not is_missing(value)):
        raise InputError("labels: found a matrix with other values, expected only 0 and 1")
    return tuple(column for column, value in enumerate(row) if value == 1) or None


def plain(label: Any) -> Any:
    """A label as a Python value, `None` if it is missing."""
    if isinstance(label, (list, tuple, set, frozenset)) or getattr(label, "ndim", 0) == 1:
        own = [plain(value) for value in label]
        return tuple(value for value in own if value is not None) or None
    if is_missing(label):
        return None
    return label.item() if hasattr(label, "item") else label


def is_missing(value: Any) -> bool:
    """Whether a value stands for no label: `None`, NaN, NaT or pandas' NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and value != value


def encoded(values: list[Any], kind: str | None = None) -> LabelTable:
    """Cells for the program, with the class of each text."""
    kind = kind or _kind_of(values)
    if kind not in KINDS:
        raise InputError(f"kind: found {kind!r}, expected one of {', '.join(KINDS)}")
    if kind == "numeric":
        return LabelTable(kind, [_number(value) for value in values], {})
    members = [_as_tuple(value) for value in values]
    if kind == "one" and any(len(own) > 1 for own in members):
        raise InputError("labels: found a node with several, expected one\n  help: kind='several'")
    classes = dict.fromkeys(label for own in members for label in own)
    texts = _class_texts(classes)
    cells = [SEPARATOR.join(texts[label] for label in own) for own in members]
    return LabelTable(kind, cells, {text: label for label, text in texts.items()})


def _kind_of(values: list[Any]) -> str:
    known = [value for value in values if value is not None]
    if any(isinstance(value, tuple) for value in known):
        return "several"
    are_numbers = all(
        isinstance(value, (int, float)) and not isinstance(value, bool) for value in known
    )
    return "numeric" if are_numbers and any(value % 1 for value in known) else "one"


def _number(value: Any) -> str:
    if value is None:
        return ""
    try:
        return repr(float(value))
    except (TypeError, ValueError):
        raise InputError(f"labels: found {value!r}, expected a number") from None


def _as_tuple(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def _class_texts(classes: Iterable[Any]) -> dict[Any, str]:
    """A name for each class: its own text, or a number where texts would not come back."""
    texts = {label: _class_text(label) for label in classes}
    is_safe = all(_is_safe(text) for text in texts.values())
    if is_safe and len(set(texts.values())) == len(texts):
        return texts
    return {label: str(number) for number, label in enumerate(texts)}


def _class_text(label: Any) -> str:
    # Integers become floats where pandas marks missing values.
    return str(int(label)) if isinstance(label, float) and label % 1 == 0 else str(label)


def _is_safe(text: str) -> bool:
    if not text.isprintable() or text != text.strip() or not text or SEPARATOR in text:
        return False
    try:
        float(text)
    except ValueError:
        return True
    return _INTEGER.fullmatch(text) is not None
