"""The measures of `gesf-tui explain --all` against PyG's own functions on the same masks.

Usage: explain_measures.py GESF_TUI RUN [--sample N] [--top N] [--motifs FILE].

The exported model (`export --as torch`) is wrapped as a PyG module whose input is the
message of every node; a node mask switches messages off. fidelity, unfaithfulness and
characterization_score come from torch_geometric.explain.metric, and, with --motifs,
groundtruth_metrics for the ROC AUC. Needs torch_geometric, safetensors and torchmetrics.
"""

import argparse
import csv
import importlib.util
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from torch_geometric.explain import DummyExplainer, Explainer, Explanation
from torch_geometric.explain.config import ModelConfig
from torch_geometric.explain.metric import (
    characterization_score,
    fidelity,
    groundtruth_metrics,
    unfaithfulness,
)

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("run")
parser.add_argument("--sample", default="100")
parser.add_argument("--top", default="10")
parser.add_argument("--motifs")
arguments = parser.parse_args()


def program(*words):
    command = [arguments.program, *words]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def exported_model(folder):
    program("export", arguments.run, folder, "--as", "torch", "--force")
    spec = importlib.util.spec_from_file_location("gesf", Path(folder) / "gesf.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.load(Path(folder) / "gesf.safetensors", dtype=torch.float64)


class FromMessages(torch.nn.Module):
    """The logits from R as a function of the messages of all nodes."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, messages, edge_index):
        model = self.model
        kinds = enumerate(model.combine(model.gather(messages)))
        logits = None
        for kind, rows in kinds:
            own = model.head(kind, rows)
            if own is not None:
                if logits is None:
                    logits = messages.new_zeros(len(model.ids), own.shape[1])
                logits[model.nodes(kind)] = own
        return logits


with tempfile.TemporaryDirectory() as folder, torch.no_grad():
    model = exported_model(folder)
    extra = ["--motifs", arguments.motifs] if arguments.motifs else []
    options = ["--all", "--sample", arguments.sample, "--top", arguments.top, "--json", *extra]
    ours = json.loads(program("explain", arguments.run, *options))
    wrapped = FromMessages(model)
    config = ModelConfig(mode="multiclass_classification", task_level="node", return_type="raw")
    explainer = Explainer(
        wrapped,
        algorithm=DummyExplainer(),
        explanation_type="model",
        node_mask_type="object",
        model_config=config,
    )
    messages, edge_index = model.messages(), torch.zeros(2, 0, dtype=torch.long)
    prediction = wrapped(messages, edge_index)
    place = {id: at for at, id in enumerate(model.ids)}
    plus, minus, worst, areas = [], [], 0.0, []
    motif = {}
    if arguments.motifs:
        with open(arguments.motifs, encoding="utf-8") as file:
            tabbed = "\t" in file.readline()
            file.seek(0)
            table = csv.DictReader(file, delimiter="\t" if tabbed else ",")
            motif = {row["id"]: row["motif"] for row in table if row["motif"]}
    disagreements = 0
    for node in ours["nodes"]:
        mask = torch.zeros(len(model.ids), 1, dtype=torch.float64)
        mask[[place[id] for id in node["mask"]]] = 1
        explanation = Explanation(
            x=messages,
            edge_index=edge_index,
            node_mask=mask,
            prediction=prediction,
            target=prediction.argmax(dim=1),
            index=torch.tensor([place[node["id"]]]),
        )
        explanation._model_args = []
        pair = fidelity(explainer, explanation)
        disagreements += pair != (node["fidelity_plus"], node["fidelity_minus"])
        plus.append(pair[0])
        minus.append(pair[1])
        found = unfaithfulness(explainer, explanation)
        worst = max(worst, abs(found - node["unfaithfulness"]))
        if node["motif_auc"] is not None and len(areas) < 20:
            every = str(len(model.ids))
            text = program("explain", arguments.run, "--node", node["id"], "--top", every, "--json")
            listed = [own for own in json.loads(text)["contributors"] if own["node"] != node["id"]]
            sizes = torch.tensor([abs(own["adds"]) for own in listed], dtype=torch.float64)
            same = [motif.get(own["node"]) == motif[node["id"]] for own in listed]
            area = groundtruth_metrics(sizes / sizes.max(), torch.tensor(same).float(), "auroc")
            areas.append(abs(area - node["motif_auc"]))

mean = lambda values: sum(values) / len(values)
both = mean(plus), mean(minus)
score = characterization_score(*both) if both[0] > 0 and both[1] < 1 else 0.0
print(f"{len(plus)} nodes, top {arguments.top}")
for name, theirs in (
    ("fidelity_plus", both[0]),
    ("fidelity_minus", both[1]),
    ("characterisation", score),
):
    print(f"{name:<18}PyG {theirs:.6f}  gesf-tui {ours['explained'][name]:.6f}")
print(f"unfaithfulness    largest difference {worst:.1e}")
print(f"nodes whose fidelity differs: {disagreements}")
if areas:
    print(f"motif ROC AUC     largest difference {max(areas):.1e} over {len(areas)} nodes")
agree = disagreements == 0 and worst < 1e-5 and abs(score - ours["explained"]["characterisation"]) < 1e-6
sys.exit(0 if agree and max(areas, default=0) < 1e-5 else 1)
