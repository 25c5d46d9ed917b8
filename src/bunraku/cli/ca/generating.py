"""``bunraku ca generate``: a key and a certificate for a node, made where the authority is."""

from __future__ import annotations

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from bunraku.base.excerpt import visible
from bunraku.ca.authority import Authority
from bunraku.ca.directory import content_of, make_folder, write_public
from bunraku.ca.hosts import Host, certify, check_free, read_names, write_keys
from bunraku.ca.policy import Refused, check_subject
from bunraku.ca.settings import duration
from bunraku.ca.signer import pem
from bunraku.ca.site import Site
from bunraku.certificates.keys import PrivateKey, make_key
from bunraku.certificates.names import load_mapping
from bunraku.certificates.signing_requests import Attributes, make_request, read_attributes
from bunraku.cli import exits
from bunraku.cli.options.ca import CaOptions
from bunraku.cli.output.output import write, write_error


def generate(site: Site, options: CaOptions) -> int:
    """Make keys and certificates for nodes; one that is refused does not stop the others."""
    authority = Authority(site.settings)
    authority.signer()
    seconds = None if options.ttl is None else duration("ttl", options.ttl)
    code = exits.OK
    for name in dict.fromkeys(options.certname or ()):
        try:
            if options.ca_client:
                administrator(site, authority, name, options.subject_alt_names, seconds)
            else:
                node(site, authority, name, options.subject_alt_names, seconds)
        except Refused as error:
            write_error(f"Error:\n    {visible(str(error))}\n")
            code = exits.FINDINGS
    return code


def say(text: str) -> None:
    """Print a line."""
    write(f"{visible(text)}\n")


def free_host(site: Site, authority: Authority, name: str) -> Host:
    """Return the files of a node; raise an error if the name is bad or one of them exists."""
    check_subject(name, name)
    host = site.node(name)
    kept = authority.directory.certificate_path(name) or ""
    check_free([host.hostcert, host.hostprivkey, host.hostpubkey, kept])
    return host


def administrator(
    site: Site, authority: Authority, name: str, names: str | None, seconds: int | None
) -> None:
    """Make a certificate that may use the whole interface of the authority."""
    host = free_host(site, authority, name)
    key = make_key(site.settings.keylength)
    alternatives: list[x509.GeneralName] = read_names(names or "")
    certificate = certify(authority, name, key, alternatives, seconds or site.ttl, administers=True)
    save_keys(host, key)
    save_certificate(host, name, pem(certificate))


def node(
    site: Site, authority: Authority, name: str, names: str | None, seconds: int | None
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
        except Refused:
            authority.delete_request(name)
            raise
        say(f"Successfully signed certificate request for {name}")
    else:
        say(f"Certificate for {name} was autosigned.")
    save_keys(host, key)
    save_certificate(host, name, authority.certificate_pem_of_node(name) or b"")


def attributes_of(site: Site) -> Attributes:
    """Return the attributes in ``csr_attributes.yaml``, if there is one."""
    path = site.text("csr_attributes")
    content = content_of(path)
    if content is None:
        return Attributes()
    return read_attributes(content, path, load_mapping(site.text("trusted_oid_mapping_file")))


def save_keys(host: Host, key: PrivateKey) -> None:
    """Write the key pair of a node."""
    write_keys(host, key)
    say(f"Successfully saved private key for {host.certname} to {host.hostprivkey}")
    say(f"Successfully saved public key for {host.certname} to {host.hostpubkey}")


def save_certificate(host: Host, name: str, content: bytes) -> None:
    """Write the certificate of a node."""
    make_folder(host.hostcert.rpartition("/")[0])
    write_public(host.hostcert, content)
    say(f"Successfully saved certificate for {name} to {host.hostcert}")
