"""Checks of a manifest of Puppet 3 without running it.

Puppet 3 does not check files in a separate step. These are the mistakes that it reports between
parsing a file and running it, when it registers the definitions of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from bunraku.base.errors import Diagnostic, Issue
from bunraku.base.metaparameters import METAPARAMETER_NAMES
from bunraku.dialects.puppet_3.issues import DIFFERENT_PARENTS, DUPLICATE_DEFINITION
from bunraku.dialects.puppet_3.node_names import host_key
from bunraku.syntax.check import issues as checks
from bunraku.syntax.check.walk import Check, RegexpCompiler
from bunraku.syntax.nodes import (
    FIELDS,
    ClassDefinition,
    DefineDefinition,
    Node,
    NodeDefinition,
    Program,
    Regexp,
)
from bunraku.syntax.rules import SyntaxRules

__all__ = ["check"]

PLACES: Final = frozenset({"start", "end", "operator_start", "name_start"})
CONTENT: Final = {
    kind: tuple(name for name in names if name not in PLACES) for kind, names in FIELDS.items()
}
"""The fields of each node class that are more than a place."""


def check(
    program: Program,
    dialect: SyntaxRules,
    settings: Mapping[str, Any],
    _modulepath: Iterable[str | tuple[str, str]] = (),
    compile_regexp: RegexpCompiler | None = None,
) -> list[Diagnostic]:
    """Return all that is wrong with a program that parses: patterns first, then definitions.

    >>> from bunraku.base.source import Source
    >>> from bunraku.dialects.puppet_3_8 import PUPPET_3_8
    >>> from bunraku.dialects.puppet_3.parser.parser import parse
    >>> program = parse(Source("define a() { } define a() { }"), PUPPET_3_8.syntax).program
    >>> [item.code for item in check(program, PUPPET_3_8.syntax, {})]
    ['DUPLICATE_DEFINITION']
    """
    state = Check(program, dialect, settings, {})
    if compile_regexp is not None:
        patterns(state, compile_regexp)
    definitions(state)
    return state.findings


def patterns(check: Check, compile_regexp: RegexpCompiler) -> None:
    """Report patterns that are not regular expressions, in the order of the text."""
    found: list[Regexp] = []
    stack = [check.program.body]
    while stack:
        node = stack.pop()
        if node.__class__ is Regexp:
            found.append(node)
        for name in CONTENT[node.__class__]:
            value = getattr(node, name)
            if value.__class__ is list:
                stack += value
            elif isinstance(value, Node):
                stack.append(value)
    for pattern in sorted(found, key=lambda item: item.start):
        check.pattern(pattern, compile_regexp)


# -- definitions ---------------------------------------------------------------------------------

ResourceType = ClassDefinition | DefineDefinition


def definitions(check: Check) -> None:
    """Report definitions that contradict an earlier one in the file."""
    types: dict[str, ResourceType] = {}
    hosts: dict[str, NodeDefinition] = {}
    for node in sorted(check.program.definitions, key=lambda item: item.start):
        if isinstance(node, NodeDefinition):
            node_definition(check, node, hosts)
        elif isinstance(node, ClassDefinition | DefineDefinition):
            metaparameters(check, node)
            resource_type(check, node, types)


def resource_type(check: Check, node: ResourceType, known: dict[str, ResourceType]) -> None:
    """Report a name that is taken; a class may be defined in pieces."""
    other = known.setdefault(node.name.lower(), node)
    if other is node:
        return
    if isinstance(node, ClassDefinition) and isinstance(other, ClassDefinition):
        if node.parent and other.parent and node.parent != other.parent:
            report_again(check, DIFFERENT_PARENTS, node, other)
        return
    report_again(check, DUPLICATE_DEFINITION, node, other)


def report_again(check: Check, issue: Issue, node: ResourceType, other: ResourceType) -> None:
    """Report a class or define that is defined a second time."""
    what = "The class" if isinstance(other, ClassDefinition) else "The define"
    line = check.source.line(other.start)
    start = node.name_start
    end = start + len(node.name.rpartition("::")[2])
    check.report_at(issue, start, end, what=what, name=node.name, line=line)


def node_definition(check: Check, node: NodeDefinition, known: dict[str, NodeDefinition]) -> None:
    """Report a node that is defined a second time."""
    for match in node.matches:
        key = host_key(match)
        other = known.setdefault(key, node)
        if other is not node:
            line = check.source.line(other.start)
            start, end = match.start, match.end
            check.report_at(DUPLICATE_DEFINITION, start, end, what="The node", name=key, line=line)


def metaparameters(check: Check, node: ResourceType) -> None:
    """Report parameters that every resource has: with a default a warning, else an error."""
    kind = "class" if isinstance(node, ClassDefinition) else "define"
    container = f"the {kind} '{node.name}'"
    for parameter in node.parameters:
        name = parameter.name
        if name in METAPARAMETER_NAMES:
            with_default = parameter.value is not None
            issue = checks.METAPARAMETER_WITH_DEFAULT if with_default else checks.METAPARAMETER
            start, end = parameter.start, parameter.end
            parts = {"container": container, "name": name, "definition": node.name}
            check.report_at(issue, start, end, **parts)
