"""Values that cannot be of their declared types: attributes, defaults, arguments, results.

An error is reported only if the types of value and declaration have no value in common; what may be
right is not reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bunraku.base.errors import Diagnostic
from bunraku.runtime.callables import Closure, block_checker, block_type
from bunraku.runtime.issues import (
    ILLEGAL_ARGUMENT,
    PARAMETERS,
    UNEXPECTED_BLOCK,
    WRONG_ARGUMENT_COUNT,
)
from bunraku.runtime.suggest import as_reference
from bunraku.syntax import nodes
from bunraku.types import model as m
from bunraku.types.mismatch import ActualType, describe_call, describe_mismatch, wrong_count
from bunraku.types.model import CallableType, Type
from bunraku.types.relations.overlap import can_overlap, wrong_parts
from bunraku.workbench.analysis.bindings import leaves
from bunraku.workbench.analysis.declared_types import UNKNOWN
from bunraku.workbench.analysis.definitions import Definition
from bunraku.workbench.analysis.names import written_name, written_names
from bunraku.workbench.analysis.parameters import type_names
from bunraku.workbench.analysis.state import Analysis, MissingValue, ReplaceableValue


def misfit(
    analysis: Analysis, expected: Type, node: nodes.Node, subject: str, *, undef_fits: bool = False
) -> str | None:
    """Return why an expression cannot have a type, or None if it may."""
    actual = analysis.inference.of(node)
    if actual is UNKNOWN or can_overlap(expected, actual):
        return None
    if undef_fits and can_overlap(m.UNDEF, actual):
        return None
    return describe_mismatch(subject, expected, ActualType(wrong_parts(expected, actual)))


# -- resources -------------------------------------------------------------------------------------


def check_resource_values(analysis: Analysis, node: nodes.Resource) -> None:
    """Check the values of the parameters of classes and of defined types."""
    for definition, body, reference in declared_bodies(analysis, node):
        given = replaced_names(body.operations)
        analysis.given.update((type_key(definition), name) for name in given)
        for one, value, problem in wrong_values(analysis, definition, body.operations):
            finding = analysis.report(PARAMETERS, value, mismatch=f"{reference}: {problem}")
            if node.form == "regular":
                key = type_key(definition)
                analysis.replaceable.append(ReplaceableValue(key, one.name, finding))
            else:
                analysis.warnings.append(finding)  # perhaps it is never realized


def declared_bodies(
    analysis: Analysis, node: nodes.Resource
) -> Iterator[tuple[Definition, nodes.ResourceBody, str]]:
    """Yield the class or defined type of each resource, its body and its reference."""
    name = written_name(node.type_name)
    if name is None:
        return
    if name.lower() == "class":
        for body in node.bodies:
            for _, title in written_names(body.title):
                if (found := analysis.class_named(title)) is not None:
                    yield found, body, f"Class[{as_reference(title.removeprefix('::'))}]"
        return
    definition = analysis.define_named(name)
    if definition is not None:
        type_ = as_reference(name.removeprefix("::"))
        for body in node.bodies:
            yield definition, body, f"{type_}[{written_name(body.title) or '…'}]"


def type_key(definition: Definition) -> str:
    """Return the type of the resources of a definition, in lower case."""
    if isinstance(definition, nodes.ClassDefinition):
        return "class"
    return definition.name.lower().removeprefix("::")


def wrong_values(
    analysis: Analysis, definition: Definition, operations: Iterable[nodes.AttributeOperation]
) -> Iterator[tuple[nodes.Attribute, nodes.Node, str]]:
    """Yield the attributes whose values cannot be of the types of the parameters, and why."""
    declared = {one.name: one for one in definition.parameters if one.type is not None}
    for operation in operations:
        if not isinstance(operation, nodes.Attribute) or operation.operator != "=>":
            continue
        parameter = declared.get(operation.name)
        if parameter is None:
            continue
        expected = analysis.declared.of_node(parameter.type)
        # Undef selects the default, and in a class also data.
        has_other = parameter.value is not None or isinstance(definition, nodes.ClassDefinition)
        subject = f"parameter '{operation.name}'"
        for one in leaves(operation.value):
            problem = misfit(analysis, expected, one, subject, undef_fits=has_other)
            if problem is not None:
                yield operation, one, problem


def check_elsewhere(
    analysis: Analysis, node: nodes.ResourceDefaults | nodes.ResourceOverride | nodes.Collector
) -> None:
    """Check the values that defaults, overrides and collectors set for a defined type.

    They are warnings: perhaps no resource gets them.
    """
    for name in set(type_names(analysis, node)):
        if not isinstance(node, nodes.ResourceDefaults):
            analysis.replaced.update((name, key) for key in replaced_names(node.operations))
        definition = analysis.definitions.definition(name)
        if isinstance(definition, nodes.DefineDefinition):
            for _, value, problem in wrong_values(analysis, definition, node.operations):
                mismatch = f"{as_reference(name)}: {problem}"
                analysis.warnings.append(analysis.report(PARAMETERS, value, mismatch=mismatch))


def replaced_names(operations: Iterable[nodes.AttributeOperation]) -> Iterator[str]:
    """Yield the parameters that operations set; ``*`` for names that only a run can give."""
    for one in operations:
        yield one.name if isinstance(one, nodes.Attribute) else "*"


# -- defaults and results --------------------------------------------------------------------------


def check_definition(
    analysis: Analysis, node: nodes.ClassDefinition | nodes.DefineDefinition
) -> None:
    """Check the defaults of the parameters of a class or a defined type."""
    reference = as_reference(node.name.removeprefix("::"))
    if isinstance(node, nodes.ClassDefinition):
        reference = f"Class[{reference}]"
    for parameter in node.parameters:
        subject = f"parameter '{parameter.name}'"
        for value, problem in wrong_default(analysis, parameter, subject):
            mismatch = f"{reference}: {problem}"
            use = "none" if isinstance(value, nodes.Undef) else "default"
            finding = analysis.report(PARAMETERS, value, mismatch=mismatch, use=use)
            is_class = isinstance(node, nodes.ClassDefinition)
            note_default_of(analysis, node, parameter, value, finding, is_class=is_class)


def note_default_of(
    analysis: Analysis,
    node: nodes.ClassDefinition | nodes.DefineDefinition,
    parameter: nodes.Parameter,
    value: nodes.Node,
    finding: Diagnostic,
    *,
    is_class: bool,
) -> None:
    """Note a wrong default of a class or defined type.

    It is a warning if code or data gives the parameter a value, so that perhaps nothing uses the default.
    Undef stands for no default: each use gives a value.
    """
    name = node.name.lower().removeprefix("::")
    key = f"{name}::{parameter.name}"
    layers = analysis.layers
    has_data = is_class and (any(True for _ in layers.values(key)) or layers.are_opaque_for(key))
    if isinstance(value, nodes.Undef) or has_data:
        analysis.warnings.append(finding)
    else:
        analysis.defaults.append(MissingValue(name, parameter.name, finding))


def check_function(analysis: Analysis, node: nodes.FunctionDefinition) -> None:
    """Check the defaults and the result of a function."""
    name = node.name.removeprefix("::")
    for parameter in node.parameters:
        check_default(analysis, parameter, f"'{name}' parameter '{parameter.name}'")
    if node.return_type is not None:
        check_result(analysis, node, f"value returned from function '{name}'")


def check_lambda(analysis: Analysis, node: nodes.Lambda) -> None:
    """Check the defaults and the result of a lambda, or the defaults of a template."""
    kind = "parameter" if isinstance(node.body, nodes.Epp) else "block parameter"
    for parameter in node.parameters:
        check_default(analysis, parameter, f"{kind} '{parameter.name}'")
    if node.return_type is not None:
        check_result(analysis, node, "value returned from block")


def check_default(analysis: Analysis, parameter: nodes.Parameter, subject: str) -> None:
    """Report a default that cannot be of the type of its parameter."""
    for value, problem in wrong_default(analysis, parameter, subject):
        finding = analysis.report(ILLEGAL_ARGUMENT, value, mismatch=problem)
        found = analysis.warnings if isinstance(value, nodes.Undef) else analysis.findings
        found.append(finding)


def wrong_default(
    analysis: Analysis, parameter: nodes.Parameter, subject: str
) -> Iterator[tuple[nodes.Node, str]]:
    """Yield the values of a default that cannot be of the type of its parameter, and why."""
    if parameter.type is None or parameter.value is None or parameter.captures_rest:
        return
    expected = analysis.declared.of_node(parameter.type)
    for one in leaves(parameter.value):
        problem = misfit(analysis, expected, one, subject)
        if problem is not None:
            yield one, problem


def check_result(
    analysis: Analysis, node: nodes.FunctionDefinition | nodes.Lambda, subject: str
) -> None:
    """Report values of the last statement that cannot be of the declared type."""
    expected = analysis.declared.of_node(node.return_type)
    for one in leaves(node.body):
        problem = misfit(analysis, expected, one, subject)
        if problem is not None:
            analysis.findings.append(analysis.report(ILLEGAL_ARGUMENT, one, mismatch=problem))


# -- calls -----------------------------------------------------------------------------------------


def check_call(analysis: Analysis, node: nodes.Call) -> None:
    """Check the arguments of a call."""
    if isinstance(node.callee, nodes.Name):
        name = node.callee.value.removeprefix("::")
        check_arguments(analysis, node, name, node.arguments, node.block)


def check_method_call(analysis: Analysis, node: nodes.MethodCall) -> None:
    """Check the arguments of ``receiver.name()``."""
    if isinstance(node.name, nodes.Name):
        arguments = [node.receiver, *node.arguments]
        check_arguments(analysis, node, node.name.value, arguments, node.block)


def check_arguments(
    analysis: Analysis,
    node: nodes.Node,
    name: str,
    arguments: Sequence[nodes.Node],
    block: nodes.Lambda | None,
) -> None:
    """Report a call that no signature of the function can take."""
    known = analysis.functions.signatures(name)
    if known is None or any(isinstance(one, nodes.Unfold) for one in arguments):
        return
    types = [analysis.inference.of(one) for one in arguments]
    closure = closure_of(analysis, block)
    if any(may_take(one, types, closure) for one in known.callables):
        return
    given = [
        ActualType(min((wrong_parts(one.parameter(at), type_) for one in known.callables), key=str))
        for at, type_ in enumerate(types)
    ]
    if known.in_puppet:
        (signature,) = known.callables
        report_puppet_call(analysis, node, name, signature, given, closure)
        return
    text = describe_call(name, known.callables, given, block_type(closure))
    analysis.findings.append(analysis.report(ILLEGAL_ARGUMENT, node, mismatch=text))


def report_puppet_call(
    analysis: Analysis,
    node: nodes.Node,
    name: str,
    signature: CallableType,
    given: Sequence[ActualType],
    closure: Closure | None,
) -> None:
    """Report a call that a function in Puppet refuses: its checks have texts of their own."""
    low = signature.low or 0
    if not has_count(signature, len(given)):
        problem = wrong_count(low, signature.high, len(given))
        found = analysis.report(WRONG_ARGUMENT_COUNT, node, name=name, problem=problem)
    elif closure is not None:
        found = analysis.report(UNEXPECTED_BLOCK, node, name=name)
    else:
        text = describe_call(name, [signature], given)
        found = analysis.report(ILLEGAL_ARGUMENT, node, mismatch=text)
    analysis.findings.append(found)


def closure_of(analysis: Analysis, block: nodes.Lambda | None) -> Closure | None:
    """Return the lambda of a call as signatures are matched against it."""
    if block is None:
        return None
    type_ = analysis.declared.signature(block.parameters)
    return Closure(print, type_.low or 0, type_.high, type_.names, type_.parameters or ())


def has_count(signature: CallableType, count: int) -> bool:
    """Return whether a signature takes a number of arguments."""
    return (signature.low or 0) <= count and (signature.high is None or count <= signature.high)


def may_take(signature: CallableType, types: Sequence[Type], closure: Closure | None) -> bool:
    """Return whether a signature may take arguments of some types and a lambda."""
    if not has_count(signature, len(types)):
        return False
    if signature.block is None:
        if closure is not None:
            return False
    elif not block_checker(signature.block)(closure):
        return False
    return all(
        type_ is UNKNOWN or can_overlap(signature.parameter(at), type_)
        for at, type_ in enumerate(types)
    )
