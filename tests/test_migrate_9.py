"""Migration from Puppet 8 to OpenVox 9: each rule with the code before and after its edit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bunraku.cli.main import main
from bunraku.engine.request import Request
from bunraku.migrate.rules import RULES
from bunraku.migrate.run import migrate
from bunraku.migrate.versions import ALL_OLD_VERSIONS, OLD_VERSIONS

PAGE = Path(__file__).parents[1] / "docs" / "coming-from-puppet-8.md"


def migrated(code, old="8", **more):
    return migrate([Request(code=code, **more)], old, new="9")


def found(migration):
    return [item.rule.id for item in migration.findings]


EDITED = [
    ("$a = regsubst('a', 'b', 'c', 'G', 'N')", "$a = regsubst('a', 'b', 'c', 'G')"),
    (
        "$a = regsubst(['a'], 'b', 'c', undef,\n  'U' # why\n)",
        "$a = regsubst(['a'], 'b', 'c', undef # why\n)",
    ),
    ("$a = 'a'.regsubst('b', 'c', 'G', 'U')", "$a = 'a'.regsubst('b', 'c', 'G')"),
    ("$e = 'N' $a = regsubst('a', 'b', 'c', '', $e)", "$e = 'N' $a = regsubst('a', 'b', 'c', '')"),
]


@pytest.mark.parametrize(("before", "after"), EDITED)
def test_an_encoding_is_removed(before, after):
    migration = migrated(f'{before}\nnotify {{ "${{a}}": }}\n')
    assert found(migration) == ["regsubst-encoding"]
    assert migration.edited[""] == f'{after}\nnotify {{ "${{a}}": }}\n'
    (outcome,) = migration.outcomes
    assert outcome.refusal.code == "TYPE_MISMATCH"
    assert outcome.remaining is not None
    assert not outcome.remaining
    assert migration.fixed


def test_an_encoding_with_effects_stays():
    migration = migrated("$a = regsubst('a', 'b', 'c', '', upcase('u'))")
    assert found(migration) == ["regsubst-encoding"]
    assert not migration.edited
    assert migration.refutations()


def test_deferred_functions_are_called_first():
    before = "notify { 'x': message => Deferred('regsubst', ['a', 'b', 'c', 'G', 'N']) }"
    migration = migrated(before)
    assert found(migration) == ["deferred-order", "regsubst-encoding"]
    assert migration.edited[""] == before.replace(", 'N'", "")


@pytest.mark.parametrize("code", ["Deferred('f', [])", "Deferred.new('f')"])
def test_deferred_functions_by_setting(code):
    code = f"notify {{ 'x': message => {code} }}"
    assert found(migrated(code)) == ["deferred-order"]
    assert not migrated(code, settings={"preprocess_deferred": False}).changed


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("file { '/a':\n  content => '{md5}0cc175b9c0f1b6a831c399e269772661',\n}", 2),
        ("$c = '{sha256}ab'\nfile { ['/a', '/b']: ensure => file, content => $c }", 2),
    ],
)
def test_content_that_looks_like_a_checksum(code, line):
    migration = migrated(code)
    assert [(item.rule.id, item.span.line) for item in migration.findings] == [
        ("checksum-content", line)
    ]
    assert not migration.edited
    assert not migration.outcomes[0].difference  # the catalog is the same


@pytest.mark.parametrize(
    "attributes", ["content => 'a {md5}ab'", "content => '{md5}ab', checksum_value => 'x'"]
)
def test_content_that_is_text(attributes):
    code = f"file {{ '/a': {attributes} }}"
    assert ("checksum-content" in found(migrated(code))) is attributes.startswith("content => '{")


def test_a_type_that_no_package_contains(tmp_path):
    code = "zone { 'x': }"
    migration = migrated(code, modules={"x": str(tmp_path)})
    assert found(migration) == ["removed-type"]
    assert migration.findings[0].new.startswith("error")
    folder = tmp_path / "zone_core" / "lib" / "puppet" / "type"
    folder.mkdir(parents=True)
    (folder / "zone.rb").write_text("Puppet::Type.newtype(:zone) do\n  newparam(:name)\nend\n")
    assert not migrated(code, modulepath=[str(tmp_path)]).changed


@pytest.mark.parametrize(
    ("setting", "rule", "new"),
    [
        ("reports", "changed-default", "'none'"),
        ("preprocess_deferred", "changed-default", "true"),
        (
            "data_binding_terminus",
            "removed-setting",
            "error: Unknown variable: 'settings::data_binding_terminus'",
        ),
    ],
)
def test_settings_in_manifests(setting, rule, new):
    migration = migrated(f'notify {{ "x ${{settings::{setting}}}": }}')
    assert [(item.rule.id, item.new) for item in migration.findings] == [(rule, new)]
    assert migration.outcomes[0].refusal or migration.outcomes[0].difference


def test_a_setting_that_is_given_does_not_change():
    assert not migrated("notify { $settings::reports: }", settings={"reports": "http"}).changed


@pytest.mark.parametrize("code", ["$pe_serverversion", "$server_facts['pe_serverversion']"])
def test_a_fact_of_servers(code):
    facts = {"pe_serverversion": "2023.8"}
    assert found(migrated(f"notify {{ 'x': message => {code} }}", server_facts=facts)) == [
        "removed-server-fact"
    ]


ENVIRONMENT = [
    ("none", None, True),
    ("hiera", None, False),
    ("function", None, False),
    ("hiera", 4, True),
    ("none", 4, False),
    ("function", 5, True),
]


@pytest.mark.parametrize(("provider", "hiera", "removed"), ENVIRONMENT)
def test_environment_conf(provider, hiera, removed, tmp_path):
    conf = tmp_path / "environment.conf"
    conf.write_text(f"manifest = site.pp\nenvironment_data_provider = {provider}\nmodulepath = m\n")
    (tmp_path / "site.pp").write_text("notify { 'x': }\n")
    if hiera is not None:
        (tmp_path / "hiera.yaml").write_text(f"version: {hiera}\n")
    migration = migrate([Request(environment_directory=str(tmp_path))], "8", new="9")
    assert [(item.rule.id, item.span.line) for item in migration.findings] == [
        ("removed-setting", 2)
    ]
    edited = {str(conf): "manifest = site.pp\nmodulepath = m\n"} if removed else {}
    assert migration.edited == edited


def test_puppet_conf(tmp_path, capsys):
    conf = tmp_path / "puppet.conf"
    text = (
        "[main]\n# pluginsync = false\nreports = store\n  pluginsync = true\n"
        "data_binding_terminus = hiera\n[agent]\nconfigprint = all\ndata_binding_terminus = none\n"
    )
    conf.write_text(text)
    arguments = ["migrate", "--to", "9", "--no-project", "--config", str(conf), "-e", "$a = 1"]
    assert main([*arguments, "--fix"]) == 1
    removed = text.replace("  pluginsync = true\ndata_binding_terminus = hiera\n", "")
    assert conf.read_text() == removed
    assert "4 findings, 2 fixed, 2 left: 4 removed-setting" in capsys.readouterr().out


def test_the_default_of_reports_in_puppet_conf(tmp_path, capsys):
    conf = tmp_path / "puppet.conf"
    conf.write_text("[main]\nenvironment = x\n")
    arguments = ["migrate", "--from", "8", "--no-project", "--config", str(conf), "-e", "$a = 1"]
    assert main(arguments) == 1
    out = capsys.readouterr().out
    assert f"{conf}:1:1: warning: Settings with another default" in out
    assert "was reports = store, becomes reports = none" in out


def test_code_that_means_the_same():
    code = """
      class web(Integer $port = 80) {
        $name_of = regsubst('a.b', '\\\\.', '_', 'G')
        file { '/srv': ensure => directory, mode => '0755', content => undef }
        notify { $name_of: message => "is ${port} ${facts['n']} ${clientversion}" }
      }
      include web
    """
    migration = migrated(code, facts={"n": "true"}, adds_versions=True)
    assert not migration.findings
    assert not migration.changed


def test_puppet_7_to_9_has_the_findings_of_both():
    migration = migrated("$a = regsubst('a', 'b', 'c', '', 'N') notify { \"${nope}\": }", "7")
    assert sorted(found(migration)) == ["regsubst-encoding", "unknown-variable"]


def test_a_refusal_names_the_version(capsys):
    code = "$a = regsubst('a', 'b', 'c', '', upcase('u'))"
    assert (
        main(
            [
                "migrate",
                "--no-project",
                "--from",
                "8",
                "-e",
                code + " $b = regsubst('a', 'b', 'c', '', 'U')",
            ]
        )
        == 1
    )
    out, err = capsys.readouterr()
    assert "does not compile in OpenVox 9 with the edits" in err
    assert "does not compile in 9: " in out


@pytest.mark.parametrize(
    ("versions", "message"),
    [
        (["--from", "8", "--to", "8"], "cannot migrate from 8 to 8; to 8, use 3.8 or 3.0 or 7"),
        (["--from", "3.8", "--to", "9"], "cannot migrate from 3.8 to 9; to 9, use 8 or 7"),
        (["--from", "9", "--to", "8"], "--from: invalid value '9'"),
        (["--to", "7"], "--to: invalid value '7'"),
    ],
)
def test_impossible_pairs(versions, message, capsys):
    assert main(["migrate", *versions, "-e", "$a = 1"]) == 2
    assert message in capsys.readouterr().err


def test_every_old_version_is_a_choice():
    assert set(ALL_OLD_VERSIONS) == {"3.8", "3.0", "7", "8"}
    assert all(new not in olds for new, olds in OLD_VERSIONS.items())


RULES_OF_9 = list(RULES)[list(RULES).index("regsubst-encoding") :]


def test_every_rule_is_tested_and_on_the_page():
    text = Path(__file__).read_text(encoding="utf-8")
    assert [id_ for id_ in RULES_OF_9 if f'"{id_}"' not in text] == []
    assert (
        re.findall(r"^\| `([a-z-]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
        == RULES_OF_9
    )
