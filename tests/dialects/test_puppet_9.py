"""OpenVox 9, where it differs from Puppet 8 in more than the language."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.dialects.puppet_9 import PUPPET_9
from bunraku.engine.compile import compile_catalog, evaluate_code
from bunraku.engine.request import Request
from bunraku.modules import settings
from bunraku.world.dictionary import DictionaryWorld

ENVIRONMENT = {
    "/e/environment.conf": b"environment_data_provider = function\n",
    "/e/hiera.yaml": b"version: 5\n",
    "/e/data/common.yaml": b"key: of the environment\n",
    "/h/hiera.yaml": b"version: 5\nhierarchy:\n  - {name: all, path: all.yaml, datadir: /h}\n",
    "/h/all.yaml": b"other: of the global layer\n",
}


def value(code, language, **given):
    logs = []
    found = evaluate_code(Request(code=code, language=language, **given), logs.append)
    return found, [entry.code for entry in logs]


def in_environment(code, language):
    return value(code, language, environment_directory="/e", world=DictionaryWorld(ENVIRONMENT))


@pytest.mark.parametrize(("language", "known"), [("8", True), ("9", False)])
def test_no_package_contains_the_type_zone(language, known):
    request = Request(
        code="zone { 'x': }", language=language, modules={"x": "/x"}, world=DictionaryWorld({})
    )
    if known:
        resources = compile_catalog(request, print).resources
        assert "Zone[x]" in [str(one) for one in resources]
    else:
        with pytest.raises(PuppetError, match="zone"):
            compile_catalog(request, print)


def test_the_setting_of_data_providers_is_unknown():
    found, codes = in_environment("lookup('key')", "9")
    assert found == "of the environment"
    assert codes == ["UNKNOWN_SETTINGS"]
    _, codes = in_environment("lookup('key')", "8")
    assert "UNKNOWN_SETTINGS" not in codes


def test_the_global_layer_cannot_be_turned_off():
    given = {
        "settings": {"data_binding_terminus": "none"},
        "hiera_config": "/h/hiera.yaml",
        "world": DictionaryWorld(ENVIRONMENT),
    }
    assert value("lookup('other', default_value => 'none')", "9", **given)[0] != "none"
    assert value("lookup('other', default_value => 'none')", "8", **given)[0] == "none"


def test_settings_that_were_removed_existed():
    found = PUPPET_9.default_settings()
    assert PUPPET_9.removed_settings.isdisjoint(found)
    assert {"data_binding_terminus", "environment_data_provider"} <= settings.DEFAULTS.keys()
    assert found.keys() <= settings.DEFAULTS.keys()
    for name, changed in PUPPET_9.changed_settings.items():
        assert settings.DEFAULTS[name] != changed


@pytest.mark.parametrize(
    ("language", "version"),
    [("9", "9.0.0-beta2"), ("8", "8.28.1"), ("3.8", "3.8.7"), ("3.8-future", "3.8.7")],
)
def test_agents_and_servers_report_the_version_of_the_language(language, version, capfd):
    code = 'notice("${clientversion} ${serverversion}")'
    assert main(["compile", "--no-project", "--language", language, "-e", code]) == exits.OK
    assert capfd.readouterr().err.endswith(f": {version} {version}\n")


def test_a_facts_file_overrides_the_version():
    given = {"facts": {"clientversion": "8.1.0"}, "adds_versions": True}
    assert value("[$clientversion, $facts['clientversion'], $serverversion]", "9", **given)[0] == [
        "8.1.0",
        "8.1.0",
        "9.0.0-beta2",
    ]
