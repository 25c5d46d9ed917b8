"""Errors, in ``do: catalog`` of the batch protocol, have the words of Puppet 7.23, recorded from it."""

from __future__ import annotations

import json

import pytest

from bunraku.jobs.batch import answer

STATEMENT = "Evaluation Error: Error while evaluating a Resource Statement, "


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("$a = ", "Could not parse for environment rp_env: Syntax error at end of input"),
        (
            "$a = = 1",
            "Could not parse for environment rp_env: Syntax error at '=' (line: 1, column: 6)",
        ),
        *(
            (
                f"$a = {text}",
                f"Could not parse for environment rp_env: {words} (line: 1, column: 6)",
            )
            for text, words in (
                ("089", "Not a valid octal number 089"),
                ("0x", "Not a valid hex number 0x"),
                ("1.5e", "Not a valid decimal number 1.5e"),
                ("1a", "Illegal number '1a'"),
                ("/* a", "Unclosed multiline comment"),
            )
        ),
        ("nope()", "Evaluation Error: Unknown function: 'nope'. (line: 1, column: 1)"),
        (
            "file { '/a': nope => 1 }",
            "no parameter named 'nope' (line: 1) on File[/a] (line: 1)",
        ),
        (
            "notify { 'a': require => Notify['b'] }",
            "Could not find resource 'Notify[b]' in parameter 'require' (line: 1)",
        ),
        (
            "Notify {\n  require => Notify['b'] }\nnotify { 'a': }",
            "Could not find resource 'Notify[b]' in parameter 'require' (line: 2)",
        ),
        (
            "$b = Notify['b']\nNotify {\n  require => $b }\nnotify { 'a':\n  require => $b }",
            "Could not find resource 'Notify[b]' in parameter 'require' (line: 5)",
        ),
        (
            "class k {} define d { require k }\nd { 'a':\n  require => Notify['b'] }",
            "Could not find resource 'Notify[b]' in parameter 'require'",
        ),
        (
            "create_resources('notify', { 'a' => { require => Notify['b'] } })",
            "Could not find resource 'Notify[b]' in parameter 'require'",
        ),
        *(
            (
                f"function f({signature} {{ 1 }} f()",
                f"Evaluation Error: Resource type not found: Foo (line: 1, column: {column})",
            )
            for signature, column in (
                ("Foo $a)", 12),
                ("Integer $a, Optional[Foo] $b)", 33),
                ("Integer $a) >> Foo", 27),
            )
        ),
        (
            "define x(Integer[0] $p) {} x { 'a': p => 'x' }",
            f"{STATEMENT}X[a]: parameter 'p' expects an Integer value, got String (line: 1)",
        ),
        (
            "type P = Integer[1] define x(P $p) {} x { 'a': p => 'x' }",
            f"{STATEMENT}X[a]: parameter 'p' expects a P = Integer[1] value, got String (line: 1)",
        ),
        (
            "type P = Pattern[/a/] define x(P $p) {} x { 'a': p => 'x', z => 1 }",
            (
                f"{STATEMENT}X[a]:\n  has no parameter named 'z'\n"
                "  parameter 'p' expects a match for P = Pattern[/a/], got 'x' (line: 1)"
            ),
        ),
        (
            "file { '/a': } file { '/a': }",
            (
                f"{STATEMENT}Duplicate declaration: File[/a] is already declared at (line: 1);"
                " cannot redeclare (line: 1) (line: 1, column: 16)"
            ),
        ),
        (
            "abs('x', 'y')",
            (
                "Evaluation Error: Error while evaluating a Function Call,"
                " 'abs' expects 1 argument, got 2 (line: 1, column: 1)"
            ),
        ),
        (
            "file { ['a', '']: }",
            "Evaluation Error: Empty string title at 1. Title strings must have a length greater than zero. (line: 1, column: 8)",
        ),
        (
            "notify { 1: }",
            "Evaluation Error: Illegal title type at index 0. Expected String, got Integer (line: 1, column: 10)",
        ),
        (
            "notice(1 + 'a')",
            "Evaluation Error: The value 'a' cannot be converted to Numeric. (line: 1, column: 12)",
        ),
        (
            "notice(undef[1])",
            "Evaluation Error: Operator '[]' is not applicable to an Undef Value. (line: 1, column: 8)",
        ),
        (
            "notice(1 =~ /a/)",
            "Evaluation Error: Left match operand must result in a String value. Got an Integer. (line: 1, column: 8)",
        ),
        ("notice(lookup('a'))", "Function lookup() did not find a value for the name 'a'"),
        (
            "notice(lookup(['a', 'b', 'c']))",
            "Function lookup() did not find a value for any of the names ['a', 'b', 'c']",
        ),
        (
            "include ''",
            "Evaluation Error: Error while evaluating a Function Call, Cannot use empty string as a class name (line: 1, column: 1)",
        ),
        (
            "file { '/a': } file { 'b': path => '/a' }",
            STATEMENT
            + 'Cannot alias File[b] to ["/a"] at (line: 1); resource ["File", "/a"] already declared (line: 1) (line: 1, column: 16)',
        ),
        ("node 'x' { }", "Could not find node statement with name 'default' or 'n'"),
        *(
            (
                f"{type_} {{ 'a': {attributes} }} {type_} {{ 'b': {attributes} }}",
                STATEMENT
                + f"Cannot alias {reference}[b] to {shown} at (line: 1);"
                + f" resource {entry} already declared (line: 1) (line: 1, column: {len(type_ + attributes) + 12})",
            )
            for type_, reference, attributes, shown, entry in (
                ("notify", "Notify", "alias => 'x'", '"x"', '["Notify", "x"]'),
                ("notify", "Notify", "alias => [[1]]", "1", '["Notify", 1]'),
                (
                    *("package", "Package", "name => 'x', provider => gem"),
                    *('[nil, "x", "gem"]', '["Package", nil, "x", "gem"]'),
                ),
                (
                    *("file", "File", "path => ['x', 1, undef, {b => true}]"),
                    *('[["x", 1, nil, {"b"=>true}]]', '["File", "x", 1, nil, {"b"=>true}]'),
                ),
                ("file", "File", "path => []", "[[]]", '["File"]'),
                (
                    *("file", "File", "path => Sensitive(['x'])"),
                    *("[#<Sensitive [value redacted]>]", '["File", #<Sensitive [value redacted]>]'),
                ),
            )
        ),
        *(
            (
                f"define d($x = 1) {{}} {code} notice({reference}['no_such'])",
                (
                    f"Evaluation Error: The resource {reference} does not have a parameter"
                    f" called 'no_such' (line: 1, column: {len(code) + 29})"
                ),
            )
            for code, reference in (
                ("notify { 'a b': }", "Notify['a b']"),
                ("d { 'a': }", "D['a']"),
                ("class e {} include e", "Class['e']"),
            )
        ),
        (
            "notice(file('x/y'))",
            "Evaluation Error: Error while evaluating a Function Call, Could not find any files from x/y (line: 1, column: 8)",
        ),
        (
            "function f($x) { } f()",
            "Evaluation Error: Error while evaluating a Function Call, 'f' expects 1 argument, got none (line: 1, column: 20)",
        ),
        (
            "if 'a' < 1 { }",
            "Evaluation Error: Comparison of: String < Integer, is not possible. Caused by 'A String is not comparable to a non String'. (line: 1, column: 8)",
        ),
        (
            "if [] > 1 { }",
            "Evaluation Error: Comparison of: Array > Integer, is not possible. Caused by 'Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable'. (line: 1, column: 7)",
        ),
    ],
)
def test_the_text_is_that_of_puppet(code, expected):
    case = {"do": "catalog", "code": code, "node": "n", "settings": {"environment": "rp_env"}}
    found = json.loads(answer(json.dumps(case).encode()))
    assert found["error"]["text"] == f"{expected} on node n"


FAILS = (
    "Evaluation Error: Error while evaluating a Function Call, {} (file: {}, line: {}, column: {})"
)
RUBY = "Puppet::Functions.create_function(:'m::{0}') do\n  def {0}(*)\n    {1}\n  end\nend\n"
MODULES = {
    "m/lib/puppet/functions/m/boom.rb": RUBY.format("boom", "raise 'out of fuel'"),
    "m/lib/puppet/functions/m/wrong.rb": RUBY.format("wrong", "raise Puppet::Error, 'not so'"),
    "m/lib/puppet/functions/m/placed.rb": RUBY.format(
        "placed", "raise Puppet::ParseError.new('there', '/x.pp', 7)"
    ),
    "m/lib/puppet/functions/m/rescues.rb": (
        "Puppet::Functions.create_function(:'m::rescues') do\n  dispatch :rescues do\n"
        "    block_param 'Callable[0,0]', :block\n  end\n  def rescues\n    yield\n"
        '  rescue => e\n    raise "caught: #{e.message}"\n  end\nend\n'
    ),
    "n/hiera.yaml": "version: 5\nhierarchy:\n  - name: c\n    path: common.yaml\n",
    "n/data/common.yaml": "n::a: [1\nn::b: {\n",
    "o/hiera.yaml": "version: 5\nhierarchy:\n  - name: c\n    path: common.yaml\n",
    "o/data/common.yaml": "o::loop: \"%{lookup('o::loop')}\"\n",
    "m/manifests/fails.pp": "class m::fails {\n  fail('no')\n}\n",
    "m/manifests/looks.pp": "class m::looks(\n  $x = lookup('nosuch'),\n) {\n}\n",
    "m/manifests/d.pp": "define m::d {\n  fail('no')\n}\n",
    "m/manifests/broken.pp": "class m::broken {\n  $x = = 1\n}\n",
    "m/templates/a.epp": "a\n<%= fail('no') %>\n",
    "m/templates/bad.erb": "a\n<%= raise 'no' %>\n",
    "m/templates/broken.epp": "<% if %>",
}
M = "/modules/m"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "m::d { 'a': }",
            STATEMENT
            + FAILS.format("no", f"{M}/manifests/d.pp", 2, 3)
            + " (file: /site.pp, line: 1)",
        ),
        (
            "define e {\n m::d { 'a': } }\ne { 'b': }",
            STATEMENT
            + FAILS.format("no", f"{M}/manifests/d.pp", 2, 3)
            + " (file: /site.pp, line: 2)",
        ),
        (
            "define e {\n include m::fails }\ne { 'b': }",
            STATEMENT
            + FAILS.format("no", f"{M}/manifests/fails.pp", 2, 3)
            + " (file: /site.pp, line: 3)",
        ),
        ("include m::fails", FAILS.format("no", f"{M}/manifests/fails.pp", 2, 3)),
        ("notify { fail('t'): }", FAILS.format("t", "/site.pp", 1, 10)),
        ("$x = @(\"E\")\n  ${fail('t')}\n  | E", FAILS.format("t", "/site.pp", 2, 5)),
        ("notice(m::boom(1))", FAILS.format("out of fuel", "/site.pp", 1, 8)),
        ("notice(m::wrong(1))", FAILS.format("not so", "/site.pp", 1, 8)),
        ("notice(m::placed(1))", "there (file: /x.pp, line: 7)"),
        (
            "m::rescues() || {\n 1 / 0 }",
            FAILS.format(
                "caught: Evaluation Error: Division by 0 (file: /site.pp, line: 2, column: 6)",
                "/site.pp",
                1,
                1,
            ),
        ),
        (
            "include m::looks",
            f"Function lookup() did not find a value for the name 'nosuch' (file: {M}/manifests/looks.pp, line: 1)",
        ),
        (
            "$x = lookup('n::a')",
            (
                "Unable to parse (/modules/n/data/common.yaml): did not find expected ',' or ']'"
                " while parsing a flow sequence at line 1 column 7"
            ),
        ),
        (
            "$x = lookup('o::loop')",
            "Lookup of key 'o::loop' failed: Recursive lookup detected in [o::loop]",
        ),
        ("$x = lookup('nosuch')", "Function lookup() did not find a value for the name 'nosuch'"),
        (
            "define e { $x = lookup('nosuch') } e { 'b': }",
            STATEMENT
            + "Function lookup() did not find a value for the name 'nosuch' (file: /site.pp, line: 1)",
        ),
        (
            "class { 'nosuch': }",
            STATEMENT + "Could not find declared class nosuch (file: /site.pp, line: 1, column: 1)",
        ),
        (
            "include nosuch",
            FAILS.format("Could not find class ::nosuch for n", "/site.pp", 1, 1),
        ),
        (
            "include m::broken",
            f"Syntax error at '=' (file: {M}/manifests/broken.pp, line: 2, column: 8)",
        ),
        (
            "define e { include m::broken } e { 'b': }",
            STATEMENT
            + f"Syntax error at '=' (file: {M}/manifests/broken.pp, line: 2, column: 8) (file: /site.pp, line: 1)",
        ),
        ("notice(epp('m/a.epp'))", FAILS.format("no", f"{M}/templates/a.epp", 2, 5)),
        (
            "notice(epp('m/broken.epp'))",
            FAILS.format(
                f"epp(): Invalid EPP: Syntax error at end of input (file: {M}/templates/broken.epp)",
                "/site.pp",
                1,
                8,
            ),
        ),
        (
            "notice(template('m/bad.erb'))",
            FAILS.format(
                f"Failed to parse template m/bad.erb:\n  Filepath: {M}/templates/bad.erb\n  Line: 2\n  Detail: no\n",
                "/site.pp",
                1,
                8,
            ),
        ),
        (
            "define e { notify { 'x': tag => 'a b!' } } e { 'b': }",
            STATEMENT + "Invalid tag 'a b!' (file: /site.pp, line: 1) (file: /site.pp, line: 1)",
        ),
        ("tag('a b!')", FAILS.format("Invalid tag 'a b!'", "/site.pp", 1, 1)),
        (
            "Notify['x'] -> notify { 'y': }",
            "Could not find resource 'Notify[x]' for relationship on 'Notify[y]'",
        ),
        (
            "notice(Integer('x'))",
            FAILS.format("'new' The string 'x' cannot be converted to Integer", "/site.pp", 1, 8),
        ),
        (
            "notice(Float([1]))",
            FAILS.format(
                "'new_float' Value of type Array[Integer] cannot be converted to Float",
                "/site.pp",
                1,
                8,
            ),
        ),
        (
            "function f() >> String { 1 }\nf()",
            FAILS.format(
                "value returned from f has wrong type, expects a String value, got Integer",
                "/site.pp",
                2,
                1,
            ),
        ),
        (
            "notice(sha1())",
            FAILS.format("sha1(): Wrong number of arguments given (0 for 1)", "/site.pp", 1, 8),
        ),
        (
            "each([1]) |$a, $b, $c| { }",
            FAILS.format("'each' block expects between 1 and 2 arguments, got 3", "/site.pp", 1, 1),
        ),
    ],
)
def test_an_error_within_another_keeps_its_words_and_places(code, expected):
    case = {"do": "catalog", "code": code, "node": "n", "as_file": True, "modules": MODULES}
    case["settings"] = {"strict": "error"}
    found = json.loads(answer(json.dumps(case).encode()))
    assert found["error"]["text"] == f"{expected} on node n"


def test_an_endless_lookup_in_the_global_layer_is_an_error_of_the_call(tmp_path):
    (tmp_path / "common.yaml").write_text("loop: \"%{lookup('loop')}\"\n")
    configuration = tmp_path / "hiera.yaml"
    level = f"{{name: c, path: common.yaml, data_hash: yaml_data, datadir: {tmp_path}}}"
    configuration.write_text(f"version: 5\nhierarchy: [{level}]\n")
    settings = {"hiera_config": str(configuration)}
    case = {"do": "catalog", "code": "$x = lookup('loop')", "node": "n", "settings": settings}
    found = json.loads(answer(json.dumps(case).encode()))
    assert found["error"]["text"] == (
        "Evaluation Error: Error while evaluating a Function Call, Lookup of key 'loop' failed:"
        " Lookup of key 'loop' failed: Recursive lookup detected in [loop] (line: 1, column: 6)"
        " on node n"
    )
