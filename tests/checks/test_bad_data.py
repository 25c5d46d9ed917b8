"""Data, templates and Ruby code that are wrong: one error each, with file and line, and no secret."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from support.ruby import HAS_RUBY

# Mistake → the files of the environment, code, the error's code, and the text that locates it.
CASES = {
    "broken yaml data": (
        {
            "hiera.yaml": "version: 5\nhierarchy:\n  - name: one\n    path: a.yaml\n",
            "data/a.yaml": "ok: 1\nkey: [1, 2\nb: 3\n",
        },
        "lookup('key')",
        "HIERA_UNPARSABLE_DATA",
        "data/a.yaml:3:",
    ),
    "yaml no hash": (
        {
            "hiera.yaml": "version: 5\nhierarchy:\n  - name: one\n    path: a.yaml\n",
            "data/a.yaml": "- 1\n",
        },
        "lookup('key')",
        "HIERA_DATA_IS_NO_HASH",
        "data/a.yaml",
    ),
    "broken json data": (
        {
            "hiera.yaml": "version: 5\nhierarchy:\n  - name: one\n    path: a.json\n    data_hash: json_data\n",
            "data/a.json": '{"a": 1,\n "b" }',
        },
        "lookup('key')",
        "HIERA_UNPARSABLE_DATA",
        "data/a.json:2:",
    ),
    "broken hocon": (
        {
            "hiera.yaml": "version: 5\nhierarchy:\n  - name: one\n    path: a.conf\n    data_hash: hocon_data\n",
            "data/a.conf": "a = 1\nb = {",
        },
        "lookup('key')",
        "HIERA_UNPARSABLE_DATA",
        "data/a.conf:2:",
    ),
    "broken hiera.yaml": (
        {"hiera.yaml": "version: 5\nhierarchy: [\n"},
        "lookup('key')",
        "HIERA_UNPARSABLE_DATA",
        "hiera.yaml:3:",
    ),
    "wrong key in hiera.yaml": (
        {"hiera.yaml": "version: 5\nhierarchy:\n  - name: one\n    path: a.yaml\n    pfad: b\n"},
        "lookup('key')",
        "HIERA_INVALID_CONFIG",
        "hiera.yaml:5:",
    ),
    "wrong top key": (
        {"hiera.yaml": "version: 5\nhirarchy: []\n"},
        "lookup('key')",
        "HIERA_INVALID_CONFIG",
        "hiera.yaml:2:",
    ),
    "wrong version": (
        {"hiera.yaml": "version: 9\n"},
        "lookup('key')",
        "HIERA_UNSUPPORTED_VERSION",
        "hiera.yaml:1:",
    ),
    "missing data file": (
        {"hiera.yaml": "version: 5\nhierarchy:\n  - name: one\n    path: nix.yaml\n"},
        "lookup('key')",
        "LOOKUP_NOT_FOUND",
        "site.pp:2:1:",
    ),
    "unknown backend": (
        {
            "hiera.yaml": "version: 5\nhierarchy:\n  - name: one\n    path: a.yaml\n    data_hash: nix_data\n",
            "data/a.yaml": "a: 1",
        },
        "lookup('key')",
        "HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND",
        "hiera.yaml",
    ),
    "loop of aliases": (
        {
            "hiera.yaml": "version: 5\nhierarchy:\n  - name: one\n    path: a.yaml\n",
            "data/a.yaml": "a: \"%{lookup('b')}\"\nb: \"%{alias('a')}\"\n",
        },
        "lookup('a')",
        "RECURSIVE_LOOKUP",
        "site.pp:2:1:",
    ),
    "unknown interpolation": (
        {
            "hiera.yaml": "version: 5\nhierarchy:\n  - name: one\n    path: a.yaml\n",
            "data/a.yaml": "a: \"%{nix('b')}\"\n",
        },
        "lookup('a')",
        "HIERA_INTERPOLATION_UNKNOWN_INTERPOLATION_METHOD",
        "in the value of 'a' in ",
    ),
    "eyaml without its key": (
        {
            "hiera.yaml": "version: 5\nhierarchy:\n  - name: one\n    path: s.eyaml\n    lookup_key: eyaml_lookup_key\n    options:\n      pkcs7_private_key: /nokey.pem\n      pkcs7_public_key: /nocert.pem\n",
            "data/s.eyaml": "a: ENC[PKCS7,SECRETSECRET==]\n",
        },
        "lookup('a')",
        "HIERA_KEY_MISSING",
        "data/s.eyaml",
    ),
    "erb ruby error": (
        {"modules/m/templates/t.erb": "line one\n<%= nil.foo %>\n"},
        "template('m/t.erb')",
        "RUBY_ERROR",
        "templates/t.erb, line: 2",
    ),
    "erb syntax error": (
        {"modules/m/templates/t.erb": "line one\n<% if true %>\n"},
        "template('m/t.erb')",
        "RUBY_ERROR",
        "templates/t.erb, line: 3",
    ),
    "erb undefined var": (
        {"modules/m/templates/t.erb": "line one\n<%= nix %>\n"},
        "template('m/t.erb')",
        "RUBY_ERROR",
        "templates/t.erb, line: 2",
    ),
    "erb missing": ({}, "template('m/nix.erb')", "TEMPLATE_NOT_FOUND", "site.pp:2:1:"),
    "epp error": (
        {"modules/m/templates/t.epp": "line one\n<%= 1 + nix %>\n"},
        "epp('m/t.epp')",
        "NOT_NUMERIC",
        "templates/t.epp:2:9",
    ),
    "epp syntax": (
        {"modules/m/templates/t.epp": "line one\n<%= 1 + %>\n"},
        "epp('m/t.epp')",
        "INVALID_TEMPLATE",
        "templates/t.epp, line: 2",
    ),
    "function raises": (
        {
            "modules/m/lib/puppet/functions/m/f.rb": "Puppet::Functions.create_function(:'m::f') do\n  def f\n    raise 'bang'\n  end\nend\n"
        },
        "m::f()",
        "RUBY_ERROR",
        "m::f() raised RuntimeError: bang (f.rb:3)",
    ),
    "function syntax": (
        {
            "modules/m/lib/puppet/functions/m/f.rb": "Puppet::Functions.create_function(:'m::f') do\n  def f(\n"
        },
        "m::f()",
        "RUBY_ERROR",
        "functions/m/f.rb, line: 2",
    ),
    "function hangs": (
        {
            "modules/m/lib/puppet/functions/m/f.rb": "Puppet::Functions.create_function(:'m::f') do\n  def f\n    loop { }\n  end\nend\n"
        },
        "m::f()",
        "RUBY_TIMEOUT",
        "functions/m/f.rb, line: 3",
    ),
    "function exits": (
        {
            "modules/m/lib/puppet/functions/m/f.rb": "Puppet::Functions.create_function(:'m::f') do\n  def f\n    exit! 3\n  end\nend\n"
        },
        "m::f()",
        "RUBY_ERROR",
        "site.pp:2:1:",
    ),
    "metadata broken": (
        {
            "modules/m/metadata.json": '{"name": \n oops}',
            "modules/m/manifests/init.pp": "class m { }",
        },
        "include m",
        "UNKNOWN_CLASS",
        "m/metadata.json",
    ),
    "class in wrong file": (
        {"modules/m/manifests/init.pp": "class n { }"},
        "include m",
        "ILLEGAL_DEFINITION_LOCATION",
        "init.pp:1:1:",
    ),
    "type broken": (
        {
            "modules/m/lib/puppet/type/t.rb": "Puppet::Type.newtype(:t) do\n  newparam(:name) {\n",
        },
        "t { 'a': }",
        "BROKEN_TYPE",
        "puppet/type/t.rb, line 1",
    ),
    "environment.conf broken": (
        {"environment.conf": "modulepath\n"},
        "notice(1)",
        "ILLEGAL_SETTING_LINE",
        "environment.conf:1:",
    ),
    "a secret": (
        {
            "hiera.yaml": "version: 5\nhierarchy:\n  - name: one\n    path: a.yaml\n",
            "data/a.yaml": "lookup_options:\n  a:\n    convert_to: Sensitive\na: hunter2\n",
        },
        "Integer(lookup('a'))",
        "TYPE_CONVERSION",
        "site.pp:2:1:",
    ),
    "lookup_options wrong": (
        {
            "hiera.yaml": "version: 5\nhierarchy:\n  - name: one\n    path: a.yaml\n",
            "data/a.yaml": "lookup_options: 7\na: 1\n",
        },
        "lookup('a')",
        "HIERA_LOOKUP_OPTIONS_NO_HASH",
        "site.pp:2:1:",
    ),
    "merge wrong": (
        {
            "hiera.yaml": "version: 5\nhierarchy:\n  - name: one\n    path: a.yaml\n",
            "data/a.yaml": "lookup_options:\n  a: {merge: nix}\na: 1\n",
        },
        "lookup('a')",
        "HIERA_UNKNOWN_STRATEGY",
        "site.pp:2:1:",
    ),
}
RUBY = (".rb", ".erb")


def lay_out(folder, files, code):
    place = folder / "production"
    for name, text in {**files, "manifests/site.pp": f"notice('start')\n{code}\n"}.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    return ["--environmentpath", str(folder), "--node", "n"]


@pytest.mark.parametrize("what", CASES)
def test_one_error_names_the_place(what, tmp_path, capfd, monkeypatch):
    files, code, expected, place = CASES[what]
    if any(name.endswith(RUBY) for name in files) and not HAS_RUBY:
        pytest.skip("this needs Ruby, which is not installed")
    monkeypatch.setenv("BUNRAKU_RUBY_TIMEOUT", "1")
    assert main(["compile", *lay_out(tmp_path, files, code)]) == exits.FINDINGS
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count(": error: ") == 1
    assert f"[{expected}]" in err
    assert place in err
    assert "hunter2" not in err
    assert "SECRETSECRET" not in err
    assert "Traceback" not in err


def test_the_worker_survives_ruby_code_that_hangs_or_dies(monkeypatch, tmp_path):
    if not HAS_RUBY:
        pytest.skip("this needs Ruby, which is not installed")
    monkeypatch.setenv("BUNRAKU_RUBY_TIMEOUT", "1")
    for what in ("function hangs", "function exits", "function raises"):
        files, code, expected, _ = CASES[what]
        lay_out(tmp_path / what, files, code)
        request = Request(settings={"environmentpath": str(tmp_path / what)})
        with pytest.raises(PuppetError) as caught:
            compile_catalog(request, lambda entry: None)
        assert caught.value.diagnostic.code == expected
        good = Request(code="notify { inline_template('<%= 1 + 1 %>'): }")
        assert compile_catalog(good, lambda entry: None).find("Notify", "2") is not None
