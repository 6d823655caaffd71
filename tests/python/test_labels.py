"""Labels in any form come back as the caller's own values."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sparse
import torch
from conftest import EPOCHS
from torch_geometric.data import Data

import gesf_tui
from gesf_tui.labels import encoded


def embed(labels, graph=None, **settings):
    graph = nx.path_graph(12) if graph is None else graph
    return gesf_tui.embed(graph, labels, **{"split": 0.5, "epochs": EPOCHS, **settings})


@pytest.mark.parametrize(
    "classes",
    [
        ["cat", "dog"],
        [3, 7],
        [True, False],
        ["a|b", "c"],
        ["007", "7"],
        ["1.0", "1"],
        [" a", "a"],
        [1, "1"],
        [(1).__class__, "type"],
        ["", "x"],
    ],
    ids=repr,
)
def test_classes_come_back_as_they_were_given(classes):
    found = embed([classes[row % 2] for row in range(12)])
    assert set(found.classes) == set(classes)
    assert all(own in classes for own in found.prediction)
    best = found.classes[found.probability.argmax(axis=1)]
    assert list(best) == list(found.prediction)
    label = found.classes[1]
    assert found.explain(0, label=label).label == label
    with pytest.raises(gesf_tui.InputError, match="expected one of"):
        found.explain(0, label="no such class")


def test_missing_labels_are_unlabelled():
    values = ["a", None, float("nan"), np.nan, "b", "a", "b", "a", "b", "a", "b", "a"]
    reference = embed(values)
    by_node = {row: value for row, value in enumerate(values) if isinstance(value, str)}
    series = pd.Series(values)
    nullable = pd.Series([v if isinstance(v, str) else None for v in values], dtype="string")
    for other in (by_node, series, nullable, np.array(values, dtype=object)):
        assert np.array_equal(embed(other).probability, reference.probability)
    assert reference.prediction.shape == (12,)


def test_integers_with_missing_values_stay_classes():
    found = embed(pd.Series([0, 1, None] * 4))
    assert set(found.classes) == {0, 1}
    assert [own for own in found._labels.cells][:3] == ["0", "1", ""]


def test_several_labels_are_lists_or_a_matrix():
    matrix = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1]] * 3)
    lists = [np.flatnonzero(row).tolist() for row in matrix]
    by_matrix = embed(matrix)
    for other in (lists, pd.DataFrame(matrix), sparse.csr_array(matrix), torch.tensor(matrix)):
        assert np.array_equal(embed(other).probability, by_matrix.probability)
    assert by_matrix.prediction.shape == (12, 3)
    assert np.array_equal(by_matrix.prediction, (by_matrix.probability >= 0.5).astype(int))
    assert list(by_matrix.classes) == [0, 1, 2]
    data = Data(edge_index=torch.tensor([range(11), range(1, 12)]), num_nodes=12)
    data.y = torch.tensor(matrix, dtype=torch.float)
    assert np.array_equal(embed(None, data).probability, by_matrix.probability)
    with pytest.raises(gesf_tui.InputError, match="only 0 and 1"):
        embed(matrix * 2)


def test_numbers_are_predicted_as_numbers():
    values = [row + 0.5 for row in range(12)]
    values[3] = None
    found = embed(values)
    assert found.prediction.dtype == float and found.prediction.shape == (12,)
    assert found.probability is None and found.classes is None
    assert set(found.scores["test"]) == {"rmse", "r2"}
    whole = embed(list(range(12)), kind="numeric")
    assert whole.probability is None and "r2" in whole.scores["train"]
    assert isinstance(found.explain(0).predicted, float)


def test_labels_of_the_graph_are_used_unless_others_are_given(karate):
    assert set(embed(None, karate).classes) == {"Mr. Hi", "Officer"}
    karate.add_node(0, colour="red")
    karate.add_node(33, colour="blue")
    assert set(embed("colour", karate, split=1).classes) == {"red", "blue"}
    assert embed({}, karate, split=None).prediction is None
    with pytest.raises(gesf_tui.InputError, match="`club`"):
        embed("size", karate)


def test_a_path_takes_labels_by_id_by_column_or_from_a_file(karate, tmp_path):
    labels = {str(node): club for node, club in karate.nodes(data="club")}
    reference = embed(None, karate)
    by_id = embed(labels, "sample:karate")
    assert np.array_equal(by_id.probability, reference.probability)
    assert set(by_id.classes) == {"Mr. Hi", "Officer"}
    nx.write_graphml(karate, tmp_path / "karate.graphml")
    by_column = embed("club", tmp_path / "karate.graphml")
    assert np.array_equal(by_column.probability, reference.probability)
    nx.write_edgelist(karate, tmp_path / "karate.edgelist", data=False)
    (tmp_path / "clubs.csv").write_text(
        "id,club\n" + "".join(f"{node},{club}\n" for node, club in labels.items())
    )
    by_file = embed(tmp_path / "clubs.csv", tmp_path / "karate.edgelist")
    assert set(by_file.classes) == {"Mr. Hi", "Officer"}
    with pytest.raises(gesf_tui.InputError, match="mapping by node id"):
        embed([0, 1], "sample:karate")


def test_a_wrong_number_of_labels_or_an_unknown_node_is_named():
    with pytest.raises(gesf_tui.InputError, match="found 3, expected one for each of 12"):
        embed(["a", "b", "a"])
    with pytest.raises(gesf_tui.InputError, match="'nobody'"):
        embed({"nobody": 1})
    with pytest.raises(gesf_tui.InputError, match="several"):
        encoded([(1, 2)], "one")
