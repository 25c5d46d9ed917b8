"""What a catalog refers to is compared, too: contents behind sources, secrets, blanks."""

from __future__ import annotations

import json
import subprocess

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main

SITE = """\
file { '/etc/motd': source => 'puppet:///modules/m/motd' }
file { '/etc/d':
  ensure  => directory,
  recurse => true,
  source  => 'puppet:///modules/m/d',
  ignore  => '*.bak',
}
file { '/etc/first': source => ['puppet:///modules/m/no', 'puppet:///modules/m/first'] }
file { '/etc/site': source => 'puppet:///site/x' }
file { '/etc/secret': content => Sensitive('hunter2') }
service { 'web': ensure => running }
"""


def git(root, *arguments):
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A control repository with a module whose files are sources."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "control"
    files = root / "modules" / "m" / "files"
    (files / "d" / "deep").mkdir(parents=True)
    for name, text in (("motd", "hello\n"), ("first", "1\n"), ("d/a", "a\n"), ("d/deep/b", "b\n")):
        (files / name).write_text(text)
    (root / "mount").mkdir()
    (root / "mount" / "x").write_text("x\n")
    for name, text in (
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", SITE),
        ("facts/web.yaml", "{}\n"),
    ):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "first")
    monkeypatch.chdir(root)
    return root


def run(capfd, *arguments):
    code = main(list(arguments))
    out, err = capfd.readouterr()
    return code, out, err


def changes(capfd, *arguments):
    """Return the changed parameters of each resource, without their causes."""
    code, out, err = run(capfd, "diff", "--format", "json", *arguments)
    assert code in {exits.OK, exits.FINDINGS}, err
    (node,) = json.loads(out)["nodes"]
    return {
        one["resource"]: [
            {name: value for name, value in part.items() if name != "because"}
            for part in one["parameters"]
        ]
        for one in node["changed"]
    }


def test_the_content_behind_a_source_is_compared(repository, capfd):
    assert changes(capfd) == {}
    (repository / "modules/m/files/motd").write_text("hello \n")
    change = {"name": "(content of source)", "old": "hello\n", "new": "hello \n"}
    assert changes(capfd) == {"File[/etc/motd]": [change]}
    out = run(capfd, "diff")[1]
    assert "+         hello·\n" in out
    assert "because modules/m/files/motd:1 changed\n" in out
    assert changes(capfd, "--no-compare-sources") == {}
    _code, out, _ = run(capfd, "affected")
    assert "web: modules/m/files/motd\n" in out


def test_files_of_a_directory_are_compared_one_by_one(repository, capfd):
    folder = repository / "modules/m/files/d"
    (folder / "a").write_bytes(b"\0")
    (folder / "deep" / "b").rename(folder / "deep" / "c")
    (folder / "x.bak").write_text("left out\n")
    found = changes(capfd)
    assert list(found) == ["File[/etc/d]"]
    names = [one["name"].removeprefix("(content of source)") for one in found["File[/etc/d]"]]
    assert names == ["/a", "/deep/b", "/deep/c"]
    assert found["File[/etc/d]"][0]["new"].startswith("(1 bytes, sha256 ")


def test_the_first_source_that_exists_counts(repository, capfd):
    (repository / "modules/m/files/no").write_text("now\n")
    (change,) = changes(capfd)["File[/etc/first]"]
    assert (change["old"], change["new"]) == ("1\n", "now\n")


def test_a_mount_needs_its_directory(repository, capfd):
    (repository / "mount/x").write_text("y\n")
    _code, out, err = run(capfd, "diff")
    assert "contents of puppet:///site are not compared" in out + err
    (repository / "fileserver.conf").write_text(f"[site]\n  path {repository}/mount\n")
    (repository / "bunraku.toml").write_text(
        f"[settings]\nfileserverconfig = '{repository}/fileserver.conf'\n"
    )
    (change,) = changes(capfd)["File[/etc/site]"]
    assert (change["old"], change["new"]) == ("x\n", "y\n")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("m/motd", "m/modt", "SOURCE_NOT_FOUND"),
        ("Sensitive('hunter2')", "'hunter2'", "SECRET_EXPOSED"),
        ("ensure => running", "ensure => started", "INVALID_VALUE"),
    ],
)
def test_a_catalog_that_an_agent_refuses_fails_the_run(old, new, code, repository, capfd):
    site = repository / "manifests/site.pp"
    assert old in site.read_text()
    site.write_text(site.read_text().replace(old, new))
    line = 1 + site.read_text()[: site.read_text().index(new)].count("\n")
    status, out, _ = run(capfd, "ci", "--format", "json")
    assert status == exits.FINDINGS
    (found,) = json.loads(out)["diagnostics"]
    assert (found["file"], found["line"]) == ("manifests/site.pp", line)
    assert found["code"] == code or code == "INVALID_VALUE"
    assert "hunter2" not in out
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "a mistake")
    (repository / "modules/m/files/first").write_text("2\n")
    assert run(capfd, "ci")[0] == exits.OK, "the base has the same fault"


def test_a_public_secret_leads_the_report(repository, capfd):
    site = repository / "manifests/site.pp"
    text = site.read_text().replace("m/motd", "m/modt").replace("Sensitive('hunter2')", "'hunter2'")
    site.write_text(text)
    for report in ("text", "markdown", "html", "json", "sarif", "codeclimate", "github", "junit"):
        _, out, _ = run(capfd, "ci", "--format", report)
        assert "hunter2" not in out, report
    first = run(capfd, "ci")[1].splitlines()[0]
    assert "SECRET_EXPOSED" in first


def test_a_file_that_is_gone_is_found_where_it_is_used(repository, capfd):
    git(repository, "mv", "modules/m/files/motd", "modules/m/files/banner")
    status, out, _ = run(capfd, "ci", "--format", "json")
    assert status == exits.FINDINGS
    (found,) = json.loads(out)["diagnostics"]
    assert (found["code"], found["file"], found["line"]) == (
        "SOURCE_NOT_FOUND",
        "manifests/site.pp",
        1,
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\r\nb\n", "+         a␍"),
        ("a\nb", "(no line feed at the end)"),
        ("a\n\tb\n", "+         →b"),
        ("a\n\u00a0b\n", "+         \\u{00A0}b"),
        ("a\u200b\nb\n", "+         a\\u{200B}"),
        ("a\u2028b\n", "+         a\\u{2028}b"),
        ("a\x0bb\n", "+         a␋b"),
    ],
)
def test_invisible_differences_are_shown(text, expected, repository, capfd):
    motd = repository / "modules/m/files/motd"
    motd.write_text("a\nb\n")
    git(repository, "commit", "-qam", "lines")
    motd.write_bytes(text.encode())
    for report in ("text", "markdown"):
        assert expected in run(capfd, "diff", "--format", report)[1]
