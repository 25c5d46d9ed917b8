"""Options of ``bunraku puppetdb``: addresses, durations, files.

None is the value of an option that is not given; ``config`` has the defaults.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeVar

from bunraku.puppetdb.blocklist import TYPES
from bunraku.puppetdb.settings import parse_duration, parse_seconds, parse_size

Value = TypeVar("Value")


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


def add_configuration_option(parser: argparse.ArgumentParser) -> None:
    """Add the configuration of a PuppetDB."""
    parser.add_argument(
        "--config",
        dest="settings_file",
        metavar="FILE|DIR",
        help="read the .ini files of PuppetDB, such as /etc/puppetdb/conf.d; options override them",
    )


def add_server_options(parser: argparse.ArgumentParser) -> None:
    """Add the addresses, certificates and logs of the server."""
    group = parser.add_argument_group("server")
    group.add_argument(
        "--listen",
        type=listening_address,
        metavar="HOST:PORT",
        help="address for HTTP without encryption, or 'none'; port 0 chooses a free port "
        "(default: 127.0.0.1:8080)",
    )
    group.add_argument(
        "--allow-remote-http",
        action="store_true",
        help="allow --listen on an address that other machines can reach: they can read and change "
        "everything without a certificate",
    )
    group.add_argument(
        "--ssl-listen",
        type=address,
        metavar="HOST:PORT",
        help="address for HTTPS, such as 0.0.0.0:8081; requires --ssl-cert and --ssl-key",
    )
    group.add_argument(
        "--ssl-cert", metavar="FILE", help="certificate of the server and its chain (PEM)"
    )
    group.add_argument("--ssl-key", metavar="FILE", help="key of the certificate (PEM)")
    group.add_argument(
        "--ssl-ca-cert", metavar="FILE", help="authorities that sign certificates of clients (PEM)"
    )
    group.add_argument(
        "--ssl-crl-path", metavar="FILE", help="certificate revocation lists of the authorities"
    )
    group.add_argument(
        "--client-auth",
        choices=("need", "want", "none"),
        help="whether HTTPS clients need a certificate (default: need)",
    )
    group.add_argument(
        "--certificate-allowlist",
        metavar="FILE",
        help="names of the clients that HTTPS accepts, one per line (default: all with a certificate)",
    )
    group.add_argument(
        "--query-timeout-default",
        type=seconds,
        metavar="SECONDS",
        help="time limit of a query that has none itself; 0 means no limit (default: 600)",
    )
    group.add_argument(
        "--query-timeout-max",
        type=seconds,
        metavar="SECONDS",
        help="time limit of all queries, also of those that ask for more (default: 0, no limit)",
    )
    group.add_argument(
        "--access-log", metavar="FILE", help="write a line for each request; '-' is standard error"
    )
    group.add_argument(
        "--pid-file", metavar="FILE", help="write the process id here while the server runs"
    )


def add_storage_options(parser: argparse.ArgumentParser) -> None:
    """Add the database and how long it keeps data."""
    group = parser.add_argument_group("storage")
    group.add_argument(
        "--database",
        metavar="FILE|URL",
        help="an SQLite file, which is created if it is missing, or postgresql://…",
    )
    group.add_argument(
        "--queue",
        metavar="DIR",
        help="folder for commands that are not processed yet; those that cannot be processed go to "
        "DIR.discarded (default: FILE.queue and FILE.discarded beside an SQLite file)",
    )
    group.add_argument(
        "--max-command-size",
        type=size,
        metavar="BYTES",
        help="refuse commands that are larger, before or after they are unpacked; 0 means no limit "
        "(default: 104857600)",
    )
    group.add_argument(
        "--facts-blocklist",
        metavar="NAMES",
        help="do not store these facts; names are separated by commas",
    )
    group.add_argument(
        "--facts-blocklist-type",
        choices=TYPES,
        help="whether --facts-blocklist has names, or regular expressions that match whole names "
        "(default: literal)",
    )
    group.add_argument(
        "--node-ttl",
        type=duration,
        metavar="TIME",
        help="expire nodes without new data after this time, such as 7d or 12h; 0s means never "
        "(default: 7d)",
    )
    group.add_argument(
        "--node-purge-ttl",
        type=duration,
        metavar="TIME",
        help="delete nodes that have been inactive for this time (default: 14d)",
    )
    group.add_argument(
        "--report-ttl",
        type=duration,
        metavar="TIME",
        help="delete reports after this time (default: 14d)",
    )
    group.add_argument(
        "--resource-events-ttl",
        type=duration,
        metavar="TIME",
        help="delete events after this time (default: that of reports)",
    )
    group.add_argument(
        "--gc-interval",
        type=duration,
        metavar="TIME",
        help="time between two searches for data to expire and delete; 0s means none (default: 60m)",
    )
