"""The lexer: kinds and places of tokens."""

from __future__ import annotations

import pytest

from bunraku.base.source import Source
from bunraku.syntax.lexer import PUNCTUATION, tokenize, tokenize_template
from bunraku.syntax.rules import DEFAULTS
from bunraku.syntax.tokens import printed


def kinds(text: str) -> str:
    """The kinds of the tokens of a text."""
    return " ".join(tokenize(Source(text), DEFAULTS).kinds[:-1])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a a-b a:: A", "NAME WORD NAME ERROR CLASSREF"),
        ("a->b", "NAME -> NAME"),
        ("a--b", "WORD"),
        ("_a", "WORD"),
        ("::a ::A", "NAME CLASSREF"),
        ("$a $::a::b $", "VARIABLE VARIABLE VARIABLE"),
        ("$a[1] $a [1]", "VARIABLE [ NUMBER ] VARIABLE LISTSTART NUMBER ]"),
        ("f(1)\n (1)", "NAME ( NUMBER ) WSLPAREN NUMBER )"),
        ("(1)", "WSLPAREN NUMBER )"),
        ("# c\n(1)", "WSLPAREN NUMBER )"),
        ("/* c */(1)", "( NUMBER )"),
        ("$a / 2 / 3", "VARIABLE / NUMBER / NUMBER"),
        ("=~ / 2 / 3", "=~ REGEX NUMBER"),
        ("} /a/ ] /a/", "} REGEX ] / NAME /"),
        ("$a ? { }", "VARIABLE ? SELBRACE }"),
        ("<<| |>> <| |> << >> <= <- <~", "<<| |>> <| |> << >> <= <- <~"),
        ("@@a @a @(E)\nx\nE\n", "@@ NAME @ NAME HEREDOC STRING"),
        ("if true undef attr", "if BOOLEAN undef attr"),
        ('"a${b}c${d}e"', "DQPRE VARIABLE DQMID VARIABLE DQPOST"),
        ('"$a$b"', "DQPRE VARIABLE DQMID VARIABLE DQPOST"),
        ('"${a b}"', "DQPRE NAME NAME DQPOST"),
        ('"${a.b}" "${a + b}"', "DQPRE VARIABLE . NAME DQPOST DQPRE NAME + NAME DQPOST"),
        ('"${{}}"', "DQPRE { } DQPOST"),
        ("1 1.5 1e3 0x1F 017", "NUMBER NUMBER NUMBER NUMBER NUMBER"),
        ("1..2", "NUMBER . . NUMBER"),
        ("~ ` é", "OTHER OTHER OTHER"),
        ("plan apply", "NAME NAME"),
        ("a\u00a0[b]", "NAME LISTSTART NAME ]"),
    ],
)
def test_kinds(text: str, expected: str) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize("operator", PUNCTUATION)
def test_every_operator_is_one_token(operator: str) -> None:
    assert kinds(f"a {operator} a").split() == ["NAME", operator, "NAME"]
    assert tokenize_template(Source(f"<% a {operator} a"), DEFAULTS).kinds[2] == operator


def test_places_cover_the_text() -> None:
    text = "class a::b { $x = \"y${z}\" + 'it\\'s' } # end\n"
    tokens = tokenize(Source(text), DEFAULTS)
    pieces = [text[token.start : token.end] for token in tokens]
    assert pieces == [
        "class", "a::b", "{", "$x", "=", '"y${', "z", '}"'[1:], "+", "'it\\'s'", "}", "",
    ]  # fmt: skip


def test_printed_form_of_a_template() -> None:
    source = Source("a <%= $b -%>\nc")
    assert printed(tokenize_template(source, DEFAULTS), source).splitlines() == [
        "1:1 EPP_START",
        "1:1 RENDER_STRING 'a '",
        "1:1 RENDER 2",
        "1:7 VARIABLE 'b'",
        "1:10 EPP_END '-%>'",
        "1:13 RENDER_STRING 'c'",
        "2:2 END",
    ]


def test_line_ends_are_kept_in_strings() -> None:
    tokens = tokenize(Source("'a\r\nb' \"c\r\nd\"\r\n@(E)\r\n  e\r\n  | E\r\n"), DEFAULTS)
    assert tokens.values[:2] == ["a\r\nb", "c\r\nd"]
    assert tokens.values[3] == "e\r\n"


def test_warnings_name_the_sequence_and_its_place() -> None:
    tokens = tokenize(Source('"a\\q" "\\u12"'), DEFAULTS)
    assert [(item.issue.code, item.start) for item in tokens.warnings] == [
        ("UNRECOGNIZED_ESCAPE", 2),
        ("ILLEGAL_UNICODE_ESCAPE", 7),
    ]
