"""The git program: its output, without hooks and file monitors that a repository configures."""

from __future__ import annotations

import os
from collections.abc import Mapping

from bunraku.engine.issues import GIT_FAILED, NO_GIT, NO_REPOSITORY
from bunraku.world import processes

OFF = (
    "--no-replace-objects",  # a revision is what its hash says, not what refs/replace puts there
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.splitIndex=false"),  # it would write a shared index beside the repository's own
)
"""Options for each command of git: what a repository must not start or get."""


def git_command(repository: str, *arguments: str) -> list[str]:
    """Return the command line of git for a repository, whose hooks and file monitor do not run.

    Filters of ``.gitattributes`` do run, as for a checkout, if git's configuration defines them.
    """
    return ["git", *OFF, "-C", repository, *arguments]


def git_output(
    repository: str,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    content: bytes | None = None,
) -> bytes:
    """Return the output of a git command for the input ``content``; raise GIT_FAILED if it fails."""
    command = git_command(repository, *arguments)
    try:
        done = processes.run(command, environment=environment, content=content)
    except OSError as error:
        raise NO_GIT(reason=error.strerror) from None
    if done.returncode:
        reason = " ".join(done.stderr.decode("utf-8", "replace").split())
        if "not a git repository" in reason:
            raise NO_REPOSITORY(directory=os.path.abspath(repository))
        raise GIT_FAILED(command=arguments[0], reason=reason)
    return done.stdout


def git(repository: str, *arguments: str, environment: Mapping[str, str] | None = None) -> str:
    """Return the output of a git command as text; raise GIT_FAILED if it fails."""
    found = git_output(repository, *arguments, environment=environment)
    return found.decode("utf-8", "surrogateescape").rstrip("\n")
