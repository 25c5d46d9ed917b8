"""The certificate authority of ``bunraku server``, which is made at the first start."""

from __future__ import annotations

import os
from collections.abc import Callable

from bunraku.ca.authority import Authority, utc_now
from bunraku.ca.creation import create, single
from bunraku.ca.hosts import read_names, set_up_host
from bunraku.ca.site import Site, site_of
from bunraku.cli.exits import UsageError
from bunraku.server.settings import Settings

COMMAND = "server"
DEFAULT_NAME = "puppet"
"""The name under which agents look for a server that has no other names."""


def authority_of(settings: Settings, log: Callable[[str], None]) -> Authority:
    """Return the authority; make it, and the server's certificate, if they are missing.

    UsageError if the server has a certificate of another authority.
    """
    site = site_of(settings.given, settings.certname)
    if not os.path.exists(site.settings.cacert):
        if os.path.exists(site.host.hostcert):
            raise UsageError(
                f"{site.host.hostcert} exists, but there is no certificate authority in"
                f" {site.settings.cadir}; use --no-ca if another server is the authority",
                COMMAND,
            )
        log(f"notice: a certificate authority is made in {site.settings.cadir}")
        create(site.settings, single(site.settings, utc_now()))
    authority = Authority(site.settings, lambda text: log(f"notice: {text}"))
    authority.signer()
    if not os.path.exists(site.host.hostcert):
        names = read_names(names_of(site))
        set_up_host(authority, site.host, names, site.ttl)
    authority.refresh()
    return authority


def names_of(site: Site) -> str:
    """Return the alternative names of the server."""
    return str(site.values["dns_alt_names"] or DEFAULT_NAME)
