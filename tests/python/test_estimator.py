"""Estimators in the style of scikit-learn."""

import networkx as nx
import numpy as np
import pytest
from conftest import EPOCHS
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

import gesf_tui
from gesf_tui import GesfClassifier, GesfRegressor

TRAIN, TEST = list(range(0, 34, 2)), list(range(1, 34, 2))


def test_a_classifier_fits_predicts_and_scores(karate, clubs):
    model = GesfClassifier(epochs=100, stratified=True).fit(karate, clubs, train=TRAIN)
    assert model.predict().shape == (34,) and set(model.predict()) <= {0, 1}
    assert model.predict(TEST).shape == (17,) and list(model.classes_) == [0, 1]
    assert np.allclose(model.predict_proba(TEST).sum(axis=1), 1)
    truth = np.array(clubs)[TEST]
    assert model.score(TEST, truth) == pytest.approx(np.mean(model.predict(TEST) == truth))
    assert model.score(TEST) == model.score(TEST, truth)
    assert model.score(TEST, dict(enumerate(clubs))) == model.score(TEST)
    assert model.score(TRAIN) > 0.9 and model.score(TEST) > 0.6


def test_labels_outside_train_change_nothing(karate, clubs):
    mask = np.isin(np.arange(34), TRAIN)
    one = GesfClassifier(epochs=EPOCHS).fit(karate, clubs, train=mask)
    hidden = [club if row in TRAIN else 1 - club for row, club in enumerate(clubs)]
    other = GesfClassifier(epochs=EPOCHS).fit(karate, hidden, train=TRAIN)
    assert np.array_equal(one.predict_proba(), other.predict_proba())


def test_parameters_are_those_of_scikit_learn(karate, clubs):
    model = GesfClassifier(seed=3, epochs=EPOCHS, dimension=8)
    assert model.get_params() == {"seed": 3, "weight": "weight", "epochs": EPOCHS, "dimension": 8}
    copy = clone(model)
    assert copy is not model and copy.get_params() == model.get_params()
    copy.set_params(seed=4, balance=1.0)
    assert model.get_params()["seed"] == 3 and copy.get_params()["balance"] == 1.0
    assert repr(model).startswith("GesfClassifier(seed=3")
    fitted = model.fit(karate, clubs)
    assert fitted is model
    assert np.array_equal(clone(model).fit(karate, clubs).predict_proba(), model.predict_proba())


def test_embeddings_are_features_for_others(karate, clubs):
    model = GesfClassifier(epochs=EPOCHS).fit(karate, clubs, train=TRAIN)
    other = LogisticRegression().fit(model.transform(TRAIN), np.array(clubs)[TRAIN])
    assert other.predict(model.transform(TEST)).shape == (17,)


def test_several_labels_are_scored_as_sets():
    graph = nx.path_graph(12)
    labels = np.array([[1, 0], [1, 1], [0, 1]] * 4)
    model = GesfClassifier(epochs=EPOCHS).fit(graph, labels)
    hits = (model.predict() == labels).all(axis=1)
    assert model.score() == pytest.approx(hits.mean())


def test_a_regressor_predicts_numbers():
    graph = nx.path_graph(20)
    model = GesfRegressor(epochs=60).fit(graph, list(range(20)), train=range(0, 20, 2))
    assert model.predict().dtype == float
    assert model.score(range(0, 20, 2)) > 0.5
    assert clone(model).get_params() == model.get_params()


def test_use_before_fit_and_without_labels_is_explained(karate):
    with pytest.raises(gesf_tui.GesfError, match="call fit first"):
        GesfClassifier().predict()
    with pytest.raises(gesf_tui.InputError, match="no labels"):
        GesfClassifier().fit(nx.path_graph(3))
    with pytest.raises(gesf_tui.InputError, match="use `embed`"):
        GesfClassifier().fit("sample:karate")
