"""Nothing that can be written makes the parser for Puppet 3 crash, hang or run out of stack."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bunraku.base.source import Source
from bunraku.dialects.puppet_3_8 import PUPPET_3_8
from bunraku.syntax.parser.result import ParseResult
from bunraku.syntax.pn import to_pn
from support.work import counted, grows_faster

FIRST, PER_CHARACTER = 50_000, 200  # most take 16, recovery from mistakes at each word 164
PART = 20  # of a text is long enough to see how lines grow

DEEP = {
    "parentheses": ("$x = ", "(", "1", ")"),
    "arrays": ("$x = ", "[", "1", "]"),
    "hashes": ("$x = ", "{ a => ", "1", "}"),
    "blocks": ("", "if true { ", "notice(1)", "}"),
    "else": ("", "if true { } else { ", "notice(1)", "}"),
    "elsif": ("if 1 { }", " elsif 1 { }", "", ""),
    "strings": ("$x = ", '"${', "a", '}"'),
    "calls": ("", "f(", "1", ")"),
    "access": ("$x = ", "$a[", "1", "]"),
    "references": ("$x = ", "A[", "1", "]"),
    "negations": ("$x = ", "!", "$a", ""),
    "minuses": ("$x = ", "- ", "$a", ""),
    "selectors": ("$x = ", "$a ? { 1 => ", "1", "}"),
    "short selectors": ("$x = ", "$a ? 1 => ", "1", ""),
    "classes": ("", "class a { ", "", "}"),
    "cases": ("", "case 1 { 1: { ", "notice(1)", "} }"),
    "queries": ("A <| ", "(", "a == 1", ")"),
}


def text_of(form: str, depth: int) -> str:
    start, opening, middle, closing = DEEP[form]
    end = " |>" if form == "queries" else ""
    return start + opening * depth + middle + closing * depth + end


def parsed(text: str) -> ParseResult:
    """The result of parsing; its calls, and the lines run, are linear in the length of the text."""
    result, calls = counted(lambda: PUPPET_3_8.parse(Source(text)))
    assert calls < FIRST + PER_CHARACTER * len(text)
    assert (
        grows_faster(lambda size: lambda: PUPPET_3_8.parse(Source(text[:size])), len(text) // PART)
        is None
    )
    return result


@pytest.mark.parametrize("form", DEEP)
def test_moderate_nesting_is_parsed_and_printed(form: str) -> None:
    result = PUPPET_3_8.parse(Source(text_of(form, 120)))
    assert result.errors == []
    assert to_pn(result.program)
    assert PUPPET_3_8.check(result.program, {}, (), str) == []


@pytest.mark.parametrize("form", DEEP)
@pytest.mark.parametrize("depth", [600, 20_000])
def test_excessive_nesting_is_one_error(form: str, depth: int) -> None:
    result = parsed(text_of(form, depth))
    assert [item.code for item in result.errors] == ["NESTING_TOO_DEEP"]


@pytest.mark.parametrize("operator", ["+", "and", "in", "==", "<<"])
def test_long_chains_are_no_nesting(operator: str) -> None:
    result = parsed("$x = " + f" {operator} ".join(["$a"] * 5000))
    assert result.errors == []
    assert to_pn(result.program).count(f"({operator} ") == 4999


@pytest.mark.parametrize(
    "text",
    [
        " -> ".join(["$a"] * 5000),
        "$x = $a" + "[1]" * 5000,
        "A <| " + " and ".join(["a == 1"] * 5000) + " |>",
        "$x = $a" + "[1]" * 5000 + " ? { 1 => 2 }",
    ],
    ids=lambda text: text[:12],
)
def test_long_chains_of_other_kinds_take_linear_time(text: str) -> None:
    parsed(text)


@pytest.mark.parametrize(
    "text",
    [
        "$a = '" + "x" * 500000 + "'",
        '$a = "' + "x" * 500000,
        '$a = "' + "\\n" * 100000 + '"',
        '$a = "' + "$" * 30000 + '"',
        "$a = '" + "\\'" * 100000,
        "'" * 100001,
        '"' * 100001,
        '$x = "' + "${a}" * 10000 + '"',
        '$x = "' + "$a" * 10000 + '"',
        '$x = "' + "${a" * 10000 + '"',
        "a" + "-" * 100000,
        "a::" * 30000,
        "A::" * 30000,
        "::" * 30000,
        "$a::" * 10000,
        "9" * 100000,
        "1." * 20000,
        "1.5e" * 20000,
        " " * 500000 + "}",
        "\n" * 100000 + "}",
        "#" * 500000,
        "# a\n" * 20000,
        "/*" * 50000,
        "{ /" * 20000,
        "{ /" + "\\/" * 20000,
        ", /\\/\n" * 20000,
        "$a / " * 10000,
        "<|" * 10000,
        "{" * 10000,
        "}" * 10000,
        "(" * 10000,
        ";" * 10000,
        "\x00" * 100000,
        "\udcff" * 100000,
        "é " * 30000,
        "if " * 10000,
        "notice 1 " * 5000,
        "$a = [" + "1, " * 20000 + "]",
        "$a = {" + "a => 1, " * 10000 + "}",
        "f(" + "a => 1, " * 10000 + ")",
        "file { 'a': " + "a => 1, " * 10000 + "}",
    ],
    ids=lambda text: repr(text[:12]) + str(len(text)),
)
def test_long_texts_take_linear_time(text: str) -> None:
    parsed(text)


PIECES = st.sampled_from(
    [
        "$a",
        "'b'",
        '"c',
        "${",
        "}",
        '"',
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        ",",
        ";",
        ":",
        "=>",
        "+>",
        "->",
        "~>",
        "<|",
        "|>",
        "<<|",
        "|>>",
        "@",
        "?",
        "=",
        "+=",
        "==",
        "=~",
        "!",
        "-",
        "+",
        "*",
        "/",
        "/d/",
        "class",
        "define",
        "node",
        "if",
        "elsif",
        "else",
        "unless",
        "case",
        "import",
        "inherits",
        "default",
        "undef",
        "true",
        "in",
        "and",
        "or",
        "e",
        "f::g",
        "H",
        "I::J",
        "1",
        "2.5",
        "0x1f",
        "#",
        "\n",
        "$",
        "\\",
        "'",
        ".",
    ]
)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(PIECES, max_size=40).map(" ".join) | st.text(max_size=80))
def test_anything_is_read_or_refused(text: str) -> None:
    result = PUPPET_3_8.parse(Source(text))
    if not result.errors:
        assert to_pn(result.program)
        PUPPET_3_8.check(result.program, {}, (), str)
