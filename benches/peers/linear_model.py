"""The second stage as a linear model: what the filter alone does on a graph.

    pip install numpy scipy
    python benches/peers/linear_model.py sample_graphs/pubmed

Rows of labelled nodes are fixed to their class, all others become P times all rows
until nothing changes. "scaled" gives every sum the size of a labelled row, "centred"
removes the class shares from the labelled rows. Beside it label propagation with
α = 0.95. Test accuracy in percent at 10 % training labels, mean of four random splits.
"""

import csv
import pathlib
import sys

import numpy
from scipy import sparse

SEEDS, SHARE, ROUNDS, REACH = 4, 0.1, 60, 0.95
# The mean hop weights that gesf-tui learns on Pubmed at 10 % (docs/RESULTS.md).
FILTERS = {"learned": [.02, .36, .06, .36, .11, .09], "s2": [0, 1], "s": [1]}


def read(folder):
    def rows(name):
        with open(folder / name, newline="") as file:
            yield from csv.DictReader(file, delimiter="\t")

    labels = {row["id"]: row["labels"] for row in rows("nodes.tsv")}
    place = {node: at for at, node in enumerate(labels)}
    classes = sorted(set(labels.values()))
    target = numpy.array([classes.index(label) for label in labels.values()])
    pairs = [(place[row["source"]], place[row["target"]]) for row in rows("edges.tsv")]
    source, destination = numpy.array(pairs).T
    ones = numpy.ones(len(pairs))
    edges = sparse.csr_matrix((ones, (source, destination)), shape=(len(labels),) * 2)
    edges = ((edges + edges.T) > 0).astype(float)
    edges.setdiag(0)
    edges.eliminate_zeros()
    return edges, target


def normalised(matrix):
    degree = numpy.asarray(matrix.sum(1)).ravel()
    root = sparse.diags(1 / numpy.sqrt(numpy.maximum(degree, 1)))
    return (root @ matrix @ root).tocsr()


def diagonals(matrix):
    """diag(Mⁿ) for n = 1 … 6: the self terms, which are dropped."""
    second = (matrix @ matrix).tocsr()
    third = (second @ matrix).tocsr()
    pairs = [(second, second), (second, third), (third, third)]
    far = [numpy.asarray(a.multiply(b).sum(1)).ravel() for a, b in pairs]
    return [matrix.diagonal(), second.diagonal(), third.diagonal(), *far]


def filtered(matrix, own, weights, rows):
    total, walked = 0, rows
    for weight, self_term in zip(weights, own):
        walked = matrix @ walked
        total = total + weight * (walked - self_term[:, None] * rows)
    return total


def main(folder):
    edges, target = read(pathlib.Path(folder))
    nodes, classes = len(target), target.max() + 1
    plain, loops = normalised(edges), normalised(edges + sparse.eye(nodes))
    own = diagonals(loops)
    found = {}
    for seed in range(SEEDS):
        train = numpy.zeros(nodes, bool)
        train[numpy.random.default_rng(seed).permutation(nodes)[: int(SHARE * nodes)]] = True
        one_hot = numpy.eye(classes)[target]

        def note(name, rows):
            right = (rows.argmax(1) == target)[~train].mean()
            found.setdefault(name, []).append(100 * right)

        given = rows = one_hot * train[:, None]
        for _ in range(ROUNDS):
            rows = REACH * (plain @ rows) + (1 - REACH) * given
        note("label propagation", rows)
        means = {"": 1 / classes, ", centred": one_hot[train].mean(0)}
        for centre, mean in means.items():
            given = (one_hot - mean) * train[:, None]
            size = numpy.linalg.norm(given[train][0])
            for name, weights in FILTERS.items():
                for scaled in (False, True):
                    rows = given
                    for _ in range(ROUNDS):
                        sums = filtered(loops, own, weights, rows)
                        if scaled:
                            length = numpy.linalg.norm(sums, axis=1, keepdims=True)
                            sums = sums * size / (length + 1e-9)
                        rows = numpy.where(train[:, None], given, sums)
                    note(name + centre + (", scaled" if scaled else ""), rows)
    for name, scores in found.items():
        print(f"{name:24} {numpy.mean(scores):.1f}")


if __name__ == "__main__":
    main(sys.argv[1])
