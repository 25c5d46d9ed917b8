"""Findings that are kept: nodes that fail again, and checks of files; never where something changed."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from bunraku.base.errors import Diagnostic
from bunraku.base.source import Place, Source
from bunraku.cli.main import main
from bunraku.engine import kept
from bunraku.engine.dependencies import Checker, Digests
from bunraku.engine.finding_data import FindingReader, FindingWriter
from bunraku.engine.kept_catalogs import CatalogStore, DiskCache
from bunraku.engine.nodes import Task, compile_tasks, with_kept
from bunraku.engine.request import DISK, Request
from bunraku.jobs import analysis
from bunraku.workbench.ci.base import BRANCHES, COMMITS
from support.calls import calls_of

DIGESTS = Digests(b"key")
EXAMPLE = Path(__file__).parents[2] / "examples" / "control-repo"


@pytest.fixture
def failing(tmp_path, monkeypatch):
    """A function that compiles a node with an error, as a new process does."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    store = CatalogStore(DiskCache(), DIGESTS, "test", with_text=True)
    (tmp_path / "m/a/manifests").mkdir(parents=True)
    (tmp_path / "m/a/manifests/init.pp").write_text("class a {\n  fail('broken')\n}\n")

    def compiled(code="include a"):
        kept.forget()
        (tmp_path / "site.pp").write_text(code)
        request = Request(path=str(tmp_path / "site.pp"), modulepath=[str(tmp_path / "m")])
        (found,) = compile_tasks([with_kept(Task(request), store, Checker(DISK, DIGESTS))], jobs=1)
        return found

    compiled.manifest = tmp_path / "m/a/manifests/init.pp"
    return compiled


def test_a_node_that_fails_again_is_not_compiled(failing):
    first, second = failing(), failing()
    assert (first.unchanged, second.unchanged) == (False, True)
    assert not second.ok
    assert repr(second.findings) == repr(first.findings)
    assert second.findings[0].span is not None
    assert second.findings[0].span.line == 2
    assert [one.code for one in second.findings] == ["FAIL"]
    assert second.findings[0].arguments == first.findings[0].arguments


def test_a_node_that_fails_is_compiled_after_a_change(failing):
    failing()
    failing.manifest.write_text("class a {\n  fail('damaged')\n}\n")
    assert "damaged" in failing().findings[0].message
    failing.manifest.write_text("class a { }\n")
    assert failing().ok


def test_messages_of_the_log_come_again(failing):
    code = "warning('seen')\ninclude a"
    logs = [[one.message for one in failing(code).log] for _ in range(2)]
    assert logs == [["seen"], ["seen"]]


@pytest.mark.parametrize(
    "code", ["fail(String(Timestamp()))", "fail(generate('/bin/date', '+%N'))"]
)
def test_what_cannot_be_asked_again_is_compiled_again(failing, code):
    assert [failing(code).unchanged for _ in range(2)] == [False, False]


@pytest.mark.parametrize("code", ["TIMEOUT", "RUBY_MISSING", "HIERA_NO_CRYPTOGRAPHY"])
def test_findings_of_the_machine_have_no_data(code):
    writer = FindingWriter(DIGESTS, {}.get)
    assert writer.data((Diagnostic(code, "message"),)) is None


def test_findings_come_back_whole():
    files = {"/old/a.pp": "include ü\n".encode(), "/new/a.pp": "include ü\n".encode()}
    place = Source("include ü\n", "/old/a.pp", on_disk=True).span(8, 9).place
    shown = Place.in_text("/old/a.pp", "include ü\n", 1)
    found = [
        Diagnostic("A", "in /old/a.pp", place, "warning", "hint", (("a", place.span),)),
        Diagnostic("B", "text", shown, arguments={"name": "x", "count": 1}),
    ]

    def moved(text):
        return text.replace("/old/", "/new/")

    data = FindingWriter(DIGESTS, files.get, moved, lambda path: path).data(found)
    back = FindingReader(DIGESTS, files.get).read(data)
    assert [one.message for one in back] == ["in /new/a.pp", "text"]
    assert back[0].stack[0][1].source is back[0].span.source
    assert back[0].span.source.path == "/new/a.pp"
    assert back[1].place.shown.source.text == "include ü\n"
    assert back[1].arguments == {"name": "x", "count": 1}
    files["/old/a.pp"] = b"include x\n"
    assert FindingReader(DIGESTS, files.get).read(data) is None


# -- ci ---------------------------------------------------------------------------------------------


@pytest.fixture
def ci(tmp_path, monkeypatch, capfd):
    """Run ``ci`` in a copy of the example, as a new process; return its report and whether it analysed files."""
    for variable in (*COMMITS, *BRANCHES):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "control"
    shutil.copytree(EXAMPLE, root)
    monkeypatch.chdir(root)

    def git(*arguments):
        who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
        subprocess.run(["git", *who, *arguments], check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-qm", "first")

    def run(*, cached=True):
        kept.forget()
        with monkeypatch.context() as own, calls_of(analysis.analyse) as calls:
            if not cached:
                own.setenv("BUNRAKU_NO_CACHE", "1")
            main(["ci", "--format", "json"])
        return json.loads(capfd.readouterr().out), len(calls)

    run.root = root
    run.git = git
    return run


def append(path, text):
    path.write_text(path.read_text() + text)


def test_files_are_checked_once_until_something_changes(ci):
    assert [ci()[1], ci()[1]] == [1, 0]
    append(ci.root / "data/common.yaml", "no::such: 1\n")
    assert ci()[1] == 2
    append(ci.root / "data/common.yaml", "no::more: 1\n")
    report, calls = ci()
    assert calls == 1  # the base is known
    assert (report, 2) == ci(cached=False)
    assert (report, 0) == ci()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("site-modules/profile/manifests/base.pp", "include profile::nothing\n"),
        ("site-modules/profile/manifests/extra.pp", "class profile::extra { $unused = 1 }\n"),
        ("hiera.yaml", "# a comment\n"),
        ("data/common.yaml", "profile::nothing::at: 1\n"),
        ("modules/other/manifests/init.pp", "class other { }\n"),
        ("environment.conf", "# a comment\n"),
    ],
)
def test_reports_from_the_cache_are_those_of_a_check(ci, name, text):
    path = ci.root / name
    for _ in range(2):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        append(path, text)
        expected = ci(cached=False)[0]
        assert [ci()[0], ci()[0]] == [expected, expected]
        text = "# another\n"


def test_the_base_comes_from_the_cache_in_another_directory(ci):
    """The files of a revision are in another temporary directory in each run."""
    path = ci.root / "site-modules/profile/manifests/base.pp"
    append(path, "include profile::nothing\n")
    ci.git("commit", "-qam", "old")
    append(path, "include profile::neither\n")
    expected = ci(cached=False)[0]
    assert ci()[0] == ci()[0] == expected
    assert str(ci.root) not in json.dumps(expected)
