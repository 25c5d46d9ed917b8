"""What is examined: a machine with its settings of Puppet."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence

from bunraku.base.lazy_typing import Any
from bunraku.base.records import record
from bunraku.deployment.credentials import without_credentials
from bunraku.world.host import FileStatus, Host


@record(frozen=True)
class Examined:
    """A machine; ``agent`` and ``server`` are all settings of the two, ``given`` those that something sets.

    ``configuration`` is the path of puppet.conf. ``database`` is the URL or the file of a PuppetDB, empty
    without one; ``query`` returns the rows of a query to it. ``basedirs`` are the directories of
    environments, ``store`` is that of the deployed files.
    """

    host: Host
    agent: Mapping[str, Any]
    server: Mapping[str, Any]
    given: Mapping[str, Any]
    configuration: str
    database: str
    query: Callable[[str], list[Any]]
    basedirs: Sequence[str]
    store: str = ""

    def of_agent(self, name: str) -> str:
        """Return a setting of the agent as text."""
        return str(self.agent[name] or "")

    def of_server(self, name: str) -> str:
        """Return a setting of the server as text."""
        return str(self.server[name] or "")

    @property
    def shown_database(self) -> str:
        """The PuppetDB without a password in its URL."""
        return without_credentials(self.database) if "://" in self.database else self.database

    @property
    def now(self) -> dt.datetime:
        """The time of this machine."""
        return dt.datetime.fromtimestamp(self.host.now(), dt.UTC)

    @property
    def has_authority(self) -> bool:
        """Whether the certificate authority is on this machine."""
        return self.is_there(self.of_server("cadir"))

    @property
    def has_agent(self) -> bool:
        """Whether an agent is on this machine: it has a certificate, a key or a record of a run."""
        names = ("hostcert", "hostprivkey", "statefile", "lastrunfile", "agent_disabled_lockfile")
        return any(self.is_there(self.of_agent(name)) for name in names)

    @property
    def has_anything(self) -> bool:
        """Whether anything of a site is on this machine, or it names a PuppetDB."""
        here = self.has_agent or self.has_authority or self.is_there(self.configuration)
        return here or any(map(self.is_there, self.basedirs)) or bool(self.database)

    @property
    def environments(self) -> list[str]:
        """The directories of the environments. Raise OSError."""
        return [
            f"{base}/{name}"
            for base in self.basedirs
            for name in self.names(base)
            if not name.startswith(".") and self.host.is_directory(f"{base}/{name}")
        ]

    def is_there(self, path: str) -> bool:
        """Return whether a path exists, or may exist where this user cannot look."""
        try:
            return self.status(path) is not None
        except OSError:  # a directory of another user, a link to itself
            return True

    def status(self, path: str) -> FileStatus | None:
        """Return the status of the file that a path leads to; None if it is absent. Raise OSError."""
        return self.host.status(path, follow=True)

    def names(self, directory: str) -> list[str]:
        """Return the sorted names in a directory, none if it is absent. Raise OSError."""
        status = self.status(directory)
        is_directory = status is not None and status.kind == "directory"
        return self.host.list_directory(directory) if is_directory else []

    def is_running(self, process: str) -> bool:
        """Return whether a process with an ID is there."""
        return process.isdecimal() and self.host.is_directory(f"/proc/{process}")

    def age(self, path: str) -> float:
        """Return the seconds since a file was written, 0 if it is absent."""
        status = self.status(path)
        return 0.0 if status is None else self.host.now() - status.modified


def date(moment: dt.datetime) -> str:
    """Return a date as a person reads it.

    >>> date(dt.datetime(2026, 11, 27, 8, 5, tzinfo=dt.UTC))
    '2026-11-27 08:05 UTC'
    """
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def length(seconds: float) -> str:
    """Return a duration in its largest unit.

    >>> length(90), length(7200), length(200_000), length(5)
    ('1 minute', '2 hours', '2 days', '5 seconds')
    """
    units = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))
    unit, size = next((one for one in units if seconds >= one[1]), units[-1])
    number = int(seconds // size)
    return f"{number} {unit}{'' if number == 1 else 's'}"


def few_names(names: Sequence[str]) -> str:
    """Return the first names of a list, sorted.

    >>> few_names(["b", "a"]), few_names(list("abcdefg"))
    ('a, b', 'a, b, c, d, e and 2 more')
    """
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(sorted(names)[:5]) + more
