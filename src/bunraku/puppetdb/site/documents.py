"""Documents of catalogs and facts, as files and archives have them: the data of each node.

A document is a catalog in its wire form (or as PuppetDB takes and gives it), a node's facts, or a
list of resources, of facts, or of documents. A command to PuppetDB is the document in its payload.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.base.records import field, record
from bunraku.catalog.document import RESOURCE
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

Data = Mapping[str, Any]

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
WRAPPED = Fields({"data": HashOf()}, required=("data",))
"""A catalog in Puppet 3's form, next to the type of the document."""
COMMANDS = frozenset(["replace catalog", "replace facts"])


@record(slots=False)
class NodeData:
    """The documents of a node: each of its resources has the shape ``RESOURCE``.

    ``listed`` are the resources that came without a catalog. ``header`` has what came with the facts.
    """

    certname: str
    catalog: Data | None = None
    listed: list[Data] = field(default_factory=list)
    facts: dict[str, Any] | None = None
    header: Data = field(default_factory=dict)

    @property
    def resources(self) -> Iterator[Data]:
        """The resources of the catalog, and those that are listed."""
        if self.catalog is not None:
            yield from items_of(self.catalog["resources"])
        yield from self.listed

    @property
    def environment(self) -> str | None:
        """The environment of the catalog, or else that of the facts or of a listed resource."""
        named = [one for one in (self.catalog, self.header, *self.listed) if one is not None]
        found = [one["environment"] for one in named if one.get("environment")]
        return found[0] if found else None


@record(slots=False)
class Documents:
    """The data of documents by node, in the order in which the nodes appeared.

    ``unclean`` is whether they may have values that no database can store, such as invalid UTF-8.
    """

    nodes: dict[str, NodeData] = field(default_factory=dict)
    unclean: bool = False

    def node(self, certname: str) -> NodeData:
        """Return the data of a node, which is added if it is new."""
        found = self.nodes.get(certname)
        if found is None:
            found = self.nodes[certname] = NodeData(certname)
        return found

    def add(self, data: Any, name: str) -> None:
        """Take in a document; ``name`` is the node of facts without a name.

        A catalog replaces an earlier one of the node; facts are added to earlier ones. Raises
        WrongShape for a document of an unknown kind or of a wrong shape.
        """
        if isinstance(data, list):
            for index, item in enumerate(data):
                self.add_below(index, item, name)
            return
        if not isinstance(data, Mapping):
            raise WrongShape(Mismatch((), KNOWN_DOCUMENTS, kind_of(data)))
        if "data" in data and "document_type" in data:
            WRAPPED.require(data)
            self.add_below("data", data["data"], name)
        elif "payload" in data and data.get("command") in COMMANDS:
            self.add_below("payload", data["payload"], name)
        else:
            self.add_one(data, name)

    def add_below(self, step: str | int, data: Any, name: str) -> None:
        """Take in a document that is inside another one."""
        try:
            self.add(data, name)
        except WrongShape as error:
            raise WrongShape(error.mismatch.below(step)) from None

    def add_one(self, data: Data, name: str) -> None:
        """Take in a document that is not inside another one."""
        node = data.get("certname") or data.get("name")
        if "resources" in data and node:
            CATALOG.require(data)
            self.node(node).catalog = data
        elif {"type", "title", "certname"} <= data.keys():
            RESOURCE_OF_NODE.require(data)
            self.node(data["certname"]).listed.append(data)
        elif "values" in data and node:
            FACTS_WITH_VALUES.require(data)
            self.add_facts(node, data["values"], data)
        elif "facts" in data and node and "certname" in data:
            FACTS_OF_PUPPETDB.require(data)
            self.add_facts(node, fact_values(data["facts"]), data)
        elif {"certname", "name", "value"} <= data.keys():
            FACT_OF_NODE.require(data)
            self.add_facts(data["certname"], {data["name"]: data["value"]}, data)
        elif name and data and "resources" not in data and not {"type", "title"} <= data.keys():
            self.add_facts(name, data, {})
        else:
            raise WrongShape(Mismatch((), KNOWN_DOCUMENTS, "another Hash"))

    def add_facts(self, certname: str, values: Data, header: Data) -> None:
        """Take in a node's facts."""
        node = self.node(certname)
        node.facts = {**(node.facts or {}), **values}
        if header:
            node.header = header


def items_of(collection: Any) -> Any:
    """Return the items of a list; PuppetDB gives it as a hash with ``data``, too."""
    return (collection.get("data") or ()) if isinstance(collection, Mapping) else collection


def fact_values(facts: Any) -> dict[str, Any]:
    """Return facts as a hash; PuppetDB gives them as a list of names and values, too."""
    if isinstance(facts, Mapping) and isinstance(facts.get("data"), list):
        facts = facts["data"]
    if isinstance(facts, list):
        return {one["name"]: one.get("value") for one in facts}
    return dict(facts)


def secret_free(resource: Data) -> dict[str, Any]:
    """Return the parameters of a resource without the sensitive ones, which PuppetDB never stores."""
    parameters: dict[str, Any] = resource.get("parameters") or {}
    secret = resource.get("sensitive_parameters")
    if not secret:
        return parameters
    return {name: value for name, value in parameters.items() if name not in secret}


def exported_resource(certname: str, resource: Data) -> dict[str, Any]:
    """Return an exported resource of a node as collectors use it, without sensitive parameters."""
    return {
        "certname": certname,
        "type": resource["type"],
        "title": str(resource["title"]),
        "tags": list(resource.get("tags") or ()),
        "parameters": dict(secret_free(resource)),
    }
