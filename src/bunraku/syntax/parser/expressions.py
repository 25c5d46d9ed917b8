"""Expressions: operators by power in one loop, literals, calls, collections, selectors."""

from __future__ import annotations

from bunraku.base.lazy_typing import Any, Final
from bunraku.syntax.nodes import (
    Access,
    And,
    Arithmetic,
    Boolean,
    Call,
    Collector,
    Comparison,
    Default,
    Entry,
    Expression,
    Float,
    Hash,
    Heredoc,
    In,
    Integer,
    Lambda,
    List,
    Match,
    MethodCall,
    Name,
    Nop,
    Not,
    Or,
    Parameter,
    Parenthesized,
    Query,
    Reference,
    Regexp,
    ReservedWord,
    Selector,
    SelectorEntry,
    String,
    UnaryMinus,
    Undef,
    Unfold,
    Variable,
)
from bunraku.syntax.parser.state import Cursor, Prefix

UNARY: Final = 90
POWER: Final = {
    "(": 97, ".": 96, "[": 95, "<|": 94, "<<|": 94,
    "in": 80, "=~": 75, "!~": 75, "*": 70, "/": 70, "%": 70, "+": 65, "-": 65, "<<": 60, ">>": 60,
    "==": 55, "!=": 55, "<": 50, "<=": 50, ">": 50, ">=": 50, "?": 45, "and": 40, "or": 35,
}  # fmt: skip
"""How strongly an operator binds; all group to the left."""

WITH_OPERATOR: Final[dict[str, Any]] = {
    **dict.fromkeys(("+", "-", "*", "/", "%", "<<", ">>"), Arithmetic),
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), Comparison),
    **dict.fromkeys(("=~", "!~"), Match),
}
WITHOUT_OPERATOR: Final[dict[str, Any]] = {"in": In, "and": And, "or": Or}
POWER_OF_3: Final = {**POWER, "?": 94}
"""The same in Puppet 3, where a selector is nearly part of its operand."""
ENTRY_WORDS: Final = frozenset({"type", "function"})
AFTER_ENTRY_WORD: Final = frozenset({"=>", ",", "]", "}", ")"})


class Expressions(Cursor):
    """The rules for expressions."""

    prefixes: dict[str, Prefix]
    powers: dict[str, int]

    def expression(self) -> Expression:
        """``expression``: operators and what they connect."""
        self.deeper()
        found = self.operation(0)
        self.depth -= 1
        return found

    def operation(self, limit: int) -> Expression:
        """An operand, and the operators after it that bind more strongly than ``limit``."""
        kinds = self.kinds
        prefix = self.prefixes.get(kinds[self.at])
        if prefix is None:
            raise self.unexpected()
        left = prefix(self)
        kind = kinds[self.at]
        powers = self.powers
        while (power := powers.get(kind, 0)) > limit:
            if power > UNARY:
                if kind == "[":
                    left = self.access(left)
                elif kind == ".":
                    left = self.method_call(left)
                elif kind == "(":
                    left = self.call(left)
                elif kind == "?":
                    left = self.selector(left)
                else:
                    left = self.collector(left)
            elif power == 45:
                left = self.selector(left)
            else:
                place = self.starts[self.at]
                self.at += 1
                right = self.operation(power)
                node = WITH_OPERATOR.get(kind)
                if node is not None:
                    left = node(left.start, right.end, kind, left, right, place)
                else:
                    node = WITHOUT_OPERATOR[kind]
                    left = node(left.start, right.end, left, right, place)
            kind = kinds[self.at]
        return left

    # -- operators -------------------------------------------------------------------------------

    def unary(self, node: Any) -> Expression:
        """An operator before its operand."""
        start = self.starts[self.at]
        self.at += 1
        self.deeper()
        operand = self.operation(UNARY)
        self.depth -= 1
        return node(start, operand.end, operand)  # type: ignore[no-any-return]

    def negation(self) -> Expression:
        """``! expression``."""
        return self.unary(Not)

    def minus(self) -> Expression:
        """``- expression``."""
        return self.unary(UnaryMinus)

    def unfold(self) -> Expression:
        """``* expression``."""
        return self.unary(Unfold)

    def parenthesized(self) -> Expression:
        """``( assignment )``."""
        start = self.starts[self.at]
        self.at += 1
        inner = self.assignment()
        return Parenthesized(start, self.expect(")"), inner)

    def access(self, left: Expression, trailing_comma: bool = True) -> Expression:
        """``left[keys]``."""
        self.at += 1
        if left.__class__ is Reference and not self.dialect.trailing_comma_in_types:
            trailing_comma = False
        keys: list[Expression] = [self.access_key()]
        while self.accept(","):
            if trailing_comma and self.kinds[self.at] == "]":
                break
            self.gather(keys, self.access_key())
        return Access(left.start, self.expect("]"), left, keys)

    def access_key(self) -> Expression:
        """An expression, or an entry of a hash without braces."""
        at = self.at
        kinds = self.kinds
        if kinds[at] in ("@", "@@"):
            key = self.assignment()
        elif (
            kinds[at] not in ENTRY_WORDS
            or kinds[at + 1] not in AFTER_ENTRY_WORD
            or not self.dialect.loose_entries
        ):
            key = self.expression()
            if kinds[self.at] in (",", "]"):
                return key
            if kinds[self.at] != "=>":
                self.at = at
                key = self.assignment()
        else:
            key = self.entry_word()
        if kinds[self.at] != "=>" or not self.dialect.loose_entries:
            raise self.unexpected()
        return self.loose_entry(key)

    def selector(self, left: Expression) -> Expression:
        """``left ? { entries }`` or ``left ? entry``."""
        self.at += 1
        if not self.accept("SELBRACE"):
            entry = self.selector_entry()
            return Selector(left.start, entry.end, left, [entry])
        entries = [self.selector_entry()]
        while self.accept(",") or (self.kinds[self.at] != "}" and self.supplies_comma("}", "=>")):
            if self.kinds[self.at] == "}":
                break
            entries.append(self.selector_entry())
        return Selector(left.start, self.expect_end("}", "=>"), left, entries)

    def selector_entry(self) -> SelectorEntry:
        """``match => value``."""
        match = self.expression()
        self.expect("=>")
        value = self.expression()
        return SelectorEntry(match.start, value.end, match, value)

    def collector(self, left: Expression) -> Expression:
        """``left <| query |> { operations }``."""
        kinds = self.kinds
        start = self.starts[self.at]
        exported = kinds[self.at] == "<<|"
        self.at += 1
        closer = "|>>" if exported else "|>"
        if kinds[self.at] == closer:
            place = self.starts[self.at]
            inner: Expression = Nop(place, place)
        else:
            inner = self.expression()
        end = self.expect(closer)
        query = Query(start, end, exported, inner)
        operations = []
        if kinds[self.at] == "{":
            self.at += 1
            operations = self.attribute_operations()
            end = self.expect_end("}", "=>", "+>")
        return Collector(left.start, end, left, query, operations)

    # -- calls -----------------------------------------------------------------------------------

    def call(self, callee: Expression) -> Expression:
        """``callee(arguments) |lambda|``."""
        self.at += 1
        arguments = self.arguments(trailing_comma=True)
        end = self.expect_end(")")
        block = None
        if self.kinds[self.at] == "|":
            block = self.lambda_expression()
            end = block.end
        return Call(callee.start, end, callee, arguments, block, True)

    def method_call(self, receiver: Expression) -> Expression:
        """``receiver.name(arguments) |lambda|``."""
        at = self.at + 1
        kind = self.kinds[at]
        self.at = at
        if kind not in ("NAME", "type"):
            raise self.unexpected()
        end = self.ends[at]
        name = Name(self.starts[at], end, self.values[at])
        self.at = at + 1
        arguments: list[Expression] = []
        if self.kinds[at + 1] == "(":
            self.at = at + 2
            arguments = self.arguments(trailing_comma=False)
            end = self.expect_end(")")
        block = None
        if self.kinds[self.at] == "|":
            block = self.lambda_expression()
            end = block.end
        return MethodCall(receiver.start, end, receiver, name, arguments, block)

    def arguments(self, trailing_comma: bool) -> list[Expression]:
        """Arguments up to a ``)``, which is left; entries of a hash are gathered."""
        found: list[Expression] = []
        if self.kinds[self.at] == ")":
            return found
        found.append(self.argument())
        while self.accept(",") or (self.kinds[self.at] != ")" and self.supplies_comma(")")):
            if trailing_comma and self.kinds[self.at] == ")":
                break
            self.gather(found, self.argument())
        return found

    def argument(self) -> Expression:
        """An argument, or an entry of a hash without braces."""
        kinds = self.kinds
        if not self.dialect.loose_entries:
            return self.assignment()
        if kinds[self.at] in ENTRY_WORDS and kinds[self.at + 1] == "=>":
            return self.loose_entry(self.entry_word())
        value = self.assignment()
        return self.loose_entry(value) if kinds[self.at] == "=>" else value

    def gather(self, found: list[Expression], item: Expression) -> None:
        """Add an argument; an entry of a hash joins the entry before it."""
        if item.__class__ is Hash and not item.braces:
            last = found[-1]
            if last.__class__ is Hash and not last.braces:
                last.entries.extend(item.entries)
                last.end = item.end  # type: ignore[misc]
                return
        found.append(item)

    def loose_entry(self, key: Expression) -> Expression:
        """``key => value`` as a hash without braces."""
        entry = self.entry(key)
        return Hash(entry.start, entry.end, [entry], False)

    def lambda_expression(self) -> Lambda:
        """``|parameters| >> Type { body }``."""
        start = self.starts[self.at]
        parameters = self.lambda_parameters()
        return_type = self.return_type()
        body = self.block()
        return Lambda(start, body.end, parameters, return_type, body)

    def lambda_parameters(self) -> list[Parameter]:
        """``|parameters|``."""
        self.expect("|")
        found = [] if self.kinds[self.at] == "|" else self.parameters("|")
        self.expect("|")
        return found

    def parameters(self, closer: str) -> list[Parameter]:
        """Parameters up to a token that is left; at least one."""
        found = [self.parameter()]
        while self.accept(",") or (self.kinds[self.at] != closer and self.supplies_comma(closer)):
            if self.kinds[self.at] == closer:
                break
            found.append(self.parameter())
        return found

    def parameter(self) -> Parameter:
        """``Type *$name = value``."""
        kinds = self.kinds
        start = self.starts[self.at]
        kind = None
        if kinds[self.at] == "CLASSREF":
            kind = self.type_reference()
        captures = self.accept("*")
        at = self.at
        name = self.expect_value("VARIABLE")
        end = self.ends[at]
        value = None
        if kinds[self.at] == "=":
            self.at += 1
            value = self.expression()
            end = value.end
        return Parameter(start, end, name, kind, value, captures)

    def type_reference(self, trailing_comma: bool = False) -> Expression:
        """``Type`` or ``Type[…]``."""
        reference = self.reference()
        if self.kinds[self.at] == "[":
            return self.access(reference, trailing_comma)
        return reference

    def return_type(self) -> Expression | None:
        """``>> Type``, where it stands."""
        if not self.dialect.return_types or not self.accept(">>"):
            return None
        if self.kinds[self.at] != "CLASSREF":
            raise self.unexpected()
        return self.type_reference()

    # -- collections -----------------------------------------------------------------------------

    def array(self) -> Expression:
        """``[ entries ]``."""
        kinds = self.kinds
        start = self.starts[self.at]
        self.at += 1
        found: list[Expression] = []
        if kinds[self.at] != "]":
            found.append(self.collection_entry())
            while self.accept(",") or (kinds[self.at] != "]" and self.supplies_comma("]")):
                if kinds[self.at] == "]":
                    break
                self.gather(found, self.collection_entry())
        return List(start, self.expect_end("]"), found)

    def collection_entry(self) -> Expression:
        """A value or entry in an array."""
        kinds = self.kinds
        at = self.at
        if not self.dialect.loose_entries:
            return self.assignment()
        if kinds[at] in ENTRY_WORDS and kinds[at + 1] in AFTER_ENTRY_WORD:
            value = self.entry_word()
        else:
            value = self.assignment()
        return self.loose_entry(value) if kinds[self.at] == "=>" else value

    def hash(self) -> Expression:
        """``{ key => value }``."""
        kinds = self.kinds
        start = self.starts[self.at]
        self.at += 1
        entries: list[Entry] = []
        if kinds[self.at] != "}":
            entries.append(self.entry(self.entry_side()))
            while self.accept(",") or (kinds[self.at] != "}" and self.supplies_comma("}", "=>")):
                if kinds[self.at] == "}":
                    break
                entries.append(self.entry(self.entry_side()))
        return Hash(start, self.expect_end("}", "=>"), entries)

    def entry(self, key: Expression) -> Entry:
        """``=> value`` after a key."""
        self.expect("=>")
        value = self.entry_side()
        return Entry(key.start, value.end, key, value)

    def entry_side(self) -> Expression:
        """The key or the value of an entry."""
        at = self.at
        if (
            self.kinds[at] in ENTRY_WORDS
            and self.kinds[at + 1] in AFTER_ENTRY_WORD
            and self.kinds[at] not in self.dialect.words.reserved
        ):
            return self.entry_word()
        return self.assignment()

    def entry_word(self) -> Expression:
        """``type`` or ``function`` as a text."""
        at = self.at
        self.at = at + 1
        return String(self.starts[at], self.ends[at], self.values[at])

    # -- literals, names and strings -------------------------------------------------------------

    def variable(self) -> Expression:
        """``$name``."""
        at = self.at
        self.at = at + 1
        return Variable(self.starts[at], self.ends[at], self.values[at])

    def string(self) -> Expression:
        """``'text'``, and a bare word with dashes."""
        at = self.at
        self.at = at + 1
        return String(self.starts[at], self.ends[at], self.values[at])

    def bare_name(self) -> Expression:
        """A lower-case name."""
        at = self.at
        self.at = at + 1
        return Name(self.starts[at], self.ends[at], self.values[at])

    def reference(self) -> Expression:
        """A capitalised name."""
        at = self.at
        self.at = at + 1
        return Reference(self.starts[at], self.ends[at], self.values[at])

    def number(self) -> Expression:
        """``42``, ``0x2A``, ``052``, ``1.5``."""
        at = self.at
        self.at = at + 1
        text: str = self.values[at]
        start, end = self.starts[at], self.ends[at]
        if text.isdecimal():
            if text[0] == "0" and len(text) > 1:
                return Integer(start, end, int(text, 8), 8)
            return Integer(start, end, decimal(text), 10)
        if text[1] in "xX":
            return Integer(start, end, int(text, 16), 16)
        return Float(start, end, float(text), text)

    def boolean(self) -> Expression:
        """``true``, ``false``."""
        at = self.at
        self.at = at + 1
        return Boolean(self.starts[at], self.ends[at], self.values[at] == "true")

    def undef(self) -> Expression:
        """``undef``."""
        at = self.at
        self.at = at + 1
        return Undef(self.starts[at], self.ends[at])

    def default(self) -> Expression:
        """``default``."""
        at = self.at
        self.at = at + 1
        return Default(self.starts[at], self.ends[at])

    def reserved(self) -> Expression:
        """``attr``, ``private``."""
        at = self.at
        self.at = at + 1
        word = self.values[at]
        future = word in self.dialect.words.future
        return ReservedWord(self.starts[at], self.ends[at], word, future)

    def regexp(self) -> Expression:
        """``/pattern/``."""
        at = self.at
        self.at = at + 1
        return Regexp(self.starts[at], self.ends[at], self.values[at])

    def interpolated(self) -> Expression:
        """An expression, as wide as an assignment; most are a variable alone."""
        at = self.at
        if self.kinds[at] == "VARIABLE" and self.kinds[at + 1] in ("DQMID", "DQPOST"):
            self.at = at + 1
            return Variable(self.starts[at], self.ends[at], self.values[at])
        return self.assignment()

    def heredoc(self) -> Expression:
        """``@(tag)`` and its text."""
        at = self.at
        self.at = at + 1
        kind = self.kinds[at + 1]
        if kind == "STRING":
            text = self.string()
        elif kind == "DQPRE":
            text = self.concatenation()
        else:
            raise self.unexpected()
        return Heredoc(self.starts[at], self.ends[at], self.values[at], text)


def decimal(text: str) -> int:
    """A decimal number, however long; Python refuses to convert very long ones at once.

    >>> decimal("9" * 5000) == 10**5000 - 1
    True
    """
    if len(text) < 4000:
        return int(text)
    half = len(text) // 2
    power: int = 10 ** (len(text) - half)
    return decimal(text[:half]) * power + decimal(text[half:])


PREFIXES: dict[str, Prefix] = {
    "VARIABLE": Expressions.variable,
    "STRING": Expressions.string,
    "WORD": Expressions.string,
    "NAME": Expressions.bare_name,
    "CLASSREF": Expressions.reference,
    "NUMBER": Expressions.number,
    "BOOLEAN": Expressions.boolean,
    "undef": Expressions.undef,
    "default": Expressions.default,
    "REGEX": Expressions.regexp,
    "DQPRE": Expressions.concatenation,
    "HEREDOC": Expressions.heredoc,
    "[": Expressions.array,
    "LISTSTART": Expressions.array,
    "{": Expressions.hash,
    "(": Expressions.parenthesized,
    "WSLPAREN": Expressions.parenthesized,
    "!": Expressions.negation,
    "-": Expressions.minus,
    "*": Expressions.unfold,
}
"""What each token begins, for the rules of this file."""
