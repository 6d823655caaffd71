"""Writes the structure and labels of benchmark .npz files as graph folders.

    python benches/peers/benchmark_graphs.py OUT FILE.npz...

Each folder has edges.csv and nodes.csv, which gesf-tui opens as it is.
"""

import pathlib
import sys

import numpy as np


def write(source, out):
    data = np.load(source)
    labels = data["node_labels"]
    pairs = {tuple(sorted(map(int, pair))) for pair in data["edges"] if pair[0] != pair[1]}
    folder = out / pathlib.Path(source).stem
    folder.mkdir(parents=True, exist_ok=True)
    rows = "".join(f"{a},{b}\n" for a, b in sorted(pairs))
    (folder / "edges.csv").write_text("source,target\n" + rows)
    rows = "".join(f"{node},c{int(label)}\n" for node, label in enumerate(labels))
    (folder / "nodes.csv").write_text("id,label\n" + rows)
    print(f"{folder}: {len(labels)} nodes, {len(pairs)} edges, {len(set(labels))} classes")


if __name__ == "__main__":
    for name in sys.argv[2:]:
        write(name, pathlib.Path(sys.argv[1]))
