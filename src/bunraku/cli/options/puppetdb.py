"""Options of ``bunraku puppetdb``: addresses, durations, files.

None is the value of an option that is not given; ``config`` has the defaults.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeVar

from bunraku.cli.options.declarations import Rules
from bunraku.puppetdb.blocklist import TYPES
from bunraku.puppetdb.settings import parse_duration, parse_seconds, parse_size

Value = TypeVar("Value")


DATABASE = """
--config FILE|DIR: read the .ini files of PuppetDB, such as /etc/puppetdb/conf.d; options override
    them
[server]
--listen HOST:PORT: address for HTTP without encryption, or 'none'; port 0 chooses a free port
    (default: 127.0.0.1:8080)
--allow-remote-http: allow --listen on an address that other machines can reach: they can read and
    change everything without a certificate
--ssl-listen HOST:PORT: address for HTTPS, such as 0.0.0.0:8081; requires --ssl-cert and --ssl-key
--ssl-cert FILE: certificate of the server and its chain (PEM)
--ssl-key FILE: key of the certificate (PEM)
--ssl-ca-cert FILE: authorities that sign certificates of clients (PEM)
--ssl-crl-path FILE: certificate revocation lists of the authorities
--client-auth: whether HTTPS clients need a certificate (default: need)
--certificate-allowlist FILE: names of the clients that HTTPS accepts, one per line (default: all
    with a certificate)
--query-timeout-default SECONDS: time limit of a query that has none itself; 0 means no limit
    (default: 600)
--query-timeout-max SECONDS: time limit of all queries, also of those that ask for more (default: 0,
    no limit)
--access-log FILE: write a line for each request; '-' is standard error
--pid-file FILE: write the process id here while the server runs
[storage]
--database FILE|URL: an SQLite file, which is created if it is missing, or postgresql://…
--queue DIR: folder for commands that are not processed yet; those that cannot be processed go to
    DIR.discarded (default: FILE.queue and FILE.discarded beside an SQLite file)
--max-command-size BYTES: refuse commands that are larger, before or after they are unpacked; 0
    means no limit (default: 104857600)
--facts-blocklist NAMES: do not store these facts; names are separated by commas
--facts-blocklist-type: whether --facts-blocklist has names, or regular expressions that match whole
    names (default: literal)
--node-ttl TIME: expire nodes without new data after this time, such as 7d or 12h; 0s means never
    (default: 7d)
--node-purge-ttl TIME: delete nodes that have been inactive for this time (default: 14d)
--report-ttl TIME: delete reports after this time (default: 14d)
--resource-events-ttl TIME: delete events after this time (default: that of reports)
--gc-interval TIME: time between two searches for data to expire and delete; 0s means none (default:
    60m)
"""


def address(text: str) -> tuple[str, int]:
    """Return host and port of ``HOST:PORT``; raise ArgumentTypeError for other texts.

    >>> address("127.0.0.1:8080"), address("[::1]:0"), address(":8081")
    (('127.0.0.1', 8080), ('::1', 0), ('', 8081))
    """
    host, colon, port = text.rpartition(":")
    if not colon or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"invalid address {text!r}: use HOST:PORT")
    if host.startswith("[") and host.endswith("]"):
        return host[1:-1], int(port)
    if ":" in host:
        raise argparse.ArgumentTypeError(f"invalid address {text!r}: use [HOST]:PORT for IPv6")
    return host, int(port)


def listening_address(text: str) -> tuple[str, int] | str:
    """Return the address of ``--listen``, or ``none``."""
    return text if text == "none" else address(text)


def duration(text: str) -> int:
    """Return the milliseconds of a duration."""
    return parsed("duration", parse_duration, text)


def seconds(text: str) -> float:
    """Return the seconds of a time limit."""
    return parsed("time limit", parse_seconds, text)


def size(text: str) -> int:
    """Return a number of bytes."""
    return parsed("size", parse_size, text)


def parsed(what: str, parse: Callable[[str], Value], text: str) -> Value:
    """Return the value of a text; raise ArgumentTypeError if it is invalid."""
    try:
        return parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"invalid {what} {text!r}: {error}") from None


DATABASE_RULES: Rules = {
    "config": {"dest": "settings_file"},
    "listen": {"type": listening_address},
    "ssl_listen": {"type": address},
    "client_auth": {"choices": ("need", "want", "none")},
    "query_timeout_default": {"type": seconds},
    "query_timeout_max": {"type": seconds},
    "max_command_size": {"type": size},
    "facts_blocklist_type": {"choices": TYPES},
    "node_ttl": {"type": duration},
    "node_purge_ttl": {"type": duration},
    "report_ttl": {"type": duration},
    "resource_events_ttl": {"type": duration},
    "gc_interval": {"type": duration},
}
