"""Texts that git converts: line ends, encodings, ``$Id$`` and filters, in ``diff`` of revisions."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

SITE = """\
node default {
  notify { 'a': message => @(END) }
    one
    two
    | END
  notify { 'b': message => file('m/text') }
  notify { 'c': message => epp('m/c.epp') }
  notify { 'z': }
}
"""
FILES = {
    "manifests/site.pp": SITE,
    "modules/m/manifests/init.pp": "class m { }\n",
    "modules/m/files/text": "first $Id$\nsecond\n",
    "modules/m/templates/c.epp": "x\n<%= 1 + 1 %>\ny\n",
    "facts/n.yaml": "os: {}\n",
}
UPPER = ("filter.case.clean=tr A-Z a-z", "filter.case.smudge=tr a-z A-Z")
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n"


def git(root, *arguments, configuration=()):
    options = [word for one in (*configuration, *WHO) for word in ("-c", one)]
    subprocess.run(["git", *options, *arguments], cwd=root, check=True, capture_output=True)


WHO = ("user.name=n", "user.email=n@example.com", "init.defaultBranch=main")


@pytest.fixture(autouse=True)
def own_configuration(tmp_path, monkeypatch):
    """Without the configuration of the user and of the machine."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def made(root, files, settings=()):
    git(root.parent, "init", "-q", root.name)
    for one in settings:
        git(root, "config", *one.split("=", 1))
    write(root, files)
    commit(root)
    return root


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def commit(root):
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "change")


def checked_out(root):
    """Write the files again, as a fresh clone has them."""
    for folder, directories, names in os.walk(root):
        directories[:] = [name for name in directories if name != ".git"]
        for name in names:
            os.unlink(os.path.join(folder, name))
    git(root, "checkout", "-q", "--", ".")


def difference(capfd, root, *arguments):
    given = ["--repository", root, "--facts-folder", root / "facts"]
    code = main(["diff", *map(str, arguments), *map(str, given)])
    out, err = capfd.readouterr()
    assert code in (exits.OK, exits.FINDINGS), out + err
    assert (code == exits.OK) == (out == "")
    return out


CASES = {
    "crlf": ("* text eol=crlf\n", (), {}),
    "manifests with crlf": ("*.pp text eol=crlf\n", (), {}),
    "lf": ("* text eol=lf\n", (), {}),
    "automatic": ("* text=auto\n", (), {}),
    "automatic crlf": ("* text=auto eol=crlf\n", (), {}),
    "no text": ("* -text\n", ("core.autocrlf=true",), {}),
    "autocrlf": ("", ("core.autocrlf=true",), {}),
    "autocrlf input": ("", ("core.autocrlf=input",), {}),
    "core.eol": ("* text\n", ("core.eol=crlf",), {}),
    "ident": ("* ident\n", (), {}),
    "filter": ("text filter=case\n", UPPER, {}),
    "filter that is not configured": ("text filter=case\n", (), {}),
    "lfs": ("text filter=lfs diff=lfs merge=lfs -text\n", (), {"modules/m/files/text": POINTER}),
    "in directories": (
        "*.pp text\n",
        (),
        {"modules/m/.gitattributes": "text eol=crlf\n", "manifests/.gitattributes": "* eol=crlf"},
    ),
    "encoding of a file that nothing reads": (
        "*.ps1 text working-tree-encoding=UTF-16LE eol=crlf\n",
        (),
        {"modules/m/files/a.ps1": "a\r\n".encode("utf-16-le")},
    ),
    "macro": ("[attr]dos text eol=crlf\n*.pp dos\n", (), {}),
    "old name": ("* crlf\n", ("core.eol=crlf",), {}),
}


@pytest.mark.parametrize("fresh", [False, True], ids=["as written", "checked out"])
@pytest.mark.parametrize("case", CASES)
def test_only_a_real_change_differs(case, fresh, tmp_path, capfd):
    attributes, settings, more = CASES[case]
    root = made(tmp_path / "r", {**FILES, ".gitattributes": attributes, **more}, settings)
    if fresh:
        checked_out(root)
    assert difference(capfd, root) == ""
    for path in ("manifests/site.pp", "modules/m/templates/c.epp"):
        with (root / path).open("a") as file:
            file.write("# x\n" if path.endswith(".pp") else "<%# x -%>\n")
    assert difference(capfd, root) == ""
    with (root / "modules/m/files/text").open("a") as file:
        file.write("more\n")
    found = difference(capfd, root)
    assert "Notify[b]" in found
    assert found.count("Notify[") == 1
    commit(root)
    committed = difference(capfd, root, "HEAD~1", "HEAD")
    assert "Notify[b]" in committed
    assert committed.count("Notify[") == 1
    assert difference(capfd, root) == ""


@pytest.mark.parametrize("attributes", ["* text eol=lf\n", "* text=auto\n", "* text\n"])
def test_stored_carriage_returns_stay(attributes, tmp_path, capfd):
    files = {name: text.replace("\n", "\r\n") for name, text in FILES.items()}
    root = made(tmp_path / "r", files)
    write(root, {".gitattributes": attributes})
    git(root, "add", ".gitattributes")
    git(root, "commit", "-q", "-m", "attributes")
    checked_out(root)
    assert difference(capfd, root) == ""
    with (root / "manifests/site.pp").open("a") as file:
        file.write("# x\r\n")
    assert difference(capfd, root) == ""
    with (root / "modules/m/files/text").open("a") as file:
        file.write("more\r\n")
    assert difference(capfd, root).count("Notify[") == 1


@pytest.mark.parametrize("encoding", ["UTF-16LE", "UTF-16", "UTF-16LE-BOM", "ISO-8859-1"])
def test_another_encoding(encoding, tmp_path, capfd):
    python = {"UTF-16LE": "utf-16-le", "UTF-16LE-BOM": "utf-16", "UTF-16": "utf-16"}
    codec = python.get(encoding, encoding)
    attributes = f"text text working-tree-encoding={encoding}\n"
    files = {
        **FILES,
        "manifests/site.pp": "notify { 'b': message => binary_file('m/text') }\n",
        "modules/m/files/text": "ä\n".encode(codec),
        ".gitattributes": attributes,
    }
    root = made(tmp_path / "r", files)
    assert difference(capfd, root) == ""
    checked_out(root)
    assert difference(capfd, root) == ""
    (root / "modules/m/files/text").write_bytes("äö\n".encode(codec))
    assert "Notify[b]" in difference(capfd, root)
    commit(root)
    assert "Notify[b]" in difference(capfd, root, "HEAD~1", "HEAD")
    assert difference(capfd, root) == ""


def test_attributes_of_one_revision(tmp_path, capfd):
    root = made(tmp_path / "r", FILES)
    write(root, {".gitattributes": "text eol=crlf\n"})
    commit(root)
    for arguments in (("HEAD~1", "HEAD"), ("HEAD~1",)):
        assert difference(capfd, root, *arguments).count("Notify[b]") == 1
    assert difference(capfd, root, "HEAD", "HEAD") == ""
    assert difference(capfd, root) == ""
    (root / ".gitattributes").unlink()  # the attributes of HEAD are those of HEAD
    assert difference(capfd, root, "HEAD~1", "HEAD").count("Notify[b]") == 1
    assert difference(capfd, root, "HEAD~1") == ""


def test_attributes_of_the_repository(tmp_path, capfd):
    root = made(tmp_path / "r", FILES)
    write(root, {".git/info/attributes": "text eol=crlf\n"})
    assert difference(capfd, root) == ""
    checked_out(root)
    assert difference(capfd, root) == ""
    write(root, {"modules/m/files/text": "other\r\n"})
    assert difference(capfd, root).count("Notify[") == 1


def test_one_object_under_two_attributes(tmp_path, capfd):
    files = {
        **FILES,
        "manifests/site.pp": "notify { 'a': message => file('m/text') }\n"
        "notify { 'b': message => file('m/text.dos') }\n",
        "modules/m/files/text.dos": FILES["modules/m/files/text"],
        ".gitattributes": "*.dos eol=crlf\n",
    }
    root = made(tmp_path / "r", files)
    checked_out(root)
    assert (root / "modules/m/files/text.dos").read_bytes().endswith(b"\r\n")
    assert difference(capfd, root) == ""


def test_a_filter_that_fails_and_is_required_is_an_error_of_that_file(tmp_path, capfd):
    files = {**FILES, ".gitattributes": "text filter=case\n"}
    root = made(tmp_path / "r", files)
    git(root, "config", "filter.case.smudge", "exit 3")
    git(root, "config", "filter.case.required", "true")
    given = ["--repository", root, "--facts-folder", root / "facts"]
    assert main(["diff", "HEAD", "HEAD", *map(str, given)]) == exits.TROUBLE
    out, _ = capfd.readouterr()
    assert "smudge filter case failed" in out


def test_filters_run_only_for_files_that_are_read(tmp_path, capfd):
    attributes = "text filter=case\n*.pp eol=crlf\nmodules/m/files/big filter=fails\n"
    files = {**FILES, ".gitattributes": attributes, "modules/m/files/big": "x\n"}
    root = made(tmp_path / "r", files, UPPER)
    git(root, "config", "filter.fails.smudge", f"touch {tmp_path}/ran; exit 3")
    git(root, "config", "filter.fails.required", "true")
    assert difference(capfd, root) == ""
    assert difference(capfd, root, "HEAD", "HEAD") == ""
    assert not (tmp_path / "ran").exists()


def test_the_repository_gets_no_objects(tmp_path, capfd):
    root = made(tmp_path / "r", {**FILES, ".gitattributes": "* eol=crlf\n"})
    write(root, {"modules/m/files/text": "other\n"})

    def stored():
        return sorted(
            os.path.join(*one)
            for top, _, names in os.walk(root / ".git")
            for one in [(top, n) for n in names]
        )

    before = stored()
    assert difference(capfd, root).count("Notify[") == 1
    assert stored() == before


def test_programs_read_the_converted_texts(tmp_path, capfd):
    program = f"generate('{shutil.which('od')}', '-c', \"$top/modules/m/files/text\")"
    files = {
        **FILES,
        "manifests/site.pp": f"$top = dirname($settings::manifest)\nnotify {{ 'a': message => {program} }}\n",
    }
    root = made(tmp_path / "r", files)
    write(root, {".gitattributes": "text eol=crlf\n"})
    commit(root)
    (root / ".gitattributes").unlink()
    assert "\\r" in difference(capfd, root, "HEAD~1", "HEAD")


def test_a_change_of_attributes_reaches_other_commands(tmp_path, capfd, monkeypatch):
    root = made(tmp_path / "r", {**FILES, "environment.conf": ""})
    monkeypatch.chdir(root)
    write(root, {".gitattributes": "* text eol=crlf\n"})
    commit(root)
    found = {}
    for base in ("HEAD", "HEAD~1"):
        main(["affected", base, "--facts-folder", "facts"])
        found[base], _ = capfd.readouterr()
    assert found["HEAD"] == "0 of 1 nodes affected\n"
    assert found["HEAD~1"].endswith("1 of 1 nodes affected\n")


def test_a_revision_is_not_what_replaces_it(tmp_path, capfd):
    root = made(tmp_path / "r", FILES)
    write(root, {"modules/m/files/text": "other\n"})
    commit(root)
    git(root, "replace", "HEAD:manifests/site.pp", "HEAD:modules/m/templates/c.epp")
    git(root, "replace", "HEAD:modules/m/files/text", "HEAD~1:modules/m/files/text")
    assert difference(capfd, root, "HEAD~1", "HEAD").count("Notify[") == 1
