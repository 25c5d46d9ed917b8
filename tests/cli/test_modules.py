"""The command ``modules``: its texts, exit codes and wrong usage."""

import json

import pytest

from bunraku.cli.main import main
from support.forge_server import serving_forge
from support.git_remotes import VARIABLES, Remote


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A directory with a Puppetfile, a Forge and a git module."""
    tmp_path.chmod(0o700)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    root = tmp_path / "site"
    root.mkdir()
    monkeypatch.chdir(root)
    tool = Remote(tmp_path, "tool", {"manifests/init.pp": "class tool { }\n"})
    tool.tag("v1.0.0")
    (root / "Puppetfile").write_text(
        f"mod 'acme/beta', '1.0.0'\nmod 'tool', :git => '{tool.url}', :tag => 'v1.0.0'\n"
    )
    with serving_forge() as forge:
        for version in ("1.0.0", "1.1.0"):
            forge.add("acme-beta", version, {"acme-base": ">= 2.0.0"})
        forge.add("acme-base", "2.0.0")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        (root / "r10k.yaml").write_text(f"forge: {{baseurl: '{forge.url}'}}\n")
        yield root


def run(capsys, *words):
    code = main(["modules", *words])
    output = capsys.readouterr()
    return code, output.out, output.err


def test_modules_are_installed_locked_and_compared(site, capsys):
    code, out, err = run(capsys, "install")
    assert (code, err) == (0, "")
    assert (
        out
        == "beta  installed 1.0.0\ntool  installed v1.0.0 ({commit})\n2 modules: 2 installed\n".format(
            commit=out.partition("(")[2].partition(")")[0]
        )
    )
    assert run(capsys, "install")[1] == "2 modules: 2 unchanged\n"
    assert run(capsys, "install", "--offline")[1] == "2 modules: 2 unchanged\n"
    assert run(capsys, "verify") == (0, "2 modules compared: none with differences\n", "")
    (site / "modules/tool/x").write_text("x")
    assert run(capsys, "verify")[:2] == (
        1,
        "tool: foreign x\n2 modules compared: 1 with differences\n",
    )
    code, out, _err = run(capsys, "lock")
    assert code == 0
    assert "note: acme-beta needs acme-base >= 2.0.0, which nothing declares\n" in out
    assert out.endswith("Puppetfile.lock is written: 2 modules\n")
    code, out, _err = run(capsys, "outdated")
    assert code == 1
    assert out == ("module     current  permitted  newest\nacme/beta  1.0.0    1.0.0      1.1.0\n")
    assert run(capsys, "update", "beta")[1] == (
        "note: acme-beta needs acme-base >= 2.0.0, which nothing declares\n"
        "note: --add-dependencies locks and installs what nothing declares\n"
        "note: Puppetfile:1 pins acme/beta\nPuppetfile.lock is up to date: 2 modules\n"
    )
    code, out, _err = run(capsys, "tree")
    assert (
        out == "acme-beta 1.0.0\n└── acme-base not declared (>= 2.0.0)\ntool 1.0.0\n" or code == 0
    )
    assert run(capsys, "why", "base")[1] == (
        "Puppetfile:1: acme-beta 1.0.0 → acme-base not declared (>= 2.0.0)\n"
    )


def test_errors_name_the_place_and_the_exit_code_is_1(site, capsys):
    with (site / "Puppetfile").open("a") as file:
        file.write("mod 'acme/nosuch', '1.0.0'\n")
    code, out, err = run(capsys, "install", "--format", "json")
    assert code == 1
    assert "Puppetfile:3" in err
    data = json.loads(out)
    assert [one["outcome"] for one in data["modules"]] == ["installed", "installed", "failed"]
    assert [error["line"] for error in data["errors"]] == [3]


@pytest.mark.parametrize(
    "words",
    [
        ["lock", "beta"],
        ["why"],
        ["add", "--git", "url", "a"],
        ["add", "a/b", "--tag", "v1"],
        ["install", "--jobs", "-1"],
        ["instal"],
    ],
)
def test_wrong_usage_exits_with_2(site, capsys, words):
    assert run(capsys, *words)[0] == 2


def test_unknown_names_get_the_nearest_one(site, capsys):
    code, _out, err = run(capsys, "install", "bta")
    assert code == 1
    assert "does not declare the module 'bta' (did you mean 'beta'?)" in err


def test_the_puppetfile_is_edited(site, capsys):
    assert run(capsys, "add", "acme/base")[:2] == (
        0,
        "Puppetfile declares acme/base 2.0.0; 'bunraku modules install' installs it\n",
    )
    assert run(capsys, "remove", "tool")[1] == "Puppetfile no longer declares tool\n"
    assert (
        site / "Puppetfile"
    ).read_text() == "mod 'acme/beta', '1.0.0'\nmod 'acme/base', '2.0.0'\n"
    run(capsys, "install")
    assert run(capsys, "check")[:2] == (0, "2 installed modules: all dependencies are met\n")
    _code, out, _err = run(capsys, "list", "--format", "json")
    assert [one["installed"] for one in json.loads(out)["modules"]] == ["1.0.0", "2.0.0"]
