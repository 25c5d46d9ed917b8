"""Whether certificates are valid: times, issuers, revocation, keys."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from bunraku.base.errors import PuppetError
from bunraku.certificates.reading import read_certificates, read_revocation_lists
from bunraku.certificates.verification import chain_of, check_key, fingerprint
from support.certificates import Authority

YEAR = dt.timedelta(days=365)


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path)


def chain(authority, certificate, later=dt.timedelta(), authorities=None, revocation="chain"):
    known = read_certificates(authority.path("ca.pem")) if authorities is None else authorities
    lists = read_revocation_lists(authority.path("crl.pem"))
    now = authority.now + later
    return chain_of(certificate, known, lists, now, revocation=revocation)


def failure(*arguments, **options):
    with pytest.raises(PuppetError) as caught:
        chain(*arguments, **options)
    return caught.value.message


def test_a_chain_ends_at_the_root(authority):
    found = chain(authority, authority.sign("web1"))
    assert [one.subject.rfc4514_string() for one in found] == ["CN=web1", "CN=Puppet CA: test"]


def test_certificates_are_valid_for_a_time(authority):
    certificate = authority.sign("web1")
    assert failure(authority, certificate, YEAR) == (
        "The certificate 'CN=web1' has expired, verify time is synchronized"
    )
    assert failure(authority, certificate, -YEAR) == (
        "The certificate 'CN=web1' is not yet valid, verify time is synchronized"
    )


def test_the_issuer_must_be_known_and_have_signed(authority, tmp_path):
    certificate = authority.sign("web1")
    assert failure(authority, certificate, authorities=[]) == (
        "The issuer 'CN=Puppet CA: test' of certificate 'CN=web1' is missing"
    )
    (tmp_path / "other").mkdir()
    other = Authority(Path(tmp_path / "other"))
    known = read_certificates(other.path("ca.pem"))
    assert failure(authority, certificate, authorities=known) == (
        "Invalid signature for certificate 'CN=web1'"
    )


def test_revoked_certificates_are_refused_unless_revocation_is_off(authority):
    certificate = authority.sign("web1")
    authority.revoke([certificate])
    for depth in ("chain", "leaf"):
        assert failure(authority, certificate, revocation=depth) == (
            "Certificate 'CN=web1' is revoked"
        )
    assert len(chain(authority, certificate, revocation=False)) == 2


def test_a_list_of_another_authority_does_not_count(authority, tmp_path):
    certificate = authority.sign("web1")
    (tmp_path / "other").mkdir()
    other = Authority(tmp_path / "other")
    (tmp_path / "crl.pem").write_bytes(Path(other.path("crl.pem")).read_bytes())
    assert failure(authority, certificate) == (
        "Invalid signature for CRL issued by 'CN=Puppet CA: test'"
    )


def test_a_certificate_of_another_key_is_refused(authority):
    certificate = authority.sign("web1")
    assert isinstance(certificate, x509.Certificate)
    with pytest.raises(PuppetError) as caught:
        check_key(certificate, ec.generate_private_key(ec.SECP256R1()), "web1")
    assert caught.value.message == "The certificate for 'CN=web1' does not match its private key"


def test_digests_have_names():
    with pytest.raises(ValueError, match="unknown digest 'sha3'; use one of sha256"):
        fingerprint(b"", "sha3")
