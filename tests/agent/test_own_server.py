"""A node's whole life with ``bunraku server``: both are programs, on a port of this machine."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import closing

import pytest
import yaml

from bunraku.puppetdb.databases.sqlite import SqliteReader
from bunraku.puppetdb.queries.root import answer_to
from support.installed_puppet import needs_puppet

NODE = "web1.example.test"
COMMAND = (sys.executable, "-m", "bunraku")


def started(folder, environments):
    """Start a server in a folder and return it with its port."""
    words = [
        "server", "--no-project", "--listen", "127.0.0.1:0", "--certname", "localhost",
        "--confdir", str(folder / "etc"), "--cadir", str(folder / "ca"),
        "--vardir", str(folder / "var"), "--environmentpath", str(environments),
        "--puppetdb", str(folder / "site.db"), "--autosign", "false", "--max-active-instances", "1",
        "--access-log", str(folder / "access"),
    ]  # fmt: skip
    program = subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    for line in program.stdout:
        if " serves " in line:
            return program, line.strip().rpartition(":")[2].rstrip("/")
    raise AssertionError(f"the server ended with {program.wait()}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("life")


@pytest.fixture(scope="module")
def port(folder):
    pytest.importorskip("uvicorn", reason="the server needs the extra 'server'")
    setup = ["ca", "setup", "--no-project", "--certname", "localhost"]
    paths = ["--confdir", str(folder / "etc"), "--cadir", str(folder / "ca")]
    subprocess.run([*COMMAND, *setup, *paths], check=True, capture_output=True)
    settings = folder / "puppetserver/conf.d/ca.conf"
    settings.parent.mkdir(parents=True)
    settings.write_text("certificate-authority: { allow-auto-renewal: true }\n")
    (folder / "code").mkdir()
    environment = folder / "environments" / "production"
    (environment / "manifests").mkdir(parents=True)
    (environment / "manifests/site.pp").write_text(MANIFEST.replace("TARGET", str(folder / "to")))
    module = environment / "modules/demo"
    for name, text in FILES.items():
        (module / name).parent.mkdir(parents=True, exist_ok=True)
        (module / name).write_text(text)
    other = folder / "environments" / "broken/manifests"
    other.mkdir(parents=True)
    (other / "site.pp").write_text("fail('broken on purpose')")
    typed = folder / "environments/typed"
    (typed / "manifests").mkdir(parents=True)
    (typed / "manifests/site.pp").write_text(TYPED)
    for name, text in OF_TYPE.items():
        file = typed / "modules/notes/lib/puppet" / name
        file.parent.mkdir(parents=True)
        file.write_text(text.replace("TARGET", str(folder / "notes")))
    program, found = started(folder, folder / "environments")
    yield found
    program.send_signal(signal.SIGTERM)
    program.communicate()


MANIFEST = """
file { 'TARGET': ensure => directory }
file { 'TARGET/one': source => 'puppet:///modules/demo/one.txt' }
file { 'TARGET/tree': ensure => directory, recurse => true, source => 'puppet:///modules/demo/tree' }
notify { "${facts['of_plugin']} ${facts['external']} ${trusted['certname']}": }
"""
FILES = {
    "files/one.txt": "one\n",
    "files/tree/sub/two": "two\n",
    "facts.d/external.txt": "external=outside\n",
    "lib/bunraku/facts/own.py": "import bunraku\n\n\n@bunraku.fact()\ndef of_plugin(_facts):\n"
    "    return 'inside'\n",
}


TYPED = """
note { 'first': ensure => present, text => 'one' }
note { 'second': ensure => present, text => Sensitive('S3CR3T') }
note { 'third': ensure => absent }
"""
OF_TYPE = {
    "type/note.rb": """
Puppet::Type.newtype(:note) do
  ensurable
  newparam(:name, namevar: true)
  newproperty(:text)
end
""",
    "provider/note/files.rb": """
Puppet::Type.type(:note).provide(:files) do
  def path
    "TARGET/#{resource[:name]}"
  end

  def exists?
    File.exist?(path)
  end

  def create
    File.write(path, resource[:text])
  end

  def destroy
    File.delete(path)
  end

  def text
    File.read(path)
  end

  def text=(value)
    File.write(path, value)
  end
end
""",
}
"""A module with a type in Ruby, whose resources the installed Puppet of the node manages."""


def run(folder, port, *words, command="agent", node=NODE):
    """Run the agent; return its exit code and output."""
    home = folder / ("node" if node == NODE else node)
    own = [
        "--no-project", "--certname", node, "--server", "localhost", "--serverport", port,
        "--confdir", str(home / "etc"), "--vardir", str(home / "var"),
        "--set", f"publicdir={home / 'public'}", "--set", "keylength=2048",
    ]  # fmt: skip
    done = subprocess.run(
        [*COMMAND, command, *(["--test"] if command == "agent" else []), *words, *own],
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def authority(folder, *words):
    paths = ["--confdir", str(folder / "etc"), "--cadir", str(folder / "ca")]
    words = [*COMMAND, "ca", *words, "--no-project", *paths]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def test_a_life(folder, port):
    code, text = run(folder, port)
    assert (code, "Exiting now because the waitforcert setting is set to 0." in text) == (
        1,
        True,
    ), text
    authority(folder, "sign", "--certname", NODE)
    code, text = run(folder, port)
    assert (code, f"Notice: inside outside {NODE}" in text) == (2, True), text
    assert (folder / "to/tree/sub/two").read_text() == "two\n"
    (folder / "to/one").write_text("changed")
    code, text = run(folder, port, "--noop")
    assert (code, "(noop)" in text, (folder / "to/one").read_text()) == (0, True, "changed"), text
    assert run(folder, port)[0] == 2
    assert (folder / "to/one").read_text() == "one\n"
    code, text = run(folder, port, "--environment", "broken")
    assert (code, "broken on purpose" in text) == (1, True), text
    code, text = run(folder, port, "--environment", "nowhere")
    assert "restarting agent run with environment 'production'" in text
    assert code == 2, text
    assert run(folder, port, "verify", command="ssl")[0] == 0
    certificate = folder / f"node/etc/ssl/certs/{NODE}.pem"
    before = certificate.read_bytes()
    code, text = run(folder, port, "--set", "hostcert_renewal_interval=91d")
    assert (code, "Info: Renewed client certificate: " in text) == (2, True), text
    assert certificate.read_bytes() != before
    authority(folder, "revoke", "--certname", NODE)
    code, text = run(folder, port)
    assert (code, "failed" in text) == (1, True), text


def statuses(folder, node):
    """The statuses of the catalog requests of a node, from the access log."""
    lines = (folder / "access").read_text().splitlines()
    return [one.split('" ')[1].split()[0] for one in lines if f"/puppet/v3/catalog/{node}" in one]


def report_of(folder, node):
    text = (folder / node / "var/state/last_run_report.yaml").read_text()
    return yaml.safe_load(re.sub(r"!ruby/\S+", "", text))


def rows_of(folder, node, *fields):
    """The last report and the catalog of a node in the server's PuppetDB."""
    with closing(SqliteReader(str(folder / "site.db"))) as database:
        end = time.monotonic() + 30
        while True:
            where = ["=", "certname", node]
            (catalog,) = answer_to(database, ["from", "catalogs", ["extract", list(fields), where]])
            last = ["and", where, ["=", "latest_report?", True]]
            (report,) = answer_to(
                database, ["from", "reports", ["extract", ["catalog_uuid"], last]]
            )
            if report["catalog_uuid"] == catalog["catalog_uuid"]:
                return catalog
            assert time.monotonic() < end


def test_the_content_of_an_unchanged_catalog_is_not_sent_again(folder, port):
    """Runs that begin with a catalog in the cache, and whether the server sends the content."""
    node = "web3.example.test"
    cached = folder / node / f"var/client_data/catalog/{node}.json"
    site = folder / "environments/production/manifests/site.pp"
    other = folder / "environments/second"
    other.mkdir()
    (other / "environment.conf").write_text(
        "manifest = ../production/manifests\nmodulepath = ../production/modules\n"
    )
    run(folder, port, node=node)
    authority(folder, "sign", "--certname", node)
    versions = []

    def runs(status, *words):
        code, text = run(folder, port, *words, node=node)
        assert code in (0, 2), text
        assert statuses(folder, node)[-1] == status, text
        catalog, report = json.loads(cached.read_text()), report_of(folder, node)
        assert catalog["catalog_uuid"] == report["catalog_uuid"]
        assert catalog["version"] == report["configuration_version"]
        stored = rows_of(folder, node, "catalog_uuid", "version", "transaction_uuid")
        assert stored == {
            "catalog_uuid": catalog["catalog_uuid"],
            "version": str(catalog["version"]),
            "transaction_uuid": report["transaction_uuid"],
        }
        versions.append(catalog.pop("catalog_uuid"))
        del catalog["version"]
        return catalog, [one["title"] for one in report["resource_statuses"].values()]

    first = runs("200")
    assert runs("304") == first
    cached.write_text(cached.read_text().replace("inside", "INSIDE"))  # somebody else wrote it
    assert runs("200") == first
    cached.with_suffix(".tag").unlink()
    assert runs("200") == first
    assert runs("304") == first
    site.write_text(site.read_text() + "notify { 'more': }\n")
    changed = runs("200")
    assert set(changed[1]) == {*first[1], "more"}
    assert runs("304") == changed
    runs("200", "--environment", "second")
    runs("304", "--environment", "second")
    assert runs("200") == changed
    assert len(set(versions)) == len(versions)


@needs_puppet
def test_a_type_in_ruby_comes_from_the_server(folder, port):
    """The agent copies the type and its provider; an installed Puppet on the node runs them."""
    node = "web2.example.test"
    notes = folder / "notes"
    notes.mkdir()
    (notes / "third").write_text("old")
    run(folder, port, node=node)
    authority(folder, "sign", "--certname", node)

    code, text = run(folder, port, "--environment", "typed", node=node)
    assert code == 2, text
    assert "Notice: /Stage[main]/Main/Note[first]/ensure: created" in text
    assert {one.name: one.read_text() for one in notes.iterdir()} == {
        "first": "one",
        "second": "S3CR3T",
    }
    report = (folder / node / "var/state/last_run_report.yaml").read_text()
    assert events_of(report) == [
        ("Note[first]", "ensure", "absent", "present", "success"),
        ("Note[second]", "ensure", "absent", "present", "success"),
        ("Note[third]", "ensure", "present", "absent", "success"),
    ]

    code, text = run(folder, port, "--environment", "typed", node=node)
    assert code == 0, text
    report = (folder / node / "var/state/last_run_report.yaml").read_text()
    assert events_of(report) == []
    assert "status: unchanged" in report

    (notes / "second").write_text("old")
    code, text = run(folder, port, "--environment", "typed", node=node)
    assert code == 2, text
    assert "changed [redacted] to [redacted]" in text
    kept = [
        one.read_text(errors="replace") for one in (folder / node / "var/state").rglob("*.yaml")
    ]
    assert "S3CR3T" not in text + "".join(kept)


def events_of(text):
    """Return the events of a report, by resource."""
    report = yaml.safe_load(re.sub(r"!ruby/object:\S+", "", text))
    return sorted(
        (name, one["property"], one["previous_value"], one["desired_value"], one["status"])
        for name, status in report["resource_statuses"].items()
        for one in status["events"]
    )
