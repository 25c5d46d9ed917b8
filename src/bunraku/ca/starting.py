"""What a server does before it answers: make the authority and its own certificate if absent."""

from __future__ import annotations

import os
from collections.abc import Callable

from bunraku.ca import issues
from bunraku.ca.authority import Authority, utc_now
from bunraku.ca.creation import create, self_signed_authority
from bunraku.ca.directory import link_old_directory, make_folder, write_public
from bunraku.ca.hosts import (
    DEFAULT_NAME,
    existing_key,
    publish,
    read_names,
    set_up_host,
)
from bunraku.ca.signer import exists
from bunraku.ca.site import Site
from bunraku.certificates.keys import same_key
from bunraku.certificates.reading import certificates_in


def open_authority(site: Site, log: Callable[[str], None]) -> Authority:
    """Return the authority of a site, ready for requests; make what is absent, as puppetserver does.

    A new authority is self-signed. The server gets a certificate, unless it has one, and copies of
    the authority's certificates and revocation lists. A list that expires soon is re-signed.
    Raises PuppetError for an authority or a key of which only a part is there, and Refused for a
    certname that cannot be one.
    """
    if not exists(site.settings):
        log(f"make a certificate authority in {site.settings.cadir}")
        create(site.settings, self_signed_authority(site.settings, utc_now()))
        link_old_directory(site.settings.cadir, site.text("confdir"))
    authority = Authority(site.settings, log)
    authority.signer()
    authority.refresh()
    ensure_certificate(site, authority)
    publish(authority, site.host)
    return authority


def ensure_certificate(site: Site, authority: Authority) -> None:
    """Make the server's certificate unless it has one; raise PuppetError for half of a key."""
    host = site.host
    if os.path.exists(host.hostcert):
        if existing_key(host) is None:
            raise issues.HALF_A_KEY(present=host.hostcert, absent=host.hostprivkey)
        return
    kept = authority.certificate_pem_of_node(host.certname)
    key = existing_key(host)
    if kept is not None and key is not None:
        certificate = certificates_in(kept)[0]
        if same_key(certificate.public_key(), key.public_key()):
            make_folder(os.path.dirname(host.hostcert))
            write_public(host.hostcert, kept)
            return
    names = read_names(str(site.values["dns_alt_names"] or "") or DEFAULT_NAME)
    set_up_host(authority, host, names, authority.settings.ca_ttl)
