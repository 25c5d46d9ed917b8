"""What every part of the parser stands on: the current token, mistakes, and how to go on after one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from bunraku.errors import Diagnostic, Issue
from bunraku.hints import Any, Final
from bunraku.source import Source
from bunraku.syntax import issues
from bunraku.syntax.dialect import Dialect
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
from bunraku.syntax.tokens import Finding, Tokens

ELEMENT_MARKS: Final = frozenset("_\"'$:")
NESTING_LIMIT: Final = 500
ERROR_LIMIT: Final = 50

OPENERS = frozenset({"{", "SELBRACE"})
CLOSED_BY = {"{": "}", "SELBRACE": "}", "(": ")", "WSLPAREN": ")", "[": "]", "LISTSTART": "]"}
DESCRIPTIONS = {
    "STRING": "a string", "DQPRE": "a string", "DQMID": "the end of an interpolation",
    "DQPOST": "the end of an interpolation", "HEREDOC": "a heredoc", "REGEX": "a regular expression",
    "RENDER_STRING": "the text of the template", "RENDER": "'<%='",
}  # fmt: skip


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

    def __init__(self, source: Source, tokens: Tokens, dialect: Dialect) -> None:
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
        """Pass over the token that ends a list, where a mistake may be a forgotten comma.

        So it is where one more element begins; ``following`` are the tokens that then come second.
        """
        at = self.at
        if self.kinds[at] == kind:
            self.at = at + 1
            return self.ends[at]
        start = self.starts[at]
        if self.kinds[at] not in ("ERROR", "END") and (
            begins_element(self.source.text[start])
            and (not following or self.kinds[at + 1] in following)
        ):
            arguments = {**self.unexpected().finding.arguments, "end": kind}
            raise SyntaxFailure(Finding(issues.MISSING_COMMA, arguments, start, self.ends[at]))
        return self.expect(kind)

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
        if found is None:
            text = self.source.text[self.starts[at] : self.ends[at]]
            found = f"'{text}'"
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
            test = self.expression()
            parts.append((start, test, self.branch()))
            if kinds[self.at] != "elsif":
                break
        otherwise = self.otherwise()
        self.depth = depth
        end = self.ends[self.at - 1]
        for start, test, then in reversed(parts):
            otherwise = If(start, end, test, then, otherwise)
        return otherwise

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
        self.findings.append(failure.finding)
        at = self.at
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
        raise SyntaxFailure(failure.finding, fatal=True)

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
        found = [
            item.issue.diagnostic(span(item.start, item.end), "error", **item.arguments)
            for item in self.findings
        ]
        for item in sorted(self.tokens.warnings, key=lambda finding: finding.start):
            place = span(item.start, item.end)
            found.append(item.issue.diagnostic(place, "warning", **item.arguments))
        return found


Prefix = Callable[[Any], Expression]
"""A rule of the grammar that a token begins; its argument is the parser."""


def begins_element(character: str) -> bool:
    """Whether one more element of a list may begin with a character: a word, a text, a variable.

    >>> [begins_element(one) for one in "a$'}"]
    [True, True, True, False]
    """
    return character.isalnum() or character in ELEMENT_MARKS
