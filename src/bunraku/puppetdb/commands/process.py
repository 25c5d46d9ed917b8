"""Carry out commands: check the payload, store it in one transaction."""

# ruff: noqa: ARG001 - functions of one table have one signature

from __future__ import annotations

from collections.abc import Callable, Mapping

from bunraku.base.records import record
from bunraku.puppetdb.commands.failure import invalid
from bunraku.puppetdb.commands.formats import (
    read_catalog,
    read_deactivation,
    read_factset,
    read_report,
)
from bunraku.puppetdb.databases.database import Connection, Database
from bunraku.puppetdb.json_values import Json, read_json
from bunraku.puppetdb.storage.catalogs import store_catalog
from bunraku.puppetdb.storage.facts import store_facts
from bunraku.puppetdb.storage.nodes import deactivate
from bunraku.puppetdb.storage.reports import store_report

Change = Callable[[Connection], None]


@record(frozen=True)
class Command:
    """A command as it arrived; ``received`` is in milliseconds since 1970."""

    name: str
    version: int
    certname: str
    payload: bytes
    received: int


def catalog_change(payload: Json, received: int) -> Change:
    """Return how ``replace catalog`` changes the database."""
    catalog = read_catalog(payload)
    return lambda connection: store_catalog(connection, catalog, received)


def facts_change(payload: Json, received: int) -> Change:
    """Return how ``replace facts`` changes the database."""
    factset = read_factset(payload)
    return lambda connection: store_facts(connection, factset, received)


def report_change(payload: Json, received: int) -> Change:
    """Return how ``store report`` changes the database."""
    report = read_report(payload)
    return lambda connection: store_report(connection, report, received)


def deactivation_change(payload: Json, received: int) -> Change:
    """Return how ``deactivate node`` changes the database."""
    command = read_deactivation(payload)
    return lambda connection: deactivate(connection, command)


CHANGES: Mapping[tuple[str, int], Callable[[Json, int], Change]] = {
    ("replace catalog", 9): catalog_change,
    ("replace facts", 4): facts_change,
    ("replace facts", 5): facts_change,
    ("store report", 8): report_change,
    ("deactivate node", 3): deactivation_change,
}


def process(database: Database, command: Command) -> None:
    """Store the data of a command; PuppetError if it is invalid or unknown."""
    change = CHANGES.get((command.name, command.version))
    if change is None:
        raise invalid("command", f"'{command.name}' has no version {command.version}")
    apply = change(read_json(command.payload), command.received)
    database.write(apply)
