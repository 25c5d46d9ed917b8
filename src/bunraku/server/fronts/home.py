"""The home of what several front processes share: the embedded PuppetDB, the authority, metrics, flushes.

A front process does TLS, HTTP, files and the work around compiles. What one process alone can keep is here: the
home answers messages at a Unix socket, in a thread for each connection.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import BoundedSemaphore, Condition, Thread
from typing import TypeAlias

from bunraku.base.errors import PuppetError
from bunraku.server.compiling.channel import ChannelClosed, receive, send
from bunraku.server.compiling.stored import Payload
from bunraku.server.fronts.messages import (
    part_of_value,
    parts_of_error,
    parts_of_response,
    request_in,
)
from bunraku.server.fronts.notes import take_notes
from bunraku.server.service import Service
from bunraku.server.storage import Storage
from bunraku.web.http import BodyTooLarge, Request, Response, text_response

Parts: TypeAlias = "Sequence[bytes]"
MOST_CONNECTIONS = 4096
POLL = 0.1
LONGEST_RELOAD = 20.0
"""Seconds after which a reload is done even if a front process has not answered."""


class Home:
    """Answers the messages of front processes at a socket."""

    service: Callable[[], Service]
    answer: Callable[[Request], Response]

    def __init__(self, listener: socket.socket) -> None:
        self.listener = listener
        self.configured: dict[socket.socket, float] = {}
        """When each front process that accepts requests has read its configuration."""
        self.changed = Condition()
        self.slots = BoundedSemaphore(MOST_CONNECTIONS)
        self.kinds: Mapping[str, Callable[[Parts], list[bytes]]] = {
            "request": self.forwarded,
            "store": self.stored,
            "catalog": self.stored_catalog,
        }

    @contextmanager
    def running(
        self, service: Callable[[], Service], answer: Callable[[Request], Response]
    ) -> Iterator[None]:
        """Accept connections in a thread; the end of the block closes the socket.

        ``answer`` answers requests, ``service`` returns the service of now.
        """
        self.service, self.answer = service, answer
        Thread(target=self.accept, name="home of fronts", daemon=True).start()
        try:
            yield
        finally:
            with suppress(OSError):
                self.listener.shutdown(socket.SHUT_RDWR)

    def accept(self) -> None:
        """Start a thread for each connection, until the socket is closed."""
        while True:
            self.slots.acquire()
            try:
                channel, _ = self.listener.accept()
            except OSError:
                return
            Thread(target=self.serve, args=(channel,), name="front", daemon=True).start()

    def wait(self, fronts: int, ended: Callable[[], bool]) -> bool:
        """Wait until so many front processes accept requests; return False if ``ended`` is true before."""
        with self.changed:
            while len(self.configured) < fronts:
                if ended():
                    return False
                self.changed.wait(POLL)
        return True

    def await_configuration(self, begun: float) -> None:
        """Wait until all front processes have read a configuration since a time, but not for ever."""
        with self.changed:
            self.changed.wait_for(
                lambda: all(time >= begun for time in self.configured.values()), LONGEST_RELOAD
            )

    def serve(self, channel: socket.socket) -> None:
        """Answer the messages of a connection until its front process closes it."""
        try:
            with channel, suppress(ChannelClosed, OSError):
                while True:
                    kind, *parts = receive(channel)
                    if kind == b"notes":
                        self.take(channel, parts)
                        return
                    send(channel, self.reply(kind.decode(), parts))
        finally:
            self.slots.release()

    def reply(self, kind: str, parts: Parts) -> list[bytes]:
        """Return the answer to a message."""
        try:
            return self.kinds[kind](parts)
        except PuppetError as error:
            return parts_of_error(error)

    # -- messages ------------------------------------------------------------------------------------

    def forwarded(self, parts: Parts) -> list[bytes]:
        """Answer a request that a front process has forwarded."""
        try:
            response = self.answer(request_in(parts))
        except BodyTooLarge:
            response = text_response(413, "The body of the request is too large")
        return parts_of_response(response)

    def storage(self) -> Storage:
        """Return the PuppetDB: fronts send what they store only if there is one."""
        found = self.service().storage
        assert found is not None
        return found

    def stored(self, parts: Parts) -> list[bytes]:
        """Store facts, a whole catalog or a report."""
        head, payload = parts
        what, node, timestamp = json.loads(head)
        return part_of_value(self.storage().store(what, node, timestamp, payload))

    def stored_catalog(self, parts: Parts) -> list[bytes]:
        """Store a catalog, maybe without its content."""
        head, metadata, content = parts
        node, timestamp, digest = json.loads(head)
        payload = Payload(metadata, content, digest)
        return part_of_value(self.storage().store_catalog(node, timestamp, payload))

    def take(self, channel: socket.socket, parts: Parts) -> None:
        """Take what a front process has noted, until it ends: its active requests have ended then."""
        try:
            while True:
                configured = take_notes(self.service(), channel, parts)
                with self.changed:
                    self.configured[channel] = configured
                    self.changed.notify_all()
                send(channel, part_of_value(True))
                _, *parts = receive(channel)
        finally:
            self.service().counts.elsewhere.pop(channel, None)
            with self.changed:
                self.configured.pop(channel, None)
                self.changed.notify_all()
