"""TLS for servers: certificates of both sides, checked by the standard library."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias

from bunraku.base.records import record

ClientAuth: TypeAlias = Literal["need", "want", "none"]
REQUIREMENTS: Mapping[ClientAuth, ssl.VerifyMode] = {
    "need": ssl.CERT_REQUIRED,
    "want": ssl.CERT_OPTIONAL,
    "none": ssl.CERT_NONE,
}
State: TypeAlias = "tuple[int, ...] | None"
Name: TypeAlias = "tuple[tuple[tuple[str, str], ...], ...]"


class TlsError(Exception):
    """Raised for files that TLS cannot use; the text says which and why."""


@record(frozen=True)
class Tls:
    """The files in PEM format of a server: its certificate with those of its chain, its key, the
    certificate authorities of its clients and their revocation lists.
    """

    cert: str
    key: str
    ca_cert: str | None = None
    crl: str | None = None
    client_auth: ClientAuth = "need"

    def context(self) -> ssl.SSLContext:
        """Return a context for TLS 1.2 and later; TlsError if a file cannot be used."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.sslobject_class = AlertingObject
        with naming(f"the certificate {self.cert} with the key {self.key}"):
            context.load_cert_chain(self.cert, self.key, password=refuse_password)
        if self.ca_cert is not None:
            with naming(f"the certificates of the authority {self.ca_cert}"):
                context.load_verify_locations(self.ca_cert)
        if self.crl is not None:
            with naming(f"the revocation lists {self.crl}"):
                context.load_verify_locations(self.crl)
            context.verify_flags |= ssl.VERIFY_CRL_CHECK_CHAIN
        context.verify_mode = REQUIREMENTS[self.client_auth]
        return context

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of all files."""
        return tuple(
            path for path in (self.cert, self.key, self.ca_cert, self.crl) if path is not None
        )


class AlertingObject(ssl.SSLObject):
    """A connection whose failed handshake sends the alert that tells the client the reason.

    asyncio drops what OpenSSL has written when a handshake fails. It sends it if the handshake asks
    for more data, so the failure is raised at the next step: the client closes the connection or
    sends data, or the time for the handshake ends.
    """

    failure: ssl.SSLError | None = None

    def do_handshake(self) -> None:
        """Make a step of the handshake; SSLError if it has failed."""
        if self.failure is not None:
            raise self.failure
        try:
            super().do_handshake()
        except (ssl.SSLWantReadError, ssl.SSLSyscallError):
            raise
        except ssl.SSLError as error:
            self.failure = error
            raise ssl.SSLWantReadError from error


class FollowingContext(ssl.SSLContext):
    """A context of a server whose new connections use the files as they are now.

    A handshake after a change of a file, such as a revocation list, gets a new context with the new
    content; sessions from before the change cannot be resumed. While the new files cannot be used,
    the last usable ones are, and ``report`` is called once with the reason.
    """

    tls: Tls
    report: Callable[[TlsError], None]
    current: ssl.SSLContext
    state: tuple[State, ...]

    @classmethod
    def of(cls, tls: Tls, report: Callable[[TlsError], None]) -> FollowingContext:
        """Return a context for files; TlsError if one cannot be used."""
        context = cls(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.tls, context.report = tls, report
        context.state = tls_state(tls)
        context.current = tls.context()
        return context

    def follow(self, tls: Tls) -> None:
        """Use files as they are now, maybe others than before; TlsError if one cannot be used.

        Nothing changes then.
        """
        state = tls_state(tls)
        self.current = tls.context()
        self.tls, self.state = tls, state

    def newest(self) -> ssl.SSLContext:
        """Return the context for the files as they are now."""
        state = tls_state(self.tls)
        if state != self.state:
            self.state = state
            try:
                self.current = self.tls.context()
            except TlsError as error:
                self.report(error)
        return self.current

    def wrap_bio(self, *arguments: Any, **options: Any) -> ssl.SSLObject:
        """Return a connection of the newest context; asyncio calls this for each connection."""
        return self.newest().wrap_bio(*arguments, **options)

    def wrap_socket(self, *arguments: Any, **options: Any) -> ssl.SSLSocket:
        """Return a socket of the newest context."""
        return self.newest().wrap_socket(*arguments, **options)


def tls_state(tls: Tls) -> tuple[State, ...]:
    """Return what changes when a file is replaced or written to; None for a file that is absent."""
    return tuple(map(file_state, tls.files))


def file_state(path: str) -> State:
    """Return the time, the size and the identity of a file; None if it cannot be read."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Turn errors of TLS and of files into TlsError, with the name of the file."""
    try:
        yield
    except ssl.SSLError as error:
        raise TlsError(f"cannot use {name}: {reason(error)}") from None
    except OSError as error:
        raise TlsError(f"cannot read {name}: {error.strerror}") from None


def reason(error: ssl.SSLError) -> str:
    """Return the reason that OpenSSL gives, in lower case."""
    return (error.reason or str(error)).replace("_", " ").lower()


def refuse_password() -> str:
    """Refuse keys that are encrypted, instead of waiting for a password on the terminal."""
    raise TlsError("the key is encrypted; use a key without a password")


def common_name(subject: Name) -> str | None:
    """Return the common name in the subject of a certificate, as ``getpeercert`` returns it.

    >>> common_name(((("countryName", "DE"),), (("commonName", "web01.example.com"),)))
    'web01.example.com'
    """
    names = [value for part in subject for key, value in part if key == "commonName"]
    return names[-1] if names else None
