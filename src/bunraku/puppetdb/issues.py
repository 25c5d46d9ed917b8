"""Errors of commands to PuppetDB and of queries."""

from __future__ import annotations

from bunraku.base.errors import Issue

NOT_JSON = Issue("PUPPETDB_NOT_JSON", "Cannot read JSON: {reason}")
TOO_DEEP = Issue(
    "PUPPETDB_TOO_DEEP",
    "The document is nested too deeply",
    hint="arrays and objects can be nested to 200 levels",
)
UNSUPPORTED_COMMAND = Issue(
    "PUPPETDB_UNSUPPORTED_COMMAND", "Unsupported command {command} version {version}"
)
UNSTORABLE_DOCUMENT = Issue("PUPPETDB_UNSTORABLE_DOCUMENT", "Cannot store the {what}: {reason}")
INVALID_DOCUMENT = Issue("PUPPETDB_INVALID_DOCUMENT", "Invalid {what}: {reason}")
NEWER_SCHEMA = Issue(
    "PUPPETDB_NEWER_SCHEMA",
    "The database has schema version {found}; this release supports versions up to {known}",
    hint="use the release of bunraku that wrote the database, or a newer one",
)
OLDER_SCHEMA = Issue(
    "PUPPETDB_OLDER_SCHEMA",
    "{name} has schema version {found}; this release reads version {known}",
    hint="start 'bunraku puppetdb' with the database once, which brings the schema up to date; "
    "a version of 0 means that it has no data of bunraku",
)
SERVER_FAILED = Issue("PUPPETDB_SERVER_FAILED", "Cannot query the PuppetDB at {url}: {reason}")
MALFORMED_URL = Issue(
    "PUPPETDB_MALFORMED_URL",
    "The URL of the PuppetDB is malformed",
    hint="it is like https://puppetdb.example.com:8081",
)
BAD_QUERY = Issue("PUPPETDB_BAD_QUERY", "{message}")
QUERY_TIMEOUT = Issue("PUPPETDB_QUERY_TIMEOUT", "Query exceeded the timeout of {seconds} seconds")
QUERY_REFUSED = Issue("PUPPETDB_QUERY_REFUSED", "{message}")
DATABASE_UNAVAILABLE = Issue(
    "PUPPETDB_DATABASE_UNAVAILABLE", "Cannot use the database {name}: {reason}"
)
DATABASE_REFUSED = Issue("PUPPETDB_DATABASE_REFUSED", "The database {name} refuses: {reason}")
UNKNOWN_DATABASE = Issue(
    "PUPPETDB_UNKNOWN_DATABASE",
    "Unknown scheme of a database '{scheme}://'; expected postgresql:// or the path of a file",
)
NO_PSYCOPG = Issue(
    "PUPPETDB_NO_PSYCOPG",
    "The package psycopg, which connects to PostgreSQL, is not installed",
    hint="pip install 'psycopg[binary]'",
)
QUEUE_IN_USE = Issue(
    "PUPPETDB_QUEUE_IN_USE",
    "Another process uses the queue of commands in '{folder}'",
    hint="stop the other server, or use another database",
)
QUEUE_UNUSABLE = Issue(
    "PUPPETDB_QUEUE_UNUSABLE", "Cannot use the queue of commands in '{folder}': {reason}"
)
COMMAND_TOO_LARGE = Issue(
    "PUPPETDB_COMMAND_TOO_LARGE", "The payload of the command has more than {most} bytes"
)
NOT_GZIP = Issue("PUPPETDB_NOT_GZIP", "Cannot decompress the payload: {reason}")
BAD_ARCHIVE = Issue(
    "PUPPETDB_BAD_ARCHIVE",
    "Cannot read the archive: {reason}",
    hint="use a file that 'puppetdb export' or 'bunraku puppetdb export' has written",
)
BAD_CONFIGURATION = Issue("PUPPETDB_BAD_CONFIGURATION", "Wrong configuration of PuppetDB: {reason}")
