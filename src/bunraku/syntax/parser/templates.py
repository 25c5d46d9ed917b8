"""EPP templates: the text and the tags of one are the statements of a lambda."""

from __future__ import annotations

from bunraku.syntax.nodes import Block, Epp, Expression, Lambda, Nop, Render, RenderString
from bunraku.syntax.parser.blocks import branch, statements
from bunraku.syntax.parser.calls import lambda_parameters
from bunraku.syntax.parser.literals import AFTER_ENTRY_WORD
from bunraku.syntax.parser.operators import expression, prefix
from bunraku.syntax.parser.state import Parser, SyntaxFailure
from bunraku.syntax.parser.statements import assignment


def template(parser: Parser) -> Lambda:
    """Parse a whole template as a lambda whose body is its text and code."""
    end = len(parser.source.text)
    parser.expect("EPP_START")
    given = parser.kinds[parser.at] == "|"
    parameters = lambda_parameters(parser) if given else []
    start = parser.starts[parser.at]
    found = statements(parser, "END")
    body = Block(start, end, found) if found else Nop(end, end)
    return Lambda(0, end, parameters, None, Epp(start, end, given, body))


@prefix("RENDER_STRING")
def render_string(parser: Parser) -> RenderString:
    """Parse text of a template."""
    at = parser.at
    parser.at = at + 1
    return RenderString(parser.starts[at], parser.ends[at], parser.values[at])


@prefix("RENDER")
def render(parser: Parser) -> Render:
    """Parse ``<%= expression %>``, ``<%= { statements } %>``."""
    start = parser.values[parser.at]
    parser.at += 1
    inner: Expression
    if parser.kinds[parser.at] == "{" and not hash_ahead(parser):
        inner = branch(parser)
    else:
        inner = expression(parser)
    return Render(start, parser.expect("EPP_END"), inner)


def hash_ahead(parser: Parser) -> bool:
    """Return whether the brace here begins a hash rather than statements."""
    kinds, at = parser.kinds, parser.at
    if kinds[at + 1] == "}":
        return True
    if kinds[at + 1] in ("type", "function") and kinds[at + 2] in AFTER_ENTRY_WORD:
        return True
    parser.at = at + 1
    known, depth = len(parser.definitions), parser.depth
    findings, supplied = len(parser.findings), parser.supplied.copy()
    try:
        assignment(parser)
        return kinds[parser.at] == "=>"
    except SyntaxFailure as failure:
        failure.forget_frames()
        return False
    finally:
        parser.at, parser.depth, parser.supplied = at, depth, supplied
        del parser.definitions[known:], parser.findings[findings:]
