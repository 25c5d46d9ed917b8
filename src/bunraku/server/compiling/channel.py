"""Messages between processes over a stream socket: a list of byte strings with their lengths.

Each call of the system is a chance for another thread to take the interpreter, and to keep it for milliseconds:
so a message is sent by one call, and a part of it is received by one if possible.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Sequence

COUNT = struct.Struct(">I")
LENGTH = struct.Struct(">Q")
MOST_PARTS = 16
CHUNK = 1 << 20
TIME = struct.Struct("@ll")
"""Seconds and microseconds, as the system has them."""


class ChannelClosed(Exception):
    """Raised when the other process closes the channel in the middle of an exchange."""


def limit_waits(channel: socket.socket, seconds: int) -> None:
    """Let each transfer raise OSError after a time. With ``settimeout``, Python asks before each whether it can begin."""
    limit = TIME.pack(seconds, 0)
    channel.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
    channel.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)


def send(channel: socket.socket, parts: Sequence[bytes]) -> None:
    """Send a message; OSError if the other process is gone."""
    head = COUNT.pack(len(parts)) + b"".join([LENGTH.pack(len(part)) for part in parts])
    pieces = (head, *parts)
    sent = channel.sendmsg(pieces)
    for piece in pieces:
        if sent < len(piece):
            channel.sendall(memoryview(piece)[sent:])
        sent = max(0, sent - len(piece))


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
        piece = channel.recv(min(length, CHUNK), socket.MSG_WAITALL)
        if not piece:
            raise ChannelClosed
        pieces.append(piece)
        length -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def is_closed(channel: socket.socket) -> bool:
    """Return whether the other process has closed the channel."""
    try:
        return channel.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
