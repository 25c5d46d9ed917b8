"""Values and operators of Puppet 3.

The grammar tells apart *expressions*, which have operators, and *values*, which have none; a
selector, a statement without parentheses and a case option take values only.
"""

from __future__ import annotations

from typing import Any, Final

from bunraku.base.errors import Issue
from bunraku.dialects.puppet_3.parser.issues import LOWER_CASE_REFERENCE
from bunraku.syntax.nodes import (
    Access,
    And,
    Arithmetic,
    Boolean,
    Call,
    Comparison,
    Default,
    Entry,
    Expression,
    Hash,
    In,
    List,
    Match,
    Name,
    Not,
    Or,
    Parenthesized,
    Reference,
    Regexp,
    Selector,
    SelectorEntry,
    String,
    UnaryMinus,
    Undef,
    Variable,
)
from bunraku.syntax.parser.state import NESTING_LIMIT, Cursor
from bunraku.syntax.tokens import Finding

POWER: Final = {
    "in": 80, "=~": 80, "!~": 80, "*": 70, "/": 70, "%": 70, "+": 65, "-": 65, "<<": 60, ">>": 60,
    "==": 55, "!=": 55, "<": 50, "<=": 50, ">": 50, ">=": 50, "and": 40, "or": 35,
}  # fmt: skip
"""How strongly an operator binds; all group to the left, ``!`` and ``-`` before all of them."""

WITH_OPERATOR: Final[dict[str, Any]] = {
    **dict.fromkeys(("+", "-", "*", "/", "%", "<<", ">>"), Arithmetic),
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), Comparison),
    **dict.fromkeys(("=~", "!~"), Match),
}
WITHOUT_OPERATOR: Final[dict[str, Any]] = {"in": In, "and": And, "or": Or}
QUOTED: Final = frozenset({"STRING", "DQPRE"})
SELECTED_ONLY: Final = frozenset({"default", "REGEX"})
"""What is a value only with a selector after it."""
VALUES: Final = frozenset(
    {"STRING", "DQPRE", "NAME", "CLASSREF", "BOOLEAN", "VARIABLE", "undef", "["} | SELECTED_ONLY
)
"""What a value begins with; a hash is an expression, but no value."""


class Expressions(Cursor):
    """The rules for expressions."""

    def expression(self) -> Expression:
        """``expression``: operators and what they connect."""
        self.deeper()
        found = self.operation(0)
        self.depth -= 1
        return found

    def operation(self, limit: int) -> Expression:
        """An operand, and the operators after it that bind more strongly than ``limit``."""
        kinds = self.kinds
        left = self.operand()
        kind = kinds[self.at]
        while (power := POWER.get(kind, 0)) > limit:
            place = self.starts[self.at]
            self.at += 1
            right = self.regexp() if kind in ("=~", "!~") else self.operation(power)
            node = WITH_OPERATOR.get(kind)
            if node is not None:
                left = node(left.start, right.end, kind, left, right, place)
            else:
                node = WITHOUT_OPERATOR[kind]
                left = node(left.start, right.end, left, right, place)
            kind = kinds[self.at]
        return left

    def operand(self) -> Expression:
        """A value, a negated operand, or an expression in parentheses."""
        at = self.at
        kind = self.kinds[at]
        if kind in VALUES:
            return self.value()
        if kind == "{":
            return self.hash()
        if kind in ("!", "-"):
            self.at = at + 1
            self.deeper()
            inner = self.operand()
            self.depth -= 1
            return (Not if kind == "!" else UnaryMinus)(self.starts[at], inner.end, inner)
        if kind == "(":
            self.at = at + 1
            inner = self.expression()
            return Parenthesized(self.starts[at], self.expect(")"), inner)
        raise self.unexpected()

    # -- values ----------------------------------------------------------------------------------

    def value(self) -> Expression:
        """``rvalue``: a literal, a variable, a reference, a call, a selector."""
        self.depth += 1
        if self.depth > NESTING_LIMIT:
            self.deeper()
        kind = self.kinds[self.at]
        if kind == "[":
            found: Expression = self.array()
        elif kind in VALUES:
            found = self.simple()
        else:
            raise self.unexpected()
        self.depth -= 1
        return found

    def simple(self) -> Expression:
        """A value that is no array; a ``?`` makes a selector of most."""
        kind, following = self.kinds[self.at], self.kinds[self.at + 1 : self.at + 2]
        if kind in ("NAME", "CLASSREF") and following == ["["]:
            return self.resource_reference()
        found = self.selectable()
        if self.kinds[self.at] == "?":
            if is_deep(found):
                raise self.unexpected()
            return self.selector(found)
        if kind in SELECTED_ONLY:
            raise self.unexpected()
        return found

    def selectable(self) -> Expression:
        """What can stand before a ``?``, and before a ``=>`` after it."""
        at = self.at
        kind = self.kinds[at]
        if kind == "DQPRE":
            return self.concatenation()
        if kind == "VARIABLE":
            return self.accesses()
        self.at = at + 1
        start, end, value = self.starts[at], self.ends[at], self.values[at]
        if kind == "NAME":
            name = Name(start, end, value)
            return self.call(name) if self.kinds[at + 1] == "(" else name
        if kind == "CLASSREF":
            # With nothing after it that is a bare word like another.
            return Name(start, end, value)
        if kind == "STRING":
            return String(start, end, value)
        if kind == "BOOLEAN":
            return Boolean(start, end, value == "true")
        if kind == "undef":
            return Undef(start, end)
        if kind == "default":
            return Default(start, end)
        if kind == "REGEX":
            return Regexp(start, end, value)
        self.at = at
        raise self.unexpected()

    def selector_match(self) -> Expression:
        """What stands before a ``=>`` in a selector, or in a list before a ``:`` in a case."""
        if self.kinds[self.at] == "VARIABLE":
            return self.accesses(once=True)
        return self.selectable()

    def selector(self, left: Expression) -> Expression:
        """``left ? { entries }`` or ``left ? entry``."""
        self.at += 1
        if not self.accept("{"):
            entry = self.selector_entry()
            return Selector(left.start, entry.end, left, [entry])
        entries = [self.selector_entry()]
        while self.separator("}"):
            entries.append(self.selector_entry())
        last = last_with_default([[entry.match] for entry in entries])
        entries = [
            entry
            for index, entry in enumerate(entries)
            if index == last or entry.match.__class__ is not Default
        ]
        return Selector(left.start, self.expect("}"), left, entries)

    def separator(self, closer: str = "") -> bool:
        """A comma, or an arrow, which is as good; a comma before the end does not count."""
        if self.accept(","):
            return self.kinds[self.at] != closer
        return self.accept("=>")

    def selector_entry(self) -> SelectorEntry:
        """``match => value``."""
        match = self.selector_match()
        self.expect("=>")
        value = self.value()
        return SelectorEntry(match.start, value.end, match, value)

    def variable(self) -> Variable:
        """``$name``."""
        at = self.at
        self.at = at + 1
        return Variable(self.starts[at], self.ends[at], self.values[at])

    def accesses(self, once: bool = False) -> Expression:
        """``$name``, ``$name[key][key]``; with one key at most where ``once``."""
        found: Expression = self.variable()
        while self.kinds[self.at] == "[":
            self.at += 1
            key = self.expression()
            found = Access(found.start, self.expect("]"), found, [key])
            if once:
                break
        return found

    def resource_reference(self) -> Expression:
        """``Type[titles]``; the type may be in lower case."""
        at = self.at
        self.at = at + 2
        keys = self.expressions()
        reference = self.type_named(at)
        return Access(reference.start, self.expect("]"), reference, keys)

    def type_named(self, at: int) -> Reference:
        """The type that a token names; a name in lower case is capitalised."""
        value: str = self.values[at]
        if self.kinds[at] == "NAME":
            value = capitalized(value)
            self.warn_at(LOWER_CASE_REFERENCE, at, name=value)
        return Reference(self.starts[at], self.ends[at], value)

    def warn_at(self, issue: Issue, at: int, **arguments: object) -> None:
        """A warning about a token."""
        self.tokens.warnings.append(Finding(issue, arguments, self.starts[at], self.ends[at]))

    def regexp(self) -> Regexp:
        """``/pattern/``, the one thing that can stand after ``=~``."""
        at = self.at
        value = self.expect_value("REGEX")
        return Regexp(self.starts[at], self.ends[at], value)

    # -- calls and collections -------------------------------------------------------------------

    def call(self, name: Name, closer: str = "") -> Call:
        """``name(arguments)``; a comma may stand at the end where ``closer`` is ``)``."""
        self.at += 1
        arguments = [] if self.kinds[self.at] == ")" else self.expressions(closer)
        return Call(name.start, self.expect(")"), name, arguments, None, True)

    def expressions(self, closer: str = "") -> list[Expression]:
        """``expression, expression``; a comma may stand before the closer."""
        found = [self.expression()]
        while self.separator(closer):
            found.append(self.expression())
        return found

    def array(self) -> List:
        """``[ expressions ]``; a comma may stand at the end."""
        start = self.starts[self.at]
        self.at += 1
        found = [] if self.kinds[self.at] == "]" else self.expressions("]")
        return List(start, self.expect("]"), found)

    def hash(self) -> Hash:
        """``{ key => value }``; a comma may stand at the end."""
        start = self.starts[self.at]
        self.at += 1
        entries: list[Entry] = []
        while self.kinds[self.at] != "}":
            key = self.hash_key()
            self.expect("=>")
            value = self.expression()
            entries.append(Entry(key.start, value.end, key, value))
            if not self.accept(","):
                break
        return Hash(start, self.expect("}"), entries)

    def hash_key(self) -> Expression:
        """A bare word or a quoted string."""
        at = self.at
        if self.kinds[at] == "DQPRE":
            return self.concatenation()
        if self.kinds[at] not in ("NAME", "STRING"):
            raise self.unexpected()
        self.at = at + 1
        node: Any = Name if self.kinds[at] == "NAME" else String
        return node(self.starts[at], self.ends[at], self.values[at])  # type: ignore[no-any-return]

    def interpolated(self) -> Expression:
        """Any expression; what may stand in it the lexer has seen to."""
        return self.expression()


def is_deep(node: Any) -> bool:
    """Whether a variable is accessed more than once: ``$a[1][2]``."""
    return node.__class__ is Access and node.left.__class__ is Access


def last_with_default(options: list[list[Expression]]) -> int:
    """Which option has the last ``default``, the one that counts; -1 when none has."""
    for index in range(len(options) - 1, -1, -1):
        if any(value.__class__ is Default for value in options[index]):
            return index
    return -1


def capitalized(name: str) -> str:
    """A name as that of a type.

    >>> capitalized("my::thing")
    'My::Thing'
    """
    return "::".join(segment[:1].upper() + segment[1:] for segment in name.split("::"))
