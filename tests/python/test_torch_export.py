"""`export --as torch` against the real PyTorch: the file alone gives the predictions."""

import csv
import io
import subprocess
import sys

import numpy as np
import pytest

from gesf_tui import program

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

KARATE, WOMEN, LESMIS = (f"sample:{name}" for name in ("karate", "southern-women", "lesmis"))
EPOCHS = ["--epochs", "40"]


def numbers_to_predict(folder):
    """A ring whose nodes have numbers."""
    (folder / "edges.csv").write_text(
        "source,target\n" + "\n".join(f"{n},{(n + 1) % 30}" for n in range(30)) + "\n"
    )
    (folder / "nodes.csv").write_text(
        "id,target\n" + "\n".join(f"{n},{50 + 10 * np.sin(n / 5)}" for n in range(30)) + "\n"
    )
    return str(folder)


# The graph and the options of `train`: classes with hop weights, several node types and
# several classes per node, numbers, and every other way to compute the filter.
RUNS = {
    "hops": [KARATE],
    "types and several classes": [WOMEN],
    "relations": [WOMEN, "--set", "matrix=relations", "--set", "dimension=8,12"],
    "numbers": ["NUMBERS"],
    "numbers, with withheld labels": ["NUMBERS", "--set", "labelled=0.9"],
    "mean": [LESMIS, "--set", "aggregation=mean", "--set", "matrix=adjacency"],
    "mean, types": [WOMEN, "--set", "aggregation=mean"],
    "mean, features": ["sample:cora", "--set", "features=use", "--set", "aggregation=mean"],
    "self term": [KARATE, "--set", "self_term=keep"],
    "plain maps": [LESMIS, "--set", "map_shape=plain", "--set", "activation=relu"],
    "adjacency": [LESMIS, "--set", "matrix=adjacency"],
    "heat": [LESMIS, "--set", "filter=heat"],
    "bernstein": [LESMIS, "--set", "filter=bernstein"],
    "eigenvectors": [LESMIS, "--set", "filter=mlp"],
    "some eigenvectors": [LESMIS, "--set", "filter=mlp", "--set", "eigenpairs=20"],
    "the paper": [KARATE, "--preset", "paper"],
    "features": ["sample:cora", "--set", "features=use"],
}


@pytest.fixture(params=RUNS.values(), ids=RUNS.keys())
def exported(request, tmp_path):
    """A run and the folder of its export."""
    numbers = tmp_path / "numbers"
    numbers.mkdir()
    own = numbers_to_predict(numbers)
    arguments = [own if word == "NUMBERS" else word for word in request.param]
    run, out = tmp_path / "run", tmp_path / "model"
    program.run(["train", *arguments, *EPOCHS, "--out", str(run)])
    program.run(["export", str(run), str(out), "--as", "torch"])
    return run, out


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_file_alone_gives_the_predictions_of_the_program(exported):
    run, out = exported
    expected = rows(program.run(["predict", str(run), "--csv"]))
    ended = subprocess.run(
        [sys.executable, str(out / "gesf.py")], capture_output=True, encoding="utf-8", check=True
    )
    found = rows(ended.stdout)
    assert [row["id"] for row in found] == [row["id"] for row in expected]
    compared = 0
    for ours, theirs in zip(found, expected):
        for source in ("", "_from_R"):
            mine, own = ours[f"predicted{source}"], theirs[f"predicted{source}"]
            if theirs[f"confidence{source}"]:
                close = float(theirs[f"confidence{source}"])
                assert float(ours[f"confidence{source}"]) == pytest.approx(close, abs=1e-5)
                # Two classes may be equally likely.
                assert mine == own or close < 0.5001
                compared += 1
            elif own:
                assert float(mine) == pytest.approx(float(own), rel=1e-5)
                compared += 1
            else:
                assert mine == own
    assert compared >= 20


def test_embeddings_and_reconstructions_are_the_same(exported, monkeypatch):
    run, out = exported
    tables = out.with_name("tables")
    program.run(["export", str(run), str(tables)])
    monkeypatch.syspath_prepend(str(out))
    sys.modules.pop("gesf", None)
    import gesf

    model = gesf.load(out / "gesf.safetensors")
    with torch.no_grad():
        embeddings, reconstructions = model.embeddings(), model.reconstructions()
    archives = {path.stem: np.load(path) for path in tables.glob("embeddings-*.npz")}
    assert len(archives) == len(embeddings)
    by_ids = {tuple(archive["id"]): archive for archive in archives.values()}
    for kind, (x, r) in enumerate(zip(embeddings, reconstructions)):
        archive = by_ids[tuple(model.ids[node] for node in model.nodes(kind).tolist())]
        assert np.array_equal(x.detach().numpy(), archive["x"])
        largest = max(1.0, float(np.abs(archive["R"]).max()))
        assert np.abs(r.detach().numpy() - archive["R"]).max() / largest < 1e-5


def test_the_model_can_be_trained_further(exported, monkeypatch):
    _, out = exported
    monkeypatch.syspath_prepend(str(out))
    sys.modules.pop("gesf", None)
    import gesf

    model = gesf.load(out / "gesf.safetensors", dtype=torch.float64)
    loss = sum((x - r).square().mean() for x, r in zip(model.x, model.reconstructions()))
    loss.backward()
    assert all(x.grad is not None and torch.isfinite(x.grad).all() for x in model.x)
