"""Files that cannot be read do not hide the findings of others."""

from __future__ import annotations

import os
import socket

import pytest

from bunraku.jobs.check import CheckOptions, check
from bunraku.jobs.docs import DocsOptions, docs
from bunraku.jobs.editor import Projects
from bunraku.jobs.format import FormatOptions, format_files
from bunraku.jobs.lint import LintOptions, lint
from bunraku.jobs.project_context import context_in
from bunraku.workbench.editor.host import EditorHost

ROOT_USER = hasattr(os, "geteuid") and os.geteuid() == 0


def codes(root, monkeypatch):
    monkeypatch.chdir(root)
    found = check(context_in(root), CheckOptions())
    return [(one.file, one.code) for one in found if one.severity == "error"]


@pytest.fixture
def root(tmp_path):
    (tmp_path / "environment.conf").write_text("modulepath = modules\n")
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text("class {\n")
    return tmp_path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_is_a_finding(root, monkeypatch):
    os.mkfifo(root / "manifests" / "x.pp")
    found = codes(root, monkeypatch)
    assert ("manifests/x.pp", "UNREADABLE_FILE") in found
    assert ("manifests/site.pp", "SYNTAX_ERROR") in found


@pytest.mark.skipif(ROOT_USER, reason="root may read all files")
@pytest.mark.parametrize("name", ["manifests/x.pp", "manifests/x/y.pp"])
def test_a_closed_file_or_directory_is_a_finding(root, monkeypatch, name):
    path = root / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("$a = 1\n")
    closed = path if name.count("/") == 1 else path.parent
    closed.chmod(0)
    try:
        found = codes(root, monkeypatch)
    finally:
        closed.chmod(0o700)
    assert (str(closed.relative_to(root)), "UNREADABLE_FILE") in found
    assert ("manifests/site.pp", "SYNTAX_ERROR") in found


SPECIAL = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Return a module whose other files are a named pipe and a socket."""
    (tmp_path / "metadata.json").write_text('{"name": "me-ntp", "version": "1.0.0"}')
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "init.pp").write_text("class ntp {\n  $a=1\n}\n")
    os.mkfifo(tmp_path / "manifests" / "pipe.pp")
    os.mkfifo(tmp_path / "REFERENCE.md")
    monkeypatch.chdir(tmp_path)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("manifests/socket.pp")
    return tmp_path


UNREADABLE = ["manifests/pipe.pp", "manifests/socket.pp"]


@SPECIAL
@pytest.mark.parametrize("fix", [False, True])
def test_lint_goes_on_behind_special_files(module, fix):
    found = lint(context_in(module), LintOptions(["."], fix=fix)).outcomes
    errors = {one.source.path: [error.code for error in one.errors] for one in found}
    assert errors.pop("manifests/init.pp") == []
    assert errors == {one: ["UNREADABLE_FILE"] for one in UNREADABLE}
    assert [one.source.path for one in found if one.findings] == ["manifests/init.pp"]


@SPECIAL
def test_the_formatter_goes_on_behind_special_files(module):
    result = format_files(context_in(module), FormatOptions(["."]))
    assert [one.file for one in result.errors] == UNREADABLE
    assert [one.source.path for one in result.changed] == ["manifests/init.pp"]
    assert (module / "manifests" / "init.pp").read_text() == "class ntp {\n  $a = 1\n}\n"


@SPECIAL
def test_documentation_does_not_wait_for_a_named_pipe(module):
    found = docs(context_in(module), DocsOptions(str(module)))
    assert "ntp" in found.pages[""]
    assert [one.file for one in found.findings if one.severity == "error"] == UNREADABLE
    assert found.differing(found.default) == {found.default: ""}


@SPECIAL
def test_the_index_of_an_editor_passes_over_special_files(module):
    host = EditorHost(Projects(print))
    host.set_folders([str(module)])
    index = host.snapshot().index
    assert index.files_with("ntp") == [
        str(module / "manifests/init.pp"),
        str(module / "metadata.json"),
    ]
    host.note_change(str(module / "manifests/pipe.pp"))
    assert index.record_of(str(module / "manifests/pipe.pp")) is None
    assert host.snapshot().source(str(module / "manifests/pipe.pp")) is None
