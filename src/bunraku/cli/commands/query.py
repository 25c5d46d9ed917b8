"""Ask a PuppetDB, a database file, or a folder of catalogs and facts."""

from __future__ import annotations

import argparse
import json

from bunraku.base.errors import PuppetError
from bunraku.base.excerpt import visible
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.declarations import CERTIFICATES, GENERAL, Rules, choice
from bunraku.cli.options.shared import read_text, time_limit
from bunraku.cli.output.output import write, write_error
from bunraku.cli.output.rows import FORMATS
from bunraku.jobs.query import SECONDS, QueryOptions, answered
from bunraku.puppetdb import issues

COMMAND = "query"


OPTIONS = f"""
query QUERY: a query in PQL, or in JSON if it begins with '['; '-' reads it from standard input
[source]
@storedconfigs: the URL of a PuppetDB, the database file of bunraku puppetdb, postgresql://…, or a
    file or folder of catalogs and facts (default: that of bunraku.toml)
{CERTIFICATES.format(default="that of PuppetDB's client tools, else the agent's")}
--timeout TIME: time limit of the query, such as 30s or 5m; 0 means that of the server (default:
    10m)
[options]
--format: output format (default: text)
{GENERAL}
"""
RULES: Rules = {
    "storedconfigs": {"metavar": "PATH|URL"},
    "timeout": {"dest": "query_timeout", "type": time_limit, "default": SECONDS},
    "format": choice("text", "json", "csv"),
}


def run(options: argparse.Namespace) -> int:
    """Print the rows of the query, or the error that the query has."""
    if options.storedconfigs is None:
        raise UsageError("--storedconfigs PATH|URL is required", COMMAND)
    chosen = QueryOptions(
        options.storedconfigs, options.cacert, options.cert, options.key, options.query_timeout
    )
    query = read_text("-") if options.query == "-" else options.query
    try:
        with answered(query, chosen) as pieces:
            if options.format == "json":
                for piece in pieces:
                    write(piece)
                write("\n")
            else:
                FORMATS[options.format](json.loads("".join(pieces)), write)
    except PuppetError as error:
        if error.diagnostic.code != issues.BAD_QUERY.code:
            raise UsageError(str(error), COMMAND) from None
        lines = "".join(f"{visible(line)}\n" for line in error.message.splitlines())
        write_error(f"error: {lines}")
        return exits.FINDINGS
    return exits.OK
