"""Names that become paths: none leads out of the directory for its kind of name.

Expected messages are those of Puppet 7.23, recorded with the same code.
"""

from __future__ import annotations

import json
import posixpath
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bunraku.base.errors import PuppetError
from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.modules.names import node_name_problem
from bunraku.world.dictionary import DictionaryWorld

LANGUAGES = ("9", "8", "3.8-future", "3.8", "3.0")
NODE = "web1.example.com"
ROOTS = ("/site/modules", "/site/environments", "/site/hiera.yaml", "/site/data", "/site/enc")
PARENTS_OF_ROOTS = frozenset({"/", "/site"})
ABOUT_THIS_MACHINE = "/proc/"

EVIL = (
    "m::../../../outside/evil",
    "m::..::..::..::outside::evil",
    "m::a::../../../../outside/evil",
    "::m::../x",
    "M::../x",
    "m::/site/outside/evil",
    "m:://site/outside/evil",
    "m/../../../outside/evil",
    "../../outside/evil",
    "../../../../../../site/outside/evil",
    "/site/outside/evil",
    "..::x",
    "m::..",
    "m::.",
    "..",
    "m::::evil",
    "m::x\\..\\y",
    "m::C:/x",
    "m::a b",
    "m::a\nb",
    "m::a\0b",
    "m\0::x",
    "m::\u00e4",
    "m::*",
    "m::{a,b}",
    "m::~root/x",
    "",
)

HIERA = b"""
version: 5
defaults: { data_hash: yaml_data, datadir: data }
hierarchy: [{ name: all, path: common.yaml }]
"""

FILES = {
    "/site/modules/m/manifests/init.pp": b"class m { }",
    "/site/modules/m/manifests/good.pp": b"class m::good { }",
    "/site/modules/m/functions/f.pp": b"function m::f() { 1 }",
    "/site/modules/m/types/t.pp": b"type M::T = Integer",
    "/site/modules/m/templates/t.epp": b"t",
    "/site/modules/m/files/f": b"f",
    "/site/modules/m/lib/puppet/functions/m/r.rb": b"",
    "/site/modules/m/lib/bunraku/functions/m/p.py": b"",
    "/site/modules/m/lib/puppet/type/mtype.rb": b"Puppet::Type.newtype(:mtype) { newparam(:name) }",
    "/site/environments/production/manifests/site.pp": b"",
    "/site/hiera.yaml": HIERA,
    "/site/data/common.yaml": b"a: 1",
    "/site/outside/evil.pp": b"class outside::evil { } notice('EVIL')",
    "/site/outside/evil.rb": b"",
    "/site/outside/evil.py": b"",
}

IN_CODE = {
    "include": "include({name})",
    "contain": "contain({name})",
    "require": "require({name})",
    "class resource": "class {{ {name}: }}",
    "create_resources of a class": "create_resources('class', {{ {name} => {{}} }})",
    "create_resources of a type": "create_resources({name}, {{ 'x' => {{}} }})",
    "ensure_resource": "ensure_resource({name}, 'x')",
    "defined": "notice(defined({name}))",
    "defined of a reference": "notice(defined(Resource[{name}, 'a']))",
    "Class reference": "notice(Class[{name}])",
    "Resource reference": "notice(Resource[{name}, 'a'])",
    "resource of a referenced type": "Resource[{name}] {{ 'x': }}",
    "realize": "realize(Resource[{name}, 'a'])",
    "call": "call({name})",
    "Deferred": "$x = Deferred({name})",
    "assert_type": "assert_type({name}, 1)",
    "Type from text": "$x = Type({name})",
    "TypeReference": "notice(TypeReference[{name}] =~ Type)",
    "module_directory": "notice(module_directory({name}))",
    "load_module_metadata": "notice(load_module_metadata({name}, true))",
    "get_module_path": "notice(get_module_path({name}))",
    "module part of a template": "notice(find_template(regsubst({name}, '/', '', 'G') + '/t'))",
    "lookup key": "notice(lookup({name}, {{ 'default_value' => 1 }}))",
    "hiera key": "notice(hiera({name}, 1))",
    "lookup key of a module": "notice(lookup(\"${{{name}}}::x\", {{ 'default_value' => 1 }}))",
    "hiera_include": "hiera_include({name}, 'm')",
    "getvar": "notice(getvar({name}))",
    "tagged": "notice(tagged({name}))",
    "import of a module's manifests": "import {imported}",
    "inherits": "class x inherits {bare} {{ }} include x",
    "scope function of ERB": "notice(inline_template('<%= scope.function_include([' + {name} + ']) %>'))",
}
"""Code that uses a name; ``{name}`` is the name as a string in quotes."""


def quoted(name: str, language: str) -> str:
    """Return a name as a string of Puppet; only Puppet 4 and later can write a null byte."""
    text = name.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
    null = "\\u{0}" if language in {"9", "8", "3.8-future"} else "\0"
    return '"' + text.replace("\0", null) + '"'


class RecordingWorld(DictionaryWorld):
    """A dictionary of files that records every path that it is asked for."""

    def __init__(self, files: dict[str, bytes], programs: dict[tuple[str, ...], str]) -> None:
        super().__init__(files, programs=programs)
        self.paths: set[str] = set()
        self.commands: list[list[str]] = []
        self.tables: dict[Any, Any] = {}

    def read(self, path: str) -> bytes:
        self.paths.add(path)
        return super().read(path)

    def is_file(self, path: str) -> bool:
        self.paths.add(path)
        return super().is_file(path)

    def is_directory(self, path: str) -> bool:
        self.paths.add(path)
        return super().is_directory(path)

    def is_executable(self, path: str) -> bool:
        self.paths.add(path)
        return super().is_executable(path)

    def list_directory(self, path: str) -> list[str]:
        self.paths.add(path)
        return super().list_directory(path)

    def signature(self, path: str) -> Any:
        self.paths.add(path)
        return super().signature(path)

    def run(self, command: list[str], directory: str | None = None) -> str:
        self.commands.append(command)
        return super().run(command, directory)


def outside(paths: set[str]) -> list[str]:
    """Return the paths that lead out of the roots, or would on another machine."""
    return [
        path
        for path in sorted(paths)
        if ".." in path.split("/")
        or "\0" in path
        or posixpath.normpath(path) != path.rstrip("/")
        or not (
            path in PARENTS_OF_ROOTS
            or path.startswith(ABOUT_THIS_MACHINE)
            or any(path == root or path.startswith(f"{root}/") for root in ROOTS)
        )
    ]


def asked_for(
    files: dict[str, bytes] | None = None,
    programs: dict[tuple[str, ...], str] | None = None,
    **fields: Any,
) -> tuple[set[str], PuppetError | None]:
    """Return the paths that a compile asks for, and the error that it ends with."""
    world = RecordingWorld({**FILES, **(files or {})}, programs or {})
    common = {"code": "", "modulepath": ["/site/modules"], "hiera_config": "/site/hiera.yaml"}
    fields = {**common, "node": NODE, **fields}
    error = None
    try:
        compile_catalog(Request(world=world, **fields), lambda _entry: None)
    except PuppetError as raised:
        error = raised
    return world.paths, error


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", IN_CODE)
def test_a_name_in_code_never_leads_out_of_its_module(place: str, language: str) -> None:
    for name in EVIL:
        code = IN_CODE[place].format(
            name=quoted(name, language),
            bare=name or "m::../x",
            imported=quoted("m/" + name.replace("::", "/"), language),
        )
        paths, _ = asked_for(code=code, language=language)
        assert outside(paths) == [], code


def classes_in_data(name: str) -> dict[str, Any]:
    """Return a request that includes a class that Hiera names."""
    data = json.dumps({"classes": [name]}).encode()
    code = "include(hiera('classes'))"
    return {"code": code, "files": {"/site/data/common.yaml": data}}


def merge_options_in_data(name: str) -> dict[str, Any]:
    """Return a request that looks up a key whose ``lookup_options`` hold a name."""
    options = {name: {"merge": "deep"}, "m::k": {"merge": name, "convert_to": [name]}}
    data = json.dumps({"m::k": 1, f"{name}::k": 2, "lookup_options": options}).encode()
    return {"code": "notice(lookup('m::k'))", "files": {"/site/data/common.yaml": data}}


def function_of_hierarchy(name: str) -> dict[str, Any]:
    """Return a request whose hierarchy uses a function of a name."""
    level = {"name": "a", "data_hash": name, "path": "common.yaml"}
    config = json.dumps({"version": 5, "hierarchy": [level]}).encode()
    return {
        "code": "notice(lookup('m::k', undef, undef, 1))",
        "files": {"/site/hiera.yaml": config},
    }


def data_provider_of_metadata(name: str) -> dict[str, Any]:
    """Return a request for data of a module whose metadata names a data provider."""
    needed = {"source": "", "author": "", "version": "1.0.0", "license": "", "dependencies": []}
    metadata = json.dumps({**needed, "name": "m", "data_provider": name}).encode()
    files = {"/site/modules/m/metadata.json": metadata}
    return {"code": "notice(lookup('m::k', undef, undef, 1))", "files": files}


def enc(answer: dict[str, Any]) -> dict[str, Any]:
    """Return a request whose classifier, a program, answers this."""
    settings = {"node_terminus": "exec", "external_nodes": "/site/enc"}
    return {"settings": settings, "programs": {("/site/enc", NODE): json.dumps(answer)}}


FROM_DATA: dict[str, Callable[[str], dict[str, Any]]] = {
    "classes of Hiera": classes_in_data,
    "lookup_options": merge_options_in_data,
    "function of hiera.yaml": function_of_hierarchy,
    "data provider of metadata.json": data_provider_of_metadata,
    "list of classes of a classifier": lambda name: enc({"classes": [name]}),
    "hash of classes of a classifier": lambda name: enc({"classes": {name: {"a": 1}}}),
    "environment of a classifier": lambda name: enc({"environment": name}),
    "environment of a classifier on a path": lambda name: with_environments(
        enc({"environment": name})
    ),
    "parameter of a classifier": lambda name: {
        **enc({"parameters": {"n": name}}),
        "code": "include($n)",
    },
    "classes of a request": lambda name: {"node_classes": [name]},
    "fact": lambda name: {"facts": {"n": name}, "code": "include($n)"},
    "environment setting": lambda name: {"settings": {"environment": name}},
    "environment setting on a path": lambda name: with_environments(
        {"settings": {"environment": name}}
    ),
    "node": lambda name: {**by_node_name(), "node": name},
    "certname of trusted data": lambda name: {**by_node_name(), "trusted": {"certname": name}},
    "node of a YAML classifier": lambda name: {
        "node": name,
        "settings": {"node_terminus": "yaml", "external_nodes": "/site/enc"},
        "files": {f"/site/enc/{NODE}.yaml": b"{}"},
    },
}
"""Data of a request that holds a name → the request's fields."""


def with_environments(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a request for a directory environment."""
    settings = {"environmentpath": "/site/environments", **fields["settings"]}
    return {**fields, "settings": settings, "modulepath": []}


def by_node_name() -> dict[str, Any]:
    """Return a request whose data is in a file for the node."""
    level = {"name": "a", "data_hash": "yaml_data", "path": "%{trusted.certname}.yaml"}
    config = json.dumps({"version": 5, "hierarchy": [level]}).encode()
    return {"code": "notice(lookup('k', undef, undef, 1))", "files": {"/site/hiera.yaml": config}}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("source", FROM_DATA)
def test_a_name_in_data_never_leads_out_of_its_directory(source: str, language: str) -> None:
    for name in EVIL:
        paths, _ = asked_for(**FROM_DATA[source](name), language=language)
        assert outside(paths) == [], name


UNSAFE = 'The pattern "{}" to find manifests in the module "m" is invalid and potentially unsafe.'
DOTS = "m::../../../outside/evil"
DOTS_UNSAFE = UNSAFE.format("../../../outside/evil")


@pytest.mark.parametrize(
    ("code", "message", "column"),
    [
        (f"include('{DOTS}')", DOTS_UNSAFE, 1),
        (f"contain('{DOTS}')", DOTS_UNSAFE, 1),
        (f"require('{DOTS}')", DOTS_UNSAFE, 1),
        (f"include(['{DOTS}'])", DOTS_UNSAFE, 1),
        (f"class {{ '{DOTS}': }}", DOTS_UNSAFE, 1),
        (f"create_resources('class', {{ '{DOTS}' => {{}} }})", DOTS_UNSAFE, 1),
        (f"create_resources('{DOTS}', {{ 'x' => {{}} }})", DOTS_UNSAFE, 1),
        (f"notice(defined('{DOTS}'))", DOTS_UNSAFE, 8),
        ("include('::m::../x')", UNSAFE.format("../x"), 1),
        ("include('M::../x')", UNSAFE.format("../x"), 1),
        ("include('m::a::../b')", UNSAFE.format("a/../b"), 1),
        ("include('m::x::..::..::y')", UNSAFE.format("x/../../y"), 1),
        ("include('m:: ../x')", UNSAFE.format(" ../x"), 1),
        ("include('m:://etc')", UNSAFE.format("/etc"), 1),
        ("include('m::C:/x')", UNSAFE.format("c:/x"), 1),
        ("include('m/../x')", UNSAFE.format("../x"), 1),
        ("include('m//etc/x')", UNSAFE.format("/etc/x"), 1),
        ("include('m::::..::x')", UNSAFE.format("../x"), 1),
        ("include('m::..')", f"Could not find class ::m::.. for {NODE}", 1),
        ("include('m::a/b')", f"Could not find class ::m::a/b for {NODE}", 1),
        ("include('m::::/etc/x')", f"Could not find class ::m::::/etc/x for {NODE}", 1),
        ("include('../../evil')", f"Could not find class ::../../evil for {NODE}", 1),
        ("include('no::../x')", f"Could not find class ::no::../x for {NODE}", 1),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unsafe_name_is_refused_as_puppet_does(
    code: str, message: str, column: int, language: str
) -> None:
    if language == "3.0":
        code = code.replace("contain", "include")  # which has no function of that name
    _, error = asked_for(code=code, language=language)
    assert error is not None
    assert error.message == message
    if language in {"9", "8", "3.8-future"}:
        assert (error.diagnostic.line, error.diagnostic.column) == (1, column)


@pytest.mark.parametrize("name", ["m::../x", "../x", "m::a b", "", "a\0b", "::m"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_class_of_a_classifier_must_be_a_tag(name: str, language: str) -> None:
    """Puppet refuses it before anything is compiled: its main manifest does not run."""
    _, error = asked_for(code="fail('ran')", node_classes={name: {}}, language=language)
    assert error is not None
    assert (error.code, error.message) == ("INVALID_TAG", f"Invalid tag '{name}'")


@pytest.mark.parametrize("name", ["a-b", "../x", "a/b", "a b", "x\n", "\u00e4", "."])
def test_an_environment_is_named_by_letters_digits_and_underscores(name: str) -> None:
    for fields in ({}, {"environment_directory": "/site/environments/production"}):
        _, error = asked_for(settings={"environment": name}, **fields)
        assert error is not None
        assert error.code == "ILLEGAL_ENVIRONMENT_NAME"


def test_an_environment_may_have_capital_letters() -> None:
    assert asked_for(settings={"environment": "Prod_2"})[1] is None


EVIL_NODES = (
    "../../etc/passwd",
    "a/b",
    "..",
    ".",
    "",
    "\u00e4",
    "a\tb",
    "a\0b",
    "c:x",
    "a\\b",
    "x\n",
)


@pytest.mark.parametrize("name", EVIL_NODES)
def test_a_node_that_puppet_refuses_is_refused(name: str) -> None:
    paths, error = asked_for(node=name)
    assert error is not None
    assert error.code == "ILLEGAL_NODE_NAME"
    assert paths == set()


@pytest.mark.parametrize("name", ["web1", "web1.example.com", "10.0.0.1", "a b", "Web_1-x", "a..b"])
def test_a_node_that_puppet_accepts_is_accepted(name: str) -> None:
    assert node_name_problem(name) is None
    assert asked_for(node=name)[1] is None


@pytest.mark.parametrize("command", ["compile", "eval", "lookup", "migrate"])
@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", ""])
def test_commands_refuse_such_a_node(
    command: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "x", "--node", name]) == exits.TROUBLE
    assert f"invalid node name {name!r}" in capsys.readouterr().err


def test_a_facts_file_with_such_a_name_fails_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("web1", "b\u00fccher"):
        (tmp_path / f"{name}.json").write_text("{}")
    folders = ["--facts-folder", str(tmp_path), "--output-folder", str(tmp_path / "out")]
    assert main(["compile", "--no-project", "-e", "", "--nodes", *folders]) == exits.FINDINGS
    assert "1 compiled, 1 failed" in capsys.readouterr().out
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["web1.json"]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Provide a module, and beside its modulepath files that code must not reach by a name."""
    for name, content in FILES.items():
        path = tmp_path / name.removeprefix("/site/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    ran = tmp_path / "ran"
    evil = tmp_path / "outside" / "evil"
    evil.with_suffix(".py").write_text(f"open({str(ran)!r}, 'w').close()")
    evil.with_suffix(".rb").write_text(
        f"File.write({str(ran)!r}, '')\nPuppet::Functions.create_function(:evil) do\nend\n"
        "Puppet::Type.newtype(:evil) do\n  newparam(:name)\nend\n"
    )
    (tmp_path / "modules/m/manifests/linked").symlink_to(tmp_path / "outside")
    (tmp_path / "modules/m/files/linked").symlink_to(tmp_path / "outside")
    (tmp_path / "outside/c.pp").write_text("class m::linked::c { notice('linked') }")
    return tmp_path


def compiled(code: str, site: Path, language: str = "8") -> list[str]:
    """Return the log of code with the modules of a site."""
    messages: list[str] = []
    request = Request(code=code, modulepath=[str(site / "modules")], language=language)
    compile_catalog(request, lambda entry: messages.append(entry.message))
    return messages


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "code",
    [
        f"include '{DOTS}'",
        f"create_resources('class', {{ '{DOTS}' => {{}} }})",
        f"create_resources('{DOTS}', {{ 'x' => {{}} }})",
        f"if defined('{DOTS}') {{ notice('found') }}",
    ],
)
def test_a_manifest_outside_of_the_module_is_not_read(code: str, site: Path, language: str) -> None:
    (site / "outside/evil.pp").write_text("this is ] not Puppet")
    with pytest.raises(PuppetError) as raised:
        compiled(code, site, language)
    assert raised.value.message == DOTS_UNSAFE


@pytest.mark.parametrize("language", ["3.8", "3.0"])
def test_import_reads_no_manifest_outside_of_a_module_that_it_names(
    site: Path, language: str
) -> None:
    with pytest.raises(PuppetError) as raised:
        compiled("import 'm/../../../outside/evil'", site, language)
    assert raised.value.message == DOTS_UNSAFE


@pytest.mark.parametrize("language", ["3.8", "3.0"])
def test_import_reads_manifests_beside_the_one_that_has_it(site: Path, language: str) -> None:
    (site / "manifests").mkdir()
    (site / "manifests/site.pp").write_text("import '../outside/evil.pp'")
    path, log = str(site / "manifests/site.pp"), list[str]()
    request = Request(path=path, language=language)
    compile_catalog(request, lambda entry: log.append(entry.message))
    assert log[-1] == "EVIL"


@pytest.mark.parametrize("above", ["../" * count for count in range(3, 9)])
@pytest.mark.parametrize(
    "form", ["call('m::{}')", "call('{}')", "create_resources('{}', {{ 'x' => {{}} }})"]
)
def test_code_outside_of_the_module_is_not_run(form: str, above: str, site: Path) -> None:
    with pytest.raises(PuppetError, match=r"unknown function|Unknown resource type"):
        compiled(form.format(f"{above}outside/evil"), site)
    assert not (site / "ran").exists()


def test_symbolic_links_in_modules_are_followed(site: Path) -> None:
    assert compiled("include m::linked::c notice(find_file('m/linked/evil.py'))", site) == [
        "linked",
        f"{site}/modules/m/files/linked/evil.py",
    ]


@pytest.mark.parametrize(
    "code",
    [
        "file('m/../../../outside/t.epp')",
        "file('{site}/outside/t.epp')",
        "epp('m/../../../outside/t')",
        "epp('{site}/outside/t')",
        "template('m/../../../outside/t.epp')",
        "template('{site}/outside/t.epp')",
        "String(binary_file('m/../../../outside/t.epp'), '%s')",
    ],
)
def test_functions_that_take_paths_read_any_file(code: str, site: Path) -> None:
    """Puppet trusts manifests with the files that it can read."""
    (site / "outside/t.epp").write_text("text")
    assert compiled(f"notice({code.format(site=site)})", site) == ["text"]


def test_epp_takes_a_file_with_an_absolute_path_as_it_is(site: Path) -> None:
    (site / "outside/t").write_text("plain")
    (site / "outside/t.epp").write_text("with extension")
    assert compiled(f"notice(epp('{site}/outside/t'))", site) == ["plain"]


@pytest.mark.parametrize("function", ["file", "find_file", "find_template", "template", "epp"])
@pytest.mark.parametrize("path", ["/a\\u{0}b", "m/a\\u{0}b"])
def test_a_path_with_a_null_byte_is_refused(function: str, path: str, site: Path) -> None:
    with pytest.raises(PuppetError, match="string contains null byte") as raised:
        compiled(f'notice({function}("{path}"))', site)
    assert raised.value.code == "NULL_BYTE_IN_NAME"


def test_data_files_are_found_by_facts_as_the_hierarchy_says(site: Path) -> None:
    """Hiera's paths belong to the operator: values of facts are inserted unchanged, as in Puppet."""
    level = {"name": "a", "data_hash": "yaml_data", "datadir": "data", "path": "%{facts.f}.yaml"}
    (site / "hiera.yaml").write_text(json.dumps({"version": 5, "hierarchy": [level]}))
    (site / "outside/d.yaml").write_text("a: outside")
    request = Request(
        code="notice(lookup('a'))",
        facts={"f": "../outside/d"},
        hiera_config=str(site / "hiera.yaml"),
    )
    messages: list[str] = []
    compile_catalog(request, lambda entry: messages.append(entry.message))
    assert messages == ["outside"]


def test_hooks_and_the_file_monitor_of_a_repository_do_not_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository, ran = tmp_path / "repository", tmp_path / "ran"

    def git(*arguments: str) -> None:
        name = ("-c", "user.name=a", "-c", "user.email=a@example.com")
        subprocess.run(["git", *name, *arguments], cwd=repository, check=True, capture_output=True)

    (repository / "manifests").mkdir(parents=True)
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts/n.json").write_text("{}")
    git("init", "-q")
    (repository / "environment.conf").touch()
    for word in ("one", "two"):
        # generate() makes bunraku write the files of both revisions for the program.
        code = f"notify {{ '{word}': }} notice(generate('/bin/echo', 'x'))"
        (repository / "manifests/site.pp").write_text(code)
        git("add", "-A")
        git("commit", "-qm", word)
    for hook in ("post-index-change", "post-checkout", "reference-transaction", "monitor"):
        path = repository / ".git/hooks" / hook
        path.write_text(f"#!/bin/sh\necho {hook} >> '{ran}'\n")
        path.chmod(0o755)
    git("config", "core.fsmonitor", str(repository / ".git/hooks/monitor"))
    facts = ["--facts-folder", str(tmp_path / "facts")]
    sides = ["HEAD~1", "HEAD", "--repository", str(repository)]
    assert main(["diff", *sides, *facts]) == exits.FINDINGS
    assert "Notify[two]" in capsys.readouterr().out
    assert not ran.exists()
