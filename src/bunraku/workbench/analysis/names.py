"""Unknown classes, resource types, functions and data types.

Only names that are written in the code are checked, never those that a run computes. A name in a
module that is not installed is not checked.
"""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.runtime.issues import UNKNOWN_FUNCTION, UNKNOWN_TYPE_IN_STATEMENT
from bunraku.syntax import nodes
from bunraku.workbench.analysis.issues import REMOVED_FUNCTION, UNKNOWN_CLASS, UNKNOWN_TYPE
from bunraku.workbench.analysis.state import Analysis

DECLARING = frozenset({"include", "contain", "require"})
"""Functions that declare the classes that their arguments name."""
OF_RESOURCE_TYPES = frozenset({"create_resources", "ensure_resource", "ensure_resources"})
"""Functions whose first argument is the name of a resource type."""
OF_THE_COMPILE = frozenset({"settings"})
"""Classes that exist without a definition."""


def written_name(node: nodes.Node) -> str | None:
    """Return the text of a name in the code; None for names that only a run can give."""
    return node.value if isinstance(node, nodes.Name | nodes.String) else None


def written_names(node: nodes.Node) -> Iterator[tuple[nodes.Node, str]]:
    """Yield the names in an argument: a name, an array of names, ``Class[name]``."""
    if (name := written_name(node)) is not None:
        yield node, name
    elif isinstance(node, nodes.List):
        for one in node.values:
            yield from written_names(one)
    elif isinstance(node, nodes.Access) and is_class_reference(node.left):
        for one in node.keys:
            yield from written_names(one)


def included_classes(node: nodes.Call | nodes.MethodCall) -> Iterator[tuple[nodes.Node, str]]:
    """Yield the classes that a call of ``include``, ``contain`` or ``require`` names."""
    if isinstance(node, nodes.Call):
        callee, arguments = node.callee, node.arguments
    else:
        callee, arguments = node.name, [node.receiver]
    if isinstance(callee, nodes.Name) and callee.value.removeprefix("::") in DECLARING:
        for argument in arguments:
            yield from written_names(argument)


def titled_classes(node: nodes.Resource) -> Iterator[tuple[nodes.Node, str]]:
    """Yield the classes that are declared as resources."""
    if (written_name(node.type_name) or "").lower() == "class":
        for body in node.bodies:
            yield from written_names(body.title)


def is_class_reference(node: nodes.Node) -> bool:
    """Return whether a node is the word ``Class``."""
    return isinstance(node, nodes.Reference) and node.value.lower() == "class"


def check_class(analysis: Analysis, node: nodes.Node, name: str) -> nodes.ClassDefinition | None:
    """Report a class that its module does not define; return the definition of a known one."""
    definitions = analysis.definitions
    if not name.removeprefix("::") or name.removeprefix("::").lower() in OF_THE_COMPILE:
        return None
    found = analysis.class_named(name)
    if found is not None:
        return found
    if definitions.can_be_checked(name):
        finding = analysis.report(UNKNOWN_CLASS, node, name=name)
        analysis.findings.append(analysis.with_hint(finding, "class", name, False))
    else:
        analysis.note_absent(name, node)
    return None


def check_resource_type(analysis: Analysis, node: nodes.Node, name: str) -> bool:
    """Report a resource type that nothing defines; return whether it is known."""
    definitions = analysis.definitions
    if name.lower() == "class" or definitions.is_resource_type(name):
        return True
    if analysis.define_named(name) is not None:
        return True
    finding = analysis.report(UNKNOWN_TYPE_IN_STATEMENT, node, name=name)
    plain = name.lower().removeprefix("::")
    if plain in definitions.modules_to_install and definitions.is_absent(plain):
        analysis.note_absent(name, node)
    elif "::" not in name.removeprefix("::"):
        analysis.unsure.append(analysis.with_hint(finding, "resource_type", name, False))
    elif definitions.can_be_checked(name):
        analysis.findings.append(analysis.with_hint(finding, "define", name, False))
    else:
        analysis.note_absent(name, node)
    return False


def check_function(analysis: Analysis, node: nodes.Node, name: str) -> None:
    """Report a function that nothing defines."""
    definitions = analysis.definitions
    if definitions.is_function(name) or is_of_bolt(analysis, name):
        return
    removed = definitions.removed_function(name)
    if removed is not None:
        finding = analysis.report(REMOVED_FUNCTION, node, name=name, version=removed)
        analysis.unsure.append(finding)
        return
    finding = analysis.report(UNKNOWN_FUNCTION, node, name=name)
    if "::" not in name.removeprefix("::"):
        analysis.unsure.append(analysis.with_hint(finding, "function", name, False))
    elif definitions.can_be_checked(name):
        analysis.findings.append(analysis.with_hint(finding, "function", name, False))
    else:
        analysis.note_absent(name, node)


def is_of_bolt(analysis: Analysis, name: str) -> bool:
    """Return whether a function or a type can be one of Bolt: in a plan, unless a module must have it."""
    is_in_plan = isinstance(analysis.body, nodes.PlanDefinition)
    return is_in_plan and not analysis.definitions.can_be_checked(name)


def check_call(analysis: Analysis, node: nodes.Call) -> None:
    """Check the function of a call, and the classes and resource types in its arguments."""
    if not isinstance(node.callee, nodes.Name):
        return
    function = node.callee.value.removeprefix("::")
    check_function(analysis, node.callee, function)
    for one, name in included_classes(node):
        check_class(analysis, one, name)
    if function in OF_RESOURCE_TYPES and node.arguments:
        first = node.arguments[0]
        type_name = (
            (written_name(first) or "").removeprefix("@").removeprefix("@")
        )  # virtual, exported
        if type_name and type_name.lower() != "class":
            check_resource_type(analysis, first, type_name)


def check_method_call(analysis: Analysis, node: nodes.MethodCall) -> None:
    """Check the function of a call such as ``$x.name``, and the classes in ``'name'.include``."""
    if not isinstance(node.name, nodes.Name):
        return
    check_function(analysis, node.name, node.name.value)
    for one, name in included_classes(node):
        check_class(analysis, one, name)


def check_parent(analysis: Analysis, node: nodes.ClassDefinition) -> None:
    """Check the class that a class inherits from."""
    if node.parent is not None and node.parent.lower() != "default":
        check_class(analysis, node, node.parent)


def check_statement(analysis: Analysis, node: nodes.Resource) -> None:
    """Check the type of a resource, and the titles of classes."""
    name = written_name(node.type_name)
    if name is None:
        return
    if name.lower() != "class":
        check_resource_type(analysis, node.type_name, name)
        return
    for one, title in titled_classes(node):
        check_class(analysis, one, title)


def check_parameter(analysis: Analysis, node: nodes.Parameter) -> None:
    """Check the names in the type of a parameter: no value fits an unknown type."""
    if node.type is not None:
        for one in references(node.type):
            check_reference(analysis, one, in_parameter=True)


def references(node: nodes.Node) -> Iterator[nodes.Reference]:
    """Yield the capitalised names in a type."""
    if isinstance(node, nodes.Reference):
        yield node
    for child in nodes.children(node):
        yield from references(child)


def check_reference(
    analysis: Analysis, node: nodes.Reference, *, in_parameter: bool = False
) -> None:
    """Report the name of a type that nothing defines; in code, only a use of its value fails."""
    if id(node) in analysis.seen:
        return
    analysis.seen.add(id(node))
    definitions = analysis.definitions
    name = node.value
    if definitions.is_reference(name) or analysis.define_named(name) is not None:
        return
    if is_of_bolt(analysis, name):
        return
    finding = analysis.report(UNKNOWN_TYPE, node, name=name)
    finding = analysis.with_hint(finding, "type", name, True)
    if "::" not in name.removeprefix("::"):
        analysis.warnings.append(finding)
    elif definitions.can_be_checked(name):
        (analysis.findings if in_parameter else analysis.warnings).append(finding)
    else:
        analysis.note_absent(name, node)
