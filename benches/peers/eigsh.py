"""SciPy's eigsh on the same matrix and wish as the block engine.

Usage: eigsh.py GRAPH_FOLDER [K [TOL]]. TOL is eigsh's own tolerance; its default
of 0 means machine precision. Prints the seconds, the largest residual and
the deviation from orthonormality. The matrix is `sym-loops`, unweighted.
"""

import csv
import pathlib
import sys
import time

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh


def rows(path):
    with open(path, newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def main():
    folder = pathlib.Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    tolerance = float(sys.argv[3]) if len(sys.argv) > 3 else 0.0
    index = {row["id"]: n for n, row in enumerate(rows(folder / "nodes.tsv"))}
    ends = [(index[r["source"]], index[r["target"]]) for r in rows(folder / "edges.tsv")]
    s, t = np.array([(a, b) for a, b in ends if a != b]).T
    n = len(index)
    a = sp.coo_matrix((np.ones(len(s)), (s, t)), shape=(n, n)).tocsr()
    a = ((a + a.T) > 0).astype(np.float64) + sp.identity(n, format="csr")
    scale = sp.diags(1.0 / np.sqrt(np.asarray(a.sum(axis=1)).ravel()))
    m = (scale @ a @ scale).tocsr()
    start = time.perf_counter()
    values, vectors = eigsh(m, k=count, which="LA", tol=tolerance)
    seconds = time.perf_counter() - start
    residual = np.linalg.norm(m @ vectors - vectors * values, axis=0).max()
    off = np.abs(vectors.T @ vectors - np.eye(count)).max()
    print(f"eigsh          N={n} k={count} tol={tolerance:g} {seconds:.2f} s  residual {residual:.1e}  "
          f"orthogonality {off:.1e}  lowest {values.min():.6f}")


main()
