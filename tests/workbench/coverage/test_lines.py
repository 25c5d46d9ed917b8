"""Coverage of compiles equals expectations made by hand, line by line and branch by branch."""

from __future__ import annotations

from pathlib import Path

import pytest

from bunraku.engine import kept
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.workbench.coverage.project import CountedFiles, coverage_of

from .support import expectation, outcome, records

CONTROL = Path(__file__).parent / "control"
SHOP = "modules/shop"
TEMPLATE = {
    1: ("ran", ""),
    2: ("ran", ""),
    3: ("ran", ""),
    4: ("ran", ""),
    5: ("ran", ""),
    7: ("ran", "elsif true"),
    8: ("missed", ""),
    10: ("ran", ""),
    12: ("ran", ""),
    13: ("ran", ""),
    15: ("ran", ""),
}


def request(node: str, family: str) -> Request:
    return Request(
        node=node,
        path=str(CONTROL / "manifests/site.pp"),
        modulepath=[str(CONTROL / "modules")],
        facts={"os": {"family": family}},
    )


@pytest.fixture
def scope():
    return CountedFiles(str(CONTROL))


@pytest.fixture
def data(scope, tmp_path, monkeypatch):
    compiles = [request("web1", "Debian"), request("web2", "RedHat"), request("web1", "Debian")]
    return records(tmp_path / "records", scope, monkeypatch, compiles)


@pytest.fixture
def coverage(data, scope):
    return coverage_of(data, scope)


def names():
    return sorted(path.relative_to(CONTROL).as_posix() for path in CONTROL.rglob("*.pp"))


@pytest.mark.parametrize("name", names())
def test_lines_and_branches_of_manifests_are_as_their_comments_say(coverage, name):
    (file,) = [one for one in coverage.files if one.path == name]
    assert outcome(file) == expectation((CONTROL / name).read_text())


def test_lines_and_branches_of_a_template(coverage):
    (file,) = [one for one in coverage.files if one.path == f"{SHOP}/templates/b.epp"]
    assert outcome(file) == TEMPLATE


def test_files_that_were_never_loaded_count(coverage):
    unused = [one for one in coverage.files if one.lines and not one.runs]
    assert [one.path for one in unused] == [
        f"{SHOP}/functions/unused.pp",
        f"{SHOP}/manifests/never.pp",
        f"{SHOP}/templates/unused.epp",
    ]
    assert all(one.totals.missed_lines == one.totals.lines for one in unused)


def test_definitions_are_counted(coverage):
    assert coverage.items() == {
        "class": (3, 5),
        "define": (1, 1),
        "function": (2, 3),
        "node": (2, 3),
        "template": (1, 2),
        "resource": (7, 9),
    }


def test_each_line_has_the_nodes_that_ran_it(coverage):
    (file,) = [one for one in coverage.files if one.path == f"{SHOP}/manifests/init.pp"]
    by_text = {text.strip(): number for number, text in enumerate(file.source.text.split("\n"), 1)}
    plain = next(number for text, number in by_text.items() if text.startswith("notify { 'plain'"))
    other = next(number for text, number in by_text.items() if text.startswith("message => $kind"))
    assert file.runs_of_line(plain) == ["web1"]
    assert file.runs_of_line(other) == ["web2"]
    assert file.runs_of_line(2) == ["web1", "web2"]
    assert file.runs_of_line(1) is None


def test_code_in_caches_counts(data, scope, tmp_path, monkeypatch):
    """The second compile of a process runs code from memory, the third from disk."""
    again = [request("web1", "Debian"), request("web2", "RedHat")]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for number in range(3):
        found = records(tmp_path / str(number), scope, monkeypatch, again)
        assert found == data
        kept.forget()


def test_code_without_probes_is_kept_apart(scope, data, tmp_path, monkeypatch):
    """A compile that is not covered neither uses nor replaces code with probes."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    one = request("web1", "Debian")
    first = records(tmp_path / "1", scope, monkeypatch, [one])
    compile_catalog(one, lambda _: None)
    assert records(tmp_path / "2", scope, monkeypatch, [one]) == first
    assert first.runs == {"web1"}
