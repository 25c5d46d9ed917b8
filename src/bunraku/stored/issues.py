"""What can go wrong with stored catalogs and facts, and with queries of them."""

from __future__ import annotations

from bunraku.errors import Issue

STORED_NOT_FOUND = Issue("STORED_NOT_FOUND", "There are no stored catalogs or facts at {path}")
STORED_BROKEN = Issue("STORED_BROKEN", "{path} is no {kind}: {reason}")
STORED_UNKNOWN = Issue(
    "STORED_UNKNOWN",
    "{path} holds neither a catalog nor facts nor resources",
    hint="a catalog has 'name' and 'resources', facts have 'name' and 'values'",
)
QUERY_SYNTAX = Issue("QUERY_SYNTAX", "This is no PQL at '{rest}': {reason}")
QUERY_UNSUPPORTED = Issue(
    "QUERY_UNSUPPORTED", "{what} is not supported in queries of stored catalogs and facts"
)
QUERY_ILLEGAL = Issue("QUERY_ILLEGAL", "The query is not well formed: {what}")
QUERY_FIELD = Issue("QUERY_FIELD", "'{entity}' has no field '{field}'; it has {known}")
NO_STORE = Issue(
    "NO_STORE",
    "puppetdb_query has nothing to ask",
    hint="--storedconfigs names a folder or file of catalogs and facts",
)
