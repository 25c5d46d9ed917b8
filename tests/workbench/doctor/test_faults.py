"""Each fault is found alone in a healthy site; the healthy site has none."""

from __future__ import annotations

import os
import re
import sqlite3
import ssl
from contextlib import suppress
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from bunraku.base.usage import UsageError
from bunraku.cli.main import main
from bunraku.jobs.doctor import DoctorOptions, all_checks, doctor
from support.doctor_site import CONF, HIERA, NAME, Site, private

_CHECKS, FAULTS, _GAPS = all_checks()
SEEDS = {}
"""Name → the code of the fault and the function that seeds it."""


def seed(code):
    """Register a function that seeds a fault."""

    def register(function):
        SEEDS[function.__name__] = (code, function)
        return function

    return register


# -- certificates ------------------------------------------------------------------------------------


@seed("certificate-expired")
def host_certificate_expired(site):
    site.write(site.ssl / f"certs/{NAME}.pem", site.certificate(NAME, site.own_key, -9, -1))


@seed("certificate-expired")
def authority_expired(site):
    site.write(site.ca / "ca_crt.pem", site.certificate("CA", site.key, -9, -1))


@seed("certificate-expires")
def host_certificate_expires(site):
    site.write(site.ssl / f"certs/{NAME}.pem", site.certificate(NAME, site.own_key, -9, 20))


@seed("certificate-expires")
def authority_expires(site):
    site.write(site.ca / "ca_crt.pem", site.certificate("CA", site.key, -9, 29))


@seed("certificate-not-yet-valid")
def certificate_of_tomorrow(site):
    site.write(site.ssl / f"certs/{NAME}.pem", site.certificate(NAME, site.own_key, 1))


@seed("certificate-not-of-authority")
def certificate_of_another_authority(site):
    other = ec.generate_private_key(ec.SECP256R1())
    content = site.certificate(NAME, site.own_key, signer=other)
    site.write(site.ssl / f"certs/{NAME}.pem", content)


@seed("certificate-revoked")
def certificate_revoked(site):
    site.write(site.ssl / "crl.pem", site.revoked(4711))


@seed("certificate-unreadable")
def certificate_damaged(site):
    site.write(site.ssl / f"certs/{NAME}.pem", "-----BEGIN")


@seed("certificate-unreadable")
def key_missing(site):
    (site.ssl / f"private_keys/{NAME}.pem").unlink()


@seed("certificate-missing")
def certificate_not_signed(site):
    (site.ssl / f"certs/{NAME}.pem").unlink()


@seed("key-does-not-fit")
def key_of_another(site):
    content = private(ec.generate_private_key(ec.SECP256R1()))
    site.write(site.ssl / f"private_keys/{NAME}.pem", content, 0o640)


@seed("crl-expired")
def list_of_authority_expired(site):
    site.write(site.ca / "ca_crl.pem", site.revoked(last=-1))


@seed("crl-expired")
def list_of_agent_expired(site):
    site.write(site.ssl / "crl.pem", site.revoked(last=-1))


@seed("crl-not-yet-valid")
def list_of_tomorrow(site):
    site.write(site.ca / "ca_crl.pem", site.revoked(first=1))


@seed("certificate-expired")
def copy_of_authority_expired(site):
    for path in (site.ssl / f"certs/{NAME}.pem", site.ssl / f"private_keys/{NAME}.pem"):
        path.unlink()
    site.write(site.ssl / "certs/ca.pem", site.certificate("CA", site.key, -9, -1))


@seed("crl-expires")
def list_expires(site):
    site.write(site.ca / "ca_crl.pem", site.revoked(last=3))


@seed("node-certificates-expire")
def certificate_of_node_expires(site):
    site.write(site.ca / "signed/web.pem", site.certificate("web", site.own_key, -9, 5))


@seed("requests-pending")
def request_waits(site):
    site.write(site.ca / "requests/web.pem", "")


# -- permissions -------------------------------------------------------------------------------------


@seed("secret-readable")
def host_key_readable(site):
    (site.ssl / f"private_keys/{NAME}.pem").chmod(0o644)


@seed("secret-readable")
def authority_key_readable(site):
    (site.ca / "ca_key.pem").chmod(0o644)


@seed("secret-readable")
def eyaml_key_readable(site):
    site.write(site.confdir / "eyaml/private_key.pkcs7.pem", "secret")


@seed("secret-readable")
def eyaml_key_of_hiera_readable(site):
    key = site.write(site.root / "secret.pem", "secret")
    level = f"  - name: secrets\n    lookup_key: eyaml_lookup_key\n    path: common.yaml\n    options:\n      pkcs7_private_key: {key}\n"
    site.write(site.production / "hiera.yaml", HIERA + level)


@seed("secret-readable")
def token_readable(site):
    site.write(site.root / "etc/r10k/forge_token", "secret")


@seed("secret-readable")
def database_password_readable(site):
    site.write(site.root / "etc/puppetdb/conf.d/database.ini", "[database]\npassword = secret\n")


@seed("secret-readable")
def proxy_password_readable(site):
    site.write(site.confdir / "puppet.conf", f"{CONF}http_proxy_password = secret\n")


@seed("directory-writable")
def code_writable(site):
    site.production.chmod(0o777)


@seed("authority-owner")
def authority_of_another_user(site):
    site.host.acting = 4711
    with suppress(PermissionError):
        os.chown(site.ca, 4712, -1)


@seed("autosign-all")
def autosign(site):
    site.write(site.confdir / "puppet.conf", f"{CONF}autosign = true\n")


@seed("autosign-all")
def autosign_every_name(site):
    site.write(site.confdir / "autosign.conf", "*\n")


# -- settings and the server -------------------------------------------------------------------------


@seed("settings-unreadable")
def settings_broken(site):
    site.write(site.confdir / "puppet.conf", f"{CONF}what is this\n")
    site.host.names["puppet"] = "192.0.2.1"


@seed("unknown-setting")
def setting_unknown(site):
    site.write(site.confdir / "puppet.conf", f"{CONF}runintervall = 5m\n")


@seed("wrong-setting")
def setting_wrong(site):
    site.write(site.confdir / "puppet.conf", f"{CONF}runinterval = often\n")


@seed("wrong-setting")
def port_wrong(site):
    site.write(site.confdir / "puppet.conf", f"{CONF}serverport = web\n")


@seed("settings-unreadable")
def database_setting_broken(site):
    site.write(site.confdir / "puppetdb.conf", "[main]\nwhat is this\n")


@seed("configuration-invalid")
def rules_broken(site):
    site.write(site.ca.parent / "conf.d/auth.conf", "authorization: {\n")


@seed("hiera-invalid")
def global_hiera_broken(site):
    site.write(site.confdir / "hiera.yaml", "version: 9\n")


@seed("server-name-unresolved")
def server_unknown(site):
    site.host.names.clear()


@seed("server-unreachable")
def server_stopped(site):
    site.host.ports.clear()


@seed("clock-differs")
def clock_behind(site):
    site.host.skew = 900


@seed("clock-differs")
def clock_ahead(site):
    site.host.skew = -900


@seed("server-untrusted")
def server_of_another_authority(site):
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_message = "unable to get local issuer certificate"
    site.host.failure = error


# -- disks -------------------------------------------------------------------------------------------


@seed("disk-nearly-full")
def disk_nearly_full(site):
    site.host.used = 91


@seed("disk-full")
def disk_full(site):
    site.host.used = 99


@seed("inodes-nearly-used")
def inodes_used(site):
    site.host.inodes = 95


@seed("temporary-files")
def temporary_file(site):
    site.age(site.write(site.vardir / ".bunraku-0123", "half"))


# -- the agent ---------------------------------------------------------------------------------------


@seed("agent-run-too-old")
def run_too_old(site):
    site.runs(age=86400)


@seed("agent-run-failed")
def run_failed(site):
    site.runs(resources={"failed": 2})


@seed("agent-run-failed")
def no_catalog(site):
    site.runs(resources=None)


@seed("agent-record-damaged")
def record_damaged(site):
    site.write(site.root / "public/last_run_summary.yaml", "a: [")


@seed("agent-disabled")
def agent_disabled(site):
    site.write(site.state / "agent_disabled.lock", '{"disabled_message": "maintenance"}')


@seed("agent-lock-stale")
def lock_stale(site):
    site.write(site.state / "agent_catalog_run.lock", "4194999")


@seed("agent-run-hangs")
def run_hangs(site):
    path = site.write(site.state / "agent_catalog_run.lock", str(os.getpid()))
    site.age(path)


@seed("certificate-lock-stale")
def certificate_lock_stale(site):
    site.age(site.write(site.ssl / "ssl.lock", ""))


@seed("pid-file-stale")
def pid_file_stale(site):
    site.write(site.root / "run/agent.pid", "4194999\n")


@seed("catalog-from-cache")
def cached_catalog(site):
    site.write(site.state / "last_run_report.yaml", "cached_catalog_status: on_failure\n")


# -- the database ------------------------------------------------------------------------------------


@seed("database-unreachable")
def database_damaged(site):
    site.write(site.database, "this is text" * 1000)


@seed("database-newer")
def database_newer(site):
    with sqlite3.connect(site.database) as connection:
        connection.execute("PRAGMA user_version = 9999")


@seed("database-older")
def database_older(site):
    with sqlite3.connect(site.database) as connection:
        connection.execute("PRAGMA user_version = 1")


@seed("queue-long")
def queue_waits(site):
    folder = site.vardir / "bunraku/puppetdb.sqlite.queue"
    site.age(site.write(folder / "0000000000000042_1+0_facts_5_u_web.json", "{}"))


@seed("commands-discarded")
def command_discarded(site):
    folder = site.vardir / "bunraku/puppetdb.sqlite.discarded"
    site.write(folder / "0000000000000042_1+0_facts_5_u_web.json", "{}")


@seed("nodes-silent")
def node_silent(site):
    site.database.unlink()
    site.report(age=86400)
    site.facts("8.10.0")


@seed("nodes-failed")
def node_failed(site):
    site.report(age=1, status="failed")


@seed("agents-old")
def agent_old(site):
    site.facts("6.28.0")


# -- environments ------------------------------------------------------------------------------------


@seed("environment-conf-invalid")
def environment_conf_invalid(site):
    site.write(site.production / "environment.conf", "what is this\n")


@seed("environment-conf-unused")
def environment_setting_unknown(site):
    site.write(site.production / "environment.conf", "modulpath = modules\n")


@seed("environment-conf-unused")
def directory_of_modules_missing(site):
    site.write(site.production / "environment.conf", "modulepath = modules:site\n")


@seed("modules-missing")
def module_missing(site):
    site.write(site.production / "Puppetfile", "mod 'puppetlabs/apache', '9.0.0'\n")


@seed("puppetfile-invalid")
def puppetfile_invalid(site):
    site.write(site.production / "Puppetfile", "mod 'puppetlabs/stdlib', \n")


@seed("hiera-invalid")
def hiera_broken(site):
    site.write(site.production / "hiera.yaml", "version: [")


@seed("hiera-invalid")
def hiera_without_version(site):
    site.write(site.production / "hiera.yaml", "version: 9\n")


@seed("hiera-data-missing")
def data_missing(site):
    site.write(site.production / "hiera.yaml", HIERA.replace("datadir: data", "datadir: dat"))


@seed("generated-types-stale")
def types_stale(site):
    site.age(site.write(site.production / ".resource_types/thing.pp", ""))
    site.write(site.production / "modules/stdlib/lib/puppet/type/thing.rb", "")


@seed("generated-types-stale")
def types_missing(site):
    (site.production / ".resource_types").mkdir()
    site.write(site.production / "modules/stdlib/lib/puppet/type/thing.rb", "")


@seed("deployment-unfinished")
def deployment_unfinished(site):
    state = site.root / "code/.environments.bunraku"
    (state / "records/production").mkdir(parents=True)
    (state / "staging/production-1").mkdir(parents=True)
    site.age(state / "staging/production-1")


# -- tests -------------------------------------------------------------------------------------------


def test_a_healthy_site_has_no_faults(tmp_path):
    found = Site(tmp_path).examine()
    assert (found.findings, found.unchecked) == ((), ())


@pytest.mark.parametrize("name", SEEDS)
def test_a_seeded_fault_is_found_alone(name, tmp_path):
    site = Site(tmp_path)
    code, seeding = SEEDS[name]
    seeding(site)
    found = site.examine()
    assert [one.code for one in found.findings] == [code]
    assert all(one.hint and one.place for one in found.findings)
    assert "secret\n" not in str(found)


DEPLOYED = {"deployment-behind", "deployment-changed"}
"""Codes whose tests are in other files."""


def test_each_fault_is_seeded():
    assert {code for code, _seeding in SEEDS.values()} | DEPLOYED == set(FAULTS)


def test_what_cannot_be_checked_is_not_green(tmp_path):
    site = Site(tmp_path)
    (site.ssl / "certs/ca.pem").unlink()
    found = site.examine()
    assert found.findings == ()
    subjects = {one.subject for one in found.unchecked}
    assert subjects == {"issuer of the certificate", "clock of puppet.example.com"}


def test_nothing_of_puppet_is_not_green(tmp_path, capsys):
    directories = [f"--{name}={tmp_path}" for name in ("confdir", "codedir", "vardir", "publicdir")]
    code = main(
        [
            "doctor",
            *directories,
            f"--rundir={tmp_path}",
            "--ignore=disk-nearly-full",
            "--ignore=disk-full",
        ]
    )
    assert code == 2
    assert "not checked: site: nothing of Puppet is here" in capsys.readouterr().out


def test_what_this_user_cannot_read_is_not_green(tmp_path):
    site = Site(tmp_path)
    site.host.denied = str(site.ssl)
    found = site.examine()
    subjects = {one.subject: one.reason for one in found.unchecked}
    assert {"certificate of this machine", "keys", "server"} <= subjects.keys()
    assert subjects["keys"] == f"{site.ssl}/private_keys/{NAME}.pem: Permission denied"
    assert not {one.subject for one in found.absent} & {"agent", "certificate of this machine"}


def test_a_link_to_itself_is_not_green(tmp_path):
    site = Site(tmp_path)
    path = site.ssl / f"certs/{NAME}.pem"
    path.unlink()
    path.symlink_to(path.name)
    assert "certificate of this machine" in {one.subject for one in site.examine().unchecked}


def test_an_address_that_is_not_text_is_not_green(tmp_path):
    site = Site(tmp_path)
    site.write(site.confdir / "puppetdb.conf", b"server_urls = http\xa1://a:8081\n")
    assert "PuppetDB" in {one.subject for one in site.examine().unchecked}


def test_a_remote_database_is_asked(tmp_path):
    site = Site(tmp_path)
    url = "https://puppetdb.example.com:8081"
    found = site.examine(puppetdb=url)
    assert (found.findings, found.unchecked) == ((), ())
    site.host.depth = 5000
    assert [one.code for one in site.examine(puppetdb=url).findings] == ["queue-long"]


def test_a_remote_database_that_is_unreachable_is_found(tmp_path):
    site = Site(tmp_path)
    site.host.failure = ConnectionRefusedError(111, "Connection refused")
    found = site.examine(puppetdb="https://puppetdb.example.com:8081")
    assert [one.code for one in found.findings] == ["database-unreachable"]
    assert "nodes of the site" in {one.subject for one in found.unchecked}


def test_a_line_with_a_password_is_not_shown(tmp_path):
    site = Site(tmp_path)
    site.host.names["puppet"] = "192.0.2.1"
    site.write(site.confdir / "puppet.conf", f"{CONF}ldappassword: secret-word\n", 0o600)
    site.host.failure = ConnectionRefusedError(111, "Connection refused")
    found = site.examine(puppetdb="http://user:secret-word@localhost:1/")
    assert "settings-unreadable" in {one.code for one in found.findings}
    assert "secret-word" not in str(found)


def test_settings_that_refer_to_themselves_are_wrong_usage(tmp_path):
    site = Site(tmp_path)
    site.write(site.confdir / "puppet.conf", f"{CONF}certdir = $certdir/x\n")
    with pytest.raises(UsageError, match="certdir"):
        site.examine()


def test_codes_select(tmp_path):
    site = Site(tmp_path)
    site.host.used = 99
    site.host.ports.clear()
    assert [one.code for one in site.examine(only=["disk-full"]).findings] == ["disk-full"]
    assert [one.code for one in site.examine(ignore=["disk-full"]).findings] == [
        "server-unreachable"
    ]


def test_an_unknown_code_is_wrong_usage():
    with pytest.raises(UsageError, match="unknown code 'disk-ful' \\(did you mean 'disk-full'"):
        doctor(DoctorOptions(only=["disk-ful"]))


def test_the_page_lists_the_faults():
    page = (Path(__file__).parents[3] / "docs/doctor.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([a-z-]+)` \| (error|warning) \|", page, re.MULTILINE)
    assert listed == [(one.code, one.severity) for one in FAULTS.values()]
