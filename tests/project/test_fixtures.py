"""``.fixtures.yml``: the forms of puppetlabs_spec_helper 4."""

from __future__ import annotations

import pytest

from bunraku.project.declared_modules import ForgeModule, GitModule
from bunraku.project.fixtures import read_fixtures
from bunraku.project.module import requirements_of
from bunraku.world.dictionary import DictionaryWorld

ALL_FORMS = """\
defaults:
  repositories: {branch: main}
fixtures:
  repositories:
    a: https://git.example.org/a
    b: {repo: "https://git.example.org/b", ref: v1.0.0, branch: other}
    c: {repo: "https://git.example.org/c", tag: v2.0.0, subdir: modules/c}
    d: {repo: "https://${GIT_HOST}/d", target: "#{source_dir}/spec/other"}
    e: {repo: "https://git.example.org/e", puppet_version: "< 7.0.0"}
    f: {repo: "#{ENV['GIT_URL']}/f", scm: git}
  forge_modules:
    stdlib: puppetlabs/stdlib
    concat: {repo: puppetlabs-concat, ref: 7.0.0}
  symlinks:
    ntp: "#{source_dir}"
    role: "#{source_dir}/site/role"
    other: ../other
"""


def read(text, version="8.0.0", name=".fixtures.yml", **variables):
    return read_fixtures(
        "/ntp", DictionaryWorld({f"/ntp/{name}": text.encode()}, variables=variables), version
    )


def test_all_forms():
    found = read(ALL_FORMS, GIT_HOST="git.example.org", GIT_URL="https://git.example.org")
    assert found.findings == ()
    assert {one.name: one.source for one in found.modules} == {
        "a": GitModule("https://git.example.org/a", "main"),
        "b": GitModule("https://git.example.org/b", "v1.0.0"),
        "c": GitModule("https://git.example.org/c", "v2.0.0", subdirectory="modules/c"),
        "d": GitModule("https://git.example.org/d", "main"),
        "f": GitModule("https://git.example.org/f", "main"),
        "stdlib": ForgeModule(),
        "concat": ForgeModule("7.0.0"),
    }
    directories = {one.name: one.directory for one in found.modules}
    assert directories["d"] == "/ntp/spec/other/d"
    assert directories["concat"] == "/ntp/spec/fixtures/modules/concat"
    assert [(one.name, one.directory) for one in found.links] == [
        ("role", "/ntp/site/role"),
        ("other", "/other"),
    ]


def test_an_entry_has_the_place_of_its_name():
    found = read(ALL_FORMS, GIT_HOST="h", GIT_URL="u")
    (concat,) = [one for one in found.modules if one.name == "concat"]
    assert (concat.title, concat.path, concat.line, concat.column) == (
        "puppetlabs-concat",
        "/ntp/.fixtures.yml",
        13,
        5,
    )


def test_other_names_of_the_file():
    text = "fixtures: {forge_modules: {stdlib: puppetlabs/stdlib}}"
    assert len(read(text, name=".fixtures.yaml").modules) == 1
    assert len(read(text, name="ci/fixtures.yml", FIXTURES_YML="ci/fixtures.yml").modules) == 1
    assert read(text, FIXTURES_YML="ci/fixtures.yml").modules == ()


@pytest.mark.parametrize(
    ("entry", "line", "message"),
    [
        ("repositorys: {}", 2, "unknown key 'repositorys' (did you mean 'repositories'?)"),
        ("repositories:\n    a: {ref: x}", 3, "the entry 'a' of repositories names no source"),
        ("repositories: [a]", 2, "repositories must be a Hash"),
        ("repositories:\n    a: {repo: u, scm: hg}", 3, "'a' needs hg; only git is supported"),
        ("repositories:\n    a: {repo: u, subdir: ../b}", 3, "the subdir of 'a' is outside of its"),
        ("repositories:\n    a: 'https://${X}/a'", 3, "the environment variable X is not set"),
        (
            "repositories:\n    a: '#{`id`}'",
            3,
            "cannot read #{`id`}, because it is not run as Ruby",
        ),
        ("repositories:\n    ../a: u", 3, "'../a' is not a name of a module"),
        ("forge_modules:\n    a: stdlib", 3, "the module 'stdlib' of the Forge has no owner"),
        ("forge_modules:\n    a: {repo: b/a, ref: v1}", 3, "'v1' is not a version such as '1.2.3'"),
        (
            "forge_modules:\n    a: {repo: b/a, puppet_version: x.}",
            3,
            "Cannot convert 'x.' to a range",
        ),
    ],
)
def test_what_is_wrong_has_a_place(entry, line, message):
    found = read(f"fixtures:\n  {entry}\n")
    (finding,) = found.findings
    assert finding.message.startswith(f"Cannot read the fixtures of tests: {message}")
    assert (finding.code, finding.severity, finding.line) == ("INVALID_FIXTURES", "error", line)
    assert found.modules == ()


def test_options_without_effect_are_warnings():
    found = read("fixtures:\n  repositories:\n    a: {repo: u, flags: --verbose, nosuch: 1}\n")
    assert [one.severity for one in found.findings] == ["warning", "warning"]
    assert len(found.modules) == 1


def test_an_empty_file_lists_nothing():
    assert read("---\n").findings == ()


def test_a_file_that_is_not_yaml():
    (finding,) = read("fixtures: {").findings
    assert (finding.severity, finding.file) == ("error", "/ntp/.fixtures.yml")


def test_the_modules_that_metadata_requires():
    text = (
        b'{"dependencies": [{"name": "puppetlabs/stdlib", "version_requirement": ">= 9.0.0 < 10.0.0"},'
        b' {"name": "puppet-systemd"}, {"version_requirement": "1.x"}, 5]}'
    )
    assert requirements_of("/ntp", DictionaryWorld({"/ntp/metadata.json": text})) == [
        ("puppetlabs-stdlib", ">= 9.0.0 < 10.0.0"),
        ("puppet-systemd", ">= 0.0.0"),
    ]
