"""``/deploy/v1`` of a running server: webhooks, requests of programs, the queue, the status, the end."""

from __future__ import annotations

import json
import os
import subprocess
import time

import pytest

from bunraku.server.interface import answer
from support.deployment_site import Site
from support.git_remotes import VARIABLES, Remote
from support.own_server import COMMAND, Server, directories, environment
from support.server_service import request, site_service
from support.webhooks import SECRET, signed

TOKEN = "a-token-of-the-tests"
HUB = "x-hub-signature-256"
GATE = """#!/bin/sh
while [ -e {top}/closed ]; do sleep 0.05; done
"""


class Rig:
    """A server with deployments, and the repositories that it deploys from."""

    def __init__(self, site, *options):
        self.site = site
        root = site.top / "server"
        (root / "etc").mkdir(parents=True)
        (root / "environments").symlink_to(site.env)
        site.env.mkdir()
        gate = site.top / "gate"
        gate.write_text(GATE.format(top=site.top))
        gate.chmod(0o755)
        site.settings = {"postrun": [str(gate)]}
        self.configuration = site.top / "deploy.yaml"
        data = {"r10k": site.configure(), "secrets": [SECRET], "tokens": [TOKEN]}
        self.configuration.write_text(json.dumps(data))
        self.configuration.chmod(0o600)

        def start(words, **more):
            return subprocess.Popen(words, env=environment(**VARIABLES), **more)

        fixed = ("--listen", "127.0.0.1:0", "--deploy-config", str(self.configuration))
        self.server = Server(root, *fixed, *options, start=start)

    def close(self):
        """Let deployments wait at their end."""
        (self.site.top / "closed").touch()

    def open(self):
        """Let them go on."""
        (self.site.top / "closed").unlink(missing_ok=True)

    def ask(self, method, path, body=b"", **headers):
        """Return the status and the document of a response."""
        connection = self.server.connect()
        try:
            fields = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, f"/deploy/v1/{path}", body, fields)
            response = connection.getresponse()
            content = response.read()
        finally:
            connection.close()
        is_json = response.headers.get("content-type", "").startswith("application/json")
        return response.status, json.loads(content) if is_json else content.decode()

    def push(self, remote, branch, **changes):
        """Send the webhook for a push."""
        data = {"ref": f"refs/heads/{branch}", "repository": {"clone_url": remote.url}, **changes}
        body = json.dumps(data).encode()
        headers = {name.replace("-", "_"): value for name, value in signed(body, HUB).items()}
        return self.ask("POST", "webhook", body, **headers)

    def get(self, path):
        """Return the document of a request with the token."""
        status, found = self.ask("GET", path, authorization=f"Bearer {TOKEN}")
        assert status == 200, found
        return found

    def request(self, **data):
        """Send the request of a program."""
        body = json.dumps(data).encode()
        return self.ask("POST", "deploys", body, authorization=f"Bearer {TOKEN}")

    def ended(self, number):
        """Return a deployment after its end."""
        for _ in range(600):
            found = self.get(f"deploys/{number}")
            if found["status"] not in {"queued", "running"}:
                return found
            time.sleep(0.05)
        raise AssertionError(found)

    def running(self):
        """Return the deployment that runs, once one does."""
        for _ in range(600):
            found = self.get("status")["running"]
            if found:
                return found[0]
            time.sleep(0.05)
        raise AssertionError("none runs")

    def switched(self, name):
        """Wait until an environment is there: a deployment runs before it switches."""
        for _ in range(600):
            if (self.site.env / name).is_dir():
                return
            time.sleep(0.05)
        raise AssertionError(f"{name} is not deployed")


@pytest.fixture
def rig(tmp_path, monkeypatch):
    pytest.importorskip("uvicorn", reason="the server needs the extra 'server'")
    tmp_path.chmod(0o700)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    made = Rig(Site(tmp_path))
    yield made
    made.open()
    made.server.end()


def test_a_push_deploys_its_environment_and_the_server_compiles_it(rig):
    status, found = rig.push(rig.site.control, "production")
    assert (status, [one["environments"] for one in found["deploys"]]) == (202, [["production"]])
    ended = rig.ended(found["deploys"][0]["id"])
    assert ended["status"] == "complete", ended
    assert ended["result"]["environments"][0]["outcome"] == "deployed"
    assert any("Deploying environment" in line["message"] for line in ended["log"])
    assert rig.server.catalog()[0] == 200
    rig.site.control.commit({"manifests/site.pp": "notify { 'pushed': }\n"})
    _status, found = rig.push(rig.site.control, "production")
    rig.ended(found["deploys"][0]["id"])
    assert "Notify[pushed]" in rig.server.catalog()[1]


def test_a_deleted_branch_removes_its_environment(rig):
    rig.site.control.branch("old", {"x": "1"})
    rig.ended(rig.push(rig.site.control, "old")[1]["deploys"][0]["id"])
    assert (rig.site.env / "old").is_dir()
    rig.site.control.delete("old")
    _status, found = rig.push(rig.site.control, "old", deleted=True)
    ended = rig.ended(found["deploys"][0]["id"])
    assert (ended["status"], len(ended["result"]["removed"])) == ("complete", 1)
    assert not (rig.site.env / "old").exists()


def test_a_push_to_a_module_deploys_it_in_all_environments(rig):
    module = rig.site.module("alpha")
    rig.site.puppetfile(f"mod 'alpha', :git => '{module.url}', :branch => 'main'")
    rig.site.control.branch("other", {})
    assert rig.request(**{"deploy-all": True, "wait": True})[0] == 200
    module.commit({"manifests/init.pp": "class alpha { notify { 'later': } }\n"})
    status, found = rig.push(module, "main")
    assert (status, found["deploys"][0]["modules"]) == (202, ["alpha"])
    assert rig.ended(found["deploys"][0]["id"])["status"] == "complete"
    for name in ("production", "other"):
        text = (rig.site.env / name / "modules/alpha/manifests/init.pp").read_text()
        assert "later" in text


def test_other_repositories_and_refs_start_nothing(rig):
    other = Remote(rig.site.top, "other", {"x": "1"})
    assert rig.push(other, "production")[0] == 200
    assert rig.push(rig.site.control, "x", ref="refs/tags/v1")[1]["deploys"] == []
    status = rig.get("status")
    assert status == {"queued": [], "running": [], "ended": []}


def test_signatures_and_tokens_are_needed(rig):
    body = json.dumps(
        {"ref": "refs/heads/production", "repository": {"clone_url": rig.site.control.url}}
    ).encode()
    right = signed(body, HUB)[HUB]
    assert rig.ask("POST", "webhook", body)[0] == 401
    assert rig.ask("POST", "webhook", body, x_hub_signature_256="sha256=00")[0] == 403
    assert rig.ask("POST", "webhook", body + b" ", x_hub_signature_256=right)[0] == 403
    assert rig.ask("POST", "webhook", b"x" * (9 << 20), x_hub_signature_256=right)[0] == 413
    for path in ("status", "deploys/1"):
        assert rig.ask("GET", path)[0] == 401
        assert rig.ask("GET", path, authorization="Bearer wrong")[0] == 403
    assert rig.ask("POST", "deploys", b"{}")[0] == 401
    assert rig.ask("GET", "webhook")[0] == 404
    assert rig.get("status")["ended"] == []
    log = rig.server.messages() + (rig.server.root / "access.log").read_text()
    assert SECRET not in log
    assert TOKEN not in log


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({}, "Name the environments"),
        ({"environments": ["a"], "deploy-all": True}, "Name the environments"),
        ({"environments": "production"}, "environments: expected an array of names"),
        ({"environments": ["../x"]}, "'../x' is not a valid name"),
        ({"environments": ["--config"]}, "'--config' is not a valid name"),
        ({"environments": [[]]}, "is not a valid name"),
        ({"wait": 1}, "wait: expected true or false"),
        ({"environment": ["a"]}, "The key 'environment' is unknown"),
    ],
)
def test_wrong_requests(rig, data, reason):
    status, text = rig.request(**data)
    assert (status, reason in text) == (400, True), text


def test_a_program_waits_for_its_deployment(rig):
    status, found = rig.request(environments=["production", "absent"], wait=True)
    assert (status, [one["status"] for one in found]) == (200, ["complete", "failed"])
    assert found[0]["result"]["environments"][0]["signature"]
    assert [one["code"] for one in found[1]["result"]["errors"]] == ["UNKNOWN_ENVIRONMENT"]
    assert rig.ask("GET", "deploys/99", authorization=f"Bearer {TOKEN}")[0] == 404


def test_pushes_are_coalesced_and_one_deployment_runs_at_a_time(rig):
    rig.close()
    first = rig.push(rig.site.control, "production")[1]["deploys"][0]["id"]
    assert rig.running()["id"] == first
    later = [rig.push(rig.site.control, "production")[1]["deploys"][0]["id"] for _ in range(5)]
    found = rig.get("status")
    assert [one["id"] for one in found["queued"]] == later[-1:]
    assert [one["id"] for one in found["running"]] == [first]
    assert {one["status"] for one in found["ended"]} == {"replaced"}
    rig.switched("production")
    assert rig.server.catalog()[0] == 200, "catalogs do not wait for deployments"
    rig.open()
    assert rig.ended(later[-1])["status"] == "complete"
    assert rig.get(f"deploys/{later[0]}")["replaced_by"] == later[1]


def test_a_deployment_that_is_killed_is_reported(rig):
    rig.close()
    number = rig.push(rig.site.control, "production")[1]["deploys"][0]["id"]
    rig.running()
    wait_for_program(rig)
    (keeper,) = [
        pid for pid in children(rig.server.process.pid) if any(map(children, children(pid)))
    ]
    (deployment,) = children(keeper)
    os.kill(deployment, 9)
    found = rig.ended(number)
    assert (found["status"], found["error"]) == ("failed", "its process ended: signal 9")
    rig.open()
    assert rig.request(environments=["production"], wait=True)[1][0]["status"] == "complete"


def test_the_end_of_the_server_ends_a_deployment(rig):
    rig.close()
    rig.push(rig.site.control, "production")
    rig.running()
    wait_for_program(rig)
    started = time.monotonic()
    pids = {pid for one in children(rig.server.process.pid) for pid in (one, *children(one))}
    assert rig.server.end() == 0
    assert time.monotonic() - started < 30
    for _ in range(100):  # the kernel ends those whose parents have ended
        left = [pid for pid in pids if os.path.exists(f"/proc/{pid}")]
        if not left:
            break
        time.sleep(0.05)
    assert not left
    staging = rig.site.top / ".env.bunraku/staging"
    assert not list(staging.iterdir())


def test_without_its_process_deployments_are_refused_and_catalogs_are_compiled(rig):
    assert rig.request(environments=["production"], wait=True)[0] == 200
    keeper = keeper_of(rig)
    os.kill(keeper, 9)
    status, text = rig.request(environments=["production"])
    assert (status, "the process that runs them does not answer" in text) == (503, True)
    assert rig.server.catalog()[0] == 200


def keeper_of(rig):
    """Return the process that runs deployments: the one that runs a deployment while it waits."""
    rig.close()
    number = rig.request(environments=["production"])[1][0]["id"]
    rig.running()
    for _ in range(200):
        found = [pid for pid in children(rig.server.process.pid) if grandchildren(pid)]
        if found:
            rig.open()
            rig.ended(number)
            return found[0]
        time.sleep(0.05)
    raise AssertionError("no process runs the deployment")


def grandchildren(pid):
    """Return the programs that a deployment of a process runs."""
    return [one for child in children(pid) for one in children(child)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "No such file or directory"),
        (f"r10k: /nonexistent\ntokens: [{TOKEN}]", "/nonexistent"),
        (
            f"r10k: R10K\ntokens: [{TOKEN}]\nflush: [puppet]",
            "deploy.yaml needs the URL of a server",
        ),
    ],
)
def test_a_wrong_configuration_stops_the_start(tmp_path, text, reason):
    path = tmp_path / "deploy.yaml"
    settings = tmp_path / "r10k.yaml"
    settings.write_text("sources: {a: {remote: /srv/a, basedir: /srv/e}}\n")
    if text is not None:
        path.write_text(text.replace("R10K", str(settings)))
        path.chmod(0o600)
    (tmp_path / "etc").mkdir()
    words = [*COMMAND, "server", *directories(tmp_path), "--listen", "127.0.0.1:0"]
    done = subprocess.run(
        [*words, "--puppetdb", "none", "--deploy-config", str(path)],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
        timeout=120,
    )
    assert done.returncode == 2, done.stderr
    assert reason in done.stderr
    assert TOKEN not in done.stderr
    assert not (tmp_path / "ca").exists()


def test_a_server_without_the_configuration_has_no_such_routes(tmp_path):
    with site_service(tmp_path) as service:
        for method, path in (("POST", "webhook"), ("POST", "deploys"), ("GET", "status")):
            response = answer(service, request(method, f"/deploy/v1/{path}"))
            assert response.status == 404


def test_secrets_are_read_again_with_the_configuration(rig):
    data = json.loads(rig.configuration.read_text())
    rig.configuration.write_text(json.dumps({**data, "tokens": ["another-token-of-tests"]}))
    rig.server.process.send_signal(1)
    for _ in range(200):
        if rig.ask("GET", "status", authorization="Bearer another-token-of-tests")[0] == 200:
            break
        time.sleep(0.05)
    assert rig.ask("GET", "status", authorization=f"Bearer {TOKEN}")[0] == 403


def wait_for_program(rig):
    """Wait until the deployment runs the command after it."""
    for _ in range(600):
        if (rig.site.env / "production/manifests/site.pp").exists():
            return
        time.sleep(0.05)
    raise AssertionError("nothing was deployed")


def children(pid):
    """Return the children of a process."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(one) for one in file.read().split()]
    except OSError:
        return []
