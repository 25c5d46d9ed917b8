"""Options of ``bunraku server``: addresses, directories, code, limits."""

from __future__ import annotations

import argparse

from bunraku.cli.options.puppet_settings import add_settings, chosen_settings
from bunraku.cli.options.puppetdb import address
from bunraku.cli.options.records import record_of
from bunraku.cli.options.shared import add_option, add_options
from bunraku.jobs.serving.options import COMMAND, ServerOptions

NAMED = (
    *("confdir", "vardir", "ssldir", "cadir", "certname", "autosign"),
    *("environmentpath", "basemodulepath"),
)
"""Settings whose options are in the help."""


def server_options(options: argparse.Namespace) -> ServerOptions:
    """Return how a site is served; UsageError for an unknown setting."""
    return record_of(ServerOptions, options, settings=chosen_settings(options, NAMED, COMMAND))


def add_listening_options(parser: argparse.ArgumentParser) -> None:
    """Add the address and the logs."""
    group = parser.add_argument_group("server")
    group.add_argument(
        "--listen",
        type=address,
        metavar="HOST:PORT",
        help="address for HTTPS; port 0 chooses a free port (default: all addresses, port 8140)",
    )
    group.add_argument(
        "--listen-plain",
        type=address,
        metavar="HOST:PORT",
        help="another address, for HTTP without encryption: of a proxy that ends TLS (see "
        "allow-header-cert-info in docs/server.md)",
    )
    group.add_argument(
        "--allow-remote-http",
        action="store_true",
        help="allow --listen-plain on an address that other machines can reach",
    )
    group.add_argument(
        "--access-log", metavar="FILE", help="write a line for each request; '-' is standard error"
    )
    group.add_argument(
        "--pid-file", metavar="FILE", help="write the process id here while the server runs"
    )
    group.add_argument(
        "--auth-conf",
        metavar="FILE",
        help="rules of access, in the format of puppetserver's auth.conf (default: its rules)",
    )
    group.add_argument(
        "--no-ca",
        action="store_true",
        help="do not act as certificate authority; the certificates must exist",
    )


def add_directory_options(parser: argparse.ArgumentParser) -> None:
    """Add the directories of Puppet, and the names that depend on the machine."""
    group = parser.add_argument_group("directories and settings")
    for name, text in (
        ("confdir", "configuration, with puppet.conf"),
        ("vardir", "data of the server"),
        ("ssldir", "certificates and keys (default: confdir/ssl)"),
        ("cadir", "files of the certificate authority"),
    ):
        group.add_argument(f"--{name}", metavar="DIR", help=text)
    group.add_argument(
        "--certname", metavar="NAME", help="name of the server (default: that of the machine)"
    )
    group.add_argument(
        "--autosign",
        metavar="VALUE",
        help="which requests for certificates are signed: true, false, a file of names, or a program",
    )
    group.add_argument(
        "--puppetdb",
        metavar="FILE|URL|none",
        help="where facts, catalogs and reports are kept: an SQLite file, the URL of a PuppetDB, or "
        "nowhere (default: bunraku/puppetdb.sqlite below vardir)",
    )
    group.add_argument(
        "--soft-write-failure",
        action="store_true",
        help="send catalogs that cannot be stored in the PuppetDB, too",
    )
    add_settings(group)


def add_code_options(parser: argparse.ArgumentParser) -> None:
    """Add the places of the code."""
    group = parser.add_argument_group("code")
    add_options(group, "environmentpath", "basemodulepath")
    group.add_argument(
        "--code-id-command",
        metavar="FILE",
        help="program that prints the version of the code of an environment",
    )
    group.add_argument(
        "--code-content-command",
        metavar="FILE",
        help="program that prints a file of an environment in a version",
    )
    group.add_argument(
        "--deploy-config",
        metavar="FILE",
        help="let webhooks and programs start deployments, as this private file says (see "
        "docs/deploy-webhook.md)",
    )


def add_work_options(parser: argparse.ArgumentParser) -> None:
    """Add the number of compile processes, and what they may use."""
    group = parser.add_argument_group("compiles")
    words = "processes that compile catalogs (default: one per CPU)"
    add_number(group, "--max-active-instances", "--workers", default=None, words=words)
    words = "compiles after which such a process is replaced; 0 means never (default: 0)"
    add_number(group, "--max-requests-per-instance", default=0, words=words)
    add_options(group, "timeout")
    add_option(group, "memory", "memory limit for each compile process, such as 512M (default: 4G)")
    words = "compile each catalog, even if nothing that it depends on has changed"
    group.add_argument(
        "--no-reuse-catalogs", dest="reuse_catalogs", action="store_false", help=words
    )
    words = (
        "after a change of code or data, do not compile the catalogs of the nodes that it reaches"
        " before their agents ask"
    )
    group.add_argument(
        "--no-background-compiles", dest="background_compiles", action="store_false", help=words
    )
    words = "reused catalogs of which one is compiled and compared; 0 means never (default: 0)"
    add_number(group, "--verify-catalogs", default=0, words=words)
    words = "connections that are open at the same time (default: 20000)"
    add_number(group, "--max-connections", default=20_000, words=words)


def add_number(
    group: argparse._ArgumentGroup, *names: str, default: int | None, words: str
) -> None:
    """Add an option with a number."""
    group.add_argument(*names, type=number, default=default, metavar="NUMBER", help=words)


def number(text: str) -> int:
    """Return a whole number; raise ArgumentTypeError for other texts."""
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"invalid number {text!r}")
    return int(text)
