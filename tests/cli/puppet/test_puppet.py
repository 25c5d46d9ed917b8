"""``bunraku puppet`` beside the messages and exit codes that Puppet 7.23 gave for the same calls."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from bunraku.cli.main import main

FACTS = """\
--- !ruby/object:Puppet::Node::Facts
name: web1
values:
  os:
    family: Debian
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a directory with a repository, facts, and right and wrong manifests."""
    module = tmp_path / "environments/production/modules/site/manifests"
    module.mkdir(parents=True)
    (module / "init.pp").write_text(
        'class site { file { "/etc/site": content => "one ${facts["os"]["family"]}" } }\n'
    )
    manifests = tmp_path / "environments/production/manifests"
    manifests.mkdir()
    (manifests / "site.pp").write_text("node default { include site }\n")
    facts = tmp_path / "yaml/facts"
    facts.mkdir(parents=True)
    (facts / "web1.yaml").write_text(FACTS)
    (tmp_path / "good.pp").write_text("notice(1) warning(2)\n")
    (tmp_path / "broken.pp").write_text("1 = 2\n3 = 4\n")
    (tmp_path / "fail.pp").write_text("include nix\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_the_version_is_that_of_the_language(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["puppet", "--version"]) == 0
    assert capfd.readouterr().out.startswith("8.")
    monkeypatch.setenv("BUNRAKU_LANGUAGE", "3.8")
    assert main(["puppet", "--version"]) == 0
    assert capfd.readouterr().out.startswith("3.8")


@pytest.mark.usefixtures("place")
def test_a_valid_manifest_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["puppet", "parser", "validate", "good.pp"]) == 0
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("place")
def test_a_missing_manifest_is_named_as_puppet_names_it(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert main(["puppet", "parser", "validate", "nix.pp"]) == 1
    assert capfd.readouterr().err == (
        "\x1b[1;31mError: One or more file(s) specified did not exist:\n"
        '["   nix.pp\\n"]\x1b[0m\n'
        "\x1b[1;31mError: Try 'puppet help parser validate' for usage\x1b[0m\n"
    )


def test_several_errors_are_counted(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["puppet", "parser", "validate", "--color=false", "broken.pp"]) == 1
    lines = capfd.readouterr().err.splitlines()
    assert [line.partition("(")[2] for line in lines[:2]] == [
        f"file: {place}/broken.pp, line: 1, column: 1)",
        f"file: {place}/broken.pp, line: 2, column: 1)",
    ]
    assert lines[2:] == ["Error: Language validation logged 2 errors. Giving up"]


@pytest.mark.usefixtures("place")
def test_the_call_of_octocatalog_diff(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["puppet", "catalog", "compile", "web1", "--no-storeconfigs", "--factpath=yaml/facts"]
    words += [
        "--facts_terminus=yaml",
        "--no-daemonize",
        "--color=false",
        "--environment=production",
    ]
    words += ["--environmentpath=environments", "--yamldir=yaml", "--vardir=var", "--logdir=var"]
    assert main([*words, "--ssldir=var/ssl", "--confdir=."]) == 0
    notice, _, text = capfd.readouterr().out.partition("\n")
    assert notice.startswith("Notice: Compiled catalog for web1 in environment production in ")
    catalog = json.loads(text)
    (file,) = [one for one in catalog["resources"] if one["type"] == "File"]
    assert file["parameters"] == {"content": "one Debian"}
    assert catalog["version"] > 0
    assert catalog["catalog_uuid"]


def test_the_call_of_wikimedia(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    production = place / "environments/production"
    words = ["puppet", "catalog", "compile", "--facts_terminus=yaml", "--render-as=rich_data_json"]
    words += [f"--vardir={place}", f"--modulepath={production}/modules", f"--confdir={place}"]
    words += ["--color=false", f"--yamldir={place}/yaml", f"--factpath={place}/yaml/facts"]
    words += [f"--manifest={production}/manifests", f"--environmentpath={place}/environments"]
    assert main([*words, "web1"]) == 0
    _, _, text = capfd.readouterr().out.partition("\n")
    assert json.loads(text)["name"] == "web1"


def test_a_failure_is_logged_by_each_layer(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["puppet", "catalog", "compile", "web1", "--facts_terminus=yaml", "--color=false"]
    assert main([*words, "--manifest", "fail.pp"]) == 1
    error = (
        "Evaluation Error: Error while evaluating a Function Call, Could not find class ::nix for "
        f"web1 (file: {place}/fail.pp, line: 1, column: 1) on node web1"
    )
    call = "Could not call 'find' on 'catalog': "
    usage = "Try 'puppet help catalog compile' for usage"
    assert capfd.readouterr().err.splitlines() == [
        f"Error: {text}" for text in (error, error, call + error, call + error, usage)
    ]


@pytest.mark.usefixtures("place")
def test_messages_have_the_streams_and_colours_of_puppet(
    capfd: pytest.CaptureFixture[str],
) -> None:
    words = ["puppet", "catalog", "compile", "web1", "--facts_terminus=yaml"]
    assert main([*words, "--manifest", "good.pp"]) == 0
    found = capfd.readouterr()
    assert found.out.startswith("\x1b[mNotice: Scope(Class[main]): 1\x1b[0m\n")
    assert found.err == "\x1b[1;33mWarning: Scope(Class[main]): 2\x1b[0m\n"


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["cert", "list"], "the subcommand 'cert' is not supported"),
        (["parser", "nix"], "'parser' has no action 'nix'"),
        (["parser", "validate", "--nosuch"], "unknown option '--nosuch'"),
        (
            [
                "catalog",
                "compile",
                "web1",
                "--storeconfigs",
                "--storeconfigs_backend=active_record",
            ],
            "--storeconfigs_backend active_record is not supported: use puppetdb",
        ),
        (["catalog", "compile", "web1", "--facts_terminus=rest"], "use one of facter, yaml, json"),
    ],
)
def test_what_is_not_supported_is_refused(
    words: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["puppet", *words]) == 2
    found = capfd.readouterr()
    assert said in found.err
    assert found.out == ""


def test_the_executable_runs_bunraku(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["puppet", "--install", str(place)]) == 0
    path = capfd.readouterr().out.strip()
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("8.")
    assert main(["puppet", "--install", str(place)]) == 0
    Path(path).write_text("#!/bin/sh\n")
    assert main(["puppet", "--install", str(place)]) == 2
    assert "exists and is not bunraku's" in capfd.readouterr().err


@pytest.mark.skipif(shutil.which("octocatalog-diff") is None, reason="no octocatalog-diff")
def test_octocatalog_diff_runs_unchanged(place: Path) -> None:
    repository = place / "environments/production"
    (repository / "environment.conf").write_text("modulepath = modules\n")
    names = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com"}
    names |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in names.items()}

    def git(*words: str) -> None:
        subprocess.run(["git", *words], cwd=repository, check=True, env={**os.environ, **names})

    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "before")
    git("branch", "before")
    manifest = repository / "modules/site/manifests/init.pp"
    manifest.write_text(manifest.read_text().replace("one", "two"))
    git("commit", "-qam", "after")
    assert main(["puppet", "--install", str(place)]) == 0
    done = subprocess.run(
        [
            *("octocatalog-diff", "-n", "web1", "-f", "before", "-t", "HEAD"),
            *("--basedir", str(repository), "--fact-file", str(place / "yaml/facts/web1.yaml")),
            *("--puppet-binary", str(place / "puppet"), "--no-parallel", "--no-color"),
        ],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "File[/etc/site]" in done.stdout
    assert "- one Debian" in done.stdout
    assert "+ two Debian" in done.stdout
