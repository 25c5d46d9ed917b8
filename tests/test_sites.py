"""The tool that compares whole sites: it analyses a small site and makes up missing parts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

import bunraku
from record.sites_modules import locked, revision
from rigs.sites.comparison import differences, in_terms_of_3, reworded
from rigs.sites.copies import missing_files, write
from rigs.sites.definitions import read
from rigs.sites.environment import Environment, edit, environment_of, make_repository
from rigs.sites.hosts import full_name, hosts
from rigs.sites.keys import Keys, secret_of
from rigs.sites.layout import Site
from rigs.sites.machines import facts
from rigs.sites.private import made_up, missing_keys
from rigs.sites.run import Options, run
from rigs.sites.samples import generated, matching
from rigs.sites.sides import from_data
from rigs.sites.stand_ins import StandIns, summarised

FILES = {
    "environment.conf": "modulepath = site:$basemodulepath\n",
    "hiera.yaml": "version: 5\nhierarchy:\n- {name: n, path: 'nodes/%{facts.networking.fqdn}.yaml'}\n",
    "data/nodes/one.example.org.yaml": "profile::web::port: 81\n",
    "manifests/site.pp": "File { mode => '0600' }\nnode /^web[23]\\.a\\./ { include profile::web }\n"
    "node default { include lookup('classes') }\n",
    "site/profile/types/level.pp": "type Profile::Level = Enum['low', 'high']\n",
    "site/profile/manifests/web.pp": "class profile::web(Integer $port, Profile::Level $level,\n"
    "Sensitive[String] $secret, Array[Pattern[/\\Aweb/]] $peers, Struct[{a => String, Optional[b] => Integer,\n"
    "c => Optional[String]}] $table) { file { '/web': content => \"${port} ${level}\" } }\n",
    "site/profile/manifests/base.pp": "class profile::base { $k = lookup('key') $k.each |$n, $v| { } }\n",
}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    for name, text in FILES.items():
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Site(tmp_path / "site")


def definitions(site: Site):
    modules = [path for one in site.modules().values() for path in sorted(one.rglob("*.pp"))]
    return read([*site.manifests(), *modules])


def test_the_parts_of_a_site(site):
    assert site.own_modulepath == [str(site.root / "site")]
    assert [path.name for path in site.manifests()] == ["site.pp"]
    assert [level["datadir"] for level in site.levels()] == [str(site.root / "data")]
    listed = hosts(site, definitions(site), "example.org", "roles", {})
    assert [(one.label, one.name) for one in listed] == [
        ("node web2.a.example.org", "web2.a.example.org"),
        ("node default.example.org", "default.example.org"),
        ("host one.example.org", "one.example.org"),
        ("profile::base", "profile-base.example.org"),
        ("profile::web", "profile-web.example.org"),
    ]


def test_data_are_made_up_for_declared_types(site):
    data = made_up(site, definitions(site), {"given": 1})
    assert isinstance(data["profile::web::port"], int)
    assert data["profile::web::level"] == "low"
    assert list(data["profile::web::table"]) == ["a"]
    assert data["lookup_options"] == {"profile::web::secret": {"convert_to": "Sensitive"}}
    assert data["key"] == {}
    assert data["given"] == 1
    assert made_up(site, definitions(site), {"given": 1}) == data


def test_missing_keys_of_messages():
    assert list(missing_keys("did not find a value for the name 'a::b' on node x")) == ["a::b"]
    several = (
        "Class[A::B]:\n  expects a value for parameter 'c'\n  parameter 'd' expects a String\n"
    )
    assert list(missing_keys(several)) == ["a::b::c", "a::b::d"]


def test_texts_for_patterns():
    assert generated(r"^cp([12][079]1)\.example\.net$") == "cp101.example.net"
    assert matching(r"\A/([^\n\/\0]+\/*)*\z") == "/srv/example"
    assert full_name("db1.eqiad.", "wmnet") == "db1.eqiad.wmnet"


def test_facts_of_another_system():
    found = facts("redhat-9", "web.example.net", {"os.selinux.enabled": False, "site": "x"})
    assert found["os"]["family"] == found["osfamily"] == "RedHat"
    assert found["os"]["selinux"]["enabled"] is False
    assert found["networking"]["fqdn"] == "web.example.net"
    assert found["site"] == "x"


def repository(folder: Path, files: dict[str, str]) -> Path:
    """Make a git repository with some files."""
    for name, text in files.items():
        write(folder / name, text)
    make_repository(folder)
    for words in (
        ["add", "-A"],
        ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", "-C", str(folder), *words], check=True)
    return folder


def test_an_environment_is_laid_out_as_on_a_server(tmp_path):
    levels = {
        "version": 5,
        "hierarchy": [
            {"name": "secret", "lookup_key": "eyaml_lookup_key", "path": "secret.yaml"},
            {"name": "server", "datadir": "/srv/hiera/%{environment}", "path": "a.yaml"},
        ],
    }
    site = repository(
        tmp_path / "owner+site",
        {
            "environment.conf": "modulepath = site:modules\nconfig_version = bin/version\n",
            "Puppetfile": "mod 'puppet/ntp', '1.0.0'\nmod 'other/missing'\n",
            "hiera.yaml": json.dumps(levels),
            "data/secret.yaml": "password: ENC[PKCS7,MIIabc]\n",
            "site/profile/manifests/key.pp": "class profile::key { file('/srv/key', '/srv/keys') }\n",
            "site/profile/functions/ask.pp": "function profile::ask() { }\n",
        },
    )
    version = json.dumps({"name": "puppet-ntp", "version": "1.0.0"})
    repository(tmp_path / "mirror/voxpupuli+puppet-ntp", {"metadata.json": version})
    repository(tmp_path / "mirror/aaa+puppet-ntp", {"metadata.json": "{}"})
    owner = {
        "outside": {"/srv/key": ""},
        "datadirs": {"/srv/hiera": "data"},
        "functions": {"profile::ask": "x", "query": [1]},
        "edited": {"site/profile/manifests/key.pp": {"'/srv/keys'": "'/srv/other'"}},
    }
    environment = environment_of(site, owner, tmp_path / "mirror", tmp_path / "place")
    root = environment.root
    assert (environment.missing, environment.fetched) == (["other-missing"], ["ntp"])
    assert (root / "modules/ntp/metadata.json").read_text("utf-8") == version
    manifest = (root / "site/profile/manifests/key.pp").read_text("utf-8")
    assert f"file('{environment.outside}/srv/key', '/srv/other')" in manifest
    with pytest.raises(ValueError, match="has 'absent' 0 times"):
        edit(root / "hiera.yaml", {"absent": ""})
    written = [str(path.relative_to(root)) for path in sorted(root.rglob("*.rb"))]
    assert written == [
        "lib/puppet/functions/query.rb",
        "site/profile/lib/puppet/functions/profile/ask.rb",
    ]
    assert not (root / "site/profile/functions/ask.pp").exists()
    config = yaml.safe_load((root / "hiera.yaml").read_text("utf-8"))
    assert [one.get("datadir") for one in config["hierarchy"]] == [
        None,
        "data/%{environment}",
        "generated_data",
    ]
    assert environment_of(site, owner, tmp_path / "mirror", tmp_path / "place") == environment


def test_encrypted_data_can_be_read_with_generated_keys(tmp_path):
    keys = Keys(tmp_path)
    text = keys.replaced(b"a: ENC[PKCS7,one]\nb: ENC[PKCS7,two]\n")
    assert keys.replaced(b"a: ENC[PKCS7,one]\nb: ENC[PKCS7,two]\n") == text
    write(tmp_path / "data/common.yaml", text.decode())
    level = {"name": "c", "lookup_key": "eyaml_lookup_key", "path": "common.yaml"}
    levels = [{**level, "options": keys.options()}]
    write(tmp_path / "hiera.yaml", json.dumps({"version": 5, "hierarchy": levels}))
    found = bunraku.lookup("a", hiera_config=str(tmp_path / "hiera.yaml"))
    assert found == secret_of(b"ENC[PKCS7,one]").decode()


def test_differences_of_answers():
    resource = {"type": "File", "title": "/a", "parameters": {"a": 1, "b": 2}, "tags": ["x", "y"]}
    other = {**resource, "parameters": {"b": 2, "a": 1}, "tags": ["x"]}
    names = ("virtual", "classes", "edges", "relationships", "notices", "logs")
    empty = {name: [] for name in names}
    answers = [{**empty, "status": "ok", "resources": [one]} for one in (resource, other)]
    assert list(differences(*answers)) == [
        "order of the parameters of File",
        "tags of File: without ['y'], with []",
    ]
    assert not list(differences(answers[0], answers[0]))


def test_messages_with_the_stack_of_a_function():
    stack = (
        ' at ["/m/a.pp", 114]:["/m/b.pp", 83]\n (location: /m/deprecation.rb:34:in `deprecation\')'
    )
    assert reworded(f"Replace it{stack}", "Replace it")
    assert not reworded(f"Replace it{stack}", "Replace")


def test_nodes_by_classifier(tmp_path, site):
    node = {"parameters": {"role": "web"}, "facts": {"x": 1}, "data": {"k": 2}}
    owner = {"nodes": {"a": node}, "roles": []}
    (one,) = hosts(site, definitions(site), "example.org", "roles", owner)
    assert (one.name, one.classified, one.facts, one.data) == (
        "a.example.org",
        {"parameters": {"role": "web"}},
        {"x": 1},
        {"k": 2},
    )


def test_a_sample_has_roles_and_then_profiles_that_no_class_declares(site):
    write(site.root / "site/role/manifests/a.pp", "class role::a {\n  include profile::web\n}\n")
    owner = {"machines": False, "not_nodes": ["node default.example.org"]}
    found = hosts(site, definitions(site), "example.org", "roles", owner, 3)
    assert [one.label for one in found] == [
        "node web2.a.example.org",
        "role::a",
        "profile::base",
    ]


def test_classes_of_a_classifier_that_reads_data(tmp_path):
    environment = Environment(tmp_path, tmp_path)
    write(environment.root / "roles/web.yaml", "classes: {b: {x: 1}}\nparameters: {p: 2}\n")
    owner = {"classifier_data": ["base.yaml", "roles/%{role}.yaml"]}
    found = from_data(environment, owner, {"classes": {"a": {}}, "parameters": {"role": "web"}})
    assert found == {
        "classes": {"a": {}, "b": {"x": 1}},
        "parameters": {"role": "web", "p": 2},
    }


def test_files_that_an_error_says_are_missing():
    outside = Path("/outside")
    text = "secret(): invalid secret keys/a; No such file or directory @ rb_sysopen - /outside/b"
    found = missing_files(text, outside, {r"invalid secret ([\w/]+)": "/srv"})
    assert found == [Path("/outside/b"), Path("/outside/srv/keys/a")]


def test_the_revision_of_a_module(tmp_path, monkeypatch):
    for name in [one for one in os.environ if one.startswith("GIT_")]:
        monkeypatch.delenv(name)  # commits with one date have one digest
    folder = repository(tmp_path / "module", {"metadata.json": '{"version": "1.0.0"}'})
    git = ["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x@x"]
    for words in (["tag", "v0.9"], ["branch", "fork"]):
        subprocess.run([*git, *words], check=True)
    (newest, first) = subprocess.run(
        [*git, "rev-list", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.split()
    assert revision(folder, "0.9") == "refs/tags/v0.9"
    assert newest.startswith(revision(folder, "1.0.0"))
    assert revision(folder, "fork", "2025-01-01") == revision(folder, "", "2025-01-01") == first
    assert revision(folder, "") == "HEAD"


def test_the_revision_of_a_module_that_had_another_name(tmp_path, monkeypatch):
    for year, name in ((2001, "a-name"), (2002, "a-other"), (2003, "b-name")):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{year}-01-01T00:00:00Z")
        folder = repository(tmp_path / "module", {"metadata.json": json.dumps({"name": name})})
    words = ["git", "-C", str(folder), "rev-list", "--reverse", "HEAD", "--", "metadata.json"]
    commits = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    found = [revision(folder, "", f"{year}-06-01", "name") for year in (2001, 2002)]
    assert found == [commits[0], "HEAD"]


def test_modules_of_a_lock_file():
    text = "FORGE\n  specs:\n    a-one (1.2.3)\n      b-two (>= 1.0)\n"
    assert {name: one.version for name, one in locked(text).items()} == {"one": "1.2.3"}


def test_answers_in_the_terms_of_puppet_3():
    parameters = {"m": "0644", "a": ["x"], "b": 0, "c": {"d": [1, 2]}, "e": True}
    tags = ["80", "__node_regexp__b", "a"]
    resource = {"type": "A", "title": "x", "line": 3, "parameters": parameters, "tags": tags}
    of_number = {"type": "A", "title": "80", "parameters": {"name": "80", "apart": 1}}
    answer = {"resources": [resource, of_number], "logs": [{"message": "x"}]}
    found = in_terms_of_3(answer, ["A.apart"])
    resource, of_number = found["resources"]
    assert (resource["line"], resource["tags"], found["logs"]) == (None, ["a", "b"], [])
    assert of_number["parameters"] == {}
    expected = {"a": "x", "b": "0", "c": {"d": ["1", "2"]}, "e": True, "m": "420"}
    assert list(resource["parameters"].items()) == list(expected.items())


@pytest.mark.skipif(shutil.which("puppet") is None, reason="Puppet is not installed")
def test_a_run(site, tmp_path, capsys):
    site = repository(tmp_path / "owner+small", FILES)
    record = tmp_path / "record.json"
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    options = Options(
        site, mirror, None, tmp_path / "scratch", False, [], 0, True, True, False, record
    )
    run(options)
    out = capsys.readouterr().out
    assert "5 nodes; Puppet compiles 5, of these identical 5, in later runs too 5" in out
    (row,) = json.loads(record.read_text("utf-8")).values()
    assert row["nodes"] == 5
    assert row["causes"] == []


def test_folders_of_data_on_the_server(site):
    levels = [{"name": "a", "datadir": f"/etc/x/{name}"} for name in ("data", "private/data")]
    (site.root / "hiera.yaml").write_text(json.dumps({"version": 5, "hierarchy": levels}), "utf-8")
    assert [level["datadir"] for level in site.levels()] == [str(site.root / "data")]
    private = site.root / "site"
    given = Site(site.root, {"/etc/x/private/data": str(private)})
    assert [level["datadir"] for level in given.levels()] == [str(site.root / "data"), str(private)]


@pytest.fixture
def stand_ins(site, tmp_path):
    environment = Environment(tmp_path / "place", site.root)
    environment.root.parent.mkdir(parents=True)
    shutil.copytree(site.root, environment.root)
    return StandIns(environment, {})


def test_code_that_is_not_public_is_generated_from_errors(stand_ins):
    root = stand_ins.environment.root
    assert stand_ins.supply("Could not find declared class ::hitch (file: x.pp)", "n")
    assert (root / "modules/hitch/manifests/init.pp").read_text() == "class hitch() { }\n"
    error = "Class[Hitch]: has no parameter named 'port'\n  has no parameter named 'host'"
    assert stand_ins.supply(error, "n")
    assert not stand_ins.supply(error, "n")
    text = (root / "modules/hitch/manifests/init.pp").read_text()
    assert text == "class hitch(Any $port = undef, Any $host = undef) { }\n"
    assert not stand_ins.supply("Class[Apache]: has no parameter named 'old'", "n")
    assert stand_ins.supply("Unknown resource type: 'a::b'", "n")
    assert stand_ins.supply("A::B[x]: has no parameter named 'c'", "n")
    assert (root / "modules/a/manifests/b.pp").read_text() == "define a::b(Any $c = undef) { }\n"
    assert stand_ins.supply("Unknown function: 'is_it'.", "n")
    assert "nil" in (root / "lib/puppet/functions/is_it.rb").read_text()
    assert stand_ins.supply("Resource type not found: Stdlib::Compat::Array (file: y)", "n")
    assert (root / "modules/stdlib/types/compat/array.pp").exists()
    assert not stand_ins.supply("Resource type not found: RedHat", "n")
    assert stand_ins.supply("Could not find class ::profile::other for n", "n")
    assert (root / "site/profile/manifests/other.pp").exists()
    assert list(summarised(stand_ins.names))[:2] == ["class hitch (port, host)", "define a::b (c)"]


def test_stand_ins_of_an_earlier_run_are_not_part_of_a_site(stand_ins):
    root = stand_ins.environment.root
    before = sorted(root.rglob("*"))
    stand_ins.supply("Could not find declared class hitch::x", "n")
    assert stand_ins.key("n") == {"stand_ins": stand_ins.files} != {}
    again = StandIns(stand_ins.environment, {})
    assert again.key("n") == {}
    assert sorted(root.rglob("*")) == before


def test_a_resource_that_others_name_is_declared_beside_a_class(stand_ins):
    stand_ins.supply("Could not find resource 'Service[a'b]' in parameter 'before'", "n")
    stand_ins.supply("Could not find resource 'Class[A::B]' for relationship on 'Exec[x]'", "n")
    code = stand_ins.code("n", "node 'n' { include c }")
    assert code == "node 'n' { include c; service { 'a\\'b': }; include a::b }"
    assert stand_ins.code("m", "node 'm' { include c }") == "node 'm' { include c }"
