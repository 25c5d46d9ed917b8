"""Ask a PuppetDB, a database file, or a folder of catalogs and facts."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager

from bunraku.base.errors import PuppetError
from bunraku.cli import exits
from bunraku.cli.options.shared import UsageError, add_output_options, read_text, time_limit
from bunraku.cli.output.output import write, write_error
from bunraku.cli.output.rows import FORMATS
from bunraku.cli.report.excerpt import visible
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.queries.reading import read_any_query
from bunraku.puppetdb.server.interface import answer
from bunraku.puppetdb.server.service import Service
from bunraku.puppetdb.site.opening import open_site, starts_as_database
from bunraku.web.client import ClientError, Identity, Received, posted
from bunraku.web.http import Request
from bunraku.web.tls import TlsError
from bunraku.world.machine import Machine

COMMAND = "query"
ROOT = "/pdb/query/v4"
SECONDS = 600.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku query``."""
    parser.add_argument(
        "query",
        metavar="QUERY",
        help="a query in PQL, or in JSON if it begins with '['; '-' reads it from standard input",
    )
    source = parser.add_argument_group("source")
    source.add_argument(
        "--storedconfigs",
        metavar="PATH|URL",
        help="the URL of a PuppetDB, the database file of bunraku puppetdb, postgresql://…, or a file "
        "or folder of catalogs and facts (default: that of bunraku.toml)",
    )
    source.add_argument("--cert", metavar="FILE", help="certificate of this client for https (PEM)")
    source.add_argument("--key", metavar="FILE", help="key of the certificate (PEM)")
    source.add_argument(
        "--cacert",
        metavar="FILE",
        help="authorities that sign certificates of the server (default: those of the system)",
    )
    source.add_argument(
        "--timeout",
        type=time_limit,
        default=SECONDS,
        metavar="TIME",
        help="time limit of the query, such as 30s or 5m; 0 means that of the server (default: 10m)",
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", "csv"),
        default="text",
        help="output format (default: text)",
    )
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the rows of the query, or the error that the query has."""
    if options.storedconfigs is None:
        raise UsageError("--storedconfigs PATH|URL is required", COMMAND)
    query = read_text("-") if options.query == "-" else options.query
    try:
        with asked(options, query) as received:
            if received.status != 200:
                return refused(received)
            if options.format == "json":
                copy(received)
            else:
                rows = json.loads(received.text())
                FORMATS[options.format](rows if isinstance(rows, list) else [rows], write)
    except (ClientError, TlsError) as error:
        raise UsageError(str(error), COMMAND) from None
    return exits.OK


@contextmanager
def asked(options: argparse.Namespace, query: str) -> Iterator[Received]:
    """Lend the response to a query, of a server or of the interface on a database."""
    source: str = options.storedconfigs
    value: dict[str, str | float] = {"query": query}
    if options.timeout:
        value["timeout"] = options.timeout
    if source.startswith(("http://", "https://")):
        identity = Identity(options.cert, options.key, options.cacert)
        url = source if source.rstrip("/").endswith(ROOT) else source.rstrip("/") + ROOT
        with posted(url, value, identity, options.timeout or SECONDS) as received:
            yield received
        return
    if "://" not in source and not starts_as_database(source, Machine()):
        yield of_documents(source, query)
        return
    database = open_database(source)
    try:
        response = answer(
            Service(database), Request("POST", ROOT, body=[json.dumps(value).encode()])
        )
        pieces = (one.encode() if isinstance(one, str) else one for one in response.body)
        yield Received(response.status, pieces)
    finally:
        database.close()


def of_documents(source: str, query: str) -> Received:
    """Return the response to a query of a file or a folder of catalogs and facts."""
    try:
        site = open_site(source, Machine(), {})
    except PuppetError as error:
        raise UsageError(str(error), COMMAND) from None
    try:
        rows = site.query(read_any_query(query))
    except PuppetError as error:
        return Received(400, iter([error.message.encode()]))
    return Received(200, iter([json.dumps(rows, ensure_ascii=False).encode()]))


def refused(received: Received) -> int:
    """Report the error of a query, which shows its place; UsageError if the server has failed."""
    text = received.text()
    if received.status >= 500 or received.status in {401, 403, 404}:
        first = " ".join(text.split())[:300]
        raise UsageError(f"the server answered with status {received.status}: {first}", COMMAND)
    lines = "".join(f"{visible(line)}\n" for line in text.splitlines())
    write_error(f"error: {lines}")
    return exits.FINDINGS


def copy(received: Received) -> None:
    """Print the rows as they come, one document."""
    for piece in received.body:
        write(piece.decode("utf-8", "replace"))
    write("\n")
