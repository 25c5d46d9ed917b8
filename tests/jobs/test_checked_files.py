"""Files that cannot be read do not hide the findings of others."""

from __future__ import annotations

import os

import pytest

from bunraku.jobs.check import CheckOptions, check
from bunraku.jobs.project_context import context_in

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
