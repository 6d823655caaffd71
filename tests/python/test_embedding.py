"""What `embed` returns, and where the run is kept."""

import gc

import networkx as nx
import numpy as np
import pytest
from conftest import EPOCHS

import gesf_tui


def test_arrays_have_a_row_per_node(trained):
    assert trained.nodes == list(range(34)) and len(trained) == 34
    assert trained.x.shape == (34, 128) and trained.x.dtype == np.float32
    assert trained.probability.shape == (34, 2)
    assert np.allclose(trained.probability.sum(axis=1), 1)
    assert trained.prediction.shape == trained.prediction_from_r.shape == (34,)
    assert trained.hop_weights.shape == (6,)
    assert set(trained.scores) == set(trained.scores_from_r) == {"train", "test"}
    assert [own["epoch"] for own in trained.history] == list(range(EPOCHS + 1))
    assert np.array_equal(trained[5], trained.x[5])
    with pytest.raises(gesf_tui.InputError, match="99"):
        trained[99]


def test_reconstructions_have_the_shape_of_the_embeddings(trained):
    if not list((trained.run / "export").glob("reconstruction-*.npy")):
        pytest.skip("this program does not export reconstructions")
    assert trained.r.shape == trained.x.shape
    assert np.isfinite(trained.r).all() and not np.array_equal(trained.r, trained.x)


def test_contributions_add_up_to_the_explained_value(trained):
    explained = trained.explain(3)
    contributions = trained.contributions(3)
    assert contributions.shape == (34,)
    assert contributions.sum() + explained.baseline == pytest.approx(explained.value, abs=1e-9)
    strongest = explained.contributors[0]
    assert contributions[trained.row(strongest.node)] == strongest.adds
    assert np.argmax(np.abs(contributions)) == trained.row(strongest.node)
    assert explained.label == trained.prediction_from_r[3] == explained.predicted_from_r
    other = trained.explain(3, label="Officer", against="Mr. Hi", top=2)
    assert other.explained == "margin" and len(other.contributors) == 2


def test_a_run_is_explained_from_its_folder_too(trained):
    by_object, by_folder = gesf_tui.explain(trained, 3), gesf_tui.explain(trained.run, 3)
    assert by_folder.value == by_object.value
    assert [str(own.node) for own in by_object.contributors] == [
        own.node for own in by_folder.contributors
    ]
    assert gesf_tui.explain(str(trained.run), "3", label="Officer").label == "Officer"


def test_seeds_repeat_and_differ(karate):
    one, same, other = (
        gesf_tui.embed(karate, seed=seed, epochs=EPOCHS, split=0.5) for seed in (1, 1, 2)
    )
    assert np.array_equal(one.x, same.x) and not np.array_equal(one.x, other.x)


def test_settings_are_those_of_the_program(karate):
    found = gesf_tui.embed(karate, epochs=4, dimension=8, stratified=True, preset="paper")
    assert found.x.shape == (34, 8) and len(found.history) == 5
    assert found.hop_weights.size == 0, "the filter of the paper has no hop weights"


def test_a_temporary_run_lives_as_long_as_its_object(karate):
    found = gesf_tui.embed(karate, epochs=2)
    run = found.run
    assert (run / "run.toml").is_file()
    del found
    gc.collect()
    assert not run.exists()


def test_a_run_is_kept_where_it_should_be_and_never_overwritten(karate, tmp_path):
    out = tmp_path / "runs" / "one"
    found = gesf_tui.embed(karate, epochs=2, out=out)
    before = (out / "run.toml").read_text()
    del found
    gc.collect()
    assert gesf_tui.explain(out, 0).node == "0"
    with pytest.raises(gesf_tui.InputError, match="in use"):
        gesf_tui.embed(karate, epochs=3, out=out)
    assert (out / "run.toml").read_text() == before


def test_a_failed_call_leaves_the_folder_free(karate, tmp_path):
    with pytest.raises(gesf_tui.GesfError, match="unknown setting"):
        gesf_tui.embed(karate, out=tmp_path / "run", epoch=3)
    assert gesf_tui.embed(karate, out=tmp_path / "run", epochs=2).x.shape == (34, 128)


def test_names_of_nodes_are_shown(tmp_path):
    graph = nx.Graph([(("a", 1), ("b", 2))])
    graph.nodes[("a", 1)]["name"] = "first\nline"
    found = gesf_tui.embed(graph, epochs=2, out=tmp_path / "run")
    document = found.explain(("b", 2)).document
    assert document["name"] == "('b', 2)"
    assert document["contributors"][0]["name"] == "first line"
