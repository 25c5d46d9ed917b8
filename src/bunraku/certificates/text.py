"""A certificate as text for people: that of OpenSSL 3, which ``puppet ssl show`` prints.

Source: OpenSSL 3.0, ``X509_print(3)`` and the printing of extensions; compared with its output in
the tests. Extensions that the authorities of Puppet do not make are printed as their bytes.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import re
from collections.abc import Iterator, Mapping

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bunraku.certificates.names import IDENTIFIERS, LONG_NAMES
from bunraku.certificates.values import element

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
IN_A_LINE, OF_SIGNATURE = 15, 18
LARGEST_DECIMAL = (1 << 63) - 1
"""The largest serial number that is printed as a decimal number."""
SIGNATURES = {
    "1.2.840.113549.1.1.5": "sha1WithRSAEncryption",
    "1.2.840.113549.1.1.10": "rsassaPss",
    "1.2.840.113549.1.1.11": "sha256WithRSAEncryption",
    "1.2.840.113549.1.1.12": "sha384WithRSAEncryption",
    "1.2.840.113549.1.1.13": "sha512WithRSAEncryption",
    "1.2.840.113549.1.1.14": "sha224WithRSAEncryption",
    "1.2.840.10045.4.1": "ecdsa-with-SHA1",
    "1.2.840.10045.4.3.1": "ecdsa-with-SHA224",
    "1.2.840.10045.4.3.2": "ecdsa-with-SHA256",
    "1.2.840.10045.4.3.3": "ecdsa-with-SHA384",
    "1.2.840.10045.4.3.4": "ecdsa-with-SHA512",
    "1.3.101.112": "ED25519",
    "1.3.101.113": "ED448",
}
CURVES = {
    "secp192r1": ("prime192v1", "P-192"),
    "secp224r1": ("secp224r1", "P-224"),
    "secp256r1": ("prime256v1", "P-256"),
    "secp384r1": ("secp384r1", "P-384"),
    "secp521r1": ("secp521r1", "P-521"),
}
"""Name of a curve in ``cryptography`` → the names of OpenSSL and NIST."""
ATTRIBUTES = {
    "2.5.4.3": "CN",
    "2.5.4.4": "SN",
    "2.5.4.5": "serialNumber",
    "2.5.4.6": "C",
    "2.5.4.7": "L",
    "2.5.4.8": "ST",
    "2.5.4.9": "street",
    "2.5.4.10": "O",
    "2.5.4.11": "OU",
    "2.5.4.12": "title",
    "2.5.4.42": "GN",
    "1.2.840.113549.1.9.1": "emailAddress",
    "0.9.2342.19200300.100.1.1": "UID",
    "0.9.2342.19200300.100.1.25": "DC",
}
SEPARATOR = re.compile("/(?=[A-Z]{1,2}=)")
EXTENSIONS = {
    "2.5.29.14": "X509v3 Subject Key Identifier",
    "2.5.29.15": "X509v3 Key Usage",
    "2.5.29.17": "X509v3 Subject Alternative Name",
    "2.5.29.19": "X509v3 Basic Constraints",
    "2.5.29.35": "X509v3 Authority Key Identifier",
    "2.5.29.37": "X509v3 Extended Key Usage",
    "2.16.840.1.113730.1.13": "Netscape Comment",
    **{IDENTIFIERS[short]: name for short, name in LONG_NAMES.items()},
}
COMMENT = "2.16.840.1.113730.1.13"
USAGES = (
    ("digital_signature", "Digital Signature"),
    ("content_commitment", "Non Repudiation"),
    ("key_encipherment", "Key Encipherment"),
    ("data_encipherment", "Data Encipherment"),
    ("key_agreement", "Key Agreement"),
    ("key_cert_sign", "Certificate Sign"),
    ("crl_sign", "CRL Sign"),
    ("encipher_only", "Encipher Only"),
    ("decipher_only", "Decipher Only"),
)
ONLY = frozenset(["encipher_only", "decipher_only"])
"""Usages that exist for keys with the usage ``key_agreement`` alone."""
PURPOSES = {
    "1.3.6.1.5.5.7.3.1": "TLS Web Server Authentication",
    "1.3.6.1.5.5.7.3.2": "TLS Web Client Authentication",
    "1.3.6.1.5.5.7.3.3": "Code Signing",
    "1.3.6.1.5.5.7.3.4": "E-mail Protection",
    "1.3.6.1.5.5.7.3.8": "Time Stamping",
    "1.3.6.1.5.5.7.3.9": "OCSP Signing",
    "2.5.29.37.0": "Any Extended Key Usage",
}


def certificate_text(certificate: x509.Certificate, names: Mapping[str, str] | None = None) -> str:
    """Return a certificate as text; ``names`` are those of a site's extensions, by identifier."""
    algorithm = certificate.signature_algorithm_oid.dotted_string
    signature = SIGNATURES.get(algorithm, algorithm)
    version = certificate.version.value
    lines = [
        "Certificate:",
        "    Data:",
        f"        Version: {version + 1} ({version:#x})",
        f"        Serial Number:{serial_text(certificate.serial_number)}",
        f"        Signature Algorithm: {signature}",
        f"        Issuer: {name_text(certificate.issuer)}",
        "        Validity",
        f"            Not Before: {time_text(certificate.not_valid_before_utc)}",
        f"            Not After : {time_text(certificate.not_valid_after_utc)}",
        f"        Subject: {name_text(certificate.subject)}",
        "        Subject Public Key Info:",
        *key_lines(certificate),
        *extension_lines(certificate, {**(names or {}), **EXTENSIONS}),
        f"    Signature Algorithm: {signature}",
        "    Signature Value:",
        *hex_lines(certificate.signature, OF_SIGNATURE, 8),
    ]
    return "\n".join(lines) + "\n"


def serial_text(number: int) -> str:
    """Return a serial number as it follows its label.

    >>> serial_text(5), serial_text(1 << 64)
    (' 5 (0x5)', '\\n            01:00:00:00:00:00:00:00:00')
    """
    if number <= LARGEST_DECIMAL:
        return f" {number} ({number:#x})"
    return f"\n            {number.to_bytes((number.bit_length() + 7) // 8, 'big').hex(':')}"


def name_text(name: x509.Name) -> str:
    """Return a name such as ``O=Site, CN=web1``; long names of attributes keep their slash."""
    return SEPARATOR.sub(", ", one_line(name).removeprefix("/"))


def one_line(name: x509.Name) -> str:
    """Return a name such as ``/O=Site/CN=web1``."""
    return "".join(
        f"/{ATTRIBUTES.get(one.oid.dotted_string, one.oid.dotted_string)}={shown(one.value)}"
        for one in name
    )


def shown(value: str | bytes) -> str:
    r"""Return the value of an attribute, with codes for what is not printable ASCII.

    >>> shown("w\xe4b")
    'w\\xC3\\xA4b'
    """
    content = value if isinstance(value, bytes) else value.encode()
    found = "".join(chr(one) if 32 <= one < 127 else f"\\x{one:02X}" for one in content)
    return found.replace("/", r"\/").replace("+", r"\+")


def time_text(time: dt.datetime) -> str:
    """Return a point in time.

    >>> time_text(dt.datetime(2026, 1, 2, 3, 4, 5))
    'Jan  2 03:04:05 2026 GMT'
    """
    return f"{MONTHS[time.month - 1]} {time.day:2} {time:%H:%M:%S} {time.year} GMT"


def hex_lines(content: bytes, size: int, indent: int) -> Iterator[str]:
    """Yield bytes in lines of ``size``; a colon follows each byte but the last."""
    for start in range(0, len(content), size):
        rest = ":" if start + size < len(content) else ""
        yield f"{' ' * indent}{content[start : start + size].hex(':')}{rest}"


# -- the key -----------------------------------------------------------------------------------------


def key_lines(certificate: x509.Certificate) -> Iterator[str]:
    """Yield the kind of the public key and its numbers."""
    key = certificate.public_key()
    if isinstance(key, rsa.RSAPublicKey):
        numbers = key.public_numbers()
        yield "            Public Key Algorithm: rsaEncryption"
        yield f"                Public-Key: ({key.key_size} bit)"
        yield "                Modulus:"
        yield from hex_lines(signed_bytes(numbers.n), IN_A_LINE, 20)
        yield f"                Exponent: {numbers.e} ({numbers.e:#x})"
    elif isinstance(key, ec.EllipticCurvePublicKey):
        own, nist = CURVES.get(key.curve.name, (key.curve.name, None))
        point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        yield "            Public Key Algorithm: id-ecPublicKey"
        yield f"                Public-Key: ({key.key_size} bit)"
        yield "                pub:"
        yield from hex_lines(point, IN_A_LINE, 20)
        yield f"                ASN1 OID: {own}"
        if nist is not None:
            yield f"                NIST CURVE: {nist}"
    else:
        oid = certificate.public_key_algorithm_oid.dotted_string
        yield f"            Public Key Algorithm: {SIGNATURES.get(oid, oid)}"


def signed_bytes(number: int) -> bytes:
    """Return a positive number as bytes whose first bit is not set.

    >>> signed_bytes(0x7F).hex(), signed_bytes(0x80).hex()
    ('7f', '0080')
    """
    return number.to_bytes(number.bit_length() // 8 + 1, "big")


# -- extensions --------------------------------------------------------------------------------------


def extension_lines(certificate: x509.Certificate, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the names and the values of the extensions."""
    if len(certificate.extensions):
        yield "        X509v3 extensions:"
    for extension in certificate.extensions:
        oid = extension.oid.dotted_string
        yield f"            {names.get(oid, oid)}: {'critical' if extension.critical else ''}"
        for line in value_lines(extension.value):
            yield f"                {line}"


def value_lines(value: x509.ExtensionType) -> Iterator[str]:
    """Yield the lines of the value of an extension."""
    match value:
        case x509.BasicConstraints():
            length = "" if value.path_length is None else f", pathlen:{value.path_length}"
            yield f"CA:{str(value.ca).upper()}{length}"
        case x509.KeyUsage():
            yield ", ".join(text for name, text in USAGES if has_usage(value, name))
        case x509.ExtendedKeyUsage():
            found = [one.dotted_string for one in value]
            yield ", ".join(PURPOSES.get(oid, oid) for oid in found)
        case x509.SubjectKeyIdentifier():
            yield value.digest.hex(":").upper()
        case x509.AuthorityKeyIdentifier():
            yield from authority_lines(value)
        case x509.SubjectAlternativeName():
            yield ", ".join(map(general_name_text, value))
        case x509.UnrecognizedExtension():
            parts = element(value.value) if value.oid.dotted_string == COMMENT else None
            yield printable(value.value if parts is None else parts[1])
        case _:
            yield printable(value.public_bytes())


def has_usage(usage: x509.KeyUsage, name: str) -> bool:
    """Return whether a key has a usage."""
    return (name not in ONLY or usage.key_agreement) and bool(getattr(usage, name))


def authority_lines(value: x509.AuthorityKeyIdentifier) -> Iterator[str]:
    """Yield the parts of the identifier of the issuer's key."""
    several = value.authority_cert_serial_number is not None
    if value.key_identifier is not None:
        yield f"{'keyid:' if several else ''}{value.key_identifier.hex(':').upper()}"
    for name in value.authority_cert_issuer or ():
        yield general_name_text(name)
    if value.authority_cert_serial_number is not None:
        yield f"serial:{serial_bytes(value.authority_cert_serial_number).hex(':').upper()}"


def serial_bytes(number: int) -> bytes:
    """Return a serial number as bytes."""
    return number.to_bytes(max(1, (number.bit_length() + 7) // 8), "big")


def general_name_text(name: x509.GeneralName) -> str:
    """Return a name with its kind, such as ``DNS:web1``."""
    match name:
        case x509.DNSName():
            return f"DNS:{name.value}"
        case x509.RFC822Name():
            return f"email:{name.value}"
        case x509.UniformResourceIdentifier():
            return f"URI:{name.value}"
        case x509.IPAddress():
            return f"IP Address:{address_text(name.value)}"
        case x509.DirectoryName():
            return f"DirName:{one_line(name.value)}"
        case x509.RegisteredID():
            return f"Registered ID:{name.value.dotted_string}"
    return "othername:<unsupported>"


def address_text(address: object) -> str:
    """Return an address; one of IPv6 with all its parts.

    >>> address_text(ipaddress.ip_address("fe80::1"))
    'FE80:0:0:0:0:0:0:1'
    """
    if isinstance(address, ipaddress.IPv6Address):
        return ":".join(f"{int(part, 16):X}" for part in address.exploded.split(":"))
    return str(address)


def printable(content: bytes) -> str:
    """Return bytes as characters; a dot stands for one that cannot be printed.

    >>> printable(b"\\x0c\\x03web")
    '..web'
    """
    return "".join(chr(one) if 32 <= one < 127 or one in b"\r\n" else "." for one in content)
