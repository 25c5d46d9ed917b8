"""Every setting of Puppet as an option of ``server``, ``agent``, ``ssl`` and ``ca``."""

from __future__ import annotations

import os
from importlib import import_module

import pytest

from bunraku.ca.authority import Authority
from bunraku.cli.ca.actions import site_of
from bunraku.cli.main import main
from bunraku.cli.options.agent import agent_settings
from bunraku.cli.options.ca import ca_options
from bunraku.cli.options.parser import options_of
from bunraku.cli.options.server import server_options
from bunraku.dialects.known_settings import KNOWN
from bunraku.jobs.serving.configuration import given_settings
from bunraku.modules.settings import DEFAULTS, WORDS
from bunraku.world.linux import LinuxHost


def parsed(command, *words):
    module = import_module(f"bunraku.cli.commands.{command}")
    return options_of(command, module, ["--no-project", *words])


@pytest.fixture
def given(tmp_path):
    """Return the settings of a server's command line and of the ``puppet.conf`` in a directory."""

    def read(*words, conf=""):
        (tmp_path / "puppet.conf").write_text(conf)
        return given_settings(server_options(parsed("server", "--confdir", str(tmp_path), *words)))

    return read


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        (["--environment_timeout", "5m"], "environment_timeout", 300),
        (["--environment_timeout=unlimited"], "environment_timeout", "unlimited"),
        (["--environment-timeout", "0"], "environment_timeout", 0),
        (["--strict_variables", "false"], "strict_variables", False),
        (["--strict_variables"], "strict_variables", True),
        (["--no-strict_variables"], "strict_variables", False),
        (["--no-strict-variables"], "strict_variables", False),
        (["--strict_variables=true"], "strict_variables", True),
        (["--no_proxy", "localhost"], "no_proxy", "localhost"),
        (
            ["--supported_checksum_types", "md5,sha256"],
            "supported_checksum_types",
            ["md5", "sha256"],
        ),
        (["--set", "runinterval=1h"], "runinterval", 3600),
        (["--autosign", "true"], "autosign", "true"),
        (["--reportdir", "$vardir/r"], "reportdir", "$vardir/r"),
        (["--node_name_value", "--", "x"], None, None),
    ],
)
def test_options_become_values(given, words, name, value):
    if name is None:
        with pytest.raises(Exception, match="a value is required"):
            given(*words)
        return
    assert given(*words)[name] == value


def test_relative_paths_start_in_the_current_directory(given, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = given("--reportdir", "reports", "--environmentpath", "a:b", "--vardir", "var")
    assert found["reportdir"] == str(tmp_path / "reports")
    assert found["environmentpath"] == f"{tmp_path / 'a'}:{tmp_path / 'b'}"
    assert found["vardir"] == str(tmp_path / "var")


def test_an_option_wins_over_the_section_of_the_server_over_main(given):
    conf = "[main]\nstrict=off\nreports=none\nruntimeout=5\n[server]\nstrict=warning\nreports=log\n"
    found = given("--strict", "error", conf=conf)
    assert (found["strict"], found["reports"], found["runtimeout"]) == ("error", "log", 5)
    assert given(conf=conf.replace("[server]", "[master]"))["strict"] == "warning"


def test_another_configuration_is_read(given, tmp_path):
    (tmp_path / "other.conf").write_text("[main]\nstrict = off\n")
    found = given("--config", str(tmp_path / "other.conf"), conf="[main]\nstrict=warning\n")
    assert found["strict"] == "off"


def test_every_setting_is_an_option(given):
    own = {action.dest for action in import_parser("server").actions()}
    for name in sorted(KNOWN - own - {"config"}):
        usual = "true" if isinstance(DEFAULTS.get(name), bool) else "1"
        value = WORDS.get(name, (usual,))[0]
        found = given(f"--{name}={value}")
        assert str(found[name]).removeprefix(os.getcwd() + "/").strip("[]'").lower() == value, name


def import_parser(command):
    parsers = import_module("bunraku.cli.options.parser")
    return parsers.parser_of(command, import_module(f"bunraku.cli.commands.{command}"))


@pytest.mark.parametrize("command", ["server", "agent", "ca list", "ssl show"])
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--enviroment_timeout", "5m"], "did you mean '--environment_timeout'?"),
        (["--no-certname"], "unknown option '--no-certname'"),
        (["--environment_timeout"], "--environment_timeout: a value is required"),
        (["--set", "strikt=off"], "unknown setting 'strikt' (did you mean 'strict'?)"),
    ],
)
def test_mistakes_are_refused(tmp_path, capsys, command, words, message):
    directories = ["--confdir", str(tmp_path), "--ssldir", str(tmp_path / "ssl"), "--no-project"]
    assert main([*command.split(), *directories, *words]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--environment_timeout", "soon"], "setting environment_timeout: use a number, or a"),
        (["--strict_variables=maybe"], "setting strict_variables: use true or false"),
        (["--runinterval", "unlimited"], "setting runinterval: use a number"),
        (["--config", "/nowhere"], "/nowhere"),
    ],
)
def test_wrong_values_are_refused(tmp_path, capsys, words, message):
    assert main(["server", "--confdir", str(tmp_path), "--no-project", *words]) == 2
    assert message in capsys.readouterr().err


def test_the_help_is_short(capsys):
    main(["server", "--help"])
    text = capsys.readouterr().out
    assert "docs/settings.md" in text
    assert "--statettl" not in text
    assert len(text.splitlines()) < 120


def test_the_agent_takes_them_with_and_without_help(tmp_path):
    directories = ["--confdir", str(tmp_path), "--vardir", str(tmp_path / "var")]
    words = ["--certname", "a", "--noop", "false", "--show_diff", "--http_read_timeout", "2m"]
    found = agent_settings(parsed("agent", *directories, *words), LinuxHost())
    assert (found.flag("noop"), found.flag("show_diff")) == (False, True)
    assert found.number("http_read_timeout") == 120
    assert {"noop", "show_diff", "http_read_timeout"} <= set(found.by_option)


def test_the_authority_takes_them(tmp_path):
    directories = ["--confdir", str(tmp_path), "--ssldir", str(tmp_path / "ssl")]
    words = ["list", *directories, "--cacrl", str(tmp_path / "crl"), "--set", "ca_ttl=1h"]
    site = site_of(ca_options(parsed("ca", *words, "--allow_duplicate_certs")))
    assert Authority(site.settings).settings.cacrl == str(tmp_path / "crl")
    assert (site.settings.ca_ttl, site.settings.allow_duplicate_certs) == (3600, True)


@pytest.mark.parametrize(
    ("conf", "message"),
    [
        ("strict = of\n", "puppet.conf:1: invalid value 'of' of the setting strict: use off"),
        ("[main]\nnoop = true\n[server]\nnoop = maybe\n", "puppet.conf:4: invalid value 'maybe'"),
        ("# x\n[main]\nruninterval = soon\n", "puppet.conf:3: invalid value 'soon'"),
    ],
)
@pytest.mark.parametrize("command", ["compile", "apply"])
def test_a_wrong_value_in_a_puppet_conf_is_an_error(command, conf, message, tmp_path, capsys):
    (tmp_path / "puppet.conf").write_text(conf)
    (tmp_path / "x.pp").write_text("notice(1)\n")
    words = [str(tmp_path / "x.pp"), "--config", str(tmp_path / "puppet.conf")]
    noop = ["--noop"] if command == "apply" else []
    assert main([command, "--no-project", *noop, *words]) == 2
    assert message in capsys.readouterr().err
