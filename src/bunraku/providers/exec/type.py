"""The resource type ``exec``: a command that runs if its conditions hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import Parameter, Property
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.exec.posix import Posix
from bunraku.providers.exec.words import Words, inspected_command, program_of, shown_command
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import boolean, munging, qualified
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.ruby_classes import ruby_class
from bunraku.providers.secrets import REDACTED
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.values.default import DEFAULT
from bunraku.world.host import CommandTimeout, Finished

UMASK = re.compile(r"0?[0-7]{1,4}")
NAMED = re.compile(r"\w=", re.ASCII)
DIGITS = re.compile(r"\d+")
DECIMAL = re.compile(r"[-\d.]+")
NOT_RUN = "notrun"
DEFAULT_TIMEOUT = 300
"""The default of ``timeout``, in seconds."""


# -- values ------------------------------------------------------------------------------------------


def read_command(value: Any) -> Words:
    """Check a command: a command line or an array of words."""
    if isinstance(value, list):
        return tuple(map(to_s, value))
    if not isinstance(value, str):
        kind = ruby_class(value)
        raise InvalidValue(f"Command must be a String or Array<String>, got value of class {kind}")
    return value


def read_commands(value: Any, resource: ManagedResource) -> tuple[Words, ...]:
    """Return the commands of a condition; a nested array is one command of several words."""
    given = value if isinstance(value, list) else [value]
    commands = tuple(read_command(one) for one in given)
    for command in commands:
        check_qualified(command, resource)
    return commands


def read_one_command(value: Any, resource: ManagedResource) -> Words:
    """Return a command; raise InvalidValue if its program needs a search path and has none."""
    command = read_command(value)
    check_qualified(command, resource)
    return command


def check_qualified(command: Words, resource: ManagedResource) -> None:
    """Raise InvalidValue for a relative program path if the resource sets no search path."""
    program = program_of(command)
    unqualified = not program.startswith("/") and resource.original.get("path") is None
    if unqualified and posix_of(resource).needs_path:
        shown = REDACTED if "command" in resource.sensitive else program
        raise InvalidValue(
            f"'{shown}' is not qualified and no path was specified. "
            "Please qualify the command or specify a path."
        )


def posix_of(resource: ManagedResource) -> Posix:
    """Return the provider of an exec."""
    found = resource.provider
    assert isinstance(found, Posix)
    return found


def read_path(value: Any) -> tuple[str, ...]:
    """Return the directories of a search path, given as an array or as text with colons."""
    given = value if isinstance(value, list) else [value]
    return tuple(directory for one in given for directory in one.split(":"))


def read_environment(value: Any) -> tuple[str, ...]:
    """Check settings of variables."""
    given = tuple(map(to_s, value if isinstance(value, list) else [value]))
    for one in given:
        if not NAMED.search(one):
            raise InvalidValue(f"Invalid environment setting '{one}'")
    return given


def read_creates(value: Any) -> list[Any]:
    """Check paths whose existence prevents the command from running."""
    return listed(qualified("creates", many=True)(value))


def read_user(value: Any, resource: ManagedResource) -> Any:
    """Check the user; only root can run commands as another user."""
    host = resource.run.host
    if host.effective_user() != 0:
        account = host.user(host.effective_user())
        if account is None or account.name != value:
            raise InvalidValue("Only root can execute commands as other users")
    return value


def read_umask(value: Any) -> int:
    """Return the umask as a number."""
    if not isinstance(value, str) or not UMASK.fullmatch(value):
        raise InvalidValue(f"The umask specification is invalid: {inspect(value)}")
    return int(value, 8)


def read_timeout(value: Any) -> float:
    """Return the limit in seconds, 0 for none."""
    given = value[0] if isinstance(value, list) else value
    if isinstance(given, bool) or given is DEFAULT:
        kind = to_s(given) if isinstance(given, bool) else ruby_class(given)
        raise munging("timeout", value, f"can't convert {kind} into Float")
    try:
        return max(float(given), 0.0)
    except (TypeError, ValueError):
        raise munging("timeout", value, "The timeout must be a number.") from None


def read_tries(value: Any) -> int:
    """Return the number of attempts, 1 or more."""
    if isinstance(value, str):
        if not DIGITS.fullmatch(value):
            raise munging("tries", value, "Tries must be an integer")
        value = int(value)
    if not isinstance(value, int | float):
        raise munging("tries", value, f"comparison of {ruby_class(value)} with 1 failed")
    if isinstance(value, bool) or value < 1:
        raise munging("tries", value, "Tries must be an integer >= 1")
    return int(value)


def read_try_sleep(value: Any) -> float:
    """Return the seconds between two attempts."""
    if isinstance(value, str):
        if not DECIMAL.fullmatch(value):
            raise munging("try_sleep", value, "try_sleep must be a number")
        value = float(value)
    if isinstance(value, bool):
        raise munging("try_sleep", value, "try_sleep must be a number")
    if not isinstance(value, int | float):
        raise munging("try_sleep", value, f"comparison of {ruby_class(value)} with 0 failed")
    if value < 0:
        raise munging("try_sleep", value, "try_sleep cannot be a negative number")
    return float(value)


# -- the command -------------------------------------------------------------------------------------


class Returns(Property):
    """The accepted exit codes; the state is ``notrun`` if the command must run."""

    def retrieve(self, resource: ManagedResource) -> Any:
        """Return ``notrun`` if the conditions allow the command to run."""
        return NOT_RUN if may_run(resource) else resource["returns"]

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Run the command."""
        run_command(resource, resource["command"])

    def described(self, resource: ManagedResource, current: Any, wanted: Any) -> str:
        """Return the message of a successful command."""
        return "executed successfully"

    def event_name(self, resource: ManagedResource, wanted: Any) -> str:
        """Return the name of the event."""
        return "executed_command"


def may_run(resource: ManagedResource, *, refreshing: bool = False) -> bool:
    """Return whether all conditions hold; a refresh ignores ``refreshonly``."""
    if resource.is_true("refreshonly") and not refreshing:
        return False
    for path in resource["creates"] or ():
        resource.log("debug", f"Checking that 'creates' path '{path}' exists", "creates")
        if resource.run.host.status(path, follow=True) is not None:
            return False
    # Puppet checks the conditions in the order in which the type defines them.
    return all(
        succeeds(resource, name, command) is wanted
        for name, wanted in (("unless", False), ("onlyif", True))
        for command in resource[name] or ()
    )


def succeeds(resource: ManagedResource, name: str, command: Words) -> bool | None:
    """Return whether the command of a condition exits with 0; None after a timeout."""
    try:
        done = posix_of(resource).run_command(resource, command, check=True)
    except CommandTimeout:
        shown = REDACTED if name in resource.sensitive else inspected_command(command)
        resource.log("err", f"Check {shown} exceeded timeout", name)
        return None
    lines = done.output.splitlines()
    for line in ["[output redacted]"] if name in resource.sensitive else lines:
        resource.log("debug", line, name)
    return done.code == 0


def run_command(resource: ManagedResource, command: Words) -> None:
    """Run a command until an attempt exits with an accepted code; log the output according to
    ``logoutput``.
    """
    expected = [str(code) for code in resource.accepted("returns")]
    secret = "command" in resource.sensitive
    try:
        done = attempts(resource, command, expected)
    except CommandTimeout:
        raise ResourceFailure("Command exceeded timeout") from None
    failed = str(done.code) not in expected
    if resource["logoutput"] == "true" or (resource["logoutput"] == "on_failure" and failed):
        for line in ["[output redacted]"] if secret else done.output.split("\n"):
            if line:
                resource.log(resource.level, line, "returns")
    if failed:
        shown = "[command redacted]" if secret else f"'{shown_command(command)}'"
        raise ResourceFailure(
            f"{shown} returned {done.code} instead of one of [{','.join(expected)}]"
        )


def attempts(resource: ManagedResource, command: Words, expected: list[str]) -> Finished:
    """Run a command up to ``tries`` times, until its exit code is an expected one."""
    tries: int = resource["tries"]
    for number in range(1, tries + 1):
        if tries > 1:
            resource.log("debug", f"Exec try {number}/{tries}", "returns")
        done = posix_of(resource).run_command(resource, command)
        if str(done.code) in expected:
            break
        if resource["try_sleep"] > 0 and number < tries:
            resource.run.host.sleep(resource["try_sleep"])
    return done


class Exec(ResourceType):
    """Run commands. A refresh runs the command again, or ``refresh`` instead."""

    name = "exec"
    named_only = True
    namevar = "command"
    providers = ("posix", "shell")
    refreshable = True
    secret_together = (frozenset({"command", "unless", "onlyif", "refresh", "environment"}),)
    attributes = (
        Returns(
            "returns",
            many=True,
            read=to_s,
            default="0",
            about="The exit codes of a successful command.",
        ),
        Parameter(
            "command",
            read=read_command,
            about="The command line, or an array of the program and its arguments.",
        ),
        Parameter(
            "path",
            read=read_path,
            about="The directories to search for programs, as an array or separated by colons. Without it, commands need the full paths of their programs.",
        ),
        Parameter(
            "user",
            read_for=read_user,
            about="The user that runs the command. Only root can run commands as other users.",
        ),
        Parameter("group", about="The group that runs the command."),
        Parameter(
            "cwd",
            read=qualified("cwd"),
            about="The directory in which the command runs.",
        ),
        Parameter(
            "logoutput",
            words=("true", "false", "on_failure"),
            default="on_failure",
            about="When the output is logged: always, never, or if the command fails.",
        ),
        Parameter(
            "refresh",
            read_for=read_one_command,
            about="The command that a refresh runs instead of `command`.",
        ),
        Parameter(
            "environment",
            read=read_environment,
            about="Variables for the command, as `NAME=value`.",
        ),
        Parameter("umask", read=read_umask, about="The umask of the command, in octal."),
        Parameter(
            "timeout",
            read=read_timeout,
            default=DEFAULT_TIMEOUT,
            about="The limit in seconds; 0 means none. A command that exceeds it is stopped and fails.",
        ),
        Parameter(
            "tries",
            read=read_tries,
            default=1,
            about="The number of attempts for a failing command.",
        ),
        Parameter(
            "try_sleep", read=read_try_sleep, default=0, about="The seconds between two attempts."
        ),
        boolean("refreshonly", about="Run the command only on a refresh."),
        Parameter(
            "creates",
            read=read_creates,
            about="Do not run the command if one of these files exists.",
        ),
        Parameter(
            "unless",
            read_for=read_commands,
            about="Do not run the command if one of these commands exits with 0.",
        ),
        Parameter(
            "onlyif",
            read_for=read_commands,
            about="Run the command only if all of these commands exit with 0.",
        ),
        Parameter("provider"),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for a command whose program would not be found."""
        check_qualified(resource["command"], resource)

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the working directory, the programs and the user."""
        if resource["cwd"]:
            yield "file", resource["cwd"]
        commands = [resource["command"], *(resource["unless"] or ()), *(resource["onlyif"] or ())]
        for command in commands:
            program = program_of(command)
            if program.startswith("/"):
                yield "file", program
        if isinstance(resource["user"], str) and not resource["user"].isdigit():
            yield "user", resource["user"]

    def refresh(self, resource: ManagedResource) -> None:
        """Run ``refresh``, or the command again, if the conditions hold."""
        if may_run(resource, refreshing=True):
            if resource["refresh"] is not None:
                posix_of(resource).run_command(resource, resource["refresh"])
            else:
                run_command(resource, resource["command"])


def listed(value: Any) -> list[Any]:
    """Return a value as a list."""
    return value if isinstance(value, list) else [value]


resource_type = Exec
