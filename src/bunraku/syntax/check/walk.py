"""What all rules of the checker stand on: what is still to be visited, and what was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from bunraku.base.errors import Diagnostic, Issue, Severity
from bunraku.base.lazy_typing import Any, Final
from bunraku.syntax import nodes
from bunraku.syntax.check import issues
from bunraku.syntax.check.descriptions import capital, noun, place
from bunraku.syntax.check.effects import WITHOUT_VALUE
from bunraku.syntax.rules import Dialect

RegexpCompiler = Callable[[str], object]

NO_SETTINGS: Mapping[str, Any] = MappingProxyType({})

DEFINITIONS: Final = frozenset(
    {
        nodes.ClassDefinition,
        nodes.DefineDefinition,
        nodes.FunctionDefinition,
        nodes.NodeDefinition,
        nodes.PlanDefinition,
        nodes.TypeAlias,
        nodes.TypeDefinition,
        nodes.TypeMapping,
    }
)


def severities(strict: str, virtual_classes: bool) -> dict[str, Severity]:
    """Return the severities of the findings that are not always errors."""
    level: Severity = "error" if strict == "error" else "warning"
    return {
        "CLASS_NOT_VIRTUALIZABLE": "warning" if virtual_classes else "error",
        "DUPLICATE_KEY": "ignore" if strict == "off" else level,
        "FUTURE_RESERVED_WORD": "deprecation",
        "ILLEGAL_NONLITERAL_PARAMETER_TYPE": "deprecation",
        "METAPARAMETER_WITH_DEFAULT": "warning",
    }


class Later:
    """A finding that waits on the stack for its turn."""

    __slots__ = ("arguments", "end", "issue", "start")

    def __init__(self, issue: Issue, start: int, end: int, **arguments: object) -> None:
        self.issue = issue
        self.start = start
        self.end = end
        self.arguments = arguments


class Walk:
    """The state of one walk: what is still to be visited, and what was found."""

    __slots__ = (
        "compile_regexp", "depth", "dialect", "findings", "namespace", "places", "program", "settings", "severities", "source", "stack",
        "text",
    )  # fmt: skip

    def __init__(
        self,
        program: nodes.Program,
        dialect: Dialect,
        settings: Mapping[str, Any],
        namespace: str | None = None,
        compile_regexp: RegexpCompiler | None = None,
    ) -> None:
        self.program = program
        self.source = program.source
        self.text = program.source.text
        self.dialect = dialect
        self.settings = settings
        self.namespace = namespace
        self.compile_regexp = compile_regexp
        self.depth = 0
        strict = str(settings.get("strict", "error"))
        self.severities = severities(strict, dialect.virtual_classes)
        self.findings: list[Diagnostic] = []
        self.stack: list[Any] = [program.body]
        self.places: dict[int, str] = {}
        self.place_definitions(program.body, "top")

    def report(self, issue: Issue, node: Any, **arguments: object) -> None:
        """Note a finding about a node."""
        start, end = place(node, self.text)
        self.report_at(issue, start, end, **arguments)

    def report_at(self, issue: Issue, start: int, end: int, **arguments: object) -> None:
        """Note a finding at a place."""
        severity = self.severities.get(issue.code, "error")
        if severity != "ignore":
            span = self.source.span(start, end)
            self.findings.append(issue.diagnostic(span.place, severity, **arguments))

    def need_value(self, node: Any) -> None:
        """Report what has no value where one is needed."""
        while node.__class__ is nodes.Parenthesized:
            node = node.expression
        if node.__class__ in WITHOUT_VALUE:
            self.report(issues.NOT_RVALUE, node, what=capital(noun(node)))

    def place_definitions(self, body: Any, level: str) -> None:
        """Note which definitions stand where they may."""
        for statement in body.statements if body.__class__ is nodes.Block else (body,):
            if statement.__class__ in DEFINITIONS:
                self.places[id(statement)] = level
