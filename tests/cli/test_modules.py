"""The command ``modules``: its texts, exit codes and wrong usage."""

import json
import re
import subprocess

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


@pytest.mark.parametrize(
    ("kind", "ref", "message"),
    [
        ("tag", "v1.0.1", "has no tag 'v1.0.1' (did you mean 'v1.0.0'?)"),
        ("tag", "main", "has no tag 'main'"),
        ("branch", "mian", "has no branch 'mian' (did you mean 'main'?)"),
        ("commit", "0123456789", "has no commit '0123456789'"),
        ("commit", "main", "has no commit 'main'"),
    ],
)
def test_only_a_git_module_that_exists_is_added(site, tmp_path, capsys, kind, ref, message):
    before = (site / "Puppetfile").read_text()
    remote = str(tmp_path / "remotes/tool.git")
    code, _out, err = run(capsys, "add", "more", "--git", remote, f"--{kind}", ref)
    assert (code, message in err) == (1, True), err
    assert (site / "Puppetfile").read_text() == before


@pytest.mark.parametrize(("kind", "ref"), [("tag", "v1.0.0"), ("branch", "main"), ("commit", "")])
def test_a_git_module_is_added_with_its_ref(site, tmp_path, capsys, kind, ref):
    remote = str(tmp_path / "remotes/tool.git")
    found = subprocess.run(
        ["git", "-C", remote, "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    )
    ref = ref or found.stdout.strip()
    assert run(capsys, "add", "more", "--git", remote, f"--{kind}", ref)[0] == 0
    assert (site / "Puppetfile").read_text().endswith(f":{kind} => '{ref}'\n")


MISTAKES = [
    "mod 'a/b', '1.0'\n",
    "mode 'a/b', '1.0.0'\nmod 'x', :git => 'y', :rf => 'z'\n",
    "mod 'acme/beta', '1.0.0'\nmod (\n",
    "mod 'acme/beta', '1.0.0'\nmod 'acme/beta', '1.0.0'\n",
    "mod 'b', :git => 'https://user:secret@example.com/x', :ref => foo\n",
]


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_of_a_puppetfile_are_explained_as_by_validate(site, capsys, text):
    (site / "Puppetfile").write_text(text)
    assert main(["validate", "Puppetfile"]) == 1
    found = reports(capsys.readouterr().out)
    assert found
    code, out, err = run(capsys, "install")
    assert (code, out, reports(err)) == (1, "", found)
    code, out, err = run(capsys, "install", "--format", "json")
    assert (code, reports(err)) == (1, found)
    errors = [one for one in found if " error: " in one.splitlines()[0]]
    assert len(json.loads(out)["errors"]) == len(errors)


def reports(text):
    """Return the reports of findings in an output, in order: each begins with a place."""
    found = []
    for line in text.splitlines():
        if line.startswith(" ") and found:
            found[-1] += f"\n{line}"
        elif line and not re.fullmatch(r"\d+ (error|warning).*", line):
            found.append(line)
    return sorted(found)


def test_warnings_about_a_puppetfile_have_their_place(site, tmp_path, capsys):
    line = f"mod 'tool', :git => '{tmp_path}/remotes/tool.git', :tag => 'v1.0.0', :tga => 'x'"
    (site / "Puppetfile").write_text(f"{line}\n")
    code, _out, err = run(capsys, "install")
    assert code == 0
    assert err.startswith("Puppetfile:1:")
    assert ":tga => 'x'\n    |  " in err
    assert "(did you mean 'tag'?)" in err


def test_a_module_that_cannot_be_had_is_shown_in_its_puppetfile(site, capsys):
    (site / "Puppetfile").write_text("mod 'tool', :git => './nosuch', :ref => 'x'\n")
    _code, _out, err = run(capsys, "install")
    assert "  1 | mod 'tool', :git => './nosuch', :ref => 'x'\n    | ^^^" in err


@pytest.mark.parametrize(
    "words",
    [
        ["modules", "install"],
        ["modules", "verify", "--config", "nosuch.yaml"],
        ["deploy", "environment", "--config", "nosuch.yaml"],
        ["deploy", "display", "--config", "nosuch.yaml"],
        ["deploy", "environment"],
    ],
)
def test_errors_before_any_work_are_json_too(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    assert main([*words, "--format", "json"]) == 1
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert data["schema"] == 1
    assert [one["code"] for one in data["errors"]]
    assert data["errors"][0]["message"] in err
