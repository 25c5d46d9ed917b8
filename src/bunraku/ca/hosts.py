"""Certificates that are made where the authority is: the server's own, and those of its clients."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterable, Sequence

from cryptography import x509
from cryptography.x509.oid import NameOID

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.ca import extensions, issues
from bunraku.ca.authority import Authority
from bunraku.ca.directory import make_folder, optional_content, remove, write_public, write_secret
from bunraku.ca.policy import check_subject
from bunraku.ca.signer import pem
from bunraku.certificates.keys import (
    PrivateKey,
    make_key,
    private_pem,
    public_pem,
    read_private_key,
)

HOST_NAME = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?")
DEFAULT_NAME = "puppet"
"""The name under which agents look for a server that has no other names."""


@record(frozen=True)
class Host:
    """The paths of a node's own files in its ``ssldir``."""

    certname: str
    hostcert: str
    hostprivkey: str
    hostpubkey: str
    localcacert: str
    hostcrl: str


def read_names(text: str) -> list[x509.GeneralName]:
    """Return alternative names: ``DNS:name``, ``IP:address`` or ``name``, separated by commas.

    Raises PuppetError for a name that no host can have.

    >>> read_names("web, IP:127.0.0.1")
    [<DNSName(value='web')>, <IPAddress(value=127.0.0.1)>]
    """
    texts = [one.strip() for one in text.split(",")]
    return list(dict.fromkeys(read_name(one) for one in texts if one))


def read_name(text: str) -> x509.GeneralName:
    """Return an alternative name; raise PuppetError if it is malformed."""
    if text.startswith("IP:"):
        try:
            return x509.IPAddress(ipaddress.ip_address(text.removeprefix("IP:")))
        except ValueError:
            reason = f"'{text}' is not an IP address"
            raise issues.BAD_SETTING(name="dns_alt_names", reason=reason) from None
    name = text.removeprefix("DNS:")
    if not HOST_NAME.fullmatch(name):
        reason = f"'{text}' is not the name of a host"
        raise issues.BAD_SETTING(name="dns_alt_names", reason=reason)
    return x509.DNSName(name)


def names_of(certname: str, given: Iterable[x509.GeneralName]) -> list[x509.GeneralName]:
    """Return the alternative names of a host: those given and its own."""
    own: x509.GeneralName = x509.DNSName(certname)
    return list(dict.fromkeys([*given, own]))


def existing_key(host: Host) -> PrivateKey | None:
    """Return the key that a host has, None if it has none; raise PuppetError for half of one."""
    private, public = os.path.lexists(host.hostprivkey), os.path.lexists(host.hostpubkey)
    if private and public:
        return read_private_key(host.hostprivkey)
    if private or public:
        present, absent = (
            (host.hostprivkey, host.hostpubkey) if private else (host.hostpubkey, host.hostprivkey)
        )
        raise issues.HALF_A_KEY(present=present, absent=absent)
    return None


def check_free(paths: Iterable[str]) -> None:
    """Raise PuppetError if one of the files exists."""
    for path in paths:
        if os.path.lexists(path):
            raise issues.CERTIFICATE_EXISTS(path=path)


def certify(
    authority: Authority,
    certname: str,
    key: PrivateKey,
    names: Sequence[x509.GeneralName],
    seconds: int,
    *,
    administers: bool,
) -> x509.Certificate:
    """Return a certificate for a key, and keep it in the authority; Refused for a bad name.

    With ``administers``, it may use the whole interface of the authority.
    """
    check_subject(certname, certname)
    added = [extensions.cli_authorization()] if administers else []
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, certname)])
    with authority.directory.lock():
        if authority.directory.has_certificate(certname):
            path = authority.directory.certificate_path(certname)
            raise issues.CERTIFICATE_EXISTS(path=path)
        alternatives = names_of(certname, names)
        certificate = authority.certify(subject, key.public_key(), alternatives, added, seconds)
        authority.keep(certname, certificate)
    authority.log(f"generated 1 certificate: {certname}")
    return certificate


def set_up_host(
    authority: Authority, host: Host, names: Sequence[x509.GeneralName], seconds: int
) -> None:
    """Make the server's own certificate, which may use the interface of the authority.

    A key that the host has is used. A new one is written first: what comes after an interruption can
    use it, but not a certificate without its key. Raises PuppetError if the host has a certificate.
    """
    check_free([host.hostcert])
    key = existing_key(host)
    if key is None:
        key = make_key(authority.settings.keylength)
        write_keys(host, key)
    certificate = certify(authority, host.certname, key, names, seconds, administers=True)
    make_folder(os.path.dirname(host.hostcert))
    write_public(host.hostcert, pem(certificate))
    publish(authority, host)


def write_keys(host: Host, key: PrivateKey) -> None:
    """Write a host's key pair; neither half stays if the other one cannot be written."""
    make_folder(os.path.dirname(host.hostprivkey))
    make_folder(os.path.dirname(host.hostpubkey))
    write_secret(host.hostprivkey, private_pem(key))
    try:
        write_public(host.hostpubkey, public_pem(key.public_key()))
    except PuppetError:
        remove(host.hostprivkey)
        raise


def publish(authority: Authority, host: Host) -> None:
    """Copy the authority's certificates and revocation lists to a host's directory."""
    for source, target in (
        (authority.settings.cacert, host.localcacert),
        (authority.published_list, host.hostcrl),
    ):
        content = optional_content(source) or b""
        if content != optional_content(target):
            make_folder(os.path.dirname(target))
            write_public(target, content)
