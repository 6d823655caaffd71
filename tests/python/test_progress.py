"""Progress of training."""

import sys

import pytest

import gesf_tui
from gesf_tui.progress import describe, is_watched


def test_a_line_is_rewritten_and_ends_with_the_last_epoch(karate, capsys):
    gesf_tui.embed(karate, epochs=5, progress=True)
    text = capsys.readouterr().err
    assert text.startswith("\repoch 0/5  loss ") and text.endswith("\n")
    last = text.rstrip().split("\r")[-1]
    assert last.startswith("epoch 5/5") and "accuracy" in last and "test" in last


def test_nothing_is_written_where_nobody_looks(karate, capsys, monkeypatch):
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    gesf_tui.embed(karate, epochs=2)
    assert capsys.readouterr().err == ""
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    assert is_watched()


def test_a_function_gets_every_epoch(karate):
    epochs = []
    gesf_tui.embed(karate, epochs=3, progress=lambda epoch: epochs.append(epoch["epoch"]))
    assert epochs == [0, 1, 2, 3]


def test_an_exception_in_it_stops_the_program(karate):
    def stop(epoch):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gesf_tui.embed(karate, epochs=1_000_000, progress=stop)


def test_epochs_without_scores_are_described():
    assert describe({"epoch": 3, "total": 0.5, "seen_x": None}, None) == "epoch 3  loss 0.5000"
