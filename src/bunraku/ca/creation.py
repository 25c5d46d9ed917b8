"""New authorities: self-signed, below a root of their own, or imported from another authority."""

from __future__ import annotations

import datetime as dt
import os
import secrets
from collections.abc import Mapping

from cryptography import x509
from cryptography.x509.oid import NameOID

from bunraku.base.records import record
from bunraku.ca import extensions, inventory, issues
from bunraku.ca.directory import Directory, make_folder, remove, write_public, write_secret
from bunraku.ca.extensions import key_identifier
from bunraku.ca.policy import LONGEST_NAME
from bunraku.ca.revocation import check_chain, is_authority, is_issued_by, new_list
from bunraku.ca.settings import AuthoritySettings
from bunraku.ca.signer import Signer, load_signer, pem, signed, validity
from bunraku.certificates.keys import (
    PrivateKey,
    make_key,
    private_pem,
    public_pem,
    read_private_key,
    same_key,
)
from bunraku.certificates.reading import read_certificates, read_revocation_lists


@record(frozen=True)
class Material:
    """What an authority is made of: its certificate and key, the chain, and the revocation lists."""

    signer: Signer
    lists: tuple[x509.CertificateRevocationList, ...]
    next_serial: int = 1
    root_key: PrivateKey | None = None
    listed: bool = False
    """Whether the inventory has the authority's own certificate."""


def common_name(text: str) -> x509.Name:
    """Return a subject that has a common name alone; raise PuppetError for one that is too long."""
    if not 0 < len(text) <= LONGEST_NAME:
        reason = f"a common name has 1 to {LONGEST_NAME} characters, '{text}' has {len(text)}"
        raise issues.BAD_SETTING(name="ca_name", reason=reason)
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def root(name: str, key: PrivateKey, now: dt.datetime, seconds: int) -> Signer:
    """Return a self-signed authority."""
    public = key.public_key()
    certificate = signed(
        key,
        common_name(name),
        common_name(name),
        public,
        1,
        validity(now, seconds),
        extensions.of_authority(public),
    )
    return Signer(certificate, key, (certificate,))


def self_signed_authority(settings: AuthoritySettings, now: dt.datetime) -> Material:
    """Return a self-signed authority, as puppetserver makes it when it starts without one."""
    signer = root(settings.ca_name, make_key(settings.keylength), now, settings.ca_ttl)
    own = new_list(signer, now, [], 0)
    return Material(signer, (own,), next_serial=2, listed=True)


def below_root(settings: AuthoritySettings, root_name: str, now: dt.datetime) -> Material:
    """Return an authority below a root of its own, as ``puppetserver ca setup`` makes it.

    The list of the root is valid as long as the root: its key is not there to sign another.
    """
    top = root(root_name, make_key(settings.keylength), now, settings.ca_ttl)
    key = make_key(settings.keylength)
    certificate = top.sign(
        common_name(settings.ca_name),
        key.public_key(),
        2,
        validity(now, settings.ca_ttl),
        extensions.of_authority(key.public_key(), key_identifier(top.certificate)),
    )
    signer = Signer(certificate, key, (certificate, top.certificate))
    lifetime = dt.timedelta(seconds=settings.ca_ttl)
    lists = (new_list(signer, now, [], 0), new_list(top, now, [], 0, lifetime))
    return Material(signer, lists, root_key=top.key)


def imported(bundle: str, key_path: str, lists_path: str, now: dt.datetime) -> Material:
    """Return the authority of three files in PEM form; raise PuppetError unless they fit together.

    The list of the authority itself may be absent; then it is made.
    """
    chain = tuple(read_certificates(bundle))
    key = read_private_key(key_path)
    lists = list(read_revocation_lists(lists_path))
    found = [one for one in chain if same_key(one.public_key(), key.public_key())]
    if not found:
        raise issues.NO_SIGNER(cacert=bundle, cakey=key_path)
    if not is_authority(found[0]):
        reason = "the certificate of the key is not one of an authority"
        raise issues.BAD_CHAIN(reason=reason)
    signer = Signer(found[0], key, (found[0], *[one for one in chain if one is not found[0]]))
    own = [one for one in lists if is_issued_by(one, signer.certificate)]
    if not own:
        own = [new_list(signer, now, [], 0)]
    ordered = (own[0], *[one for one in lists if one not in own])
    check_chain(signer.certificate, chain, ordered, now)
    return Material(signer, ordered)


def create(settings: AuthoritySettings, material: Material) -> Signer:
    """Write the files of a new authority, and return what signs.

    Raises PuppetError if one of the files exists, or cannot be written; then none is left.
    """
    contents = files_of(settings, material)
    for path in contents:
        if os.path.lexists(path):
            raise issues.FILES_EXIST(path=path)
    make_folder(settings.cadir)
    directory = Directory(settings)
    private = {settings.cakey, settings.rootkey}
    with directory.lock():
        directory.make_folders()
        written: list[str] = []
        try:
            for path, content in contents.items():
                written.append(path)
                (write_secret if path in private else write_public)(path, content)
            if material.listed:
                add_own(settings, material.signer)
        except BaseException:
            for path in written:
                remove(path)
            raise
    return load_signer(settings)


def add_own(settings: AuthoritySettings, signer: Signer) -> None:
    """Add the authority's own certificate to the inventory."""
    names = signer.certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    inventory.add(settings, signer.certificate, str(names[-1].value))


def files_of(settings: AuthoritySettings, material: Material) -> Mapping[str, bytes]:
    """Return the contents of the files of a new authority by their paths, keys first."""
    signer, lists = material.signer, pem(*material.lists)
    keys = {settings.cakey: private_pem(signer.key)}
    if material.root_key is not None:
        keys[settings.rootkey] = private_pem(material.root_key)
    return {
        **keys,
        settings.capub: public_pem(signer.key.public_key()),
        settings.cacrl: lists,
        settings.infra_crl_path: lists,
        settings.cert_inventory: b"",
        settings.infra_nodes_path: b"",
        settings.infra_node_serials_path: b"",
        settings.serial: f"{material.next_serial:04X}".encode(),
        settings.cacert: pem(*signer.chain),
    }


def default_root_name() -> str:
    """Return a name for a root that no other root has."""
    return f"Puppet Root CA: {secrets.token_hex(7)}"
