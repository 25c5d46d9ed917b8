"""Symbolic links that lead out of a project: commands for changes do not follow them."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from bunraku.base.fences import FENCES
from bunraku.cli import exits
from bunraku.cli.main import main

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

SECRET = "swordfish"
TEXT = f"password: {SECRET} }} {{ : [\n{SECRET} = 'x\n"
FILES = {
    "environment.conf": "modulepath = modules\n",
    "hiera.yaml": "version: 5\nhierarchy:\n  - {name: a, glob: '*.yaml'}\n",
    "data/common.yaml": "k: v\n",
    "manifests/site.pp": "node default { notify { lookup('k'): } }\n",
    "modules/m/manifests/init.pp": "class m { }\n",
    "modules/m/metadata.json": '{"name": "a-m", "version": "1.0.0", "author": "a", "license": "MIT", '
    '"summary": "s", "source": "s", "dependencies": []}\n',
    "facts/n.yaml": "os: {}\n",
}
COMMANDS = {
    "validate": ["validate"],
    "check": ["check"],
    "lint": ["lint"],
    "ci": ["ci", "--base", "HEAD", "--facts-folder", "facts"],
    "migrate": ["migrate", "--facts-folder", "facts"],
    "diff": ["diff", "--facts-folder", "facts"],
}


def git(root, *arguments):
    who = ["-c", "user.name=n", "-c", "user.email=n@example.com"]
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def root(tmp_path, monkeypatch):
    found = tmp_path / "control"
    for name, text in FILES.items():
        (found / name).parent.mkdir(parents=True, exist_ok=True)
        (found / name).write_text(text)
    git(tmp_path, "init", "-q", "control")
    git(found, "add", "-A")
    git(found, "commit", "-q", "-m", "first")
    outside = tmp_path / "outside"
    outside.mkdir()
    for name in ("a.pp", "a.yaml", "a.json", "a.epp", "common.yaml", "init.pp"):
        (outside / name).write_text(TEXT)
    monkeypatch.chdir(found)
    monkeypatch.setenv("AAA", TEXT)
    return found


def link(path, target):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


def printed(capfd, command):
    code = main(COMMANDS[command] if isinstance(command, str) else command)
    out, err = capfd.readouterr()
    assert SECRET not in out + err
    assert "internal error" not in err
    assert FENCES == []
    return code, out + err


PLACES = (
    "manifests/e.pp",
    "modules/m/manifests/e.pp",
    "modules/m/types/e.pp",
    "modules/m/templates/e.epp",
    "data/e.yaml",
    "data/common.yaml",
    "hiera.yaml",
    "modules/m/metadata.json",
)


@pytest.mark.parametrize("target", ["/proc/self/environ", "{outside}/a.pp", "relative"])
@pytest.mark.parametrize("place", PLACES)
def test_validate_reads_no_linked_file(place, target, root, tmp_path, capfd):
    outside = str(tmp_path / "outside")
    if target == "relative":
        target = os.path.relpath(f"{outside}/a.pp", (root / place).parent)
    link(root / place, target.format(outside=outside))
    code, text = printed(capfd, "validate")
    assert code == exits.TROUBLE
    assert f"cannot read {place}: a symbolic link leads out of the project" in text


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "place", ["manifests/e.pp", "modules/m/manifests/init.pp", "data/common.yaml"]
)
def test_no_command_shows_what_a_link_leads_to(command, place, root, tmp_path, capfd):
    for target in ("/proc/self/environ", f"{tmp_path}/outside/a.pp"):
        link(root / place, target)
        code, _ = printed(capfd, command)
        # lint reads manifests only, diff only what the node needs
        assert code != exits.OK or command == "lint" or place.startswith("modules")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "link")
        printed(capfd, ["diff", "HEAD~1", "HEAD", "--facts-folder", "facts"])
        git(root, "reset", "-q", "--hard", "HEAD~1")


@pytest.mark.parametrize("command", ["validate", "check", "lint", "ci"])
@pytest.mark.parametrize("place", ["manifests/sub", "data", "modules/z", "x"])
def test_linked_directories_are_not_entered(command, place, root, tmp_path, capfd):
    for target in (f"{tmp_path}/outside", "/proc/self"):
        link(root / place, target)
        code, text = printed(capfd, command)
        assert code == exits.TROUBLE
        assert f"{place}: a symbolic link leads out of the project" in text


@pytest.mark.parametrize("command", ["diff", "migrate", "ci", "check"])
@pytest.mark.parametrize("place", ["manifests", "modules/m/templates", "Puppetfile", ".gitmodules"])
def test_other_linked_places_are_no_internal_error(command, place, root, tmp_path, capfd):
    target = "/proc/self/environ" if "." in place or place == "Puppetfile" else tmp_path / "outside"
    link(root / place, target)
    code, _ = printed(capfd, command)
    assert code == exits.TROUBLE or place != "manifests"


def test_a_link_behind_a_linked_directory(root, tmp_path, capfd):
    link(root / "one", "manifests")  # in the project
    link(root / "manifests/e.pp", "../one/../../outside/a.pp")
    assert printed(capfd, "validate")[0] == exits.TROUBLE
    link(root / "manifests/e.pp", "../one/site.pp")
    assert printed(capfd, "validate")[0] == exits.OK


@pytest.mark.parametrize("name", ["bunraku.toml", ".puppet-lint.rc", "environment.conf"])
def test_linked_configuration(name, root, tmp_path, capfd):
    for target in ("/proc/self/environ", f"{tmp_path}/outside/a.pp"):
        link(root / name, target)
        for command in ("validate", "lint", "check"):
            printed(capfd, command)


def test_a_named_link_leads_out_of_the_project(root, tmp_path, capfd):
    link(root / "manifests/e.pp", "/proc/self/environ")
    for command in ("validate", "lint", "check"):
        assert printed(capfd, [command, "manifests/e.pp"])[0] == exits.TROUBLE
    assert printed(capfd, ["validate", str(root / "modules")])[0] == exits.OK
    os.chdir(tmp_path)
    assert printed(capfd, ["validate", "control"])[0] == exits.TROUBLE
    assert printed(capfd, ["puppet", "parser", "validate", "control/manifests"])[0] != exits.OK


def test_modules_may_be_linked_from_outside(root, tmp_path, capfd, monkeypatch):
    module = tmp_path / "elsewhere/z"
    (module / "manifests").mkdir(parents=True)
    (module / "metadata.json").write_text(FILES["modules/m/metadata.json"].replace("a-m", "a-z"))
    (module / "manifests/init.pp").write_text("class z { notify { 'z': } }\n")
    link(root / "modules/z", module)
    (root / "manifests/site.pp").write_text("node default { include z }\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "module")
    for command in ("validate", "lint", "diff"):
        assert printed(capfd, command)[0] == exits.OK, command
    code, text = printed(capfd, ["diff", "HEAD~1", "HEAD", "--facts-folder", "facts"])
    assert code == exits.FINDINGS
    assert "+ Notify[z]" in text
    link(module / "manifests/e.pp", tmp_path / "outside/a.pp")
    code, text = printed(capfd, "validate")
    assert code == exits.TROUBLE
    monkeypatch.setenv("BUNRAKU_SAFE_DIRECTORY", str(tmp_path / "outside"))
    assert main(["validate"]) == exits.FINDINGS
    assert SECRET in capfd.readouterr().out


def test_a_directory_that_a_link_names(root, tmp_path, capfd):
    (tmp_path / "named").symlink_to(root / "modules")
    link(root / "modules/m/manifests/site.pp", "../../../manifests/site.pp")
    os.chdir(tmp_path)
    assert main(["lint", "named"]) == exits.OK
    link(root / "modules/m/manifests/site.pp", tmp_path / "outside/a.pp")
    assert printed(capfd, ["lint", "named"])[0] == exits.TROUBLE


def test_pages_of_coverage_show_no_linked_file(root, tmp_path, capfd):
    link(root / "manifests/e.pp", tmp_path / "outside/a.pp")
    main(["cover", "--report", "html=page", "--", "true"])
    assert SECRET not in "".join(capfd.readouterr())
    page = root / "page"
    assert not page.exists() or SECRET not in page.read_text()


def test_a_module_that_is_its_own_fixture(root, capfd, monkeypatch):
    fixtures = root / "modules/m/spec/fixtures/modules"
    fixtures.mkdir(parents=True)
    link(fixtures / "m", "../../..")
    monkeypatch.chdir(root / "modules/m")
    assert printed(capfd, "validate")[0] == exits.OK
