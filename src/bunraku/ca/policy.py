"""Rules for signing requests, and puppetserver's words for those that break them."""

from __future__ import annotations

import re

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtensionOID, NameOID

from bunraku.base.records import record
from bunraku.ca.extensions import alternative_names, names_text
from bunraku.ca.revocation import SIGNING_KEYS, SigningKey
from bunraku.ca.settings import AuthoritySettings
from bunraku.certificates.keys import LONGEST, SHORTEST
from bunraku.certificates.names import (
    ARCS,
    AUTHORIZATION_ARC,
    AUTOMATIC_RENEWAL,
    CLI_AUTHORIZATION,
    is_below,
)
from bunraku.certificates.reading import NotPem, request_in
from bunraku.certificates.received_requests import FAILURES, ReceivedRequest, first_sentence

SEGMENT = re.compile(r"[A-Za-z0-9_-]*[A-Za-z0-9_]")
FIRST = re.compile(r"[A-Za-z0-9_]")
ALTERNATIVE_NAMES = ExtensionOID.SUBJECT_ALTERNATIVE_NAME.dotted_string
SHORTEST_CURVE = 224
"""Bits of the shortest key of an elliptic curve."""
LONGEST_NAME = 64
"""Characters of a common name (X.520)."""
RESTART = "Then restart the puppetserver and try signing this certificate again."


class RequestRefused(Exception):
    """Raised for a request that the authority refuses; the text is for the client."""


@record(frozen=True)
class SigningRequest:
    """A signing request: the name of the node and the requested extensions."""

    content: ReceivedRequest
    subject: str
    key: SigningKey
    extensions: list[x509.Extension[x509.ExtensionType]]

    @property
    def pem(self) -> bytes:
        """The request in PEM form, without what a client wrote around it."""
        return self.content.public_bytes(Encoding.PEM)

    @property
    def names(self) -> list[x509.GeneralName]:
        """The requested alternative names."""
        return alternative_names(self.extensions)

    @property
    def renews_itself(self) -> bool:
        """Whether the agent supports automatic renewal, as an attribute says."""
        oid = x509.ObjectIdentifier(AUTOMATIC_RENEWAL)
        try:
            return self.content.parsed.attributes.get_attribute_for_oid(oid).value == b"true"
        except (*FAILURES, x509.AttributeNotFound):
            return False


def read_submission(content: bytes) -> SigningRequest:
    """Return the signing request in a body; raise Refused if it is not one or cannot be used."""
    try:
        request = request_in(content)
    except NotPem as error:
        raise RequestRefused(f"The body is not a certificate request: {error}") from None
    return signing_request(request)


def signing_request(request: ReceivedRequest) -> SigningRequest:
    """Return a request with its name and extensions; raise Refused if it cannot be used."""
    try:
        names = request.parsed.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
        extensions = list(request.extensions)
        key = request.parsed.public_key()
    except FAILURES as error:
        raise RequestRefused(
            f"The certificate request is malformed: {first_sentence(error)}"
        ) from None
    if len(names) != 1 or not isinstance(names[0].value, str):
        raise RequestRefused("The certificate request must have one common name")
    if not isinstance(key, SIGNING_KEYS):
        raise RequestRefused("The certificate request has a public key of an unsupported type")
    check_strength(key, request)
    return SigningRequest(request, names[0].value, key, extensions)


def check_strength(key: SigningKey, request: ReceivedRequest) -> None:
    """Raise Refused for keys and signatures that peers do not accept.

    The limits are those of Java, which puppetserver runs on (``jdk.certpath.disabledAlgorithms``),
    and of OpenSSL's security level 1.
    """
    if isinstance(key, rsa.RSAPublicKey) and not SHORTEST <= key.key_size <= LONGEST:
        raise RequestRefused(
            f"The certificate request has an RSA key of {key.key_size} bits; "
            f"use {SHORTEST} to {LONGEST} bits"
        )
    if isinstance(key, ec.EllipticCurvePublicKey) and key.key_size < SHORTEST_CURVE:
        raise RequestRefused(
            f"The certificate request has a key of the curve {key.curve.name}; "
            f"use a curve of {SHORTEST_CURVE} bits or more"
        )
    if isinstance(request.digest, hashes.MD5):
        raise RequestRefused("The certificate request is signed with MD5; use SHA-256")


def check_subject(hostname: str, subject: str) -> None:
    """Raise Refused unless a subject is the requested name and the name of a host."""
    if hostname != subject:
        raise RequestRefused(
            f'Instance name "{shown(subject)}" does not match requested key "{shown(hostname)}"'
        )
    if hostname != hostname.lower():
        raise RequestRefused("Certificate names must be lower case.")
    if "*" in subject:
        raise RequestRefused(f"Subject contains a wildcard, which is not allowed: {shown(subject)}")
    if len(subject) > LONGEST_NAME or not is_host_name(subject):
        raise RequestRefused("Subject hostname format is invalid")


def is_host_name(name: str) -> bool:
    """Return whether a name can be that of a host.

    >>> is_host_name("web-1.example.com"), is_host_name("-a"), is_host_name("a..b")
    (True, False, False)
    """
    return FIRST.match(name) is not None and all(map(SEGMENT.fullmatch, name.split(".")))


def shown(name: str) -> str:
    """Return a client's text for a message: printable, and not too long.

    >>> shown("a\\x00b"), len(shown("x" * 1000))
    ('a?b', 203)
    """
    text = "".join(one if one.isprintable() else "?" for one in name)
    return text if len(text) <= 200 else f"{text[:200]}..."


def check_signing(request: SigningRequest, settings: AuthoritySettings) -> None:
    """Raise Refused if the settings do not allow to sign a request."""
    check_alternative_names(request, settings.allow_subject_alt_names)
    check_authorization(request, settings.allow_authorization_extensions)
    check_extensions(request)
    check_signature(request)


def check_alternative_names(request: SigningRequest, allowed: bool) -> None:
    """Raise Refused for alternative names beside the node's own that are not allowed.

    Names that are neither of the DNS nor addresses, and wildcards, are never allowed.
    """
    own = f"DNS:{request.subject}"
    texts = names_text(request.names)
    extra = [text for text in texts if text != own]
    if extra and not allowed:
        raise RequestRefused(
            f"CSR '{request.subject}' contains extra subject alternative names "
            f"({', '.join(map(shown, extra))}), which are disallowed. To allow subject alternative "
            f"names, set allow-subject-alt-names to true in your ca.conf file. {RESTART}"
        )
    if len(texts) != len(request.names):
        raise RequestRefused(
            "Only DNS and IP names are allowed in the Subject Alternative Names extension"
        )
    for text in texts:
        if "*" in text:
            name = shown(text.partition(":")[2])
            raise RequestRefused(
                f"Cert subjectAltName contains a wildcard, which is not allowed: {name}"
            )


def check_authorization(request: SigningRequest, allowed: bool) -> None:
    """Raise Refused for an extension that authorizes, unless the settings allow them."""
    oids = [one.oid.dotted_string for one in request.extensions]
    if not allowed and any(is_below(AUTHORIZATION_ARC, oid) for oid in oids):
        raise RequestRefused(
            f"CSR '{request.subject}' contains an authorization extension, which is disallowed. "
            "To allow authorization extensions, set allow-authorization-extensions to true in your "
            f"ca.conf file. {RESTART}"
        )


def check_extensions(request: SigningRequest) -> None:
    """Raise Refused for extensions that are not Puppet's."""
    wrong = [
        one.oid.dotted_string
        for one in request.extensions
        if not is_permitted(one.oid.dotted_string)
    ]
    if wrong:
        raise RequestRefused(f"Found extensions that are not permitted: {', '.join(wrong)}")


def is_permitted(oid: str) -> bool:
    """Return whether a request may have an extension.

    >>> is_permitted("1.3.6.1.4.1.34380.1.1.13"), is_permitted("2.5.29.19")
    (True, False)
    """
    if oid == CLI_AUTHORIZATION:
        return False
    return oid == ALTERNATIVE_NAMES or any(is_below(arc, oid) for arc in ARCS)


def check_signature(request: SigningRequest) -> None:
    """Raise Refused if a request is not signed by its own key."""
    if not request.content.is_signature_valid:
        raise RequestRefused(
            "CSR contains a public key that does not correspond to the signing key"
        )
