"""Our agent lives on Debian's puppetserver, with our PuppetDB behind its terminus: requests to reports.

It is one test, because the Java machine takes a minute to start; ``make puppetserver-tests`` runs it. The suite
has requests and answers that were recorded from puppetserver (``test_life.py``). Renewal is left out:
puppetserver 7 has none.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.own_server import wait_for
from support.puppetserver_site import PuppetserverSite, missing_part
from support.real_agent import Agent

MODULES = Path("/usr/share/puppet/modules")
AGENT = [sys.executable, "-m", "bunraku", "agent", "--no-project"]
NOTHING, CHANGES, FAILURES, NO_CATALOG = 0, 2, 4, 1
"""Exit codes of ``bunraku agent --test``."""


@pytest.fixture
def site(tmp_path):
    if not os.environ.get("PUPPETSERVER_TESTS"):
        pytest.skip("PUPPETSERVER_TESTS is not set; make puppetserver-tests sets it")
    reason = missing_part()
    if reason is None and not (MODULES / "concat").is_dir():
        reason = f"stdlib and concat are not installed below {MODULES}"
    if reason:
        pytest.skip(reason)
    (tmp_path / "site").mkdir()
    with PuppetserverSite(tmp_path / "site", modules=MODULES) as running:
        yield running


@pytest.fixture
def agent(site, tmp_path):
    def make(name):
        return Agent(AGENT, name, site, tmp_path / name)

    return make


def ssl(node, action):
    """Return exit code and output of an action of ``bunraku ssl`` for a node."""
    words = [*AGENT[:3], "ssl", action, "--no-project", "--certname", node.name]
    places = [f"--{one}dir={node.home / one}" for one in ("conf", "var", "ssl")]
    server = ["--server", "localhost", "--serverport", str(node.site.port)]
    done = subprocess.run(
        [*words, *server, *places, "--set", "keylength=2048"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_a_life(site, agent):
    a_request_waits_for_its_signature(site, agent("waiting.example.test"))
    requests_of_ssl(agent("plain1.auto.example.test"), agent("again.example.test"))
    files_change_once(agent("files1.auto.example.test"))
    types_in_ruby_arrive(agent("types1.auto.example.test"))
    run = agent("facts1.auto.example.test").run()
    assert "fact in ruby: from ruby; external: from text" in run.output, run.output
    environments_change_and_come_back(agent("plain2.auto.example.test"))
    failures_are_reported(
        site, agent("fails1.auto.example.test"), agent("broken1.auto.example.test")
    )
    exports_reach_another_node(
        agent("exports1.auto.example.test"), agent("exports2.auto.example.test")
    )
    a_revoked_certificate_is_refused(site, agent("leaves.auto.example.test"))


def a_request_waits_for_its_signature(site, node):
    run = node.run("--waitforcert", "0")
    assert run.code == NO_CATALOG, run.output
    assert f"Certificate for {node.name} has not been signed yet" in run.output
    site.ca("sign", "--certname", node.name)
    run = node.run()
    assert (run.code, f"plain for {node.name}" in run.output) == (CHANGES, True), run.output


def requests_of_ssl(node, other):
    code, text = ssl(node, "bootstrap")
    assert (code, f"Downloaded certificate for {node.name}" in text) == (0, True), text
    code, text = ssl(node, "verify")
    assert (code, f"Verified client certificate 'CN={node.name}'" in text) == (0, True), text
    run = node.run("--fingerprint")
    assert re.fullmatch(r"\(SHA256\) [0-9A-F:]{95}\n", run.output), run.output
    assert ssl(other, "submit_request")[0] == 0
    (other.home / f"ssl/certificate_requests/{other.name}.pem").unlink(missing_ok=True)
    code, text = ssl(other, "submit_request")
    assert (code, "due to a conflict on the server" in text) == (1, True), text


def files_change_once(node):
    first = node.run()
    assert first.code == CHANGES, first.output
    tree = node.target / "tree"
    assert sorted(path.name for path in tree.rglob("*") if path.is_file()) == ["f1", "f2", "f3"]
    assert (tree / "sub/f3").read_text() == "three\n"
    assert (node.target / "one").stat().st_mode & 0o7777 == 0o640
    second = node.run()
    assert second.code == NOTHING, second.output
    (node.target / "one").write_text("changed\n")
    noop = node.run("--noop")
    assert (noop.code, "noop" in noop.output) == (NOTHING, True), noop.output
    assert (node.target / "one").read_text() == "changed\n"
    assert node.run().code == CHANGES
    assert (node.target / "one").read_text() == "one\n"
    cached = node.run("--use-cached-catalog")
    assert (cached.code, "Using cached catalog" in cached.output) == (NOTHING, True), cached.output


def types_in_ruby_arrive(node):
    run = node.run()
    assert run.code == CHANGES, run.output
    assert (node.home / "var/lib/puppet/type/file_line.rb").is_file()
    assert (node.target / "lines").read_text() == "old\nadded by file_line\n"
    assert (node.target / "parts").read_text() == "first\nsecond\n"
    assert node.run().code == NOTHING


def environments_change_and_come_back(node):
    assert f"plain for {node.name}" in node.run().output
    assert "this is testing" in node.run("--environment", "testing").output
    missing = node.run("--environment", "nowhere")
    assert "Environment 'nowhere' not found on server" in missing.output
    assert f"plain for {node.name}" in missing.output
    listed = node.run("--server_list", f"localhost:1,localhost:{node.site.port}")
    assert "Trying with next server from server_list." in listed.output
    assert f"plain for {node.name}" in listed.output


def failures_are_reported(site, fails, broken):
    run = fails.run()
    assert (run.code, "this node is meant to fail" in run.output) == (NO_CATALOG, True), run.output
    assert not (fails.target / "before").exists()
    assert site.report(fails.name)["status"] == "failed"
    assert broken.run().code == CHANGES + FAILURES
    report = site.report(broken.name)
    assert report["status"] == "failed"
    failed = [one["resource_title"] for one in report["resource_events"]["data"]]
    assert "fails here" in failed


def exports_reach_another_node(one, two):
    one.run()
    assert f"exported by {one.name}" in two.run().output
    assert f"exported by {two.name}" in one.run().output


def a_revoked_certificate_is_refused(site, node):
    assert node.run().code == CHANGES
    site.ca("revoke", "--certname", node.name)
    runs = []

    def refused():
        runs.append(node.run())
        return runs[-1].code == NO_CATALOG

    wait_for(refused, "puppetserver reads the new list a moment after the file has changed")
    output = runs[-1].output
    assert "/puppet/v3/file_metadatas/plugins failed after" in output  # the server hangs up
    assert f"plain for {node.name}" not in output
