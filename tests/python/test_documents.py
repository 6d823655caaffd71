"""The examples of docs/PYTHON.md run as they are written."""

import re
from pathlib import Path

import gesf_tui
from gesf_tui import program

PAGE = Path(__file__).resolve().parents[2] / "docs" / "PYTHON.md"


def test_the_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(program, "run_in_terminal", lambda arguments: None)
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(examples) >= 5
    names = {}
    for example in examples:
        exec(compile(example, str(PAGE), "exec"), names)


def test_every_public_name_is_described():
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in gesf_tui.__all__ if name not in text] == []
