"""Resources that functions declare: calls of ``create_resources`` and its relatives as resource statements.

Only hashes that are written in the call are read. The rules about resource statements check them.
"""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.syntax import nodes
from bunraku.workbench.analysis import attribute_values, parameters, private, required, values
from bunraku.workbench.analysis.names import written_name
from bunraku.workbench.analysis.state import Analysis

CHECKS = (
    parameters.check_resource,
    private.check_resource,
    values.check_resource_values,
    attribute_values.check_attributes,
    required.check_resource,
)
FORMS: dict[str, nodes.ResourceForm] = {"": "regular", "@": "virtual", "@@": "exported"}
"""The form of the resources by the signs before the type: ``create_resources('@file', …)``."""


def check_call(analysis: Analysis, node: nodes.Call) -> None:
    """Check the resources that a call declares."""
    found = resource_of(node)
    if found is not None and found.bodies:
        for check in CHECKS:
            check(analysis, found)


def resource_of(node: nodes.Call) -> nodes.Resource | None:
    """Return the resource statement that does what a call does; None for other functions."""
    function = written_name(node.callee)
    name = (function or "").removeprefix("::").removeprefix("stdlib::")
    given = [*node.arguments]
    if name == "ensure_packages" and given:
        package = nodes.Name(node.callee.start, node.callee.end, "package")
        bodies = bodies_of_hash if isinstance(given[0], nodes.Hash) else bodies_of_titles
        return nodes.Resource(node.start, node.end, "regular", package, opened(bodies(given), node))
    if len(given) < 2 or (text := written_name(given[0])) is None:
        return None
    plain = text.lstrip("@")
    form = FORMS.get(text[: len(text) - len(plain)], "regular")
    type_name = nodes.String(given[0].start, given[0].end, plain)
    if name == "create_resources":
        return nodes.Resource(node.start, node.end, form, type_name, [*bodies_of_hash(given[1:])])
    if name in {"ensure_resource", "ensure_resources"}:
        bodies = bodies_of_titles if name == "ensure_resource" else bodies_of_hash
        return nodes.Resource(
            node.start, node.end, form, type_name, opened(bodies(given[1:]), node)
        )
    return None


def opened(bodies: Iterator[nodes.ResourceBody], node: nodes.Call) -> list[nodes.ResourceBody]:
    """Return bodies to which parameters may be added: a resource that exists already is not declared."""
    return [
        nodes.ResourceBody(
            one.start,
            one.end,
            one.title,
            [*one.operations, nodes.AttributeSplat(node.start, node.end, node)],
        )
        for one in bodies
    ]


def bodies_of_hash(given: list[nodes.Expression]) -> Iterator[nodes.ResourceBody]:
    """Yield the bodies of a hash of titles with parameters, then those of a hash of defaults."""
    first, *rest = given
    if isinstance(first, nodes.Hash):
        for entry in first.entries:
            operations = operations_of(entry.value)
            yield nodes.ResourceBody(entry.start, entry.end, entry.key, operations)
    for defaults in rest[:1]:
        title = nodes.Default(defaults.start, defaults.start)
        yield nodes.ResourceBody(defaults.start, defaults.end, title, operations_of(defaults))


def bodies_of_titles(given: list[nodes.Expression]) -> Iterator[nodes.ResourceBody]:
    """Yield the body of titles with parameters."""
    title, *rest = given
    operations = [one for hash_ in rest[:1] for one in operations_of(hash_)]
    yield nodes.ResourceBody(title.start, title.end, title, operations)


def operations_of(node: nodes.Expression) -> list[nodes.AttributeOperation]:
    """Return the attributes in a hash; a splat for what only a run can give."""
    if not isinstance(node, nodes.Hash):
        return [nodes.AttributeSplat(node.start, node.end, node)]
    found: list[nodes.AttributeOperation] = []
    for entry in node.entries:
        name = written_name(entry.key)
        if name is None:
            found.append(nodes.AttributeSplat(entry.start, entry.end, entry.key))
        else:
            found.append(nodes.Attribute(entry.start, entry.end, name, "=>", entry.value))
    return found
