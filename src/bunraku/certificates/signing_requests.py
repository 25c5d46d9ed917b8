"""Signing requests of nodes, with the attributes and extensions of ``csr_attributes.yaml``.

Source: Puppet 8 manual, "SSL configuration: CSR attributes and certificate extensions".
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.x509.oid import NameOID

from bunraku.base.records import field, record
from bunraku.base.source import Place
from bunraku.base.suggestions import suggestion
from bunraku.certificates import issues
from bunraku.certificates.keys import PrivateKey
from bunraku.certificates.names import AUTOMATIC_RENEWAL, IDENTIFIERS
from bunraku.certificates.values import encoded
from bunraku.formats.failure import FormatError
from bunraku.formats.yaml import load_plain

Texts = Mapping[str, str]
CUSTOM, EXTENSIONS = "custom_attributes", "extension_requests"
ATTRIBUTES: Texts = {
    "challengePassword": "1.2.840.113549.1.9.7",
    "unstructuredName": "1.2.840.113549.1.9.2",
}
"""Names of attributes that OpenSSL knows, and their identifiers."""
RESERVED_ATTRIBUTES = frozenset({"1.2.840.113549.1.9.14", "1.3.6.1.4.1.311.2.1.14"})
"""The attributes that contain the requested extensions."""
ALTERNATIVE_NAMES = "2.5.29.17"


@record(frozen=True)
class Attributes:
    """What a node adds to its request, by object identifier. Their values can be secrets."""

    custom: Texts = field(default_factory=dict, shown=False)
    """Attributes of the request alone, such as a challenge password."""
    extensions: Texts = field(default_factory=dict, shown=False)
    """Requested extensions of the certificate."""


def read_attributes(content: bytes, path: str, mapping: Texts) -> Attributes:
    """Return the attributes in a ``csr_attributes.yaml``; PuppetError for other content.

    ``mapping`` has the short names of a site's extensions by identifier.

    >>> text = b"extension_requests: {pp_role: web}"
    >>> dict(read_attributes(text, "csr_attributes.yaml", {}).extensions)
    {'1.3.6.1.4.1.34380.1.1.13': 'web'}
    """
    try:
        document = load_plain(content)
    except FormatError as error:
        place = Place(path, error.line, error.column)
        raise issues.BAD_ATTRIBUTES(path=path, reason=error.problem).at(place) from None
    if document is None:
        return Attributes()
    names = {name: oid for oid, name in mapping.items()}
    sections = {CUSTOM: ATTRIBUTES, EXTENSIONS: {**names, **IDENTIFIERS}}
    if not isinstance(document, dict):
        raise bad(path, "it is not a hash")
    for name in document:
        if name not in sections:
            near = suggestion(str(name), sections)
            raise bad(path, f"unexpected key '{name}'{near}")
    found = [section(path, name, document.get(name), known) for name, known in sections.items()]
    for oid in found[0]:
        if oid in RESERVED_ATTRIBUTES:
            raise bad(path, f"{CUSTOM} cannot have {oid}, which holds the extension requests")
    if ALTERNATIVE_NAMES in found[1]:
        raise bad(path, f"{EXTENSIONS} cannot have subjectAltName; use the setting dns_alt_names")
    return Attributes(*found)


def section(path: str, name: str, entries: object, known: Texts) -> dict[str, str]:
    """Return identifier → value of one section of the file; it may be missing."""
    if entries is None:
        return {}
    if not isinstance(entries, dict):
        raise bad(path, f"{name} is not a hash")
    found = {}
    for key, value in entries.items():
        if isinstance(value, list | dict) or value is None:
            raise bad(path, f"the value of {key} in {name} is not a text")
        text = str(value).lower() if isinstance(value, bool) else str(value)
        found[identifier(path, name, str(key), known)] = text
    return found


def identifier(path: str, name: str, key: str, known: Texts) -> str:
    """Return the object identifier that a key names."""
    if key in known:
        return known[key]
    if key == "subjectAltName":
        return ALTERNATIVE_NAMES
    try:
        return x509.ObjectIdentifier(key).dotted_string
    except ValueError:
        near = suggestion(key, known)
        raise bad(path, f"unknown name '{key}' in {name}{near}") from None


def bad(path: str, reason: str) -> Exception:
    """Return the error for a file of attributes."""
    return issues.BAD_ATTRIBUTES(path=path, reason=reason).at(Place(path))


def make_request(
    certname: str,
    key: PrivateKey,
    *,
    alternative_names: Sequence[str] = (),
    attributes: Attributes | None = None,
    renews: bool = False,
) -> x509.CertificateSigningRequest:
    """Return a signed request for a certificate.

    ``alternative_names`` are DNS names, with the prefix ``IP:`` addresses; the certname is added to
    them. ``renews`` marks the node as one that renews its certificate itself, as Puppet 8 does.
    """
    attributes = attributes or Attributes()
    builder = x509.CertificateSigningRequestBuilder().subject_name(
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, certname)])
    )
    custom = {**attributes.custom, **({AUTOMATIC_RENEWAL: "true"} if renews else {})}
    for oid, value in custom.items():
        builder = builder.add_attribute(x509.ObjectIdentifier(oid), value.encode())
    for oid, value in attributes.extensions.items():
        extension = x509.UnrecognizedExtension(x509.ObjectIdentifier(oid), encoded(value))
        builder = builder.add_extension(extension, critical=False)
    if alternative_names:
        builder = builder.add_extension(names_of(certname, alternative_names), critical=False)
    return builder.sign(key, hashes.SHA256())


def names_of(certname: str, names: Sequence[str]) -> x509.SubjectAlternativeName:
    """Return the extension with alternative names; PuppetError for a malformed one."""
    found: list[x509.GeneralName] = []
    for name in sorted({certname, *names} - {""}):
        kind, colon, value = name.partition(":")
        try:
            if colon and kind == "IP":
                found.append(x509.IPAddress(ipaddress.ip_address(value.strip())))
            else:
                found.append(x509.DNSName(name.removeprefix("DNS:").strip()))
        except ValueError as error:
            raise issues.BAD_ALTERNATIVE_NAME(name=name, reason=error) from None
    return x509.SubjectAlternativeName(found)
