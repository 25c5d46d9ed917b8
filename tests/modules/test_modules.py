"""Environments, modules, autoload paths, settings and node data."""

from __future__ import annotations

import json

import pytest

from bunraku.base.errors import PuppetError
from bunraku.modules.autoload import Autoloader
from bunraku.modules.environment import Environment, load_environment
from bunraku.modules.files import FileTable, RecordedTable
from bunraku.modules.ini import parse_sections
from bunraku.modules.node import Node, trusted_data
from bunraku.modules.settings import read_configuration, resolve
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.machine import Machine
from bunraku.world.recording import Recording

METADATA = {"source": "s", "author": "a", "version": "1.2.3", "license": "l", "dependencies": []}


def world_of(*paths, **contents):
    files = dict.fromkeys(paths, b"")
    files.update(contents)
    return DictionaryWorld(files)


def test_the_first_module_of_a_name_wins():
    world = world_of("/a/m/x", "/b/m/x", "/b/n/x", "/b/Bad/x", "/b/bad-name/x", "/b/file")
    environment = Environment("e", ["/a", "/b", "/missing"], world)
    assert environment.find_module("m").path == "/a/m"
    assert list(environment.modules) == ["m", "n"]
    assert environment.find_module("m::sub").name == "m"
    assert environment.find_module("bad-name") is None
    assert environment.module_of_path("/b/n/manifests/init.pp").name == "n"
    assert environment.module_of_path("/b/m/x") is None
    assert environment.module_of_path("/elsewhere/n/x") is None


def test_a_module_with_broken_metadata_is_passed_over_with_a_warning():
    warnings = []
    files = {
        "/m/ok/metadata.json": json.dumps(
            {**METADATA, "dependencies": [{"name": "puppetlabs/stdlib"}, {"name": "a-b"}]}
        ).encode(),
        "/m/empty/metadata.json": b"{}",
        "/m/broken/metadata.json": b"{",
        "/m/lacking/metadata.json": b'{"version": "1"}',
    }
    environment = Environment("e", ["/m"], DictionaryWorld(files), warn=warnings.append)
    assert list(environment.modules) == ["empty", "ok"]
    assert environment.modules["ok"].version == "1.2.3"
    assert environment.modules["ok"].dependencies == ("stdlib", "b")
    assert {warning.code for warning in warnings} == {"INVALID_METADATA", "MISSING_METADATA"}
    assert {warning.file for warning in warnings} >= {"/m/lacking/metadata.json"}


def test_environment_conf_places_modules_and_manifest():
    files = {
        "/envs/dev/environment.conf": b"modulepath = site:./m*:$basemodulepath\n"
        b"manifest = top.pp\nconfig_version = /bin/true $environment\nunknown = 1\n",
        "/envs/dev/modules/a/x": b"",
        "/envs/dev/more/b/x": b"",
        "/envs/dev/top.pp": b"",
        "/base/c/x": b"",
    }
    warnings = []
    environment = load_environment(
        "dev",
        ["/none", "/envs"],
        DictionaryWorld(files),
        base_modulepath=["/base"],
        warn=warnings.append,
    )
    assert environment.modulepath == (
        "/envs/dev/site",
        "/envs/dev/modules",
        "/envs/dev/more",
        "/base",
    )
    assert environment.manifests() == ["/envs/dev/top.pp"]
    assert environment.config_version == "/bin/true dev"
    assert environment.setting_values()["manifest"] == "/envs/dev/top.pp"
    assert "unknown" in warnings[0].message


def test_an_environment_without_conf_has_modules_and_manifests_of_its_own():
    world = world_of(
        "/envs/p/manifests/b.pp",
        "/envs/p/manifests/a.pp",
        "/envs/p/manifests/a/z.pp",
        "/envs/p/manifests/no.txt",
    )
    environment = load_environment("p", ["/envs"], world, base_modulepath=["/base"])
    assert environment.modulepath == ("/envs/p/modules", "/base")
    assert environment.manifests() == [
        "/envs/p/manifests/a.pp",
        "/envs/p/manifests/a/z.pp",
        "/envs/p/manifests/b.pp",
    ]


@pytest.mark.parametrize(
    ("name", "code"),
    [("nope", "ENVIRONMENT_NOT_FOUND"), ("../x", "ILLEGAL_ENVIRONMENT_NAME")],
)
def test_environments_that_cannot_be_are_refused(name, code):
    with pytest.raises(PuppetError) as caught:
        load_environment(name, ["/envs"], world_of("/envs/p/x"))
    assert caught.value.code == code


@pytest.mark.parametrize("own", ["./manifests", "x.pp", "$default_manifest"])
def test_an_environment_keeps_to_the_default_manifest_where_settings_say_so(own):
    world = DictionaryWorld({"/envs/p/environment.conf": f"manifest={own}\n".encode()})
    settings = {"disable_per_environment_manifest": True, "default_manifest": "/m/site.pp"}
    with pytest.raises(PuppetError, match=r"default_manifest' is /m/site.pp") as caught:
        load_environment("p", ["/envs"], world, settings=settings)
    assert caught.value.code == "CONFLICTING_MANIFEST"
    world = DictionaryWorld({"/envs/p/environment.conf": b"manifest=/m/site.pp\n"})
    assert load_environment("p", ["/envs"], world, settings=settings).manifest == "/m/site.pp"


def test_a_bad_line_in_settings_is_named():
    with pytest.raises(PuppetError) as caught:
        parse_sections("a = 1\nmodulepath\n", "/e/environment.conf")
    assert caught.value.diagnostic.place.where[:2] == ("/e/environment.conf", 2)


def loader_of(*paths):
    return Autoloader(Environment("e", ["/m", "/n"], world_of(*paths), path="/e"))


def test_classes_are_searched_in_init_and_their_own_file_then_in_those_of_namespaces():
    files = [f"/m/a/manifests/{name}.pp" for name in ("init", "b/c", "b")]
    loader = loader_of(*files)

    def steps(name):
        return [[found.path for found in step] for step in loader.manifests(name)]

    assert steps("a::b::c") == [files[:2], files[2:]]
    assert steps("a::b::x") == [files[:1], files[2:]]
    assert steps("a") == [files[:1]]
    assert loader.manifests("nope::x") == []


@pytest.mark.parametrize(
    ("name", "path", "kind"),
    [
        ("a::f", "/m/a/lib/puppet/functions/a/f.rb", "ruby"),
        ("a::g::h", "/m/a/functions/g/h.pp", "puppet"),
        ("global", "/m/a/lib/puppet/functions/global.rb", "ruby"),
        ("old", "/n/c/lib/puppet/parser/functions/old.rb", "ruby3"),
        ("own", "/e/functions/own.pp", "puppet"),
        ("environment::own", "/e/functions/environment/own.pp", "puppet"),
        ("mine", "/m/b/lib/bunraku/functions/mine.py", "python"),
    ],
)
def test_functions_are_found_where_puppet_finds_them(name, path, kind):
    loader = loader_of(
        "/m/a/lib/puppet/functions/a/f.rb",
        "/m/a/functions/f.pp",
        "/m/a/functions/g/h.pp",
        "/m/a/lib/puppet/functions/global.rb",
        "/m/b/lib/puppet/functions/global.rb",
        "/m/b/lib/bunraku/functions/mine.py",
        "/n/c/lib/puppet/parser/functions/old.rb",
        "/e/functions/own.pp",
        "/e/functions/environment/own.pp",
        "/m/own/lib/puppet/functions/own.rb",
    )
    found = loader.function(name)
    assert (found.path, found.kind) == (path, kind)


@pytest.mark.parametrize("name", ["plain", "b::other", "a", "e::x"])
def test_functions_are_not_found_where_puppet_does_not_look(name):
    loader = loader_of(
        "/m/a/functions/plain.pp",
        "/m/a/functions/init.pp",
        "/m/a/lib/puppet/functions/b/other.rb",
        "/e/functions/e/x.pp",
    )
    assert loader.function(name) is None


def test_types_are_found():
    loader = loader_of(
        "/m/a/types/http/statuscode.pp",
        "/m/a/types/init.pp",
        "/m/b/types/init_typeset.pp",
        "/e/types/t.pp",
        "/e/types/environment/t.pp",
        "/m/a/lib/puppet/type/file_line.rb",
        "/n/z/lib/puppet/type/file_line.rb",
    )
    assert loader.type_alias("A::Http::StatusCode").path == "/m/a/types/http/statuscode.pp"
    assert loader.type_alias("A") is None
    assert loader.type_alias("B").path == "/m/b/types/init_typeset.pp"
    assert loader.type_alias("T").path == "/e/types/t.pp"
    assert loader.type_alias("Environment::T").path == "/e/types/environment/t.pp"
    assert loader.resource_type("file_line").path == "/m/a/lib/puppet/type/file_line.rb"
    assert loader.resource_type("nope") is None


def test_new_files_are_seen_after_a_refresh(tmp_path):
    (tmp_path / "m" / "manifests").mkdir(parents=True)
    environment = Environment("e", [str(tmp_path)], Machine())
    loader = Autoloader(environment)
    assert loader.function("m::f") is None
    (tmp_path / "m" / "functions").mkdir()
    (tmp_path / "m" / "functions" / "f.pp").write_text("function m::f() { 1 }")
    assert loader.function("m::f") is None
    environment.refresh()
    assert loader.function("m::f").kind == "puppet"
    generation = environment.generation
    environment.refresh()
    assert environment.generation == generation


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("**/*.yaml", ["a/b/y.yaml", "a/z.yaml", "b.yaml"]),
        ("{b,a/z}.yaml", ["b.yaml", "a/z.yaml"]),
        ("*/*.yaml", ["a/z.yaml"]),
        ("[^b].yaml", []),
        ("?.yaml", ["b.yaml"]),
        (".*.yaml", [".h.yaml"]),
        ("a/../b.yaml", ["b.yaml"]),
        ("nope/*", []),
    ],
)
def test_globs_go_as_ruby_goes(tmp_path, pattern, expected):
    for name in ("a/b/y.yaml", "a/z.yaml", "b.yaml", ".h.yaml", "a/.x/q.yaml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    found = FileTable(Machine()).glob(f"{tmp_path}/{pattern}")
    assert [path.replace("a/../", "").removeprefix(f"{tmp_path}/") for path in found] == expected


def test_settings_refer_to_one_another():
    values = resolve({"vardir": "/v", "certname": "n"})
    assert values["statefile"] == "/v/state/state.yaml"
    assert values["hostcert"].endswith("/certs/n.pem")
    assert values["strict"] == "error"
    assert values["strict_variables"] is True


def test_a_configuration_file_has_sections():
    world = DictionaryWorld({"/p.conf": b"[main]\nserver = a\nnoop = true\n[master]\nserver = b\n"})
    assert read_configuration("/p.conf", world) == {"server": "b", "noop": True}


def test_settings_that_go_in_a_circle_are_refused():
    with pytest.raises(PuppetError):
        resolve({"vardir": "$logdir", "logdir": "$vardir"})


def test_facts_become_variables():
    facts = {"os": {"name": "Debian"}, "none": None, "list": [1, None]}
    node = Node("web1.example.com", facts=facts, server_facts={"servername": "s"})
    variables = node.top_scope()
    assert variables["os"] == {"name": "Debian"}
    assert variables["facts"] == {"os": {"name": "Debian"}, "none": "", "list": [1, ""]}
    assert variables["servername"] == "s"
    assert variables["server_facts"] == {"servername": "s", "environment": "production"}
    assert variables["environment"] == "production"
    assert variables["trusted"]["certname"] == "web1.example.com"
    assert "server_facts" not in variables["facts"]


def test_trusted_data_of_a_name_without_domain():
    assert trusted_data("short") == {
        "authenticated": "local",
        "certname": "short",
        "extensions": {},
        "hostname": "short",
        "domain": None,
        "external": {},
    }


def test_parameters_of_a_classifier_win_over_facts():
    warnings = []
    node = Node(
        "n",
        facts={"a": 1, "serverip": "9"},
        parameters={"a": {"b": [2]}, "environment": "x"},
        server_facts={"serverip": "9"},
    )
    variables = node.top_scope(warn=warnings.append)
    assert variables["a"] == {"b": [2]}
    assert variables["environment"] == "production"
    assert variables["facts"]["a"] == 1
    assert variables["serverip"] == "9"
    assert [one.message for one in warnings] == [
        "The node parameter 'a' for node 'n' was already set to '{\"b\"=>[2]}'. It could not be set to '1'",
        "The node parameter 'serverip' for node 'n' was already set to '9'. It could not be set to '9'",
    ]


@pytest.mark.parametrize("name", ["facts", "server_facts", "title", "name", "module_name", "7"])
def test_facts_cannot_be_called_as_the_variables_of_the_language(name):
    with pytest.raises(PuppetError):
        Node("n", facts={name: "x"}).top_scope()


def test_old_facts_are_text():
    facts = {"n": 5, "t": True, "h": {"k": [1, "b"]}, "none": None}
    assert Node("n", facts=facts).clean_facts(as_text=True) == {
        "n": "5",
        "t": "true",
        "h": '{"k"=>[1, "b"]}',
        "none": "",
    }


def test_classes_of_a_classifier():
    assert Node("n", classes=["a", "b"]).class_parameters() == {"a": {}, "b": {}}
    assert Node("n", classes={"a": {"x": 1}, "b": None}).class_parameters() == {
        "a": {"x": 1},
        "b": {},
    }


def recorded_tables():
    """A shared table, and the tables of two recorded compiles before it."""
    below = FileTable(DictionaryWorld({"/m/a.pp": b""}))
    worlds = [Recording(below.world), Recording(below.world)]
    return below, [RecordedTable(world, below) for world in worlds], worlds


def test_a_shared_value_brings_its_questions_to_each_compile():
    _below, tables, worlds = recorded_tables()
    made = []

    for table in tables:

        def make(table=table):
            made.append(table)
            return table.computed("inner", lambda: table.exists("/m/a.pp"))

        assert table.computed("key", make) is True
    assert made == tables[:1]
    assert [world.asked for world in worlds] == [{("exists", "/m/a.pp"): True}] * 2


def test_a_value_that_cannot_be_made_is_not_shared():
    below, (table, _), (world, _) = recorded_tables()

    def fail():
        table.exists("/m/b.pp")
        raise KeyError("no such file")

    with pytest.raises(KeyError, match="no such file"):
        table.computed("key", fail)
    assert world.asked == {("exists", "/m/b.pp"): False}
    assert below.recorded == {}


def test_a_compile_during_which_listings_change_is_not_kept():
    below, (table, later), (world, _) = recorded_tables()
    assert table.computed("key", lambda: table.exists("/m/b.pp")) is False
    below.names("/m")
    below.world = DictionaryWorld({"/m/b.pp": b""})
    assert below.refresh()
    assert later.computed("key", lambda: later.exists("/m/b.pp")) is True
    assert later.recording.unrepeatable == "directories changed during the compile"
    assert world.unrepeatable is None
