"""Catalogs and facts of other nodes, read from files: the data of a PuppetDB.

A document is a catalog in its wire form (or as PuppetDB takes and gives it), a node's facts, or a
list of resources, of facts, or of documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.records import field, record, replace
from bunraku.base.source import Place
from bunraku.catalog.document import RESOURCE
from bunraku.formats.document import Document, read_document
from bunraku.formats.json import as_json
from bunraku.formats.shape import (
    TEXT,
    Array,
    Either,
    Fields,
    HashOf,
    Mismatch,
    WrongShape,
    kind_of,
)
from bunraku.stored import issues
from bunraku.world.file_signatures import Signature
from bunraku.world.protocol import World

Data = dict[str, Any]
Exported = dict[str, list[Data]]
ENDINGS = (".json", ".yaml", ".yml")

# -- the documents -----------------------------------------------------------------------------------

KNOWN_DOCUMENTS = "a catalog, facts or resources"
CATALOG = Fields(
    {
        "certname": TEXT,
        "name": TEXT,
        "environment": TEXT,
        "resources": Either(
            (Array(RESOURCE), Fields({"data": Array(RESOURCE)}, expected="a Hash with 'data'"))
        ),
    },
    required=("resources",),
)
"""A catalog: an agent's, or PuppetDB's, whose resources may be under ``data``."""
RESOURCE_OF_NODE = Fields(
    {**RESOURCE.known, "certname": TEXT, "environment": TEXT},
    required=("certname", *RESOURCE.required),
)
OF_NODE = {"certname": TEXT, "name": TEXT, "environment": TEXT}
FACTS_WITH_VALUES = Fields({**OF_NODE, "values": HashOf()}, required=("values",))
LISTED_FACTS = Array(Fields({"name": TEXT}, required=("name",)))
FACTS_OF_PUPPETDB = Fields(
    {
        **OF_NODE,
        "facts": Either((LISTED_FACTS, Fields({"data": LISTED_FACTS}))),
    },
    required=("certname", "facts"),
)
FACT_OF_NODE = Fields(OF_NODE, required=("certname", "name"))
COMMAND = Fields({"data": HashOf()}, required=("data",))
"""A catalog in Puppet 3's form, next to the type of the document."""


@record(slots=False)
class Store:
    """Stored data by node."""

    catalogs: dict[str, Data] = field(default_factory=dict)
    resources: list[Data] = field(default_factory=list)
    facts: dict[str, Data] = field(default_factory=dict)
    environments: dict[str, str] = field(default_factory=dict)

    @cached_property
    def exported(self) -> Exported:
        """The exported resources by their type."""
        return by_type(resource for resource in self.resources if resource["exported"])

    @property
    def nodes(self) -> list[str]:
        """The names of all nodes, sorted."""
        told = {resource["certname"] for resource in self.resources}
        return sorted({*self.catalogs, *self.facts, *told})

    # -- taking in -------------------------------------------------------------------------------

    def add(self, data: Any, name: str) -> None:
        """Take in a document; ``name`` is the node of facts without a name.

        Raises WrongShape for a document of an unknown kind or of a wrong shape.
        """
        if isinstance(data, list):
            for index, item in enumerate(data):
                try:
                    self.add(item, name)
                except WrongShape as error:
                    raise WrongShape(error.mismatch.below(index)) from None
            return
        if not isinstance(data, Mapping):
            raise WrongShape(Mismatch((), KNOWN_DOCUMENTS, kind_of(data)))
        if "data" in data and "document_type" in data:
            COMMAND.require(data)
            try:
                self.add(data["data"], name)
            except WrongShape as error:
                raise WrongShape(error.mismatch.below("data")) from None
            return
        node = data.get("certname") or data.get("name")
        if "resources" in data and node:
            CATALOG.require(data)
            self.add_catalog(node, data)
        elif {"type", "title", "certname"} <= data.keys():
            RESOURCE_OF_NODE.require(data)
            self.resources.append(stored_resource(data["certname"], data))
        elif "values" in data and node:
            FACTS_WITH_VALUES.require(data)
            self.add_facts(node, data["values"], data)
        elif "facts" in data and node and "certname" in data:
            FACTS_OF_PUPPETDB.require(data)
            self.add_facts(node, fact_values(data["facts"]), data)
        elif {"certname", "name", "value"} <= data.keys():
            FACT_OF_NODE.require(data)
            self.facts.setdefault(data["certname"], {})[data["name"]] = data["value"]
        elif name and data and not {"resources", "type"} & data.keys():
            self.add_facts(name, data, {})
        else:
            raise WrongShape(Mismatch((), KNOWN_DOCUMENTS, "another Hash"))

    def add_catalog(self, node: str, data: Mapping[str, Any]) -> None:
        """Take in a catalog."""
        self.catalogs[node] = dict(data)
        self.note_environment(node, data)
        given = data["resources"]
        if isinstance(given, Mapping):
            given = given.get("data") or ()
        environment = data.get("environment")
        self.resources += [stored_resource(node, one, environment) for one in given]

    def add_facts(self, node: str, values: Mapping[str, Any], data: Mapping[str, Any]) -> None:
        """Take in a node's facts."""
        self.facts.setdefault(node, {}).update(values)
        self.note_environment(node, data)

    def note_environment(self, node: str, data: Mapping[str, Any]) -> None:
        """Remember the environment that a document names."""
        if isinstance(data.get("environment"), str):
            self.environments[node] = data["environment"]


def fact_values(facts: Any) -> Data:
    """Facts as a hash; PuppetDB gives them as a list of names and values too."""
    if isinstance(facts, Mapping) and isinstance(facts.get("data"), list):
        facts = facts["data"]
    if isinstance(facts, list):
        return {one["name"]: one.get("value") for one in facts}
    return dict(facts)


def by_type(resources: Iterable[Data]) -> Exported:
    """Return resources grouped by their type."""
    found: Exported = {}
    for resource in resources:
        found.setdefault(resource["type"], []).append(resource)
    return found


def exported_among(store: Store | None, exports: Mapping[str, Sequence[Data]]) -> Exported:
    """Return exported resources by type: those of a store, and those given for each node.

    The exports given for a node replace those in the store. The order is that of the nodes' names.
    """
    kept = [] if store is None else store.resources
    found = [one for one in kept if one["exported"] and one["certname"] not in exports]
    found += [one for node in exports for one in exports[node]]
    return by_type(sorted(found, key=lambda one: str(one["certname"])))


def stored_resource(node: str, data: Mapping[str, Any], environment: Any = None) -> Data:
    """Return a resource with all fields that queries may use.

    Sensitive parameters are left out, as PuppetDB never stores them.
    """
    secret = data.get("sensitive_parameters") or ()
    parameters = dict(data.get("parameters") or {})
    return {
        "certname": node,
        "environment": data.get("environment", environment),
        "type": str(data.get("type", "")),
        "title": str(data.get("title", "")),
        "tags": list(data.get("tags") or ()),
        "exported": bool(data.get("exported")),
        "file": data.get("file"),
        "line": data.get("line"),
        "parameters": {name: one for name, one in parameters.items() if name not in secret},
    }


# -- reading ---------------------------------------------------------------------------------------

STORES: BoundedCache[tuple[tuple[str, Signature | None], ...], Store] = BoundedCache(
    "stores of exported resources", 1
)
"""Stores that were read, by their files: many compiles of one process read the same."""


def read_store(path: str, world: World) -> Store:
    """Return the store in a file, or in the files of a folder and those below it."""
    files = stored_files(path, world)
    if not files and not world.is_directory(path):
        raise issues.STORED_NOT_FOUND(path=path)
    key = tuple((file, world.signature(file)) for file in files)
    known = STORES.get(key)
    if known is not None:
        return known
    store = Store()
    for file in files:
        document = stored_document(file, world)
        stem = file.rpartition("/")[2].rpartition(".")[0]
        if document is None:
            continue
        try:
            store.add(document.data, stem)
        except WrongShape as error:
            wrong = error.mismatch
            unknown = wrong.expected == KNOWN_DOCUMENTS
            issue = issues.STORED_UNKNOWN if unknown else issues.STORED_INVALID
            raise document.error(wrong, issue) from None
    STORES.clear()
    if all(signature is not None for _, signature in key):
        STORES.keep(key, store)
    return store


def stored_files(path: str, world: World) -> list[str]:
    """Return the files to read, sorted."""
    if not world.is_directory(path):
        return [path] if world.is_file(path) else []
    found: list[str] = []
    for name in world.list_directory(path):
        inner = f"{path.rstrip('/')}/{name}"
        if world.is_directory(inner):
            found += stored_files(inner, world)
        elif name.endswith(ENDINGS):
            found.append(inner)
    return found


def stored_document(path: str, world: World) -> Document | None:
    """Return the document in a file; None for a blank one."""
    try:
        content = world.read(path)
    except OSError as error:
        raise issues.STORED_NOT_FOUND(path=path).at(Place(path)) from error
    if not content.strip():
        return None  # such as the target of a shell's redirection, before anything is written
    document = read_document(content, path, issues.STORED_BROKEN)
    return document if document.format == "JSON" else replace(document, data=as_json(document.data))
