"""``bunraku migrate``: reports, edited files, exit codes."""

from __future__ import annotations

import json

import pytest

from bunraku.cli.main import main
from support.files import largest_file

MODE = "file { '/a':\n  mode => 0644, # plain\n}\n"


@pytest.fixture
def manifest(tmp_path):
    path = tmp_path / "site.pp"
    path.write_text(MODE)
    return path


def test_reports_place_rule_and_edit(manifest, capsys):
    assert main(["migrate", str(manifest)]) == 1
    text = capsys.readouterr().out
    assert f"{manifest}:2:11: warning: " in text
    assert "[number-literals]" in text
    assert "was '0644', becomes 420" in text
    assert "\n  edit: '0644'\n" in text
    assert "'0644'" not in next(line for line in text.splitlines() if "hint" in line)
    assert manifest.read_text() == MODE


def test_fix_edits_the_file_and_keeps_its_mode(manifest, capsys):
    manifest.chmod(0o640)
    assert main(["migrate", str(manifest), "--fix"]) == 0
    assert manifest.read_text() == MODE.replace("0644", "'0644'")
    assert manifest.stat().st_mode & 0o777 == 0o640
    out = capsys.readouterr().out
    assert f"changed: {manifest} (1 edit)\n" in out
    assert "1 finding, 1 fixed, 0 left" in out
    assert "number-literals]" not in out  # fixed findings are not reported again
    assert main(["migrate", str(manifest)]) == 0
    assert [path.name for path in manifest.parent.iterdir()] == ["site.pp"]


def test_json_has_findings_and_both_comparisons(manifest, capsys):
    assert main(["migrate", str(manifest), "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    (finding,) = data["findings"]
    assert (finding["rule"], finding["line"], finding["old"]) == ("number-literals", 2, "'0644'")
    assert finding["edits"][0]["text"] == "'0644'"
    (node,) = data["nodes"]
    assert node["refusal"] is not None or node["difference"]["changed"]
    assert node["remaining"]["changed"] == []


def test_sarif_names_rules_and_places(manifest, capsys):
    assert main(["migrate", str(manifest), "--format", "sarif"]) == 1
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["number-literals"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["region"]["startLine"] == 2


def test_html_escapes(capsys):
    assert main(["migrate", "-e", "notify { '<b>': message => 010 }", "--format", "html"]) == 1
    text = capsys.readouterr().out
    assert "&#39;&lt;b&gt;&#39;" in text
    assert "<b>" not in text
    assert '<span class="badge warning">warning</span>' in text


def test_html_has_severity_edits_and_what_is_fixed(tmp_path, capsys):
    manifest = tmp_path / "site.pp"
    manifest.write_text("node base {\n  notify { 'a': }\n}\nnode 'web1' inherits base {\n}\n")
    given = ["migrate", str(manifest), "--node", "web1", "--format", "html"]
    assert main(given) == 1
    text = capsys.readouterr().out
    assert '<code class="line removed">' in text
    assert "<mark>inherits base </mark>" in text
    assert main([*given, "--fix"]) == 0
    text = capsys.readouterr().out
    assert '<span class="badge good">fixed</span>' in text
    assert f'<span class="place">{manifest}</span>' in text


def test_modules_are_edited_too(tmp_path, capsys):
    folder = tmp_path / "modules" / "web" / "manifests"
    folder.mkdir(parents=True)
    module = folder / "init.pp"
    module.write_text("class web {\n  include service\n}\n")
    (folder / "service.pp").write_text("class web::service {\n}\n")
    given = ["migrate", "-e", "include web", "--modulepath", str(tmp_path / "modules")]
    assert main([*given, "--fix"]) == 0
    assert module.read_text() == "class web {\n  include web::service\n}\n"
    assert main(given) == 0


def test_every_node_of_a_facts_folder(tmp_path, capsys):
    manifest = tmp_path / "site.pp"
    manifest.write_text("if $::size == '1.0' { notify { 'small': } }\n")
    facts = tmp_path / "facts"
    facts.mkdir()
    (facts / "a.example.com.json").write_text('{"size": "1"}')
    (facts / "b.example.com.json").write_text('{"size": "2"}')
    given = ["migrate", str(manifest), "--facts-folder", str(facts), "--format", "json"]
    assert main(given) == 1
    data = json.loads(capsys.readouterr().out)
    assert [node["node"] for node in data["nodes"]] == ["a.example.com", "b.example.com"]
    assert [finding["values"] for finding in data["findings"]] == [["'1'", "'1.0'"]]


def test_old_code_that_does_not_compile_is_trouble(capsys):
    assert main(["migrate", "-e", "fail('no')"]) == 2
    assert "the old language does not compile it" in capsys.readouterr().out


@pytest.mark.parametrize("given", [[], ["none.pp"], ["-e", "", "x.pp"]])
def test_wrong_usage(given):
    assert main(["migrate", *given]) == 2


@pytest.fixture
def importing(tmp_path):
    """An import of a file that needs edits itself."""
    (tmp_path / "site.pp").write_text("import 'nodes.pp'\n")
    (tmp_path / "nodes.pp").write_text(
        "node base { notify { 'base': } }\nnode 'web1' inherits base { notify { 'web': } }\n"
    )
    return tmp_path / "site.pp"


def test_an_import_of_a_file_with_edits_has_no_edit(importing, capsys):
    before = {path.name: path.read_text() for path in importing.parent.iterdir()}
    given = ["migrate", str(importing), "--node", "web1"]
    assert main([*given, "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    edits = {one["rule"]: bool(one["edits"]) for one in data["findings"]}
    assert edits == {"import": False, "node-inheritance": True}
    assert "does not compile in Puppet 8 with the edits" in data["refuted"][0]
    assert main([*given, "--fix"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("error: no file is changed")
    assert "--force" in err
    assert {path.name: path.read_text() for path in importing.parent.iterdir()} == before
    assert main([*given, "--fix", "--force"]) == 1
    assert "inherits" not in (importing.parent / "nodes.pp").read_text()


def test_differences_without_an_edit_do_not_keep_other_edits_back(tmp_path, capsys):
    manifest = tmp_path / "site.pp"
    manifest.write_text(
        '$n = fqdn_rand(10000)\nnotify { "n ${n}": }\n'
        "$x = ['A']\nif 'a' in $x { notify { 'in': } }\n"
    )
    given = ["migrate", str(manifest), "--node", "web1.example.com"]
    assert main([*given, "--fix"]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert "2 findings, 1 fixed, 1 left" in out
    assert "compare($item" in manifest.read_text()


def test_a_patch_is_a_dry_run(manifest, capsys):
    assert main(["migrate", str(manifest), "--fix", "--diff"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("--- a/")
    assert "-  mode => 0644, # plain" in lines
    assert "+  mode => '0644', # plain" in lines
    assert manifest.read_text() == MODE


def test_edits_of_several_lines_are_shown_as_lines(tmp_path, capsys):
    manifest = tmp_path / "site.pp"
    manifest.write_text("node base {\n  notify { 'a': }\n}\nnode 'web1' inherits base {\n}\n")
    assert main(["migrate", str(manifest), "--node", "web1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "  edit:" in lines
    assert "    -node 'web1' inherits base {" in lines
    assert "    +node 'web1' {" in lines


def test_the_project_is_migrated(tmp_path, capsys, monkeypatch):
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text(MODE)
    (tmp_path / "environment.conf").write_text("modulepath = modules\n")
    monkeypatch.chdir(tmp_path)
    assert main(["migrate", "--node", "web1", "--fix"]) == 0
    assert "'0644'" in (tmp_path / "manifests" / "site.pp").read_text()


def test_fix_edits_the_file_that_a_link_leads_to(manifest, tmp_path):
    folder = tmp_path / "environment"
    folder.mkdir()
    link = folder / "site.pp"
    link.symlink_to(manifest)
    assert main(["migrate", str(link), "--fix"]) == 0
    assert link.is_symlink()
    assert manifest.read_text() == MODE.replace("0644", "'0644'")


def test_fix_changes_no_file_when_one_cannot_be_written(tmp_path, capfd):
    module = tmp_path / "modules" / "m" / "manifests"
    module.mkdir(parents=True)
    site, large = tmp_path / "site.pp", module / "init.pp"
    site.write_text(f"include m\n{MODE}")
    large.write_text(f"class m {{\n{MODE.replace('/a', '/b')}}}\n# {'x' * 50_000}\n")
    before = site.read_text(), large.read_text()
    with largest_file(30_000):
        code = main(["migrate", str(site), "--fix", "--modulepath", str(tmp_path / "modules")])
    assert code == 2
    line = f"bunraku: cannot write {large}: File too large; no file is changed\n"
    assert capfd.readouterr().err.endswith(line)
    assert (site.read_text(), large.read_text()) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["modules", "site.pp"]
    assert [path.name for path in module.iterdir()] == ["init.pp"]


def test_code_that_the_old_language_lacks_has_a_hint(tmp_path, capsys):
    newer = tmp_path / "site.pp"
    newer.write_text("[1].each |$n| { notice($n) }\n")
    hint = "hint: the old language is 3.8; for manifests of Puppet 4 to 7, use --from 7\n"
    assert main(["migrate", str(newer)]) == 2
    assert hint in capsys.readouterr().err
    assert main(["migrate", "--from", "3.8", str(newer)]) == 2
    assert hint not in capsys.readouterr().err
