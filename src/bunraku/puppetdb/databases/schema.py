"""The tables, as a numbered list of migrations: the schema's version is their count.

What many nodes share is stored once: resources, edges, values of facts and their leaves are
identified by a hash of their content; a node has rows of two numbers that refer to them.

``scalar`` is the value of a fact or leaf if it is a number or a text, which conditions compare by
an index; it is null for Booleans, null, arrays and objects, whose ``value`` is compared.
"""

from __future__ import annotations

FIRST = """
CREATE TABLE environments (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE producers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE nodes (
    id INTEGER PRIMARY KEY,
    certname TEXT NOT NULL UNIQUE,
    deactivated INTEGER,
    expired INTEGER,
    latest_report_id INTEGER,
    catalog_inputs_timestamp INTEGER,
    catalog_inputs_uuid TEXT
) STRICT;
CREATE INDEX nodes_inactive ON nodes (id) WHERE deactivated IS NOT NULL OR expired IS NOT NULL;

CREATE TABLE catalogs (
    node_id INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
    hash TEXT NOT NULL,
    version TEXT NOT NULL,
    transaction_uuid TEXT,
    catalog_uuid TEXT,
    code_id TEXT,
    job_id TEXT,
    environment_id INTEGER REFERENCES environments,
    producer_id INTEGER REFERENCES producers,
    producer_timestamp INTEGER NOT NULL,
    timestamp INTEGER NOT NULL
) STRICT;

CREATE TABLE resources (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    type TEXT NOT NULL,
    title TEXT NOT NULL,
    exported INTEGER NOT NULL,
    tags TEXT NOT NULL,
    file TEXT,
    line INTEGER,
    parameters TEXT NOT NULL
) STRICT;
CREATE INDEX resources_by_reference ON resources (type, title);
CREATE INDEX resources_by_title ON resources (title);
CREATE INDEX resources_exported ON resources (exported) WHERE exported;
CREATE TABLE resource_tags (
    tag TEXT NOT NULL,
    resource_id INTEGER NOT NULL REFERENCES resources ON DELETE CASCADE,
    PRIMARY KEY (tag, resource_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX resource_tags_by_resource ON resource_tags (resource_id);
CREATE TABLE catalog_resources (
    node_id INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
    resource_id INTEGER NOT NULL REFERENCES resources,
    PRIMARY KEY (node_id, resource_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX catalog_resources_by_resource ON catalog_resources (resource_id, node_id);

CREATE TABLE edges (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    relationship TEXT NOT NULL,
    source_type TEXT NOT NULL,
    source_title TEXT NOT NULL,
    target_type TEXT NOT NULL,
    target_title TEXT NOT NULL
) STRICT;
CREATE TABLE catalog_edges (
    node_id INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
    edge_id INTEGER NOT NULL REFERENCES edges,
    PRIMARY KEY (node_id, edge_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX catalog_edges_by_edge ON catalog_edges (edge_id, node_id);

CREATE TABLE catalog_inputs (
    node_id INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (node_id, type, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE factsets (
    node_id INTEGER PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
    hash TEXT NOT NULL,
    environment_id INTEGER REFERENCES environments,
    producer_id INTEGER REFERENCES producers,
    producer_timestamp INTEGER NOT NULL,
    timestamp INTEGER NOT NULL
) STRICT;
CREATE TABLE fact_values (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    scalar ANY
) STRICT;
CREATE INDEX fact_values_by_name ON fact_values (name, scalar);
CREATE TABLE facts (
    node_id INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
    value_id INTEGER NOT NULL REFERENCES fact_values,
    PRIMARY KEY (node_id, value_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX facts_by_value ON facts (value_id, node_id);
CREATE TABLE fact_paths (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    encoded TEXT NOT NULL,
    name TEXT NOT NULL,
    depth INTEGER NOT NULL,
    kind TEXT NOT NULL,
    UNIQUE (path, kind)
) STRICT;
CREATE TABLE fact_leaves (
    value_id INTEGER NOT NULL REFERENCES fact_values ON DELETE CASCADE,
    path_id INTEGER NOT NULL REFERENCES fact_paths,
    value TEXT NOT NULL,
    scalar ANY,
    PRIMARY KEY (value_id, path_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX fact_leaves_by_path ON fact_leaves (path_id, scalar);

CREATE TABLE packages (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    provider TEXT NOT NULL,
    UNIQUE (name, version, provider)
) STRICT;
CREATE TABLE node_packages (
    node_id INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
    package_id INTEGER NOT NULL REFERENCES packages,
    PRIMARY KEY (node_id, package_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX node_packages_by_package ON node_packages (package_id, node_id);

CREATE TABLE reports (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    node_id INTEGER NOT NULL REFERENCES nodes ON DELETE CASCADE,
    type TEXT NOT NULL,
    status TEXT,
    noop INTEGER,
    noop_pending INTEGER,
    corrective_change INTEGER,
    puppet_version TEXT NOT NULL,
    report_format INTEGER NOT NULL,
    configuration_version TEXT NOT NULL,
    start_time INTEGER NOT NULL,
    end_time INTEGER NOT NULL,
    receive_time INTEGER NOT NULL,
    producer_timestamp INTEGER NOT NULL,
    environment_id INTEGER REFERENCES environments,
    producer_id INTEGER REFERENCES producers,
    transaction_uuid TEXT,
    catalog_uuid TEXT,
    code_id TEXT,
    job_id TEXT,
    cached_catalog_status TEXT
) STRICT;
CREATE INDEX reports_by_node ON reports (node_id, end_time);
CREATE INDEX reports_by_end_time ON reports (end_time);
CREATE INDEX reports_by_producer_timestamp ON reports (producer_timestamp);
CREATE TABLE report_details (
    report_id INTEGER PRIMARY KEY REFERENCES reports ON DELETE CASCADE,
    metrics TEXT NOT NULL,
    logs TEXT NOT NULL
) STRICT;
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    report_id INTEGER NOT NULL REFERENCES reports ON DELETE CASCADE,
    status TEXT NOT NULL,
    timestamp INTEGER NOT NULL,
    resource_type TEXT NOT NULL,
    resource_title TEXT NOT NULL,
    property TEXT,
    name TEXT,
    old_value TEXT NOT NULL,
    new_value TEXT NOT NULL,
    corrective_change INTEGER,
    message TEXT,
    file TEXT,
    line INTEGER,
    containment_path TEXT,
    containing_class TEXT
) STRICT;
CREATE INDEX events_by_report ON events (report_id, status);
CREATE INDEX events_by_status ON events (status, timestamp);
"""

MIGRATIONS = (FIRST,)
