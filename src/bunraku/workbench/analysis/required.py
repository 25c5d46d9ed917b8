"""Required parameters of classes without a value: neither given, nor in any data.

An error is certain only where the environment and all its data can be read: elsewhere other data,
and for ``include`` another declaration of the class, may give the value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bunraku.base.records import replace
from bunraku.runtime.suggest import as_reference
from bunraku.syntax.nodes import (
    Attribute,
    Call,
    ClassDefinition,
    Default,
    MethodCall,
    Name,
    Node,
    Resource,
)
from bunraku.workbench.analysis.issues import MISSING_PARAMETER
from bunraku.workbench.analysis.names import DECLARING, written, written_names
from bunraku.workbench.analysis.state import Analysis
from bunraku.workbench.analysis.values import class_named


def check_resource(analysis: Analysis, node: Resource) -> None:
    """Check the classes that a statement ``class { … }`` declares."""
    if (written(node.type_name) or "").lower() != "class":
        return
    if any(isinstance(body.title, Default) for body in node.bodies):
        return
    environment = analysis.definitions.environment
    for body in node.bodies:
        if not all(isinstance(one, Attribute) for one in body.operations):
            continue
        given = {one.name for one in body.operations if isinstance(one, Attribute)}
        for title_node, title in written_names(body.title):
            is_sure = environment.path is not None
            note_missing(analysis, title_node, title, given, is_sure=is_sure)


def check_call(analysis: Analysis, node: Call) -> None:
    """Check the classes that ``include``, ``contain`` and ``require`` declare."""
    if isinstance(node.callee, Name) and node.callee.value in DECLARING:
        for argument in node.arguments:
            check_included(analysis, argument)


def check_method_call(analysis: Analysis, node: MethodCall) -> None:
    """Check the classes in ``'name'.include``."""
    if isinstance(node.name, Name) and node.name.value in DECLARING:
        check_included(analysis, node.receiver)


def check_included(analysis: Analysis, argument: Node) -> None:
    """Check classes that are declared without parameters; without an environment, data is unknown."""
    if analysis.definitions.environment.path is not None:
        for one, name in written_names(argument):
            note_missing(analysis, one, name, (), is_sure=False)


def note_missing(
    analysis: Analysis, node: Node, name: str, given: Collection[str], *, is_sure: bool
) -> None:
    """Note the required parameters of a class that have no value."""
    definition = class_named(analysis, name)
    if definition is None:
        return
    for key in missing_keys(analysis, definition, given):
        class_name, _, parameter = key.rpartition("::")
        reference = f"Class[{as_reference(class_name)}]"
        finding = analysis.report(MISSING_PARAMETER, node, reference=reference, name=parameter)
        finding = replace(finding, hint=f"no data has the key '{key}'")
        certain = is_sure and not analysis.layers.are_opaque_for(key)
        (analysis.findings if certain else analysis.warnings).append(finding)


def missing_keys(
    analysis: Analysis, definition: ClassDefinition, given: Collection[str]
) -> Iterator[str]:
    """Yield the keys that no data has, of the required parameters that are not given."""
    for parameter in definition.parameters:
        if parameter.value is None and parameter.name not in given:
            key = f"{definition.name.lower().removeprefix('::')}::{parameter.name}"
            if not any(True for _ in analysis.layers.values(key)):
                yield key
