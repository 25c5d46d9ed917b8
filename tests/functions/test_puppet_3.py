"""The functions of Puppet 3: recorded results of 3.8.7, and further cases.

The recordings are packed by ``tests/record/record_functions_puppet3.py``. An error must be one here; a
success must have the same notices, as many warnings (up to three) and the same resources.
"""

from __future__ import annotations

import json
import re

import pytest
from tests.support.recorded import recorded

from bunraku.dialects.puppet_3.functions.libraries import FUTURE_PARSER, PUPPET_3_0, PUPPET_3_8
from bunraku.jobs.batch import answer
from support.ruby_code import needs_ruby

RECORDED = recorded("functions_puppet3")


def run(code, language="3.8", **given):
    case = {"id": "x", "code": code, "language": language, "as_file": True, **given}
    return json.loads(answer(json.dumps(case).encode()))


def grouped():
    """Function or topic → its cases."""
    groups = {}
    for row in RECORDED:
        topic = re.sub(r"-\d+$|^templates-.*", "", row[0]) or "templates"
        groups.setdefault(topic, []).append(row)
    return groups


GROUPS = grouped()


def made(case):
    """The result of a case in the form of the recordings."""
    _, code, given, wanted = case
    answered = run(code, **given)
    if answered["status"] != "ok":
        return "error"
    notices = [item["message"] for item in answered["notices"]]
    warnings = sum(item["level"] == "warning" for item in answered["logs"])
    resources = {
        f"{item['type']}[{item['title']}]": item["parameters"] for item in answered["resources"]
    }
    return [notices, min(warnings, 3), resources if wanted[2] is not None else None]


# Ruby code that is not translated does this.
IN_RUBY = {"function-arguments-inlinetemplate", "templates"}


@pytest.mark.parametrize(
    "topic",
    [pytest.param(topic, marks=needs_ruby if topic in IN_RUBY else ()) for topic in GROUPS],
)
def test_as_recorded(topic):
    different = [
        (case[0], case[1], found, case[3])
        for case in GROUPS[topic]
        if (found := made(case)) != case[3]
    ]
    assert not different


FUNCTIONS = {
    "lib/puppet/parser/functions/shown.rb": """
        Puppet::Parser::Functions.newfunction(:shown, :type => :rvalue) { |args| args.inspect }
    """,
    "lib/puppet/parser/functions/told.rb": """
        Puppet::Parser::Functions.newfunction(:told, :arity => -2) do |args|
          function_notice(["#{args.inspect} #{lookupvar('u').inspect} #{lookupvar('no').inspect}"])
        end
    """,
    "lib/puppet/parser/functions/within.rb": """
        Puppet::Parser::Functions.newfunction(:within, :type => :rvalue) do |args|
          args[0] == 'all' ? [:undef, nil, {'a' => :undef}] : :undef
        end
    """,
    "lib/puppet/parser/functions/changed.rb": """
        Puppet::Parser::Functions.newfunction(:changed, :type => :rvalue) do |args|
          args[0].gsub!('a', 'b')
          args[0]
        end
    """,
    "lib/puppet/functions/modern.rb": """
        Puppet::Functions.create_function(:modern) { def modern(x) x end }
    """,
    "templates/t.erb": "<%= x %> <%= @x %>",
}


@pytest.fixture(scope="module")
def modulepath(tmp_path_factory):
    folder = tmp_path_factory.mktemp("modules")
    for name, text in FUNCTIONS.items():
        path = folder / "m" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    data = folder / "data"
    data.mkdir()
    (data / "common.csv").write_text('one,1\nmany,a,%{where},"c,d"\n')
    (data / "web.csv").write_text("one,web\n")
    library = folder / "stdlib"
    library.mkdir()
    (library / "Modulefile").write_text("name 'puppetlabs-stdlib'\nversion '4.2.0'\n")
    return str(folder)


NOTICES = [
    ("notice('a', ['b', ['c', undef]], [], { k => [undef] })", ['a b c undef  {"k"=>[:undef]}']),
    ("notice(sprintf('%s|%p', [undef], File['/x/']))", ['[:undef]|File[/x/]{:path=>"/x"}']),
    ("notice(regsubst('aXb', 'x', '-', 'I'), split('a1b22c', '[0-9]+'))", ["a-b a b c"]),
    (
        (
            "class x::a { notice('x::a') } class a { notice('a') }\n"
            "class x { include a include ::a }\ninclude x"
        ),
        ["x::a", "a"],
    ),
    (
        (
            "class f::b { search('f') include z }\nclass f::z { notice('f::z') }\n"
            "class z { notice('z') }\ninclude f::b"
        ),
        ["f::z"],
    ),
    (
        (
            'define x::d($q) { notice("${title} ${q}") }\n'
            "class x { create_resources('d', { 't' => { q => 2 } }) }\ninclude x"
        ),
        ["t 2"],
    ),
    ("class c($p) { notice($p) }\ncreate_resources('class', { 'c' => { p => 'v' } })", ["v"]),
    ("notice(hiera('nokey', 'd'), hiera(['nokey', 'e']))", ["d e"]),
    (
        "$r = ['a', undef]\nnotice(inline_template('<%= [@r, scope[\"r\"][1]].inspect %>'))",
        ['[["a", :undef], :undef]'],
    ),
    ("$x = 'v'\nnotice(template('m/t.erb'))", ["v v"]),
    ("notice(join(['a', undef], ','), delete_undef_values(['b', undef]))", ["a,undef b"]),
    ("notice(is_integer('5'), size('abc'), upcase('a'))", ["true 3 A"]),
    (
        (
            "$extlookup_datadir = 'DATA' $extlookup_precedence = ['%{role}', 'common']\n"
            "$role = 'web' $where = 'here'\n"
            "notice(extlookup('one'), extlookup('many'), extlookup('one', 'd', 'common'))"
        ),
        ["web a here c,d 1"],
    ),
]
NOTICES_OF_RUBY = [
    (
        (
            "class o { $x = 'o' d { 't': } }\n"
            "define d() { notice(inline_template('<%= @x %> <%= tags.include?(\"d\") %>')) }\ninclude o"
        ),
        ["o true"],
    ),
    (
        "notice(shown(undef, [undef], File['/x'], 1, 1 + 1))",
        ['["", [:undef], File[/x]{:path=>"/x"}, "1", 2]'],
    ),
    ("notice(changed('aa'))", ["bb"]),
    ("$u = undef\ntold('a')", ['["a"] :undef nil']),
    (
        "notice(within('all'))\n$x = within('')\nnotice(\"<${x}>\")",
        ['undef undef {"a"=>:undef}', "<>"],
    ),
]


@needs_ruby
@pytest.mark.parametrize(("code", "notices"), NOTICES_OF_RUBY)
def test_calls_of_ruby(code, notices, modulepath):
    test_calls(code, notices, modulepath)


@pytest.mark.parametrize(("code", "notices"), NOTICES)
def test_calls(code, notices, modulepath):
    answered = run(code.replace("DATA", f"{modulepath}/data"), modulepath=[modulepath])
    assert answered["error"] is None
    assert [item["message"] for item in answered["notices"]] == notices


ERRORS = [
    "$x = notice('a')",
    "md5('a')",
    "$x = told('a')",
    "shown('a')",
    "notice(modern('a'))",
    "include a, nosuch\nclass a { }",
    "realize('no reference')",
    "fail('x')",
    "notice(md5(1 + 1))",
    "notice(lookup('a'))",
    "notice(camelcase('a'))",
    "notice(extlookup('nokey'))",
    "notice(inline_template('<%= nosuch %>'))",
]


@pytest.mark.parametrize("code", ERRORS)
def test_refused(code, modulepath):
    answered = run(code, modulepath=[modulepath])
    assert answered["status"] == "eval_error"


def test_variables_by_bare_names_are_deprecated_in_templates():
    answered = run("$x = 'v'\nnotice(inline_template('<%= x %>'))")
    assert [item["message"] for item in answered["notices"]] == ["v"]
    assert any(item["level"] == "warning" for item in answered["logs"])


def test_trusted_data_is_frozen_to_templates():
    code = '$x = inline_template(\'<%= @trusted["certname"] = "other" %>\')'
    answered = run(code, settings={"trusted_node_data": True}, trusted={"certname": "a"})
    assert answered["status"] == "eval_error"


IN_3_0 = (
    "alert create_resources crit debug defined emerg err extlookup fail file fqdn_rand "
    "generate hiera hiera_array hiera_hash hiera_include include info inline_template md5 "
    "notice realize regsubst require search sha1 shellquote split sprintf tag tagged "
    "template versioncmp warning "
)
ADDED_IN_3_8 = "contain digest scanf"
ADDED_BY_FUTURE_PARSER = (
    "assert_type each epp filter import inline_epp lookup map match reduce slice with "
)
"""The functions that a manifest can call, read from Puppet's releases."""


def test_each_dialect_has_its_functions():
    old = set(IN_3_0.split())
    current = old | set(ADDED_IN_3_8.split())
    future = current | set(ADDED_BY_FUTURE_PARSER.split())
    assert set(PUPPET_3_0.core) == old
    assert set(FUTURE_PARSER.core) == future
    refused = {name for name in PUPPET_3_8.core if PUPPET_3_8.builtin(name).refused}
    assert set(PUPPET_3_8.core) - refused == current
    assert refused == future - current - {"import"}
    for library in (PUPPET_3_0, PUPPET_3_8, FUTURE_PARSER):
        assert all(library.builtin(name) for name in library.core)
    assert PUPPET_3_8.builtin("upcase") is None
