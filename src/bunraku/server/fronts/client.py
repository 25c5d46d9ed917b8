"""What a front process asks of the home: to store, to answer a request, to take notes."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Sequence
from time import sleep

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.server.compiling.channel import ChannelClosed, receive, send
from bunraku.server.compiling.stored import Payload
from bunraku.server.files.names import BadPath, decoded_path
from bunraku.server.fronts.messages import (
    checked,
    parts_of_request,
    response_in,
)
from bunraku.server.issues import HOME_LOST
from bunraku.web.http import Request, Response, text_response

AT_HOME = ("/puppet-ca", "/status", "/puppet-admin-api", "/metrics", "/deploy")
"""The routes that the home answers: it has the authority, the counts, the flushes and the deployments."""


POLL = 0.02


class HomeClient:
    """Connections to the home, which listens at the Unix socket ``path``; idle ones are used again."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.idle: list[socket.socket] = []

    def begin(self, kind: str, *parts: bytes) -> Callable[[], Sequence[bytes]]:
        """Send a message; the returned function waits for the answer. PuppetError if one of them fails."""
        channel = self.connected()
        try:
            send(channel, [kind.encode(), *parts])
        except OSError:
            channel.close()
            raise HOME_LOST() from None

        def answer() -> Sequence[bytes]:
            try:
                found = receive(channel)
            except (ChannelClosed, OSError):
                channel.close()
                raise HOME_LOST() from None
            self.idle.append(channel)
            return checked(found)

        return answer

    def ask(self, kind: str, *parts: bytes) -> Sequence[bytes]:
        """Return the answer to a message; PuppetError if that fails."""
        return self.begin(kind, *parts)()

    def line(self, kind: str) -> Callable[[bytes], object]:
        """Return a function that sends messages of one kind over a connection of their own."""
        found: list[socket.socket] = []

        def say(content: bytes) -> Sequence[bytes]:
            if not found:
                found.append(self.opened())
            try:
                send(found[0], [kind.encode(), content])
                return receive(found[0])
            except (ChannelClosed, OSError):
                raise HOME_LOST() from None

        return say

    def await_start(self) -> None:
        """Wait until the home listens; this process ends with it."""
        while True:
            try:
                self.idle.append(self.opened())
            except PuppetError:
                sleep(POLL)
            else:
                return

    def connected(self) -> socket.socket:
        """Return a connection that nothing else uses."""
        try:
            return self.idle.pop()
        except IndexError:
            return self.opened()

    def opened(self) -> socket.socket:
        """Return a new connection."""
        channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            channel.connect(self.path)
        except OSError:
            channel.close()
            raise HOME_LOST() from None
        return channel


@record(frozen=True)
class HomeStorage:
    """The PuppetDB of the home; see :class:`bunraku.server.storage.Storage`.

    ``known`` has the digests of the contents that this front has stored. The home may know newer ones: then it asks
    for the content.
    """

    site: str
    home: HomeClient
    known: BoundedCache[str, str] = field(
        default_factory=lambda: BoundedCache("contents stored by a front", 100_000)
    )

    def store(self, what: str, node: str, timestamp: str, payload: bytes) -> str:
        """See :class:`Storage`."""
        (answer,) = self.home.ask("store", as_json(what, node, timestamp), payload)
        return str(json.loads(answer))

    def begin(self, what: str, node: str, timestamp: str, payload: bytes) -> Callable[[], None]:
        """See :class:`Storage`: the home stores the command meanwhile."""
        answer = self.home.begin("store", as_json(what, node, timestamp), payload)

        def accept() -> None:
            answer()

        return accept

    def store_catalog(self, node: str, timestamp: str, payload: Payload) -> bool:
        """See :class:`Storage`."""
        head = as_json(node, timestamp, payload.digest)
        (answer,) = self.home.ask("catalog", head, payload.metadata, payload.content)
        is_stored = bool(json.loads(answer))
        if is_stored and payload.digest:
            self.known.keep(node, payload.digest)
        return is_stored

    def known_content(self, node: str) -> str:
        """See :class:`Storage`."""
        return self.known.get(node, "")


def as_json(*values: str) -> bytes:
    """Return texts as a JSON array."""
    return json.dumps(values).encode()


@record(frozen=True)
class Forwarding:
    """Answers requests: the home those that need what it has, ``answer`` the others."""

    home: HomeClient
    answer: Callable[[Request], Response]
    flush: Callable[[], None]

    def __call__(self, request: Request) -> Response:
        """Return the response to a request; the home knows then what this process has noted before."""
        if not is_for_home(request.path):
            return self.answer(request)
        try:
            self.flush()
            return response_in(self.home.ask("request", *parts_of_request(request)))
        except PuppetError as error:
            return text_response(500, error.message)


def is_for_home(path: str) -> bool:
    """Return whether the home answers requests with a path, however it is written.

    >>> is_for_home("/%70uppet-ca/v1/certificate/ca"), is_for_home("/puppet/v3/node/x")
    (True, False)
    """
    try:
        found = decoded_path(path)
    except BadPath:
        return False
    return any(found == prefix or found.startswith(f"{prefix}/") for prefix in AT_HOME)
