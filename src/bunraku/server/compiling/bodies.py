"""A catalog's data in the formats of the protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.formats.encoding import to_bytes
from bunraku.formats.json import json_text
from bunraku.formats.quick_json import quick_bytes
from bunraku.formats.yaml_styles import RubyObject
from bunraku.formats.yaml_writer import ruby_yaml_text
from bunraku.server.compiling.plain_data import plain_data

Data = Mapping[str, Any]
RICH = frozenset({"rich_json"})


def catalog_body(data: Data, formats: Sequence[str]) -> tuple[str, bytes]:
    """Return the first format that can hold a catalog, and the catalog in it.

    JSON cannot hold bytes that are not UTF-8; PSON has them as they are. The format is empty if
    none of those given can hold the catalog.
    """
    for name in formats:
        body = encoded_data(data if name in RICH else plain_data(data), name)
        if body is not None:
            return name, body
    return "", b""


def encoded_data(data: Data, name: str) -> bytes | None:
    """Return data in a format; None if that cannot hold them."""
    if name in {"rich_json", "json"}:
        return json_bytes(data)
    if name == "pson":
        return json_bytes(data) or to_bytes(json_text(data))
    if name == "yaml":
        return to_bytes(ruby_yaml_text(RubyObject("Puppet::Resource::Catalog", data)))
    return None


def json_bytes(data: Data) -> bytes | None:
    """Return data as JSON; None if they have bytes that are not UTF-8.

    ``orjson`` does not write integers of more than 64 bits.
    """
    try:
        return quick_bytes(data)
    except TypeError:
        try:
            return json_text(data).encode()
        except UnicodeEncodeError:
            return None
