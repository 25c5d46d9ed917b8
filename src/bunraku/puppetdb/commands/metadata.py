"""What is known about a queued command without reading it: the name of its file.

    0000000000000042_1763851234567+0_catalog_9_UUID_web01.example.test.json.gz

A name has the number in the queue, the time of arrival with the offset of the producer's time, the
command, its version, its UUID and the node. The file contains the payload and nothing else. The payload
of a *renewal* is that of a catalog without resources and edges, which the database has; see ``CONTENT``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha1
from time import time
from typing import Literal
from urllib.parse import quote, unquote
from uuid import uuid4

from bunraku.base.records import record
from bunraku.puppetdb.timestamps import to_milliseconds

Encoding = Literal["", "gzip", "renewal"]
CONTENT = "content"
"""The key of a renewal for the hash of the resources and edges that the node has."""

SHORT_NAMES: Mapping[str, str] = {
    "replace catalog": "catalog",
    "replace catalog inputs": "inputs",
    "replace facts": "facts",
    "store report": "report",
    "deactivate node": "rm-node",
    "configure expiration": "set-expire",
}
COMMANDS: Mapping[str, str] = {short: name for name, short in SHORT_NAMES.items()}
SUFFIXES: Mapping[Encoding, str] = {"": ".json", "gzip": ".json.gz", "renewal": ".json.renewal"}
ENCODINGS: Mapping[str, Encoding] = {suffix: name for name, suffix in SUFFIXES.items()}
MOST_OF_NODE = 120
"""Characters of a node in a file's name, which can have 255."""
FORM = re.compile(
    r"""
    (?P<number>\d{16}) _ (?P<received>\d{1,15}) (?P<offset>[+-]\d{1,18})?
    _ (?P<command>[a-z-]+) _ (?P<version>\d{1,10}) _ (?P<uuid>[0-9a-f-]{36})
    _ (?P<node>[A-Za-z0-9.%~-]*) (?P<hash>_[0-9a-f]{40})? (?P<suffix>\.json (?:\.gz|\.renewal)?)
    """,
    re.VERBOSE | re.ASCII,
)


@record(frozen=True)
class Metadata:
    """A command without its payload; times are in milliseconds since 1970.

    ``node`` is the node's name as a file's name can have it: see :func:`file_part`.
    """

    command: str
    version: int
    node: str
    producer_timestamp: int | None
    received: int
    encoding: Encoding
    uuid: str

    @staticmethod
    def of(
        command: str, version: int, certname: str, timestamp: str, encoding: Encoding = ""
    ) -> Metadata:
        """Return a command that arrives now, with a new UUID."""
        return Metadata(
            command=command,
            version=version,
            node=file_part(certname),
            producer_timestamp=to_milliseconds(timestamp),
            received=int(time() * 1000),
            encoding=encoding,
            uuid=str(uuid4()),
        )

    @property
    def certname(self) -> str:
        """The node's name for people; a long one is cut."""
        return unquote(self.node)

    def file_name(self, number: int) -> str:
        """Return the name of the command's file."""
        time = self.producer_timestamp
        offset = "" if time is None else f"{time - self.received:+d}"
        name = f"{SHORT_NAMES[self.command]}_{self.version}_{self.uuid}_{self.node}"
        return f"{number:016d}_{self.received}{offset}_{name}{SUFFIXES[self.encoding]}"


def file_part(certname: str) -> str:
    """Return a certname in characters that are safe in a file's name; a long one ends in its hash.

    >>> file_part("web01.example.test"), file_part("../a_b")
    ('web01.example.test', '..%2Fa%5Fb')
    """
    text = quote(certname, safe="", errors="replace").replace("_", "%5F")
    if len(text) <= MOST_OF_NODE:
        return text
    digest = sha1(certname.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
    return f"{text[: MOST_OF_NODE - len(digest) - 1]}_{digest}"


def read_file_name(name: str) -> tuple[int, Metadata] | None:
    """Return the number and the metadata in a file's name; None if it is not a command's."""
    found = FORM.fullmatch(name)
    if found is None or found["command"] not in COMMANDS:
        return None
    received = int(found["received"])
    offset = found["offset"]
    metadata = Metadata(
        command=COMMANDS[found["command"]],
        version=int(found["version"]),
        node=found["node"] + (found["hash"] or ""),
        producer_timestamp=None if offset is None else received + int(offset),
        received=received,
        encoding=ENCODINGS[found["suffix"]],
        uuid=found["uuid"],
    )
    return int(found["number"]), metadata
