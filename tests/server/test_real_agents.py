"""Real agents live on our server: certificates, plugins, catalogs, files, exports, reports.

Puppet 7.23 is Debian's ``puppet-agent``. OpenVox 8 runs from a checkout that ``BUNRAKU_OPENVOX`` names.
The agents change files below the directory of the test only.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from support.real_agent import Agent, Site

MODULES = Path("/usr/share/puppet/modules")
OPENVOX = os.environ.get("BUNRAKU_OPENVOX")
COMMANDS = {
    "puppet-7": ["puppet", "agent"],
    "openvox-8": ["ruby", f"-I{OPENVOX}/lib", f"{OPENVOX}/bin/puppet", "agent"],
}
NOTHING, CHANGES, FAILURES, NO_CATALOG = 0, 2, 4, 1
"""Exit codes of ``puppet agent --test``."""


def reason_to_skip(name):
    if name == "openvox-8":
        return None if OPENVOX else "BUNRAKU_OPENVOX does not name a checkout of OpenVox 8"
    return None if shutil.which("puppet") else "Puppet is not installed"


@pytest.fixture(scope="module", params=COMMANDS)
def command(request):
    reason = reason_to_skip(request.param)
    if reason is None and not (MODULES / "concat").is_dir():
        reason = f"stdlib and concat are not installed below {MODULES}"
    if reason:
        pytest.skip(reason)
    return COMMANDS[request.param]


@pytest.fixture(scope="module")
def site(command, tmp_path_factory):
    with Site(tmp_path_factory.mktemp("site"), modules=MODULES) as running:
        yield running


@pytest.fixture
def agent(command, site, tmp_path):
    def make(name):
        return Agent(command, name, site, tmp_path / name)

    return make


def test_a_node_waits_until_its_request_is_signed(site, agent):
    node = agent("waiting.example.test")
    assert node.run("--waitforcert", "0").code == NO_CATALOG
    assert "waiting.example.test" in site.ca("list")
    site.ca("sign", "--certname", "waiting.example.test")
    first = node.run()
    assert first.code == CHANGES
    assert "plain for waiting.example.test" in first.output


def test_runs_after_the_first_change_nothing_but_notify(agent):
    node = agent("files1.auto.example.test")
    first = node.run()
    assert first.code == CHANGES, first.output
    tree = node.target / "tree"
    assert sorted(path.name for path in tree.rglob("*") if path.is_file()) == ["f1", "f2", "f3"]
    assert (tree / "sub/f3").read_text() == "three\n"
    assert (node.target / "one").read_text() == "one\n"
    assert (node.target / "one").stat().st_mode & 0o7777 == 0o640
    second = node.run()
    assert second.code == NOTHING, second.output
    (node.target / "one").write_text("changed\n")
    noop = node.run("--noop")
    assert noop.code == NOTHING
    assert "noop" in noop.output.lower()
    assert (node.target / "one").read_text() == "changed\n"
    assert node.run().code == CHANGES
    assert (node.target / "one").read_text() == "one\n"


def test_types_in_ruby_arrive_by_plugin_synchronization(agent):
    node = agent("types1.auto.example.test")
    run = node.run()
    assert run.code == CHANGES, run.output
    assert (node.home / "var/lib/puppet/type/file_line.rb").is_file()
    assert (node.target / "lines").read_text() == "old\nadded by file_line\n"
    assert (node.target / "parts").read_text() == "first\nsecond\n"
    assert node.run().code == NOTHING


def test_facts_of_modules_arrive_and_are_used(agent):
    node = agent("facts1.auto.example.test")
    assert "fact in ruby: from ruby; external: from text" in node.run().output


def test_the_environment_changes_and_comes_back(agent):
    node = agent("plain1.auto.example.test")
    assert "plain for plain1" in node.run().output
    assert "this is testing" in node.run("--environment", "testing").output
    assert "plain for plain1" in node.run("--environment", "production").output
    missing = node.run("--environment", "nowhere")
    assert "plain for plain1" in missing.output
    assert "nowhere" in missing.output


def test_a_failing_catalog_is_reported_and_applies_nothing(site, agent):
    node = agent("fails1.auto.example.test")
    run = node.run()
    assert run.code == NO_CATALOG
    assert "this node is meant to fail" in run.output
    assert "on node fails1.auto.example.test" in run.output
    assert not (node.target / "before").exists()
    assert site.report("fails1.auto.example.test")["status"] == "failed"


def test_a_failing_resource_is_reported(site, agent):
    node = agent("broken1.auto.example.test")
    assert node.run().code == CHANGES + FAILURES
    report = site.report("broken1.auto.example.test")
    assert report["status"] == "failed"
    failed = [one["resource_title"] for one in report["resource_events"]["data"]]
    assert "fails here" in failed


def test_exported_resources_reach_another_node(agent):
    one, two = agent("exports1.auto.example.test"), agent("exports2.auto.example.test")
    one.run()
    assert "exported by exports1.auto.example.test" in two.run().output
    assert "exported by exports2.auto.example.test" in one.run().output


def test_the_catalog_of_another_node_is_refused(site, agent):
    node, other = agent("curious.auto.example.test"), agent("plain2.auto.example.test")
    node.run()
    other.run()
    status, text = node.ask("GET", f"/puppet/v3/catalog/{other.name}?environment=production")
    assert status == 403
    assert text.startswith("Forbidden request")
    assert node.ask("GET", f"/puppet/v3/node/{node.name}?environment=production")[0] == 200


def test_a_revoked_certificate_is_refused(site, agent):
    node = agent("leaves.auto.example.test")
    assert node.run().code == CHANGES
    site.ca("revoke", "--certname", node.name)
    run = node.run()
    assert run.code == NO_CATALOG
    assert "SSL_" in run.output, run.output
    other = agent("stays.auto.example.test")
    assert other.run().code == CHANGES


def test_a_certificate_that_expires_soon_is_renewed(site, command, agent):
    if command == COMMANDS["puppet-7"]:
        pytest.skip("Puppet 7 does not renew certificates")
    node = agent("plain4.auto.example.test")
    assert node.run().code == CHANGES
    path = node.home / f"ssl/certs/{node.name}.pem"
    first = path.read_bytes()
    run = node.run("--hostcert_renewal_interval", "91d")  # renewed ones are valid for 90 days
    assert "Renewed client certificate: " in run.output, run.output
    assert run.code == CHANGES
    assert path.read_bytes() != first
    assert node.run().code == CHANGES


def test_a_cached_catalog_needs_no_server(site, agent):
    node = agent("plain3.auto.example.test")
    node.run()
    assert "Using cached catalog" in node.run("--use_cached_catalog", "--noop").output
