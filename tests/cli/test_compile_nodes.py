"""Many nodes: ``bunraku compile --nodes`` and ``bunraku.compile_nodes``."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from functools import partial
from multiprocessing import get_context

import pytest

import bunraku
from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.cli.output.output import Paint
from bunraku.cli.output.progress import Progress
from bunraku.cli.report.log import Printer
from bunraku.cli.report.nodes import NodeReport
from bunraku.engine import kept
from bunraku.engine.issues import GIT_FAILED
from bunraku.engine.nodes import Outcome, Task, compile_tasks
from bunraku.engine.request import Request
from bunraku.modules.files import TABLES
from support.files import largest_file
from support.signals import heed_signals

PARENT = os.getpid()
VERSION = re.compile(rb'"(version|catalog_uuid)": .*')
MANIFEST = """\
node 'bad' { notify { "${1 / 0}": } }
node default {
  notice("here is ${trusted['certname']}")
  notify { "${facts['n']}": message => $facts['everywhere'] }
}
"""
STORED = "--- !ruby/object:Puppet::Node::Facts\nname: {0}\nvalues:\n  n: {0}\n"


@pytest.fixture
def fleet(tmp_path):
    (tmp_path / "site.pp").write_text(MANIFEST)
    facts = tmp_path / "facts"
    facts.mkdir()
    for name in ("c", "a", "bad"):
        (facts / f"{name}.yaml").write_text(STORED.format(name))
    (facts / "b.json").write_text('{"n": "b"}')
    (facts / "README").write_text("no facts")
    (tmp_path / "common.yaml").write_text("everywhere: here\nn: none\n")
    return tmp_path


def compiled(fleet, capfd, *arguments):
    common = ["--facts", str(fleet / "common.yaml"), "--facts-folder", str(fleet / "facts")]
    code = main(["compile", str(fleet / "site.pp"), "--nodes", *common, *arguments])
    out, err = capfd.readouterr()
    return code, out, err


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_one_failing_node_does_not_stop_the_others(jobs, fleet, capfd):
    folder = fleet / "out"
    folder.mkdir()
    (folder / "bad.json").write_text("of an earlier run")
    code, out, err = compiled(fleet, capfd, "--output-folder", str(folder), "--jobs", jobs)
    assert code == exits.FINDINGS
    lines = [line.split() for line in out.splitlines()]
    assert [line[:2] for line in lines[1:5]] == [
        ["a", "compiled"],
        ["b", "compiled"],
        ["bad", "failed"],
        ["c", "compiled"],
    ]
    assert lines[1][2] == "5"
    assert "[DIV_BY_ZERO]" in out.splitlines()[3]
    assert out.endswith("\n3 compiled, 1 failed\n")
    notices = [line for line in err.splitlines() if line.startswith("Notice")]
    assert notices == [f"Notice: Scope(Node[default]): {n}: here is {n}" for n in "abc"]
    assert f"bad: {fleet / 'site.pp'}:1:" in err
    assert sorted(path.name for path in folder.iterdir()) == ["a.json", "b.json", "c.json"]
    for name in "abc":
        catalog = json.loads((folder / f"{name}.json").read_text())
        last = catalog["resources"][-1]
        assert (catalog["name"], last["title"]) == (name, name)
        assert last["parameters"]["message"] == "here"


def test_all_is_well_with_those_that_are_chosen(fleet, capfd):
    code, out, _err = compiled(fleet, capfd, "--match", "[ab]", "--match", "c")
    assert code == exits.OK
    assert out.endswith("\n3 compiled, 0 failed\n")


def test_the_summary_for_programs(fleet, capfd):
    code, out, _err = compiled(fleet, capfd, "--summary", "json", "--format", "text")
    found = json.loads(out)
    assert code == exits.FINDINGS
    assert (found["schema"], found["compiled"], found["failed"]) == (1, 3, 1)
    assert [node["outcome"] for node in found["nodes"]] == [
        "compiled",
        "compiled",
        "failed",
        "compiled",
    ]
    assert found["nodes"][2]["diagnostics"][0]["line"] == 1
    text = f"Evaluation Error: Division by 0 (file: {fleet / 'site.pp'}, line: 1, column: 30)"
    assert found["nodes"][2]["puppet_text"] == f"{text} on node bad"
    (entry,) = found["nodes"][0]["log"]
    assert (entry["level"], entry["message"]) == ("notice", "here is a")
    assert entry["scope"] == "Node[default]"


def test_the_summary_has_messages_of_the_chosen_level(fleet, capfd):
    chosen = ["--summary", "json", "--log-level", "warning", "--match", "a"]
    assert json.loads(compiled(fleet, capfd, *chosen)[1])["nodes"][0]["log"] == []


def test_facts_of_agents_come_after_those_of_the_file(fleet, capfd):
    (fleet / "facts" / "a.yaml").write_text("z: 1\nclientcert: a\nn: x\n")
    (fleet / "site.pp").write_text("notice($facts.keys.join(' '))\n")
    _code, out, _err = compiled(fleet, capfd, "--summary", "json", "--match", "a")
    names = json.loads(out)["nodes"][0]["log"][0]["message"]
    assert names.startswith("z clientcert n everywhere clientnoop")


@pytest.mark.parametrize("text", ["a: [", "[1]", "a: \x01"])
def test_broken_facts_are_the_matter_of_one_node(text, fleet, capfd):
    (fleet / "facts" / "bad.yaml").write_text(text)
    code, out, err = compiled(fleet, capfd)
    assert code == exits.FINDINGS
    assert "[BAD_FACTS_FILE]" in out
    assert "bad.yaml" in err
    assert out.endswith("\n3 compiled, 1 failed\n")


@pytest.mark.parametrize(
    "arguments",
    [["--match", "none"], ["--jobs", "0"], ["--node", "a"], ["--output-folder", "/dev/null/x"]],
)
def test_wrong_usage(arguments, fleet, capfd):
    assert compiled(fleet, capfd, *arguments)[0] == exits.TROUBLE


def test_a_folder_is_needed(fleet, capfd):
    assert main(["compile", str(fleet / "site.pp"), "--nodes"]) == exits.TROUBLE
    missing = ["--facts-folder", str(fleet / "none")]
    assert main(["compile", str(fleet / "site.pp"), *missing]) == exits.TROUBLE
    assert capfd.readouterr().err.count("bunraku: ") == 2


class Immediately:
    """The least that is an executor."""

    def __init__(self):
        self.tasks = []

    def submit(self, function, *arguments):
        self.tasks.append(arguments)
        future = Future()
        future.set_result(function(*arguments))
        return future


@pytest.mark.parametrize("kind", ["forked", "spawned", "threads", "own"])
def test_any_executor_will_do(kind, fleet):
    own = Immediately()
    executor = {
        "forked": lambda: ProcessPoolExecutor(2, mp_context=get_context("fork")),
        "spawned": lambda: ProcessPoolExecutor(1, mp_context=get_context("spawn")),
        "threads": lambda: ThreadPoolExecutor(2),
        "own": lambda: own,
    }[kind]()
    heard = []
    found = bunraku.compile_nodes(
        fleet / "site.pp",
        fleet / "facts",
        facts={"everywhere": "yes"},
        executor=executor,
        done=lambda one: heard.append(one.node),
    )
    assert [one.node for one in found] == ["a", "b", "bad", "c"]
    assert sorted(heard) == ["a", "b", "bad", "c"]
    assert [one.ok for one in found] == [True, True, False, True]
    assert found[0].catalog.resources[-1].title == "a"
    assert [entry.message for entry in found[3].log] == ["here is c"]
    assert found[2].error.code == "DIV_BY_ZERO"
    with pytest.raises(bunraku.PuppetError):
        _ = found[2].catalog


class Broken(Immediately):
    """Ends as an executor whose workers are gone, or whose user is impatient."""

    def __init__(self, error):
        super().__init__()
        self.error = error
        self.futures = []

    def submit(self, function, *arguments):
        self.tasks.append(arguments)
        future = Future()
        self.futures.append(future)
        if len(self.futures) == 2:
            if isinstance(self.error, CancelledError):
                future.cancel()
                future.set_running_or_notify_cancel()
            else:
                future.set_exception(self.error)
        elif not isinstance(self.error, KeyboardInterrupt):
            future.set_result(function(*arguments))
        return future


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BrokenExecutor(), "WORKER_ENDED"),
        (CancelledError(), "WORKER_ENDED"),
        (ValueError("odd"), "WORKER_FAILED"),
        (bunraku.PuppetError(GIT_FAILED.diagnostic(command="x", reason="y")), "GIT_FAILED"),
    ],
)
def test_failures_of_an_executor_cost_one_node(error, code):
    tasks = [Task(Request(code="", node=name)) for name in "abc"]
    found = compile_tasks(tasks, executor=Broken(error))
    assert [one.ok for one in found] == [True, False, True]
    assert found[1].error.code == code


def test_an_interrupt_cancels_the_tasks_of_an_executor():
    tasks = [Task(Request(code="", node=name)) for name in "abc"]
    executor = Broken(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        compile_tasks(tasks, executor=executor)
    assert [one.cancelled() for one in executor.futures] == [True, False, True]


def test_this_process_saves_what_an_executor_compiled():
    saved, own = [], Immediately()
    tasks = [Task(Request(code="", node=name), save=saved.append) for name in "ab"]
    found = compile_tasks(tasks, executor=own)
    assert sorted(json.loads(text)["name"] for text in saved) == ["a", "b"]
    assert [one.text for one in found] == ["", ""]
    assert all(task.save is None for (task,) in own.tasks)


def end_of_the_process(catalog):
    if catalog.name == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    return catalog.name


def mistake(catalog):
    raise KeyError(catalog.name)


def test_the_death_of_a_process_costs_one_node():
    names = ["a", "b", "dies", "x", "y", "z"]
    tasks = [Task(Request(code="", node=name), render=end_of_the_process) for name in names]
    heard = []
    found = compile_tasks(tasks, jobs=2, done=lambda one: heard.append(one.node))
    assert [one.text for one in found] == ["a", "b", None, "x", "y", "z"]
    assert found[2].error.code == "WORKER_ENDED"
    assert sorted(heard) == names


def test_a_mistake_of_ours_costs_one_node():
    found = compile_tasks([Task(Request(code="", node="n"), render=mistake)])
    assert found[0].error.code == "WORKER_FAILED"
    assert "KeyError" in found[0].error.message


def test_no_nodes_are_no_work():
    assert bunraku.compile_nodes("", {}) == []


def test_the_bar_is_drawn_on_a_terminal_only(capfd):
    for shown in (True, False):
        with Progress(2, shown=shown) as progress:
            progress.step(ok=True)
            progress.step(ok=False)
        err = capfd.readouterr().err
        assert ("2/2, 1 failed" in err) == shown
        assert err.endswith("\r\x1b[K") == shown


def test_catalogs_are_the_same_whoever_makes_them(fleet, capfd):
    found = []
    for jobs in ("1", "2", "3"):
        folder = fleet / f"out{jobs}"
        compiled(fleet, capfd, "--output-folder", str(folder), "--jobs", jobs)
        files = sorted(folder.iterdir())
        found.append({path.name: VERSION.sub(b"", path.read_bytes()) for path in files})
    assert sorted(found[0]) == ["a.json", "b.json", "c.json"]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_catalog_that_cannot_be_written_does_not_stop_the_others(jobs, fleet, capfd):
    folder = fleet / "out"
    (folder / "b.json").mkdir(parents=True)
    code, out, err = compiled(fleet, capfd, "--output-folder", str(folder), "--jobs", jobs)
    assert code == exits.TROUBLE
    assert f"compile: cannot write {folder / 'b.json'}: it is a directory\n" in err
    assert "b      unsaved   [it is a directory]" in out
    assert out.endswith("\n2 compiled, 1 failed, 1 unsaved\n")
    assert sorted(path.name for path in folder.iterdir()) == ["a.json", "b.json", "c.json"]


def test_an_old_catalog_that_cannot_be_removed_is_reported(fleet, capfd):
    folder = fleet / "out"
    (folder / "bad.json").mkdir(parents=True)
    code, _out, err = compiled(fleet, capfd, "--output-folder", str(folder))
    assert code == exits.TROUBLE
    assert f"cannot write {folder / 'bad.json'}: Is a directory\n" in err


def many_nodes(fleet):
    """Nodes n00 to n09; the catalogs from n05 on are much larger than the others."""
    for path in (fleet / "facts").iterdir():
        path.unlink()
    for number in range(10):
        text = "x" * (50_000 if number >= 5 else 10)
        (fleet / "facts" / f"n{number:02}.json").write_text(json.dumps({"n": text}))
    return [f"n{number:02}.json" for number in range(10)]


def check_partly_written(code, out, err, folder, names, reason):
    """Each catalog is new or that of an earlier run, as the summary says; return the new ones."""
    assert code == exits.TROUBLE
    assert sorted(path.name for path in folder.iterdir()) == names
    old = [name for name in names if (folder / name).read_text() == "old"]
    new = [name for name in names if name not in old]
    shown = ", ".join(name[:3] for name in old[:5])
    more = f" and {len(old) - 5} more" if len(old) > 5 else ""
    problem = (
        f"cannot write the catalogs of {len(old)} nodes ({shown}{more}) to {folder}: {reason}\n"
    )
    assert err.endswith(f"bunraku compile: {problem}")
    assert err.count(reason) == 1
    found = json.loads(out)
    assert (found["compiled"], found["failed"], found["unsaved"]) == (len(new), 0, len(old))
    outcomes = {True: "compiled", False: "unsaved"}
    assert [one["outcome"] for one in found["nodes"]] == [outcomes[name in new] for name in names]
    for name in new:
        assert json.loads((folder / name).read_text())["name"] == name[:3]
    return new


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_catalogs_over_the_limit_of_a_file_leave_the_old_ones(jobs, fleet, capfd):
    names = many_nodes(fleet)
    folder = fleet / "out"
    folder.mkdir()
    for name in names:
        (folder / name).write_text("old")
    options = ["--output-folder", str(folder), "--jobs", jobs, "--summary", "json"]
    with largest_file(30_000):
        found = compiled(fleet, capfd, *options)
    assert check_partly_written(*found, folder, names, "File too large") == names[:5]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_full_disk_leaves_the_old_catalogs(jobs, fleet, capfd):
    names = many_nodes(fleet)
    folder = fleet / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=96k", "none", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small file system")
    try:
        for name in names:
            (folder / name).write_text("old")
        options = ["--output-folder", str(folder), "--jobs", jobs, "--summary", "json"]
        found = compiled(fleet, capfd, *options)
        new = check_partly_written(*found, folder, names, "No space left on device")
        # While a worker fills the disk with a large catalog, another cannot write a small one.
        assert new == names[:5] if jobs == "1" else set(new) <= set(names[:5])
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_links_in_the_output_folder_are_not_followed(fleet, capfd):
    folder = fleet / "out"
    folder.mkdir()
    victim = fleet / "victim"
    victim.write_text("kept")
    (folder / "a.json").symlink_to(victim)
    (folder / "bad.json").symlink_to(victim)
    compiled(fleet, capfd, "--output-folder", str(folder), "--match", "[ab]*")
    assert victim.read_text() == "kept"
    assert not (folder / "a.json").is_symlink()
    assert not (folder / "bad.json").is_symlink()


def refuse(text):
    raise OSError(28, "No space left on device")


def test_what_is_saved_is_not_sent_around(tmp_path):
    tasks = [
        Task(Request(code="", node=name), save=partial(keep, str(tmp_path / name)))
        for name in "abc"
    ]
    found = compile_tasks(tasks, jobs=2)
    assert [(one.ok, one.text, one.unsaved) for one in found] == [(True, "", None)] * 3
    assert json.loads((tmp_path / "c").read_text())["name"] == "c"
    tasks = [Task(Request(code="", node=name), save=refuse) for name in "ab"]
    assert [one.unsaved for one in compile_tasks(tasks, jobs=2)] == ["No space left on device"] * 2


def keep(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def origin(catalog):
    (table,) = TABLES.values()
    return f"{id(table)} {os.getpid() == PARENT}"


def test_processes_inherit_the_environment_that_the_first_node_loaded():
    kept.forget()
    tasks = [Task(Request(code="", node=name), render=origin) for name in "abc"]
    first, *rest = (one.text for one in compile_tasks(tasks, jobs=2))
    (table,) = map(id, TABLES.values())
    assert first == f"{table} True"
    assert rest == [f"{table} False"] * 2


def test_equal_failures_and_warnings_are_printed_once(fleet, capfd):
    (fleet / "site.pp").write_text(
        "if $facts['n'] =~ /[abc]/ { warning('old code') }\n"
        "if $facts['n'] in ['a', 'bad', 'c'] { include \"nosuch\" }\n"
        "notice('seen')\n"
    )
    code, out, err = compiled(fleet, capfd, "--jobs", "2")
    assert code == exits.FINDINGS
    assert [line.split()[0] for line in out.splitlines()] == ["node", "a", "b", "bad", "c", "1"]
    assert out.count("failed    [UNKNOWN_CLASS]") == out.count("[") == 3
    assert err.count("Could not find class") == 1
    assert f"3 nodes (a, bad, c): {fleet / 'site.pp'}:2:" in err
    assert err.count("old code") == 1
    assert "Warning: Scope(Class[main]): 4 nodes (a, b, bad, c): old code" in err
    assert [line for line in err.splitlines() if "seen" in line] == [
        "Notice: Scope(Class[main]): b: seen"
    ]
    found = json.loads(compiled(fleet, capfd, "--summary", "json")[1])
    assert [group["nodes"] for group in found["failures"]] == [["a", "bad", "c"]]


def test_nodes_are_printed_in_order_as_they_come(fleet, capfd):
    printer = Printer("notice", Paint(enabled=False))
    report = NodeReport(["a", "b", "c"], printer, table=True)
    printed = []
    for name in "bacb":  # a later outcome of a node replaces the earlier one
        if report.add(Outcome(name, "{}", resources=1)):
            report.release()
        printed.append([line.split()[0] for line in capfd.readouterr().out.splitlines()])
    assert printed == [[], ["node", "a", "b"], ["c"], []]


def test_an_interrupted_run_prints_what_is_done(fleet):
    own_id = f"cat {fleet}/pid"
    (fleet / "site.pp").write_text(
        f"if $trusted['certname'] == 'b' {{ generate('/bin/sh', '-c', 'kill -INT $({own_id}); sleep 60') }}"
    )
    command = [sys.executable, "-m", "bunraku", "compile", str(fleet / "site.pp"), "--nodes"]
    given = ["--facts-folder", str(fleet / "facts"), "--jobs", "1"]
    with subprocess.Popen(
        ["/bin/sh", "-c", f'echo $$ > {fleet}/pid; exec "$@"', "sh", *command, *given],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_signals,  # noqa: PLW1509, no threads
    ) as process:
        out, err = process.communicate(timeout=50)
    assert process.returncode == exits.INTERRUPTED
    rows = [line.split()[:2] for line in out.splitlines()]
    assert rows[:2] == [["node", "outcome"], ["a", "compiled"]]
    assert ["b", "compiled"] not in rows
    assert "interrupted: 1 of 4 nodes are done" in err


@pytest.mark.parametrize("umask", [0, 0o022, 0o077])
def test_catalogs_are_not_readable_for_others(umask, fleet, capfd):
    folder = fleet / "out"
    before = os.umask(umask)
    try:
        compiled(fleet, capfd, "--output-folder", str(folder), "--match", "a")
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o750 & ~umask
    assert [path.name for path in folder.iterdir()] == ["a.json"]
    assert (folder / "a.json").stat().st_mode & 0o777 == 0o640


def test_one_node_of_the_facts_directory(fleet, capfd):
    site, facts = str(fleet / "site.pp"), str(fleet / "facts")
    common = ["--facts", str(fleet / "common.yaml")]
    assert main(["compile", site, "--facts-folder", facts, "--node", "b", *common]) == exits.OK
    last = json.loads(capfd.readouterr().out)["resources"][-1]
    assert (last["title"], last["parameters"]["message"]) == ("b", "here")
    assert main(["compile", site, "--facts-folder", facts, "--node", "z"]) == exits.TROUBLE
    assert "no facts of z" in capfd.readouterr().err


def test_a_profile_is_of_one_node(fleet, capfd):
    code, _out, err = compiled(fleet, capfd, "--profile", str(fleet / "out.json"))
    assert code == exits.TROUBLE
    assert "--node NAME" in err


def test_progress_off_a_terminal_is_a_line_now_and_then(capfd):
    now = [0.0]
    with Progress(3, clock=lambda: now[0]) as progress:
        for at, ok in ((5.0, True), (11.0, False), (12.0, True)):
            now[0] = at
            progress.step(ok=ok)
        progress.hold()
    assert capfd.readouterr().err == "2/3, 1 failed\n"


def test_progress_off_a_terminal_can_be_silent(capfd):
    now = [0.0]
    with Progress(2, lines=False, clock=lambda: now[0]) as progress:
        now[0] = 11.0
        progress.step(ok=True)
    assert capfd.readouterr().err == ""


def test_a_dependency_cycle_is_a_warning_also_of_a_catalog_that_is_up_to_date(
    tmp_path, capfd, monkeypatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "site.pp").write_text("notify { 'a': require => Notify['a'] }\n")
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "n.json").write_text("{}")
    arguments = ["compile", str(tmp_path / "site.pp"), "--facts-folder", str(tmp_path / "facts")]
    found = []
    for _ in range(2):
        assert main([*arguments, "--summary", "json"]) == exits.OK
        out, err = capfd.readouterr()
        found.append((err, json.loads(out)["nodes"][0]))
    (first_text, first), (second_text, second) = found
    assert [first["outcome"], second["outcome"]] == ["compiled", "unchanged"]
    assert first_text == second_text
    assert "Warning: n: Found 1 dependency cycle: Notify[a] -> Notify[a];" in first_text
    assert first["log"] == second["log"] == []  # Puppet logs nothing
    assert first["diagnostics"] == second["diagnostics"]
    (warning,) = first["diagnostics"]
    assert (warning["code"], warning["severity"]) == ("DEPENDENCY_CYCLE", "warning")


def test_dependency_cycles_can_be_errors_of_nodes(fleet, capfd):
    (fleet / "site.pp").write_text("notify { 'a': require => Notify['a'] }\n")
    assert compiled(fleet, capfd, "--match", "a")[0] == exits.OK
    assert compiled(fleet, capfd, "--match", "a", "--cycles")[0] == exits.FINDINGS
    code, _out, err = compiled(fleet, capfd, "--match", "a", "--no-cycles")
    assert (code, err) == (exits.OK, "")
