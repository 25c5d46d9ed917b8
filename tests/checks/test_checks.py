"""Files that are not manifests are checked according to their kind."""

from __future__ import annotations

import json

import pytest

from bunraku.base.source import Source
from bunraku.checks import kinds
from bunraku.checks.data import check_yaml
from bunraku.checks.files import FileWalk, has_tasks
from bunraku.checks.run import check_file

METADATA = {
    "name": "puppetlabs-ntp",
    "version": "1.2.3",
    "author": "a",
    "license": "x",
    "source": "s",
    "dependencies": [{"name": "puppetlabs/stdlib", "version_requirement": ">= 4.0.0 < 10.0.0"}],
    "requirements": [{"name": "puppet", "version_requirement": ">= 7.0.0"}],
}


def found(kind: str, text: str, name: str = "file"):
    findings = check_file(Source(text, name, on_disk=True), kind)
    return [(one.severity, one.line, one.code) for one in findings]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (kinds.YAML, "a: !custom {b: 1}\n---\nc: 2\n"),
        (kinds.YAML, "x: &x {a: 1}\ny: {<<: *x, a: 2, <<: *x}\n"),
        (kinds.JSON, '{"a": 1}'),
        (kinds.HIERA_YAML, ""),
        (kinds.HIERA_YAML, "a: \"%{lookup('b')} %{facts.os.name} %{::x} %{literal('%')}{\"\n"),
        (kinds.HIERA_YAML, "a: >\n  ENC[PKCS7,MIIB\n  AQ==]\n"),
        (kinds.HIERA_HOCON, "a { b = 1 }"),
        (kinds.HIERA, "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n"),
        (kinds.HIERA, ":backends: [yaml]\n:hierarchy: [common]\n"),
        (kinds.HIERA, "version: 5\nhierarchy: [{name: a, hiera3_backend: mine, path: a}]\n"),
        (kinds.ENVIRONMENT_CONF, "modulepath = site:$basemodulepath\n"),
        (kinds.PUPPET_CONF, "[main]\nserver = x\n[agent]\nnoop = true\n"),
        (kinds.BUNRAKU, 'strict = "off"\n'),
        (kinds.METADATA, json.dumps(METADATA)),
        (kinds.ERB, "<% if @x -%>\n<%= @x.map { |y| y } %>\n<% end -%>\n<%# ) %>\n"),
        (kinds.ERB, "<% %w[a b].each do |x| %><%= x %>\n<% end %>"),
        (kinds.RUBY, "# encoding: iso-8859-1\nx = '\udce9'\nputs x if x =~ /a/\n"),
        (kinds.RUBY, ""),
    ],
)
def test_nothing_is_wrong(kind, text):
    assert not found(kind, text)


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (kinds.YAML, "a: [1\nb: 2\n", ("error", 2, "NOT_DATA")),
        (kinds.RUBY, "def a(x)\n  x.upcase(\nend\n", ("error", 3, "RUBY_ERROR")),
        (kinds.RUBY, "x = 1\nx y z )\n", ("error", 2, "RUBY_ERROR")),
        (kinds.YAML, "a: 1\nb:\n  c: 1\n  c: 2\n", ("warning", 4, "DUPLICATE_KEY")),
        (kinds.YAML, "a:\n  " + "[" * 400 + "]" * 400, ("error", 2, "NOT_DATA")),
        (kinds.METADATA, '{"name": ' + "9" * 5000 + "}", ("error", None, "NOT_DATA")),
        (kinds.JSON, '{"a": 1,\n}', ("error", 1, "NOT_DATA")),
        (kinds.JSON, "[1,\n2 ,\n]", ("error", 2, "NOT_DATA")),
        (kinds.JSON, '{"a": \n}', ("error", 2, "NOT_DATA")),
        (kinds.HIERA_YAML, "- a\n", ("error", 1, "NO_HASH")),
        (kinds.HIERA_YAML, "a: 1\nb: 2001-01-01\n", ("error", 2, "NOT_DATA")),
        (kinds.HIERA_YAML, "a:\n - \"%{lokup('x')}\"\n", ("error", 2, "UNKNOWN_INTERPOLATION")),
        (kinds.HIERA_YAML, "a: 1\nb: ENC[PKCS7,MII\n", ("error", 2, "BROKEN_SECRET")),
        (kinds.HIERA_YAML, "b: ENC[PKCS7,MII=x]\n", ("error", 1, "BROKEN_SECRET")),
        (kinds.HIERA_JSON, "[1]", ("error", 1, "NO_HASH")),
        (kinds.HIERA_HOCON, "a = {\n", ("error", None, "NOT_DATA")),
        (kinds.HIERA, "version: 5\nhierarchy: [\n", ("error", 3, "NOT_DATA")),
        (kinds.HIERA, "version: 6\n", ("error", 1, "HIERA_UNSUPPORTED_VERSION")),
        (kinds.ENVIRONMENT_CONF, "\nmodulpath = x\n", ("warning", 2, "UNKNOWN_SETTING")),
        (kinds.ENVIRONMENT_CONF, "a = b\nfoo\n", ("error", 2, "ILLEGAL_SETTING_LINE")),
        (kinds.PUPPET_CONF, "[main]\nservr = x\n", ("warning", 2, "UNKNOWN_SETTING")),
        (kinds.BUNRAKU, "\nstrikt = 1\n", ("error", 2, "UNKNOWN_KEY")),
        (kinds.METADATA, "[]", ("error", 1, "METADATA")),
        (kinds.METADATA, '{\n"name": }', ("error", 2, "NOT_DATA")),
        (kinds.ERB, "a\n<% if x\n", ("error", 2, "BROKEN_TEMPLATE")),
        (kinds.ERB, "a\n<% x = ) %>\n", ("error", 2, "BROKEN_TEMPLATE")),
        (kinds.YAML, "a: b\nc: \udcff\n", ("error", 2, "NOT_UTF_8")),
    ],
)
def test_mistakes(kind, text, expected):
    severity, line, code = expected
    assert [one for one in found(kind, text) if one[2] == code and line in (None, one[1])] == [
        (severity, line if line is not None else found(kind, text)[0][1], code)
    ]


def test_mistakes_of_equal_text_have_lines_of_their_own():
    text = (
        "# ENC[PKCS7,...]\na: ENC[PKCS7,...]\nb: ENC[PKCS7,MIIB]\nc:\n  - ENC[PKCS7,...]\n"
        "d: \"%{lokup('x')}\"\ne: \"%{lokup('x')}\"\n"
    )
    assert [one[1:] for one in found(kinds.HIERA_YAML, text)] == [
        (2, "BROKEN_SECRET"),
        (5, "BROKEN_SECRET"),
        (6, "UNKNOWN_INTERPOLATION"),
        (7, "UNKNOWN_INTERPOLATION"),
    ]


@pytest.mark.parametrize("levels", [400, 5000])
def test_yaml_that_nests_deeply_has_one_reason(levels):
    """libyaml 0.2.6 refuses 1,000 levels in words of its own, before there is an event for them."""
    text = "a: " + "[" * levels + "]" * levels
    messages = [one.message for one in check_yaml(Source(text, "/m/data/common.yaml"))]
    assert messages == ["not valid YAML: it is nested too deeply"]


@pytest.mark.parametrize(
    ("change", "severity"),
    [
        ({"name": "ntp"}, "error"),
        ({"version": "1.2"}, "error"),
        ({"author": None}, "error"),
        ({"dependencies": {}}, "error"),
        ({"dependencies": ["puppetlabs/stdlib"]}, "error"),
        ({"dependencies": [{"name": "puppetlabs/stdlib", "version_requirement": "new"}]}, "error"),
        ({"dependencies": [{"name": "a/b"}, {"name": "a-b"}]}, "warning"),
        ({"operatingsystem_support": [{"name": "Debian"}]}, "error"),
        ({"dependancies": []}, "warning"),
    ],
)
def test_mistakes_in_metadata(change, severity):
    ((found_severity, _line, code),) = found(kinds.METADATA, json.dumps({**METADATA, **change}))
    assert (found_severity, code) == (severity, "METADATA")


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name in (
        "hiera.yaml",
        "data/common.yaml",
        "site/m/manifests/init.pp",
        "site/m/templates/a.erb",
        "site/m/lib/puppet/functions/m/a.rb",
        "site/m/files/lib/puppet/a.rb",
        "site/m/spec/classes/a_spec.rb",
        "site/m/Rakefile.rb",
        "site/m/templates/b.yaml",
        "site/m/files/c.yaml",
        "site/m/plans/p.pp",
        "site/m/spec/fixtures/modules/x/manifests/init.pp",
        "site/m/metadata.json",
        "vendor/v/manifests/init.pp",
        "legacy/old.pp",
        ".hidden/x.pp",
        ".travis.yml",
        "README.md",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "hiera.yaml").write_text("version: 5\n")
    (tmp_path / "site/m/files/policy.pp").write_bytes(b"\x8f\xff\x7c\xf9\0\0")
    (tmp_path / "data/private.yaml").symlink_to("/nowhere/private.yaml")
    (tmp_path / "site/again").symlink_to("..")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_files_of_a_project(project):
    walk = FileWalk([(str(project), "legacy/**")])
    assert list(walk.files(".")) == [
        ("data/common.yaml", kinds.HIERA_YAML),
        ("hiera.yaml", kinds.HIERA),
        ("site/m/lib/puppet/functions/m/a.rb", kinds.RUBY),
        ("site/m/manifests/init.pp", kinds.MANIFEST),
        ("site/m/metadata.json", kinds.METADATA),
        ("site/m/plans/p.pp", kinds.MANIFEST),
        ("site/m/templates/a.erb", kinds.ERB),
    ]
    assert [path for path, _ in FileWalk().files("vendor")] == ["vendor/v/manifests/init.pp"]


def test_plans_are_known_by_their_place(project):
    assert has_tasks("site/m/plans/p.pp", "")
    assert has_tasks(str(project / "site/m/plans/deep/q.pp"), "")
    assert not has_tasks("site/m/manifests/plans/p.pp", "plan m::p() { }")
    assert not has_tasks("plans/p.pp", "")
    assert has_tasks("modules/only_plans/plans/p.pp", "")
    assert not has_tasks("site/plans/p.pp", "")


def test_the_header_of_a_plan_shows_one_where_nothing_else_does(tmp_path, monkeypatch):
    (tmp_path / "plans").mkdir()
    text = "# A plan, in a module that has only plans.\n/* # */\nplan only::p() { }\n"
    assert has_tasks(str(tmp_path / "plans/p.pp"), text)
    monkeypatch.chdir(tmp_path / "plans")
    assert has_tasks("p.pp", text)
    assert not has_tasks("p.pp", "# plan a\nclass b { }\n")
    assert not has_tasks("p.pp", "# " * 5000 + "plan")
    assert not has_tasks("../p.pp", text)


def test_quotes_around_a_modulepath_are_no_part_of_it(tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "Puppetfile").touch()
    conf = tmp_path / "environment.conf"
    for value, missing in (("'./modules:./site:$basemodulepath'", []), ('"sites:site/', ["sites"])):
        conf.write_text(f"modulepath = {value}\n")
        found = check_file(Source(conf.read_text(), str(conf)), kinds.ENVIRONMENT_CONF)
        assert [one.arguments["path"] for one in found] == missing
