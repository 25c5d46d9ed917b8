"""Descriptions of files in the formats that clients accept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bunraku.formats.encoding import to_bytes
from bunraku.formats.json import json_text
from bunraku.formats.quick_json import quick_bytes
from bunraku.formats.yaml_styles import Plain, RubyObject
from bunraku.formats.yaml_writer import ruby_yaml_text
from bunraku.server.files.metadata import Metadata
from bunraku.server.formats import PLAIN, TYPES, Format, accepted, not_acceptable
from bunraku.web.http import Request, Response

VALID = timedelta(minutes=30)
"""How long a description is valid, by the default of Puppet's setting ``runinterval``."""


def rendered(request: Request, found: Metadata | list[Metadata]) -> Response:
    """Return descriptions in the first accepted format that can hold them.

    JSON cannot hold names that are not UTF-8; PSON has their bytes.
    """
    for name in accepted(request, PLAIN):
        body = documents_body(found, name)
        if body is not None:
            return Response(200, {"content-type": TYPES[name]}, [body])
    raise not_acceptable(request.headers["accept"])


def documents_body(found: Metadata | list[Metadata], name: Format) -> bytes | None:
    """Return descriptions in a format; None if that cannot hold them."""
    if name == "yaml":
        if isinstance(found, list):
            return to_bytes(ruby_yaml_text([ruby_object(one) for one in found]))
        return to_bytes(ruby_yaml_text(ruby_object(found)))
    try:
        return quick_bytes(found)
    except TypeError:  # surrogates
        return to_bytes(json_text(found)) if name == "pson" else None


def ruby_object(found: Metadata) -> RubyObject:
    """Return a description as the object of Puppet that YAML has."""
    checksum = found["checksum"]
    assert isinstance(checksum, dict)
    relative = {"relative_path": found["relative_path"]} if found["relative_path"] else {}
    until = datetime.now(UTC) + VALID
    attributes = {
        "checksum_type": checksum["type"],
        "links": Plain(f":{found['links']}"),
        "destination": found["destination"],
        "source": None,
        "group": found["group"],
        "ftype": found["type"],
        "expiration": Plain(f"{until:%Y-%m-%d %H:%M:%S.%f}000 +00:00"),
        "checksum": checksum["value"],
        "stat_method": Plain(":lstat" if found["links"] == "manage" else ":stat"),
        "owner": found["owner"],
        "content_uri": None,
        "mode": found["mode"],
        "path": found["path"],
        **relative,
    }
    return RubyObject("Puppet::FileServing::Metadata", attributes)
