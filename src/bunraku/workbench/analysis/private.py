"""Private classes and defined types (``assert_private``) that code outside of their module uses."""

from __future__ import annotations

import os
from collections.abc import Iterator

from bunraku.syntax.nodes import Block, Call, Name, Node, Resource
from bunraku.workbench.analysis.definitions import Definition
from bunraku.workbench.analysis.issues import PRIVATE_NAME
from bunraku.workbench.analysis.names import included_classes, titled_classes, written_name
from bunraku.workbench.analysis.state import Analysis

ASSERTIONS = frozenset({"assert_private", "private"})


def is_private(definition: Definition) -> bool:
    """Return whether a class or defined type begins with, or has among its statements, the assertion."""
    body = definition.body
    statements = body.statements if isinstance(body, Block) else [body]
    return any(
        isinstance(one, Call) and isinstance(one.callee, Name) and one.callee.value in ASSERTIONS
        for one in statements
    )


def check_call(analysis: Analysis, node: Call) -> None:
    """Check the classes that a call declares."""
    for one, name in included_classes(node):
        check_use(analysis, one, name)


def check_resource(analysis: Analysis, node: Resource) -> None:
    """Check the type of a resource, or the classes that it declares."""
    for one, name in names_of(node):
        check_use(analysis, one, name)


def names_of(node: Resource) -> Iterator[tuple[Node, str]]:
    """Yield the names of classes, or of the defined type, in a resource statement."""
    type_name = written_name(node.type_name)
    if type_name is not None and type_name.lower() == "class":
        yield from titled_classes(node)
    elif type_name is not None:
        yield node.type_name, type_name


def check_use(analysis: Analysis, node: Node, name: str) -> None:
    """Report a private name of another module.

    It is a warning: a class that its own module declared before is not evaluated again.
    """
    definition = analysis.class_named(name) or analysis.define_named(name)
    if definition is None or not is_private(definition):
        return
    plain = definition.name.lower().removeprefix("::")
    environment = analysis.definitions.environment
    here = environment.module_of_path(os.path.abspath(analysis.program.source.path))
    if here is None or here.name != plain.partition("::")[0]:
        found = analysis.report(PRIVATE_NAME, node, name=plain, module=plain.partition("::")[0])
        analysis.warnings.append(found)
