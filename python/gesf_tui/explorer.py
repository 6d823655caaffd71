"""`open`: a graph in the interactive explorer."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from . import program
from .options import OPEN_OPTIONS, arguments
from .source import place
from .training import require_new, split_options


def open(  # noqa: A001 - the name users expect: `gesf_tui.open(graph)`
    graph: Any,
    labels: Any = None,
    split: Any = None,
    *,
    kind: str | None = None,
    weight: str | None = "weight",
    directed: bool | None = None,
    out: str | os.PathLike[str] | None = None,
    **options: Any,
) -> None:
    """Opens a graph in the explorer and returns when the user quits.

    `options` are those of the program (`screen="map"`, `paused=True`) and its settings.
    A graph in memory is written to a temporary folder, or to `out` to keep it.
    """
    with tempfile.TemporaryDirectory(prefix="gesf-") as temporary:
        folder = Path(temporary)
        if out is not None:
            folder = Path(out).resolve()
            require_new(folder)
        source = place(graph, labels, folder, kind=kind, weight=weight, directed=directed)
        flags = split_options(source, split, options, folder) + arguments(options, OPEN_OPTIONS)
        program.run_in_terminal([source.path, *source.options, *flags])
