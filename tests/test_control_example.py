"""The demo control repository: its nodes compile, and ``bunraku ci`` judges its branches."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.workbench.ci.base import BRANCHES, COMMITS

EXAMPLE = Path(__file__).parents[1] / "examples" / "control"
NODES = sorted(path.stem for path in (EXAMPLE / "facts").iterdir())
PASSWORD = "correct horse battery staple"


def made(directory):
    command = [str(EXAMPLE / "make-repository"), str(directory)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    directory = tmp_path_factory.mktemp("demo") / "control"
    done = made(directory)
    assert (done.returncode, done.stderr) == (0, "")
    return directory


@pytest.fixture
def repository(template, tmp_path, monkeypatch):
    for variable in (*COMMITS, *BRANCHES):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(template)
    return template


def switch(repository, branch):
    subprocess.run(["git", "checkout", "-q", branch], cwd=repository, check=True)


def result_of_ci(tmp_path):
    report = tmp_path / "ci.json"
    code = main(["ci", "--fail-on-warnings", "--report", f"json={report}"])
    return code, json.loads(report.read_text())


def names(nodes):
    return sorted(one["node"].removesuffix(".example.com") for one in nodes)


@pytest.mark.parametrize(
    ("branch", "code", "broken", "changed", "verdict"),
    [
        ("production", exits.OK, [], [], "passed: no errors, no changed nodes"),
        ("good", exits.OK, [], ["lb02", "mon02", "web07", "web08"], "passed: 4 changed nodes"),
        (
            "breaking",
            exits.FINDINGS,
            ["db03", "db04"],
            [],
            "failed: 1 error, 2 broken nodes",
        ),
        ("harmless", exits.OK, [], [], "passed: no errors, no changed nodes"),
    ],
)
def test_verdict_on_each_branch(
    repository, tmp_path, capfd, branch, code, broken, changed, verdict
):
    switch(repository, branch)
    found, data = result_of_ci(tmp_path)
    out = capfd.readouterr().out
    nodes = data["comparison"]["nodes"]
    assert (found, out.splitlines()[-1]) == (code, verdict)
    assert len(nodes) == len(NODES) == 20
    assert names(data["failures"]) == broken
    assert names(one for one in nodes if one["status"] == "differs") == changed
    places = [f"{one['file']}:{one['line']}" for one in data["diagnostics"]]
    assert places == (["data/os/RedHat.yaml:4"] if broken else [])
    assert (data["unchanged"], data["notes"]) == ([], [])
    assert PASSWORD not in out


def test_breaking_change_is_explained(repository, tmp_path, capfd):
    switch(repository, "breaking")
    result_of_ci(tmp_path)
    out = capfd.readouterr().out
    assert out.count("parameter 'version' expects an Integer[13] value, got String") == 1
    assert "data/os/RedHat.yaml:4:1: error: Class[Postgresql]: parameter 'version'" in out
    assert "value of 'postgresql::version' from data/os/RedHat.yaml:4" in out
    assert "breaks 2 nodes: db03.example.com, db04.example.com" in out


def test_all_nodes_compile_and_collect_what_others_export(repository, tmp_path, capfd):
    switch(repository, "production")
    catalogs = tmp_path / "catalogs"
    assert main(["compile", "--nodes", "--output-folder", str(catalogs)]) == exits.OK
    assert capfd.readouterr().out.splitlines()[-1] == "20 compiled, 0 failed"
    texts = {path.stem: path.read_text() for path in catalogs.iterdir()}
    assert sorted(texts) == NODES
    titles = {
        node: {(one["type"], one["title"]) for one in json.loads(text)["resources"]}
        for node, text in texts.items()
    }
    for place, numbers in (("lb01", range(1, 5)), ("lb02", range(5, 9))):
        backends = {title for kind, title in titles[f"{place}.example.com"] if "Backend" in kind}
        assert backends == {f"web{number:02}" for number in numbers}
    for node in ("mon01.example.com", "mon02.example.com"):
        assert sum(kind == "Monitoring::Check" for kind, _ in titles[node]) == 9
    opened = {node[:2] for node, text in texts.items() if PASSWORD in text}
    assert opened == {"ap", "db"}


@pytest.mark.parametrize("branch", ["production", "good", "breaking", "harmless"])
def test_files_have_no_findings(repository, capfd, branch):
    switch(repository, branch)
    assert main(["validate", "--fail-on-warnings"]) == exits.OK
    assert main(["lint", "--fail-on-warnings", "."]) == exits.OK
    assert capfd.readouterr() == ("", "")


def test_each_level_of_hiera_is_used(repository):
    switch(repository, "production")
    levels = ["nodes", "roles", "datacentres", "os"]
    assert all(os.listdir(repository / "data" / level) for level in levels)
    configuration = (repository / "hiera.yaml").read_text()
    assert configuration.count("- name: ") == len(levels) + 1


def test_two_repositories_have_the_same_commits(template, tmp_path):
    other = tmp_path / "other"
    assert made(other).returncode == 0
    refs = [
        subprocess.run(
            ["git", "show-ref", "--heads"], cwd=directory, check=True, capture_output=True
        ).stdout
        for directory in (template, other)
    ]
    assert refs[0] == refs[1]
    assert len(refs[0].splitlines()) == 4


def test_an_existing_directory_is_not_touched(tmp_path):
    done = made(tmp_path)
    assert done.returncode == 2
    assert done.stderr == f"make-repository: {tmp_path} exists already\n"
    assert not list(tmp_path.iterdir())
