"""A run over the resources of a catalog, and the state that they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from bunraku.base.records import record
from bunraku.providers.file_server import FileServer
from bunraku.providers.secrets import Secrets
from bunraku.web.requests import HttpRequest
from bunraku.world.host import Command, Host
from bunraku.world.protocol import World

if TYPE_CHECKING:
    from bunraku.providers.managed_resource import ManagedResource
    from bunraku.providers.provider import Provider
    from bunraku.providers.resource_type import ResourceType

Value = Any
LEVELS = ("debug", "info", "notice", "warning", "err", "alert", "emerg", "crit")
"""The levels of messages, least urgent first."""


class Log(Protocol):
    """The function that receives messages."""

    def __call__(
        self,
        level: str,
        message: str,
        source: str = "Puppet",
        *,
        tags: Sequence[str] = (),
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        """Log a message; ``source`` is the path of the resource or property that it concerns."""


@record(frozen=True)
class Types:
    """The functions that find a resource type for a run, and a provider of a type, by name."""

    find: Callable[[str, Run], ResourceType | None]
    provider: Callable[[str, str], type[Provider]]


class Run:
    """One run over the resources of a catalog, and its shared state.

    ``settings`` are Puppet's, by name (``noop``, ``show_diff``, ``statedir``, ``clientbucketdir`` …).
    """

    def __init__(self, host: Host, log: Log, settings: Mapping[str, Any], types: Types) -> None:
        self.host = host
        self.code: World = host
        """The machine on which the modules and libraries are."""
        self.write = log
        self.settings = settings
        self.types = types
        self.secrets = Secrets()
        self.node = ""
        self.environment = "production"
        self.resources: dict[tuple[str, str], ManagedResource] = {}
        """Resources by type (lower case) and title, and by type and name."""
        self.resolve: Callable[[Value], Value] = lambda value: value
        """Replaces the deferred calls in a value with their results."""
        self.modules: Sequence[str] = ()
        """The directories of modules, for ``puppet:///modules/``."""
        self.unnamed: dict[str, list[ManagedResource]] = {}
        """The resources whose names are deferred values, by type."""
        self.libraries: Sequence[str] = ()
        """The directories of plugins that were copied from a server, as the ``lib`` of modules."""
        self.file_server: FileServer | None = None
        """The server of ``puppet:`` sources; without one they are files of modules."""
        self.web = HttpRequest("GET", "")
        """What the requests for ``http:`` and ``https:`` sources have in common."""
        self.level = "debug"
        """The least urgent level of messages that are logged."""
        self.facts: Callable[[], Mapping[str, Any]] = dict
        """Returns the facts of the machine that are known."""
        self.endings: list[Callable[[], None]] = []
        """What ends with the run, such as a process."""
        self.postponed: dict[str, Callable[[], None]] = {}
        """Work to do once for several resources, by what it is."""
        self.changes = 0
        """The number of attempted changes; a state that was read earlier may be outdated."""
        self.is_stopping = False
        """Whether a resource ended the run: those that were not applied yet are skipped."""
        self.afterwards: list[Command] = []
        """The commands to start at the very end, when the report is stored; the last one first."""
        self.shared: dict[tuple[type, str], Any] = {}
        """State that all resources of a type share, by class and name."""

    def log(
        self,
        level: str,
        message: str,
        source: str = "Puppet",
        *,
        tags: Sequence[str] = (),
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        """Log a message without the secrets of the run."""
        self.write(level, self.secrets.hidden(message), source, tags=tags, file=file, line=line)

    def end(self) -> None:
        """End what belongs to the run."""
        while self.endings:
            self.endings.pop()()

    def resource_type(self, name: str) -> ResourceType | None:
        """Return the type with a name (lower case); None if bunraku cannot apply it."""
        return self.types.find(name, self)

    def find(self, type_: str, title: object) -> ManagedResource | None:
        """Return the resource of a type (lower case) with a title or name; None if there is none.

        A value that is not text, which a catalog may hold, is not a name.
        """
        return self.resources.get((type_, title)) if isinstance(title, str) else None

    def compute_names(self, type_: str) -> None:
        """Compute the deferred names of the resources of a type.

        What the catalog manages must be known before anything else of its kind is removed.
        """
        for resource in self.unnamed.get(type_, ()):
            resource.resolve_deferred(resource.type.names)

    def of_type(self, type_: str) -> list[ManagedResource]:
        """Return the resources of a type in the order of the catalog, each once."""
        found = (resource for (kind, _title), resource in self.resources.items() if kind == type_)
        return list(dict.fromkeys(found))
