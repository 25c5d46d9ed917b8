"""What ``$trusted`` holds for a node whose certificate is verified."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from cryptography import x509
from cryptography.x509.oid import NameOID

from bunraku.certificates import issues
from bunraku.certificates.names import is_puppet_extension, short_name
from bunraku.certificates.values import Value, decoded

TrustedValue: TypeAlias = "str | Mapping[str, Value] | None"


def trusted_data(
    certificate: bytes, mapping: Mapping[str, str] | None = None
) -> dict[str, TrustedValue]:
    """Return the data of ``$trusted`` for a verified certificate in DER form.

    ``mapping`` has the short names of a site's own extensions. ``external`` is empty; its data
    come from ``trusted_external_command``. Raises PuppetError for a certificate that cannot be
    read or has no common name.
    """
    read = read_der(certificate)
    return trusted_of(certname_of(read), extensions_of(read, mapping))


def trusted_of(certname: str, extensions: Mapping[str, Value]) -> dict[str, TrustedValue]:
    """Return the data of ``$trusted`` for a name and extensions.

    >>> trusted_of("web.example.com", {"pp_role": "web"})["domain"], trusted_of("web", {})["domain"]
    ('example.com', None)
    """
    hostname, _, domain = certname.partition(".")
    return {
        "authenticated": "remote",
        "certname": certname,
        "domain": domain or None,
        "extensions": dict(extensions),
        "external": {},
        "hostname": hostname,
    }


def read_der(certificate: bytes) -> x509.Certificate:
    """Return a certificate in DER form; raise PuppetError if it is not one."""
    try:
        return x509.load_der_x509_certificate(certificate)
    except ValueError as error:
        raise unusable(str(error)) from None


def certname_of(certificate: x509.Certificate) -> str:
    """Return the common name in the subject; raise PuppetError without one.

    Of several the last is returned, as the TLS server reports it.
    """
    names = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    if not names:
        raise unusable("it has no common name")
    found = names[-1].value
    return found if isinstance(found, str) else found.decode("utf-8", "replace")


def extensions_of(
    certificate: x509.Certificate, mapping: Mapping[str, str] | None = None
) -> dict[str, Value]:
    """Return Puppet's extensions of a certificate by their short names, sorted by identifier."""
    found = puppet_extensions(certificate)
    return {short_name(oid, mapping): decoded(content) for oid, content in found.items()}


def puppet_extensions(
    certificate: x509.Certificate | x509.CertificateSigningRequest,
) -> dict[str, bytes]:
    """Return the contents of Puppet's extensions in DER form by their identifiers, in their order.

    Raises PuppetError for extensions that cannot be read.
    """
    try:
        extensions = list(certificate.extensions)
    except (ValueError, x509.DuplicateExtension) as error:
        raise unusable(f"its extensions are malformed ({error})") from None
    return {
        one.oid.dotted_string: one.value.public_bytes()
        for one in extensions
        if is_puppet_extension(one.oid.dotted_string)
    }


def unusable(reason: str) -> Exception:
    """Return the error for a certificate that cannot be used."""
    return issues.UNUSABLE_CERTIFICATE(reason=reason)
