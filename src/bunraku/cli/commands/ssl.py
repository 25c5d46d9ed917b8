"""Request, show, check or remove this machine's certificate for Puppet servers."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping

from bunraku.agent.certificate_actions import (
    bootstrap,
    clean,
    download_cert,
    generate_request,
    renew_cert,
    shown_certificate,
    submit_request,
    verify,
)
from bunraku.agent.http import servers_of
from bunraku.agent.life import Life
from bunraku.apply.log import RunLog
from bunraku.cli import exits
from bunraku.cli.options.agent import NODE_AND_SERVERS, NODE_RULES, seconds_of
from bunraku.cli.options.declarations import GENERAL, Rules
from bunraku.cli.options.session import Session, session_of
from bunraku.cli.output.output import write

COMMAND = "ssl"
SETTINGS = True
"""Every setting of Puppet is an option."""
INTERMIXED = True


OPTIONS = f"""
action ACTION: bootstrap: request a certificate and wait for it; submit_request, download_cert,
    renew_cert: one step of that; generate_request: write a request without sending it; verify:
    check key, certificate and revocation; show: print the certificate; clean: remove the node's key
    and certificate
--localca: with clean: also remove the authority's certificate and revocation list
--target NAME: the files of this device, below the directory of devices (setting devicedir)
--if-expiring-in TIME: with renew_cert: only if the certificate is valid for less than this time,
    such as 30d
-v --verbose: log messages of level info
{NODE_AND_SERVERS}
{GENERAL}
"""


def run(options: argparse.Namespace) -> int:
    """Do the action; return the exit code."""
    options.action = re.sub("-", "_", options.action)
    wants_info = options.verbose or options.action == "bootstrap"
    session = session_of(options, "info" if wants_info else "notice")
    life = life_of(session)
    try:
        do_action(life, options)
    finally:
        life.servers.client.close()
    session.console.finish()
    return exits.OK


def life_of(session: Session) -> Life:
    """Return the life of the node's certificate."""
    settings, host = session.settings, session.host
    log = RunLog(session.level, host.now, [session.console])
    servers = servers_of(settings, host, session.version, log)
    return Life(settings, host, servers, log, session.say)


def do_action(life: Life, options: argparse.Namespace) -> None:
    """Do the action; raise PuppetError if it fails."""
    match options.action:
        case "renew_cert":
            limit = options.if_expiring_in
            renew_cert(life, seconds_of("--if-expiring-in", limit, "30d, 12h or 5m", COMMAND))
        case "show":
            write(shown_certificate(life))
        case "clean":
            clean(life, with_authority=options.localca)
        case action:
            ACTIONS[action](life)


ACTIONS: Mapping[str, Callable[[Life], None]] = {
    "bootstrap": bootstrap,
    "submit_request": submit_request,
    "download_cert": download_cert,
    "generate_request": generate_request,
    "verify": verify,
}
RULES: Rules = {
    **NODE_RULES,
    "action": {
        "choices": (
            *("bootstrap", "submit_request", "download_cert", "renew_cert", "generate_request"),
            *("verify", "show", "clean"),
        )
    },
}
