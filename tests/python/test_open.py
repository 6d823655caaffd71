"""The explorer, from Python."""

import os
import re
import select
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import networkx as nx
import pytest

import gesf_tui
from gesf_tui import program

SCRIPT = """
    import networkx as nx, gesf_tui
    gesf_tui.open(nx.karate_club_graph(), paused=True, epochs=20, theme="dark")
    print("returned to Python")
"""


@pytest.fixture
def commands(monkeypatch):
    """Commands and the files of the graph, instead of an explorer."""
    seen = []

    def record(arguments):
        folder = Path(arguments[0])
        files = {path.name: path.read_text() for path in folder.glob("*")}
        seen.append((arguments, files))

    monkeypatch.setattr(program, "run_in_terminal", record)
    return seen


def test_a_graph_is_written_with_labels_names_and_weights(commands):
    graph = nx.DiGraph()
    graph.add_edge((0, 0), (0, 1), weight=0.5)
    gesf_tui.open(graph, {(0, 0): "a"}, screen="map", paused=True, dimension=8, preset=None)
    [(arguments, files)] = commands
    assert arguments[1:] == ["--screen=map", "--paused", "--set", "dimension=8"]
    assert files["nodes.csv"] == 'id,name,labels\n"(0, 0)","(0, 0)",a\n"(0, 1)","(0, 1)",\n'
    assert files["edges.csv"] == 'source,target,weight\n"(0, 0)","(0, 1)",0.5\n'
    assert files["graph.toml"] == 'directed = true\nlabel_kind = "one"\n'
    assert not Path(arguments[0]).exists(), "the temporary folder is gone"


def test_a_split_is_passed_on(commands, karate, tmp_path):
    gesf_tui.open(karate, split=0.2)
    gesf_tui.open(karate, split={"train": [1], "test": [33]}, out=tmp_path / "club")
    assert commands[0][0][1:] == ["--labelled=0.2"]
    path = tmp_path.resolve() / "club" / "split.csv"
    assert commands[1][0][1:] == [f"--split={path}"]
    assert path.read_text() == "node,split\n1,train\n33,test\n"


def test_the_folder_can_be_kept(commands, tmp_path, karate):
    gesf_tui.open(karate, out=tmp_path / "club")
    assert (tmp_path / "club" / "graph" / "nodes.csv").is_file()
    with pytest.raises(gesf_tui.InputError, match="in use"):
        gesf_tui.open(karate, out=tmp_path / "club")


def test_a_path_is_opened_as_it_is(commands):
    gesf_tui.open("sample:karate", weight=None)
    assert commands[0][0] == ["sample:karate", "--unweighted"]


def test_without_a_terminal_the_program_says_what_to_do():
    with pytest.raises(gesf_tui.ProgramError, match="the explorer needs a terminal"):
        gesf_tui.open("sample:karate")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_the_explorer_gets_the_terminal_and_gives_it_back():
    import fcntl
    import pty
    import struct
    import termios

    main, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color"}
    command = [sys.executable, "-c", textwrap.dedent(SCRIPT)]
    process = subprocess.Popen(
        command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment,
        start_new_session=True,
    )  # fmt: skip
    os.close(terminal)
    shown, quit_sent, end = "", False, time.monotonic() + 60
    while time.monotonic() < end and "returned to Python" not in shown:
        if select.select([main], [], [], 0.2)[0]:
            shown += os.read(main, 65536).decode(errors="replace")
        if not quit_sent and re.search("[Pp]aused", shown):
            os.write(main, b"q")
            quit_sent = True
    process.kill()
    process.wait()
    os.close(main)
    assert quit_sent and "returned to Python" in shown, shown[-2000:]
