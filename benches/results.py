"""The tables of docs/RESULTS.md from what benches/results.sh left in a folder.

python benches/results.py FOLDER > tables.md     (the standard library is enough)
"""

import json
import pathlib
import statistics
import sys

ORDER = ["cora", "citeseer", "pubmed", "wikipedia", "email-eu", "chameleon_filtered",
         "texas_4_classes", "wisconsin", "minesweeper", "dblp", "blogcatalog-words"]


def rank(path):
    name = path.stem.split("-", 1)[1]
    return ORDER.index(name) if name in ORDER else len(ORDER)


def percent(share):
    return f"{100 * share:.0f} %"


def told(mean, half, sign=""):
    spread = "" if half is None else f" ± {half:.1f}"
    return f"{mean:{sign}.1f}{spread}"


def compared(path):
    found = json.loads(path.read_text())
    methods = found["methods"]
    scores = methods[0]["cells"][0]["scores"][0]
    metric = "accuracy" if "accuracy" in scores else "r2"
    shares = [cell["labelled"] for cell in methods[0]["cells"]]
    seeds = len(methods[0]["cells"][0]["scores"])
    print(f"### {found['graph']}, {seeds} seeds\n")
    print("| | " + " | ".join(map(percent, shares)) + " |")
    print("| --- |" + " --- |" * len(shares))
    best = [max(m["cells"][at]["metrics"][metric]["mean"] for m in methods)
            for at in range(len(shares))]
    for method in methods:
        cells = []
        for at, cell in enumerate(method["cells"]):
            own = cell["metrics"][metric]
            text = told(own["mean"], own["half_interval"])
            cells.append(f"**{text}**" if own["mean"] >= best[at] else text)
        print(f"| {method['method']} | " + " | ".join(cells) + " |")
    rows = [row for row in found["differences"] if row["metric"] == metric]
    cells = []
    for at in range(len(shares)):
        others = [m for m in methods if m["method"] != "gesf"]
        rival = max(others, key=lambda m: m["cells"][at]["metrics"][metric]["mean"])["method"]
        own = next(row for row in rows if row["method"] == rival)["cells"][at]["gesf_less_it"]
        settle = own["seeds_to_settle"]
        open_ = f", {settle} seeds needed" if settle else ""
        cells.append(f"{told(own['mean'], own['half_interval'], '+')} ({rival}{open_})")
    print("| gesf minus best baseline | " + " | ".join(cells) + " |")
    behind = [(row["method"], percent(cell["labelled"])) for row in rows for cell in row["cells"]
              if cell["gesf_less_it"]["half_interval"] is not None
              and cell["gesf_less_it"]["mean"] < -cell["gesf_less_it"]["half_interval"]]
    if behind:
        print("\nBehind, with an interval that excludes 0: "
              + ", ".join(f"{method} at {share}" for method, share in behind) + ".")
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
            alpha = " ".join(f"{w['mean']:.2f}±{w['std']:.2f}".replace("0.", ".") for w in weights)
            regret = told(cell["regret"]["mean"], cell["regret"]["half_interval"], "+")
            print(f"| {graph['graph']} {percent(cell['labelled'])} | {seeds} | "
                  + " | ".join(means) + f" | {regret} | {alpha} |")
    print()


def forms(paths):
    print("| form | accuracy on cora at 10 % |")
    print("| --- | --- |")
    for path in paths:
        own = json.loads(path.read_text())[0]["cells"][0]["metrics"]["accuracy"]["x"]
        print(f"| {path.stem.split('-', 1)[1]} | {told(own['mean'], own['half_interval'])} |")
    print()


# Quantiles of Student's t for a 95 % interval, by degrees of freedom.
T95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]


def paired(one, other, metric):
    gaps = [100 * (a[metric] - b[metric]) for a, b in zip(one, other)]
    mean = statistics.mean(gaps)
    if len(gaps) < 2:
        return told(mean, None, "+")
    half = T95[min(len(gaps) - 2, len(T95) - 1)] * statistics.stdev(gaps) / len(gaps) ** 0.5
    mark = "" if abs(mean) <= half else " !" if mean < 0 else " *"
    return told(mean, half, "+") + mark


def features(path):
    """GESF with features beside structure alone and beside every other method."""
    found = json.loads(path.read_text())
    plain = json.loads(path.with_name(path.name.replace("features-", "structure-")).read_text())
    own = {method["method"]: method["cells"] for method in found["methods"]}
    alone = {method["method"]: method["cells"] for method in plain["methods"]}["gesf"]
    shares = [cell["labelled"] for cell in own["gesf"]]
    seeds = len(own["gesf"][0]["scores"])
    stored = len(shares) == 1
    heads = ["stored splits"] if stored else [percent(share) for share in shares]
    print(f"### {found['graph'].removesuffix('.npz')}, {seeds} {'splits' if stored else 'seeds'}\n")
    rows = [(name, cells) for name, cells in own.items() if name != "gesf"]
    words = path.with_name(path.name.replace("features-", "words-"))
    if words.exists():
        rows += [("gesf, words as nodes", json.loads(words.read_text())["methods"][0]["cells"])]
    rows += [("gesf, structure", alone), ("gesf, features", own["gesf"])]
    for metric, title in [("accuracy", ""), ("roc_auc", ", ROC AUC")]:
        if metric not in own["gesf"][0]["metrics"]:
            continue
        print("| | " + " | ".join(f"{head}{title} | gesf, features, minus it" for head in heads) + " |")
        print("| --- |" + " --- | --- |" * len(heads))
        for name, cells in rows:
            line = []
            for at, cell in enumerate(cells):
                score = cell["metrics"][metric]
                line.append(told(score["mean"], score["half_interval"]))
                ours = own["gesf"][at]["scores"]
                line.append("" if cells is own["gesf"] else paired(ours, cell["scores"], metric))
            print(f"| {name} | " + " | ".join(line) + " |")
        print()


def main():
    folder = pathlib.Path(sys.argv[1])
    for path in sorted(folder.glob("features-*.json"), key=rank):
        features(path)
    for path in sorted(folder.glob("compare-*.json"), key=rank):
        compared(path)
    if paths := sorted(folder.glob("regret-*.json"), key=rank):
        regrets(paths)
    if paths := sorted(folder.glob("form-*.json")):
        forms(paths)


main()
