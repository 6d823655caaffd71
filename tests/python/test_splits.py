"""Splits: shares, lists of nodes, masks."""

import csv

import networkx as nx
import numpy as np
import pytest
import torch
from conftest import EPOCHS
from torch_geometric.data import Data

import gesf_tui
from gesf_tui.recognise import table_of
from gesf_tui.splits import split_of_rows

NODES = list("abcdef")
WANTED = {0: "train", 1: "train", 2: "validation", 4: "test"}


@pytest.mark.parametrize(
    "split",
    [
        {"train": ["a", "b"], "validation": ["c"], "test": ["e"]},
        {"train": {"b", "a"}, "val": ("c",), "test": np.array(["e"])},
        {"a": "train", "b": "train", "c": "val", "e": "test", "f": None},
        (["a", "b"], ["c"], ["e"]),
        {
            "train_mask": np.array([1, 1, 0, 0, 0, 0], dtype=bool),
            "val_mask": torch.tensor([False, False, True, False, False, False]),
            "test_mask": [False, False, False, False, True, False],
        },
    ],
    ids=["lists", "sets", "by node", "tuple", "masks"],
)
def test_all_forms_mean_the_same(split):
    table = table_of(nx.path_graph(NODES), "weight", None)
    assert split_of_rows(split, table) == WANTED


@pytest.mark.parametrize(
    ("split", "said"),
    [
        ({"train": ["a"], "test": ["a"]}, "in train and test"),
        ({"a": "training"}, "'training'"),
        ({"train": ["z"]}, "'z'"),
        ({"train": [True, False]}, "found 2 values, expected 6"),
        ({"train": np.zeros((6, 10), dtype=bool)}, "one split"),
        ("train", "found str"),
        ({"train": 3, "test": 4}, "expected nodes or a mask"),
    ],
)
def test_what_is_wrong_is_named(split, said):
    table = table_of(nx.path_graph(NODES), "weight", None)
    with pytest.raises(gesf_tui.InputError, match=said):
        split_of_rows(split, table)


def test_a_share_is_the_setting_of_the_program(karate):
    found = gesf_tui.embed(karate, split=0.25, epochs=EPOCHS)
    same = gesf_tui.embed(karate, labelled=0.25, epochs=EPOCHS)
    assert np.array_equal(found.x, same.x)
    with pytest.raises(gesf_tui.InputError, match="expected one of them"):
        gesf_tui.embed(karate, split=0.5, labelled=0.5)


def parts_of(found):
    with (found.run / "export" / "predictions.csv").open(newline="") as file:
        return [row["part"] for row in csv.DictReader(file)]


def test_a_given_split_is_used_exactly(karate, split_option):
    split = {"train": range(0, 10), "validation": range(10, 14), "test": range(20, 30)}
    found = gesf_tui.embed(karate, split=split, epochs=EPOCHS)
    parts = parts_of(found)
    assert parts[:10] == ["train"] * 10 and parts[10:14] == ["validation"] * 4
    assert parts[20:30] == ["test"] * 10
    assert set(parts[14:20] + parts[30:]) == {"unlabelled"}
    assert set(found.scores) == {"train", "validation", "test"}
    truth = [karate.nodes[node]["club"] for node in range(20, 30)]
    accuracy = np.mean(found.prediction[20:30] == np.array(truth))
    assert found.scores["test"]["accuracy"] == pytest.approx(accuracy)


def test_masks_of_pyg_are_used_unless_a_split_is_given(karate, clubs, split_option):
    edges = torch.tensor(list(karate.edges)).T
    data = Data(edge_index=edges, y=torch.tensor(clubs), num_nodes=34)
    data.train_mask = torch.arange(34) % 2 == 0
    data.test_mask = torch.arange(34) % 2 == 1
    found = gesf_tui.embed(data, epochs=EPOCHS)
    assert parts_of(found) == ["train", "test"] * 17
    even = gesf_tui.embed(karate, clubs, split=(range(0, 34, 2), range(1, 34, 2)), epochs=EPOCHS)
    assert np.array_equal(found.x, even.x)
    share = gesf_tui.embed(data, split=0.5, epochs=EPOCHS)
    assert not np.array_equal(found.x, share.x)


def test_a_path_takes_a_split_by_id(karate, split_option):
    split = {"train": range(0, 34, 2), "test": range(1, 34, 2)}
    by_id = gesf_tui.embed("sample:karate", split=split, epochs=EPOCHS)
    assert np.array_equal(by_id.x, gesf_tui.embed(karate, split=split, epochs=EPOCHS).x)
