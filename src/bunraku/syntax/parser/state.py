"""What every part of the parser stands on: the current token, mistakes, and how to go on after one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module

from bunraku.base.errors import Diagnostic, Issue
from bunraku.base.lazy_typing import Any, Final
from bunraku.base.source import Source
from bunraku.syntax import issues
from bunraku.syntax.nodes import (
    AttributeOperation,
    Block,
    Case,
    CaseOption,
    ClassDefinition,
    Concatenation,
    Expression,
    If,
    Interpolation,
    Node,
    Nop,
    Parameter,
    String,
)
from bunraku.syntax.rules import SyntaxRules
from bunraku.syntax.tokens import Finding, Tokens

ELEMENT_MARKS: Final = frozenset("_\"'$:")
NESTING_LIMIT: Final = 500
ERROR_LIMIT: Final = 50

OTHER_ELSIF: Final = frozenset({"elseif", "elif"})
OPENERS = frozenset({"{", "SELBRACE"})
CLOSED_BY = {"{": "}", "SELBRACE": "}", "(": ")", "WSLPAREN": ")", "[": "]", "LISTSTART": "]"}
DESCRIPTIONS = {
    "STRING": "string", "DQPRE": "string", "DQMID": "end of interpolation",
    "DQPOST": "end of interpolation", "HEREDOC": "heredoc", "REGEX": "regular expression",
    "RENDER_STRING": "template text", "RENDER": "'<%='",
}  # fmt: skip
SHOWN_WITH_TEXT = frozenset({"STRING", "REGEX"})
LONGEST_SHOWN = 40


class SyntaxFailure(Exception):
    """A mistake in the code; caught where statements are, so that parsing can go on.

    ``fatal`` ends the parsing. ``late`` is one that Puppet finds at the end of the block only; the
    statement was parsed to its end.
    """

    def __init__(self, finding: Finding, fatal: bool = False) -> None:
        super().__init__(finding.issue.code)
        self.finding = finding
        self.fatal = fatal
        self.late = False


class Cursor(ABC):
    """The tokens, the place in them, and the findings so far."""

    def __init__(self, source: Source, tokens: Tokens, dialect: SyntaxRules) -> None:
        self.source = source
        self.dialect = dialect
        self.tokens = tokens
        self.kinds = tokens.kinds
        self.values = tokens.values
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.at = 0
        self.depth = 0
        self.namespace: list[str] = []
        self.definitions: list[Node] = []
        self.findings: list[Finding] = []
        self.supplied: list[int] = []
        """The tokens before which a missing comma was noted and supplied."""

    # The rules of the grammar that the others go back to.

    @abstractmethod
    def expression(self) -> Expression:
        """``expression``: operators and what they connect."""

    @abstractmethod
    def assignment(self) -> Expression:
        """``assignment``: the widest form, with resources, relationships and ``=``."""

    @abstractmethod
    def attribute_operations(self) -> list[AttributeOperation]:
        """``name => value, …`` in braces."""

    # -- tokens ----------------------------------------------------------------------------------

    def accept(self, kind: str) -> bool:
        """Pass over a token if it is of this kind."""
        if self.kinds[self.at] == kind:
            self.at += 1
            return True
        return False

    def expect(self, kind: str) -> int:
        """Pass over a token that must be of this kind; the offset where it ends."""
        at = self.at
        if self.kinds[at] != kind:
            raise self.unexpected(f", expected '{kind}'" if len(kind) < 3 else "")
        self.at = at + 1
        return self.ends[at]

    def expect_end(self, kind: str, *following: str) -> int:
        """Pass over the token that ends a list, where a mistake may be a forgotten comma."""
        at = self.at
        if self.kinds[at] == kind:
            self.at = at + 1
            return self.ends[at]
        if self.lacks_comma(following):
            raise SyntaxFailure(self.without_comma(kind))
        return self.expect(kind)

    def lacks_comma(self, following: tuple[str, ...]) -> bool:
        """Whether one more element of a list begins here; ``following`` may be its second token."""
        at = self.at
        return self.kinds[at] not in ("ERROR", "END") and (
            begins_element(self.source.text[self.starts[at]])
            and (not following or self.kinds[at + 1] in following)
        )

    def without_comma(self, kind: str) -> Finding:
        """The mistake of a comma that is missing before the current token."""
        arguments = {**self.unexpected().finding.arguments, "end": kind}
        start, end = self.starts[self.at], self.ends[self.at]
        return Finding(issues.MISSING_COMMA, arguments, start, end)

    def supplies_comma(self, kind: str, *following: str) -> bool:
        """Note a missing comma and go on as if it were there; one a line, so that text that only
        looks like a list is one mistake.
        """
        if not self.lacks_comma(following) or self.turned_inside_out(self.at):
            return False
        line = self.source.line
        here = line(self.starts[self.at])
        if any(line(self.starts[at]) == here for at in self.supplied):
            return False
        self.supplied.append(self.at)
        self.findings.append(self.without_comma(kind))
        return True

    def expect_value(self, kind: str) -> Any:
        """Pass over a token that must be of this kind; its value."""
        at = self.at
        if self.kinds[at] != kind:
            raise self.unexpected()
        self.at = at + 1
        return self.values[at]

    # -- mistakes --------------------------------------------------------------------------------

    def unexpected(self, wanted: str = "") -> SyntaxFailure:
        """The mistake that the current token is."""
        at = self.at
        kind, value = self.kinds[at], self.values[at]
        if kind == "ERROR":
            return SyntaxFailure(value)
        if kind == "END":
            return self.unexpected_end()
        found = DESCRIPTIONS.get(kind)
        text = self.source.text[self.starts[at] : self.ends[at]]
        if found is None:
            found = f"'{text}'"
        elif kind in SHOWN_WITH_TEXT and len(text) <= LONGEST_SHOWN and "\n" not in text:
            found = f"{found} {text}"
        arguments: dict[str, object] = {"found": found, "wanted": wanted}
        return SyntaxFailure(
            Finding(issues.SYNTAX_ERROR, arguments, self.starts[at], self.ends[at])
        )

    def unexpected_end(self) -> SyntaxFailure:
        """The mistake that the end of the text is; tells what is still open."""
        open_tokens: list[int] = []
        for index, kind in enumerate(self.kinds):
            if kind in CLOSED_BY:
                open_tokens.append(index)
            elif open_tokens and CLOSED_BY[self.kinds[open_tokens[-1]]] == kind:
                open_tokens.pop()
        text = self.source.text
        opened = ""
        if open_tokens:
            start = self.starts[open_tokens[-1]]
            opened = f"; the '{text[start]}' in line {self.source.line(start)} is never closed"
        end = len(text.rstrip())
        arguments: dict[str, object] = {"found": "end of input", "wanted": opened}
        return SyntaxFailure(Finding(issues.SYNTAX_ERROR, arguments, end, end))

    def failure(self, issue: Issue, start: int, end: int, **arguments: object) -> SyntaxFailure:
        """A mistake at a place."""
        return SyntaxFailure(Finding(issue, arguments, start, end))

    def deeper(self) -> None:
        """Enter a level of nesting, which are limited so that nobody's stack overflows."""
        self.depth += 1
        if self.depth > NESTING_LIMIT:
            at = self.at
            arguments: dict[str, object] = {"limit": NESTING_LIMIT}
            finding = Finding(issues.NESTING_TOO_DEEP, arguments, self.starts[at], self.ends[at])
            raise SyntaxFailure(finding, fatal=True)

    # -- forms that both grammars have -----------------------------------------------------------

    @abstractmethod
    def definition_name(self) -> str:
        """The name that a definition gives."""

    @abstractmethod
    def definition_parameters(self) -> list[Parameter]:
        """The parameters of a definition, in parentheses."""

    @abstractmethod
    def qualified(self, name: str) -> str:
        """A name within the classes around it."""

    @abstractmethod
    def interpolated(self) -> Expression:
        """What stands in a string between ``${`` and ``}``."""

    def option_value(self) -> Expression:
        """A value that an option of a case compares with."""
        return self.expression()

    def option_body(self) -> Expression:
        """``{ … }`` of an option of a case."""
        return self.block()

    def options_that_count(self, options: list[CaseOption]) -> list[CaseOption]:
        """The options of a case that have a say: all of them."""
        return options

    def class_definition(self) -> Expression:
        """``class name(parameters) inherits parent { … }``."""
        start = self.starts[self.at]
        self.at += 1
        name_start = self.starts[self.at]
        name = self.definition_name()
        self.namespace.append(name)
        parameters = self.definition_parameters()
        parent = None
        if self.accept("inherits"):
            parent = "default" if self.accept("default") else self.definition_name()
        body = self.block()
        self.namespace.pop()
        found = ClassDefinition(
            start, body.end, self.qualified(name), parameters, parent, body, name_start
        )
        self.definitions.append(found)
        return found

    def if_expression(self) -> Expression:
        """``if test { … } elsif test { … } else { … }``."""
        kinds = self.kinds
        parts: list[tuple[int, Expression, Expression]] = []
        depth = self.depth
        while True:
            start = self.starts[self.at]
            self.at += 1
            self.deeper()
            test = self.condition()
            parts.append((start, test, self.branch()))
            if kinds[self.at] != "elsif":
                break
        otherwise = self.otherwise()
        self.depth = depth
        end = self.ends[self.at - 1]
        for start, test, then in reversed(parts):
            otherwise = If(start, end, test, then, otherwise)
        return otherwise

    def condition(self) -> Expression:
        """An expression before the ``{`` of a block."""
        begin, depth = self.at, self.depth
        try:
            test = self.expression()
            if self.kinds[self.at] != "{":
                raise self.unexpected(", expected '{'")
        except SyntaxFailure as failure:
            self.body_follows(begin, failure)
            self.depth = depth
            place = self.starts[begin]
            return Nop(place, place)
        return test

    def otherwise(self) -> Expression:
        """``else { … }``, or nothing."""
        if self.accept("else"):
            return self.branch()
        place = self.ends[self.at - 1]
        return Nop(place, place)

    def case_expression(self) -> Expression:
        """``case test { options }``."""
        start = self.starts[self.at]
        self.at += 1
        test = self.expression()
        self.expect("{")
        options = [self.case_option()]
        while self.kinds[self.at] != "}":
            options.append(self.case_option())
        return Case(start, self.expect("}"), test, self.options_that_count(options))

    def case_option(self) -> CaseOption:
        """``value, value: { … }``."""
        values = [self.option_value()]
        while self.accept(","):
            values.append(self.option_value())
        self.expect(":")
        body = self.option_body()
        return CaseOption(values[0].start, body.end, values, body)

    def concatenation(self) -> Expression:
        """``"text ${expression} text"``."""
        kinds, values, starts, ends = self.kinds, self.values, self.starts, self.ends
        start = starts[self.at]
        segments: list[Expression] = []
        while True:
            at = self.at
            self.at = at + 1
            if values[at]:
                segments.append(String(starts[at], ends[at], values[at]))
            if kinds[at] == "DQPOST":
                return Concatenation(start, ends[at], segments)
            inner = self.interpolated()
            if kinds[self.at] not in ("DQMID", "DQPOST"):
                raise self.unexpected()
            segments.append(Interpolation(inner.start, inner.end, inner))

    # -- statements ------------------------------------------------------------------------------

    def block(self) -> Expression:
        """``{ statements }`` as the body of a definition: a Block, or Nop when empty."""
        start = self.starts[self.at]
        self.expect("{")
        statements = self.statements("}")
        end = self.expect("}")
        return Block(start, end, statements) if statements else Nop(start, end)

    def branch(self) -> Expression:
        """``{ statements }`` after a condition: a single statement stands for itself."""
        body = self.block()
        if body.__class__ is Block and len(body.statements) == 1:
            return body.statements[0]
        return body

    def statements(self, closer: str) -> list[Expression]:
        """Statements up to a token that is left to the caller (``}`` or END)."""
        kinds = self.kinds
        found: list[Expression] = []
        self.deeper()
        depth, names = self.depth, len(self.namespace)
        late: list[Finding] = []
        while kinds[self.at] != closer:
            begin = self.at
            try:
                self.statement(found)
            except SyntaxFailure as failure:
                self.depth = depth
                del self.namespace[names:]
                if failure.late:
                    late.append(failure.finding)
                else:
                    if self.at == begin:
                        # Nothing can begin here, so the block has ended for Puppet.
                        self.findings += late
                        late = []
                    self.resume(failure, begin, late)
                # What stands before the mistake shall not be joined with what stands after it.
                found.append(Nop(self.starts[self.at], self.starts[self.at]))
        self.depth = depth - 1
        self.findings += late
        return found

    @abstractmethod
    def statement(self, found: list[Expression]) -> None:
        """Parse one statement and add it; one after the name of a statement function is its
        argument list.
        """

    # -- going on after a mistake ----------------------------------------------------------------

    def resume(self, failure: SyntaxFailure, begin: int, late: list[Finding]) -> None:
        """Note a mistake and find where the next statement begins.

        That is after the braces that the failed statement opened are closed, or at a line that is
        indented no deeper than the statement was. The end of input, a string that runs over
        several lines just before the mistake (a forgotten quote turns the rest inside out) and
        too many mistakes end the parsing.
        """
        if failure.fatal:
            self.findings += late
            raise failure
        at = self.at
        finding = self.note_mistake(failure, begin)
        if self.goes_on_as_elsif(begin):
            return
        if len(self.findings) < ERROR_LIMIT and not self.turned_inside_out(at):
            kinds = self.kinds
            braces = 0
            for index in range(begin, at):
                kind = kinds[index]
                if kind in OPENERS:
                    braces += 1
                elif kind == "}":
                    braces -= 1
            self.at = self.boundary(at, begin, braces)
            if kinds[self.at] != "END":
                return
        self.findings += late
        raise SyntaxFailure(finding, fatal=True)

    def note_mistake(self, failure: SyntaxFailure, begin: int) -> Finding:
        """Note a mistake, unless it follows from a missing comma in what begins at a token."""
        if self.findings and any(begin <= at <= self.at for at in self.supplied):
            return self.findings[-1]
        self.findings.append(failure.finding)
        return failure.finding

    def goes_on_as_elsif(self, begin: int) -> bool:
        """Whether a failed statement could be parsed as what follows ``elsif``, as which another
        word (``elseif``) was written before it.
        """
        first = begin if self.is_other_elsif(begin) else begin - 1
        if not self.is_other_elsif(first):
            return False
        at, depth = self.at, self.depth
        count, supplied = len(self.findings), self.supplied.copy()
        self.at = first
        try:
            self.if_expression()
        except SyntaxFailure as failure:
            if failure.fatal:
                raise
            self.at, self.depth, self.supplied = at, depth, supplied
            del self.findings[count:]
            return False
        return True

    def is_other_elsif(self, at: int) -> bool:
        """Whether a token is a word of other languages for ``elsif``, after a block."""
        kinds = self.kinds
        return (
            at > 0
            and kinds[at] == "NAME"
            and kinds[at - 1] == "}"
            and self.values[at] in OTHER_ELSIF
        )

    def body_follows(self, begin: int, failure: SyntaxFailure) -> None:
        """Go on at the ``{`` that ends the line of a mistaken condition; else it is a failure of the
        whole statement.
        """
        kinds, at = self.kinds, max(self.at, begin)
        line = self.source.line(self.starts[begin])
        while kinds[at] not in ("END", "ERROR") and self.source.line(self.starts[at]) == line:
            if kinds[at] == "{" and self.starts_line(at + 1):
                break
            at += 1
        if failure.fatal or failure.late or kinds[at] != "{" or self.turned_inside_out(self.at):
            raise failure
        if self.source.line(self.starts[at]) != line or not self.starts_line(at + 1):
            raise failure
        self.note_mistake(failure, begin)
        self.at = at

    def boundary(self, at: int, begin: int, braces: int) -> int:
        """The token where a statement can begin, or where the block around ends."""
        kinds, first = self.kinds, at
        margin = self.indentation(begin)
        if kinds[at] == "ERROR":
            at += 1
        while True:
            kind = kinds[at]
            if kind == "END":
                return at
            if kind == "ERROR" and at > first and len(self.findings) < ERROR_LIMIT:
                self.findings.append(self.values[at])
            if kind == "}":
                braces -= 1
                if braces < 0 and self.depth > 1:
                    return at
                if braces <= 0:
                    return at + 1
            elif at > begin and self.starts_line(at) and kind not in (")", "]", ","):
                here = self.indentation(at)
                if here < margin or (here == margin and (braces <= 0 or kind not in OPENERS)):
                    return at
            if kind in OPENERS:
                braces += 1
            at += 1

    def starts_line(self, at: int) -> bool:
        """Whether a token is the first on its line."""
        if at == 0:
            return True
        return "\n" in self.source.text[self.ends[at - 1] : self.starts[at]]

    def indentation(self, at: int) -> int:
        """The column where the line of a token begins to hold something."""
        text, start = self.source.text, self.starts[at]
        line = text.rfind("\n", 0, start) + 1
        begin = line
        while begin < start and text[begin] in " \t":
            begin += 1
        return begin - line

    def turned_inside_out(self, at: int) -> bool:
        """Whether a quoted string over several lines stands at the mistake or right before it."""
        for index in (at - 1, at):
            if index >= 0 and self.kinds[index] in ("STRING", "DQPRE", "DQMID", "DQPOST"):
                piece = self.source.text[self.starts[index] : self.ends[index]]
                if "\n" in piece:
                    return True
        return False

    def diagnostics(self) -> list[Diagnostic]:
        """All findings: the mistakes in the order in which they were met, then the warnings."""
        span = self.source.span
        found = []
        for item in self.findings:
            place = span(item.start, item.end).place
            one = item.issue.diagnostic(place, "error", **item.arguments)
            if item.issue in ADVISED:
                advised = import_module("bunraku.syntax.parser.advice").advised
                one = advised(one, self.source, self.tokens, item)
            found.append(one)
        for item in sorted(self.tokens.warnings, key=lambda finding: finding.start):
            place = span(item.start, item.end).place
            found.append(item.issue.diagnostic(place, "warning", **item.arguments))
        return found


ADVISED = (issues.SYNTAX_ERROR, issues.MISSING_COMMA, issues.UNCLOSED_QUOTE)
"""The mistakes whose cause may be told by the tokens around them."""

Prefix = Callable[[Any], Expression]
"""A rule of the grammar that a token begins; its argument is the parser."""


def begins_element(character: str) -> bool:
    """Whether one more element of a list may begin with a character: a word, a text, a variable.

    >>> [begins_element(one) for one in "a$'}"]
    [True, True, True, False]
    """
    return character.isalnum() or character in ELEMENT_MARKS
