"""The catalogs of a fleet: saved in files and folders, or stored in PuppetDBs, with the nodes' systems."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.base.usage import UsageError
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.site.archive import is_archive
from bunraku.puppetdb.site.data import SiteData
from bunraku.puppetdb.site.documents import Documents, items_of
from bunraku.puppetdb.site.files import ENDINGS, add, data_files, documents_in
from bunraku.puppetdb.site.issues import NOT_FOUND
from bunraku.puppetdb.site.opening import open_site, starts_as_database
from bunraku.world.protocol import World

CATALOG_KEY = b'"resources"'
WITH_CATALOG: Json = ["null?", "catalog_timestamp", False]


@record(frozen=True)
class NodeCatalog:
    """A catalog of a node as data, with the family of the node's system if it is known."""

    name: str
    catalog: Any
    family: str | None
    source: str = ""
    """The file or the database that has the catalog."""
    error: str = ""
    """Why the catalog cannot be read."""


def catalogs_of(sources: Iterable[str], world: World) -> Iterator[NodeCatalog]:
    """Yield the catalogs of all sources, one at a time; PuppetError if a source cannot be read."""
    files: list[str] = []
    for source in dict.fromkeys(sources):
        if "://" in source or starts_as_database(source, world):
            yield from stored_catalogs(open_site(source, world, {}), source)
        else:
            files += catalog_files(source, world)
    yield from saved_catalogs(
        list({os.path.realpath(path): path for path in files}.values()), world
    )


def catalog_files(source: str, world: World) -> list[str]:
    """Return the files of a source; PuppetError if it has none, UsageError if it is another kind of file."""
    listed = data_files(source, world)
    if not listed:
        raise NOT_FOUND(path=source)
    is_data = source.endswith(ENDINGS) or is_archive(source)
    if listed == [source] and not is_data and CATALOG_KEY not in world.read(source):
        raise UsageError(f"--nodes: {source} is not a catalog in JSON")
    return listed


def stored_catalogs(data: SiteData, source: str) -> Iterator[NodeCatalog]:
    """Yield the catalogs of the active nodes of a PuppetDB."""
    systems = family_by_node(data)
    listed = data.query(["from", "nodes", ["extract", ["certname"], WITH_CATALOG]])
    for name in sorted(str(row["certname"]) for row in listed if isinstance(row, dict)):
        for catalog in data.query(["from", "catalogs", ["=", "certname", name]]):
            yield NodeCatalog(name, wire_form(catalog), systems.get(name), source)


def wire_form(row: Any) -> dict[str, Any]:
    """Return a catalog of PuppetDB's answers in the form in which agents get it."""
    edges = [
        {
            "source": {"type": one["source_type"], "title": one["source_title"]},
            "target": {"type": one["target_type"], "title": one["target_title"]},
        }
        for one in items_of(row["edges"])
        if one["relationship"] == "contains"
    ]
    return {"name": row["certname"], "resources": items_of(row["resources"]), "edges": edges}


def family_by_node(data: SiteData) -> dict[str, str]:
    """Return the families of the systems of all nodes."""
    names: Json = ["or", ["=", "name", "os"], ["=", "name", "osfamily"]]
    fields: Json = ["certname", "name", "value"]
    rows = data.query(["from", "facts", ["extract", fields, names]])
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        if isinstance(row, dict):
            found.setdefault(str(row["certname"]), {})[str(row["name"])] = row["value"]
    families = {name: family_in(facts) for name, facts in found.items()}
    return {name: family for name, family in families.items() if family is not None}


def saved_catalogs(files: Sequence[str], world: World) -> Iterator[NodeCatalog]:
    """Yield the catalogs in files; facts in other ones name the systems of the nodes."""
    systems = Systems()
    for path in files:
        if CATALOG_KEY in world.read(path):
            systems.catalogs.setdefault(Path(path).stem, []).append(path)
            continue
        with suppress(PuppetError):  # the next loop tells it
            systems.add(path, read_documents(path, world))
    for path in files:
        try:
            documents = read_documents(path, world)
        except PuppetError as error:
            yield NodeCatalog(Path(path).stem, None, None, path, str(error))
            continue
        systems.add(path, documents)
        for name, node in documents.nodes.items():
            if node.catalog is not None:
                yield NodeCatalog(name, node.catalog, systems.family(name, path), path)


@record(slots=False)
class Systems:
    """The families of nodes in files of facts; sites in several folders may have nodes of one name.

    Facts belong to the catalogs of their name that are nearest to them, and a catalog has the nearest ones
    of its facts.
    """

    catalogs: dict[str, list[str]] = field(default_factory=dict)
    """Name of a node → the files of its catalogs."""
    facts: dict[str, dict[str, str]] = field(default_factory=dict)
    """Name of a node → file of facts → the family."""

    def add(self, path: str, documents: Documents) -> None:
        """Take in the facts of a file."""
        for name, node in documents.nodes.items():
            family = family_in(node.facts or {})
            if family is not None:
                self.facts.setdefault(name, {})[path] = family

    def family(self, name: str, path: str) -> str | None:
        """Return the family of a node with a catalog in a file; None if its facts are not known."""
        near = {
            file: nearness(file, path)
            for file in self.facts.get(name, {})
            if nearness(file, path) >= self.nearest(name, file)
        }
        best = max(near.values(), default=None)
        families = {self.facts[name][file] for file, how in near.items() if how == best}
        return families.pop() if len(families) == 1 else None

    def nearest(self, name: str, file: str) -> tuple[int, int]:
        """Return how near the nearest catalog of a name is to a file of facts."""
        others = (nearness(file, path) for path in self.catalogs.get(name, ()))
        return max(others, default=(0, 0))


def nearness(first: str, second: str) -> tuple[int, int]:
    """Return how near two files are: the number of common folders from the top, and from the bottom.

    >>> nearness("/a/facts/n.json", "/a/catalogs/n.json") > nearness(
    ...     "/b/facts/n.json", "/a/catalogs/n.json"
    ... )
    True
    >>> nearness("/facts/a/n.json", "/catalogs/a/n.json") > nearness(
    ...     "/facts/b/n.json", "/catalogs/a/n.json"
    ... )
    True
    """
    folders = [Path(os.path.abspath(path)).parent.parts for path in (first, second)]
    return common(*folders), common(*(one[::-1] for one in folders))


def common(first: Sequence[str], second: Sequence[str]) -> int:
    """Return how many parts are the same until the first difference.

    >>> common("abc", "abd")
    2
    """
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
    return len(list(same))


def read_documents(path: str, world: World) -> Documents:
    """Return the documents in a file."""
    documents = Documents()
    for document in documents_in(path, world):
        add(documents, document)
    return documents


def family_in(facts: Mapping[str, Any]) -> str | None:
    """Return the family of a node's system.

    >>> family_in({"os": {"family": "Debian"}}), family_in({"osfamily": "RedHat"}), family_in({})
    ('Debian', 'RedHat', None)
    """
    system = facts.get("os")
    found = system.get("family") if isinstance(system, Mapping) else None
    found = found or facts.get("osfamily")
    return None if found is None else str(found)
