"""Policies: the ten of ``docs/policies.md`` find what they say, and only what is new."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.workbench.ci.base import BRANCHES, COMMITS

PAGE = (Path(__file__).parents[2] / "docs/policies.md").read_text(encoding="utf-8")
POLICIES, COUNTED = re.findall(r"^```toml\n(.+?)^```", PAGE, re.MULTILINE | re.DOTALL)
BASE = "site/profile/manifests/base.pp"
GOOD = """\
class profile::base {
  file { '/srv/www': mode => '1777' }
  exec { '/bin/true': refreshonly => true }
  exec { '/bin/false': unless => ['/bin/true'] }
  file { '/etc/app.key': mode => '0600' }
  package { 'ntp': ensure => installed }
  service { 'ntp': ensure => running, enable => true }
  user { 'root': uid => 0 }
  cron { 'rotate': command => '/bin/true', user => 'root' }
  @@host { $facts['hostname']: ip => '192.0.2.1', tag => 'all' }
}
"""
BROKEN = {
    "no world-writable file": ("mode => '1777'", "mode => 'u=rwx,o+rw'", 2),
    "commands have a condition": ("unless => ['/bin/true']", "user => 'root'", 4),
    "files with secrets are private": ("mode => '0600'", "owner => 'root'", 5),
    "packages have a version": ("ensure => installed", "ensure => latest", 6),
    "services that run are enabled": (", enable => true", "", 7),
    "only root has uid 0": ("{ 'root': uid", "{ 'toor': uid", 8),
    "cron jobs have a user": (", user => 'root'", "", 9),
}
OTHER_FILES = {
    "no plain text below profile::vault": (
        "site/profile/manifests/vault.pp",
        "class profile::vault {\n  file { '/etc/vault': content => 'hunter2' }\n}\n",
        ("site/profile/manifests/vault.pp", 2),
    ),
    "exported resources have a tag": (BASE, GOOD.replace(", tag => 'all'", ""), None),
    "every node has profile::base": ("manifests/site.pp", "notify { 'no class': }\n", None),
}


def git(root, *arguments):
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def site(tmp_path, monkeypatch):
    for variable in (*COMMITS, *BRANCHES):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "site"
    files = {
        "environment.conf": "modulepath = site\n",
        "manifests/site.pp": "include profile::base, profile::vault\n",
        BASE: GOOD,
        "site/profile/manifests/vault.pp": "class profile::vault {\n  file { '/etc/vault': content => Sensitive('x') }\n}\n",
        "bunraku.toml": POLICIES,
        **{f"facts/web0{n}.json": json.dumps({"hostname": f"web0{n}"}) for n in (1, 2)},
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    monkeypatch.chdir(root)
    return root


def run(capfd, *arguments):
    code = main(["ci", "--format", "json", *arguments])
    out, err = capfd.readouterr()
    found = json.loads(out)["diagnostics"] if out else []
    return code, [one for one in found if one["code"] == "POLICY"], err


def test_the_page_has_ten_policies_and_good_code_passes(site, capfd):
    names = [one["name"] for one in tomllib.loads(POLICIES)["ci"]["policy"]]
    assert sorted(names) == sorted([*BROKEN, *OTHER_FILES])
    (site / BASE).write_text(GOOD + "# changed\n")
    assert run(capfd)[:2] == (exits.OK, [])


def test_each_policy_finds_new_faults_with_node_and_place(site, capfd):
    text = GOOD
    for old, new, _ in BROKEN.values():
        assert old in text
        text = text.replace(old, new)
    (site / BASE).write_text(text)
    code, found, _ = run(capfd)
    assert code == exits.FINDINGS
    places = {
        re.search(r"\(policy '(.+)'\)$", one["message"])[1]: (one["file"], one["line"])
        for one in found
    }
    assert places == {name: (BASE, line) for name, (_, _, line) in BROKEN.items()}
    assert all(one["hint"] == "reaches 2 nodes: web01, web02" for one in found)
    warnings = [one["line"] for one in found if one["severity"] == "warning"]
    assert warnings == [BROKEN["packages have a version"][2]]
    git(site, "commit", "-qam", "the rules are broken")
    (site / BASE).write_text(text + "# changed\n")
    assert run(capfd, "--base", "HEAD")[:2] == (exits.OK, []), "faults of the base"


@pytest.mark.parametrize("name", OTHER_FILES)
def test_policies_about_classes_nodes_and_exports(name, site, capfd):
    file, text, place = OTHER_FILES[name]
    (site / file).write_text(text)
    code, found, _ = run(capfd)
    of_policy = [one for one in found if f"(policy '{name}')" in one["message"]]
    assert code == exits.FINDINGS
    assert of_policy
    lines = POLICIES.splitlines()
    expected = place or ("bunraku.toml", lines.index(f'name = "{name}"'))
    assert {(one["file"], one["line"]) for one in of_policy} == {expected}
    assert "web02" in of_policy[-1]["hint"]


def test_a_warning_fails_only_on_request(site, capfd):
    (site / BASE).write_text(GOOD.replace("installed", "latest"))
    code, (found,), _ = run(capfd)
    assert (code, found["severity"]) == (exits.OK, "warning")
    assert run(capfd, "--fail-on-warnings")[0] == exits.FINDINGS


def test_a_number_is_new_if_it_grows(site, capfd):
    (site / "bunraku.toml").write_text(COUNTED)
    git(site, "commit", "-qam", "count")
    (site / BASE).write_text(GOOD.replace("  package", "  exec { '/bin/ls': }\n  package"))
    code, (found,), _ = run(capfd, "--base", "HEAD")
    assert code == exits.FINDINGS
    assert found["message"].startswith("count 3: use a resource type")
    (site / BASE).write_text(re.sub(r"  exec \{ '/bin/false.+\n", "", GOOD))
    assert run(capfd, "--base", "HEAD")[:2] == (exits.OK, [])


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            'name = "a"\nquery = "resources {"\nmessage = "m"',
            "policy 'a': PQL parse error at line 1",
        ),
        (
            'name = "a"\nquery = "resources { titel = 1 }"\nmessage = "m"',
            "policy 'a': 'titel' is not",
        ),
        ('name = "a"\nquery = "resources { title ~ \'(\' }"\nmessage = "m"', "policy 'a': invalid"),
        ('name = "a"\nquery = "facts {}"\nmessage = "m"', "policy 'a': Catalogs have no 'facts'"),
        (
            'name = "a"\nquery = "nodes { certname in events[certname] {} }"\nmessage = "m"',
            "'events'",
        ),
        (
            'name = "a"\nmessage = "m"',
            "'ci.policy[1].query' must be a string that is not empty (it is missing; policy 'a')",
        ),
        (
            'name = "a"\nquer = "nodes {}"\nmessage = "m"',
            "'ci.policy[1].quer' must be a known key (did you mean 'query'?; policy 'a')",
        ),
        (
            'name = "a"\nquery = "nodes {}"\nmessage = "m"\nseverity = "bad"',
            "policy[1].severity' must be one of error, warning (policy 'a')",
        ),
        ('query = "nodes {}"\nmessage = "m"', "'ci.policy[1].name' must be a string"),
    ],
)
def test_wrong_policies_are_one_error_with_file_and_line(table, message, site, capfd):
    good = '[[ci.policy]]\nname = "good"\nquery = "nodes { certname = \'\' }"\nmessage = "m"\n'
    (site / "bunraku.toml").write_text(f"{good}\n[[ci.policy]]\n{table}\n")
    code, _, err = run(capfd)
    assert code == exits.TROUBLE
    assert "bunraku.toml:6: " in err
    assert message in err
    assert "Expected one of" not in err
