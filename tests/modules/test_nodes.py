"""Nodes: classifiers, environments, puppet.conf, and the variables that agent and server set."""

from __future__ import annotations

import json

import pytest

from bunraku.base.errors import PuppetError
from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.modules.classifier import classify
from bunraku.runtime.error_texts import whole_text
from bunraku.world.dictionary import DictionaryWorld

NODE = "web1.example.com"
FILES = {
    "/envs/production/environment.conf": "modulepath = site:./modules:$basemodulepath\n"
    "manifest = $environment/all\nconfig_version = bin/version $environment\nenvironment_timeout = 5m\n",
    "/envs/production/production/all/a.pp": "notice('a', $role)",
    "/envs/production/production/all/more/b.pp": "notice('b')",
    "/envs/production/site/ntp/manifests/init.pp": 'class ntp($x = 1) { notice("ntp ${x}") }',
    "/base/ssh/manifests/init.pp": "class ssh { notice('ssh') }",
    "/envs/dev/manifests/site.pp": 'notice("dev ${environment} ${settings::manifest}")',
}
ANSWER = """---
classes:
  ntp: {x: 5}
  ssh:
parameters: {role: web}
environment: production
"""


def world(**more: str) -> DictionaryWorld:
    programs = {
        ("/enc", "-v", NODE): ANSWER,
        ("/bin/sh", "-c", "exec 2>&1\n/envs/production/bin/version production"): "r7\n",
    }
    files = {path: text.encode() for path, text in {**FILES, **more}.items()}
    return DictionaryWorld(files, programs=programs)


def compiled(settings, given=None, **more):
    entries = []
    settings = {"environmentpath": "/envs", "basemodulepath": "/base", **settings}
    request = Request(node=NODE, settings=settings, world=given or world(), **more)
    return compile_catalog(request, entries.append), [
        entry.message for entry in entries if entry.scope
    ]


def test_a_program_classifies():
    enc = {"node_terminus": "exec", "external_nodes": "/enc -v", "environment": "dev"}
    catalog, notices = compiled(enc)
    assert notices == ["a web", "b", "ntp 5", "ssh"]
    assert catalog.environment == "production", "the classifier's environment wins"
    assert catalog.version == "r7"
    assert catalog.classes[:3] == ["ntp", "ssh", "settings"]


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("classes: [ssh, ntp]", {"ssh": {}, "ntp": {}}),
        ("{parameters: {role: db}}", {}),
        (":classes:\n  ntp:\n    x: 2\n", {"ntp": {"x": 2}}),
        ("classes:", {}),
    ],
)
def test_a_file_classifies(text, classes):
    settings = {"node_terminus": "yaml", "external_nodes": "/nodes.yaml"}
    assert classify(settings, NODE, world(**{"/nodes.yaml": text})).classes == classes
    settings["external_nodes"] = "/nodes"
    assert classify(settings, NODE, world(**{f"/nodes/{NODE}.yaml": text})).classes == classes


@pytest.mark.parametrize(
    ("settings", "files", "code", "line"),
    [
        ({"node_terminus": "exec", "external_nodes": "/none"}, {}, "CLASSIFIER_FAILED", None),
        ({"external_nodes": "none"}, {}, "NO_CLASSIFIER", None),
        ({"node_terminus": "ldap"}, {}, "UNKNOWN_TERMINUS", None),
        ({"external_nodes": "/none.yaml"}, {}, "UNREADABLE_FILE", None),
        ({}, {"/n.yaml": "a: 1\nb: [2\n"}, "CLASSIFIER_ANSWER", 3),
        ({}, {"/n.yaml": "- a"}, "CLASSIFIER_ANSWER", 1),
        ({}, {"/n.yaml": "classes: [{a: 1}]"}, "CLASSIFIER_ANSWER", 1),
        ({}, {"/n.yaml": "classes: {a: 1}"}, "CLASSIFIER_ANSWER", 1),
        ({}, {"/n.yaml": "parameters: [1]"}, "CLASSIFIER_ANSWER", 1),
        ({}, {"/n.yaml": "environment: nix"}, "ENVIRONMENT_NOT_FOUND", None),
        ({}, {"/n.yaml": "environment: No!"}, "ILLEGAL_ENVIRONMENT_NAME", None),
    ],
)
def test_what_is_wrong_with_a_classifier(settings, files, code, line):
    defaults = {"node_terminus": "yaml", "external_nodes": "/n.yaml"}
    with pytest.raises(PuppetError) as caught:
        compiled({**defaults, **settings}, world(**files))
    assert caught.value.diagnostic.code == code
    if code == "CLASSIFIER_ANSWER":
        assert caught.value.diagnostic.place.where[:2] == ("/n.yaml", line)


def test_a_classifier_that_fails_says_what_it_printed(tmp_path, capfd):
    program = tmp_path / "enc"
    program.write_text("#!/bin/sh\necho no such node: $1 >&2\nexit 1\n")
    program.chmod(0o755)
    arguments = ["--node_terminus", "exec", "--external_nodes", str(program), "--node", NODE]
    assert main(["compile", "-e", "", *arguments]) == exits.FINDINGS
    assert f"failed for {NODE}: exit code 1: no such node: {NODE}" in capfd.readouterr().err


def test_environments_differ():
    catalog, notices = compiled({"environment": "dev"})
    assert notices == ["dev dev /envs/dev/manifests"]
    assert catalog.version == 0


def test_a_config_version_that_fails():
    given = world(**{"/envs/x/environment.conf": "config_version = nix\n"})
    with pytest.raises(PuppetError, match="'/envs/x/nix' failed"):
        compiled({"environment": "x"}, given)


@pytest.mark.parametrize(
    ("command", "version"),
    [("printf 4a", "4a"), ("true", ""), ("echo a >&2; echo b", "a\nb"), ("", 0)],
)
def test_the_version_is_all_that_the_command_prints(command, version, tmp_path, capfd):
    write = tmp_path / "production" / "version"
    write.parent.mkdir()
    write.write_text(f"#!/bin/sh\n{command}\n")
    write.chmod(0o755)
    setting = "config_version = version\n" if command else ""
    (tmp_path / "production" / "environment.conf").write_text(setting)
    assert main(["compile", "-e", "", "--environmentpath", str(tmp_path)]) == exits.OK
    assert json.loads(capfd.readouterr().out)["version"] == version


CLASSIFIED = """
define d { notify { "d-${title}": } }
class a { notify { 'a': } include sub  d { 'a': } }
class b($p = 0) { notify { 'b': } }
class sub { notify { 'sub': } }
class base { notify { 'base': } }
class c inherits base { notify { 'c': } }
d { 'main': }
"""


@pytest.mark.parametrize(
    ("classes", "more", "titles"),
    [
        (["a", "b"], "", "d-main a sub b d-a"),
        ({"a": None, "b": {"p": 1}}, "", "d-main b a sub d-a"),
        (["c", "a"], "", "d-main base c a sub d-a"),
        (["sub", "a"], "include b", "b d-main sub a d-a"),
        (["b"], "@d { 'virtual': } D <| title == 'virtual' |>", "d-main d-virtual b"),
    ],
)
def test_classes_of_a_classifier_run_with_the_defined_types(classes, more, titles):
    request = Request(code=CLASSIFIED + more, node_classes=classes)
    catalog = compile_catalog(request, lambda _: None)
    found = [one.title for one in catalog.resources if one.type == "Notify"]
    assert found == titles.split()


def test_a_class_of_a_classifier_has_no_place():
    request = Request(code=CLASSIFIED, node_classes={"b": {"p": 1}})
    catalog = compile_catalog(request, lambda _: None)
    (found,) = [one for one in catalog.resources if one.title == "B"]
    assert (found.kind, found.file, found.line) == ("unknown", None, None)


def test_an_error_in_a_class_of_a_classifier():
    request = Request(code="class a { fail('x') }", node_classes=["a"])
    with pytest.raises(PuppetError) as caught:
        compile_catalog(request, lambda _: None)
    statement = "Evaluation Error: Error while evaluating a Resource Statement, "
    call = "Evaluation Error: Error while evaluating a Function Call, x (line: 1, column: 11)"
    assert whole_text(caught.value.diagnostic) == statement + call
    assert caught.value.diagnostic.puppet_place.line == 1


@pytest.mark.parametrize("classes", [["none"], {"none": {"p": 1}}])
def test_an_unknown_class_of_a_classifier(classes):
    with pytest.raises(PuppetError, match="Could not find class none for") as caught:
        compile_catalog(Request(code="", node_classes=classes), lambda _: None)
    assert caught.value.code == "UNKNOWN_CLASS"
    assert whole_text(caught.value.diagnostic).startswith("Could not find class none for ")


def test_classes_of_a_classifier_come_first(tmp_path, capfd):
    (tmp_path / f"{NODE}.yaml").write_text("classes: [a]\n")
    arguments = ["--node_terminus", "yaml", "--external_nodes", str(tmp_path)]
    code = "class a { include b } class b { }"
    assert main(["compile", "-e", code, *arguments, "--node", NODE]) == exits.OK
    assert json.loads(capfd.readouterr().out)["classes"] == ["a", "settings", "a", "b"]


def test_the_environment_names_its_language():
    given = world(**{"/envs/x/environment.conf": "parser = nonsense\n"})
    with pytest.raises(PuppetError) as caught:
        compiled({"environment": "x"}, given)
    assert caught.value.diagnostic.code == "UNKNOWN_LANGUAGE"
    given = world(**{"/envs/x/environment.conf": "language = 8\n", "/envs/x/manifests/a.pp": ""})
    assert compiled({"environment": "x"}, given)[1] == []


def test_settings_of_the_environment():
    code = (
        "notice($settings::environment_timeout, $settings::config_version, $settings::modulepath)"
    )
    _, notices = compiled({}, code=code)
    assert " ".join(notices) == (
        "300 /envs/production/bin/version production "
        "/envs/production/site:/envs/production/modules:/base"
    )


@pytest.mark.parametrize(
    ("wanted", "told"),
    [(None, "[f, os]"), (False, "[os]"), (True, "[f, os]")],
)
def test_legacy_facts_are_dropped_or_added(wanted, told):
    facts = {"os": {"family": "Debian"}, "fqdn": "f"}
    settings = {} if wanted is None else {"include_legacy_facts": wanted}
    code = "notice($facts['os'] ? { undef => '', default => 'os' }, $facts['fqdn'], $facts['osfamily'])"
    _, notices = compiled(settings, code=code, facts=facts)
    words = set(" ".join(notices).split())
    assert ("f" in words) == ("f" in told)
    assert ("Debian" in words) == (wanted is True)


def test_variables_of_agent_and_server(capfd, tmp_path):
    (tmp_path / "trusted.json").write_text('{"extensions": {"pp_role": "db"}}')
    (tmp_path / "server.yaml").write_text("servername: puppet.example.com\n")
    code = (
        "notice([$clientcert, $facts['clientnoop'], $agent_specified_environment, $servername,"
        " $server_facts['servername'], $server_facts['environment'], $trusted['extensions']])"
        " notice($clientversion == $serverversion and $serverip =~ String)"
    )
    arguments = ["--trusted", str(tmp_path / "trusted.json"), "--environment", "dev"]
    arguments += ["--server_facts", str(tmp_path / "server.yaml"), "--node", NODE]
    assert main(["compile", "-e", code, *arguments]) == exits.OK
    lines = capfd.readouterr().err.splitlines()
    assert lines[0].endswith(
        f"[{NODE}, false, dev, puppet.example.com, puppet.example.com, dev, {{pp_role => db}}]"
    )
    assert lines[1].endswith("true")


def test_puppet_conf(capfd, tmp_path):
    place = tmp_path / "envs" / "production" / "manifests"
    place.mkdir(parents=True)
    (place / "site.pp").write_text("notice($settings::statedir, $settings::reports, $role)")
    (tmp_path / "nodes.yaml").write_text("parameters: {role: web}")
    (tmp_path / "puppet.conf").write_text(
        f"[main]\nvardir = {tmp_path}/var\nenvironmentpath = {tmp_path}/envs\nreports = none\n"
        "[agent]\nreports = agent\n[server]\nreports = store,log\n"
        f"node_terminus = yaml\nexternal_nodes = {tmp_path}/nodes.yaml\n"
    )
    given = ["--config", str(tmp_path / "puppet.conf"), "--node", NODE]
    assert main(["compile", *given]) == exits.OK
    out, err = capfd.readouterr()
    assert f"{tmp_path}/var/state store,log web" in err
    assert json.loads(out)["environment"] == "production"
    (tmp_path / "puppet.conf").write_text("[main]\nx\n")
    assert main(["compile", *given]) == exits.TROUBLE
    assert f"{tmp_path}/puppet.conf:2: " in capfd.readouterr().err
    assert main(["compile", "--node", NODE]) == exits.TROUBLE
