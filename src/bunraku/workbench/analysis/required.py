"""Required parameters of classes without a value: neither given, nor in any data.

An error is certain only where the environment and all its data can be read: elsewhere other data,
and for ``include`` another declaration of the class, may give the value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bunraku.base.errors import Diagnostic
from bunraku.base.records import replace
from bunraku.runtime.suggest import as_reference
from bunraku.syntax.nodes import (
    Attribute,
    Call,
    ClassDefinition,
    Default,
    MethodCall,
    Node,
    Resource,
)
from bunraku.workbench.analysis.issues import MISSING_PARAMETER
from bunraku.workbench.analysis.names import included_classes, written_name, written_names
from bunraku.workbench.analysis.state import Analysis, MissingValue


def check_resource(analysis: Analysis, node: Resource) -> None:
    """Check the classes that a statement ``class { … }`` declares."""
    if (written_name(node.type_name) or "").lower() != "class":
        return
    if any(isinstance(body.title, Default) for body in node.bodies):
        return
    environment = analysis.definitions.environment
    for body in node.bodies:
        given = {one.name if isinstance(one, Attribute) else "*" for one in body.operations}
        for title_node, title in written_names(body.title):
            definition = analysis.class_named(title)
            if definition is None:
                continue
            name = definition.name.lower().removeprefix("::")
            analysis.class_values.update((name, one) for one in given)
            for key, finding in missing(analysis, title_node, definition, given):
                certain = environment.path is not None and not analysis.layers.are_opaque_for(key)
                (analysis.findings if certain else analysis.warnings).append(finding)


def check_call(analysis: Analysis, node: Call | MethodCall) -> None:
    """Check the classes that ``include``, ``contain`` and ``require`` declare.

    Without an environment, data is unknown. Another declaration, ``class { … }``, may come first: if
    the checked code has one that gives the value, nothing is reported.
    """
    if analysis.definitions.environment.path is None:
        return
    for named, name in included_classes(node):
        definition = analysis.class_named(name)
        if definition is not None:
            for key, finding in missing(analysis, named, definition, ()):
                class_name, _, parameter = key.rpartition("::")
                analysis.included.append(MissingValue(class_name, parameter, finding))


def missing(
    analysis: Analysis, node: Node, definition: ClassDefinition, given: Collection[str]
) -> Iterator[tuple[str, Diagnostic]]:
    """Yield the keys of the required parameters of a class that have no value, and the findings."""
    for key in missing_keys(analysis, definition, given):
        class_name, _, parameter = key.rpartition("::")
        reference = f"Class[{as_reference(class_name)}]"
        finding = analysis.report(MISSING_PARAMETER, node, reference=reference, name=parameter)
        yield key, replace(finding, hint=f"no data has the key '{key}'")


def missing_keys(
    analysis: Analysis, definition: ClassDefinition, given: Collection[str]
) -> Iterator[str]:
    """Yield the keys that no data has, of the required parameters that are not given."""
    if "*" in given:
        return
    for parameter in definition.parameters:
        if parameter.value is None and parameter.name not in given:
            key = f"{definition.name.lower().removeprefix('::')}::{parameter.name}"
            if not any(True for _ in analysis.layers.values(key)):
                yield key
