"""Messages of JSON-RPC in both directions, and the codes of its errors."""

from __future__ import annotations

from bunraku.base.lazy_typing import Any
from bunraku.web.message_stream import MessageStream, UnreadableMessage

Message = dict[str, Any]

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


class JsonRpcStream(MessageStream):
    """The messages of a client of the language server."""

    def read(self) -> Message | None:
        """Return the next message; None at the end. Raises InvalidMessage and OSError."""
        try:
            message = super().read()
        except UnreadableMessage as error:
            code = INVALID_REQUEST if error.is_json else PARSE_ERROR
            raise InvalidMessage(code, str(error)) from None
        if message is not None:
            check_envelope(message)
        return message

    def write(self, message: Message) -> None:
        """Write a message; nothing if the client is gone."""
        super().write({"jsonrpc": "2.0", **message})


def check_envelope(message: Message) -> None:
    """Raise InvalidMessage for a message whose method or id has another type than JSON-RPC says."""
    if not isinstance(message.get("method", ""), str):
        raise InvalidMessage(INVALID_REQUEST, "the method of the message is not a text")
    if not isinstance(message.get("id"), int | float | str | None):
        raise InvalidMessage(INVALID_REQUEST, "the id of the message is not a number or a text")
