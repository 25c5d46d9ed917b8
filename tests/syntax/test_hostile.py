"""Nothing that can be written makes the parser crash, hang or run out of stack."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bunraku.base.source import Source
from bunraku.syntax.parser.parser import parse, parse_epp
from bunraku.syntax.parser.result import ParseResult
from bunraku.syntax.pn import to_pn
from support.work import counted, grows_faster

FIRST, PER_CHARACTER = 50_000, 200  # most take 16, recovery from mistakes at each word 164
PART = 20  # of a text is long enough to see how lines grow
BOUNDED = {"if " * 10_000}
"""Each word is read once for each level that may nest around it: linear, but not yet in a short part."""

DEEP = {
    "parentheses": ("(", "1", ")"),
    "arrays": ("[", "1", "]"),
    "hashes": ("{ a => ", "1", "}"),
    "blocks": ("if true { ", "notice(1)", "}"),
    "else": ("if true { } else { ", "notice(1)", "}"),
    "strings": ('"${', "$a", '}"'),
    "calls": ("f(", "1", ")"),
    "access": ("$a[", "1", "]"),
    "negations": ("!", "$a", ""),
    "minuses": ("- ", "$a", ""),
    "unfolds": ("* ", "$a", ""),
    "selectors": ("$a ? { 1 => ", "1", "}"),
    "lambdas": ("f() || { ", "1", "}"),
    "classes": ("class a { ", "", "}"),
    "resources": ("file { 'a': b => [", "1", "] }"),
    "virtual": ("@ ", "file { 'a': }", ""),
    "cases": ("case 1 { 1: { ", "notice(1)", "} }"),
    "assignments": ("$a = ", "1", ""),
    "elsif": ("if 1 { } els", "if 1 { }", ""),
    "types": ("type A = B[", "1", "]"),
    "queries": ("A<| (", "a == 1", ") |>"),
}


def parsed(text: str) -> ParseResult:
    """The result of parsing; its calls, and the lines run, are linear in the length of the text."""
    result, calls = counted(lambda: parse(Source(text)))
    assert calls < FIRST + PER_CHARACTER * len(text)
    if text not in BOUNDED:
        assert (
            grows_faster(lambda size: lambda: parse(Source(text[:size])), len(text) // PART) is None
        )
    return result


@pytest.mark.parametrize("form", DEEP)
def test_moderate_nesting_is_parsed_and_printed(form: str) -> None:
    opening, middle, closing = DEEP[form]
    if form == "elsif":
        text = "if 1 { }" + " elsif 1 { }" * 120
    elif form == "types":
        text = "type A = " + "B[" * 120 + "1" + "]" * 120
    else:
        text = opening * 120 + middle + closing * 120
    result = parse(Source(text))
    assert result.errors == []
    assert to_pn(result.program)


@pytest.mark.parametrize("form", DEEP)
@pytest.mark.parametrize("depth", [600, 20_000])
def test_excessive_nesting_is_one_error(form: str, depth: int) -> None:
    opening, middle, closing = DEEP[form]
    if form == "elsif":
        text = "if 1 { }" + " elsif 1 { }" * depth
    elif form == "types":
        text = "type A = " + "B[" * depth + "1" + "]" * depth
    else:
        text = opening * depth + middle + closing * depth
    result = parsed(text)
    assert [item.code for item in result.errors] == ["NESTING_TOO_DEEP"]


@pytest.mark.parametrize("operator", ["+", "->", "and", "in", "==", "<<", "=~"])
def test_long_chains_are_no_nesting(operator: str) -> None:
    text = f" {operator} ".join(["$a"] * 5000)
    result = parsed(text)
    assert result.errors == []
    assert to_pn(result.program).count(f"({operator} ") == 4999


@pytest.mark.parametrize("piece", [".b", "[1]", ".b(1)", " ? { 1 => 2 }", "(1)", "<| |>"])
def test_long_chains_after_an_operand_are_no_nesting(piece: str) -> None:
    result = parsed("$a" + piece * 5000)
    assert result.errors == []
    assert to_pn(result.program)


@pytest.mark.parametrize(
    "text",
    [
        "$a = '" + "x" * 500000 + "'",
        '$a = "' + "x" * 500000 + '"',
        '$a = "' + "\\n" * 100000 + '"',
        '$a = "' + "$" * 30000 + '"',
        "$a = '" + "\\'" * 100000,
        '"' + "${a}" * 10000 + '"',
        '"' + "$a" * 10000 + '"',
        '"' + "\\u0041" * 10000 + '"',
        "a" + "-" * 100000,
        "a-" * 30000,
        "a::" * 30000,
        "A::" * 30000,
        "::" * 30000,
        "$a::" * 10000,
        "9" * 100000,
        "1." * 20000,
        "0x" + "f" * 100000 + "g",
        " " * 500000 + "}",
        "\n" * 100000 + "}",
        "#" * 500000,
        "# a\n" * 20000,
        "/*" * 50000,
        "/ " * 20000,
        "$a / " * 10000,
        "@(" * 10000,
        "@(A)\n" + " A B\n" * 20000,
        '@("A")\n' + " " * 100000 + "\nA",
        "@(A)\n" + " " * 100000 + "| A",
        "@(A)" * 300 + "\n" + "A\n" * 300,
        "<|" * 10000,
        "{" * 10000,
        "}" * 10000,
        "(" * 10000,
        ";" * 10000,
        "," * 10000,
        "\x00" * 100000,
        "\udcff" * 100000,
        "if" * 50000,
        "if " * 10000,
        "notice 1 " * 5000,
        "$a = [" + "1, " * 20000 + "]",
        "$a = {" + "a => 1, " * 10000 + "}",
        "f(" + "a => 1, " * 10000 + ")",
    ],
    ids=lambda text: repr(text[:12]) + str(len(text)),
)
def test_long_texts_take_linear_time(text: str) -> None:
    result = parsed(text)
    assert len(result.errors) <= 60


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("'", "UNCLOSED_QUOTE"),
        ('"', "UNCLOSED_QUOTE"),
        ('"${', "UNCLOSED_QUOTE"),
        ('"${"', "UNCLOSED_QUOTE"),
        ('"${a', "UNCLOSED_QUOTE"),
        ('"$', "UNCLOSED_QUOTE"),
        ('"\\', "UNCLOSED_QUOTE"),
        ("'\\", "UNCLOSED_QUOTE"),
        ("/*", "UNCLOSED_MLCOMMENT"),
        ("@(", "HEREDOC_UNCLOSED_PARENTHESIS"),
        ("@(E", "HEREDOC_UNCLOSED_PARENTHESIS"),
        ("@(E)", "HEREDOC_WITHOUT_TEXT"),
        ("@(E)\n", "HEREDOC_WITHOUT_END_TAGGED_LINE"),
        ("@(E)\nx", "HEREDOC_WITHOUT_END_TAGGED_LINE"),
        ("@(E)\nx E y\n", "HEREDOC_WITHOUT_END_TAGGED_LINE"),
        ("@()\n\n", "HEREDOC_INVALID_SYNTAX"),
        ("@(/)\n\n", "HEREDOC_INVALID_SYNTAX"),
        ('@("")\n\n', "HEREDOC_EMPTY_ENDTAG"),
        ("@( )\n\n", "HEREDOC_EMPTY_ENDTAG"),
        ("\ufeffnotice(1)", "ILLEGAL_BOM"),
        ("\udcff\udcfen\x00", "ILLEGAL_BOM"),
        ("notice(1)\x00", "SYNTAX_ERROR"),
        ("notice(\udcff)", "INVALID_UTF8"),
        ("é", "SYNTAX_ERROR"),
        ("(", "SYNTAX_ERROR"),
        ("{", "SYNTAX_ERROR"),
        ("class a {", "SYNTAX_ERROR"),
        ("$a =", "SYNTAX_ERROR"),
        ("1e999", "NUMBER_TOO_BIG"),
    ],
)
def test_unfinished_text_is_one_error(text: str, code: str) -> None:
    assert [item.code for item in parse(Source(text)).errors] == [code]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<%", "EPP_UNBALANCED_EXPRESSION"),
        ("<%#", "EPP_UNBALANCED_COMMENT"),
        ("<%= ", "EPP_UNBALANCED_TAG"),
        ("<% '", "UNCLOSED_QUOTE"),
        ("<% if true { %>", "SYNTAX_ERROR"),
        ('<%= "${a %>', "UNCLOSED_QUOTE"),
    ],
)
def test_unfinished_template_is_one_error(text: str, code: str) -> None:
    assert [item.code for item in parse_epp(Source(text)).errors] == [code]


def test_bytes_that_are_no_utf8_are_kept_in_strings_and_comments() -> None:
    result = parse(Source("# \udce9\nnotice('a\udcff', \"b\udcfe${c}\")"))
    assert result.errors == []
    assert "a\udcff" in to_pn(result.program)


WORDS = st.sampled_from(
    [
        "if",
        "else",
        "elsif",
        "unless",
        "case",
        "default",
        "class",
        "define",
        "node",
        "type",
        "function",
        "inherits",
        "and",
        "or",
        "in",
        "undef",
        "true",
        "false",
        "private",
        "attr",
        "notice",
        "include",
        "foo",
        "Foo",
        "A::b",
        "a::b",
        "::a",
        "a-b",
        "$x",
        "$::a",
        "$",
        "1",
        "0x",
        "08",
        "1.5",
        "1e",
        "'a'",
        '"b"',
        '"c${d}"',
        '"${',
        "'",
        '"',
        "/x/",
        "/",
        "@",
        "@@",
        "@(E)",
        '@("E"/L)',
        "E",
        "|",
        "|>",
        "<|",
        "<<|",
        "|>>",
        "||",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ",",
        ";",
        ":",
        "?",
        "=>",
        "+>",
        "->",
        "~>",
        "<-",
        "=",
        "+=",
        "==",
        "=~",
        "!",
        "!=",
        "+",
        "-",
        "*",
        "%",
        ".",
        "..",
        "<",
        ">",
        ">>",
        "<<",
        "#",
        "/*",
        "*/",
        "\\",
        "`",
        "^",
        "&",
        "é",
        "\x00",
        "�",
        "<%",
        "<%=",
        "%>",
        "-%>",
        "<%#",
        "<%%",
    ]
)
PIECES = st.lists(st.tuples(WORDS, st.sampled_from(["", " ", "\n", "\r\n", "\n  "])), max_size=40)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(PIECES)
def test_no_soup_of_tokens_crashes(pieces: list[tuple[str, str]]) -> None:
    text = "".join(word + space for word, space in pieces)
    for entrance in (parse, parse_epp):
        result = entrance(Source(text))
        if not result.errors:
            assert to_pn(result.program)
        for item in result.diagnostics:
            assert item.span is not None
            assert 0 <= item.span.start <= item.span.end
            assert item.span.start <= len(text)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_crash(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    for entrance in (parse, parse_epp):
        assert entrance(Source(text)).program is not None
