"""Errors: what the program reported, or what the module could not accept."""

from __future__ import annotations

from collections.abc import Sequence


class GesfError(Exception):
    """Base class of all errors of this module."""


class InputError(GesfError, ValueError):
    """An argument that cannot be turned into a graph, labels or a split."""


class ProgramNotFoundError(GesfError, FileNotFoundError):
    """The `gesf-tui` program is not installed where the module looks."""


class ProgramError(GesfError):
    """The program stopped with an error; the text is its own message."""

    def __init__(self, message: str, exit_code: int, command: Sequence[str]) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.command = tuple(command)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.exit_code, self.command)


class UsageError(ProgramError):
    """The program rejected its arguments, such as an unknown option."""
