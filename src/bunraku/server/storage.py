"""Where facts, catalogs and reports are kept: a PuppetDB in this process or at a URL."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol
from urllib.parse import urlencode

from bunraku.base.records import record
from bunraku.puppetdb.commands.metadata import Metadata
from bunraku.puppetdb.server.commands import PREFIX, Intake, Refusal, Written, answer_command
from bunraku.server.compiling.stored import Payload
from bunraku.server.issues import STORAGE_FAILED
from bunraku.server.known_catalogs import KnownCatalogs
from bunraku.web.http import Request
from bunraku.web.requests import HttpRequest, TlsFiles
from bunraku.world.protocol import World

NAMES: Mapping[str, tuple[str, int]] = {
    "facts": ("replace facts", 5),
    "catalog": ("replace catalog", 9),
    "report": ("store report", 8),
    "deactivation": ("deactivate node", 3),
}
"""What is stored → the command and its version."""
HEADERS = {"content-type": "application/json", "accept": "application/json"}
LONGEST_MESSAGE = 500


class Storage(Protocol):
    """A PuppetDB; ``site`` names it for the compiles, as ``storedconfigs`` of a request does."""

    @property
    def site(self) -> str:
        """The file or URL."""

    def store(self, what: str, node: str, timestamp: str, payload: bytes) -> str:
        """Accept a command and return its UUID; PuppetError if that fails."""

    def begin(self, what: str, node: str, timestamp: str, payload: bytes) -> Callable[[], None]:
        """Begin to accept a command; PuppetError if that fails. The command is accepted at the end of the call of the
        returned function, which may raise PuppetError, too.
        """

    def store_catalog(self, node: str, timestamp: str, payload: Payload) -> bool:
        """Accept a catalog; PuppetError if that fails. Return False if its content is missing and needed."""

    def known_content(self, node: str) -> str:
        """Return the digest of the content of a node's catalog that need not be sent; empty if it must be."""


@record(frozen=True)
class Embedded:
    """A PuppetDB in this process."""

    site: str
    intake: Intake
    catalogs: KnownCatalogs

    @staticmethod
    def of(site: str, intake: Intake) -> Embedded:
        """Return the PuppetDB whose commands go to an intake."""
        return Embedded(site, intake, KnownCatalogs(intake))

    def store(self, what: str, node: str, timestamp: str, payload: bytes) -> str:
        """See :class:`Storage`."""
        parameters = command_parameters(what, node, timestamp)
        response = answer_command(
            self.intake, Request("POST", PREFIX, parameters, HEADERS, [payload])
        )
        text = "".join(map(str, response.body))
        return uuid_in(response.status, text, what, node)

    def begin(self, what: str, node: str, timestamp: str, payload: bytes) -> Callable[[], None]:
        """See :class:`Storage`: the command is written now, and on disk after the call."""
        metadata = Metadata.of(*NAMES[what], node, timestamp)
        with refusals_named(what, node):
            command = Written.of(self.intake, metadata, [payload])

        def accept() -> None:
            with refusals_named(what, node):
                command.accept(self.intake)

        return accept

    def store_catalog(self, node: str, timestamp: str, payload: Payload) -> bool:
        """See :class:`Storage`."""
        if self.catalogs.renew(node, timestamp, payload):
            return True
        if payload.is_without_content:
            return False
        self.store("catalog", node, timestamp, payload.whole)
        self.catalogs.note(node, payload)
        return True

    def known_content(self, node: str) -> str:
        """See :class:`Storage`."""
        return self.catalogs.digest(node)


@record(frozen=True)
class Remote:
    """A PuppetDB at a URL."""

    site: str
    world: World
    tls: TlsFiles
    seconds: float = 60.0

    def store(self, what: str, node: str, timestamp: str, payload: bytes) -> str:
        """See :class:`Storage`."""
        query = urlencode(command_parameters(what, node, timestamp))
        request = HttpRequest(
            "POST", f"{self.site}{PREFIX}?{query}", HEADERS, payload, self.tls, self.seconds
        )
        try:
            with self.world.http(request) as response:
                text = response.read().decode("utf-8", "replace")
                return uuid_in(response.status, text, what, node)
        except OSError as error:
            reason = f"{self.site}: {error.strerror or error}"
            raise STORAGE_FAILED(what=what, node=node, reason=reason) from None

    def begin(self, what: str, node: str, timestamp: str, payload: bytes) -> Callable[[], None]:
        """See :class:`Storage`: the command is accepted now."""
        self.store(what, node, timestamp, payload)
        return do_nothing

    def store_catalog(self, node: str, timestamp: str, payload: Payload) -> bool:
        """See :class:`Storage`."""
        self.store("catalog", node, timestamp, payload.whole)
        return True

    def known_content(self, _node: str) -> str:
        """See :class:`Storage`."""
        return ""


def do_nothing() -> None:
    """Do nothing."""


@contextmanager
def refusals_named(what: str, node: str) -> Iterator[None]:
    """Raise the refusal of a command as PuppetError."""
    try:
        yield
    except Refusal as refusal:
        uuid_in(refusal.response.status, "".join(map(str, refusal.response.body)), what, node)


def command_parameters(what: str, node: str, timestamp: str) -> dict[str, str]:
    """Return the parameters of a command."""
    command, version = NAMES[what]
    return {
        "command": command.replace(" ", "_"),
        "version": str(version),
        "certname": node,
        "producer-timestamp": timestamp,
    }


def uuid_in(status: int, text: str, what: str, node: str) -> str:
    """Return the UUID in a response; PuppetError if the command was not accepted."""
    try:
        data: Any = json.loads(text)
    except ValueError:
        data = None
    uuid = data.get("uuid") if isinstance(data, dict) else None
    if status == 200 and isinstance(uuid, str):
        return uuid
    reason = text[:LONGEST_MESSAGE] or f"status {status}"
    raise STORAGE_FAILED(what=what, node=node, reason=reason)
