"""Make keys and certificates for nodes where the authority is."""

from __future__ import annotations

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from bunraku.ca.authority import Authority
from bunraku.ca.directory import make_folder, optional_content, write_public
from bunraku.ca.hosts import Host, certify, check_free, read_names, write_keys
from bunraku.ca.policy import RequestRefused, check_subject
from bunraku.ca.settings import duration
from bunraku.ca.signer import pem
from bunraku.ca.site import Site
from bunraku.certificates.keys import PrivateKey, make_key
from bunraku.certificates.names import load_mapping
from bunraku.certificates.signing_requests import Attributes, make_request, read_attributes
from bunraku.jobs.certificate_options import CaOptions, Say


def generate(site: Site, options: CaOptions, say: Say, fail: Say) -> bool:
    """Make keys and certificates for nodes; return whether all could be made.

    One that is refused does not stop the others: ``fail`` gets the reason.
    """
    authority = Authority(site.settings)
    authority.signer()
    seconds = None if options.ttl is None else duration("ttl", options.ttl)
    succeeded = True
    for name in dict.fromkeys(options.certname or ()):
        try:
            if options.ca_client:
                administrator(site, authority, name, options.subject_alt_names, seconds, say)
            else:
                node(site, authority, name, options.subject_alt_names, seconds, say)
        except RequestRefused as error:
            fail(f"    {error}")
            succeeded = False
    return succeeded


def free_host(site: Site, authority: Authority, name: str) -> Host:
    """Return the files of a node; raise an error if the name is bad or one of them exists."""
    check_subject(name, name)
    host = site.node(name)
    kept = authority.directory.certificate_path(name) or ""
    check_free([host.hostcert, host.hostprivkey, host.hostpubkey, kept])
    return host


def administrator(
    site: Site,
    authority: Authority,
    name: str,
    names: str | None,
    seconds: int | None,
    say: Say,
) -> None:
    """Make a certificate that may use the whole interface of the authority."""
    host = free_host(site, authority, name)
    key = make_key(site.settings.keylength)
    alternatives: list[x509.GeneralName] = read_names(names or "")
    certificate = certify(authority, name, key, alternatives, seconds or site.ttl, administers=True)
    save_keys(host, key, say)
    save_certificate(host, name, pem(certificate), say)


def node(
    site: Site,
    authority: Authority,
    name: str,
    names: str | None,
    seconds: int | None,
    say: Say,
) -> None:
    """Make a node's certificate by a request, to which the rules for requests apply."""
    host = free_host(site, authority, name)
    key = make_key(site.settings.keylength)
    request = make_request(
        name,
        key,
        alternative_names=[one.strip() for one in (names or "").split(",") if one.strip()],
        attributes=attributes_of(site),
    )
    authority.submit(name, request.public_bytes(Encoding.PEM))
    say(f"Successfully submitted certificate request for {name}")
    if authority.directory.has_request(name):
        try:
            authority.sign(name, seconds)
        except RequestRefused:
            authority.delete_request(name)
            raise
        say(f"Successfully signed certificate request for {name}")
    else:
        say(f"Certificate for {name} was autosigned.")
    save_keys(host, key, say)
    save_certificate(host, name, authority.certificate_pem_of_node(name) or b"", say)


def attributes_of(site: Site) -> Attributes:
    """Return the attributes in ``csr_attributes.yaml``, if there is one."""
    path = site.text("csr_attributes")
    content = optional_content(path)
    if content is None:
        return Attributes()
    return read_attributes(content, path, load_mapping(site.text("trusted_oid_mapping_file")))


def save_keys(host: Host, key: PrivateKey, say: Say) -> None:
    """Write the key pair of a node."""
    write_keys(host, key)
    say(f"Successfully saved private key for {host.certname} to {host.hostprivkey}")
    say(f"Successfully saved public key for {host.certname} to {host.hostpubkey}")


def save_certificate(host: Host, name: str, content: bytes, say: Say) -> None:
    """Write the certificate of a node."""
    make_folder(host.hostcert.rpartition("/")[0])
    write_public(host.hostcert, content)
    say(f"Successfully saved certificate for {name} to {host.hostcert}")
