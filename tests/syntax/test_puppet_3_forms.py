"""Every form of the language of Puppet 3, one small source each, and how it is read.

A table of sources, each with its tree as PN or with the places and codes of its mistakes. Puppet 3
prints no trees; that its parser and ours accept the same is what ``test_puppet_3_parse_outcomes``
shows.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bunraku.base.source import Source
from bunraku.dialects.dialect import Dialect
from bunraku.dialects.languages import dialect_named
from bunraku.dialects.puppet_3_0 import PUPPET_3_0
from bunraku.dialects.puppet_3_8 import PUPPET_3_8
from bunraku.syntax.pn import to_pn

HERE = Path(__file__).parent


def cases() -> list[tuple[str, str]]:
    """The sources of the table, each with the expected result."""
    found = []
    for chunk in (HERE / "puppet_3_forms.txt").read_text("utf-8").split("\n\n"):
        source, _, expected = chunk.strip("\n").rpartition("\n==> ")
        found.append((source, expected))
    return found


def outcome(text: str, dialect: Dialect = PUPPET_3_8) -> str:
    """Our result for a text, in the words of the table."""
    result = dialect.parse(Source(text))
    if not result.errors:
        return to_pn(result.program)
    mistakes = []
    for error in result.errors:
        assert error.span is not None
        line, column = error.span.position
        mistakes.append(f"{line}:{column} {error.code}")
    return "error " + "; ".join(mistakes)


@pytest.mark.parametrize(("source", "expected"), cases())
def test_form_is_read_as_stated(source: str, expected: str) -> None:
    assert outcome(source) == expected


def test_escapes_of_single_quotes_came_later_to_be_fewer() -> None:
    text = r"$a = 'a\'b\\c\d'"
    assert outcome(text, PUPPET_3_8) == r"""(= (var "a") "a'b\\\\c\\d")"""
    assert outcome(text, PUPPET_3_0) == r"""(= (var "a") "a'b\\c\\d")"""


@pytest.mark.parametrize(
    ("text", "as_puppet", "as_documented"),
    [
        ("$a = 1e3", '(= (var "a") (qn "1e3"))', "error 1:6 ILLEGAL_NUMBER"),
        ("$a = 2nd", '(= (var "a") (qn "2nd"))', "error 1:6 ILLEGAL_NUMBER"),
        ("$a = 0x1f", '(= (var "a") (qn "0x1f"))', "error 1:6 ILLEGAL_NUMBER"),
        ("$a = 1.5", '(= (var "a") (qn "1.5"))', '(= (var "a") (qn "1.5"))'),
        ('$a = "a\\\nb"', '(= (var "a") "ab")', '(= (var "a") "a\\\\\\nb")'),
    ],
)
def test_documents_allow_less_than_puppet(text: str, as_puppet: str, as_documented: str) -> None:
    assert outcome(text, dialect_named("3.8", "puppet")) == as_puppet
    assert outcome(text, dialect_named("3.8", "documents")) == as_documented


def test_unknown_escapes_are_warned_of_in_double_quotes_only() -> None:
    result = PUPPET_3_8.parse(Source("$a = 'x\\y'\n$b = \"x\\y ${b} \\z\"\n"))
    assert [
        (item.code, item.severity, item.span and tuple(item.span.position))
        for item in result.diagnostics
    ] == [("UNRECOGNIZED_ESCAPE", "warning", (2, 8)), ("UNRECOGNIZED_ESCAPE", "warning", (2, 16))]


def test_bytes_that_are_no_characters_stay() -> None:
    text = b"notice('\xff') # \xfe".decode("utf-8", "surrogateescape")
    assert PUPPET_3_8.parse(Source(text)).diagnostics == []


def test_templates_are_not_of_this_language() -> None:
    result = PUPPET_3_8.parse(Source("<%= 1 %>", is_template=True))
    assert [item.code for item in result.errors] == ["EPP_NOT_SUPPORTED"]


THREE_MISTAKES = """\
class a {
  file { '/a':
    ensure => present
    mode   => '0644',
  }
}

define b($x {
  notice($x)
}

if $a == 1 {
  notice('x'
}

$fine = 'yes'
"""


def test_three_mistakes_are_three_errors() -> None:
    expected = "error 4:5 SYNTAX_ERROR; 8:13 SYNTAX_ERROR; 14:1 SYNTAX_ERROR"
    assert outcome(THREE_MISTAKES) == expected


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("class a { } class a { }", []),
        ("class a inherits b { } class a { }", []),
        ("class a inherits b { } class a inherits c { }", ["CLASS_WITH_DIFFERENT_PARENTS"]),
        ("class a { } define A::b { } define a { }", ["SYNTAX_ERROR"]),
        ("class a { } define a { }", ["DUPLICATE_DEFINITION"]),
        ("class a { define b { } } class a::b { }", ["DUPLICATE_DEFINITION"]),
        ("define a { } define a { } define a { }", ["DUPLICATE_DEFINITION"] * 2),
        ("node a { } node 'A' { }", ["DUPLICATE_DEFINITION"]),
        ("node a, b { } node c, 'b' { }", ["DUPLICATE_DEFINITION"]),
        ("node default { } node 'default' { }", ["DUPLICATE_DEFINITION"]),
        ("node /a.b/ { } node 'a.b' { }", []),
        ("class a($tag = 1) { }", ["METAPARAMETER_WITH_DEFAULT"]),
        ("define a($tag) { }", ["METAPARAMETER_AS_PARAMETER"]),
        ("class a($tags) { }", []),
    ],
)
def test_definitions_are_checked(text: str, codes: list[str]) -> None:
    result = PUPPET_3_8.parse(Source(text))
    found = result.diagnostics or PUPPET_3_8.check(result.program, {})
    assert [item.code for item in found] == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("import 'a' import 'b'", ["IMPORT_DEPRECATED"]),
        ("node a inherits b { } node b inherits c { }", ["NODE_INHERITANCE_DEPRECATED"] * 2),
        ("$a = file['b'] file['c'] -> file['d']", ["LOWER_CASE_REFERENCE"] * 3),
        ("class a(b, $c, d = 1) { }", ["PARAMETER_WITHOUT_DOLLAR"] * 2),
    ],
)
def test_what_is_deprecated_is_warned_of(text: str, codes: list[str]) -> None:
    found = PUPPET_3_8.parse(Source(text)).diagnostics
    assert [(item.code, item.severity) for item in found] == [(code, "warning") for code in codes]
