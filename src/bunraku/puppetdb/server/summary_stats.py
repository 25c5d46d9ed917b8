"""Figures about the data and the database, for ``/pdb/admin/v1/summary-stats``.

Distributions are 21 quantiles, from the least value to the greatest. They are made of counts by
value, so tables of any size need little memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from time import time

from bunraku.puppetdb.databases.database import Database
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.server.meta import VERSION
from bunraku.puppetdb.timestamps import to_text
from bunraku.web.http import Document

SECONDS = 3600.0
PARTS = 20
SIZES: Mapping[str, str] = {
    "report_metric_size_dist": "SELECT length(metrics) AS size FROM report_details",
    "report_log_size_dist": "SELECT length(logs) AS size FROM report_details",
    "num_resources_per_node": "SELECT count(*) AS size FROM catalog_resources GROUP BY node_id",
    "num_resources_per_file": (
        "SELECT count(*) AS size FROM catalog_resources AS cr"
        " JOIN resources AS r ON r.id = cr.resource_id WHERE r.file IS NOT NULL GROUP BY r.file"
    ),
    "file_resources_per_catalog": (
        "SELECT count(*) AS size FROM catalog_resources AS cr"
        " JOIN resources AS r ON r.id = cr.resource_id WHERE r.type = 'File' GROUP BY cr.node_id"
    ),
    "file_resources_per_catalog_with_source": (
        "SELECT count(*) AS size FROM catalog_resources AS cr"
        " JOIN resources AS r ON r.id = cr.resource_id"
        " WHERE r.type = 'File' AND {source} IS NOT NULL GROUP BY cr.node_id"
    ),
}
"""Statements whose values are distributed, by the names that PuppetDB has."""
ACTIVITY = (
    "SELECT count(*), expired IS NULL AND deactivated IS NULL AS active FROM nodes GROUP BY 2"
)
DEPTHS = "SELECT depth, count(*) FROM fact_paths GROUP BY depth ORDER BY depth"
PAIRS = (
    "SELECT count(*) FROM (SELECT DISTINCT source_type, source_title, target_type, target_title"
    " FROM edges) AS pairs"
)
POSTGRESQL_USAGE: Mapping[str, str] = {
    "table_usage": "SELECT row_to_json(found) FROM pg_stat_user_tables AS found",
    "index_usage": "SELECT row_to_json(found) FROM pg_stat_user_indexes AS found",
    "database_usage": (
        'SELECT row_to_json(found) FROM (SELECT now() AS "current_time", *'
        " FROM pg_stat_database WHERE datname = current_database()) AS found"
    ),
}
SQLITE_OBJECTS = "SELECT name, tbl_name FROM sqlite_master WHERE type = ? ORDER BY name"
SQLITE_SIZE = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"


def summary_stats(database: Database) -> Document:
    """Return the figures, under PuppetDB's names; those of the database are its own."""
    source = database.dialect.part(Statement("r.parameters"), ["source"])
    found: dict[str, Document] = {**usage(database)}
    found["node_activity"] = [
        {"count": count, "active": bool(active)} for count, active in rows(database, ACTIVITY)
    ]
    found["fact_path_counts_by_depth"] = [
        {"depth": depth, "count": count} for depth, count in rows(database, DEPTHS)
    ]
    for name, text in SIZES.items():
        values = source.values if "{source}" in text else ()
        statement = Statement(text.replace("{source}", source.text), values)
        found[name] = [{"quantiles": quantiles(histogram(database, statement))}]
    ((pairs,),) = rows(database, PAIRS)
    found["num_distinct_edges_source_target"] = [{"count": pairs}]
    return {**found, "version": VERSION}


def rows(database: Database, text: str, *values: str) -> Iterator[Sequence[int]]:
    """Yield the rows of a statement, which are counts."""
    for row in database.rows(Statement(text, values), SECONDS):
        yield [int(value or 0) for value in row]


def histogram(database: Database, sizes: Statement) -> list[tuple[int, int]]:
    """Return how often each value of a statement occurs, in ascending order."""
    text = f"SELECT size, count(*) FROM ({sizes.text}) AS sizes GROUP BY size ORDER BY size"
    found = database.rows(Statement(text, sizes.values), SECONDS)
    return [(int(size or 0), int(count or 0)) for size, count in found]


def quantiles(counts: Sequence[tuple[int, int]]) -> list[float] | None:
    """Return the values at each twentieth of a distribution, interpolated; None if it is empty.

    >>> quantiles([(1, 1), (3, 1)])[::5]
    [1.0, 1.5, 2.0, 2.5, 3.0]
    """
    total = sum(count for _, count in counts)
    if not total:
        return None
    return [value_at(counts, (total - 1) * part / PARTS) for part in range(PARTS + 1)]


def value_at(counts: Sequence[tuple[int, int]], place: float) -> float:
    """Return the value at a place between two, counted from 0; as ``percentile_cont`` does."""
    whole = int(place)
    low, high = ranked(counts, whole), ranked(counts, whole + 1)
    return low + (high - low) * (place - whole)


def ranked(counts: Sequence[tuple[int, int]], place: int) -> float:
    """Return the value at a place, or the greatest one."""
    for value, count in counts:
        if place < count:
            return float(value)
        place -= count
    return float(counts[-1][0])


# -- the database ------------------------------------------------------------------------------------


def usage(database: Database) -> dict[str, Document]:
    """Return the database's own figures about its tables and indexes."""
    if database.dialect.name == "postgresql":
        return {
            name: [json.loads(str(row[0])) for row in database.rows(Statement(text), SECONDS)]
            for name, text in POSTGRESQL_USAGE.items()
        }
    tables = [str(row[0]) for row in objects(database, "table")]
    ((size,),) = rows(database, SQLITE_SIZE)
    return {
        "table_usage": [{"relname": name, "n_live_tup": count(database, name)} for name in tables],
        "index_usage": [
            {"relname": str(table), "indexrelname": str(name)}
            for name, table in objects(database, "index")
        ],
        "database_usage": [
            {
                "current_time": to_text(int(time() * 1000)),
                "datname": database.name,
                "size": size,
            }
        ],
    }


def objects(database: Database, kind: str) -> Iterator[Sequence[str]]:
    """Yield the name and the table of each table or index of an SQLite database."""
    for name, table in database.rows(Statement(SQLITE_OBJECTS, (kind,)), SECONDS):
        yield str(name), str(table)


def count(database: Database, table: str) -> int:
    """Return the number of rows of a table, whose name the schema has."""
    ((found,),) = rows(database, f'SELECT count(*) FROM "{table}"')
    return found
