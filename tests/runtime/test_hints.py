"""The hint of each mistake that people make often, in syntax and at run time."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request

SYNTAX = {
    'file { "/y": require => File[/etc/x] }': "put the path in quotes: ['/etc/x']",
    'file { "/y": require => [File[/etc/x.d/y], File["/z"]] }': (
        "put the path in quotes: ['/etc/x.d/y']"
    ),
    'file { "/y": require => File[ /etc] }': "put the path in quotes: ['/etc']",
    "node web*.example.com { }": (
        r"a node has no wildcards: use a regular expression, node /^web.*\.example\.com$/"
    ),
    "node *.example.com { }": (
        r"a node has no wildcards: use a regular expression, node /^.*\.example\.com$/"
    ),
    "node web-? { }": "a node has no wildcards: use a regular expression, node /^web-.$/",
    'User <| title == "x" | >': "write |> instead of '| >'",
    'User <<| title == "x" | >>': "write |>> instead of '| >>'",
    'User << | title == "x" | >>': "write <<| instead of '<< |'",
    'User < | title == "x" |>': "write <| instead of '< |'",
    'notice("a ${x b")': "the '${' in the string on line 1 is never closed: write '}'",
    'notice(1)\nnotice("a ${x b")\n$y = "z"\nnotice("$y")': (
        "the '${' in the string on line 2 is never closed: write '}'"
    ),
    "$a = [1, 2\nnotice($a)": "the '[' on line 1 is never closed",
    '$a = {"a" => 1\n$b = 3': "the '{' on line 1 is never closed",
    "class x {\n  $a = f(1,\n    2\n  include foo\n}": "the '(' on line 2 is never closed",
    '$a = ["a",\n  "b"\n  "c"]': 'put a comma before string "c"',
    "if $a == 1 and { }": "the value behind 'and' is missing",
    "if $a == 1 or { notice(1) }": "the value behind 'or' is missing",
    "if $a == { notice(1) }": "the value behind '==' is missing",
    "unless $x >\n{\n  notice(1)\n}": "the value behind '>' is missing",
    'case $x + { "a": { } }': "the value behind '+' is missing",
}
RUN_TIME = {
    "notice($::osfamily)": "osfamily is a legacy fact: write $facts['os']['family']; {facts}",
    'notice("${kernel}")': "{facts}",
    'notice($facts["os"]["family"])': "{facts}",
    'notice("${facts["os"]["family"]}")': "{facts}",
    '$h = { "a" => 1 }\nnotice($h["x"]["b"])': '$h has no key "x", or its value is undef',
    '$h = { "a" => {} }\nnotice($h["a"]["b"]["c"])': '$h["a"] has no key "b", or its value is undef',
    '$a = undef\nnotice($a["x"])': "$a is undef",
    "include $trusted['extensions']['pp_role']": "{role}",
    'include "role::${trusted[extensions][pp_role]}"': "{role}",
    "notice($trusted['extensions']['pp_role']['x'])": "{role}",
    "$x = 'a' include $trusted['extensions'][$x]": "None",
    "include my-class": "names of classes have no '-': did you mean my_class?",
    'class { "my-class": }': "names of classes have no '-': did you mean my_class?",
    "$port = 80\n$sum = port + 1": "did you mean $port?",
    "class p ($port = 80) { $sum = 1 + port }\ninclude p": "did you mean $port?",
    'class a { }\ninclude a\nclass { "a": }': (
        "t.pp:2 includes the class before: declare it first, or set its parameters in Hiera"
    ),
}
NO_ROLE = (
    "the node has no trusted extension 'pp_role': "
    'give it with --trusted FILE, as {"extensions": {"pp_role": "…"}}'
)
NO_FACTS = "the node has no facts: give some, for example with --facts FILE"


def hint_of(code, **fields):
    with pytest.raises(PuppetError) as caught:
        compile_catalog(Request(code, as_file="t.pp", node="web1", **fields), lambda entry: None)
    return next(iter(caught.value)).hint


@pytest.mark.parametrize("code", SYNTAX)
def test_syntax(code):
    assert hint_of(code) == SYNTAX[code]


@pytest.mark.parametrize("code", RUN_TIME)
def test_run_time(code):
    assert str(hint_of(code)) == RUN_TIME[code].format(facts=NO_FACTS, role=NO_ROLE)


def test_a_node_with_facts_lacks_one():
    facts = {"os": {"family": "Debian"}}
    expected = '$facts has no key "zfs", or its value is undef'
    assert hint_of('notice($facts["zfs"]["x"])', facts=facts) == expected
    assert hint_of("notice($osfamily)", facts=facts) == (
        "osfamily is a legacy fact: write $facts['os']['family']"
    )


@pytest.mark.parametrize("code", ["$a = x80 + 1", '$a = "a b" + 1'])
def test_other_words_are_no_variables(code):
    assert hint_of(code) is None
