"""Messages of JSON-RPC in both directions: headers, lengths, JSON, and what is wrong with them."""

from __future__ import annotations

import json
from threading import Lock

from bunraku.base.lazy_typing import TYPE_CHECKING, Any
from bunraku.base.records import record

if TYPE_CHECKING:
    from typing import BinaryIO

Message = dict[str, Any]
MOST_HEADER = 8192
MOST_CONTENT = 64 << 20
"""Bytes of a message; a file that is opened comes as one message."""
DEEPEST = 200

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
SERVER_NOT_INITIALIZED = -32002
REQUEST_FAILED = -32803
CONTENT_MODIFIED = -32801
REQUEST_CANCELLED = -32800


class InvalidMessage(Exception):
    """A message that cannot be used; ``code`` is that of JSON-RPC. The next message can be read."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


@record(eq=False, slots=False)
class MessageStream:
    """A client: one thread reads its messages, several may write to it."""

    incoming: BinaryIO
    outgoing: BinaryIO

    def __post_init__(self) -> None:
        self.lock = Lock()
        self.is_open = True

    def read(self) -> Message | None:
        """Return the next message; None at the end. Raises InvalidMessage and OSError."""
        length = self.read_length()
        if length is None:
            return None
        if length > MOST_CONTENT:
            self.skip(length)
            limit = f"{MOST_CONTENT >> 20} MiB"
            raise InvalidMessage(INVALID_REQUEST, f"the message is larger than {limit}")
        content = self.incoming.read(length)
        if len(content) < length:
            return None
        return message_in(content)

    def read_length(self) -> int | None:
        """Return the length in the header of the next message; None at the end.

        Lines that are no header are skipped: some programs print to the stream before they connect it.
        """
        length = None
        while True:
            line = self.incoming.readline(MOST_HEADER)
            if not line:
                return None
            name, _, value = line.strip().partition(b":")
            if name.strip().lower() == b"content-length":
                text = value.strip()
                length = int(text) if text.isdigit() and len(text) < 12 else None
            elif not line.strip() and length is not None:
                return length

    def skip(self, length: int) -> None:
        """Read over the content of a message."""
        while length > 0:
            piece = self.incoming.read(min(length, 1 << 16))
            if not piece:
                return
            length -= len(piece)

    def write(self, message: Message) -> None:
        """Write a message; nothing if the client is gone."""
        content = message_bytes({"jsonrpc": "2.0", **message})
        header = f"Content-Length: {len(content)}\r\n\r\n".encode()
        with self.lock:
            if not self.is_open:
                return
            try:
                self.outgoing.write(header + content)
                self.outgoing.flush()
            except (OSError, ValueError):  # a closed file raises ValueError
                self.is_open = False


def message_in(content: bytes) -> Message:
    """Return the message in the content of one. Raises InvalidMessage."""
    try:
        message = json.loads(content.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise InvalidMessage(PARSE_ERROR, f"the message is not JSON: {error}") from None
    if not isinstance(message, dict):
        raise InvalidMessage(INVALID_REQUEST, "the message is not an object")
    return message


def message_bytes(message: Message) -> bytes:
    """Return the JSON of a message; bytes of files that are not UTF-8 become the replacement character."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").encode()
