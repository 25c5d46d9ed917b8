"""What a server finds or makes before it answers."""

from __future__ import annotations

import os
import subprocess

import pytest

from bunraku.base.errors import PuppetError
from bunraku.ca.site import site_of
from bunraku.ca.starting import open_authority
from support.certificates import KEY_LENGTH, SERVER, authority_in


def site_in(folder, **more):
    """The settings of a site in a folder."""
    given = {
        "confdir": f"{folder}/puppet",
        "ssldir": f"{folder}/ssl",
        "cadir": f"{folder}/ca",
        "certname": SERVER,
        "keylength": KEY_LENGTH,
        **more,
    }
    return site_of(given, "")


def contents(folder):
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_server_without_an_authority_makes_one(tmp_path):
    lines = []
    site = site_in(tmp_path, dns_alt_names="localhost,IP:127.0.0.1")
    authority = open_authority(site, lines.append)
    assert lines == [
        f"make a certificate authority in {tmp_path}/ca",
        f"generated 1 certificate: {SERVER}",
    ]
    status = authority.status(SERVER)
    assert status["subject_alt_names"] == ["IP:127.0.0.1", "DNS:localhost", f"DNS:{SERVER}"]
    assert authority.expirations()["ca-certs"].keys() == {f"Puppet CA: {SERVER}"}
    done = subprocess.run(
        [
            *("openssl", "verify", "-crl_check", "-CAfile", "ssl/certs/ca.pem"),
            *("-CRLfile", "ssl/crl.pem", f"ssl/certs/{SERVER}.pem"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == f"ssl/certs/{SERVER}.pem: OK\n", done.stderr
    before = contents(tmp_path)
    open_authority(site, lines.append)
    assert contents(tmp_path) == before
    assert len(lines) == 2


def test_an_existing_authority_is_used_and_its_lists_are_copied(tmp_path):
    authority = authority_in(tmp_path)
    authority.revoke([SERVER])
    assert (tmp_path / "ssl/crl.pem").read_bytes() != (tmp_path / "ca/ca_crl.pem").read_bytes()
    open_authority(site_in(tmp_path), pytest.fail)
    assert (tmp_path / "ssl/crl.pem").read_bytes() == (tmp_path / "ca/ca_crl.pem").read_bytes()


def test_the_signed_certificate_of_the_servers_key_is_used_again(tmp_path):
    authority_in(tmp_path)
    path = tmp_path / f"ssl/certs/{SERVER}.pem"
    before = path.read_bytes()
    path.unlink()
    open_authority(site_in(tmp_path), pytest.fail)
    assert path.read_bytes() == before


def test_parts_of_an_authority_or_a_key_are_errors(tmp_path):
    authority_in(tmp_path)
    os.unlink(tmp_path / f"ssl/private_keys/{SERVER}.pem")
    with pytest.raises(PuppetError, match="not the other half"):
        open_authority(site_in(tmp_path), pytest.fail)
    os.unlink(tmp_path / "ca/serial")
    with pytest.raises(PuppetError, match=r"incomplete: .*serial missing"):
        open_authority(site_in(tmp_path), pytest.fail)


def test_the_authority_of_puppet_6_is_found_below_ssl(tmp_path):
    (tmp_path / "puppet/ssl/ca").mkdir(parents=True)
    site = site_of({"confdir": f"{tmp_path}/puppet", "certname": "x"}, "")
    assert site.settings.cadir == f"{tmp_path}/puppet/ssl/ca"
    (tmp_path / "puppet/ssl/ca").rmdir()
    site = site_of({"confdir": f"{tmp_path}/puppet", "certname": "x"}, "")
    assert site.settings.cadir == f"{tmp_path}/puppetserver/ca"


def test_the_old_place_leads_to_the_new_one(tmp_path):
    given = {"confdir": f"{tmp_path}/puppet", "certname": SERVER, "keylength": KEY_LENGTH}
    open_authority(site_of(given, ""), lambda _line: None)
    assert os.path.realpath(tmp_path / "puppet/ssl/ca") == f"{tmp_path}/puppetserver/ca"
    assert site_of(given, "").settings.cadir == f"{tmp_path}/puppetserver/ca"


@pytest.mark.parametrize("folder", ["private_keys", "public_keys"])
def test_a_first_start_that_could_not_write_a_key_can_be_repeated(tmp_path, folder):
    obstacle = tmp_path / "ssl" / folder
    obstacle.parent.mkdir()
    obstacle.touch()
    with pytest.raises(PuppetError, match="Cannot write"):
        open_authority(site_in(tmp_path), lambda _line: None)
    obstacle.unlink()
    open_authority(site_in(tmp_path), lambda _line: None)
    assert (tmp_path / f"ssl/certs/{SERVER}.pem").exists()
