"""The walk of the checker over a program: its state, and the rules by class of node.

The nodes still to be visited are in a list, so neither deep nor long code meets
Python's limits. Each rule adds the nodes below its own, in the order in which Puppet visits them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from bunraku.base.errors import Diagnostic, Issue, PuppetError, Severity
from bunraku.base.lazy_typing import Any, Final, TypeVar
from bunraku.syntax import nodes
from bunraku.syntax.check import issues
from bunraku.syntax.check.descriptions import capital, noun, place
from bunraku.syntax.check.effects import WITHOUT_VALUE
from bunraku.syntax.nodes import Node
from bunraku.syntax.rules import SyntaxRules

K = TypeVar("K")
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


class Mark:
    """Something other than a node that waits for its turn among the nodes."""

    __slots__ = ()


class Later(Mark):
    """A finding that waits for its turn."""

    __slots__ = ("arguments", "end", "issue", "start")

    def __init__(self, issue: Issue, start: int, end: int, **arguments: object) -> None:
        self.issue = issue
        self.start = start
        self.end = end
        self.arguments = arguments


class Check:
    """The state of one walk: the nodes to visit, the places of definitions, and the findings."""

    __slots__ = (
        "applying", "compile_regexp", "depth", "dialect", "findings", "namespace", "places",
        "program", "rules", "settings", "severities", "source", "stack", "text",
    )  # fmt: skip

    def __init__(
        self,
        program: nodes.Program,
        dialect: SyntaxRules,
        settings: Mapping[str, Any],
        rules: Mapping[type, Rule],
        namespace: str | None = None,
        compile_regexp: RegexpCompiler | None = None,
        depth: int = 0,
    ) -> None:
        self.program = program
        self.source = program.source
        self.text = program.source.text
        self.dialect = dialect
        self.settings = settings
        self.rules = rules
        self.namespace = namespace
        """The prefix of all names that a file of a module may define; None in other files."""
        self.compile_regexp = compile_regexp
        self.depth = depth
        """The number of nested heredocs around the code."""
        self.applying = False
        """Whether the walk is in the block of an ``apply``."""
        strict = str(settings.get("strict", "error"))
        self.severities = severities(strict, dialect.virtual_classes)
        self.findings: list[Diagnostic] = []
        self.stack: list[Node | Mark] = [program.body]
        self.places: dict[int, str] = {}
        """The definitions in an allowed place (by ``id``), and their level."""

    def report(self, issue: Issue, node: Node, **arguments: object) -> None:
        """Add a finding about a node."""
        start, end = place(node, self.text)
        self.report_at(issue, start, end, **arguments)

    def report_at(self, issue: Issue, start: int, end: int, **arguments: object) -> None:
        """Add a finding about a piece of the text."""
        severity = self.severities.get(issue.code, "error")
        if severity != "ignore":
            span = self.source.span(start, end)
            self.findings.append(issue.diagnostic(span.place, severity, **arguments))

    def need_value(self, node: Node) -> None:
        """Report an expression without a value where a value is required."""
        while node.__class__ is nodes.Parenthesized:
            node = node.expression
        if node.__class__ in WITHOUT_VALUE:
            self.report(issues.NOT_RVALUE, node, what=capital(noun(node)))

    def pattern(self, node: nodes.Regexp, compile_regexp: RegexpCompiler) -> None:
        """Report a pattern that is not a valid regular expression."""
        try:
            compile_regexp(node.pattern)
        except PuppetError as error:
            span = self.source.span(node.start, node.end)
            self.findings.append(error.diagnostic.at(span.place))

    def place_definitions(self, body: Node, level: str) -> None:
        """Record that the definitions in a body are in an allowed place."""
        for statement in body.statements if body.__class__ is nodes.Block else (body,):
            if statement.__class__ in DEFINITIONS:
                self.places[id(statement)] = level

    def walk(self) -> None:
        """Apply the rules to all waiting nodes, and to those that the rules add."""
        stack, rules = self.stack, self.rules
        while stack:
            node = stack.pop()
            found = rules.get(node.__class__)
            if found is not None:
                found(self, node)


Rule = Callable[[Check, Any], None]
RULES: dict[type, Rule] = {}
"""The rule of each class of node, and of each class of mark; the others need no look."""


def rule(*kinds: type[K]) -> Callable[[Callable[[Check, K], None]], Callable[[Check, K], None]]:
    """Register the rule of a class of node, or of several."""

    def register(function: Callable[[Check, K], None]) -> Callable[[Check, K], None]:
        RULES.update(dict.fromkeys(kinds, function))
        return function

    return register


@rule(Later)
def later(check: Check, node: Later) -> None:
    """Report a finding whose turn has come."""
    check.report_at(node.issue, node.start, node.end, **node.arguments)
