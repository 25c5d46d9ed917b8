"""Text that does not follow its format, and values that a format cannot express."""

from __future__ import annotations


class FormatError(Exception):
    """An error in a text, with its line and column (from 1) if they are known."""

    def __init__(self, problem: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line
        self.column = column


class Unwritable(Exception):
    """A value that a format cannot express; the argument names the value."""
