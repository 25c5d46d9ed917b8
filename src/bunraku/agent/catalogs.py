"""Catalogs of an agent: requested from the server, kept on the disk, read again."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from bunraku.agent.http import JSON, RICH_JSON, Query, Servers, encoded
from bunraku.agent.settings import AgentSettings
from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.catalog.catalog import Catalog
from bunraku.providers.run import Log
from bunraku.world.host import Host
from bunraku.world.whole_files import CATALOG_MODE

FORM = "application/x-www-form-urlencoded"
Answer = tuple[Catalog, bytes]


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


def request_catalog(servers: Servers, log: Log, wanted: CatalogRequest) -> Answer:
    """Return a catalog from the server, and its text; PuppetError without one."""
    log("notice", f"Requesting catalog from {urlsplit(servers.url('puppet')).netloc}")
    query = Query(
        "puppet",
        f"/catalog/{encoded(wanted.node)}",
        [("environment", wanted.environment)],
        "POST",
        f"{RICH_JSON}, {JSON}",
        wanted.body(),
        FORM,
    )
    with servers.answer(query) as response:
        compiler = response.headers.get("x-puppet-compiler-name")
        if compiler:
            log("notice", f"Catalog compiled by {compiler}")
        text = response.read()
    return Catalog.from_json(text), text


class KeptCatalog:
    """The catalog of the last successful run, in ``client_datadir``."""

    def __init__(
        self, settings: AgentSettings, node: str, host: Host, make_directory: Callable[[str], None]
    ) -> None:
        self.host = host
        self.make_directory = make_directory
        self.directory = f"{settings.text('client_datadir')}/catalog"
        self.path = f"{self.directory}/{node}.json"

    def read(self, log: Log) -> Answer | None:
        """Return the catalog and its text; None if there is none that can be used."""
        try:
            text = self.host.read(self.path)
            return Catalog.from_json(text, path=self.path), text
        except FileNotFoundError:
            return None
        except OSError as error:
            reason = error.strerror or str(error)
        except PuppetError as error:
            reason = str(error)
        log("err", f"Could not retrieve catalog from cache: {self.path}: {reason}")
        return None

    def write(self, text: bytes, log: Log) -> None:
        """Keep the text of a catalog; a failure is an error in the log."""
        try:
            self.make_directory(self.directory)
            self.host.replace_file(self.path, [text], mode=CATALOG_MODE)
        except OSError as error:
            log("err", f"Could not write {self.path}: {error.strerror or error}")
