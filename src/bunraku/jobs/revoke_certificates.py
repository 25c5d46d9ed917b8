"""Revoke certificates of nodes, and remove their files, where the authority is."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from bunraku.ca.authority import Authority
from bunraku.ca.site import Site
from bunraku.jobs.certificate_options import Say


class Revocation(Enum):
    """The result for a node, or the worst one for several; a larger value is worse."""

    DONE = 0
    NOTHING_TO_REVOKE = 1
    MISSING = 2


def authority_of(site: Site) -> Authority:
    """Return the authority of a site; raise PuppetError if there is none."""
    authority = Authority(site.settings)
    authority.signer()
    return authority


def worst(outcomes: Iterable[Revocation]) -> Revocation:
    """Return the worst outcome."""
    return max(outcomes, key=lambda one: one.value, default=Revocation.DONE)


def revoke_certificates(site: Site, names: Iterable[str], say: Say, fail: Say) -> Revocation:
    """Revoke certificates; one that does not exist does not stop the others."""
    authority = authority_of(site)
    return worst(revoke_one(authority, name, say, fail) for name in dict.fromkeys(names))


def revoke_one(authority: Authority, name: str, say: Say, fail: Say) -> Revocation:
    """Revoke the certificates of a node."""
    if authority.is_issued(name):
        authority.revoke([name])
        say(f"Certificate for {name} has been revoked")
        return Revocation.DONE
    if authority.directory.has_request(name):
        fail(f"    Could not revoke unsigned csr for {name}")
        return Revocation.NOTHING_TO_REVOKE
    fail(f"    Could not find certificate for {name}")
    return Revocation.MISSING


def clean_certificates(site: Site, names: Iterable[str], say: Say, fail: Say) -> Revocation:
    """Revoke certificates and remove their files, and requests."""
    authority = authority_of(site)
    return worst(clean_one(authority, name, say, fail) for name in dict.fromkeys(names))


def clean_one(authority: Authority, name: str, say: Say, fail: Say) -> Revocation:
    """Revoke the certificates of a node and remove its files."""
    issued = authority.is_issued(name)
    if issued:
        authority.revoke([name])
        say(f"Certificate for {name} has been revoked")
    if authority.delete(name) or issued:
        say(f"Cleaned files related to {name}")
        return Revocation.DONE if issued else Revocation.NOTHING_TO_REVOKE
    fail(f"    Could not find files to clean for {name}")
    return Revocation.MISSING
