"""Parameters of EPP templates in calls of ``epp``: unknown ones, missing ones, and wrong values."""

from __future__ import annotations

from bunraku.base.errors import Diagnostic
from bunraku.base.records import replace
from bunraku.base.suggestions import did_you_mean
from bunraku.functions.core.issues import EPP_PARAMETERS, epp_problems
from bunraku.runtime.parameters import absence
from bunraku.syntax.nodes import (
    Call,
    Entry,
    Epp,
    Hash,
    Lambda,
    Name,
    Node,
    Parameter,
    Program,
    String,
)
from bunraku.types import model as m
from bunraku.types.mismatch import unknown_parameter
from bunraku.types.relations.overlap import can_overlap
from bunraku.workbench.analysis.attribute_values import shown_hash
from bunraku.workbench.analysis.bindings import leaves
from bunraku.workbench.analysis.declared_types import UNKNOWN
from bunraku.workbench.analysis.members import check_template
from bunraku.workbench.analysis.names import written_name
from bunraku.workbench.analysis.state import Analysis
from bunraku.workbench.analysis.values import misfit


def check_call(analysis: Analysis, node: Call) -> None:
    """Check a call of ``epp`` whose template and whose names of values are written."""
    if not isinstance(node.callee, Name) or node.callee.value != "epp":
        return
    if not node.arguments or len(node.arguments) > 2:
        return
    name = written_name(node.arguments[0])
    values = shown_hash(analysis, node.arguments[1]) if len(node.arguments) == 2 else None
    if len(node.arguments) == 1:
        values = Hash(node.start, node.end, [])
    if name is None or values is None:
        return
    keys = [one.key for one in values.entries]
    program = template_named(analysis, name)
    parameters = None if program is None else parameters_of(program)
    if parameters is None or not all(isinstance(one, Name | String) for one in keys):
        return
    given = {one.key.value: one for one in values.entries if isinstance(one.key, Name | String)}
    known = {one.name: one for one in parameters}
    for key, entry in given.items():
        if key not in known:
            check_unknown(analysis, name, entry, known)
        else:
            check_value(analysis, name, known[key], entry.value)
    for one in parameters:
        if one.value is None and one.name not in given:
            report(analysis, node, name, absence(one.name))
    if program is not None and isinstance(program.body, Lambda):
        hashes = {key: entry.value for key, entry in given.items()}
        check_template(analysis, program.source, program.body.body, hashes)


def template_named(analysis: Analysis, name: str) -> Program | None:
    """Return the template of a module; None if it is not there, or has errors of syntax."""
    module_name, _, file = name.partition("/")
    module = analysis.definitions.environment.find_module(module_name)
    path = module.file("templates", file) if module is not None and file else None
    return None if path is None else analysis.definitions.template(path)


def parameters_of(program: Program) -> list[Parameter] | None:
    """Return the parameters of a template; None if it declares none."""
    if not isinstance(program.body, Lambda):
        return None
    body = program.body.body
    is_declared = isinstance(body, Epp) and body.parameters_given
    return program.body.parameters if is_declared else None


def check_unknown(analysis: Analysis, name: str, entry: Entry, known: dict[str, Parameter]) -> None:
    """Report a value for an unknown parameter; a warning if it may be undef, which is ignored."""
    key = str(written_name(entry.key))
    actual = analysis.inference.of(entry.value)
    if actual == m.UNDEF:
        return
    finding = finding_of(analysis, entry.key, name, unknown_parameter(key, ()))
    finding = replace(finding, hint=did_you_mean(key, known))
    is_certain = actual is not UNKNOWN and not can_overlap(actual, m.UNDEF)
    (analysis.findings if is_certain else analysis.warnings).append(finding)


def check_value(analysis: Analysis, name: str, parameter: Parameter, value: Node) -> None:
    """Report values that cannot be of the type of a parameter; undef selects its default."""
    if parameter.type is None:
        return
    expected = analysis.declared.of_node(parameter.type)
    has_default = parameter.value is not None
    for one in leaves(value):
        problem = misfit(
            analysis, expected, one, f"parameter '{parameter.name}'", undef_fits=has_default
        )
        if problem is not None:
            report(analysis, one, name, problem)


def report(analysis: Analysis, node: Node, name: str, problem: str) -> None:
    """Report a problem with the words of the compile."""
    analysis.findings.append(finding_of(analysis, node, name, problem))


def finding_of(analysis: Analysis, node: Node, name: str, problem: str) -> Diagnostic:
    """Return a problem with the words of the compile."""
    return analysis.report(EPP_PARAMETERS, node, "error", **epp_problems(name, [problem]))
