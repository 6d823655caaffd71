"""The tables of docs/RESULTS.md from what benches/results.sh left in a folder.

python benches/results.py FOLDER > tables.md     (the standard library is enough)
"""

import bisect
import itertools
import json
import math
import pathlib
import statistics
import sys

ORDER = ["cora", "citeseer", "pubmed", "wikipedia", "email-eu", "chameleon_filtered",
         "texas_4_classes", "wisconsin", "minesweeper", "dblp", "blogcatalog3", "blogcatalog-words"]


METHODS = ["majority", "label-propagation", "spectral", "deepwalk", "node2vec",
           "metapath2vec++", "mmdw", "planetoid", "mlp", "appnp", "gcn", "gesf"]


def graph_of(path):
    """`compare-cora.walks.json` is a part of the results on cora."""
    return path.stem.split("-", 1)[1].split(".")[0]


def rank(path):
    name = graph_of(path)
    return ORDER.index(name) if name in ORDER else len(ORDER)


def percent(share):
    return f"{100 * share:.0f} %"


def told(mean, half, sign=""):
    spread = "" if half is None else f" ± {half:.1f}"
    return f"{mean:{sign}.1f}{spread}"


def student(outside, freedom):
    """The quantile of Student's t beyond which a share lies on either side."""
    power = (freedom + 1) / 2
    scale = math.exp(math.lgamma(power) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    steps = 2000

    def within(limit):
        width = limit / steps
        at = [(1 + (n * width) ** 2 / freedom) ** -power for n in range(steps + 1)]
        return 2 * scale * width / 3 * (at[0] + at[-1] + 4 * sum(at[1:-1:2]) + 2 * sum(at[2:-1:2]))

    low, high = 0.0, 200.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle) < 1 - outside else (low, middle)
    return low


def interval(values, comparisons=1):
    """The mean and the half of its 95 % interval, corrected for several comparisons."""
    mean = statistics.mean(values)
    if len(values) < 2:
        return mean, None
    quantile = student(0.05 / comparisons, len(values) - 1)
    return mean, quantile * statistics.stdev(values) / len(values) ** 0.5


def seeds_needed(values, comparisons):
    """How many seeds would decide an open comparison, as the program says it."""
    mean, half = interval(values, comparisons)
    if half is None or half < abs(mean):
        return ""
    deviation = statistics.stdev(values)

    def decides(count):
        return student(0.05 / comparisons, count - 1) * deviation / count ** 0.5 < abs(mean)

    count = 3 + bisect.bisect(range(3, 1001), False, key=decides)
    return f", {count} seeds needed" if count <= 1000 else ""


def cells_of(path):
    """The cells of `evaluate` on one graph."""
    return json.loads(path.read_text())[0]["cells"]


def evaluated(path):
    """The scores at every share that `evaluate` found on one graph."""
    return {cell["labelled"]: [run["held_x"] for run in cell["runs"]] for cell in cells_of(path)}


def alpha(weights):
    """Hop weights, each as its mean and deviation."""
    both = " ".join(f"{mean:.2f}±{deviation:.2f}" for mean, deviation in weights)
    return both.replace("0.", ".")


def joined(paths):
    """The scores of every method and share: further files add methods, or seeds."""
    methods = {}
    for path in paths:
        for method in json.loads(path.read_text())["methods"]:
            cells = methods.setdefault(method["method"], {})
            for cell in method["cells"]:
                cells.setdefault(cell["labelled"], []).extend(cell["scores"])
    return {name: methods[name] for name in sorted(methods, key=METHODS.index)}


def metrics_of(scores):
    """What a task is scored by, the headline first."""
    if "r2" in scores[0]:
        return ["r2"]
    if any(one["accuracy"] != one["micro_f1"] for one in scores):
        # Nodes with several classes.
        return ["micro_f1", "macro_f1"]
    return ["accuracy"]


def compared(graph, paths):
    methods = joined(paths)
    learned = paths[0].with_name(f"learned-{graph}.json")
    if paths[0].name.startswith("compare-") and learned.exists():
        methods["gesf"] = evaluated(learned)
    scores = methods["gesf"]
    metrics = metrics_of([one for cell in scores.values() for one in cell])
    for metric in metrics:
        is_named = len(metrics) > 1 or metric == "r2"
        table(graph, methods, metric, f", {metric}" if is_named else "")


def table(graph, methods, metric, title):
    shares = list(methods["gesf"])
    scores = {name: [[100 * one[metric] for one in cells[share]] for share in shares]
              for name, cells in methods.items()}
    seeds = min(len(cell) for cells in scores.values() for cell in cells)
    print(f"### {graph}{title}, {seeds} seeds\n")
    print("| | " + " | ".join(map(percent, shares)) + " |")
    print("| --- |" + " --- |" * len(shares))
    best = [max(statistics.mean(cells[at]) for cells in scores.values())
            for at in range(len(shares))]
    for name, cells in scores.items():
        line = []
        for at, cell in enumerate(cells):
            text = told(*interval(cell))
            line.append(f"**{text}**" if statistics.mean(cell) >= best[at] else text)
        print(f"| {name} | " + " | ".join(line) + " |")
    rivals = [name for name in scores if name != "gesf"]
    gaps = {name: [[a - b for a, b in zip(own, other)]
                   for own, other in zip(scores["gesf"], scores[name])] for name in rivals}
    differences = {name: [interval(cell, len(rivals)) for cell in cells]
                   for name, cells in gaps.items()}
    line = []
    for at in range(len(shares)):
        rival = max(rivals, key=lambda name: statistics.mean(scores[name][at]))
        needed = seeds_needed(gaps[rival][at], len(rivals))
        line.append(f"{told(*differences[rival][at], '+')} ({rival}{needed})")
    print("| gesf minus best baseline | " + " | ".join(line) + " |")
    behind = [f"{name} at {percent(share)} ({told(mean, half, '+')})"
              for name, cells in differences.items()
              for share, (mean, half) in zip(shares, cells) if half is not None and mean < -half]
    if behind:
        print("\nBehind, with an interval that excludes 0: " + ", ".join(behind) + ".")
    print()


def regrets(paths):
    first = json.loads(paths[0].read_text())[0]
    filters = [own["filter"] for own in first["cells"][0]["filters"]]
    print("| graph, labels | seeds | " + " | ".join(filters) + " | regret | α |")
    print("| --- |" + " --- |" * (len(filters) + 3))
    for path in paths:
        graph = json.loads(path.read_text())[0]
        for cell in graph["cells"]:
            own = {trial["filter"]: trial for trial in cell["filters"]}
            best = cell["regret"]["best"]
            means = []
            for name in filters:
                text = f"{own[name]['mean']:.1f}" if name in own else ""
                means.append(f"**{text}**" if name == best else text)
            seeds = len(own["learned"]["scores"])
            weights = own["learned"]["hop_weights"]
            weights = alpha((w["mean"], w["std"]) for w in weights)
            regret = told(cell["regret"]["mean"], cell["regret"]["half_interval"], "+")
            print(f"| {graph['graph']} {percent(cell['labelled'])} | {seeds} | "
                  + " | ".join(means) + f" | {regret} | {weights} |")
    print()


def learned(paths):
    """What GESF learned: both predictions, the filter, the aggregation, the losses."""
    print("| graph, labels | seeds | from x | from R | x minus R | α | mean chosen "
          "| reconstruction loss, supervised loss, weight penalty |")
    print("| --- |" + " --- |" * 7)
    for path in paths:
        for cell in cells_of(path):
            runs = cell["runs"]
            scores = [run["held_x"] for run in runs]
            metric = metrics_of(scores)[0]
            x, r = ([100 * run[f"held_{source}"][metric] for run in runs] for source in "xr")
            weights = zip(*(run["hop_weights"] for run in runs))
            weights = alpha((statistics.mean(own), statistics.stdev(own)) for own in weights)
            means = sum(run.get("takes_mean", False) for run in runs)
            losses = [[sum(run["reconstruction"]) for run in runs],
                      [run["supervised"] for run in runs], [run["penalty"] for run in runs]]
            gap = interval([a - b for a, b in zip(x, r)])
            print(f"| {graph_of(path)} {percent(cell['labelled'])} | {len(runs)} "
                  f"| {told(*interval(x))} | {told(*interval(r))} | {told(*gap, '+')} | {weights} "
                  f"| {means or ''} | " + ", ".join(f"{statistics.mean(own):.3f}" for own in losses)
                  + " |")
    print()


def before(paths):
    """The accuracy of version 0.1 beside that of GESF now, on the same splits."""
    print("| graph, labels | seeds | version 0.1 | now | difference |")
    print("| --- |" + " --- |" * 4)
    for path in paths:
        current = path.with_name(path.name.replace("before-", "learned-"))
        now = {cell["labelled"]: cell for cell in cells_of(current)}
        for cell in cells_of(path):
            old, new = ([run["held_x"] for run in own["runs"]]
                        for own in [cell, now[cell["labelled"]]])
            new = new[:len(old)]
            both = [told(*interval([100 * one["accuracy"] for one in own])) for own in [old, new]]
            print(f"| {graph_of(path)} {percent(cell['labelled'])} | {len(new)} | "
                  + " | ".join(both) + f" | {paired(new, old, 'accuracy')} |")
    print()


def forms(paths):
    print("| form | accuracy on cora at 10 % |")
    print("| --- | --- |")
    for path in paths:
        own = json.loads(path.read_text())[0]["cells"][0]["metrics"]["accuracy"]["x"]
        print(f"| {path.stem.split('-', 1)[1]} | {told(own['mean'], own['half_interval'])} |")
    print()


def paired(one, other, metric):
    mean, half = interval([100 * (a[metric] - b[metric]) for a, b in zip(one, other)])
    mark = "" if half is None or abs(mean) <= half else " !" if mean < 0 else " *"
    return told(mean, half, "+") + mark


def types(paths):
    """One node type, several, and several with a matrix per relation, on the same splits."""
    graph = graph_of(paths[0]).rsplit("-", 1)[0]
    rows = {path.stem.rsplit("-", 1)[1]: path for path in paths}
    several = paths[0].with_name(f"learned-{graph}.json")
    rows = {"one type": rows["one"], "several types": several,
            "several types, a matrix per relation": rows["relations"]}
    scores = {name: evaluated(path) for name, path in rows.items()}
    own = scores["several types"]
    metrics = {metrics_of([one for cell in own.values() for one in cell])[0], "macro_f1"}
    print(f"### {graph}\n")
    print("| | seeds | metric | "
          + " | ".join(f"{percent(share)} | several types minus it" for share in own) + " |")
    print("| --- | --- | --- |" + " --- | --- |" * len(own))
    for metric in sorted(metrics, key=["accuracy", "micro_f1", "macro_f1"].index):
        for name, cells in scores.items():
            line = []
            for share, ours in own.items():
                cell = cells.get(share, [])
                if not cell:
                    line += ["", ""]
                    continue
                # Shorter runs have the first seeds only.
                values = [100 * one[metric] for one in cell]
                line.append(told(*interval(values)))
                line.append("" if cells is own else paired(ours[:len(cell)], cell, metric))
            seeds = len(next(iter(cells.values())))
            print(f"| {name} | {seeds} | {metric} | " + " | ".join(line) + " |")
    print()


def features(graph, paths):
    """GESF with features beside structure alone and beside every other method."""
    def parts(kind):
        own = paths[0].parent.glob(f"{kind}-{graph}.*json")
        return joined(sorted(own, key=lambda path: path.name))

    found, alone, words = (parts(kind) for kind in ["features", "structure", "words"])
    own = found["gesf"]
    seeds = len(next(iter(own.values())))
    stored = len(own) == 1
    heads = ["stored splits"] if stored else [percent(share) for share in own]
    print(f"### {graph}, {seeds} {'splits' if stored else 'seeds'}\n")
    rows = [(name, cells) for name, cells in found.items() if name != "gesf"]
    if words:
        rows.append(("gesf, words as nodes", words["gesf"]))
    rows += [("gesf, structure", alone["gesf"]), ("gesf, features", own)]
    for metric, title in [("accuracy", ""), ("roc_auc", ", ROC AUC")]:
        if metric not in next(iter(own.values()))[0]:
            continue
        print("| | " + " | ".join(f"{head}{title} | gesf, features, minus it" for head in heads) + " |")
        print("| --- |" + " --- | --- |" * len(heads))
        for name, cells in rows:
            line = []
            for share, ours in own.items():
                line.append(told(*interval([100 * one[metric] for one in cells[share]])))
                line.append("" if cells is own else paired(ours, cells[share], metric))
            print(f"| {name} | " + " | ".join(line) + " |")
        print()


def main():
    folder = pathlib.Path(sys.argv[1])
    parts = sorted(folder.glob("features-*.json"), key=lambda path: (rank(path), path.name))
    for graph, paths in itertools.groupby(parts, key=graph_of):
        features(graph, list(paths))
    parts = sorted(folder.glob("types-*.json"))
    for _, paths in itertools.groupby(parts, key=lambda path: path.stem.rsplit("-", 1)[0]):
        types(list(paths))
    for kind in ["compare", "shares"]:
        parts = sorted(folder.glob(f"{kind}-*.json"), key=lambda path: (rank(path), path.name))
        for graph, paths in itertools.groupby(parts, key=graph_of):
            compared(graph, list(paths))
    if paths := sorted(folder.glob("regret-*.json"), key=rank):
        regrets(paths)
    if paths := sorted(folder.glob("learned-*.json"), key=rank):
        learned(paths)
    if paths := sorted(folder.glob("before-*.json"), key=rank):
        before(paths)
    if paths := sorted(folder.glob("form-*.json")):
        forms(paths)


main()
