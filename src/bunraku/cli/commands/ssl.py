"""Request, show, check or remove this machine's certificate for Puppet servers."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from contextlib import contextmanager

from cryptography.hazmat.primitives.serialization import Encoding

from bunraku.agent import issues
from bunraku.agent.http import RefusedAnswer, Servers, servers_of
from bunraku.agent.life import NOT_FOUND, Life
from bunraku.apply.log import RunLog
from bunraku.base.errors import Issue, PuppetError
from bunraku.base.usage import UsageError
from bunraku.certificates.keys import PrivateKey
from bunraku.certificates.names import load_mapping
from bunraku.certificates.ssl_directory import OF_AUTHORITY, OF_NODE
from bunraku.certificates.verification import fingerprint, subject_text
from bunraku.cli import exits
from bunraku.cli.agent.certificate_text import certificate_text
from bunraku.cli.options.agent import NODE_AND_SERVERS, NODE_RULES
from bunraku.cli.options.declarations import GENERAL, Rules
from bunraku.cli.options.session import Session, session_of
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.findings import text_report
from bunraku.modules.settings import duration

COMMAND = "ssl"
SETTINGS = True
"""Every setting of Puppet is an option."""
INTERMIXED = True
FAILED = 1


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
        ACTIONS[options.action](life, options)
    except PuppetError as error:
        write_error(text_report(error, session.paint))
        return FAILED
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


def bootstrap(life: Life, _options: argparse.Namespace) -> None:
    """Request a certificate and wait until it is signed."""
    wait = life.settings.number("waitforcert")
    life.ensure(wait=wait, once=life.settings.flag("onetime"))
    life.log("notice", "Completed SSL initialization")


def submit_request(life: Life, _options: argparse.Namespace) -> None:
    """Send a request, and fetch the certificate if it is signed at once."""
    life.directory.make()
    servers = life.ensure_authority()
    key = node_key(life)
    name, url = life.settings.name, servers.url("ca")
    with failing(issues.SUBMIT_FAILED):
        is_new = life.submit(servers, key)
    if not is_new:
        raise issues.CONFLICT(certname=name, url=url)
    life.log("notice", f"Submitted certificate request for '{name}' to {url}")
    if not fetch(life, servers, key):
        life.log("info", f"The certificate for '{name}' has not yet been signed")


def generate_request(life: Life, _options: argparse.Namespace) -> None:
    """Write a request without sending it."""
    life.directory.make()
    with failing(issues.GENERATE_FAILED):
        life.directory.write_request(life.new_request(node_key(life)))
    path = life.directory.paths["hostcsr"]
    life.log("notice", f"Generated certificate request in '{path}'")


def download_cert(life: Life, _options: argparse.Namespace) -> None:
    """Fetch the signed certificate."""
    life.directory.make()
    servers = life.ensure_authority()
    key = life.directory.key()
    if key is None:
        path = life.directory.paths["hostprivkey"]
        raise issues.MISSING_FILE(what="private key is", path=path)
    if not fetch(life, servers, key):
        raise issues.NOT_SIGNED(certname=life.settings.name)


def fetch(life: Life, servers: Servers, key: PrivateKey) -> bool:
    """Fetch and store the signed certificate; return False if it is not signed."""
    name = life.settings.name
    life.log("info", f"Downloading certificate '{name}' from {servers.url('ca')}")
    with failing(issues.DOWNLOAD_FAILED):
        certificate = life.signed(servers)
        if certificate is not None:
            life.take(certificate, key)
    return certificate is not None


def node_key(life: Life) -> PrivateKey:
    """Return the key of the node; a missing one is made."""
    return life.ensure_key("SSL")


@contextmanager
def failing(issue: Issue) -> Iterator[None]:
    """Raise another error, with the message of the first, instead of errors in the block."""
    try:
        yield
    except PuppetError as error:
        raise issue(reason=error.message) from error


def renew_cert(life: Life, options: argparse.Namespace) -> None:
    """Fetch a new certificate in the place of the current one."""
    certificate, key = life.own()
    text = options.if_expiring_in
    limit = None if text is None else duration(text)
    if isinstance(limit, str):
        raise UsageError(f"--if-expiring-in: invalid time {text!r}: use 30d, 12h or 5m", COMMAND)
    left = (certificate.not_valid_after_utc - life.now()).total_seconds()
    if limit is not None and left > limit:
        until, name = certificate.not_valid_after_utc, life.settings.name
        life.log("info", f"Certificate '{name}' is still valid until {until}")
        return
    try:
        found = life.renew(key)
    except RefusedAnswer as error:
        if error.status == NOT_FOUND:
            raise issues.NOT_RENEWED() from None
        raise issues.DOWNLOAD_FAILED(reason=error.message) from None
    life.take(found, key)


def verify(life: Life, _options: argparse.Namespace) -> None:
    """Check the key, the certificate, its chain and the revocation lists."""
    certificate, key = life.own()
    chain = life.check(certificate, key)
    for one in reversed(chain):
        kind = "client" if one is certificate else "CA"
        subject, digest = subject_text(one.subject), fingerprint(one.public_bytes(Encoding.DER))
        life.log("notice", f"Verified {kind} certificate '{subject}' fingerprint (SHA256) {digest}")


def show(life: Life, _options: argparse.Namespace) -> None:
    """Print the certificate."""
    certificate, key = life.own()
    life.check(certificate, key)
    names = load_mapping(life.settings.text("trusted_oid_mapping_file"), "longname")
    write(certificate_text(certificate, names))


def clean(life: Life, options: argparse.Namespace) -> None:
    """Remove the files of the node, and those of the authority if the options say so.

    On the machine of the authority, its certificate must be gone there first.
    """
    check_cleaned(life)
    files = {**OF_NODE, **(OF_AUTHORITY if options.localca else {})}
    for name, what in files.items():
        if life.directory.remove(name):
            life.log("notice", f"Removed {what} {life.directory.paths[name]}")


def check_cleaned(life: Life) -> None:
    """Raise PuppetError if the authority runs here and still has the certificate of the node."""
    name = life.settings.name
    if name != life.settings.text("ca_server"):
        return
    try:
        certificate = life.signed(life.ensure_authority())
    except PuppetError as error:
        raise issues.CLEANING_UNKNOWN(certname=name, reason=error.message) from None
    if certificate is not None:
        raise issues.NOT_CLEANED(certname=name)


ACTIONS = {
    "bootstrap": bootstrap,
    "submit_request": submit_request,
    "download_cert": download_cert,
    "renew_cert": renew_cert,
    "generate_request": generate_request,
    "verify": verify,
    "show": show,
    "clean": clean,
}
RULES: Rules = {**NODE_RULES, "action": {"choices": tuple(ACTIONS)}}
