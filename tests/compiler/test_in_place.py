"""Operators, types and patterns that compiled code works out in place answer as the helpers do."""

from __future__ import annotations

from ast import unparse

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.base.source import Source
from bunraku.compiler.code import to_ast
from bunraku.compiler.rules import DEFAULTS, CompilerRules
from bunraku.dialects.dialect import Dialect
from bunraku.dialects.puppet_8 import PUPPET_8
from bunraku.engine import kept
from bunraku.engine.compile import compile_catalog, compile_resolved
from bunraku.engine.request import Request, resolve
from bunraku.runtime.helpers import HELPERS
from bunraku.syntax.parser.parser import parse
from support.calls import calls_of

VALUES = [
    "0",
    "1",
    "-7",
    "9223372036854775807",
    "-9223372036854775807",
    "1.0",
    "2.5",
    "''",
    "'a'",
    "'A'",
    "'aB'",
    "'\u00e4'",
    "'\u212a'",
    "'k'",
    "'12'",
    "'present'",
    "[]",
    "['a']",
    "[1, 2]",
    "{}",
    "{ 'a' => 1 }",
    "{ 1 => 'a' }",
    "undef",
    "true",
    "false",
    "default",
    "Integer",
    "String[1]",
    "/a/",
    "Sensitive('a')",
    "SemVer('1.2.3')",
]
TYPES = [
    "Any",
    "Integer",
    "Integer[1]",
    "Integer[-5, 12]",
    "Integer[default, 5]",
    "Float",
    "Numeric",
    "String",
    "String[1]",
    "String[2, 3]",
    "Boolean",
    "Undef",
    "Array",
    "Array[String]",
    "Hash",
    "Hash[String, Integer]",
    "Enum['a', 'present']",
    "Enum['A', true]",
    "Optional[Integer]",
    "Optional[Enum['a']]",
    "Optional[Array[String]]",
    "NotUndef",
    "Variant[Integer, Enum['a']]",
    "Pattern[/a/]",
    "Tuple[Integer, Integer]",
    "Struct[{ 'a' => Integer }]",
    "Regexp",
    "Sensitive",
    "Type",
    "Default",
]
OPERATIONS = [
    *(f"$v {operator} {right}" for operator in "+-*" for right in ("3", "$w", "[1]")),
    *(f"$v {operator} 3" for operator in ("/", "%", "<", "<=", ">", ">=", "==", "!=")),
    *(f"$v {operator} $w" for operator in ("<", "<=", ">", ">=", "==", "!=")),
    "$v == 'a'",
    "$v == 'AB'",
    "$v == '12'",
    "$v == 'k'",
    "$v == '\u00e4'",
    "$v in ['a', 'k', '12']",
    "$v['a']",
    "$v[$w]",
    "{ $v => 1 }",
    '"<${v}>"',
    "$v =~ /A|a/",
    "$v !~ /^1/",
    "$v ? { 'a' => 1, 'K' => 2, 3 => 3, /^1/ => 4, true => 5, undef => 6, default => 7 }",
    "if $v =~ /(.)/ { $1 } else { $0 }",
]


def result(code: str, dialect: Dialect) -> str:
    """The log of a manifest, or its error's code and place."""
    told: list[str] = []
    try:
        request = Request(code=code, node="x")
        resolved = resolve(request, lambda entry: told.append(str(entry)))
        compile_resolved(replace(resolved, dialect=dialect))
    except PuppetError as error:
        place = error.diagnostic.span
        told.append(f"{error.code} {place and (place.start, place.end)}")
    return f"{code}: {told}"


def results(expressions: list[str], dialect: Dialect) -> list[str]:
    """The result of each expression in a lambda, with each value."""
    return [
        result(f"notice(with({value}, 'a') |$v, $w| {{ {expression} }})", dialect)
        for expression in expressions
        for value in VALUES
    ]


@pytest.mark.parametrize(
    "expressions",
    [OPERATIONS, [f"$v =~ {name}" for name in TYPES], [f"$v !~ {name}" for name in TYPES]],
    ids=["operations", "types", "not types"],
)
def test_as_the_helpers_do(expressions):
    quick = results(expressions, PUPPET_8)
    kept.forget()
    changed = replace(PUPPET_8, compiler=CompilerRules(works_in_place=False))
    slow = results(expressions, changed)
    kept.forget()
    assert quick == slow
    assert len(set(quick)) == len(quick)


def helper_calls(code, *names):
    """Return the names of those helpers that the code of a manifest calls, for each call."""
    functions = {HELPERS[name].__name__: name for name in names}
    with calls_of(*(HELPERS[name] for name in names)) as calls:
        compile_catalog(Request(code=code, node="x"), print)
    return [functions[call.name] for call in calls if call.caller.startswith("<puppet ")]


def test_the_helpers_are_not_called_for_common_values():
    names = ("add", "equal", "matches", "access", "text", "check_parameter", "as_key")
    code = """
    function f(Integer $n) { $n + $n }
    $x = [1].map |$v| {
      [f($v), $v == 1, $v =~ Integer, { 'a' => 1 }.with |$h| { $h['a'] }, "${v}", { "${v}" => 1 }]
    }
    """
    assert helper_calls(code, *names) == []
    assert helper_calls("$y = 'a'.with |$v| { \"${[$v]}\" }", *names) == ["text"]


def test_sums_of_literals_are_worked_out_by_the_compiler():
    source = Source("$x = 60 * 60 * 24 + 1 - 2", "x.pp")
    tree = to_ast(source, parse(source).program, DEFAULTS)
    assert "86399" in unparse(tree)
    assert "multiply" not in unparse(tree)
    source = Source("$x = 9223372036854775807 + 1", "x.pp")
    assert "add" in unparse(to_ast(source, parse(source).program, DEFAULTS))


def test_a_type_that_is_kept_is_made_once():
    code = "$z = [1, 2, 3].filter |$v| { $v =~ Integer[2, 4] or $v =~ Array[Integer[1, 9]] }"
    made = [name for _ in range(2) for name in helper_calls(code, "parameterize")]
    assert len(made) == 2  # Integer[1, 9], Array[…]; the test of Integer[2, 4] needs no type
