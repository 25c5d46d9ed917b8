"""What is deleted by age, and what no node has any more.

Nodes without new data expire; deactivated and expired nodes are deleted later, as are old reports.
Times are in milliseconds since 1970, durations in milliseconds; a duration of 0 means forever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from bunraku.puppetdb.databases.database import Connection, Database
from bunraku.puppetdb.settings import DAY, PuppetDBSettings

AT_ONCE = 500
"""Reports, or events, that one transaction deletes, so commands never wait for long."""
EXPIRE = """
UPDATE nodes SET expired = ? WHERE deactivated IS NULL AND expired IS NULL
    AND NOT EXISTS (
        SELECT 1 FROM catalogs WHERE node_id = nodes.id AND producer_timestamp >= ?)
    AND NOT EXISTS (
        SELECT 1 FROM factsets WHERE node_id = nodes.id AND producer_timestamp >= ?)
    AND NOT EXISTS (
        SELECT 1 FROM reports WHERE id = nodes.latest_report_id AND producer_timestamp >= ?)
    AND (expires_facts_updated IS NULL OR (expires_facts AND expires_facts_updated < ?))
    AND (catalog_inputs_timestamp IS NULL OR catalog_inputs_timestamp < ?)
RETURNING certname
"""
UNUSED: Mapping[str, tuple[tuple[str, str], ...]] = {
    "resources": (("catalog_resources", "resource_id"),),
    "edges": (("catalog_edges", "edge_id"),),
    "environments": tuple(
        [(table, "environment_id") for table in ("catalogs", "factsets", "reports")]
    ),
    "packages": (("node_packages", "package_id"),),
    "fact_values": (("facts", "value_id"),),
    "fact_paths": (("fact_leaves", "path_id"),),
}
"""The tables of shared rows, with the columns that refer to them."""


def expire_nodes(connection: Connection, now: int, ttl: int) -> list[str]:
    """Expire the nodes that sent nothing for a time; return their names.

    A node whose facts never expire (``configure expiration``) remains.
    """
    since = now - ttl
    rows = connection.execute(EXPIRE, (now, *[since] * 5)).fetchall()
    return sorted(str(certname) for (certname,) in rows)


def purge_nodes(connection: Connection, now: int, ttl: int, limit: int | None = None) -> int:
    """Delete nodes that were deactivated or expired long ago, at most ``limit``; return how many."""
    since = now - ttl
    query = "SELECT id FROM nodes WHERE deactivated < ? OR expired < ? ORDER BY id"
    found = connection.execute(query, (since, since)).fetchall()
    nodes = found if limit is None else found[:limit]
    connection.executemany("DELETE FROM nodes WHERE id = ?", nodes)
    return len(nodes)


def delete_node(connection: Connection, certname: str) -> bool:
    """Delete a node with all its data; return whether there was one."""
    return connection.execute("DELETE FROM nodes WHERE certname = ?", (certname,)).rowcount > 0


def delete_reports(connection: Connection, before: int) -> int:
    """Delete some reports that servers wrote before a time; return how many."""
    query = (
        "SELECT id FROM reports WHERE producer_timestamp < ? ORDER BY producer_timestamp LIMIT ?"
    )
    reports = connection.execute(query, (before, AT_ONCE)).fetchall()
    connection.executemany(
        "UPDATE nodes SET latest_report_id = NULL WHERE latest_report_id = ?"
        " AND id = (SELECT node_id FROM reports WHERE reports.id = ?)",
        [(report, report) for (report,) in reports],
    )
    connection.executemany("DELETE FROM reports WHERE id = ?", reports)
    return len(reports)


def delete_events(connection: Connection, before: int) -> int:
    """Delete some events of before a time; return how many."""
    query = "SELECT id FROM events WHERE timestamp < ? LIMIT ?"
    events = connection.execute(query, (before, AT_ONCE)).fetchall()
    connection.executemany("DELETE FROM events WHERE id = ?", events)
    return len(events)


def delete_unused(connection: Connection, table: str) -> int:
    """Delete the shared rows of a table that nothing refers to; return how many."""
    conditions = " AND ".join(
        f"NOT EXISTS (SELECT 1 FROM {other} WHERE {other}.{column} = {table}.id)"
        for other, column in UNUSED[table]
    )
    return connection.execute(f"DELETE FROM {table} WHERE {conditions}").rowcount


class Cleaning:
    """One run of cleaning; ``log`` is called with sentences about what was deleted.

    ``limited`` runs delete no more nodes than the settings allow at once.
    """

    def __init__(
        self,
        database: Database,
        settings: PuppetDBSettings,
        now: int,
        log: Callable[[str], None],
        *,
        limited: bool = False,
    ) -> None:
        self.database = database
        self.settings = settings
        self.now = now
        self.log = log
        self.limited = limited

    def expire_nodes(self) -> None:
        """Expire nodes without new data."""
        ttl = self.settings.node_ttl
        if ttl:
            for name in self.database.write(lambda one: expire_nodes(one, self.now, ttl)):
                self.log(f"Expired node {name}, which sent nothing for {ttl / DAY:g} days")

    def purge_nodes(self) -> None:
        """Delete deactivated and expired nodes."""
        ttl = self.settings.node_purge_ttl
        limit = self.settings.node_purge_gc_batch_limit if self.limited else None
        if ttl:
            count = self.database.write(lambda one: purge_nodes(one, self.now, ttl, limit))
            self.report(count, "deactivated or expired nodes")

    def purge_reports(self) -> None:
        """Delete old reports; the limit is the begin of a day, as in PuppetDB."""
        ttl = self.settings.report_ttl
        if ttl:
            self.repeat(lambda one: delete_reports(one, self.begin_of_day(ttl)), "reports")

    def purge_resource_events(self) -> None:
        """Delete old events of reports that stay."""
        ttl = self.settings.resource_events_ttl
        if ttl:
            self.repeat(lambda one: delete_events(one, self.begin_of_day(ttl)), "events")

    def gc_packages(self) -> None:
        """Delete packages that no node has."""
        self.unused("packages")

    def gc_fact_paths(self) -> None:
        """Delete values and paths of facts that no node has."""
        self.unused("fact_values", "fact_paths")

    def gc_catalogs(self) -> None:
        """Delete resources and edges that no catalog has, and unused environments."""
        self.unused("resources", "edges", "environments")

    def unused(self, *tables: str) -> None:
        """Delete shared rows that nothing refers to."""
        for table in tables:
            count = self.database.write(partial(delete_unused, table=table))
            self.report(count, f"unused {table.replace('_', ' ')}")

    def repeat(self, delete: Callable[[Connection], int], what: str) -> None:
        """Delete in small transactions until nothing is left."""
        total = 0
        while count := self.database.write(delete):
            total += count
        self.report(total, what)

    def report(self, count: int, what: str) -> None:
        """Log how many were deleted."""
        if count:
            self.log(f"Deleted {count} {what}")

    def begin_of_day(self, ttl: int) -> int:
        """Return the begin of the day on which a duration began."""
        return (self.now - ttl) // DAY * DAY


STEPS: Mapping[str, Callable[[Cleaning], None]] = {
    "expire_nodes": Cleaning.expire_nodes,
    "purge_nodes": Cleaning.purge_nodes,
    "purge_reports": Cleaning.purge_reports,
    "gc_packages": Cleaning.gc_packages,
    "purge_resource_events": Cleaning.purge_resource_events,
    "gc_fact_paths": Cleaning.gc_fact_paths,
    "gc_catalogs": Cleaning.gc_catalogs,
}
"""The steps in their order, by the names that the command ``clean`` of the admin interface has."""
OTHER = "other"
"""A name that ``clean`` takes, too; it stands for all garbage that has no name of its own."""


def clean(cleaning: Cleaning, steps: Iterable[str] = ()) -> None:
    """Carry out some steps, or all; ValueError for an unknown name."""
    wanted = set(steps) or {*STEPS, OTHER}
    unknown = wanted - {*STEPS, OTHER}
    if unknown:
        raise ValueError(min(unknown))
    for name, step in STEPS.items():
        if name in wanted:
            step(cleaning)
