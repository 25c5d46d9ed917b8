"""``bunraku ca``: its actions on real directories, with the texts and exit codes of its model."""

from __future__ import annotations

import json
import os
import re
import ssl
import stat
import subprocess
from shutil import which

import pytest
from cryptography import x509

from bunraku.certificates.reading import read_revocation_lists
from bunraku.cli.main import main
from support.certificates import (
    SERVER,
    alternative_names,
    authority_in,
    puppet_extension,
    signing_request,
)

NODE = "node.example.test"


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A directory with a configuration; the authority is not made yet."""
    confdir = tmp_path / "puppet"
    confdir.mkdir()
    (confdir / "puppet.conf").write_text(
        f"[main]\ncertname = {SERVER}\n[server]\nkeylength = 2048\nssldir = {tmp_path}/ssl\n"
        f"cadir = {tmp_path}/ca\n"
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def call(site, capfd):
    """Call ``bunraku ca``; return the exit code, standard output and standard error."""

    def run(*words):
        code = main(["ca", *words, "--confdir", str(site / "puppet")])
        found = capfd.readouterr()
        return code, found.out, found.err

    return run


@pytest.fixture
def authority(site):
    return authority_in(site)


def test_setup_makes_an_authority_below_a_root(call, site):
    code, out, err = call("setup", "--subject-alt-names", "localhost,IP:127.0.0.1")
    assert (code, out, err) == (0, f"Generation succeeded. Find your files in {site}/ca\n", "")
    chain = x509.load_pem_x509_certificates((site / "ca/ca_crt.pem").read_bytes())
    assert [one.subject.rfc4514_string().partition(":")[0] for one in chain] == [
        "CN=Puppet CA",
        "CN=Puppet Root CA",
    ]
    assert len(x509.load_pem_x509_certificates((site / "ssl/certs/ca.pem").read_bytes())) == 2
    root_list = read_revocation_lists(str(site / "ca/ca_crl.pem"))[1]
    assert root_list.issuer == chain[1].subject
    assert root_list.next_update_utc == chain[1].not_valid_after_utc
    assert (site / "ca/serial").read_text() == "0002"
    for path in ("ca/ca_key.pem", "ca/root_key.pem", f"ssl/private_keys/{SERVER}.pem"):
        assert stat.S_IMODE(os.stat(site / path).st_mode) == 0o640
    done = subprocess.run(
        [
            "openssl",
            "verify",
            "-crl_check_all",
            "-CAfile",
            "ca/ca_crt.pem",
            "-CRLfile",
            "ssl/crl.pem",
            f"ssl/certs/{SERVER}.pem",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == f"ssl/certs/{SERVER}.pem: OK\n", done.stderr
    code, out, _ = call("list", "--certname", SERVER)
    assert 'alt names: ["IP:127.0.0.1", "DNS:localhost", "DNS:puppet.example.test"]' in out
    assert "authorization extensions: [pp_cli_auth: true]" in out


def test_setup_replaces_nothing(call, site):
    assert call("setup")[0] == 0
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    code, out, err = call("setup")
    assert (code, out) == (1, "")
    assert "Existing file at" in err
    assert before == {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}


def test_setup_uses_a_key_that_the_server_has(call, site, authority):
    key = (site / f"ssl/private_keys/{SERVER}.pem").read_bytes()
    for path in ("ssl/certs", "ssl/crl.pem", "ca"):
        subprocess.run(["rm", "-r", str(site / path)], check=True)
    assert call("setup")[0] == 0
    assert (site / f"ssl/private_keys/{SERVER}.pem").read_bytes() == key
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(
        site / f"ssl/certs/{SERVER}.pem", site / f"ssl/private_keys/{SERVER}.pem"
    )


def test_half_of_a_key_is_an_error(call, site):
    (site / "ssl/private_keys").mkdir(parents=True)
    (site / f"ssl/private_keys/{SERVER}.pem").write_text("x")
    code, _, err = call("setup")
    assert code == 1
    assert "not the other half of the pair" in err
    assert not (site / "ca").exists()


def test_list_shows_requests(call, authority):
    assert call("list") == (0, "No certificates to list\n", "")
    authority.submit(NODE, signing_request(NODE, [alternative_names(NODE, "www")]))
    authority.submit("b", signing_request("b", [puppet_extension("pp_auth_role", "x")]))
    code, out, err = call("list")
    assert (code, err) == (0, "")
    assert re.sub(r"(..:){31}..", "DIGEST", out).splitlines() == [
        "Requested Certificates:",
        f"    b{' ' * 22} (SHA256)  DIGEST\tauthorization extensions: [pp_auth_role: x]",
        f'    {NODE}{" " * 6} (SHA256)  DIGEST\talt names: ["DNS:{NODE}", "DNS:www"]',
    ]


def test_list_shows_nodes_and_all(call, authority):
    authority.submit(NODE, signing_request(NODE))
    code, out, _ = call("list", "--certname", f"{NODE},stranger")
    assert code == 1
    assert out.endswith("Missing Certificates:\n    stranger\n")
    code, out, _ = call("list", "--all", "--format", "json")
    found = json.loads(out)
    assert {name: [one["name"] for one in group] for name, group in found.items()} == {
        "requested": [NODE],
        "signed": [SERVER],
        "revoked": [],
    }
    code, out, _ = call("list", "--certname", "stranger", "--format", "json")
    assert (code, json.loads(out)) == (1, {"missing": ["stranger"]})


def test_sign_and_revoke(call, authority):
    for name in (NODE, "b", "c"):
        authority.submit(name, signing_request(name))
    assert call("sign", "--certname", NODE) == (
        0,
        f"Successfully signed the following certificate requests:\n  {NODE}\n",
        "",
    )
    code, out, err = call("sign", "--certname", "b,stranger", "--ttl", "1d")
    assert (code, out) == (1, "Successfully signed the following certificate requests:\n  b\n")
    assert err == (
        "Error:\n    No certificate request found for the following nodes when attempting to sign:\n"
        "      stranger\n"
    )
    assert call("sign", "--all")[0] == 0
    assert call("sign", "--all")[0] == 24
    assert call("revoke", "--certname", NODE) == (
        0,
        f"Certificate for {NODE} has been revoked\n",
        "",
    )
    authority.submit("d", signing_request("d"))
    code, _, err = call("revoke", "--certname", "d")
    assert (code, err) == (24, "Error:\n    Could not revoke unsigned csr for d\n")
    code, out, err = call("revoke", "--certname", "stranger,b")
    assert (code, out) == (1, "Certificate for b has been revoked\n")
    assert err == "Error:\n    Could not find certificate for stranger\n"


def test_a_request_that_is_refused_says_why(call, authority):
    authority.submit(NODE, signing_request(NODE, [alternative_names("evil")]))
    code, out, err = call("sign", "--all")
    assert (code, out) == (1, "")
    assert f"      {NODE}: CSR '{NODE}' contains extra subject alternative names (DNS:evil)" in err


def test_the_rules_of_ca_conf_hold(call, authority, site):
    folder = site / "puppetserver/conf.d"
    folder.mkdir(parents=True)
    (folder / "ca.conf").write_text("certificate-authority: { allow-subject-alt-names: true }\n")
    authority.submit(NODE, signing_request(NODE, [alternative_names("www")]))
    assert call("sign", "--all")[0] == 0
    (folder / "ca.conf").write_text("certificate-authority: { allow-subject-alt-name: true }\n")
    code, _, err = call("list")
    assert code == 1
    assert "did you mean 'allow-subject-alt-names'" in err


def test_clean(call, authority, site):
    authority.submit(NODE, signing_request(NODE))
    authority.submit("b", signing_request("b"))
    authority.sign(NODE)
    assert call("clean", "--certname", NODE) == (
        0,
        f"Certificate for {NODE} has been revoked\nCleaned files related to {NODE}\n",
        "",
    )
    assert call("clean", "--certname", "b") == (24, "Cleaned files related to b\n", "")
    code, _, err = call("clean", "--certname", "stranger")
    assert (code, err) == (1, "Error:\n    Could not find files to clean for stranger\n")
    assert not (site / f"ca/signed/{NODE}.pem").exists()


def test_generate(call, authority, site):
    code, out, err = call("generate", "--certname", NODE)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"Successfully submitted certificate request for {NODE}",
        f"Successfully signed certificate request for {NODE}",
        f"Successfully saved private key for {NODE} to {site}/ssl/private_keys/{NODE}.pem",
        f"Successfully saved public key for {NODE} to {site}/ssl/public_keys/{NODE}.pem",
        f"Successfully saved certificate for {NODE} to {site}/ssl/certs/{NODE}.pem",
    ]
    assert stat.S_IMODE(os.stat(site / f"ssl/private_keys/{NODE}.pem").st_mode) == 0o640
    code, _, err = call("generate", "--certname", NODE)
    assert code == 1
    assert "Existing file at" in err
    code, _, err = call("generate", "--certname", "UPPER")
    assert (code, "must be lower case" in err) == (1, True)
    code, _, err = call("generate", "--certname", "san", "--subject-alt-names", "www")
    assert (code, "extra subject alternative names" in err) == (1, True)
    assert authority.pending() == []
    assert not (site / "ssl/private_keys/san.pem").exists()


def test_generate_for_an_administrator(call, authority):
    assert call("generate", "--certname", "admin", "--ca-client", "--ttl", "30d")[0] == 0
    status = authority.status("admin")
    assert status["authorization_extensions"] == {"pp_cli_auth": "true"}
    assert authority.status(SERVER)["state"] == "signed"


def test_import_takes_an_authority_below_another(call, site):
    assert call("setup")[0] == 0
    files = {name: site / "given" / name for name in ("ca_key.pem", "ca_crt.pem", "ca_crl.pem")}
    (site / "given").mkdir()
    for name, path in files.items():
        path.write_bytes((site / "ca" / name).read_bytes())
    subprocess.run(["rm", "-r", str(site / "ca"), str(site / "ssl")], check=True)
    words = ["--private-key", files["ca_key.pem"], "--cert-bundle", files["ca_crt.pem"]]
    words = [*map(str, words), "--crl-chain", str(files["ca_crl.pem"])]
    assert call("import", *words) == (0, f"Import succeeded. Find your files in {site}/ca\n", "")
    assert call("generate", "--certname", NODE)[0] == 0
    assert not (site / "ca/root_key.pem").exists()


def test_import_refuses_what_does_not_fit(call, site, authority):
    words = {
        "--private-key": str(site / "ca/ca_key.pem"),
        "--cert-bundle": str(site / "ca/ca_crt.pem"),
        "--crl-chain": str(site / "ca/ca_crl.pem"),
    }
    wrong = [
        ("--private-key", f"ssl/private_keys/{SERVER}.pem", "No certificate in"),
        ("--cert-bundle", f"ssl/certs/{SERVER}.pem", "No certificate in"),
        ("--crl-chain", "ca/ca_crt.pem", "no valid revocation list"),
        ("--private-key", "absent.pem", "Cannot read the private key"),
    ]
    (site / "other.conf").write_text(
        f"[main]\ncertname = {SERVER}\ncadir = {site}/ca2\nssldir = {site}/ssl2\nkeylength = 2048\n"
    )
    for option, path, message in wrong:
        chosen = {**words, option: str(site / path)}
        flat = [word for pair in chosen.items() for word in pair]
        code, _, err = call("import", *flat, "--config", str(site / "other.conf"))
        assert (code, message in err) == (1, True), err
        assert not (site / "ca2").exists()


def test_prune(call, authority):
    for name in (NODE, "b"):
        authority.submit(name, signing_request(name))
    authority.sign(NODE)
    authority.sign("b", 1)
    authority.revoke([NODE, "b"])
    total = "Total number of certificates found in Puppet's CRL is: 2.\n"
    nothing = "No matching revocations found in the CRL for pruning\n"
    assert call("prune") == (0, total + nothing, "")
    assert call("prune", "--remove-entries", "--serial", "0x3") == (
        0,
        total + "Removed 1 certs from Puppet's CRL.\n",
        "",
    )
    assert [one.serial_number for one in authority.own_list()] == [4]
    assert call("prune", "--remove-entries", "--certname", "b")[0] == 0
    assert len(authority.own_list()) == 0


def test_delete(call, authority, site):
    for name in (NODE, "b"):
        authority.submit(name, signing_request(name))
        authority.sign(name)
    authority.revoke(["b"])
    code, out, _ = call("delete", "--revoked")
    assert (code, out) == (
        0,
        f"Deleting certificate at {site}/ca/signed/b.pem\n1 certificate deleted.\n",
    )
    code, out, err = call("delete", "--certname", f"{NODE},b")
    assert (code, out.endswith("1 certificate deleted.\n")) == (24, True)
    assert "Could not find certificate file at" in err
    assert call("delete", "--all")[1].endswith("1 certificate deleted.\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sing"], "unknown action 'sing' (did you mean 'sign'?)"),
        (["sign"], "sign requires --certname NAME or --all"),
        (["sign", "--all", "--certname", "a"], "--all and --certname cannot be used together"),
        (["revoke"], "revoke requires at least one --certname NAME"),
        (["revoke", "--certname=--all"], "--certname cannot be '--all'"),
        (["list", "--ttl", "5"], "--ttl is not an option of list"),
        (["import"], "import requires --private-key, --cert-bundle, --crl-chain"),
        (["delete"], "delete requires --certname"),
        (["prune", "--remove-entries"], "--remove-entries requires"),
        (["prune", "--remove-entries", "--serial", "xyz"], "not a hexadecimal number"),
        (["setup", "--certname", "a,b"], "setup takes one --certname NAME"),
        (["list", "--config", "absent.conf"], "cannot read absent.conf"),
    ],
)
def test_wrong_usage_is_one_line(call, authority, words, message):
    code, out, err = call(*words)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) <= 2


def test_without_an_authority_the_error_says_so(call):
    code, out, err = call("list")
    assert (code, out) == (1, "")
    assert "There is no certificate authority in" in err


def test_puppet_itself_accepts_the_certificates(call, site):
    if which("puppet") is None:
        pytest.skip("Puppet is not installed")
    assert call("setup")[0] == 0
    assert call("generate", "--certname", NODE)[0] == 0
    done = subprocess.run(
        [
            "puppet",
            "ssl",
            "verify",
            "--certname",
            NODE,
            "--ssldir",
            f"{site}/ssl",
            "--confdir",
            f"{site}/none",
            "--vardir",
            f"{site}/var",
            "--publicdir",
            f"{site}/public",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Verified client certificate 'CN={NODE}'" in done.stdout
