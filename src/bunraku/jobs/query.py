"""Ask a PuppetDB, a database file, or a folder of catalogs and facts."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from typing import Any

from bunraku.base.records import record
from bunraku.puppetdb.client import Client, server_url
from bunraku.puppetdb.databases.opening import open_readable
from bunraku.puppetdb.queries.answers import array
from bunraku.puppetdb.queries.reading import read_any_query
from bunraku.puppetdb.queries.root import root_query, row_texts
from bunraku.puppetdb.queries.sql import selection
from bunraku.puppetdb.site.opening import open_site, starts_as_database
from bunraku.puppetdb.site.tls import tls_files
from bunraku.web.requests import HttpResponse, TlsFiles
from bunraku.world.machine import Machine

PIECE = 64 * 1024
SECONDS = 600.0
"""The time limit of a query without one."""


@record()
class QueryOptions:
    """The source of a query: a URL, the database of a PuppetDB, or a file or folder with data of nodes.

    ``cacert``, ``cert`` and ``key`` are files for https. ``timeout`` is in seconds; 0 means that of the
    server.
    """

    source: str
    cacert: str | None = None
    cert: str | None = None
    key: str | None = None
    timeout: float = SECONDS


def query_rows(query: str, options: QueryOptions) -> list[Any]:
    """Return the rows of a query in PQL, or in JSON if it begins with ``[``; PuppetError if it is wrong."""
    with answered(query, options) as pieces:
        rows: list[Any] = json.loads("".join(pieces))
    return rows


@contextmanager
def answered(query: str, options: QueryOptions) -> Iterator[Iterable[str]]:
    """Lend the rows of a query as a JSON array in pieces; PuppetError if there are none."""
    source, world = options.source, Machine()
    if source.startswith(("http://", "https://")):
        given = TlsFiles(options.cacert, options.cert, options.key)
        tls = given if given != TlsFiles() else tls_files({}, world)
        client = Client(server_url(source), world, tls, options.timeout or SECONDS)
        limit = {"timeout": options.timeout} if options.timeout else {}
        with client.answer(query, **limit) as response:
            yield decoded(response)
    elif "://" in source or starts_as_database(source, world):
        with closing(open_readable(source)) as database:
            found = root_query(read_any_query(query))
            statement = selection(found, database.dialect)
            yield array(row_texts(database, found, statement, options.timeout or SECONDS))
    else:
        rows = open_site(source, world, {}).query(read_any_query(query))
        yield [json.dumps(rows, ensure_ascii=False)]


def decoded(response: HttpResponse) -> Iterator[str]:
    """Yield the text of a response in pieces."""
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    while piece := response.read(PIECE):
        yield decode(piece)
