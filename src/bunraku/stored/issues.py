"""Errors of stored catalogs and facts, and of queries of them."""

from __future__ import annotations

from bunraku.base.errors import Issue

STORED_NOT_FOUND = Issue("STORED_NOT_FOUND", "No stored catalogs or facts at {path}")
STORED_BROKEN = Issue("STORED_BROKEN", "Cannot read stored data: {reason}")
STORED_INVALID = Issue("STORED_INVALID", "Invalid stored data: {reason}")
STORED_UNKNOWN = Issue(
    "STORED_UNKNOWN",
    "Unknown stored data: {reason}",
    hint="a catalog has 'name' and 'resources', facts have 'name' and 'values'",
)
QUERY_SYNTAX = Issue("QUERY_SYNTAX", "Invalid PQL near '{rest}': {reason}")
QUERY_UNSUPPORTED = Issue(
    "QUERY_UNSUPPORTED", "{what} is not supported in queries of stored catalogs and facts"
)
QUERY_ILLEGAL = Issue("QUERY_ILLEGAL", "Invalid query: {what}")
QUERY_FIELD = Issue("QUERY_FIELD", "'{entity}' has no field '{field}' (valid: {known})")
NO_STORE = Issue(
    "NO_STORE",
    "puppetdb_query: no data source",
    hint="use --storedconfigs with a directory or file of catalogs and facts",
)
