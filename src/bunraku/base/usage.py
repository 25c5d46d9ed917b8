"""Wrong usage: the errors of a caller who asks for something that cannot be done."""

from __future__ import annotations

from bunraku.base.lazy_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bunraku.base.errors import PuppetError


class UsageError(Exception):
    """Wrong usage: one line, exit code 2; ``command`` is the command that was called."""

    def __init__(self, message: str, command: str = "") -> None:
        super().__init__(message)
        self.command = command


class InvalidInput(UsageError):
    """A file that the caller names cannot be used; ``error`` has its place."""

    def __init__(self, error: PuppetError) -> None:
        super().__init__(str(error))
        self.error = error


def package_missing(error: ModuleNotFoundError, package: str, command: str) -> UsageError:
    """Return the wrong usage of a command whose package is not installed; raise an error about another module."""
    if error.name is None or error.name.partition(".")[0] != package:
        raise error
    return UsageError(f"the package {package} is not installed: pip install {package}", command)
