"""Commands that a shell runs."""

from __future__ import annotations

from bunraku.providers.exec.posix import Posix
from bunraku.providers.exec.words import Words
from bunraku.providers.managed_resource import ManagedResource


class Shell(Posix):
    """Passes each command line to ``/bin/sh -c``."""

    name = "shell"
    needs_path = False

    def words(self, command: Words) -> Words:
        """Return the command line of the shell."""
        return ("/bin/sh", "-c", command if isinstance(command, str) else " ".join(command))

    def find(self, resource: ManagedResource, program: str) -> None:
        """Accept every command: the shell searches for it."""


provider = Shell
