"""A trained GESF model in PyTorch, written by `gesf-tui export RUN --as torch`.

Needs torch and safetensors, and the file `gesf.safetensors` beside it.

    from gesf import load
    model = load("gesf.safetensors")
    model.logits("x"), model.logits("R")     # by node type, None without labels
    model.embeddings(), model.reconstructions()

    python gesf.py > predictions.csv         # the predictions of every node

The model: R(v) = phi( sum over u of P_uv psi(x_u) ) with P = rho(M), where M is the
matrix of the graph, psi and phi are two-layer networks (one of each per node type)
and rho is the learned filter. Features of v, if there are any, are one more element of
the sum, through a linear map. For numeric targets the sum is split into a mean and a
size, the sum of the weights P_uv. A head predicts the label from x or from R.
"""

import csv
import json
import sys
from pathlib import Path

import torch
from safetensors import safe_open

ACTIVATIONS = {"tanh": torch.tanh, "relu": torch.relu}
# Sums of weights up to this are rounding errors: the node has no neighbours.
NO_NEIGHBOURS = 1e-6


class TwoLayer(torch.nn.Module):
    """A network with one hidden layer. If it is residual, each block of the input is
    added to the output, as far as both reach."""

    def __init__(self, tensors, name, blocks, activation, residual):
        super().__init__()
        self.first = torch.nn.Parameter(tensors[f"{name}.1.weight"])
        self.first_bias = torch.nn.Parameter(tensors[f"{name}.1.bias"])
        self.second = torch.nn.Parameter(tensors[f"{name}.2.weight"])
        self.second_bias = torch.nn.Parameter(tensors[f"{name}.2.bias"])
        self.blocks = blocks if residual else []
        self.activation = ACTIVATIONS[activation]

    def forward(self, rows):
        hidden = self.activation(rows @ self.first + self.first_bias)
        output = hidden @ self.second + self.second_bias
        start = 0
        for width in self.blocks:
            common = min(width, output.shape[1])
            skip = rows[:, start : start + common]
            output = output + torch.nn.functional.pad(skip, (0, output.shape[1] - common))
            start += width
        return output


class PolynomialFilter(torch.nn.Module):
    """P = sum of c_n T_n(M / scale) by sparse products; T_n are Chebyshev polynomials."""

    def __init__(self, tensors, nodes, scale):
        super().__init__()
        places = torch.stack([tensors["matrix.rows"], tensors["matrix.columns"]])
        values = tensors["matrix.values"] / scale
        matrix = torch.sparse_coo_tensor(places, values, (nodes, nodes), check_invariants=False)
        self.register_buffer("matrix", matrix.coalesce())
        self.register_buffer("coefficients", tensors["filter.coefficients"])

    def forward(self, rows):
        before, now = None, rows
        total = self.coefficients[0] * rows
        for coefficient in self.coefficients[1:]:
            product = torch.sparse.mm(self.matrix, now)
            before, now = now, product if before is None else 2 * product - before
            total = total + coefficient * now
        return total


class EigenFilter(torch.nn.Module):
    """P = U diag(rho) U' from eigenvectors of M."""

    def __init__(self, tensors):
        super().__init__()
        self.register_buffer("vectors", tensors["filter.vectors"])
        self.register_buffer("response", tensors["filter.response"])

    def forward(self, rows):
        return self.vectors @ (self.response[:, None] * (self.vectors.T @ rows))


class FeatureMap(torch.nn.Module):
    """The linear map of the features of a type, times their factor in the sum."""

    def __init__(self, tensors, kind):
        super().__init__()
        self.weight = torch.nn.Parameter(tensors[f"psi_f.{kind}.weight"])
        names = [f"features.{kind}.{part}" for part in ("rows", "columns", "values")]
        rows, columns, values = (tensors[name] for name in names)
        size = tensors[f"x.{kind}"].shape[0], self.weight.shape[0]
        features = torch.sparse_coo_tensor(
            torch.stack([rows, columns]), values, size, check_invariants=False
        )
        self.register_buffer("features", features.coalesce())
        self.register_buffer("factor", tensors["features.factor"])

    def forward(self):
        return self.factor * torch.sparse.mm(self.features, self.weight)


class Gesf(torch.nn.Module):
    """The model with its graph: everything is computed for all nodes at once."""

    def __init__(self, tensors, facts):
        super().__init__()
        self.facts = facts
        kinds = range(len(facts["types"]))
        widths = [tensors[f"x.{kind}"].shape[1] for kind in kinds]
        form = facts["activation"], facts["residual"]
        parameters = [torch.nn.Parameter(tensors[f"x.{kind}"]) for kind in kinds]
        self.x = torch.nn.ParameterList(parameters)
        self.psi = torch.nn.ModuleList(
            TwoLayer(tensors, f"psi.{kind}", [widths[kind]], *form) for kind in kinds
        )
        self.phi = torch.nn.ModuleList(
            TwoLayer(tensors, f"phi.{kind}", widths, *form) for kind in kinds
        )
        nodes = sum(own.shape[0] for own in self.x)
        if facts["filter"] == "polynomial":
            self.filter = PolynomialFilter(tensors, nodes, facts["scale"])
        else:
            self.filter = EigenFilter(tensors)
        names = ["filter.diagonal", "prior", "shrinkage", "features.factor"]
        for kind in kinds:
            names += [f"nodes.{kind}", f"head.{kind}.weight", f"head.{kind}.bias"]
        for name in names:  # None where the model has no such part
            self.register_buffer(name.replace(".", "_"), tensors.get(name))
        self.own = torch.nn.ModuleDict(
            {
                str(kind): FeatureMap(tensors, kind)
                for kind in kinds
                if f"psi_f.{kind}.weight" in tensors
            }
        )
        self.ids = node_ids(tensors)

    def embeddings(self):
        """x of every node, by type."""
        return list(self.x)

    def messages(self):
        """psi(x) of every node in graph order, a block of columns per type."""
        width = sum(own.shape[1] for own in self.x)
        rows = self.x[0].new_zeros(len(self.ids), width)
        start = 0
        for kind, (x, psi) in enumerate(zip(self.x, self.psi)):
            end = start + x.shape[1]
            nodes = self.nodes(kind)
            rows[nodes, start:end] = psi(x)
            start = end
        return rows

    def gather(self, messages):
        """z of every node in graph order: the filtered sum of the messages, or their mean
        and the sum of their weights."""
        is_mean = self.facts["aggregation"] == "mean"
        if is_mean:
            messages = torch.cat([messages, messages.new_ones(len(messages), 1)], dim=1)
        gathered = self.filter(messages)
        if self.filter_diagonal is not None:  # the node itself is left out
            gathered = gathered - self.filter_diagonal[:, None] * messages
        if is_mean:
            return self.mean_and_size(gathered)
        return gathered + self.own_features()

    def mean_and_size(self, gathered):
        """The sums divided by the last column, the size; the features are not divided."""
        sums, size = gathered[:, :-1], gathered[:, -1:]
        has_neighbours = size > NO_NEIGHBOURS
        mean = sums / torch.where(has_neighbours, size, 1) * has_neighbours
        if self.features_factor is not None:  # it cancels out of the mean
            mean = mean * (2 - self.features_factor)
        return torch.cat([mean + self.own_features(), size], dim=1)

    def own_features(self):
        """The features' part of z of every node in graph order, or 0."""
        if len(self.own) == 0:
            return 0
        widths = [own.shape[1] for own in self.x]
        rows = self.x[0].new_zeros(len(self.ids), sum(widths))
        for kind, width in enumerate(widths):
            if str(kind) in self.own:
                start = sum(widths[:kind])
                rows[self.nodes(kind), start : start + width] = self.own[str(kind)]()
        return rows

    def combine(self, gathered):
        """R of every node, by type."""
        return [phi(gathered[self.nodes(kind)]) for kind, phi in enumerate(self.phi)]

    def reconstructions(self):
        """R of every node, by type."""
        return self.combine(self.gather(self.messages()))

    def head(self, kind, rows):
        """The outputs for rows of a type: logits, or a number; None without labels."""
        weight = getattr(self, f"head_{kind}_weight")
        if weight is None:
            return None
        outputs = rows @ weight + getattr(self, f"head_{kind}_bias")
        if self.shrinkage is not None:  # towards the mean of the targets or the prior
            outputs = outputs * self.shrinkage
        if self.prior is not None:  # the class shares of the training labels
            outputs = outputs + self.prior
        if self.facts["labels"] == "numeric":
            outputs = outputs * self.facts["deviation"] + self.facts["mean"]
        return outputs

    def logits(self, source="x"):
        """The outputs for every node, by type, from x or from R."""
        rows = self.embeddings() if source == "x" else self.reconstructions()
        return [self.head(kind, own) for kind, own in enumerate(rows)]

    def probabilities(self, source="x"):
        """Softmax over the classes, or a sigmoid for each if nodes have several."""
        normalise = {
            "one": lambda own: own.softmax(dim=1),
            "several": torch.sigmoid,
            "numeric": lambda own: own,
        }.get(self.facts["labels"])
        return [None if own is None else normalise(own) for own in self.logits(source)]

    def nodes(self, kind):
        """The positions of the nodes of a type in graph order."""
        return getattr(self, f"nodes_{kind}")

    def forward(self):
        """The outputs from R, by type."""
        return self.logits("R")


def node_ids(tensors):
    """The ids of all nodes, in graph order."""
    text = tensors["ids.text"].numpy().tobytes()
    ends = tensors["ids.ends"].tolist()
    return [text[start:end].decode() for start, end in zip([0, *ends], ends)]


def load(path="gesf.safetensors", dtype=torch.float32):
    """The model of a file, ready to predict."""
    with safe_open(path, framework="pt") as file:
        facts = json.loads(file.metadata()["gesf"])
        tensors = {name: file.get_tensor(name) for name in file.keys()}
    if facts["format"] != 2:
        raise ValueError(f"{path}: found format {facts['format']}, expected 2")
    for name, own in tensors.items():
        if own.is_floating_point():
            tensors[name] = own.to(dtype)
    return Gesf(tensors, facts).eval()


def decide(facts, row):
    """The predicted label as text and its confidence: the probability of the class, or,
    with several classes per node, of the least certain yes or no."""
    if facts["labels"] == "numeric":
        return repr(float(row[0])), ""
    best = int(row.argmax())
    chosen, confidence = [best], float(row[best])
    if facts["labels"] == "several":
        chosen = [at for at, own in enumerate(row) if at == best or own > 0.5]
        confidence = min(float(own if at in chosen else 1 - own) for at, own in enumerate(row))
    return "|".join(facts["classes"][at] for at in chosen), repr(confidence)


@torch.no_grad()
def main():
    path = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("gesf.safetensors")
    model = load(path)
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["id", "type", "predicted", "confidence", "predicted_from_R", "confidence_from_R"])
    found = {}
    by_x, by_r = model.probabilities("x"), model.probabilities("R")
    for kind, name in enumerate(model.facts["types"]):
        for row, node in enumerate(model.nodes(kind).tolist()):
            if by_x[kind] is None:
                found[node] = [name, "", "", "", ""]
            else:
                both = decide(model.facts, by_x[kind][row]) + decide(model.facts, by_r[kind][row])
                found[node] = [name, *both]
    for node, id in enumerate(model.ids):
        table.writerow([id, *found[node]])


if __name__ == "__main__":
    main()
