"""What the tests share: small graphs, and folders of their own."""

import subprocess

import networkx as nx
import pytest

import gesf_tui

EPOCHS = 12


@pytest.fixture(autouse=True, scope="session")
def own_folders(tmp_path_factory):
    """Isolates the tests from the user's cache and configuration."""
    folder = str(tmp_path_factory.mktemp("folders"))
    with pytest.MonkeyPatch.context() as patch:
        for name in ("GESF_CACHE_DIR", "GESF_CONFIG_DIR", "GESF_DATA_DIR"):
            patch.setenv(name, folder)
        yield


@pytest.fixture
def karate():
    """The karate club without the weights of networkx, as in the sample."""
    graph = nx.karate_club_graph()
    for *_, data in graph.edges(data=True):
        del data["weight"]
    return graph


@pytest.fixture
def clubs(karate):
    return [int(karate.nodes[node]["club"] == "Officer") for node in karate]


@pytest.fixture(scope="session")
def trained():
    """A short run with labels."""
    return gesf_tui.embed(nx.karate_club_graph(), split=0.5, epochs=EPOCHS, weight=None)


def help_of(command):
    program = gesf_tui.find_program()
    return subprocess.run([program, command, "--help"], capture_output=True, text=True).stdout


@pytest.fixture(scope="session")
def split_option():
    """Skips a test if the program cannot read a given split."""
    if "--split" not in help_of("train"):
        pytest.skip("this program has no `train --split`")
