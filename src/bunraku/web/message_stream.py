"""JSON messages of language servers and debug adapters: a header with ``Content-Length``, then the body."""

from __future__ import annotations

import json
import os
from threading import Lock

from bunraku.base.lazy_typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import BinaryIO

LARGEST = 64 << 20
"""Bytes of the largest message that is read; a file that is opened comes as one message."""
LONGEST_HEADER = 8192
LONGEST_NUMBER = 11
PIECE = 1 << 16


class UnreadableMessage(Exception):
    """A message that cannot be used; the stream goes on behind it. ``is_json`` is whether it is JSON at all."""

    def __init__(self, reason: str, *, is_json: bool) -> None:
        super().__init__(reason)
        self.is_json = is_json


class MessageStream:
    """A client: one thread reads its messages, several may write to it.

    >>> from io import BytesIO
    >>> MessageStream(BytesIO(b'Content-Length: 7\\r\\n\\r\\n{"a":1}'), BytesIO()).read()
    {'a': 1}
    """

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self.incoming = incoming
        self.outgoing = outgoing
        self.writing = Lock()
        self.is_open = True

    def read(self) -> dict[str, Any] | None:
        """Return the next message; None at the end. Raises UnreadableMessage and OSError."""
        length = self.read_length()
        if length is None:
            return None
        if length > LARGEST:
            self.skip(length)
            limit = f"{LARGEST >> 20} MiB"
            raise UnreadableMessage(f"the message is larger than {limit}", is_json=True)
        content = self.incoming.read(length)
        return None if len(content) < length else message_in(content)

    def read_length(self) -> int | None:
        """Return the length in the header of the next message; None at the end.

        Lines that are no header are skipped: some programs print to the stream before they connect it.
        """
        length = None
        while True:
            line = self.incoming.readline(LONGEST_HEADER)
            if not line:
                return None
            name, _, value = line.strip().partition(b":")
            if name.strip().lower() == b"content-length":
                text = value.strip()
                length = int(text) if text.isdigit() and len(text) <= LONGEST_NUMBER else None
            elif not line.strip() and length is not None:
                return length

    def skip(self, length: int) -> None:
        """Read over the content of a message."""
        while length > 0:
            piece = self.incoming.read(min(length, PIECE))
            if not piece:
                return
            length -= len(piece)

    def write(self, message: dict[str, Any]) -> None:
        """Write a message; nothing if the client is gone."""
        content = message_bytes(message)
        header = f"Content-Length: {len(content)}\r\n\r\n".encode()
        with self.writing:
            if not self.is_open:
                return
            try:
                self.outgoing.write(header + content)
                self.outgoing.flush()
            except (OSError, ValueError):  # a closed file raises ValueError
                self.is_open = False


def standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the client's streams at standard input and output.

    All that this process or a program of it prints goes to standard error instead, because a single
    stray character would end the conversation. The thread that reads does not use ``sys.stdin``: Python
    closes that file when it ends, and aborts if a thread still waits for a message there.
    """
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return incoming, outgoing


def message_in(content: bytes) -> dict[str, Any]:
    """Return the message in the content of one. Raises UnreadableMessage."""
    try:
        message = json.loads(content.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise UnreadableMessage(f"the message is not JSON: {error}", is_json=False) from None
    if not isinstance(message, dict):
        raise UnreadableMessage("the message is not an object", is_json=True)
    return message


def message_bytes(message: dict[str, Any]) -> bytes:
    """Return the JSON of a message; bytes of files that are not UTF-8 become the replacement character."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").encode()
