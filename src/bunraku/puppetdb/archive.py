"""Exports: a compressed tar file with the payloads of commands, as PuppetDB writes and reads it."""

from __future__ import annotations

import hashlib
import io
import json
import re
import tarfile
from collections.abc import Callable, Container, Iterator, Mapping
from functools import partial
from time import time
from typing import Any, BinaryIO, TypeAlias

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.puppetdb import issues
from bunraku.puppetdb.commands.process import Command
from bunraku.puppetdb.databases.database import Database
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.queries.answers import objects
from bunraku.puppetdb.queries.sql import selection
from bunraku.puppetdb.queries.syntax import read_from
from bunraku.puppetdb.timestamps import to_text

Row: TypeAlias = "dict[str, Any]"

ROOT = "puppetdb-bak"
METADATA = f"{ROOT}/export-metadata.json"
VERSIONS: Mapping[str, int] = {
    "replace_catalog": 9,
    "store_report": 8,
    "replace_facts": 5,
    "configure_expiration": 1,
    "replace_catalog_inputs": 1,
}
COMMANDS: Mapping[str, str] = {
    "catalogs": "replace_catalog",
    "reports": "store_report",
    "facts": "replace_facts",
    "configure_expiration": "configure_expiration",
    "catalog_inputs": "replace_catalog_inputs",
}
"""The folders of an export, and the command that each holds."""
MEMBER = re.compile(rf"{ROOT}/({'|'.join(COMMANDS)})/(.+?)(?:-[0-9a-fA-F]{{40}})?\.json")
SECONDS = 3600.0
EVENT_OF_RESOURCE = ("resource_type", "resource_title", "containment_path", "file", "line")
EVENT_OF_REPORT = (
    "report",
    "certname",
    "containing_class",
    "configuration_version",
    "run_start_time",
    "run_end_time",
    "report_receive_time",
    "environment",
)
EXPIRATIONS = (
    "SELECT certname, expires_facts, expires_facts_updated FROM nodes"
    " WHERE expires_facts_updated IS NOT NULL ORDER BY certname"
)
MODE = 0o644


# -- export ------------------------------------------------------------------------------------------


def exported_pieces(database: Database) -> Iterator[bytes]:
    """Yield the pieces of an archive of all active nodes."""
    sink = Sink()
    with tarfile.open(fileobj=sink, mode="w|gz", format=tarfile.PAX_FORMAT) as archive:
        now = int(time() * 1000)
        metadata: Row = {"timestamp": to_text(now), "command_versions": dict(VERSIONS)}
        add(archive, METADATA, metadata)
        for folder, documents in FOLDERS:
            for document in documents(database):
                add(archive, f"{ROOT}/{folder}/{file_name(folder, document)}", document)
                yield sink.taken()
    yield sink.taken()


class Sink(io.RawIOBase):
    """A file that keeps what is written until it is taken."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []

    def writable(self) -> bool:
        """Return that it can be written."""
        return True

    def write(self, content: Any, /) -> int:
        """Keep a piece."""
        self.pieces.append(bytes(content))
        return len(content)

    def taken(self) -> bytes:
        """Return what was written since the last call."""
        found = b"".join(self.pieces)
        self.pieces.clear()
        return found


def rows(database: Database, query: Json) -> Iterator[Row]:
    """Yield the rows of a query."""
    found = selection(read_from(query), database.dialect)
    for text in objects(found.columns, database.rows(found.statement, SECONDS)):
        row: Row = json.loads(text)
        yield row


def add(archive: tarfile.TarFile, name: str, document: Row) -> None:
    """Add a document to an archive."""
    content = json.dumps(document, ensure_ascii=False, indent=2).encode()
    member = tarfile.TarInfo(name)
    member.size, member.mtime, member.mode = len(content), int(time()), MODE
    archive.addfile(member, io.BytesIO(content))
    forget_members(archive)


def forget_members(archive: tarfile.TarFile) -> None:
    """Forget the names of the files written, which ``tarfile`` keeps and a stream does not need."""
    vars(archive)["members"].clear()


def file_name(folder: str, document: Row) -> str:
    """Return the name of a file: that of the node, and a hash of the time except for facts."""
    certname = document["certname"]
    if folder == "facts":
        return f"{certname}.json"
    digest = hashlib.sha1(
        json.dumps(document["producer_timestamp"]).encode(), usedforsecurity=False
    )
    return f"{certname}-{digest.hexdigest()}.json"


def without(row: Row, *names: str) -> Row:
    """Return a row without some fields."""
    return {name: value for name, value in row.items() if name not in names}


def catalog_payload(row: Row) -> Row:
    """Return a catalog as ``replace catalog`` takes it."""
    edges = [
        {
            "source": {"type": edge["source_type"], "title": edge["source_title"]},
            "target": {"type": edge["target_type"], "title": edge["target_title"]},
            "relationship": edge["relationship"],
        }
        for edge in row["edges"]["data"] or []
    ]
    resources = []
    for resource in row["resources"]["data"] or []:
        absent = [name for name in ("file", "line") if resource.get(name) is None]
        resources.append(without(resource, "resource", "certname", "environment", *absent))
    resources.sort(key=lambda resource: (resource["type"], resource["title"]))
    return {**without(row, "hash"), "edges": edges, "resources": resources}


def facts_payload(database: Database, row: Row) -> Row:
    """Return facts as ``replace facts`` takes them, with the packages of the node."""
    values = {fact["name"]: fact["value"] for fact in row["facts"]["data"] or []}
    query: Json = ["from", "package_inventory", ["=", "certname", row["certname"]]]
    packages = [
        [one["package_name"], one["version"], one["provider"]] for one in rows(database, query)
    ]
    found = {**without(row, "hash", "timestamp", "facts"), "values": values}
    return {**found, "package_inventory": packages} if packages else found


def report_payload(row: Row) -> Row:
    """Return a report as ``store report`` takes it; resources without events are not stored."""
    grouped: dict[str, Row] = {}
    for event in (row.get("resource_events") or {}).get("data") or []:
        resource = {name: event.get(name) for name in EVENT_OF_RESOURCE}
        skipped = event["status"] == "skipped"
        resource |= {"timestamp": event["timestamp"], "skipped": skipped}
        key = json.dumps(resource)
        events = grouped.setdefault(key, {**resource, "corrective_change": None, "events": []})
        events["events"].append(without(event, *EVENT_OF_RESOURCE, *EVENT_OF_REPORT))
    return {
        **without(row, "hash", "receive_time", "resource_events"),
        "metrics": row["metrics"]["data"],
        "logs": row["logs"]["data"],
        "resources": list(grouped.values()),
    }


def catalogs(database: Database) -> Iterator[Row]:
    """Yield the payloads of catalogs."""
    return map(catalog_payload, rows(database, ["from", "catalogs"]))


def facts(database: Database) -> Iterator[Row]:
    """Yield the payloads of facts."""
    return map(partial(facts_payload, database), rows(database, ["from", "factsets"]))


def reports(database: Database) -> Iterator[Row]:
    """Yield the payloads of reports of all types."""
    return map(report_payload, rows(database, ["from", "reports", ["=", "type", "any"]]))


def catalog_inputs(database: Database) -> Iterator[Row]:
    """Yield the payloads of inputs of catalogs."""
    return rows(database, ["from", "catalog_inputs"])


def expirations(database: Database) -> Iterator[Row]:
    """Yield the payloads of ``configure expiration``."""
    for certname, expires, updated in database.rows(Statement(EXPIRATIONS), SECONDS):
        yield {
            "certname": certname,
            "expire": {"facts": bool(expires)},
            "producer_timestamp": to_text(int(updated or 0)),
        }


FOLDERS: tuple[tuple[str, Callable[[Database], Iterator[Row]]], ...] = (
    ("configure_expiration", expirations),
    ("catalogs", catalogs),
    ("facts", facts),
    ("reports", reports),
    ("catalog_inputs", catalog_inputs),
)
"""The folders in their order: nodes whose facts never expire are known before the facts come."""


# -- import ------------------------------------------------------------------------------------------


@record(frozen=True)
class Imported:
    """How many commands an archive had, and what is wrong with those that were not stored."""

    stored: int
    errors: tuple[str, ...]


def archived_commands(
    file: BinaryIO | io.RawIOBase, received: int, folders: Container[str] = COMMANDS
) -> Iterator[Command]:
    """Yield the commands in some folders of an archive; PuppetError if it is not an export."""
    try:
        with tarfile.open(fileobj=file, mode="r|gz") as archive:
            versions: Mapping[str, Any] = {}
            for member in archive:
                forget_members(archive)
                content = archive.extractfile(member)
                if content is None:
                    continue
                if member.name == METADATA:
                    versions = json.loads(content.read())["command_versions"]
                    continue
                found = MEMBER.fullmatch(member.name)
                if found is None or found[1] not in folders:
                    continue
                name = COMMANDS[found[1]]
                if name not in versions:
                    raise issues.BAD_ARCHIVE(reason=f"{METADATA} has no version of {name}")
                command = name.replace("_", " ")
                payload = content.read()
                yield Command(command, int(versions[name]), found[2], payload, received)
    except (OSError, EOFError, tarfile.TarError, ValueError, KeyError, TypeError) as error:
        raise issues.BAD_ARCHIVE(reason=str(error) or type(error).__name__) from None


def import_archive(file: BinaryIO, received: int, process: Callable[[Command], None]) -> Imported:
    """Process the commands in an archive; a command that is refused does not stop the others."""
    stored, errors = 0, []
    for command in archived_commands(file, received):
        try:
            process(command)
            stored += 1
        except PuppetError as error:
            errors.append(f"{command.name} of {command.certname}: {error.message}")
    return Imported(stored, tuple(errors))
