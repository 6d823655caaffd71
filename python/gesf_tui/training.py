"""`embed`: trains a model on a graph and returns its arrays."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from . import explanation, program
from .embedding import Embedding, explain_json
from .errors import GesfError, InputError
from .explanation import Explanation
from .options import TRAIN_OPTIONS, arguments
from .progress import ProgressLine, Report, reporter
from .source import GraphSource, place, save_split
from .splits import is_share


def embed(
    graph: Any,
    labels: Any = None,
    split: Any = None,
    seed: int = 0,
    progress: bool | Report | None = None,
    *,
    kind: str | None = None,
    weight: str | None = "weight",
    directed: bool | None = None,
    out: str | os.PathLike[str] | None = None,
    **settings: Any,
) -> Embedding:
    """Trains on a graph and returns embeddings, predictions and explanations.

    `labels` are by node or in row order (default: those the graph carries), `split` is a
    share or lists of train, validation and test nodes, `settings` are those of the program.
    """
    temporary = tempfile.TemporaryDirectory(prefix="gesf-") if out is None else None
    run = Path(temporary.name if temporary is not None else os.fspath(out or "")).resolve()
    if temporary is None:
        require_new(run)
    try:
        source = place(graph, labels, run, kind=kind, weight=weight, directed=directed)
        command = ["train", source.path, f"--out={run}", f"--seed={seed}", "--json"]
        command += [*source.options, *split_options(source, split, settings, run)]
        command += arguments(settings, TRAIN_OPTIONS)
        history = _train(command, progress, settings.get("epochs"))
        program.run(["export", str(run)])
        return Embedding(run, source.node_table(run), source.label_kind(), history, temporary)
    except BaseException as error:
        if temporary is not None:
            temporary.cleanup()
        elif isinstance(error, GesfError):
            _clear_unless_trained(run)
        raise


def explain(
    run: Embedding | str | os.PathLike[str],
    node: Any,
    *,
    label: Any = None,
    against: Any = None,
    top: int = 20,
) -> Explanation:
    """Explains a prediction of a run: an `Embedding`, or a run folder with ids as text."""
    if isinstance(run, Embedding):
        return run.explain(node, label=label, against=against, top=top)
    texts = [None if own is None else str(own) for own in (label, against)]
    document = explain_json(Path(run), str(node), texts[0], texts[1], top)
    return explanation.read(document, lambda own: own, lambda own: own or None)


def require_new(folder: Path) -> None:
    """Creates a folder for results; one with files in it is never touched."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"out: found {folder} in use, expected a new or empty folder")
    folder.mkdir(parents=True, exist_ok=True)


def _clear_unless_trained(folder: Path) -> None:
    """Empties a folder that was new, so that a corrected call can use it."""
    if not (folder / "model.safetensors").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)


def split_options(
    source: GraphSource, split: Any, settings: dict[str, Any], folder: Path
) -> list[str]:
    """Options for a share, for listed nodes, or for the split the graph carries."""
    if is_share(split):
        if "labelled" in settings:
            raise InputError("split: found a share and `labelled`, expected one of them")
        return [f"--labelled={float(split)}"]
    if split is None and "labelled" not in settings and source.labels is not None:
        split = source.own_split
    return [] if split is None else save_split(source, split, folder)


def _train(command: list[str], progress: bool | Report | None, epochs: Any) -> list[dict[str, Any]]:
    report = reporter(progress, epochs if isinstance(epochs, int) else None)
    history: list[dict[str, Any]] = []
    try:
        # Closing stops the program if the caller's function raises.
        with closing(program.stream_json(command)) as epochs_done:
            for epoch in epochs_done:
                history.append(epoch)
                if report is not None:
                    report(epoch)
    finally:
        if isinstance(report, ProgressLine):
            report.finish(history[-1] if history else None)
    return history
