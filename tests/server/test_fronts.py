"""Several front processes: they answer as one does, share what one process has, and are replaced."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

from bunraku.cli.main import main
from bunraku.server.flushes import FollowedFlushes, WrittenFlushes
from support.own_server import (
    NAME,
    PATIENCE,
    Server,
    directories,
    environment,
    wait_for,
    write_site,
)

pytest.importorskip("uvicorn", reason="the server needs the extra 'server'")
RULES = """
authorization: { version: 1, rules: [
  { name: all, sort-order: 1, allow: "*", match-request: { path: "/", type: path } } ] }
"""
VARIABLE = re.compile(r'"(version|catalog_uuid|uuid)":("[^"]*"|\d+)|\b\d{10,}\b|{ctime}[-0-9: +]+')
FACTS = quote(quote(json.dumps({"name": NAME, "values": {"site": "x"}})))
CATALOG = f"/puppet/v3/catalog/{NAME}?environment=production&facts_format=application%2Fjson&facts={FACTS}"
REPORT = {
    "host": NAME,
    "time": "2026-01-10T00:00:00Z",
    "logs": [],
    "metrics": {},
    "resource_statuses": {},
    "environment": "production",
    "status": "unchanged",
    "puppet_version": "7.23.0",
    "report_format": 12,
    "transaction_uuid": "b5a2b7d1-5f0a-4d8c-9a9c-000000000001",
    "noop": False,
}


def start(words, **more):
    return subprocess.Popen(words, env=environment(), **more)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The directories of a server that has made its authority."""
    folder = tmp_path_factory.mktemp("made")
    write_site(folder)
    (folder / "rules").write_text(RULES)
    assert main(["ca", "setup", *directories(folder)]) == 0
    return folder


@contextmanager
def site(made: Path, folder: Path, *options: str):
    """Run a server with a PuppetDB and its authority."""
    shutil.copytree(made, folder, symlinks=True, dirs_exist_ok=True)
    given = ["--listen", "127.0.0.1:0", "--auth-conf", str(folder / "rules")]
    puppetdb = ["--puppetdb", str(folder / "puppetdb.sqlite"), "--environment_timeout", "unlimited"]
    server = Server(folder, *given, *puppetdb, *options, start=start)
    try:
        yield server
    finally:
        server.end()


@pytest.fixture(scope="module")
def two(made, tmp_path_factory):
    """A server with two front processes."""
    with site(made, tmp_path_factory.mktemp("two"), "--fronts", "2") as server:
        yield server


def fronts_of(server: Server) -> list[int]:
    """Return the process ids of the front processes: the others that have the socket keep them."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    port = f":{server.port:04X}"
    (inode,) = (one.split()[9] for one in lines if one.split()[1].endswith(port) and " 0A " in one)
    found = {pid: parent_of(pid) for pid in holders(f"socket:[{inode}]")}
    return sorted(pid for pid, parent in found.items() if parent in found)


def holders(target: str) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*/fd"):
        try:
            if any(os.readlink(one) == target for one in folder.iterdir()):
                found.append(int(folder.parent.name))
        except OSError:  # the process has ended
            continue
    return found


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def put(server: Server, path: str, data: object) -> tuple[int, str]:
    connection = server.connect()
    with closing(connection):
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        connection.request("PUT", path, json.dumps(data), headers)
        response = connection.getresponse()
        return response.status, response.read().decode()


def total(server: Server, pattern: str) -> int:
    """Return the sum of the counters of a name with labels."""
    found = re.findall(rf"^{pattern} (\d+)$", server.ask("/metrics")[1], re.MULTILINE)
    return sum(map(int, found))


def rows(server: Server, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(server.root / "puppetdb.sqlite")) as database:
        return database.execute(query).fetchall()


def routes(server: Server) -> dict[str, int]:
    """Return the number of requests of each route, but for that of this question."""
    document = json.loads(server.ask("/status/v1/services/server?level=debug")[1])
    found = document["status"]["experimental"]["http-metrics"]
    return {one["route-id"]: one["count"] for one in found}


def answers(server: Server) -> list[tuple[int, str]]:
    """Return the answers to requests of all kinds, without what differs each time."""
    found = [server.ask(CATALOG) for _ in range(4)]
    found.append(put(server, f"/puppet/v3/report/{NAME}?environment=production", REPORT))
    paths = [
        f"/puppet/v3/node/{NAME}?environment=production",
        "/puppet/v3/file_metadatas/plugins?environment=production&recurse=true",
        "/puppet/v3/environments",
        "/puppet/v3/catalog/x?environment=-",
        "/puppet-ca/v1/certificate/absent",
        f"/puppet-ca/v1/certificate_status/{NAME}",
        "/puppet-ca/v1/certificate_revocation_list/ca",
        "/status/v1/simple",
        "/puppet-admin-api/v1/catalog-explanations/absent",
        "/%2e%2e/metrics",
        "/nothing",
    ]
    found += [server.ask(path) for path in paths]
    found.append(server.ask("/puppet-admin-api/v1/environment-cache", "DELETE"))
    root = str(server.root)
    return [(status, VARIABLE.sub("#", text.replace(root, "ROOT"))) for status, text in found]


def explanation(server: Server) -> dict[str, object]:
    """Return what a server says of the last catalog."""
    path = f"/puppet-admin-api/v1/catalog-explanations/{NAME}"
    found: dict[str, object] = json.loads(server.ask(path)[1])
    return found


def test_two_fronts_answer_as_one_does(two, made, tmp_path):
    with site(made, tmp_path) as one:
        expected, found = answers(one), answers(two)
        # Notes of the other front come a moment late.
        wait_for(lambda: explanation(two)["reused"], "the note of the last catalog")
        explained = [explanation(server) for server in (one, two)]
        wait_for(lambda: routes(two) == routes(one), "the counts of both fronts")
    assert found == expected
    assert [one["reused"] for one in explained] == [True, True]
    assert explained[0]["depends"] == explained[1]["depends"]
    wait_for(lambda: rows(two, "SELECT status FROM reports") == [("unchanged",)], "the report")
    wait_for(lambda: len(rows(two, "SELECT * FROM catalogs")) == 1, "the catalog")
    assert ("site",) in rows(two, "SELECT name FROM fact_values")


def test_the_counts_of_all_fronts_are_summed(two):
    route = "/puppet/v3/environments"
    counter = rf'puppetserver_requests_total{{method="GET",route="{route}",status="200"}}'
    before = total(two, counter)
    for _ in range(12):
        assert two.ask(route)[0] == 200
    wait_for(lambda: total(two, counter) == before + 12, "the counts")
    assert total(two, "puppetserver_active_requests") == 1


def test_a_flush_and_a_reload_reach_all_fronts(two):
    manifest = two.root / "environments/production/manifests/site.pp"
    assert "notify" in two.catalog()[1].lower()
    manifest.write_text("notify { 'second': }\n")
    assert (
        two.ask("/puppet-admin-api/v1/environment-cache?environment=production", "DELETE")[0] == 204
    )
    assert all("second" in two.catalog()[1] for _ in range(4))
    manifest.write_text("notify { 'third': }\n")
    two.signal(signal.SIGHUP)
    wait_for(lambda: "notice: the configuration is reloaded" in two.messages(), "the reload")
    assert all("third" in two.catalog()[1] for _ in range(4))
    assert two.messages().count("is reloaded") == 1


def test_a_front_that_ends_is_replaced(two):
    before = fronts_of(two)
    assert len(before) == 2
    for pid in before:
        os.kill(pid, signal.SIGKILL)
        assert two.ask("/status/v1/simple") == (200, "running")
    wait_for(lambda: len(set(fronts_of(two)) - set(before)) == 2, "other front processes")
    assert two.messages().count("is replaced: signal 9") == 2
    assert two.catalog()[0] == 200


def test_the_server_ends_with_the_keeper_of_its_fronts(made, tmp_path):
    with site(made, tmp_path, "--fronts", "3") as server:
        fronts = fronts_of(server)
        keeper = parent_of(fronts[0])
        assert (len(fronts), parent_of(keeper)) == (3, server.process.pid)
        os.kill(keeper, signal.SIGKILL)
        assert server.process.wait(PATIENCE) == 1
        assert "The process that keeps the front processes has ended" in server.messages()
        wait_for(lambda: not any(map(is_alive, fronts)), "the end of the fronts")


def test_a_stop_ends_all_processes(two):
    """Keep this test the last one of the module's server."""
    fronts = fronts_of(two)
    assert two.end() == 0
    assert not any(map(is_alive, fronts))


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_orders_to_flush_reach_a_process_that_follows_them(tmp_path):
    written = WrittenFlushes(str(tmp_path / "flushes"))
    followed = FollowedFlushes(str(tmp_path / "flushes"))
    for name in (None, "production", "other", "production", None):
        written.add(name)
        assert followed.count == written.count
        assert followed.of_environments() == written.of_environments()
    followed.add("ignored")
    late = FollowedFlushes(str(tmp_path / "flushes"))
    assert late.of_environments() == followed.of_environments() == {"production": 2, "other": 1}


def test_at_least_one_front_is_needed(tmp_path, capsys):
    write_site(tmp_path)
    words = ["server", *directories(tmp_path), "--environmentpath", str(tmp_path / "environments")]
    assert main([*words, "--fronts", "0"]) == 2
    assert "--fronts: the number must be at least 1" in capsys.readouterr().err
