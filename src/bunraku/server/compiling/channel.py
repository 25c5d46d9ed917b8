"""Messages between processes over a stream socket: a list of byte strings with their lengths."""

from __future__ import annotations

import select
import socket
import struct
from collections.abc import Sequence

COUNT = struct.Struct(">I")
LENGTH = struct.Struct(">Q")
MOST_PARTS = 16
CHUNK = 1 << 20


class ChannelClosed(Exception):
    """Raised when the other process closes the channel in the middle of an exchange."""


def send(channel: socket.socket, parts: Sequence[bytes]) -> None:
    """Send a message; OSError if the other process is gone."""
    head = COUNT.pack(len(parts)) + b"".join(LENGTH.pack(len(part)) for part in parts)
    channel.sendall(head)
    for part in parts:
        channel.sendall(part)


def receive(channel: socket.socket) -> list[bytes]:
    """Return the next message; ChannelClosed if there is none, OSError if the channel fails."""
    (count,) = COUNT.unpack(exactly(channel, COUNT.size))
    if count > MOST_PARTS:
        raise ChannelClosed
    lengths = exactly(channel, LENGTH.size * count)
    return [exactly(channel, length) for (length,) in LENGTH.iter_unpack(lengths)]


def exactly(channel: socket.socket, length: int) -> bytes:
    """Return the next bytes of a channel."""
    pieces: list[bytes] = []
    while length:
        piece = channel.recv(min(length, CHUNK))
        if not piece:
            raise ChannelClosed
        pieces.append(piece)
        length -= len(piece)
    return b"".join(pieces)


def is_closed(channel: socket.socket) -> bool:
    """Return whether the other process has closed the channel."""
    readable, _, _ = select.select([channel], [], [], 0)
    try:
        return bool(readable) and channel.recv(1, socket.MSG_PEEK) == b""
    except OSError:
        return True
