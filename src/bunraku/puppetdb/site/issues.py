"""Errors of the data of a site: documents, databases and servers that a compile reads."""

from __future__ import annotations

from bunraku.base.errors import Issue

NOT_FOUND = Issue("STORED_NOT_FOUND", "No stored catalogs or facts at {path}")
BROKEN = Issue("STORED_BROKEN", "Cannot read stored data: {reason}")
INVALID = Issue("STORED_INVALID", "Invalid stored data: {reason}")
UNKNOWN = Issue(
    "STORED_UNKNOWN",
    "Unknown stored data: {reason}",
    hint="a catalog has 'name' and 'resources', facts have 'name' and 'values'",
)
NO_STORE = Issue(
    "NO_STORE",
    "puppetdb_query: no data source",
    hint="use --storedconfigs with the URL of a PuppetDB, or with a directory or file of catalogs and"
    " facts",
)
NO_FACTS = Issue("NO_FACTS_OF_NODE", "{source} has no facts of {node}")
BAD_CONFIGURATION = Issue(
    "PUPPETDB_CONFIGURATION", "Cannot read the configuration of PuppetDB's client tools: {reason}"
)
NO_NODES = Issue("NO_NODES_WITH_FACTS", "{source} has no node with facts")
UNKNOWN_SOURCE = Issue(
    "UNKNOWN_SOURCE",
    "Unknown source of catalogs and facts: {scheme}://",
    hint="a source is a file, a directory, or a URL with http, https or postgresql",
)
NOT_A_QUERY = Issue("QUERY_ILLEGAL", "Invalid query: {what}")
