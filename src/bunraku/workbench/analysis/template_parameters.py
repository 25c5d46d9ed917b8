"""Parameters of EPP templates in calls of ``epp``: unknown ones, missing ones, and wrong values."""

from __future__ import annotations

from bunraku.base.records import replace
from bunraku.base.suggestions import did_you_mean
from bunraku.functions.core.issues import EPP_PARAMETERS
from bunraku.syntax.nodes import Call, Epp, Hash, Lambda, Name, Node, Parameter, String
from bunraku.workbench.analysis.bindings import leaves
from bunraku.workbench.analysis.names import written
from bunraku.workbench.analysis.state import Analysis
from bunraku.workbench.analysis.values import misfit


def check_call(analysis: Analysis, node: Call) -> None:
    """Check a call of ``epp`` whose template and whose names of values are written."""
    if not isinstance(node.callee, Name) or node.callee.value != "epp":
        return
    if not node.arguments or len(node.arguments) > 2:
        return
    name = written(node.arguments[0])
    values = node.arguments[1] if len(node.arguments) == 2 else Hash(node.start, node.end, [])
    if name is None or not isinstance(values, Hash):
        return
    keys = [one.key for one in values.entries]
    parameters = parameters_of(analysis, name)
    if parameters is None or not all(isinstance(one, Name | String) for one in keys):
        return
    given = {one.key.value: one for one in values.entries if isinstance(one.key, Name | String)}
    known = {one.name: one for one in parameters}
    for key, entry in given.items():
        if key not in known:
            report(analysis, entry.key, name, f"has no parameter named '{key}'", key, known)
        else:
            check_value(analysis, name, known[key], entry.value)
    for one in parameters:
        if one.value is None and one.name not in given:
            report(analysis, node, name, f"expects a value for parameter '{one.name}'")


def parameters_of(analysis: Analysis, name: str) -> list[Parameter] | None:
    """Return the parameters of a template; None if it is not there, or declares none."""
    module_name, _, file = name.partition("/")
    module = analysis.definitions.environment.find_module(module_name)
    path = module.file("templates", file) if module is not None and file else None
    program = None if path is None else analysis.definitions.template(path)
    if program is None or not isinstance(program.body, Lambda):
        return None
    body = program.body.body
    is_declared = isinstance(body, Epp) and body.parameters_given
    return program.body.parameters if is_declared else None


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


def report(
    analysis: Analysis,
    node: Node,
    name: str,
    problem: str,
    key: str | None = None,
    known: dict[str, Parameter] | None = None,
) -> None:
    """Report a problem with the words of the compile."""
    finding = analysis.report(EPP_PARAMETERS, node, name=name, problems=problem)
    hint = None if key is None else did_you_mean(key, known or ())
    analysis.findings.append(replace(finding, hint=hint))
