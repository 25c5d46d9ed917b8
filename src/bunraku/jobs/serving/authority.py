"""The certificate authority of ``bunraku server``, which is made at the first start."""

from __future__ import annotations

import os
from collections.abc import Callable

from bunraku.base.usage import UsageError
from bunraku.ca.authority import Authority
from bunraku.ca.site import site_of
from bunraku.ca.starting import open_authority
from bunraku.server.settings import Settings

COMMAND = "server"


def authority_of(settings: Settings, log: Callable[[str], None]) -> Authority:
    """Return the authority; make it, and the server's certificate, if they are missing.

    UsageError if the server has a certificate of another authority.
    """
    site = site_of(settings.given, settings.certname)
    if not os.path.exists(site.settings.cacert) and os.path.exists(site.host.hostcert):
        raise UsageError(
            f"{site.settings.cadir} has no certificate authority, although"
            f" {site.host.hostcert} exists; use --no-ca if another server is the authority",
            COMMAND,
        )
    return open_authority(site, lambda text: log(f"notice: {text}"))
