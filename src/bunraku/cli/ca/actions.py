"""The actions of ``bunraku ca`` on requests and certificates, with the texts of its model."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bunraku.base.excerpt import visible
from bunraku.base.usage import UsageError
from bunraku.ca import pruning
from bunraku.ca.policy import RequestRefused
from bunraku.ca.settings import duration
from bunraku.ca.site import Site, read_site
from bunraku.cli import exits
from bunraku.cli.ca.listing import list_certificates
from bunraku.cli.options.ca import COMMAND
from bunraku.cli.options.shared import read_text
from bunraku.cli.output.output import write, write_error
from bunraku.jobs.certificate_options import CaOptions
from bunraku.jobs.facts_files import machine_name
from bunraku.jobs.revoke_certificates import (
    Revocation,
    authority_of,
    clean_certificates,
    revoke_certificates,
)
from bunraku.world.linux import LinuxHost

NOTHING_TO_DO = 24
"""The exit code for requests that are not there, and certificates that cannot be revoked."""
OUTCOMES = {
    Revocation.DONE: exits.OK,
    Revocation.NOTHING_TO_REVOKE: NOTHING_TO_DO,
    Revocation.MISSING: exits.FINDINGS,
}


def say(text: str) -> None:
    """Print a line."""
    write(f"{visible(text)}\n")


def fail(*lines: str) -> None:
    """Print an error with its lines."""
    write_error("".join(f"{visible(line)}\n" for line in ("Error:", *lines)))


def site_of(options: CaOptions) -> Site:
    """Return the settings of the command line and of puppet.conf; raise PuppetError."""
    given = dict(options.settings)
    if options.action in {"setup", "import"} and options.certname:
        given["certname"] = options.certname[0]
    if options.settings_file is not None:
        read_text(options.settings_file)  # UsageError for a file that cannot be read
    return read_site(
        options.settings_file, given, lambda: machine_name(LinuxHost(), with_external=False)
    )


def list_action(site: Site, options: CaOptions) -> int:
    """Print certificates and requests."""
    chosen = options.certname or []
    form = options.format or "text"
    return list_certificates(authority_of(site), chosen, bool(options.all), form)


def sign(site: Site, options: CaOptions) -> int:
    """Sign requests."""
    authority = authority_of(site)
    seconds = None if options.ttl is None else duration("ttl", options.ttl)
    names = authority.pending() if options.all else options.certname or ()
    if not names:
        fail("    No waiting certificate requests to sign")
        return NOTHING_TO_DO
    result = authority.sign_many(names, seconds)
    if result.signed:
        say("Successfully signed the following certificate requests:")
        for name in result.signed:
            say(f"  {name}")
    problems = []
    if result.no_csr:
        problems.append(
            "    No certificate request found for the following nodes when attempting to sign:"
        )
        problems += [f"      {name}" for name in result.no_csr]
    if result.signing_errors:
        problems.append(
            "    Error encountered when attempting to sign the certificate request for the "
            "following nodes:"
        )
        problems += [f"      {name}: {text}" for name, text in result.signing_errors.items()]
    if problems:
        fail(*problems)
    return exits.FINDINGS if problems else exits.OK


def revoke(site: Site, options: CaOptions) -> int:
    """Revoke certificates."""
    return OUTCOMES[revoke_certificates(site, options.certname or (), say, fail)]


def clean(site: Site, options: CaOptions) -> int:
    """Revoke certificates and remove their files, and requests."""
    return OUTCOMES[clean_certificates(site, options.certname or (), say, fail)]


def prune(site: Site, options: CaOptions) -> int:
    """Remove entries from the revocation list."""
    others = options.remove_entries or options.remove_expired
    pruned = pruning.prune(
        authority_of(site),
        duplicates=bool(options.remove_duplicates) or not others,
        expired=bool(options.remove_expired),
        serials=[serial_number(text) for text in options.serial or []],
        names=options.certname or [],
    )
    say(f"Total number of certificates found in Puppet's CRL is: {pruned.total}.")
    if pruned.duplicates:
        say(f"Removed {pruned.duplicates} duplicated certs from Puppet's CRL.")
    if pruned.entries:
        say(f"Removed {pruned.entries} certs from Puppet's CRL.")
    if not pruned.duplicates and not pruned.entries:
        say("No matching revocations found in the CRL for pruning")
    return exits.OK


def serial_number(text: str) -> int:
    """Return a hexadecimal serial number; UsageError for other text."""
    try:
        return int(text, 16)
    except ValueError:
        raise UsageError(f"--serial: '{text}' is not a hexadecimal number", COMMAND) from None


def delete(site: Site, options: CaOptions) -> int:
    """Remove files of certificates."""
    authority = authority_of(site)
    names = list(options.certname or [])
    if options.all:
        names += [str(one["name"]) for one in authority.statuses() if one["state"] != "requested"]
    if options.expired:
        names += pruning.expired_names(authority)
    if options.revoked:
        names += pruning.revoked_names(authority)
    removed, absent = pruning.delete_files(authority, names)
    for path in removed:
        say(f"Deleting certificate at {path}")
    if absent:
        fail(*[f"Could not find certificate file at {path}" for path in absent])
    say(f"{len(removed)} certificate{'' if len(removed) == 1 else 's'} deleted.")
    return NOTHING_TO_DO if absent else exits.OK


def set_up_action(site: Site, options: CaOptions) -> int:
    """Make an authority below a root of its own."""
    from bunraku.jobs.set_up_authority import set_up

    set_up(site, options, say)
    return exits.OK


def import_action(site: Site, options: CaOptions) -> int:
    """Make an authority of files in PEM form."""
    from bunraku.jobs.set_up_authority import import_authority

    import_authority(site, options, say)
    return exits.OK


def generate_action(site: Site, options: CaOptions) -> int:
    """Make keys and certificates for nodes."""
    from bunraku.jobs.generate_certificates import generate

    return exits.OK if generate(site, options, say, fail) else exits.FINDINGS


Action = Callable[[Site, CaOptions], int]
ACTIONS: Mapping[str, Action] = {
    "setup": set_up_action,
    "import": import_action,
    "list": list_action,
    "sign": sign,
    "revoke": revoke,
    "clean": clean,
    "generate": generate_action,
    "prune": prune,
    "delete": delete,
}


def perform(site: Site, options: CaOptions) -> int:
    """Do an action and return the exit code; a refusal is an error."""
    try:
        return ACTIONS[options.action](site, options)
    except RequestRefused as error:
        fail(f"    {error}")
        return exits.FINDINGS
