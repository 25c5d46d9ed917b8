"""Nodes that stand for what a control repository has, where no facts of nodes are known."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.workbench.ci import hierarchy
from bunraku.workbench.ci.assumed_systems import assumed_systems
from bunraku.workbench.ci.base import BRANCHES, COMMITS
from bunraku.workbench.ci.hierarchy import hierarchy_files
from bunraku.world.dictionary import DictionaryWorld
from support.calls import calls_of

EXAMPLE = Path(__file__).parents[2] / "examples" / "control-repo"
WHO = ("-c", "user.name=t", "-c", "user.email=t@example.com")
HIERARCHY = "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n"

ASSUMED = (
    "no facts of nodes are known: 5 nodes are compiled with those of debian-12 or rocky-9; "
    "--os NAME selects others, facts/NODE.yaml has those of a node"
)


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """No variables of a CI system, and a cache of its own."""
    for variable in (*COMMITS, *BRANCHES):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A function that makes a repository of files by name, or of the example without facts."""

    def make(files=None):
        root = tmp_path / "control"
        if files is None:
            shutil.copytree(EXAMPLE, root)
            shutil.rmtree(root / "facts")
        for name, text in (files or {}).items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        commit(root, "init", "-q", "-b", "main")
        monkeypatch.chdir(root)
        return root

    return make


def commit(root, *first):
    steps = (first,) if first else ()
    for words in (*steps, ("add", "-A"), ("commit", "-qm", "a commit")):
        subprocess.run(["git", *WHO, *words], cwd=root, check=True, capture_output=True)


def run(capfd, *words):
    code = main(list(words))
    out, err = capfd.readouterr()
    return code, out, err


def nodes_of(root, capfd, *words):
    """The nodes that ``ci`` compiles, with its exit code and notes."""
    code, _, err = run(capfd, "ci", "--report", "json=../ci.json", *words)
    assert (root.parent / "ci.json").exists(), err
    data = json.loads((root.parent / "ci.json").read_text())
    comparison = data["comparison"]
    names = [one["node"] for one in comparison["nodes"]] if comparison else []
    return code, names, [*data["notes"], *data["not_checked"]]


def test_a_fresh_clone_is_checked(clone, capfd):
    root = clone()
    code, names, notes = nodes_of(root, capfd)
    assert code == exits.OK, notes
    assert names == [
        "role.database.debian-12-x86_64",
        "role.database.rocky-9-x86_64",
        "role.web.debian-12-x86_64",
        "role.web.rocky-9-x86_64",
        "web02.example.com",
    ]
    assert notes == [ASSUMED]
    text = (root / "site-modules/profile/manifests/base.pp").read_text()
    (root / "site-modules/profile/manifests/base.pp").write_text(text.replace("ntp", "ntpp"))
    assert nodes_of(root, capfd)[0] == exits.FINDINGS


def test_invented_nodes_have_names_and_domains_as_hosts_have_them(clone, capfd):
    check = (
        "class role::{0} {{\n"
        "  $names = [$trusted['hostname'], $trusted['domain'], $facts['networking']['fqdn'], $fqdn]\n"
        "  $names.each |Pattern[/\\A[a-z0-9-]+(\\.[a-z]+)*\\z/] $one| {{ }}\n"
        "  if $trusted['domain'] != 'example.com' {{ fail('domain') }}\n"
        "}}\n"
    )
    files = {"environment.conf": "modulepath = site\n"}
    for name in ("web_front", "db"):
        files[f"site/role/manifests/{name}.pp"] = check.format(name)
    root = clone(files)
    code, names, notes = nodes_of(root, capfd, "--os", "debian-12")
    assert (code, notes) == (exits.OK, [])
    assert names == ["role.db.debian-12-x86_64", "role.web_front.debian-12-x86_64"]


def test_notes_have_no_paths_of_the_machine(clone, capfd):
    files = {
        "environment.conf": "",
        "manifests/site.pp": "include apache\n",
        "Puppetfile": "mod 'example-apache', '1.0.0'\n",
    }
    root = clone(files)
    code, out, err = run(capfd, "ci")
    assert code == exits.TROUBLE, err
    assert str(root) not in out
    assert (
        "modules in Puppetfile are not installed (apache); run 'bunraku modules install'\n" in out
    )


def test_submodules_that_are_not_checked_out_are_not_faults(clone, capfd):
    files = {
        ".gitmodules": '[submodule "ntp"]\n  path = modules/ntp\n  url = /nowhere\n',
        "environment.conf": "modulepath = modules:site\n",
        "site/role/manifests/a.pp": "class role::a { notify { 'a': } }\n",
    }
    root = clone(files)
    (root / "modules/ntp").mkdir(parents=True)
    (root / "site/role/manifests/a.pp").write_text("class role::a { include ntp }\n")
    code, _, notes = nodes_of(root, capfd, "--os", "debian-12")
    assert code == exits.TROUBLE
    assert notes == [
        "1 node (role.a.debian-12-x86_64): modules that are not installed define what they use",
        "git submodules are not checked out (modules/ntp); run 'git submodule update --init'",
    ]


def test_classes_on_operating_systems(clone, capfd):
    root = clone()
    words = ("--classes", "profile::*", "--os", "rocky-9", "--os", "ubuntu-24.04")
    _, names, notes = nodes_of(root, capfd, *words)
    assert {one.partition(".")[0] for one in names} == {"profile"}
    assert "profile.ntp.ubuntu-24.04-x86_64" in names
    assert "profile.ntp.rocky-9-x86_64" in names
    assert notes == []
    code, _, notes = nodes_of(root, capfd, "--classes", "profle::*")
    assert (code, notes) == (
        exits.TROUBLE,
        ["no nodes were compiled: no class matches --classes"],
    )


def test_compile_diff_and_affected_take_the_same_nodes(clone, capfd):
    root = clone()
    with (root / "environment.conf").open("a") as file:
        file.write("config_version = /bin/false\n")
    commit(root)
    words = ("--os", "rocky-9", "--classes", "role::*")
    code, out, err = run(capfd, "compile", "--nodes", *words, "--summary", "json")
    assert code == exits.OK, err
    compiled = {one["node"] for one in json.loads(out)["nodes"]}
    assert compiled == {"role.database.rocky-9-x86_64", "role.web.rocky-9-x86_64"}
    common = root / "data/common.yaml"
    common.write_text(common.read_text().replace("port: 80\n", "port: 8443\n"))
    code, out, err = run(capfd, "affected", *words)
    assert "1 of 2 nodes affected" in out, err
    code, out, err = run(capfd, "diff", *words)
    assert "role.web.rocky-9-x86_64: differs" in out, err
    code, _, err = run(capfd, "diff")
    assert "no facts of nodes are known: 5 nodes are compiled with those of debian-12 or" in err
    code, _, err = run(capfd, "diff", "--classes", "x")
    assert (code, "no class matches --classes" in err) == (exits.TROUBLE, True)


@pytest.mark.parametrize("words", [["--os", "debian"], ["--classes", "x"]])
def test_facts_of_nodes_and_assumed_ones_are_not_mixed(clone, capfd, words):
    (clone() / "facts").mkdir()
    for command in (["ci"], ["diff"], ["affected"], ["compile", "--nodes"]):
        code, _, err = run(capfd, *command, *words, "--facts-folder", "facts")
        assert (code, f"give {words[0]} or facts of nodes, not both" in err) == (2, True), command


def test_data_names_nodes_and_systems(clone, capfd):
    files = {
        "environment.conf": "",
        "manifests/site.pp": "node default { lookup('classes', Array, 'unique', []).include }\n",
        "hiera.yaml": HIERARCHY + "- name: n\n  paths: ['nodes/%{facts.networking.fqdn}.yaml', "
        "'os/%{facts.os.name}/%{facts.os.release.major}.yaml', 'family/%{::osfamily}.yaml', common.yaml]\n",
        "data/nodes/web1.example.com.yaml": "classes: [web]\n",
        "data/os/Ubuntu/22.04.yaml": "a: 1\n",
        "data/family/Suse.yaml": "a: 1\n",
        "data/common.yaml": "classes: [base]\n",
        "modules/base/manifests/init.pp": "class base { }\n",
        "modules/web/manifests/init.pp": "class web { notify { $facts['os']['name']: } }\n",
        "modules/web/manifests/unused.pp": "class web::unused { }\n",
    }
    root = clone(files)
    code, names, notes = nodes_of(root, capfd)
    assert code == exits.OK
    assert names == ["base.sles-15-x86_64", "base.ubuntu-22.04-x86_64", "web1.example.com"]
    assert "3 nodes are compiled with those of ubuntu-22.04 or sles-15" in notes[0]


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("facts.role", "facts['role']"),
        ("::role", "::role"),
        ("trusted.extensions.pp_role", "trusted['extensions']['pp_role']"),
    ],
)
def test_a_level_of_roles_names_nodes(clone, capfd, variable, value):
    files = {
        "environment.conf": "",
        "manifests/site.pp": f'notify {{ "role is ${{{value}}}": }}\n',
        "hiera.yaml": HIERARCHY + f"- name: n\n  path: 'role/%{{{variable}}}.yaml'\n",
        "data/role/web.yaml": "a: 1\n",
        "data/role/mail.yaml": "a: 1\n",
    }
    root = clone(files)
    _, names, _ = nodes_of(root, capfd)
    assert names == [
        f"{role}.{system}-x86_64" for role in ("mail", "web") for system in ("debian-12", "rocky-9")
    ]
    site = root / "manifests/site.pp"
    site.write_text(site.read_text().replace("role is", "role:"))
    out = run(capfd, "ci")[1]
    assert "+ Notify[role: mail]" in out
    assert "+ Notify[role: web]" in out


def test_without_roles_the_profiles_count_that_no_other_declares(clone, capfd):
    files = {
        "environment.conf": "modulepath = site\n",
        "manifests/site.pp": "node default { }\n",
        "site/profile/manifests/base.pp": "class profile::base { }\n",
        "site/profile/manifests/web.pp": "class profile::web { include profile::base }\n",
    }
    assert nodes_of(clone(files), capfd)[1] == [
        "profile.web.debian-12-x86_64",
        "profile.web.rocky-9-x86_64",
    ]


def test_files_of_a_classifier_name_nodes(clone, capfd):
    files = {
        "environment.conf": "",
        "manifests/site.pp": "node default { }\n",
        "enc/web1.example.com.yaml": "classes: [web]\n",
        "modules/web/manifests/init.pp": "class web { notify { here: } }\n",
    }
    root = clone(files)
    words = ("--node-terminus", "yaml", "--external-nodes", "enc")
    assert nodes_of(root, capfd, *words)[1] == ["web1.example.com"]


@pytest.mark.parametrize(
    "code",
    [
        "notify { a: }",
        "node default { notify { a: } }",
        "node /[a-z]x/ { fail('x') }\nnotify { a: }",
    ],
)
def test_code_that_every_node_has_is_compiled_for_one(clone, capfd, code):
    root = clone({"environment.conf": "", "manifests/site.pp": f"{code}\n"})
    (root / "manifests/site.pp").write_text(f"{code}\n".replace("{ a:", "{ b:"))
    assert nodes_of(root, capfd)[1] == ["default.debian-12-x86_64", "default.rocky-9-x86_64"]
    assert "+ Notify[b]" in run(capfd, "ci")[1]


def test_patterns_of_node_definitions_give_a_node_each(clone, capfd):
    site = "node /^web\\d+\\.(prod|test)\\.example\\.com$/ { notify { a: } }\nnode /^[[:upper:]]$/ { }\n"
    root = clone({"environment.conf": "", "manifests/site.pp": site})
    code, names, _ = nodes_of(root, capfd)
    assert (code, names) == (exits.OK, ["web1.prod.example.com"])


def test_a_repository_that_names_nothing_is_not_checked(clone, capfd):
    root = clone({"environment.conf": "", "manifests/site.pp": "node default { }\n"})
    code, names, notes = nodes_of(root, capfd)
    assert (code, names) == (exits.TROUBLE, [])
    assert notes[0].startswith("no nodes were compiled: there are no facts of nodes")
    code, _, err = run(capfd, "compile", "--nodes")
    assert (code, "no nodes were compiled" in err) == (exits.TROUBLE, True)


ONCEOVER = """classes: [/^role/]
nodes: [web-debian]
test_matrix:
  - all_nodes: {classes: all_classes, tests: spec}
functions:
  query_it: {type: rvalue, returns: [x, 1, {a: it's}]}
  nothing: {type: statement}
"""


def test_code_of_onceover_runs_before_each_class(clone, capfd):
    web = {"name": "web", "values": {"fqdn": "a.b", "trusted": {"extensions": {"pp_role": "web"}}}}
    files = {
        "environment.conf": "modulepath = site:modules\n",
        "manifests/site.pp": "$team = 'a'\nnode default { fail('no role') }\n",
        "site/role/manifests/foo.pp": 'class role::foo { notify { "foo ${::role} ${::team}": } }\n',
        "site/role/manifests/bar.pp": "class role::bar {\n  nothing()\n  $q = query_it('y')\n"
        "  notify { \"bar ${q} ${trusted['extensions']['pp_role']}\": }\n}\n",
        "spec/onceover.yaml": ONCEOVER,
        "spec/factsets/web-debian.json": json.dumps(web),
        "spec/pre_conditions/mock.pp": "$role = regsubst($onceover_class, '::', '-')\n"
        "service { $onceover_node: }\n",
    }
    root = clone(files)
    code, names, notes = nodes_of(root, capfd)
    assert (code, notes) == (exits.OK, [])
    assert names == ["role.bar.web-debian", "role.foo.web-debian"]
    for name in ("foo", "bar"):
        path = root / f"site/role/manifests/{name}.pp"
        path.write_text(path.read_text().replace('notify { "', 'query_it() notify { "new '))
    code, out, _ = run(capfd, "ci")
    assert "+ Notify[new foo role-foo a]" in out
    assert "+ Notify[new bar [x, 1, {a => it's}] web]" in out
    assert "UNKNOWN_FUNCTION" not in out
    code, out, err = run(capfd, "compile", "--nodes", "--output-folder", "../catalogs")
    assert code == exits.OK, out + err
    catalog = (root.parent / "catalogs/role.foo.web-debian.json").read_text()
    assert '"title": "web-debian"' in catalog


def test_fact_sets_of_onceover_are_operating_systems(clone, capfd):
    files = {
        "environment.conf": "modulepath = site\n",
        "site/role/manifests/a.pp": "class role::a { }\n",
        "site/role/manifests/b.pp": "class role::b { notify { $facts['os']['name']: } }\n",
        "spec/onceover.yaml": "classes: [/^role/]\nnodes: [RHEL-9.0-64, Plan9-4-64]\ntest_matrix:\n"
        "- all_nodes: {classes: {include: all_classes, exclude: [role::a]}}\n",
    }
    code, names, notes = nodes_of(clone(files), capfd)
    assert (code, names) == (exits.TROUBLE, ["role.b.rhel-9.0-64"])
    assert notes == [
        "no facts of Plan9-4-64 in spec/onceover.yaml: put NODE.json into spec/factsets, or install FacterDB"
    ]


def test_an_empty_matrix_of_onceover_names_no_node(clone, capfd):
    files = {
        "environment.conf": "modulepath = site\n",
        "site/role/manifests/a.pp": "class role::a { }\n",
        "spec/onceover.yaml": "classes:\nnodes:\ntest_matrix:\n",
    }
    assert nodes_of(clone(files), capfd)[1] == ["role.a.debian-12-x86_64", "role.a.rocky-9-x86_64"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["family/RedHat"], ["rocky-9"]),
        (["family/RedHat", "os/CentOS/7", "os/CentOS/9"], ["centos-9"]),
        (["name/Ubuntu", "family/Debian"], ["ubuntu-24.04"]),
        (["family/Windows", "name/OracleLinux"], ["windows-2022", "oraclelinux-10"]),
        (["name/Plan9"], ["debian-12", "rocky-9"]),
    ],
)
def test_systems_are_those_that_levels_name_most_exactly(names, expected):
    world = DictionaryWorld(
        {
            "/s/hiera.yaml": f"{HIERARCHY}- name: n\n  paths: ['family/%{{os.family}}.yaml', "
            "'name/%{facts.os.name}.yaml', 'os/%{os.name}/%{os.release.major}.yaml']\n".encode(),
            **{f"/s/data/{name}.yaml": b"a: 1" for name in names},
        }
    )
    assert set(assumed_systems(hierarchy_files("/s", None, world), (), world)) == set(expected)


def test_metadata_of_roles_names_systems():
    text = {
        "operatingsystem_support": [
            {"operatingsystem": "CentOS", "operatingsystemrelease": ["7", "8"]},
            {"operatingsystem": "Debian", "operatingsystemrelease": ["11"]},
        ]
    }
    world = DictionaryWorld({"/s/role/metadata.json": json.dumps(text).encode()})
    assert assumed_systems((), ["/s/role"], world) == ("debian-11", "centos-8")


def test_paths_of_templates_are_relative_in_both_states(clone, capfd):
    files = {
        "environment.conf": "",
        "manifests/site.pp": "include a\n",
        "modules/a/manifests/init.pp": "class a { notify { template('a/t.erb'): } }\n",
        "modules/a/templates/t.erb": "<%= @unknown %>\n",
    }
    root = clone(files)
    (root / "README.md").write_text("new\n")
    run(capfd, "ci", "--report", "json=../ci.json")
    data = json.loads((root.parent / "ci.json").read_text())
    assert (data["diagnostics"], data["gone"]) == ([], [])
    assert str(root) not in json.dumps(data["unchanged"])
    assert "modules/a/templates/t.erb" in {one["file"] for one in data["unchanged"]}


@pytest.mark.skipif(not os.path.isdir("/dev/shm"), reason="there is no /dev/shm")
def test_findings_are_the_same_where_only_the_root_is_above_both(clone, capfd, monkeypatch):
    root = clone()
    (root / "manifests/old.pp").write_text("unknown_one()\n")
    commit(root)
    (root / "README.md").write_text("new\n")
    monkeypatch.setenv("TMPDIR", "/dev/shm")
    run(capfd, "ci", "--report", "json=../ci.json")
    data = json.loads((root.parent / "ci.json").read_text())
    assert (data["diagnostics"], data["gone"]) == ([], [])
    assert [one["code"] for one in data["unchanged"]] == ["UNKNOWN_FUNCTION"]


def test_directories_of_data_are_searched_once_for_all_levels():
    """A path for each role is usual; the search would take the product of levels and files."""
    levels = "".join(
        f"  - {{name: l{at}, path: 'l{at}/%{{facts.role}}.yaml'}}\n" for at in range(40)
    )
    files = {f"/s/data/l{at}/web.yaml": b"a: 1" for at in range(40)}
    world = DictionaryWorld({"/s/hiera.yaml": (HIERARCHY + levels).encode(), **files})
    with calls_of(hierarchy.names_in) as calls:
        found = hierarchy_files("/s", None, world)
    assert sorted(one.path for one in found) == sorted(files)
    assert len(calls) == 41
