"""Parameters of resources that their types do not have, and required ones without a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bunraku.base.errors import PuppetError
from bunraku.base.metaparameters import METAPARAMETER_NAMES, METAPARAMETERS
from bunraku.base.records import replace
from bunraku.base.suggestions import did_you_mean
from bunraku.runtime.issues import UNKNOWN_PARAMETER
from bunraku.runtime.suggest import as_reference
from bunraku.syntax import nodes
from bunraku.workbench.analysis.definitions import Definition
from bunraku.workbench.analysis.issues import UNKNOWN_QUERY_ATTRIBUTE
from bunraku.workbench.analysis.names import written_name, written_names
from bunraku.workbench.analysis.state import Analysis

ALWAYS = METAPARAMETER_NAMES | {"name", "title"}


def check_resource(analysis: Analysis, node: nodes.Resource) -> None:
    """Check the parameters of a resource, or of classes that are declared as resources."""
    name = written_name(node.type_name)
    if name is None:
        return
    if name.lower() == "class":
        for body in node.bodies:
            check_class_body(analysis, body)
        return
    definition = analysis.define_named(name)
    if definition is not None:
        check_defined(analysis, node, definition, as_reference(name.removeprefix("::")))
    else:
        check_ruby_type(analysis, node, name.removeprefix("::"))


def check_class_body(analysis: Analysis, body: nodes.ResourceBody) -> None:
    """Check the parameters of a class whose name is written."""
    for _, title in written_names(body.title):
        definition = analysis.class_named(title)
        if definition is not None:
            reference = f"Class[{as_reference(definition.name.removeprefix('::'))}]"
            check_names(analysis, body.operations, parameters_of(definition), reference)


def check_defined(
    analysis: Analysis, node: nodes.Resource, definition: nodes.DefineDefinition, type_: str
) -> None:
    """Check the parameters of resources of a defined type."""
    names = parameters_of(definition)
    shared: set[str] = set()
    for body in node.bodies:
        if isinstance(body.title, nodes.Default):
            shared |= attributes(body.operations)
    for body in node.bodies:
        reference = f"{type_}[{written_name(body.title) or '…'}]"
        check_names(analysis, body.operations, names, reference)
        is_open = any(not isinstance(one, nodes.Attribute) for one in body.operations)
        if isinstance(body.title, nodes.Default) or is_open or node.form != "regular":
            continue
        for parameter in definition.parameters:
            if parameter.value is None and parameter.name not in ALWAYS:
                if parameter.name not in shared | attributes(body.operations):
                    key = definition.name.lower().removeprefix("::")
                    analysis.note_missing(key, parameter.name, body.title, reference)


def check_ruby_type(analysis: Analysis, node: nodes.Resource, name: str) -> None:
    """Check the attributes of resources of a type that is not written in Puppet."""
    names = attributes_of_type(analysis, name.lower())
    if names is None:
        return
    for body in node.bodies:
        reference = f"{as_reference(name)}[{written_name(body.title) or '…'}]"
        check_names(analysis, body.operations, names, reference)


def parameters_of(definition: Definition) -> tuple[str, ...]:
    """Return the names of the parameters of a class or defined type."""
    return tuple(one.name for one in definition.parameters)


def attributes(operations: Iterable[nodes.AttributeOperation]) -> set[str]:
    """Return the names that operations set."""
    return {one.name for one in operations if isinstance(one, nodes.Attribute)}


def check_names(
    analysis: Analysis,
    operations: Iterable[nodes.AttributeOperation],
    known: tuple[str, ...],
    reference: str,
) -> None:
    """Report attributes that a type does not have."""
    for one in operations:
        if isinstance(one, nodes.Attribute) and one.name not in ALWAYS and one.name not in known:
            finding = analysis.report(UNKNOWN_PARAMETER, one, name=one.name, reference=reference)
            meant = did_you_mean(one.name, (*known, *METAPARAMETERS))
            analysis.findings.append(replace(finding, hint=meant))


# -- queries of collectors ---------------------------------------------------------------------


def check_query(analysis: Analysis, node: nodes.Collector) -> None:
    """Report attributes in the query of a collector that its type does not have."""
    for type_name in type_names(analysis, node):
        known = attributes_of_type(analysis, type_name)
        if known is None:
            continue
        for one in compared_attributes(node.query.expression):
            name = one.name if isinstance(one, nodes.Variable) else written_name(one)
            if name is not None and name not in ALWAYS and name not in known:
                finding = analysis.report(
                    UNKNOWN_QUERY_ATTRIBUTE, one, type=as_reference(type_name), name=name
                )
                meant = did_you_mean(name, (*known, *METAPARAMETERS))
                analysis.warnings.append(replace(finding, hint=meant))


def attributes_of_type(analysis: Analysis, type_name: str) -> tuple[str, ...] | None:
    """Return the attributes of a resource type; None if they are not known."""
    definition = analysis.define_named(type_name)
    if definition is not None:
        return parameters_of(definition)
    try:
        schema = analysis.definitions.schema(type_name)
    except PuppetError:
        return None
    if schema is None or schema.open is not None:
        return None
    return (*schema.properties, *schema.parameters)


def compared_attributes(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield the attributes that a query compares."""
    if isinstance(node, nodes.And | nodes.Or):
        yield from compared_attributes(node.left)
        yield from compared_attributes(node.right)
    elif isinstance(node, nodes.Parenthesized):
        yield from compared_attributes(node.expression)
    elif isinstance(node, nodes.Comparison):
        yield node.left


# -- values that other code sets ---------------------------------------------------------------


def note_elsewhere(
    analysis: Analysis, node: nodes.ResourceDefaults | nodes.ResourceOverride | nodes.Collector
) -> None:
    """Note the parameters that defaults, overrides and collectors set for all or some resources."""
    for type_name in set(type_names(analysis, node)):
        for one in node.operations:
            if isinstance(one, nodes.Attribute):
                analysis.elsewhere.add((type_name, one.name))
            else:
                analysis.open_types.add(type_name)


def type_names(
    analysis: Analysis, node: nodes.ResourceDefaults | nodes.ResourceOverride | nodes.Collector
) -> Iterator[str]:
    """Yield the full name of the resource type that a statement is about, in lower case."""
    target: nodes.Node
    if isinstance(node, nodes.ResourceDefaults):
        target = node.type_reference
    else:
        target = node.type if isinstance(node, nodes.Collector) else node.resources
    if isinstance(target, nodes.Access):
        target = target.left
    if isinstance(target, nodes.Reference):
        definition = analysis.define_named(target.value)
        name = target.value if definition is None else definition.name
        yield name.lower().removeprefix("::")
