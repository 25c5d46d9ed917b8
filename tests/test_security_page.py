"""Claims of ``docs/security.md`` about the possible actions of others."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
from pathlib import Path

import pytest

import bunraku
from bunraku.base.errors import PuppetError
from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.facts.documents import read_facts
from bunraku.jobs.batch import answer
from bunraku.world.owners import reason_against, reason_against_program

ROOT = Path(__file__).parents[1]
NOBODY = 65534
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to other users")


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide a directory in which all users write, with a directory of this user in it."""
    folder = tmp_path / "shared"
    (folder / "mine").mkdir(parents=True)
    folder.chmod(0o1777)
    monkeypatch.chdir(folder / "mine")
    return folder


def marker(folder: Path) -> str:
    """Return a program that leaves a file, ``ran``, in a directory."""
    program = folder / "program"
    program.write_text(f"#!/bin/sh\ntouch '{folder}/ran'\necho '{{}}'\n")
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize("command", [["compile", "-e", ""], ["eval", "1"], ["lookup", "a"]])
def test_configuration_in_a_shared_directory_above_is_ignored(
    command: list[str], shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shared / "bunraku.toml").write_text(
        f"node_terminus = 'exec'\nexternal_nodes = '{marker(shared)}'\n"
    )
    (shared / "environment.conf").write_text(f"config_version = '{marker(shared)}'\n")
    (shared / "hiera.yaml").write_text("version: 5\n")
    (shared / "modules").mkdir()
    main(command)
    ignored = f"ignoring {shared}/bunraku.toml: other users can put files in {shared}: "
    assert ignored in capsys.readouterr().err
    assert not (shared / "ran").exists()
    shared.chmod(0o755)
    main(command)
    assert (shared / "ran").exists()


@AS_ROOT
def test_a_directory_above_of_another_user_is_shared(tmp_path: Path) -> None:
    theirs, mine = str(tmp_path / "theirs"), str(tmp_path / "theirs/mine")
    os.makedirs(mine)
    assert reason_against(theirs, mine) is None
    os.chown(theirs, NOBODY, NOBODY)
    assert reason_against(theirs, mine) == "it belongs to the user nobody"
    os.chown(mine, NOBODY, NOBODY)  # the whole tree is theirs, and was chosen
    assert reason_against(theirs, mine) is None


@pytest.mark.parametrize("mode", [0o777, 0o757, 0o1777, 0o702])
def test_a_directory_above_for_everybody_is_shared(mode: int, tmp_path: Path) -> None:
    (tmp_path / "above/mine").mkdir(parents=True)
    (tmp_path / "above").chmod(mode)
    found = reason_against(str(tmp_path / "above"), str(tmp_path / "above/mine"))
    assert found == "all users can write to it"


@AS_ROOT
def test_groups_that_can_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "above/mine").mkdir(parents=True)
    above, mine = str(tmp_path / "above"), str(tmp_path / "above/mine")
    os.chmod(above, 0o775)
    assert reason_against(above, mine) is None  # umask 002
    os.chown(above, 0, 1)
    assert reason_against(above, mine) == "the group daemon can write to it"
    assert reason_against_program(above) == "the group daemon can write to it"
    os.chown(mine, 0, 1)  # the group of the directory that was chosen
    assert reason_against(above, mine) is None
    os.chown(mine, 54321, 54321)  # a user without a name, as in a container
    os.chown(above, 54321, 54321)
    assert reason_against(above, mine) is None
    assert reason_against_program(above) == "it belongs to the user with the number 54321"
    monkeypatch.setenv("SUDO_UID", "54321")
    assert reason_against_program(above) is None


@AS_ROOT
def test_owner_and_mode_of_the_file_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "bunraku.toml"
    path.write_text("strict = 'off'\n")
    code = ["compile", "-e", "notice($nothing)", "--no-strict-variables"]

    def warned() -> str:
        main(code)
        return capsys.readouterr().err

    assert "ignoring" not in warned()
    path.chmod(0o666)
    assert f"ignoring {path}: all users can write to it\n    hint: if you trust" in warned()
    path.chmod(0o644)
    os.chown(path, NOBODY, NOBODY)
    assert f"ignoring {path}: it belongs to the user nobody" in warned()
    with pytest.raises(PuppetError, match="belongs to the user nobody"):
        bunraku.Environment(tmp_path)
    monkeypatch.setenv("BUNRAKU_SAFE_DIRECTORY", f"/nowhere:{tmp_path}")
    assert "ignoring" not in warned()
    monkeypatch.delenv("BUNRAKU_SAFE_DIRECTORY")
    os.chown(tmp_path, NOBODY, NOBODY)  # a checkout of another user, as in a container
    assert "ignoring" not in warned()
    path.rename(tmp_path / "other")
    path.symlink_to("other")
    assert f"ignoring {path}: it belongs to the user" not in warned()


@pytest.mark.parametrize("way", ["owner", "everybody", "above", "program", "settings", "config"])
@AS_ROOT
def test_a_classifier_of_another_user_is_not_run(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "above" / "project"
    root.mkdir(parents=True)
    monkeypatch.chdir(root)
    program = marker(root)
    lines = "node_terminus = 'exec'\nexternal_nodes = './program'\n"
    if way == "settings":
        lines = f"[settings]\nnode_terminus = 'exec'\nexternal_nodes = '{program}'\n"
    if way == "config":
        (root / "puppet.conf").write_text(f"[main]\nnode_terminus=exec\nexternal_nodes={program}\n")
        lines = "config = 'puppet.conf'\n"
    (root / "bunraku.toml").write_text(lines)
    main(["compile", "-e", "", "--node", "a"])
    assert (root / "ran").exists()
    (root / "ran").unlink()
    match way:
        case "everybody":
            root.chmod(0o777)
        case "above":
            root.parent.chmod(0o777)
        case "program":
            os.chown(program, NOBODY, NOBODY)
        case _:
            for one in (root, *root.iterdir()):
                os.chown(one, NOBODY, NOBODY)
    capsys.readouterr()
    assert main(["compile", "-e", "", "--node", "a"]) != exits.OK
    assert not (root / "ran").exists()
    error = capsys.readouterr().err
    assert "external_nodes in" in error
    assert "BUNRAKU_SAFE_DIRECTORY=" in error
    assert main(["validate", "-e", ""]) == exits.OK
    assert main(["compile", "-e", "", "--node", "a", "--external-nodes", program]) == exits.OK
    assert (root / "ran").exists()


@AS_ROOT
def test_a_version_command_of_another_user_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text("")
    (tmp_path / "environment.conf").write_text(f"config_version = '{marker(tmp_path)}'\n")
    os.chown(tmp_path / "environment.conf", NOBODY, NOBODY)
    os.chown(tmp_path, NOBODY, NOBODY)
    monkeypatch.chdir(tmp_path)
    assert main(["compile", "--node", "a"]) == exits.OK
    assert not (tmp_path / "ran").exists()
    assert "ignoring config_version in" in capsys.readouterr().err
    monkeypatch.setenv("BUNRAKU_SAFE_DIRECTORY", "*")
    assert main(["compile", "--node", "a"]) == exits.OK
    assert (tmp_path / "ran").exists()


def test_the_current_directory_for_everybody_is_no_project(
    shared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shared)
    (shared / "bunraku.toml").write_text("strict = 'off'\n")
    (shared / ".puppet-lint.rc").write_text("--fix\n")
    (shared / "a.pp").write_text('$a = "x"\n')
    (shared / "environment.conf").write_text(f"config_version = '{marker(shared)}'\n")
    main(["compile", "-e", ""])
    main(["lint", "a.pp"])
    error = capsys.readouterr().err
    assert not (shared / "ran").exists()
    assert (shared / "a.pp").read_text() == '$a = "x"\n'
    assert (
        f"warning: ignoring {shared}/bunraku.toml: other users can put files in {shared}" in error
    )
    assert f"ignoring {shared}/.puppet-lint.rc: other users can put files in {shared}" in error


PYTHON_TAG = "!!python/object/apply:os.system ['touch {ran}']"


@pytest.mark.parametrize("place", ["facts", "data", "hiera.yaml", "classifier", "stored"])
def test_tags_of_yaml_make_no_objects(place: str, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    path = tmp_path / f"{place}.yaml"
    path.write_text(f"a: {PYTHON_TAG.format(ran=ran)}\n")
    level = {"name": "a", "data_hash": "yaml_data", "path": str(tmp_path / "data.yaml")}
    config = tmp_path / "config.yaml"
    config.write_text(json.dumps({"version": 5, "hierarchy": [level]}))
    code, fields = "notice(1)", {}
    try:
        if place == "facts":
            fields = {"facts": read_facts(str(path))}
            code = "notice($facts)"
        elif place == "classifier":
            fields = {"settings": {"node_terminus": "yaml", "external_nodes": str(path)}}
        elif place == "stored":
            fields = {"storedconfigs": str(path)}
            code = "File <<| |>>"
        else:
            fields = {"hiera_config": str(config if place == "data" else path)}
            code = "notice(lookup('a'))"
        compile_catalog(Request(code=code, **fields), lambda _entry: None)
    except PuppetError:
        pass
    assert not ran.exists()


def git(repository: Path, *arguments: str) -> None:
    """Run git in a repository."""
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "safe.directory=*")
    subprocess.run(["git", *who, *arguments], cwd=repository, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Provide a control repository with a commit."""
    found = tmp_path / "repository"
    (found / "manifests").mkdir(parents=True)
    (found / "environment.conf").touch()
    (found / "manifests/site.pp").write_text("notify { 'a': }")
    git(found, "init", "-q")
    git(found, "add", "-A")
    git(found, "commit", "-qm", "a")
    return found


def diff_of(repository: Path, *revisions: str) -> int:
    """Compare revisions for one node without facts."""
    facts = repository.parent / "facts"
    facts.mkdir(exist_ok=True)
    (facts / "n.json").write_text("{}")
    return main(["diff", *revisions, "--repository", str(repository), "--facts-folder", str(facts)])


@pytest.mark.parametrize("name", ["--upload-pack=touch ran", "--output=ran", "-oran"])
def test_a_revision_is_never_an_option_of_git(
    name: str, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    assert diff_of(repository, "--", name, "HEAD") == exits.TROUBLE
    assert not (repository / "ran").exists()


@AS_ROOT
def test_a_repository_of_another_user_is_refused_by_git(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(repository.parent))  # no exceptions in a configuration
    monkeypatch.delenv("SUDO_UID", raising=False)
    for name in [one for one in os.environ if one.startswith("GIT_")]:
        monkeypatch.delenv(name)  # safe.directory can be in them, too
    for folder, _, files in os.walk(repository):
        for path in (folder, *(os.path.join(folder, name) for name in files)):
            os.chown(path, NOBODY, NOBODY)
    assert diff_of(repository, "HEAD", "HEAD") == exits.TROUBLE
    assert "dubious ownership" in capsys.readouterr().err


def test_submodules_are_neither_fetched_nor_read(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = "ext::sh -c 'touch ran'"
    (repository / ".gitmodules").write_text(f'[submodule "m"]\npath = modules/m\nurl = {url}\n')
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=repository, check=True, capture_output=True, text=True
    ).stdout.strip()
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{head},modules/m")
    git(repository, "add", ".gitmodules")
    (repository / "manifests/site.pp").write_text("include m")
    git(repository, "add", "-A", "manifests")
    git(repository, "commit", "-qm", "b")
    diff_of(repository, "HEAD~1", "HEAD")
    assert "class" in capsys.readouterr().out.lower()
    assert not (repository / "ran").exists()


def test_validate_runs_no_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It parses: neither manifests nor templates, functions, types, programs or commands run."""
    ran, program = tmp_path / "ran", marker(tmp_path)
    module = tmp_path / "site/modules/m"
    files = {
        "manifests/init.pp": f"class m {{ generate('{program}') }}",
        "functions/f.pp": f"function m::f() {{ generate('{program}') }}",
        "templates/t.erb": f"<% File.write('{ran}', '') %>",
        "templates/t.epp": f"<% generate('{program}') %>",
        "lib/puppet/functions/m/r.rb": f"File.write('{ran}', '')",
        "lib/puppet/type/t.rb": f"File.write('{ran}', '')",
        "lib/bunraku/functions/m/p.py": f"open('{ran}', 'w')",
        "metadata.json": "{}",
        "hiera.yaml": f"a: {PYTHON_TAG.format(ran=ran)}",
    }
    for name, text in files.items():
        path = module / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    site = tmp_path / "site"
    (site / "environment.conf").write_text(f"config_version = '{program}'\n")
    (site / "bunraku.toml").write_text(f"node_terminus = 'exec'\nexternal_nodes = '{program}'\n")
    monkeypatch.chdir(site)
    main(["validate", "."])
    assert not ran.exists()


PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def test_tests_that_the_page_names_exist() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    written = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")
    )
    assert len(named) > 10
    assert {name for name in named if f"def {name}(" not in written} == set()


@pytest.mark.parametrize("mask", [0, 0o022])
def test_catalogs_are_files_that_other_users_cannot_read(mask: int, tmp_path: Path) -> None:
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts/n.json").write_text("{}")
    before = os.umask(mask)
    try:
        folders = [
            "--facts-folder",
            str(tmp_path / "facts"),
            "--output-folder",
            str(tmp_path / "out"),
        ]
        main(["compile", "--nodes", "-e", "", *folders])
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out/n.json").stat().st_mode) == 0o640


@pytest.mark.parametrize(
    "code",
    [
        "notice($secret)",
        "fail($secret)",
        "notice($secret + 1)",
        "class a(Integer $p) { } class { 'a': p => $secret }",
        "notify { $secret: }",
        'notice("${secret}")',
        "include($secret)",
        "warning([$secret])",
        "lookup($secret)",
        "call($secret)",
    ],
)
def test_messages_redact_sensitive_values(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    secret = '$secret = Sensitive("sword${1 + 1}fish")'  # the line that reports show is not secret
    main(["compile", "--no-project", "-e", f"{secret} {code}"])
    errors = capsys.readouterr().err
    assert errors
    assert "sword2fish" not in errors


def test_eval_redacts_sensitive_values(capsys: pytest.CaptureFixture[str]) -> None:
    main(["eval", "--no-project", '[Sensitive("sword${1 + 1}fish")]'])
    output = capsys.readouterr()
    assert "redacted" in output.out
    assert "sword2fish" not in output.out + output.err


def test_nodes_of_every_door_are_checked(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "manifests").mkdir(parents=True)
    (site / "environment.conf").touch()
    environment = bunraku.Environment(site)
    refused = "Invalid node name"
    with pytest.raises(PuppetError, match=refused):
        environment.compile("../x")
    with pytest.raises(PuppetError, match=refused):
        bunraku.compile("notice(1)", node="../x")
    with pytest.raises(PuppetError, match=refused):
        bunraku.lookup("a", node="../x")
    with pytest.raises(PuppetError, match=refused):
        bunraku.compile("notice(1)", trusted={"certname": "../x"})
    (outcome,) = environment.compile_nodes({"../x": {}}, jobs=1)
    assert refused in outcome.findings[0].message
    request = json.dumps({"id": "1", "code": "notice(1)", "node": "../x"}).encode()
    assert refused in json.loads(answer(request))["error"]["message"]
