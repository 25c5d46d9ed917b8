"""Signing requests and bodies that no agent sends: an answer to each, an internal error to none."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed448, ed25519, padding, rsa, x25519
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bunraku.base.records import replace
from bunraku.ca.interface import answer_ca
from bunraku.ca.statuses import fingerprint
from bunraku.certificates.reading import request_in
from bunraku.web.http import Request
from support import der
from support.certificates import SERVER, authority_in
from support.der import (
    BMP,
    IA5,
    PRINTABLE,
    T61,
    UTF8,
    common_name,
    extension,
    identifier,
    integer,
    octets,
    requested,
    sequence,
    set_of,
)

pytestmark = pytest.mark.filterwarnings("ignore:Attribute.s length must be")
NODE = "node.example.test"
NAME = NODE.encode()
ROLE = "1.3.6.1.4.1.34380.1.1.13"
CURVE_KEY = ec.generate_private_key(ec.SECP256R1())
RSA_KEY = rsa.generate_private_key(65537, 2048)


@pytest.fixture
def authority(tmp_path):
    return authority_in(tmp_path)


@pytest.fixture
def signing(authority):
    """An authority that signs all that it may."""
    authority.settings = replace(authority.settings, autosign=True, allow_duplicate_certs=True)
    return authority


def ask(authority, method: str, path: str, body: bytes) -> tuple[int, str]:
    """Return the status and the text of an answer."""
    request = Request(method, f"/puppet-ca/v1/{path}", {}, {}, [body])
    response = answer_ca(authority, request, SERVER)
    pieces = [one.encode() if isinstance(one, str) else one for one in response.body]
    return response.status, b"".join(pieces).decode()


def submit(authority, body: bytes) -> tuple[int, str]:
    """Send a request."""
    return ask(authority, "PUT", f"certificate_request/{NODE}", body)


def made(**parts) -> bytes:
    """Return a request of the node."""
    key = parts.pop("key", CURVE_KEY)
    return der.request(key, parts.pop("subject", [common_name(NAME)]), **parts)


def rsa_key(modulus: int, exponent: int) -> bytes:
    """Return a public key of these numbers."""
    numbers = sequence(integer(modulus), integer(exponent))
    kind = sequence(identifier("1.2.840.113549.1.1.1"), b"\x05\0")
    return sequence(kind, der.der(0x03, b"\0" + numbers))


def spki(key) -> bytes:
    """Return a public key in DER form."""
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


@pytest.mark.parametrize("version", [0, 1, 2])
def test_versions_that_clients_write_are_signed(signing, version: int) -> None:
    body = made(version=integer(version), attributes=[requested(role(b"web"))])
    assert submit(signing, body) == (200, "")
    certificate = x509.load_pem_x509_certificate(signing.certificate_pem_of_node(NODE))
    assert spki(certificate.public_key()) == spki(CURVE_KEY.public_key())
    oids = [one.oid.dotted_string for one in certificate.extensions]
    assert ROLE in oids


def test_a_request_is_stored_and_shown_as_it_was_received(authority) -> None:
    body = made(version=integer(2))
    content = base64.b64decode(b"".join(body.split(b"-----")[2].split()))
    submit(authority, body)
    stored = request_in(authority.request_pem(NODE))
    assert stored.public_bytes(Encoding.DER) == content
    digest = hashes.Hash(hashes.SHA256())
    digest.update(content)
    assert fingerprint(stored).replace(":", "") == digest.finalize().hex().upper()
    status = json.loads(ask(authority, "GET", f"certificate_status/{NODE}", b"")[1])
    assert status["fingerprint"] == fingerprint(stored)
    assert (
        ask(authority, "GET", f"certificate_request/{NODE}", b"")[1]
        == stored.public_bytes(Encoding.PEM).decode()
    )


def test_a_changed_version_breaks_the_signature(signing) -> None:
    whole = base64.b64decode(b"".join(made().split(b"-----")[2].split()))
    body = der.pem(whole.replace(integer(0), integer(2), 1))
    status, text = submit(signing, body)
    assert (status, "does not correspond to the signing key" in text) == (400, True)
    assert signing.certificate_pem_of_node(NODE) is None


def role(value: bytes, tag: int = UTF8) -> bytes:
    """Return the extension with a role."""
    return extension(ROLE, der.der(tag, value))


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "version 3": (lambda: made(version=integer(3)), "version 3 is not one of 0, 1, 2"),
    "version -1": (lambda: made(version=integer(-1)), "version 255 is not one of 0, 1, 2"),
    "large version": (lambda: made(version=integer(2**70)), "its version is not a small number"),
    "no version": (lambda: made(version=b""), "it is not in DER form"),
    "512 bits": (lambda: made(key=RSA_KEY, public=rsa_key(2**511 + 1, 65537)), "RSA key of 512 bits"),
    "1023 bits": (lambda: made(key=RSA_KEY, public=rsa_key(2**1022 + 1, 65537)), "use 1024 to 16384"),
    "20000 bits": (lambda: made(key=RSA_KEY, public=rsa_key(2**19999 + 1, 65537)), "use 1024 to 16384"),
    "exponent 1": (lambda: made(key=RSA_KEY, public=rsa_key(2**2047 + 1, 1)), "malformed: e must be"),
    "no modulus": (lambda: made(key=RSA_KEY, public=rsa_key(0, 0)), "malformed: n must be"),
    "short curve": (lambda: made(key=ec.generate_private_key(ec.SECP192R1())), "curve of 224 bits"),
    "MD5": (lambda: made(key=RSA_KEY, algorithm=der.RSA_MD5, digest=hashes.MD5()), "with MD5"),
    "DSA": (lambda: made(public=spki(dsa.generate_private_key(1024).public_key())), "unsupported type"),
    "X25519": (lambda: made(public=spki(x25519.X25519PrivateKey.generate().public_key())), "unsupported type"),
    "another key": (lambda: made(public=spki(ec.generate_private_key(ec.SECP256R1()).public_key())), "does not correspond"),
    "unknown key": (lambda: made(public=sequence(sequence(identifier("1.2.3")), der.der(3, b"\0"))), "Unknown key type: 1.2.3"),
    "unknown algorithm": (lambda: made(algorithm="1.2.3"), "does not correspond to the signing key"),
    "algorithm of another key": (lambda: made(key=RSA_KEY, algorithm="1.2.840.113549.1.1.1"), "does not correspond"),
    "empty subject": (lambda: made(subject=[]), "must have one common name"),
    "two names": (lambda: made(subject=[common_name(NAME)] * 2), "must have one common name"),
    "two names in one part": (
        lambda: made(subject=[set_of(*[sequence(identifier(der.COMMON_NAME), der.der(UTF8, NAME))] * 2)]),
        "malformed: duplicate attributes are not allowed",
    ),
    "not UTF-8": (lambda: made(subject=[common_name(b"\xff\xe9")]), "its DER encoding is wrong"),
    "zero byte": (lambda: made(subject=[common_name(NAME + b"\0")]), 'Instance name "node.example.test?"'),
    "long name": (lambda: made(subject=[common_name(b"x" * 5000)]), "Instance name"),
    "x400Address": (lambda: made(attributes=[der.alternative_names(der.der(0xA3, sequence()))]), "malformed: x400Address"),
    "foreign extension": (lambda: made(attributes=[requested(extension("1.2.3", b""))]), "not permitted: 1.2.3"),
    "extension twice": (lambda: made(attributes=[requested(role(b"a"), role(b"b"))]), "malformed: Duplicate"),
    "damaged extension": (lambda: made(attributes=[requested(extension("2.5.29.19", b"\xff"))]), "its DER encoding is wrong"),
    "no attribute": (lambda: made(attributes=[b"\x05\0"]), "its DER encoding is wrong"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_signed_has_a_clear_answer(signing, name: str) -> None:
    make, text = REFUSED[name]
    status, answer = submit(signing, make())
    assert status == 400
    assert text in answer
    assert "ParseError" not in answer
    assert len(answer) < 400
    assert signing.certificate_pem_of_node(NODE) is None


SIGNED: dict[str, Callable[[], bytes]] = {
    "RSA": lambda: made(key=RSA_KEY),
    "SHA-1": lambda: made(key=RSA_KEY, algorithm="1.2.840.113549.1.1.5", digest=hashes.SHA1()),
    "P-384": lambda: made(key=ec.generate_private_key(ec.SECP384R1())),
    "Ed25519": lambda: by_library(ed25519.Ed25519PrivateKey.generate(), None),
    "Ed448": lambda: by_library(ed448.Ed448PrivateKey.generate(), None),
    "RSA-PSS": lambda: by_library(
        RSA_KEY, hashes.SHA256(), rsa_padding=padding.PSS(padding.MGF1(hashes.SHA256()), 32)
    ),
    "more of a name": lambda: made(
        subject=[
            set_of(
                sequence(identifier(der.COMMON_NAME), der.der(UTF8, NAME)),
                sequence(identifier("2.5.4.10"), der.der(UTF8, b"o")),
            )
        ]
    ),
    "printable": lambda: made(subject=[common_name(NAME, PRINTABLE)]),
    "an attribute twice": lambda: made(
        attributes=[
            sequence(
                identifier("1.3.6.1.4.1.34380.1.3.2"), set_of(*[der.der(UTF8, b"true")] * 2)
            )
        ]
    ),
}  # fmt: skip


def by_library(key, digest, **options) -> bytes:
    """Return a request that cryptography makes."""
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NODE)])
    builder = x509.CertificateSigningRequestBuilder().subject_name(subject)
    return builder.sign(key, digest, **options).public_bytes(Encoding.PEM)


@pytest.mark.parametrize("name", SIGNED)
def test_unusual_requests_are_signed(signing, name: str) -> None:
    assert submit(signing, SIGNED[name]()) == (200, "")
    certificate = x509.load_pem_x509_certificate(signing.certificate_pem_of_node(NODE))
    assert certificate.subject.rfc4514_string() == f"CN={NODE}"


def strange() -> list[bytes]:
    """Return requests with every kind of name, of alternative name, and extension content."""
    contents = (b"", b"x", b"\xff", b"a" * 4, b"a" * 16, b"*.example.test", b"a\0b", b"a" * 300)
    bodies = [
        made(subject=[common_name(text, tag)])
        for tag in (UTF8, PRINTABLE, T61, BMP, IA5, 0x1C, 0x04, 0x03, 0x05)
        for text in (NAME, b"", b"\xff\xfe\xe9")
    ]
    bodies += [
        made(attributes=[der.alternative_names(der.der(tag, content))])
        for tag in (*range(0x80, 0x89), *range(0xA0, 0xA9))
        for content in contents
    ]
    oids = ("2.5.29.15", "2.5.29.17", "2.5.29.37", "2.5.29.32", ROLE, "1.3.6.1.4.1.34380.1.3.1")
    bodies += [
        made(attributes=[requested(extension(oid, content, *critical))])
        for oid in oids
        for content in (b"", b"\x30\0", b"\x30\x84\xff", der.der(UTF8, b"\xff"), octets(b"x"))
        for critical in ((), (b"\x01\x01\xff",))
    ]
    return bodies


def test_no_request_is_an_internal_error(authority) -> None:
    loose = replace(
        authority.settings,
        allow_subject_alt_names=True,
        allow_authorization_extensions=True,
        allow_duplicate_certs=True,
    )
    for autosign in (True, False):
        authority.settings = replace(loose, autosign=autosign)
        for body in strange():
            status, _ = submit(authority, body)
            assert status in {200, 400}
            ask(authority, "GET", "certificate_statuses/all", b"")
            ask(authority, "PUT", f"certificate_status/{NODE}", b'{"desired_state": "signed"}')
            ask(authority, "POST", "sign/all", b"")
            ask(authority, "DELETE", f"certificate_request/{NODE}", b"")


def damaged(content: bytes, generator: random.Random) -> bytes:
    """Return content with some bytes changed, removed or added."""
    data = bytearray(content)
    for _ in range(generator.choice((1, 1, 2, 4))):
        at = generator.randrange(len(data))
        match generator.randrange(4):
            case 0:
                del data[at : at + generator.choice((1, 8, 50))]
            case 1:
                data[at:at] = generator.randbytes(generator.choice((1, 20)))
            case _:
                data[at] = generator.choice(
                    (0, 1, 0x7F, 0x80, 0xFF, 0x30, generator.randrange(256))
                )
        data = data or bytearray(b"0")
    return bytes(data)


def test_no_damaged_request_is_an_internal_error(signing) -> None:
    generator = random.Random(36)
    seeds = [
        made(version=integer(2), attributes=[requested(role(b"web"))]),
        made(key=RSA_KEY, attributes=[der.alternative_names(der.der(0x82, NAME))]),
    ]
    contents = [base64.b64decode(b"".join(one.split(b"-----")[2].split())) for one in seeds]
    for _ in range(600):
        body = der.pem(damaged(generator.choice(contents), generator))
        assert submit(signing, body)[0] in {200, 400}


VALUES = (
    None, True, -1, 10**30, 1.5, "x", "signed", "\ud800", "a\0b", [], ["\ud800"], ["../x"], [1], [[]], {},
    [NODE] * 3, ["x" * 100_000],
)  # fmt: skip
BODIES = (
    b"", b"[]", b"\xff", b'{"a":' * 2000, b'{"certnames":["\xff"]}', b"9" * 6000,
    b'{"desired_state":"signed","cert_ttl":' + b"9" * 5000 + b"}",
)  # fmt: skip


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", f"certificate_status/{NODE}"),
        ("POST", "sign"),
        ("PUT", "clean"),
        ("PUT", "certificate_revocation_list"),
    ],
)
def test_no_other_body_is_an_internal_error(authority, method: str, path: str) -> None:
    bodies = [
        json.dumps({key: value, **more}).encode()
        for key in ("desired_state", "certnames", "cert_ttl", "async")
        for value in VALUES
        for more in ({}, {"desired_state": "signed"}, {"certnames": value})
    ]
    for body in (*bodies, *BODIES):
        assert ask(authority, method, path, body)[0] < 500


def test_revocation_lists_can_be_sent_twice_and_damaged(authority) -> None:
    path = "certificate_revocation_list"
    with open(authority.settings.cacrl, "rb") as file:
        lists = file.read()
    assert ask(authority, "PUT", path, lists * 2) == (200, "Successfully updated CRLs.")
    content = base64.b64decode(b"".join(lists.split(b"-----")[2].split()))
    generator = random.Random(36)
    for _ in range(300):
        text = base64.encodebytes(damaged(content, generator))
        body = b"-----BEGIN X509 CRL-----\n" + text + b"-----END X509 CRL-----\n"
        assert ask(authority, "PUT", path, body)[0] in {200, 400}
