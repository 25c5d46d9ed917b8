"""Values and operators of Puppet 3.

The grammar separates *expressions*, which have operators, and *values*, which have none; a
selector, a statement without parentheses and a case option take values only.
"""

from __future__ import annotations

from typing import Final

from bunraku.dialects.puppet_3.issues import LOWER_CASE_REFERENCE
from bunraku.syntax.nodes import (
    Access,
    Call,
    Default,
    Entry,
    Expression,
    Hash,
    List,
    Name,
    Not,
    Parenthesized,
    Reference,
    Regexp,
    Selector,
    SelectorEntry,
    UnaryMinus,
)
from bunraku.syntax.parser.blocks import concatenation
from bunraku.syntax.parser.literals import (
    bare_name,
    boolean,
    default,
    regexp,
    string,
    undef,
    variable,
)
from bunraku.syntax.parser.operators import WITH_OPERATOR, WITHOUT_OPERATOR
from bunraku.syntax.parser.state import NESTING_LIMIT, Parser, Rule, begins
from bunraku.types.text.display import capitalize

POWER: Final = {
    "in": 80, "=~": 80, "!~": 80, "*": 70, "/": 70, "%": 70, "+": 65, "-": 65, "<<": 60, ">>": 60,
    "==": 55, "!=": 55, "<": 50, "<=": 50, ">": 50, ">=": 50, "and": 40, "or": 35,
}  # fmt: skip
"""Precedence of the operators; all group to the left, ``!`` and ``-`` bind most strongly."""

QUOTED: Final = frozenset({"STRING", "DQPRE"})
SELECTED_ONLY: Final = frozenset({"default", "REGEX"})
"""Tokens that are a value only if a selector follows."""
VALUES: Final = frozenset(
    {"STRING", "DQPRE", "NAME", "CLASSREF", "BOOLEAN", "VARIABLE", "undef", "["} | SELECTED_ONLY
)
"""First tokens of a value; a hash is an expression, but not a value."""

OPERANDS: dict[str, Rule] = {}
"""The parser of an operand by its first token."""
SELECTABLE: dict[str, Rule] = {
    "DQPRE": concatenation,
    "CLASSREF": bare_name,  # without anything after it, the name of a type is a bare word
    "STRING": string,
    "BOOLEAN": boolean,
    "undef": undef,
    "default": default,
    "REGEX": regexp,
}
"""The parser of an operand before ``?``, or of a selector's option before ``=>``, by its first token."""


def expression(parser: Parser) -> Expression:
    """Parse ``expression``: operators and their operands."""
    parser.deeper()
    found = operation(parser, 0)
    parser.depth -= 1
    return found


def operation(parser: Parser, limit: int) -> Expression:
    """Return an operand, and the operators after it that bind more strongly than ``limit``."""
    kinds = parser.kinds
    left = operand(parser)
    kind = kinds[parser.at]
    while (power := POWER.get(kind, 0)) > limit:
        place = parser.starts[parser.at]
        parser.at += 1
        right = pattern(parser) if kind in ("=~", "!~") else operation(parser, power)
        node = WITH_OPERATOR.get(kind)
        if node is not None:
            left = node(left.start, right.end, kind, left, right, place)
        else:
            left = WITHOUT_OPERATOR[kind](left.start, right.end, left, right, place)
        kind = kinds[parser.at]
    return left


def operand(parser: Parser) -> Expression:
    """Return a value, a negated operand, or an expression in parentheses."""
    begin = OPERANDS.get(parser.kinds[parser.at])
    if begin is None:
        raise parser.unexpected()
    return begin(parser)


def negated(parser: Parser) -> tuple[int, Expression]:
    """Return the operand after a unary operator, and where the operator is."""
    start = parser.starts[parser.at]
    parser.at += 1
    parser.deeper()
    inner = operand(parser)
    parser.depth -= 1
    return start, inner


@begins(OPERANDS, "!")
def negation(parser: Parser) -> Not:
    """Parse ``! operand``."""
    start, inner = negated(parser)
    return Not(start, inner.end, inner)


@begins(OPERANDS, "-")
def minus(parser: Parser) -> UnaryMinus:
    """Parse ``- operand``."""
    start, inner = negated(parser)
    return UnaryMinus(start, inner.end, inner)


@begins(OPERANDS, "(")
def parenthesized(parser: Parser) -> Parenthesized:
    """Parse ``( expression )``."""
    start = parser.starts[parser.at]
    parser.at += 1
    inner = expression(parser)
    return Parenthesized(start, parser.expect(")"), inner)


# -- values --------------------------------------------------------------------------------------


@begins(OPERANDS, *VALUES)
def value(parser: Parser) -> Expression:
    """Parse ``rvalue``: a literal, a variable, a reference, a call, a selector."""
    parser.depth += 1
    if parser.depth > NESTING_LIMIT:
        parser.deeper()
    kind = parser.kinds[parser.at]
    if kind == "[":
        found: Expression = array(parser)
    elif kind in VALUES:
        found = simple(parser)
    else:
        raise parser.unexpected()
    parser.depth -= 1
    return found


def simple(parser: Parser) -> Expression:
    """Return a value other than an array; a ``?`` turns most of them into a selector."""
    kind = parser.kinds[parser.at]
    if kind in ("NAME", "CLASSREF") and parser.kinds[parser.at + 1] == "[":
        return resource_reference(parser)
    found = selectable(parser)
    if parser.kinds[parser.at] == "?":
        if is_deep(found):
            raise parser.unexpected()
        return selector(parser, found)
    if kind in SELECTED_ONLY:
        raise parser.unexpected()
    return found


def selectable(parser: Parser) -> Expression:
    """Return a value allowed before a ``?``, and before a ``=>`` after it."""
    begin = SELECTABLE.get(parser.kinds[parser.at])
    if begin is None:
        raise parser.unexpected()
    return begin(parser)


@begins(SELECTABLE, "NAME")
def word(parser: Parser) -> Expression:
    """Return a bare word or number, or a call."""
    at = parser.at
    parser.at = at + 1
    name = Name(parser.starts[at], parser.ends[at], parser.values[at])
    return call(parser, name) if parser.kinds[at + 1] == "(" else name


def pattern(parser: Parser) -> Regexp:
    """Parse ``/pattern/``, the only operand allowed after ``=~``."""
    if parser.kinds[parser.at] != "REGEX":
        raise parser.unexpected()
    return regexp(parser)


@begins(SELECTABLE, "VARIABLE")
def accesses(parser: Parser, *, once: bool = False) -> Expression:
    """Parse ``$name``, ``$name[key][key]``; with one key at most where ``once``."""
    found: Expression = variable(parser)
    while parser.kinds[parser.at] == "[":
        parser.at += 1
        key = expression(parser)
        found = Access(found.start, parser.expect("]"), found, [key])
        if once:
            break
    return found


def is_deep(node: Expression) -> bool:
    """Return whether a variable is accessed more than once: ``$a[1][2]``."""
    return node.__class__ is Access and node.left.__class__ is Access


# -- selectors -----------------------------------------------------------------------------------


def selector(parser: Parser, left: Expression) -> Selector:
    """Parse ``left ? { entries }`` or ``left ? entry``."""
    parser.at += 1
    if not parser.accept("{"):
        entry = selector_entry(parser)
        return Selector(left.start, entry.end, left, [entry])
    entries = [selector_entry(parser)]
    while separator(parser, "}"):
        entries.append(selector_entry(parser))
    last = last_with_default([[entry.match] for entry in entries])
    entries = [
        entry
        for index, entry in enumerate(entries)
        if index == last or entry.match.__class__ is not Default
    ]
    return Selector(left.start, parser.expect("}"), left, entries)


def selector_entry(parser: Parser) -> SelectorEntry:
    """Parse ``match => value``."""
    match = selector_match(parser)
    parser.expect("=>")
    found = value(parser)
    return SelectorEntry(match.start, found.end, match, found)


def selector_match(parser: Parser) -> Expression:
    """Return the match before a ``=>`` in a selector, or in a list before a ``:`` in a case."""
    if parser.kinds[parser.at] == "VARIABLE":
        return accesses(parser, once=True)
    return selectable(parser)


def last_with_default(options: list[list[Expression]]) -> int:
    """Return the option with the last ``default``, which is used; -1 when none has one."""
    for index in range(len(options) - 1, -1, -1):
        if any(item.__class__ is Default for item in options[index]):
            return index
    return -1


# -- references and calls ------------------------------------------------------------------------


def resource_reference(parser: Parser) -> Access:
    """Parse ``Type[titles]``; the type may be in lower case."""
    at = parser.at
    parser.at = at + 2
    keys = expressions(parser)
    reference = type_named(parser, at)
    return Access(reference.start, parser.expect("]"), reference, keys)


def type_named(parser: Parser, at: int) -> Reference:
    """Return the type that a token names; a name in lower case is capitalised."""
    name: str = parser.values[at]
    if parser.kinds[at] == "NAME":
        name = capitalize(name)
        parser.warn(LOWER_CASE_REFERENCE, at, name=name)
    return Reference(parser.starts[at], parser.ends[at], name)


def call(parser: Parser, name: Name, closer: str = "") -> Call:
    """Parse ``name(arguments)``; a comma is allowed at the end if ``closer`` is ``)``."""
    parser.at += 1
    arguments = [] if parser.kinds[parser.at] == ")" else expressions(parser, closer)
    return Call(name.start, parser.expect(")"), name, arguments, None, True)


def expressions(parser: Parser, closer: str = "") -> list[Expression]:
    """Parse ``expression, expression``; a comma is allowed before the closer."""
    found = [expression(parser)]
    while separator(parser, closer):
        found.append(expression(parser))
    return found


def separator(parser: Parser, closer: str = "") -> bool:
    """Return a comma, or an arrow in its place; a comma before the end is ignored."""
    if parser.accept(","):
        return parser.kinds[parser.at] != closer
    return parser.accept("=>")


# -- collections ---------------------------------------------------------------------------------


def array(parser: Parser) -> List:
    """Parse ``[ expressions ]``; a comma is allowed at the end."""
    start = parser.starts[parser.at]
    parser.at += 1
    found = [] if parser.kinds[parser.at] == "]" else expressions(parser, "]")
    return List(start, parser.expect("]"), found)


@begins(OPERANDS, "{")
def hash_literal(parser: Parser) -> Hash:
    """Parse ``{ key => value }``; a comma is allowed at the end."""
    start = parser.starts[parser.at]
    parser.at += 1
    entries: list[Entry] = []
    while parser.kinds[parser.at] != "}":
        key = hash_key(parser)
        parser.expect("=>")
        found = expression(parser)
        entries.append(Entry(key.start, found.end, key, found))
        if not parser.accept(","):
            break
    return Hash(start, parser.expect("}"), entries)


def hash_key(parser: Parser) -> Expression:
    """Return a bare word or a quoted string."""
    at = parser.at
    kind = parser.kinds[at]
    if kind == "DQPRE":
        return concatenation(parser)
    if kind == "STRING":
        return string(parser)
    if kind != "NAME":
        raise parser.unexpected()
    parser.at = at + 1
    return Name(parser.starts[at], parser.ends[at], parser.values[at])
