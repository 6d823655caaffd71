"""The `gesf-tui` program: where it is and how it is run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn

from .errors import ProgramError, ProgramNotFoundError, UsageError

ENVIRONMENT = "GESF_TUI"
USAGE_EXIT_CODE = 2


def find_program() -> str:
    """Path of the program: the one in `GESF_TUI`, else the installed one, else on `PATH`."""
    chosen = os.environ.get(ENVIRONMENT)
    if chosen:
        found = shutil.which(chosen)
        if found is None:
            raise ProgramNotFoundError(f"{ENVIRONMENT}: found `{chosen}`, expected a program")
        return found
    for folder in _script_folders():
        found = shutil.which("gesf-tui", path=folder)
        if found is not None:
            return found
    found = shutil.which("gesf-tui")
    if found is None:
        raise ProgramNotFoundError(
            "gesf-tui: found no such program beside the module or on PATH\n"
            f"  help: install the wheel, or set {ENVIRONMENT} to the program"
        )
    return found


def _script_folders() -> Iterator[str]:
    """Folders into which installers put scripts for this interpreter."""
    yield sysconfig.get_path("scripts")
    user_scheme = sysconfig.get_preferred_scheme("user")
    yield sysconfig.get_path("scripts", user_scheme)
    # `pip install --target` puts the scripts into `bin` beside the package.
    yield str(Path(__file__).resolve().parent.parent / "bin")


def run(arguments: Sequence[str]) -> str:
    """Standard output of the program; an error if it fails."""
    command = [find_program(), *arguments]
    ended = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace"
    )
    if ended.returncode != 0:
        _fail(command, ended.returncode, ended.stderr)
    return ended.stdout


def run_json(arguments: Sequence[str]) -> Any:
    """The JSON document printed by the program."""
    return json.loads(run(arguments))


def stream_json(arguments: Sequence[str]) -> Generator[dict[str, Any], None, None]:
    """The JSON lines printed by the program, each as soon as it is there."""
    command = [find_program(), *arguments]
    # Messages go to a file: a full pipe that nobody reads would stop the program.
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=messages
        )
        try:
            yield from _lines(process)
            exit_code = process.wait()
        finally:
            # Reached early when the caller stops reading or presses ctrl-c.
            if process.poll() is None:
                process.terminate()
                process.wait()
            if process.stdout is not None:
                process.stdout.close()
        if exit_code != 0:
            _fail(command, exit_code, _text_of(messages))


def run_in_terminal(arguments: Sequence[str]) -> None:
    """Hands the terminal to the program until it ends."""
    command = [find_program(), *arguments]
    sys.stdout.flush()
    sys.stderr.flush()
    with tempfile.TemporaryFile() as messages:
        # Without a terminal the only output is the message; with one the user reads it.
        shown = None if sys.__stderr__ is not None and sys.__stderr__.isatty() else messages
        exit_code = subprocess.call(command, stderr=shown)
        if exit_code != 0:
            _fail(command, exit_code, _text_of(messages))


def _lines(process: subprocess.Popen[bytes]) -> Iterator[dict[str, Any]]:
    assert process.stdout is not None
    for line in process.stdout:
        yield json.loads(line)


def _text_of(messages: IO[bytes]) -> str:
    messages.seek(0)
    return messages.read().decode("utf-8", "replace")


def _fail(command: Sequence[str], exit_code: int, messages: str) -> NoReturn:
    found = re.search(r"^error: (.*)", messages, re.MULTILINE | re.DOTALL)
    text = (found.group(1) if found else messages).strip()
    text = text or f"gesf-tui stopped with exit code {exit_code}"
    kind = UsageError if exit_code == USAGE_EXIT_CODE else ProgramError
    raise kind(text, exit_code, command)
