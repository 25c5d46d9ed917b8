"""``bunraku validate``: its output, formats and exit codes."""

from __future__ import annotations

import io
import json
from types import SimpleNamespace

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main

BROKEN = "class a {\n  $b = = 3\n}\n$c = [1,,2]\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_says_nothing_when_all_is_well(folder, capfd):
    (folder / "good.pp").write_text("notice('x')\n")
    assert main(["validate", "good.pp"]) == exits.OK
    assert capfd.readouterr() == ("", "")


def test_reports_each_mistake_with_its_line_and_a_caret(folder, capfd):
    (folder / "bad.pp").write_text(BROKEN)
    assert main(["validate", "bad.pp"]) == exits.FINDINGS
    out, err = capfd.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith("bad.pp:2:8: error: ")
    assert lines[0].endswith("[SYNTAX_ERROR]")
    assert lines[1:3] == ["  2 |   $b = = 3", "    |        ^"]
    assert lines[3].startswith("bad.pp:4:9: error: ")
    assert err == "2 errors\n"


def test_looks_into_folders_for_manifests_and_templates(folder, capfd):
    (folder / "m" / "manifests").mkdir(parents=True)
    (folder / "m" / "manifests" / "init.pp").write_text("class m { = }\n")
    (folder / "m" / "a.epp").write_text("<%= $x %> is <%= = %>")
    (folder / "m" / "README.md").write_text("class {")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "x.pp").write_text("class {")
    assert main(["validate", "--format", "json", "."]) == exits.FINDINGS
    found = json.loads(capfd.readouterr().out)["diagnostics"]
    assert [one["file"] for one in found] == ["m/a.epp", "m/manifests/init.pp"]


def test_follows_links_between_folders_but_not_for_ever(folder, capfd):
    (folder / "real").mkdir()
    (folder / "real" / "x.pp").write_text("=")
    (folder / "real" / "loop").symlink_to(folder)
    (folder / "named").symlink_to(folder / "real")
    assert main(["validate", "."]) == exits.FINDINGS
    assert capfd.readouterr().out.count(": error: ") == 1


def test_a_template_is_known_by_its_suffix_or_the_option(folder, capfd):
    assert main(["validate", "--epp", "-e", "text <%= 1 %>"]) == exits.OK
    assert main(["validate", "-e", "text <%= 1 %>"]) == exits.FINDINGS
    capfd.readouterr()


def test_reads_standard_input(monkeypatch, capfd):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"$a = = 1")))
    assert main(["validate", "-"]) == exits.FINDINGS
    assert capfd.readouterr().out.startswith("-:1:6: error: ")


def test_json_has_an_empty_list_when_all_is_well(capfd):
    assert main(["validate", "--format", "json", "-e", "$a = 1"]) == exits.OK
    assert json.loads(capfd.readouterr().out) == {"schema": 1, "diagnostics": []}


def test_sarif_names_rule_level_and_region(folder, capfd):
    (folder / "bad.pp").write_text(BROKEN)
    assert main(["validate", "--format", "sarif", "bad.pp"]) == exits.FINDINGS
    log = json.loads(capfd.readouterr().out)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["SYNTAX_ERROR"]
    first = run["results"][0]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("SYNTAX_ERROR", 0, "error")
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "bad.pp"}
    assert place["region"] == {"startLine": 2, "startColumn": 8, "endLine": 2, "endColumn": 9}


def test_github_gets_workflow_commands(folder, capfd):
    (folder / "bad.pp").write_text("$a = = 1\n")
    assert main(["validate", "--format", "github", "bad.pp"]) == exits.FINDINGS
    out = capfd.readouterr().out
    assert out.startswith("::error file=bad.pp,line=1,endLine=1,col=6,endColumn=7,title=SYNTAX_")
    assert out.count("\n") == 1


def test_bytes_that_are_no_utf8_come_back_whole(folder, capfdbinary):
    (folder / "bytes.pp").write_bytes(b"$a = '\xff' = = 1\n")
    assert main(["validate", "bytes.pp"]) == exits.FINDINGS
    assert b"\xff" in capfdbinary.readouterr().out
    main(["validate", "--format", "json", "bytes.pp"])
    json.loads(capfdbinary.readouterr().out.decode("utf-8"))


def test_a_line_of_control_characters_cannot_move_the_cursor(capfd):
    main(["validate", "-e", "$a = '\x1b[2J' ="])
    assert "\x1b" not in capfd.readouterr().out


def test_a_very_long_line_is_cut_around_the_place(capfd):
    code = "$a = [" + "1, " * 50_000 + "=]"
    assert main(["validate", "-e", code]) == exits.FINDINGS
    shown, carets = capfd.readouterr().out.splitlines()[1:3]
    assert len(shown) < 150
    assert shown[carets.index("^")] == "="


def test_colour_is_for_terminals_or_when_asked(capfd):
    main(["validate", "-e", "="])
    assert "\x1b[" not in capfd.readouterr().out
    main(["validate", "--color", "always", "-e", "="])
    assert "\x1b[" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["validate"], "nothing to validate"),
        (["validate", "/nowhere/x.pp"], "/nowhere/x.pp"),
        (["validate", "--language", "2.7", "-e", "1"], "2.7"),
        (["validate", "--format", "xml", "-e", "1"], "xml"),
        (["nonsense"], "nonsense"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_two(arguments, word, capfd):
    assert main(arguments) == exits.TROUBLE
    out, err = capfd.readouterr()
    assert out == ""
    assert word in err.splitlines()[-1]


def test_files_are_checked_as_what_they_are(folder, capfd):
    (folder / "hiera.yaml").write_text("version: 5\nhierarchy: [{name: a, path: a.yaml}]\n")
    (folder / "data").mkdir()
    (folder / "data" / "a.yaml").write_text("- no hash\n")
    assert main(["validate", "--format", "json", "hiera.yaml", "data/a.yaml"]) == exits.FINDINGS
    found = json.loads(capfd.readouterr().out)["diagnostics"]
    assert [(one["file"], one["code"]) for one in found] == [("data/a.yaml", "NO_HASH")]


def test_unknown_kinds_of_files_are_refused(folder, capfd):
    (folder / "README").write_text("class {")
    assert main(["validate", "README"]) == exits.TROUBLE
    assert "cannot check README: unknown kind of file" in capfd.readouterr().err


def test_without_files_the_project_is_checked(folder, capfd):
    for name in ("modules/m/manifests/wrong.pp", "old/x.pp", "skip/x.pp", "manifests/site.pp"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("class m::right { }" if name.startswith("mod") else "class {")
    (folder / "modules/m/plans").mkdir()
    (folder / "modules/m/plans/p.pp").write_text("plan m::p() { return 1 }")
    (folder / "environment.conf").write_text("")
    (folder / "bunraku.toml").write_text('exclude = ["old"]')
    words = ["validate", "--format", "json", "--exclude", "skip/**"]
    assert main(words) == exits.FINDINGS
    found = json.loads(capfd.readouterr().out)["diagnostics"]
    assert [(one["file"], one["code"]) for one in found] == [
        ("manifests/site.pp", "SYNTAX_ERROR"),
        ("modules/m/manifests/wrong.pp", "ILLEGAL_DEFINITION_LOCATION"),
    ]


@pytest.mark.parametrize("command", ["validate", "check", "lint"])
@pytest.mark.parametrize("place", ["inside", "outside"])
def test_modules_of_the_puppetfile_are_skipped_below_named_directories(
    command, place, tmp_path, monkeypatch, capfd
):
    root = tmp_path / "control"
    for path, text in {
        "Puppetfile": "moduledir 'thirdparty'\nmod 'puppetlabs-stdlib', '9.7.0'\n",
        "environment.conf": "modulepath = site:thirdparty\n",
        "site/role/manifests/init.pp": "# A role\nclass role {\n}\n",
        "thirdparty/stdlib/manifests/x.pp": "a: [",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    monkeypatch.chdir(root if place == "inside" else tmp_path)
    paths = [[], ["."], ["./"], [str(root)]] if place == "inside" else [["control"], [str(root)]]
    for words in paths:
        assert main([command, *words]) == exits.OK, capfd.readouterr()
    stdlib = root / "thirdparty" / "stdlib"
    assert main([command, str(stdlib)]) == exits.FINDINGS
    assert "x.pp" in "".join(capfd.readouterr())


def test_local_modules_of_the_puppetfile_are_checked(tmp_path, monkeypatch, capfd):
    (tmp_path / "Puppetfile").write_text("mod 'own', :local => true\nmod 'a/stdlib'\n")
    (tmp_path / "environment.conf").write_text("")
    for name in ("own", "stdlib"):
        (tmp_path / "modules" / name / "manifests").mkdir(parents=True)
        (tmp_path / "modules" / name / "manifests" / "x.pp").write_text("a: [")
    monkeypatch.chdir(tmp_path)
    assert main(["validate"]) == exits.FINDINGS
    out = "".join(capfd.readouterr())
    assert "modules/own/manifests/x.pp" in out
    assert "modules/stdlib" not in out


def test_code_in_a_puppetfile_is_a_warning(tmp_path, monkeypatch, capfd):
    (tmp_path / "Puppetfile").write_text("mod 'a/b', ENV['B']\nmod 'c', :git => 'u', :tga => 'x'\n")
    monkeypatch.chdir(tmp_path)
    assert main(["validate", "Puppetfile"]) == exits.OK
    out = "".join(capfd.readouterr())
    assert "Puppetfile:1:12: warning: cannot read an element of 'ENV'" in out
    assert "Puppetfile:2:23: warning: the git module 'c' has an unknown option 'tga'" in out


def test_a_broken_puppetfile_has_one_error_that_shows_no_password(tmp_path, monkeypatch, capfd):
    text = "mod 'a', :git => 'https://me:s3cret@host/a', :ref => 'x' 5 'y'\n"
    (tmp_path / "Puppetfile").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main(["validate", "Puppetfile"]) == exits.FINDINGS
    out = "".join(capfd.readouterr())
    assert "s3cret" not in out
    assert out.count("error:") == 1


FILES = {
    "Puppetfile": "moduledir 'mods'\nmod 'puppetlabs/stdlib', '9.0.0'\n",
    "environment.conf": "modulepath = site:mods:$basemodulepath\n",
    "hiera.yaml": "version: 5\nhierarchy:\n- name: x\n  datadir: data\n  path: x.yaml\n",
    "data/x.yaml": "a: 1\n",
    "site/role/manifests/init.pp": "class role { }\n",
    "manifests/site.pp": "",
}


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("Puppetfile", FILES["Puppetfile"], ""),
        ("Puppetfile", "mod 'puppetlabs/stdlib', '9.0.0\n", "Puppetfile:"),
        (
            "Puppetfile",
            "modd 'a/b'\n",
            "unknown declaration 'modd' (did you mean 'mod'?) [PUPPETFILE]",
        ),
        ("Puppetfile", "mod foo\n", "'foo' is neither a string nor a symbol [PUPPETFILE]"),
        (
            "environment.conf",
            "manifest = manifests\nmodulepath = sitee:mods\n",
            "environment.conf:2: warning: cannot find the directory 'sitee'",
        ),
        (
            "hiera.yaml",
            FILES["hiera.yaml"].replace("data\n", "dataa\n"),
            "hiera.yaml:4: warning: cannot find the directory 'dataa'",
        ),
        ("hiera.yaml", FILES["hiera.yaml"].replace("data\n", '"%{environment}"\n'), ""),
        ("puppet.conf", "[main]\nstrikt = error\n", "unknown setting 'strikt'"),
    ],
)
def test_files_around_the_code(path, text, expected, tmp_path, monkeypatch, capfd):
    for name, content in {**FILES, path: text}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    main(["validate"])
    out = "".join(capfd.readouterr())
    assert expected in out
    assert bool(out) is bool(expected)


def test_a_compile_notes_a_misspelt_setting(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "puppet.conf").write_text("[main]\n# strict\nstrikt = error\nzzqq = 1\n")
    assert main(["compile", "-e", "notice(1)", "--config", "puppet.conf"]) == exits.OK
    err = capfd.readouterr().err
    assert f"{tmp_path}/puppet.conf:3: unknown setting 'strikt' (did you mean 'strict'?)" in err
    assert "zzqq" not in err
