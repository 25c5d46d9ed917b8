"""Rules for whole programs: the allowed content of a module's file, and names of parameters."""

from __future__ import annotations

from bunraku.base.errors import Diagnostic
from bunraku.base.metaparameters import METAPARAMETER_NAMES
from bunraku.syntax import nodes
from bunraku.syntax.check import issues
from bunraku.syntax.check.descriptions import bare_noun, capital, noun
from bunraku.syntax.check.walk import DEFINITIONS, Check


def check_program(check: Check) -> list[Diagnostic]:
    """Walk over a whole program and return the findings."""
    check.place_definitions(check.program.body, "top")
    if not check.dialect.modules_only_define:
        check.namespace = None
    if check.namespace is not None:
        only_definitions(check)
    check.walk()
    if not any(finding.severity == "error" for finding in check.findings):
        metaparameters(check)
    return check.findings


def only_definitions(check: Check) -> None:
    """Report top-level code other than definitions in a file of a module."""
    body = check.program.body
    for statement in body.statements if isinstance(body, nodes.Block) else [body]:
        kind = statement.__class__
        if kind is not nodes.Nop and (kind not in DEFINITIONS or kind is nodes.NodeDefinition):
            what = bare_noun(statement)
            check.report(issues.ILLEGAL_TOP_CONSTRUCT_LOCATION, statement, what=what)


def metaparameters(check: Check) -> None:
    """Report parameters of classes and defines that every resource has as metaparameters.

    Puppet looks for them only once a file has no other mistake, and stops at the first that
    has no default.
    """
    for node in check.program.definitions:
        if isinstance(node, nodes.ClassDefinition | nodes.DefineDefinition):
            for parameter in node.parameters:
                name = parameter.name
                if name not in METAPARAMETER_NAMES:
                    continue
                if parameter.value is None:
                    kind = capital(noun(node))
                    parts = {"container": kind, "name": name, "definition": node.name}
                    check.report(issues.METAPARAMETER, parameter, **parts)
                    return
                kind = noun(node)
                check.report(
                    issues.METAPARAMETER_WITH_DEFAULT, parameter, container=kind, name=name
                )
