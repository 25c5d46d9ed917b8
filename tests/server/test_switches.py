"""A deployment switches an environment while catalogs are compiled: each is wholly old or wholly new."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event, Thread
from time import sleep

import pytest

from bunraku.deployment.live_trees import tree_identity
from bunraku.server.authorization.reading import read_access
from bunraku.server.interface import answer
from support.deployed_site import DeployedSite
from support.own_server import NAME, PATIENCE, Server, environment
from support.server_service import EVERYTHING, content, request, site_service

NODE = "web.example.test"
JSON = {"Accept": "application/json"}
SUMS = "static_catalog=true&checksum_type=sha256"


@pytest.fixture
def site(tmp_path):
    return DeployedSite(tmp_path)


@contextmanager
def serving(site, **settings):
    with site_service(site.folder, read_access(EVERYTHING, "rules").rules, **settings) as service:
        yield service


def catalog(service, name="production", more=""):
    target = f"/puppet/v3/catalog/{NODE}?environment={name}{more and '&'}{more}"
    sent = request("GET", target, JSON, client=NODE)
    sent.parameters["facts"] = json.dumps({"name": NODE, "values": {}})
    sent.parameters["facts_format"] = "application/json"
    response = answer(service, sent)
    text = content(response).decode()
    assert response.status == 200, text
    return json.loads(text)


def titles(found):
    return {one["title"] for one in found["resources"] if one["type"] == "Notify"}


def words(service, name="production"):
    """The words of all parts of a catalog, by their owner."""
    found = {}
    for title in titles(catalog(service, name)):
        first, *_, last = title.split()
        owner = first if first in {"one", "two"} else "control"
        found.setdefault(owner, []).append(last)
    assert {owner: len(all_) for owner, all_ in found.items()} == {"control": 2, "one": 4, "two": 4}
    return {owner: set(all_) for owner, all_ in found.items()}


def all_of(word):
    return {owner: {word} for owner in ("control", "one", "two")}


# -- which tree it is ------------------------------------------------------------------------------


def test_each_switch_changes_the_identity(site):
    path = str(site.base / "production")
    assert tree_identity(path) == ()
    base, one, two = site.layers("a")
    seen = []
    for layers in (
        [base, one, two],
        [base, site.module("one", "b"), two],
        [base, one, two],
        [site.control("c"), one, two],
        [base, one, two],
    ):
        site.deploy(layers)
        seen.append(tree_identity(path))
        assert tree_identity(path) == seen[-1]
    assert len(set(seen)) == len(seen)


def test_a_record_without_its_switch_changes_the_identity_at_the_switch(site):
    base, one, two = site.layers("a")
    site.deploy([base, one, two])
    path = str(site.base / "production")
    before = tree_identity(path)
    site.deploy([base, site.module("one", "b"), two])
    after = tree_identity(path)
    assert (before[:2], before == after) == (after[:2], False)
    shutil.copytree(site.base / "production/modules/one", site.folder / "copy")
    os.rename(site.base / "production/modules/one", site.folder / "old")
    os.rename(site.folder / "copy", site.base / "production/modules/one")
    assert tree_identity(path) not in {before, after}


# -- compiles --------------------------------------------------------------------------------------


@pytest.mark.parametrize("timeout", [0, "unlimited"])
def test_a_switch_flushes_its_environment_alone(site, timeout):
    site.deploy(site.layers("old"))
    site.deploy(site.layers("old"), "other")
    with serving(site, environment_timeout=timeout) as service:
        for name in ("production", "other"):
            assert words(service, name) == all_of("old")
        site.deploy(site.layers("new"))
        assert words(service) == all_of("new")
        edited = site.base / "other/modules/one/manifests/more.pp"
        text = edited.read_text().replace("old", "edited")
        edited.unlink()
        edited.write_text(text)
        held = {"old"} if timeout else {"old", "edited"}
        assert words(service, "other")["one"] == held


@pytest.mark.parametrize("link", [False, True])
def test_a_switch_of_one_module_is_noticed(site, link):
    base, one, two = site.layers("old")
    site.deploy([base, one, two])
    path = site.base
    if link:
        path = site.folder / "link"
        path.symlink_to(site.base)
    with serving(site, environment_timeout="unlimited", environmentpath=str(path)) as service:
        assert words(service) == all_of("old")
        made = site.deploy([base, one, site.module("two", "new")])
        assert made.anchor == "modules/two"
        assert words(service) == {**all_of("old"), "two": {"new"}}


@pytest.mark.parametrize("part", ["all", "module", "removed", "classified"])
def test_a_compile_that_sees_a_switch_is_done_again(site, part):
    """The manifest runs a program between its modules, and the switch happens then."""
    settings, asked = {}, "production"
    if part == "classified":  # the node asks for another environment than that of its classifier
        asked = "other"
        site.deploy(site.layers("other"), asked)
        classifier = site.folder / "classify"
        classifier.write_text("#!/bin/sh\necho '{environment: production}'\n")
        classifier.chmod(0o755)
        settings = {"node_terminus": "exec", "external_nodes": str(classifier)}
    folder = site.folder
    program = folder / "program"
    program.write_text(
        f"#!/bin/sh\nif [ -p {folder}/wait ]; then echo > {folder}/wait; cat {folder}/go; fi\n"
    )
    program.chmod(0o755)
    run = f"generate('{program}')\n"
    old, new = site.layers("old", run), site.layers("new", run)
    if part == "module":
        new = [*old[:2], new[2]]
    elif part == "removed":  # the old manifest includes a class that the new tree lacks
        new = [site.control("new", "class two { }\n"), site.module("one", "new")]
    site.deploy(old)
    with (
        serving(site, environment_timeout=0, **settings) as service,
        ThreadPoolExecutor(1) as pool,
    ):
        os.mkfifo(folder / "wait")
        os.mkfifo(folder / "go")
        answered = pool.submit(catalog, service, asked)
        (folder / "wait").read_text()
        (folder / "wait").unlink()
        site.deploy(new)
        (folder / "go").write_text("")
        found = titles(answered.result())
        assert not answered.exception()
        ends = {title.split()[-1] for title in found if title.startswith(("main", "data", "one"))}
        if part == "module":
            assert words(service) == {**all_of("old"), "two": {"new"}}
            assert {one for one in found if one.startswith("two")} == {
                "two new", "two function new", "two template new", "two more new",
            }  # fmt: skip
        else:
            assert ends == {"new"}


def test_switches_under_load(site):
    """Two clients compile in a loop while an environment is switched 100 times."""
    site.deploy(site.layers("v0"))
    base, one, _two = site.layers("v0")
    done, newest, seen = Event(), [0], []

    def number(words_of_owner):
        (word,) = words_of_owner
        return int(word.removeprefix("v"))

    def client(service):
        while not done.is_set():
            least = newest[0]
            found = {owner: number(all_) for owner, all_ in words(service).items()}
            assert found["two"] >= least, "a tree of before a switch that was over"
            assert found["control"] == found["one"] <= found["two"]
            seen.append(found["two"])

    with (
        serving(site, size=2, environment_timeout="unlimited") as service,
        ThreadPoolExecutor(2) as pool,
    ):
        clients = [pool.submit(client, service) for _ in range(2)]
        try:
            for version in range(1, 101):
                if version % 2:  # one module alone, or all
                    layers = [base, one, site.module("two", f"v{version}")]
                else:
                    layers = site.layers(f"v{version}")
                    base, one, _two = layers
                site.deploy(layers)
                newest[0] = version
                sleep(0.02)
        finally:
            done.set()
        for one_client in clients:
            one_client.result()
    assert len(set(seen)) > 10, "the clients saw only few of the trees"


def test_switches_under_load_over_https(site):
    """The same with a server as a process of its own, on an address of this machine."""
    pytest.importorskip("uvicorn", reason="the server needs the extra 'server'")
    root = site.folder / "server"
    (root / "etc").mkdir(parents=True)
    (root / "environments").symlink_to(site.base)
    site.deploy(site.layers("v0"))

    def start(words, **more):
        return subprocess.Popen(words, env=environment(), **more)

    server = Server(root, "--listen", "127.0.0.1:0", start=start)
    done, newest, seen = Event(), [0], []

    def client():
        while not done.is_set():
            least = newest[0]
            status, text = server.catalog()
            assert status == 200, text
            found = titles(json.loads(text))
            (word,) = {title.split()[-1] for title in found}
            assert len(found) == 10
            assert int(word.removeprefix("v")) >= least
            seen.append(word)

    try:
        with ThreadPoolExecutor(2) as pool:
            clients = [pool.submit(client) for _ in range(2)]
            try:
                for version in range(1, 101):
                    site.deploy(site.layers(f"v{version}"))
                    newest[0] = version
                    sleep(0.02)
            finally:
                done.set()
            for one in clients:
                one.result()
    finally:
        server.end()
    assert len(set(seen)) > 10, "the clients saw only few of the trees"


# -- files -----------------------------------------------------------------------------------------


def test_listings_of_files_are_of_one_tree(site):
    site.deploy(site.layers("v0"))
    done = Event()
    target = "/puppet/v3/file_metadatas/modules/one?environment=production&recurse=true"

    def listings(service):
        sizes = set()
        while not done.is_set():
            response = answer(service, request("GET", target, JSON, client=NODE))
            assert response.status == 200
            found = json.loads(content(response))
            names = {one["relative_path"] for one in found}
            sizes.add(frozenset(name for name in names if name.startswith("v")))
        return sizes

    with serving(site) as service, ThreadPoolExecutor(1) as pool:
        client = pool.submit(listings, service)
        for version in range(40):
            files = {f"files/v{version}-{number}": "x" for number in range(20)}
            one = site.module("one", "x")
            extra = site.tree(files)
            merged = site.store.write_tree({**one.tree.entries, **extra.entries})
            layer = type(one)("modules/one", merged, "git", "one")
            base, _one, two = site.layers(f"v{version}")
            site.deploy([base, layer, two])
        done.set()
        for names in client.result():
            assert len({name.partition("-")[0] for name in names}) <= 1
            assert len(names) in {0, 20}


# -- versions of the code --------------------------------------------------------------------------


STATIC = "file { '/x': source => 'puppet:///modules/one/x' }\n"


def static_content(service, code_id, path="modules/one/files/x", name="production"):
    target = f"/puppet/v3/static_file_content/{path}?environment={name}&code_id={code_id}"
    response = answer(service, request("GET", target, client=NODE))
    return response.status, content(response)


def test_the_version_of_the_code_is_that_of_the_content(site):
    old, new = site.layers("old", STATIC), site.layers("new", STATIC)
    with serving(site) as service:
        site.deploy(old)
        first = catalog(service, more=SUMS)
        site.deploy(new)
        second = catalog(service, more=SUMS)
        site.deploy(old)
        third = catalog(service, more=SUMS)
        assert len(first["code_id"]) == 64
        assert first["code_id"] == third["code_id"] != second["code_id"]
        for found, word in ((first, "old"), (second, "new")):
            metadata = found["metadata"]["/x"]
            assert metadata["content_uri"] == "puppet:///modules/one/files/x"
            expected = (200, f"one file {word}\n".encode())
            assert static_content(service, found["code_id"]) == expected


@pytest.mark.skipif(shutil.which("puppet") is None, reason="needs Puppet")
def test_an_agent_of_puppet_gets_the_files_of_its_catalog_after_a_switch(site):
    """The switch happens while the agent applies the catalog, before it requests the file."""
    pytest.importorskip("uvicorn", reason="the server needs the extra 'server'")
    folder = site.folder
    for name in ("wait", "go"):
        os.mkfifo(folder / name)
    waiting = f'/bin/sh -c "echo > {folder}/wait; cat {folder}/go"'
    file = f"file {{ '{folder}/x': source => 'puppet:///modules/one/x' }}"
    manifest = f"exec {{ '{waiting}': }} -> {file}\n"
    site.deploy(site.layers("old", manifest))
    root = folder / "server"
    (root / "etc").mkdir(parents=True)
    (root / "environments").symlink_to(site.base)

    def start(words, **more):
        return subprocess.Popen(words, env=environment(), **more)

    server = Server(root, "--listen", "127.0.0.1:0", start=start)
    directories = ("--confdir", str(folder / "agent"), "--vardir", str(folder / "agent/var"))
    words = ["puppet", "agent", "--test", "--server", NAME, "--serverport", str(server.port)]
    words += ["--certname", NAME, "--ssldir", str(root / "etc/ssl"), *directories]
    try:
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as agent:
            waiting_for_agent = Thread(target=(folder / "wait").read_text, daemon=True)
            waiting_for_agent.start()
            waiting_for_agent.join(PATIENCE)
            if waiting_for_agent.is_alive():
                agent.kill()
            assert not waiting_for_agent.is_alive(), agent.communicate()[0]
            site.deploy(site.layers("new", manifest))
            (folder / "go").write_text("")
            output = agent.communicate()[0]
        assert (folder / "x").read_text() == "one file old\n", output
        assert "/static_file_content/modules/one/files/x?" in (root / "access.log").read_text()
    finally:
        server.end()


def test_an_agent_that_knows_no_static_catalogs_gets_none(site):
    site.deploy(site.layers("old", STATIC))
    with serving(site) as service:
        found = catalog(service)
        assert len(found["code_id"]) == 64
        assert "metadata" not in found


def test_edited_files_are_left_to_the_agent(site):
    site.deploy(site.layers("old", STATIC))
    path = site.base / "production/modules/one/files/x"
    path.unlink()
    path.write_text("edited")
    with serving(site) as service:
        assert "metadata" not in catalog(service, more=SUMS)


def test_old_versions_are_served_as_long_as_they_are_recorded(site):
    with serving(site) as service:
        versions = []
        for number in range(12):
            site.deploy(site.layers(f"v{number}", STATIC))
            versions.append(catalog(service)["code_id"])
        statuses = [static_content(service, one)[0] for one in versions]
        assert statuses == [404] * 2 + [200] * 10
        assert static_content(service, versions[2]) == (200, b"one file v2\n")
        _status, text = static_content(service, versions[0])
        assert b"only the last deployments of an environment are remembered" in text


@pytest.mark.parametrize(
    ("path", "status"),
    [("modules/one/files/absent", 404), ("modules/one/manifests/init.pp", 403)],
)
def test_other_files_of_a_version_are_not_served(site, path, status):
    site.deploy(site.layers("old"))
    with serving(site) as service:
        code_id = catalog(service)["code_id"]
        assert static_content(service, code_id, path)[0] == status


def test_an_environment_of_other_tools_has_no_version(site):
    with serving(site) as service:
        (site.base / "plain/manifests").mkdir(parents=True)
        (site.base / "plain/manifests/site.pp").write_text("notify { 'x': }\n")
        assert catalog(service, "plain")["code_id"] is None
        status, text = static_content(service, "v1", name="plain")
        assert (status, b"Cannot retrieve code content" in text) == (500, True)


def test_commands_win_over_the_store(site):
    program = site.folder / "version"
    program.write_text("#!/bin/sh\necho of-the-command\n")
    program.chmod(0o755)
    commands = {"code_id_command": str(program), "code_content_command": str(program)}
    site.deploy(site.layers("old", STATIC))
    with serving(site, **commands) as service:
        found = catalog(service, more=SUMS)
        assert (found["code_id"], list(found["metadata"])) == ("of-the-command", ["/x"])
        assert static_content(service, "v1") == (200, b"of-the-command\n")


def test_an_interrupted_deployment_leaves_the_version_of_what_is_there(site):
    site.deploy(site.layers("old"))
    with serving(site) as service:
        before = catalog(service)["code_id"]
        records = site.folder / "code/.environments.bunraku/records/production"
        data = json.loads((records / "1").read_text())
        data.update(number=2, inode=1, layers=data["layers"][:1])
        (records / "2").write_text(json.dumps(data))
        assert catalog(service)["code_id"] == before
