"""Set up or import a certificate authority, and make the certificate of its server."""

from __future__ import annotations

from cryptography import x509

from bunraku.base.records import replace
from bunraku.ca.authority import Authority, utc_now
from bunraku.ca.creation import Material, below_root, create, default_root_name, imported
from bunraku.ca.directory import link_old_directory
from bunraku.ca.hosts import (
    DEFAULT_NAME,
    check_free,
    existing_key,
    read_names,
    set_up_host,
)
from bunraku.ca.policy import check_subject
from bunraku.ca.settings import AuthoritySettings
from bunraku.ca.site import Site
from bunraku.jobs.certificate_options import CaOptions, Say


def set_up(site: Site, options: CaOptions, say: Say) -> None:
    """Make an authority below a root of its own, and the server's certificate."""
    settings = replace(site.settings, ca_ttl=site.ttl)
    if options.ca_name is not None:
        settings = replace(settings, ca_name=options.ca_name)
    root_name = options.root_ca_name or default_root_name()
    names = alternative_names(site, options)
    check_host(site)
    make(site, settings, below_root(settings, root_name, utc_now()), names)
    say(f"Generation succeeded. Find your files in {settings.cadir}")


def import_authority(site: Site, options: CaOptions, say: Say) -> None:
    """Make an authority of files in PEM form, and the server's certificate."""
    names = alternative_names(site, options)
    check_host(site)
    material = imported(
        options.cert_bundle or "", options.private_key or "", options.crl_chain or "", utc_now()
    )
    make(site, site.settings, material, names)
    say(f"Import succeeded. Find your files in {site.settings.cadir}")


def alternative_names(site: Site, options: CaOptions) -> list[x509.GeneralName]:
    """Return the alternative names of the server: of the option, the setting, or ``puppet``."""
    given = options.subject_alt_names or str(site.values["dns_alt_names"] or "")
    return read_names(given or DEFAULT_NAME)


def check_host(site: Site) -> None:
    """Raise an error before anything is written if the server's certificate cannot be made."""
    check_subject(site.host.certname, site.host.certname)
    check_free([site.host.hostcert, site.host.localcacert, site.host.hostcrl])
    existing_key(site.host)


def make(
    site: Site, settings: AuthoritySettings, material: Material, names: list[x509.GeneralName]
) -> None:
    """Write the authority and the server's files."""
    create(settings, material)
    set_up_host(Authority(settings), site.host, names, site.ttl)
    link_old_directory(settings.cadir, site.text("confdir"))
