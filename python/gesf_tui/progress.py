"""Progress of training: one line that is rewritten, in a terminal and in a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

Epoch = dict[str, Any]
Report = Callable[[Epoch], object]
SECONDS_BETWEEN_LINES = 0.1


class ProgressLine:
    """Writes the latest epoch over the one before."""

    def __init__(self, epochs: int | None) -> None:
        self.epochs = epochs
        self._width = 0
        self._written_at = 0.0

    def __call__(self, epoch: Epoch) -> None:
        now = time.monotonic()
        if now - self._written_at >= SECONDS_BETWEEN_LINES:
            self._written_at = now
            self._write(describe(epoch, self.epochs))

    def finish(self, last: Epoch | None) -> None:
        """Leaves the final state on the line."""
        if last is not None:
            self._write(describe(last, self.epochs))
        if self._width:
            sys.stderr.write("\n")
            sys.stderr.flush()

    def _write(self, text: str) -> None:
        # Spaces erase a longer line; notebooks do not know escape sequences for it.
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = max(self._width, len(text))


def describe(epoch: Epoch, epochs: int | None) -> str:
    """An epoch in a few words."""
    total = "" if epochs is None else f"/{epochs}"
    text = f"epoch {epoch['epoch']}{total}  loss {epoch['total']:.4f}"
    train, test = epoch.get("seen_x"), epoch.get("held_x")
    name = next((key for key in ("accuracy", "r2") if key in (train or test or {})), None)
    if name is None:
        return text
    scores = ", ".join(
        f"{own[name]:.3f} {part}" for own, part in ((train, "train"), (test, "test")) if own
    )
    return f"{text}  {name} {scores}"


def reporter(progress: bool | Report | None, epochs: int | None) -> Report | None:
    """What receives the epochs: the caller's function, a line, or nothing."""
    if callable(progress):
        return progress
    if progress is None:
        progress = is_watched()
    return ProgressLine(epochs) if progress else None


def is_watched() -> bool:
    """Whether somebody sees the line: in a terminal or in a notebook."""
    return "ipykernel" in sys.modules or bool(sys.stderr and sys.stderr.isatty())
