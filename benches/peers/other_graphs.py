"""Writes labelled graphs that come with Python packages, as folders for gesf-tui.

    pip install scikit-learn && pip install --no-deps graspologic
    apt-get download python3-graph-tool && dpkg -x python3-graph-tool_*.deb graph-tool
    npm pack us-atlas && tar xzf us-atlas-*.tgz -C graph-tool
    apt-cache dumpavail > graph-tool/available
    python benches/peers/other_graphs.py OUT [graph-tool]

fly-left, fly-right: mushroom body of a fly larva, neurons by kind, weights count
synapses (Eichler et al. 2017, in graspologic, MIT). mouse: brain regions by area,
weights count fibre tracts (Wang et al. 2020, same package). iris, wine, digits:
12 nearest neighbours with Gaussian similarities (scikit-learn, BSD-3-Clause); so are
tumours, by diagnosis.
From the collection of graph-tool, as simple graphs: adjnoun, adjectives and nouns of a
novel (Newman 2006); football, college teams by conference (Girvan and Newman 2002);
polbooks, books by leaning (Krebs); polblogs, blogs by leaning (Adamic and Glance
2005); serengeti-foodweb, species by group (Baskerville et al. 2011).
counties: counties of the United States by state, joined if they share a border
(us-atlas, ISC). debian: 1500 packages by section and, without a label, what at least
two of them depend on (Debian 12).
Classes about which the graph says nothing or little, made here: unrelated, three
classes at random on random points joined when near, unrelated-hubs, two on a
preferential attachment graph of 2000 nodes, and weak, a block model whose rare class
joins itself twice, and others half, as often as the frequent one does itself.
Numbers to predict, in graphs made here: smooth, noisy and noise on random points joined
when near (a smooth function of the place, with noise, and noise alone), degree on a
preferential attachment graph, opposite on a random bipartite graph whose sides differ
in sign, tree with a random step along every edge. In graphs of 10 nearest neighbours
(scikit-learn): diabetes, the progression of the disease; petal, proline and area,
a measure of flowers, wines and tumours, joined by their other measures.
"""

import collections
import csv
import gzip
import importlib.util
import itertools
import json
import pathlib
import random
import re
import struct
import sys

import numpy
from sklearn import datasets
from sklearn.neighbors import kneighbors_graph, radius_neighbors_graph

NEIGHBOURS = 12
COLLECTION = [("adjnoun", "value"), ("football", "value"), ("polbooks", "value"),
              ("polblogs", "value"), ("serengeti-foodweb", "group")]


def save(folder, labels, edges, column="labels"):
    folder.mkdir(parents=True, exist_ok=True)
    nodes = "".join(f"{node}\t{label}\n" for node, label in enumerate(labels))
    (folder / "nodes.tsv").write_text(f"id\t{column}\n" + nodes)
    rows = "".join(f"{a}\t{b}\t{weight:.6g}\n" for (a, b), weight in sorted(edges.items()))
    (folder / "edges.tsv").write_text("source\ttarget\tweight\n" + rows)
    print(folder, len(labels), "nodes,", len(edges), "edges")


def fly(data, side):
    path = data / "drosophila" / f"{side}_adjacency.csv"
    matrix = numpy.array([line.replace(",", " ").split() for line in path.open()], dtype=float)
    labels = (data / "drosophila" / f"{side}_cell_labels.csv").read_text().split()
    both = numpy.triu(matrix + matrix.T, 1)
    return labels, {(int(a), int(b)): both[a, b] for a, b in zip(*both.nonzero())}


def mouse(data):
    labels = {}
    with (data / "mice" / "blocks.csv").open() as file:
        for row in csv.DictReader(file):
            labels.update(dict.fromkeys(range(int(row["i"]), int(row["j"])), row["block"]))
    edges = {}
    first = sorted((data / "mice" / "edgelists").iterdir())[0]
    for line in first.open():
        a, b, weight = line.split()
        if int(a) < int(b):
            edges[int(a), int(b)] = float(weight)
    return [labels[node] for node in sorted(labels)], edges


def neighbours(points, classes):
    """Similarities exp(-3 d² / s_a s_b), where s is the distance of the farthest neighbour."""
    graph = kneighbors_graph(points, NEIGHBOURS, mode="distance").tocoo()
    reach = numpy.zeros(len(points))
    numpy.maximum.at(reach, graph.row, graph.data)
    edges = {}
    for a, b, distance in zip(graph.row, graph.col, graph.data):
        similarity = numpy.exp(-3 * distance**2 / (reach[a] * reach[b]))
        edges[min(a, b), max(a, b)] = similarity
    return [f"c{label}" for label in classes], edges


def joined(matrix):
    pairs = zip(*matrix.nonzero())
    return {(int(min(a, b)), int(max(a, b))): 1 for a, b in pairs if a != b}


def attachment(random, nodes):
    ends, edges = [0, 1], {(0, 1): 1}
    for node in range(2, nodes):
        for _ in range(3):
            other = ends[random.integers(len(ends))]
            if other != node:
                edges[other, node] = 1
                ends += [node, other]
    return edges


def little_information(out):
    random = numpy.random.default_rng(4)

    def classes(nodes, shares):
        return [f"c{label}" for label in random.choice(len(shares), size=nodes, p=shares)]

    edges = joined(radius_neighbors_graph(random.random((600, 2)), 0.07))
    save(out / "unrelated", classes(600, [0.6, 0.25, 0.15]), edges)
    save(out / "unrelated-hubs", classes(2000, [0.8, 0.2]), attachment(random, 2000))
    labels, edges = classes(1000, [0.8, 0.2]), {}
    odds = {("c0", "c0"): 0.5, ("c1", "c1"): 1.0}
    while len(edges) < 3000:
        a, b = sorted(int(node) for node in random.integers(1000, size=2))
        if a != b and random.random() < odds.get((labels[a], labels[b]), 0.25):
            edges[a, b] = 1
    save(out / "weak", labels, edges)


def numbers(out):
    def save_numbers(name, values, edges):
        save(out / name, [f"{value:.5f}" for value in values], edges, column="target")

    points = numpy.random.default_rng(1).random((600, 2))
    edges = joined(radius_neighbors_graph(points, 0.07))
    random = numpy.random.default_rng(2)
    values = numpy.sin(4 * points[:, 0]) + points[:, 1] ** 2
    save_numbers("smooth", values, edges)
    save_numbers("noisy", values + 0.5 * random.standard_normal(600), edges)
    save_numbers("noise", random.standard_normal(600), edges)
    edges = attachment(random, 500)
    degrees = numpy.bincount(numpy.array(list(edges)).ravel())
    save_numbers("degree", numpy.log(degrees), edges)
    sides = random.integers(250, size=(1500, 2)) * 2 + [0, 1]
    sign = numpy.where(numpy.arange(500) % 2, 1, -1)
    edges = {(int(min(pair)), int(max(pair))): 1 for pair in sides}
    save_numbers("opposite", sign + 0.3 * random.standard_normal(500), edges)
    values, edges = [0.0], {}
    for node in range(1, 800):
        parent = int(random.integers(node))
        values.append(values[parent] + random.standard_normal())
        edges[parent, node] = 1
    save_numbers("tree", values, edges)
    table = datasets.load_diabetes()
    save_numbers("diabetes", table.target, joined(kneighbors_graph(table.data, 10)))
    for name, table, column in [("petal", datasets.load_iris(), 2),
                                ("proline", datasets.load_wine(), 12),
                                ("area", datasets.load_breast_cancer(), 3)]:
        points = (table.data - table.data.mean(0)) / table.data.std(0)
        edges = joined(kneighbors_graph(numpy.delete(points, column, axis=1), 10))
        save_numbers(name, table.data[:, column], edges)


class GraphTool:
    """Reads the binary format of graph-tool: neighbours of each node, then properties."""

    def __init__(self, path):
        self.bytes, self.at = gzip.open(path).read(), 7
        self.order = ">" if self.number("B") else "<"
        self.text()
        self.number("B")
        nodes = self.number("Q")
        width = "B" if nodes < 1 << 8 else "H" if nodes < 1 << 16 else "I"
        self.edges = [(a, self.number(width)) for a in range(nodes) for _ in range(self.number("Q"))]
        counts = [1, nodes, len(self.edges)]
        self.of_nodes = {}
        for _ in range(self.number("Q")):
            owner, name, kind = self.number("B"), self.text(), self.number("B")
            values = [self.value(kind) for _ in range(counts[owner])]
            if owner == 1:
                self.of_nodes[name] = values

    def number(self, form):
        form = getattr(self, "order", "<") + form
        (value,) = struct.unpack_from(form, self.bytes, self.at)
        self.at += struct.calcsize(form)
        return value

    def text(self):
        length = self.number("Q")
        self.at += length
        return self.bytes[self.at - length : self.at].decode()

    def value(self, kind):
        if kind < 5:
            return self.number("Bhiqd"[kind])
        if kind == 6:
            return self.text()
        if 7 <= kind < 12:
            return [self.number("Bhiqd"[kind - 7]) for _ in range(self.number("Q"))]
        if kind == 13:
            return [self.text() for _ in range(self.number("Q"))]
        raise ValueError(f"property of type {kind}: expected numbers or text")


def simple(path, label):
    graph = GraphTool(path)
    labels = [f"c{str(value).removesuffix('.0')}" for value in graph.of_nodes[label]]
    return labels, {(min(a, b), max(a, b)): 1 for a, b in graph.edges if a != b}


def counties(path):
    shapes = json.loads(path.read_text())["objects"]["counties"]["geometries"]
    sides = collections.defaultdict(set)

    def borders(arcs):
        if isinstance(arcs, int):
            yield max(arcs, ~arcs)
        else:
            yield from itertools.chain.from_iterable(map(borders, arcs))

    for at, shape in enumerate(shapes):
        for border in borders(shape.get("arcs", [])):
            sides[border].add(at)
    pairs = {pair for own in sides.values() for pair in itertools.combinations(sorted(own), 2)}
    place = {node: at for at, node in enumerate(sorted(set(itertools.chain(*pairs))))}
    # The first two digits of a county's number are those of its state.
    return [shapes[node]["id"][:2] for node in place], {(place[a], place[b]): 1 for a, b in pairs}


SECTIONS = {"games", "sound", "graphics", "science", "net", "admin", "editors", "electronics",
            "hamradio", "mail", "math", "text", "video", "web", "kde", "gnome"}


def debian(path):
    packages = {}
    for block in path.read_text().split("\n\n"):
        own = dict(re.findall(r"^(Package|Section|Depends|Recommends): (.*)$", block, re.M))
        if {"Package", "Section"} <= own.keys():
            packages[own["Package"]] = own
    chosen = [name for name, own in packages.items() if own["Section"] in SECTIONS]
    random.Random(0).shuffle(chosen)
    needs = {}
    for name in chosen[:1500]:
        named = [packages[name].get(key, "") for key in ["Depends", "Recommends"]]
        own = {re.split(r"[ (|:]", part.strip())[0] for part in ",".join(named).split(",")}
        needs[name] = own & packages.keys()
    counts = collections.Counter(itertools.chain.from_iterable(needs.values()))
    others = {name for name, count in counts.items() if 2 <= count <= 200} - needs.keys()
    place = {name: at for at, name in enumerate(sorted(needs.keys() | others))}
    edges = {(min(place[a], place[b]), max(place[a], place[b])): 1
             for a, own in needs.items() for b in own if b in place and a != b}
    return [packages[name]["Section"] if name in needs else "" for name in place], edges


def main():
    out = pathlib.Path(sys.argv[1])
    # The package itself is not imported: only its files are needed.
    package = importlib.util.find_spec("graspologic")
    data = pathlib.Path(package.submodule_search_locations[0]) / "datasets"
    for side in ["left", "right"]:
        save(out / f"fly-{side}", *fly(data, side))
    save(out / "mouse", *mouse(data))
    for name, table in [("iris", datasets.load_iris()), ("wine", datasets.load_wine()),
                        ("tumours", datasets.load_breast_cancer())]:
        points = (table.data - table.data.mean(0)) / table.data.std(0)
        save(out / name, *neighbours(points, table.target))
    digits = datasets.load_digits()
    chosen = numpy.random.default_rng(3).permutation(len(digits.data))[:600]
    save(out / "digits", *neighbours(digits.data[chosen], digits.target[chosen]))
    little_information(out)
    numbers(out)
    if len(sys.argv) > 2:
        found = pathlib.Path(sys.argv[2]).rglob("graph_tool/collection/*.gt.gz")
        files = {path.name.removesuffix(".gt.gz"): path for path in found}
        for name, label in COLLECTION:
            save(out / name, *simple(files[name], label))
        for name, file, read in [("counties", "counties-10m.json", counties),
                                 ("debian", "available", debian)]:
            for path in pathlib.Path(sys.argv[2]).rglob(file):
                save(out / name, *read(path))


main()
