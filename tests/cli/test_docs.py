"""``bunraku docs``: where it writes, ``--check``, what it reports."""

from __future__ import annotations

import json
import os

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main

METADATA = '{"name": "a-m", "version": "0.1.0"}'
CLASS = "# @summary A class.\n# @param x The x.\nclass m (Integer $x = 1) { }\n"


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module with one class."""
    root = tmp_path / "m"
    (root / "manifests").mkdir(parents=True)
    (root / "metadata.json").write_text(METADATA)
    (root / "manifests/init.pp").write_text(CLASS)
    monkeypatch.chdir(root)
    return root


def test_reference_of_a_module(module, capfd):
    assert main(["docs"]) == exits.OK
    assert "Default value: `1`" in (module / "REFERENCE.md").read_text()
    assert capfd.readouterr() == ("", "wrote REFERENCE.md\n")
    assert main(["docs"]) == exits.OK
    assert capfd.readouterr() == ("", "")


def test_standard_output(module, capfd):
    assert main(["docs", "--out", "-"]) == exits.OK
    assert capfd.readouterr().out.startswith("# Reference\n")
    assert not (module / "REFERENCE.md").exists()


def test_json_goes_to_standard_output(module, capfd):
    assert main(["docs", "--format", "json"]) == exits.OK
    found = json.loads(capfd.readouterr().out)
    assert [one["name"] for one in found["puppet_classes"]] == ["m"]


def test_check(module, capfd):
    assert main(["docs", "--check"]) == exits.FINDINGS
    assert capfd.readouterr().out == "REFERENCE.md does not exist\n"
    main(["docs"])
    assert main(["docs", "--check"]) == exits.OK
    (module / "manifests/init.pp").write_text(CLASS.replace("= 1", "= 2"))
    capfd.readouterr()
    assert main(["docs", "--check"]) == exits.FINDINGS
    assert "-Default value: `1`\n+Default value: `2`\n" in capfd.readouterr().out


def test_warnings(module, capfd):
    (module / "manifests/init.pp").write_text(CLASS.replace("param x", "param y"))
    assert main(["docs"]) == exits.OK
    err = capfd.readouterr().err
    assert "manifests/init.pp:2:9: warning: The tag @param names 'y'" in err
    assert "[DOCS_UNKNOWN_PARAMETER]" in err
    assert main(["docs", "--check", "--fail-on-warnings"]) == exits.FINDINGS


def test_broken_file(module):
    (module / "manifests/init.pp").write_text("class m {")
    assert main(["docs"]) == exits.FINDINGS


def test_control_repository(tmp_path, monkeypatch, capfd):
    for name in ("role", "profile"):
        folder = tmp_path / "c/site" / name / "manifests"
        folder.mkdir(parents=True)
        (folder / "init.pp").write_text(f"# @summary A class.\nclass {name} {{ }}\n")
    (tmp_path / "c/environment.conf").write_text("modulepath = site:modules\n")
    monkeypatch.chdir(tmp_path / "c")
    assert main(["docs"]) == exits.OK
    assert sorted(path.name for path in (tmp_path / "c/reference").iterdir()) == [
        "profile.md",
        "role.md",
    ]
    assert main(["docs", "--check"]) == exits.OK
    assert main(["docs", "--out", "-"]) == exits.TROUBLE
    assert "several pages" in capfd.readouterr().err


def test_mistyped_path(module, capfd):
    assert main(["docs", "manifest"]) == exits.TROUBLE
    assert "did you mean 'manifests'?" in capfd.readouterr().err


def test_directory_without_code(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert main(["docs"]) == exits.TROUBLE
    assert "Cannot find Puppet code" in capfd.readouterr().err


def test_a_file_keeps_its_form(module, capfd):
    assert main(["docs", str(module), "--strings-version", "4"]) == 0
    page = module / "REFERENCE.md"
    newer = page.read_text()
    assert 'name="-' in newer
    assert main(["docs", str(module), "--check"]) == 0
    assert main(["docs", str(module)]) == 0
    assert page.read_text() == newer
    assert main(["docs", str(module), "--check", "--strings-version", "2"]) == 1
    page.unlink()
    assert main(["docs", str(module)]) == 0
    assert 'name="-' not in page.read_text()
    capfd.readouterr()


def test_an_unknown_form(module, capfd):
    assert main(["docs", str(module), "--strings-version", "3"]) == 2
    assert "'3'" in capfd.readouterr().err


def test_a_link_to_nothing_is_reported(module, capfd):
    (module / "manifests/gone.pp").symlink_to("nowhere")
    for form in ("markdown", "json", "html"):
        assert main(["docs", "--format", form, "--out", "page"]) == exits.FINDINGS
        assert "manifests/gone.pp" in capfd.readouterr().err
        (module / "page").unlink(missing_ok=True) if form != "html" else None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--out", "fifo"), "cannot write fifo: "),
        (("--check", "--out", "fifo"), ""),
        (("--format", "html", "--out", "metadata.json"), "cannot write metadata.json"),
        (("--check", "--format", "json"), "--check requires a file to compare with"),
        (("metadata.json",), "metadata.json is not a directory"),
    ],
)
def test_places_that_are_no_files(module, capfd, words, expected):
    os.mkfifo("fifo")
    assert main(["docs", *words]) == (exits.TROUBLE if expected else exits.FINDINGS)
    printed = capfd.readouterr()
    assert expected in printed.err
    assert "internal error" not in printed.err
