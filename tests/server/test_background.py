"""Catalogs that are compiled in the background after a change: the next requests of agents need no compile."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from bunraku.deployment.layers import Layer
from bunraku.deployment.live_trees import live_code
from bunraku.server.background import Background
from bunraku.server.caller import caller_of
from bunraku.server.catalogs import answer_catalog, common
from bunraku.server.compiling.compilers import Compilers
from bunraku.server.compiling.jobs import Job, Result
from bunraku.server.compiling.starting import LOWEST
from bunraku.server.flushes import Flushes
from bunraku.server.metrics import lines as metric_lines
from support.deployed_site import DeployedSite
from support.server_service import children, content, form, request, rows, site_service

NODES = ("web1", "web2", "db1", "db2")
HEADERS = {
    "Accept": "application/vnd.puppet.rich+json, application/json",
    "Content-Type": "application/x-www-form-urlencoded",
}
FILES = {
    "manifests/site.pp": """
        node /^web/ { include profile::web }
        node /^db/ { include profile::db }
    """,
    "modules/profile/manifests/web.pp": """
        class profile::web($greeting) {
          file { '/web': content => "${greeting} ${facts['os']} ${trusted['certname']}" }
          @@notify { "of ${trusted['certname']}": }
        }
    """,
    "modules/profile/manifests/db.pp": """
        class profile::db { file { '/db': content => 'one' } Notify <<| |>> }
    """,
    "hiera.yaml": "version: 5\nhierarchy: [{ name: common, path: common.yaml }]\n",
    "data/common.yaml": "profile::web::greeting: hello\nother: 1\n",
}
WEB = "modules/profile/manifests/web.pp"
PATIENCE = 60.0


def write(root: Path, files=FILES) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tmp_path.chmod(0o700)
    write(root_of(tmp_path))
    return tmp_path


def root_of(folder: Path) -> Path:
    return folder / "code/environments/production"


def facts_of(node: str, run: int) -> dict[str, object]:
    return {"os": "Debian", "clientcert": node, "uptime": str(run), "load": run / 7}


class Agents:
    """The agents of a server: each run has another uptime and load."""

    def __init__(self, service) -> None:
        self.service = service
        self.runs = 0
        self.code_ids: dict[str, str | None] = {}

    def run(self, *nodes: str) -> dict[str, tuple[str, str]]:
        """Let agents ask; return why each catalog was compiled, and the content of its file."""
        found = {}
        for node in nodes:
            self.runs += 1
            body = form(node, facts_of(node, self.runs), environment="production")
            asked = request("POST", f"/puppet/v3/catalog/{node}", HEADERS, body, client=node)
            response = answer_catalog(self.service, asked, node, caller_of(asked, {}))
            body = content(response)
            text = file_content(body)
            self.code_ids[node] = json.loads(body)["code_id"]
            explanation = self.service.counts.explanation(node)
            found[node] = ("reused" if explanation.reused else explanation.cause), text
        rows(self.service, ["from", "nodes"])  # all facts are in the database
        return found

    def compiled(self, node: str) -> str:
        """The content of a node's file by a server that stores no catalogs."""
        job = Job(
            *("catalog", node, "production", self.service.settings.given),
            facts=facts_of(node, self.runs),
            trusted=caller_of(request("GET", "/", client=node), {}).trusted,
            formats=("rich_json", "json"),
            **{**common(self.service), "reuses": False},
        )
        return file_content(self.service.result(job, lambda: False).body)

    def awaited(self, is_done) -> None:
        """Wait until the process in the background has nothing to do, and something else is true."""
        background, end = self.service.background, time.monotonic() + PATIENCE
        while background.queue or background.looks or background.done or not is_done(background):
            assert time.monotonic() < end, (background.total, self.service.log.lines)
            time.sleep(0.02)

    def begun(self) -> None:
        """Let all agents ask until nothing changes, and wait until edits are noticed."""
        self.run("web1", "web2")
        self.run("db1", "db2")
        assert {cause for cause, _ in self.run(*NODES).values()} <= {"reused", "unrepeatable"}
        self.awaited(lambda found: "production" in found.watches)
        self.awaited(
            lambda found: found.watches["production"].looked or found.watches["production"].is_held
        )

    def done(self, outcomes: dict[str, int]) -> None:
        """Wait until the process in the background has come to these outcomes."""
        self.awaited(lambda found: found.total == outcomes)


def file_content(body: bytes) -> str:
    (file,) = [one for one in json.loads(body)["resources"] if one["type"] == "File"]
    return file["parameters"]["content"]


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


CHANGES = {
    "code": (WEB, "${greeting}", "${greeting}!", "hello!", 2),
    "data": ("data/common.yaml", "hello", "hi", "hi", 2),
    "a key that no node looks up": ("data/common.yaml", "other: 1", "other: 2", "hello", 0),
}


@pytest.mark.parametrize("change", CHANGES)
def test_after_an_edit_the_reached_nodes_need_no_compile(folder, change):
    name, before, after, greeting, reached = CHANGES[change]
    with site_service(folder, behind=True, environment_timeout="0") as service:
        agents = Agents(service)
        agents.begun()
        edit(root_of(folder) / name, before, after)
        for _ in range(2):  # the next looks find nothing else
            agents.done({**({"compiled": reached} if reached else {}), "unchanged": 4 - reached})
            time.sleep(0.5)
        found = agents.run(*NODES)
        assert found == {node: ("reused", agents.compiled(node)) for node in NODES}
        assert found["web1"][1] == f"{greeting} Debian web1"
        metrics = metric_lines(service)
        assert f'bunraku_background_catalogs_total{{outcome="unchanged"}} {4 - reached}' in metrics
        assert "bunraku_background_queue 0" in metrics


def test_after_a_switch_the_reached_nodes_need_no_compile(folder):
    root, other = root_of(folder), folder / "code/next"
    write(other, {**FILES, WEB: FILES[WEB].replace("hello", "hi").replace("${greeting}", "2")})
    with site_service(folder, behind=True) as service:  # environment_timeout = unlimited
        agents = Agents(service)
        agents.begun()
        root.rename(folder / "code/before")
        other.rename(root)
        agents.done({"compiled": 2, "unchanged": 2})
        found = agents.run(*NODES)
        assert found == {node: ("reused", agents.compiled(node)) for node in NODES}
        assert found["web1"][1] == "2 Debian web1"


def test_after_a_deployment_the_reached_nodes_need_no_compile(folder):
    """The other catalogs have the new version of the code, too, and were not compiled."""
    shutil.rmtree(root_of(folder))
    site = DeployedSite(folder)
    prefix = "modules/profile/"
    inside = [name for name in FILES if name.startswith(prefix)]
    control = Layer("", site.tree({name: FILES[name] for name in FILES.keys() - inside}), "git")

    def deploy(before: str, after: str) -> str:
        files = {name[len(prefix) :]: FILES[name].replace(before, after) for name in inside}
        module = Layer("modules/profile", site.tree(files), "git", "profile")
        site.deploy([control, module])
        return live_code(str(root_of(folder))).code_id

    first = deploy("", "")
    with site_service(folder, behind=True) as service:
        agents = Agents(service)
        agents.begun()
        assert set(agents.code_ids.values()) == {first}
        second = deploy("${greeting}", "${greeting}!")
        agents.done({"compiled": 2, "unchanged": 2})
        found = agents.run(*NODES)
        assert found == {node: ("reused", agents.compiled(node)) for node in NODES}
        assert found["web1"][1] == "hello! Debian web1"
        assert set(agents.code_ids.values()) == {second} != {first}


def test_held_code_is_compiled_after_a_flush(folder):
    with site_service(folder, behind=True) as service:  # environment_timeout = unlimited
        agents = Agents(service)
        agents.begun()
        edit(root_of(folder) / WEB, "${greeting}", "${greeting}!")
        time.sleep(0.5)
        agents.done({})
        assert agents.run("web1") == {"web1": ("reused", "hello Debian web1")}
        service.flushes.add("production")
        agents.done({"compiled": 2, "unchanged": 2})
        assert agents.run("web1") == {"web1": ("reused", "hello! Debian web1")}


def test_catalogs_that_cannot_be_shared_are_not_compiled_in_the_background(folder):
    root = root_of(folder)
    edit(root / WEB, "@@notify", "notify { String(Timestamp()): } @@notify")
    edit(root / "modules/profile/manifests/db.pp", "'one'", "Sensitive('one')")
    with site_service(folder, behind=True, environment_timeout="0") as service:
        agents = Agents(service)
        agents.begun()
        service.flushes.add()
        agents.done({"skipped: unrepeatable": 2, "unchanged": 2})


def test_catalogs_with_secrets_are_compiled_in_the_background(folder):
    root = root_of(folder)
    db = root / "modules/profile/manifests/db.pp"
    edit(db, "'one'", "Sensitive('one')")
    with site_service(folder, behind=True, environment_timeout="0") as service:
        agents = Agents(service)
        agents.begun()
        edit(db, "Sensitive('one')", "Sensitive('two')")
        agents.awaited(lambda found: found.total["compiled"] >= 2)


def test_a_change_during_compiles_begins_them_again(folder):
    root = root_of(folder)
    with site_service(folder, behind=True, environment_timeout="0") as service:
        agents = Agents(service)
        agents.begun()
        slow = "Integer[1, 1000000].reduce |$sum, $one| { ($sum + $one) % 7 }"
        edit(root / WEB, "@@notify", f"$slow = {slow} @@notify")
        end = time.monotonic() + PATIENCE
        while not service.background.queue:
            assert time.monotonic() < end
            time.sleep(0.01)
        edit(root / WEB, f"$slow = {slow}", "")
        edit(root / WEB, "${greeting}", "${greeting}?")
        service.flushes.add()  # noticed at the next look
        agents.awaited(lambda found: found.total["compiled"] >= 2)
        found = agents.run(*NODES)
        assert found == {node: ("reused", agents.compiled(node)) for node in NODES}
        assert found["web2"][1] == "hello? Debian web2"


def test_edits_are_noticed_though_the_process_was_replaced(folder):
    with site_service(folder, behind=True, environment_timeout="0") as service:
        agents = Agents(service)
        agents.begun()
        os.kill(background_processes()[0], signal.SIGKILL)
        service.background.due = 0.0
        agents.awaited(lambda found: found.watches["production"].looked > time.monotonic() + 40)
        edit(root_of(folder) / WEB, "${greeting}", "${greeting}!")
        service.background.watches["production"].looked = service.background.due = 0.0
        agents.done({"compiled": 2, "unchanged": 2})


def background_processes() -> list[int]:
    """The processes of low priority that this process has started."""
    own = os.getpid()
    found = [one for keeper in children(own) for one in children(keeper)]
    return [one for one in found if os.getpriority(os.PRIO_PROCESS, one) == LOWEST]


def test_the_end_of_the_server_does_not_wait_for_a_compile(folder):
    with site_service(folder, behind=True, environment_timeout="0") as service:
        agents = Agents(service)
        agents.begun()
        loop = "$slow = Integer[1, 100000000].reduce |$sum, $one| { ($sum + $one) % 7 }"
        edit(root_of(folder) / WEB, "@@notify", f"{loop} @@notify")
        service.flushes.add()
        agents_end = time.monotonic() + PATIENCE
        while not service.background.queue:
            assert time.monotonic() < agents_end
            time.sleep(0.01)
        begin = time.monotonic()
    assert time.monotonic() - begin < 5


def test_the_most_recently_seen_nodes_come_first():
    background = Background(Compilers("", 0.0, 0.0), Flushes(), lambda _level, _text: None)
    for node in ("a", "b", "c", "a"):
        job = Job("catalog", node, "production", {}, facts={})
        background.note(job, Result("json", environment="production", shared=True))
    background.note(Job("catalog", "d", "other", {}), Result("json", environment="other"))
    background.begin("production", "")
    assert list(background.queue) == ["a", "c", "b"]
    assert background.names == {"production": 3, "other": 1}
    background.begin("other", "")
    assert list(background.queue) == ["d", "a", "c", "b"]
