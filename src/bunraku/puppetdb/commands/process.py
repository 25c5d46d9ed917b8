"""Prepare commands: check a payload, and return how it changes the database."""

# ruff: noqa: ARG001 - functions of one table have one signature

from __future__ import annotations

from collections.abc import Callable, Mapping

from bunraku.base.garbage_collection import PATIENT
from bunraku.base.records import record, replace
from bunraku.puppetdb.blocklist import Blocklist
from bunraku.puppetdb.commands.characters import without_flaws
from bunraku.puppetdb.commands.formats import (
    read_catalog,
    read_catalog_inputs,
    read_deactivation,
    read_expiration,
    read_factset,
    read_renewal,
    read_report,
)
from bunraku.puppetdb.commands.metadata import Metadata
from bunraku.puppetdb.commands.versions import newest
from bunraku.puppetdb.databases.database import Connection, Database
from bunraku.puppetdb.documents import Factset
from bunraku.puppetdb.json_values import Json, read_flawed_json
from bunraku.puppetdb.storage.catalog_inputs import store_catalog_inputs
from bunraku.puppetdb.storage.catalogs import renew_catalog, store_catalog
from bunraku.puppetdb.storage.facts import store_facts
from bunraku.puppetdb.storage.nodes import configure_expiration, deactivate
from bunraku.puppetdb.storage.reports import store_report

Change = Callable[[Connection], None]


@record(frozen=True)
class Command:
    """A command as it arrived; ``received`` is in milliseconds since 1970.

    The payload of a renewal has the hash of the content instead of the content.
    """

    name: str
    version: int
    certname: str
    payload: bytes
    received: int
    is_renewal: bool = False

    @staticmethod
    def of(metadata: Metadata, payload: bytes) -> Command:
        """Return a queued command with its payload."""
        return Command(
            metadata.command,
            metadata.version,
            metadata.certname,
            payload,
            metadata.received,
            metadata.encoding == "renewal",
        )


@record(frozen=True)
class ProcessingOptions:
    """What is processed and stored.

    Payloads with more than ``most_bytes`` are refused. ``resource_events_ttl`` in milliseconds is
    the age from which events of reports are not stored. None and 0 mean no limit. Facts that
    ``blocklist`` names are not stored.
    """

    most_bytes: int | None = None
    resource_events_ttl: int | None = None
    blocklist: Blocklist | None = None


def catalog_change(payload: Json, received: int, options: ProcessingOptions) -> Change:
    """Return how ``replace catalog`` changes the database."""
    catalog = read_catalog(payload)
    return lambda connection: store_catalog(connection, catalog, received)


def renewal_change(payload: Json, received: int, warn: Callable[[str], None]) -> Change:
    """Return how a renewal changes the database."""
    catalog, content = read_renewal(payload)

    def change(connection: Connection) -> None:
        if not renew_catalog(connection, catalog, content, received):
            warn(
                f"The catalog of {catalog.certname} is not renewed: another program changed it in the"
                " database. The next one of the node is stored as a whole"
            )

    return change


def facts_change(payload: Json, received: int, options: ProcessingOptions) -> Change:
    """Return how ``replace facts`` changes the database."""
    factset = without_blocked(read_factset(payload), options.blocklist)
    return lambda connection: store_facts(connection, factset, received)


def without_blocked(factset: Factset, blocklist: Blocklist | None) -> Factset:
    """Return a factset without the facts that are not stored."""
    if blocklist is None:
        return factset
    values = factset.values.items()
    kept = {name: value for name, value in values if not blocklist.blocks(name)}
    return replace(factset, values=kept)


def report_change(payload: Json, received: int, options: ProcessingOptions) -> Change:
    """Return how ``store report`` changes the database."""
    report = read_report(payload)
    ttl = options.resource_events_ttl
    since = received - ttl if ttl else None
    return lambda connection: store_report(connection, report, received, since)


def deactivation_change(payload: Json, received: int, options: ProcessingOptions) -> Change:
    """Return how ``deactivate node`` changes the database."""
    command = read_deactivation(payload, received)
    return lambda connection: deactivate(connection, command)


def expiration_change(payload: Json, received: int, options: ProcessingOptions) -> Change:
    """Return how ``configure expiration`` changes the database."""
    command = read_expiration(payload, received)
    return lambda connection: configure_expiration(connection, command)


def catalog_inputs_change(payload: Json, received: int, options: ProcessingOptions) -> Change:
    """Return how ``replace catalog inputs`` changes the database."""
    command = read_catalog_inputs(payload, received)
    return lambda connection: store_catalog_inputs(connection, command)


CHANGES: Mapping[str, Callable[[Json, int, ProcessingOptions], Change]] = {
    "replace catalog": catalog_change,
    "replace facts": facts_change,
    "store report": report_change,
    "deactivate node": deactivation_change,
    "configure expiration": expiration_change,
    "replace catalog inputs": catalog_inputs_change,
}


Prepare = Callable[[Command, ProcessingOptions, Callable[[str], None]], Change]


def no_warning(text: str) -> None:
    """Ignore a warning."""


def prepare(
    command: Command,
    options: ProcessingOptions | None = None,
    warn: Callable[[str], None] = no_warning,
) -> Change:
    """Return how a command changes the database; PuppetError if it is invalid or unknown.

    ``warn`` is called with a sentence about each value that cannot be stored as it is.
    """
    value, flawed = read_flawed_json(command.payload)
    payload = newest(command.name, command.version, value, command.received)
    if flawed:
        payload = without_flaws(command.name, payload, warn)
    if command.is_renewal:
        return renewal_change(payload, command.received, warn)
    return CHANGES[command.name](payload, command.received, options or ProcessingOptions())


def process(database: Database, command: Command) -> None:
    """Store the data of a command; PuppetError if it is invalid or unknown."""
    with PATIENT:
        database.write(prepare(command))
