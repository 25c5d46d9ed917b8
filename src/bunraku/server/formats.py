"""The formats of documents: which one a client accepts, and which one it has sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.formats.msgpack import has_msgpack, parse_msgpack
from bunraku.formats.yaml import load_plain
from bunraku.server.failures import Refused
from bunraku.web.http import Request

Format: TypeAlias = Literal["rich_json", "json", "msgpack", "pson", "yaml"]
TYPES: Mapping[Format, str] = {
    "rich_json": "application/vnd.puppet.rich+json; charset=utf-8",
    "json": "application/json;charset=utf-8",
    "pson": "text/pson",
    "yaml": "text/yaml",
}
"""Format → the type of a response in it. There are none in msgpack: puppetserver has no such format."""
NAMES: Mapping[str, Format] = {
    "application/vnd.puppet.rich+json": "rich_json",
    "rich_json": "rich_json",
    "application/json": "json",
    "text/json": "json",
    "json": "json",
    "application/x-msgpack": "msgpack",
    "msgpack": "msgpack",
    "text/pson": "pson",
    "pson": "pson",
    "text/yaml": "yaml",
    "application/yaml": "yaml",
    "yaml": "yaml",
}
"""Type or name of a format, as clients write them → format."""
CATALOG: tuple[Format, ...] = ("rich_json", "json", "pson", "yaml")
PLAIN: tuple[Format, ...] = ("json", "pson", "yaml")
CLASSES = frozenset(
    [
        "Puppet::Node",
        "Puppet::Node::Facts",
        "Puppet::Resource",
        "Puppet::Resource::Catalog",
        "Puppet::Transaction::Report",
    ]
)
"""The Ruby classes of objects that a YAML document may have, as in Puppet."""
MOST_MSGPACK = 16 << 20
"""The most bytes of a document in msgpack, in which each byte can be a value."""
SHOWN = 200
"""Bytes of a broken document that an error shows."""


def accepted(request: Request, known: Sequence[Format]) -> list[Format]:
    """Return the formats that a client accepts, in its order; Refused if there is none.

    ``known`` are those of the document; its first one is meant by ``*/*``.
    """
    header = request.headers.get("accept")
    if header is None:
        raise Refused(400, "Missing required Accept header", "MISSING_HEADER_FIELD")
    found: list[Format] = []
    for item in header.split(","):
        name = item.split(";")[0].strip()
        format_ = known[0] if name == "*/*" else NAMES.get(name)
        if format_ is not None and format_ in known and format_ not in found:
            found.append(format_)
    if not found:
        raise not_acceptable(header)
    return found


def not_acceptable(header: str) -> Exception:
    """Return the failure for a client that accepts no possible format."""
    message = f"No supported formats are acceptable (Accept: {header})"
    return Refused(406, message, "UNSUPPORTED_FORMAT")


def sent(request: Request, most: int, known: Sequence[Format]) -> Any:
    """Return the document in the body of a request; Refused for another type or a broken one."""
    header = request.headers.get("content-type")
    if header is None:
        message = (
            "No Content-Type header was received, it isn't possible to unserialize the request"
        )
        raise Refused(415, message, "UNSUPPORTED_MEDIA_TYPE")
    name = header.split(";")[0].strip()
    format_ = NAMES.get(name)
    if format_ is None or format_ not in known or not is_readable(format_):
        raise Refused(
            415,
            f"Client sent a mime-type ({name}) that doesn't correspond to a format we support",
            "UNSUPPORTED_MEDIA_TYPE",
        )
    content = request.read(min(most, MOST_MSGPACK) if format_ == "msgpack" else most)
    try:
        return read(content, format_)
    except FormatError:
        reason = f"Could not intern from {format_}: {unexpected(content)}"
        raise Refused(400, f"The request body is invalid: {reason}") from None


def is_readable(format_: Format) -> bool:
    """Return whether documents of a format can be read: msgpack needs a package, in Puppet a gem."""
    return format_ != "msgpack" or has_msgpack()


def unexpected(content: bytes) -> str:
    """Return the message for a broken document, cut short."""
    return f"unexpected token at '{content[:SHOWN].decode('utf-8', 'replace')}'"


def read(content: bytes, format_: Format) -> Any:
    """Return the document in bytes; FormatError if they are broken.

    Agents of Puppet 3 wrap PSON: the document is below ``data``.
    """
    if format_ == "yaml":
        return load_plain(content, CLASSES)
    if format_ == "msgpack":
        return parse_msgpack(content)
    document = parse_json(content)
    if format_ == "pson" and isinstance(document, dict) and document.get("data"):
        return document["data"]
    return document
