"""Heredocs whose tag names a syntax: ``@(END:json)``, ``base64``, ``pp`` and ``epp``.

Puppet uses Ruby's JSON and Base64; these are their rules where they are wider or narrower than
Python's (comments, any character after a backslash, white space in Base64).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from bunraku.base.errors import Issue
from bunraku.base.lazy_typing import Final
from bunraku.base.source import Source
from bunraku.syntax import nodes
from bunraku.syntax.check import issues
from bunraku.syntax.check.programs import check_program
from bunraku.syntax.check.walk import Check, rule
from bunraku.syntax.parser.parser import parse, parse_epp
from bunraku.syntax.parser.result import ParseResult
from bunraku.syntax.rules import SyntaxRules

NESTED_CODE_LIMIT: Final = 20


@rule(nodes.Heredoc)
def heredoc(check: Check, node: nodes.Heredoc) -> None:
    """Check ``@(tag:syntax)``: a text without interpolations has that syntax."""
    text = node.text
    check.stack.append(text)
    if node.syntax and text.__class__ is nodes.String:
        # The last part of x+y+json is the syntax of the text itself.
        found = TEXT_RULES.get(node.syntax.rpartition("+")[2].lower())
        if found is not None:
            found(check, text)


def report_text(check: Check, issue: Issue, node: nodes.String, **arguments: object) -> None:
    """Add a finding about the text of a heredoc, which begins where its first line does."""
    start = check.text.rfind("\n", 0, node.start) + 1
    check.report_at(issue, start, node.end, **arguments)


def json_text(check: Check, node: nodes.String) -> None:
    """Check the text of ``@(tag:json)``."""
    at = json_mistake(node.value)
    if at is not None:
        line, column = Source(node.value).position(at)
        report_text(check, issues.ILLEGAL_JSON, node, line=line, column=column)


def base64_text(check: Check, node: nodes.String) -> None:
    """Check the text of ``@(tag:base64)``."""
    if not is_base64(node.value):
        report_text(check, issues.ILLEGAL_BASE64, node)


def pp_text(check: Check, node: nodes.String) -> None:
    """Check the text of ``@(tag:pp)``."""
    code_text(check, node, issues.ILLEGAL_PP, parse)


def epp_text(check: Check, node: nodes.String) -> None:
    """Check the text of ``@(tag:epp)``."""
    code_text(check, node, issues.ILLEGAL_EPP, parse_epp)


def code_text(
    check: Check,
    node: nodes.String,
    issue: Issue,
    parser: Callable[[Source, SyntaxRules], ParseResult],
) -> None:
    """Check code in a heredoc as other code, but report its first mistake only."""
    if check.depth >= NESTED_CODE_LIMIT:
        report_text(check, issues.TEXTS_TOO_DEEP, node, limit=NESTED_CODE_LIMIT)
        return
    result = parser(Source(node.value), check.dialect)
    errors = result.errors
    if not errors:
        inner = Check(
            result.program,
            check.dialect,
            check.settings,
            check.rules,
            compile_regexp=check.compile_regexp,
            depth=check.depth + 1,
        )
        errors = [finding for finding in check_program(inner) if finding.severity == "error"]
    if errors:
        first = errors[0]
        line, column = first.line, first.column
        report_text(check, issue, node, message=first.message, line=line, column=column)


TEXT_RULES: Final = {
    "json": json_text,
    "base64": base64_text,
    "pp": pp_text,
    "epp": epp_text,
}

JSON_PIECE: Final = r"""(?:[ \t\r\n]|/\*.*?\*/|//[^\n]*\n)*
    (?P<piece>[\[\]{},:]
      | "(?:[^"\\\x00-\x1f]|\\u[0-9A-Fa-f]{4}|\\[^u\x00-\x1f])*"
      | -?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9.A-Za-z_])
      | (?:true|false|null)\b
      | \Z)"""
JSON_NESTING: Final = 100


def json_mistake(text: str) -> int | None:
    """Return the offset of the first mistake in a text of JSON, None when there is none.

    >>> json_mistake('{"a": [1, 2] /* more */}'), json_mistake('{"a": [1, ]}')
    (None, 10)
    """
    token = re.compile(JSON_PIECE, re.DOTALL | re.VERBOSE)
    at = 0
    open_brackets: list[str] = []
    state = "value"
    while True:
        found = token.match(text, at)
        if found is None:
            return at
        piece, here, at = found["piece"], found.start("piece"), found.end()
        if not piece:
            return None if state == "after" and not open_brackets else here
        following = next_state(state, piece, open_brackets)
        if following is None or len(open_brackets) > JSON_NESTING:
            return here
        state = following


def next_state(state: str, piece: str, open_brackets: list[str]) -> str | None:
    """Return the tokens that may follow a token of JSON; None if the token is not allowed."""
    if piece in "]}":
        pair = "[" if piece == "]" else "{"
        fits = state in ("after", "first" if piece == "]" else "first key")
        if not fits or not open_brackets or open_brackets.pop() != pair:
            return None
        return "after"
    if state == "after":
        if piece != "," or not open_brackets:
            return None
        return "value" if open_brackets[-1] == "[" else "key"
    if state == "colon":
        return "value" if piece == ":" else None
    if state in ("key", "first key"):
        return "colon" if piece[0] == '"' else None
    if piece in ",:":
        return None
    if piece in "[{":
        open_brackets.append(piece)
        return "first" if piece == "[" else "first key"
    return "after"


def is_base64(text: str) -> bool:
    """Return whether a text is Base64, apart from white space.

    >>> is_base64("YW Jj"), is_base64("YWJ"), is_base64("YR==")
    (True, False, False)
    """
    import base64  # heredocs of this kind are few

    joined = re.sub(r"[ \t\r\n\f\v]+", "", text)
    try:
        decoded = base64.b64decode(joined, validate=True)
    except ValueError:
        return False
    return base64.b64encode(decoded).decode("ascii") == joined
