"""Keyword arguments as options of the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .errors import InputError

# Options of the program that are not settings; all others become `--set KEY=VALUE`.
TRAIN_OPTIONS = frozenset(
    {
        "preset", "no_cache", "format", "on_bad_row", "label_column", "target_column",
        "type_column", "name_column", "unweighted", "count_rows",
    }
)  # fmt: skip
OPEN_OPTIONS = TRAIN_OPTIONS | {
    "speed", "screen", "theme", "glyphs", "projector", "paused", "record", "plain", "log",
}  # fmt: skip


def arguments(values: Mapping[str, Any], options: Iterable[str]) -> list[str]:
    """Command-line arguments for options and settings; `None` and `False` flags are left out."""
    result: list[str] = []
    for key, value in values.items():
        if value is None:
            continue
        if key not in options:
            result += ["--set", f"{key}={_text(key, value)}"]
        elif value is True:
            result.append(_flag(key))
        elif value is not False:
            result.append(f"{_flag(key)}={_text(key, value)}")
    return result


def _flag(key: str) -> str:
    return "--" + key.replace("_", "-")


def _text(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_text(key, own) for own in value)
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, (dict, set, bytes)):
        raise InputError(f"{key}: found {type(value).__name__}, expected a number or text")
    return str(value)
