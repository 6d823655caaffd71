"""Errors are Python exceptions with the program's message."""

import pickle
import stat

import networkx as nx
import pytest

import gesf_tui
from gesf_tui import program


def test_the_message_is_the_program_s_own(karate):
    with pytest.raises(gesf_tui.ProgramError) as caught:
        gesf_tui.embed(karate, foldss=3)
    assert str(caught.value) == "unknown setting `foldss`\n  help: did you mean `folds`?"
    assert caught.value.exit_code == 1 and caught.value.command[1] == "train"
    assert isinstance(caught.value, gesf_tui.GesfError)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value) and copy.command == caught.value.command


def test_a_missing_file_and_a_bad_weight_are_named():
    with pytest.raises(gesf_tui.ProgramError, match="no-such-file"):
        gesf_tui.embed("no-such-file")
    graph = nx.Graph()
    graph.add_edge(0, 1, weight=-1)
    with pytest.raises(gesf_tui.ProgramError, match=r"edges.csv, line 2"):
        gesf_tui.embed(graph)


def test_arguments_the_program_rejects_are_usage_errors(karate):
    with pytest.raises(gesf_tui.UsageError, match="on-bad-row"):
        gesf_tui.embed(karate, on_bad_row="panic")


def test_an_unknown_node_of_a_run_folder_is_named(trained):
    with pytest.raises(gesf_tui.ProgramError, match="--node: found `nobody`"):
        gesf_tui.explain(trained.run, "nobody")


def test_the_program_is_found_or_its_absence_explained(monkeypatch, tmp_path):
    monkeypatch.setenv("GESF_TUI", str(tmp_path / "missing"))
    with pytest.raises(gesf_tui.ProgramNotFoundError, match="missing"):
        gesf_tui.find_program()
    monkeypatch.delenv("GESF_TUI")
    monkeypatch.setattr(program, "_script_folders", lambda: [])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(gesf_tui.ProgramNotFoundError, match="install the wheel"):
        gesf_tui.find_program()
    mine = tmp_path / "gesf-tui"
    mine.write_text("#!/bin/sh\n")
    mine.chmod(mine.stat().st_mode | stat.S_IXUSR)
    assert gesf_tui.find_program() == str(mine)
