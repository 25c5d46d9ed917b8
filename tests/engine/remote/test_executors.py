"""Names of executors, and executors that a function of the user makes."""

from __future__ import annotations

import json
import os
import pickle
import re
import shutil
import subprocess
import sys
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from multiprocessing import get_context

import pytest

from bunraku.base.records import replace
from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.engine.nodes import Task, compile_tasks
from bunraku.engine.remote.executors import BadExecutor, opened_executor
from bunraku.engine.remote.process import Job, TaskProcesses, answer
from bunraku.engine.remote.sender import Sender
from bunraku.engine.remote.worker import Parcel, Shared
from bunraku.engine.request import Request
from bunraku.limits.limits import Limits
from support.console import PROGRESS

VARYING = re.compile(r'"(version|catalog_uuid)": .*')
HERE = __name__
SITE = """\
node 'bad' { fail('no') }
node default {
  notice("here is ${trusted['certname']}")
  @@notify { "from ${trusted['certname']}": message => $facts['n'] }
  Notify <<| |>>
  include app
}
"""


class Moving(ThreadPoolExecutor):
    """Takes the modules away before the first task, as a machine that has none."""

    def submit(self, function, /, *arguments, **keywords):
        shutil.rmtree(os.environ["MODULES_OF_THE_TEST"], ignore_errors=True)
        return super().submit(function, *arguments, **keywords)


class Factories:
    """The functions that the tests name."""

    processes = staticmethod(lambda: ProcessPoolExecutor(2, mp_context=get_context("spawn")))
    threads = staticmethod(lambda: ThreadPoolExecutor(3))
    moving = staticmethod(lambda: Moving(1))

    @staticmethod
    def failing():
        raise RuntimeError("no cluster")

    number = 1


@pytest.fixture
def site(tmp_path, monkeypatch):
    control = tmp_path / "control"
    for name, text in {
        "manifests/site.pp": SITE,
        "modules/app/manifests/init.pp": "class app { notify { 'app': } }\n",
    }.items():
        (control / name).parent.mkdir(parents=True)
        (control / name).write_text(text)
    facts = tmp_path / "facts"
    facts.mkdir()
    for name in ("a", "b", "bad", "c"):
        (facts / f"{name}.json").write_text(json.dumps({"n": name}))
    monkeypatch.setenv("MODULES_OF_THE_TEST", str(control / "modules"))
    monkeypatch.setitem(sys.modules, "factories_of_the_test", Factories)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compiled(site, capfd, executor, output):
    code = main([
        *("compile", "--nodes", "--facts-folder", str(site / "facts"), "--executor", executor),
        *("--environmentpath", str(site), "--environment", "control"),
        *("--output-folder", str(site / output)),
    ])  # fmt: skip
    out, err = capfd.readouterr()
    return code, out, err


def catalogs(site, output):
    return {path.name: VARYING.sub("", path.read_text()) for path in (site / output).iterdir()}


@pytest.mark.parametrize("factory", ["threads", "processes"])
def test_an_executor_that_a_function_returns(factory, site, capfd):
    code, out, err = compiled(site, capfd, f"factories_of_the_test:{factory}", factory)
    assert code == exits.FINDINGS, err
    assert out.endswith("3 compiled, 1 failed\n")
    assert "[FAIL]" in out
    compiled(site, capfd, "processes", "here")
    assert catalogs(site, factory) == catalogs(site, "here")
    assert "from c" in catalogs(site, factory)["a.json"]


def test_a_worker_whose_files_are_others(site, capfd):
    code, out, err = compiled(site, capfd, "factories_of_the_test:moving", "out")
    assert code == exits.FINDINGS
    assert out.count("[FILES_DIFFER]") == 4
    assert f"has other files than this machine: {site}/control/modules is missing" in err
    assert "hint: workers read manifests" in err


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("procesess", "unknown executor 'procesess' (did you mean 'processes'?)"),
        ("dsk=tcp://a:1", "unknown executor 'dsk=tcp://a:1' (did you mean 'dask'?)"),
        ("tcp://a:1", "unknown executor 'tcp://a:1' (did you mean 'dask=tcp://a:1'?)"),
        ("a:b:c", "unknown executor 'a:b:c'; expected processes, dask=ADDRESS or MODULE:FACTORY"),
        ("", "unknown executor ''; expected"),
        ("dask=", "dask requires the address of a scheduler"),
        ("dask", "dask requires the address of a scheduler"),
        ("nosuch.module:make", "cannot import nosuch.module: ModuleNotFoundError"),
        ("factories_of_the_test:thread", "has no thread (did you mean 'threads'?)"),
        ("factories_of_the_test:number", "is not a function that returns an executor"),
        ("factories_of_the_test:failing", "failed: RuntimeError: no cluster"),
        ("os:getcwd", "os:getcwd returned a str, not a concurrent.futures.Executor"),
    ],
)
def test_wrong_names(name, message, site, capfd):
    with pytest.raises(BadExecutor) as caught, opened_executor(name):
        pass
    assert message in str(caught.value)
    code, _out, err = compiled(site, capfd, name, "out")
    assert code == exits.TROUBLE
    assert message in err
    assert err.startswith("bunraku: --executor: ")


@pytest.mark.parametrize("factory", ["threads", "processes"])
def test_what_an_executor_compiles_is_not_compiled_again(factory, site, capfd, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(site / "cache"))
    name = f"factories_of_the_test:{factory}"
    first = compiled(site, capfd, name, "out")
    before = catalogs(site, "out")
    again = compiled(site, capfd, "processes", "out")
    assert again[1].endswith("0 compiled, 3 unchanged, 1 failed\n")
    assert [one[2].count("here is") for one in (first, again)] == [3, 3]
    (site / "facts" / "b.json").write_text('{"n": "b", "uptime": 1}')
    (site / "facts" / "c.json").write_text('{"n": "c, again"}')
    out = compiled(site, capfd, name, "out")[1]
    words = {line.split()[0]: line.split()[1] for line in out.splitlines()[1:5]}
    assert words == {"a": "compiled", "b": "compiled", "bad": "failed", "c": "compiled"}
    assert compiled(site, capfd, name, "out")[1].endswith("0 compiled, 3 unchanged, 1 failed\n")
    assert "c, again" in catalogs(site, "out")["a.json"]
    assert before.keys() == catalogs(site, "out").keys()


def test_the_nodes_that_a_change_reaches_with_an_executor(site, capfd, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(site / "cache"))
    control = site / "control"
    git = ["git", "-C", str(control), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], check=True)
    (control / "modules/app/manifests/init.pp").write_text("class app { notify { 'new': } }\n")
    options = ["--repository", str(control), "--facts-folder", str(site / "facts")]
    executor = ["--executor", "factories_of_the_test:threads"]
    outputs = []
    for more in (executor, executor, []):
        assert main(["affected", *options, *more]) == exits.FINDINGS
        outputs.append(capfd.readouterr().out)
    assert outputs[0] == outputs[1] == outputs[2]
    assert "modules/app/manifests/init.pp" in outputs[0]
    assert main(["affected", *options, "--executor", "dsk"]) == exits.TROUBLE


OLD_SITE = """\
node 'bad' { fail('no') }
node 'dies' { $gone = generate('/bin/sh', '-c', 'kill -9 $PPID; sleep 60') }
node default {
  if $n == '1.0' { notify { 'one': } }
  file { "/${n}": mode => 0644 }
  include app
}
"""


def migrated(site, capfd, *words):
    """The exit code of a migration of the nodes, its report, and its messages without the progress."""
    (site / "control/manifests/site.pp").write_text(OLD_SITE)
    (site / "facts" / "a.json").write_text('{"n": "1"}')
    code = main([
        *("migrate", str(site / "control/manifests/site.pp"), "--facts-folder", str(site / "facts")),
        *("--modulepath", str(site / "control/modules"), "--format", "json", *words),
    ])  # fmt: skip
    out, err = capfd.readouterr()
    return code, json.loads(out) if out else None, PROGRESS.sub("", err)


@pytest.mark.parametrize("factory", ["threads", "processes"])
def test_a_migration_with_an_executor(factory, site, capfd):
    alone = migrated(site, capfd, "--jobs", "1")
    assert alone[0] == exits.TROUBLE  # a node does not compile in the old language
    assert {one["node"]: one["failure"] is None for one in alone[1]["nodes"]} == {
        "a": True,
        "b": True,
        "bad": False,
        "c": True,
    }
    assert {one["rule"] for one in alone[1]["findings"]} >= {"number-literals"}
    assert migrated(site, capfd, "--jobs", "3") == alone
    assert migrated(site, capfd, "--executor", f"factories_of_the_test:{factory}") == alone


@pytest.mark.parametrize(
    "where", [["--jobs", "2"], ["--executor", "factories_of_the_test:threads"]]
)
def test_a_migration_goes_on_if_a_node_ends_its_process(where, site, capfd):
    (site / "facts" / "dies.json").write_text("{}")
    code, found, _err = migrated(site, capfd, *where)
    codes = {one["node"]: one["failure"] and one["failure"]["code"] for one in found["nodes"]}
    assert code == exits.TROUBLE
    assert codes == {"a": None, "b": None, "bad": "FAIL", "c": None, "dies": "WORKER_ENDED"}


def test_a_migration_with_a_worker_whose_files_are_others(site, capfd):
    code, found, _err = migrated(site, capfd, "--executor", "factories_of_the_test:moving")
    assert code == exits.TROUBLE
    assert {one["failure"]["code"] for one in found["nodes"]} == {"FILES_DIFFER"}


def test_a_wrong_executor_of_a_migration(site, capfd):
    code, _out, err = migrated(site, capfd, "--executor", "procesess")
    assert code == exits.TROUBLE
    assert "did you mean 'processes'" in err
    words = ("--executor", "factories_of_the_test:threads", "--jobs", "2")
    assert "give --jobs or --executor" in migrated(site, capfd, *words)[2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--nodes", "--facts-folder", "facts", "--jobs", "2"], "give --jobs or --executor"),
        ([], "--executor requires --nodes"),
    ],
)
def test_options_that_contradict(words, message, site, capfd):
    manifest = str(site / "control/manifests/site.pp")
    code = main(["compile", manifest, "--executor", "factories_of_the_test:threads", *words])
    assert code == exits.TROUBLE
    assert message in capfd.readouterr().err


def test_processes_are_no_executor():
    with opened_executor("processes") as executor:
        assert executor is None


class Recording(Executor):
    """Keeps the arguments of tasks."""

    def __init__(self):
        self.arguments = []
        self.futures = []

    def submit(self, _function, /, *arguments):
        self.arguments.append(arguments)
        self.futures.append(Future())
        return self.futures[-1]


def task(node, **fields):
    return Task(Request(code="", node=node), **fields)


def test_exports_and_files_are_sent_once():
    shared, inner = [], Recording()
    sender = Sender(inner, lambda one: shared.append(one) or len(shared))
    exports = {"a": [], "b": []}
    for node in "ab":
        one = task(node)
        sender.submit(len, replace(one, request=replace(one.request, exports=exports)))
    assert [(table, found) for _parcel, table, found in inner.arguments] == [(2, 1), (2, 1)]
    assert len(shared) == 2


class WorkersEndedError(Exception):
    """An executor's error for a task whose workers ended."""


def test_tasks_of_workers_that_ended_run_again_alone():
    inner = Recording()
    sender = Sender(inner, gone=(WorkersEndedError,))
    outer = [sender.submit(len, task(node)) for node in "abc"]
    inner.futures[0].set_exception(WorkersEndedError())
    inner.futures[1].set_exception(WorkersEndedError())
    assert len(inner.futures) == 3, "c still runs"
    inner.futures[2].set_result(("answered", pickle.dumps(("result", 3))))
    assert (outer[2].result(), len(inner.futures)) == (3, 4)
    inner.futures[3].set_exception(WorkersEndedError())
    assert isinstance(outer[0].exception(timeout=0), BrokenExecutor)
    inner.futures[4].set_result(("answered", pickle.dumps(("result", 2))))
    assert outer[1].result(timeout=0) == 2
    assert len(inner.futures) == 5


def test_suspects_that_are_cancelled_do_not_run_again():
    inner = Recording()
    sender = Sender(inner, gone=(WorkersEndedError,))
    first, second = sender.submit(len, task("a")), sender.submit(len, task("b"))
    inner.futures[0].set_exception(WorkersEndedError())
    assert first.cancel()
    assert second.cancel()
    assert len(inner.futures) == 2


def test_printing_what_is_sent_shows_no_secrets():
    inner = Recording()
    secret = replace(task("a").request, facts={"password": "hunter2"})
    Sender(inner).submit(len, replace(task("a"), request=secret))
    parcel, table, _ = inner.arguments[0]
    assert b"hunter2" in parcel.work
    assert "hunter2" not in repr(parcel)
    assert repr(Shared("key", b"hunter2")) == "Shared(key='key')"
    assert isinstance(table, Shared)


class OldParcels(ThreadPoolExecutor):
    """Passes parcels of another version on."""

    def submit(self, function, /, parcel, *arguments):
        assert isinstance(parcel, Parcel)
        return super().submit(function, replace(parcel, software="bunraku 0.0"), *arguments)


def test_a_worker_of_another_version():
    with OldParcels(1) as inner:
        (found,) = compile_tasks([task("a")], executor=Sender(inner))
    assert found.error.code == "VERSIONS_DIFFER"
    assert "this machine runs bunraku 0.0" in str(found.error)


def test_what_cannot_be_sent_costs_one_node():
    with ThreadPoolExecutor(1) as inner:
        found = compile_tasks(
            [task("a", render=lambda _catalog: ""), task("b")], executor=Sender(inner)
        )
    assert [one.ok for one in found] == [False, True]
    assert found[0].error.code == "EXECUTOR_FAILED"


def test_limits_in_the_threads_of_an_executor():
    code = 'Integer[1, 1000000000].each |$n| { md5("$n") }'
    limits = Limits(seconds=2.0)
    tasks = [Task(Request(code=text, node=f"n{len(text)}"), limits=limits) for text in ("", code)]
    with ThreadPoolExecutor(2) as inner:
        found = compile_tasks(tasks, executor=Sender(inner))
    assert [one.ok for one in found] == [True, False]
    assert found[1].error.code == "TIMEOUT"


def test_a_process_takes_tasks_again(tmp_path):
    pool = TaskProcesses()
    job = Job(pickle.dumps((str.upper, "a")), {})
    for _ in range(2):
        status, content = pool.run(str(tmp_path), job)
        assert (status, pickle.loads(content)) == ("answered", ("result", "A"))
    (process,) = pool.idle
    assert pool.run(os.getcwd(), job)[0] == "answered"
    assert len(pool.idle) == 2
    for one in pool.idle:
        one.worker.channel.shutdown(2)
        assert one.program.wait() == 0
    assert pool.run(str(tmp_path), job)[0] == "answered"
    assert process not in pool.idle
    for one in pool.idle:
        one.end()


def test_a_job_that_cannot_be_read():
    kind, (finding,) = pickle.loads(answer(b"no pickle"))
    assert (kind, finding.code) == ("findings", "WORKER_UNUSABLE")


class Hanging(ThreadPoolExecutor):
    """Never answers the first tasks, as a worker that hangs with its connection open."""

    def __init__(self, tasks):
        super().__init__(2)
        self.hanging = [Future() for _ in range(tasks)]
        self.hung = []
        self.preferences = []

    def submit(self, function, /, *arguments, **preferences):
        self.preferences.append(preferences)
        if not self.hanging:
            return super().submit(function, *arguments)
        self.hung.append(self.hanging.pop())
        return self.hung[-1]


LIMITED = [task("a", limits=Limits(seconds=60.0)), task("b", limits=Limits(seconds=60.0))]
AT_ONCE = -60.0 + 0.2
"""The patience with which tasks of one minute are sent again after a fifth of a second."""


def test_a_node_of_a_worker_that_hangs_is_sent_to_another():
    with Hanging(1) as inner:
        sender = Sender(inner, patience=-60.0 + 5.0)
        assert not sender.late
        found = compile_tasks(LIMITED, executor=sender)
        (first,) = inner.hung
        sender.abandon()
    assert [(one.node, one.ok) for one in found] == [("a", True), ("b", True)]
    assert first in sender.late
    assert first.cancelled()


def test_a_node_that_is_sent_again_depends_on_no_worker():
    copies = []

    def share(data):
        copies.append(data)
        return data

    with Hanging(2) as inner:
        sender = Sender(inner, share, patience=-60.0 + 5.0)
        found = compile_tasks(LIMITED, executor=sender)
        sender.abandon()
    assert [one.ok for one in found] == [True, True]
    assert len(copies) == 1  # of the first attempts


def test_a_node_that_is_sent_again_prefers_workers_that_report():
    with Hanging(1) as inner:
        sender = Sender(inner, patience=-60.0 + 5.0)
        sender.preferences = {"workers": ["tcp://a"]}
        found = compile_tasks(LIMITED[:1], executor=sender)
        sender.abandon()
    assert [one.ok for one in found] == [True]
    assert inner.preferences == [{}, {"workers": ["tcp://a"]}]


def test_workers_that_all_hang_are_reported():
    with Hanging(4) as inner:
        sender = Sender(inner, patience=AT_ONCE)
        found = compile_tasks(LIMITED, executor=sender)
        sender.abandon()
    assert [one.error.code for one in found] == ["WORKER_SILENT"] * 2
    assert "in 2 attempts" in str(found[0].error)
    assert [one.cancelled() for one in inner.hung] == [True] * 4


def test_a_failure_of_a_worker_that_hung_does_not_count():
    with Hanging(2) as inner:
        sender = Sender(inner, patience=AT_ONCE)
        outer = sender.submit(str, LIMITED[0])
        while len(inner.hung) < 2:
            assert not outer.done()
        inner.hung[0].set_exception(OSError("the worker is gone"))
        assert not outer.done()
        inner.hung[1].set_exception(OSError("this one, too"))
        assert "this one, too" in str(outer.exception())


@pytest.mark.parametrize("limits", [None, Limits(seconds=0)])
def test_without_a_time_limit_a_task_may_take_forever(limits):
    sender = Sender(Hanging(1))
    outer = sender.submit(str, task("a", limits=limits))
    assert sender.longest() == float("inf")
    assert outer.cancel()
    assert not sender.waiting
