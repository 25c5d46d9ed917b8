"""The directory of a node's keys and certificates, in Puppet's layout and with its modes."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.serialization import Encoding

from bunraku.base.errors import PuppetError
from bunraku.certificates import issues
from bunraku.certificates.keys import (
    PRIVATE_MODE,
    PUBLIC_MODE,
    PrivateKey,
    private_pem,
    public_pem,
    read_private_key,
)
from bunraku.certificates.reading import (
    NotPem,
    certificates_in,
    request_in,
    revocation_lists_in,
)
from bunraku.certificates.received_requests import ReceivedRequest
from bunraku.world.host import Host

T = TypeVar("T")
DIRECTORIES: Mapping[str, int] = {
    "ssldir": 0o771,
    "certdir": 0o755,
    "publickeydir": 0o755,
    "requestdir": 0o755,
    "privatekeydir": 0o750,
    "privatedir": 0o750,
}
"""Setting → mode of the directory."""
OF_NODE: Mapping[str, str] = {
    "hostprivkey": "private key",
    "hostpubkey": "public key",
    "hostcsr": "certificate request",
    "hostcert": "certificate",
    "passfile": "private key password file",
}
"""Setting → what is in the file of a node."""
OF_AUTHORITY: Mapping[str, str] = {
    "localcacert": "local CA certificate",
    "hostcrl": "local CRL",
}


class SslDirectory:
    """The files of a node named ``certname``; ``paths`` are Puppet's settings of them."""

    def __init__(self, host: Host, certname: str, paths: Mapping[str, Any]) -> None:
        self.host = host
        self.certname = certname
        self.paths: Mapping[str, str] = {
            name: str(paths[name])
            for name in (*DIRECTORIES, *OF_NODE, *OF_AUTHORITY, "ssl_lockfile")
        }

    def make(self) -> None:
        """Create the missing directories; PuppetError if that fails."""
        for name, mode in DIRECTORIES.items():
            self.make_directory(self.paths[name], mode)

    def make_directory(self, path: str, mode: int) -> None:
        """Create a directory with a mode, and its missing parents."""
        if path in ("", "/") or self.host.is_directory(path):
            return
        self.make_directory(posixpath.dirname(path), 0o755)
        try:
            with suppress(FileExistsError):  # another process has created it
                self.host.make_directory(path, mode)
        except OSError as error:
            raise issues.UNWRITABLE_FILE(path=path, reason=error.strerror or error) from None

    # -- reading ---------------------------------------------------------------------------------

    def authorities(self) -> list[x509.Certificate] | None:
        """Return the certificates of the authority; None without the file, PuppetError if invalid."""
        return self.read("localcacert", certificates_in)

    def revocation_lists(self) -> list[x509.CertificateRevocationList] | None:
        """Return the revocation lists; None without the file, PuppetError if invalid."""
        return self.read("hostcrl", revocation_lists_in)

    def certificate(self) -> x509.Certificate | None:
        """Return the certificate of the node; None without one, PuppetError if invalid."""
        found = self.read("hostcert", certificates_in)
        return None if found is None else found[0]

    def request(self) -> ReceivedRequest | None:
        """Return the signing request of the node; None without one, PuppetError if invalid."""
        return self.read("hostcsr", request_in)

    def key(self) -> PrivateKey | None:
        """Return the private key of the node; None without one, PuppetError if it is unusable."""
        path = self.paths["hostprivkey"]
        if self.host.status(path, follow=True) is None:
            return None
        return read_private_key(path, self.password())

    def password(self) -> bytes | None:
        """Return the password of the private key; None without one."""
        return self.content("passfile")

    def read(self, name: str, reader: Callable[[bytes], T]) -> T | None:
        """Return what a reader finds in a file; None without the file."""
        content = self.content(name)
        if content is None:
            return None
        try:
            return reader(content)
        except NotPem as error:
            raise self.invalid(name, str(error)) from None

    def invalid(self, name: str, reason: str) -> PuppetError:
        """Return the error for a file whose content is wrong."""
        what = {**OF_NODE, **OF_AUTHORITY}[name]
        return issues.INVALID_CONTENT(what=what, path=self.paths[name], reason=reason)

    def content(self, name: str) -> bytes | None:
        """Return the content of a file; None if it does not exist, PuppetError if it is unreadable."""
        path = self.paths[name]
        try:
            return self.host.read(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            reason = error.strerror or error
            what = f"the {({**OF_NODE, **OF_AUTHORITY})[name]}"
            raise issues.UNREADABLE_FILE(what=what, path=path, reason=reason) from None

    def changed(self, name: str) -> float | None:
        """Return when a file was written, in seconds since the epoch; None without the file."""
        status = self.host.status(self.paths[name], follow=True)
        return None if status is None else status.modified

    # -- writing ---------------------------------------------------------------------------------

    def write(self, name: str, content: bytes, mode: int = PUBLIC_MODE) -> None:
        """Replace a file; PuppetError if that fails."""
        path = self.paths[name]
        self.make()
        try:
            self.host.replace_file(path, [content], mode=mode)
        except OSError as error:
            raise issues.UNWRITABLE_FILE(path=path, reason=error.strerror or error) from None

    def write_key(self, key: PrivateKey) -> None:
        """Write the private and the public key of the node."""
        self.write("hostprivkey", private_pem(key, self.password()), PRIVATE_MODE)
        self.write("hostpubkey", public_pem(key.public_key()))

    def write_certificate(self, certificate: x509.Certificate) -> None:
        """Write the certificate of the node, and remove its request."""
        self.write("hostcert", certificate.public_bytes(Encoding.PEM))
        self.remove("hostcsr")

    def write_request(self, request: x509.CertificateSigningRequest) -> None:
        """Write the signing request of the node."""
        self.write("hostcsr", request.public_bytes(serialization.Encoding.PEM))

    def remove(self, name: str) -> bool:
        """Remove a file; return whether it existed."""
        path = self.paths[name]
        try:
            self.host.remove_file(path)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise issues.UNWRITABLE_FILE(path=path, reason=error.strerror or error) from None
        return True
