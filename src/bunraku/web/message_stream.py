"""JSON messages of language servers and debug adapters: a header with ``Content-Length``, then the body."""

from __future__ import annotations

import json
from threading import Lock
from typing import Any, BinaryIO

LARGEST = 64 << 20
"""Bytes of the largest message that is read."""
LONGEST_HEADER = 8192
LENGTH = b"content-length"


class InvalidMessage(Exception):
    """A message that cannot be read. The stream goes on behind it, unless ``is_fatal``."""

    def __init__(self, reason: str, *, is_fatal: bool = False) -> None:
        super().__init__(reason)
        self.is_fatal = is_fatal


class MessageStream:
    """Reads messages in one thread, and writes messages of all threads.

    >>> from io import BytesIO
    >>> MessageStream(BytesIO(b'Content-Length: 7\\r\\n\\r\\n{"a":1}'), BytesIO()).read()
    {'a': 1}
    """

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        self.source = source
        self.target = target
        self.writing = Lock()

    def read(self) -> dict[str, Any] | None:
        """Return the next message; None at the end of the stream. Raises InvalidMessage."""
        length = self.read_header()
        if length is None:
            return None
        body = self.source.read(length)
        if len(body) < length:
            return None
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise InvalidMessage(f"the body is not JSON: {error}") from None
        if not isinstance(message, dict):
            raise InvalidMessage("the body is not a JSON object")
        return message

    def read_header(self) -> int | None:
        """Return the number of bytes of the next body; None at the end. Empty lines before it are skipped."""
        length: int | None = None
        while True:
            line = self.source.readline(LONGEST_HEADER)
            if not line:
                return None
            name, _, value = line.partition(b":")
            if not line.strip():
                if length is not None:
                    return length
            elif name.strip().lower() == LENGTH:
                length = length_in(value)

    def write(self, message: dict[str, Any]) -> None:
        """Write a message; a client that is gone gets nothing."""
        body = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        content = body.encode("utf-8", "backslashreplace")
        with self.writing:
            try:
                self.target.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
                self.target.flush()
            except (OSError, ValueError):
                return


def length_in(value: bytes) -> int:
    """Return the number in a ``Content-Length``. Raises InvalidMessage: the next message cannot be found."""
    text = value.strip()
    if not text.isdigit() or len(text) > len(str(LARGEST)):
        raise InvalidMessage("Content-Length is not a number of bytes", is_fatal=True)
    length = int(text)
    if length > LARGEST:
        raise InvalidMessage(
            f"the message has {length} bytes, {LARGEST} are allowed", is_fatal=True
        )
    return length
