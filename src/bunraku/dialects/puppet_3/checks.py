"""What can be found wrong in a manifest of Puppet 3 without running it.

Puppet 3 has no checker of its own: these are the mistakes that it meets between parsing a file and
running it, when it makes the definitions of the file known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from bunraku.base.errors import Diagnostic, Issue, PuppetError, Severity
from bunraku.dialects.puppet_3.node_names import host_key
from bunraku.dialects.puppet_3.parser.issues import DIFFERENT_PARENTS, DUPLICATE_DEFINITION
from bunraku.syntax.check import issues as checks
from bunraku.syntax.check.programs import METAPARAMETERS
from bunraku.syntax.nodes import (
    FIELDS,
    ClassDefinition,
    DefineDefinition,
    Node,
    NodeDefinition,
    Parameter,
    Program,
    Regexp,
)
from bunraku.syntax.rules import Dialect

__all__ = ["check"]

PLACES: Final = frozenset({"start", "end", "operator_start", "name_start"})
CONTENT: Final = {
    kind: tuple(name for name in names if name not in PLACES) for kind, names in FIELDS.items()
}
"""The fields of each node class that are more than a place."""


def check(
    program: Program,
    dialect: Dialect,  # noqa: ARG001 - the same for all checkers
    settings: Mapping[str, Any],  # noqa: ARG001
    modulepath: Iterable[str | tuple[str, str]] = (),  # noqa: ARG001
    compile_regexp: Callable[[str], object] | None = None,
) -> list[Diagnostic]:
    """All that is wrong with a program that parses: patterns first, then definitions.

    >>> from bunraku.base.source import Source
    >>> from bunraku.syntax.rules import LEGACY
    >>> from bunraku.dialects.puppet_3.parser.parser import parse
    >>> program = parse(Source("define a() { } define a() { }"), LEGACY).program
    >>> [item.code for item in check(program, LEGACY, {})]
    ['DUPLICATE_DEFINITION']
    """
    checker = Checker(program)
    if compile_regexp is not None:
        checker.regexps(compile_regexp)
    checker.all_definitions()
    return checker.findings


class Checker:
    """The program, what of it is known already, and what was found."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.findings: list[Diagnostic] = []
        self.known: dict[str, ClassDefinition | DefineDefinition] = {}
        self.hosts: dict[str, NodeDefinition] = {}

    def report(
        self,
        issue: Issue,
        start: int,
        end: int,
        severity: Severity = "error",
        **arguments: object,
    ) -> None:
        """Note a finding."""
        span = self.program.source.span(start, end)
        self.findings.append(issue.diagnostic(span.place, severity, **arguments))

    def regexps(self, compile_regexp: Callable[[str], object]) -> None:
        """Every pattern is a regular expression; reported in the order of the text."""
        found: list[Regexp] = []
        stack: list[Any] = [self.program.body]
        while stack:
            node = stack.pop()
            kind = node.__class__
            if kind is Regexp:
                found.append(node)
            for name in CONTENT[kind]:
                value = getattr(node, name)
                if value.__class__ is list:
                    stack += value
                elif isinstance(value, Node):
                    stack.append(value)
        for node in sorted(found, key=lambda item: item.start):
            self.regexp(node, compile_regexp)

    def regexp(self, node: Regexp, compile_regexp: Callable[[str], object]) -> None:
        """A pattern is a regular expression."""
        try:
            compile_regexp(node.pattern)
        except PuppetError as error:
            span = self.program.source.span(node.start, node.end)
            self.findings.append(error.diagnostic.at(span.place))

    # -- definitions -----------------------------------------------------------------------------

    def all_definitions(self) -> None:
        """The definitions in the order of the text."""
        for node in sorted(self.program.definitions, key=lambda item: item.start):
            if isinstance(node, NodeDefinition):
                self.node(node)
            elif isinstance(node, ClassDefinition | DefineDefinition):
                kind = "class" if isinstance(node, ClassDefinition) else "define"
                self.metaparameters(node.parameters, f"the {kind} '{node.name}'")
                self.named(node)

    def named(self, node: ClassDefinition | DefineDefinition) -> None:
        """A name belongs to one define, or to a class that may be given in pieces."""
        key = node.name.lower()
        other = self.known.setdefault(key, node)
        if other is node:
            return
        if isinstance(node, ClassDefinition) and isinstance(other, ClassDefinition):
            if node.parent and other.parent and node.parent != other.parent:
                self.report_again(DIFFERENT_PARENTS, node, other, node.name_start)
            return
        self.report_again(DUPLICATE_DEFINITION, node, other, node.name_start)

    def report_again(self, issue: Issue, node: Any, other: Any, start: int) -> None:
        """Report what is defined a second time."""
        what = "The class" if isinstance(other, ClassDefinition) else "The define"
        line = self.program.source.line(other.start)
        end = start + len(node.name.rpartition("::")[2])
        self.report(issue, start, end, what=what, name=node.name, line=line)

    def node(self, node: NodeDefinition) -> None:
        """A node is defined once."""
        for match in node.matches:
            key = host_key(match)
            other = self.hosts.setdefault(key, node)
            if other is not node:
                line = self.program.source.line(other.start)
                start, end = match.start, match.end
                self.report(DUPLICATE_DEFINITION, start, end, what="The node", name=key, line=line)

    def metaparameters(self, parameters: list[Parameter], container: str) -> None:
        """No parameter has the name of a metaparameter, unless it has a default."""
        for parameter in parameters:
            if parameter.name in METAPARAMETERS:
                with_default = parameter.value is not None
                issue = checks.METAPARAMETER_WITH_DEFAULT if with_default else checks.METAPARAMETER
                self.report(
                    issue,
                    parameter.start,
                    parameter.end,
                    "warning" if with_default else "error",
                    container=container,
                    name=parameter.name,
                )
