"""Store facts: a node has the values of its newest factset, each with its leaves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

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
TEXTS: BoundedCache[tuple[str, str], FactTexts] = BoundedCache("texts of facts", 10_000)
"""The texts of a fact by its name and the ``repr`` of its value, which has types and order."""
LARGEST_KEPT = 16 * 1024
"""The longest value whose texts are kept, in characters."""


def store_facts(connection: Connection, factset: Factset, received: int) -> None:
    """Store the facts of a node, unless it has newer ones."""
    node = node_id(connection, factset.certname)
    query = "SELECT hash, producer_timestamp FROM factsets WHERE node_id = ?"
    old = connection.execute(query, (node,)).fetchone()
    if old and old[1] > factset.producer_timestamp:
        return
    facts = [Fact.of(*item) for item in factset.values.items()]
    content = hash_of_facts(factset, {fact.name: fact.texts.sorted for fact in facts})
    if not old or old[0] != content:
        store_values(connection, node, facts)
        store_packages(connection, node, factset.packages or ())
    names = (*name_ids(connection, factset.environment, factset.producer),)
    connection.execute(STORE, (node, content, *names, factset.producer_timestamp, received))
    reactivate(connection, node, factset.producer_timestamp)


@record(frozen=True)
class FactTexts:
    """The canonical text of a fact's value, the text in the hash of the factset, and the digest of the row."""

    canonical: str
    sorted: str
    digest: bytes

    @staticmethod
    def of(name: str, value: Json) -> FactTexts:
        """Return the texts of a fact; most facts have the same value in the next run of an agent.

        Values are compared with their types: 1, 1.0 and true differ.
        """
        key = (name, repr(value))
        found = TEXTS.get(key)
        if found is None:
            text = canonical_json(value)
            found = FactTexts(text, sorted_json(value), digest(name, text))
            if len(key[1]) <= LARGEST_KEPT:
                TEXTS.keep(key, found)
        return found


@record(frozen=True)
class Fact:
    """A fact with its texts."""

    name: str
    value: Json
    texts: FactTexts

    @staticmethod
    def of(name: str, value: Json) -> Fact:
        """Return a fact."""
        return Fact(name, value, FactTexts.of(name, value))

    def row(self) -> Row:
        """Return the row of the value, without its hash."""
        return (self.name, self.texts.canonical, *comparable(self.value))


def store_values(connection: Connection, node: int, values: Sequence[Fact]) -> None:
    """Store the values of a node, with the leaves of those that no other node has.

    Names are the order of the new rows: most of their indexes then grow at the end alone.
    """
    facts = {fact.texts.digest: fact for fact in values}
    members = changed_members(connection, VALUES_OF_NODE, node, facts)
    ids, new = shared_ids(connection, VALUES, members.wanted, Fact.row, lambda key: facts[key].name)
    for start in range(0, len(new), AT_ONCE):
        store_leaves(connection, {ids[key]: facts[key] for key in new[start : start + AT_ONCE]})
    change_members(connection, VALUES_OF_NODE, node, members.gone, ids.values())


def store_leaves(connection: Connection, facts: Mapping[int, Fact]) -> None:
    """Store the leaves of new values, by the numbers of the values."""
    leaves = [leaf for number, fact in facts.items() for leaf in leaf_rows(number, fact)]
    paths = path_ids(connection, leaves)
    connection.executemany(
        "INSERT INTO fact_leaves (value_id, path_id, value, number, text)"
        " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [
            (leaf.value_id, paths[leaf.path, leaf.kind], leaf.value, leaf.number, leaf.text)
            for leaf in leaves
        ],
    )


@record(frozen=True)
class LeafRow:
    """A leaf of a fact's value, as the tables ``fact_paths`` and ``fact_leaves`` have it."""

    value_id: int
    path: str
    encoded: str
    name: str
    depth: int
    kind: str
    value: str
    number: float | None
    text: str | None


def leaf_rows(value_id: int, fact: Fact) -> Iterator[LeafRow]:
    """Yield the leaves of a fact's value."""
    start: Path = (fact.name,)
    for path, leaf in leaves_of(start, fact.value):
        yield LeafRow(
            value_id,
            *path_names(path),
            fact.name,
            len(path) - 1,
            leaf_kind(leaf),
            canonical_json(leaf),
            *comparable(leaf),
        )


@remembered(10_000)
def path_names(path: Path) -> tuple[str, str]:
    """Return a path as the database has it, and in PuppetDB's form; nodes have the same paths."""
    return path_text(path), encoded_path(path)


def path_ids(connection: Connection, leaves: Sequence[LeafRow]) -> dict[tuple[str, str], int]:
    """Return the numbers of the paths of leaves, by path and type; new ones are added in the order of the facts' names."""
    rows = {
        (leaf.path, leaf.kind): (leaf.path, leaf.encoded, leaf.name, leaf.depth, leaf.kind)
        for leaf in leaves
    }
    found = known_paths(connection, rows)
    missing = sorted(rows.keys() - found.keys(), key=lambda key: (rows[key][2], key))
    connection.executemany(
        "INSERT INTO fact_paths (path, encoded, name, depth, kind)"
        " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [rows[key] for key in missing],
    )
    ids = {**found, **known_paths(connection, missing)}
    check_presence(missing, ids)
    return ids


def known_paths(
    connection: Connection, keys: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], int]:
    """Return the numbers of the paths that exist, by path and type."""
    found: dict[tuple[str, str], int] = {}
    remaining = iter({path for path, _ in keys})
    while group := list(islice(remaining, AT_ONCE)):
        places = ", ".join("?" * len(group))
        query = f"SELECT path, kind, id FROM fact_paths WHERE path IN ({places})"
        found.update(
            {(path, kind): number for path, kind, number in connection.execute(query, group)}
        )
    return found


def leaf_kind(value: Json) -> str:
    """Return the type of a leaf as ``fact_paths`` names it, which tells integers from floats."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return kind_of(value)
    return "integer" if isinstance(value, int) else "float"


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
