"""``bunraku diff``: compared and hidden differences, output formats, exit codes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest
import yaml

import bunraku
from bunraku.catalog.compare import ABSENT, compare
from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.engine import git_tree
from bunraku.modules.settings import ENVIRONMENT_PATHS
from support.calls import calls_of
from support.ruby import needs_ruby

OLD = """\
file { '/kept': content => "a\\nb\\nc\\n", mode => '0644', require => [File['/x'], File['/y']] }
file { ['/x', '/y']: }
file { '/gone': ensure => absent }
user { 'u': password => Sensitive('swordfish') }
"""
NEW = """\
file { ['/y', '/x']: }
class added { notify { '<b>`new`</b>': message => ['x', { 'y' => 1 }] } }
include added
user { 'u': password => Sensitive('sesame') }
file { '/kept': content => "a\\nB\\nc\\n", mode => '0600', require => [File['/y'], File['/x']] }
"""


def catalog(code, node="n"):
    return bunraku.compile(code, node=node).to_data()


def ran(capfd, *arguments):
    code = main(["diff", *map(str, arguments)])
    out, err = capfd.readouterr()
    return code, out, err


@pytest.fixture
def files(tmp_path):
    for name, code in (("old", OLD), ("new", NEW)):
        (tmp_path / f"{name}.json").write_text(json.dumps(catalog(code)))
    return tmp_path / "old.json", tmp_path / "new.json"


def test_all_that_differs():
    found = compare(catalog(OLD), catalog(NEW))
    assert [one.reference for one in found.added] == ["Class[Added]", "Notify[<b>`new`</b>]"]
    assert [one.reference for one in found.removed] == ["File[/gone]"]
    kept, user = found.changed
    assert kept.reference == "File[/kept]"
    assert [change.name for change in kept.changes] == ["content", "mode"]
    assert user.changes[0].old == user.changes[0].new == {"__ptype": "Sensitive"}
    assert (found.classes_added, found.classes_removed) == (["added"], [])
    assert "Class[main] -> File[/gone]" in found.edges_removed


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("notify { 'a': } notify { 'b': }", "\n\nnotify { 'b': } notify { 'a': }", True),
        ("notify { 'a': message => { 'a' => 1, 'b' => 2 } }",) * 2 + (True,),
        (
            "notify { 'a': message => { 'a' => 1, 'b' => 2 } }",
            "notify { 'a': message => { 'b' => 2, 'a' => 1 } }",
            True,
        ),
        ("notify { 'a': message => [1, 2] }", "notify { 'a': message => [2, 1] }", False),
        ("notify { 'a': message => 1 }", "notify { 'a': message => '1' }", False),
        ("notify { 'a': message => 1 }", "notify { 'a': message => 1.0 }", False),
        ("notify { 'a': message => 1 }", "notify { 'a': message => true }", False),
        ("notify { 'a': message => [1] }", "notify { 'a': message => [true] }", False),
        ("notify { 'a': }", "notify { 'a': message => '' }", False),
        ("notify { 'a': }", "notify { 'A': }", False),
        ("@@notify { 'a': } Notify <<| |>>", "notify { 'a': }", False),
    ],
)
def test_what_counts(old, new, same):
    assert (not compare(catalog(old), catalog(new))) == same
    assert (not compare(catalog(new), catalog(old))) == same


def test_tags_and_edges_count_as_asked():
    old, new = catalog("notify { 'a': }"), catalog("notify { 'a': tag => 'x' }")
    assert [one.name for one in compare(old, new).changed[0].changes] == ["tag"]
    assert [one.name for one in compare(old, new, tags=True).changed[0].changes] == [
        "(tags)",
        "tag",
    ]
    moved = {**old, "edges": []}
    assert compare(old, moved)
    assert not compare(old, moved, edges=False)
    assert compare(old, new).changed[0].changes[0].old is ABSENT


def test_text(files, capfd):
    code, out, err = ran(capfd, *files)
    assert (code, err) == (exits.FINDINGS, "")
    lines = out.splitlines()
    assert lines[:3] == [
        f"--- {files[0]}",
        f"+++ {files[1]}",
        "n: differs (2 added, 1 removed, 2 changed)",
    ]
    for line in (
        "+ Notify[<b>`new`</b>]",
        "+     message => ['x', { 'y' => 1 }]",
        "- File[/gone]",
        "-     ensure => 'absent'",
        "@ File[/kept]",
        "-         b",
        "+         B",
        "          c",
        "-     mode => '0644'",
        "+     mode => '0600'",
        "@     password => Sensitive [value redacted] (changed)",
        "+ class added",
    ):
        assert line in lines


def test_the_same_is_silent(files, capfd):
    assert ran(capfd, files[0], files[0]) == (exits.OK, "", "")


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_no_form_shows_secrets(form, files, capfd):
    code, out, _err = ran(capfd, *files, "--format", form)
    assert code == exits.FINDINGS
    assert "redacted" in out
    assert "swordfish" not in out
    assert "sesame" not in out


def test_secrets_inside_and_on_one_side_are_hidden():
    old = catalog("notify { 'a': message => { 'k' => [Sensitive('swordfish')] } }")
    new = catalog("notify { 'b': message => Sensitive('sesame') }")
    for pair in ((old, new), (new, old)):
        assert "swordfish" not in repr(compare(*pair))
        assert "sesame" not in repr(compare(*pair))


def test_json(files, capfd):
    _code, out, _err = ran(capfd, *files, "--format", "json")
    (node,) = json.loads(out)["nodes"]
    assert (node["node"], node["status"]) == ("n", "differs")
    assert node["removed"][0]["parameters"] == {"ensure": "absent"}
    mode = node["changed"][0]["parameters"][1]
    assert mode == {"name": "mode", "old": "0644", "new": "0600"}
    assert node["classes"] == {"added": ["added"], "removed": []}
    assert node["changed"][1]["parameters"] == [
        {
            "name": "password",
            "old": "Sensitive [value redacted]",
            "new": "Sensitive [value redacted] (changed)",
            "sensitive": True,
        }
    ]
    found = json.loads(out)
    assert (found["old"], found["new"]) == (str(files[0]), str(files[1]))
    assert found["totals"] == {
        "nodes": {"differ": 1, "failed": 0, "same": 0},
        "resources": {"added": 2, "removed": 1, "changed": 2},
    }


def test_html_and_markdown_quote_what_they_must(files, capfd):
    _code, page, _err = ran(capfd, *files, "--format", "html")
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    _code, text, _err = ran(capfd, *files, "--format", "markdown")
    assert text.count("```") == 2
    assert "<summary>n: differs" in text
    assert text.startswith(f"### Catalog changes: `{files[0]}` → `{files[1]}`\n")


def test_yaml_and_what_puppet_wraps(files, capfd):
    data = json.loads(files[0].read_text())
    wrapped = files[0].with_name("wrapped.yaml")
    wrapped.write_text(yaml.safe_dump({"document_type": "Catalog", "data": data}))
    assert ran(capfd, files[0], wrapped)[0] == exits.OK


RESOURCE = '{"type": "A", "title": "b", %s}'


@pytest.mark.parametrize(
    "text",
    [
        *("[]", "{", '{"resources": [1]}', '{"resources": {}}'),
        *('{"resources": [], "classes": 1}', '{"resources": [], "edges": 1}'),
        *('{"resources": [], "edges": [1]}', '{"resources": [], "edges": [{}]}'),
        '{"resources": [], "edges": [{"source": {}}]}',
        '{"resources": [%s]}' % (RESOURCE % '"parameters": [1]'),
        '{"resources": [%s]}' % (RESOURCE % '"tags": 1'),
        '{"resources": [%s]}' % (RESOURCE % '"sensitive_parameters": [{}]'),
    ],
)
def test_what_is_no_catalog(text, files, capfd):
    files[1].write_text(text)
    code, out, err = ran(capfd, *files)
    assert (code, out) == (exits.TROUBLE, "")
    assert str(files[1]) in err


def test_folders(tmp_path, capfd):
    for side, nodes in (("old", "abc"), ("new", "bcd")):
        (tmp_path / side).mkdir()
        for node in nodes:
            code = f"notify {{ '{side if node == 'c' else node}': }}"
            (tmp_path / side / f"{node}.json").write_text(json.dumps(catalog(code, node)))
    folders = tmp_path / "old", tmp_path / "new"
    code, out, _err = ran(capfd, *folders)
    assert code == exits.FINDINGS
    assert f"\na: differs\n  only in {folders[0]}\nc: differs (1 added, 1 removed)\n" in out
    assert f"\nd: differs\n  only in {folders[1]}\n3 differ, 0 failed, 1 same" in out
    assert out.endswith("; resources: 1 added, 1 removed\n")
    assert ran(capfd, *folders, "--match", "b") == (exits.OK, "", "")
    assert ran(capfd, *folders, "--match", "z")[0] == exits.TROUBLE
    assert ran(capfd, tmp_path / "old", tmp_path / "new" / "b.json")[0] == exits.TROUBLE


def git(root, *arguments):
    who = ["-c", "user.name=n", "-c", "user.email=n@example.com"]
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


def commit(root, message):
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)


@pytest.fixture
def repository(tmp_path):
    root = tmp_path / "control"
    facts = tmp_path / "facts"
    for folder in (root / "site" / "manifests", root / "site" / "data", facts):
        folder.mkdir(parents=True)
    for node in ("broken", "w1", "w2"):
        (facts / f"{node}.yaml").write_text("os: Debian\n")

    git(root, "init", "-q")
    (root / ".gitattributes").write_text("data export-ignore\n")
    (root / "site" / "hiera.yaml").write_text("version: 5\n")
    for number in ("1", "2"):
        (root / "site" / "manifests" / "site.pp").write_text(
            "node 'w1' { notify { lookup('k'): message => $settings::manifest } }\n"
            "node 'w2' { notify { 'x': } }\n"
            f"node 'broken' {{ fail('revision {number}') }}\n"
        )
        (root / "site" / "data" / "common.yaml").write_text(f"k: value {number}\n")
        commit(root, number)
    (root / "site" / "manifests" / "site.pp").write_text("not committed")
    return root


def revisions(repository, capfd, *arguments):
    given = ["--repository", repository / "site", "--facts-folder", repository.parent / "facts"]
    return ran(capfd, *arguments, *given)


def test_revisions(repository, capfd):
    code, out, err = revisions(repository, capfd, "HEAD~1", "HEAD")
    assert (code, err) == (exits.TROUBLE, "")  # a node did not compile
    place = repository / "site" / "manifests" / "site.pp"
    titles = [line[4:].split() for line in out.splitlines()[:2]]
    assert [title[0] for title in titles] == ["HEAD~1", "HEAD"]
    assert all(len(title[1]) == len("(1234567)") for title in titles)
    assert out.splitlines()[2] == "broken: failed"
    for name, number in (("HEAD~1", 1), ("HEAD", 2)):
        assert f"  does not compile in {name}: " in out
        assert f"revision {number} [" in out
    assert f"+ Notify[value 2]   # {place}:1\n" in out
    assert out.endswith("1 differ, 1 failed, 1 same; resources: 1 added, 1 removed\n")
    code, out, _err = revisions(repository, capfd, "HEAD~1", "HEAD", "--match", "w*", "--jobs", "2")
    assert code == exits.FINDINGS
    assert "w2" not in out.replace(str(repository), "")  # whose path may have "gw2" in it
    same = revisions(repository, capfd, "HEAD", "HEAD", "--match", "w1")
    assert same == (exits.OK, "", "")


def test_the_repository_stays_as_it_is(repository, capfd):
    def state():
        command = ["git", "status", "--porcelain"]
        return subprocess.run(command, cwd=repository, check=True, capture_output=True).stdout

    before = state()
    revisions(repository, capfd, "HEAD~1", "HEAD")
    assert state() == before
    assert (repository / "site" / "manifests" / "site.pp").read_text() == "not committed"


@pytest.mark.parametrize(
    "arguments", [["none", "HEAD"], ["HEAD", "HEAD", "--match", "z"], ["HEAD", "--all"]]
)
def test_revisions_that_are_none(arguments, repository, capfd):
    code, out, err = revisions(repository, capfd, *arguments)
    assert (code, out) == (exits.TROUBLE, "")
    assert err


def test_revisions_want_facts(capfd):
    code, _out, err = ran(capfd, "HEAD~1", "HEAD")
    assert code == exits.TROUBLE
    assert "--facts-folder" in err


def test_from_python():
    old, new = bunraku.compile(OLD), bunraku.compile(NEW)
    assert not bunraku.diff(old, old.to_data())
    assert len(bunraku.diff(old, new).added) == 2


def test_config_version_is_not_run(repository, capfd):
    script = repository / "site" / "version.sh"
    script.write_text("#!/bin/sh\necho 'no git here' >&2\nexit 128\n")
    script.chmod(0o755)
    (repository / "site" / "environment.conf").write_text("config_version = version.sh\n")
    git(repository, "checkout", "-q", "HEAD", "--", "site/manifests")
    commit(repository, "version script")
    assert revisions(repository, capfd, "HEAD", "HEAD", "--match", "w1") == (exits.OK, "", "")
    (repository.parent / "production").symlink_to(repository / "site")
    environment = ["--environmentpath", str(repository.parent), "--node", "w2"]
    assert main(["compile", *environment]) == exits.FINDINGS
    err = capfd.readouterr().err
    assert "failed: exit code 128: no git here" in err
    assert "environment.conf: error" in err
    assert main(["migrate", "--from", "7", *environment]) == exits.OK


def test_the_working_tree(repository, capfd):
    manifest = repository / "site" / "manifests" / "site.pp"
    git(repository, "checkout", "-q", "HEAD", "--", ".")
    assert revisions(repository, capfd, "--match", "w*") == (exits.OK, "", "")
    manifest.write_text("notify { 'not committed': }\n")
    for arguments in ((), ("HEAD",)):
        code, out, err = revisions(repository, capfd, *arguments, "--match", "w1")
        assert (code, err) == (exits.FINDINGS, "")
        assert "\n+++ working tree\n" in out
        assert f"+ Notify[not committed]   # {manifest}:1\n" in out


def test_ranges(repository, capfd):
    def first_lines(*arguments):
        code, out, _err = revisions(repository, capfd, *arguments, "--match", "w1")
        assert code == exits.FINDINGS
        return [line[4:].split(" (")[0] for line in out.splitlines()[:2]], out

    git(repository, "branch", "topic", "HEAD")
    git(repository, "checkout", "-q", "-f", "-b", "other", "HEAD~1")
    (repository / "site" / "data" / "common.yaml").write_text("k: other\n")
    commit(repository, "other")
    names, out = first_lines("topic..other")
    assert names == ["topic", "other"]
    assert "Notify[value 2]" in out
    names, out = first_lines("topic...other")
    assert names == ["merge base of topic and other", "other"]
    assert "Notify[value 1]" in out
    assert first_lines("topic..")[0] == ["topic", "HEAD"]
    code, _out, err = revisions(repository, capfd, "a..b", "HEAD")
    assert code == exits.TROUBLE
    assert "A...B" in err


def test_paths_into_the_repository_are_read_from_each_revision(repository, capfd):
    module = repository / "site" / "modules" / "m" / "manifests"
    module.mkdir(parents=True)
    manifest = repository / "site" / "manifests" / "site.pp"
    manifest.write_text("include m\n")
    for number in (3, 4):
        (module / "init.pp").write_text(f"class m {{ notify {{ 'm {number}': }} }}\n")
        commit(repository, str(number))
    modules = repository / "site" / "modules"
    (module / "init.pp").write_text("class m { notify { 'neither': } }\n")
    code, out, _err = revisions(
        repository, capfd, "HEAD~1", "HEAD", "--match", "w1", "--modulepath", modules
    )
    assert code == exits.FINDINGS
    assert f"- Notify[m 3]   # {module / 'init.pp'}:1\n" in out
    assert f"+ Notify[m 4]   # {module / 'init.pp'}:1\n" in out
    assert "neither" not in out


def test_symbolic_links_in_a_revision(repository, capfd):
    (repository / "shared").mkdir()
    (repository / "shared" / "site.pp").write_text("notify { 'linked': }\n")
    manifests = repository / "site" / "manifests"
    git(repository, "rm", "-q", "-r", "-f", "site/manifests")
    manifests.symlink_to("../shared")
    commit(repository, "link")
    code, out, err = revisions(repository, capfd, "HEAD~1", "HEAD", "--match", "w2")
    assert (code, err) == (exits.FINDINGS, "")
    assert "+ Notify[linked]" in out


def test_a_revision_without_hiera_configuration_says_so(repository, capfd):
    git(repository, "rm", "-q", "site/hiera.yaml")
    git(repository, "checkout", "-q", "HEAD", "--", "site/manifests")
    commit(repository, "no hiera")
    code, _out, err = revisions(repository, capfd, "HEAD~1", "HEAD", "--match", "w1")
    assert code == exits.TROUBLE
    assert err.startswith("note: HEAD (")
    assert err.endswith(") has no hiera.yaml\n")


def test_no_checkout_is_written_unless_a_program_runs(repository, capfd):
    with calls_of(git_tree.check_out) as written:
        revisions(repository, capfd, "HEAD~1", "HEAD", "--jobs", "1")
    assert written == []


@pytest.mark.skipif(shutil.which("cat") is None, reason="needs cat")
def test_programs_see_the_files_of_the_revision(repository, capfd):
    manifest = repository / "site" / "manifests" / "site.pp"
    manifest.write_text(
        "$top = dirname($settings::manifest)\n"
        f"notify {{ generate('{shutil.which('cat')}', \"$top/data/common.yaml\"): }}\n"
    )
    commit(repository, "program")
    git(repository, "checkout", "-q", "HEAD~1", "--", "site/data")
    (repository / "site" / "data" / "common.yaml").write_text("k: value 3\n")
    commit(repository, "data")
    (repository / "site" / "data" / "common.yaml").write_text("k: value 4\n")
    code, out, _err = revisions(repository, capfd, "HEAD~1", "HEAD", "--match", "w1")
    assert code == exits.FINDINGS
    assert "- Notify[k: value 2" in out
    assert "+ Notify[k: value 3" in out
    _code, out, _err = revisions(repository, capfd, "HEAD", "--match", "w1")
    assert "+ Notify[k: value 4" in out


@needs_ruby
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ruby_sees_the_files_of_the_revision(jobs, repository, capfd):
    manifest = repository / "site" / "manifests" / "site.pp"
    manifest.write_text(
        '$file = "${dirname($settings::manifest)}/data/common.yaml"\n'
        "notify { inline_template('<%= ObjectSpace.class; File.read(@file) %>'): }\n"
    )
    commit(repository, "ruby")
    (repository / "site" / "data" / "common.yaml").write_text("k: value 3\n")
    commit(repository, "data")
    (repository / "site" / "data" / "common.yaml").write_text("k: value 4\n")
    arguments = ["HEAD~1", "HEAD", "--match", "w*", "--jobs", jobs]
    code, out, _err = revisions(repository, capfd, *arguments)
    assert code == exits.FINDINGS
    assert "- Notify[k: value 2" in out
    assert "+ Notify[k: value 3" in out
    assert "all 2 nodes differ" in out


def test_equal_changes_of_nodes_are_listed_once(tmp_path, capfd):
    for side in ("old", "new"):
        (tmp_path / side).mkdir()
        for node in ("a", "b", "c", "d"):
            code = "notify { 'all': }" if side == "new" else ""
            code += " notify { 'some': }" if side == "new" and node in "bc" else ""
            code += " notify { 'one': }" if side == "new" and node == "d" else ""
            (tmp_path / side / f"{node}.json").write_text(json.dumps(catalog(code, node)))
    names = tmp_path / "old", tmp_path / "new"
    code, out, _err = ran(capfd, *names, "--no-edges")
    assert code == exits.FINDINGS
    assert out.splitlines()[2:] == [
        "all 4 nodes differ (1 added)",
        "+ Notify[all]",
        "2 nodes differ (1 added): b, c",
        "+ Notify[some]",
        "d: differs (1 added)",
        "+ Notify[one]",
        "4 differ, 0 failed, 0 same; resources: 7 added",
    ]
    _code, out, _err = ran(capfd, *names, "--no-edges", "--format", "json")
    groups = json.loads(out)["groups"]
    assert [group["nodes"] for group in groups] == [["a", "b", "c", "d"], ["b", "c"], ["d"]]
    change = {"kind": "added", "resource": "Notify[some]", "text": "+ Notify[some]"}
    assert groups[1]["changes"] == [change]
    _code, out, _err = ran(capfd, *names, "--no-edges", "--format", "markdown")
    assert out.count("<details>") == out.count("+ Notify") == 3
    _code, out, _err = ran(capfd, *names, "--no-edges", "--format", "html")
    assert out.count('<details class="group"') == 3


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("File[/etc/motd]", ["/etc/x", "/new", "/old"]),
        ("file[/etc/*]", ["/new", "/old"]),
        ("*[*]", []),
        ("Notify[*]", ["/etc/motd", "/etc/x", "/new", "/old"]),
        ("File[*]+", ["/etc/motd", "/etc/x", "/old"]),
        ("File[*]-", ["/etc/motd", "/etc/x", "/new"]),
        ("File[*]+-", ["/etc/motd", "/etc/x"]),
        ("File[/etc/*]::parameters::mode", ["/etc/motd", "/new", "/old"]),
        ("File[/etc/*]::mode", ["/etc/motd", "/new", "/old"]),
        ("File[*]::parameters::mode=+>0600", ["/etc/motd", "/new", "/old"]),
        ("File[*]::parameters::mode=->0600", ["/etc/motd", "/etc/x", "/new", "/old"]),
        ("File[*]::parameters::mode=>0644", ["/etc/motd", "/new", "/old"]),
        ("File[*]::parameters::content=~>^he", ["/etc/x", "/new", "/old"]),
        ("File[*]+::parameters::mode", ["/etc/motd", "/etc/x", "/new", "/old"]),
    ],
)
def test_changes_that_are_ignored(pattern, left, tmp_path, capfd):
    for side, code in {
        "a": "file { '/etc/motd': content => 'hello' } file { '/etc/x': mode => '0644' }"
        " file { '/old': }",
        "b": "file { '/etc/motd': content => 'bye' } file { '/etc/x': mode => '0600' }"
        " file { '/new': }",
    }.items():
        (tmp_path / f"{side}.json").write_text(json.dumps(catalog(code)))
    names = tmp_path / "a.json", tmp_path / "b.json"
    code, out, _err = ran(capfd, *names, "--ignore", pattern, "--format", "json")
    (node,) = json.loads(out)["nodes"]
    found = [one["resource"] for kind in ("added", "removed", "changed") for one in node[kind]]
    assert sorted(found) == [f"File[{title}]" for title in left]
    edges = [edge for edge in node["edges"]["added"] if "File[/new]" in edge]
    assert bool(edges) == ("/new" in left)
    assert code == (exits.FINDINGS if left or edges else exits.OK)


@pytest.mark.parametrize("pattern", ["File", "File[", "File[a]::x::y", "*[*]::a=~>["])
def test_patterns_that_are_wrong(pattern, files, capfd):
    code, out, err = ran(capfd, *files, "--ignore", pattern)
    assert (code, out) == (exits.TROUBLE, "")
    assert "Type[title]" in err


def test_a_parameter_of_all_resources_and_exit_zero(files, capfd):
    _code, out, _err = ran(capfd, *files, "--ignore-attr", "mode", "--ignore-attr", "password")
    assert "0600" not in out
    assert "password" not in out
    assert ran(capfd, *files, "--exit-zero")[0] == exits.OK


def test_sides_of_different_kinds(files, capfd):
    for sides in ((files[0], files[0].parent), ("HEAD", files[0].parent), (files[0],), "abc"):
        code, _out, err = ran(capfd, *sides)
        assert code == exits.TROUBLE
        assert "compare" in err


def test_the_project_is_found(repository, capfd, monkeypatch):
    """The root of the repository has no environment; the project below it is used."""
    git(repository, "checkout", "-q", "HEAD", "--", ".")
    (repository / "site" / "environment.conf").write_text("modulepath = code\n")
    module = repository / "site" / "code" / "m" / "manifests"
    module.mkdir(parents=True)
    (module / "init.pp").write_text("class m { notify { 'old': } }\n")
    (repository / "site" / "manifests" / "site.pp").write_text("include m\n")
    commit(repository, "module")
    (module / "init.pp").write_text("class m { notify { 'new': } }\n")
    for directory in (repository, repository / "site", repository / "site" / "data"):
        monkeypatch.chdir(directory)
        code, out, err = ran(capfd, "--facts-folder", repository.parent / "facts")
        assert (code, err) == (exits.FINDINGS, "")
        assert f"+ Notify[new]   # {os.path.relpath(module / 'init.pp', directory)}:1\n" in out


def test_a_directory_of_environments(repository, capfd, monkeypatch):
    git(repository, "checkout", "-q", "HEAD", "--", ".")
    (repository / "environments").mkdir()
    git(repository, "mv", "site", "environments/production")
    commit(repository, "environments")
    (repository / "environments" / "production" / "data" / "common.yaml").write_text("k: new\n")
    monkeypatch.chdir(repository)
    facts = ["--facts-folder", repository.parent / "facts", "--match", "w1"]
    for more in ([], ["--environmentpath", "environments"]):
        code, out, err = ran(capfd, *facts, *more)
        assert (code, err) == (exits.FINDINGS, "")
        assert "+ Notify[new]" in out
        assert "- Notify[value 2]" in out


SERVER_HIERA = """\
version: 5
hierarchy:
  - name: common
    data_hash: yaml_data
    path: common.yaml
    datadir: 'ENVIRONMENTS/%{environment}/hieradata'
"""


@pytest.mark.parametrize("environments", ENVIRONMENT_PATHS)
def test_data_by_its_place_on_the_server_is_that_of_the_revision(
    environments, tmp_path, monkeypatch, capfd
):
    root = tmp_path / "control"
    for name, text in (
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", "notify { lookup('message'): }\n"),
        ("facts/a.yaml", "{}\n"),
        ("hieradata/common.yaml", "message: one\n"),
        ("hiera.yaml", SERVER_HIERA.replace("ENVIRONMENTS", environments)),
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "one")):
        subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)
    (root / "hieradata/common.yaml").write_text("message: two\n")
    monkeypatch.chdir(root)
    main(["diff"])
    out, _ = capfd.readouterr()
    assert "+ Notify[two]" in out
    assert "- Notify[one]" in out


@pytest.mark.parametrize(
    "words", [("diff", "nope", "HEAD"), ("diff", "HEAD..nope"), ("affected", "nope")]
)
def test_an_unknown_revision_is_named_before_missing_facts(words, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "environment.conf").touch()
    author = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    for command in (("init", "-q"), (*author, "commit", "-q", "--allow-empty", "-m", "x")):
        subprocess.run(["git", *command], check=True)
    assert main(list(words)) == exits.TROUBLE
    assert "'nope' is not a revision of this repository" in capfd.readouterr().err


def test_nodes_that_lack_one_class_are_one_group_with_the_missing_modules(
    tmp_path, monkeypatch, capfd
):
    for name, text in (
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", "include apache\n"),
        ("Puppetfile", "mod 'example-apache', '1.0.0'\n"),
        ("facts/a.yaml", "{}\n"),
        ("facts/b.yaml", "{}\n"),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "one")):
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)
    monkeypatch.chdir(tmp_path)
    assert main(["diff"]) == exits.TROUBLE
    out, err = capfd.readouterr()
    assert "all 2 nodes failed\n" in out
    assert "Could not find class ::apache [UNKNOWN_CLASS]" in out
    advice = "are not installed (apache); run 'bunraku modules install'\n"
    assert err.endswith(advice)
    assert main(["compile", "--nodes"]) == exits.FINDINGS
    assert capfd.readouterr().err.endswith(advice)
