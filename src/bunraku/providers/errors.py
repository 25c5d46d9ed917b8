"""Failures of resources during the check of their values and during the run."""

from __future__ import annotations


class InvalidValue(ValueError):
    """A value that an attribute does not accept; the text is Puppet's reason."""


class InvalidSecret(InvalidValue):
    """A secret value that an attribute does not accept; no part of it is in the text."""


class ResourceFailure(Exception):
    """A resource could not be read or changed; the text is the reason, if possible Puppet's."""


def execution_failure(command: str, error: Exception) -> ResourceFailure:
    """Return the failure of a command that could not be started or did not end.

    >>> str(
    ...     execution_failure("/bin/x", FileNotFoundError(2, "No such file or directory", "/bin/x"))
    ... )
    "Execution of '/bin/x' failed: No such file or directory"
    """
    reason = error.strerror if isinstance(error, OSError) and error.strerror else error
    return ResourceFailure(f"Execution of '{command}' failed: {reason}")
