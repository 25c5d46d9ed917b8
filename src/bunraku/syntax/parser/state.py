"""The state of a parser, which all rules of a grammar take: the tokens, the place, the mistakes."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.base.errors import Diagnostic, Issue
from bunraku.base.lazy_typing import Any, Final, TypeVar
from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.syntax import issues
from bunraku.syntax.nodes import Expression, Node, Parameter
from bunraku.syntax.rules import SyntaxRules
from bunraku.syntax.tokens import Finding, Tokens

NESTING_LIMIT: Final = 500

CLOSED_BY = {"{": "}", "SELBRACE": "}", "(": ")", "WSLPAREN": ")", "[": "]", "LISTSTART": "]"}
CLOSERS: Final = frozenset(CLOSED_BY.values())
DESCRIPTIONS = {
    "STRING": "string", "DQPRE": "string", "DQMID": "end of interpolation",
    "DQPOST": "end of interpolation", "HEREDOC": "heredoc", "REGEX": "regular expression",
    "RENDER_STRING": "template text", "RENDER": "'<%='",
}  # fmt: skip
SHOWN_WITH_TEXT = frozenset({"STRING", "REGEX"})
LONGEST_SHOWN = 40
ADVISED = (issues.SYNTAX_ERROR, issues.UNEXPECTED_END, issues.MISSING_COMMA, issues.UNCLOSED_QUOTE)
"""The mistakes whose cause the tokens around them may show."""


class SyntaxFailure(Exception):
    """A mistake in the code; caught where statements are so that parsing can go on.

    ``fatal`` ends the parsing. ``late`` is one that Puppet finds at the end of the block only; the
    statement was parsed to its end.
    """

    def __init__(self, finding: Finding, *, fatal: bool = False, late: bool = False) -> None:
        super().__init__(finding.issue.code)
        self.finding = finding
        self.fatal = fatal
        self.late = late

    def forget_frames(self) -> None:
        """Drop the frames of this mistake, which hold it and all nodes until garbage is collected."""
        found: BaseException | None = self
        while found is not None:
            found.__traceback__ = None
            found = found.__context__


@record(frozen=True)
class GrammarRules:
    """The tables of a grammar, and the rules that the code shared by both grammars calls."""

    prefixes: dict[str, Rule]
    """The rule of each token that begins an operand."""
    powers: dict[str, int]
    """Precedence of the operators; all group to the left."""
    expression: Rule
    """``expression``: operators and their operands."""
    statement: Callable[[Parser, list[Expression]], None]
    """One statement, which is added to those before it."""
    branch: Rule
    """``{ statements }`` after a condition."""
    body: Rule
    """``{ statements }`` of a define, a node and an option of ``case``."""
    interpolated: Rule
    """The code in a string between ``${`` and ``}``."""
    option_value: Rule
    """A value before the colon of an option of ``case``."""
    definition_name: Callable[[Parser], str]
    """The name of a class, a define, a function or a plan."""
    definition_parameters: Callable[[Parser], list[Parameter]]
    """``(parameters)`` of a definition, if present."""
    ends_after_blanks: bool = False
    """The end of the text is behind the blanks at its end."""


class Parser:
    """The tokens and the position in them, the definitions, and the findings."""

    def __init__(
        self,
        source: Source,
        tokens: Tokens,
        dialect: SyntaxRules,
        grammar: GrammarRules,
    ) -> None:
        self.source = source
        self.dialect = dialect
        self.grammar = grammar
        self.prefixes = grammar.prefixes
        self.powers = grammar.powers
        self.tokens = tokens
        self.kinds = tokens.kinds
        self.values = tokens.values
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.at = 0
        """The index of the current token."""
        self.depth = 0
        self.namespace: list[str] = []
        """The names of the classes around the place."""
        self.defining: str | None = None
        """The define around the place, where defines cannot be nested."""
        self.definitions: list[Node] = []
        self.findings: list[Finding] = []
        self.supplied: list[int] = []
        """The tokens before which a missing comma was reported and supplied."""
        self.closers: dict[int, int] | None = None
        """The token that closes each opening bracket, once a mistake has made it necessary."""

    # -- tokens ----------------------------------------------------------------------------------

    def accept(self, kind: str) -> bool:
        """Pass over a token if it is of this kind."""
        if self.kinds[self.at] == kind:
            self.at += 1
            return True
        return False

    def expect(self, kind: str) -> int:
        """Pass over a token that must be of this kind; return the offset where it ends."""
        at = self.at
        if self.kinds[at] != kind:
            raise self.unexpected(f", expected '{kind}'" if len(kind) < 3 else "")
        self.at = at + 1
        return self.ends[at]

    def expect_value(self, kind: str) -> Any:
        """Pass over a token that must be of this kind; return its value."""
        at = self.at
        if self.kinds[at] != kind:
            raise self.unexpected()
        self.at = at + 1
        return self.values[at]

    def closer_of(self, opened: int) -> int:
        """Return the index of the token that closes a bracket, or of the error or end before it.

        Any closing bracket closes any opening one. All pairs are found in one pass, because each
        level of nested definitions needs its own.
        """
        if self.closers is None:
            self.closers = {}
            unclosed: list[int] = []
            for at, kind in enumerate(self.kinds):
                if kind in CLOSED_BY:
                    unclosed.append(at)
                elif kind in CLOSERS and unclosed:
                    self.closers[unclosed.pop()] = at
                elif kind in ("END", "ERROR"):
                    self.closers.update(dict.fromkeys(unclosed, at))
                    unclosed.clear()
        return self.closers[opened]

    # -- mistakes --------------------------------------------------------------------------------

    def unexpected(self, wanted: str = "") -> SyntaxFailure:
        """Return the mistake that the current token is."""
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
        text = {"STRING": value, "OTHER": ""}.get(kind, text)
        return self.failure_at(issues.SYNTAX_ERROR, at, found=found, wanted=wanted, text=text)

    def unexpected_end(self) -> SyntaxFailure:
        """Return the mistake that the end of the text is, with the bracket that is still open."""
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
        end = len(text if self.grammar.ends_after_blanks else text.rstrip())
        return self.failure(issues.UNEXPECTED_END, end, end, wanted=opened)

    def failure(self, issue: Issue, start: int, end: int, **arguments: object) -> SyntaxFailure:
        """Return a mistake in a piece of the text."""
        return SyntaxFailure(Finding(issue, arguments, start, end))

    def failure_at(self, issue: Issue, at: int, **arguments: object) -> SyntaxFailure:
        """Return a mistake at a token."""
        return SyntaxFailure(Finding(issue, arguments, self.starts[at], self.ends[at]))

    def report(self, issue: Issue, start: int, end: int, **arguments: object) -> None:
        """Add a mistake that does not keep the parser from going on."""
        self.findings.append(Finding(issue, arguments, start, end))

    def warn(self, issue: Issue, at: int, **arguments: object) -> None:
        """Add a warning about a token."""
        self.tokens.warnings.append(Finding(issue, arguments, self.starts[at], self.ends[at]))

    def deeper(self) -> None:
        """Enter a level of nesting, whose number is limited so that the stack cannot overflow."""
        self.depth += 1
        if self.depth > NESTING_LIMIT:
            failure = self.failure_at(issues.NESTING_TOO_DEEP, self.at, limit=NESTING_LIMIT)
            failure.fatal = True
            raise failure

    def diagnostics(self) -> list[Diagnostic]:
        """Return all findings: the mistakes in the order of their discovery, then the warnings."""
        span = self.source.span
        found = []
        for item in self.findings:
            place = span(item.start, item.end).place
            one = item.issue.diagnostic(place, "error", **item.arguments)
            if item.issue in ADVISED:
                from bunraku.syntax.parser.advice import advised

                one = advised(one, self.source, self.tokens, item)
            found.append(one)
        for item in sorted(self.tokens.warnings, key=lambda finding: finding.start):
            place = span(item.start, item.end).place
            found.append(item.issue.diagnostic(place, "warning", **item.arguments))
        return found


Rule = Callable[[Parser], Expression]
"""A rule of a grammar that a token begins."""
R = TypeVar("R", bound=Rule)


def begins(table: dict[str, Rule], *kinds: str) -> Callable[[R], R]:
    """Register a rule in a table, by the kinds of the tokens that begin it."""

    def register(function: R) -> R:
        table.update(dict.fromkeys(kinds, function))
        return function

    return register
