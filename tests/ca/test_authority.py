"""The authority: signing, revoking, renewing, autosigning, several writers."""

from __future__ import annotations

import datetime as dt
import os
import stat
import subprocess
import threading
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from bunraku.base.errors import PuppetError
from bunraku.ca.authority import Authority
from bunraku.ca.interface import answer_ca
from bunraku.ca.policy import RequestRefused
from bunraku.ca.settings import settings_in
from bunraku.certificates.names import AUTOMATIC_RENEWAL
from bunraku.certificates.reading import read_revocation_lists
from bunraku.web.http import Request
from support.certificates import (
    SERVER,
    alternative_names,
    authority_in,
    enrol,
    puppet_extension,
    signing_request,
)
from support.certificates import Authority as QuickAuthority

NODE = "node.example.test"


@pytest.fixture
def authority(tmp_path):
    return authority_in(tmp_path)


def verified(folder, certificate):
    """What ``openssl verify`` says of a certificate, with the revocation lists."""
    done = subprocess.run(
        [
            "openssl",
            "verify",
            "-crl_check_all",
            "-CAfile",
            "ca/ca_crt.pem",
            "-CRLfile",
            "ca/ca_crl.pem",
            certificate,
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_openssl_agrees_with_signing_and_revoking(authority, tmp_path):
    certificate, _ = enrol(authority, tmp_path, NODE)
    assert verified(tmp_path, certificate) == f"{certificate}: OK\n"
    assert verified(tmp_path, f"ssl/certs/{SERVER}.pem").endswith("OK\n")
    authority.revoke([NODE])
    assert "certificate revoked" in verified(tmp_path, certificate)
    assert verified(tmp_path, f"ssl/certs/{SERVER}.pem").endswith("OK\n")


def test_files_have_puppetservers_layout_and_modes(authority, tmp_path):
    enrol(authority, tmp_path, NODE)
    modes = {
        os.path.relpath(os.path.join(folder, name), tmp_path / "ca"): stat.S_IMODE(
            os.stat(os.path.join(folder, name)).st_mode
        )
        for folder, _, names in os.walk(tmp_path / "ca")
        for name in names
    }
    assert modes == {
        ".bunraku.lock": 0o600,
        "ca_crl.pem": 0o644,
        "ca_crt.pem": 0o644,
        "ca_key.pem": 0o640,
        "ca_pub.pem": 0o644,
        "infra_crl.pem": 0o644,
        "infra_inventory.txt": 0o644,
        "infra_serials": 0o644,
        "inventory.txt": 0o644,
        "serial": 0o644,
        f"signed/{NODE}.pem": 0o644,
        f"signed/{SERVER}.pem": 0o644,
    }
    assert stat.S_IMODE(os.stat(tmp_path / "ssl/private_keys" / f"{SERVER}.pem").st_mode) == 0o640
    assert (tmp_path / "ca/serial").read_text() == "0004"
    lines = (tmp_path / "ca/inventory.txt").read_text().splitlines()
    assert [line.split(" ", 3)[::3] for line in lines] == [
        ["0x0001", f"/CN=Puppet CA: {SERVER}"],
        ["0x0002", f"/CN={SERVER}"],
        ["0x0003", f"/CN={NODE}"],
    ]


def test_the_servers_own_certificate_administers(authority, tmp_path):
    status = authority.status(SERVER)
    assert status["authorization_extensions"] == {"pp_cli_auth": "true"}
    assert status["subject_alt_names"] == [
        "IP:127.0.0.1",
        f"DNS:{SERVER}",
        "DNS:puppet",
        "DNS:localhost",
    ]


def test_a_directory_of_puppetserver_ca_works(authority, tmp_path):
    """``puppetserver ca setup`` makes no ``requests``, writes ``002``, and ends no line."""
    (tmp_path / "ca/requests").rmdir()
    (tmp_path / "ca/serial").write_text("00f")
    inventory = tmp_path / "ca/inventory.txt"
    inventory.write_text(inventory.read_text().splitlines()[1].replace("0x0002", "0x000e"))
    certificate, _ = enrol(authority, tmp_path, NODE)
    assert verified(tmp_path, certificate) == f"{certificate}: OK\n"
    assert (tmp_path / "ca/serial").read_text() == "0010"
    assert [line.split(" ")[0] for line in inventory.read_text().splitlines()] == [
        "0x000e",
        "0x000F",
    ]
    authority.revoke([SERVER])
    assert authority.status(SERVER)["state"] == "revoked"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root changes owners")
def test_files_of_root_belong_to_the_owner_of_the_directory(authority, tmp_path):
    (tmp_path / "ca/.bunraku.lock").unlink()
    for path in (tmp_path / "ca", *(tmp_path / "ca").rglob("*")):
        os.chown(path, 65534, 65534)
    enrol(authority, tmp_path, NODE)
    authority.revoke([NODE])
    owners = {path.name: path.stat().st_uid for path in (tmp_path / "ca").rglob("*.*")}
    assert {name: uid for name, uid in owners.items() if uid != 65534} == {}


def test_infrastructure_nodes_have_a_list_of_their_own(tmp_path):
    authority = authority_in(tmp_path, enable_infra_crl=True)
    (tmp_path / "ca/infra_inventory.txt").write_text(f"{NODE}\n")
    for name in (NODE, "other"):
        enrol(authority, tmp_path, name)
    assert (tmp_path / "ca/infra_serials").read_text() == "3\n"
    authority.revoke([NODE, "other"])
    serials = {
        name: sorted(
            one.serial_number for one in read_revocation_lists(str(tmp_path / "ca" / name))[0]
        )
        for name in ("ca_crl.pem", "infra_crl.pem")
    }
    assert serials == {"ca_crl.pem": [3, 4], "infra_crl.pem": [3]}
    response = answer_ca(
        authority, Request("GET", "/puppet-ca/v1/certificate_revocation_list/ca"), None
    )
    assert b"".join(response.body) == (tmp_path / "ca/infra_crl.pem").read_bytes()


# -- what may be signed ----------------------------------------------------------------------------


def test_alternative_names_need_a_setting(authority, tmp_path):
    authority.submit(NODE, signing_request(NODE, [alternative_names("www", NODE)]))
    with pytest.raises(RequestRefused, match=r"extra subject alternative names \(DNS:www\)"):
        authority.sign(NODE)
    allowing = authority_in(tmp_path, allow_subject_alt_names=True)
    allowing.sign(NODE)
    assert allowing.status(NODE)["dns_alt_names"] == ["DNS:www", f"DNS:{NODE}"]


def test_authorization_needs_a_setting(authority, tmp_path):
    authority.submit(NODE, signing_request(NODE, [puppet_extension("pp_auth_role", "admin")]))
    with pytest.raises(RequestRefused, match="contains an authorization extension"):
        authority.sign(NODE)
    allowing = authority_in(tmp_path, allow_authorization_extensions=True)
    allowing.sign(NODE)
    assert allowing.status(NODE)["authorization_extensions"] == {"pp_auth_role": "admin"}


def test_nobody_gets_the_extension_that_administers(tmp_path):
    authority = authority_in(tmp_path, allow_authorization_extensions=True)
    authority.submit(NODE, signing_request(NODE, [puppet_extension("pp_cli_auth", "true")]))
    with pytest.raises(RequestRefused, match=r"not permitted: 1\.3\.6\.1\.4\.1\.34380\.1\.3\.39"):
        authority.sign(NODE)


@pytest.mark.parametrize(
    ("extension", "message"),
    [
        (x509.BasicConstraints(ca=True, path_length=None), r"not permitted: 2\.5\.29\.19"),
        (
            x509.SubjectAlternativeName([x509.UniformResourceIdentifier("spiffe://x")]),
            "Only DNS and IP",
        ),
        (x509.SubjectAlternativeName([x509.RFC822Name("a@b.de")]), "Only DNS and IP"),
        (x509.SubjectAlternativeName([x509.DNSName("*.example.test")]), "contains a wildcard"),
    ],
)
def test_other_extensions_are_refused_whatever_the_settings_say(tmp_path, extension, message):
    authority = authority_in(tmp_path, allow_subject_alt_names=True, autosign=True)
    with pytest.raises(RequestRefused, match=message):
        authority.submit(NODE, signing_request(NODE, [(extension, False)]))
    assert authority.pending() == [NODE]


def test_a_request_with_the_key_of_another_is_refused(tmp_path):
    authority = authority_in(tmp_path, autosign=True)
    request = x509.load_pem_x509_csr(signing_request(NODE))
    der = bytearray(request.public_bytes(Encoding.DER))
    der[-5] ^= 1
    try:
        damaged = x509.load_der_x509_csr(bytes(der)).public_bytes(Encoding.PEM)
    except ValueError:
        pytest.skip("the damage is not in the signature")
    with pytest.raises(RequestRefused, match="does not correspond to the signing key"):
        authority.submit(NODE, damaged)


NAMES = {
    "UPPER.example.test": "Certificate names must be lower case.",
    "*.example.test": "Subject contains a wildcard, which is not allowed: *.example.test",
    "../../etc/passwd": "Subject hostname format is invalid",
    "a/b": "Subject hostname format is invalid",
    "..": "Subject hostname format is invalid",
    "a..b": "Subject hostname format is invalid",
    "a\0b": "Subject hostname format is invalid",
    "-a": "Subject hostname format is invalid",
    "a-": "Subject hostname format is invalid",
    "a b": "Subject hostname format is invalid",
    "grüße": "Subject hostname format is invalid",
    "a\nb": "Subject hostname format is invalid",
    "a.": "Subject hostname format is invalid",
    "x" * 65: "Subject hostname format is invalid",
    "x" * 300: "Subject hostname format is invalid",
}


@pytest.mark.filterwarnings("ignore:Attribute's length")
@pytest.mark.parametrize("name", NAMES)
def test_names_that_are_not_of_hosts_are_refused(tmp_path, name):
    authority = authority_in(tmp_path, autosign=True)
    before = sorted(str(path) for path in tmp_path.rglob("*"))
    with pytest.raises(RequestRefused) as caught:
        authority.submit(name, signing_request(name))
    assert str(caught.value) == NAMES[name]
    after = {str(path) for path in tmp_path.rglob("*")} - {str(tmp_path / "ca/.bunraku.lock")}
    assert after <= set(before)


def test_the_name_is_that_of_the_request(authority):
    with pytest.raises(
        RequestRefused, match='Instance name "other" does not match requested key "node'
    ):
        authority.submit(NODE, signing_request("other"))


def test_duplicates_need_a_setting(authority, tmp_path):
    enrol(authority, tmp_path, NODE)
    with pytest.raises(RequestRefused, match="already has a signed certificate"):
        authority.submit(NODE, signing_request(NODE))
    allowing = authority_in(tmp_path, allow_duplicate_certs=True)
    allowing.submit(NODE, signing_request(NODE))
    allowing.sign(NODE)
    assert allowing.status(NODE)["serial_number"] == 4
    allowing.revoke([NODE])  # all of them
    assert sorted(one.serial_number for one in allowing.own_list()) == [3, 4]


# -- autosign --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "signed"),
    [
        ("*.example.test\n", True),
        ("# comment\n\nnode.example.test\n", True),
        ("*\n", True),
        ("*.EXAMPLE.test\n", True),
        ("*.other.test\n", False),
        ("NODE.example.test\n", False),
        ("*.example.test # web\n", False),
        ("", False),
    ],
)
def test_a_list_of_names_signs(tmp_path, content, signed):
    path = tmp_path / "autosign.conf"
    path.write_text(content)
    authority = authority_in(tmp_path, autosign=str(path))
    authority.submit(NODE, signing_request(NODE))
    assert authority.directory.has_certificate(NODE) is signed
    assert authority.directory.has_request(NODE) is not signed


def policy(tmp_path, text):
    path = tmp_path / "policy"
    path.write_text(text)
    path.chmod(0o755)
    return authority_in(tmp_path, autosign=str(path))


def test_a_policy_gets_the_name_and_the_request(tmp_path):
    authority = policy(
        tmp_path, f'#!/bin/sh\necho "$1" > {tmp_path}/seen\ncat >> {tmp_path}/seen\n'
    )
    authority.submit(NODE, b"text before\n" + signing_request(NODE))
    name, _, request = (tmp_path / "seen").read_bytes().partition(b"\n")
    assert name == NODE.encode()
    assert request.startswith(b"-----BEGIN CERTIFICATE REQUEST-----")
    assert x509.load_pem_x509_csr(request)
    assert authority.directory.has_certificate(NODE)


def test_a_policy_refuses_and_says_why(tmp_path):
    authority = policy(tmp_path, "#!/bin/sh\necho wrong department >&2\nexit 3\n")
    authority.submit(NODE, signing_request(NODE))
    assert authority.pending() == [NODE]
    assert any("wrong department" in line for line in authority.lines)
    assert any("exit code was 3" in line for line in authority.lines)


def test_a_policy_that_cannot_start_signs_nothing(tmp_path):
    authority = policy(tmp_path, "#!/no/such/interpreter\n")
    authority.submit(NODE, signing_request(NODE))
    assert authority.pending() == [NODE]
    assert any("cannot start the autosign command" in line for line in authority.lines)


def test_without_its_file_nothing_is_signed(tmp_path):
    authority = authority_in(tmp_path, autosign=str(tmp_path / "absent.conf"))
    authority.submit(NODE, signing_request(NODE))
    assert authority.pending() == [NODE]


# -- renewal ---------------------------------------------------------------------------------------


def renewal(authority, der):
    """The answer to a request for a new certificate."""
    request = Request("POST", "/puppet-ca/v1/certificate_renewal", certificate=der)
    response = answer_ca(authority, request, NODE)
    body = b"".join(one.encode() if isinstance(one, str) else one for one in response.body)
    return response.status, body


def test_a_certificate_is_renewed_with_its_key_and_extensions(tmp_path):
    authority = authority_in(tmp_path, allow_auto_renewal=True)
    path, _ = enrol(authority, tmp_path, NODE, puppet_extension("pp_role", "web"))
    old = x509.load_pem_x509_certificate(Path(path).read_bytes())
    status, body = renewal(authority, old.public_bytes(Encoding.DER))
    assert status == 200
    new = x509.load_pem_x509_certificate(body)
    assert new.public_key() == old.public_key()
    assert (new.subject, new.serial_number) == (old.subject, old.serial_number + 1)
    assert {one.oid: one.value for one in new.extensions} == {
        one.oid: one.value for one in old.extensions
    }
    span = new.not_valid_after_utc - new.not_valid_before_utc
    assert span.days == 91
    assert authority.certificate_pem_of_node(NODE) == body
    (tmp_path / "new.pem").write_bytes(body)
    assert verified(tmp_path, "new.pem") == "new.pem: OK\n"


def test_renewal_is_refused_for_others(tmp_path):
    authority = authority_in(tmp_path, allow_auto_renewal=True)
    path, _ = enrol(authority, tmp_path, NODE)
    der = x509.load_pem_x509_certificate(Path(path).read_bytes()).public_bytes(Encoding.DER)
    assert renewal(authority, None) == (400, b"No valid certificate found in renewal request")
    foreign = authority_of_another(tmp_path)
    assert renewal(authority, foreign) == (
        403,
        b"Certificate present, but does not match signature",
    )
    assert renewal(authority, b"nonsense")[0] == 403
    authority.revoke([NODE])
    assert renewal(authority, der) == (403, b"Certificate present, but it is revoked")
    assert renewal(authority_in(tmp_path), der) == (404, b"Not Found")


def authority_of_another(tmp_path):
    """A certificate in DER form of another authority."""
    (tmp_path / "quick").mkdir()
    quick = QuickAuthority(tmp_path / "quick")
    quick.sign(NODE)
    return quick.der(NODE)


def test_an_agent_that_renews_itself_gets_a_short_certificate(tmp_path):
    request = signing_request(NODE, attributes={AUTOMATIC_RENEWAL: b"true"})
    authority = authority_in(
        tmp_path, allow_auto_renewal=True, auto_renewal_cert_ttl="30d", autosign=True
    )
    authority.submit(NODE, request)
    found = x509.load_pem_x509_certificate(authority.certificate_pem_of_node(NODE))
    assert (found.not_valid_after_utc - found.not_valid_before_utc).days == 31


# -- lists -----------------------------------------------------------------------------------------


def later(days):
    """A clock that is fast."""
    return lambda: dt.datetime.now(dt.UTC) + dt.timedelta(days=days)


def test_a_list_is_signed_again_before_it_expires(authority, tmp_path):
    for name in (NODE, "short"):
        authority.submit(name, signing_request(name))
    authority.sign(NODE)
    authority.sign("short", 60)
    authority.revoke([NODE, "short"])
    assert not authority.refresh()
    number = (
        authority.own_list().extensions.get_extension_for_class(x509.CRLNumber).value.crl_number
    )
    old = Authority(authority.settings, clock=later(5 * 365 - 20))
    assert old.refresh()
    assert not old.refresh()
    new = authority.own_list()
    assert new.extensions.get_extension_for_class(x509.CRLNumber).value.crl_number == number + 1
    assert sorted(one.serial_number for one in new) == [3, 4]
    assert new.next_update_utc > later(8 * 365)()
    older = Authority(authority.settings, clock=later(10 * 365 - 40))
    assert older.refresh()
    own = authority.own_list()
    assert [one.serial_number for one in own] == [3]  # the other had expired by the last list


def test_the_revocation_list_has_a_date(authority, tmp_path):
    path = "/puppet-ca/v1/certificate_revocation_list/ca"
    os.utime(authority.settings.cacrl, (1_000_000_000, 1_000_000_000))
    for date, status in (
        ("Sun, 09 Sep 2001 01:46:39 GMT", 200),
        ("Sun, 09 Sep 2001 01:46:40 GMT", 304),
        ("Sun, 09 Sep 2001 01:46:41 GMT", 304),
        ("Sun, 99 Sep 2001 01:46:41 GMT", 200),
    ):
        request = Request("GET", path, headers={"if-modified-since": date})
        assert answer_ca(authority, request, None).status == status


# -- several writers, faults -----------------------------------------------------------------------


def test_many_writers_get_serial_numbers_of_their_own(tmp_path):
    authority_in(tmp_path)
    names = [f"node{number}.example.test" for number in range(24)]

    def submit(part):
        authority = authority_in(tmp_path, autosign=True)  # as in another process
        for name in part:
            authority.submit(name, signing_request(name))

    threads = [threading.Thread(target=submit, args=(names[start::4],)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    authority = authority_in(tmp_path)
    serials = {authority.status(name)["serial_number"] for name in names}
    assert serials == set(range(3, 27))
    assert len((tmp_path / "ca/inventory.txt").read_text().splitlines()) == 26
    assert authority.pending() == []


def test_a_lock_that_is_kept_is_an_error(tmp_path):
    authority = authority_in(tmp_path)
    with authority.directory.lock():
        other = Authority(settings_in(authority.settings.cadir))
        other.settings.lock_seconds = 0
        with pytest.raises(PuppetError, match="Another process changes the certificate authority"):
            other.revoke([SERVER])


def test_an_absent_or_incomplete_directory_is_an_error(tmp_path):
    with pytest.raises(PuppetError, match="There is no certificate authority in"):
        Authority(settings_in(str(tmp_path / "none"))).signer()
    authority = authority_in(tmp_path)
    os.unlink(authority.settings.cakey)
    with pytest.raises(PuppetError, match=r"incomplete: .*ca_key\.pem missing"):
        authority.signer()


def test_a_damaged_serial_number_is_an_error(authority, tmp_path):
    (tmp_path / "ca/serial").write_text("nonsense")
    authority.submit(NODE, signing_request(NODE))
    with pytest.raises(PuppetError, match="no hexadecimal number above 0"):
        authority.sign(NODE)
    assert authority.pending() == [NODE]


def test_one_damaged_file_does_not_hide_the_others(authority, tmp_path):
    (tmp_path / "ca/signed/bad.pem").write_text("nonsense")
    (tmp_path / "ca/requests/worse.pem").write_bytes(b"\xff\x00")
    assert [one["name"] for one in authority.statuses()] == [SERVER]
    assert len(authority.lines) == 2


def test_a_stranger_cannot_be_revoked(authority):
    with pytest.raises(RequestRefused, match="without a signed certificate"):
        authority.revoke([SERVER, "stranger"])
    assert authority.status(SERVER)["state"] == "signed"


def test_deleting_a_certificate_does_not_revoke_it(authority, tmp_path):
    enrol(authority, tmp_path, NODE)
    assert authority.delete(NODE)
    assert not authority.delete(NODE)
    assert authority.is_issued(NODE)
    authority.revoke([NODE])  # the inventory has its serial number
    assert [one.serial_number for one in authority.own_list()] == [3]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"autosing": True}, r"Unknown setting 'autosing' .*did you mean 'autosign'"),
        ({"autosign": "relative.conf"}, "absolute path"),
        ({"ca_ttl": "5x"}, "expected a time"),
        ({"ca_ttl": "99y"}, "expected a time"),
        ({"allow_auto_renewal": "maybe"}, "expected true or false"),
        ({"keylength": "long"}, "expected a number of bits"),
    ],
)
def test_settings_that_are_wrong_are_errors(values, message):
    with pytest.raises(PuppetError, match=message):
        settings_in("/ca", values)


def test_a_request_whose_certificate_cannot_be_written_can_be_sent_again(tmp_path):
    authority = authority_in(tmp_path, autosign=True)
    serial = Path(authority.settings.serial)
    kept = serial.read_bytes()
    serial.unlink()
    with pytest.raises(PuppetError):
        authority.submit(NODE, signing_request(NODE))
    serial.write_bytes(kept)
    authority.submit(NODE, signing_request(NODE))
    assert authority.directory.has_certificate(NODE)
    assert not authority.directory.has_request(NODE)


def test_a_list_from_a_clock_that_was_ahead_is_signed_again(tmp_path):
    authority = authority_in(tmp_path)
    authority.submit(NODE, signing_request(NODE))
    authority.sign(NODE)
    authority.revoke([NODE])
    (revoked,) = [one.serial_number for one in authority.own_list()]
    ahead = Authority(authority.settings, clock=later(6 * 366))
    assert ahead.refresh()
    assert authority.own_list().last_update_utc > dt.datetime.now(dt.UTC)
    assert authority.refresh()
    assert authority.own_list().last_update_utc < dt.datetime.now(dt.UTC)
    assert [one.serial_number for one in authority.own_list()] == [revoked]
    assert not authority.refresh()
