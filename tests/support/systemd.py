"""A stand-in for systemd's socket for messages about the state of a service."""

from __future__ import annotations

import socket

PATIENCE = 60.0


class Messages:
    """A socket as systemd's, and the messages that came."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(PATIENCE)
        self.seen: list[str] = []

    def __enter__(self) -> Messages:
        return self

    def __exit__(self, *_error: object) -> None:
        self.socket.close()

    def next(self, start: str) -> str:
        """Return the next message with a start."""
        while True:
            found = self.socket.recv(4096).decode()
            self.seen.append(found)
            if found.startswith(start):
                return found
