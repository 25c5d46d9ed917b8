"""The command graph: nodes, files, revisions, kinds and formats."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bunraku.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"
NODE = "web02.example.com"


@pytest.fixture
def site(tmp_path, monkeypatch):
    folder = tmp_path / "control-repo"
    shutil.copytree(EXAMPLES / "control-repo", folder)
    monkeypatch.chdir(folder)
    return folder


def graph(capfd, *words):
    assert main(["graph", *words, "--format", "json"]) == 0
    (found,) = json.loads(capfd.readouterr().out)["graphs"]
    return found


def edges(found):
    return {(one["source"], one["target"], one["kind"]) for one in found["edges"]}


def test_data_flow_from_keys_to_resources(site, capfd):
    found = graph(capfd, NODE, "--kind", "data")
    assert (
        "profile::web::port (data/nodes/web02.example.com.yaml:1)",
        "$profile::web::port",
        "assigns",
    ) in edges(found)
    last = [one for one in found["edges"] if one["source"] == "$profile::web::port"]
    assert [(one["target"], one["label"]) for one in last] == [
        ("File[/etc/nginx/conf.d/site.conf]", "content")
    ]


def test_data_flow_through_templates(site, capfd):
    web = site / "site-modules/profile"
    (web / "templates/t.epp").write_text("<%= $profile::web::port %>")
    (web / "manifests/web.pp").write_text(
        "class profile::web($port, $root) {\n  file { '/t': content => epp('profile/t.epp') }\n}\n"
    )
    assert ("$profile::web::port", "File[/t]", "flows") in edges(
        graph(capfd, NODE, "--kind", "data")
    )


def test_includes_have_places(site, capfd):
    (site / "site-modules/profile/manifests/web.pp").write_text(
        "class profile::web($port = 1, $root = 2) {\n  include profile::base\n}\n"
    )
    found = graph(capfd, NODE, "--kind", "includes")
    places = {
        (one["source"], one["target"]): (one["kind"], f"{one['path']}:{one['line']}")
        for one in found["edges"]
    }
    role = "site-modules/role/manifests/web.pp"
    assert places["Class[Role::Web]", "Class[Profile::Base]"] == ("includes", f"{role}:3")
    assert places["Class[Profile::Web]", "Class[Profile::Base]"] == (
        "may include",
        "site-modules/profile/manifests/web.pp:2",
    )
    assert ("Node[__node_regexp__web]", "Class[Role::Web]") in places


def test_defined_types_and_inherited_classes(capfd):
    code = (
        "class p {} class c inherits p { } class x {} define d { include x }\ninclude c\nd { 'a': }"
    )
    assert edges(graph(capfd, "-e", code, "--kind", "includes")) >= {
        ("Class[C]", "Class[P]", "inherits"),
        ("D[a]", "Class[X]", "includes"),
        ("Class[main]", "Class[C]", "includes"),
    }


def test_the_format_is_that_of_the_name(site, capfd):
    starts = {
        "a.html": "<!DOCTYPE html>",
        "a.svg": "<svg ",
        "a.dot": "digraph Relationships {",
        "a.mmd": "flowchart LR",
        "a.json": "{",
    }
    for name, start in starts.items():
        assert main(["graph", NODE, "--out", name]) == 0
        assert Path(name).read_text(encoding="utf-8").startswith(start)
    assert capfd.readouterr().out == ""
    assert main(["graph", NODE, "--kind", "resources"]) == 0
    assert capfd.readouterr().out.startswith("digraph Resources {")


def test_files_are_compared(tmp_path, capfd):
    for name, mode in (("old", "0644"), ("new", "0600")):
        resource = {"type": "File", "title": "/a", "parameters": {"mode": mode}}
        (tmp_path / f"{name}.json").write_text(json.dumps({"name": "n", "resources": [resource]}))
    paths = [str(tmp_path / f"{name}.json") for name in ("new", "old")]
    found = graph(capfd, "--catalog", paths[0], "--compare", paths[1])
    assert found["nodes"] == [
        {
            "name": "File[/a]",
            "kind": "resource",
            "type": "File",
            "title": "/a",
            "state": "changed",
            "changes": ["mode"],
        }
    ]


def test_revisions_are_compared(site, capfd):
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "first")):
        subprocess.run(["git", *who, *words], check=True, capture_output=True)
    path = site / "site-modules/profile/manifests/web.pp"
    path.write_text(
        path.read_text()
        .replace("'/srv/www'", "'/srv/www'")
        .replace("ensure  => 'file'", "ensure  => file")
        .rstrip()[:-1]
        + "  notify { 'new': }\n}\n"
    )
    found = graph(capfd, NODE, "--compare", "HEAD")
    assert found["compared"][0].startswith("HEAD")
    (added,) = [one for one in found["nodes"] if one.get("state")]
    assert (added["name"], added["state"]) == ("Notify[new]", "added")
    assert added["path"] == "site-modules/profile/manifests/web.pp"
    path.write_text("class profile::web { fail('broken') }\n")
    assert main(["graph", NODE, "--compare", "HEAD"]) == 1
    message = "profile/manifests/web.pp:1:22: error: broken (web02.example.com, working tree)"
    assert message in capfd.readouterr().err


def test_several_nodes_are_drawn(site, capfd):
    assert main(["graph", "web01.example.com", NODE, "--format", "json"]) == 0
    found = json.loads(capfd.readouterr().out)["graphs"]
    assert [one["name"] for one in found] == ["web01.example.com", NODE]
    assert main(["graph", "web01.example.com", NODE, "--format", "html"]) == 0
    assert "Graphs of 2 nodes" in capfd.readouterr().out
    assert main(["graph", "web01.example.com", NODE, "--format", "svg"]) == 2
    assert "--format svg draws one node, not 2" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--catalog", "no.json"], "cannot read no.json: No such file or directory"),
        (["-e", "1", "--catalog", "a.json"], "give a node, -e CODE or --catalog FILE"),
        (["--catalog", "a.json", "--kind", "data"], "--catalog: a catalog does not say its data"),
        (
            ["-e", "1", "--kind", "expanded_relationships", "--format", "svg"],
            "is for --format dot alone",
        ),
        (["a", "--node", "b"], "give NODE or --node, not both"),
        (["-e", "1", "--out", "no/such.html"], "cannot write no/such.html"),
        (
            ["-e", "1", "--kind", "relation"],
            "invalid value 'relation' (did you mean 'relationships'?)",
        ),
    ],
)
def test_mistakes_are_usage_errors(words, message, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    try:
        code = main(["graph", *words])
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    assert message in capfd.readouterr().err


def test_code_with_an_error_exits_with_1(capfd):
    assert main(["graph", "-e", "fail('no')"]) == 1
    assert "no" in capfd.readouterr().err


def test_the_example_on_the_page_runs():
    page = (Path(__file__).parents[2] / "docs" / "graph.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)```$", page, re.MULTILINE | re.DOTALL)
    exec(compile(code, "graph.md", "exec"), {})
