"""Jobs for the compile processes, as JSON documents."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from bunraku.base.records import field, record

Kind: TypeAlias = Literal[
    "catalog", "node", "classes", "modules", "tasks", "transports", "renewal", "look", "changes"
]
Data: TypeAlias = "Mapping[str, Any]"


@record(frozen=True)
class Job:
    """A job; the processes keep nothing of the server's configuration, so it has all of that.

    ``settings`` are Puppet's. ``facts`` is None for those that the data of the site have.
    ``formats`` are the formats of a catalog that the client accepts, the preferred one first.
    ``site`` names the data of the site, as ``storedconfigs`` of a request does. ``code_id_command``
    prints the version of the code of an environment. ``checksum_types`` are those of an agent that
    accepts a static catalog. With ``checks_environment``, the catalog is empty if the classifier
    names another environment: the agent sees its name and starts again there (Puppet 7.23 observed).
    With ``with_exported``, the catalog has the resources that the node exports and does not collect.
    ``stores`` is whether the answer has the catalog in PuppetDB's form, too; its content is left out if ``known`` is the
    digest of that. The agent has the catalog with the ``tag``. ``reuses`` is whether a catalog is answered
    again while all that it depends on is unchanged; every ``verifies``-th of these is compiled, too. ``flushes`` counts how often the caches were to be emptied,
    ``environment_flushes`` those of single environments.
    """

    kind: Kind
    node: str
    environment: str
    settings: Data
    facts: Data | None = None
    trusted: Data | None = None
    server_facts: Data = field(default_factory=dict)
    formats: Sequence[str] = ()
    site: str | None = None
    language: str | None = None
    transaction_uuid: str | None = None
    job_id: str | None = None
    code_id_command: str | None = None
    checksum_types: str | None = None
    checks_environment: bool = False
    with_exported: bool = False
    stores: bool = False
    known: str = ""
    tag: str = ""
    reuses: bool = True
    verifies: int = 0
    seconds: float = 0.0
    memory: int = 0
    flushes: int = 0
    environment_flushes: Mapping[str, int] = field(default_factory=dict)

    def encoded(self) -> bytes:
        """Return the job as bytes."""
        return json.dumps({name: getattr(self, name) for name in NAMES}).encode()

    @staticmethod
    def decoded(content: bytes) -> Job:
        """Return the job in bytes."""
        return Job(**json.loads(content))


NAMES: tuple[str, ...] = tuple(Job.__annotations__)


LineFields: TypeAlias = "tuple[str, str, str, str | None, int | None]"
"""The fields of a line of a log, as they are stored and sent."""


@record(frozen=True)
class Line:
    """A line of the log of a compile; ``source`` is the scope of a message that Puppet code logged."""

    level: str
    message: str
    source: str = "Puppet"
    file: str | None = None
    line: int | None = None

    @property
    def text(self) -> str:
        """The message as a log has it: after its source, unless that is Puppet itself.

        >>> Line("notice", "hello", "Scope(Class[main])").text, Line("info", "hello").text
        ('Scope(Class[main]): hello', 'hello')
        """
        return self.message if self.source == "Puppet" else f"{self.source}: {self.message}"

    def fields(self) -> LineFields:
        """Return the fields."""
        return self.level, self.message, self.source, self.file, self.line


@record(frozen=True)
class Result:
    """The result of a job: the format of the body, or the status and message of a failure.

    ``format`` is empty if no format that the client accepts can hold the catalog. A failure is sent
    as a sentence if ``plain``, otherwise as the parts of puppetserver that are written in Ruby do. ``reused`` is whether
    the catalog needed no compile; if it did, ``why`` is the reason and ``cause`` its kind. ``digest`` is that of the
    content of ``stored``, empty if it was not made. ``depends`` counts what the catalog depends on, by kind; it is
    empty if that was not recorded. ``shared`` is whether the other processes can reuse the catalog.
    ``tag`` names the content of a stored catalog: all but ``uuid`` and ``version``, which is 0 where it is a part of the
    content. If ``unchanged``, the agent has the content, and there is no body.
    """

    format: str = ""
    status: int = 200
    message: str = ""
    plain: bool = False
    environment: str = ""
    timestamp: str = ""
    reused: bool = False
    why: str = ""
    cause: str = ""
    digest: str = ""
    depends: Data = field(default_factory=dict)
    shared: bool = False
    tag: str = ""
    unchanged: bool = False
    uuid: str = ""
    version: int = 0
    lines: Sequence[Line] = ()
    body: bytes = b""
    stored: bytes = b""

    def encoded(self) -> list[bytes]:
        """Return the result as parts of a message."""
        head = {name: getattr(self, name) for name in HEAD}
        head["lines"] = [line.fields() for line in self.lines]
        return [json.dumps(head).encode(), self.body, self.stored]

    @staticmethod
    def decoded(parts: Sequence[bytes]) -> Result:
        """Return the result in the parts of a message."""
        head, body, stored = parts
        values = json.loads(head)
        values["lines"] = [Line(*one) for one in values["lines"]]
        return Result(**values, body=body, stored=stored)


HEAD = (
    "format",
    "status",
    "message",
    "plain",
    "environment",
    "timestamp",
    "reused",
    "why",
    "cause",
    "digest",
    "depends",
    "shared",
    "tag",
    "unchanged",
    "uuid",
    "version",
)
