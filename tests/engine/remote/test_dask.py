"""Many nodes on the workers of a Dask scheduler, with real ones on this machine."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from concurrent.futures import Future

import pytest

import bunraku
from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.engine.nodes import Task, compile_node, compile_tasks
from bunraku.engine.remote.executors import opened_executor, watch_workers
from bunraku.engine.remote.sender import Sender
from bunraku.engine.request import Request
from bunraku.limits.limits import Limits
from support.dask_cluster import Cluster, reason_to_skip, wait_for
from support.signals import heed_signals

REASON = reason_to_skip()
needs_dask = pytest.mark.skipif(REASON is not None, reason=REASON or "")
VARYING = re.compile(r'"(version|catalog_uuid)": .*')
SITE = """\
node 'bad' { notify { "${1 / 0}": } }
node /^loop/ { Integer[1, 1000000000].each |$n| { md5("$n") } }
node /^run/ { $done = generate("%(folder)s/${trusted['certname']}.sh") include app }
node default { include app }
"""
APP = """\
class app {
  notice("here is ${trusted['certname']}, ${facts['password']}")
  @@notify { "from ${trusted['certname']}": message => $facts['n'] }
  Notify <<| |>>
  notify { 'words': message => lookup('app::words') }
}
"""
PASSWORD = "correct horse battery"


@pytest.fixture
def site(tmp_path):
    control = tmp_path / "control"
    files = {
        "manifests/site.pp": SITE % {"folder": tmp_path},
        "modules/app/manifests/init.pp": APP,
        "data/common.yaml": "app::words: [one, two]\n",
        "hiera.yaml": "version: 5\n",
        "environment.conf": "",
    }
    for name, text in files.items():
        path = control / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "facts").mkdir()
    return tmp_path


def add_nodes(site, *names):
    for name in names:
        facts = {"n": f"number {name}", "password": PASSWORD}
        (site / "facts" / f"{name}.json").write_text(json.dumps(facts))


def add_program(site, node, text):
    """Make a node whose compile runs a program once it begins."""
    add_nodes(site, node)
    path = site / f"{node}.sh"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def cluster(tmp_path):
    """A cluster without workers."""
    folder = tmp_path / "cluster"
    folder.mkdir()
    with Cluster(folder) as found:
        yield found


@pytest.fixture(scope="module")
def lasting(tmp_path_factory):
    """A cluster with two workers, for tests that end neither."""
    with Cluster(tmp_path_factory.mktemp("lasting")) as found:
        found.worker(2)
        found.worker(2)
        yield found


def arguments(site, cluster, output, *more):
    executor = ["--executor", f"dask={cluster.address}"] if cluster else []
    options = ["--facts-folder", str(site / "facts"), "--output-folder", str(site / output)]
    return [
        *("compile", "--nodes", *options, *executor),
        *("--environmentpath", str(site), "--environment", "control", "--summary", "json", *more),
    ]


def compiled(site, cluster, capfd, output="out", *more):
    code = main(arguments(site, cluster, output, *more))
    out, err = capfd.readouterr()
    return code, {one["node"]: one for one in json.loads(out)["nodes"]}, err


def codes(nodes):
    return {
        name: one["outcome"] if one["outcome"] == "compiled" else one["diagnostics"][0]["code"]
        for name, one in nodes.items()
    }


def catalogs(site, output):
    return {path.name: VARYING.sub("", path.read_text()) for path in (site / output).iterdir()}


@needs_dask
def test_the_same_catalogs_as_with_processes(site, lasting, capfd):
    add_nodes(site, "a", "b", "c", "bad")
    code, nodes, err = compiled(site, lasting, capfd)
    assert code == exits.FINDINGS
    assert codes(nodes) == {"a": "compiled", "b": "compiled", "c": "compiled", "bad": "DIV_BY_ZERO"}
    assert f"here is a, {PASSWORD}" in err
    other = compiled(site, None, capfd, "processes")
    assert codes(other[1]) == codes(nodes)
    assert sorted(other[2].splitlines()) == sorted(err.splitlines())
    found = catalogs(site, "out")
    assert found == catalogs(site, "processes")
    assert sorted(found) == ["a.json", "b.json", "c.json"]
    assert "from b" in found["a.json"]
    assert oct((site / "out" / "a.json").stat().st_mode & 0o777) == "0o640"
    assert PASSWORD not in lasting.logs()


@needs_dask
def test_a_worker_is_killed_in_the_middle(site, cluster, capfd):
    add_nodes(site, "a", "b", "c")
    dask = "$(cut -d' ' -f4 /proc/$PPID/stat)"
    add_program(
        site, "run1", f"test -e {site}/once || {{ touch {site}/once; kill -9 {dask}; sleep 60; }}"
    )
    workers = [cluster.worker(), cluster.worker()]
    code, nodes, _err = compiled(site, cluster, capfd)
    assert (code, set(codes(nodes).values())) == (exits.OK, {"compiled"})
    assert [one.poll() for one in workers].count(-signal.SIGKILL) == 1
    assert len(catalogs(site, "out")) == 4


@needs_dask
def test_a_worker_that_stops_without_ending_its_connection(site, cluster):
    limits = Limits(seconds=300.0)
    dask = "$(cut -d' ' -f4 /proc/$PPID/stat)"
    add_program(
        site, "run1", f"test -e {site}/once || {{ echo {dask} >{site}/once; kill -STOP {dask}; }}"
    )
    directory = str(site / "control")
    facts = {"n": 1, "password": PASSWORD}
    tasks = [
        Task(Request(node=node, facts=facts, environment_directory=directory), limits=limits)
        for node in ("a", "b", "c", "run1")
    ]
    workers = [cluster.worker(), cluster.worker()]
    try:
        with opened_executor(f"dask={cluster.address}") as sender:
            sender.patience = 40.0 - limits.seconds
            found = compile_tasks(tasks, executor=sender)
        stopped = int((site / "once").read_text())
        assert [one.poll() for one in workers] == [None, None]
        assert [one.findings for one in found if not one.ok] == []
        with open(f"/proc/{stopped}/stat") as status:
            assert status.read().rpartition(")")[2].split()[0] == "T"
    finally:
        if (site / "once").exists():
            os.kill(int((site / "once").read_text()), signal.SIGCONT)


@needs_dask
def test_a_node_that_ends_each_worker_costs_one_node(site, cluster, capfd):
    add_nodes(site, "a", "z")
    add_program(site, "run1", "kill -9 $(cut -d' ' -f4 /proc/$PPID/stat); sleep 60")
    for _ in range(5):  # the node ends two among other nodes and two alone
        cluster.worker()
    code, nodes, err = compiled(site, cluster, capfd)
    assert code == exits.FINDINGS
    assert codes(nodes) == {"a": "compiled", "z": "compiled", "run1": "WORKER_ENDED"}
    assert PASSWORD not in cluster.logs()
    assert "please report" not in err


@needs_dask
def test_the_end_of_a_process_costs_one_node_and_no_worker(site, lasting, capfd):
    add_nodes(site, "a", "z")
    add_program(site, "run1", "kill -9 $PPID; sleep 60")
    code, nodes, _err = compiled(site, lasting, capfd)
    assert code == exits.FINDINGS
    assert codes(nodes) == {"a": "compiled", "z": "compiled", "run1": "WORKER_ENDED"}
    assert [one.poll() for one in lasting.started] == [None, None, None]


@needs_dask
def test_limits_of_time_and_memory(site, lasting, capfd):
    add_nodes(site, "a", "loop")
    code, nodes, _err = compiled(site, lasting, capfd, "out", "--timeout", "5s")
    assert (code, codes(nodes)) == (exits.FINDINGS, {"a": "compiled", "loop": "TIMEOUT"})
    (site / "control/manifests/site.pp").write_text(
        '$a = Integer[1, 100000000].map |$n| { "$n" }\n'
    )
    code, nodes, _err = compiled(site, lasting, capfd, "out", "--memory", "300M", "--match", "a")
    assert codes(nodes) == {"a": "OUT_OF_MEMORY"}


def slow_down(worker, done):
    """Let a process run for a tenth of the time."""
    while not done.is_set():
        worker.send_signal(signal.SIGSTOP)
        done.wait(0.09)
        worker.send_signal(signal.SIGCONT)
        done.wait(0.01)


@needs_dask
def test_a_slow_worker_delays_and_loses_nothing(site, cluster, capfd):
    add_nodes(site, *(f"n{number}" for number in range(8)))
    cluster.worker()
    slow = cluster.worker()
    done = threading.Event()
    brake = threading.Thread(target=slow_down, args=(slow, done))
    brake.start()
    try:
        code, nodes, _err = compiled(site, cluster, capfd)
    finally:
        done.set()
        brake.join()
    assert (code, set(codes(nodes).values())) == (exits.OK, {"compiled"})
    assert len(catalogs(site, "out")) == 8


@needs_dask
def test_an_interrupt_cancels_the_tasks_that_wait(site, cluster):
    for number in range(4):
        add_program(site, f"run{number}", f"touch {site}/began-$PPID; sleep 2")
    cluster.worker()
    process = subprocess.Popen(
        [sys.executable, "-m", "bunraku", *arguments(site, cluster, "out")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_signals,  # noqa: PLW1509 (the test starts no threads before)
    )
    wait_for(lambda: list(site.glob("began-*")), "the first node")
    process.send_signal(signal.SIGINT)
    _out, err = process.communicate()
    assert process.returncode == exits.INTERRUPTED
    assert b"Traceback" not in err
    from distributed import Client

    with Client(cluster.address, set_as_default=False) as client:
        count = lambda: client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))
        wait_for(lambda: count() == 0, "a scheduler without tasks")


@needs_dask
def test_a_worker_without_the_modules(site, cluster, capfd):
    unshare = shutil.which("unshare")
    mount = f'mount -t tmpfs none {site}/control/modules && exec "$@"'
    before = ("unshare", "--mount", "sh", "-c", mount, "sh")
    if unshare is None or subprocess.run([*before, "true"], check=False).returncode:
        pytest.skip("mount namespaces are not available (root is needed)")
    add_nodes(site, "a", "b")
    cluster.worker(before=before)
    code, nodes, err = compiled(site, cluster, capfd)
    assert (code, set(codes(nodes).values())) == (exits.FINDINGS, {"FILES_DIFFER"})
    assert f"has other files than this machine: {site}/control/modules is missing" in err


@needs_dask
def test_revisions_of_a_repository(site, lasting, capfd, monkeypatch):
    add_nodes(site, "a", "b")
    control = site / "control"
    git = ["git", "-C", str(control), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], check=True)
    (control / "data/common.yaml").write_text("app::words: [three]\n")
    subprocess.run([*git, "commit", "-qam", "second"], check=True)
    (control / "data/common.yaml").write_text("app::words: [four]\n")
    found = {}
    for sides in (["HEAD~1", "HEAD"], ["HEAD"]):
        for name, executor in (
            ("dask", ["--executor", f"dask={lasting.address}"]),
            ("processes", []),
        ):
            options = ["--repository", str(control), "--facts-folder", str(site / "facts")]
            with monkeypatch.context() as patch:
                patch.setenv("BUNRAKU_NO_CACHE", "1")  # otherwise the second run compiles nothing
                code = main(["diff", *sides, *options, *executor, "--format", "json"])
            out, err = capfd.readouterr()
            assert code == exits.FINDINGS, err
            found[name] = out
        assert found["dask"] == found["processes"]
        assert "three" in found["dask"]
        code = main(["affected", *sides, *options, "--executor", f"dask={lasting.address}"])
        out, err = capfd.readouterr()
        lines = "a, b: key app::words, exported Notify\n2 of 2 nodes affected\n"
        assert (code, out) == (exits.FINDINGS, lines), err


@needs_dask
def test_a_migration(site, lasting, capfd):
    add_nodes(site, "a", "b", "bad")
    manifest = site / "control/manifests/site.pp"
    manifest.write_text("node bad { fail('no') } node default { file { '/a': mode => 0644 } }\n")
    words = ["migrate", str(manifest), "--facts-folder", str(site / "facts"), "--format", "json"]
    found = {}
    for name, more in (("dask", ["--executor", f"dask={lasting.address}"]), ("here", [])):
        code = main([*words, *more])
        found[name], err = capfd.readouterr()
        assert code == exits.TROUBLE, err  # a node does not compile in the old language
    assert found["dask"] == found["here"]
    assert [one["rule"] for one in json.loads(found["here"])["findings"]] == ["number-literals"]
    assert PASSWORD not in lasting.logs()


@needs_dask
def test_from_python_with_the_executor_of_a_client(site, lasting):
    add_nodes(site, "a", "b")
    from distributed import Client

    with Client(lasting.address, set_as_default=False) as client:
        found = bunraku.compile_nodes(
            "notify { $facts['n']: }", site / "facts", executor=client.get_executor()
        )
    assert [(one.node, one.ok) for one in found] == [("a", True), ("b", True)]


@needs_dask
def test_encrypted_connections(site, tmp_path, capfd):
    pytest.importorskip("cryptography")
    from support.dask_certificates import make_certificates

    variables = make_certificates(tmp_path)
    folder = tmp_path / "tls"
    folder.mkdir()
    add_nodes(site, "a")
    with Cluster(folder, variables, "tls") as cluster:
        assert cluster.address.startswith("tls://")
        cluster.worker()
        command = [sys.executable, "-m", "bunraku", *arguments(site, cluster, "out")]
        found = [
            subprocess.run(command, check=False, capture_output=True, env={**os.environ, **more})
            for more in (variables, {})
        ]
    assert found[0].returncode == exits.OK, found[0].stderr
    assert found[1].returncode == exits.TROUBLE
    assert b"cannot connect to a Dask scheduler" in found[1].stderr


@needs_dask
@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("foo://127.0.0.1:1", "unknown address scheme 'foo'"),
        ("127.0.0.1:port", "cannot connect to a Dask scheduler at 127.0.0.1:port"),
        ("tcp://127.0.0.1:1", "cannot connect to a Dask scheduler at tcp://127.0.0.1:1"),
    ],
)
def test_a_wrong_address(address, reason, site, capfd):
    add_nodes(site, "a")
    code = main([*arguments(site, None, "out"), "--executor", f"dask={address}"])
    assert code == exits.TROUBLE
    assert reason in capfd.readouterr().err


class NoWorkers:
    def nthreads(self):
        return {}


class SilentWorker:
    """A client of a scheduler that still has a worker which has not reported for a minute."""

    def nthreads(self):
        return {"tcp://a": 1, "tcp://b": 1}

    def scheduler_info(self):
        return {"workers": {"tcp://a": {"last_seen": 160.0}, "tcp://b": {"last_seen": 100.0}}}


def test_workers_that_still_report_are_preferred():
    sender, stopped = Sender(Waiting()), threading.Event()
    thread = threading.Thread(
        target=watch_workers,
        args=(SilentWorker(), sender, stopped, "tcp://here"),
        kwargs={"poll": 0.01},
    )
    thread.start()
    try:
        wait_for(lambda: sender.preferences, "the preferences")
    finally:
        stopped.set()
        thread.join()
    assert sender.preferences == {"workers": ["tcp://a"], "allow_other_workers": True}


class Waiting:
    def submit(self, *_arguments):
        return Future()


def test_tasks_fail_when_no_worker_comes():
    sender = Sender(Waiting())
    future = sender.submit(compile_node, Task(Request(code="", node="a")))
    stopped = threading.Event()
    future.add_done_callback(lambda _: stopped.set())
    watch_workers(NoWorkers(), sender, stopped, "tcp://here", 0.0)
    assert future.exception().code == "NO_WORKERS"
    assert "tcp://here" in str(future.exception())


@pytest.mark.skipif(REASON is None, reason="distributed is installed")
def test_without_dask():
    with (
        pytest.raises(ValueError, match="requires the extra 'dask'"),
        opened_executor("dask=127.0.0.1:1"),
    ):
        pass
