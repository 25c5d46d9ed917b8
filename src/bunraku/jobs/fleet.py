"""Which nodes of a fleet bunraku could apply, and what stops it: over saved catalogs and PuppetDBs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from bunraku.apply.coverage import ChosenWay, Target, Way, choices_of
from bunraku.apply.validate import run_without_machine
from bunraku.base.errors import PuppetError
from bunraku.base.records import record, replace
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.schema.builtin import builtin_resource_type, vendored_resource_type
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.site.data import SiteData
from bunraku.puppetdb.site.documents import Documents, items_of
from bunraku.puppetdb.site.files import add, data_files, documents_in
from bunraku.puppetdb.site.issues import NOT_FOUND
from bunraku.puppetdb.site.opening import open_site, starts_as_database
from bunraku.world.machine import Machine
from bunraku.world.protocol import World

WAYS: tuple[Way, ...] = ("native", "ruby", "none")
"""The ways from the best: a node has the worst of its resources."""
WINDOWS = "windows"
CATALOG_KEY = b'"resources"'
WITH_CATALOG: Json = ["null?", "catalog_timestamp", False]


@record(frozen=True)
class FleetOptions:
    """The sources of the catalogs: files, folders, databases and URLs of PuppetDBs.

    ``puppet`` says whether an installed Puppet may manage resources. ``module_path`` has directories of
    modules, separated by colons; with it, a type must be Puppet's own or that of a module.
    """

    sources: Sequence[str]
    puppet: bool = True
    module_path: str = ""


@record(frozen=True)
class Lack:
    """Why bunraku does not manage resources of a type itself."""

    way: Way
    type: str
    missing: str
    reason: str


@record(frozen=True)
class FleetNode:
    """What could manage a node, and how many resources each reason concerns."""

    name: str
    family: str | None
    way: Way
    lacks: Mapping[Lack, int]


@record(frozen=True)
class FleetReason:
    """A reason with its nodes: how many have it, how many have no other one, and one of them."""

    lack: Lack
    nodes: int
    only: int
    resources: int
    example: str


@record(frozen=True)
class Fleet:
    """The nodes of a fleet, by name."""

    nodes: Sequence[FleetNode]

    def count(self, way: Way) -> int:
        """Return the number of nodes that can be managed in a way."""
        return sum(1 for one in self.nodes if one.way == way)

    def reasons(self) -> list[FleetReason]:
        """Return the reasons, those of most nodes first."""
        having: dict[Lack, list[FleetNode]] = {}
        for node in self.nodes:
            for lack in node.lacks:
                having.setdefault(lack, []).append(node)
        found = [
            FleetReason(
                lack,
                len(nodes),
                sum(1 for node in nodes if len(node.lacks) == 1),
                sum(node.lacks[lack] for node in nodes),
                nodes[0].name,
            )
            for lack, nodes in having.items()
        ]
        return sorted(found, key=lambda one: (-one.nodes, one.lack.type, one.lack.reason))

    def exit_code(self) -> int:
        """Return 1 if a node cannot be applied at all, else 0."""
        return 1 if self.count("none") else 0


@record(frozen=True)
class NodeCatalog:
    """A catalog of a node as data, with the family of the node's system if it is known."""

    name: str
    catalog: Any
    family: str | None
    error: str = ""
    """Why the catalog cannot be read."""


def fleet_of(options: FleetOptions) -> Fleet:
    """Return what could manage the nodes of the sources; PuppetError if a source cannot be read."""
    judge = FleetJudge(options)
    found: dict[str, FleetNode] = {}
    for one in catalogs_of(options.sources, Machine()):
        found[one.name] = judge.node(one)
    return Fleet([found[name] for name in sorted(found)])


class FleetJudge:
    """Judges the catalogs of nodes."""

    def __init__(self, options: FleetOptions) -> None:
        self.options = options
        self.run = run_without_machine()
        self.run.code = Machine()
        self.run.modules = [one for one in options.module_path.split(":") if one]
        self.in_modules = {
            path.stem
            for folder in self.run.modules
            for path in Path(folder).glob("*/lib/puppet/type/*.rb")
        }

    def node(self, given: NodeCatalog) -> FleetNode:
        """Return what could manage a node."""
        if given.family is not None and given.family.lower() == WINDOWS:
            return hopeless(given, "system", "bunraku does not run on Windows")
        if given.error:
            return hopeless(given, "catalog", given.error)
        try:
            catalog = Catalog(given.catalog)
        except PuppetError as error:
            return hopeless(given, "catalog", str(error))
        target = Target(puppet=self.options.puppet, family=given.family)
        choices = choices_of(catalog, self.run, target)
        counts = Counter(self.lack(one) for one in choices if one.way != "native")
        way = max((one.way for one in counts), key=WAYS.index, default=WAYS[0])
        return FleetNode(given.name, given.family, way, counts)

    def lack(self, choice: ChosenWay) -> Lack:
        """Return why bunraku does not manage a resource itself."""
        found = Lack(choice.way, choice.type, str(choice.missing), choice.reason)
        if choice.missing == "type" and self.is_unknown(choice.type):
            return replace(found, way="none", reason="no module has the type")
        return found

    def is_unknown(self, name: str) -> bool:
        """Return whether a type is neither Puppet's own nor that of a module that is known."""
        if not self.options.module_path or name in self.in_modules:
            return False
        return builtin_resource_type(name) is None and vendored_resource_type(name) is None


def hopeless(given: NodeCatalog, missing: str, reason: str) -> FleetNode:
    """Return a node that cannot be applied, whatever its catalog has."""
    return FleetNode(given.name, given.family, "none", {Lack("none", "", missing, reason): 0})


# -- sources ---------------------------------------------------------------------------------------


def catalogs_of(sources: Iterable[str], world: World) -> Iterator[NodeCatalog]:
    """Yield the catalogs of all sources, one at a time; PuppetError if a source cannot be read."""
    files: list[str] = []
    for source in sources:
        if "://" in source or starts_as_database(source, world):
            yield from stored_catalogs(open_site(source, world, {}))
            continue
        listed = data_files(source, world)
        if not listed:
            raise NOT_FOUND(path=source)
        files += listed
    yield from saved_catalogs(files, world)


def stored_catalogs(data: SiteData) -> Iterator[NodeCatalog]:
    """Yield the catalogs of the active nodes of a PuppetDB."""
    systems = family_by_node(data)
    listed = data.query(["from", "nodes", ["extract", ["certname"], WITH_CATALOG]])
    for name in sorted(str(row["certname"]) for row in listed if isinstance(row, dict)):
        for catalog in data.query(["from", "catalogs", ["=", "certname", name]]):
            yield NodeCatalog(name, wire_form(catalog), systems.get(name))


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
    systems: dict[str, str] = {}
    for path in files:
        if CATALOG_KEY not in world.read(path):
            with suppress(PuppetError):  # the next loop tells it
                systems |= families_in(read_documents(path, world))
    for path in files:
        try:
            documents = read_documents(path, world)
        except PuppetError as error:
            yield NodeCatalog(Path(path).stem, None, None, str(error))
            continue
        systems |= families_in(documents)
        for name, node in documents.nodes.items():
            if node.catalog is not None:
                yield NodeCatalog(name, node.catalog, systems.get(name))


def read_documents(path: str, world: World) -> Documents:
    """Return the documents in a file."""
    documents = Documents()
    for document in documents_in(path, world):
        add(documents, document)
    return documents


def families_in(documents: Documents) -> dict[str, str]:
    """Return the families of the systems of the nodes whose facts are among documents."""
    families = {name: family_in(node.facts or {}) for name, node in documents.nodes.items()}
    return {name: family for name, family in families.items() if family is not None}


def family_in(facts: Mapping[str, Any]) -> str | None:
    """Return the family of a node's system.

    >>> family_in({"os": {"family": "Debian"}}), family_in({"osfamily": "RedHat"}), family_in({})
    ('Debian', 'RedHat', None)
    """
    system = facts.get("os")
    found = system.get("family") if isinstance(system, Mapping) else None
    found = found or facts.get("osfamily")
    return None if found is None else str(found)
