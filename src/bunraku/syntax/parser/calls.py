"""Forms that follow an operand: calls, accesses and selectors; lambdas and parameters."""

from __future__ import annotations

from bunraku.syntax.nodes import (
    Access,
    Call,
    Expression,
    Lambda,
    MethodCall,
    Name,
    Parameter,
    Reference,
    Selector,
    SelectorEntry,
)
from bunraku.syntax.parser.blocks import block
from bunraku.syntax.parser.literals import (
    AFTER_ENTRY_WORD,
    ENTRY_WORDS,
    gather,
    loose_entry,
    reference,
    string,
)
from bunraku.syntax.parser.operators import expression, infix
from bunraku.syntax.parser.recovery import expect_end, supplies_comma
from bunraku.syntax.parser.state import Parser
from bunraku.syntax.parser.statements import assignment

# -- calls ---------------------------------------------------------------------------------------


@infix("(")
def call(parser: Parser, callee: Expression) -> Call:
    """Parse ``callee(arguments) |lambda|``."""
    parser.at += 1
    found = arguments(parser, trailing_comma=True)
    end = expect_end(parser, ")")
    code = None
    if parser.kinds[parser.at] == "|":
        code = lambda_expression(parser)
        end = code.end
    return Call(callee.start, end, callee, found, code, True)


@infix(".")
def method_call(parser: Parser, receiver: Expression) -> MethodCall:
    """Parse ``receiver.name(arguments) |lambda|``."""
    at = parser.at + 1
    kind = parser.kinds[at]
    parser.at = at
    if kind not in ("NAME", "type"):
        raise parser.unexpected()
    end = parser.ends[at]
    name = Name(parser.starts[at], end, parser.values[at])
    parser.at = at + 1
    found: list[Expression] = []
    if parser.kinds[at + 1] == "(":
        parser.at = at + 2
        found = arguments(parser, trailing_comma=False)
        end = expect_end(parser, ")")
    code = None
    if parser.kinds[parser.at] == "|":
        code = lambda_expression(parser)
        end = code.end
    return MethodCall(receiver.start, end, receiver, name, found, code)


def arguments(parser: Parser, *, trailing_comma: bool) -> list[Expression]:
    """Parse arguments up to a ``)``, which is not consumed; gather entries of a hash."""
    kinds = parser.kinds
    found: list[Expression] = []
    if kinds[parser.at] == ")":
        return found
    found.append(argument(parser))
    while parser.accept(",") or (kinds[parser.at] != ")" and supplies_comma(parser, ")")):
        if trailing_comma and kinds[parser.at] == ")":
            break
        gather(found, argument(parser))
    return found


def argument(parser: Parser) -> Expression:
    """Parse an argument, or an entry of a hash without braces."""
    kinds = parser.kinds
    if not parser.dialect.loose_entries:
        return assignment(parser)
    if kinds[parser.at] in ENTRY_WORDS and kinds[parser.at + 1] == "=>":
        return loose_entry(parser, string(parser))
    value = assignment(parser)
    return loose_entry(parser, value) if kinds[parser.at] == "=>" else value


# -- lambdas and parameters ----------------------------------------------------------------------


def lambda_expression(parser: Parser) -> Lambda:
    """Parse ``|parameters| >> Type { body }``."""
    start = parser.starts[parser.at]
    found = lambda_parameters(parser)
    kind = return_type(parser)
    body = block(parser)
    return Lambda(start, body.end, found, kind, body)


def lambda_parameters(parser: Parser) -> list[Parameter]:
    """Parse ``|parameters|``."""
    parser.expect("|")
    found = [] if parser.kinds[parser.at] == "|" else parameters(parser, "|")
    parser.expect("|")
    return found


def parameters(parser: Parser, closer: str) -> list[Parameter]:
    """Parse one or more parameters up to a token that is not consumed."""
    kinds = parser.kinds
    found = [parameter(parser)]
    while parser.accept(",") or (kinds[parser.at] != closer and supplies_comma(parser, closer)):
        if kinds[parser.at] == closer:
            break
        found.append(parameter(parser))
    return found


def parameter(parser: Parser) -> Parameter:
    """Parse ``Type *$name = value``."""
    kinds = parser.kinds
    start = parser.starts[parser.at]
    kind = None
    if kinds[parser.at] == "CLASSREF":
        kind = type_reference(parser)
    captures = kinds[parser.at] == "*"
    if captures:
        parser.at += 1
    at = parser.at
    name = parser.expect_value("VARIABLE")
    if kinds[at + 1] == "=":
        parser.at = at + 2
        value = expression(parser)
        return Parameter(start, value.end, name, kind, value, captures)
    return Parameter(start, parser.ends[at], name, kind, None, captures)


def return_type(parser: Parser) -> Expression | None:
    """Parse ``>> Type``, if present."""
    if not parser.dialect.return_types or not parser.accept(">>"):
        return None
    if parser.kinds[parser.at] != "CLASSREF":
        raise parser.unexpected()
    return type_reference(parser)


# -- accesses ------------------------------------------------------------------------------------


def type_reference(parser: Parser, *, trailing_comma: bool = False) -> Reference | Access:
    """Parse ``Type`` or ``Type[…]``."""
    found = reference(parser)
    if parser.kinds[parser.at] == "[":
        return access(parser, found, trailing_comma=trailing_comma)
    return found


@infix("[")
def access(parser: Parser, left: Expression, *, trailing_comma: bool = True) -> Access:
    """Parse ``left[keys]``."""
    parser.at += 1
    if left.__class__ is Reference and not parser.dialect.trailing_comma_in_types:
        trailing_comma = False
    keys: list[Expression] = [access_key(parser)]
    while parser.accept(","):
        if trailing_comma and parser.kinds[parser.at] == "]":
            break
        gather(keys, access_key(parser))
    return Access(left.start, parser.expect("]"), left, keys)


def access_key(parser: Parser) -> Expression:
    """Parse an expression, or an entry of a hash without braces."""
    at = parser.at
    kinds = parser.kinds
    loose_entries = parser.dialect.loose_entries
    if kinds[at] in ("@", "@@"):
        key = assignment(parser)
    elif kinds[at] not in ENTRY_WORDS or kinds[at + 1] not in AFTER_ENTRY_WORD or not loose_entries:
        key = expression(parser)
        if kinds[parser.at] in (",", "]"):
            return key
        if kinds[parser.at] != "=>":
            parser.at = at
            key = assignment(parser)
    else:
        key = string(parser)
    if kinds[parser.at] != "=>" or not loose_entries:
        raise parser.unexpected()
    return loose_entry(parser, key)


# -- selectors -----------------------------------------------------------------------------------


@infix("?")
def selector(parser: Parser, left: Expression) -> Selector:
    """Parse ``left ? { entries }`` or ``left ? entry``."""
    kinds = parser.kinds
    parser.at += 1
    if not parser.accept("SELBRACE"):
        entry = selector_entry(parser)
        return Selector(left.start, entry.end, left, [entry])
    entries = [selector_entry(parser)]
    while parser.accept(",") or (kinds[parser.at] != "}" and supplies_comma(parser, "}", "=>")):
        if kinds[parser.at] == "}":
            break
        entries.append(selector_entry(parser))
    return Selector(left.start, expect_end(parser, "}", "=>"), left, entries)


def selector_entry(parser: Parser) -> SelectorEntry:
    """Parse ``match => value``."""
    match = expression(parser)
    parser.expect("=>")
    value = expression(parser)
    return SelectorEntry(match.start, value.end, match, value)
