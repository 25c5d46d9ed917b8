"""Options of ``bunraku server``: addresses, directories, code, limits."""

from __future__ import annotations

import argparse

from bunraku.cli.options.declarations import Rules
from bunraku.cli.options.puppet_settings import PUPPET_SETTINGS, chosen_settings
from bunraku.cli.options.puppetdb import address
from bunraku.cli.options.records import record_of
from bunraku.jobs.serving.options import COMMAND, ServerOptions

NAMED = (
    *("confdir", "vardir", "ssldir", "cadir", "certname", "autosign"),
    *("environmentpath", "basemodulepath"),
)
"""Settings whose options are in the help."""


SERVER = f"""
[server]
--listen HOST:PORT: address for HTTPS; port 0 chooses a free port (default: all addresses, port
    8140)
--listen-plain HOST:PORT: another address, for HTTP without encryption: of a proxy that ends TLS
    (see allow-header-cert-info in docs/server.md)
--allow-remote-http: allow --listen-plain on an address that other machines can reach
--access-log FILE: write a line for each request; '-' is standard error
--pid-file FILE: write the process id here while the server runs
--auth-conf FILE: rules of access, in the format of puppetserver's auth.conf (default: its rules)
--no-ca: do not act as certificate authority; the certificates must exist
[directories and settings]
--confdir DIR: configuration, with puppet.conf
--vardir DIR: data of the server
--ssldir DIR: certificates and keys (default: confdir/ssl)
--cadir DIR: files of the certificate authority
--certname NAME: name of the server (default: that of the machine)
--autosign VALUE: which requests for certificates are signed: true, false, a file of names, or a
    program
--puppetdb FILE|URL|none: where facts, catalogs and reports are kept: an SQLite file, the URL of a
    PuppetDB, or nowhere (default: bunraku/puppetdb.sqlite below vardir)
--soft-write-failure: send catalogs that cannot be stored in the PuppetDB, too
{PUPPET_SETTINGS}
[code]
@environmentpath
@basemodulepath
--code-id-command FILE: program that prints the version of the code of an environment
--code-content-command FILE: program that prints a file of an environment in a version
--deploy-config FILE: let webhooks and programs start deployments, as this private file says (see
    docs/deploy-webhook.md)
[compiles]
--max-active-instances --workers NUMBER: processes that compile catalogs (default: one per CPU)
--max-requests-per-instance NUMBER: compiles after which such a process is replaced; 0 means never
    (default: 0)
@timeout
@memory: memory limit for each compile process, such as 512M (default: 4G)
--no-reuse-catalogs: compile each catalog, even if nothing that it depends on has changed
--no-background-compiles: after a change of code or data, do not compile the catalogs of the nodes
    that it reaches before their agents ask
--verify-catalogs NUMBER: reused catalogs of which one is compiled and compared; 0 means never
    (default: 0)
--fronts NUMBER: processes that accept connections, do TLS and serve files (default: 1)
--max-connections NUMBER: connections that are open at the same time (default: 20000)
"""


def server_options(options: argparse.Namespace) -> ServerOptions:
    """Return how a site is served; UsageError for an unknown setting."""
    return record_of(ServerOptions, options, settings=chosen_settings(options, NAMED, COMMAND))


def number(text: str) -> int:
    """Return a whole number; raise ArgumentTypeError for other texts."""
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"invalid number {text!r}")
    return int(text)


SERVER_RULES: Rules = {
    "listen": {"type": address},
    "listen_plain": {"type": address},
    "max_active_instances": {"type": number},
    "max_requests_per_instance": {"type": number, "default": 0},
    "no_reuse_catalogs": {"action": "store_false", "dest": "reuse_catalogs"},
    "no_background_compiles": {"action": "store_false", "dest": "background_compiles"},
    "verify_catalogs": {"type": number, "default": 0},
    "fronts": {"type": number, "default": 1},
    "max_connections": {"type": number, "default": 20_000},
}
