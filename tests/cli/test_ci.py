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
    broken = "if $facts['networking']['fqdn'] == 'web01.example.com' { fail('closed') }\n"
    edit(repository, "manifests/site.pp", "node /^db/", f"{broken}node /^db/")
    commit(repository, "broken")
    edit(repository, "data/common.yaml", "root: /srv/www", "root: /srv/html")
    code, out, _ = run(capfd)
    assert code == exits.OK
    assert "1 node failed before, too (web01.example.com): closed" in out
    edit(repository, "manifests/site.pp", broken, "")
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
    assert "  not checked: 1 node (web01.example.com): " in out
    assert out.endswith("not checked: 1 of 1 node; no errors in files\n")


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
    (repository / "Puppetfile").write_text("mod 'example/stdlib', '9.0.0'\n")
    _, out, _ = run(capfd)
    assert "note: 1 of 1 modules in" in out
    assert "(stdlib)" in out


@pytest.mark.parametrize(
    "text", ['[submodule "m"]\n\tpath = modules/m\n\turl = ./m\n\tupdate = !touch ran\n', "[bad\n"]
)
def test_submodules_that_git_refuses_are_noted(text, repository, capfd):
    (repository / "modules/m").mkdir(parents=True)
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    for arguments in (("init", "-q"), ("commit", "-q", "--allow-empty", "-m", "first")):
        command = ["git", *who, *arguments]
        subprocess.run(command, cwd=repository / "modules/m", check=True, capture_output=True)
    commit(repository, "a submodule")
    (repository / "modules/m/.git/HEAD").write_text("ref: refs/heads/other\n")
    (repository / ".gitmodules").write_text(text)
    code, out, err = run(capfd, "--base", "HEAD~1")
    assert code == exits.OK, out + err
    assert "git refuses .gitmodules, so submodules are not compared: " in out
    assert not (repository / "ran").exists()


# -- both states are judged alike --------------------------------------------------------------------

BROKEN = "# An old class\nclass profile::old {\n  if $x = 1 { }\n}\n"
OLD = "site-modules/profile/manifests/old.pp"


def json_of(root, capfd, *arguments):
    code, _, _ = run(capfd, "--report", "json=ci.json", *arguments)
    return code, json.loads((root / "ci.json").read_text())


def test_an_error_that_the_base_has_does_not_fail_the_run(repository, capfd):
    (repository / OLD).write_text(BROKEN)
    commit(repository, "an old error")
    edit(repository, "data/common.yaml", "port: 80\n", "port: 8443\n")
    code, out, _ = run(capfd)
    assert (code, "1 older finding not shown" in out) == (exits.OK, True)
    (repository / OLD).write_text(f"# A comment\n#\n{BROKEN}")
    code, data = json_of(repository, capfd)
    assert (code, data["diagnostics"]) == (exits.OK, []), "the same error on another line"
    assert [one["line"] for one in data["unchanged"]] == [5]
    (repository / OLD).write_text(f"{BROKEN}if $y = 1 {{ }}\n")
    code, data = json_of(repository, capfd)
    assert code == exits.FINDINGS
    assert [one["line"] for one in data["diagnostics"]] == [5], "the one on a changed line is new"
    (repository / OLD).unlink()
    code, data = json_of(repository, capfd)
    assert (code, len(data["gone"]), data["unchanged"]) == (exits.OK, 1, [])


def test_the_findings_of_a_renamed_file_stay(repository, capfd):
    (repository / "manifests/old.pp").write_text("if $x = 1 { }\n")
    commit(repository, "an old error")
    command = ["git", "mv", "manifests/old.pp", "manifests/new.pp"]
    subprocess.run(command, cwd=repository, check=True)
    _, data = json_of(repository, capfd)
    found = [one["code"] for one in data["diagnostics"] if one["severity"] == "error"]
    assert (found, data["gone"]) == ([], [])
    assert data["unchanged"][0]["file"] == "manifests/new.pp"


def test_a_finding_on_a_line_that_the_change_does_not_touch_is_new(repository, capfd):
    web = "site-modules/profile/manifests/web.pp"
    text = (repository / web).read_text()
    assert "$port" in text
    (repository / web).write_text(text.replace("$port", "$listen"))
    data_file = (repository / "data/common.yaml").read_text()
    assert "profile::web::port: 80" in data_file
    code, data = json_of(repository, capfd, "--fail-on-warnings")
    assert code == exits.FINDINGS
    assert "data/common.yaml" in {one["file"] for one in data["diagnostics"]}


def test_a_baseline_accepts_findings(repository, capfd):
    (repository / OLD).write_text(BROKEN)
    assert run(capfd)[0] == exits.FINDINGS
    assert main(["check", "--write-baseline", "base.json"]) == exits.OK
    code, out, _ = run(capfd, "--baseline", "base.json")
    assert (code, "1 older finding not shown" in out) == (exits.OK, True)
    code, _, err = run(capfd, "--baseline", "data/common.yaml")
    assert (code, "is not a baseline" in err) == (exits.TROUBLE, True)


# -- what is not known is not passed -----------------------------------------------------------------


def test_missing_modules_are_not_a_pass(repository, capfd):
    (repository / "Puppetfile").write_text("mod 'me/extra', '1.0.0'\nmod 'me/other'\n")
    base = "site-modules/profile/manifests/base.pp"
    edit(repository, base, "include profile::ntp", "include profile::ntp\n  include extra")
    commit(repository, "a module")
    edit(repository, "data/common.yaml", "port: 80\n", "port: 8443\n")
    reports = ("--report", "json=ci.json", "--report", "junit=ci.xml")
    code, out, _ = run(capfd, "--offline", *reports)
    assert code == exits.TROUBLE
    assert "nodes  3 nodes: 3 not checked, 0 broken, 0 changed, 0 unchanged\n" in out
    assert "modules that are not installed define what they use" in out
    assert "2 of 2 modules in" in out
    assert out.splitlines()[-1].startswith("not checked: 3 of 3 nodes; ")
    data = json.loads((repository / "ci.json").read_text())
    assert (data["passed"], len(data["not_checked"])) == (False, 2)
    assert all(one["not_checked"] for one in data["failures"])
    (nodes,) = ET.parse(repository / "ci.xml").findall("testsuite[@name='nodes']")
    assert (nodes.get("failures"), nodes.get("skipped")) == ("0", "3")
    edit(repository, base, "include extra", "include extra\n  include profile::no")
    code, out, _ = run(capfd, "--offline")
    assert code == exits.FINDINGS, "a class of a module that is there is a mistake"
    assert out.splitlines()[-1].startswith("not checked: 3 of 3 nodes; failed: 1 error")


def test_data_that_only_the_server_has_is_not_a_fault(repository, capfd):
    (repository / "hiera.yaml").rename(repository / "server-hiera.yaml")
    edit(
        repository, "manifests/site.pp", "node /^db/", "$greeting = lookup('greeting')\nnode /^db/"
    )
    commit(repository, "a lookup")
    edit(repository, "data/common.yaml", "port: 80\n", "port: 8443\n")
    code, out, _ = run(capfd)
    assert code == exits.TROUBLE
    assert "no hiera.yaml has the data; name that of the server: --hiera-config" in out
    edit(repository, "data/common.yaml", "port: 8443\n", "port: 8443\ngreeting: hello\n")
    code, out, _ = run(capfd, "--hiera-config", "server-hiera.yaml")
    assert (code, "repaired" in out) == (exits.OK, True)


def test_a_run_in_which_all_nodes_failed_before_is_not_a_pass(repository, capfd):
    (repository / "manifests/site.pp").write_text("fail('closed')\n")
    commit(repository, "closed")
    edit(repository, "data/common.yaml", "port: 80\n", "port: 8443\n")
    code, out, _ = run(capfd)
    assert code == exits.TROUBLE
    assert "not checked: 3 nodes failed before, too" in out
    assert out.endswith("not checked: 3 of 3 nodes; no errors in files\n")


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
    } | {"web02.example.com"}
    assert code == exits.FINDINGS
    assert {one["node"].split(".")[1] for one in data["failures"]} == {"web"}
    code, _, err = run(capfd, "--facterdb", str(facterdb), "--os", "debain-11")
    assert (code, "did you mean 'debian-11'?" in err) == (exits.TROUBLE, True)


def test_nodes_of_roles_have_the_facts_of_their_names(repository, capfd, facterdb):
    (repository / "manifests" / "site.pp").write_text(
        'unless $facts["clientcert"] == $trusted["certname"] and $facts["hostname"] == $trusted["hostname"] {\n'
        '  fail("no facts of the name")\n}\nnode default { }\n'
    )
    commit(repository, "facts of names")
    words = ["--base", "HEAD", "--facterdb", str(facterdb), "--os", "debian-11"]
    code, out, _ = run(capfd, *words, "--format", "json")
    assert json.loads(out)["failures"] == []
    assert code == exits.OK


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--os", "debian", "--facts-folder", "facts"], "give --os or facts of nodes, not both"),
        (["--facterdb", "."], "--facterdb has no effect where nodes have facts"),
        (["--report", "markdwn=x"], "unknown format 'markdwn' (did you mean 'markdown'?)"),
        (["--report", "json"], "--report: expected FORMAT=FILE, not 'json'"),
        (["--base", "absent"], "'absent' is not a revision of this repository"),
        (["--report", "json=absent/x"], "cannot write absent/x: "),
    ],
)
def test_wrong_usage(repository, capfd, arguments, message):
    code, out, err = run(capfd, *arguments)
    assert (code, out) == (exits.TROUBLE, "")
    assert message in err


def test_modules_that_git_ignores_are_used_for_both_states(repository, capfd):
    """r10k puts modules where git ignores them; they belong to no revision."""
    module = repository / "modules" / "extra"
    (module / "manifests").mkdir(parents=True)
    (module / "manifests" / "init.pp").write_text("class extra { notify { 'extra': } }\n")
    (module / "lib" / "puppet" / "functions").mkdir(parents=True)
    (repository / ".gitignore").write_text("modules/extra/\n")
    (repository / "Puppetfile").write_text("mod 'puppetlabs-extra'\n")
    base = "site-modules/profile/manifests/base.pp"
    edit(repository, base, "include profile::ntp", "include profile::ntp\n  include extra")
    commit(repository, "use extra")
    edit(repository, "data/common.yaml", "port: 80\n", "port: 8443\n")
    code, out, err = run(capfd)
    assert (code, err) == (exits.OK, "")
    assert out.endswith("passed: 1 changed node\n")
    (repository / "Puppetfile").write_text("mod 'puppetlabs-extra', '2.0.0'\n")
    assert "note: the Puppetfile differs" in run(capfd, "--installed-modules")[2]


def test_a_broken_node_keeps_its_exported_resources(tmp_path, monkeypatch, capfd):
    """A PuppetDB keeps the last catalog of a node that fails."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "control"
    (root / "manifests").mkdir(parents=True)
    (root / "facts").mkdir()
    (root / "environment.conf").write_text("modulepath = modules\n")
    site = root / "manifests" / "site.pp"
    site.write_text(
        "node a { @@notify { 'from a': } }\nnode b { Notify <<| |>> }\nnode default { }\n"
    )
    for node in "ab":
        (root / "facts" / f"{node}.yaml").write_text("{}\n")
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    commit(root, "first")
    monkeypatch.chdir(root)
    edit(root, "manifests/site.pp", "'from a': }", "'from a': } fail('no')")
    code, out, _ = run(capfd)
    assert code == exits.FINDINGS
    assert "nodes  2 nodes: 1 broken, 0 changed, 1 unchanged\n" in out


# -- classes where no nodes are known --------------------------------------------------------------

OWN_FACTS = {"os": {"family": "RedHat", "name": "Rocky"}}


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module in a git repository, with a dependency where git ignores it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "puppet-web"
    (root / "manifests").mkdir(parents=True)
    support = [
        {"operatingsystem": "Debian", "operatingsystemrelease": ["11"]},
        {"operatingsystem": "Solaris", "operatingsystemrelease": ["10"]},
    ]
    dependencies = [{"name": "puppetlabs/base", "version_requirement": ">= 1.0.0"}]
    metadata = {
        "name": "me-web",
        "version": "1.0.0",
        "author": "me",
        "license": "MIT",
        "summary": "A site",
        "source": "https://example.com/web",
        "operatingsystem_support": support,
        "dependencies": dependencies,
    }
    (root / "metadata.json").write_text(json.dumps(metadata))
    (root / "manifests" / "init.pp").write_text(
        "# @summary A site\nclass web (\n  String $root = '/srv',\n) {\n  contain web::config\n}\n"
    )
    (root / "manifests" / "config.pp").write_text(
        "# @summary Its files\nclass web::config {\n  include base\n  file { $web::root: }\n}\n"
    )
    installed = root / "spec" / "fixtures" / "modules"
    (installed / "base" / "manifests").mkdir(parents=True)
    (installed / "base" / "manifests" / "init.pp").write_text("class base { }\n")
    (installed / "web").symlink_to(root)
    (root / ".gitignore").write_text("spec/fixtures/modules/\n")
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    commit(root, "first")
    monkeypatch.chdir(root)
    return root


def test_a_module_is_compiled_on_the_systems_that_it_supports(module, facterdb, capfd):
    code, out, _ = run(capfd, "--facterdb", str(facterdb))
    assert code == exits.OK
    assert "nodes  1 node: 0 broken, 0 changed, 1 unchanged\n" in out
    assert "note: there are no facts of solaris-10\n" in out
    edit(module, "manifests/init.pp", "'/srv'", "'/data'")
    code, out, _ = run(capfd, "--facterdb", str(facterdb), "--os", "debian", "--os", "rocky")
    assert code == exits.OK
    assert "2 nodes differ" in out
    assert "+ File[/data]" in out
    assert "- File[/srv]" in out
    edit(module, "manifests/config.pp", "include base", "include bas")
    code, out, _ = run(capfd, "--facterdb", str(facterdb))
    assert code == exits.FINDINGS
    assert "breaks web.debian-11-x86_64" in out


def test_a_module_without_operating_systems_says_so(module, facterdb, capfd):
    metadata = json.loads((module / "metadata.json").read_text())
    del metadata["operatingsystem_support"]
    (module / "metadata.json").write_text(json.dumps(metadata))
    out = run(capfd, "--facterdb", str(facterdb))[1]
    assert "metadata.json names no operating systems; give --os" in out


ONCEOVER = """classes:
  - role::web
  - /^role::d/
nodes:
  - Debian-11-x86_64
  - Own-Machine
node_groups:
  own: [Own-Machine]
class_groups:
  not_web:
    include: all_classes
    exclude: role::web
test_matrix:
  - all_nodes:
      classes: all_classes
      tests: spec
  - own:
      classes: not_web
      tests: acceptance
"""


@pytest.fixture
def with_onceover(repository, facterdb):
    """The example without facts of nodes, with a matrix of onceover."""
    shutil.rmtree(repository / "facts")
    sets = repository / "spec" / "factsets"
    sets.mkdir(parents=True)
    own = {"name": "own", "values": OWN_FACTS}
    (sets / "Own-Machine.json").write_text(json.dumps(own))
    (repository / "manifests" / "site.pp").write_text("node default { }\n")
    (repository / "spec" / "onceover.yaml").write_text(ONCEOVER)
    commit(repository, "onceover")
    return repository


def test_the_matrix_of_onceover_names_nodes(with_onceover, facterdb, capfd):
    _, out, _ = run(capfd, "--facterdb", str(facterdb), "--report", "json=ci.json")
    assert "nodes  4 nodes:" in out
    data = json.loads((with_onceover / "ci.json").read_text())
    assert sorted(one["node"] for one in data["comparison"]["nodes"]) == [
        "role.database.debian-11-x86_64",
        "role.database.own-machine",
        "role.web.debian-11-x86_64",
        "role.web.own-machine",
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("test_matrix:", "test_matrx:", "'test_matrix' is missing"),
        ("all_nodes:", "al_nodes:", "the node or group 'al_nodes' is not defined"),
        ("/^role::d/", "/(/", "invalid regular expression /(/"),
        ("  - Debian-11-x86_64\n  - Own-Machine\n", "  a: b\n", "expected an Array"),
        ("classes: all_classes", "tests: spec", "'all_nodes' needs a Hash with 'classes'"),
    ],
)
def test_a_wrong_matrix_is_an_error(with_onceover, facterdb, capfd, old, new, expected):
    edit(with_onceover, "spec/onceover.yaml", old, new)
    code, _, err = run(capfd, "--facterdb", str(facterdb))
    assert code == exits.TROUBLE
    assert expected in err


# -- against an installed Puppet -------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("puppet") is None, reason="Puppet is not installed")
def test_an_installed_puppet_makes_the_same_catalogs(repository, capfd):
    edit(repository, "data/common.yaml", "port: 80\n", "port: 8443\n")
    code, out, _ = run(capfd, "--against", "puppet", "--sample", "2", "--report", "json=ci.json")
    assert code == exits.OK
    assert "  puppet  2 nodes as Puppet " in out
    against = json.loads((repository / "ci.json").read_text())["against"]
    assert [one["node"] for one in against["comparison"]["nodes"]] == [
        "db01.example.com",
        "web01.example.com",
    ]


OTHER_PUPPET = """#!/bin/sh
[ "$1" = --version ] && echo 9.9.9 && exit
[ "$3" = db01.example.com ] && echo 'Error: no license on node db01.example.com' >&2 && exit 1
echo 'Notice: Scope(Class[main]): hello'
echo '{"resources": [], "edges": []}'
"""


def test_a_puppet_that_makes_other_catalogs_fails_the_run(repository, tmp_path, capfd):
    other = tmp_path / "puppet"
    other.write_text(OTHER_PUPPET)
    other.chmod(0o755)
    reports = ("--report", "junit=ci.xml", "--report", "markdown=ci.md")
    code, out, _ = run(capfd, "--against", str(other), *reports)
    assert code == exits.FINDINGS
    assert "--- Puppet 9.9.9\n+++ bunraku\n" in out
    assert "0 nodes as Puppet 9.9.9 compiles them, 2 with another catalog" in out
    assert "1 that it does not compile" in out
    assert "no license (db01.example.com)" in out
    assert out.endswith("failed: 3 disagreements\n")
    suites = ET.fromstring((repository / "ci.xml").read_text())
    assert [(one.get("name"), one.get("failures")) for one in suites][-1] == ("puppet", "3")
    assert "| puppet | 0 nodes as Puppet 9.9.9" in (repository / "ci.md").read_text()


def test_a_puppet_that_does_not_start_is_an_error(repository, capfd):
    code, _, err = run(capfd, "--against", "/nowhere/puppet")
    assert code == exits.TROUBLE
    assert "--against: Cannot compile with '/nowhere/puppet': No such file or directory" in err


def test_a_dependency_cycle_is_an_error(repository, capfd):
    site = repository / "manifests" / "site.pp"
    site.write_text(site.read_text() + "notify { 'a': require => Notify['a'] }\n")
    code, out, _ = run(capfd)
    assert code == exits.FINDINGS
    assert "Found 1 dependency cycle: Notify[a] -> Notify[a]" in out
    assert "3 broken" in out
    code = main(["diff"])
    out, err = capfd.readouterr()
    assert code == exits.TROUBLE
    assert "DEPENDENCY_CYCLE" in out + err


WITH_A_MISTAKE = "  File <| ownr == 'web' |> { mode => '0600' }\n"


@pytest.mark.parametrize(
    ("file", "before", "reached"),
    [
        (
            "site-modules/profile/manifests/base.pp",
            "class profile::base {\n",
            "3 nodes: db01.example.com, web01.example.com, web02.example.com",
        ),
        (
            "manifests/site.pp",
            "node /^web/ {\n",
            "2 nodes: web01.example.com, web02.example.com",
        ),
        ("manifests/site.pp", "node /^db/ {\n", "db01.example.com"),
    ],
    ids=["class", "nodes", "node"],
)
def test_a_mistake_that_breaks_no_compile_names_its_nodes(repository, capfd, file, before, reached):
    edit(repository, file, before, before + WITH_A_MISTAKE)
    code, data = json_of(repository, capfd)
    (found,) = data["diagnostics"]
    assert (code, found["code"]) == (exits.FINDINGS, "UNKNOWN_QUERY_ATTRIBUTE")
    assert found["hint"] == f"did you mean 'owner'?; reaches {reached}"


def test_a_mistake_in_a_defined_type_names_the_nodes_that_declare_it(repository, capfd):
    site = repository / "site-modules" / "profile" / "manifests" / "site.pp"
    site.write_text(f"# A site.\ndefine profile::site {{\n{WITH_A_MISTAKE}}}\n")
    edit(
        repository,
        "site-modules/role/manifests/database.pp",
        "  include profile::database\n",
        "  include profile::database\n\n  profile::site { 'one': }\n",
    )
    _, data = json_of(repository, capfd)
    assert [one["hint"] for one in data["diagnostics"]] == [
        "did you mean 'owner'?; reaches db01.example.com"
    ]


def test_a_mistake_that_no_node_has_names_none(repository, capfd):
    spare = repository / "site-modules" / "profile" / "manifests" / "spare.pp"
    spare.write_text(f"# Unused.\nclass profile::spare {{\n{WITH_A_MISTAKE}}}\n")
    _, data = json_of(repository, capfd)
    assert [one["hint"] for one in data["diagnostics"]] == ["did you mean 'owner'?"]


def test_each_unreadable_file_is_a_finding(repository, capfd):
    for node in ("web01", "web02"):
        (repository / "facts" / f"{node}.example.com.yaml").write_text("os: {\n")
    _, data = json_of(repository, capfd)
    files = {one["file"] for one in data["diagnostics"]}
    assert files == {"facts/web01.example.com.yaml", "facts/web02.example.com.yaml"}
