"""Store facts: a node has the values of its newest factset, each with its leaves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from typing import NamedTuple

from bunraku.base.bounded_cache import BoundedCache, remembered
from bunraku.base.records import record
from bunraku.puppetdb.databases.database import Connection
from bunraku.puppetdb.databases.statement import Row
from bunraku.puppetdb.documents import Factset, Package
from bunraku.puppetdb.fact_paths import Path, encoded_path, leaves_of, path_text
from bunraku.puppetdb.hashes import hash_of_facts, sorted_json
from bunraku.puppetdb.json_values import Json, canonical_json, kind_of
from bunraku.puppetdb.storage.nodes import name_ids, node_id, reactivate
from bunraku.puppetdb.storage.shared_rows import (
    AT_ONCE,
    Membership,
    SharedTable,
    change_members,
    changed_members,
    check_presence,
    digest,
    existing_id,
    replace_members,
    shared_ids,
)

VALUES = SharedTable("fact_values", ("name", "value", "number", "text"))
VALUES_OF_NODE = Membership("facts", "value_id", VALUES.name)
PACKAGES_OF_NODE = Membership("node_packages", "package_id", "packages")
STORE = """
INSERT INTO factsets (
    node_id, hash, environment_id, producer_id, producer_timestamp, timestamp
) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (node_id) DO UPDATE SET
    hash = excluded.hash,
    environment_id = excluded.environment_id,
    producer_id = excluded.producer_id,
    producer_timestamp = excluded.producer_timestamp,
    timestamp = excluded.timestamp
"""
LARGEST_INTEGER = (1 << 63) - 1
NUMBERS = {int: "integer", float: "float"}
ROWS: BoundedCache[tuple[str, ...], FactRow] = BoundedCache("rows of facts", 10_000)
"""The row of a fact by its name and the ``repr`` of its value, which has types and order."""
LARGEST_KEPT = 16 * 1024
"""The longest value whose row is kept, in characters."""


def store_facts(connection: Connection, factset: Factset, received: int) -> None:
    """Store the facts of a node, unless it has newer ones."""
    node = node_id(connection, factset.certname)
    query = "SELECT hash, producer_timestamp FROM factsets WHERE node_id = ?"
    old = connection.execute(query, (node,)).fetchone()
    if old and old[1] > factset.producer_timestamp:
        return
    facts = [FactRow.of(*item) for item in factset.values.items()]
    content = hash_of_facts(factset, [fact.sorted for fact in facts])
    if not old or old[0] != content:
        store_values(connection, node, facts, factset.values)
        store_packages(connection, node, factset.packages or ())
    names = (*name_ids(connection, factset.environment, factset.producer),)
    connection.execute(STORE, (node, content, *names, factset.producer_timestamp, received))
    reactivate(connection, node, factset.producer_timestamp)


@record(frozen=True)
class FactRow:
    """A fact as the table of values has it, and the text of its value in the hash of the factset.

    Most facts have the same value in the next run of an agent.
    """

    name: str
    canonical: str
    sorted: str
    digest: bytes
    number: float | None
    text: str | None

    @staticmethod
    def of(name: str, value: Json) -> FactRow:
        """Return the row of a fact. Values are compared with their types: 1, 1.0 and true differ."""
        key = (name, value) if value.__class__ is str else (name, "", repr(value))
        found = ROWS.get(key)
        if found is None:
            text = canonical_json(value)
            found = FactRow(name, text, sorted_json(value), digest(name, text), *comparable(value))
            if len(key[-1]) <= LARGEST_KEPT:
                ROWS.keep(key, found)
        return found

    def row(self) -> Row:
        """Return the row of the value, without its hash."""
        return (self.name, self.canonical, self.number, self.text)


def store_values(
    connection: Connection, node: int, rows: Iterable[FactRow], values: Mapping[str, Json]
) -> None:
    """Store the values of a node, with the leaves of those that no other node has.

    Names are the order of the new rows: most of their indexes then grow at the end alone.
    """
    facts = {fact.digest: fact for fact in rows}
    members = changed_members(connection, VALUES_OF_NODE, node, facts)
    ids, new = shared_ids(
        connection, VALUES, members.wanted, FactRow.row, lambda key: facts[key].name
    )
    for start in range(0, len(new), AT_ONCE):
        names = {ids[key]: facts[key].name for key in new[start : start + AT_ONCE]}
        store_leaves(connection, {number: (name, values[name]) for number, name in names.items()})
    change_members(connection, VALUES_OF_NODE, node, members.gone, ids.values())


def store_leaves(connection: Connection, facts: Mapping[int, tuple[str, Json]]) -> None:
    """Store the leaves of new values, by the numbers of the values."""
    leaves = [
        (number, path_row(path, leaf_kind(leaf)), leaf)
        for number, (name, value) in facts.items()
        for path, leaf in leaves_of((name,), value)
    ]
    paths = path_ids(connection, {path for _, path, _ in leaves})
    connection.executemany(
        "INSERT INTO fact_leaves (value_id, path_id, value, number, text)"
        " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [
            (number, paths[path.path, path.kind], canonical_json(leaf), *comparable(leaf))
            for number, path, leaf in leaves
        ],
    )


class PathRow(NamedTuple):
    """A path to leaves of a type, as the table ``fact_paths`` has it; ``encoded`` is PuppetDB's form."""

    path: str
    encoded: str
    name: str
    depth: int
    kind: str


@remembered(10_000)
def path_row(path: Path, kind: str) -> PathRow:
    """Return the row of a path; nodes have the same paths."""
    return PathRow(path_text(path), encoded_path(path), str(path[0]), len(path) - 1, kind)


def path_ids(connection: Connection, rows: Collection[PathRow]) -> dict[tuple[str, str], int]:
    """Return the numbers of paths, by path and type; new ones are added in the order of the facts' names."""
    found = known_paths(connection, rows)
    missing = [row for row in rows if (row.path, row.kind) not in found]
    missing.sort(key=lambda row: (row.name, row.path, row.kind))
    connection.executemany(
        "INSERT INTO fact_paths (path, encoded, name, depth, kind)"
        " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        missing,
    )
    ids = {**found, **known_paths(connection, missing)}
    check_presence([(row.path, row.kind) for row in missing], ids)
    return ids


def known_paths(connection: Connection, rows: Iterable[PathRow]) -> dict[tuple[str, str], int]:
    """Return the numbers of the paths that exist, by path and type."""
    found: dict[tuple[str, str], int] = {}
    remaining = iter({row.path for row in rows})
    while group := list(islice(remaining, AT_ONCE)):
        places = ", ".join("?" * len(group))
        query = f"SELECT path, kind, id FROM fact_paths WHERE path IN ({places})"
        found.update(
            {(path, kind): number for path, kind, number in connection.execute(query, group)}
        )
    return found


def leaf_kind(value: Json) -> str:
    """Return the type of a leaf as ``fact_paths`` names it, which tells integers from floats."""
    return NUMBERS.get(value.__class__) or kind_of(value)


def comparable(value: Json) -> tuple[float | None, str | None]:
    """Return a value as a number and as a text that the database compares; None for the others."""
    if isinstance(value, str):
        return None, value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None, None
    if abs(value) > LARGEST_INTEGER and isinstance(value, int):
        return (float(value), None) if abs(value) < 1 << 1023 else (None, str(value))
    return value, None


def store_packages(connection: Connection, node: int, packages: tuple[Package, ...]) -> None:
    """Store the packages that a node has."""
    wanted = {(package.name, package.version, package.provider) for package in packages}
    query = (
        "SELECT k.name, k.version, k.provider, k.id FROM node_packages AS np"
        " JOIN packages AS k ON k.id = np.package_id WHERE np.node_id = ?"
    )
    ids = {(name, *rest): number for name, *rest, number in connection.execute(query, (node,))}
    if wanted == ids.keys():
        return
    new = sorted(wanted - ids.keys())
    connection.executemany(
        "INSERT INTO packages (name, version, provider) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        new,
    )
    query = "SELECT id FROM packages WHERE name = ? AND version = ? AND provider = ?"
    for row in new:
        ids[row] = existing_id(connection, query, row)
    replace_members(connection, PACKAGES_OF_NODE, node, [ids[row] for row in sorted(wanted)])
