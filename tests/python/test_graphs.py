"""Every accepted kind of graph reaches the program unchanged."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sparse
import torch
from conftest import EPOCHS
from torch_geometric.data import Data, HeteroData
from torch_geometric.utils import from_networkx

import gesf_tui
from gesf_tui.recognise import table_of


def embed(graph, labels=None, **settings):
    return gesf_tui.embed(graph, labels, **{"split": 0.5, "epochs": EPOCHS, **settings})


def assert_same(one, other):
    assert np.array_equal(one.x, other.x)
    assert np.array_equal(one.probability, other.probability, equal_nan=True)
    assert np.array_equal(one.hop_weights, other.hop_weights)
    assert one.scores == other.scores


def test_the_same_graph_gives_the_same_bits_however_it_is_given(karate, clubs, tmp_path):
    reference = embed(karate)
    data = Data(edge_index=from_networkx(karate).edge_index, y=torch.tensor(clubs), num_nodes=34)
    assert_same(reference, embed(data))
    assert_same(reference, embed(nx.to_scipy_sparse_array(karate), clubs))
    assert_same(reference, embed(nx.to_scipy_sparse_array(karate, format="coo"), clubs))
    assert_same(reference, embed("sample:karate"))
    nx.write_graphml(karate, tmp_path / "karate.graphml")
    assert_same(reference, embed(tmp_path / "karate.graphml"))


def test_weights_give_the_same_bits_however_they_are_given(clubs):
    graph = nx.karate_club_graph()
    reference = embed(graph)
    from_graph = from_networkx(graph)
    for name in ("edge_weight", "weight"):
        data = Data(edge_index=from_graph.edge_index, y=torch.tensor(clubs), num_nodes=34)
        data[name] = from_graph.weight
        assert_same(reference, embed(data))
    assert_same(reference, embed(nx.to_scipy_sparse_array(graph), clubs))
    unweighted = embed(graph, weight=None)
    assert not np.array_equal(reference.x, unweighted.x)
    assert_same(unweighted, embed("sample:karate"))


def test_an_edge_table_is_read_like_the_file_with_the_same_rows(karate, tmp_path):
    frame = nx.to_pandas_edgelist(karate)
    frame.to_csv(tmp_path / "edges.csv", index=False)
    table, file = embed(frame, split=None), embed(tmp_path / "edges.csv", split=None)
    assert np.array_equal(table.x, file.x)
    assert [str(node) for node in table.nodes] == file.nodes
    assert table.prediction is None and table.probability is None and table.scores == {}


def test_edge_tables_may_have_other_names_and_weights():
    frame = pd.DataFrame({"src": ["a", "b"], "dst": ["b", "c"], "km": [1.5, 2.0]})
    table = table_of(frame, "km", None)
    assert table.nodes == ["a", "b", "c"] and table.weights == [1.5, 2.0]
    bare = table_of(frame.rename(columns={"src": "x", "dst": "y"}), "weight", None)
    assert bare.nodes == ["a", "b", "c"] and bare.weights is None
    with pytest.raises(gesf_tui.InputError, match="missing node"):
        table_of(pd.DataFrame({"source": ["a"], "target": [None]}), "weight", None)


@pytest.mark.parametrize(
    "nodes",
    [
        [10, 20, 30, 40],
        ["a", "b c", "é", "d,e"],
        [(0, 1), (1, 0), ("x", 2), ((1,), "y")],
        [1, "1", 2.5, None],
        ["#a", " b ", 'c"d', "e\nf"],
        [frozenset({1}), "", "-", True],
    ],
    ids=["integers", "texts", "tuples", "ambiguous", "unsafe", "odd"],
)
def test_any_hashable_ids_survive(nodes):
    graph = nx.Graph()
    # networkx itself refuses None as a node.
    nodes = [node if node is not None else "None" for node in nodes]
    graph.add_nodes_from(nodes)
    graph.add_edges_from(zip(nodes, nodes[1:]))
    labels = dict(zip(nodes, "abab"))
    found = embed(graph, labels)
    assert found.nodes == nodes
    numbered = embed(nx.path_graph(4), list("abab"))
    assert np.array_equal(found.x, numbered.x)
    for row, node in enumerate(nodes):
        assert np.array_equal(found[node], numbered.x[row])
    explained = found.explain(nodes[1])
    assert explained.node == nodes[1]
    assert {own.node for own in explained.contributors} <= set(nodes)
    assert explained.contributors[0].adds == numbered.explain(1).contributors[0].adds


def test_what_the_model_cannot_use_is_merged_or_dropped():
    simple = nx.Graph([(0, 1), (1, 2), (2, 3)])
    multi = nx.MultiDiGraph([(0, 1), (1, 0), (0, 1), (1, 2), (2, 3), (3, 3)])
    assert np.array_equal(embed(simple, split=None).x, embed(multi, split=None).x)
    counted = embed(multi, split=None, count_rows=True)
    assert not np.array_equal(embed(simple, split=None).x, counted.x)


def test_an_asymmetric_matrix_is_a_directed_graph():
    matrix = sparse.csr_array(([1, 1, 1], ([0, 1, 2], [1, 2, 3])), shape=(4, 4))
    table = table_of(matrix, "weight", None)
    assert table.directed and len(table.sources) == 3
    symmetric = table_of(matrix + matrix.T, "weight", None)
    assert not symmetric.directed and len(symmetric.sources) == 3
    both = table_of(matrix + matrix.T, "weight", True)
    assert both.directed and len(both.sources) == 6
    assert np.array_equal(embed(matrix, split=None).x, embed(matrix + matrix.T, split=None).x)
    with pytest.raises(gesf_tui.InputError, match="square"):
        embed(sparse.csr_array((2, 3)))


def test_isolated_nodes_keep_their_rows():
    graph = nx.Graph([(0, 1)])
    graph.add_node("alone")
    found = embed(graph, split=None)
    assert found.nodes == [0, 1, "alone"] and found.x.shape == (3, 128)
    assert embed(sparse.csr_array((3, 3)), split=None).x.shape == (3, 128)


def test_an_empty_graph_is_an_error_with_the_reason():
    with pytest.raises(gesf_tui.ProgramError, match="expected at least one node"):
        embed(nx.Graph())


def test_other_objects_are_named():
    with pytest.raises(gesf_tui.InputError, match="builtins.dict, expected a networkx graph"):
        embed({"a": ["b"]})


def library():
    data = HeteroData()
    data["author"].num_nodes = 6
    data["paper"].num_nodes = 8
    data["paper"].y = torch.tensor([0, 0, 0, 0, 1, 1, 1, 1])
    data["author", "wrote", "paper"].edge_index = torch.tensor(
        [[0, 0, 1, 2, 2, 3, 4, 5, 5], [0, 1, 2, 3, 0, 4, 5, 6, 7]]
    )
    data["paper", "cites", "paper"].edge_index = torch.tensor([[0, 1, 4, 5], [2, 3, 6, 7]])
    return data


def test_hetero_data_has_types_and_ids_by_type():
    found = embed(library())
    assert found.nodes[0] == ("paper", 0) and found.nodes[-1] == ("author", 5)
    assert found.types[0] == "paper" and found.x.shape == (14, 128)
    assert list(found.classes) == [0, 1]
    assert found.prediction[0] in (0, 1) and found.prediction[-1] is None
    assert np.isnan(found.probability[-1]).all()
    assert found.explain(("author", 1)).explained == "length of z"
    sizes = embed(library(), dimension=[8, 4])
    assert sizes.x_by_type["paper"].shape == (8, 8)
    assert sizes.x_by_type["author"].shape == (6, 4)
    with pytest.raises(gesf_tui.GesfError, match="x_by_type"):
        sizes.x  # noqa: B018


def test_mirrored_edge_types_count_once():
    from torch_geometric.transforms import ToUndirected

    weighted = library()
    weighted["author", "wrote", "paper"].edge_weight = torch.arange(1.0, 10.0)
    mirrored = ToUndirected(merge=False)(weighted.clone())
    assert len(mirrored.edge_types) > len(weighted.edge_types)
    assert_same(embed(weighted), embed(mirrored))


def test_networkx_types_match_hetero_data():
    graph = nx.Graph()
    data = library()
    for kind in ("paper", "author"):
        for number in range(data[kind].num_nodes):
            graph.add_node((kind, number), type=kind)
    for kind, relation, other in data.edge_types:
        for a, b in data[kind, relation, other].edge_index.T.tolist():
            graph.add_edge((kind, a), (other, b))
    labels = {("paper", number): y for number, y in enumerate(data["paper"].y.tolist())}
    assert np.array_equal(embed(graph, labels).x, embed(data).x)
