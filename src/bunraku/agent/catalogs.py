"""Catalogs of an agent: requested from the server, kept on the disk, read again.

A server of bunraku names the content of a catalog by a tag. The agent keeps it beside the catalog, and sends it with
its next request in the same environment; if the content is the same, the server sends only what is new: UUID and version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from urllib.parse import urlsplit

from bunraku.agent.http import JSON, RICH_JSON, Query, Servers, encoded
from bunraku.agent.settings import AgentSettings
from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.document import UUID_HEADER, VERSION_HEADER
from bunraku.formats.json import json_text
from bunraku.providers.run import Log
from bunraku.world.host import Host
from bunraku.world.whole_files import CATALOG_MODE

FORM = "application/x-www-form-urlencoded"
OK, NOT_MODIFIED = 200, 304


@record(frozen=True)
class ReceivedCatalog:
    """A catalog, its text, and the server's tag for it; empty if there is none."""

    catalog: Catalog
    text: bytes
    tag: str = ""


@record(frozen=True)
class CatalogRequest:
    """What is sent for the catalog of ``node``. ``facts`` are JSON text."""

    node: str
    facts: str
    environment: str
    configured: str | None
    transaction: str
    job: str | None = None
    checksums: str = "sha256"

    def body(self) -> bytes:
        """Return the form, in the order of Puppet's agent; the facts are quoted twice.

        >>> CatalogRequest("web1", "{}", "production", None, "uuid").body()[:54]
        b'facts_format=application%2Fjson&facts=%257B%257D&envir'
        """
        pairs = (
            ("facts_format", JSON),
            ("facts", encoded(self.facts)),
            ("environment", self.environment),
            ("configured_environment", self.configured or self.environment),
            ("check_environment", "true"),
            ("transaction_uuid", self.transaction),
            ("job_uuid", self.job or ""),
            ("static_catalog", "true"),
            ("checksum_type", self.checksums),
        )
        return "&".join(f"{name}={encoded(value)}" for name, value in pairs).encode()


def request_catalog(
    servers: Servers, log: Log, wanted: CatalogRequest, present: ReceivedCatalog | None = None
) -> ReceivedCatalog:
    """Return a catalog from the server; PuppetError without one.

    ``present`` is the catalog that the agent has: its content is not sent again.
    """
    log("notice", f"Requesting catalog from {urlsplit(servers.url('puppet')).netloc}")
    query = Query(
        "puppet",
        f"/catalog/{encoded(wanted.node)}",
        [("environment", wanted.environment)],
        "POST",
        f"{RICH_JSON}, {JSON}",
        wanted.body(),
        FORM,
        {} if present is None else {"If-None-Match": present.tag},
        statuses=(OK,) if present is None else (OK, NOT_MODIFIED),
    )
    with servers.answer(query) as response:
        compiler = response.headers.get("x-puppet-compiler-name")
        if compiler:
            log("notice", f"Catalog compiled by {compiler}")
        text = response.read()
    if present is not None and response.status == NOT_MODIFIED:
        log("debug", "The content of the catalog is that of the cached one")
        return renewed_answer(present, response.headers)
    return ReceivedCatalog(Catalog.from_json(text), text, response.headers.get("etag", ""))


def renewed_answer(present: ReceivedCatalog, headers: Mapping[str, str]) -> ReceivedCatalog:
    """Return a catalog with the UUID and the version of an unchanged one."""
    data = present.catalog.to_data()
    data["catalog_uuid"] = headers[UUID_HEADER]
    if VERSION_HEADER in headers:
        data["version"] = int(headers[VERSION_HEADER])
    return ReceivedCatalog(Catalog(data), json_text(data).encode(), present.tag)


class KeptCatalog:
    """The catalog of the last successful run, in ``client_datadir``."""

    def __init__(
        self, settings: AgentSettings, node: str, host: Host, make_directory: Callable[[str], None]
    ) -> None:
        self.host = host
        self.make_directory = make_directory
        self.directory = f"{settings.text('client_datadir')}/catalog"
        self.path = f"{self.directory}/{node}.json"
        self.tag_path = f"{self.directory}/{node}.tag"

    def read(self, log: Log) -> ReceivedCatalog | None:
        """Return the catalog; None if there is none that can be used."""
        try:
            text = self.host.read(self.path)
            return ReceivedCatalog(Catalog.from_json(text, path=self.path), text, self.tag_of(text))
        except FileNotFoundError:
            return None
        except OSError as error:
            reason = error.strerror or str(error)
        except PuppetError as error:
            reason = str(error)
        log("err", f"Could not retrieve catalog from cache: {self.path}: {reason}")
        return None

    def tagged(self, environment: str) -> ReceivedCatalog | None:
        """Return the catalog if it is of an environment and has a tag, and was not changed since; else None."""
        try:
            text = self.host.read(self.path)
            found = ReceivedCatalog(Catalog.from_json(text), text, self.tag_of(text))
        except (OSError, PuppetError):  # a run without the server reports it
            return None
        return found if found.tag and found.catalog.environment == environment else None

    def tag_of(self, text: bytes) -> str:
        """Return the server's tag for the text of the catalog; empty for another text."""
        try:
            digest, _, tag = self.host.read(self.tag_path).decode().partition(" ")
        except (OSError, UnicodeDecodeError):
            return ""
        return tag.strip() if digest == sha256(text).hexdigest() else ""

    def write(self, answer: ReceivedCatalog, log: Log) -> None:
        """Keep a catalog; a failure is an error in the log."""
        tag = f"{sha256(answer.text).hexdigest()} {answer.tag}\n".encode()
        try:
            self.make_directory(self.directory)
            self.host.replace_file(self.path, [answer.text], mode=CATALOG_MODE)
            if answer.tag or self.host.status(self.tag_path) is not None:
                self.host.replace_file(self.tag_path, [tag], mode=CATALOG_MODE)
        except OSError as error:
            log("err", f"Could not write {self.path}: {error.strerror or error}")
