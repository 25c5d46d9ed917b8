"""``bunraku ci``: one run, one report."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.workbench.ci.base import BRANCHES, COMMITS

EXAMPLE = Path(__file__).parents[2] / "examples" / "control-repo"


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A copy of the example with one commit on the branch main."""
    for variable in (*COMMITS, *BRANCHES):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "control"
    shutil.copytree(EXAMPLE, root)
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "first")):
        subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)
    monkeypatch.chdir(root)
    return root


def run(capfd, *arguments):
    code = main(["ci", *arguments])
    out, err = capfd.readouterr()
    return code, out, err


def edit(root, name, old, new):
    text = (root / name).read_text()
    assert old in text
    (root / name).write_text(text.replace(old, new))


def commit(root, message):
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    for arguments in (("add", "-A"), ("commit", "-qm", message)):
        subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


def test_without_a_change_all_passes(repository, capfd):
    code, out, _ = run(capfd)
    assert code == exits.OK
    title, files, nodes, verdict = out.splitlines()
    assert title.endswith("→ working tree")
    assert files == "  files  20 files: 0 errors"
    assert nodes == "  nodes  3 nodes: 0 broken, 0 changed, 3 unchanged"
    assert verdict == "passed: no errors, no changed nodes"


def test_a_good_change_passes_and_is_shown(repository, capfd):
    edit(repository, "data/common.yaml", "port: 80\n", "port: 8443\n")
    code, out, _ = run(capfd)
    assert code == exits.OK
    assert "web01.example.com: differs (2 changed)\n" in out
    assert "+     port => 8443\n" in out
    assert out.endswith("passed: 1 changed node\n")
    assert run(capfd, "--fail-on-changes")[0] == exits.FINDINGS
    assert run(capfd, "--fail-on-changes", "--ignore", "*[*]")[0] == exits.OK


def test_a_change_on_a_branch_is_compared_with_its_base(repository, capfd):
    subprocess.run(["git", "checkout", "-qb", "work"], cwd=repository, check=True)
    edit(repository, "data/common.yaml", "port: 80\n", "port: 8443\n")
    commit(repository, "port")
    edit(repository, "data/common.yaml", "port: 8443\n", "port: 8444\n")
    code, out, _ = run(capfd)
    assert code == exits.OK
    assert "merge base with main" in out
    assert "-     port => 80\n" in out
    assert "+     port => 8444\n" in out


def test_a_node_that_the_change_breaks_fails_the_run(repository, capfd):
    edit(repository, "data/common.yaml", "port: 80\n", "port: eighty\n")
    code, out, _ = run(capfd, "--report", "json=ci.json")
    assert code == exits.FINDINGS
    assert "nodes  3 nodes: 1 broken, 0 changed, 2 unchanged\n" in out
    assert "breaks web01.example.com" in out
    assert str(repository) not in out, "paths are relative"
    data = json.loads((repository / "ci.json").read_text())
    assert data["passed"] is False
    (failure,) = data["failures"]
    assert (failure["node"], failure["failed_before"]) == ("web01.example.com", False)


def test_one_mistake_that_breaks_several_nodes_is_one_finding(repository, capfd):
    edit(repository, "site-modules/profile/manifests/base.pp", "profile::ntp", "profile::ntpp")
    code, out, _ = run(capfd)
    assert code == exits.FINDINGS
    assert out.count("Could not find class") == 1
    assert "breaks 3 nodes: db01.example.com, web01.example.com, web02.example.com" in out
    assert out.endswith("failed: 1 error, 3 broken nodes\n")


def test_a_node_that_failed_before_does_not_fail_the_run(repository, capfd):
    edit(repository, "data/common.yaml", "port: 80\n", "port: eighty\n")
    commit(repository, "broken")
    edit(repository, "data/common.yaml", "root: /srv/www", "root: /srv/html")
    code, out, _ = run(capfd)
    assert code == exits.OK
    assert "1 node failed before, too (web01.example.com): Class[Profile::Web]" in out
    edit(repository, "data/common.yaml", "port: eighty\n", "port: 80\n")
    code, out, _ = run(capfd)
    assert code == exits.OK
    assert "repaired: web01.example.com" in out


def test_a_node_that_cannot_be_compiled_here_is_not_passed(repository, capfd):
    site = repository / "manifests" / "site.pp"
    site.write_text('Integer[1, 1000000000].each |$n| { md5("$n") }\n')
    commit(repository, "endless")
    (repository / "new.txt").write_text("a change\n")
    code, out, _ = run(capfd, "--match", "web01*", "--timeout", "1s")
    assert code == exits.TROUBLE
    assert "1 node failed before, too (web01.example.com)" in out
    assert out.endswith("failed: 1 unchecked node\n")


def test_a_syntax_error_is_reported_in_each_format(repository, capfd):
    (repository / "manifests" / "broken.pp").write_text("if $x = 1 { }\n")
    formats = ("sarif", "github", "junit", "codeclimate", "markdown")
    reports = [word for name in formats for word in ("--report", f"{name}={name}.out")]
    code, out, _ = run(capfd, *reports)
    assert code == exits.FINDINGS
    assert "files  21 files: 1 error\n" in out
    texts = {name: (repository / f"{name}.out").read_text() for name in formats}
    (found,) = json.loads(texts["sarif"])["runs"][0]["results"]
    assert found["ruleId"] == "SYNTAX_ERROR"
    assert texts["github"].startswith("::error file=manifests/broken.pp,line=1")
    (entry,) = json.loads(texts["codeclimate"])
    assert entry["location"] == {"path": "manifests/broken.pp", "lines": {"begin": 1}}
    suites = ET.fromstring(texts["junit"])
    assert [(one.get("name"), one.get("failures")) for one in suites] == [
        ("files", "1"),
        ("nodes", "3"),
    ]
    assert "- **error** `manifests/broken.pp:1:7`" in texts["markdown"]


def test_warnings_and_style_count_on_changed_lines_only(repository, capfd):
    name = "site-modules/profile/manifests/base.pp"
    edit(repository, name, "  include motd\n", '  include motd\n  $old = "x"\n')
    commit(repository, "old")
    assert run(capfd, "--base", "HEAD")[0] == exits.OK
    edit(repository, name, '$old = "x"\n', '$old = "x"\n  $new = "y"\n')
    code, out, _ = run(capfd, "--base", "HEAD")
    found = [line for line in out.splitlines() if "[double_quoted_strings]" in line]
    assert [line.split(":")[1] for line in found] == ["5"]
    assert code == exits.OK
    assert run(capfd, "--base", "HEAD", "--fail-on-warnings")[0] == exits.FINDINGS
    (repository / ".puppet-lint.rc").write_text("--no-double_quoted_strings-check\n")
    assert "double_quoted_strings" not in run(capfd, "--base", "HEAD")[1]


def test_code_that_no_node_reaches_is_analysed(repository, capfd):
    path = repository / "site-modules" / "profile" / "manifests" / "spare.pp"
    path.write_text("# Unused.\nclass profile::spare {\n  include profile::nothing\n}\n")
    code, out, _ = run(capfd)
    assert code == exits.FINDINGS
    assert "spare.pp:3:" in out
    assert "[UNKNOWN_CLASS]" in out
    assert out.endswith("failed: 1 error\n")


def test_files_that_git_ignores_are_not_checked(repository, capfd):
    (repository / ".gitignore").write_text("/modules/installed\n")
    manifests = repository / "modules" / "installed" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text("if $x = 1 { }\n")
    code, out, _ = run(capfd)
    assert (code, "broken.pp" in out) == (exits.OK, False)


def test_markdown_has_summary_and_changes(repository, capfd):
    edit(repository, "data/common.yaml", "port: 80\n", "port: 8443\n")
    _, out, _ = run(capfd, "--format", "markdown")
    assert out.startswith("## ✅ Passed: 1 changed node\n")
    assert "| files | 20 files: 0 errors |" in out
    assert "```diff\n@ Class[Profile::Web]" in out


def test_the_page_has_findings_changes_and_nodes(repository, capfd):
    edit(repository, "data/common.yaml", "port: 80\n", "port: 8443\n")
    (repository / "manifests" / "<b>.pp").write_text("if $x = 1 { }\n")
    assert run(capfd, "--report", "html=ci.html")[0] == exits.FINDINGS
    text = (repository / "ci.html").read_text()
    assert "Failed: 1 error" in text
    assert "manifests/&lt;b&gt;.pp:1:7" in text
    assert "<b>.pp" not in text
    for heading in ("Findings", "Nodes"):
        assert f"{heading}</h2>" in text, heading


def test_modules_of_the_puppetfile_that_are_missing_are_noted(repository, capfd):
    (repository / "Puppetfile").write_text("mod 'puppetlabs/stdlib', '9.0.0'\n")
    _, out, _ = run(capfd)
    assert "note: 1 of 1 modules in" in out
    assert "(stdlib)" in out


def test_without_facts_no_node_is_compiled(repository, capfd):
    shutil.rmtree(repository / "facts")
    code, out, _ = run(capfd)
    assert code == exits.OK
    assert "nodes  none compiled" in out
    assert "no facts files were found" in out


@pytest.fixture
def facterdb(tmp_path):
    """A FacterDB with two systems."""
    folder = tmp_path / "facterdb" / "4.2"
    folder.mkdir(parents=True)
    for name, family in (("debian-11-x86_64", "Debian"), ("rocky-9-x86_64", "RedHat")):
        system = {"family": family, "name": name.partition("-")[0].title()}
        facts = {
            "os": {**system, "release": {"full": "1", "major": "1"}},
            "networking": {"fqdn": "foo.example.com"},
        }
        (folder / f"{name}.facts").write_text(json.dumps(facts))
    return folder.parent


def test_roles_are_compiled_for_operating_systems(repository, capfd, facterdb):
    (repository / "manifests" / "site.pp").write_text("node default { }\n")
    commit(repository, "default")
    edit(repository, "data/common.yaml", "port: 80\n", "port: eighty\n")
    words = ["--base", "HEAD", "--facterdb", str(facterdb), "--os", "debian-11", "--os", "rocky"]
    code, out, _ = run(capfd, *words, "--format", "json")
    data = json.loads(out)
    names = {one["node"] for one in data["comparison"]["nodes"]}
    assert names == {
        f"role.{role}.{system}"
        for role in ("database", "web")
        for system in ("debian-11-x86_64", "rocky-9-x86_64")
    }
    assert code == exits.FINDINGS
    assert {one["node"].split(".")[1] for one in data["failures"]} == {"web"}
    code, _, err = run(capfd, "--facterdb", str(facterdb), "--os", "debain-11")
    assert (code, "did you mean 'debian-11'?" in err) == (exits.TROUBLE, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--os", "debian", "--facts-folder", "facts"], "give --os or facts of nodes, not both"),
        (["--facterdb", "."], "--facterdb requires --os NAME"),
        (["--report", "markdwn=x"], "unknown format 'markdwn' (did you mean 'markdown'?)"),
        (["--report", "json"], "--report: expected FORMAT=FILE, not 'json'"),
        (["--base", "absent"], "git rev-parse"),
        (["--report", "json=absent/x"], "cannot write absent/x: "),
    ],
)
def test_wrong_usage(repository, capfd, arguments, message):
    code, out, err = run(capfd, *arguments)
    assert (code, out) == (exits.TROUBLE, "")
    assert message in err


def test_a_module_has_no_nodes(tmp_path, capfd, monkeypatch):
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "init.pp").write_text("# Web.\nclass web { }\n")
    (tmp_path / "metadata.json").write_text('{"name": "me-web"}')
    monkeypatch.chdir(tmp_path)
    subprocess.run(["git", "init", "-qb", "main"], check=True)
    commit(tmp_path, "first")
    _, out, _ = run(capfd)
    assert "nodes belong to a control repository, and this is the module web" in out
