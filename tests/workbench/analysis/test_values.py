"""Values against declared types: what is found, what is not, and the words of the compile."""

from __future__ import annotations

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.engine.request import Request
from bunraku.world.dictionary import DictionaryWorld
from support.analysis import analysed_values

FILES = {
    "web/manifests/init.pp": "class web(Integer $port = 80, String $root = 'x') { }",
    "web/manifests/site.pp": """define web::site(
      Integer[1, 99] $rank,
      Web::Mode $mode = 'on',
      Array[Enum['a', 'b']] $flags = [],
      Struct[{host => String, Optional[port] => Integer}] $at = { host => 'x' },
      Variant[Boolean, Sensitive[String]] $secret = false,
      $any = undef,
    ) { }""",
    "web/manifests/params.pp": "class web::params { $rank = 'a' if $x { $maybe = 'b' } }",
    "web/templates/a.epp": "<%- | Integer $port, String $title = 'a', Web::Mode $mode = 'on' | -%> x",
    "web/templates/b.epp": "<%= $any %>",
    "web/templates/broken.epp": "<%- | Integer $a = -%>",
    "web/types/mode.pp": "type Web::Mode = Enum['on', 'off']",
    "web/types/tree.pp": "type Web::Tree = Variant[Integer, Array[Web::Tree]]",
    "web/functions/double.pp": "function web::double(Integer $n, String *$rest) >> Integer { $n * 2 }",
    "web/functions/tree.pp": "function web::tree(Web::Tree $tree) { $tree }",
}


def findings(code):
    """The findings in a manifest: line, severity, code, message."""
    world = DictionaryWorld({f"/m/{path}": text.encode() for path, text in FILES.items()})
    program = dialect_named("8").parse(Source(code, "/site.pp")).program
    found = analysed_values(Request(modulepath=["/m"], world=world), [program])
    return [(one.line, one.severity, one.code, one.message) for one in found]


def messages(code):
    """The messages of the findings in a manifest."""
    return [message for *_, message in findings(code)]


@pytest.mark.parametrize(
    ("value", "severities"),
    [("'a'", ["error"]), ("$x", ["warning"]), ("if $x { 'a' }", ["warning"]), ("undef", [])],
)
def test_unknown_parameter_of_a_template_that_may_be_undef(value, severities):
    found = findings(f"notice(epp('web/a.epp', {{ port => 1, tilte => {value} }}))")
    assert [severity for _, severity, *_ in found] == severities


PARAMETER = "Web::Site[x]: parameter '{}' {}"


@pytest.mark.parametrize(
    ("attributes", "parameter", "problem"),
    [
        ("rank => '5'", "rank", "expects an Integer[1, 99] value, got String"),
        ("rank => 0", "rank", "expects an Integer[1, 99] value, got 0"),
        ("rank => -1", "rank", "expects an Integer[1, 99] value, got -1"),
        ("rank => undef", "rank", "expects an Integer[1, 99] value, got Undef"),
        ('rank => "${a}"', "rank", "expects an Integer[1, 99] value, got String"),
        ("rank => 1.5 + 2", "rank", None),
        ("rank => $a == 1", "rank", "expects an Integer[1, 99] value, got Boolean"),
        ("rank => 1 + 2 * 3", "rank", None),
        ("rank => template('x')", "rank", "expects an Integer[1, 99] value, got String"),
        ("rank => web::double(3)", "rank", None),
        ("rank => lookup('x', String)", "rank", "expects an Integer[1, 99] value, got String"),
        (
            "rank => lookup('x', { value_type => String })",
            "rank",
            "expects an Integer[1, 99] value, got String",
        ),
        ("rank => String(4)", "rank", "expects an Integer[1, 99] value, got String"),
        ("rank => [1, 2].map |$x| { $x }", "rank", "expects an Integer[1, 99] value, got Array"),
        ("rank => File['/a']", "rank", "expects an Integer[1, 99] value, got Type"),
        (
            "rank => 1, mode => 'onn'",
            "mode",
            "expects a match for Enum['off', 'on'], got 'onn' (did you mean 'on'?)",
        ),
        ("rank => 1, mode => undef", "mode", None),
        (
            "rank => 1, flags => ['a', $b, 'c']",
            "flags",
            "index 2 expects a match for Enum['a', 'b'], got 'c'",
        ),
        ("rank => 1, flags => [$b, *$c]", "flags", None),
        ("rank => 1, flags => 'a'", "flags", "expects an Array[Enum['a', 'b']] value, got String"),
        (
            "rank => 1, at => { host => 1 }",
            "at",
            "entry 'host' expects a String value, got Integer",
        ),
        ("rank => 1, at => { host => 'a', prot => $x }", "at", "unrecognized key 'prot'"),
        ("rank => 1, at => { $x => 1 }", "at", None),
        ("rank => 1, secret => 'text'", "secret", "expects a value of type Boolean or Sensitive"),
        ("rank => 1, secret => Sensitive('text')", "secret", None),
        ("rank => 1, any => 5", "any", None),
        ("rank => $facts['a'] ? { 'b' => 2, default => 3 }", "rank", None),
    ],
)
def test_values_of_a_defined_type(attributes, parameter, problem):
    found = messages(f"web::site {{ 'x': {attributes} }}")
    if problem is None:
        assert found == []
    else:
        (message,) = found
        assert message.startswith(PARAMETER.format(parameter, problem))


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("$r = 'a'\nweb::site { 'x': rank => $r }", [2]),
        ("$r = 'a'\n$s = $r\nweb::site { 'x': rank => $s }", [3]),
        ("if $x { $r = 'a' } else { $r = 'b' }\nweb::site { 'x': rank => $r }", [2]),
        ("if $x { $r = 'a' } else { $r = 2 }\nweb::site { 'x': rank => $r }", []),
        ("if $x { $r = 'a' }\nweb::site { 'x': rank => $r }", []),
        ("if $x { $r = 'a'\nweb::site { 'x': rank => $r } }", [2]),
        ("case $x { 1: { $r = [] } default: { $r = {} } }\nweb::site { 'x': rank => $r }", [2]),
        ("case $x { 1: { $r = [] } }\nweb::site { 'x': rank => $r }", []),
        ("web::site { 'x': rank => $r }\n$r = 'a'", []),
        ("$r = 'a'\n$y.each |$r| { web::site { 'x': rank => $r } }", []),
        ("$r = 1\n$y.each |String $r| { web::site { 'x':\nrank => $r } }", [3]),
        ("$y.each |$z| { $r = 'a' }\nweb::site { 'x': rank => $r }", []),
        ("[$r, $s] = ['a', 'b']\nweb::site { 'x': rank => $r }", []),
        ("$r = $r\nweb::site { 'x': rank => $r }", []),
        ("class a(String $r) { web::site { 'x':\nrank => $r } }", [2]),
        ("class a(Optional[String] $r) { web::site { 'x':\nmode => $r, rank => 1 } }", []),
        ("class a($r) { web::site { 'x': rank => $r } }", []),
        ("define a() { web::site { 'x': rank => 1,\nsecret => $title } }", [2]),
        ("$r = 'a'\nclass b { web::site { 'x': rank => $r } }", []),
        ("web::site { 'x': rank => $x ? { 1 => 2,\n2 => 'b',\ndefault => 'c' } }", [2, 3]),
        ("web::site { 'x': rank => if $x { 1 } else {\n'b' } }", [2]),
        ("web::site { 'x': rank => $web::root }", [1]),
        ("web::site { 'x': rank => $::web::params::rank }", [1]),
        ("web::site { 'x': rank => $web::port }", []),
        ("web::site { 'x': rank => $web::params::other }", []),
        ("web::site { 'x': rank => $::rank }", []),
        ("class a inherits web::params { web::site { 'x':\nrank => $rank } }", [2]),
        ("class a inherits web::params { $rank = 1 web::site { 'x': rank => $rank } }", []),
        (
            "class a inherits web::params { if $x { $rank = 1 } web::site { 'x': rank => $rank } }",
            [],
        ),
        ("class a inherits web::params { web::site { 'x': rank => $maybe } }", []),
        ("class a($b = $web::params::rank) { web::site { 'x': rank => $b } }", []),
        ("class a { $c = $b::c } class b { $c = $a::c web::site { 'x': rank => $c } }", []),
        ("web::site { 'x': rank => @(E) }\ntext\nE", [1]),
    ],
)
def test_inference_through_code(code, lines):
    assert [line for line, *_ in findings(code)] == lines


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("class { 'web': port => 'x' }", "error"),
        ("class { 'web': port => undef, root => 'a' }", None),
        ("@web::site { 'x': rank => 'a' }", "warning"),
        ("web::site { 'x': rank => 'a' }\nWeb::Site<| |> { rank => 1 }", "warning"),
        ("web::site { 'x': rank => 'a' }\nWeb::Site['x'] { * => $y }", "warning"),
        ("web::site { 'x': rank => 'a' }\nWeb::Site { rank => 1 }", "error"),
        ("Web::Site { rank => 'a' }", "warning"),
        ("Web::Site<| |> { rank => 'a' }", "warning"),
        ("class b(Integer $x = 'a') { }", "error"),
        ("class b(Integer $x = undef) { }", "warning"),
        ("define b(Boolean $x = 'true') { }", "error"),
        ("class b(Array[Optional] $x = ['a']) { }", None),
        ("class b(Integer[$low] $x = 'a') { }", None),
        ("class b(None::Such $x = 'a') { }", None),
    ],
)
def test_severity(code, expected):
    known = [severity for _, severity, code, _ in findings(code) if code == "INVALID_PARAMETERS"]
    assert known == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("notice(join('a'))", "'join' parameter 'arg' expects an Array value, got String"),
        ("notice('a'.join)", "'join' parameter 'arg' expects an Array value, got String"),
        ("notice(join(['a'], ',', 1))", "'join' expects between 1 and 2 arguments, got 3"),
        ("notice(join(*$a))", None),
        ("notice(join($a, $b))", None),
        ("each([1])", "'each' expects a block"),
        (
            "[1].map |$a, $b, $c| { 1 }",
            "The function 'map' was called with arguments it does not accept",
        ),
        ("notice(web::double('a'))", "'web::double' parameter 'n' expects an Integer value"),
        ("notice(web::double())", "'web::double' expects at least 1 argument, got none"),
        ("function all(Array[Integer] *$x) { 1 } notice(all(1, 2))", None),
        ("notice(web::double(1, 'a', 2))", "'web::double' parameter 'rest' expects a String value"),
        ("web::double(1) |$x| { }", "'web::double' does not expect a block"),
        ("notice(web::tree([1, [2, $x]]))", None),
        ("notice(web::tree([1, ['a']]))", "'web::tree' parameter 'tree' "),
        (
            "function f() >> String {\n1 }",
            "value returned from function 'f' expects a String value, got Integer",
        ),
        ("function f($x) >> String { if $x { 'a' } else { lookup('y') } }", None),
        (
            "function f($x) >> String { if $x {\n1 } else { 'a' } }",
            "value returned from function 'f' expects a String value, got Integer",
        ),
        (
            "function f(Integer $x = 'a') { 1 }",
            "'f' parameter 'x' expects an Integer value, got String",
        ),
        (
            "$a.each |$x| >> Integer { 'a' }",
            "value returned from block expects an Integer value, got String",
        ),
        ("include(1)", None),
    ],
)
def test_functions(code, expected):
    found = messages(code)
    if expected is None:
        assert found == []
    else:
        (message,) = found
        assert message.startswith(expected)


@pytest.mark.parametrize(
    ("use", "severity"),
    [
        ("", "error"),
        ("p { 'a': }", "error"),
        ("p { 'a': list => [1] }", "warning"),
        ("p { 'a': * => $facts }", "warning"),
        ("class { 'c': list => [1] }", "error"),
    ],
)
def test_a_default_that_no_use_takes_is_a_warning(use, severity):
    found = findings(
        f"define p(Array[Integer, 1] $list = []) {{ }}\nclass c($list = 1) {{ }}\n{use}\n"
    )
    assert [one for _, one, code, _ in found if code == "INVALID_PARAMETERS"] == [severity]


@pytest.mark.parametrize(
    ("values", "problems"),
    [
        ("", ["web/a.epp expects a value for parameter 'port'"]),
        (", { port => 80 }", []),
        (", { 'port' => $x, title => undef }", []),
        (", { port => '80' }", ["web/a.epp parameter 'port' expects an Integer value, got String"]),
        (", { port => 1, tilte => 'a' }", ["web/a.epp has no parameter named 'tilte'"]),
        (", { port => 1, tilte => undef }", []),
        (", { port => 1, mode => 'a' }", None),
        (", { $key => 1 }", []),
        (", $values", []),
    ],
)
def test_parameters_of_templates(values, problems):
    found = messages(f"notice(epp('web/a.epp'{values}))")
    if problems is None:
        (message,) = found
        assert message.startswith(
            "web/a.epp parameter 'mode' expects a match for Enum['off', 'on']"
        )
    else:
        assert found == problems
    assert (
        messages("notice(epp('web/b.epp', { any => 1 }), epp('web/broken.epp', { a => 1 }))") == []
    )


def test_control_comments_suppress():
    code = "web::site { 'x': rank => 'a' } # lint:ignore:INVALID_PARAMETERS"
    assert findings(code) == []
