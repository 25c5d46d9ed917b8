"""The entities of queries as data: fields, the tables they come from, relations between entities.

Everything that is true of one entity stands here and nowhere else; what follows from it is answered
by functions of :mod:`bunraku.puppetdb.queries`. SQL in this file is fixed: nothing of a query
becomes part of it. It has the functions of SQLite, which every database has under these names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from bunraku.base.records import field, record, replace
from bunraku.puppetdb.documents import Catalog, Report, columns_of

Kind = Literal[
    "text",
    "number",
    "boolean",
    "timestamp",
    "texts",  # a list of texts
    "json",  # any value; only projected
    "serialized",  # any value; compared as JSON text
    "fact",  # the value of a fact: scalars are compared by type
    "path",  # a path into facts
    "document",  # an object, whose parts are fields with dots
    "tag",  # one of the tags of a resource
    "latest",  # whether a report is the latest of its node
]


@record(frozen=True)
class Field:
    """A field: its type, its SQL expression, and the joined tables that the expression reads.

    ``nullable`` decides whether an order has to say where nulls go.
    """

    name: str
    kind: Kind
    column: str
    tables: tuple[str, ...] = ()
    queryable: bool = True
    projectable: bool = True
    nullable: bool = True


@record(frozen=True)
class Join:
    """A table that is joined only if a field needs it; ``tables`` are those it needs itself."""

    alias: str
    text: str
    tables: tuple[str, ...] = ()


@record(frozen=True)
class Relation:
    """How rows of one entity belong to those of another: equal fields."""

    local: tuple[str, ...]
    foreign: tuple[str, ...]


@record(frozen=True)
class Entity:
    """A kind of rows that queries can read; ``node`` is the SQL of the number of a row's node.

    ``active_only``: its route answers for active nodes unless the query says otherwise.
    ``order`` is the field that rows are sorted by where the entity has an order of its own.
    ``values_only``: rows are the values of its one field, not objects.
    ``count`` is the SQL of the number of rows in a group.
    """

    name: str
    source: str
    joins: Mapping[str, Join]
    fields: Mapping[str, Field]
    relations: Mapping[str, Relation] = field(default_factory=dict)
    node: str | None = None
    node_tables: tuple[str, ...] = ()
    active_only: bool = False
    agent_reports: bool = False
    order: str | None = None
    values_only: bool = False
    count: str = "count(*)"

    def field(self, name: str) -> Field | None:
        """Return a field by its name."""
        return self.fields.get(name)

    @property
    def queryable(self) -> list[str]:
        """The names of the fields that conditions can use."""
        return sorted(name for name, one in self.fields.items() if one.queryable)

    @property
    def projectable(self) -> list[str]:
        """The names of the fields that answers can have."""
        return [name for name, one in self.fields.items() if one.projectable]


def by_name(fields: Iterable[Field]) -> dict[str, Field]:
    """Return the fields by name."""
    return {one.name: one for one in fields}


def stored(document: type, alias: str, kind: Kind | None = None) -> list[Field]:
    """Return the fields that are columns of a kind of documents, or those of one type."""
    return [
        Field(one.name, one.kind, f"{alias}.{one.name}", nullable=one.nullable)
        for one in columns_of(document)
        if kind in (None, one.kind)
    ]


def by_alias(*joins: Join) -> dict[str, Join]:
    """Return the joins by alias."""
    return {one.alias: one for one in joins}


def same(*names: str) -> Relation:
    """Return a relation of fields with the same names."""
    return Relation(names, names)


OF_A_NODE = (
    "factsets",
    "reports",
    "package_inventory",
    "inventory",
    "catalogs",
    "catalog_input_contents",
    "catalog_inputs",
    "nodes",
    "facts",
    "fact_contents",
    "events",
    "edges",
    "resources",
)
BY_CERTNAME = {name: same("certname") for name in OF_A_NODE}
TO_ENVIRONMENT = Relation(("environment",), ("name",))
TO_PRODUCER = Relation(("producer",), ("name",))


def certname_field() -> Field:
    """Return the field for the name of a row's node."""
    return Field("certname", "text", "n.certname", ("n",), nullable=False)


def environment_join(source: str, *tables: str) -> Join:
    """Return the join of the environment of a row."""
    text = f"LEFT JOIN environments AS e ON e.id = {source}.environment_id"
    return Join("e", text, tables)


def producer_join(source: str) -> Join:
    """Return the join of the producer of a row."""
    return Join("p", f"LEFT JOIN producers AS p ON p.id = {source}.producer_id")


def node_join(source: str) -> Join:
    """Return the join of the node of a row."""
    return Join("n", f"JOIN nodes AS n ON n.id = {source}.node_id")


def array_of_objects(source: str, **members: str) -> str:
    """Return the SQL of a JSON array of objects from some rows; null if there are none.

    Each member is the SQL of its JSON text.
    """
    pieces = [f"\"{name}\": ' || {value} || '" for name, value in members.items()]
    return f"(SELECT '[' || group_concat('{{{', '.join(pieces)}}}', ', ') || ']' FROM {source})"


def flag_json(column: str) -> str:
    """Return the SQL of the JSON text of a Boolean."""
    return f"CASE WHEN {column} THEN 'true' WHEN NOT {column} THEN 'false' ELSE 'null' END"


ENVIRONMENT = Field("environment", "text", "e.name", ("e",))
PRODUCER = Field("producer", "text", "p.name", ("p",))

NODES = Entity(
    "nodes",
    "nodes AS n",
    by_alias(
        Join("c", "LEFT JOIN catalogs AS c ON c.node_id = n.id"),
        Join("ce", "LEFT JOIN environments AS ce ON ce.id = c.environment_id", ("c",)),
        Join("fs", "LEFT JOIN factsets AS fs ON fs.node_id = n.id"),
        Join("fe", "LEFT JOIN environments AS fe ON fe.id = fs.environment_id", ("fs",)),
        Join("r", "LEFT JOIN reports AS r ON r.id = n.latest_report_id"),
        Join("re", "LEFT JOIN environments AS re ON re.id = r.environment_id", ("r",)),
    ),
    by_name(
        [
            Field("certname", "text", "n.certname", nullable=False),
            Field("deactivated", "timestamp", "n.deactivated"),
            Field("expired", "timestamp", "n.expired"),
            Field("catalog_timestamp", "timestamp", "c.timestamp", ("c",)),
            Field("facts_timestamp", "timestamp", "fs.timestamp", ("fs",)),
            Field("report_timestamp", "timestamp", "r.end_time", ("r",)),
            Field("catalog_environment", "text", "ce.name", ("ce",)),
            Field("facts_environment", "text", "fe.name", ("fe",)),
            Field("report_environment", "text", "re.name", ("re",)),
            Field("latest_report_hash", "text", "r.hash", ("r",)),
            Field("latest_report_status", "text", "r.status", ("r",)),
            Field("latest_report_noop", "boolean", "r.noop", ("r",)),
            Field("latest_report_noop_pending", "boolean", "r.noop_pending", ("r",)),
            Field("latest_report_corrective_change", "boolean", "r.corrective_change", ("r",)),
            Field("latest_report_job_id", "text", "r.job_id", ("r",)),
            Field("cached_catalog_status", "text", "r.cached_catalog_status", ("r",)),
        ]
    ),
    BY_CERTNAME,
    node="n.id",
    active_only=True,
)

NODES_WITH_EXPIRATION = replace(
    NODES,
    fields={
        **NODES.fields,
        **by_name(
            [
                Field("expires_facts", "boolean", "coalesce(n.expires_facts, TRUE)"),
                Field("expires_facts_updated", "timestamp", "n.expires_facts_updated"),
            ]
        ),
    },
)

ENVIRONMENTS = Entity(
    "environments",
    "environments AS e",
    {},
    by_name([Field("name", "text", "e.name", nullable=False)]),
    {
        name: Relation(("name",), ("environment",))
        for name in (
            "inventory",
            "factsets",
            "catalogs",
            "reports",
            "facts",
            "fact_contents",
            "events",
            "resources",
        )
    },
)

PRODUCERS = Entity(
    "producers",
    "producers AS p",
    {},
    by_name([Field("name", "text", "p.name", nullable=False)]),
    {name: Relation(("name",), ("producer",)) for name in ("factsets", "catalogs", "reports")},
)

# -- facts -------------------------------------------------------------------------------------------

FACT_JOINS = (
    node_join("f"),
    Join("v", "JOIN fact_values AS v ON v.id = f.value_id"),
    Join("fs", "JOIN factsets AS fs ON fs.node_id = f.node_id"),
    environment_join("fs", "fs"),
)
FACTS = Entity(
    "facts",
    "facts AS f",
    by_alias(*FACT_JOINS),
    by_name(
        [
            certname_field(),
            ENVIRONMENT,
            Field("name", "text", "v.name", ("v",), nullable=False),
            Field("value", "fact", "v", ("v",)),
        ]
    ),
    {
        **BY_CERTNAME,
        "environments": TO_ENVIRONMENT,
        "fact_contents": same("certname", "name"),
    },
    node="f.node_id",
    active_only=True,
)

FACT_CONTENTS = Entity(
    "fact_contents",
    "facts AS f JOIN fact_leaves AS v ON v.value_id = f.value_id",
    by_alias(
        *(join for join in FACT_JOINS if join.alias != "v"),
        Join("fp", "JOIN fact_paths AS fp ON fp.id = v.path_id"),
    ),
    by_name(
        [
            certname_field(),
            ENVIRONMENT,
            Field("path", "path", "fp", ("fp",)),
            Field("name", "text", "fp.name", ("fp",), nullable=False),
            Field("value", "fact", "v"),
        ]
    ),
    {**BY_CERTNAME, "facts": same("certname", "name"), "environments": TO_ENVIRONMENT},
    node="f.node_id",
    active_only=True,
)

FACT_PATHS = Entity(
    "fact_paths",
    "fact_paths AS fp",
    {},
    by_name(
        [
            Field("path", "path", "fp"),
            Field("name", "text", "fp.name", nullable=False),
            Field("type", "text", "fp.kind", nullable=False),
            Field("depth", "number", "fp.depth", projectable=False, nullable=False),
        ]
    ),
    {"facts": same("name"), "fact_contents": same("path")},
)

FACT_NAMES = Entity(
    "fact_names",
    "(SELECT DISTINCT name FROM fact_paths) AS fn",
    {},
    by_name([Field("name", "text", "fn.name", nullable=False)]),
    order="name",
    values_only=True,
)

VALUES_OF_FACTSET = (
    "facts AS of JOIN fact_values AS ov ON ov.id = of.value_id WHERE of.node_id = fs.node_id"
)
ALL_FACTS = (
    "(SELECT '{' || coalesce(group_concat(json_quote(ov.name) || ': ' || ov.value, ', '), '') || '}'"
    f" FROM {VALUES_OF_FACTSET})"
)
LISTED_FACTS = array_of_objects(VALUES_OF_FACTSET, name="json_quote(ov.name)", value="ov.value")
TRUSTED = f"(SELECT ov.value FROM {VALUES_OF_FACTSET} AND ov.name = 'trusted')"


def expanded_object(data: str, parent: str, key: str, child: str) -> str:
    """Return the SQL of a sub-object with the data of a child and the path of its own route."""
    href = f"'/pdb/query/v4/{parent}/' || {key} || '/{child}'"
    return f"'{{\"data\": ' || coalesce({data}, 'null') || ', \"href\": ' || json_quote({href}) || '}}'"


FACTSETS = Entity(
    "factsets",
    "factsets AS fs",
    by_alias(node_join("fs"), environment_join("fs"), producer_join("fs")),
    by_name(
        [
            certname_field(),
            ENVIRONMENT,
            PRODUCER,
            Field("hash", "text", "fs.hash", nullable=False),
            Field("timestamp", "timestamp", "fs.timestamp", nullable=False),
            Field("producer_timestamp", "timestamp", "fs.producer_timestamp", nullable=False),
            Field(
                "facts",
                "json",
                expanded_object(LISTED_FACTS, "factsets", "n.certname", "facts"),
                ("n",),
            ),
        ]
    ),
    {**BY_CERTNAME, "environments": TO_ENVIRONMENT, "producers": TO_PRODUCER},
    node="fs.node_id",
    active_only=True,
)

PACKAGES_OF_FACTSET = (
    "(SELECT '[' || group_concat('[' || json_quote(op.name) || ', ' || json_quote(op.version)"
    " || ', ' || json_quote(op.provider) || ']', ', ') || ']' FROM ("
    "SELECT k.name, k.version, k.provider FROM node_packages AS np"
    " JOIN packages AS k ON k.id = np.package_id WHERE np.node_id = fs.node_id"
    " ORDER BY k.name, k.version, k.provider) AS op)"
)
FACTSETS_WITH_PACKAGES = replace(
    FACTSETS,
    fields={
        **FACTSETS.fields,
        **by_name([Field("package_inventory", "json", PACKAGES_OF_FACTSET, queryable=False)]),
    },
)

INVENTORY = Entity(
    "inventory",
    "factsets AS fs",
    by_alias(node_join("fs"), environment_join("fs")),
    by_name(
        [
            certname_field(),
            ENVIRONMENT,
            Field("timestamp", "timestamp", "fs.timestamp", nullable=False),
            Field("facts", "document", ALL_FACTS),
            Field("trusted", "document", TRUSTED),
        ]
    ),
    BY_CERTNAME,
    node="fs.node_id",
    active_only=True,
)

# -- catalogs ----------------------------------------------------------------------------------------

RESOURCES_OF_CATALOG = array_of_objects(
    "catalog_resources AS oc JOIN resources AS o ON o.id = oc.resource_id"
    " WHERE oc.node_id = c.node_id",
    resource="json_quote(lower(hex(o.identity)))",
    type="json_quote(o.type)",
    title="json_quote(o.title)",
    tags="o.tags",
    exported=flag_json("o.exported"),
    file="json_quote(o.file)",
    line="json_quote(o.line)",
    parameters="o.parameters",
)
EDGES_OF_CATALOG = array_of_objects(
    "catalog_edges AS oc JOIN edges AS o ON o.id = oc.edge_id WHERE oc.node_id = c.node_id",
    source_type="json_quote(o.source_type)",
    source_title="json_quote(o.source_title)",
    target_type="json_quote(o.target_type)",
    target_title="json_quote(o.target_title)",
    relationship="json_quote(o.relationship)",
)

CATALOGS = Entity(
    "catalogs",
    "catalogs AS c",
    by_alias(node_join("c"), environment_join("c"), producer_join("c")),
    by_name(
        [
            certname_field(),
            ENVIRONMENT,
            PRODUCER,
            Field("hash", "text", "c.hash", nullable=False),
            *stored(Catalog, "c"),
            Field(
                "resources",
                "json",
                expanded_object(RESOURCES_OF_CATALOG, "catalogs", "n.certname", "resources"),
                ("n",),
                queryable=False,
            ),
            Field(
                "edges",
                "json",
                expanded_object(EDGES_OF_CATALOG, "catalogs", "n.certname", "edges"),
                ("n",),
                queryable=False,
            ),
        ]
    ),
    {**BY_CERTNAME, "environments": TO_ENVIRONMENT, "producers": TO_PRODUCER},
    node="c.node_id",
)

TYPE_OF_RESOURCE = Field("type", "text", "r.type", ("r",), nullable=False)
RESOURCES = Entity(
    "resources",
    "catalog_resources AS cr",
    by_alias(
        Join("r", "JOIN resources AS r ON r.id = cr.resource_id"),
        Join("n", "JOIN nodes AS n ON n.id = cr.node_id"),
        Join("c", "JOIN catalogs AS c ON c.node_id = cr.node_id"),
        environment_join("c", "c"),
    ),
    by_name(
        [
            certname_field(),
            ENVIRONMENT,
            Field("resource", "text", "lower(hex(r.identity))", ("r",), nullable=False),
            TYPE_OF_RESOURCE,
            Field("title", "text", "r.title", ("r",), nullable=False),
            Field("tag", "tag", "cr.resource_id", projectable=False),
            Field("tags", "texts", "r.tags", ("r",)),
            Field("exported", "boolean", "r.exported", ("r",), nullable=False),
            Field("file", "text", "r.file", ("r",)),
            Field("line", "number", "r.line", ("r",)),
            Field("parameters", "document", "r.parameters", ("r",)),
        ]
    ),
    {
        "catalogs": same("certname"),
        "nodes": same("certname"),
        "environments": TO_ENVIRONMENT,
    },
    node="cr.node_id",
    active_only=True,
)
COUNTED: Mapping[str, Entity] = {
    "resources": replace(
        RESOURCES,
        source="resource_counts AS cr",
        joins={alias: join for alias, join in RESOURCES.joins.items() if alias != "r"},
        fields=by_name(
            [certname_field(), ENVIRONMENT, replace(TYPE_OF_RESOURCE, column="cr.type", tables=())]
        ),
        count="CAST(coalesce(sum(cr.count), 0) AS BIGINT)",
    )
}
"""The same rows as stored counts: fewer fields, and one stored row for many."""

EDGES = Entity(
    "edges",
    "catalog_edges AS ce",
    by_alias(node_join("ce"), Join("ed", "JOIN edges AS ed ON ed.id = ce.edge_id")),
    by_name(
        [
            certname_field(),
            *(
                Field(name, "text", f"ed.{name}", ("ed",), nullable=False)
                for name in (
                    "relationship",
                    "source_title",
                    "source_type",
                    "target_title",
                    "target_type",
                )
            ),
        ]
    ),
    BY_CERTNAME,
    node="ce.node_id",
    active_only=True,
)

INPUT_FIELDS = (
    certname_field(),
    Field("producer_timestamp", "timestamp", "n.catalog_inputs_timestamp", ("n",)),
    Field("catalog_uuid", "text", "n.catalog_inputs_uuid", ("n",)),
)
CATALOG_INPUT_CONTENTS = Entity(
    "catalog_input_contents",
    "catalog_inputs AS ci",
    by_alias(node_join("ci")),
    by_name(
        [
            *INPUT_FIELDS,
            Field("name", "text", "ci.name", nullable=False),
            Field("type", "text", "ci.type", nullable=False),
        ]
    ),
    BY_CERTNAME,
    node="ci.node_id",
    active_only=True,
)
CATALOG_INPUTS = Entity(
    "catalog_inputs",
    "(SELECT node_id, '[' || group_concat('[' || json_quote(type) || ', ' || json_quote(name) || ']',"
    " ', ') || ']' AS inputs FROM catalog_inputs GROUP BY node_id) AS ci",
    by_alias(node_join("ci")),
    by_name([*INPUT_FIELDS, Field("inputs", "json", "ci.inputs")]),
    BY_CERTNAME,
    node="ci.node_id",
    active_only=True,
)

# -- packages ----------------------------------------------------------------------------------------

PACKAGE_FIELDS = tuple(
    Field(name, "text", f"pk.{column}", ("pk",), nullable=False)
    for name, column in (("package_name", "name"), ("version", "version"), ("provider", "provider"))
)
PACKAGES = Entity("packages", "packages AS pk", {}, by_name(PACKAGE_FIELDS))
PACKAGE_INVENTORY = Entity(
    "package_inventory",
    "node_packages AS np",
    by_alias(node_join("np"), Join("pk", "JOIN packages AS pk ON pk.id = np.package_id")),
    by_name([certname_field(), *PACKAGE_FIELDS]),
    BY_CERTNAME,
    node="np.node_id",
    active_only=True,
)

# -- reports -----------------------------------------------------------------------------------------

EVENTS_OF_REPORT = array_of_objects(
    "events AS o WHERE o.report_id = r.id",
    status="json_quote(o.status)",
    timestamp="json_quote(second_text(o.timestamp))",
    resource_type="json_quote(o.resource_type)",
    resource_title="json_quote(o.resource_title)",
    property="json_quote(o.property)",
    corrective_change=flag_json("o.corrective_change"),
    new_value="o.new_value",
    old_value="o.old_value",
    message="json_quote(o.message)",
    file="json_quote(o.file)",
    line="json_quote(o.line)",
    containment_path="coalesce(o.containment_path, 'null')",
    containing_class="json_quote(o.containing_class)",
    name="json_quote(o.name)",
)
DETAILS = Join("rd", "JOIN report_details AS rd ON rd.report_id = r.id")


def report_detail(name: str) -> Field:
    """Return the field of a report's metrics or logs."""
    data = expanded_object(f"rd.{name}", "reports", "r.hash", name)
    return Field(name, "json", data, ("rd",), queryable=False)


REPORTS = Entity(
    "reports",
    "reports AS r",
    by_alias(node_join("r"), environment_join("r"), producer_join("r"), DETAILS),
    by_name(
        [
            certname_field(),
            ENVIRONMENT,
            PRODUCER,
            Field("hash", "text", "r.hash", nullable=False),
            *stored(Report, "r", "timestamp"),
            Field("receive_time", "timestamp", "r.receive_time", nullable=False),
            *stored(Report, "r", "text"),
            *stored(Report, "r", "number"),
            *stored(Report, "r", "boolean"),
            Field("corrective_change", "boolean", "r.corrective_change"),
            report_detail("metrics"),
            report_detail("logs"),
            Field(
                "resource_events",
                "json",
                expanded_object(EVENTS_OF_REPORT, "reports", "r.hash", "events"),
                queryable=False,
            ),
            Field("latest_report?", "latest", "r.id", projectable=False),
        ]
    ),
    {
        **BY_CERTNAME,
        "environments": TO_ENVIRONMENT,
        "producers": TO_PRODUCER,
        "events": Relation(("hash",), ("report",)),
    },
    node="r.node_id",
    agent_reports=True,
)

OF_REPORT = ("r",)
EVENTS = Entity(
    "events",
    "events AS ev",
    by_alias(
        Join("r", "JOIN reports AS r ON r.id = ev.report_id"),
        Join("n", "JOIN nodes AS n ON n.id = r.node_id", OF_REPORT),
        environment_join("r", "r"),
    ),
    by_name(
        [
            certname_field(),
            ENVIRONMENT,
            Field("report", "text", "r.hash", OF_REPORT, nullable=False),
            Field("configuration_version", "text", "r.configuration_version", OF_REPORT),
            Field("run_start_time", "timestamp", "r.start_time", OF_REPORT, nullable=False),
            Field("run_end_time", "timestamp", "r.end_time", OF_REPORT, nullable=False),
            Field("report_receive_time", "timestamp", "r.receive_time", OF_REPORT, nullable=False),
            Field("timestamp", "timestamp", "ev.timestamp", nullable=False),
            Field("corrective_change", "boolean", "ev.corrective_change"),
            Field("line", "number", "ev.line"),
            Field("new_value", "serialized", "ev.new_value"),
            Field("old_value", "serialized", "ev.old_value"),
            Field("containment_path", "texts", "ev.containment_path"),
            *(
                Field(name, "text", f"ev.{name}")
                for name in (
                    "status",
                    "resource_type",
                    "resource_title",
                    "property",
                    "name",
                    "message",
                    "file",
                    "containing_class",
                )
            ),
            Field("latest_report?", "latest", "ev.report_id", projectable=False),
        ]
    ),
    {
        **BY_CERTNAME,
        "reports": Relation(("report",), ("hash",)),
        "environments": TO_ENVIRONMENT,
    },
    node="r.node_id",
    node_tables=OF_REPORT,
)

ENTITIES: Mapping[str, Entity] = {
    entity.name: entity
    for entity in (
        NODES,
        ENVIRONMENTS,
        PRODUCERS,
        FACTS,
        FACT_NAMES,
        FACT_PATHS,
        FACT_CONTENTS,
        FACTSETS,
        INVENTORY,
        CATALOGS,
        RESOURCES,
        EDGES,
        CATALOG_INPUTS,
        CATALOG_INPUT_CONTENTS,
        PACKAGES,
        PACKAGE_INVENTORY,
        REPORTS,
        EVENTS,
    )
}

MORE_FIELDS: Mapping[str, tuple[str, Entity]] = {
    "nodes": ("include_facts_expiration", NODES_WITH_EXPIRATION),
    "factsets": ("include_package_inventory", FACTSETS_WITH_PACKAGES),
}
"""The entities that have more fields if a parameter of the request says so."""
