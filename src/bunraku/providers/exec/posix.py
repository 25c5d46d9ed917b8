"""Commands that run directly, or in a shell if they use its syntax."""

from __future__ import annotations

import errno
import re

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.exec.words import Words, program_of, shown_command
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.providers.secrets import REDACTED
from bunraku.world.host import Command, Finished, OutputTooLarge

SETTING = re.compile(r"(\w+)=(.*)", re.DOTALL)
NOT_FOUND = 127
"""The exit code of a shell that cannot find a command."""


class Posix(Provider):
    """Runs commands directly; ``/bin/sh`` runs a line with quotes, pipes or other shell syntax."""

    name = "posix"
    features = frozenset({"umask"})
    needs_path = True
    """Whether the path of a program must be absolute if the resource sets no search path."""

    def suitable(self) -> bool:
        """Return True: every machine can run commands."""
        return True

    def run_command(
        self, resource: ManagedResource, command: Words, *, check: bool = False
    ) -> Finished:
        """Run a command of a resource.

        ResourceFailure is raised if the program or the working directory does not exist. A command
        that cannot be started for another reason, such as an unknown user, has the exit code 1 and
        the reason as its output, as in Puppet.
        """
        program = program_of(command)
        secret = "command" in resource.sensitive
        self.find(resource, program)
        directory = resource["cwd"]
        if directory and not self.host.is_directory(directory):
            raise ResourceFailure(f"Working directory {directory} does not exist!")
        shown = REDACTED if secret else shown_command(command)
        resource.log("debug", f"Executing{' check' if check else ''} '{shown}'")
        try:
            done = self.host.execute(
                Command(
                    self.words(command),
                    environment=self.environment(resource),
                    directory=directory,
                    user=resource["user"],
                    group=resource["group"],
                    umask=resource["umask"],
                    timeout=resource["timeout"] or None,
                    merged=True,
                )
            )
        except OutputTooLarge as error:
            raise ResourceFailure(error.strerror or str(error)) from None
        except OSError as error:
            reason = error.strerror or str(error)
            if error.errno == errno.ENOENT:
                reason += f" - {REDACTED if secret else program}"
            return Finished(1, f"Error: Could not execute posix command: {reason}\n")
        if done.code == NOT_FOUND:
            raise ResourceFailure("[output redacted]" if secret else done.output)
        return done

    def words(self, command: Words) -> Words:
        """Return the command in the form that the system expects."""
        return command

    def find(self, resource: ManagedResource, program: str) -> None:
        """Raise ResourceFailure unless a program exists and is executable."""
        shown = REDACTED if "command" in resource.sensitive else program
        if program.startswith("/"):
            status = self.host.status(program, follow=True)
            if status is None:
                raise ResourceFailure(f"Could not find command '{shown}'")
            if status.kind != "file":
                raise ResourceFailure(f"'{shown}' is a {status.kind}, not a file")
            if not self.host.is_executable(program):
                raise ResourceFailure(f"'{shown}' is not executable")
        elif not self.host.find_program(program, ":".join(resource["path"] or ())):
            raise ResourceFailure(f"Could not find command '{shown}'")

    def environment(self, resource: ManagedResource) -> dict[str, str | None]:
        """Return the variables of a command without HOME, USER and LOGNAME, as in Puppet."""
        found: dict[str, str | None] = {"HOME": None, "USER": None, "LOGNAME": None}
        secret = "environment" in resource.sensitive
        if resource["path"]:
            found["PATH"] = ":".join(resource["path"])
        for setting in resource["environment"] or ():
            parts = SETTING.fullmatch(setting)
            if parts is None:
                shown = REDACTED if secret else repr(setting)
                resource.log("warning", f"Cannot understand environment setting {shown}")
                continue
            if found.get(parts[1]) is not None:
                shown = REDACTED if secret else parts[2]
                text = f"Overriding environment setting '{parts[1]}' with '{shown}'"
                resource.log("warning", text)
            found[parts[1]] = parts[2]
        return found


provider = Posix
